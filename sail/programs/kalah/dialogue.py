"""A session of KALAH: its games, and the questions between them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sail.engine.limit import Clock
from sail.files import games
from sail.files.area import Area
from sail.game import Ending, Game
from sail.programs.kalah import saving, says
from sail.programs.kalah.begin import Begin, NewGame, begin_from
from sail.programs.kalah.opponent import Opponent
from sail.programs.kalah.play import Play
from sail.programs.kalah.showing import type_result, type_state
from sail.programs.kalah.standing import Standing, next_level
from sail.refusal import Refusal
from sail.talk.asking import (
    Asker,
    Back,
    Command,
    Commands,
    answering,
    attempt,
    go_back,
    yes_or_no,
)
from sail.teletype import COLUMNS, EndOfInput, Leave, Teletype
from sail.typed import parse_number

if TYPE_CHECKING:
    from sail.programs.kalah.faults import Fault


def run(
    tty: Teletype,
    area: Area,
    now: Callable[[], str] = games.timestamp,
    clock: Clock = time.monotonic,
    asides: bool = True,
) -> None:
    """Play games until the user leaves (AKC-09200).

    asides: False to type only the manual's lines, unless the user asks for others.
    """
    Kalah(tty, area, now, clock, asides).run()


class Kalah:
    """A session: game after game, and the questions between them."""

    def __init__(
        self,
        tty: Teletype,
        area: Area,
        now: Callable[[], str],
        clock: Clock,
        asides: bool = True,
    ) -> None:
        self.tty = tty
        self.area = area
        # A script neither continues the saved game nor replaces it.
        self.autosave = saving.Autosave(area, on=tty.live)
        self.opponent = Opponent(tty, clock, asides)
        self.asker = Asker(tty, "KALAH", says.RULES, asides)
        self.new_game = NewGame(self.asker, area, now, clock)
        self.standing = Standing()

    def run(self) -> None:
        try:
            game, shown = self.first_game()
            while True:
                game = self.play(game).run(shown)
                self.type_ending(game)
                game, shown = self.another_game(game)
        except Back:
            return
        except (Leave, EndOfInput):
            if self.autosave.in_progress:
                self.asker.aside(says.GAME_IS_KEPT)
            raise
        finally:
            self.opponent.forget()  # frees its memory
            self.autosave.close()

    def play(self, game: Game) -> Play:
        return Play(self.asker, self.area, self.autosave, self.opponent, game)

    def first_game(self) -> tuple[Game, bool]:
        """Return the last session's game if it goes on, else ask for a new one."""
        game = attempt(self.tty, self.autosave.load)
        last = LastGame(self, game)
        if game and not game.over:
            if not self.asker.asides:  # it stays on file until KALAH asks about it
                self.autosave.close()
                self.autosave = saving.Autosave(self.area, on=False)
            elif self.goes_on(game, last):
                return game, False
        newcomer = self.tty.live and self.area.keeps(games.TMP) and not game
        if newcomer and attempt(self.tty, lambda: not saving.has_game(self.area)):
            self.asker.aside(says.NEW_TO_KALAH)
        return self.new_game.ask(None, last.commands)

    def goes_on(self, game: Game, last: LastGame) -> bool:
        """Ask whether the last session's game goes on.  Raises Back."""

        def show(_: str) -> None:
            self.tty.type(says.YOU_ARE[game.human])
            type_state(self.tty, game)

        commands: Commands[bool] = (
            *yes_or_no(
                "GOES ON WITH THE GAME YOU LEFT",
                "STARTS ANOTHER; SAVE STILL SAVES THIS ONE BEFORE THAT",
            ),
            Command("SHOW", "SHOWS THE BOARD", show, first=True),
            Command("SAVE", "SAVES THE GAME ON KALAH.OUT", last.save, first=True),
            Command(
                "QUIT", "LEAVES KALAH; THE GAME IS STILL KEPT", go_back, first=True
            ),
        )
        return self.asker.ask(says.GO_ON, commands)

    def type_ending(self, game: Game) -> None:
        self.tty.ring()
        if not self.asker.asides:
            return
        type_result(self.tty, game)
        if game.winner != game.human and game.ending != Ending.QUIT and game.moves:
            self.tty.type(says.WHERE_LOST)
        self.asker.type_lines(self.standing.after(game).lines(game))
        if game.ending:
            self.tty.type(says.BACK_GOES_ON)

    def another_game(self, game: Game) -> tuple[Game, bool]:
        """Ask whether to play another game (AKC-14000).  Raises Back to leave.

        Return this game if the user takes back the command that ended it, else the
        next one; and whether its board has just been typed.
        """
        last = LastGame(self, game)
        if last.can_be_punched and not self.area.keeps(games.TMP):
            with suppress(Back):
                attempt(self.tty, last.tape)
        commands: Commands[bool | Game | Begin] = (
            Command("YES", "ASKS WHAT TO START WITH", answering(True), first=True),
            Command("NO", "LEAVES KALAH", go_back, first=True),
            *last.menu(),
            Command("QUIT", "", go_back),
            *(replace(it, first=False) for it in self.new_game.commands),
        )
        answer = self.asker.ask(says.ANOTHER_GAME, commands)
        if isinstance(answer, Game):
            return answer, False
        self.standing = self.standing.after(game)
        self.opponent.forget()
        begin = answer if isinstance(answer, Begin) else None
        return self.new_game.ask(begin, last.commands)


