"""The levels' search: alpha-beta that knows what it has proved.

A value leaves the kalahs out (see sail.engine.value) and is scaled by UNIT.  An even
value is proved: it rests on finished games and endgame databases alone.  An evaluation
is odd, and a value that depends on one is made odd: it never passes for a proof.

A Search lasts a game and keeps the tables.  Each `find` makes a _OneSearch, which
searches a position ever deeper.  At each depth it asks by null windows whether the
value is at least beta, and the answers close in on the value (MTD(f), ISK-MTD).
`_bound` is textbook alpha-beta with a transposition table and an endgame database.

A ply is a turn: a repeat move and the move after it are one ply.
"""

from __future__ import annotations

import time
from contextlib import suppress
from functools import lru_cache, partial
from random import Random

from sail.board import KALAH_RULES, Pits, Position, Rules
from sail.engine import endgame
from sail.engine.endgame import Database
from sail.engine.evaluation import MOVING, TO_MOVE, UNIT, WAITING, worths
from sail.engine.levels import Limit, error_of
from sail.engine.moves import REPEAT, Move, MoveTable, bits_for
from sail.engine.value import FAR, Finding, bounded, exactly
from sail.game import Course
from sail.stop import POSITIONS_A_CHECK, Clock, Stop, Stopped, never, until

SLOTS = 1_000_003  # 140 bytes each; prime, so that all bits of a key matter
SEEDED_SLOTS = 20_011  # for a search with a seed, which begins with an empty table
MOST_ROWS = 60_000  # kept with their moves, 0.9 KB each; endgames need 27,131
TABLE_DEPTH = 4  # plies; with fewer to search, nothing is kept and no moves are sorted
PLIES_NEAR_PROOF = 16  # plies added to the depth when a proof is near

# A slot of the transposition table: both packed rows as one int; the depth in plies;
# a lower and an upper bound of the value; the best pit, 0 if unknown.
Slot = tuple[int, int, int, int, int]
EMPTY: Slot = 0, 0, 0, 0, 0


class Search:
    """The search for the best moves of a game, with one set of tables: up to 260 MB.

    rules: as in the positions.  The evaluation is fitted to games by KALAH's.
    effort: the positions whose moves were generated.
    """

    def __init__(self, rules: Rules = KALAH_RULES) -> None:
        # The tables for pits a side and bits a pit; those of the last size are kept.
        self._tables = lru_cache(maxsize=1)(partial(_Tables, rules))
        self.effort = 0

    def find(
        self,
        position: Position,
        limit: Limit,
        clock: Clock = time.monotonic,
        stop: Stop = never,
        seed: str = "",
    ) -> Finding:
        """Return the value and the principal variation, as found within the limit.

        The value is that of a game that no majority ends; the variation ends where the
        game does.  Moves without an alternative are not searched, and a proved value
        ends the search.  Without a time limit, the result of a new Search is
        repeatable.

        stop: called often; when it returns True, the search ends with what it has
        found.  An exception that it raises passes through; the Search stays usable.
        seed: if not empty, chance, which depends on it alone, decides between moves
        whose values are the same number of stones.  Such a search uses nothing that
        another one found, so without a time limit its result depends on its arguments
        alone.  Raises ValueError if the rules are not those of this Search, or not
        known to the engine.
        """
        root = position.without_majority
        forced: Pits = ()
        while len(root.legal) == 1:
            root, forced = root.play(root.legal[0]), (*forced, root.legal[0])
        if root.over:
            found = Finding(exactly(root.lead))
        else:
            tables = self._tables(root.pits_a_side, bits_for(root.stones))
            count = SEEDED_SLOTS if seed else SLOTS
            if seed or len(tables.slots) != count:
                tables.slots = [EMPTY] * count
            search = _OneSearch(tables, root, limit, clock, stop, seed)
            found = search.run()
            self.effort += search.effort
        value = found.value.negated_if(root.mover != position.mover)
        course = Course(position).through(forced + found.variation)
        return Finding(value, course.pits)


class _Tables:
    """What lasts from one search to the next, for one size of board."""

    def __init__(self, rules: Rules, pits: int, bits: int) -> None:
        self.moves = MoveTable(pits, bits, rules, MOST_ROWS)
        # What a row is worth to the player to move, and to the other.
        self.moving = worths(self.moves, MOVING, TO_MOVE)
        self.waiting = worths(self.moves, WAITING)
        self.slots: list[Slot] = []  # the transposition table
        self.databases: dict[int, Database] = {}  # by their `most_in_play`
        self.most_endgame_stones = endgame.LARGEST  # of the largest to try


