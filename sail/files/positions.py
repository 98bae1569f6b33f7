"""Position files, NAME.POS: special positions and exercises (AKC-15000).

They are written for people to read:

    ; SILVER'S FIG. 2
    A  7   8 2 4 2 0 1
    B  4   1 0 1 1 4 1
    A TO MOVE
    RIGHT 2,4
    SOLUTION 2, THEN 4, CAPTURES FIVE, AND IT IS B'S MOVE.

sail.files.placing explains the sides.  Comments before them give the origin or the
task.  The lines of an exercise may follow, which sail.files.exercises explains.  A file
may hold several positions, separated by empty lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sail.board import PLAYERS, Position
from sail.files import exercises, placing, seal
from sail.files.exercises import Exercise
from sail.files.placing import PartialPosition
from sail.refusal import Refusal
from sail.typed import ALIKE, sanitized

EXTENSION = ".POS"  # the end of a position file's name
LEARN = f"LEARN{EXTENSION}"  # the lessons
STUDY = f"STUDY{EXTENSION}"


class Entry(NamedTuple):
    """An entry of a position file.

    comments: lines about the origin of the position, or the task.  file: the name
    of its file, "" if it has none.  number: of the entry in that file, from 1.
    """

    position: Position
    comments: tuple[str, ...] = ()
    exercise: Exercise = Exercise()
    file: str = ""
    number: int = 0

    @property
    def is_exercise(self) -> bool:
        """Whether the position has a right turn."""
        return bool(self.exercise.right)


def text_of(entry: Entry) -> str:
    lines = [f"; {text}".rstrip() for text in entry.comments]
    lines += placing.lines(entry.position, "{} {:>2}   {}")
    lines += exercises.lines(entry.exercise, entry.position)
    return "\n".join([*lines, ""])


def parse(text: str, name: str) -> list[Entry]:
    """Return the positions in a position file, with their comments.

    Raises Refusal, which names the file and, if possible, the line.
    """
    return _PositionReader(name).read(seal.numbered(text))


class _PositionReader:
    """Reads a position file line by line.

    comments: before the next position.  partial: the position that has begun.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.entries: list[Entry] = []
        self.comments: list[str] = []
        self.partial = PartialPosition()

    def read(self, numbered: Iterable[tuple[int, str]]) -> list[Entry]:
        """Return the entries on these lines; errors: see `parse`."""
        number = 0
        for number, line in numbered:
            try:
                self._read_line(line)
            except Refusal as error:
                raise Refusal(f"{self.name} LINE {number}: {error}") from None
        if self.partial.has_sides:
            self._end()
        if self.partial.sides:
            raise Refusal(f"{self.name} LINE {number}: {placing.MISSING}")
        if not self.entries:
            raise Refusal(f"{self.name} ENDS TOO EARLY, AFTER LINE {number}.")
        for entry in self.entries:
            if entry.exercise.theme and not entry.is_exercise:
                why = "A THEME NEEDS A LINE RIGHT, TOO."
                raise Refusal(f"{self.name} POSITION {entry.number}: {why}")
        return self.entries

    def _read_line(self, line: str) -> None:
        """Read a line.  Raises Refusal."""
        line = line.translate(ALIKE)
        first, *rest = line.upper().split() or [""]
        goes_on = rest == ["TO", "MOVE"] and first[0] != ";"
        if self.partial.has_sides and first and not goes_on:
            self._end()
        if line.startswith(";"):
            self.comments.append(line[1:].strip())
        elif not first:
            pass
        elif self.partial.has_sides and first not in PLAYERS:
            raise Refusal("A OR B MUST BE TO MOVE.")
        elif self.partial.sides or placing.SIDE.match(line.upper()):
            self.partial = self.partial.read(line.upper())
            if self.partial.mover is not None and self.partial.has_sides:
                self._end()
        elif first in exercises.WORDS:
            self._add(first, line.upper().partition(first)[2].strip())
        else:
            raise Refusal(f"{sanitized(line.strip())} IS NOT A LINE OF A POSITION.")

    def _end(self) -> None:
        """Add the position to those found; A moves unless a line says otherwise."""
        entry = Entry(self.partial.position(), tuple(self.comments), file=self.name)
        self.entries.append(entry._replace(number=len(self.entries) + 1))
        self.comments, self.partial = [], PartialPosition()

    def _add(self, word: str, text: str) -> None:
        """Read a line of an exercise, which belongs to the last position."""
        if not self.entries:
            raise Refusal("A POSITION MUST COME FIRST.")
        if self.comments:
            raise Refusal("A COMMENT BELONGS BEFORE ITS POSITION.")
        last = self.entries[-1]
        exercise = exercises.with_line(last.exercise, word, text, last.position)
        self.entries[-1] = last._replace(exercise=exercise)
