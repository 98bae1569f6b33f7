"""The second mechanism: mini-max on Mk - Pk at three plies (BELL-IV.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sail.programs.atlas.turns import Node, Turn, Turns

# Values beyond any difference of kalahs, good for the machine if positive.
WIN = 1000  # the machine has won, or knows how to
CLAIM = 999  # as good as a win by the parameters
LOSS = -1000


class Knowledge(NamedTuple):
    """What the look-ahead asks of a memory.

    is_loser: whether the machine surely loses at packed rows m and p and its
    kalah, the player to move.  is_winner: whether it surely wins, itself to
    move.  claims: whether kalahs Mk and Pk are as good as a win.
    """

    is_loser: Callable[[int, int, int], bool]
    is_winner: Callable[[int, int, int], bool]
    claims: Callable[[int, int], bool]


def no(*_: int) -> bool:
    """False: nothing is known."""
    return False


NOTHING = Knowledge(no, no, no)


class Choice(NamedTuple):
    """The turn that is chosen, with its value."""

    turn: Turn
    value: int


class MiniMax:
    """The look-ahead: machine, player, machine."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.half = turns.stones // 2

    def choose(self, node: Node, knowledge: Callable[[Turn], Knowledge]) -> Choice:
        """The first of the turns with the best value; the first victory."""
        best: Choice | None = None
        for turn in self.turns.of(node):
            alpha = best.value if best else LOSS - 1
            value = self.value_after(node, turn, knowledge(turn), alpha)
            if not best or value > best.value:
                best = Choice(turn, value)
            if best.value >= CLAIM:
                break
        assert best
        return best

    def value_after(
        self, node: Node, turn: Turn, knowledge: Knowledge, alpha: int = LOSS - 1
    ) -> int:
        """The value of a turn of the machine; one that is not above alpha is a bound.

        A claim is believed without a look at the replies.  BELL-PARAM.
        """
        turns, width, half = self.turns, self.turns.width, self.half
        is_loser, is_winner, claims = knowledge
        _, m, p, gain = turn
        mk, pk = node.mk + gain, node.pk
        if mk > half:
            return WIN
        if not m or not p:
            return self.final(m, p, mk, pk)
        if is_loser(m, p, mk):
            return LOSS
        if claims(mk, pk):
            return CLAIM
        worst = WIN
        for _, p1, m1, gain in turns[p << width | m]:
            pk1 = pk + gain
            if pk1 > half:
                return LOSS
            if not m1 or not p1:
                best = self.final(m1, p1, mk, pk1)
            elif is_winner(m1, p1, mk):
                continue
            else:
                best = LOSS
                for _, m2, p2, gain in turns[m1 << width | p1]:
                    mk2 = mk + gain
                    if mk2 > half:
                        value = WIN
                    elif not m2 or not p2:
                        value = self.final(m2, p2, mk2, pk1)
                    elif is_loser(m2, p2, mk2):
                        continue
                    elif claims(mk2, pk1):
                        value = CLAIM
                    else:
                        value = mk2 - pk1
                    if value > best:
                        best = value
                        if best >= worst:
                            break
            if best < worst:
                worst = best
                if worst <= alpha:
                    break
        return worst

    def final(self, m: int, p: int, mk: int, pk: int) -> int:
        """The value of a finished game: WIN, LOSS or nothing."""
        rows = self.turns.rows
        difference = mk + sum(rows.unpack(m)) - pk - sum(rows.unpack(p))
        return WIN if difference > 0 else LOSS if difference else 0