class _OneSearch:
    """One search of a position, the root: its limits, and what it has found so far."""

    def __init__(
        self,
        tables: _Tables,
        root: Position,
        limit: Limit,
        clock: Clock,
        stop: Stop,
        seed: str,
    ) -> None:
        self.tables, self.root, self.limit, self.clock = tables, root, limit, clock
        self.stop = until(clock() + limit.seconds, clock, stop)
        self.rows = own, other = tables.moves.packed(root)
        moves = tables.moves[own] if seed else ()
        self.shuffled = tuple(Random(seed).sample(moves, len(moves)))  # the first moves
        self.database = Database(tables.moves, most_in_play=0)  # to begin with
        self.database_span = 0  # the stones of the database, scaled by UNIT
        self.table_from = TABLE_DEPTH  # plies
        self.effort = 0
        self.next_check: float = 0  # the effort at which to check the limits
        # What is found so far.
        self.high = root.in_play * UNIT  # proved bounds; no value lies outside
        self.low = -self.high
        self.likely = tables.moving[own] - tables.waiting[other]
        self.pit = self.proved_pit = root.legal[0]  # proved_pit: it reaches low
        self.depth = 0  # plies; the last depth that was searched to its end

    def run(self) -> Finding:
        """Search to a limit or a proof, and return what is found."""
        with suppress(Stopped):
            self._deepen()
        low, high, likely = (
            self.root.lead + (scaled + UNIT // 2) // UNIT
            for scaled in (self.low, self.high, self.likely)
        )
        error = error_of(self.effort, self.root.in_play)
        value = bounded(low, high, likely, error)
        return Finding(value, self._variation())

    def _variation(self) -> Pits:
        """Return the pit found, and the best pits after it that are in the table."""
        variation: list[int] = []
        position, pit = self.root, self.pit
        while pit and len(variation) < max(self.depth, 1):
            variation.append(pit)
            position = position.play(pit)
            pit = self._probe(*self.tables.moves.packed(position), 0)[2]
        return tuple(variation)

    def _deepen(self) -> None:
        """Search deeper and deeper until the value is proved.  Raises Stopped.

        Depth grows by two plies, so that the same player moves last each time, except
        at an odd limit.  If, beyond 12 plies, two more cost at most a quarter more,
        most variations end before the horizon.  Then depth grows by PLIES_NEAR_PROOF,
        which cuts the time of a proof by a quarter (27 to 30 stones in play).
        """
        plies, cost = 2, 0
        while self.low < self.high and self.depth != self.limit.depth:
            before, depth = self.effort, self.depth + plies
            self._close_in(min(depth, self.limit.depth or depth))
            if self.depth == 2:
                self._use_endgames()
            if self.depth > 12 and 4 * (self.effort - before) <= 5 * cost:
                plies = PLIES_NEAR_PROOF
            cost = self.effort - before

    def _close_in(self, depth: int) -> None:
        """Find the value as seen from this depth.  Raises Stopped."""
        self.table_from = min(depth, TABLE_DEPTH)  # the root is always kept
        span, pit = self.root.in_play * UNIT, self.proved_pit
        least, most = self.low, self.high
        while least < most:
            beta = max(least + 1, min(most, self.likely))
            if self.shuffled:
                # Halfway between whole stones: if one move reaches this window, so do
                # its equals, and their random order decides which is found.
                beta -= (beta + UNIT // 2) % UNIT
                if beta <= least:
                    beta += UNIT
                if beta > most:
                    break
            value = self.likely = self._bound(*self.rows, span, depth, beta)
            if value < beta:
                most = value
                if value % 2 == 0:
                    self.high = value
            else:
                least = value
                pit = self.pit = self._probe(*self.rows, depth)[2]
                if value % 2 == 0:
                    self.low, self.proved_pit = value, pit
        self.pit, self.depth = pit, depth

    def _bound(self, own: int, other: int, span: int, depth: int, beta: int) -> int:
        """Return a bound of the mover's value, searched `depth` plies deep.

        A result of at least beta is a lower bound, any other an upper bound; an
        even one is proved.  own, other: packed rows, the mover's first.  span: the
        stones in play, scaled by UNIT like beta and the result.  Raises Stopped.
        """
        if span < beta:
            return span
        if -span >= beta:
            return -span
        if span <= self.database_span:
            return self.database.value(own, other) * UNIT
        tables = self.tables
        if is_kept := depth >= self.table_from:
            if self.effort >= self.next_check:
                self._check_limits()
            low, high, table_pit = self._probe(own, other, depth)
            if low >= beta:
                return low
            if high < beta:
                return high
            moves = self._ordered(own, other, table_pit)
        else:
            moves = tables.moves[own]
        self.effort += 1
        best, best_pit, estimated = -span, 0, 0
        for pit, rest, given, gain, shift, emptied in moves:
            facing = other + given
            if shift >= 0:  # the last stone fell into an empty pit
                taken = facing >> shift & tables.moves.mask
                if taken or tables.moves.captures_empty:
                    facing -= taken << shift
                    rest = emptied
                    gain += taken + 1
            gain *= UNIT
            if not rest:  # the other player keeps the stones in his row
                value = 2 * gain - span
            elif not facing:
                value = span
            elif shift == REPEAT:
                value = gain + self._bound(
                    rest, facing, span - gain, depth, beta - gain
                )
            elif depth > 1:
                value = gain - self._bound(
                    facing, rest, span - gain, depth - 1, gain - beta + 1
                )
            else:
                value = gain - tables.moving[facing] + tables.waiting[rest]
            estimated |= value & 1
            if value > best:
                best, best_pit = value, pit
                if best >= beta:
                    break
        if best < beta and estimated and best % 2 == 0:
            best -= 1  # an upper bound that depends on an evaluation is odd
        if is_kept:
            if best >= beta:
                low, table_pit = best, best_pit
            else:
                high = best
            key = own << tables.moves.width | other
            tables.slots[key % len(tables.slots)] = key, depth, low, high, table_pit
        return best

    def _probe(self, own: int, other: int, depth: int) -> tuple[int, int, int]:
        """Return the table's bounds for this depth, and its best pit or 0."""
        slots, key = self.tables.slots, own << self.tables.moves.width | other
        stored, searched, low, high, pit = slots[key % len(slots)]
        if stored != key:
            return -FAR, FAR, 0
        if searched < depth:  # only what is proved is good for any depth
            low = low if low % 2 == 0 else -FAR
            high = high if high % 2 == 0 else FAR
        return low, high, pit

    def _check_limits(self) -> None:
        """Raise Stopped at the limit of effort or time, or if `stop` says so."""
        if self.effort >= self.limit.effort or self.stop():
            raise Stopped
        self.next_check = min(self.effort + POSITIONS_A_CHECK, self.limit.effort)

    def _ordered(self, own: int, other: int, table_pit: int) -> tuple[Move, ...]:
        """Return the moves of `own`, `table_pit` first, then by their evaluation.

        With this order, 3 stones a pit are proved in half the time that MoveTable's
        order takes.
        """
        if self.shuffled and (own, other) == self.rows:
            return self.shuffled
        tables, promise = self.tables, {0: 0}
        for pit, rest, facing, gain, repeats in tables.moves.successors(own, other):
            if repeats:
                evaluation = tables.moving[rest] - tables.waiting[facing]
            else:
                evaluation = tables.waiting[rest] - tables.moving[facing]
            promise[pit] = gain * UNIT + evaluation
        promise[table_pit] = FAR
        return tuple(sorted(tables.moves[own], key=lambda move: -promise[move[0]]))

    def _use_endgames(self) -> None:
        """Use an endgame database from now on; build it if necessary.

        If that takes more than a third of the time limit, do without; the next search
        then tries one with two stones fewer, which is built about three times as fast.
        A position that is in the database is searched without it, because it holds
        values but no moves.  Raises Stopped.
        """
        tables = self.tables
        stones = min(self.limit.endgame_stones, tables.most_endgame_stones)
        if stones < 2 or self.root.in_play <= stones:
            return
        if stones not in tables.databases:
            third = self.clock() + self.limit.seconds / 3
            try:
                tables.databases[stones] = endgame.build(
                    tables.moves, stones, until(third, self.clock, self.stop)
                )
            except Stopped:
                if self.clock() < third:
                    raise
                tables.most_endgame_stones = stones - 2
                return
        self.database, self.database_span = tables.databases[stones], stones * UNIT
