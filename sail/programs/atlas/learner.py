"""The machine as a learner: it judges by its memory, and stores in it (BELL-IV.3)."""

from __future__ import annotations

from collections.abc import Callable

from sail.board import MOST_PITS, Position, start
from sail.programs.atlas.memory import ALL_STONES, HALF_STONES, OTHER, Entry, Memory
from sail.programs.atlas.minimax import CLAIM, FEAR, Knowledge, MiniMax
from sail.programs.atlas.turns import (
    MACHINE,
    PACKER,
    PLAYER,
    Node,
    PackedTurn,
    Turns,
    packed,
)

# The position after P2, with which the player wins.
OPENING = start(3)._replace(mover=PLAYER).play(2)
OPENING_NODE = packed(OPENING)


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
        self.turns = Turns()
        self.minimax = MiniMax(self.turns, stones // 2)

    def knowledge(self, node: Node, part: str) -> Callable[[PackedTurn], Knowledge]:
        """Return a function of a turn, which returns the knowledge to judge it by.

        part: that of this game; but after P2, each reply is judged by its own part.
        """

        def of(turn: PackedTurn) -> Knowledge:
            name = notation(turn.pits) if node == OPENING_NODE else part
            known = self.memory.parts[name].known
            knowledge = Knowledge(known, self.memory.parameters.claims)
            return knowledge if self.parameters else knowledge.surely()

        return of

    def rejected(self) -> dict[str, int]:
        """Return the replies to P2 that count as lost, and for each LOSS or FEAR."""
        knows = self.knowledge(OPENING_NODE, OTHER)
        values = {
            notation(turn.pits): self.minimax.value_after(
                OPENING_NODE, turn, knows(turn)
            )
            for turn in self.turns.of(OPENING_NODE)
        }
        return {reply: value for reply, value in values.items() if value <= FEAR}

    def record(self, name: str, node: Node, value: int) -> None:
        """Store a position in a part, unless the part knows its value.

        With `characteristics` on, a win by a turn that brings the majority is
        compressed.  value: WIN or CLAIM if the machine is to move and wins, LOSS or
        FEAR if the player is to move and wins.
        """
        m, p, mk, _ = node
        part, won = self.memory.parts[name], value > 0
        if abs(part.known(won, m, p, mk)) >= abs(value):
            return
        turns = self.turns.of(node) if won and self.characteristics else ()
        crushing = [turn.pits for turn in turns if mk + turn.gain > HALF_STONES]
        if crushing:
            part.add(characteristic(node, crushing[0]))
        else:
            part.add(Entry(won, m, p, mk, pseudo=value in (CLAIM, FEAR)))


def notation(pits: tuple[int, ...]) -> str:
    """Return a turn of the machine in the form M3-M2."""
    return "-".join(f"M{pit}" for pit in pits)


def characteristic(node: Node, pits: tuple[int, ...]) -> Entry:
    """Return the characteristic of a position for the machine's crushing turn.

    pits: a turn that brings it more than half of the stones.  (Other wins are not
    compressed: they may depend on every pit.)

    Every pit of its row is kept from the kalah to the farthest pit that it plays or
    sows into, and the least that its kalah and a captured pit must hold.  BELL-CHAR.
    """
    own, other = PACKER.unpack(node.m), PACKER.unpack(node.p)
    here = Position((own, other), (node.mk, node.pk), MACHINE)
    farthest = captured = 0
    for pit in pits:
        goes_round = here.rows[MACHINE][pit - 1] > pit + MOST_PITS
        farthest = max(farthest, MOST_PITS if goes_round else pit)
        here, _, captured = here.sow(pit)
        if here.kalahs[MACHINE] > HALF_STONES:
            break
    spare = here.kalahs[MACHINE] - HALF_STONES - 1
    least = max(0, node.mk - spare)
    must = tuple(n if pit == captured else 0 for pit, n in enumerate(other, 1))
    m, p = PACKER.pack(own[:farthest]), PACKER.pack(must)
    return Entry(True, m, p, least, farthest, captured)
