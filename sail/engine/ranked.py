"""What a row of pits offers: its moves in sorts, with what they are worth.

All of it depends on one row alone, so it is worked out once and kept.  What
a row is worth is an estimate, in UNIT to a stone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from sail.engine.moves import PASS, REPEAT, Move, MoveTable

UNIT = 16
ROWS_KEPT = 220_000
ROWS_DROPPED = 1_000
FULL = 15  # stones in a pit: narrow rows always have room for so many

# What a pit is worth to its owner, to move or waiting, by pit (1 is nearest
# the kalah) and stones, in UNIT.  Fitted by least squares to the exact values
# of 36,952 positions of 8 to 42 stones in play that searches from random
# games of 3 to 6 stones came upon; they explain the value to 3.8 stones,
# material alone to 5.5.  To read them: a pit that will end in the kalah is
# good, one that will run over to the other side is a loss.
MOVING: Sequence[Sequence[int]] = (
    (0, 12, -24, -26, -30, -26, -18, -4, 18, 24, 48, 72, 84, 78),
    (0, 18, 24, -20, -26, -32, -34, -36, -14, 12, 24, 40, 46, 44),
    (0, 22, 34, 52, -4, -6, -12, -16, -12, 6, 34, 32, 60, 66),
    (0, 28, 42, 56, 74, 18, 8, 6, 4, 0, 12, 36, 44, 62),
    (0, 32, 46, 58, 72, 90, 36, 28, 14, 8, 18, 42, 74, 70),
    (0, 30, 46, 58, 70, 80, 104, 50, 32, 14, 28, 50, 42, 44),
)
WAITING: Sequence[Sequence[int]] = (
    (0, 10, -12, -14, -14, -14, -4, 10, 22, 38, 46, 64, 66, 98),
    (0, 20, 22, -10, -16, -22, -24, -24, -6, 16, 32, 56, 54, 24),
    (0, 22, 32, 40, 4, 0, -6, -12, -12, 6, 28, 40, 34, 46),
    (0, 24, 32, 40, 46, 6, 2, 0, -12, -14, 0, 24, 32, 46),
    (0, 26, 34, 38, 44, 46, 14, 12, 2, -8, -4, 8, 52, 36),
    (0, 20, 28, 28, 32, 38, 26, 2, -6, -22, -12, -2, -10, 2),
)
TO_MOVE = 7  # odd: it makes odd every estimate that it enters


class TooFull(Exception):
    """A pit holds more stones than narrow rows have room for."""


class Half(dict[int, tuple[int, ...]]):
    """What three neighbouring pits are worth, half[packed pits].

    First to their owner to move, bonus included, with each of steps added to
    them; then to their owner waiting.
    """

    def __init__(
        self, pits: slice, bits: int, steps: Sequence[int], bonus: int
    ) -> None:
        super().__init__()
        self._moving = MOVING[pits]
        self._waiting = WAITING[pits]
        self._bits = bits
        self._steps = steps
        self._bonus = bonus

    def __missing__(self, half: int) -> tuple[int, ...]:
        worths = [
            self._bonus + self._worth(self._moving, half + step) for step in self._steps
        ]
        worths.append(self._worth(self._waiting, half))
        self[half] = kept = tuple(worths)
        return kept

    def _worth(self, table: Sequence[Sequence[int]], half: int) -> int:
        mask = (1 << self._bits) - 1
        return sum(
            worths[min(half >> pit * self._bits & mask, len(worths) - 1)]
            for pit, worths in enumerate(table)
        )


# A move that passes the turn and takes nothing, whatever the other row: the
# worth of what it leaves and gains, stones that reach the other row, own row
# after it, pit.  When any reach the other row, one has gone to the kalah.
Quiet = tuple[int, int, int, int]

# A move within the own row to the kalah: the worth of what it leaves and
# gains, own row after it, pit.
Again = tuple[int, int, int]

# A move within the own row to an empty pit: the worth of what it leaves after
# a capture, what is to be added by the stones in the opposite pit, the shift
# of that pit, own row after a capture and without one, pit.
Capture = tuple[int, tuple[int, ...], int, int, int, int]

# The moves of a row in sorts: quiet ones and those to the kalah, the best
# worth first, captures, and whatever else there is: sowings of a whole lap or
# of the last stones.
Kinds = tuple[
    tuple[Quiet, ...], tuple[Again, ...], tuple[Capture, ...], tuple[Move, ...]
]


class RankedMoves(dict[int, Kinds]):
    """The moves of a row in sorts, choices[row].

    A row with a pit of more than `most` stones raises TooFull.

    steps: what 0..m stones of the other player add to a row.  lower, upper:
    what its halves, row & half_mask and row >> half, are worth then.
    gains: what a capture gains, by the stones captured.
    """

    def __init__(self, rows: MoveTable) -> None:
        super().__init__()
        self.rows = rows
        self.most = rows.mask
        self._full: set[int] = set()  # rows with a pit of more than FULL stones
        self.steps = [0]
        for pit in range(rows.pits, 0, -1):
            self.steps.append(self.steps[-1] + (1 << (pit - 1) * rows.bits))
        self.half = 3 * rows.bits
        self.half_mask = (1 << self.half) - 1
        steps = [step & self.half_mask for step in self.steps]
        self.lower = Half(slice(3), rows.bits, steps, TO_MOVE)
        steps = [step >> self.half for step in self.steps]
        self.upper = Half(slice(3, None), rows.bits, steps, 0)
        self.gains = [(stones + 1) * UNIT for stones in range(rows.mask + 1)]
        if not rows.captures_empty:
            self.gains[0] = 0
        reached = {step: stones for stones, step in enumerate(self.steps)}
        self._sowings = [
            [(*sowing, reached.get(sowing[1], -1)) for sowing in sowings]
            for sowings in rows.sowings
        ]
        self._prizes = [self._prize(pit) for pit in range(rows.pits)]

    def allow(self, most: int) -> None:
        """Have no rows with more stones in a pit."""
        if most < self.most:
            for row in self._full:
                self.pop(row, None)
            self._full.clear()
        self.most = most

    def drop_oldest(self) -> None:
        """Forget some rows; all at once would halt the search for a while."""
        for row in list(islice(self, ROWS_DROPPED)):
            del self[row]
            self._full.discard(row)

    def _prize(self, pit: int) -> tuple[int, ...]:
        """What captures are worth, by the stones in the pit that they empty."""
        worths = MOVING[pit]
        prize = [
            gain + worths[min(stones, len(worths) - 1)]
            for stones, gain in enumerate(self.gains)
        ]
        if not self.rows.captures_empty:  # then the last stone stays
            prize[0] = WAITING[self.rows.pits - 1 - pit][1]
        return tuple(prize)

    def __missing__(self, row: int) -> Kinds:
        if len(self) >= ROWS_KEPT:
            self.drop_oldest()
        rows = self.rows
        bits, mask = rows.bits, rows.mask
        low, high = self.lower, self.upper
        half_mask, half = self.half_mask, self.half
        quiet: list[Quiet] = []
        again: list[Again] = []
        captures: list[Capture] = []
        others: list[Move] = []
        # As MoveTable.moves, but in one pass: new rows take a good part of the time.
        full = False
        rest, pit = row, 0
        while rest:
            count = rest & mask
            rest >>= bits
            pit += 1
            if not count:
                continue
            if count > FULL:
                if count > self.most:
                    raise TooFull
                full = True
            change, sown, gain, last, reached = self._sowings[pit - 1][count]
            left = row + change
            shift, emptied = PASS, left
            if last == 0:
                shift = REPEAT
            elif last > 0:
                landing = (last - 1) * bits
                if left >> landing & mask == 1:
                    shift = (rows.pits - last) * bits
                    emptied = left - (1 << landing)
            if not emptied or reached < 0 or reached and shift != PASS:
                others.append((pit, left, sown, gain, shift, emptied))
                continue
            lower, higher = low[emptied & half_mask], high[emptied >> half]
            if shift == REPEAT:
                again.append((UNIT + lower[0] + higher[0], left, pit))
                continue
            worth = lower[-1] + higher[-1]
            if shift == PASS:
                quiet.append((worth + gain * UNIT, reached, left, pit))
            else:
                captures.append(
                    (worth, self._prizes[shift // bits], shift, emptied, left, pit)
                )
        if full:
            self._full.add(row)
        quiet.sort(reverse=True)
        again.sort(reverse=True)
        sorts = self[row] = tuple(quiet), tuple(again), tuple(captures), tuple(others)
        return sorts
