"""A session of KALAH: its games, and the questions between them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sail import special
from sail.area import Area
from sail.board import MOST_PITS, PLAYERS, Position, start
from sail.engine.levels import LEVELS, STANDARD
from sail.engine.limit import Clock
from sail.programs import positions, record, tally
from sail.programs.asking import (
    GOES_BACK,
    Asker,
    Back,
    Command,
    attempt,
    begins,
    yes_or_no,
)
from sail.programs.game import Game
from sail.programs.kalah import files, says
from sail.programs.kalah.opponent import Opponent
from sail.programs.kalah.picture import type_boards, type_result, type_state
from sail.programs.kalah.play import Play
from sail.programs.kalah.standing import Standing
from sail.refusal import Refusal
from sail.special import BadPosition, Special
from sail.teletype import EndOfInput, Leave, Teletype

if TYPE_CHECKING:
    from sail.programs.kalah.exercise import Exercise
    from sail.programs.kalah.review import Fault

LEARN = "LEARN"  # LEARN.POS has the lessons


def run(
    tty: Teletype,
    area: Area,
    now: Callable[[], str] = record.timestamp,
    clock: Clock = time.monotonic,
) -> None:
    """Play games until the user leaves (AKC-09200)."""
    Kalah(tty, area, now, clock).run()


class Begin(NamedTuple):
    """What a new game begins with."""

    position: Position
    shown: bool = False  # whether the board has just been typed
    human: int | None = None  # the user's player; None if that is still to be asked


class Kalah:
    """A session: game after game, and the questions between them."""

    def __init__(
        self, tty: Teletype, area: Area, now: Callable[[], str], clock: Clock
    ) -> None:
        self.tty = tty
        self.area = area
        self.now = now
        # A script or a visitor neither continues the saved game nor replaces it.
        self.autosave = files.Autosave(area, on=tty.live and not tty.visitor)
        self.opponent = Opponent(tty, clock)
        self.asker = Asker(tty, "KALAH", says.RULES)
        self.play = Play(self.asker, area, self.autosave, self.opponent)
        self.last: Game | None = None  # the game just played
        self.saved = False  # whether `last` may be on KALAH.OUT already
        self.reviewed = False
        self.faults: list[Fault] = []  # the turns that the review listed
        self.special: Special | None = None  # the last special position set up
        self.with_last = (
            Command("SAVE", "SAVES THE GAME JUST PLAYED ON KALAH.OUT", self.save),
            Command("REVIEW", "SHOWS WHERE YOU LOST STONES IN IT", self.review),
        )
        self.try_it = Command(
            "TRY", "SETS UP A TURN THAT REVIEW LISTED", self.try_again, "N", first=True
        )
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
                    game, shown = self.new_game(begin)
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
        """Type where to begin, if no game is on file."""
        if attempt(self.tty, lambda: not files.has_game(self.area)):
            self.tty.type(says.NEW_TO_KALAH)

    def continued(self) -> Game | None:
        """Return the last session's game if the user continues it.  Raises Back."""
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

    def new_game(self, begin: Begin | None) -> tuple[Game, bool]:
        """Ask the three questions of a new game (AKC-09800).  Raises Back.

        begin: what the user has chosen to begin with, if he has.  Return the game,
        and whether its board has just been typed.
        """
        while True:
            begin = begin or self.start_with()
            position, shown, human = begin
            with suppress(Back):
                while True:
                    level = self.what_level()
                    with suppress(Back):
                        if human is None:
                            human = self.which_player(position)
                        return Game(position, level, human, self.now()), shown
            if shown:
                self.tty.type(says.SAME_STONES)
            begin = None

    def start_with(self) -> Begin:
        """Return what the game begins with.  Raises Back."""

        def meaning(answer: str) -> Begin | None:
            stones = special.parse_number(answer, 6)
            return Begin(start(stones)) if stones else None

        def take(found: Special) -> Begin:
            if found.position.over:
                raise BadPosition(says.ALREADY_OVER)
            self.special = found
            if not found.right:
                self.asker.type_lines(found.comments)
            return same()

        def same() -> Begin:
            if not self.special:
                raise BadPosition(says.NO_STONES_YET)
            if self.special.right:
                return self.exercises(self.special)
            type_boards(self.tty, self.special.position)
            return Begin(self.special.position, True)

        def learn() -> Begin:
            return take(positions.fetch(self.area, LEARN)[0])

        answers = {
            "1 TO 6": "STONES IN EACH PIT: 3 TO LEARN, 6 FOR THE REAL GAME",
            "SPECIAL ODDS6": "FOUR A PIT, AND SIX MORE FOR YOU; ODDS12: TWELVE MORE",
        }
        commands = (
            Command("LEARN", "SIX SHORT LESSONS", learn, first=True),
            positions.special_command(self.asker, self.area, take, comments=False),
            *self.with_last,
            self.try_it._replace(first=False),
            Command("SAME", "THE LAST SPECIAL POSITION AGAIN", same),
            Command("QUIT", "LEAVES KALAH", None, first=True),
        )
        prompt, help = says.START_WITH, says.START_WITH_HELP
        notes = [says.THEN_RETURN]
        return self.asker.ask(prompt, help, commands, meaning, answers, notes)

    def exercises(self, first: Special) -> Begin:
        """Ask the exercises of a file, from this one on; return one to be played.

        Raises Back after the last, and when the user leaves.
        """
        # Imported only now, so that the first prompt comes soon.
        from sail.programs.kalah.exercise import Exercise

        name, number = first.source
        for found in positions.fetch(self.area, name)[number - 1 :]:
            if not found.right or found.position.pits != MOST_PITS:
                continue
            self.special = found
            exercise = Exercise(self.asker, self.opponent.clock, found)
            if not exercise.run():
                return played_on(exercise)
            if exercise.first_try and not self.tty.visitor:
                solved = partial(tally.add, self.area, *found.source)
                attempt(self.tty, solved)
        last = says.NOW_A_GAME if name == LEARN else says.LAST_EXERCISE
        self.tty.type(last.format(name))
        raise Back

    def try_again(self, which: str) -> Begin | None:
        """Set up a turn that the review listed.  Raises Refusal, Back.

        Return what the game begins with if the user plays on.
        """
        from sail.programs.kalah.exercise import Exercise

        number = special.parse_number(which or "1", len(self.faults))
        if not number:
            why = says.TRY_WHICH if self.faults else says.NOTHING_TO_TRY
            raise Refusal(why.format(len(self.faults)))
        found, value = self.faults[number - 1]
        self.special = found._replace(right=())
        exercise = Exercise(self.asker, self.opponent.clock, found, value)
        return None if exercise.run() else played_on(exercise)

    def what_level(self) -> str:
        """Ask for a level's name (AKC-09800, AKC-10300).  Raises Back."""

        def meaning(answer: str) -> str | None:
            return None if answer else STANDARD.name

        levels = (
            Command(level.name, level.help, partial(str, level.name), first=True)
            for level in LEVELS
        )
        *letters, last = (level.name[0] for level in LEVELS)
        prompt = says.WHAT_LEVEL
        help = says.WHAT_LEVEL_HELP.format(", ".join(letters), last, STANDARD.name)
        return self.asker.ask(prompt, help, (*levels, *GOES_BACK), meaning)

    def which_player(self, position: Position) -> int:
        """Ask whether the user starts; return his player, 0 or 1.  Raises Back."""
        helps = "YOU MOVE FIRST, AS PLAYER A", "I MOVE FIRST, AND YOU ARE PLAYER B"
        if not record.is_opening(position):
            line = says.IS_TO_MOVE.format(PLAYERS[position.mover])
            found = self.special
            if found and found.position is position and found.human is not None:
                line += "  " + says.YOU_WERE.format(PLAYERS[found.human])
            self.tty.type(line)
            helps = "YOU PLAY THE SIDE THAT IS TO MOVE", "I PLAY IT"
        prompt, help = says.DO_YOU_WISH_TO_START, says.START_HELP
        starts = self.asker.yes(prompt, help, *helps)
        return position.mover if starts else 1 - position.mover

    def type_ending(self, game: Game) -> None:
        self.tty.ring()
        type_result(self.tty, game)
        if game.winner == 1 - game.human and game.moves:
            self.tty.type(says.WHERE_LOST)
        self.asker.type_lines(files.solution(self.area, game.start))
        self.asker.type_lines(self.standing.after(game).lines(game))
        if game.ending:
            self.tty.type(says.BACK_GOES_ON)

    def another_game(self, game: Game) -> Game | Begin | None:
        """Ask whether to play another game (AKC-14000).  Raises Back to leave.

        Return this game if the user takes back the command that ended it, or what the
        next one begins with.
        """

        def back() -> Game:
            if not game.ending or self.saved or self.reviewed:
                raise Refusal(says.NO_WAY_BACK)
            return game._replace(ending=None)

        commands = [
            *yes_or_no("ASKS WHAT TO START WITH", "LEAVES KALAH"),
            *(command._replace(first=True) for command in self.with_last),
            Command(
                "BACK",
                "GOES ON WITH THIS GAME, IF A COMMAND ENDED IT",
                back,
                first=bool(game.ending),
            ),
            Command("QUIT", "", None),
        ]
        if self.tty.has_tape and game.moves:
            tape = partial(self.tape, game)
            commands += [
                Command("TAPE", "PUNCHES YOUR NAME AND THE GAME", tape, first=True)
            ]
            if self.tty.visitor:
                with suppress(Back):
                    attempt(self.tty, tape)
        commands.append(self.try_it)
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


def played_on(exercise: Exercise) -> Begin:
    """Return what a game begins with that the user plays from an exercise."""
    position = exercise.special.position
    return Begin(position, not exercise.game.moves, position.mover)
