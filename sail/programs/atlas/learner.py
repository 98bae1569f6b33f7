"""The machine: what it knows of a position, and what it hopes for (BELL-IV.3)."""

from __future__ import annotations

from collections.abc import Callable

from sail.board import start
from sail.programs.atlas.memory import ALL_STONES, OTHER, REPLIES, Memory
from sail.programs.atlas.minimax import FEAR, NO_KNOWLEDGE, Knowledge, MiniMax
from sail.programs.atlas.turns import PLAYER, Node, PackedTurn, Turns

# The position after P2, with which the player wins.
OPENING = start(3)._replace(mover=PLAYER).play(2)


class Learner:
    """A memory, the look-ahead, and the switches; each AtlasGame plays with them.

    stones: the number in each game.  The machine learns only from games of 3 a pit.
    characteristics: whether new entries of wins in one turn are compressed.
    parameters: whether outcomes that rest on parameters count.
    inferences: whether to do three things that Bell's counts suggest (BELL-V.2):

    - When the machine loses, store also the position after its turn, if the player
      wins from it in one turn.
    - Compress also a position that the player wins in one turn.
    - When all alternatives to a turn prove lost, the turn before it is lost, too: drop
      the uncompressed lost positions stored to prove that.
    """

    def __init__(self, memory: Memory, stones: int = ALL_STONES) -> None:
        self.memory = memory
        self.learns = stones == ALL_STONES
        self.characteristics = True
        self.parameters = True
        self.inferences = False
        self.turns = Turns(stones)
        self.minimax = MiniMax(self.turns)
        self.opening = self.turns.node(OPENING)

    def knowledge(
        self, node: Node, part: str, surely: bool = False
    ) -> Callable[[PackedTurn], Knowledge]:
        """Return a function of a turn, which returns the knowledge to judge it by.

        part: that of this game; but after P2, each reply is judged by its own part.
        surely: whether to ignore parameters even if they are on.
        """
        if not self.learns:
            return lambda _: NO_KNOWLEDGE

        def of(name: str) -> Knowledge:
            part, claims = self.memory.parts[name], self.memory.parameters.claims
            known = Knowledge(part.loser, part.winner, claims)
            return known.surely() if surely or not self.parameters else known

        if node == self.opening:
            return lambda turn: of(notation(turn.pits))
        here = of(part)
        return lambda _: here

    def hopes(self, node: Node, part: str, surely: bool = False) -> list[PackedTurn]:
        """Return the turns that do not count as lost; see `knowledge`."""
        knows = self.knowledge(node, part, surely)
        return [
            turn
            for turn in self.turns.of(node)
            if self.minimax.value_after(node, turn, knows(turn)) > FEAR
        ]

    def lost(self, surely: bool = False) -> list[str]:
        """Return the replies to P2 that count as lost; see `knowledge`."""
        hopes = self.hopes(self.opening, OTHER, surely)
        names = [notation(turn.pits) for turn in hopes]
        return [reply for reply in REPLIES if reply not in names]


def notation(pits: tuple[int, ...]) -> str:
    """Return a turn of the machine in the form M3-M2."""
    return "-".join(f"M{pit}" for pit in pits)
