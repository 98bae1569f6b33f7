"""A session of KALAH: its games, and the questions between them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from textwrap import wrap

from sail.area import Area
from sail.board import PLAYERS, Position
from sail.engine.levels import LEVELS
from sail.engine.limit import Clock
from sail.programs import questions, record
from sail.programs.game import Ending, Game, typed
from sail.programs.kalah import files, says
from sail.programs.kalah.opponent import LEVEL, Opponent
from sail.programs.kalah.picture import type_boards, type_result, type_state
from sail.programs.kalah.play import Play
from sail.programs.questions import QUIT, Back, Command, agrees, ask, attempt, chosen
from sail.refusal import Refusal
from sail.special import BadPosition
from sail.teletype import EndOfInput, Leave, Teletype

GRANDMASTER_GAMES = 3  # wins in a row at the top level
GRANDMASTER_STONES = 4  # the fewest stones a pit in a game that counts
LOST_RUNNING = 3  # losses in a row at the lowest level; then odds are suggested


def run(
    tty: Teletype,
    area: Area,
    now: Callable[[], str] = record.minute,
    clock: Clock = time.monotonic,
) -> None:
    """Play games until the user leaves (AKC-09200)."""
    Dialogue(tty, area, now, clock).run()


class Dialogue:
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
        self.play = Play(tty, area, self.autosave, self.opponent)
        self.last: Game | None = None  # the game just played
        self.saved = False  # whether `last` may be on KALAH.OUT already
        self.reviewed = False
        self.special: Position | None = None  # the last special position set up
        self.with_last = Command("SAVE", self.save), Command("REVIEW", self.review)
        self.lost = 0  # losses in a row at the lowest level

    def run(self) -> None:
        try:
            game = self.continued()
            while True:
                shown = False  # whether the board has just been typed
                if not game:
                    game, shown = self.new_game()
                self.last = self.play.run(game, shown)
                self.saved = self.reviewed = False
                self.type_ending(self.last)
                game = self.another_game(self.last)
        except Back:
            return
        except (Leave, EndOfInput):
            if self.autosave.in_progress:
                self.tty.type(says.GAME_IS_KEPT)
            raise
        finally:
            self.opponent.search = None  # frees its memory
            self.autosave.close()

    def continued(self) -> Game | None:
        """Return the last session's game if the user continues it.  Raises Back."""
        game = self.last = attempt(self.tty, self.autosave.load)
        self.saved = True  # the last session may have saved it and been killed
        if not game:
            return None
        if game.over:
            self.count(game)  # it may have been killed before it counted
            return None

        def show() -> None:
            self.tty.type(says.YOU_ARE[game.human])
            type_state(self.tty, game)

        commands = Command("SHOW", show), Command("SAVE", self.save)
        help, more = says.GO_ON_HELP, says.GO_ON_MORE
        goes_on = ask(self.tty, says.GO_ON, agrees, help, more, [QUIT], commands)
        return game if goes_on else None

    def new_game(self) -> tuple[Game, bool]:
        """Ask the three questions of a new game (AKC-09800).  Raises Back.

        Return the game, and whether its board has just been typed.
        """
        while True:
            position, shown = self.start_with()
            with suppress(Back):
                while True:
                    level = self.what_level()
                    with suppress(Back):
                        human = self.which_player(position)
                        return Game(position, level, human, self.now()), shown
            if shown:
                self.tty.type(says.SAME_STONES)

    def start_with(self) -> tuple[Position, bool]:
        """Return the first position, and whether its board was typed.  Raises Back."""

        def meaning(answer: str) -> tuple[Position, bool] | None:
            found = questions.start_position(self.tty, self.area, answer, range(1, 7))
            if not found:
                return None
            if found.position.over:
                raise BadPosition(says.ALREADY_OVER)
            if answer.isdecimal():
                return found.position, False
            self.special = found.position
            return same()

        def same() -> tuple[Position, bool]:
            if not self.special:
                raise BadPosition(says.NO_STONES_YET)
            type_boards(self.tty, self.special)
            return self.special, True

        positions = " ".join(files.positions(self.area))
        names = wrap(says.POSITIONS.format(positions), self.tty.width)
        # The rules come last, to stay on a screen of 24 lines.
        more = [*says.START_WITH_MORE, *says.MANUAL_MORE, *names, *questions.RULES_MORE]
        if self.tty.visitor:  # who has just been told the rules
            more = [*says.VISITOR_MORE]
        help = says.START_WITH_HELP
        commands = (*self.with_last, Command("SAME", same))
        return ask(self.tty, says.START_WITH, meaning, help, more, [QUIT], commands)

    def what_level(self) -> str:
        """Ask for a level's name (AKC-09800, AKC-10300).  Raises Back."""

        def meaning(answer: str) -> str | None:
            return chosen(answer or says.STANDARD_LEVEL, LEVEL)

        help, more = says.WHAT_LEVEL_HELP, says.WHAT_LEVEL_MORE
        return ask(self.tty, says.WHAT_LEVEL, meaning, help, more)

    def which_player(self, position: Position) -> int:
        """Ask whether the user starts; return his player, 0 or 1.  Raises Back."""
        more = says.START_MORE
        if not record.is_opening(position):
            self.tty.type(says.IS_TO_MOVE.format(PLAYERS[position.mover]))
            more = says.START_SPECIAL_MORE
        prompt, help = says.DO_YOU_WISH_TO_START, questions.YES_OR_NO
        starts = ask(self.tty, prompt, agrees, help, more)
        return position.mover if starts else 1 - position.mover

    def type_ending(self, game: Game) -> None:
        self.tty.ring()
        type_result(self.tty, game)
        if game.winner == 1 - game.human:
            self.tty.type(says.WHERE_LOST)
        for line in self.solution_and_turn(game):
            self.tty.type(line)
        if self.lost_running(game) == LOST_RUNNING:
            self.tty.type("\n".join(says.ODDS))
        if not game.ending:
            self.count(game)

    def solution_and_turn(self, game: Game) -> Iterator[str]:
        """Yield a study's solution, and a line that says whether it was played."""
        solution = files.solution(self.area, game.start)
        yield from solution
        winning = re.match("([1-6]+) WINS BY ", "".join(solution[:1]))
        if winning and game.turns and game.turns[0].player == game.human:
            played = typed(game.turns[0].pits)
            solved = says.STUDY_SOLVED if played == winning[1] else says.STUDY_MISSED
            yield solved.format(played)

    def lost_running(self, game: Game) -> int:
        """Return the losses in a row at the lowest level, up to this game."""
        lost = game.winner == 1 - game.human and game.level == LEVELS[0].name
        return self.lost + 1 if lost else 0

    def count(self, game: Game) -> None:
        """Count a game against the top level; name a grandmaster (AKC-10700).

        With fewer than GRANDMASTER_STONES a pit, anyone can win by rote.  The
        games of visitors are not in a row.
        """
        if self.tty.visitor:
            return
        first = game.start
        won = game.winner == game.human and game.ending != Ending.DAMMIT
        if (
            game.level == LEVELS[-1].name
            and record.is_opening(first)
            and first.rows[0][0] >= GRANDMASTER_STONES
            and not (won and game.advised)
        ):
            running = attempt(self.tty, lambda: files.count_win(self.area, game, won))
            if running and running >= GRANDMASTER_GAMES:
                self.tty.type("\n".join(says.GRANDMASTER).format(running))

    def another_game(self, game: Game) -> Game | None:
        """Ask whether to play another game (AKC-14000).  Raises Back to leave.

        Return this game if the user takes back the command that ended it.
        """

        def back() -> Game:
            if not game.ending or self.saved or self.reviewed:
                raise Refusal(says.NO_WAY_BACK)
            return game._replace(ending=None)

        help, more = says.ANOTHER_GAME_HELP, list(says.ANOTHER_GAME_MORE)
        commands = [*self.with_last, Command("BACK", back)]
        if self.tty.has_tape and game.moves:
            more.append(says.TAPE_MORE)
            commands.append(Command("TAPE", lambda: self.tape(game)))
            if self.tty.visitor:
                with suppress(Back):
                    attempt(self.tty, lambda: self.tape(game))
        prompt = says.ANOTHER_GAME
        answer: bool | Game = False
        with suppress(Back):
            answer = ask(self.tty, prompt, agrees, help, more, [QUIT], commands)
        if isinstance(answer, Game):
            return answer
        self.lost = self.lost_running(game)
        self.opponent.search = None  # the next game does not play by its findings
        self.count(game)
        if not answer:
            raise Back
        return None

    def tape(self, game: Game) -> None:
        """Punch a game on tape, after asking for a name.  Raises Refusal, Back."""

        def meaning(answer: str) -> str | None:
            agreed = agrees(answer)
            if agreed or answer in questions.HELP or chosen(answer, [QUIT]):
                return None
            fits = re.fullmatch("[A-Z0-9 .-]{,20}", answer)
            return "" if agreed is False else answer if fits else None

        name = ask(self.tty, says.TAPE, meaning, says.TAPE_HELP, back=[QUIT])
        if name:
            whole = self.tty.punch(record.write(game), says.GAME_ON_TAPE, name)
            self.tty.type(says.PUNCHED if whole else says.NOT_PUNCHED)

    def save(self) -> None:
        """Add the game just played to KALAH.OUT (AKC-13700).  Raises Refusal."""
        game = self.last
        if not game:
            self.tty.type(says.NO_GAME_TO_SAVE)
            return
        added = files.save_game(self.area, game, once=self.saved)
        if game.over:
            self.count(game)
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
        type_review(self.tty, self.last, self.opponent.clock)
