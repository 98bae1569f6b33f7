"""How a game begins: with three questions, or from an exercise."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import NamedTuple

from sail.board import MOST_OPENING, MOST_PITS, PLAYERS, Position, opening
from sail.engine.levels import DEFAULT_LEVEL, LEVELS
from sail.files import games, seal
from sail.files.positions import LEARN_POS, POS, Entry
from sail.game import IS_TO_MOVE
from sail.programs.kalah import says, standing
from sail.programs.kalah.showing import type_boards
from sail.refusal import Refusal
from sail.talk import choosing
from sail.talk.asking import GOES_BACK, Asker, Back, Command, Commands
from sail.typed import name_meant, parse_number


class NewGame(NamedTuple):
    """What a new game begins with."""

    position: Position
    shown: bool = False  # whether the board has just been typed
    user: int | None = None  # the user's player; None if that is still to be asked
    level: str = ""  # "" if that is still to be asked


class Setup:
    """The questions before a game (AKC-09800), and what else START WITH takes.

    newcomer: whether the user has played no game yet: he must name its level.
    first_try_spent: the positions of exercises whose first try is spent.
    """

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        self.tty = asker.tty
        self.newcomer = False
        self.first_try_spent: set[Position] = set()
        self.commands: Commands[NewGame] = (
            Command("LEARN", "SEVEN SHORT LESSONS", self._learn, "N", short=True),
            choosing.special_command(asker, self._begin_with),
            Command("RESULTS", "YOUR SAVED GAMES, LEVEL BY LEVEL", self._results),
            Command("PRINT", "TYPES THE BOARDS OF A FILE", self._print_boards, "NAME"),
        )

    def ask(self, new: NewGame | None, last_commands: Commands[NewGame]) -> NewGame:
        """Ask the three questions of a new game (AKC-09800).  Raises Back.

        new: the answer to the first question if the user has given it already.
        last_commands: about the game just played; START WITH takes them, too.
        """
        leave: Command[NewGame] = Command("QUIT", "LEAVES KALAH", short=True)
        commands = (*self.commands, *last_commands, leave)
        while True:
            new = new or self.asker.ask(says.START_WITH, commands, self._typed_opening)
            with suppress(Back):
                return self._ask_level_and_player(new)
            new = None

    def _ask_level_and_player(self, new: NewGame) -> NewGame:
        """Ask the second and the third question.  Raises Back."""
        while True:
            level = new.level or self._ask_level(new.position)
            with suppress(Back):
                return new._replace(user=self._ask_player(new), level=level)

    def _typed_opening(self, answer: str) -> NewGame | None:
        """Return the opening with 1 to 6 stones a pit; None for any other answer."""
        stones = parse_number(answer, MOST_OPENING)
        return NewGame(opening(stones)) if stones else None

    def _learn(self, which: str) -> NewGame | None:
        """Run the lessons from this one on, or from the first that is not solved."""
        if not which:
            lessons = choosing.read_positions(self.asker.area, LEARN_POS)
            _, unsolved = choosing.solved_and_next(self.asker, lessons)
            which = str(unsolved or 1)
        lesson = choosing.ask_special_position(self.asker, f"{LEARN_POS} {which}")
        return self._begin_with(lesson)

    def _print_boards(self, typed: str) -> None:
        """Type the boards of a file, or one; of its exercises only the tasks."""
        name, _, which = typed.partition(" ")
        entries = choosing.read_positions(self.asker.area, name)
        if which:
            entries = [choosing.ask_entry(self.asker, entries, which)]
        for entry in entries:
            if self.tty.poll():
                break
            self.tty.type(f"{entry.number}.")
            self.asker.type_lines(entry.comments)
            type_boards(self.tty, entry.position)
            self.tty.type(IS_TO_MOVE.format(PLAYERS[entry.position.mover]))

    def _results(self, _: str) -> None:
        """Type how the games on KALAH.OUT ended.  Raises Refusal."""
        saved = games.saved_games(
            self.asker.area, seal.KALAH_OUT, self.tty.poll, missing=""
        )
        lines = standing.results(saved)
        self.asker.type_lines([says.RESULTS, *lines] if lines else [says.NO_RESULTS])

    def _begin_with(self, entry: Entry) -> NewGame | None:
        """Begin with a special position, or run the exercises from this one on.

        Raises Refusal, Back.
        """
        if entry.position.over:
            raise Refusal(says.ALREADY_OVER)
        if entry.is_exercise:
            return self._exercises(entry)
        self.asker.type_lines(entry.comments)
        type_boards(self.tty, entry.position)
        return NewGame(entry.position, shown=True)

    def _exercises(self, chosen: Entry) -> NewGame | None:
        """Run the exercises of a file, from this one on, until the user types PLAY.

        Return what the game begins with then, None after the last exercise.  Raises
        Refusal, and Back when the user leaves.
        """
        entries = choosing.read_positions(self.asker.area, chosen.file)
        for entry in entries[chosen.number - 1 :]:
            if not entry.is_exercise or entry.position.pits_a_side != MOST_PITS:
                continue
            if new := self.run_exercise(entry):
                return new
        last = says.LAST_EXERCISE.format(chosen.file.removesuffix(POS))
        self.tty.type(says.NOW_A_GAME if chosen.file == LEARN_POS else last)
        return None

    def run_exercise(self, entry: Entry) -> NewGame | None:
        """Run an exercise; return what a game begins with if the user types PLAY.

        Raises Refusal, Back.
        """
        # Imported only now: the search takes a fifth of the time to the first prompt.
        from sail.programs.kalah.practice import Practice

        user, ask = entry.position.mover, self._ask_level_and_player
        practice = Practice(self.asker, entry, self.first_try_spent)
        return practice.run(lambda at, shown: ask(NewGame(at, shown, user)))

    def _ask_level(self, position: Position) -> str:
        """Ask for a level's name (AKC-09800, AKC-10300).  Raises Back."""
        lines = says.LISTED_LEVELS if self.asker.with_asides else says.LEVELS_OF_1972
        otherwise = says.FIRST_LEVEL if self.newcomer else says.WHAT_LEVEL.otherwise
        question = says.WHAT_LEVEL._replace(answer_help=lines, otherwise=otherwise)
        save: Command[str] = Command(
            "SAVE",
            "WRITES THIS POSITION ON NAME.POS",
            partial(choosing.save_position, self.asker, Entry(position)),
            "NAME",
            short=not position.is_opening,
        )
        return self.asker.ask(
            question,
            (save, GOES_BACK),
            lambda answer: name_meant(answer, LEVELS) or None,
            empty=None if self.newcomer else DEFAULT_LEVEL.name,
        )

    def _ask_player(self, new: NewGame) -> int:
        """Ask whether the user starts; return his player, 0 or 1.  Raises Back."""
        if new.user is not None:
            return new.user
        position = new.position
        yes, no = "YOU MOVE FIRST, AS PLAYER A", "I MOVE FIRST, AND YOU ARE PLAYER B"
        if not position.is_opening:
            self.asker.aside(IS_TO_MOVE.format(PLAYERS[position.mover]))
            yes, no = "YOU PLAY THE SIDE THAT IS TO MOVE", "I PLAY IT"
        starts = self.asker.ask_yes(says.DO_YOU_WISH_TO_START, yes, no)
        return position.mover if starts else 1 - position.mover
