"""KALAH.OUT: saved games as text, for people to read and for programs to read back.

    GAME OF 06-OCT-72  14:03
    3 STONES A PIT
    LEVEL A, YOU STARTED
      1 A 36           5-0    2 B 1            5-1
    CONCEDED
    A 5, B 1, KALAH WON
    CHECK 10010261725

Each turn is its number, the player, the submoves, and the kalahs after them.
Kalahs and score follow from the moves; they are there for people, and are checked
when the text is read.  A changed date, level or start could still make a legal game,
so the last line is a checksum of all lines before it, in octal: a CRC, which detects
every change of a single byte.

A person may type games on another file, for SOLVE to review, and leave out
most of this:

    ; AT THE CLUB
    GAME OF ANN AND BEN
    6 STONES A PIT
    A 61  B 2
    3 A 4  3-1
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import takewhile, zip_longest
from typing import Any

from sail.board import (
    KALAH_RULES,
    PLAYERS,
    STANDARD_RULES,
    IllegalMove,
    Position,
    Rules,
    start,
)
from sail.engine import levels
from sail.files import positions
from sail.game import Ending, Game, Turn, format_turn
from sail.refusal import Refusal, sanitized
from sail.stop import Stop, never
from sail.teletype import COLUMNS

OUT = "KALAH.OUT"
CELL = 24  # columns for a turn
MOST_GAMES = 100_000  # in a text that a person typed
LONGEST = 1 << 16  # characters in a line of a game that a person types
CONTINUED = "+"  # the end of a line whose last turn continues on the next
FINISHED = "PLAYED TO THE END"
GOING_ON = "IN PROGRESS"
ADVISED = ", WITH ADVICE"
ENDINGS = {ending.value: ending for ending in Ending}

MONTHS = re.findall("...", "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC")
TIMESTAMP = re.compile("(..)-(...)-(..)  (.....)")  # as `timestamp` returns it

HEAD_LINE = re.compile(r"\s*GAME\s+OF\s+(\S.*)")
STONES_LINE = re.compile(r"([1-6]) STONES A PIT")
SPECIAL_LINE = re.compile(r"A ([0-9 ]+), B ([0-9 ]+), (A|B) TO MOVE")
LEVEL_LINE = re.compile(
    f"LEVEL ({'|'.join(levels.LEVEL)}), (YOU|KALAH) STARTED({ADVISED})?"
)
TURN = re.compile(r" *(?:[0-9]+ )?(A|B) ([1-6]+)(?: ([0-9]+)-([0-9]+))?(?= |$)")
SCORE_LINE = re.compile(r"A ([0-9]+), B ([0-9]+)(, (YOU|KALAH|A|B) WON)?")

DAMAGED = "{} IS DAMAGED AT LINE {}."
NOT_OF_A_GAME = "{} LINE {} IS NOT A LINE OF A GAME."
CANNOT_PLAY = "{} LINE {}: {} CANNOT PLAY {}."
OTHER_MOVER = "{} LINE {}: {} IS TO MOVE."
OTHER_KALAHS = "{} LINE {}: THE KALAHS ARE {}-{}."
OTHER_SCORE = "{} LINE {}: THE SCORE IS A {}, B {}."
OTHER_CHECK = "{} LINE {}: THE CHECKSUM DOES NOT MATCH THESE LINES."
TOO_MANY = "{} LINE {}: THERE ARE TOO MANY GAMES."
STOPPED = "STOPPED."


class Damaged(Refusal):
    """A text is not a record of games; the message names the line."""

    def __init__(self, refusal: str, name: str, line: int, *words: object) -> None:
        super().__init__(refusal.format(name, line, *words))
        self.line = line  # counted from 1


def timestamp(when: time.struct_time | None = None) -> str:
    """Return a time, by default now, like 06-OCT-72  14:03, in any locale."""
    when = when or time.localtime()
    return time.strftime("%d-{}-%y  %H:%M", when).format(MONTHS[when.tm_mon - 1])


def write(game: Game) -> str:
    """Return the text of one game, in lines of at most 72 columns."""
    starter = "YOU" if game.human == game.start.mover else "KALAH"
    lines = [
        f"GAME OF {game.when}",
        _start(game.start),
        f"LEVEL {game.level}, {starter} STARTED" + ADVISED * game.advised,
        *table(game.turns),
        game.ending.value if game.ending else FINISHED if game.over else GOING_ON,
        _score(game),
    ]
    check = checksum(zlib.crc32("\n".join(lines).encode()))
    return "\n".join([*lines, check, ""])


class Saved:
    """The games of a text, oldest first; an empty line separates two games.

    The constructor only verifies the checksums, which is a hundred times as fast as
    reading the games.  Indexing reads one game.  Both raise Damaged, the constructor
    only for a wrong checksum, with the first line that differs from what `write` makes
    of the game; and Refusal if `stop` returns True.
    """

    def __init__(self, text: str, name: str, stop: Stop = never) -> None:
        self._text = text
        self._name = name
        self._stop = stop
        self._places: list[tuple[int, int, int]] = []  # of each game: line, begin, end
        line, begin = 1, 0
        while text and begin <= len(text):
            if stop():
                raise Refusal(STOPPED)
            gap = text.find("\n\n", begin)
            end = gap + 1 if gap >= 0 else len(text)
            self._places.append((line, begin, end))
            body, *check = text[begin:end].rsplit("\n", 2)
            if check != [checksum(zlib.crc32(body.encode())), ""]:
                self._read(-1)  # raises Damaged, which names the line
            line += text.count("\n", begin, end) + 1
            begin = end + 1

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, number: int) -> Game:
        return self._read(number)

    def _read(self, number: int) -> Game:
        first, begin, end = self._places[number]
        text = self._text[begin:end]
        reader = _Reader(self._name, KALAH_RULES, self._stop)

        def may_follow(numbered: tuple[int, str]) -> bool:
            """Return whether `write` can need so many lines for the moves so far.

            It writes at most two lines for each turn, and fewer than eight others.
            So a text of millions of lines is not read to its end.
            """
            moves = len(reader.games[-1].moves) if reader.games else 0
            return numbered[0] - first < 8 + 2 * moves

        numbered = takewhile(may_follow, enumerate(_lines(text), first))
        wrong = 0
        try:
            reader.read(pair for pair in numbered if pair[1])
        except Damaged as error:
            wrong = error.line
        # The reader also accepts what people type, so compare the text with what
        # `write` makes of its games.
        written = (line for game in reader.games for line in write(game).split("\n"))
        for at, (line, right) in enumerate(zip_longest(_lines(text), written), first):
            differs = line != right and (right is not None or not wrong)
            head = HEAD_LINE.fullmatch(line or "")
            if differs or at == wrong or (head and not _is_timestamp(head[1])):
                last = first + text.count("\n")
                raise Damaged(DAMAGED, self._name, min(at, last))
        return reader.games[0]


def read(text: str, name: str, stop: Stop = never) -> list[Game]:
    """Return the games of a text, oldest first; see Saved."""
    saved = Saved(text, name, stop)
    return [saved[number] for number in range(len(saved))]


def read_typed(text: str, name: str, stop: Stop = never) -> list[Game]:
    """Return the games of a text that a person typed, oldest first.

    Only the start, and the player and submoves of each turn, are required.
    Kalahs, score and checksum are checked if they are given.  A majority does
    not end a game.  Raises Damaged; Refusal if `stop` returns True.
    """
    lines = enumerate(_lines(text), 1)
    return _Reader(name, STANDARD_RULES, stop).read(
        (number, line.rstrip("\r"))
        for number, line in lines
        if line.strip() and not line.lstrip().startswith(";")
    )


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text one by one: a list of millions takes much memory."""
    begin = 0
    while (end := text.find("\n", begin)) >= 0:
        yield text[begin:end]
        begin = end + 1
    yield text[begin:]


