"""The levels' search: alpha-beta that knows what it has proved.

A value leaves the kalahs out (see sail.engine.value) and is scaled by UNIT.  An even
value is proved: it rests on finished games and endgame databases alone.  An evaluation
is odd, and a value that depends on one is made odd: it never passes for a proof.

A Search lasts a game.  It searches a position ever deeper.  At each depth it asks by
null windows whether the value is at least beta, and the answers close in on the value
(MTD(f), ISK-MTD).  `_bound` is textbook alpha-beta with a transposition table and an
endgame database.

A ply is a turn: a repeat move and the move after it are one ply.
"""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random

from sail.board import KALAH_RULES, MOST_PITS, Pits, Position, Rules
from sail.engine import endgame
from sail.engine.endgame import Database
from sail.engine.evaluation import MOVING, TO_MOVE, UNIT, WAITING, worths
from sail.engine.levels import Limit
from sail.engine.moves import REPEAT, Move, MoveTable, bits_for
from sail.engine.value import FAR, Finding, Value, exactly
from sail.game import Course
from sail.stop import Clock, Stop, Stopped, never, until

SLOTS = 1_000_003  # entries of 140 bytes; prime, so that all bits of a key matter
SEEDED_SLOTS = 20_011  # for a search with a seed, which begins with an empty table
MOST_ROWS = 60_000  # kept with their moves, 0.9 KB each; endgames need 27,131
TABLE_DEPTH = 4  # plies; with fewer to search, nothing is kept and no moves are sorted
POSITIONS_A_CHECK = 2_048  # searched positions between two checks of the limits
LONG_STEP = 16  # plies added to the depth when a proof is near

# An entry of the transposition table: both packed rows as one int; the depth in
# plies; a lower and an upper bound of the value; the best pit, 0 if unknown.
TableEntry = tuple[int, int, int, int, int]
NO_ENTRY: TableEntry = 0, 0, 0, 0, 0


