"""Packed rows: the moves of every row, computed once and kept.

A row of pits is one int with the same number of bits for every pit, pit 1
lowest.  What a move does to the mover's row and kalah, and which stones it
sows on the facing row, depends on the mover's row alone; only a capture looks
at the facing row, at one pit.  So the moves of a row are kept as flat tuples,
and a search adds ints:

    for pit, rest, sown, gain, shift, emptied in moves[own]:
        facing = other + sown
        if shift >= 0:                  # the last stone fell into an empty pit
            taken = facing >> shift & moves.mask
            if taken or moves.captures_empty:
                facing -= taken << shift
                rest = emptied
                gain += taken + 1
        ...                             # shift == REPEAT: the mover plays again

The game is over when rest or facing is 0; the caller checks that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from sail.board import Position, Row

PASS = -1
REPEAT = -2

# A move: the pit 1..m; the mover's row after it; what it adds to the facing
# row; the stones sown into the kalah; PASS, REPEAT or, if the last stone fell
# into an empty pit, the shift of the pit opposite; the mover's row after a
# capture.
Move = tuple[int, int, int, int, int, int]

# What follows a move: the pit 1..m; the mover's row and the facing row after
# it; the stones gained; whether the mover plays again.
After = tuple[int, int, int, int, bool]

# What the stones of one pit change: the mover's row, the facing row, the
# kalah; and where the last stone falls: pit 1..m, 0 for the kalah, less than 0
# for the facing row.
Sowing = tuple[int, int, int, int]


class MoveTable(dict[int, tuple[Move, ...]]):
    """The moves of every row asked for, moves[packed row].

    They are in the order in which a search should try them: repeat moves,
    moves that may capture, the rest, each from pit 1, nearest the kalah, up.
    An empty row has none.

    pits: 1..6 a side.  bits: the bits of a pit, at least bits_for(stones in
    play).  captures_empty: see sail.board.Rules.  capacity: the most rows that
    are remembered; then the oldest are dropped, which costs only time.
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
        """Return the int of a row of row[pit - 1] stones."""
        packed = 0
        for count in reversed(row):
            packed = packed << self.bits | count
        return packed

    def packed(self, position: Position) -> tuple[int, int]:
        """Return the rows of a position as ints, the mover's first."""
        mover = position.mover
        return self.pack(position.rows[mover]), self.pack(position.rows[1 - mover])

    def unpack(self, packed: int) -> Row:
        """Return the stones of a packed row, [pit - 1]."""
        shifts = range(0, self.width, self.bits)
        return tuple(packed >> shift & self.mask for shift in shifts)

    def __missing__(self, row: int) -> tuple[Move, ...]:
        make_room(self, self.capacity)
        moves = self[row] = self.listed(row)
        return moves

    def successors(self, own: int, other: int) -> Iterator[After]:
        """Yield what follows each move, captures made."""
        for pit, rest, sown, gain, shift, emptied in self[own]:
            facing = other + sown
            if shift >= 0:
                taken = facing >> shift & self.mask
                if taken or self.captures_empty:
                    facing -= taken << shift
                    rest = emptied
                    gain += taken + 1
            yield pit, rest, facing, gain, shift == REPEAT

    def listed(self, row: int) -> tuple[Move, ...]:
        """Return the moves of a row without keeping them."""
        repeats: list[Move] = []
        captures: list[Move] = []
        others: list[Move] = []
        bits, mask = self.bits, self.mask
        for pit, sowings in enumerate(self.sowings, 1):
            count = row >> (pit - 1) * bits & mask
            if not count:
                continue
            change, sown, gain, last = sowings[count]
            rest = row + change
            landing = (last - 1) * bits
            if last == 0:
                repeats.append((pit, rest, sown, gain, REPEAT, rest))
            elif last > 0 and rest >> landing & mask == 1:
                opposite = (self.pits - last) * bits
                emptied = rest - (1 << landing)
                captures.append((pit, rest, sown, gain, opposite, emptied))
            else:
                others.append((pit, rest, sown, gain, PASS, rest))
        return (*repeats, *captures, *others)

    def _sow(self, pit: int) -> list[Sowing]:
        """Return what the stones of a pit change, [stones]."""
        pits, bits = self.pits, self.bits
        sowings: list[Sowing] = []
        own = other = gain = 0
        last = hole = pit - 1  # as in board.play: 0 is the kalah
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


class RowFigures(dict[int, int]):
    """A figure of every row asked for, figures[packed row].

    work_out: computes the figure of a packed row.  capacity: as for MoveTable.
    """

    def __init__(self, work_out: Callable[[int], int], capacity: int) -> None:
        super().__init__()
        self._work_out = work_out
        self._capacity = capacity

    def __missing__(self, row: int) -> int:
        make_room(self, self._capacity)
        figure = self[row] = self._work_out(row)
        return figure


def make_room(rows: dict[int, Any], capacity: int) -> None:
    """Drop the oldest rows of a full table, not all at once: that takes too long."""
    if len(rows) >= capacity:
        for row in list(islice(rows, capacity // 100 + 1)):
            del rows[row]


def bits_for(stones: int) -> int:
    """Return the bits that a pit needs to hold all stones in play."""
    return max(stones.bit_length(), 1)
