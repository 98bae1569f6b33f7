"""The questions before a game of KALAH, each asked until it is answered.

Where None is returned the user went back with Q.
"""

from __future__ import annotations

from collections.abc import Sequence

from sail import special
from sail.area import AreaError
from sail.board import MOST_PITS, Position
from sail.engine.levels import LEVELS
from sail.programs import record
from sail.programs.kalah import says
from sail.programs.kalah.files import OUT, Files
from sail.programs.questions import begins, typed_position
from sail.teletype import Teletype


def number(
    tty: Teletype, prompt: str, help: str, most: int, more: Sequence[str] = ()
) -> int | None:
    """A number from 1 to most; more are the lines for a question mark."""
    while True:
        answer = tty.ask(prompt.format(most)).strip().upper()
        if begins(answer, "QUIT"):
            return None
        if answer in map(str, range(1, most + 1)):
            return int(answer)
        for line in more if answer == "?" and more else [help.format(most)]:
            tty.type(line)


def level(tty: Teletype) -> str:
    """The name of a level (AKC-09800, AKC-10300)."""
    while True:
        answer = tty.ask(says.WHAT_LEVEL).strip().upper() or says.STANDARD_LEVEL
        for choice in LEVELS:
            if begins(answer, choice.name):
                return choice.name
        if answer == "?":
            for line in says.WHAT_LEVEL_MORE:
                tty.type(line)
        else:
            tty.type(says.WHAT_LEVEL_HELP)


def special_position(tty: Teletype, files: Files, name: str) -> Position | None:
    """A special position: of that name, of a saved game, or typed if none.

    Raises AreaError, BadPosition.  AKC-15000.
    """
    if not name:
        return typed_position(tty)
    if name == OUT:
        return _saved_node(tty, files)
    found = files.position(name)
    if found.position.pits != MOST_PITS:
        raise special.BadPosition(says.SIX_PITS)
    for line in found.comments:
        tty.type(line)
    return found.position


def _saved_node(tty: Teletype, files: Files) -> Position | None:
    games = files.saved()
    if not games:
        raise AreaError(says.NO_GAMES)
    listed = [f"{n:>3}  {record.summary(game)}" for n, game in enumerate(games, 1)]
    chosen = number(tty, says.WHICH_GAME, says.WHICH_GAME_HELP, len(games), listed)
    if not chosen:
        return None
    game = games[chosen - 1]
    nodes = [game.start, *(turn.after for turn in game.turns)]
    before = number(
        tty, says.BEFORE_WHICH_TURN, says.BEFORE_WHICH_TURN_HELP, len(nodes)
    )
    return nodes[before - 1] if before else None
