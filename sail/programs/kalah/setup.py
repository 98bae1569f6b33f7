"""Before a game: the questions that set it up."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from textwrap import wrap
from typing import NamedTuple

from sail.area import Area
from sail.board import PLAYERS, Position
from sail.engine.levels import LEVELS
from sail.programs import questions, record
from sail.programs.game import Game
from sail.programs.kalah import files, says
from sail.programs.kalah.picture import type_boards, type_side, type_state
from sail.programs.questions import QUIT, Back, Command, ask
from sail.special import BadPosition, Special
from sail.teletype import Teletype

LEVEL_NAMES = [level.name for level in LEVELS]
Save = Callable[[], None]  # saves the game that was played last


class Start(NamedTuple):
    """A game to play.

    shown: its board has just been typed.  solution: the lines to type after it.
    """

    game: Game
    shown: bool = False
    solution: tuple[str, ...] = ()


def continue_game(tty: Teletype, game: Game, save: Save) -> bool:
    """Ask whether to continue a game, and return the answer.

    Raises Back to leave.
    """

    def show() -> None:
        type_side(tty, game)
        type_state(tty, game)

    more = (
        *says.GO_ON_MORE,
        Command("SHOW", show, says.GO_ON_SHOW_MORE),
        Command("SAVE", save, says.GO_ON_SAVE_MORE),
        says.GO_ON_LEAVE_MORE,
    )
    return ask(tty, says.GO_ON, questions.agrees, says.GO_ON_HELP, more, [QUIT])


def new_game(tty: Teletype, area: Area, now: Callable[[], str], save: Save) -> Start:
    """Ask the three questions of a new game (AKC-09800).

    Raises Back to leave.
    """
    while True:
        found, shown = start_with(tty, area, save)
        with suppress(Back):
            level, human = player(tty, found.position)
            game = Game(found.position, level, human, now())
            return Start(game, shown, found.solution)


def player(tty: Teletype, position: Position) -> tuple[str, int]:
    """Ask for the level, and which player the user is.  Raises Back."""
    while True:
        level = what_level(tty)
        if not record.is_opening(position):
            tty.type(says.IS_TO_MOVE.format(PLAYERS[position.mover]))
        with suppress(Back):
            starts = questions.yes(tty, says.DO_YOU_WISH_TO_START)
            return level, position.mover if starts else 1 - position.mover


def start_with(tty: Teletype, area: Area, save: Save) -> tuple[Special, bool]:
    """Ask for the first position; return it and whether its board was typed.

    Raises Back to leave.
    """

    def meaning(answer: str) -> tuple[Special, bool] | None:
        found = questions.start_position(tty, area, answer, range(1, 7))
        if not found:
            return None
        if found.position.over:
            raise BadPosition(says.ALREADY_OVER)
        shown = not answer.isdecimal()
        if shown:
            type_boards(tty, found.position)
        return found, shown

    names = says.POSITIONS.format(" ".join(files.positions(area)))
    more: list[str | Command] = [
        *says.START_WITH_MORE,
        Command("SAVE", save, says.START_WITH_SAVE_MORE),
        *says.START_WITH_END_MORE,
        *wrap(names, tty.width),
    ]
    return ask(tty, says.START_WITH, meaning, says.START_WITH_HELP, more, [QUIT])


def what_level(tty: Teletype) -> str:
    """Ask for a level's name (AKC-09800, AKC-10300).  Raises Back."""

    def meaning(answer: str) -> str | None:
        return questions.chosen(answer or says.STANDARD_LEVEL, LEVEL_NAMES)

    return ask(
        tty, says.WHAT_LEVEL, meaning, says.WHAT_LEVEL_HELP, says.WHAT_LEVEL_MORE
    )
