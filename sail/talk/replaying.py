"""Choosing a saved game, and a turn of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sail.board import Position
from sail.files import games
from sail.files.placing import BadPosition
from sail.game import Game
from sail.refusal import Refusal
from sail.stop import STOPPED
from sail.talk.asking import Asker, Back, Question

GAMES_ON_FILE = "{} HAS {} GAMES, THE LATEST FIRST."
NO_GAMES = "THERE IS NO GAME ON {}."
WHICH_GAME = Question(
    "WHICH GAME, 1 TO {}? ",
    "TYPE A NUMBER FROM 1, THE OLDEST, TO {}, ? FOR A LIST, OR Q.",
)
BEFORE_WHICH_TURN = Question(
    "BEFORE WHICH TURN, 1 TO {}? ", "TYPE A NUMBER FROM 1 TO {}, ? FOR A LIST, OR Q."
)


def saved_game(asker: Asker, saved: games.SavedGames | list[Game], file: str) -> Game:
    """Return a game on a file; if there are several, ask.  Raises Back, BadPosition."""
    if not saved:
        raise BadPosition(NO_GAMES.format(file))
    tty = asker.tty

    def summaries() -> Iterator[str]:
        """Yield how many games there are, and a line for each, the last one first.

        The list ends at a game that cannot be read.
        """
        shown = min(asker.area.most_listed or len(saved), len(saved))
        yield GAMES_ON_FILE.format(file, len(saved))
        try:
            for number in range(len(saved), len(saved) - shown, -1):
                if tty.poll():
                    raise Refusal(STOPPED)
                yield f"{number:>3}  {games.summary(saved[number - 1])}"
        except Refusal as error:
            yield str(error)

    which = 1
    if len(saved) > 1:
        which = asker.number(WHICH_GAME, len(saved), summaries)
    return saved[which - 1]


def ask_turn(asker: Asker) -> Position:
    """Ask for a turn of a game on KALAH.OUT; return the position before it.

    Raises Refusal, Back.
    """
    saved = games.SavedGames(asker.area.read(games.OUT), games.OUT, asker.tty.poll)
    while True:
        game = saved_game(asker, saved, games.OUT)
        positions = [position for position in game.before_turns if not position.over]
        if len(positions) == 1:
            return game.start
        turns = partial(games.turn_lines, game.turns)
        try:
            turn = asker.number(BEFORE_WHICH_TURN, len(positions), turns)
        except Back:
            if len(saved) == 1:
                raise
        else:
            return positions[turn - 1]
