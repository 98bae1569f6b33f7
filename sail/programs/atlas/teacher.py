"""The teacher: an optimal opponent, by exact search (BELL-LOST)."""

from __future__ import annotations

from collections.abc import Callable

from sail.board import Position
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.programs.atlas.machine import MACHINE, Machine
from sail.programs.atlas.memory import HALF, STONES
from sail.programs.atlas.minimax import LOSS, NOTHING
from sail.programs.atlas.turns import Node, Turn

WAYS, ENOUGH = 8, 8  # winning turns that are compared; stones to win by
FULL = 32  # with more stones in play a proof takes seconds:
FULL_WAYS, FULL_ENOUGH = 2, 1
ENDGAMES = 12  # stones in play, so that a game costs less than building them


class Teacher:
    """Wins every game that the player to move can win.

    Of the winning turns it takes one that wins by much and soon, and after
    which few turns of the machine are not yet known to lose; the weights were
    found by trial, they save games.  stop ends the work with Stopped when it
    returns True.
    """

    def __init__(self, machine: Machine, stop: Callable[[], bool]) -> None:
        self.machine = machine
        self.solver = Solver(6, STONES, captures_empty=False, stop=stop)
        self.stop = stop
        # A turn once chosen stays, so that what was learnt of it is enough.
        self.chosen: dict[Node, tuple[int, ...]] = {}

    def turn(self, position: Position) -> tuple[int, ...]:
        """The pits of a turn of the player.  Raises Stopped."""
        node = self.machine.turns.node(position)
        if node not in self.chosen:
            self.chosen[node] = self.best(position, node)
        return self.chosen[node]

    def best(self, position: Position, node: Node) -> tuple[int, ...]:
        """The turn as it is found.  Raises Stopped."""
        if not self.solver.database:
            self.solver.database = endgame.build(self.solver.moves, ENDGAMES, self.stop)
        machine = self.machine
        ways: list[tuple[int, tuple[int, ...]]] = []
        for turn in self.likely(node):
            after, pits = played(position, turn.pits)
            value = self.value(after)
            if value < 0 and after.over:
                return pits
            if value < 0:
                deeper = node.after_reply(turn)
                left = len(machine.hopes(deeper))
                worth = 2 * value + 4 * left - deeper.mk - 3 * deeper.pk
                ways.append((worth, pits))
                if len(ways) == (WAYS if position.in_play <= FULL else FULL_WAYS):
                    break
        return min(ways)[1] if ways else (self.solver.best(position),)

    def likely(self, node: Node) -> list[Turn]:
        """The player's turns, those that look best at three plies first."""

        def estimate(turn: Turn) -> int:
            after = node.after_reply(turn)
            if after.pk > HALF or not after.m or not after.p:
                return LOSS
            return self.machine.minimax.choose(after, lambda _: NOTHING).value

        return sorted(self.machine.turns.replies(node), key=estimate)

    def value(self, position: Position) -> int:
        """The value, good for the machine; where it loses enough, a bound of it.

        Raises Stopped.
        """
        if position.over:
            return position.score[MACHINE] - position.score[1 - MACHINE]
        enough = ENOUGH if position.in_play <= FULL else FULL_ENOUGH
        bounds = self.solver.known(position)
        further = self.solver.prove(position, guess=-2)
        while not (bounds.proved or bounds.low >= 0 or bounds.high <= -enough):
            bounds = next(further)
        return bounds.high


def played(
    position: Position, pits: tuple[int, ...]
) -> tuple[Position, tuple[int, ...]]:
    """The position after a turn, and its pits up to the end of the game."""
    for count, pit in enumerate(pits):
        if position.over:
            return position, pits[:count]
        position = position.play(pit)
    return position, pits
