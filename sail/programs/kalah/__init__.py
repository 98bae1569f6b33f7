"""KALAH, the game program of the Stanford A.I. Laboratory, 1972."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap

from sail import special
from sail.area import Area, AreaError, BadName, printable
from sail.board import (
    MOST_PITS,
    PLAYERS,
    EmptyPit,
    GameOver,
    IllegalPit,
    Position,
    start,
)
from sail.levels import LEVELS
from sail.programs.kalah import game as endings
from sail.programs.kalah import record, says
from sail.programs.kalah.game import Game
from sail.programs.kalah.picture import picture
from sail.search import Finding, Limit, Search
from sail.teletype import EndOfInput, Teletype

OUT = "KALAH.OUT"  # the saved games
TMP = "KALAH.TMP"  # the game in progress, or just played
WON = "KALAH.WON"  # how many times running TOURNAMENT was beaten
TOP_LEVEL = "TOURNAMENT"
I_WIN_DAMMIT = "IWINDAMMIT"  # blanks and the comma aside (AKC-12900)
GRANDMASTER_GAMES = 3
LIMITS = {level.name: level.limit for level in LEVELS}
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
    Dialogue(tty, area, now, clock).run()


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
        self.now = now
        self.clock = clock
        self.search = Search()
        self.played: Game | None = None  # the game just played
        self.saved = False  # and whether it is on KALAH.OUT
        self.keeping = True  # the game in progress, on KALAH.TMP

    def run(self) -> None:
        try:
            game = self.game_left() or self.new_game()
            while game:
                self.saved = False
                self.played = self.play(game)
                self.tell_end(self.played)
                game = self.new_game() if self.another_game() else None
        except EndOfInput:
            if not self.tty.live:
                self.drop()  # a script shall find the area as it was
            raise

    # Before a game

    def game_left(self) -> Game | None:
        """The game that an earlier session left, if the user goes on with it."""
        try:
            if not self.area.has(TMP):
                return None
            game = record.read(self.area.read(TMP), TMP)[-1]
        except (AreaError, record.Damaged) as error:
            self.tty.type(str(error))
            self.keeping = False
            return None
        if not game.over and self.yes(says.GO_ON, says.GO_ON_HELP):
            return game
        self.played = game
        return None

    def new_game(self) -> Game | None:
        """A game as the three questions set it up; None to leave (AKC-09800)."""
        position = self.start_with()
        if not position:
            return None
        level = self.what_level()
        starts = self.yes(says.DO_YOU_WISH_TO_START, says.YES_OR_NO_HELP)
        human = position.mover if starts else 1 - position.mover
        return Game(position, level, human, self.now())

    def start_with(self) -> Position | None:
        while True:
            command, *names = self.tty.ask(says.START_WITH).upper().split() or [""]
            position = None
            if command in list("123456") and not names:
                return start(int(command))
            elif begins(command, "SPECIAL") and len(names) < 2:
                try:
                    position = self.special_position(names)
                except (AreaError, special.BadPosition, record.Damaged) as error:
                    self.tty.type(str(error))
            elif len(command) > 1 and begins(command, "SAVE") and not names:
                self.save_game()
            elif command == "?" and not names:
                self.lines(says.START_WITH_MORE)
                stored = [
                    name[:-4] for name in self.area.names() if name.endswith(".POS")
                ]
                if stored:
                    self.lines(
                        wrap(says.POSITIONS.format(" ".join(stored)), self.tty.width)
                    )
            elif begins(command, "QUIT") and not names:
                return None
            else:
                self.tty.type(says.START_WITH_HELP)
            if position and position.over:
                self.tty.type(says.ALREADY_OVER)
            elif position:
                return position

    def what_level(self) -> str:
        while True:
            answer = self.tty.ask(says.WHAT_LEVEL).strip().upper() or "A"
            for name in LIMITS:
                if begins(answer, name):
                    return name
            if answer == "?":
                self.lines(says.WHAT_LEVEL_MORE)
            else:
                self.tty.type(says.WHAT_LEVEL_HELP)

    # Special positions

    def special_position(self, names: list[str]) -> Position | None:
        """The position asked for (AKC-15000); None if the user went back.

        Raises AreaError, BadPosition, Damaged.
        """
        if not names:
            return self.typed_position()
        if names[0] == OUT:
            return self.saved_node()
        name = position_file(names[0])
        found = special.read(self.area.read(name), name)
        if found.position.pits != MOST_PITS:
            raise special.BadPosition(says.SIX_PITS)
        self.lines(found.comments)
        return found.position

    def typed_position(self) -> Position | None:
        first = self.typed_row(PLAYERS[0], says.FIRST_PLAYER, 0)
        second = first and self.typed_row(PLAYERS[1], says.SECOND_PLAYER, sum(first))
        return special.build(first, second) if first and second else None

    def typed_row(self, player: str, prompt: str, before: int) -> list[int] | None:
        """A kalah and six pits; None if the user went back.

        before: the stones already on the board.
        """
        row: list[int] = []
        while len(row) <= MOST_PITS:
            wanted = MOST_PITS + 1 - len(row)
            line = self.tty.ask(says.MORE_NUMBERS.format(wanted) if row else prompt)
            if begins(line.strip().upper(), "QUIT"):
                return None
            try:
                more = special.numbers(line)
                if len(more) > wanted:
                    raise special.BadPosition(
                        says.TOO_MANY_NUMBERS.format(wanted, len(more))
                    )
                special.check(player, row + more, before, len(more) == wanted)
            except special.BadPosition as error:
                self.tty.type(str(error))
                continue
            if not more:
                self.tty.type(says.NUMBERS_HELP)
            row += more
        return row

    def saved_node(self) -> Position | None:
        games = record.read(self.area.read(OUT), OUT)
        if not games:
            raise AreaError(says.NO_GAMES)
        summaries = [
            f"{number:>3}  {record.summary(game)}"
            for number, game in enumerate(games, 1)
        ]
        chosen = self.number(
            says.WHICH_GAME, says.WHICH_GAME_HELP, len(games), summaries
        )
        if not chosen:
            return None
        game = games[chosen - 1]
        turns = game.turns
        before = self.number(
            says.BEFORE_WHICH_TURN, says.BEFORE_WHICH_TURN_HELP, len(turns) + 1
        )
        if not before:
            return None
        return turns[before - 2].after if before > 1 else game.start

    def number(
        self, prompt: str, help: str, most: int, more: Sequence[str] = ()
    ) -> int | None:
        """A number from 1 to most; None if the user went back."""
        while True:
            answer = self.tty.ask(prompt.format(most)).strip().upper()
            if begins(answer, "QUIT"):
                return None
            if answer.isdigit() and len(answer) < 9 and 1 <= int(answer) <= most:
                return int(answer)
            self.lines(more if answer == "?" and more else [help.format(most)])

    # The game

    def play(self, game: Game) -> Game:
        """The game as it ended."""
        side = says.BELOW if game.human else says.ON_TOP
        self.tty.type(says.YOU_ARE.format(PLAYERS[game.human], side))
        self.board(game)
        self.keep(game)
        while not game.over:
            mine = game.node.mover != game.human
            after = self.my_turn(game) if mine else self.your_move(game)
            if after != game:
                self.keep(after)
            game = after
        return game

    def your_move(self, game: Game) -> Game:
        """The game after one answer to YOUR MOVE PLEASE (AKC-11900)."""
        typed = self.tty.ask(says.YOUR_MOVE_PLEASE)
        answer = " ".join(typed.upper().split())
        pits = answer.replace(" ", "").replace(",", "")
        command, _, name = answer.partition(" ")
        if pits and pits.isascii() and pits.isdigit():
            return self.submoves(game, pits)
        if pits == I_WIN_DAMMIT:
            return game.end(endings.DAMMIT)
        if begins(answer, "BACK"):
            return self.moved_back(game, game.back(), says.FIRST_NODE)
        if begins(answer, "REDO"):
            redone = game.redo()
            return self.moved_back(
                game, redone if redone != game else None, says.NO_SUBMOVES
            )
        if begins(answer, "QUIT"):
            return game.end(endings.QUIT)
        if begins(answer, "CONCEDE"):
            return game.end(endings.CONCEDED)
        if begins(answer, "DRAW"):
            least, most = self.sure_of(game)
            if most >= 0:
                return game.end(endings.DRAW)
            self.tty.type(says.NO_DRAW)
        elif begins(answer, "WIN"):
            least, most = self.sure_of(game)
            if least > 0:
                return game.end(endings.WIN)
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
                if ahead.node.mover != game.human and not ahead.over:
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
            boards.append(ahead)
        self.board(*boards)
        return ahead

    def moved_back(self, game: Game, earlier: Game | None, refusal: str) -> Game:
        if not earlier:
            self.tty.type(refusal)
            return game
        self.board(earlier)
        return earlier

    def my_turn(self, game: Game) -> Game:
        """The game after the computer's turn (AKC-10900).

        The time of the level is for the turn: what the first search saw of
        it is played, a search for a later submove has the time that is left.
        """
        limit = LIMITS[game.level]
        begun = self.clock()
        if is_slow(limit) and len(game.node.legal) > 1:
            self.tty.type(says.LET_ME_THINK)
        line: tuple[int, ...] = ()
        while True:
            line = line or self.find(game.node, limit).line
            pit, line = line[0], line[1:]
            if limit.seconds:
                left = limit.seconds - (self.clock() - begun)
                limit = limit._replace(seconds=max(left, SHORTEST_SECONDS))
            self.tty.type(says.I_MOVE.format(pit))
            game = game.play(pit)
            self.board(game)
            if game.over or game.node.mover == game.human:
                return game
            while self.tty.ask(says.PLEASE_TYPE_CR).strip():
                self.tty.type(says.PLEASE_TYPE_CR_HELP)

    def sure_of(self, game: Game) -> tuple[int, int]:
        """Least and greatest final difference for the human, as far as proved.

        The search of the level answers, after the moves that are forced.
        """
        limit = LIMITS[game.level]
        if is_slow(limit):
            self.tty.type(says.LET_ME_THINK)
        node = game.node
        while len(node.legal) == 1:
            node = node.play(node.legal[0])
        if node.over:
            low = high = node.score[node.mover] - node.score[1 - node.mover]
        else:
            finding = self.find(node, limit)
            low, high = finding.low, finding.high
        return (low, high) if node.mover == game.human else (-high, -low)

    def find(self, node: Position, limit: Limit) -> Finding:
        """What the search finds; a ^C stops it, CONTINUE starts it again."""
        while True:
            finding = self.search.find(node, limit, self.clock, self.tty.poll)
            if not self.tty.poll():
                return finding
            self.tty.pause()

    def show(self, game: Game) -> None:
        """The current node (AKC-13100)."""
        self.board(game)
        submoves = "".join(map(str, game.submoves)) or says.NONE_YET
        player = PLAYERS[game.node.mover]
        self.tty.type(says.SHOW_TURN.format(game.turn_number, player, submoves))

    def save_position(self, game: Game, name: str) -> None:
        """Write the present node for study."""
        try:
            file = position_file(name)
            if self.area.has(file):
                self.tty.type(says.FILE_EXISTS.format(file))
                return
            comments = [says.POSITION_COMMENT.format(game.level, game.when)]
            comments += wrap(record.line(game), special.COLUMNS - 2)
            self.area.write(
                file, special.write(special.Special(game.node, tuple(comments)))
            )
        except BadName:
            self.tty.type(says.SAVE_WHERE)
        except AreaError as error:
            self.tty.type(str(error))
        else:
            self.tty.type(says.POSITION_SAVED.format(file))

    # After a game

    def tell_end(self, game: Game) -> None:
        """How the game ended, the score, who won by how much."""
        node = game.node
        if game.ending:
            how = says.ENDINGS[game.ending]
        elif all(map(any, node.rows)):
            most = PLAYERS[node.kalahs.index(max(node.kalahs))]
            how = says.ENDED_BY_MAJORITY.format(most)
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
        if game.level == TOP_LEVEL and record.is_opening(game.start):
            self.count_win(game)

    def count_win(self, game: Game) -> None:
        """Count the wins running at the top level (AKC-10700)."""
        won = game.winner == game.human and game.ending != endings.DAMMIT
        try:
            text = (
                self.area.read(WON)
                if self.area.has(WON)
                else says.TIMES_RUNNING.format(0)
            )
            match = re.fullmatch(says.TIMES_RUNNING.format(r"(\d{1,9})"), text.rstrip())
            if not match:
                raise AreaError(says.NO_COUNT.format(WON))
            running = int(match[1]) + 1 if won else 0
            self.area.write(WON, says.TIMES_RUNNING.format(running) + "\n")
        except AreaError as error:
            self.tty.type(str(error))
            return
        if running >= GRANDMASTER_GAMES:
            self.lines([line.format(running) for line in says.GRANDMASTER])

    def another_game(self) -> bool:
        """Whether the user wants one; SAVE is answered here too (AKC-13700)."""
        while True:
            answer = self.tty.ask(says.ANOTHER_GAME).strip().upper()
            if begins(answer, "YES"):
                return True
            if begins(answer, "NO"):
                return False
            if begins(answer, "SAVE"):
                self.save_game()
            else:
                self.tty.type(says.ANOTHER_GAME_HELP)

    def save_game(self) -> None:
        """Add the game just played to KALAH.OUT, which is read first."""
        if not self.played:
            self.tty.type(says.NO_GAME_TO_SAVE)
        elif self.saved:
            self.tty.type(says.ALREADY_SAVED)
        else:
            try:
                there = self.area.read(OUT) if self.area.has(OUT) else ""
                record.read(there, OUT)
                parting = "\n" if there else ""
                self.area.append(OUT, parting + record.write(self.played))
            except (AreaError, record.Damaged) as error:
                self.tty.type(str(error))
            else:
                self.saved = True
                self.drop()
                self.tty.type(says.GAME_SAVED)

    # The game in progress, or the last one until it is saved

    def keep(self, game: Game) -> None:
        if self.keeping:
            try:
                self.area.write(TMP, record.write(game))
            except AreaError as error:
                self.keeping = False
                self.tty.type(str(error))

    def drop(self) -> None:
        if self.keeping:
            try:
                self.area.remove(TMP)
            except AreaError as error:
                self.tty.type(str(error))

    # The paper

    def yes(self, prompt: str, help: str) -> bool:
        while True:
            answer = self.tty.ask(prompt).strip().upper()
            for word in ("YES", "NO"):
                if begins(answer, word):
                    return word == "YES"
            self.tty.type(help)

    def board(self, *games: Game) -> None:
        for game in games:
            self.tty.type("\n" + picture(game.node))
        self.tty.type()

    def lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.tty.type(line)


def begins(answer: str, command: str) -> bool:
    """Whether the answer is the command or its beginning (AKC-09400)."""
    return bool(answer) and command.startswith(answer)


def is_slow(limit: Limit) -> bool:
    """Whether a search may take so long that the teletype should say so."""
    return limit.seconds is not None and limit.seconds > 1


def position_file(name: str) -> str:
    """The file of a special position.  Raises BadName."""
    stem = name.removesuffix(".POS")
    if not re.fullmatch("[A-Z0-9]{1,6}", stem):
        raise BadName(says.BAD_POSITION_NAME.format(printable(name)))
    return stem + ".POS"
