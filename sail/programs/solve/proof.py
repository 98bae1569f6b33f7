"""The proof for a position: its value, its moves and a perfect game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from math import inf

from sail.board import PLAYERS, Position
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.game import Course, format_turns
from sail.programs.solve import says
from sail.stop import STOPPED, Stop, Stopped, check_stop, until
from sail.talk.asking import Asker

OTHERS_SECONDS = 5.0  # for the moves that do not keep the value
SILENCE = 8.0  # seconds of work after which a line is typed
BUILT_A_SECOND = 3_300_000  # positions of a database, on one core of an AMD EPYC
INDENT = 5  # columns to the left of a game


def progress_stop(asker: Asker) -> Stop:
    """Return a Stop for a ^C, which types a line every SILENCE seconds."""
    tty, clock = asker.tty, asker.clock
    began = last_line_at = clock()

    def stop() -> bool:
        nonlocal last_line_at
        now = clock()
        if now >= last_line_at + SILENCE:
            last_line_at = now
            tty.type(says.AT_WORK.format(now - began))
        return tty.poll()

    return stop


class Proof:
    """What a solver proves about one position, typed as it is proved."""

    def __init__(self, asker: Asker, solver: Solver, position: Position) -> None:
        self.tty = asker.tty
        self.clock = asker.clock
        self.solver = solver
        self.position = position
        self.stop = progress_stop(asker)

    def type_proof(self, all_values: bool = False) -> None:
        """Type the value, the moves and a game; if stopped, type what is known.

        all_values: type the values of all moves instead, however long that takes.
        """
        try:
            self._add_endgames()
            if all_values:
                self._type_moves(inf)
                return
            self._type_value()
            self._type_moves(OTHERS_SECONDS)
            self._type_game(self.solver.best_play(self.position, self.stop))
        except Stopped:
            self._type_known()

    def type_on_file(self, variation: Iterable[int]) -> None:
        """Type what the solver has learned from the file, with this perfect game."""
        value = self.solver.known_value(self.position).low
        self.tty.type(_value_sentence(value, self.position.mover))
        for pit in self.position.legal:
            self._type_move(pit)
        self._type_game(variation)
        self.tty.type(says.ON_FILE)

    def _add_endgames(self) -> None:
        """Give the solver a database if one pays here and it has none.

        Raises Stopped; the solver then wants none any more.
        """
        solver, pits = self.solver, self.position.pits_a_side
        stones = endgame.most_useful(pits, self.position.in_play)
        if solver.database.most_in_play or not solver.wants_database or not stones:
            return
        seconds = endgame.size(pits, stones) // BUILT_A_SECOND
        if seconds:
            self.tty.type(says.BUILDING.format(stones, seconds))
        solver.wants_database = False
        solver.database = endgame.build(solver.moves, stones, self.stop)

    def _type_value(self) -> None:
        """Type each bound as it is proved, then the value.  Raises Stopped."""
        began, effort = self.clock(), self.solver.effort
        before = self.solver.known_value(self.position)
        for known in self.solver.prove(self.position, stop=self.stop):
            spent = self.solver.effort - effort, self.clock() - began
            if known.low > before.low:
                self.tty.type(says.AT_LEAST.format(known.low, *spent))
            if known.high < before.high:
                self.tty.type(says.AT_MOST.format(known.high, *spent))
            before = known
        self.tty.type(_value_sentence(before.low, self.position.mover))

    def _type_moves(self, seconds: float) -> None:
        """Prove which moves keep the value; type the values or bounds of all moves.

        seconds: the time for the moves that do not keep it.  Raises Stopped.
        """
        list(self.solver.keeping_pits(self.position, self.stop))
        late = until(self.clock() + seconds, self.clock, self.stop)
        for pit in self.position.legal:
            with suppress(Stopped):
                list(self.solver.prove_move(self.position, pit, stop=late))
            check_stop(self.stop)
            self._type_move(pit)

    def _type_move(self, pit: int) -> None:
        """Type the value of a move, or what is proved of it."""
        low, high, *_ = self.solver.known_move_value(self.position, pit)
        high = min(high, self.solver.known_value(self.position).high)
        self.tty.type(says.MOVE.format(pit, _value_line(low, high)))

    def _type_game(self, pits: Iterable[int]) -> None:
        games = both_notations(self.position, pits)
        for heading, game in zip((says.GAME, says.GAME_PITS), games):
            pieces = folded(game, self.tty.settings.width - INDENT)
            self.tty.type(heading.format(f"\n{' ' * INDENT}".join(pieces)))

    def _type_known(self) -> None:
        self.tty.type(STOPPED)
        low, high, *_ = self.solver.known_value(self.position)
        legal = self.position.legal
        moves = [self.solver.known_move_value(self.position, pit) for pit in legal]
        low = max(low, *(move.low for move in moves))
        high = min(high, max(move.high for move in moves))
        self.tty.type(_value_line(low, high))
        for pit in legal:
            self._type_move(pit)


def _value_sentence(value: int, mover: int) -> str:
    player = PLAYERS[mover]
    if not value:
        return says.DRAW.format(player)
    winner = PLAYERS[mover if value > 0 else 1 - mover]
    return says.WINS.format(value, player, winner, abs(value))


def _value_line(low: int, high: int) -> str:
    line = says.VALUE if low == high else says.VALUE_BETWEEN
    return line.format(low, high)


def both_notations(position: Position, pits: Iterable[int]) -> tuple[str, str]:
    """Return a game in the notation of the paper (ISK-T9), and in ours.

    The paper counts holes from 0, the last next to the kalah; a dash changes the mover.
    """
    course = Course(position).through(pits)
    holes = "-".join(
        "".join(str(position.pits_a_side - pit) for pit in turn.pits)
        for turn in course.turns
    )
    if course.turn_is_over and not course.position.over:
        holes += "-"
    return holes, format_turns(course.turns)


def folded(game: str, columns: int) -> list[str]:
    """Return a game in pieces that fit, cut between turns.

    A turn that is longer than a line is cut after a comma, or anywhere.
    """
    fits = f".{{1,{columns}}}"
    cut = rf"{fits}(?:(?<=-)|(?<= )(?=[AB])|$)|{fits}(?<=,)|{fits}"
    return [piece.strip() for piece in re.findall(cut, game)]
