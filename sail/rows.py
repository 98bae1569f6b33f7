"""Packed rows: every move of a row, computed once and kept.

A row of pits is one int with the same number of bits for every pit, pit 1
lowest; 6 pits of 5 bits fill one digit of a Python int.  What a move does
to the own row, to the own kalah and which stones it adds to the row of the
other player depends on the own row alone; only a capture has to look at
the other row, at one pit.  So the moves of a row are kept as flat tuples
and a search adds ints:

    for pit, left, sown, gain, shift, emptied in rows[own]:
        yours = other + sown
        if shift >= 0:                         # ends in an own empty pit
            taken = yours >> shift & rows.mask
            if taken or rows.captures_empty:
                yours -= taken << shift
                left = emptied
                gain += taken + 1
        ...                                    # shift == REPEAT: play again

The caller sees to the end of the game: it is over when left or yours is 0.
"""

from __future__ import annotations

from sail.board import Row

PASS = -1
REPEAT = -2

# pit 1..m, own row after it, what to add to the other row, stones into the
# kalah, PASS or REPEAT or the shift of the pit opposite to an empty pit that
# the last stone reached, own row after a capture
Move = tuple[int, int, int, int, int, int]


class TooFull(Exception):
    """A pit holds more stones than narrow rows may: take wider ones."""


# what the stones of one pit change: own row, other row, kalah, and the pit
# 1..m of the last stone, 0 the kalah, less: in the other row
Sowing = tuple[int, int, int, int]


class Rows(dict[int, tuple[Move, ...]]):
    """The moves of every row asked for, rows[packed row].

    They stand in the order in which a search should try them: repeat moves,
    moves that may capture, the rest, each from pit 1, nearest the kalah, up.
    An empty row has none.

    pits: 1..6 a side.  bits: those of a pit; with bits_for(stones in play)
    of them no pit can overflow.  With fewer, give `most`: a row with a pit
    of more raises TooFull, and fullest_safe(...) tells which `most` keeps
    every sowing from running over before it is seen.  captures_empty: see
    sail.board.Rules.  kept: so many rows at most are remembered; then all
    are forgotten, which costs time only.
    """

    def __init__(
        self,
        pits: int,
        bits: int,
        captures_empty: bool = False,
        most: int = 0,
        kept: int = 100_000,
    ) -> None:
        super().__init__()
        self.pits = pits
        self.bits = bits
        self.captures_empty = captures_empty
        self.mask = (1 << bits) - 1
        self.width = bits * pits
        self.most = most or self.mask
        self.kept = kept
        self._sowings: list[list[Sowing]] = [[] for _ in range(pits)]

    def pack(self, row: Row) -> int:
        """The int of a row; row[pit - 1] stones, each fits in its bits."""
        packed = 0
        for count in reversed(row):
            packed = packed << self.bits | count
        return packed

    def unpack(self, packed: int) -> Row:
        """The stones of a packed row, [pit - 1]."""
        shifts = range(0, self.width, self.bits)
        return tuple(packed >> shift & self.mask for shift in shifts)

    def __missing__(self, row: int) -> tuple[Move, ...]:
        if len(self) >= self.kept:
            self.clear()
        moves = self[row] = self.moves(row)
        return moves

    def moves(self, row: int) -> tuple[Move, ...]:
        """The moves of a row, computed and not kept."""
        repeats: list[Move] = []
        captures: list[Move] = []
        others: list[Move] = []
        bits, mask, most = self.bits, self.mask, self.most
        rest = row
        pit = 0
        while rest:
            count = rest & mask
            rest >>= bits
            pit += 1
            if not count:
                continue
            if count > most:
                raise TooFull
            sowings = self._sowings[pit - 1]
            if count >= len(sowings):
                self._extend(pit, count)
            change, sown, gain, last = sowings[count]
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

    def _extend(self, pit: int, most: int) -> None:
        """Sow up to so many stones of a pit, one more each time."""
        sowings = self._sowings[pit - 1]
        pits, bits = self.pits, self.bits
        for count in range(len(sowings), most + 1):
            own = other = gain = 0
            hole = pit - 1  # as in board.play: 0 the kalah, then the other row
            last = hole
            for _ in range(count):
                if hole > 0:
                    own += 1 << (hole - 1) * bits
                elif hole == 0:
                    gain += 1
                else:
                    other += 1 << (pits + hole) * bits
                last, hole = hole, pits if hole == -pits else hole - 1
            own -= count << (pit - 1) * bits
            sowings.append((own, other, gain, last))


def bits_for(stones: int) -> int:
    """The bits of a pit that hold all stones in play, so any row."""
    return max(stones.bit_length(), 1)


def fullest_safe(pits: int, bits: int, stones: int) -> int:
    """The most stones in a pit that no turn can carry past its bits.

    stones: those in play.  Less than 1 when only wider rows will do.

    Rows are looked up when their owner is to move.  Then every lap of his
    own sowing may add a stone to a pit, and every lap of the repeat moves of
    the other, which costs that player pits + 1 of the stones that do not lie
    in this pit, and his last sowing one more.
    """
    mask = (1 << bits) - 1
    if stones <= mask:
        return mask
    laps = 1 + mask // (2 * pits + 1)
    most = mask
    while most > 0 and most + laps + (stones - most) // (pits + 1) + 1 > mask:
        most -= 1
    return most
