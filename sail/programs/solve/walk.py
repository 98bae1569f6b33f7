"""The answer for a position, and the walk from it to later positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sail import special
from sail.area import Area
from sail.board import MOST_PITS, Position
from sail.engine import endgame
from sail.engine.exact import OPEN, Bounds, Solver
from sail.programs.files import save_position
from sail.programs.questions import BACK, QUIT, Command, ask, begins
from sail.programs.solve import databases, says
from sail.programs.solve.tables import folded, notation
from sail.special import BadPosition, Special
from sail.stop import Stopped
from sail.teletype import Teletype


class Walk:
    """Answers for positions, using all proofs for the positions before them.

    solver: the solver of the last answer, with its proofs, or None.
    """

    def __init__(self, tty: Teletype, area: Area, clock: Callable[[], float]) -> None:
        self.tty = tty
        self.area = area
        self.clock = clock
        self.solver: Solver | None = None

    def start(self, position: Position) -> None:
        """Answer for a position, then for each that is played to.  Raises Back."""
        path = [position]
        self.solve(position)
        while True:
            save = Command("SAVE", partial(self.save, path[-1]), takes_name=True)
            path = ask(
                self.tty,
                says.WALK,
                partial(self.step, path),
                says.WALK_HELP,
                says.WALK_MORE,
                [QUIT, BACK],
                [save],
            )
            here = path[-1]
            self.show(here)
            if here.over:
                self.tty.type(says.OVER.format(*here.score))
            else:
                self.solve(here)

    def step(self, path: list[Position], answer: str) -> list[Position] | None:
        """Return the path after a pit or BACK, None if the answer is neither."""
        if path[1:] and begins(answer, BACK):
            return path[:-1]
        pit = special.number(answer, MOST_PITS)
        if pit is None:
            return None
        if pit not in path[-1].legal:
            raise BadPosition(says.CANNOT_PLAY.format(pit))
        return [*path, path[-1].play(pit)]

    def show(self, position: Position) -> None:
        self.tty.type(special.write(Special(position)), end="")

    def save(self, position: Position, name: str) -> None:
        """Save a position under `name`.  Raises Refusal."""
        if not name:
            raise BadPosition(says.SAVE_WHERE)
        file = save_position(self.area, name, Special(position, (says.FROM_SOLVE,)))
        self.tty.type(says.SAVED.format(file))

    def solve(self, position: Position) -> None:
        """Type the value, the moves and a game; if stopped, type what is known."""
        pits, rules = position.pits, position.rules
        solver = self.solver
        if not solver or not solver.fits(position):
            # Its rows have room for any database that may be on file, and for
            # every position that needs no database on file.
            stones = max(databases.largest(pits), databases.LEAST_IN_PLAY - 1)
            stones = max(stones, position.in_play)
            solver = Solver(pits, stones, rules.captures_empty, stop=self.tty.poll)
            self.solver = solver
        try:
            self.add_endgames(solver, position)
            self.value(solver, position)
            self.moves(solver, position)
            line = solver.line(position)
        except Stopped:
            self.tty.type(says.STOPPED)
            self.tell_known(solver, position)
            return
        for heading, game in zip((says.GAME, says.GAME_PITS), notation(position, line)):
            for piece in folded(heading.format(game), self.tty.width, 5):
                self.tty.type(piece)

    def add_endgames(self, solver: Solver, position: Position) -> None:
        """Give the solver a database if one pays off here.  Raises Stopped."""
        if not solver.database and position.in_play >= databases.LEAST_TO_LOAD:
            stones = databases.most_useful(position.pits, position.in_play)
            solver.database = databases.get(self.area, solver.moves, stones, self.tty)
        quick = databases.quick(position.pits, position.in_play, not solver.effort)
        if quick > (solver.database.stones if solver.database else 0):
            solver.database = endgame.build(solver.moves, quick, self.tty.poll)

    def value(self, solver: Solver, position: Position) -> None:
        """Type each bound as it is proved, then the value."""
        begun, effort = self.clock(), solver.effort
        before = solver.known(position)
        for bounds in solver.prove(position):
            spent = solver.effort - effort, self.clock() - begun
            if bounds.low > before.low:
                self.tty.type(says.AT_LEAST.format(bounds.low, *spent))
            if bounds.high < before.high:
                self.tty.type(says.AT_MOST.format(bounds.high, *spent))
            before = bounds
        self.tty.type(worth(*before))

    def moves(self, solver: Solver, position: Position) -> None:
        """Type the value of every move."""
        most = solver.known(position).high
        for pit in position.legal:
            *_, bounds = solver.prove_move(position, pit, Bounds(OPEN.low, most))
            self.tty.type(says.MOVE.format(pit, worth(*bounds)))

    def tell_known(self, solver: Solver, position: Position) -> None:
        """Type what is proved about the value and about every move."""
        low, high = solver.known(position)
        moves = {pit: solver.after(position, pit) for pit in position.legal}
        low = max(low, *(move.low for move in moves.values()))
        high = min(high, max(move.high for move in moves.values()))
        self.tty.type(worth(low, high))
        for pit, move in moves.items():
            self.tty.type(says.MOVE.format(pit, worth(move.low, min(move.high, high))))


def worth(low: int, high: int) -> str:
    """Return the line for a value between these bounds."""
    between = says.VALUE_BETWEEN.format(low, high)
    return says.VALUE.format(low) if low == high else between
