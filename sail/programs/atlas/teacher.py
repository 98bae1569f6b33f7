"""The teacher: an optimal opponent, by exact search (BELL-LOST)."""

from __future__ import annotations

from collections.abc import Callable

from sail import endgame
from sail.board import Position
from sail.exact import Solver, Stopped
from sail.programs.atlas.machine import MACHINE, Machine
from sail.programs.atlas.memory import STONES
from sail.programs.atlas.minimax import LOSS

ENOUGH = 8  # stones to win by, the rest does not matter
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

    def turn(self, position: Position) -> tuple[int, ...]:
        """The pits of a turn of the player.  Raises Stopped."""
        if not self.solver.database:
            self.solver.database = endgame.build(self.solver.rows, ENDGAMES, self.tick)
        machine = self.machine
        turns = machine.turns
        node = turns.node(position)
        best: tuple[int, tuple[int, ...]] | None = None
        for turn in turns.replies(node):
            after, pits = played(position, turn.pits)
            value = self.value(after)
            if value >= 0:
                continue
            if after.over:
                return pits
            deeper = node.after_reply(turn)
            knows = machine.knowledge(deeper)
            left = sum(
                machine.minimax.value_after(deeper, answer, knows(answer)) != LOSS
                for answer in turns.of(deeper)
            )
            worth = value + 4 * left - deeper.mk - 3 * deeper.pk
            if best is None or worth < best[0]:
                best = worth, pits
        if best:
            return best[1]
        return (self.solver.best(position),)

    def value(self, position: Position) -> int:
        """The value, good for the machine; from -ENOUGH down a bound of it.

        Raises Stopped.
        """
        if position.over:
            return position.score[MACHINE] - position.score[1 - MACHINE]
        for bounds in self.solver.prove(position, guess=-2):
            if bounds.low >= 0 or bounds.high <= -ENOUGH:
                break
        return bounds.high

    def tick(self, _: int) -> None:
        if self.stop():
            raise Stopped


def played(
    position: Position, pits: tuple[int, ...]
) -> tuple[Position, tuple[int, ...]]:
    """The position after a turn, and its pits up to the end of the game."""
    for count, pit in enumerate(pits):
        if position.over:
            return position, pits[:count]
        position = position.play(pit)
    return position, pits