class Search:
    """The search for the best moves of a game, with one set of tables: up to 260 MB.

    rules: as in the positions.  The evaluation is fitted to games by KALAH's.
    """

    def __init__(self, rules: Rules = KALAH_RULES) -> None:
        self._rules, self._captures_empty = rules, rules.captures_empty
        self._set_up(MOST_PITS, bits_for(0))

    def _set_up(self, pits: int, bits: int) -> None:
        """Make new tables, for this size of board."""
        self._moves = MoveTable(pits, bits, self._rules, MOST_ROWS)
        self._width, self._mask = self._moves.width, self._moves.mask
        # What a row is worth to the player to move, and to the other.
        self._moving = worths(self._moves, MOVING, TO_MOVE)
        self._waiting = worths(self._moves, WAITING)
        self._entries: list[TableEntry] = []  # the transposition table
        self._databases: dict[int, Database] = {}  # of endgames, by their `stones`
        self._most_endgames = endgame.LARGEST  # the `stones` of the largest to try

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
        alone.  The game must not be over.  Raises ValueError if its rules are not those
        of this Search, or not known to the engine.
        """
        root = position.without_majority
        forced: Pits = ()
        while len(root.legal) == 1:
            root, forced = root.play(root.legal[0]), (*forced, root.legal[0])
        if root.over:
            value = exactly(root.lead).negated_if(root.mover != position.mover)
            return Finding(value, Course(position).through(forced).moves)
        size = root.pits_a_side, bits_for(root.stones)
        if size != (self._moves.pits_a_side, self._moves.bits):
            self._set_up(*size)
        slots = SEEDED_SLOTS if seed else SLOTS
        if seed or len(self._entries) != slots:
            self._entries = [NO_ENTRY] * slots
        self._limit, self._clock, self._stop = limit, clock, stop
        self._begin(root, seed)
        with suppress(Stopped):
            self._deepen()
        low, high = self._low, self._high
        likely = max(low, min(high, self._likely)) + UNIT // 2
        low, high, likely = (root.lead + value // UNIT for value in (low, high, likely))
        value = Value(low, high, likely).negated_if(root.mover != position.mover)
        course = Course(position).through(forced + self._variation())
        return Finding(value, course.moves, self._effort)

    def _begin(self, position: Position, seed: str) -> None:
        self._position = position
        self._deadline = self._clock() + self._limit.seconds
        self._database = Database(self._moves, stones=0)  # to begin with
        self._database_span = 0  # the stones of the database, scaled by UNIT
        self._effort = 0
        self._next_check: float = 0  # the effort at which to check the limits
        self._own, self._other = self._moves.packed(position)
        self._span = position.in_play * UNIT  # no value lies outside
        # What is found so far.
        self._low, self._high = -self._span, self._span  # proved bounds
        self._likely = self._moving[self._own] - self._waiting[self._other]
        self._pit = self._proved_pit = position.legal[0]
        self._depth = 0  # plies
        # By a seed, chance decides between first moves with the same value in stones.
        # They are tried in an order by chance; the windows lie between whole stones.
        # The last window that the value reaches has its number of stones; the first
        # move that reaches it is kept; each of its equals is as likely to be the first.
        moves = self._moves[self._own] if seed else ()
        self._shuffled = tuple(Random(seed).sample(moves, len(moves)))

    def _variation(self) -> Pits:
        """Return the pit found, and the best pits after it that are in the table."""
        variation: list[int] = []
        position, pit = self._position, self._pit
        while pit and not position.over and len(variation) < max(self._depth, 1):
            variation.append(pit)
            position = position.play(pit)
            pit = self._table_pit(*self._moves.packed(position))
        return tuple(variation)

    def _table_pit(self, own: int, other: int) -> int:
        """Return the best pit according to the table, or 0 if it has none."""
        return self._probe(own << self._width | other, 0)[2]

    def _deepen(self) -> None:
        """Search deeper and deeper until the value is proved.  Raises Stopped.

        Depth grows by two plies, so that the same player moves last each time, except
        at an odd limit.  If, beyond 12 plies, two more cost at most a quarter more,
        most variations end before the horizon.  Then depth grows by LONG_STEP plies,
        which cuts the time of a proof by a quarter (27 to 30 stones in play).
        """
        most = self._limit.depth
        depth, step, cost = 2, 2, 0
        while self._low < self._high and self._depth != most:
            before = self._effort
            depth = min(depth, most or depth)
            self._close_in(depth)
            if depth == 2:
                self._use_endgames()
            if depth > 12 and 4 * (self._effort - before) <= 5 * cost:
                step = LONG_STEP
            cost = self._effort - before
            depth += step

    def _close_in(self, depth: int) -> None:
        """Find the value as seen from this depth.  Raises Stopped."""
        own, other, pit = self._own, self._other, self._proved_pit
        self._table_from = min(depth, TABLE_DEPTH)  # plies; the root is kept
        least, most = self._low, self._high
        while least < most:
            beta = max(least + 1, min(most, self._likely))
            if self._shuffled:
                beta -= (beta + UNIT // 2) % UNIT
                if beta <= least:
                    beta += UNIT
                if beta > most:
                    break
            value = self._bound(own, other, self._span, depth, beta)
            self._likely = value
            if value < beta:
                most = value
                if value % 2 == 0:
                    self._high = value
            else:
                least = value
                self._pit = pit = self._table_pit(own, other)
                if value % 2 == 0:
                    self._low, self._proved_pit = value, pit
        self._pit, self._depth = pit, depth

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
        if span <= self._database_span:
            return self._database.value(own, other) * UNIT
        in_table = depth >= self._table_from
        if in_table:
            if self._effort >= self._next_check:
                self._check_limits()
            key = own << self._width | other
            low, high, table_pit = self._probe(key, depth)
            if low >= beta:
                return low
            if high < beta:
                return high
            moves = self._ordered(own, other, table_pit)
        else:
            moves = self._moves[own]
        self._effort += 1
        best, best_pit, estimated = -span, 0, 0
        for pit, rest, sown, gain, shift, emptied in moves:
            facing = other + sown
            if shift >= 0:  # the last stone fell into an empty pit
                taken = facing >> shift & self._mask
                if taken or self._captures_empty:
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
                value = gain - self._moving[facing] + self._waiting[rest]
            estimated |= value & 1
            if value > best:
                best, best_pit = value, pit
                if best >= beta:
                    break
        if best < beta and estimated and best % 2 == 0:
            best -= 1  # an upper bound that depends on an evaluation is odd
        if in_table:
            if best >= beta:
                low, table_pit = best, best_pit
            else:
                high = best
            self._entries[key % len(self._entries)] = key, depth, low, high, table_pit
        return best

    def _probe(self, key: int, depth: int) -> tuple[int, int, int]:
        """Return the table's bounds for this depth, and its best pit or 0."""
        stored, searched, low, high, pit = self._entries[key % len(self._entries)]
        if stored != key:
            return -FAR, FAR, 0
        if searched < depth:  # only what is proved is good for any depth
            low = low if low % 2 == 0 else -FAR
            high = high if high % 2 == 0 else FAR
        return low, high, pit

    def _check_limits(self) -> None:
        """Raise Stopped at the limit of effort or time, or if `stop` says so."""
        most = self._limit.effort
        if self._effort >= most or self._clock() >= self._deadline or self._stop():
            raise Stopped
        self._next_check = min(self._effort + POSITIONS_A_CHECK, most)

    def _ordered(self, own: int, other: int, table_pit: int) -> tuple[Move, ...]:
        """Return the moves of `own`, `table_pit` first, then by their evaluation.

        With this order, 3 stones a pit are proved in half the time that MoveTable's
        order takes.
        """
        if self._shuffled and (own, other) == (self._own, self._other):
            return self._shuffled
        promise = {0: 0}
        for pit, rest, facing, gain, repeats in self._moves.successors(own, other):
            if repeats:
                evaluation = self._moving[rest] - self._waiting[facing]
            else:
                evaluation = self._waiting[rest] - self._moving[facing]
            promise[pit] = gain * UNIT + evaluation
        promise[table_pit] = FAR
        return tuple(sorted(self._moves[own], key=lambda move: -promise[move[0]]))

    def _use_endgames(self) -> None:
        """Use an endgame database from now on; build it if necessary.

        If that takes more than a third of the time limit, do without; the next search
        then tries one with two stones fewer, which is built about three times as fast.
        A position that is in the database is searched without it, because it holds
        values but no moves.  Raises Stopped.
        """
        stones = min(self._limit.endgames, self._most_endgames)
        if stones < 2 or self._position.in_play <= stones:
            return
        if stones not in self._databases:
            third = self._clock() + self._limit.seconds / 3
            try:
                self._databases[stones] = endgame.build(
                    self._moves, stones, until(third, self._clock, self._stop)
                )
            except Stopped:
                if self._clock() < third:
                    raise
                self._most_endgames = stones - 2
                return
        self._database, self._database_span = self._databases[stones], stones * UNIT
