"""The search: alpha-beta for play, which knows what it has proved.

A value is what the mover will win from here on, kalahs left out, so that a
position counts the same however it came about: the stones that go to his
kalah less those that go to the other's.  Inside the search it is counted in
UNIT to a stone.  An even value is proved: it rests on finished games and on
the number of stones in play alone.  Estimates are odd, and a value that
depends on one is made odd, so an estimate never passes for a proof.

One ply is a turn: a repeat move and what follows belong to the same ply.

Every question is put with a null window: is the value at least beta?  The
answer is a bound, and bounds close in on the value (MTD(f), ISK-MTD).
"""

from __future__ import annotations

import gc
import time
from array import array
from collections.abc import Callable, MutableSequence
from itertools import islice
from typing import Any, NamedTuple

from sail import endgame
from sail.board import Position
from sail.rows import PASS, REPEAT, Move, Rows, TooFull, bits_for, fullest_safe

UNIT = 16
NARROW_BITS = 5  # six pits fill one digit of a Python int
TABLE_SLOTS = 2_097_143  # a prime: the remainder mixes all bits of a key
WIDE_TABLE_SLOTS = 1_048_573  # wide keys are objects of their own
SMALL_TABLE_SLOTS = 65_521  # made in no time, for a search of little effort
ROWS_KEPT = 180_000
ROWS_DROPPED = 1_000
LONG_STEP = 16  # plies
PAUSE = 2_000  # searched positions between two looks at the clock
TICKS = 8  # rows of an endgame database between two such looks
FIRST = -1 << 20  # sorts the move that did best before all others

# What a pit is worth to its owner, to move or waiting, by pit (1 is nearest
# the kalah) and stones, in UNIT.  Fitted by least squares to the exact values
# of 36,952 positions of 8 to 42 stones in play that searches from random
# games of 3 to 6 stones came upon; they explain the value to 3.8 stones,
# material alone to 5.5.  To read them: a pit that will end in the kalah is
# good, one that will run over to the other side is a loss.
MOVING = (
    (0, 12, -24, -26, -30, -26, -17, -3, 18, 25, 48, 72, 84, 78),
    (0, 18, 25, -19, -25, -31, -34, -35, -13, 13, 25, 41, 46, 44),
    (0, 22, 34, 53, -3, -5, -12, -15, -12, 7, 34, 33, 60, 67),
    (0, 29, 42, 56, 75, 18, 8, 7, 4, 0, 13, 36, 45, 63),
    (0, 33, 47, 59, 72, 90, 37, 28, 14, 8, 19, 43, 75, 70),
    (0, 30, 46, 59, 71, 80, 104, 51, 32, 15, 28, 50, 43, 45),
)
WAITING = (
    (0, 11, -11, -13, -13, -14, -4, 10, 23, 39, 47, 65, 66, 98),
    (0, 20, 22, -10, -16, -22, -23, -23, -5, 17, 32, 57, 55, 24),
    (0, 23, 33, 41, 4, 0, -5, -11, -12, 6, 28, 40, 35, 47),
    (0, 25, 32, 41, 47, 7, 3, 1, -12, -13, 0, 25, 33, 46),
    (0, 26, 34, 38, 45, 46, 14, 12, 2, -8, -4, 9, 53, 36),
    (0, 21, 28, 29, 33, 38, 27, 2, -6, -22, -11, -2, -9, 3),
)
TO_MOVE = 7  # odd: it makes odd every estimate that it enters


# Endgames once built and the seconds it took, by pits, bits of a pit,
# captures_empty and stones.
ENDGAMES: dict[tuple[int, int, bool, int], tuple[endgame.Database, float]] = {}


class Limit(NamedTuple):
    """Where a search ends, whichever comes first; without any, at a proof.

    endgames: with so many stones in play or fewer, values come from a
    database.  It is built once, in about 1.5 s for 14 stones; where that
    would be much of the seconds given, for four stones less.
    """

    seconds: float | None = None
    depth: int | None = None
    effort: int | None = None
    endgames: int = 0


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


