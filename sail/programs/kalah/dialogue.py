"""KALAH, the game program of the Stanford A.I. Laboratory, 1972."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sail.area import Area
from sail.board import PLAYERS, EmptyPit, GameOver, IllegalPit, Position
from sail.engine.levels import LEVELS
from sail.engine.limit import Limit
from sail.programs import record
from sail.programs.game import Ending, Game
from sail.programs.kalah import says
from sail.programs.kalah.files import Files
from sail.programs.kalah.picture import picture
from sail.programs.questions import (
    QUIT,
    Back,
    agrees,
    ask,
    begins,
    chosen,
    start_position,
    yes,
)
from sail.refusal import Refusal
from sail.special import COLUMNS, BadPosition, Special
from sail.teletype import Leave, Teletype

if TYPE_CHECKING:
    from sail.engine.search import Finding, Search

T = TypeVar("T")

I_WIN_DAMMIT = "IWINDAMMIT"  # blanks and the comma aside (AKC-12900)
GRANDMASTER_GAMES = 3  # running, with
GRANDMASTER_STONES = 4  # a pit or more
LEVEL = {level.name: level for level in LEVELS}
# A level is sure to win (AKC-12600) once it has proved it, or expects to win by
# more than nine in ten of its values are off with so many stones in play: that
# is one and a half times its error.
CLEARLY = 1.5
SHORTEST_SECONDS = 0.05  # for a submove when the time of the turn is used up


def local_minute() -> str:
    """The local time as 1972-10-06 14:03."""
    return time.strftime("%Y-%m-%d %H:%M")


def run(
    tty: Teletype,
    area: Area,
    now: Callable[[], str] = local_minute,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Play games until the user leaves (AKC-09200)."""
    try:
        Dialogue(tty, area, now, clock).run()
    finally:
        from sail.engine.search import RANKED

        RANKED.clear()  # up to 200 MB, that the next program may want


def new_search() -> Search:
    """A search.  It is imported when a game needs one: the prompt comes sooner."""
    from sail.engine.search import Search

    return Search()


class Outlook(NamedTuple):
    """The final difference of stones, good for the human if > 0.

    least and most are proved; expected is the value of the level's search,
    and doubt the stones by which it may be off.
    """

    least: int
    most: int
    expected: int
    doubt: float


