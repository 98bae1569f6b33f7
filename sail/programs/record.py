"""KALAH.OUT: saved games as text, made to be printed and to be read back.

    GAME OF 1972-10-06 14:03
    3 STONES A PIT
    LEVEL A, YOU STARTED
      1 A 36           5-0    2 B 1            5-1
    CONCEDED
    A 5, B 1, KALAH WON
    CHECK 34411574032

Each turn is its number, the player, his submoves and the kalahs after
them.  What can be worked out from the moves is written for the reader and
checked when the text is read.  A changed date, level or start could still
make a legal game, so the last line has a check sum, in octal, of all lines
before it: a CRC, which shows every change of a single byte.

A person may type games on another file, for SOLVE to review; there most of
this may be left out:

    ; AT THE CLUB
    GAME OF ANN AND BEN
    6 STONES A PIT
    A 61  B 2
    3 A 4  3-1
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from datetime import datetime

from sail import special
from sail.board import KALAH, PLAYERS, STANDARD, IllegalMove, Position, start
from sail.engine.levels import LEVELS
from sail.programs.game import Ending, Game, Turn
from sail.refusal import Refusal, printable
from sail.special import COLUMNS

OUT = "KALAH.OUT"
CELL = 24
CUT = "+"  # ends a line whose last turn goes on in the next
FINISHED = "PLAYED TO THE END"
GOING_ON = "IN PROGRESS"
ENDINGS = {ending.value: ending for ending in Ending}

HEAD = re.compile(r"GAME OF ([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2})")
STONES = re.compile(r"([1-6]) STONES A PIT")
SPECIAL = re.compile(r"A ([0-9 ]+), B ([0-9 ]+), (A|B) TO MOVE")
LEVEL = re.compile(
    f"LEVEL ({'|'.join(level.name for level in LEVELS)}), (YOU|KALAH) STARTED"
)
TURN = re.compile(r" *[0-9]+ (?:A|B) ([1-6]+) +[0-9]+-[0-9]+")

# What a person may type: see read_typed.
TYPED_HEAD = re.compile(r"GAME OF (.*)")
TYPED_TURN = re.compile(r" *(?:[0-9]+ )?(A|B) ([1-6]+)(?: ([0-9]+)-([0-9]+))?(?= |$)")
TYPED_SCORE = re.compile(r"A ([0-9]+), B ([0-9]+)(, (YOU|KALAH|A|B) WON)?")
NOT_OF_A_GAME = "{} LINE {} IS NOT OF A GAME."
CANNOT_PLAY = "{} LINE {}: {} CANNOT PLAY {}."
OTHER_MOVER = "{} LINE {}: {} IS TO MOVE."
OTHER_KALAHS = "{} LINE {}: THE KALAHS ARE {}-{}."
OTHER_SCORE = "{} LINE {}: THE SCORE IS A {}, B {}."
OTHER_CHECK = "{} LINE {}: THE CHECK SUM OF THESE LINES IS ANOTHER."


class Damaged(Refusal, ValueError):
    """One line that says where a text is not of saved games."""


def write(game: Game) -> str:
    """The text of one game, in lines of at most 72 columns."""
    begun = "YOU" if game.human == game.start.mover else "KALAH"
    lines = [
        f"GAME OF {game.when}",
        _start(game.start),
        f"LEVEL {game.level}, {begun} STARTED",
        *table(game.turns),
        game.ending.value if game.ending else FINISHED if game.over else GOING_ON,
        _score(game),
    ]
    return "\n".join([*lines, _check("\n".join(lines)), ""])


def read(text: str, name: str) -> list[Game]:
    """The games of a text, oldest first; `write` is its opposite.

    The texts of games are parted by an empty line.  Raises Damaged, with
    the name and the line, unless every line is as `write` writes it.
    """
    games: list[Game] = []
    lines = text.split("\n")
    at = 0
    while text and at < len(lines):
        game, wrong = _game(lines, at)
        if game:
            right = write(game).split("\n")
            for wrong, line in enumerate(right, at):
                if lines[wrong : wrong + 1] != [line]:
                    break
            else:
                games.append(game)
                at += len(right)
                continue
        raise Damaged(f"{name} IS DAMAGED AT LINE {wrong + 1}.")
    return games


def read_typed(text: str, name: str) -> list[Game]:
    """The games of a text that a person typed, oldest first.

    As in KALAH.OUT, but only the start and the turns of a game must be there,
    each turn with its player and submoves.  What is there besides is checked:
    kalahs, score and check sum.  Lines that are empty or begin with a ; are
    not looked at.  The majority ends no game.

    Raises Damaged, with the name and the line.
    """
    typed = _Typed(name)
    for number, line in enumerate(text.split("\n"), 1):
        typed.take(number, line.rstrip("\r"))
    typed.expect_no_cut()
    return typed.games


class _Typed:
    """The reader of a typed text: the games so far, the last still growing."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.games: list[Game] = []
        self.when = ""  # of the game that comes next
        self.node: Position  # the present one of the last game
        self.cut: list[str] = []  # lines whose last turn goes on in the next
        self.cut_at: int  # the number of the last of them
        self.body: list[str] = []  # lines for the check sum

    def take(self, number: int, line: str) -> None:
        """Take a line.  Raises Damaged."""
        words = " ".join(line.upper().split())
        if not words or words.startswith(";"):
            return
        cut = len(self.cut)
        head = TYPED_HEAD.fullmatch(words)
        if head:
            self.when, self.body = printable(head[1]), []
        elif words.startswith("CHECK "):
            if words != _check("\n".join(self.body)):
                raise self.damaged(OTHER_CHECK, number)
        elif not self.begins(number, words):
            if not self.games:
                raise self.damaged(NOT_OF_A_GAME, number)
            self.goes_on(number, words, line)
        if len(self.cut) == cut:  # the line was none of turns
            self.expect_no_cut()
        self.body.append(line)

    def expect_no_cut(self) -> None:
        """Raise Damaged if a turn should have gone on."""
        if self.cut:
            raise self.damaged(NOT_OF_A_GAME, self.cut_at)

    def begins(self, number: int, words: str) -> bool:
        """Whether the line is the start of a game."""
        stones, rows = STONES.fullmatch(words), SPECIAL.fullmatch(words)
        try:
            if stones:
                self.node = start(int(stones[1]), rules=STANDARD)
            elif rows:
                first, second = map(special.numbers, rows.groups()[:2])
                mover = PLAYERS.index(rows[3])
                self.node = special.build(first, second, mover, STANDARD)
            else:
                return False
        except special.BadPosition:
            raise self.damaged(NOT_OF_A_GAME, number) from None
        self.games.append(Game(self.node, "", self.node.mover, self.when))
        self.when = ""
        return True

    def goes_on(self, number: int, words: str, line: str) -> None:
        """Take a line of the last game that is not its first."""
        level = LEVEL.fullmatch(words)
        score = TYPED_SCORE.fullmatch(words)
        game = self.games[-1]
        if level:
            mover = game.start.mover
            human = mover if level[2] == "YOU" else 1 - mover
            self.games[-1] = game._replace(level=level[1], human=human)
        elif score:
            if tuple(map(_plain, score.groups()[:2])) != _texts(self.node.score):
                raise self.damaged(OTHER_SCORE, number, *self.node.score)
        elif words in ENDINGS:
            self.games[-1] = game._replace(ending=ENDINGS[words])
        elif words not in (FINISHED, GOING_ON):
            self.turns(number, line.upper().rstrip())

    def turns(self, number: int, line: str) -> None:
        """Take a line of turns."""
        self.cut.append(line.rstrip(CUT))
        if line.endswith(CUT):
            self.cut_at = number
            return
        words = " ".join("".join(self.cut).split())
        self.cut = []
        here = 0
        while here < len(words):
            turn = TYPED_TURN.match(words, here)
            if not turn:
                raise self.damaged(NOT_OF_A_GAME, number)
            player, pits, *kalahs = turn.groups()
            self.play(number, player, pits)
            if kalahs[0] and tuple(map(_plain, kalahs)) != _texts(self.node.kalahs):
                raise self.damaged(OTHER_KALAHS, number, *self.node.kalahs)
            here = turn.end()

    def play(self, number: int, player: str, pits: str) -> None:
        """Play the submoves of a turn."""
        for pit in pits:
            if PLAYERS[self.node.mover] != player:
                raise self.damaged(OTHER_MOVER, number, PLAYERS[self.node.mover])
            try:
                self.node = self.node.play(int(pit))
            except IllegalMove:
                raise self.damaged(CANNOT_PLAY, number, player, pit) from None
        moves = self.games[-1].moves + tuple(map(int, pits))
        self.games[-1] = self.games[-1]._replace(moves=moves)

    def damaged(self, line: str, *words: object) -> Damaged:
        return Damaged(line.format(self.name, *words))


