"""The machine: what it knows of a position, and what it hopes for (BELL-IV.3)."""

from __future__ import annotations

from collections.abc import Callable

from sail.board import start
from sail.programs.atlas.memory import OTHER, REPLIES, STONES, Memory
from sail.programs.atlas.minimax import (
    FEAR,
    LOSS,
    NOTHING,
    UNKNOWN,
    WIN,
    Knowledge,
    MiniMax,
    Outcome,
)
from sail.programs.atlas.turns import PLAYER, Node, Turn, Turns

OPENING = start(3)._replace(mover=PLAYER).play(2)  # after P2, which wins


class Machine:
    """A memory, the look-ahead, and the switches; each Game plays with them.

    stones: the number in each game.  The machine learns only from games of 3 a pit.
    characteristics, parameters: whether these compressions are on.
    inferences: whether to do three things that Bell's counts suggest (BELL-V.2).
    The position that ends a lost game is stored, too.  A position that the
    player wins in one turn is compressed like one that the machine wins.  And
    if a whole region proves lost, only the position that the score backs up
    to is kept.  ATLAS.DOC cites the passages.
    """

    def __init__(self, memory: Memory, stones: int = STONES) -> None:
        self.memory = memory
        self.learns = stones == STONES
        self.characteristics = True
        self.parameters = True
        self.inferences = True
        self.turns = Turns(stones)
        self.minimax = MiniMax(self.turns)
        self.opening = self.turns.node(OPENING)

    def knowledge(
        self, node: Node, part: str, parameters: bool | None = None
    ) -> Callable[[Turn], Knowledge]:
        """Return the knowledge for each turn; each reply to P2 has its own part.

        part: the part for this game.  parameters: whether to believe the
        parameters; by default the switch decides.
        """
        if not self.learns:
            return lambda _: NOTHING
        believes = self.parameters if parameters is None else parameters

        def of(name: str) -> Knowledge:
            part = self.memory.parts[name]
            if believes:
                claims = self.memory.parameters.claims
                return Knowledge(part.loser, part.winner, claims)
            return Knowledge(surely(part.loser), surely(part.winner), NOTHING.claims)

        if node == self.opening:
            return lambda turn: of(notation(turn.pits))
        here = of(part)
        return lambda _: here

    def hopes(
        self, node: Node, part: str, parameters: bool | None = None
    ) -> list[Turn]:
        """Return the turns that the machine does not take for lost; see `knowledge`."""
        knows = self.knowledge(node, part, parameters)
        return [
            turn
            for turn in self.turns.of(node)
            if self.minimax.value_after(node, turn, knows(turn)) > FEAR
        ]

    def lost(self, parameters: bool | None = None) -> list[str]:
        """Return the replies to P2 that it takes for lost; see `knowledge`."""
        hopes = self.hopes(self.opening, OTHER, parameters)
        names = [notation(turn.pits) for turn in hopes]
        return [reply for reply in REPLIES if reply not in names]


def surely(known: Outcome) -> Outcome:
    """Return the same lookup without the answers that rest on parameters."""
    return lambda *place: known(*place) if known(*place) in (WIN, LOSS) else UNKNOWN


def notation(pits: tuple[int, ...]) -> str:
    """Return a turn of the machine in the form M3-M2."""
    return "-".join(f"M{pit}" for pit in pits)
