"""A game of KALAH: where it began, what was played, how it ended."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from sail.board import Position


class Ending(Enum):
    """How a game ended other than on the board; so KALAH.OUT has it."""

    CONCEDED = "CONCEDED"
    DRAW = "DRAW"
    WIN = "WIN"
    DAMMIT = "DAMMIT"
    QUIT = "QUIT"


class Turn(NamedTuple):
    """The submoves of one player in one turn and the position after them."""

    player: int
    pits: tuple[int, ...]
    after: Position


class Game(NamedTuple):
    """A game; it never changes, each move makes a new one.

    start: the first position, whose mover begins.
    level: the name of the level that the computer plays at.
    human: the player, 0 or 1, that is not the computer.
    when: the local time of its beginning, as 1972-10-06 14:03.
    moves: the pits played, by both players, in order.
    ending: None while it goes on, and when it ended on the board.
    """

    start: Position
    level: str
    human: int
    when: str
    moves: tuple[int, ...] = ()
    ending: Ending | None = None

    @property
    def nodes(self) -> list[Position]:
        """All positions, from the start to the present one.

        Raises IllegalMove if the moves cannot be played.
        """
        nodes = [self.start]
        for pit in self.moves:
            nodes.append(nodes[-1].play(pit))
        return nodes

    @property
    def node(self) -> Position:
        """The present position."""
        return self.nodes[-1]

    @property
    def over(self) -> bool:
        """Whether it has ended, on the board or otherwise."""
        return self.ending is not None or self.node.over

    @property
    def turns(self) -> list[Turn]:
        """The turns; the last may still be going on."""
        nodes = self.nodes
        turns: list[Turn] = []
        for before, pit, after in zip(nodes, self.moves, nodes[1:]):
            if turns and turns[-1].player == before.mover:
                turns[-1] = Turn(before.mover, turns[-1].pits + (pit,), after)
            else:
                turns.append(Turn(before.mover, (pit,), after))
        return turns

    @property
    def submoves(self) -> tuple[int, ...]:
        """The pits that the player to move has played in this turn."""
        turns = self.turns
        if turns and turns[-1].player == self.node.mover:
            return turns[-1].pits
        return ()

    @property
    def turn_number(self) -> int:
        """The number of the turn that is going on, from 1."""
        return len(self.turns) + (0 if self.submoves else 1)

    @property
    def winner(self) -> int | None:
        """The player who has won; None for a draw, a quit, a game going on."""
        if self.ending == Ending.CONCEDED:
            return 1 - self.human
        if self.ending in (Ending.WIN, Ending.DAMMIT):
            return self.human
        node = self.node
        if self.ending or not node.over or node.score[0] == node.score[1]:
            return None
        return 0 if node.score[0] > node.score[1] else 1

    def play(self, pit: int) -> Game:
        """The game with that pit played.  Raises IllegalMove."""
        self.node.play(pit)
        return self._replace(moves=self.moves + (pit,))

    def end(self, ending: Ending) -> Game:
        """The game ended in that way."""
        return self._replace(ending=ending)

    def redo(self) -> Game:
        """The game without the submoves of the present turn (AKC-12200)."""
        return self._replace(moves=self.moves[: len(self.moves) - len(self.submoves)])

    def back(self) -> Game | None:
        """The game before the human's last turn (AKC-12100).

        The answer to it and any submoves of the present turn go too.  At
        his first turn only the submoves go; None when there are none.
        """
        begun = [
            count
            for count, node in enumerate(self.nodes)
            if node.mover == self.human
            and (count == 0 or self.nodes[count - 1].mover != self.human)
        ]
        here = begun[-2] if len(begun) > 1 else begun[0]
        return (
            None if here == len(self.moves) else self._replace(moves=self.moves[:here])
        )
