"""KALAH.OUT: saved games as text, for people to read and for programs to read back.

    SAVED GAMES: 6 LINES, CHECK 36631430425
    GAME OF 06-OCT-72  14:03
    3 STONES A PIT
    LEVEL A, YOU STARTED
      1 A 3,6          5-0    2 B 1            5-1
    CONCEDED
    A 5, B 1, KALAH WON

Each turn is its number, the player, the submoves, and the kalahs after them.
Kalahs and score follow from the moves; they are there for people, and are checked
when the text is read.

A person may type games on another file, for SOLVE to review, and leave out
most of this.  A hyphen or a blank may separate two turns.  A line that ends with a
comma goes on:

    ; AT THE CLUB
    GAME OF ANN AND BEN
    6 STONES A PIT
    A 6,1  B 2
    3 A 4  3-1
    1-5
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sail.board import KALAH_RULES, PLAYERS, Position, Rules, opening
from sail.engine import levels
from sail.files import placing, seal
from sail.files.area import Area
from sail.files.placing import PartialPosition
from sail.game import IS_TO_MOVE, TURNS, Course, Ending, Game, Turn, format_turns
from sail.refusal import Refusal
from sail.stop import Stop, check_stop, never
from sail.teletype import COLUMNS
from sail.typed import TYPOGRAPHIC, plural, sanitized

OUT = ".OUT"  # the end of the name of a file of games
HEADING_COLUMNS = 16  # in a list: when a game began, to the minute
CELL = 24  # columns for a turn
FINISHED = "PLAYED TO THE END"
GOING_ON = "IN PROGRESS"
ADVISED = ", WITH ADVICE"
MONTHS = re.findall("...", "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC")

COUNT = "0*([0-9]{1,3})"  # a number of stones
HEADING = re.compile(r"GAME\s+OF\s+(\S.*)")
# Where the patterns below have a blank, the lines have just one.
# Turns with their number, player and kalahs; or turns without.
TURN_CELL = re.compile(
    f"(?:(?:([0-9]+) )?([AB] .+?),?(?: {COUNT}-{COUNT},?)?|(.+?),?)"
    "(?= (?:[0-9]+ )?[AB] |$) ?"
)
NAMED_TURNS = re.compile("[AB](?: [1-6][-,1-6]*){1,6}")  # seven words are stones
# How the start of another game begins, if it is not NAMED_TURNS.
NEXT_START = re.compile(
    f"{placing.A_PIT}|A(?:[, ]+[0-9]+){{2}}(?:, B|[, ]+[0-9]+)(?:[, ]|$)"
)
LEVEL_NAMES = "|".join(levels.LEVELS)
LEVEL = re.compile(f"LEVEL ({LEVEL_NAMES}), (YOU|KALAH) STARTED({ADVISED})?")
ENDINGS = {ending.value for ending in Ending}
SCORE = re.compile(f"A {COUNT}, B {COUNT}(?:, (?:YOU|KALAH|A|B) WON)?")
NO_LINE = "THIS IS NOT A LINE OF A GAME, LIKE A 4,1 B 5."
WE_WRITE = "WE WRITE A 4,1 B 5"
NOTATIONS = {  # what no turn of ours has: SOLVE's line GAME, then other programs
    "(GAME )?-*[0-5][0-5-]*$": "TYPE THE LINE PITS, NOT HOLES COUNTED FROM 0.",
    "([-0-9AB, ]*[, ])?(0|1[0-3])([, ]|$)": f"{WE_WRITE}, NOT HOLES COUNTED FROM 0.",
    r"[-0-9A-F, ]*\b([C-F]|[A-F][1-6])\b": f"{WE_WRITE}, NOT LETTERS FOR PITS.",
}


def timestamp(seconds: float | None = None) -> str:
    """Return a time, by default now, like 06-OCT-72  14:03, in any locale."""
    when = time.localtime(seconds)
    return time.strftime("%d-{}-%y  %H:%M", when).format(MONTHS[when.tm_mon - 1])


def game_time() -> str:
    """Return when a game begins, to a ten-thousandth second: chance depends on it."""
    now = time.time()
    return f"{timestamp(now)}:{now % 60:07.4f}"


def text_of(game: Game, columns: int = COLUMNS) -> str:
    """Return the text of one game, its table at most `columns` wide: 72 or less."""
    starter = "YOU" if game.user == game.start.mover else "KALAH"
    lines = [
        f"GAME OF {game.heading}",
        _start_text(game.start),
        f"LEVEL {game.level}, {starter} STARTED" + (ADVISED if game.advised else ""),
        *turn_lines(game.turns, columns),
        game.ending.value if game.ending else FINISHED if game.over else GOING_ON,
        _score_text(game),
    ]
    return "\n".join([*lines, ""])


class SavedGames:
    """The games of a text, oldest first; an empty line separates two games.

    The constructor only finds where they begin.  Indexing reads one game, and raises
    Damaged if it is none.  Both raise Stopped if `stop` returns True.
    """

    def __init__(self, text: str, name: str, stop: Stop = never) -> None:
        self._name = name
        self._stop = stop
        self._texts: list[tuple[int, str]] = []  # of each game, with its first line
        start = seal.body_start(text)
        line = 1 + text.count("\n", 0, start)
        texts = text[start:].split("\n\n")
        if not texts[-1]:
            texts.pop()
        for game in texts:
            check_stop(stop)
            self._texts.append((line, game))
            line += game.count("\n") + 2

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, number: int) -> Game:
        line, text = self._texts[number]
        lines = enumerate(text.split("\n"), line)
        try:
            games = _GameReader(self._name, KALAH_RULES, self._stop).read(lines)
        except seal.BadLine as error:
            raise seal.Damaged(self._name, error.line) from None
        if len(games) != 1:
            raise seal.Damaged(self._name, line)
        return games[0]

    def __iter__(self) -> Iterator[Game]:
        return map(self.__getitem__, range(len(self)))


def saved_games(
    area: Area, name: str, stop: Stop = never, missing: str | None = None
) -> SavedGames:
    """Return the games on a file; missing: see `Area.read`.  Raises Refusal."""
    return SavedGames(area.read(name, missing), name, stop)


def parse_typed(
    text: str, name: str, rules: Rules, stop: Stop = never, complete: bool = True
) -> list[Game]:
    """Return the games of a text that a person typed, oldest first.

    Only the start, and the submoves of each turn, are required.  Kalahs and score are
    checked if they are given.
    complete: whether the text may not end in the middle of a start.
    Raises BadLine; Stopped if `stop` returns True.
    """
    return _GameReader(name, rules, stop).read(seal.numbered_lines(text), complete)


class _GameReader:
    """A reader of games, line by line; the last game may be incomplete.

    A line is the first of these that fits:

        HEADING, unless a start has begun
        a line of a start that has begun
        the start that is due: BEGINS, but not with a turn like A 3,6
        another start: NEXT_START, but not if it can be turns
        LEVEL, who is to move, an ending, SCORE
        turns: TURN_CELL, repeated, perhaps after PITS

    A number before a player is the turn's, unless the line begins without one and a
    turn is incomplete: then it is of that turn's pits, like 1 in A 6 1 B 2.
    """

    def __init__(self, name: str, rules: Rules, stop: Stop) -> None:
        self.name = name
        self.rules = rules
        self.stop = stop
        self.games: list[Game] = []
        self.heading = ""  # the rest of the line GAME OF, for the next game
        self.partial = PartialPosition()  # what has been read of the next game's start
        self.so_far = Course(opening(0))  # the last game, from its last turn on
        self.turn_goes_on = False  # whether the line before ends in it, with a comma

    def read(
        self, numbered: Iterable[tuple[int, str]], complete: bool = True
    ) -> list[Game]:
        """Return the games on these lines; complete and errors: see `parse_typed`."""
        number = 0
        for number, line in numbered:
            check_stop(self.stop)
            line = line.translate(TYPOGRAPHIC).strip().upper()
            if line and not line.startswith(";"):
                try:
                    self._read_line(line)
                except Refusal as why:
                    raise seal.BadLine(self.name, number, why) from None
                named = self.turn_goes_on or re.search("[AB] ", line)
                self.turn_goes_on = bool(named) and line.endswith(",")
        if self.partial.sides and complete:
            raise seal.BadLine(self.name, number, placing.MISSING)
        return self.games

    @property
    def _start_is_due(self) -> bool:
        """Whether the next game's start must come before any turn."""
        return not self.games or bool(self.heading and self.games[-1].pits)

    def _read_line(self, line: str) -> None:
        """Take a line into account, which is in upper case.  Raises Refusal."""
        if not self.partial.sides and (match := HEADING.fullmatch(line)):
            self.heading = sanitized(match[1], COLUMNS)
            return
        line = " ".join(line.split())
        if self.partial.sides or self._begins_start(line):
            return self._take_start(line)
        if self._start_is_due:
            raise Refusal("FIRST TYPE THE START, LIKE 6 STONES A PIT.")
        if match := LEVEL.fullmatch(line):
            self._take_level(*match.groups())
        elif re.fullmatch("[^ ]+ TO MOVE", line):
            self._take_mover(PartialPosition().with_line(line).mover or 0)
        elif line in ENDINGS:
            self._expect_no_ending(line)
            self._change(ending=Ending(line))
        elif match := SCORE.fullmatch(line):
            score = self.so_far.position.score
            if score == tuple(map(int, match.groups())):
                return
            if self.games[-1].over or line.endswith("WON"):
                raise Refusal("THE SCORE IS A {}, B {}.".format(*score))
            self._take_turns(line)  # like A 4, B 5
        elif line not in (FINISHED, GOING_ON):  # these follow from the moves
            self._take_turns(line.removeprefix("PITS "))  # as SOLVE types them

    def _begins_start(self, line: str) -> bool:
        """Whether a line begins a start.  Where turns may come, they come first."""
        if self._start_is_due:
            turn = re.match("[AB] [1-6],[1-6]( |$)", line)
            return bool(placing.BEGINS.match(line) and not turn)
        if not NEXT_START.match(line):
            return False
        turns = all(NAMED_TURNS.fullmatch(cell[1]) for cell in TURN_CELL.findall(line))
        return not turns or self.games[-1].over

    def _take_start(self, line: str) -> None:
        """Take a line of a start into account; begin the game if it is the last."""
        self.partial = self.partial.with_line(line)
        if self.partial.has_sides:
            start = self.partial.position(self.rules)
            self.games.append(Game(start, user=start.mover, heading=self.heading))
            self.so_far = Course(start)
            self.heading, self.partial = "", PartialPosition()

    def _take_mover(self, mover: int) -> None:
        """Take a line like B TO MOVE into account; at the start it says who begins."""
        game, position = self.games[-1], self.so_far.position
        if not game.pits:
            self.so_far = Course(game.start._replace(mover=mover))
            user = mover if game.user == game.start.mover else 1 - mover
            self._change(start=self.so_far.start, user=user)
        elif position.mover != mover:
            raise Refusal(IS_TO_MOVE.format(PLAYERS[position.mover]))

    def _take_level(self, name: str, starter: str, advised: str | None) -> None:
        mover = self.games[-1].start.mover
        user = mover if starter == "YOU" else 1 - mover
        self._change(level=name, user=user, advised=bool(advised))

    def _take_turns(self, line: str) -> None:
        """Play the turns on a line; check the kalahs after them."""
        # The rest of a turn may have its kalahs, too, like 6 5-0 after A 3, on a line.
        rest = "[1-6](,| |$)" if self.so_far.submoves else "[1-6](,| [0-9]|$)"
        if self.turn_goes_on and re.match(rest, line):
            line = f"{PLAYERS[self.so_far.position.mover]} {line}"
        cells = TURN_CELL.findall(line)
        numbered = cells[0][0]
        for number, named, *kalahs, unnamed in cells:
            if re.search(" [0-9]+-[0-9]+([ ,]|$)", named[2:]):
                raise Refusal(NO_LINE)  # the kalahs are not at the end of a turn
            mover = PLAYERS[self.so_far.position.mover]
            if number and not numbered and self.so_far.submoves and named[0] != mover:
                named = f"{number} {named}"
            self._play(named or unnamed)
            found = self.so_far.position.kalahs
            if kalahs[0] and found != tuple(map(int, kalahs)):
                raise Refusal("THE KALAHS ARE {}-{}.".format(*found))

    def _play(self, turns: str) -> None:
        """Play turns, with or without their players."""
        if "0" in turns or not TURNS.fullmatch(turns):
            told = (NOTATIONS[it] for it in NOTATIONS if re.match(it, turns))
            raise Refusal(next(told, NO_LINE))
        self._expect_no_ending(turns)
        course = self.so_far.after_written(turns, several=True)
        played = course.pits[len(self.so_far.pits) :]
        self._change(pits=self.games[-1].pits + played)
        self.so_far = course if course.submoves else Course(course.position)

    def _expect_no_ending(self, typed: str) -> None:
        if ending := self.games[-1].ending:
            raise Refusal(f"{sanitized(typed)}: THE GAME ENDED WITH {ending.value}.")

    def _change(self, **changes: Any) -> None:
        self.games[-1] = replace(self.games[-1], **changes)


