"""The answer for a position, and the walk from it to later positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from sail.programs.solve import says
from sail.refusal import Refusal
from sail.stop import Stop, Stopped
from sail.talk.asking import GOES_BACK, Asker, Command, answering, attempt
from sail.talk.choosing import save_position
from sail.teletype import Teletype

OTHERS_SECONDS = 5.0  # for the moves that do not keep the value
SILENCE = 8.0  # seconds of work after which a line is typed
SMALL = 30  # stones in play; one solver serves all positions up to so many
BUILT_A_SECOND = 3_300_000  # positions of a database, on one core of an AMD EPYC
TINY = 2  # stones in the smallest database
INDENT = 5  # columns to the left of a game


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

    def start(self, position: Position) -> None:
        """Answer for a position, then for each that the user plays to.  Raises Back."""
        path = [position]
        self.solve(position)
        while True:
            is_first = len(path) == 1
            path = self.asker.ask(says.WALK, self.commands(path), partial(step, path))
            here = path[-1]
            self.show(here)
            if is_first:
                self.tty.type(says.COUNTS)
            if here.over:
                self.tty.type(says.OVER.format(*here.score))
            else:
                self.solve(here)

    def commands(self, path: list[Position]) -> list[Command]:
        """Return the commands at the end of a path; some return another path."""
        here, before = path[-1], path[:-1]
        back = Command("BACK", says.BACK_HELP, answering(before), first=True)
        everything = partial(self.solve_all, here)
        other = partial(self.by_the_other_rule, here)
        saved = Special(here, (says.FROM_SOLVE,))
        save = partial(save_position, self.tty, self.area, saved)
        return [
            *([back] if before else []),
            Command("ALL VALUES", says.ALL_VALUES_HELP, everything, first=True),
            Command("RULE", says.RULE_HELP, other),
            Command("SAVE", says.SAVE_HELP, save, "NAME"),
            *GOES_BACK,
        ]

    def show(self, position: Position) -> None:
        self.tty.type(positions.write(Special(position)), end="")

    def by_the_other_rule(self, position: Position, _: str) -> list[Position]:
        """Return the path that begins here with the other capture rule."""
        captures = not position.rules.captures_empty
        self.tty.type(says.CAPTURES.prompt + ("Y" if captures else "N"))
        return [position._replace(rules=ISK_RULES if captures else STANDARD_RULES)]

    def solve(self, position: Position) -> None:
        """Type the value, the moves and a game; if stopped, type what is known."""
        solver = self.fitting(position)
        entry = None
        with suppress(Refusal):  # which `fitting` has typed
            entry = values.find(position)
        if entry:
            self.tty.type(outcome(solver.known(position).low, position.mover))
            for pit in position.legal:
                self.type_move(solver, position, pit)
            self.type_game(position, entry.game)
            self.tty.type(says.ON_FILE)
            return
        stop = self.watch(solver)
        try:
            self.add_endgames(solver, position, stop)
            self.type_value(solver, position, stop)
            self.type_moves(solver, position, OTHERS_SECONDS, stop)
            self.type_game(position, solver.line(position, stop))
        except Stopped:
            self.type_known(solver, position)

    def solve_all(self, position: Position, _: str) -> None:
        """Type the values of all moves; if stopped, type what is known."""
        solver = self.fitting(position)
        stop = self.watch(solver)
        try:
            self.add_endgames(solver, position, stop)
            self.type_moves(solver, position, inf, stop)
        except Stopped:
            self.type_known(solver, position)

    def fitting(self, position: Position) -> Solver:
        """Return the last solver if it suits the position, otherwise a new one.

        A new one knows the values on file, and has room for other small positions.
        """
        if not self.solver or not self.solver.fits(position):
            stones = max(position.in_play, SMALL)
            captures_empty = position.rules.captures_empty
            self.solver = Solver(position.pits, stones, captures_empty)
            attempt(self.tty, partial(values.teach, self.solver))
        return self.solver

    def watch(self, solver: Solver) -> Stop:
        """Return a stop that types the solver's effort while it works."""
        before = solver.effort

        def line(seconds: float) -> str:
            return says.AT_WORK.format(solver.effort - before, seconds)

        return Progress(self.tty, self.clock, line).stop

    def add_endgames(self, solver: Solver, position: Position, stop: Stop) -> None:
        """Give the solver a database if one pays here and it has none.

        Raises Stopped; the solver then gets a tiny one, so that none is built later.
        """
        stones = endgame.most_useful(position.pits, position.in_play)
        if solver.database or not stones:
            return
        seconds = endgame.size(position.pits, stones) // BUILT_A_SECOND
        if seconds:
            self.tty.type(says.BUILDING.format(stones, seconds))
        try:
            solver.database = endgame.build(solver.moves, stones, stop)
        except Stopped:
            solver.database = endgame.build(solver.moves, TINY)
            raise

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

    def type_game(self, position: Position, pits: Sequence[int]) -> None:
        """Type a game from the position in both notations."""
        games = notation(position, pits)
        for heading, game in zip((says.GAME, says.GAME_PITS), games):
            for piece in folded(heading.format(game), self.tty.width, INDENT):
                self.tty.type(piece)

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


def step(path: list[Position], answer: str) -> list[Position] | None:
    """Return the path after the pits of a turn, None if they are not pits."""
    pits = parse_turn(path[-1], answer)
    if not pits:
        return None
    for pit in pits:
        path = [*path, path[-1].play(pit)]
    return path


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


def notation(position: Position, pits: Iterable[int]) -> tuple[str, str]:
    """Return a game in the notation of the paper (ISK-T9), and in pit numbers."""
    holes = numbers = ""
    for pit in pits:
        after = position.play(pit)
        dash = "-" if after.mover != position.mover and not after.over else ""
        holes += f"{position.pits - pit}{dash}"
        numbers += f"{pit}{dash}"
        position = after
    return holes, numbers


def folded(line: str, columns: int, indent: int) -> Iterator[str]:
    """Yield the line in pieces of about the same length that fit, cut after dashes."""
    while len(line) > columns:
        rest = len(line) - indent
        pieces = -(-rest // (columns - indent))
        cut = line.find("-", indent + rest // pieces, columns) + 1
        cut = cut or line.rfind("-", 0, columns) + 1 or columns
        yield line[:cut]
        line = " " * indent + line[cut:]
    yield line
