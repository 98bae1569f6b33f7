"""The locations a6 to kb, and MV, EGC, EV and ORD on them (Stanford A.I. Memo 22)."""

from __future__ import annotations

from sail.board import MOST_PITS, Position

FEW_STONES = 16  # in the pits; up to this many, EV makes all moves at once
SURE = 100  # added to the final difference for the winner

# The places of the PDP-1's board are a6 .. a1 ka b6 .. b1 kb; place 12 - n is opposite
# place n.  RINGS[side] lists the places that a side sows, from its pit 6, often enough
# for any sowing.
KA, KB = 6, 13
ACROSS = 12
HOLES = 13  # the number of holes that a side sows: all but the other kalah
RINGS = tuple(
    tuple((first + hole) % 14 for hole in range(HOLES)) * 13 for first in (0, 7)
)
# STAYING[hole][stones]: how many of `stones` stones sown from that hole stay on the
# sower's side.  FEW_STONES itself is left out: if one pit had them all, the game would
# be over.
STAYING = tuple(
    tuple(
        sum((hole + stone) % HOLES <= 6 for stone in range(1, stones + 1))
        for stones in range(FEW_STONES)
    )
    for hole in range(MOST_PITS)
)


class Locations:
    """A position as the PDP-1 holds it.  It never changes; `mv` makes a new one.

    places: the stones in a6 .. a1 ka b6 .. b1 kb.
    moves: the number of moves made since the board was set up.
    end_of_turn, end_of_game, second: flags 4, 5 and 6: whether the last move ended
    the turn, whether the game counts as over, whether b is to move (M22-FLAGS).
    """

    __slots__ = ("end_of_game", "end_of_turn", "moves", "places", "second")

    def __init__(
        self, places: list[int], second: int, moves: int = 0, end_of_turn: int = 1
    ) -> None:
        self.places = places
        self.second = second
        self.moves = moves
        self.end_of_turn = end_of_turn
        self.end_of_game = self.egc()

    @classmethod
    def of(cls, position: Position) -> Locations:
        """Return the board of a position."""
        (a, b), (ka, kb) = position.rows, position.kalahs
        return cls([*reversed(a), ka, *reversed(b), kb], position.mover)

    def row(self, side: int) -> list[int]:
        """Return the stones in the pits of `side`, from pit 1 to pit 6."""
        return self.places[7 * side : 7 * side + MOST_PITS][::-1]

    @property
    def kalahs(self) -> tuple[int, int]:
        """The stones in ka and kb."""
        return self.places[KA], self.places[KB]

    @property
    def sides(self) -> tuple[int, int]:
        """The stones on a's and b's side, kalahs included."""
        return sum(self.places[:7]), sum(self.places[7:])

    @property
    def legal(self) -> list[int]:
        """The pits with stones of the player to move, from pit 1 to pit 6."""
        return [pit for pit, stones in enumerate(self.row(self.second), 1) if stones]

    def mv(self, pit: int) -> Locations:
        """Return the board after the move of `pit`, which must hold stones.

        A capture needs stones in the pit opposite.  The memo leaves that open,
        but without this rule the printed run would have a total of 571
        positions, not 627 (M22-RULES).
        """
        second = self.second
        places = self.places[:]
        ring = RINGS[second]
        hole = MOST_PITS - pit
        stones = places[ring[hole]]
        places[ring[hole]] = 0
        for last in ring[hole + 1 : hole + 1 + stones]:
            places[last] += 1
        hole = (hole + stones) % HOLES
        end_of_turn = int(hole != 6)
        if hole < 6 and places[last] == 1 and places[ACROSS - last]:
            places[KB if second else KA] += 1 + places[ACROSS - last]
            places[last] = places[ACROSS - last] = 0
        return Locations(places, second ^ end_of_turn, self.moves + 1, end_of_turn)

    def egc(self) -> bool:
        """Return whether the game counts as over (M22-EGC).

        The game is over when a kalah holds more than half of the stones, when a row
        is empty, or when neither side can interfere with the other's remaining
        moves.  (In the first case the memo names "one side", not a kalah.  If the pits
        of the side counted too, the printed run would have a total of 35, not 627.)
        """
        places = self.places
        a, b = places[:6], places[7:13]
        half = sum(places) // 2
        return (
            places[KA] > half
            or places[KB] > half
            or not any(a)
            or not any(b)
            or (not a[0] and not b[0] and _out_of_reach(a, b))
        )

    @property
    def score(self) -> int:
        """The value of a finished game, from a's side (M22-EGC.SCORE).

        Each player keeps the stones on his side.  The score is a's stones less
        b's, plus 100 if a wins, minus 100 if b wins; a tie scores 100.
        """
        a, b = self.sides
        return a - b + (-SURE if a < b else SURE)

    def ev(self, bird_in_hand: bool = False) -> int:
        """Return the estimate of the board, from a's side (M22-EV).

        With more than 16 stones in the pits, or with bird_in_hand, it is ka - kb.
        Otherwise every pit of both sides is sown at once, without captures; the
        estimate is a's side less b's side after that, kalahs included.
        """
        places = self.places
        stones = sum(places)
        if bird_in_hand or stones - places[KA] - places[KB] > FEW_STONES:
            return places[KA] - places[KB]
        a = places[KA]
        for hole in range(MOST_PITS):
            b = places[7 + hole]
            a += STAYING[hole][places[hole]] + b - STAYING[hole][b]
        return 2 * a - stones

    def ord(self) -> list[int]:
        """Return the legal pits, best first (M22-ORD).

        Moves that capture or end in the kalah come before the others; in
        each group the pit nearest to the kalah comes first.  The original
        returned a word with an octal digit for each pit, the best at the right.
        """
        places, ring = self.places, RINGS[self.second]
        good: list[int] = []
        others: list[int] = []
        for pit in range(1, MOST_PITS + 1):
            hole = MOST_PITS - pit
            stones = places[ring[hole]]
            if not stones:
                continue
            last = (hole + stones) % HOLES
            there = places[ring[last]]
            # A sowing of 13 ends in the pit it began in, now empty.  One that goes
            # round (last <= hole) has put a stone into the pit opposite.
            first = last == 6 or (
                last < 6
                and stones <= HOLES
                and (not there or stones == HOLES)
                and (last <= hole or places[ACROSS - ring[last]])
            )
            (good if first else others).append(pit)
        return good + others


def _out_of_reach(*rows: list[int]) -> bool:
    """Return whether both sides can bring their stones home undisturbed.

    rows: both sides, from pit 6 to pit 1, neither empty.  A side uses its filled
    pits and all pits between them and its kalah.  No used pit may be opposite
    a used pit of the other side, and no pit may sow past its own kalah.
    """
    places = [list(enumerate(row)) for row in rows]
    # Hole h, from 0 at pit 6, is opposite hole 5 - h of the other side.
    farthest = [next(hole for hole, stones in row if stones) for row in places]
    return sum(farthest) >= MOST_PITS and all(
        stones <= MOST_PITS - hole for row in places for hole, stones in row
    )
