"""A session of KALAH: its games, and the questions between them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from sail import special
from sail.area import Area
from sail.engine.limit import Clock
from sail.programs import record
from sail.programs.asking import (
    Asker,
    Back,
    Command,
    attempt,
    begins,
    yes_or_no,
)
from sail.programs.game import Ending, Game
from sail.programs.kalah import files, says
from sail.programs.kalah.begin import Begin, NewGame
from sail.programs.kalah.opponent import Opponent
from sail.programs.kalah.picture import type_result, type_state
from sail.programs.kalah.play import Play
from sail.programs.kalah.standing import Standing
from sail.refusal import Refusal
from sail.teletype import EndOfInput, Leave, Teletype

if TYPE_CHECKING:
    from sail.programs.kalah.review import Fault


def run(
    tty: Teletype,
    area: Area,
    now: Callable[[], str] = record.timestamp,
    clock: Clock = time.monotonic,
) -> None:
    """Play games until the user leaves (AKC-09200)."""
    Kalah(tty, area, now, clock).run()


class Kalah:
    """A session: game after game, and the questions between them."""

    def __init__(
        self, tty: Teletype, area: Area, now: Callable[[], str], clock: Clock
    ) -> None:
        self.tty = tty
        self.area = area
        # A script or a visitor neither continues the saved game nor replaces it.
        self.autosave = files.Autosave(area, on=tty.live and not tty.visitor)
        self.opponent = Opponent(tty, clock)
        self.asker = Asker(tty, "KALAH", says.RULES)
        self.play = Play(self.asker, area, self.autosave, self.opponent)
        self.last: Game | None = None  # the game just played
        self.saved = False  # whether `last` may be on KALAH.OUT already
        self.reviewed = False
        self.faults: list[Fault] = []  # the turns that the review listed
        self.with_last = (
            Command("SAVE", "SAVES THE GAME JUST PLAYED ON KALAH.OUT", self.save),
            Command("REVIEW", "SHOWS WHERE YOU LOST STONES IN IT", self.review),
            Command("TRY", "SETS UP A TURN THAT REVIEW LISTED", self.try_again, "N"),
        )
        self.new_game = NewGame(self.asker, area, now, clock, self.with_last)
        self.standing = Standing()

    def run(self) -> None:
        try:
            begin: Game | Begin | None = self.continued()
            if self.tty.live and not self.tty.visitor and not self.last:
                self.greet()
            while True:
                if isinstance(begin, Game):
                    game, shown = begin, False
                else:
                    game, shown = self.new_game.ask(begin)
                self.last = self.play.run(game, shown)
                self.saved = self.reviewed = False
                self.faults = []
                self.type_ending(self.last)
                begin = self.another_game(self.last)
        except Back:
            return
        except (Leave, EndOfInput):
            if self.autosave.in_progress:
                self.tty.type(says.GAME_IS_KEPT)
            raise
        finally:
            self.opponent.forget()  # frees its memory
            self.autosave.close()

    def greet(self) -> None:
        """If no game is on file, tell the user where a newcomer begins."""
        if attempt(self.tty, lambda: not files.has_game(self.area)):
            self.tty.type(says.NEW_TO_KALAH)

    def continued(self) -> Game | None:
        """Ask about the last session's game; return it if it goes on.  Raises Back."""
        game = self.last = attempt(self.tty, self.autosave.load)
        self.saved = True  # the last session may have saved it and been killed
        if not game:
            return None
        if game.over:
            return None

        def show() -> None:
            self.tty.type(says.YOU_ARE[game.human])
            type_state(self.tty, game)

        commands = (
            *yes_or_no(
                "GOES ON WITH THE GAME YOU LEFT",
                "STARTS ANOTHER; SAVE STILL SAVES THIS ONE BEFORE THAT",
            ),
            Command("SHOW", "SHOWS THE BOARD", show, first=True),
            Command("SAVE", "SAVES THE GAME ON KALAH.OUT", self.save, first=True),
            Command("QUIT", "LEAVES KALAH; THE GAME IS STILL KEPT", None, first=True),
        )
        goes_on: bool = self.asker.ask(says.GO_ON, says.GO_ON_HELP, commands)
        return game if goes_on else None

    def try_again(self, which: str) -> Begin | None:
        """Set up a turn that the review listed.  Raises Refusal, Back.

        Return what the game begins with if the user types PLAY.
        """
        number = special.parse_number(which or "1", len(self.faults))
        if not number:
            why = says.TRY_WHICH if self.faults else says.NOTHING_TO_TRY
            raise Refusal(why.format(len(self.faults)))
        return self.new_game.try_turn(*self.faults[number - 1])

    def type_ending(self, game: Game) -> None:
        self.tty.ring()
        type_result(self.tty, game)
        if game.winner != game.human and game.ending != Ending.QUIT and game.moves:
            self.tty.type(says.WHERE_LOST)
        self.asker.type_lines(files.solution(self.area, game.start))
        self.asker.type_lines(self.standing.after(game).lines(game))
        if game.ending:
            self.tty.type(says.BACK_GOES_ON)

    def another_game(self, game: Game) -> Game | Begin | None:
        """Ask whether to play another game (AKC-14000).  Raises Back to leave.

        Return this game if the user takes back the command that ended it, else what the
        next game begins with: None if that is still to be asked.
        """

        def back() -> Game:
            if not game.ending or self.saved or self.reviewed:
                raise Refusal(says.NO_WAY_BACK)
            return game._replace(ending=None)

        commands = [*yes_or_no("ASKS WHAT TO START WITH", "LEAVES KALAH")]
        if self.tty.has_tape and game.moves:
            tape = partial(self.tape, game)
            commands.append(
                Command("TAPE", "PUNCHES THE GAME ON PAPER TAPE", tape, first=True)
            )
            if self.tty.visitor:
                with suppress(Back):
                    attempt(self.tty, tape)
        commands += [
            *(command._replace(first=True) for command in self.with_last),
            Command(
                "BACK",
                "GOES ON WITH THIS GAME, IF A COMMAND ENDED IT",
                back,
                first=bool(game.ending),
            ),
            Command("QUIT", "", None),
            *(command._replace(first=False) for command in self.new_game.commands),
        ]
        words = ", ".join(command.word for command in commands if command.first)
        prompt, help = says.ANOTHER_GAME, says.ANOTHER_GAME_HELP.format(words)
        answer: bool | Game | Begin = False
        with suppress(Back):
            answer = self.asker.ask(prompt, help, commands)
        if isinstance(answer, Game):
            return answer
        self.standing = self.standing.after(game)
        self.opponent.forget()
        if not answer:
            raise Back
        return answer if isinstance(answer, Begin) else None

    def tape(self, game: Game) -> None:
        """Punch a game on tape, after asking for a name.  Raises Refusal, Back."""

        def meaning(answer: str) -> str | None:
            fits = re.fullmatch("[A-Z0-9 .-]{,20}", answer)
            return answer if fits and not begins(answer, "YES") else None

        commands = (
            Command("NO", "PUNCHES NOTHING", str, first=True),
            Command("QUIT", "", None),
        )
        answers = {"YOUR NAME": "IS PUNCHED IN LARGE LETTERS, AND THEN THE GAME"}
        name = self.asker.ask(says.TAPE, says.TAPE_HELP, commands, meaning, answers)
        if name:
            whole = self.tty.punch(record.write(game), says.GAME_ON_TAPE, name)
            self.tty.type(says.PUNCHED if whole else says.NOT_PUNCHED)

    def save(self) -> None:
        """Add the game just played to KALAH.OUT (AKC-13700).  Raises Refusal."""
        game = self.last
        if not game:
            self.tty.type(says.NO_GAME_TO_SAVE)
            return
        added = files.save_game(self.area, game, self.saved, self.tty.poll)
        if game.over:
            attempt(self.tty, lambda: self.autosave.delete(game))
        self.saved = True
        self.tty.type(says.GAME_SAVED if added else says.ALREADY_SAVED)

    def review(self) -> None:
        """Type the turns of the game just played that cost the user most."""
        # Imported only now, so that the first prompt comes soon.
        from sail.programs.kalah.review import type_review

        if not self.last or not self.last.moves:
            raise Refusal(says.NO_GAME_TO_REVIEW)
        self.reviewed = True
        self.opponent.search = None  # frees its memory
        self.faults = type_review(self.tty, self.last, self.opponent.clock)