class _Reader:
    """A reader of games, line by line; the last game may be incomplete."""

    def __init__(self, name: str, rules: Rules, stop: Stop) -> None:
        self.name = name
        self.rules = rules
        self.stop = stop
        self.games: list[Game] = []
        self.when = ""  # the rest of the line GAME OF, for the next game
        self.position: Position  # the present position of the last game
        self.cut: list[str] = []  # the lines of an incomplete turn
        self.cut_at: int  # the number of the last line in `cut`
        self.crc: int | None = None  # the checksum of this game's lines so far

    def read(self, lines: Iterable[tuple[int, str]]) -> list[Game]:
        """Return the games on these numbered lines.  Raises Damaged, Refusal."""
        for number, line in lines:
            if self.stop():
                raise Refusal(STOPPED)
            if len(line) > LONGEST:
                raise Damaged(NOT_OF_A_GAME, self.name, number)
            cut = len(self.cut)
            self.take(number, line)
            if len(self.cut) == cut:  # it does not continue a turn
                self.expect_no_cut()
            added = line if self.crc is None else f"\n{line}"
            self.crc = zlib.crc32(added.encode(), self.crc or 0)
        self.expect_no_cut()
        return self.games

    def expect_no_cut(self) -> None:
        if self.cut:
            raise Damaged(NOT_OF_A_GAME, self.name, self.cut_at)

    def take(self, number: int, line: str) -> None:
        """Take a line of any kind into account.  Raises Damaged."""
        words = " ".join(line.upper().split())
        # Not `words`: a date has two blanks.
        if head := HEAD_LINE.fullmatch(line.upper().rstrip()):
            self.when, self.crc = sanitized(head[1]), None
        elif words.startswith("CHECK "):
            if words != checksum(self.crc or 0):
                raise Damaged(OTHER_CHECK, self.name, number)
        elif first := self.opening(number, words):
            self.position = first
            if not self.when:
                self.crc = None  # it has no line GAME OF, so its lines begin here
            if len(self.games) >= MOST_GAMES:
                raise Damaged(TOO_MANY, self.name, number)
            self.games.append(Game(first, "", first.mover, self.when))
            self.when = ""
        elif not self.games:
            raise Damaged(NOT_OF_A_GAME, self.name, number)
        elif level := LEVEL_LINE.fullmatch(words):
            mover = self.games[-1].start.mover
            human = mover if level[2] == "YOU" else 1 - mover
            self.change(level=level[1], human=human, advised=bool(level[3]))
        elif score := SCORE_LINE.fullmatch(words):
            if not _same(self.position.score, score.groups()[:2]):
                raise Damaged(OTHER_SCORE, self.name, number, *self.position.score)
        elif words in ENDINGS:
            self.change(ending=ENDINGS[words])
        elif words not in (FINISHED, GOING_ON):
            self.turns(number, line.upper().rstrip())

    def opening(self, number: int, words: str) -> Position | None:
        """Return the position if the line is the start of a game."""
        if stones := STONES_LINE.fullmatch(words):
            return start(int(stones[1]), rules=self.rules)
        if rows := SPECIAL_LINE.fullmatch(words):
            try:
                a, b = map(positions.parse_stones, rows.groups()[:2])
                return positions.build(a, b, PLAYERS.index(rows[3]), self.rules)
            except positions.BadPosition:
                raise Damaged(NOT_OF_A_GAME, self.name, number) from None
        return None

    def change(self, **changes: Any) -> None:
        self.games[-1] = self.games[-1]._replace(**changes)

    def turns(self, number: int, line: str) -> None:
        """Play the turns of a line; keep them in `cut` if the last one is continued."""
        self.cut.append(line.rstrip(CONTINUED))
        if line.endswith(CONTINUED) and len(self.cut) <= positions.MOST_STONES:
            self.cut_at = number
            return
        words = " ".join("".join(self.cut).split())
        self.cut = []
        here = 0
        while here < len(words):
            turn = TURN.match(words, here)
            if not turn:
                raise Damaged(NOT_OF_A_GAME, self.name, number)
            player, pits, *kalahs = turn.groups()
            self.play(number, player, pits)
            if kalahs[0] and not _same(self.position.kalahs, kalahs):
                raise Damaged(OTHER_KALAHS, self.name, number, *self.position.kalahs)
            here = turn.end()

    def play(self, number: int, player: str, pits: str) -> None:
        for pit in pits:
            mover = PLAYERS[self.position.mover]
            if mover != player:
                raise Damaged(OTHER_MOVER, self.name, number, mover)
            try:
                self.position = self.position.play(int(pit))
            except IllegalMove:
                raise Damaged(CANNOT_PLAY, self.name, number, player, pit) from None
        self.change(moves=self.games[-1].moves + tuple(map(int, pits)))


