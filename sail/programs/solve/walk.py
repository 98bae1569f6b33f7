"""The answer for a position, and the walk from it to later positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import inf

from sail.board import ISK_RULES, PLAYERS, STANDARD_RULES, Position
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.limit import Clock
from sail.files import positions, values
from sail.files.area import Area
from sail.files.positions import Special
from sail.game import parse_turn
from sail.programs.solve import databases, says
from sail.programs.solve.tables import folded, notation
from sail.stop import Stop, Stopped
from sail.talk.asking import GOES_BACK, Asker, Command, answering, attempt
from sail.talk.choosing import save_position
from sail.teletype import Teletype

OTHERS_SECONDS = 5.0  # for the moves that do not keep the value
SILENCE = 8.0  # seconds of work after which a line is typed


class Progress:
    """A `stop` that types a line when SILENCE seconds have passed since the last.

    line: returns the line, given the seconds since the work began at `begun`.
    """

    def __init__(
        self, tty: Teletype, clock: Clock, line: Callable[[float], str]
    ) -> None:
        self.tty = tty
        self.clock = clock
        self.line = line
        self.begun = self.typed = clock()

    def stop(self) -> bool:
        """Return whether the user typed ^C; type a line if it is time for one."""
        now = self.clock()
        if now >= self.typed + SILENCE:
            self.typed = now
            self.tty.type(self.line(now - self.begun))
        return self.tty.poll()


class Walk:
    """Answers about positions, with the help of the proofs from earlier answers.

    solver: the solver of the last answer, with its proofs, or None.
    """

    def __init__(self, asker: Asker, area: Area, clock: Clock) -> None:
        self.asker = asker
        self.tty = asker.tty
        self.area = area
        self.clock = clock
        self.solver: Solver | None = None
        self.told_whose = False  # whether COUNTS has been typed in this walk
        self.taught = False  # whether the solver knows the values on file
        self.on_file: bool  # whether the last answer was on file

    def start(self, position: Position) -> None:
        """Answer for a position, then for each that the user plays to.  Raises Back."""
        path = [position]
        self.solve(position)
        while True:
            here = path[-1]
            saved = Special(here, (says.FROM_SOLVE,))
            save = partial(save_position, self.tty, self.area, saved)
            everything = partial(self.solve_all, here)
            before = path[:-1]
            back = Command("BACK", "GOES BACK ONE STEP", answering(before), first=True)
            again = partial(self.prove_again, here)
            prove = Command("PROVE", says.PROVE_HELP, again, first=True)
            other = partial(self.by_the_other_rule, here)
            commands = [
                *([back] if before else []),
                *([prove] if self.on_file else []),
                Command("ALL VALUES", says.ALL_VALUES_HELP, everything, first=True),
                Command("RULE", says.RULE_HELP, other),
                Command("SAVE", "WRITES THIS POSITION ON NAME.POS", save, "NAME"),
                *GOES_BACK,
            ]
            step = partial(self.step, path)
            path = self.asker.ask(says.WALK, commands, step)
            here = path[-1]
            self.show(here)
            if here.over:
                self.tty.type(says.OVER.format(*here.score))
            else:
                self.solve(here)

    def step(self, path: list[Position], answer: str) -> list[Position] | None:
        """Return the path after the pits of a turn, None if they are not pits."""
        pits = parse_turn(path[-1], answer)
        if not pits:
            return None
        for pit in pits:
            path = [*path, path[-1].play(pit)]
        return path

    def show(self, position: Position) -> None:
        """Type a position; the first time in a walk, explain the sign of a value."""
        self.tty.type(positions.write(Special(position)), end="")
        if not self.told_whose:
            self.tty.type(says.COUNTS)
        self.told_whose = True

    def by_the_other_rule(self, position: Position, _: str) -> list[Position]:
        """Return the path that begins here with the other capture rule."""
        captures = not position.rules.captures_empty
        self.tty.type(says.CAPTURES.prompt + ("Y" if captures else "N"))
        return [position._replace(rules=ISK_RULES if captures else STANDARD_RULES)]

    def solve(self, position: Position) -> None:
        """Answer for a position, from the values on file if it is there."""
        entry = None
        if position.in_play >= databases.LEAST_IN_PLAY:
            entry = attempt(self.tty, partial(values.find, position))
        self.on_file = bool(entry)
        if not entry:
            self.prove(position)
            return
        solver = self.fitting(position)
        values.teach(solver)
        self.taught = True
        self.tty.type(outcome(solver.known(position).low, position.mover))
        for pit in position.legal:
            self.type_move(solver, position, pit)
        self.type_game(position, entry.game)
        self.tty.type(says.ON_FILE)

    def prove_again(self, position: Position, _: str) -> None:
        """Answer for a position without the values on file."""
        if self.taught:
            self.solver = None
        self.prove(position)

    def prove(self, position: Position) -> None:
        """Type the value, the moves and a game; if stopped, type what is known."""
        solver = self.fitting(position)
        stop = self.watch(solver)
        try:
            self.add_endgames(solver, position, stop)
            self.type_value(solver, position, stop)
            self.type_moves(solver, position, OTHERS_SECONDS, stop)
            self.type_game(position, solver.line(position, stop))
        except Stopped:
            self.type_known(solver, position)

    def fitting(self, position: Position) -> Solver:
        """Return the last solver if it suits the position, otherwise a new one."""
        pits = position.pits
        if not self.solver or not self.solver.fits(position):
            # Its packed rows must have room for any database that may be on file, and
            # for every position with fewer stones than LEAST_IN_PLAY.
            stones = max(databases.largest(pits), databases.LEAST_IN_PLAY - 1)
            stones = max(stones, position.in_play)
            self.solver = Solver(pits, stones, position.rules.captures_empty)
            self.taught = False
        return self.solver

    def type_game(self, position: Position, pits: Sequence[int]) -> None:
        """Type a game from the position in both notations."""
        line = notation(position, pits)
        for heading, game in zip((says.GAME, says.GAME_PITS), line):
            for piece in folded(heading.format(game), self.tty.width, 5):
                self.tty.type(piece)

    def solve_all(self, position: Position, _: str) -> None:
        """Type the values of all moves; if stopped, type what is known."""
        solver = self.fitting(position)
        stop = self.watch(solver)
        try:
            self.add_endgames(solver, position, stop)
            self.type_moves(solver, position, inf, stop)
        except Stopped:
            self.type_known(solver, position)

    def watch(self, solver: Solver) -> Stop:
        """Return a stop that types the solver's effort while it works."""
        before = solver.effort

        def line(seconds: float) -> str:
            return says.AT_WORK.format(solver.effort - before, seconds)

        return Progress(self.tty, self.clock, line).stop

    def add_endgames(self, solver: Solver, position: Position, stop: Stop) -> None:
        """Give the solver a database if one pays here.  Raises Stopped."""
        if not solver.database and position.in_play >= databases.LEAST_TO_LOAD:
            stones = databases.most_useful(position.pits, position.in_play)
            solver.database = databases.load_or_build(
                self.area, solver.moves, stones, self.tty, stop
            )
        quick = databases.quick(position.pits, position.in_play, not solver.effort)
        if quick > (solver.database.stones if solver.database else 0):
            solver.database = endgame.build(solver.moves, quick, self.tty.poll)

    def type_value(self, solver: Solver, position: Position, stop: Stop) -> None:
        """Type each bound as it is proved, then the value.  Raises Stopped."""
        begun, effort = self.clock(), solver.effort
        before = solver.known(position)
        for bounds in solver.prove(position, stop=stop):
            spent = solver.effort - effort, self.clock() - begun
            if bounds.low > before.low:
                self.tty.type(says.AT_LEAST.format(bounds.low, *spent))
            if bounds.high < before.high:
                self.tty.type(says.AT_MOST.format(bounds.high, *spent))
            before = bounds
        self.tty.type(outcome(before.low, position.mover))

    def type_moves(
        self, solver: Solver, position: Position, seconds: float, stop: Stop
    ) -> None:
        """Prove which moves keep the value; type the values or bounds of all moves.

        seconds: the time for the moves that do not keep it.  Raises Stopped.
        """
        for _ in solver.keeping_pits(position, stop):
            pass
        end = self.clock() + seconds
        for pit in position.legal:
            with suppress(Stopped):
                for _ in solver.prove_move(
                    position, pit, stop=lambda: stop() or self.clock() >= end
                ):
                    pass
            if stop():
                raise Stopped
            self.type_move(solver, position, pit)

    def type_move(self, solver: Solver, position: Position, pit: int) -> None:
        """Type the value of a move, or its upper bound."""
        low, high = solver.known_move(position, pit)
        high = min(high, solver.known(position).high)
        line = says.VALUE.format(low) if low == high else says.MOST.format(high)
        self.tty.type(says.MOVE.format(pit, line))

    def type_known(self, solver: Solver, position: Position) -> None:
        """Type what is proved about the value and about every move."""
        self.tty.type(says.STOPPED)
        low, high = solver.known(position)
        moves = {pit: solver.known_move(position, pit) for pit in position.legal}
        low = max(low, *(move.low for move in moves.values()))
        high = min(high, max(move.high for move in moves.values()))
        self.tty.type(value_line(low, high))
        for pit, move in moves.items():
            value = value_line(move.low, min(move.high, high))
            self.tty.type(says.MOVE.format(pit, value))


def outcome(value: int, mover: int) -> str:
    """Return the line for the value of a position."""
    if not value:
        return says.DRAW
    winner = PLAYERS[mover if value > 0 else 1 - mover]
    return says.WINS.format(value, winner, abs(value))


def value_line(low: int, high: int) -> str:
    """Return the line for a value between these bounds."""
    line = says.VALUE if low == high else says.VALUE_BETWEEN
    return line.format(low, high)
