"""Position files, NAME.POS: special positions (AKC-15000) and exercises.

They are written for people to read:

    ; SILVER'S FIG. 2
    A  7   8 2 4 2 0 1
    B  4   1 0 1 1 4 1
    A TO MOVE
    THEME THE CAPTURE
    RIGHT 2,4
    BEST 6 A 2,4 B 1,4
    WRONG -4 A 4 B 1,5
    WRONG ABOUT 1 ERROR 2 A 6 B 1,3

Comments before a position give its origin or the task; sail.files.placing explains its
sides.  A file may hold several positions, separated by empty lines.

RIGHT lists the right turns, like 2,4 or 24, and makes the position an exercise.
BEST has the stones by which the player to move wins (or loses, below 0), and best play,
of which the first turn is right.  A line WRONG of that form has the same for a wrong
turn, with which its variation begins.  ABOUT marks an estimate, and ERROR and a number
after it the stones by which it may be off; without it, or if it is 0, nobody knows.

Lines of words are typed in place of our reasons: THEME for HINT, SOLUTION after a right
turn, and WRONG after any turn that is judged wrong; its words have a letter from C to Z
before any number.  SOLUTION may stand without RIGHT.  A line SOLVED marks what the user
has solved at the first try.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from textwrap import TextWrapper
from typing import NamedTuple

from sail.board import MOST_STONES, Pits, Position
from sail.engine.value import FAR, Finding, bounded, exactly
from sail.files import placing, seal
from sail.files.placing import TOO_MANY, PartialPosition
from sail.game import Course, format_turn, format_turns
from sail.refusal import Refusal
from sail.teletype import COLUMNS
from sail.typed import TYPOGRAPHIC, sanitized

POS = ".POS"  # the end of a position file's name
LEARN_POS = f"LEARN{POS}"  # the lessons
STUDY_POS = f"STUDY{POS}"
# The words that begin the lines of an exercise.
WORDS = "THEME", "RIGHT", "BEST", "WRONG", "SOLUTION", "SOLVED"
COMMENT = TextWrapper(COLUMNS, subsequent_indent="; ")
FINDING = re.compile(
    r"(?:(-?[0-9]{1,3})|ABOUT (-?[0-9]{1,3})(?: ERROR ([0-9]{1,3}))?)"
    "((?: [AB] [0-9,]+)+)"
)
NOT_WRONG = "{} IS RIGHT, OR NO WORSE THAN BEST."


class Entry(NamedTuple):
    """An entry of a position file: a position; with right turns, an exercise.

    comments: lines about the origin of the position, or the task.
    right: the right turns, that of BEST first.  findings: by the turn, the mover's
    value after it, and the variation that begins with it.
    theme, wrong_words, solution: the words typed for HINT, after a wrong turn, and
    after a right one.  solved: whether the file marks it so.
    file: the name of its file, "" if it has none.  number: its place there, from 1.
    """

    position: Position
    comments: tuple[str, ...] = ()
    right: tuple[Pits, ...] = ()
    findings: Mapping[Pits, Finding] = {}
    theme: tuple[str, ...] = ()
    wrong_words: tuple[str, ...] = ()
    solution: tuple[str, ...] = ()
    solved: bool = False
    file: str = ""
    number: int = 0

    @property
    def is_exercise(self) -> bool:
        """Whether it has a right turn."""
        return bool(self.right)

    @property
    def best(self) -> Finding | None:
        """The value and the variation of the first right turn, if it is judged."""
        return self.findings.get(self.right[0]) if self.right else None

    @property
    def wrong(self) -> dict[Pits, Finding]:
        """What was found of the turns that are not right."""
        findings = self.findings.items()
        return {turn: finding for turn, finding in findings if turn not in self.right}


def text_of(entry: Entry) -> str:
    """Return the lines of an entry, as `parse` reads them."""
    judged = [("WRONG", finding) for finding in entry.wrong.values()]
    if entry.best:
        judged.insert(0, ("BEST", entry.best))
    right = " ".join(["RIGHT", *map(format_turn, entry.right)])
    lines = [
        *(line for text in entry.comments for line in COMMENT.wrap(f"; {text}")),
        *placing.lines(entry.position, "{} {:>2}   {}"),
        *(f"THEME {text}" for text in entry.theme),
        *([right] if entry.right else []),
        *(f"{word} {_finding_text(found, entry.position)}" for word, found in judged),
        *(f"WRONG {text}" for text in entry.wrong_words),
        *(f"SOLUTION {text}" for text in entry.solution),
        *(["SOLVED"] if entry.solved else []),
    ]
    return "\n".join([*lines, ""])


def _finding_text(finding: Finding, position: Position) -> str:
    """Return a value and its variation, of as many turns as fit on a line."""
    value, turns = finding.value, Course(position).through(finding.variation).turns
    stones = str(value.likely) if value.proved else f"ABOUT {value.likely}"
    if 0 < value.error < FAR:
        stones += f" ERROR {value.error}"
    room = COLUMNS - len("WRONG ")
    while len(turns) > 1 and len(f"{stones} {format_turns(turns)}") > room:
        turns.pop()
    return f"{stones} {format_turns(turns)}"


def parse(text: str, name: str) -> list[Entry]:
    """Return the entries of a position file.

    Raises Refusal, which names the file and, if possible, the line.
    """
    return _PositionReader(name).read(seal.numbered_lines(text))


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
                raise seal.BadLine(self.name, number, error) from None
        if self.partial.has_sides:
            self._end()
        if self.partial.sides:
            raise seal.BadLine(self.name, number, placing.MISSING)
        if not self.entries:
            raise Refusal(f"{self.name} ENDS TOO EARLY, AFTER LINE {number}.")
        for entry in self.entries:
            if entry.theme and not entry.is_exercise:
                why = "A THEME NEEDS A LINE RIGHT, TOO."
                raise Refusal(f"{self.name} POSITION {entry.number}: {why}")
        return self.entries

    def _read_line(self, line: str) -> None:
        """Read a line.  Raises Refusal."""
        line = line.translate(TYPOGRAPHIC)
        first, *rest = line.upper().split() or [""]
        goes_on = rest == ["TO", "MOVE"] and first[0] != ";"
        if self.partial.has_sides and first and not goes_on:
            self._end()
        if line.startswith(";"):
            self.comments.append(line[1:].strip())
        elif not first:
            pass
        elif self.partial.sides or placing.SIDE.match(line.upper()):
            self.partial = self.partial.with_line(line.upper())
        elif first not in WORDS:
            raise Refusal(f"{sanitized(line.strip())} IS NOT A LINE OF A POSITION.")
        elif not self.entries:
            raise Refusal("A POSITION MUST COME FIRST.")
        elif self.comments:
            raise Refusal("A COMMENT BELONGS BEFORE ITS POSITION.")
        else:
            text = line.upper().partition(first)[2].strip()
            self.entries[-1] = _with_line(self.entries[-1], first, text)

    def _end(self) -> None:
        """Add the position to those found; A moves unless a line says otherwise."""
        entry = Entry(self.partial.position(), tuple(self.comments), file=self.name)
        self.entries.append(entry._replace(number=len(self.entries) + 1))
        self.comments, self.partial = [], PartialPosition()


def _with_line(entry: Entry, word: str, text: str) -> Entry:
    """Return the entry with what a line of an exercise adds.  Raises Refusal."""
    if word == "THEME":
        return entry._replace(theme=(*entry.theme, text))
    if word == "SOLUTION":
        return entry._replace(solution=(*entry.solution, text))
    if word == "SOLVED":
        return entry._replace(solved=True)
    position = entry.position
    if word == "RIGHT":
        # Without a turn, the word itself is refused as one.
        course, typed = Course(position), text.split() or [word]
        turns = [course.after_written(turn).whole().pits for turn in typed]
        for turn in turns:
            if turn in entry.wrong:
                raise Refusal(NOT_WRONG.format(format_turn(turn)))
        return entry._replace(right=tuple(dict.fromkeys((*entry.right, *turns))))
    if not entry.right:
        raise Refusal("A LINE RIGHT MUST COME FIRST.")
    best, finding = word == "BEST", _parse_finding(text, position)
    if not finding:
        if best or not re.match("[^0-9]*[C-Z]", text):
            raise Refusal(f"WRITE STONES AND TURNS LIKE {word} 6 A 3,6 B 4.")
        return entry._replace(wrong_words=(*entry.wrong_words, text))
    turn = Course(position, finding.variation).turns[0].pits
    named = format_turn(turn)
    if best and turn not in entry.right:
        raise Refusal(f"{named} IS NOT ONE OF THE RIGHT TURNS.")
    if not best and turn in entry.right:
        raise Refusal(NOT_WRONG.format(named))
    if turn in entry.findings:
        raise Refusal(f"{named} IS JUDGED TWICE.")
    if best and entry.best:
        raise Refusal("THERE IS A LINE BEST ALREADY.")
    new = entry._replace(findings={**entry.findings, turn: finding})
    if best:
        new = new._replace(right=tuple(dict.fromkeys((turn, *entry.right))))
    for wrong, finding in new.wrong.items():
        if new.best and finding.value.low >= new.best.value.high:
            raise Refusal(NOT_WRONG.format(format_turn(wrong)))
    return new


def _parse_finding(text: str, position: Position) -> Finding | None:
    """Return a value and its variation, None if the text is words.  Raises Refusal."""
    match = FINDING.fullmatch(text)
    if not match:
        return None
    exact, about, error, variation = match.groups()
    course = Course(position).after_written(variation.strip(), several=True).whole()
    likely = int(exact or about)
    if abs(likely) > MOST_STONES:
        raise Refusal(TOO_MANY)
    estimate = bounded(estimate=likely, error=int(error or 0) or FAR)
    return Finding(estimate if about else exactly(likely), course.pits)
