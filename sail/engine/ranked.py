"""The moves of a row in the order in which the search looks at them.

What they are worth depends, but for the other row, on the own row alone, so
it is worked out once for every row and kept.
"""

from __future__ import annotations

from itertools import islice

from sail.engine.estimate import MOVING, UNIT, WAITING, Estimate
from sail.engine.moves import PASS, REPEAT, MoveTable

CAPACITY = 220_000  # rows remembered at most, about 0.9 KB each
DROPPED = 1_000  # rows forgotten at a time: all at once would halt the search

# pit 1..m, what to add to the own row and to the other row, the gain in UNIT,
# PASS or REPEAT or the shift of the pit opposite to an empty pit that the last
# stone reached, what to add to the own row after a capture
Change = tuple[int, int, int, int, int, int]

# A move that passes the turn and takes nothing, whatever the other row: the
# worth of what it leaves and gains, the stones that reach the other row.
Quiet = tuple[int, int, Change]

# A move within the own row to the kalah: the worth of what it leaves and
# gains, own row after it.
Repeat = tuple[int, int, Change]

# A move within the own row to an empty pit: the worth of what it leaves after
# a capture, the prize by the stones in the opposite pit, the shift of that pit.
Capture = tuple[int, tuple[int, ...], int, Change]

# All moves, repeats and captures first; then their kinds: quiet moves, the best
# worth first, repeats, captures, and whatever else there is, sowings of a whole
# lap or of the last stones, from pit 1 up.  Of repeats the one from the pit
# nearest the kalah leaves most.
Kinds = tuple[list[Change], list[Quiet], list[Repeat], list[Capture], list[Change]]

# What the stones of one pit may do: the change of the own row, the stones
# that reach the other row, -1 if the move is none of the kinds above; REPEAT
# or the shift of the own pit of the last stone, PASS for one in the other
# row; the move if that pit was not empty, the move if it was, and the prize
# of the capture then, none after a whole lap.
Sowing = tuple[int, int, int, Change, Change, "tuple[int, ...] | None"]


class RankedMoves(dict[int, Kinds]):
    """The moves of a row by kinds, ranked[packed row].

    They are the moves of MoveTable, but hold what to add to the own row and
    not that row after them, so all rows share them; most of what a search
    does for a row that it has not met is saved by it.  A last stone captures
    only what lies opposite.

    gains: what a capture gains, by the stones in the opposite pit.
    """

    def __init__(self, pits: int, bits: int) -> None:
        super().__init__()
        self.moves = MoveTable(pits, bits)
        self.estimate = Estimate(pits, bits)
        self.gains = [(stones + 1) * UNIT for stones in range(self.moves.mask + 1)]
        self.gains[0] = 0
        self._prizes = [self._prize(pit) for pit in range(pits)]
        self._sowings = [self._sow(pit) for pit in range(1, pits + 1)]

    def _sow(self, pit: int) -> list[Sowing]:
        """What a pit's stones may do, by their number."""
        pits, bits = self.moves.pits, self.moves.bits
        reached = {step: stones for stones, step in enumerate(self.estimate.steps)}
        sowings: list[Sowing] = []
        for change, sown, gain, last in self.moves.sowings[pit - 1]:
            across = reached.get(sown, -1)
            if last == 0 and across:
                across = -1
            landing, prize = REPEAT if last == 0 else PASS, None
            move = capture = pit, change, sown, gain * UNIT, landing, change
            if last > 0:
                landing = (last - 1) * bits
                opposite = pits - last
                emptied = change - (1 << landing)
                capture = pit, change, sown, gain * UNIT, opposite * bits, emptied
                prize = None if across else self._prizes[opposite]
            sowings.append((change, across, landing, move, capture, prize))
        return sowings

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
        bits, mask = self.moves.bits, self.moves.mask
        low, high = self.estimate.lower, self.estimate.upper
        half_mask, half = self.estimate.half_mask, self.estimate.half
        quiet: list[Quiet] = []
        repeats: list[Repeat] = []
        captures: list[Capture] = []
        others: list[Change] = []
        # As MoveTable.listed, but in one pass: new rows take a good part of the time.
        rest = row
        for sowings in self._sowings:
            count = rest & mask
            rest >>= bits
            if not count:
                continue
            change, reached, landing, move, capture, prize = sowings[count]
            left = row + change
            if landing >= 0 and left >> landing & mask == 1:
                left = row + capture[5]
                if prize and left:
                    worth = low[left & half_mask][-1] + high[left >> half][-1]
                    captures.append((worth, prize, capture[4], capture))
                else:
                    others.append(capture)
            elif reached < 0 or not left:
                others.append(move)
            elif landing == REPEAT:
                worth = UNIT + low[left & half_mask][0] + high[left >> half][0]
                repeats.append((worth, left, move))
            else:
                worth = low[left & half_mask][-1] + high[left >> half][-1]
                quiet.append((worth + move[3], reached, move))
        quiet.sort(reverse=True)
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

    def after(self, move: Change, own: int, other: int) -> tuple[int, int, int]:
        """Own row, other row and the gain, in UNIT, of a move of this table."""
        _, change, sown, gain, shift, emptied = move
        yours = other + sown
        taken = yours >> shift & self.moves.mask if shift >= 0 else 0
        if taken:
            return own + emptied, yours - (taken << shift), gain + self.gains[taken]
        return own + change, yours, gain
