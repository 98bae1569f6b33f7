"""The second mechanism: mini-max on Mk - Pk at three plies (BELL-IV.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sail.programs.atlas.turns import PLAYER, Node, PackedTurn, Turns, stones_in

# Values beyond any difference of kalahs, good for the machine if positive.
WIN = 1000  # the machine has won, or knows how to
CLAIM = 999  # pseudo-winning: as good as won by the parameters
FEAR = -999  # pseudo-losing: as good as lost by the parameters
LOSS = -1000
UNKNOWN = 0  # nothing is known


class Knowledge(NamedTuple):
    """What the look-ahead asks a memory.

    known: whether the machine is to move, packed rows m and p, and the machine's kalah;
    returns WIN or CLAIM, or LOSS or FEAR if the player is to move, or UNKNOWN.
    claims: returns whether two kalahs are as good as a win for the owner of the first.
    """

    known: Callable[[bool, int, int, int], int]
    claims: Callable[[int, int], bool]

    def surely(self) -> Knowledge:
        """Return the same without the answers that rest on parameters."""

        def sure(won: bool, m: int, p: int, mk: int) -> int:
            value = self.known(won, m, p, mk)
            return value if value in (WIN, LOSS) else UNKNOWN

        return Knowledge(sure, NO_KNOWLEDGE.claims)


NO_KNOWLEDGE = Knowledge(lambda *_: UNKNOWN, lambda *_: False)


class Choice(NamedTuple):
    """A turn that the machine chose, the position before it, and its value."""

    node: Node
    turn: PackedTurn
    value: int


class MiniMax:
    """The look-ahead: machine, player, machine.  half: of the stones in the game."""

    def __init__(self, turns: Turns, half: int) -> None:
        self.turns = turns
        self.half = half

    def choose(
        self, node: Node, knowledge: Callable[[PackedTurn], Knowledge]
    ) -> Choice:
        """Return the first turn with the best value, or the first that wins."""
        turns = self.turns.of(node)
        best = Choice(node, turns[0], LOSS)
        for turn in turns:
            value = self.value_after(node, turn, knowledge(turn), best.value)
            if value > best.value:
                best = Choice(node, turn, value)
            if best.value >= CLAIM:
                break
        return best

    def value_after(
        self, node: Node, turn: PackedTurn, knowledge: Knowledge, alpha: int = LOSS
    ) -> int:
        """Return the value of a turn of the machine, or a bound at or below alpha.

        Claims are believed; the answers to them are not examined (BELL-PARAM).
        """
        after = node.after(turn)
        value = self.without_search(*after, knowledge)
        if value is not None:
            return value
        worst = WIN
        for reply in self.turns.of(after, PLAYER):
            if after.pk + reply.gain > self.half:
                return LOSS
            deeper = after.after(reply, PLAYER)
            worst = min(worst, self.value_after_reply(deeper, knowledge, worst))
            if worst <= alpha:
                break
        return worst

    def value_after_reply(self, node: Node, knowledge: Knowledge, beta: int) -> int:
        """Return the value with the machine to move, or a bound at or above beta."""
        m, p, mk, pk = node
        if not m or not p:
            return final(m, p, mk, pk)
        if known := knowledge.known(True, m, p, mk):
            return known
        if knowledge.claims(pk, mk):
            return FEAR
        best = LOSS
        for _, own, other, gain in self.turns.of(node):
            value = self.without_search(own, other, mk + gain, pk, knowledge)
            best = max(best, mk + gain - pk if value is None else value)
            if best >= beta:
                break
        return best

    def without_search(
        self, m: int, p: int, mk: int, pk: int, knowledge: Knowledge
    ) -> int | None:
        """Return the value with the player to move, None if it takes a search."""
        if mk > self.half:
            return WIN
        if not m or not p:
            return final(m, p, mk, pk)
        if known := knowledge.known(False, m, p, mk):
            return known
        return CLAIM if knowledge.claims(mk, pk) else None


def final(m: int, p: int, mk: int, pk: int) -> int:
    """Return the value of a finished game: WIN, LOSS or 0."""
    difference = mk + stones_in(m) - pk - stones_in(p)
    return WIN if difference > 0 else LOSS if difference else 0