def _same(numbers: Sequence[int], words: Sequence[str]) -> bool:
    """Return whether the words are these numbers; leading zeros do not matter."""
    return [word.lstrip("0") or "0" for word in words] == list(map(str, numbers))


def _is_timestamp(when: str) -> bool:
    """Return whether this is a time like 06-OCT-72  14:03 or 1972-10-06 14:03."""
    with suppress(ValueError):
        if parts := TIMESTAMP.fullmatch(when):
            day, month, year, hour = parts.groups()
            when = f"20{year}-{MONTHS.index(month) + 1:02}-{day} {hour}"
        return datetime.fromisoformat(when).isoformat(" ", "minutes") == when
    return False


def summary(game: Game) -> str:
    """Return a line for a list of games: when, start, level, score."""
    stones = game.start.rows[0][0]
    begun = f"{stones} STONES" if is_opening(game.start) else "SPECIAL"
    level = game.level and f"LEVEL {game.level}"
    parts = begun, level, _score(game)
    return f"{game.when:16}  {', '.join(part for part in parts if part)}"


def on_one_line(game: Game) -> str:
    """Return the start and the turns of a game on one long line."""
    turns = (f"{PLAYERS[turn.player]} {format_turn(turn.pits)}" for turn in game.turns)
    return ", ".join([_start(game.start), *turns])


