"""The walk from a position to later ones, with a proof for each."""

from __future__ import annotations

from functools import partial

from sail.board import Position
from sail.engine.exact import Solver
from sail.files import positions, proved
from sail.game import GAME_IS_OVER, Course
from sail.programs.solve import says
from sail.programs.solve.proof import Proof
from sail.refusal import Refusal
from sail.talk.asking import Asker, Command, Commands, answering, attempt

SMALL = 30  # stones in play; one solver serves all positions that have no more


class Walk:
    """Proves the values of positions, with the help of what is proved already.

    solver: the solver of the last position, with its proofs, or None.
    """

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        self.tty = asker.tty
        self.solver: Solver | None = None

    def run(self, position: Position) -> None:
        """Solve a position, then each that the user plays to.  Raises Back."""
        course = Course(position)
        while True:
            self._solve(course.position)
            walked = partial(course.after_typed, several=True)
            course = self.asker.ask(says.WALK, self._commands(course), walked)
            self.type_position(course.position)

    def _commands(self, course: Course) -> Commands[Course]:
        """Return the commands at the end of a course; some return another course."""
        take_back = answering(course.shortened(1)) if course.pits else None

        def prove_all(_: str) -> None:
            if course.position.over:
                raise Refusal(GAME_IS_OVER)
            self._proof_of(course.position).type_proof(all_values=True)

        return [
            Command(
                "BACK",
                "TAKES BACK THE LAST PIT; LEAVES IF THERE IS NONE",
                take_back,
                short=True,
            ),
            Command(
                "ALL VALUES",
                "PROVES THE VALUES STILL OPEN; IT MAY TAKE LONG",
                prove_all,
                short=True,
            ),
            Command("QUIT", "LEAVES THIS POSITION", short=True),
        ]

    def type_position(self, position: Position) -> None:
        self.tty.type(positions.text_of(positions.Entry(position)), end="")

    def _solve(self, position: Position) -> None:
        """Type what is proved of a position, from the values on file if it is there."""
        if position.over:
            self.tty.type(says.OVER.format(*position.score))
        elif filed := proved.filed(position):
            self._proof_of(position).type_on_file(filed.variation)
        else:
            self._proof_of(position).type_proof()

    def _proof_of(self, position: Position) -> Proof:
        """Return a proof by the last solver if that fits, otherwise by a new one.

        A new one knows the values on file, and has room for other small positions.
        """
        if not self.solver or not self.solver.fits(position):
            stones = max(position.in_play, SMALL)
            self.solver = Solver(position.pits_a_side, stones, position.rules)
            attempt(self.tty, partial(proved.teach, self.solver))
        return Proof(self.asker, self.solver, position)