class OutOfLimit(Exception):
    """The search has used what it was given."""


class Half(dict[int, int]):
    """What three neighbouring pits are worth, half[packed pits]; even."""

    def __init__(self, worths: tuple[tuple[int, ...], ...], bits: int) -> None:
        super().__init__()
        self._worths = worths
        self._bits = bits

    def __missing__(self, half: int) -> int:
        worth = 0
        mask = (1 << self._bits) - 1
        for pit, worths in enumerate(self._worths):
            count = half >> pit * self._bits & mask
            worth += worths[min(count, len(worths) - 1)]
        self[half] = worth = worth & -2
        return worth


class Worths(NamedTuple):
    """What rows are worth to their owner: low[row & mask] + high[row >> shift]."""

    low: Half
    high: Half
    mask: int
    shift: int


def worths(table: tuple[tuple[int, ...], ...], bits: int) -> Worths:
    """The worths of rows with so many bits a pit; even."""
    shift = 3 * bits
    return Worths(Half(table[:3], bits), Half(table[3:], bits), (1 << shift) - 1, shift)


# worth of what it leaves and gains, stones that reach the other row, pit, own
# row after it; when any reach the other row, one has gone to the kalah
Quiet = tuple[int, int, int, int]


def drop_oldest(rows: dict[int, Any]) -> None:
    """Forget some rows; all at once would halt the search for a while."""
    for row in list(islice(rows, ROWS_DROPPED)):
        del rows[row]


class Choices(dict[int, tuple[tuple[Quiet, ...], tuple[Move, ...]]]):
    """The moves of a row in two sorts, quiet, others = choices[row].

    Quiet moves pass the turn and take nothing, whatever the other row; they
    stand sorted, the best worth first.  The others stand as in Rows: repeat
    moves, captures, and sowings of a whole lap or of the last stones.
    """

    def __init__(self, rows: Rows, waiting: Worths) -> None:
        super().__init__()
        self._rows = rows
        self._waiting = waiting
        self.steps = [0]  # what 0..m stones add to the other row
        for pit in range(rows.pits, 0, -1):
            self.steps.append(self.steps[-1] + (1 << (pit - 1) * rows.bits))
        self._reached = {step: stones for stones, step in enumerate(self.steps)}

    def __missing__(self, row: int) -> tuple[tuple[Quiet, ...], tuple[Move, ...]]:
        if len(self) >= ROWS_KEPT:
            drop_oldest(self)
        low, high, mask, half = self._waiting
        quiet: list[Quiet] = []
        others = []
        for move in self._rows.moves(row):
            pit, left, sown, gain, shift, _ = move
            if shift == PASS and left and sown in self._reached:
                worth = gain * UNIT + low[left & mask] + high[left >> half]
                quiet.append((worth, self._reached[sown], pit, left))
            else:
                others.append(move)
        quiet.sort(reverse=True)
        choice = self[row] = (tuple(quiet), tuple(others))
        return choice


class Threats(dict[int, tuple[int, ...]]):
    """What a row is worth to its owner to move, threats[row][stones].

    stones: 0..m that the other player has just added to it; odd.
    """

    def __init__(self, moving: Worths, steps: list[int]) -> None:
        super().__init__()
        self._moving = moving
        self._steps = [(step & moving.mask, step >> moving.shift) for step in steps]

    def __missing__(self, row: int) -> tuple[int, ...]:
        if len(self) >= ROWS_KEPT:
            drop_oldest(self)
        low, high, mask, half = self._moving
        lower, upper = row & mask, row >> half
        threats = self[row] = tuple(
            [
                low[lower + below] + high[upper + above] + TO_MOVE
                for below, above in self._steps
            ]
        )
        return threats


