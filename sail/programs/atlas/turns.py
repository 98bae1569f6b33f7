"""The first mechanism: a list of all turns from a position (BELL-IV.1).

The program looks at packed rows (sail.engine.moves): m and p are the rows of the
machine and of the player, mk and pk their kalahs.
"""

from __future__ import annotations

from typing import NamedTuple

from sail.board import MOST_PITS, Position
from sail.engine.moves import REPEAT, MoveTable, bits_for

MACHINE, PLAYER = 0, 1  # of sail.board; the machine is on top (BELL-III)
MOST_LISTS = 150_000  # of turns, about a kilobyte each


class Node(NamedTuple):
    """A position: packed rows and kalahs of machine and player."""

    m: int
    p: int
    mk: int
    pk: int

    def after(self, turn: Turn) -> Node:
        """The position after a turn of the machine."""
        return Node(turn.own, turn.other, self.mk + turn.gain, self.pk)

    def after_reply(self, turn: Turn) -> Node:
        """The position after a turn of the player."""
        return Node(turn.other, turn.own, self.mk, self.pk + turn.gain)


class Turn(NamedTuple):
    """A row of submoves, and the rows and the gained stones after it."""

    pits: tuple[int, ...]
    own: int
    other: int
    gain: int


class Turns(dict[int, tuple[Turn, ...]]):
    """The turns of every pair of rows asked for: turns[own << width | other].

    A submove that ends in the kalah is put by and continued later, last in,
    first out, so turns of many submoves are listed last; and the turn listed
    last stands first.  Where two turns lead to the same rows, the one listed
    first stands for both.  Neither row is empty.  stones: those of the game.
    BELL-IV.1.
    """

    def __init__(self, stones: int) -> None:
        self.moves = MoveTable(MOST_PITS, bits_for(stones))
        self.width = self.moves.width
        self.stones = stones

    def node(self, position: Position) -> Node:
        """The packed position."""
        m, p = map(self.moves.pack, position.rows)
        return Node(m, p, *position.kalahs)

    def position(self, node: Node, mover: int) -> Position:
        """The position of a node, that player to move."""
        rows = self.moves.unpack(node.m), self.moves.unpack(node.p)
        return Position(rows, (node.mk, node.pk), mover)

    def of(self, node: Node) -> tuple[Turn, ...]:
        """The turns of the machine."""
        return self[node.m << self.width | node.p]

    def replies(self, node: Node) -> tuple[Turn, ...]:
        """The turns of the player."""
        return self[node.p << self.width | node.m]

    def __missing__(self, key: int) -> tuple[Turn, ...]:
        if len(self) >= MOST_LISTS:
            self.clear()
        turns = self[key] = self.listed(key >> self.width, key & (1 << self.width) - 1)
        return turns

    def listed(self, own: int, other: int) -> tuple[Turn, ...]:
        """The turns of the owner of the first row, listed anew."""
        mask = self.moves.mask
        turns = []
        seen = set()
        put_by = [Turn((), own, other, 0)]
        while put_by:
            pits, mine, yours, gained = put_by.pop()
            for pit, left, sown, gain, shift, emptied in sorted(self.moves[mine]):
                after = yours + sown
                if shift >= 0:
                    taken = after >> shift & mask
                    if taken:
                        after -= taken << shift
                        left = emptied
                        gain += taken + 1
                goes_on = shift == REPEAT and left > 0
                turn = Turn((*pits, pit), left, after, gained + gain)
                if (turn[1:], goes_on) in seen:
                    continue
                seen.add((turn[1:], goes_on))
                if goes_on:
                    put_by.append(turn)
                else:
                    turns.append(turn)
        return tuple(reversed(turns))
