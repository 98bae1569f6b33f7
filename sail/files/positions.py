"""Position files, NAME.POS: special positions and exercises (AKC-15000).

They are written for people to read:

    ; SILVER'S FIG. 2
    A  7   8 2 4 2 0 1
    B  4   1 0 1 1 4 1
    A TO MOVE
    RIGHT 24
    SOLUTION 2, THEN 4, CAPTURES FIVE, AND IT IS B'S MOVE.

sail.files.placing explains the rows.  A position with a line RIGHT is an exercise: the
line lists the right turns as they are typed.  After one of them the text of each line
SOLUTION is typed, and after any other turn that of each line WRONG.
A line PLAYED names the turn that the task is to better.
Comments before the rows give the origin or the task.  A file may hold several
positions, separated by empty lines.  If it ends in a seal, that must fit; a person who
edits such a file removes the line CHECK.

A study has a line THEME, which HINT types, and after RIGHT a line for every other
turn: the turn, the stones by which its player then wins (or loses, below 0), and
best play from there, beginning with the reply that refutes the turn:

    WRONG 4 -4 8-2-1

Older files have no lines SOLUTION.  So comments that follow a position without an
empty line are its solution, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from sail.board import MOST_PITS, PLAYERS, IllegalMove, Position
from sail.files import placing, seal
from sail.files.placing import BadPosition, parse_stones
from sail.game import LineOfPlay, format_turn
from sail.refusal import sanitized
from sail.typed import parse_number

EXTENSION = ".POS"  # the end of a position file's name
NOT_A_TURN = "{} IS NOT A WHOLE TURN."
NOT_A_LINE = "NOT A LINE OF A POSITION."
NO_MOVER = "A OR B MUST BE TO MOVE."
NO_TURN = "RIGHT NEEDS A TURN, SUCH AS 36."
REFUTED = re.compile(r"([0-9]+) (-?)([0-9]+)(?: ([0-9-]+))?")  # 31 -4 26-1


Pits = tuple[int, ...]


class Refuted(NamedTuple):
    """A wrong turn, the stones by which its player then wins, and best play."""

    turn: Pits
    margin: int
    play: tuple[Pits, ...]


class Entry(NamedTuple):
    """An entry of a position file: a position and, with right turns, an exercise."""

    position: Position
    comments: tuple[str, ...] = ()  # lines about its origin, or the task
    solution: tuple[str, ...] = ()  # lines about the best play, to be read afterwards
    right: tuple[Pits, ...] = ()  # the right turns of an exercise
    wrong: tuple[str, ...] = ()  # lines typed after any other turn
    theme: tuple[str, ...] = ()  # lines for a hint
    refuted: tuple[Refuted, ...] = ()  # the wrong turns whose refutation is on file
    played: Pits = ()  # the turn in a game that cost stones
    source: tuple[str, int] = ("", 0)  # its file, without .POS, and its number there


def is_turn(position: Position, pits: Pits, whole: bool = True) -> bool:
    """Return whether the mover can play these pits, and, if `whole`, they end his turn."""
    try:
        line = LineOfPlay(position).through(pits)
    except IllegalMove:
        return False
    ends = line.position.over or not line.submoves
    return line.moves == pits and len(line.turns) == 1 and (ends or not whole)


def turns(
    words: Iterable[str], position: Position, whole: bool = True
) -> tuple[Pits, ...]:
    """Return the turns that a line names, whole ones if `whole`.  Raises BadPosition."""
    found = []
    for word in words:
        pits = tuple(parse_number(digit, MOST_PITS) or 0 for digit in word)
        if not is_turn(position, pits, whole):
            raise BadPosition(NOT_A_TURN.format(sanitized(word)))
        found.append(pits)
    if not found:
        raise BadPosition(NO_TURN)
    return tuple(found)


def refuted(typed: re.Match[str], position: Position) -> Refuted:
    """Return what a match of REFUTED says.  Raises BadPosition."""
    named, sign, count, replies = typed.groups()
    line, played = LineOfPlay(position), list[Pits]()
    for word in [named, *(replies.split("-") if replies else [])]:
        played += turns([word], line.position)
        line = line.through(played[-1])
    (margin,) = parse_stones(count)
    return Refuted(played[0], -margin if sign else margin, tuple(played[1:]))


def write(entry: Entry) -> str:
    """Return the text of a position file."""
    position = entry.position
    lines = [f"; {text}".rstrip() for text in entry.comments]
    for player, row, kalah in zip(PLAYERS, position.rows, position.kalahs):
        lines.append(f"{player} {kalah:>2}   " + " ".join(map(str, row)))
    lines.append(f"{PLAYERS[position.mover]} TO MOVE")
    lines += [f"THEME {text}" for text in entry.theme]
    if entry.right:
        lines.append(" ".join(["RIGHT", *map(format_turn, entry.right)]))
    for turn, margin, line in entry.refuted:
        replies = "-".join(map(format_turn, line))
        lines.append(f"WRONG {format_turn(turn)} {margin} {replies}".rstrip())
    lines += [f"WRONG {text}" for text in entry.wrong]
    lines += [f"SOLUTION {text}" for text in entry.solution]
    if entry.played:
        lines.append(f"PLAYED {format_turn(entry.played)}")
    return "\n".join(lines) + "\n"


def read_all(text: str, name: str) -> list[Entry]:
    """Return the positions in a position file, with their comments.

    Raises BadPosition, or Damaged if its seal does not fit; the message names the file
    and, if possible, the line.
    """
    if "\nCHECK " in text:
        text = seal.opened(text, name)
    reader = _PositionReader()
    lines = text.removesuffix("\n").split("\n") if text else []
    for place, line in enumerate(lines, 1):
        try:
            reader.take(line)
        except BadPosition as error:
            raise BadPosition(f"{name} LINE {place}: {error}") from None
    if reader.complete:
        reader.end()
    if reader.rows or not reader.found:
        raise BadPosition(f"{name} ENDS TOO EARLY, AFTER LINE {len(lines)}.")
    return reader.found


class _PositionReader:
    """Reads a position file line by line.

    comments: before the next position.  rows: of the position that has begun.
    follows: whether nothing separates this line from the last position.
    """

    def __init__(self) -> None:
        self.found: list[Entry] = []
        self.comments: list[str] = []
        self.rows: list[list[int]] = []
        self.follows = False

    @property
    def complete(self) -> bool:
        """Return whether both rows are there, and who is to move may follow."""
        return len(self.rows) == len(PLAYERS)

    def take(self, line: str) -> None:
        """Read a line.  Raises BadPosition."""
        first, *rest = line.upper().split() or [""]
        moves = rest == ["TO", "MOVE"]
        if self.complete and first and not moves:
            self.end()
        if line.startswith(";") and self.follows:
            self.add("SOLUTION", line[1:].strip())
        elif line.startswith(";"):
            self.comments.append(line[1:].strip())
        elif not first:
            self.follows = False
        elif self.complete and first not in PLAYERS:
            raise BadPosition(NO_MOVER)
        elif self.complete:
            self.end(PLAYERS.index(first))
        elif first == PLAYERS[len(self.rows)] and rest[:1] != ["TO"]:
            self.row(line.upper())
        elif first in ("THEME", "RIGHT", "WRONG", "SOLUTION", "PLAYED"):
            self.add(first, line.upper().partition(first)[2].strip())
        else:
            raise BadPosition(NOT_A_LINE)

    def row(self, line: str) -> None:
        """Read a player's kalah and pits, and what else the line says."""
        said = placing.parse(line, len(self.rows), before=sum(map(sum, self.rows)))
        self.rows += said.stones
        if len(set(map(len, self.rows))) != 1:
            raise BadPosition(placing.PITS)
        self.follows = False
        if said.mover is not None:
            self.end(said.mover)

    def end(self, mover: int = 0) -> None:
        """Add the position to those found; A is to move unless a line says otherwise."""
        position = placing.Rows(self.rows, mover).position()
        self.found.append(Entry(position, tuple(self.comments)))
        self.comments, self.rows, self.follows = [], [], True

    def add(self, word: str, text: str) -> None:
        """Read a line of an exercise, which belongs to the last position."""
        last = self.found[-1] if self.found else None
        if not last or self.rows or self.comments:
            raise BadPosition(NOT_A_LINE)
        numbers = REFUTED.fullmatch(text)
        if word == "RIGHT":
            right = last.right + turns(text.split(), last.position)
            last = last._replace(right=right)
        elif word == "PLAYED":
            # A game may be left in the middle of a turn.
            played = turns([text], last.position, whole=False)[0]
            last = last._replace(played=played)
        elif word == "SOLUTION":
            last = last._replace(solution=(*last.solution, text))
        elif word == "THEME":
            last = last._replace(theme=(*last.theme, text))
        elif not last.right:
            raise BadPosition(NOT_A_LINE)
        elif numbers:
            wrong = refuted(numbers, last.position)
            last = last._replace(refuted=(*last.refuted, wrong))
        else:
            last = last._replace(wrong=(*last.wrong, text))
        self.found[-1] = last
