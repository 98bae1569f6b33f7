"""The moves of a row in the order in which the search looks at them.

What they are worth depends, but for the other row, on the own row alone, so
it is worked out once for every row and kept.
"""

from __future__ import annotations

from itertools import islice

from sail.engine.estimate import MOVING, UNIT, WAITING, Estimate
from sail.engine.moves import PASS, REPEAT, Move, MoveTable

CAPACITY = 140_000  # rows remembered at most, about 1.6 KB each
DROPPED = 1_000  # rows forgotten at a time: all at once would halt the search

# A move that passes the turn and takes nothing, whatever the other row: the
# worth of what it leaves and gains, the stones that reach the other row.
Quiet = tuple[int, int, Move]

# A move within the own row to the kalah: the worth of what it leaves and
# gains, own row after it.
Repeat = tuple[int, int, Move]

# A move within the own row to an empty pit: the worth of what it leaves after
# a capture, the prize by the stones in the opposite pit, the shift of that pit.
Capture = tuple[int, tuple[int, ...], int, Move]

# All moves, repeats and captures first; then their kinds, the best worth
# first in each: quiet moves, repeats, captures, and whatever else there is,
# sowings of a whole lap or of the last stones.
Kinds = tuple[list[Move], list[Quiet], list[Repeat], list[Capture], list[Move]]


class RankedMoves(dict[int, Kinds]):
    """The moves of a row by kinds, ranked[packed row].

    They are the moves of MoveTable with the gain in UNIT.  A last stone
    captures only what lies opposite.

    gains: what a capture gains, by the stones in the opposite pit.
    """

    def __init__(self, pits: int, bits: int) -> None:
        super().__init__()
        self.moves = MoveTable(pits, bits)
        self.estimate = Estimate(pits, bits)
        self.gains = [(stones + 1) * UNIT for stones in range(self.moves.mask + 1)]
        self.gains[0] = 0
        reached = {step: stones for stones, step in enumerate(self.estimate.steps)}
        self._sowings = [
            [
                (change, sown, gain * UNIT, last, reached.get(sown, -1))
                for change, sown, gain, last in sowings
            ]
            for sowings in self.moves.sowings
        ]
        self._prizes = [self._prize(pit) for pit in range(pits)]

    def _prize(self, pit: int) -> tuple[int, ...]:
        """What captures add to a worth, by the stones in the pit they empty."""
        worths = MOVING[pit]
        prize = [
            gain + worths[min(stones, len(worths) - 1)]
            for stones, gain in enumerate(self.gains)
        ]
        prize[0] = WAITING[self.moves.pits - 1 - pit][1]  # the last stone stays
        return tuple(prize)

    def __missing__(self, row: int) -> Kinds:
        if len(self) >= CAPACITY:
            for known in list(islice(self, DROPPED)):
                del self[known]
        bits, mask, pits = self.moves.bits, self.moves.mask, self.moves.pits
        low, high = self.estimate.lower, self.estimate.upper
        half_mask, half = self.estimate.half_mask, self.estimate.half
        quiet: list[Quiet] = []
        repeats: list[Repeat] = []
        captures: list[Capture] = []
        others: list[Move] = []
        # As MoveTable.listed, but in one pass: new rows take a good part of the time.
        rest, pit = row, 0
        while rest:
            count = rest & mask
            rest >>= bits
            pit += 1
            if not count:
                continue
            change, sown, gain, last, reached = self._sowings[pit - 1][count]
            left = row + change
            shift, emptied = PASS, left
            if last == 0:
                shift = REPEAT
            elif last > 0:
                landing = (last - 1) * bits
                if left >> landing & mask == 1:
                    shift = (pits - last) * bits
                    emptied = left - (1 << landing)
            move = (pit, left, sown, gain, shift, emptied)
            if not emptied or reached < 0 or reached and shift != PASS:
                others.append(move)
                continue
            lower, upper = low[emptied & half_mask], high[emptied >> half]
            if shift == REPEAT:
                repeats.append((UNIT + lower[0] + upper[0], left, move))
                continue
            worth = lower[-1] + upper[-1]
            if shift == PASS:
                quiet.append((worth + gain, reached, move))
            else:
                captures.append((worth, self._prizes[shift // bits], shift, move))
        quiet.sort(reverse=True)
        repeats.sort(reverse=True)
        moves = []
        for _, _, move in repeats:
            moves.append(move)
        for _, _, _, move in captures:
            moves.append(move)
        moves += others
        for _, _, move in quiet:
            moves.append(move)
        kinds = self[row] = moves, quiet, repeats, captures, others
        return kinds

    def after(self, move: Move, other: int) -> tuple[int, int, int]:
        """Own row, other row and the gain, in UNIT, of a move of this table."""
        _, left, sown, gain, shift, emptied = move
        yours = other + sown
        taken = yours >> shift & self.moves.mask if shift >= 0 else 0
        if taken:
            return emptied, yours - (taken << shift), gain + self.gains[taken]
        return left, yours, gain