class Search:
    """A search and the table that it keeps between the moves of one game.

    slots: those of the table; when a slot is taken the newer position
    replaces the older, so that memory is bounded: 14 bytes a slot and about
    1 KB for each of at most 2 * ROWS_KEPT rows.  By default the table has
    what the effort allowed can use.
    """

    def __init__(self, slots: int | None = None) -> None:
        self._slots_wanted = slots
        self._layout: tuple[int, ...] = ()
        self.effort = 0

    def find(
        self,
        position: Position,
        limit: Limit,
        clock: Callable[[], float] = time.perf_counter,
        stop: Callable[[], bool] = lambda: False,
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
        gc.disable()  # nothing here is cyclic, and there is much of it
        try:
            try:
                self._lay_out(position, limit, wide=False)
                return self._deepen(position, limit)
            except TooFull:
                self._lay_out(position, limit, wide=True)
                return self._deepen(position, limit)
        finally:
            if collects:
                gc.enable()

    def _lay_out(self, position: Position, limit: Limit, wide: bool) -> None:
        """Make rows and table ready; keep the old ones where they fit."""
        pits, stones = position.pits, position.in_play
        bits = NARROW_BITS
        most = fullest_safe(pits, bits, stones)
        if wide or most < max(max(row) for row in position.rows):
            wide = True
            bits = bits_for(stones)
            most = (1 << bits) - 1
        if self._slots_wanted is not None:
            slots = self._slots_wanted
        elif limit.effort is not None and limit.effort <= 2 * SMALL_TABLE_SLOTS:
            slots = SMALL_TABLE_SLOTS
        else:
            slots = WIDE_TABLE_SLOTS if wide else TABLE_SLOTS
        captures_empty = position.rules.captures_empty
        layout = (pits, bits, captures_empty, wide, slots)
        if layout != self._layout:
            self._layout = layout
            self._slots = slots
            self._keys: MutableSequence[int] = (
                [0] * slots if wide else array("Q", bytes(8 * slots))
            )
            self._lows = array("h", bytes(2 * slots))
            self._highs = array("h", bytes(2 * slots))
            self._depths = array("b", bytes(slots))
            self._firsts = array("b", bytes(slots))
        elif self._rows.most <= most:
            return
        self._rows: Rows = Rows(pits, bits, captures_empty, most)
        self._moving = worths(MOVING, bits)
        self._waiting = worths(WAITING, bits)
        self._choices = Choices(self._rows, self._waiting)
        self._steps = self._choices.steps
        self._threats = Threats(self._moving, self._steps)

    def _deepen(self, position: Position, limit: Limit) -> Finding:
        """Search deeper and deeper, until the value is proved or the limit.

        Depth grows by two plies, so that the same player has the last word;
        once a search costs little more than the one before, most lines end
        before the horizon, and steps become long.
        """
        rows = self._rows
        mover = position.mover
        own = rows.pack(position.rows[mover])
        other = rows.pack(position.rows[1 - mover])
        stones = position.in_play * UNIT
        slot = ((own << rows.width) + other) % self._slots
        pit = proved_pit = position.legal[0]
        self._few = 0
        value = self._estimate(own, other, stones, 0, 0)
        low, high = -stones, stones
        done = 0
        depth, step, cost = 2, 2, 0
        try:
            while len(position.legal) > 1 and low < high and done != limit.depth:
                if limit.depth is not None:
                    depth = min(depth, limit.depth)
                before = self.effort
                least, most, best = low, high, proved_pit
                while least < most:
                    beta = value + 1 if value <= least else value
                    value = self._value(own, other, stones, depth, beta)
                    if value < beta:
                        most = value
                        if not value & 1:
                            high = min(high, value)
                    else:
                        least = value
                        pit = best = self._firsts[slot]
                        if not value & 1 and value > low:
                            low, proved_pit = value, pit
                pit, done = best, depth
                if depth == 2:
                    self._take_endgames(position.in_play, limit)
                if depth > 12 and self.effort - before < 5 * cost // 4:
                    step = LONG_STEP
                cost = self.effort - before
                depth += step
        except OutOfLimit:
            pass
        lead = position.kalahs[mover] - position.kalahs[1 - mover]
        value = max(low, min(high, value))
        return Finding(
            pit,
            lead + (value + UNIT // 2) // UNIT,
            lead + low // UNIT,
            lead + high // UNIT,
            done,
            self.effort,
            self._line(position, pit, done),
        )

    def _take_endgames(self, in_play: int, limit: Limit) -> None:
        """Have the values of endings, built within a fifth of the time.

        Four stones more take about sixteen times as long to build as those
        that were built before.
        """

        def tick(_: int) -> None:
            self._ticks += 1
            if not self._ticks % TICKS:
                self._look()

        rows = self._rows
        seconds = 0.0
        fewest = limit.endgames - 4 if limit.seconds else limit.endgames
        for stones in range(max(2, fewest), min(limit.endgames, in_play - 1) + 1, 4):
            kind = rows.pits, rows.bits, rows.captures_empty, stones
            if kind not in ENDGAMES:
                if limit.seconds and 5 * 16 * seconds > limit.seconds:
                    break
                self._ticks = 0
                begun = self._clock()
                built = endgame.build(rows, stones, tick)
                ENDGAMES[kind] = built, self._clock() - begun
            database, seconds = ENDGAMES[kind]
            self._few = stones * UNIT
            self._endings = database.values
            self._start, self._rank = database.index.start, database.index.rank

    def _ending(self, own: int, other: int) -> int:
        """The value of a position that the database has; even."""
        return (
            self._endings[self._start[own] + self._rank[other]] - endgame.BIAS
        ) * UNIT

    def _line(self, position: Position, pit: int, plies: int) -> tuple[int, ...]:
        """The pit and what the table has for the moves after it."""
        line = [pit]
        position = position.play(pit)
        while not position.over and len(line) < plies:
            own = self._rows.pack(position.rows[position.mover])
            other = self._rows.pack(position.rows[1 - position.mover])
            key = (own << self._rows.width) + other
            slot = key % self._slots
            if self._keys[slot] != key or not self._firsts[slot]:
                break
            line.append(self._firsts[slot])
            position = position.play(line[-1])
        return tuple(line)

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

    def _value(self, own: int, other: int, stones: int, depth: int, beta: int) -> int:
        """A bound of the mover's value, searched so many plies deep.

        Returns a lower bound when it is at least beta, else an upper bound;
        it is even only when it is proved.  The rows are packed; stones, beta
        and what is returned are in UNIT.

        Raises OutOfLimit, or TooFull where the rows are too narrow.
        """
        if self.effort >= self._pause:
            self._look()
        if stones < beta:
            return stones
        if -stones >= beta:
            return -stones
        if stones <= self._few:
            return self._ending(own, other)
        key = (own << self._rows.width) + other
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
            first = self._firsts[slot]
        self.effort += 1
        best, best_pit, marks = -stones, 0, 0
        quiet, others = self._choices[own]
        threats = self._threats[other]
        steps = self._steps
        nexts = [
            (
                FIRST if pit == first else threats[reached] - worth,
                pit, left, other + steps[reached], UNIT if reached else 0, PASS,
            )
            for worth, reached, pit, left in quiet
        ]  # fmt: skip
        for pit, left, sown, gain, shift, emptied in others:
            yours = other + sown
            if shift >= 0:
                left, yours, gain = self._capture(left, yours, gain, shift, emptied)
            gain *= UNIT
            sure = None
            if not left or not yours:  # who has stones left keeps them
                sure = stones if left else 2 * gain - stones
            elif stones - gain <= self._few:
                if shift == REPEAT:
                    sure = gain + self._ending(left, yours)
                else:
                    sure = gain - self._ending(yours, left)
            if sure is not None:
                marks |= sure
                if sure > best:
                    best, best_pit = sure, pit
                continue
            if pit == first:
                unlikely = FIRST
            elif shift == REPEAT:
                unlikely = -gain - self._estimate(left, yours, 0, 0, 0)
            else:
                unlikely = self._estimate(yours, left, 0, 0, 0) - gain
            nexts.append((unlikely, pit, left, yours, gain, shift))
        if best < beta:
            nexts.sort()
            if depth > 3:
                search = below = self._value
            elif depth == 3:
                search, below = self._value, self._near
            elif depth == 2:
                search, below = self._near, self._frontier
            else:
                search, below = self._frontier, self._estimate
            for _, pit, left, yours, gain, shift in nexts:
                rest = stones - gain
                if shift == REPEAT:
                    value = gain + search(left, yours, rest, depth, beta - gain)
                else:
                    value = gain - below(yours, left, rest, depth - 1, gain - beta + 1)
                marks |= value
                if value > best:
                    best, best_pit = value, pit
                    if best >= beta:
                        break
        if best >= beta:
            low, first = best, best_pit
        else:
            if marks & 1:
                best = best - 1 | 1
            high = best
        self._keys[slot] = key
        self._lows[slot] = low
        self._highs[slot] = high
        self._depths[slot] = min(depth, 127)
        self._firsts[slot] = first
        return best

    def _near(self, own: int, other: int, stones: int, depth: int, beta: int) -> int:
        """The value as in _value, two plies deep: too cheap for the table."""
        if stones < beta:
            return stones
        if -stones >= beta:
            return -stones
        if stones <= self._few:
            return self._ending(own, other)
        self.effort += 1
        best, marks = -stones, 0
        quiet, others = self._choices[own]
        for _, left, sown, gain, shift, emptied in others:
            yours = other + sown
            if shift >= 0:
                left, yours, gain = self._capture(left, yours, gain, shift, emptied)
            gain *= UNIT
            if not left or not yours:
                value = stones if left else 2 * gain - stones
            elif shift == REPEAT:
                value = gain + self._near(left, yours, stones - gain, 2, beta - gain)
            else:
                value = gain - self._frontier(
                    yours, left, stones - gain, 1, gain - beta + 1
                )
            marks |= value
            if value > best:
                best = value
                if best >= beta:
                    return best
        steps = self._steps
        for _, reached, _, left in quiet:
            gain = UNIT if reached else 0
            value = gain - self._frontier(
                other + steps[reached], left, stones - gain, 1, gain - beta + 1
            )
            marks |= value
            if value > best:
                best = value
                if best >= beta:
                    return best
        if marks & 1:
            best = best - 1 | 1
        return best

    def _frontier(
        self, own: int, other: int, stones: int, depth: int, beta: int
    ) -> int:
        """The value as in _value, one ply deep, from what the moves leave."""
        if stones <= self._few:
            return self._ending(own, other)
        self.effort += 1
        quiet, others = self._choices[own]
        threats = self._threats[other]
        best, marks = -stones, 0
        for worth, reached, _, _ in quiet:
            value = worth - threats[reached]
            if value > best:
                if value >= beta:
                    return value
                best = value
            marks = 1
        for _, left, sown, gain, shift, emptied in others:
            yours = other + sown
            if shift >= 0:
                left, yours, gain = self._capture(left, yours, gain, shift, emptied)
            gain *= UNIT
            if not left or not yours:
                value = stones if left else 2 * gain - stones
            elif shift == REPEAT:
                value = gain + self._frontier(
                    left, yours, stones - gain, 1, beta - gain
                )
            else:
                value = gain - self._estimate(yours, left, 0, 0, 0)
            marks |= value
            if value > best:
                if value >= beta:
                    return value
                best = value
        if marks & 1:
            best = best - 1 | 1
        return best

    def _estimate(
        self, own: int, other: int, stones: int, depth: int, beta: int
    ) -> int:
        """The value as it looks before any move; odd."""
        low, high, mask, shift = self._moving
        worth = low[own & mask] + high[own >> shift] + TO_MOVE
        low, high, mask, shift = self._waiting
        return worth - low[other & mask] - high[other >> shift]

    def _capture(
        self, left: int, yours: int, gain: int, shift: int, emptied: int
    ) -> tuple[int, int, int]:
        """Both rows and the gain after a last stone in an own empty pit."""
        taken = yours >> shift & self._rows.mask
        if taken or self._rows.captures_empty:
            return emptied, yours - (taken << shift), gain + taken + 1
        return left, yours, gain
