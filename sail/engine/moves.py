"""Packed rows: every move of a row, computed once and kept.

A row of pits is one int with the same number of bits for every pit, pit 1
lowest.  What a move does to the own row, to the own kalah and which stones it
adds to the row of the other player depends on the own row alone; only a capture has to look at
the other row, at one pit.  So the moves of a row are kept as flat tuples
and a search adds ints:

    for pit, left, sown, gain, shift, emptied in moves[own]:
        yours = other + sown
        if shift >= 0:                         # ends in an own empty pit
            taken = yours >> shift & moves.mask
            if taken or moves.captures_empty:
                yours -= taken << shift
                left = emptied
                gain += taken + 1
        ...                                    # shift == REPEAT: play again

The caller sees to the end of the game: it is over when left or yours is 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from sail.board import Position, Row

PASS = -1
REPEAT = -2

# pit 1..m, own row after it, what to add to the other row, stones into the
# kalah, PASS or REPEAT or the shift of the pit opposite to an empty pit that
# the last stone reached, own row after a capture
Move = tuple[int, int, int, int, int, int]

# pit 1..m, own row and other row after it, stones into the kalah, whether the
# mover plays again
After = tuple[int, int, int, int, bool]

# what the stones of one pit change: own row, other row, kalah, and the pit
# 1..m of the last stone, 0 the kalah, less: in the other row
Sowing = tuple[int, int, int, int]


class MoveTable(dict[int, tuple[Move, ...]]):
    """The moves of every row asked for, moves[packed row].

    They stand in the order in which a search should try them: repeat moves,
    moves that may capture, the rest, each from pit 1, nearest the kalah, up.
    An empty row has none.

    pits: 1..6 a side.  bits: those of a pit; it needs bits_for(stones in play).
    captures_empty: see sail.board.Rules.  capacity: so many rows at most are
    remembered; then all are forgotten, which costs time only.
    """

    def __init__(
        self,
        pits: int,
        bits: int,
        captures_empty: bool = False,
        capacity: int = 100_000,
    ) -> None:
        super().__init__()
        self.pits = pits
        self.bits = bits
        self.captures_empty = captures_empty
        self.mask = (1 << bits) - 1
        self.width = bits * pits
        self.capacity = capacity
        self.sowings = [self._sow(pit) for pit in range(1, pits + 1)]

    def pack(self, row: Row) -> int:
        """The int of a row; row[pit - 1] stones, each fits in its bits."""
        packed = 0
        for count in reversed(row):
            packed = packed << self.bits | count
        return packed

    def packed(self, position: Position) -> tuple[int, int]:
        """The rows of a position as ints, the mover's first."""
        mover = position.mover
        return self.pack(position.rows[mover]), self.pack(position.rows[1 - mover])

    def unpack(self, packed: int) -> Row:
        """The stones of a packed row, [pit - 1]."""
        shifts = range(0, self.width, self.bits)
        return tuple(packed >> shift & self.mask for shift in shifts)

    def __missing__(self, row: int) -> tuple[Move, ...]:
        if len(self) >= self.capacity:
            self.clear()
        moves = self[row] = self.listed(row)
        return moves

    def successors(self, own: int, other: int) -> Iterator[After]:
        """What each move leads to, captures made; for work that need not hurry."""
        for pit, left, sown, gain, shift, emptied in self[own]:
            yours = other + sown
            if shift >= 0:
                taken = yours >> shift & self.mask
                if taken or self.captures_empty:
                    yours -= taken << shift
                    left = emptied
                    gain += taken + 1
            yield pit, left, yours, gain, shift == REPEAT

    def listed(self, row: int) -> tuple[Move, ...]:
        """The moves of a row, computed and not kept."""
        repeats: list[Move] = []
        captures: list[Move] = []
        others: list[Move] = []
        bits, mask = self.bits, self.mask
        rest = row
        pit = 0
        while rest:
            count = rest & mask
            rest >>= bits
            pit += 1
            if not count:
                continue
            change, sown, gain, last = self.sowings[pit - 1][count]
            left = row + change
            if last == 0:
                repeats.append((pit, left, sown, gain, REPEAT, left))
                continue
            if last > 0:
                landing = (last - 1) * bits
                if left >> landing & mask == 1:
                    opposite = (self.pits - last) * bits
                    emptied = left - (1 << landing)
                    captures.append((pit, left, sown, gain, opposite, emptied))
                    continue
            others.append((pit, left, sown, gain, PASS, left))
        return (*repeats, *captures, *others)

    def _sow(self, pit: int) -> list[Sowing]:
        """What a pit's stones change, by their number."""
        pits, bits = self.pits, self.bits
        sowings: list[Sowing] = []
        own = other = gain = 0
        last = hole = pit - 1  # as in board.play: 0 the kalah, then the other row
        for count in range(self.mask + 1):
            sowings.append((own - (count << (pit - 1) * bits), other, gain, last))
            if hole > 0:
                own += 1 << (hole - 1) * bits
            elif hole == 0:
                gain += 1
            else:
                other += 1 << (pits + hole) * bits
            last, hole = hole, pits if hole == -pits else hole - 1
        return sowings


def bits_for(stones: int) -> int:
    """The bits of a pit that hold all stones in play, so any row."""
    return max(stones.bit_length(), 1)