class Dialogue:
    """The talk of one user with KALAH, down the page."""

    def __init__(
        self,
        tty: Teletype,
        area: Area,
        now: Callable[[], str],
        clock: Callable[[], float],
    ) -> None:
        self.tty = tty
        self.area = area
        self.files = Files(area, keeps=tty.live)
        self.now = now
        self.clock = clock
        self.new_search = new_search
        self.played: Game | None = None  # the game just played
        self.saved = False  # whether that is on KALAH.OUT
        self.shown: Position | None = None  # the board that SPECIAL typed
        self.solution: tuple[str, ...] = ()  # of that board

    def run(self) -> None:
        try:
            game = self.game_left() or self.new_game()
            while True:
                self.saved = False
                self.played = self.play(game)
                self.tell_end(self.played)
                if not self.another_game():
                    return
                game = self.new_game()
        except Back:
            return
        except Leave:
            if self.files.keeps_game:
                self.tty.type(says.GAME_IS_KEPT)
            raise
        finally:
            self.files.close()

    # Before a game

    def game_left(self) -> Game | None:
        """The game that an earlier session left, if the user goes on with it.

        Raises Back to leave.
        """
        game = self.played = self.try_to(self.files.left)
        if not game:
            return None
        if game.over:
            self.count(game)  # the session may have ended before it could
            return None
        left = game

        def meaning(answer: str) -> bool | None:
            if len(answer) > 1 and begins(answer, "SAVE"):
                self.save_game()
            elif begins(answer, "SHOW"):
                self.tell_side(left)
                self.show(left)
            else:
                return agrees(answer)
            raise Back

        wants = ask(
            self.tty, says.GO_ON, meaning, says.GO_ON_HELP, says.GO_ON_MORE, [QUIT]
        )
        return game if wants else None

    def new_game(self) -> Game:
        """A game as the three questions set it up (AKC-09800).

        Raises Back to leave.
        """
        while True:
            position = self.start_with()
            with suppress(Back):
                return self.game_from(position)

    def game_from(self, position: Position) -> Game:
        """The game from there, as two questions set it up.  Raises Back."""
        while True:
            level = self.level()
            if not record.is_opening(position):
                self.tty.type(says.IS_TO_MOVE.format(PLAYERS[position.mover]))
            with suppress(Back):
                starts = yes(self.tty, says.DO_YOU_WISH_TO_START)
                human = position.mover if starts else 1 - position.mover
                return Game(position, level, human, self.now())

    def start_with(self) -> Position:
        """The position to start with.  Raises Back to leave."""

        def meaning(answer: str) -> Position | None:
            if len(answer) > 1 and begins(answer, "SAVE"):
                self.save_game()
                raise Back
            if answer == "?":
                self.lines(says.START_WITH_MORE)
                names = says.POSITIONS.format(" ".join(self.files.positions()))
                self.lines(wrap(names, self.tty.width))
                raise Back
            found = start_position(self.tty, self.area, answer, range(1, 7))
            if not found:
                return None
            if found.position.over:
                raise BadPosition(says.ALREADY_OVER)
            self.shown = None
            if begins(answer.split()[0], "SPECIAL"):
                self.shown = found.position
                self.board(found.position)
            self.solution = found.solution
            return found.position

        return ask(
            self.tty, says.START_WITH, meaning, says.START_WITH_HELP, back=[QUIT]
        )

    def level(self) -> str:
        """The name of a level (AKC-09800, AKC-10300).  Raises Back."""
        return ask(
            self.tty,
            says.WHAT_LEVEL,
            lambda answer: chosen(answer or says.STANDARD_LEVEL, LEVEL),
            says.WHAT_LEVEL_HELP,
            says.WHAT_LEVEL_MORE,
        )

    # The game

    def play(self, game: Game) -> Game:
        """The game as it ended.

        What is on the paper is on the disk: a game is kept before it is shown.
        """
        self.keep(game)
        self.tell_side(game)
        if game.position != self.shown:
            self.board(game.position)
        while not game.over:
            mine = game.position.mover != game.human
            game = self.my_turn(game) if mine else self.your_move(game)
            self.keep(game)
        return game

    def tell_side(self, game: Game) -> None:
        side = says.BELOW if game.human else says.ON_TOP
        self.tty.type(says.YOU_ARE.format(PLAYERS[game.human], side))

    def your_move(self, game: Game) -> Game:
        """The game after one answer to YOUR MOVE PLEASE (AKC-11900)."""
        typed = self.tty.ask(says.YOUR_MOVE_PLEASE)
        answer = " ".join(typed.upper().split())
        pits = answer.replace(" ", "").replace(",", "")
        command, _, name = answer.partition(" ")
        if pits and pits.isascii() and pits.isdigit():
            return self.submoves(game, pits)
        if pits == I_WIN_DAMMIT:
            return game.end(Ending.DAMMIT)
        if begins(answer, "BACK"):
            return self.moved_back(game, game.back(), says.FIRST_NODE)
        if begins(answer, "REDO"):
            redone = game.redo()
            return self.moved_back(
                game, redone if redone != game else None, says.NO_SUBMOVES
            )
        if begins(answer, "QUIT"):
            return game.end(Ending.QUIT)
        if begins(answer, "CONCEDE"):
            return game.end(Ending.CONCEDED)
        if begins(answer, "DRAW"):
            outlook = self.outlook(game)
            if outlook.most >= 0 and outlook.expected >= -outlook.doubt:
                return game.end(Ending.DRAW)
            self.tty.type(says.NO_DRAW)
        elif begins(answer, "WIN"):
            if self.outlook(game).least > 0:
                return game.end(Ending.WIN)
            self.tty.type(says.NO_WIN)
        elif begins(answer, "SHOW"):
            self.show(game)
        elif len(command) > 1 and begins(command, "SAVE"):
            self.save_position(game, name)
        elif answer == "?":
            self.lines(says.YOUR_MOVE_MORE)
        else:
            self.tty.type(says.YOUR_MOVE_HELP)
        return game

    def submoves(self, game: Game, pits: str) -> Game:
        """The game with these pits played, or as it was if one cannot be."""
        ahead = game
        boards = []
        for count, pit in enumerate(map(int, pits)):
            problem = ""
            try:
                if ahead.position.mover != game.human and not ahead.over:
                    problem = says.TURN_HAS_ENDED.format(pit, pits[count - 1])
                else:
                    ahead = ahead.play(pit)
            except IllegalPit:
                problem = says.NO_SUCH_PIT.format(pit)
            except EmptyPit:
                problem = says.PIT_IS_EMPTY.format(pit)
            except GameOver:
                problem = says.GAME_HAS_ENDED.format(pit, pits[count - 1])
            if problem:
                self.tty.type(problem + (says.NOTHING_PLAYED if count else ""))
                return game
            boards.append(ahead.position)
        self.keep(ahead)
        self.board(*boards)
        return ahead

    def moved_back(self, game: Game, earlier: Game | None, refusal: str) -> Game:
        if not earlier:
            self.tty.type(refusal)
            return game
        self.keep(earlier)
        self.board(earlier.position)
        return earlier

    def my_turn(self, game: Game) -> Game:
        """The game after the computer's turn (AKC-10900).

        The time of the level is for the turn: what the first search saw of
        it is played, a search for a later submove has the time that is left.
        """
        if game.submoves:
            game = self.wait_for_return(game)  # the last session ended there
            if game.over:
                return game
        limit = LEVEL[game.level].limit
        search = self.new_search()  # so that the same node gets the same answer
        if is_slow(limit) and len(game.position.legal) > 1:
            self.tty.type(says.LET_ME_THINK)
        line: tuple[int, ...] = ()
        while not game.over:
            if not line:
                begun = self.clock()
                line = self.find(search, game.position, limit).line
                if limit.seconds:
                    left = limit.seconds - (self.clock() - begun)
                    limit = limit._replace(seconds=max(left, SHORTEST_SECONDS))
            pit, line = line[0], line[1:]
            game = game.play(pit)
            self.keep(game)
            self.tty.type(says.I_MOVE.format(pit))
            self.board(game.position)
            if game.over or game.position.mover == game.human:
                break
            game = self.wait_for_return(game)
        return game

    def wait_for_return(self, game: Game) -> Game:
        """The game once a carriage return was typed, or as the user ended it.

        The manual asks for it after each step of a move (AKC-10900).  The
        last step needs none: YOUR MOVE PLEASE waits, and so does ANOTHER
        GAME?, so there is time to examine it.
        """

        def meaning(answer: str) -> Game | None:
            if not answer:
                return game
            if begins(answer, "QUIT"):
                return game.end(Ending.QUIT)
            if begins(answer, "CONCEDE"):
                return game.end(Ending.CONCEDED)
            if begins(answer, "SHOW"):
                self.show(game)
                raise Back
            return None

        return ask(
            self.tty,
            says.PLEASE_TYPE_CR,
            meaning,
            says.PLEASE_TYPE_CR_HELP,
            says.PLEASE_TYPE_CR_MORE,
            back=(),
        )

    def outlook(self, game: Game) -> Outlook:
        """What the level sees coming, after the moves that are forced."""
        limit = LEVEL[game.level].limit
        if is_slow(limit):
            self.tty.type(says.LET_ME_THINK)
        node = game.position
        while len(node.legal) == 1:
            node = node.play(node.legal[0])
        if node.over:
            least = most = value = node.score[game.human] - node.score[1 - game.human]
            return Outlook(least, most, value, 0.0)
        found = self.find(self.new_search(), node, limit)
        doubt = CLEARLY * LEVEL[game.level].error(node.in_play)
        if node.mover == game.human:
            return Outlook(found.low, found.high, found.value, doubt)
        return Outlook(-found.high, -found.low, -found.value, doubt)

    def find(self, search: Search, node: Position, limit: Limit) -> Finding:
        """What the search finds; a ^C stops it, CONTINUE starts it again."""
        while True:
            finding = search.find(node, limit, self.clock, self.tty.poll)
            if not self.tty.poll():
                return finding
            self.tty.pause()

    def show(self, game: Game) -> None:
        """Type the current node (AKC-13100)."""
        self.board(game.position)
        submoves = "".join(map(str, game.submoves)) or says.NONE_YET
        player = PLAYERS[game.position.mover]
        self.tty.type(says.SHOW_TURN.format(game.turn_number, player, submoves))

    def save_position(self, game: Game, name: str) -> None:
        """Write the present node for study."""
        origin = [says.POSITION_COMMENT.format(game.level, game.when)]
        origin += wrap(record.line(game), COLUMNS - len("; "))
        try:
            file = self.files.save_position(name, Special(game.position, tuple(origin)))
        except Refusal as error:
            self.tty.type(str(error) if name else says.SAVE_WHERE)
        else:
            self.tty.type(says.POSITION_SAVED.format(file))

    # After a game

    def tell_end(self, game: Game) -> None:
        """Type how the game ended, the score, who won by how much."""
        node = game.position
        if game.ending:
            how = says.ENDINGS[game.ending]
        elif all(map(any, node.rows)):
            most = PLAYERS[node.kalahs.index(max(node.kalahs))]
            how = says.ENDED_BY_MAJORITY.format(most)
        elif not node.in_play:
            how = says.ENDED_BY_EMPTY_ROWS
        else:
            empty = int(any(node.rows[0]))
            how = says.ENDED_BY_EMPTY_ROW.format(
                PLAYERS[empty], PLAYERS[1 - empty], sum(node.rows[1 - empty])
            )
        self.tty.type(how)
        margin = abs(node.score[0] - node.score[1])
        if game.winner is None:
            who = says.NOBODY_WINS
        elif game.winner == game.human:
            who = says.YOU_WIN if game.ending else says.YOU_WIN_BY.format(margin)
        else:
            who = says.I_WIN if game.ending else says.I_WIN_BY.format(margin)
        self.tty.type(says.SCORE.format(*node.score) + who)
        if game.winner == 1 - game.human and self.try_to(self.files.none_saved):
            self.tty.type(says.WHERE_LOST)
        self.lines(self.solution)
        self.count(game)

    def count(self, game: Game) -> None:
        """Count a game against the top level, and tell a grandmaster (AKC-10700).

        With fewer stones a pit anyone can win by rote.
        """
        stones = game.start.rows[0][0]
        if (
            game.level != LEVELS[-1].name
            or not record.is_opening(game.start)
            or stones < GRANDMASTER_STONES
        ):
            return
        won = game.winner == game.human and game.ending != Ending.DAMMIT
        running = self.try_to(lambda: self.files.count_win(game, won))
        if running and running >= GRANDMASTER_GAMES:
            self.lines(line.format(running) for line in says.GRANDMASTER)

    def another_game(self) -> bool:
        """Whether the user wants one; SAVE is answered here too (AKC-13700)."""

        def meaning(answer: str) -> bool | None:
            if begins(answer, "SAVE"):
                self.save_game()
                raise Back
            return agrees(answer)

        return ask(
            self.tty, says.ANOTHER_GAME, meaning, says.ANOTHER_GAME_HELP, back=[QUIT]
        )

    def save_game(self) -> None:
        """Add the game just played to KALAH.OUT, which is read first."""
        played = self.played
        if not played:
            self.tty.type(says.NO_GAME_TO_SAVE)
        elif self.saved:
            self.tty.type(says.ALREADY_SAVED)
        else:
            added = self.try_to(lambda: self.files.save(played))
            if added is None:
                return
            self.saved = True
            self.try_to(lambda: self.files.drop(played))
            self.tty.type(says.GAME_SAVED if added else says.ALREADY_SAVED)

    # The paper

    def try_to(self, deed: Callable[[], T]) -> T | None:
        """What the deed returns; None after a line that says why it failed."""
        try:
            return deed()
        except Refusal as error:
            self.tty.type(str(error))
            return None

    def keep(self, game: Game) -> None:
        self.try_to(lambda: self.files.keep(game))

    def board(self, *nodes: Position) -> None:
        for node in nodes:
            self.tty.type("\n" + picture(node))
        self.tty.type()

    def lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.tty.type(line)


def is_slow(limit: Limit) -> bool:
    """Whether a search may take so long that the teletype should say so."""
    return limit.seconds is not None and limit.seconds > 1
