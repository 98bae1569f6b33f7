"""The search: alpha-beta for play, which knows what it has proved.

Find(position) looks deeper and deeper until its limit.  A value is what
the mover will win from here on, kalahs left out, so that a position counts
the same however it came about: stones that go to his kalah less those that
go to the other's.  Inside, values are counted in UNIT to a stone.  An even
value stands for a proof: it rests on finished games and on the number of
stones in play only.  Estimates are made odd, and a value that depends on
one stays odd, so an estimate never passes for a proof.

One ply is a turn: a repeat move and what follows belong to the same ply.
"""

from __future__ import annotations

import gc
import itertools
import time
from array import array
from typing import Callable, MutableSequence, NamedTuple, Optional

from sail.board import Position
from sail.rows import PASS, REPEAT, Move, Rows, TooFull, bits_for, fullest_safe

UNIT = 16
NARROW_BITS = 5
TABLE_SLOTS = 4_194_301  # a prime: the remainder mixes all bits of a key
WIDE_TABLE_SLOTS = 1_048_573  # wide keys are objects of their own
PAUSE = 2_000  # searched positions between two looks at the clock


class Limit(NamedTuple):
    """Where a search ends: what comes first; without any, with a proof."""

    seconds: Optional[float] = None
    depth: Optional[int] = None
    effort: Optional[int] = None


