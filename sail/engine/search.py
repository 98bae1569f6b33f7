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

import time
from array import array
from collections.abc import Callable, MutableSequence
from typing import NamedTuple

from sail.board import Position
from sail.engine import endgame, garbage
from sail.engine.limit import Limit
from sail.engine.moves import PASS, REPEAT, MoveTable, bits_for, fullest_safe
from sail.engine.ranked import FULL, UNIT, RankedMoves, TooFull

NARROW_BITS = 5  # six pits fill one digit of a Python int
TABLE_SLOTS = 2_097_143  # a prime: the remainder mixes all bits of a key
SMALL_TABLE_SLOTS = 65_521  # made in no time, for a search of little effort
KEPT_DEPTH = 4  # plies: what is searched less deep is too cheap for table and order
LONG_STEP = 16  # plies
PAUSE = 2_000  # searched positions between two looks at the clock
TICKS = 8  # rows of an endgame database between two such looks

# A move in a position: how unlikely to be the best, pit, own and other row
# after it, gain, REPEAT or PASS.
Successor = tuple[int, int, int, int, int, int]


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


# The rows of the kind last searched with a large table, by pits, bits of a
# pit, captures_empty: a game asks for the same ones turn after turn.  Those of
# another kind are on their way out.
CHOICES: dict[tuple[int, int, bool], RankedMoves] = {}

# Endgames once built and the seconds it took, by pits, bits of a pit,
# captures_empty and stones.
ENDGAMES: dict[tuple[int, int, bool, int], tuple[endgame.Database, float]] = {}


