"""SOLVE: the true value of a position and of every move in it (ISK)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from math import comb

from sail import special
from sail.area import Area, AreaError
from sail.board import PAPER, PLAYERS, STANDARD, Position, Rules, start
from sail.engine.exact import OPEN, Bounds, Solver
from sail.programs.solve import databases, says
from sail.programs.solve.tables import NAMES, Tables, folded, notation
from sail.stop import Stopped
from sail.teletype import Teletype

MOST_STONES = 36  # a pit
# Kalah(6,5), the largest game that the paper solved, has so many positions,
# kalahs and mover left out.
MOST_POSITIONS = comb(60 + 12, 12)


class Back(Exception):
    """The user goes back to the first question."""


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
        while True:
            answer = self.tty.ask(says.PITS).strip().upper()
            if answer in ("Q", "QUIT"):
                return
            if answer in NAMES:
                self.lines(self.tables.lines(answer))
            elif answer in tuple("123456"):
                try:
                    self.solve(self.position(int(answer)))
                except Back:
                    pass
            else:
                self.lines(says.PITS_MORE if answer == "?" else [says.PITS_HELP])

    def ask(self, prompt: str) -> str:
        """The answer in upper case.  Raises Back for Q."""
        answer = self.tty.ask(prompt).strip().upper()
        if answer in ("Q", "QUIT"):
            raise Back
        return answer

    def lines(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.tty.type(text)

    # The question

    def position(self, pits: int) -> Position:
        """The position to solve.  Raises Back."""
        while True:
            position = self.stones(pits)
            if position and position.over:
                self.tty.type(says.FINISHED)
            elif (
                position
                and comb(position.in_play + 2 * pits, 2 * pits) > MOST_POSITIONS
            ):
                self.tty.type(says.TOO_LARGE.format(position.in_play, pits))
            elif position:
                return position._replace(rules=self.rules())

    def stones(self, pits: int) -> Position | None:
        """The position that one answer gives, if it is in order."""
        word, *names = self.ask(says.STONES).split() or [""]
        if word.isascii() and word.isdigit() and not names:
            if len(word) < 4 and int(word) <= MOST_STONES:
                return start(int(word), pits, STANDARD)
        elif word and "SPECIAL".startswith(word) and len(names) < 2:
            try:
                return self.stored(names[0], pits) if names else self.typed(pits)
            except (AreaError, special.BadPosition) as error:
                self.tty.type(str(error))
                return None
        self.tty.type(says.STONES_HELP)
        return None

    def stored(self, name: str, pits: int) -> Position:
        """The position on a file.  Raises AreaError, BadPosition."""
        if "." not in name:
            name += ".POS"
        found = special.read(self.area.read(name), name, STANDARD)
        if found.position.pits != pits:
            raise special.BadPosition(says.OTHER_PITS.format(name, found.position.pits))
        self.lines(found.comments)
        return found.position

    def typed(self, pits: int) -> Position:
        """The position that is typed, A to move.  Raises Back, BadPosition."""
        rows: list[list[int]] = []
        for player, which in zip(PLAYERS, (says.FIRST, says.SECOND)):
            row: list[int] = []
            while not row:
                line = self.ask(says.ROW.format(which, player, pits))
                try:
                    typed = special.numbers(line)
                    if len(typed) != pits + 1:
                        raise special.BadPosition(says.ROW_HELP.format(pits + 1))
                    special.check(player, typed, sum(map(sum, rows)))
                    row = typed
                except special.BadPosition as error:
                    self.tty.type(str(error))
            rows.append(row)
        return special.build(rows[0], rows[1], rules=STANDARD)

    def rules(self) -> Rules:
        while True:
            answer = self.ask(says.CAPTURES)
            if answer in ("Y", "YES"):
                return PAPER
            if answer in ("N", "NO"):
                return STANDARD
            self.tty.type(says.CAPTURES_HELP)

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
                self.area, solver.rows, stones, self.tty.type, self.tick
            )

    def tick(self, _: int) -> None:
        if self.tty.poll():
            raise Stopped

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
