"""How a game begins: with three questions, from an exercise, or like the last one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from sail.board import MOST_OPENING, MOST_PITS, PLAYERS, Position, opening
from sail.engine.levels import DEFAULT_LEVEL, LEVELS
from sail.files import games, seal
from sail.files.positions import LEARN_POS, POS, Entry
from sail.game import IS_TO_MOVE, Game
from sail.programs.kalah import says, standing
from sail.programs.kalah.practice import Practice
from sail.programs.kalah.saving import Autosave
from sail.programs.kalah.showing import type_boards
from sail.refusal import Refusal
from sail.talk import choosing
from sail.talk.asking import GOES_BACK, Asker, Back, Command, Commands, attempt
from sail.typed import name_meant, parse_number


def _typed_opening(answer: str) -> Position | None:
    """Return the opening with 1 to 6 stones a pit; None for any other answer."""
    stones = parse_number(answer, MOST_OPENING)
    return opening(stones) if stones else None


class Setup:
    """The questions before a game (AKC-09800), and what else START WITH takes.

    game_time: returns when a game begins, for its heading.
    newcomer: whether the user has played no game yet: he must name its level.
    first_try_spent: the positions of exercises whose first try is spent.
    """

    def __init__(
        self, asker: Asker, autosave: Autosave, game_time: Callable[[], str]
    ) -> None:
        self.asker = asker
        self.tty = asker.tty
        self.autosave = autosave
        self._game_time = game_time
        self.newcomer = False
        self.first_try_spent: set[Position] = set()
        self.commands: Commands[Game] = (
            Command("LEARN", "SEVEN SHORT LESSONS", self._learn, "N", short=True),
            choosing.special_command(asker, self._begin_from),
            Command("RESULTS", "YOUR SAVED GAMES, LEVEL BY LEVEL", self._results),
            Command("PRINT", "TYPES THE BOARDS OF A FILE", self._print_boards, "NAME"),
        )

    def ask(self, last_commands: Commands[Game]) -> Game:
        """Ask the three questions of a new game (AKC-09800).  Raises Back.

        last_commands: about the last game; START WITH takes them, too.
        """
        leave: Command[Game] = Command("QUIT", "LEAVES KALAH", short=True)
        commands: Commands[Game | Position] = (*self.commands, *last_commands, leave)
        while True:
            answer = self.asker.ask(says.START_WITH, commands, _typed_opening)
            if isinstance(answer, Game):
                return answer
            with suppress(Back):
                return self.type_board(self._begin(answer))

    def _begin(self, position: Position, user: int | None = None) -> Game:
        """Ask the second and the third question, and begin the game.  Raises Back.

        user: his player, if he need not be asked.
        """
        while True:
            level = self._ask_level(position)
            with suppress(Back):
                player = self._ask_player(position) if user is None else user
                return self.new_game(position, level, player)

    def new_game(self, start: Position, level: str, user: int) -> Game:
        return self.take_up(Game(start, (), level, user, self._game_time()))

    def take_up(self, game: Game) -> Game:
        """Save a game that begins or goes on, and type who the user is."""
        self.newcomer = False
        attempt(self.tty, partial(self.autosave.write, game))
        self.asker.aside(says.YOU_ARE[game.user])
        return game

    def type_board(self, game: Game) -> Game:
        """Type the board of a game that begins or goes on."""
        type_boards(self.tty, game.position, user=game.user)
        return game

    def _learn(self, which: str) -> Game | None:
        """Run the lessons from this one on, or from the first that is not solved."""
        if not which:
            lessons = choosing.read_positions(self.asker.area, LEARN_POS)
            lessons = choosing.with_solved(self.asker, lessons)
            which = str(choosing.next_exercise(lessons) or 1)
        typed = f"{LEARN_POS} {which}"
        return self._begin_from(choosing.ask_special_position(self.asker, typed))

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

    def _begin_from(self, entry: Entry) -> Game | None:
        """Begin with a special position, or run the exercises from this one on.

        Raises Refusal, Back.
        """
        if entry.position.over:
            raise Refusal(says.ALREADY_OVER)
        if entry.is_exercise:
            return self._exercises(entry)
        self.asker.type_lines(entry.comments)
        type_boards(self.tty, entry.position)
        return self._begin(entry.position)

    def _exercises(self, chosen: Entry) -> Game | None:
        """Run the exercises of a file, from this one on, until the user types PLAY.

        Return the game that begins then, None after the last exercise.  Raises Refusal,
        and Back when the user leaves.
        """
        entries = choosing.read_positions(self.asker.area, chosen.file)
        for entry in entries[chosen.number - 1 :]:
            if not entry.is_exercise or entry.position.pits_a_side != MOST_PITS:
                continue
            if game := self.run_exercise(entry):
                return game
        last = says.LAST_EXERCISE.format(chosen.file.removesuffix(POS))
        self.tty.type(says.NOW_A_GAME if chosen.file == LEARN_POS else last)
        return None

    def run_exercise(self, entry: Entry) -> Game | None:
        """Run an exercise; return the game that begins if the user types PLAY.

        Raises Refusal, Back.
        """
        practice = Practice(self.asker, entry, self.first_try_spent)
        return practice.run(partial(self._begin, user=entry.position.mover))

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
            partial(name_meant, names=LEVELS),
            empty=None if self.newcomer else DEFAULT_LEVEL.name,
        )

    def _ask_player(self, position: Position) -> int:
        """Ask whether the user starts; return his player, 0 or 1.  Raises Back."""
        yes, no = "YOU MOVE FIRST, AS PLAYER A", "I MOVE FIRST, AND YOU ARE PLAYER B"
        if not position.is_opening:
            self.asker.aside(IS_TO_MOVE.format(PLAYERS[position.mover]))
            yes, no = "YOU PLAY THE SIDE THAT IS TO MOVE", "I PLAY IT"
        starts = self.asker.ask_yes(says.DO_YOU_WISH_TO_START, yes, no)
        return position.mover if starts else 1 - position.mover
