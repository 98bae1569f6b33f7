"""SOLVE: the true value of a position and of every move in it (ISK)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from math import comb

from sail.area import Area
from sail.board import PAPER, STANDARD, Position
from sail.engine.exact import OPEN, Bounds, Solver
from sail.programs.questions import QUIT, Back, ask, start_position, yes
from sail.programs.solve import databases, says
from sail.programs.solve.tables import NAMES, Tables, folded, notation
from sail.special import BadPosition
from sail.stop import Stopped
from sail.teletype import Teletype

MOST_STONES = 36  # a pit
# Kalah(6,5), the largest game that the paper solved, has so many positions,
# kalahs and mover left out.
MOST_POSITIONS = comb(60 + 12, 12)


def run(tty: Teletype, area: Area, clock: Callable[[], float] = time.monotonic) -> None:
    """Answer questions until the user leaves."""
    Dialogue(tty, area, clock).run()


class Dialogue:
    """The talk of one user with SOLVE, down the page."""

    def __init__(self, tty: Teletype, area: Area, clock: Callable[[], float]) -> None:
        self.tty = tty
        self.area = area
        self.clock = clock
        self.tables = Tables(tty.poll, clock, tty.width)
        self.solver: Solver | None = None  # with all that it has proved

    def run(self) -> None:
        self.tty.type(says.TITLE)
        with suppress(Back):
            while True:
                self.obey(self.first_answer())

    def first_answer(self) -> str:
        """The name of a table, or a number of pits.  Raises Back to leave."""
        return ask(
            self.tty,
            says.PITS,
            lambda answer: answer if answer in (*NAMES, *"123456") else None,
            says.PITS_HELP,
            says.PITS_MORE,
            back=[QUIT],
        )

    def obey(self, answer: str) -> None:
        if answer in NAMES:
            self.lines(self.tables.lines(answer))
        else:
            with suppress(Back):
                self.solve(self.position(int(answer)))

    def lines(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.tty.type(text)

    # The question

    def position(self, pits: int) -> Position:
        """The position to solve.  Raises Back."""

        def meaning(answer: str) -> Position | None:
            stones = range(MOST_STONES + 1)
            found = start_position(self.tty, self.area, answer, stones, pits, STANDARD)
            if not found:
                return None
            position = found.position
            if position.over:
                raise BadPosition(says.FINISHED)
            if comb(position.in_play + 2 * pits, 2 * pits) > MOST_POSITIONS:
                raise BadPosition(says.TOO_LARGE.format(position.in_play, pits))
            return position

        while True:
            position = ask(self.tty, says.STONES, meaning, says.STONES_HELP)
            with suppress(Back):
                captures = yes(self.tty, says.CAPTURES, says.CAPTURES_HELP)
                return position._replace(rules=PAPER if captures else STANDARD)

    # The answer

    def solve(self, position: Position) -> None:
        """Type the value, the moves, a game; what is known when stopped."""
        solver = self.solver
        if not solver or not solver.fits(position):
            # One at a time, so that the memory stays under its limit.
            self.solver = None
            solver = Solver(
                position.pits,
                position.in_play,
                position.rules.captures_empty,
                stop=self.tty.poll,
            )
            self.solver = solver
        try:
            self.fetch_endgames(solver, position)
            self.value(solver, position)
            self.moves(solver, position)
            pits = solver.line(position)
        except Stopped:
            self.tty.type(says.STOPPED)
            self.tell_known(solver, position)
            return
        for heading, game in zip((says.GAME, says.GAME_PITS), notation(position, pits)):
            self.lines(folded(heading.format(game), self.tty.width, 5))

    def fetch_endgames(self, solver: Solver, position: Position) -> None:
        stones = databases.most_useful(position.pits, position.in_play)
        if stones and not solver.database:
            solver.database = databases.get(
                self.area, solver.moves, stones, self.tty.type, self.tty.poll
            )

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
        self.tty.type(says.VALUE.format(before.low))

    def moves(self, solver: Solver, position: Position) -> None:
        """Type the value of every move, the best one found first."""
        most = solver.known(position).high
        solver.best(position)
        for pit in position.legal:
            for bounds in solver.prove_move(position, pit, Bounds(OPEN.low, most)):
                value = bounds.low
            self.tty.type(says.MOVE.format(pit, value))

    def tell_known(self, solver: Solver, position: Position) -> None:
        """Type what is proved, of the value and of every move."""
        low, high = solver.known(position)
        moves = {pit: solver.after(position, pit) for pit in position.legal}
        low = max(low, *(move.low for move in moves.values()))
        high = min(high, max(move.high for move in moves.values()))
        self.tty.type(between(says.VALUE, says.VALUE_BETWEEN, low, high))
        for pit, move in moves.items():
            self.tty.type(
                between(
                    says.MOVE, says.MOVE_BETWEEN, move.low, min(move.high, high), pit
                )
            )


def between(exact: str, bounded: str, low: int, high: int, *words: int) -> str:
    """The line for a value that is known, or for its bounds."""
    return (
        exact.format(*words, low) if low == high else bounded.format(*words, low, high)
    )