def is_opening(position: Position) -> bool:
    """Return whether this is the start of a game with 1 to 6 stones a pit."""
    return position._replace(rules=KALAH_RULES) in map(start, range(1, 7))


def _start(position: Position) -> str:
    if is_opening(position):
        return f"{position.rows[0][0]} STONES A PIT"
    a, b = (
        " ".join(map(str, (kalah,) + row))
        for kalah, row in zip(position.kalahs, position.rows)
    )
    return f"A {a}, B {b}, {PLAYERS[position.mover]} TO MOVE"


def table(turns: Sequence[Turn]) -> list[str]:
    """Return the turns as lines, three turns to a line; [] if there are none."""
    lines = [""]
    for number, turn in enumerate(turns, 1):
        kalahs = "{}-{}".format(*turn.after.kalahs)
        cell = f"{number:>3} {PLAYERS[turn.player]} {format_turn(turn.pits):<9} {kalahs:>6}"
        column = -(-len(lines[-1]) // CELL) * CELL
        if column + len(cell) > COLUMNS and lines[-1]:
            lines.append("")
            column = 0
        lines[-1] = lines[-1].ljust(column) + cell
        while len(lines[-1]) > COLUMNS:
            lines[-1:] = [
                lines[-1][: COLUMNS - 1] + CONTINUED,
                lines[-1][COLUMNS - 1 :],
            ]
    return lines if turns else []


def _score(game: Game) -> str:
    score = "A {}, B {}".format(*game.position.score)
    if game.winner is None:
        return score
    return f"{score}, {'YOU' if game.winner == game.human else 'KALAH'} WON"


def checksum(crc: int) -> str:
    return f"CHECK {crc:011o}"