def _plain(digits: str) -> str:
    """The digits of a number without zeros in front."""
    return digits.lstrip("0") or "0"


def _texts(numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(str, numbers))


def is_whole(text: str) -> bool:
    """Whether every game has its check sum; quicker than to read them."""
    *games, rest = (text + "\n").split("\n\n")
    parted = (game.rpartition("\n") for game in games)
    return not rest and all(check == _check(body) for body, _, check in parted)


def summary(game: Game) -> str:
    """One line for a list of games: when, start, level, score."""
    parts = [_start(game.start)[:20], game.level, _score(game)]
    return f"{game.when:16}  {', '.join(part for part in parts if part)}"


def line(game: Game) -> str:
    """How the present position was reached, on one long line."""
    turns = (
        f"{PLAYERS[turn.player]} {''.join(map(str, turn.pits))}" for turn in game.turns
    )
    return ", ".join([_start(game.start), *turns])


def is_opening(position: Position) -> bool:
    """Whether it is the start with 1 to 6 stones in every pit."""
    return position._replace(rules=KALAH) in map(start, range(1, 7))


def _start(position: Position) -> str:
    if is_opening(position):
        return f"{position.rows[0][0]} STONES A PIT"
    first, second = (
        " ".join(map(str, (kalah,) + row))
        for kalah, row in zip(position.kalahs, position.rows)
    )
    return f"A {first}, B {second}, {PLAYERS[position.mover]} TO MOVE"