class Finding(NamedTuple):
    """What a search found.

    value, low and high are differences of stones at the end of the game,
    kalahs included, positive when the mover is ahead; under perfect play
    the value lies in low..high for sure.
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


class OutOfLimit(Exception):
    """The search has used what it was given."""


class Estimates(dict[int, int]):
    """What a row is worth to its owner, in UNIT, odd for the mover."""

    def __init__(self, rows: Rows, moving: bool) -> None:
        super().__init__()
        self._rows = rows
        self._moving = moving

    def __missing__(self, row: int) -> int:
        if len(self) >= self._rows.kept:
            self.clear()
        counts = self._rows.unpack(row)
        value = sum(counts) * 7
        repeats = sum(n % 13 == p for p, n in enumerate(counts, 1))
        if self._moving:
            value += 14 * bool(repeats) + 6 * repeats + 10
            value |= 1
        else:
            value += 4 * repeats
            value &= -2
        self[row] = value
        return value


# for every number of stones that reach the other row the best that they
# leave; and the moves that need a closer look
Replies = tuple[tuple[tuple[int, int], ...], tuple[Move, ...]]


class Frontier(dict[int, Replies]):
    """The moves of a row for the last ply."""

    def __init__(self, rows: Rows, waiting: Estimates) -> None:
        super().__init__()
        self._rows = rows
        self._waiting = waiting
        self.steps = [0]
        for pit in range(rows.pits, 0, -1):
            self.steps.append(self.steps[-1] + (1 << (pit - 1) * rows.bits))

    def __missing__(self, row: int) -> Replies:
        if len(self) >= self._rows.kept:
            self.clear()
        best: dict[int, int] = {}
        special = []
        for move in self._rows[row]:
            _, left, sown, gain, shift, _ = move
            if shift == PASS and left and sown in self.steps:
                reached = self.steps.index(sown)
                worth = gain * UNIT + self._waiting[left]
                best[reached] = max(worth, best.get(reached, worth))
            else:
                special.append(move)
        replies = self[row] = (tuple(best.items()), tuple(special))
        return replies


class Threats(dict[int, tuple[int, ...]]):
    """What a row is worth to its owner once 0..m stones have been added."""

    def __init__(self, rows: Rows, moving: Estimates, steps: list[int]) -> None:
        super().__init__()
        self._rows = rows
        self._moving = moving
        self._steps = steps

    def __missing__(self, row: int) -> tuple[int, ...]:
        if len(self) >= self._rows.kept:
            self.clear()
        threats = tuple([self._moving[row + step] for step in self._steps])
        self[row] = threats
        return threats


class Search:
    """A search and what it remembers between the moves of one game."""

    def __init__(self, remembers: bool = True) -> None:
        self._remembers = remembers
        self._packing: tuple[int, int, int, bool] = (0, 0, 0, False)
        self.effort = 0
        self._pause = 0

    def find(
        self,
        position: Position,
        limit: Limit,
        clock: Callable[[], float] = time.perf_counter,
        stop: Callable[[], bool] = lambda: False,
    ) -> Finding:
        """The best move that can be found within the limit.

        A single legal move is found at once, without a search.  The same
        position, limit of depth or effort and remembered positions give the
        same finding.  Among moves of equal value it is the one that the
        depth before preferred, or else the first of: repeat moves, moves
        that may capture, the rest, each from pit 1 up.

        clock: returns seconds.  stop: asked every few milliseconds; when it
        returns True the search ends with what it has, and what it raises
        passes through.

        Raises ValueError when the game is over.
        """
        if position.over:
            raise ValueError("the game is over")
        self._clock = clock
        self._stop = stop
        self._deadline = None if limit.seconds is None else clock() + limit.seconds
        self._most_effort = limit.effort
        self.effort = 0
        self._pause = 0
        collects = gc.isenabled()
        gc.disable()
        try:
            self._take(position, wide=False)
            try:
                return self._deepen(position, limit)
            except TooFull:
                self._take(position, wide=True)
                return self._deepen(position, limit)
        finally:
            if collects:
                gc.enable()

    def _take(self, position: Position, wide: bool) -> None:
        """Make ready the rows, and a table if the old one does not fit."""
        pits, stones = position.pits, position.in_play
        bits = NARROW_BITS
        most = fullest_safe(pits, bits, stones)
        if wide or most < max(max(row) for row in position.rows):
            bits = most = 0
        if bits == 0:
            bits = bits_for(stones)
            most = (1 << bits) - 1
        packing = (pits, bits, most, position.rules.captures_empty)
        if packing == self._packing:
            return
        if packing[:2] != self._packing[:2] or packing[3] != self._packing[3]:
            narrow = bits * pits <= 32
            self._slots = TABLE_SLOTS if narrow else WIDE_TABLE_SLOTS
            self._keys: MutableSequence[int] = (
                array("Q", bytes(8 * self._slots)) if narrow else [0] * self._slots
            )
            self._lows = array("h", bytes(2 * self._slots))
            self._highs = array("h", bytes(2 * self._slots))
            self._depths = array("b", bytes(self._slots))
            self._firsts = array("b", bytes(self._slots))
        self._packing = packing
        self._rows = rows = Rows(pits, bits, packing[3], most)
        self._moving = Estimates(rows, True)
        self._waiting = Estimates(rows, False)
        self._replies = Frontier(rows, self._waiting)
        self._threats = Threats(rows, self._moving, self._replies.steps)

    def _deepen(self, position: Position, limit: Limit) -> Finding:
        """Search to depth 1, 2, ... until the value is sure or the limit."""
        rows = self._rows
        mover = position.mover
        own = rows.pack(position.rows[mover])
        other = rows.pack(position.rows[1 - mover])
        lead = position.kalahs[mover] - position.kalahs[1 - mover]
        stones = position.in_play * UNIT
        order = list(rows[own])
        pit = sure = order[0][0]  # sure: the move that proved low
        value, low, high = 0, -stones, stones
        done = 0
        if len(order) > 1:
            try:
                for depth in itertools.count(1):
                    if limit.depth is not None and depth > limit.depth:
                        break
                    least, most, kept = low, high, sure
                    while least < most:
                        beta = value + 1 if value <= least else value
                        value, best = self._choose(
                            own, other, stones, depth, beta, order
                        )
                        if value >= beta:
                            least, pit, kept = value, best, best
                            if not value & 1 and value > low:
                                low, sure = value, best
                        else:
                            most = value
                            if not value & 1:
                                high = min(high, value)
                    pit = kept
                    order.sort(key=lambda move: move[0] != pit)
                    done = depth
                    if low >= high:
                        break
            except OutOfLimit:
                pass
        return Finding(
            pit,
            lead + (max(low, min(high, value)) + UNIT // 2) // UNIT,
            lead + low // UNIT,
            lead + high // UNIT,
            done,
            self.effort,
            (pit,),
        )

    def _look(self) -> None:
        """Ask the clock and for a stop; the next time is soon."""
        if self._most_effort is not None and self.effort >= self._most_effort:
            raise OutOfLimit
        if self._deadline is not None and self._clock() >= self._deadline:
            raise OutOfLimit
        if self._stop():
            raise OutOfLimit
        self._pause = self.effort + PAUSE
        if self._most_effort is not None:
            self._pause = min(self._pause, self._most_effort)

    def _choose(
        self, own: int, other: int, stones: int, depth: int, beta: int,
        order: list[Move],
    ) -> tuple[int, int]:
        """The value as _value has it, and the pit that gives it."""
        self.effort += 1
        below = (self._estimate, self._frontier, self._value)[min(depth - 1, 2)]
        again = self._frontier if depth == 1 else self._value
        best, best_pit, marks = -stones, order[0][0], 0
        for pit, left, sown, gain, shift, emptied in order:
            yours = other + sown
            if shift >= 0:
                taken = yours >> shift & self._rows.mask
                if taken or self._rows.captures_empty:
                    yours -= taken << shift
                    left = emptied
                    gain += taken + 1
            gain *= UNIT
            rest = stones - gain
            if not left or not yours:
                value = gain + rest if left else gain - rest
            elif shift == REPEAT:
                value = gain + again(left, yours, rest, depth, beta - gain)
            else:
                value = gain - below(yours, left, rest, depth - 1, gain - beta + 1)
            marks |= value
            if value > best:
                best, best_pit = value, pit
                if best >= beta:
                    return best, best_pit
        if marks & 1:
            best = best - 1 | 1
        return best, best_pit

    def _value(self, own: int, other: int, stones: int, depth: int, beta: int) -> int:
        """A bound of the mover's value, searched so many plies deep.

        What is returned is a lower bound when it is at least beta, else an
        upper bound; it is even only when it is proved.
        """
        if self.effort >= self._pause:
            self._look()
        key = (own << self._rows.width) + other
        slot = key % self._slots
        low, high, first = -stones, stones, 0
        if self._keys[slot] == key:
            deep = self._depths[slot] >= depth
            low, high = self._lows[slot], self._highs[slot]
            if low >= beta and (deep or not low & 1):
                return low
            if high < beta and (deep or not high & 1):
                return high
            if not deep:
                if low & 1:
                    low = -stones
                if high & 1:
                    high = stones
            first = self._firsts[slot]
        self.effort += 1
        below = self._value if depth > 2 else self._frontier
        moves = self._rows[own]
        if first and moves[0][0] != first:
            moves = tuple(sorted(moves, key=lambda move: move[0] != first))
        best, best_pit, marks = -stones, 0, 0
        for pit, left, sown, gain, shift, emptied in moves:
            yours = other + sown
            if shift >= 0:
                taken = yours >> shift & self._rows.mask
                if taken or self._rows.captures_empty:
                    yours -= taken << shift
                    left = emptied
                    gain += taken + 1
            gain *= UNIT
            rest = stones - gain
            if not left or not yours:
                value = gain + rest if left else gain - rest
            elif gain + rest < beta:
                value = gain + rest
            elif gain - rest >= beta:
                value = gain - rest
            elif shift == REPEAT:
                value = gain + self._value(left, yours, rest, depth, beta - gain)
            else:
                value = gain - below(yours, left, rest, depth - 1, gain - beta + 1)
            marks |= value
            if value > best:
                best, best_pit = value, pit
                if best >= beta:
                    break
        if best >= beta:
            low = best
        else:
            if marks & 1:
                best = best - 1 | 1
            high = best
            best_pit = first
        if self._remembers:
            self._keys[slot] = key
            self._lows[slot] = low
            self._highs[slot] = high
            self._depths[slot] = min(depth, 127)
            self._firsts[slot] = best_pit
        return best

    def _frontier(
        self, own: int, other: int, stones: int, depth: int, beta: int
    ) -> int:
        """The value of one ply, from the estimates of what it leaves."""
        self.effort += 1
        replies, special = self._replies[own]
        threats = self._threats[other]
        best, marks = -stones, 0
        for reached, worth in replies:
            value = worth - threats[reached]
            marks = 1
            if value > best:
                best = value
        if best >= beta:
            return best
        for _, left, sown, gain, shift, emptied in special:
            yours = other + sown
            if shift >= 0:
                taken = yours >> shift & self._rows.mask
                if taken or self._rows.captures_empty:
                    yours -= taken << shift
                    left = emptied
                    gain += taken + 1
            gain *= UNIT
            rest = stones - gain
            if not left or not yours:
                value = gain + rest if left else gain - rest
            elif shift == REPEAT:
                value = gain + self._frontier(left, yours, rest, depth, beta - gain)
            else:
                value = gain + self._waiting[left] - self._moving[yours]
            marks |= value
            if value > best:
                best = value
                if best >= beta:
                    return best
        if marks & 1:
            best = best - 1 | 1
        return best

    def _estimate(
        self, own: int, other: int, stones: int, depth: int, beta: int
    ) -> int:
        """The value without any move made."""
        return self._moving[own] - self._waiting[other]
