"""The first mechanism: a list of all turns from a position (BELL-IV.1).

The program uses packed rows (sail.engine.moves): m and p are the rows of the
machine and of the player, mk and pk their kalahs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sail.board import MOST_PITS, MOST_STONES, Pits, Position
from sail.engine.moves import MoveTable, bits_for

MACHINE, PLAYER = 0, 1  # players of sail.board; the machine is on top (BELL-III)
MOVES = MoveTable(MOST_PITS, bits_for(MOST_STONES))  # rows and their moves
MOST_LISTS = 150_000  # the most lists of turns kept, about a kilobyte each


class Node(NamedTuple):
    """A position: packed rows and kalahs of machine and player, and who is to move."""

    m: int
    p: int
    mk: int
    pk: int
    mover: int

    def after(self, turn: PackedTurn) -> Node:
        if self.mover == MACHINE:
            return Node(turn.rest, turn.facing, self.mk + turn.gain, self.pk, PLAYER)
        return Node(turn.facing, turn.rest, self.mk, self.pk + turn.gain, MACHINE)

    @property
    def over(self) -> bool:
        """Whether a row is empty."""
        return not self.m or not self.p

    @property
    def decided(self) -> bool:
        """Whether the game has ended, or would have by a majority."""
        in_play = stones_in(self.m) + stones_in(self.p)
        return self.over or abs(self.mk - self.pk) > in_play

    @property
    def score(self) -> tuple[int, int]:
        """The stones that count for machine and player, as in Position.score."""
        m, p, mk, pk, _ = self
        return (mk + stones_in(m), pk + stones_in(p)) if self.over else (mk, pk)

    def turns(self) -> tuple[PackedTurn, ...]:
        own, other = (self.m, self.p) if self.mover == MACHINE else (self.p, self.m)
        return turns_of(own, other)


class PackedTurn(NamedTuple):
    """A turn: its pits, the packed rows after it (rest: the mover's), and its gain."""

    pits: Pits
    rest: int
    facing: int
    gain: int


@lru_cache(MOST_LISTS)
def turns_of(own: int, other: int) -> tuple[PackedTurn, ...]:
    """Return the turns of a row against the other row, none if either is empty.

    The turns are listed depth first with a stack, as BELL-IV.1 describes, and the list
    is reversed.  So among the turns that begin with some pits, those that add just one
    pit to them come last.  Of two turns that lead to the same rows, the one found first
    is kept.
    """
    turns: list[PackedTurn] = []
    seen = set()
    put_aside = [PackedTurn((), own, other, 0)] if own and other else []
    while put_aside:
        pits, own, other, gained = put_aside.pop()
        for pit, rest, facing, gain, repeats in sorted(MOVES.successors(own, other)):
            turn = PackedTurn((*pits, pit), rest, facing, gained + gain)
            goes_on = repeats and rest > 0
            leads_to = rest, facing, turn.gain, goes_on
            if leads_to not in seen:
                seen.add(leads_to)
                (put_aside if goes_on else turns).append(turn)
    return tuple(reversed(turns))


def node_of(position: Position) -> Node:
    m, p = MOVES.packed(position._replace(mover=MACHINE))
    return Node(m, p, *position.kalahs, position.mover)


def stones_in(row: int) -> int:
    """Return the number of stones in a packed row.

    The row is a number to the base MOVES.mask + 1, so its digits add up to
    row % MOVES.mask: their sum is less than MOVES.mask.
    """
    return row % MOVES.mask