class Search:
    """A search and the table that it keeps between the moves of one game.

    slots: those of the table; when a slot is taken the newer position
    replaces the older, so that memory is bounded: 15 bytes a slot and about
    0.8 KB for each of at most ROWS_KEPT rows, which searches with a large
    table share.  By default the table has what the effort allowed can use.
    """

    def __init__(self, slots: int | None = None) -> None:
        self._slots_wanted = slots
        self._layout: object = None
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
        with garbage.put_off():
            self._lay_out(position, limit, wide=False)
            finding = self._deepen(position, limit)
            if self._stuck:
                self._lay_out(position, limit, wide=True)
                wider = self._deepen(position, limit)
                if wider.proved or wider.depth >= finding.depth:
                    finding = wider
        return finding._replace(effort=self.effort)

    def _lay_out(self, position: Position, limit: Limit, wide: bool) -> None:
        """Make rows and table ready; keep the old ones where they fit."""
        pits, stones = position.pits, position.in_play
        bits = NARROW_BITS
        most = fullest_safe(pits, bits, stones)
        if wide or most < max(FULL, *position.rows[0], *position.rows[1]):
            wide = True
            bits = bits_for(stones)
            most = (1 << bits) - 1
        if self._slots_wanted is not None:
            slots = self._slots_wanted
        elif (limit.depth is not None and limit.depth < KEPT_DEPTH) or (
            limit.effort is not None and limit.effort <= 2 * SMALL_TABLE_SLOTS
        ):
            slots = SMALL_TABLE_SLOTS
        else:
            slots = TABLE_SLOTS
        kind = pits, bits, position.rules.captures_empty
        if (kind, slots) != self._layout:
            self._layout = kind, slots
            self._slots = slots
            self._keys: MutableSequence[int] = (
                [0] * slots if wide else array("Q", [0]) * slots
            )
            self._lows = array("h", [0]) * slots
            self._highs = array("h", [0]) * slots
            self._depths = array("h", [0]) * slots
            self._firsts = array("b", [0]) * slots
            if slots <= SMALL_TABLE_SLOTS:
                self._choices = RankedMoves(MoveTable(*kind))
            else:
                if kind not in CHOICES:
                    CHOICES[kind] = RankedMoves(MoveTable(*kind))
                self._choices = CHOICES[kind]
        choices = self._choices
        choices.allow(most)
        self._rows, self._steps = choices.rows, choices.steps
        self._gains = choices.gains
        self._lower, self._upper = choices.lower, choices.upper
        self._half, self._half_mask = choices.half, choices.half_mask

    def _make_room(self) -> None:
        """Forget the rows of other kinds, if this search is one that keeps many."""
        if self._slots <= SMALL_TABLE_SLOTS:
            return
        for kind, others in list(CHOICES.items()):
            if others is not self._choices:
                while others:  # all at once would take a tenth of a second
                    others.drop_oldest()
                    self._look()
                del CHOICES[kind]

    def _deepen(self, position: Position, limit: Limit) -> Finding:
        """Search deeper and deeper, until the value is proved or the limit.

        Depth grows by two plies, so that the same player has the last word;
        once a search costs little more than the one before, most lines end
        before the horizon, and steps become long.  Where then narrow rows
        had no room, no depth would prove the value: it is stuck.
        """
        rows = self._rows
        mover = position.mover
        own = rows.pack(position.rows[mover])
        other = rows.pack(position.rows[1 - mover])
        stones = position.in_play * UNIT
        slot = ((own << rows.width) + other) % self._slots
        pit = proved_pit = position.legal[0]
        self._few = 0
        self._too_full = self._stuck = False
        value = self._estimate(own, other, stones, 0, 0)
        low, high = -stones, stones
        done = 0
        depth, step, cost = 2, 2, 0
        try:
            self._make_room()
            while len(position.legal) > 1 and low < high and done != limit.depth:
                if limit.depth is not None:
                    depth = min(depth, limit.depth)
                before = self.effort
                least, most, best = low, high, proved_pit
                self._least_kept = min(depth, KEPT_DEPTH)  # the best move is read there
                while least < most:
                    beta = max(value, least + 1)
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
                if depth > 12 and 4 * (self.effort - before) <= 5 * cost:
                    self._stuck = self._too_full
                    if self._stuck:
                        break
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

        Raises OutOfLimit.
        """
        if self.effort >= self._pause:
            self._look()
        if stones < beta:
            return stones
        if -stones >= beta:
            return -stones
        if stones <= self._few:
            return self._ending(own, other)
        first = 0
        if depth >= self._least_kept:
            key = (own << self._rows.width) + other
            slot = key % self._slots
            low, high = -stones, stones
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
        if depth > KEPT_DEPTH:
            search = below = self._value
        elif depth == KEPT_DEPTH:
            search, below = self._value, self._near
        elif depth > 2:
            search = below = self._near
        elif depth == 2:
            search, below = self._near, self._frontier
        else:
            search, below = self._frontier, self._estimate
        try:
            order = self._order(own, other, first)
        except TooFull:
            return self._unseen(own, other)
        for _, pit, left, yours, gain, shift in order:
            rest = stones - gain
            if not left or not yours:  # who has stones left keeps them
                value = stones if left else 2 * gain - stones
            elif shift == REPEAT:
                value = gain + search(left, yours, rest, depth, beta - gain)
            else:
                value = gain - below(yours, left, rest, depth - 1, gain - beta + 1)
            marks |= value
            if value > best:
                best, best_pit = value, pit
                if best >= beta:
                    break
        if best < beta and marks & 1:
            best = best - 1 | 1
        if depth < self._least_kept:
            return best
        if best >= beta:
            low, first = best, best_pit
        else:
            high = best
        self._keys[slot] = key
        self._lows[slot] = low
        self._highs[slot] = high
        self._depths[slot] = depth
        self._firsts[slot] = first
        return best

    def _order(self, own: int, other: int, first: int) -> list[Successor]:
        """The moves, the likely best first."""
        quiet, again, captures, others = self._choices[own]
        lower = self._lower[other & self._half_mask]
        upper = self._upper[other >> self._half]
        steps = self._steps
        order = [
            (lower[reached] + upper[reached] - worth, pit, left, other + steps[reached],
             UNIT if reached else 0, PASS)
            for worth, reached, left, pit in quiet
        ]  # fmt: skip
        if again:
            waiting = lower[-1] + upper[-1]
            for worth, left, pit in again:
                order.append((waiting - worth, pit, left, other, UNIT, REPEAT))
        if captures:
            moving, mask, gains = lower[0] + upper[0], self._rows.mask, self._gains
            for worth, prize, shift, emptied, left, pit in captures:
                taken = other >> shift & mask
                gain = gains[taken]
                order.append(
                    (moving - worth - prize[taken], pit, emptied if gain else left,
                     other - (taken << shift), gain, PASS)
                )  # fmt: skip
        for pit, left, sown, gain, shift, emptied in others:
            yours = other + sown
            if shift >= 0:
                left, yours, gain = self._capture(left, yours, gain, shift, emptied)
            gain *= UNIT
            if shift == REPEAT:
                unlikely = -gain - self._estimate(left, yours, 0, 0, 0)
            else:
                unlikely = self._estimate(yours, left, 0, 0, 0) - gain
            order.append((unlikely, pit, left, yours, gain, shift))
        order.sort()
        if first:
            for place, successor in enumerate(order):
                if successor[1] == first:
                    order.insert(0, order.pop(place))
                    break
        return order

    def _near(self, own: int, other: int, stones: int, depth: int, beta: int) -> int:
        """The value as in _value, less than KEPT_DEPTH but more than one ply deep."""
        if stones < beta:
            return stones
        if -stones >= beta:
            return -stones
        if stones <= self._few:
            return self._ending(own, other)
        self.effort += 1
        below = self._frontier if depth == 2 else self._near
        best, marks = -stones, 0
        try:
            quiet, again, captures, others = self._choices[own]
        except TooFull:
            return self._unseen(own, other)
        for _, left, _ in again:
            value = UNIT + self._near(left, other, stones - UNIT, depth, beta - UNIT)
            marks |= value
            if value > best:
                best = value
                if best >= beta:
                    return best
        if captures:
            mask, gains = self._rows.mask, self._gains
            for _, _, shift, emptied, left, _ in captures:
                taken = other >> shift & mask
                gain = gains[taken]
                yours = other - (taken << shift)
                if yours:
                    value = gain - below(
                        yours,
                        emptied if gain else left,
                        stones - gain,
                        depth - 1,
                        gain - beta + 1,
                    )
                else:
                    value = stones
                marks |= value
                if value > best:
                    best = value
                    if best >= beta:
                        return best
        for _, left, sown, gain, shift, emptied in others:
            yours = other + sown
            if shift >= 0:
                left, yours, gain = self._capture(left, yours, gain, shift, emptied)
            gain *= UNIT
            if not left or not yours:
                value = stones if left else 2 * gain - stones
            elif shift == REPEAT:
                value = gain + self._near(
                    left, yours, stones - gain, depth, beta - gain
                )
            else:
                value = gain - below(
                    yours, left, stones - gain, depth - 1, gain - beta + 1
                )
            marks |= value
            if value > best:
                best = value
                if best >= beta:
                    return best
        steps = self._steps
        for _, reached, left, _ in quiet:
            gain = UNIT if reached else 0
            value = gain - below(
                other + steps[reached], left, stones - gain, depth - 1, gain - beta + 1
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
        try:
            quiet, again, captures, others = self._choices[own]
        except TooFull:
            return self._unseen(own, other)
        lower = self._lower[other & self._half_mask]
        upper = self._upper[other >> self._half]
        best, marks = -stones, 0
        for worth, reached, _, _ in quiet:
            value = worth - lower[reached] - upper[reached]
            if value > best:
                if value >= beta:
                    return value
                best = value
            marks = 1
        if captures:
            moving, mask = lower[0] + upper[0], self._rows.mask
            for worth, prize, shift, _, _, _ in captures:
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
        for _, left, _ in again:
            value = UNIT + self._frontier(left, other, stones - UNIT, 1, beta - UNIT)
            marks |= value
            if value > best:
                if value >= beta:
                    return value
                best = value
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
        mask, half = self._half_mask, self._half
        lower, upper = self._lower, self._upper
        moving = lower[own & mask][0] + upper[own >> half][0]
        return moving - lower[other & mask][-1] - upper[other >> half][-1]

    def _unseen(self, own: int, other: int) -> int:
        """An estimate where narrow rows have no room for the moves."""
        self._too_full = True
        return self._estimate(own, other, 0, 0, 0)

    def _capture(
        self, left: int, yours: int, gain: int, shift: int, emptied: int
    ) -> tuple[int, int, int]:
        """Both rows and the gain after a last stone in an own empty pit."""
        taken = yours >> shift & self._rows.mask
        if taken or self._rows.captures_empty:
            return emptied, yours - (taken << shift), gain + taken + 1
        return left, yours, gain
