"""The levels' search: alpha-beta that knows what it has proved.

A value counts the stones that the mover will still win, less those that the other
player will still win, kalahs left out, scaled by UNIT.  An even value is proved:
it rests on finished games and endgame databases alone.  An estimate is odd, and a
value that depends on one is made odd, so an estimate never passes for a proof.

`Search._value` is textbook alpha-beta with a transposition table and an endgame
database.  Around it, `_deepen` adds iterative deepening and null windows: each
call asks whether the value is at least beta, and the answers close in on the
value (MTD(f), ISK-MTD).

A ply is a turn: a repeat move and the move after it are one ply.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from sail.board import Position
from sail.engine import endgame
from sail.engine.estimate import MOVING, TO_MOVE, UNIT, WAITING, worths
from sail.engine.limit import Budget, Clock, Limit
from sail.engine.moves import REPEAT, Move, MoveTable, bits_for
from sail.stop import Stop, Stopped, never

SLOTS = 1_000_003  # entries of 140 bytes; prime, so that all bits of a key matter
ROWS = 120_000  # rows kept with their moves, about 0.9 KB each
TABLE_DEPTH = 4  # plies; with fewer to search, nothing is kept and no moves are sorted
LONG_STEP = 16  # plies added to the depth when a proof is near
FAR = 1 << 14  # beyond any value

# An entry of the transposition table: both packed rows as one int; the depth in
# plies; a lower and an upper bound of the value; the best pit, 0 if unknown.
Entry = tuple[int, int, int, int, int]
NO_ENTRY: Entry = 0, 0, 0, 0, 0


class Finding(NamedTuple):
    """What a search found.

    value, low and high are final differences of stones, kalahs included, positive
    when the mover wins.  Under perfect play the difference is proved to lie in
    low..high; value is what the search expects.
    """

    pit: int
    value: int
    low: int
    high: int
    depth: int  # plies
    effort: int  # positions whose moves were generated
    line: tuple[int, ...]  # the principal variation: the pits of both players

    @property
    def proved(self) -> bool:
        return self.low == self.high


class Search:
    """A search for the best move.  Its tables, up to 400 MB, serve a whole game."""

    def __init__(self) -> None:
        self._size = 0, 0  # pits a side, bits a pit

    def find(
        self,
        position: Position,
        limit: Limit,
        clock: Clock = time.perf_counter,
        stop: Stop = never,
    ) -> Finding:
        """Return the best move found within the limit.

        A single legal move is returned without a search, and a proved value ends
        the search.  Without a time limit, the result of a new Search is repeatable.
        The search ignores the majority ending (AKC-05000): the winner stays the
        same, but the margin may differ.

        stop: called often; when it returns True, the search ends with what it has
        found.  An exception that it raises passes through; the Search stays usable.
        Raises ValueError when the game is over, or when the rules have
        `captures_empty`.
        """
        if position.over:
            raise ValueError("the game is over")
        if position.rules.captures_empty:
            raise ValueError("no search with ISK's capture rule")
        self._budget = Budget(limit, clock, stop)
        self._prepare(position.pits, bits_for(position.stones))
        self.effort = self._next_look = 0
        return self._deepen(position)

    def _prepare(self, pits: int, bits: int) -> None:
        """Create the tables for this size of board; drop those of another size."""
        if self._size == (pits, bits):
            return
        self._size = pits, bits
        self._moves = MoveTable(pits, bits, capacity=ROWS)
        self._moving = worths(self._moves, MOVING, TO_MOVE)
        self._waiting = worths(self._moves, WAITING)
        self._mask, self._width = self._moves.mask, self._moves.width
        self._table: list[Entry] = [NO_ENTRY] * SLOTS
        self._endgames: dict[int, endgame.Database] = {}  # by their `stones`
        self._most_endgames = endgame.LARGEST

    def _deepen(self, position: Position) -> Finding:
        """Search ever deeper until the value is proved or the limit is reached.

        Depth grows by two plies, so that the same player moves last each time, except
        at an odd limit.  If, beyond 12 plies, two more cost at most a quarter more,
        most lines already end before the horizon.  Then depth grows by LONG_STEP plies,
        which cuts the time of a proof by a quarter (27 to 30 stones in play).
        """
        limit, legal = self._budget.limit, position.legal
        own, other = self._moves.packed(position)
        stones = position.in_play * UNIT
        pit = proved_pit = legal[0]
        value = self._moving[own] - self._waiting[other]
        low, high = -stones, stones  # proved bounds
        self._stones_known = 0  # of the database in use, scaled by UNIT
        done, depth, step, cost = 0, 2, 2, 0
        try:
            while len(legal) > 1 and low < high and done != limit.depth:
                depth = min(depth, limit.depth or depth)
                self._kept_from = min(depth, TABLE_DEPTH)  # the root is kept
                before = self.effort
                least, most, best = low, high, proved_pit  # at this depth
                while least < most:
                    beta = max(least + 1, min(most, value))
                    value = self._value(own, other, stones, depth, beta)
                    if value < beta:
                        most = value
                        if value % 2 == 0:
                            high = value
                    else:
                        least = value
                        pit = best = self._best(own, other)
                        if value % 2 == 0:
                            low, proved_pit = value, best
                pit, done = best, depth
                if depth == 2:
                    self._use_endgames(position)
                if depth > 12 and 4 * (self.effort - before) <= 5 * cost:
                    step = LONG_STEP
                cost = self.effort - before
                depth += step
        except Stopped:
            pass
        value = max(low, min(high, value))
        lead = position.kalahs[position.mover] - position.kalahs[1 - position.mover]
        value, low, high = (
            lead + bound // UNIT for bound in (value + UNIT // 2, low, high)
        )
        line = self._line(position, pit, done)
        return Finding(pit, value, low, high, done, self.effort, line)

    def _value(self, own: int, other: int, stones: int, depth: int, beta: int) -> int:
        """Return a bound of the mover's value, searched `depth` plies deep.

        A result of at least beta is a lower bound, any other an upper bound; an
        even one is proved.  own, other: packed rows, the mover's first.  stones:
        in play, scaled by UNIT like beta and the result.  Raises Stopped.
        """
        if stones < beta:
            return stones
        if -stones >= beta:
            return -stones
        if stones <= self._stones_known:
            return self._database.value(own, other) * UNIT
        kept = depth >= self._kept_from
        if kept:
            if self.effort >= self._next_look:
                self._next_look = self._budget.look(self.effort)
            low, high, first = -stones, stones, 0
            key = own << self._width | other
            slot = key % SLOTS
            entry = self._table[slot]
            if entry[0] == key:
                _, searched, least, most, first = entry
                if searched >= depth or least % 2 == 0:
                    low = least
                    if low >= beta:
                        return low
                if searched >= depth or most % 2 == 0:
                    high = most
                    if high < beta:
                        return high
            moves = self._ordered(own, other, first)
        else:
            moves = self._moves[own]
        self.effort += 1
        best, best_pit, estimated = -stones, 0, 0
        for pit, rest, sown, gain, shift, emptied in moves:
            facing = other + sown
            if shift >= 0:  # the last stone fell into an empty pit
                taken = facing >> shift & self._mask
                if taken:
                    facing -= taken << shift
                    rest = emptied
                    gain += taken + 1
            gain *= UNIT
            if not rest:  # the other player keeps the stones in his row
                value = 2 * gain - stones
            elif not facing:
                value = stones
            elif shift == REPEAT:
                value = gain + self._value(
                    rest, facing, stones - gain, depth, beta - gain
                )
            elif depth > 1:
                value = gain - self._value(
                    facing, rest, stones - gain, depth - 1, gain - beta + 1
                )
            else:
                value = gain - self._moving[facing] + self._waiting[rest]
            estimated |= value & 1
            if value > best:
                best, best_pit = value, pit
                if best >= beta:
                    break
        if best < beta and estimated and best % 2 == 0:
            best -= 1  # an upper bound that depends on an estimate is odd
        if kept:
            if best >= beta:
                low, first = best, best_pit
            else:
                high = best
            self._table[slot] = key, depth, low, high, first
        return best

    def _ordered(self, own: int, other: int, first: int) -> tuple[Move, ...]:
        """Return the moves of `own`, pit `first` first, then by their estimate.

        With this order, 3 stones a pit are proved in half the time that MoveTable's
        order takes.
        """
        promise = {0: 0}
        for pit, rest, facing, gain, again in self._moves.successors(own, other):
            if again:
                worth = self._moving[rest] - self._waiting[facing]
            else:
                worth = self._waiting[rest] - self._moving[facing]
            promise[pit] = gain * UNIT + worth
        promise[first] = FAR
        return tuple(sorted(self._moves[own], key=lambda move: -promise[move[0]]))

    def _best(self, own: int, other: int) -> int:
        """Return the best pit according to the table, or 0 if it has none."""
        key = own << self._width | other
        found, _, _, _, pit = self._table[key % SLOTS]
        return pit if found == key else 0

    def _line(self, position: Position, pit: int, plies: int) -> tuple[int, ...]:
        """Return the pit and the best pits after it according to the table."""
        line: list[int] = []
        while pit and not position.over and len(line) < max(plies, 1):
            line.append(pit)
            position = position.play(pit)
            pit = self._best(*self._moves.packed(position))
        return tuple(line)

    def _use_endgames(self, position: Position) -> None:
        """Use an endgame database from now on in this search; build it if necessary.

        If that takes more than a third of the time limit, do without; the next search
        then tries one with two stones fewer, which is built about three times as fast.
        A position that is in the database is searched without it, because it holds
        values but no moves.  Raises Stopped.
        """
        limit = self._budget.limit
        stones = min(limit.endgames, self._most_endgames)
        if stones < 2 or position.in_play <= stones:
            return
        if stones not in self._endgames:
            third = self._budget.part(3)
            try:
                database = endgame.build(self._moves, stones, third.spent)
            except Stopped:
                if not third.late:
                    raise
                self._most_endgames = stones - 2
                return
            self._endgames[stones] = database
        self._database, self._stones_known = self._endgames[stones], stones * UNIT