class LastGame:
    """The game just played, if any, and what can still be done with it."""

    def __init__(self, session: Kalah, game: Game | None) -> None:
        self.session = session
        self.asker = session.asker
        self.tty = session.tty
        self.game = game
        self.saved = False
        self.faults: list[Fault] | None = None  # None until REVIEW lists them
        self.tried = 0  # the number of the fault that was last set up
        self.commands: Commands[Begin] = (
            Command("SAVE", "SAVES THE GAME JUST PLAYED ON KALAH.OUT", self.save),
            Command("REVIEW", "SHOWS WHERE YOU LOST STONES IN IT", self.review),
            Command("TRY", "SETS UP A TURN THAT REVIEW LISTED", self.try_again, "N"),
        )

    @property
    def can_be_punched(self) -> bool:
        return self.tty.has_tape and self.game is not None and bool(self.game.moves)

    def menu(self) -> Iterator[Command[Begin | Game]]:
        """Yield the commands that ANOTHER GAME takes."""
        if self.can_be_punched:
            yield Command(
                "TAPE", "PUNCHES THE GAME ON PAPER TAPE", self.tape, first=True
            )
        for command in self.commands:
            yield replace(command, first=True)
        help = "THE SAME GAME A LEVEL UP; EASIER: DOWN; SAME: HERE"
        yield Command("HARDER", help, partial(self.again, 1), first=True)
        yield Command("EASIER", "", partial(self.again, -1))
        yield Command("SAME", "", partial(self.again, 0))
        help = "GOES ON WITH THIS GAME, IF A COMMAND ENDED IT"
        yield Command("BACK", help, self.reopened)

    def again(self, step: int, _: str) -> Begin:
        """Return a game like this one, so many levels up.  Raises Refusal."""
        assert self.game
        level = next_level(self.game, step)
        if not level:
            raise Refusal(says.NO_HARDER if step > 0 else says.NO_EASIER)
        self.asker.aside(says.SAME_GAME.format(level))
        return Begin(self.game.start, human=self.game.human, level=level)

    def reopened(self, _: str) -> Game:
        """Return the game without the command that ended it.  Raises Refusal."""
        game, reviewed = self.game, self.faults is not None
        if not game or not game.ending or self.saved or reviewed:
            raise Refusal(says.NO_WAY_BACK)
        return game._replace(ending=None)

    def save(self, _: str) -> None:
        """Add the game to KALAH.OUT (AKC-13700).  Raises Refusal."""
        if not self.game:
            self.tty.type(says.NO_GAME_TO_SAVE)
            return
        added = saving.save_game(self.session.area, self.game, self.tty.poll)
        self.saved = True
        self.tty.type(says.GAME_SAVED if added else says.ALREADY_SAVED)

    def review(self, _: str) -> None:
        """Type the turns of the game that cost the user most.  Raises Refusal."""
        # Imported only now, so that the first prompt comes soon.
        from sail.programs.kalah.faults import type_review

        if not self.game or not self.game.moves:
            raise Refusal(says.NO_GAME_TO_REVIEW)
        opponent = self.session.opponent
        opponent.forget()  # frees its memory
        self.faults = []
        self.faults = type_review(self.asker, self.game, opponent.clock)
        self.tried = 0
        area = self.session.area
        if self.tty.live:
            listed = [fault.special for fault in self.faults]
            attempt(self.tty, lambda: saving.save_mistakes(area, listed))

    def try_again(self, which: str) -> Begin | None:
        """Set up a turn that the review listed.  Raises Refusal, Back.

        Return what the game begins with if the user types PLAY.
        """
        faults = self.faults or []
        if not faults:
            raise Refusal(says.NOTHING_TO_TRY)
        number = parse_number(which or str(self.tried % len(faults) + 1), len(faults))
        if not number:
            raise Refusal(says.TRY_WHICH.format(len(faults)))
        self.tried = number
        # Imported only now, so that the first prompt comes soon.
        from sail.programs.kalah.faults import correction

        fault, clock = faults[number - 1], self.session.opponent.clock
        exercise = correction(self.asker, clock, fault.special, fault)
        self.tty.type(says.YOU_ARE[fault.special.position.mover])
        return None if exercise.run(self.session.area) else begin_from(exercise)

    def tape(self, _: str = "") -> None:
        """Punch the game on tape, after asking for a name.  Raises Refusal, Back."""

        def meaning(answer: str) -> str | None:
            """Return the name; None for YES, which is none."""
            fits = re.fullmatch("(?!Y(ES?)?$)[A-Z0-9 .-]{,20}", answer)
            return answer if fits else None

        commands: Commands[str] = (
            Command("NO", "PUNCHES NOTHING", answering(""), first=True),
            Command("QUIT", "", go_back),
        )
        name = self.asker.ask(says.TAPE, commands, meaning)
        if name and self.game:
            # The paper shows what is punched, so no line is wider than either.
            text = games.write(self.game, min(COLUMNS, self.tty.width))
            whole = self.tty.punch(text, says.GAME_ON_TAPE, name)
            self.tty.type(says.PUNCHED if whole else says.NOT_PUNCHED)
