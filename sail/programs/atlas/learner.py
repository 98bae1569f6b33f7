"""The machine as a learner: what it knows of a position, and what it hopes for."""

from __future__ import annotations

from collections.abc import Callable

from sail.board import start
from sail.programs.atlas.memory import ALL_STONES, OTHER, Memory
from sail.programs.atlas.minimax import FEAR, Knowledge, MiniMax
from sail.programs.atlas.turns import PLAYER, Node, PackedTurn, Turns

# The position after P2, with which the player wins.
OPENING = start(3)._replace(mover=PLAYER).play(2)


class Learner:
    """A memory, the look-ahead, and the switches; each Course plays with them.

    stones: the number in each game.  learns: whether games are remembered, which
    those of 3 a pit are.  characteristics: whether new entries of wins in one turn
    are compressed.  parameters: whether outcomes that rest on parameters count.
    """

    def __init__(self, memory: Memory, stones: int = ALL_STONES) -> None:
        self.memory = memory
        self.learns = stones == ALL_STONES
        self.characteristics = True
        self.parameters = True
        self.turns = Turns(stones)
        self.minimax = MiniMax(self.turns)
        self.opening = self.turns.node(OPENING)

    def knowledge(self, node: Node, part: str) -> Callable[[PackedTurn], Knowledge]:
        """Return a function of a turn, which returns the knowledge to judge it by.

        part: that of this game; but after P2, each reply is judged by its own part.
        """

        def of(name: str) -> Knowledge:
            part, claims = self.memory.parts[name], self.memory.parameters.claims
            known = Knowledge(part.loser, part.winner, claims)
            return known if self.parameters else known.surely()

        if node == self.opening:
            return lambda turn: of(notation(turn.pits))
        here = of(part)
        return lambda _: here

    def lost(self, node: Node, part: str) -> dict[tuple[int, ...], int]:
        """Return the turns that count as lost, and for each LOSS or FEAR.

        part: see `knowledge`.
        """
        knows = self.knowledge(node, part)
        values = {
            turn.pits: self.minimax.value_after(node, turn, knows(turn))
            for turn in self.turns.of(node)
        }
        return {pits: value for pits, value in values.items() if value <= FEAR}

    def rejected(self) -> dict[str, int]:
        """Return the replies to P2 that count as lost, and for each LOSS or FEAR."""
        lost = self.lost(self.opening, OTHER)
        return {notation(pits): value for pits, value in lost.items()}


def notation(pits: tuple[int, ...]) -> str:
    """Return a turn of the machine in the form M3-M2."""
    return "-".join(f"M{pit}" for pit in pits)
