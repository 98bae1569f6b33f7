"""The search: alpha-beta for play, which knows what it has proved.

A value is what the mover will win from here on, kalahs left out, so that a
position counts the same however it came about: the stones that go to his
kalah less those that go to the other's.  Inside the search it is counted in
UNIT to a stone.  An even value is proved: it rests on finished games and on
the number of stones in play alone.  Estimates are odd, and a value that
depends on one is made odd, so an estimate never passes for a proof.

One ply is a turn: a repeat move and what follows belong to the same ply.

What is plain alpha-beta here is Lookahead.value: every move, each searched in
turn, until one is good enough.  Added to it are

- the question: always with a null window, is the value at least beta?  The
  answer is a bound, and bounds close in on the value (MTD(f), ISK-MTD);
- depth that grows from one search to the next, to have an order of moves;
- a table of positions met, from TABLE_DEPTH plies up;
- the last ply, which looks at the worth of rows instead of making the moves;
- endings by heart.

Rows are packed with as many bits to a pit as the stones of the game need, 6
or 7 from 3 stones a pit up.  Six pits of 5 bits would fill one digit of a
Python int, but a pit of 32 stones would not fit them; they were measured to
be 2 to 9 in a hundred faster, which is not worth a second way.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sail.board import Position
from sail.engine import endgame, garbage
from sail.engine.estimate import UNIT
from sail.engine.limit import Budget, Limit
from sail.engine.moves import REPEAT, bits_for
from sail.engine.ranked import Change, RankedMoves
from sail.stop import Stop, Stopped, never

TABLE_SLOTS = 2_097_143  # a prime: the remainder mixes all bits of a key
TABLE_DEPTH = 4  # plies: what is searched less deep is too cheap for table and order
LONG_STEP = 16  # plies


class Finding(NamedTuple):
    """What a search found.

    value, low and high are differences of stones at the end of the game,
    kalahs included, positive when the mover is ahead.  Under perfect play
    the difference lies in low..high for sure; value is the estimate.
    """

    pit: int
    value: int
    low: int
    high: int
    depth: int  # plies
    effort: int  # searched positions: those whose moves were generated
    line: tuple[int, ...]  # the pits that follow, the moves of both players

    @property
    def proved(self) -> bool:
        """Whether the value is certain."""
        return self.low == self.high


# The ranked moves of the rows last searched, by pits and bits of a pit: a game
# asks for the same ones turn after turn.
RANKED: dict[tuple[int, int], RankedMoves] = {}

# Endgames once built and the seconds it took, by pits, bits of a pit and stones.
ENDGAMES: dict[tuple[int, int, int], tuple[endgame.Database, float]] = {}


def ranked_moves(position: Position) -> RankedMoves:
    """Those that have room for any turn of the game; those of others go."""
    kind = position.pits, bits_for(position.stones)
    if kind not in RANKED:
        RANKED.clear()
        RANKED[kind] = RankedMoves(*kind)
    return RANKED[kind]


class Table:
    """Bounds and best pits of positions, by slot.

    A position's slot is its key, the packed rows, modulo the slots; the newer
    position replaces the older.  A slot takes about 50 bytes.
    """

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.keys = [0] * slots
        self.lows = array("h", [0]) * slots
        self.highs = array("h", [0]) * slots
        self.depths = array("h", [0]) * slots
        self.pits = array("b", [0]) * slots


class Search:
    """A search and the table that it keeps from one position to the next.

    slots: those of the table.  All searches share the ranked moves of rows,
    up to 200 MB of them, and the endgames.
    """

    def __init__(self, slots: int = TABLE_SLOTS) -> None:
        self._table = Table(slots)
        self._ranked: RankedMoves | None = None

    def find(
        self,
        position: Position,
        limit: Limit,
        clock: Callable[[], float] = time.perf_counter,
        stop: Stop = never,
    ) -> Finding:
        """The best move that can be found within the limit.

        A single legal move is found at once, without a search; a value that
        is proved ends the search.  Depth and effort are exact: with the same
        limits in them, and the same table, the finding is the same one.
        Among moves that reach the value it is the first in this order: the
        best of the search before; then the others by the estimate of what
        they leave; equal estimates from pit 1, nearest the kalah, up.

        clock: returns seconds.  stop: asked every PAUSE positions, a few
        milliseconds; when it returns True the search ends with what it has.
        What it raises passes through, and the search can be used again.

        The majority rule is not looked at: a kalah with more than half of
        the stones does not end the game in the search.

        Raises ValueError when the game is over, or if a last stone captures
        from opposite an empty pit too.
        """
        budget = Budget(limit, clock, stop)
        with garbage.put_off():
            return self._lookahead(position, budget).deepen()

    def reaches(self, position: Position, beta: int, depth: int) -> bool:
        """Whether the mover's value, searched so deep, is at least beta.

        beta is in UNIT, kalahs included; an estimate between proofs is odd.
        depth: plies, 2 or more.  Raises ValueError as `find` does.
        """
        look = self._lookahead(position, Budget(Limit()))
        beta -= look.lead * UNIT
        return look.value(look.own, look.other, look.stones, depth, beta) >= beta

    def _lookahead(self, position: Position, budget: Budget) -> Lookahead:
        if position.over:
            raise ValueError("the game is over")
        if position.rules.captures_empty:
            raise ValueError("no search for the rule of the paper")
        ranked = ranked_moves(position)
        if ranked is not self._ranked:  # the keys of others mean other rows
            if self._ranked:
                self._table = Table(self._table.slots)
            self._ranked = ranked
        return Lookahead(position, ranked, self._table, budget)


class Lookahead:
    """The search of one position, deeper and deeper.

    own, other: its packed rows, the mover's first.  stones: those in play, in
    UNIT.  lead: by how many the mover's kalah is ahead.  effort: positions
    searched so far.
    """

    def __init__(
        self, position: Position, ranked: RankedMoves, table: Table, budget: Budget
    ) -> None:
        mover = position.mover
        self.position = position
        self.own, self.other = ranked.moves.packed(position)
        self.stones = position.in_play * UNIT
        self.lead = position.kalahs[mover] - position.kalahs[1 - mover]
        self.effort = 0
        self._look_at = 0  # the effort of the next look at the budget
        self._budget = budget
        self._ranked = ranked
        self._estimate = ranked.estimate
        self._lower = ranked.estimate.lower
        self._upper = ranked.estimate.upper
        self._half = ranked.estimate.half
        self._half_mask = ranked.estimate.half_mask
        self._gains = ranked.gains
        self._mask = ranked.moves.mask
        self._width = ranked.moves.width
        self._slots = table.slots
        self._keys = table.keys
        self._lows = table.lows
        self._highs = table.highs
        self._depths = table.depths
        self._pits = table.pits
        self._kept_from = TABLE_DEPTH  # plies
        self._by_heart = 0  # stones in play, in UNIT, from which endings are known
        self._endings: bytes | bytearray = b""
        self._start: dict[int, int] = {}
        self._rank: dict[int, int] = {}

    def deepen(self) -> Finding:
        """Search deeper and deeper, until the value is proved or the limit.

        Depth grows by two plies, so that the same player has the last word;
        once a search costs little more than the one before, most lines end
        before the horizon, and steps become long.
        """
        own, other, stones = self.own, self.other, self.stones
        legal, limit = self.position.legal, self._budget.limit
        slot = ((own << self._width) + other) % self._slots
        pit = proved_pit = legal[0]
        value = self._estimate(own, other)
        low, high = -stones, stones
        done = 0
        depth, step, cost = 2, 2, 0
        try:
            while len(legal) > 1 and low < high and done != limit.depth:
                if limit.depth is not None:
                    depth = min(depth, limit.depth)
                before = self.effort
                least, most, best = low, high, proved_pit
                self._kept_from = min(depth, TABLE_DEPTH)  # the best pit is read there
                while least < most:
                    beta = max(value, least + 1)
                    value = self.value(own, other, stones, depth, beta)
                    if value < beta:
                        most = value
                        if not value & 1:
                            high = min(high, value)
                    else:
                        least = value
                        pit = best = self._pits[slot]
                        if not value & 1 and value > low:
                            low, proved_pit = value, pit
                pit, done = best, depth
                if depth == 2:
                    self._learn_endings()
                if depth > 12 and 4 * (self.effort - before) <= 5 * cost:
                    step = LONG_STEP
                cost = self.effort - before
                depth += step
        except Stopped:
            pass
        value = max(low, min(high, value))
        return Finding(
            pit,
            self.lead + (value + UNIT // 2) // UNIT,
            self.lead + low // UNIT,
            self.lead + high // UNIT,
            done,
            self.effort,
            self._line(pit, done),
        )

    def _learn_endings(self) -> None:
        """Have the values of endings, built within a fifth of the time.

        Those with one stone more take about twice as long to build, so the
        time that a few stones less took tells how many can be had.  Where no
        more stones than that are in play, the search soon sees the end
        without them.  Raises Stopped.
        """
        seconds, stones = self._budget.limit.seconds, self._budget.limit.endgames
        if stones < 2 or self.position.in_play <= stones:
            return
        fewest = stones - 4
        if seconds and fewest >= 2:
            _, spent = self._endgames(fewest)
            while stones > fewest and 5 * spent * 2 ** (stones - fewest) > seconds:
                stones -= 1
        database, _ = self._endgames(stones)
        self._by_heart = stones * UNIT
        self._endings = database.values
        self._start, self._rank = database.index.start, database.index.rank

    def _endgames(self, stones: int) -> tuple[endgame.Database, float]:
        """The database of so many stones, and the seconds that it took to build."""
        moves, clock = self._ranked.moves, self._budget.clock
        kind = moves.pits, moves.bits, stones
        if kind not in ENDGAMES:
            begun = clock()
            database = endgame.build(moves, stones, self._budget.spent)
            ENDGAMES[kind] = database, clock() - begun
        return ENDGAMES[kind]

    def _ending(self, own: int, other: int) -> int:
        """The value of a position that the database has; even."""
        return (
            self._endings[self._start[own] + self._rank[other]] - endgame.BIAS
        ) * UNIT

    def _line(self, pit: int, plies: int) -> tuple[int, ...]:
        """The pit and what the table has for the moves after it."""
        line = [pit]
        position = self.position.play(pit)
        while not position.over and len(line) < plies:
            own, other = self._ranked.moves.packed(position)
            key = (own << self._width) + other
            slot = key % self._slots
            if self._keys[slot] != key or not self._pits[slot]:
                break
            line.append(self._pits[slot])
            position = position.play(line[-1])
        return tuple(line)

    def value(self, own: int, other: int, stones: int, depth: int, beta: int) -> int:
        """A bound of the mover's value, searched so many plies deep, 2 or more.

        Returns a lower bound when it is at least beta, else an upper bound;
        it is even only when it is proved.  The rows are packed; stones, beta
        and what is returned are in UNIT.

        Raises Stopped.
        """
        if stones < beta:
            return stones
        if -stones >= beta:
            return -stones
        if stones <= self._by_heart:
            return self._ending(own, other)
        kept = depth >= self._kept_from
        if kept:
            if self.effort >= self._look_at:
                self._look_at = self._budget.look(self.effort)
            key = (own << self._width) + other
            slot = key % self._slots
            low, high, first = -stones, stones, 0
            if self._keys[slot] == key:
                deep = self._depths[slot] >= depth
                if deep or not self._lows[slot] & 1:
                    low = self._lows[slot]
                    if low >= beta:
                        return low
                if deep or not self._highs[slot] & 1:
                    high = self._highs[slot]
                    if high < beta:
                        return high
                first = self._pits[slot]
            moves: Iterable[Change] = self._ordered(own, other, first)
        else:
            moves = self._ranked[own][0]
        self.effort += 1
        below = self.value if depth > 2 else self._last_ply
        gains, mask = self._gains, self._mask
        best, best_pit, marks = -stones, 0, 0
        for pit, change, sown, gain, shift, emptied in moves:
            left = own + change
            yours = other + sown
            if shift >= 0:
                taken = yours >> shift & mask
                if taken:
                    yours -= taken << shift
                    left = own + emptied
                    gain += gains[taken]
            if not left or not yours:  # who has stones left keeps them
                value = stones if left else 2 * gain - stones
            elif shift == REPEAT:
                value = gain + self.value(
                    left, yours, stones - gain, depth, beta - gain
                )
            else:
                value = gain - below(
                    yours, left, stones - gain, depth - 1, gain - beta + 1
                )
            marks |= value
            if value > best:
                best, best_pit = value, pit
                if best >= beta:
                    break
        if best < beta and marks & 1:
            best = best - 1 | 1
        if not kept:
            return best
        if best >= beta:
            low, first = best, best_pit
        else:
            high = best
        self._keys[slot] = key
        self._lows[slot] = low
        self._highs[slot] = high
        self._depths[slot] = depth
        self._pits[slot] = first
        return best

    def _ordered(self, own: int, other: int, first: int) -> Iterator[Change]:
        """The moves, the likely best first; `first` is a pit, 0 for none.

        That one often suffices, so the others are put in order after it.
        """
        moves, quiet, repeats, captures, others = self._ranked[own]
        if first:
            for move in moves:
                if move[0] == first:
                    yield move
        lower = self._lower[other & self._half_mask]
        upper = self._upper[other >> self._half]
        waiting, moving, mask = lower[-1] + upper[-1], lower[0] + upper[0], self._mask
        order = [
            (lower[reached] + upper[reached] - worth, move)
            for worth, reached, move in quiet
        ]
        for worth, _, move in repeats:
            order.append((waiting - worth, move))
        for worth, prize, shift, move in captures:
            order.append((moving - worth - prize[other >> shift & mask], move))
        for move in others:
            left, yours, gain = self._ranked.after(move, own, other)
            if move[4] == REPEAT:
                order.append((-gain - self._estimate(left, yours), move))
            else:
                order.append((self._estimate(yours, left) - gain, move))
        order.sort()
        for _, move in order:
            if move[0] != first:
                yield move

    def _last_ply(
        self, own: int, other: int, stones: int, depth: int, beta: int
    ) -> int:
        """The value as in `value`, one ply deep, from what the moves leave."""
        if stones <= self._by_heart:
            return self._ending(own, other)
        self.effort += 1
        _, quiet, repeats, captures, others = self._ranked[own]
        lower = self._lower[other & self._half_mask]
        upper = self._upper[other >> self._half]
        best, marks = -stones, 0
        for worth, reached, _ in quiet:
            value = worth - lower[reached] - upper[reached]
            if value > best:
                if value >= beta:
                    return value
                best = value
            marks = 1
        if captures:
            moving, mask = lower[0] + upper[0], self._mask
            for worth, prize, shift, _ in captures:
                taken = other >> shift & mask
                if other == taken << shift:
                    value = stones
                else:
                    value = worth + prize[taken] - moving
                marks |= value
                if value > best:
                    if value >= beta:
                        return value
                    best = value
        for _, left, _ in repeats:
            value = UNIT + self._last_ply(
                left, other, stones - UNIT, depth, beta - UNIT
            )
            marks |= value
            if value > best:
                if value >= beta:
                    return value
                best = value
        for move in others:
            left, yours, gain = self._ranked.after(move, own, other)
            if not left or not yours:
                value = stones if left else 2 * gain - stones
            elif move[4] == REPEAT:
                value = gain + self._last_ply(
                    left, yours, stones - gain, depth, beta - gain
                )
            else:
                value = gain - self._estimate(yours, left)
            marks |= value
            if value > best:
                if value >= beta:
                    return value
                best = value
        if marks & 1:
            best = best - 1 | 1
        return best