def table(turns: Sequence[Turn]) -> list[str]:
    """The lines of the turns, three to a line; none if there are none."""
    lines = [""]
    for number, turn in enumerate(turns, 1):
        pits = "".join(map(str, turn.pits))
        kalahs = "{}-{}".format(*turn.after.kalahs)
        cell = f"{number:>3} {PLAYERS[turn.player]} {pits:<9} {kalahs:>6}"
        column = -(-len(lines[-1]) // CELL) * CELL
        if column + len(cell) > COLUMNS and lines[-1]:
            lines.append("")
            column = 0
        lines[-1] = lines[-1].ljust(column) + cell
        while len(lines[-1]) > COLUMNS:
            lines[-1:] = [lines[-1][: COLUMNS - 1] + CUT, lines[-1][COLUMNS - 1 :]]
    return lines if turns else []


def _score(game: Game) -> str:
    score = "A {}, B {}".format(*game.node.score)
    if game.winner is None:
        return score
    return f"{score}, {'YOU' if game.winner == game.human else 'KALAH'} WON"


def _check(body: str) -> str:
    return f"CHECK {zlib.crc32(body.encode()):011o}"


def _game(lines: Sequence[str], at: int) -> tuple[Game | None, int]:
    """The game that begins at that line, or None; and its last or wrong line."""
    found = []
    for number in range(at, min(at + 3, len(lines))):
        kinds = (HEAD, STONES if lines[number][:1].isdigit() else SPECIAL, LEVEL)
        match = kinds[number - at].fullmatch(lines[number])
        if not match:
            return None, number
        found.append(match.groups())
    if len(found) < 3:
        return None, len(lines) - 1
    (when,), begun, (level, starter) = found
    try:
        datetime.fromisoformat(when)
    except ValueError:
        return None, at
    try:
        position = (
            start(int(begun[0]))
            if len(begun) == 1
            else special.build(
                special.numbers(begun[0]),
                special.numbers(begun[1]),
                PLAYERS.index(begun[2]),
            )
        )
    except special.BadPosition:
        return None, at + 1
    human = position.mover if starter == "YOU" else 1 - position.mover
    game = Game(position, level, human, when)
    moves: list[int] = []
    body: list[str] = []
    for number in range(at + 3, len(lines)):
        line = lines[number]
        if line in (FINISHED, GOING_ON, *ENDINGS):
            return game._replace(moves=tuple(moves), ending=ENDINGS.get(line)), number
        body.append(line.replace(CUT, ""))
        if line.endswith(CUT):
            continue
        turns = "".join(body)
        body.clear()
        here = 0
        while here < len(turns):
            match = TURN.match(turns, here)
            if not match:
                return None, number
            try:
                for pit in map(int, match[1]):
                    position = position.play(pit)
                    moves.append(pit)
            except IllegalMove:
                return None, number
            here = match.end()
    return None, len(lines) - 1
