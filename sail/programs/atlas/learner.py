"""The machine: it looks ahead, judges by its memory, and stores in it.

The look-ahead is the second mechanism, mini-max on Mk - Pk at three plies (BELL-IV.2);
the memory is the third (BELL-IV.3).
"""

from __future__ import annotations

from typing import NamedTuple

from sail.board import MOST_PITS, Pits, Position, opening
from sail.programs.atlas.memory import (
    ALL_STONES,
    HALF_STONES,
    LOSS,
    OTHER,
    PSEUDO_LOSS,
    PSEUDO_WIN,
    WIN,
    Known,
    Memory,
    Part,
)
from sail.programs.atlas.turns import MACHINE, MOVES, PLAYER, Node, PackedTurn, node_of

# The player wins from here; the machine is to move.
AFTER_P2 = opening(3)._replace(mover=PLAYER).play(2)
NODE_AFTER_P2 = node_of(AFTER_P2)


class Choice(NamedTuple):
    """A turn that the machine chose, the position before it, and its value."""

    node: Node
    turn: PackedTurn
    value: int


class Learner:
    """A memory, and the look-ahead that judges by it; each Course plays with them.

    stones: the number in each game.  compresses: whether it stores a win in one turn by
    its characteristic.
    """

    def __init__(self, memory: Memory, stones: int = ALL_STONES) -> None:
        self.memory = memory
        self.half = stones // 2
        self.compresses = True

    def choose(self, node: Node, part: Part | None) -> Choice:
        """Return the first turn with the best value, or the first that wins.

        part: judges the turns; None: without a memory.  But after P2 each reply is
        judged by its own part.
        """
        turns = node.turns()
        best = Choice(node, turns[0], LOSS)
        for turn in turns:
            value = self.value_after(node, turn, part, best.value)
            if value > best.value:
                best = Choice(node, turn, value)
            if best.value >= PSEUDO_WIN:
                break
        return best

    def value_after(
        self, node: Node, turn: PackedTurn, part: Part | None, alpha: int = LOSS
    ) -> int:
        """Return the value of a turn of the machine, or a bound at or below alpha.

        A pseudo-win is believed; the answers to it are not examined (BELL-PARAM).
        part: as in `choose`.
        """
        if part is not None and node == NODE_AFTER_P2:
            part = self.memory.parts[notation(turn.pits)]
        return self.minimax(node.after(turn), part, 2, alpha)

    def minimax(self, node: Node, part: Part | None, plies: int, limit: int) -> int:
        """Return the value, or a bound that is as good for the mover as the limit."""
        value = self.known_value(node, part)
        if value is not None:
            return value
        if not plies:
            return node.mk - node.pk
        best, better_of = (WIN, min) if node.mover == PLAYER else (LOSS, max)
        for turn in node.turns():
            value = self.minimax(node.after(turn), part, plies - 1, best)
            best = better_of(best, value)
            if best == better_of(best, limit):
                break
        return best

    def known_value(self, node: Node, part: Part | None) -> int | None:
        """Return the value of a position, None if it takes a search."""
        mk, pk = node.mk, node.pk
        if node.over or mk > self.half or pk > self.half:
            machine, player = node.score
            return WIN if machine > player else LOSS if machine < player else 0
        if part is None:
            return None
        if known := part.value_of(node):
            return known
        if node.mover == MACHINE:
            return PSEUDO_LOSS if part.parameters.claims(pk, mk) else None
        return PSEUDO_WIN if part.parameters.claims(mk, pk) else None

    def rejected(self) -> dict[str, int]:
        """Return the replies to P2 that lose, and for each LOSS or PSEUDO_LOSS."""
        other = self.memory.parts[OTHER]
        values = {
            notation(turn.pits): self.value_after(NODE_AFTER_P2, turn, other)
            for turn in NODE_AFTER_P2.turns()
        }
        return {reply: value for reply, value in values.items() if value <= PSEUDO_LOSS}

    def record(self, part: Part, node: Node, value: int) -> None:
        """Store a position in a part, unless the part knows its value.

        value: WIN or PSEUDO_WIN if the machine is to move and wins, LOSS or PSEUDO_LOSS
        if the player is to move and wins.
        """
        won = node.mover == MACHINE
        if abs(part.value_of(node)) >= abs(value):
            return
        turns = node.turns() if won and self.compresses else ()
        crushing = [turn.pits for turn in turns if node.mk + turn.gain > HALF_STONES]
        if crushing:
            part.add(characteristic(node, crushing[0]))
        else:
            pseudo = value in (PSEUDO_WIN, PSEUDO_LOSS)
            part.add(Known(won, node.m, node.p, node.mk, pseudo=pseudo))


def notation(pits: Pits) -> str:
    """Return a turn of the machine in the form M3-M2."""
    return "-".join(f"M{pit}" for pit in pits)


def characteristic(node: Node, pits: Pits) -> Known:
    """Return the characteristic of a position for the machine's crushing turn.

    pits: a turn that brings it more than half of the stones.  (Other wins are not
    compressed: they may depend on every pit.)

    Every pit of its row is kept from the kalah to the farthest pit that it plays or
    sows into, and the least that its kalah and a captured pit must hold.  BELL-CHAR.
    """
    own, other = MOVES.unpack(node.m), MOVES.unpack(node.p)
    position = Position((own, other), (node.mk, node.pk), MACHINE)
    farthest = captured_pit = 0
    for pit in pits:
        goes_round = position.rows[MACHINE][pit - 1] > pit + MOST_PITS
        farthest = max(farthest, MOST_PITS if goes_round else pit)
        position, _, captured_pit = position.sow(pit)
        if position.kalahs[MACHINE] > HALF_STONES:
            break
    spare = position.kalahs[MACHINE] - HALF_STONES - 1
    least = max(0, node.mk - spare)
    must = tuple(n if pit == captured_pit else 0 for pit, n in enumerate(other, 1))
    m, p = MOVES.pack(own[:farthest]), MOVES.pack(must)
    return Known(True, m, p, least, farthest, captured_pit)
