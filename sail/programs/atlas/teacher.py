"""The teacher: an optimal opponent, by exact search (BELL-LOST)."""

from __future__ import annotations

from sail.board import Position
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.programs.atlas.machine import Machine
from sail.programs.atlas.memory import HALF, STONES
from sail.programs.atlas.minimax import LOSS, NOTHING
from sail.programs.atlas.turns import MACHINE, PLAYER, Node, Turn, played
from sail.stop import Stop, Stopped

WAYS, ENOUGH = 8, 8  # winning turns that are compared; stones to win by
CROWDED = 32  # stones in play; with more a proof takes seconds:
CROWDED_WAYS, CROWDED_ENOUGH = 2, 1
WIDTH = 3  # likely turns that are examined further ahead
MANY = 20  # hopes, if none of these answers is seen to win
ENDGAMES = 12  # stones in play, so that a game costs less than building them


class Teacher:
    """Wins every game that the player to move can win.

    Of the winning turns it takes one that wins by much and soon, and that
    leaves the machine few hopes to be refuted: Bell played "the program through
    moves it had still not analysed" (BELL-V.2).  The weights were found by
    trial; they save games.  stop: ends the work with Stopped when it returns
    True.
    """

    def __init__(self, machine: Machine, stop: Stop) -> None:
        self.machine = machine
        self.solver = Solver(6, STONES, captures_empty=False, stop=stop)
        self.stop = stop
        # The choice for a position never changes, so that what the machine has
        # learned from it stays useful.
        self._chosen: dict[Node, tuple[int, ...]] = {}
        self._likely: dict[Node, list[Turn]] = {}

    def turn(self, position: Position, part: str) -> tuple[int, ...]:
        """Return the pits of a turn of the player.  Raises Stopped.

        part: of the machine's memory, in this game.
        """
        node = self.machine.turns.node(position)
        if node not in self._chosen:
            self._chosen[node] = self.best(position, part)
        return self._chosen[node]

    def best(self, position: Position, part: str) -> tuple[int, ...]:
        """Find the pits of a turn of the player.  Raises Stopped."""
        if not self.solver.database:
            self.solver.database = endgame.build(self.solver.moves, ENDGAMES, self.stop)
        node = self.machine.turns.node(position)
        ways: list[tuple[int, tuple[int, ...]]] = []
        for turn in self.likely(node):
            after, pits = played(position, turn.pits)
            value = self.value(after)
            if value >= 0:
                continue
            if after.over:
                return pits
            ways.append((self.cost(node.after_reply(turn), part, value), pits))
            if len(ways) == (WAYS if position.in_play <= CROWDED else CROWDED_WAYS):
                break
        return min(ways)[1] if ways else (self.solver.best(position),)

    def cost(self, node: Node, part: str, value: int) -> int:
        """Return the cost of a turn that leads to this node of that value."""
        return 2 * value + 8 * self.lessons(node, part) - node.mk - 3 * node.pk

    def lessons(self, node: Node, part: str) -> int:
        """Estimate the lessons until the machine knows that it loses here.

        It takes one for each turn that the machine still hopes for, and one for
        each hope that the player's best answer then leaves it.
        """
        hopes = self.hopes(node, part)
        return sum(1 + self.fewest_hopes(node.after(hope), part) for hope in hopes)

    def fewest_hopes(self, node: Node, part: str) -> int:
        """Return the fewest hopes that a likely turn of the player leaves."""
        fewest = MANY
        for turn in self.likely(node)[:WIDTH] if node.m and node.p else ():
            deeper = node.after_reply(turn)
            if deeper.pk > HALF:
                return 0
            if deeper.m and deeper.p:
                fewest = min(fewest, len(self.hopes(deeper, part)))
            if not fewest:
                break
        return fewest

    def hopes(self, node: Node, part: str) -> list[Turn]:
        """Return the turns that the machine does not take for lost.  Raises Stopped."""
        if self.stop():
            raise Stopped
        return self.machine.hopes(node, part)

    def likely(self, node: Node) -> list[Turn]:
        """Return the player's turns; those that look best at three plies come first."""

        def estimate(turn: Turn) -> int:
            after = node.after_reply(turn)
            if after.pk > HALF or not after.m or not after.p:
                return LOSS
            return self.machine.minimax.choose(after, lambda _: NOTHING).value

        if node not in self._likely:
            turns = self.machine.turns.replies(node)
            self._likely[node] = sorted(turns, key=estimate)
        return self._likely[node]

    def value(self, position: Position) -> int:
        """Return the value, good for the machine, or an upper bound if it loses by enough.

        Raises Stopped.
        """
        if position.over:
            return position.score[MACHINE] - position.score[PLAYER]
        enough = ENOUGH if position.in_play <= CROWDED else CROWDED_ENOUGH
        bounds = self.solver.known(position)
        further = self.solver.prove(position, guess=-2)
        while not (bounds.proved or bounds.low >= 0 or bounds.high <= -enough):
            bounds = next(further)
        return bounds.high