def summary(game: Game) -> str:
    """Return a line for a list of games: heading, start, level, score."""
    start = _start_text(game.start).removesuffix(" A PIT")
    kind = start if game.start.is_opening else "SPECIAL"
    level = "" if game.between_people else f"LEVEL {game.level}"
    heading = game.heading[:HEADING_COLUMNS].ljust(HEADING_COLUMNS)
    return f"{heading}  {', '.join(filter(None, (kind, level, _score_text(game))))}"


def on_one_line(game: Game) -> str:
    return f"{_start_text(game.start)}, {format_turns(game.turns)}".removesuffix(", ")


def _start_text(position: Position) -> str:
    if position.is_opening:
        stones = position.rows[0][0]
        return f"{stones} STONE{plural(stones)} A PIT"
    return ", ".join(placing.lines(position))


def turn_lines(turns: Sequence[Turn], columns: int = COLUMNS) -> list[str]:
    """Return the turns as lines, up to three to a line; [] if there are none."""
    lines = [""]
    for number, turn in enumerate(turns, 1):
        kalahs = "{}-{}".format(*turn.after.kalahs)
        cell = f"{number:>3} {format_turns([turn]):<11} {kalahs:>6}"
        column = -(-len(lines[-1]) // CELL) * CELL
        if column + len(cell) > columns and lines[-1]:
            lines.append("")
            column = 0
        lines[-1] = lines[-1].ljust(column) + cell
        while len(lines[-1]) > columns:
            cut = lines[-1].rindex(",", 0, columns) + 1
            lines[-1:] = lines[-1][:cut], lines[-1][cut:]
    return lines if turns else []


def _score_text(game: Game) -> str:
    score = "A {}, B {}".format(*game.position.score)
    if game.winner is None:
        return score
    name = "YOU" if game.winner == game.user else "KALAH"
    return f"{score}, {PLAYERS[game.winner] if game.between_people else name} WON"
