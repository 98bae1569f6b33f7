"""The teacher: it wins every won position, and keeps its plan short (BELL-VI).

By depth-first proof-number search (Nagai, 2002), it proves that the player wins.
Each position has a proof number, an estimate of the work left to prove that its
mover reaches his aim, and a disproof number, for the proof that he does not.  The
player's aim is to win, the machine's to win or draw.  The search always continues
where a proof seems to need the least work.  That leads to positions with few hopes
for the machine, so it also keeps the plan short.
"""

from __future__ import annotations

from collections.abc import Iterator

from sail.board import Pits, Position
from sail.programs.atlas.memory import HALF_STONES
from sail.programs.atlas.turns import MACHINE, PLAYER, Node, PackedTurn, node_of
from sail.stop import Stop, check_stop

NEVER = 10**9  # more work than any proof takes
SLACK = 8  # leave a branch once its number exceeds the second best by 1/SLACK

Numbers = tuple[int, int]  # the proof number and the disproof number
PROVED: Numbers = NEVER, 0  # that the player wins; the machine is to move


class Teacher:
    """A player who wins every won position.  stop: polled while it proves."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self.numbers: dict[Node, Numbers] = {}
        # The choice for a position never changes, so that what the machine has
        # learned from it stays useful.
        self.plan: dict[Node, tuple[int, PackedTurn]] = {}

    def has_planned(self, position: Position) -> bool:
        """Return whether the turn for this position has been chosen."""
        return node_of(position) in self.plan

    def winning_turn(self, position: Position) -> Pits:
        """Return the pits of a turn that wins.  Raises Stopped."""
        node = node_of(position)
        if node not in self.plan:
            self.prove(node, NEVER, NEVER)
            self.plan_length(node)
            self.numbers.clear()
        return self.plan[node][1].pits

    def plan_length(self, node: Node) -> int:
        """Choose the player's turns from here on; return the length of this plan.

        That is the number of positions in the plan from which the player, to move,
        cannot win at once.  A position counts once for each way that leads to it.
        """
        if node not in self.plan:
            turn = self._reaching_turn(node)
            self.plan[node] = (0, turn) if turn else min(self._proved_turns(node))
        return self.plan[node][0]

    def _proved_turns(self, node: Node) -> Iterator[tuple[int, PackedTurn]]:
        """Yield the player's proved turns as pairs: length of the plan, turn."""
        for turn in node.turns():
            after = node.after(turn)
            if self.numbers.get(after) == PROVED:
                further = sum(map(self.plan_length, self._open_after(after)))
                yield 1 + further, turn

    # Proof-number search

    def prove(self, node: Node, proof_limit: int, disproof_limit: int) -> None:
        """Search until one of the position's numbers reaches its limit."""
        check_stop(self.stop)
        successors = self._open_after(node)
        for after in successors:
            if after not in self.numbers:
                self.numbers[after] = self.first_numbers(after)
        while True:
            proofs, disproofs = zip(*(self.numbers[after] for after in successors))
            least, second = sorted((*disproofs, NEVER))[:2]
            total = min(NEVER, sum(proofs))
            self.numbers[node] = least, total
            if least >= proof_limit or total >= disproof_limit:
                return
            best = min(successors, key=lambda after: self.numbers[after][1])
            self.prove(
                best,
                disproof_limit - total + self.numbers[best][0],
                min(proof_limit, second + 1 + second // SLACK),
            )

    def first_numbers(self, node: Node) -> Numbers:
        """Return the numbers of a position that has not been searched.

        The work to prove that the player wins is estimated as the stones that he still
        needs; if the machine is to move, times the number of its turns that leave it
        hope.
        """
        if self._reaching_turn(node):
            return 0, NEVER
        successors = self._open_after(node)
        lacks = HALF_STONES + 1 - node.pk
        if node.mover == PLAYER:
            return (lacks, len(successors)) if successors else (NEVER, 0)
        hopes = sum(not self._reaching_turn(after) for after in successors)
        return (1, hopes * lacks) if hopes else PROVED

    def _open_after(self, node: Node) -> list[Node]:
        """Return the positions after the mover's turns in which no aim is reached."""
        successors = (node.after(turn) for turn in node.turns())
        return [after for after in successors if _reached_by(after) is None]

    def _reaching_turn(self, node: Node) -> PackedTurn | None:
        """Return the mover's first turn that reaches his aim at once, if any."""
        for turn in node.turns():
            if _reached_by(node.after(turn)) == node.mover:
                return turn
        return None


def _reached_by(node: Node) -> int | None:
    """Return who has reached his aim, if any: PLAYER a win, MACHINE at least a draw."""
    machine, player = node.score
    if player > HALF_STONES:
        return PLAYER
    return MACHINE if machine >= HALF_STONES else None
