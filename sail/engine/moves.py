"""Packed rows, and a table of their moves.

A packed row is one int with the same number of bits for each pit, pit 1 lowest.
A move depends on the mover's row alone, except that a capture also depends on
one pit of the facing row.  So MoveTable computes the moves of a row once, and a
search only adds ints, as in `MoveTable.successors`.

Throughout the engine, `own` and `other` are the rows of the mover and of the
opponent before a move; `rest` and `facing` are the same rows after it.  The game is
over when either is 0; MoveTable does not check that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sail.board import KALAH_RULES, Position, Row, Rules

# The fields of Rules that the engine knows; it ignores majority_ends (see value).
KNOWN_RULES = "captures_empty", "majority_ends"

PASS = -1
REPEAT = -2

# A move as pit, rest, given, gain, shift, emptied.  pit: 1..m.  rest: the mover's
# row after a move that captures nothing; emptied: after a capture.  given: the
# stones added to the facing row.  gain: the stones sown into the kalah.  shift:
# PASS, REPEAT or, if the last stone falls into an empty pit, the lowest bit of the
# pit opposite.
Move = tuple[int, int, int, int, int, int]

# The result of a move as pit, rest, facing, gain, repeats, captures included.
# repeats: whether the mover moves again.
Successor = tuple[int, int, int, int, bool]

# What sowing one pit changes, as a tuple: change, given, gain, last.  change: added to
# the mover's row.  given, gain: as in Move.  last: the last hole: pit 1..m, 0 for the
# kalah, negative for the facing row.
PitEffect = tuple[int, int, int, int]


class MoveTable(dict[int, tuple[Move, ...]]):
    """The moves of packed rows: moves[row], computed on first use.

    A row's moves come in the order in which a search should try them: repeat moves,
    moves that may capture, then the others, each group from pit 1 up.  An empty row
    has no moves.

    pits: 1..6 a side.  bits: the bits for each pit, at least bits_for(stones in
    play).  capacity: the number of rows kept; a full table is emptied, which costs only
    time.
    """

    def __init__(
        self, pits: int, bits: int, rules: Rules = KALAH_RULES, capacity: int = 100_000
    ) -> None:
        super().__init__()
        self.pits_a_side = pits
        self.bits = bits
        self.rules = rules.without_majority
        self.captures_empty = rules.captures_empty
        self.mask = (1 << bits) - 1
        self.width = bits * pits
        self.capacity = capacity
        self.effects = [self._sow(pit) for pit in range(1, pits + 1)]

    def are_by(self, rules: Rules) -> bool:
        """Return whether the engine knows these rules, and these moves are by them."""
        return rules._fields == KNOWN_RULES and rules.without_majority == self.rules

    def pack(self, row: Row) -> int:
        """Return the packed row with row[pit - 1] stones in each pit."""
        packed = 0
        for count in reversed(row):
            packed = packed << self.bits | count
        return packed

    def packed(self, position: Position) -> tuple[int, int]:
        """Return both rows of a position, packed, the mover's first.

        Every position enters the engine here.  Raises ValueError if it has rules that
        these moves do not obey.
        """
        if not self.are_by(position.rules):
            raise ValueError(f"not by KNOWN_RULES, or not these: {position.rules}")
        mover = position.mover
        return self.pack(position.rows[mover]), self.pack(position.rows[1 - mover])

    def unpack(self, packed: int) -> Row:
        """Return the stone count of each pit in a packed row, pit 1 first."""
        shifts = range(0, self.width, self.bits)
        return tuple(packed >> shift & self.mask for shift in shifts)

    def __missing__(self, row: int) -> tuple[Move, ...]:
        if len(self) >= self.capacity:
            self.clear()
        repeats: list[Move] = []
        captures: list[Move] = []
        others: list[Move] = []
        bits, mask = self.bits, self.mask
        for pit, effects in enumerate(self.effects, 1):
            count = row >> (pit - 1) * bits & mask
            if not count:
                continue
            change, given, gain, last = effects[count]
            rest = row + change
            landing = (last - 1) * bits
            if last == 0:
                repeats.append((pit, rest, given, gain, REPEAT, rest))
            elif last > 0 and rest >> landing & mask == 1:
                opposite = (self.pits_a_side - last) * bits
                emptied = rest - (1 << landing)
                captures.append((pit, rest, given, gain, opposite, emptied))
            else:
                others.append((pit, rest, given, gain, PASS, rest))
        moves = self[row] = (*repeats, *captures, *others)
        return moves

    def successors(self, own: int, other: int) -> Iterator[Successor]:
        """Yield the result of each move of `own` against `other`."""
        for pit, rest, given, gain, shift, emptied in self[own]:
            facing = other + given
            if shift >= 0:  # the last stone fell into an empty pit
                taken = facing >> shift & self.mask
                if taken or self.captures_empty:
                    facing -= taken << shift
                    rest = emptied
                    gain += taken + 1
            yield pit, rest, facing, gain, shift == REPEAT

    def _sow(self, pit: int) -> list[PitEffect]:
        """Return the effect of sowing a pit for each number of stones in it."""
        pits, bits = self.pits_a_side, self.bits
        effects: list[PitEffect] = []
        own = other = gain = 0
        last = hole = pit - 1  # numbered like the last of a PitEffect
        for count in range(self.mask + 1):
            change = own - (count << (pit - 1) * bits)
            effects.append((change, other, gain, last))
            if hole > 0:
                own += 1 << (hole - 1) * bits
            elif hole == 0:
                gain += 1
            else:
                other += 1 << (pits + hole) * bits
            last, hole = hole, pits if hole == -pits else hole - 1
        return effects


class RowNumbers(dict[int, int]):
    """A number for each packed row, which `work_out` computes on first use."""

    def __init__(self, work_out: Callable[[int], int], capacity: int) -> None:
        super().__init__()
        self._work_out = work_out
        self._capacity = capacity

    def __missing__(self, row: int) -> int:
        if len(self) >= self._capacity:
            self.clear()
        number = self[row] = self._work_out(row)
        return number


def bits_for(stones: int) -> int:
    """Return the number of bits that let one pit hold all stones in play."""
    return max(stones.bit_length(), 1)
