"""The last game, and what can still be done with it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from sail.board import opening
from sail.files import games, seal
from sail.game import Game
from sail.programs.kalah import saving, says
from sail.programs.kalah.begin import Setup
from sail.programs.kalah.review import Review
from sail.programs.kalah.standing import next_level
from sail.refusal import Refusal
from sail.talk.asking import Command, Commands, answering, attempt
from sail.teletype import COLUMNS
from sail.typed import parse_number

NO_GAME = Game(opening(0))  # the last one in a new area
# On a tape, but not YES, nor what the lines before the question have just named.
NAME = re.compile("(?!(Y(ES?)?|BACK|REVIEW|SAVE)$)[A-Z0-9 .-]{,20}")


class LastGame:
    """The last game, and the commands about it.

    saved: whether SAVE has saved it.
    start_commands: those that START WITH takes, too.
    """

    def __init__(self, setup: Setup, game: Game) -> None:
        self.setup = setup
        self.asker = setup.asker
        self.tty = setup.tty
        self.game = game
        self.saved = False
        self.last_review: Review | None = None
        self.tried_last = 0  # the number of the exercise that TRY set up last
        self.start_commands: Commands[Game] = (
            Command("SAVE", "SAVES THE LAST GAME ON KALAH.OUT", self.save),
            Command("REVIEW", "SHOWS WHERE YOU LOST STONES IN IT", self.review),
            Command("TRY", "SETS UP A TURN THAT REVIEW LISTED", self._try_again, "N"),
        )

    @property
    def can_be_punched(self) -> bool:
        return self.tty.settings.tape and bool(self.game.pits)

    @property
    def end_commands(self) -> Commands[Game]:
        """All commands about it, which ANOTHER GAME takes."""
        tape: Command[Game] = Command(
            "TAPE", "PUNCHES THE GAME ON PAPER TAPE", self.tape, short=True
        )
        harder, easier, same = (partial(self._rematch, rungs) for rungs in (1, -1, 0))
        return (
            *([tape] if self.can_be_punched else []),
            *(replace(command, short=True) for command in self.start_commands),
            Command("HARDER", "SAME GAME, ONE LEVEL UP", harder, short=True),
            Command("EASIER", "SAME GAME, ONE LEVEL DOWN", easier, short=True),
            Command("SAME", "SAME GAME AT THIS LEVEL", same),
            Command(
                "BACK", "GOES ON WITH THIS GAME, IF A COMMAND ENDED IT", self._back
            ),
        )

    def save(self, _: str) -> None:
        """Add the game to KALAH.OUT (AKC-13700).  Raises Refusal."""
        if self.game == NO_GAME:
            raise Refusal(says.NO_GAME_TO_SAVE)
        saving.save_game(self.asker.area, self.game)
        self.saved = True
        self.tty.type(says.GAME_SAVED)

    def review(self, _: str) -> None:
        """Type the turns of the game that cost the user most.  Raises Refusal."""
        if not self.game.pits:
            raise Refusal(says.NO_TURN_TO_REVIEW)
        if not self.last_review or self.last_review.cut_short:
            self.tty.type(says.REVIEWING)
            self.last_review, self.tried_last = Review(self.asker, self.game), 0
            area, entries = self.asker.area, self.last_review.entries
            if saving.writes_unasked(self.asker):
                attempt(self.tty, partial(saving.save_mistakes, area, entries))
        self.last_review.type()

    def _try_again(self, which: str) -> Game | None:
        """Set up a turn that the review listed.  Raises Refusal, Back.

        Return the game that begins if the user types PLAY.
        """
        entries = self.last_review.entries if self.last_review else []
        if not entries:
            raise Refusal(says.NOTHING_TO_TRY)
        most = len(entries)
        number = parse_number(which, most) if which else self.tried_last % most + 1
        if not number:
            raise Refusal(says.TRY_WHICH.format(most))
        self.tried_last = number
        entry = entries[number - 1]
        if not entry.is_exercise:
            raise Refusal(says.NO_RIGHT_TURN)
        return self.setup.run_exercise(entry)

    def _rematch(self, rungs: int, _: str) -> Game:
        """Begin a game like this one, so many rungs up the ladder.  Raises Refusal."""
        level = next_level(self.game, rungs)
        if not level:
            raise Refusal(says.NO_HARDER if rungs > 0 else says.NO_EASIER)
        self.asker.aside(says.SAME_GAME.format(level))
        game = self.setup.new_game(self.game.start, level, self.game.user)
        return self.setup.type_board(game)

    def _back(self, _: str) -> Game:
        """Go on with the game before the command that ended it.  Raises Refusal."""
        if not self.game.ending or self.saved or self.last_review:
            raise Refusal(says.NO_WAY_BACK)
        game = self.setup.take_up(replace(self.game, ending=None))
        return self.setup.type_board(game)

    def tape(self, _: str) -> None:
        """Punch the game on tape, after asking for a name.  Raises Refusal, Back."""
        commands: Commands[str] = (
            Command("NO", "PUNCHES NOTHING", answering(""), short=True),
            Command("QUIT", "PUNCHES NOTHING EITHER", answering("")),
        )
        name = self.asker.ask(
            says.TAPE,
            commands,
            lambda answer: answer if NAME.fullmatch(answer) else None,
        )
        if name:
            # The paper shows what is punched, so no line is wider than either.
            lines = games.text_of(self.game, min(COLUMNS, self.tty.settings.width))
            text = seal.sealed(seal.KALAH_OUT, lines)
            self.tty.punch(text, says.GAME_ON_TAPE, name)
            self.tty.type(says.PUNCHED)
