"""KALAH.TAL: the exercises that were solved at the first try.

    SOLVED AT THE FIRST TRY: 2 LINES, CHECK 23406206737
    LEARN 1 2 3
    STUDY 1 7

Each line is the stem of a position file, its name without .POS, and the numbers of its
positions; long lists take several lines.  The first line is the seal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import wrap

from sail.files import positions, seal
from sail.files.area import Area
from sail.teletype import COLUMNS

TALLY = "KALAH.TAL"
MISTAKES_STEM = "MISTAK"  # numbers change there; each exercise has its own line SOLVED
MISTAKES = f"{MISTAKES_STEM}{positions.EXTENSION}"
LINE = re.compile("([A-Z0-9]{1,6})((?: [1-9][0-9]{0,4})+)")

Tally = dict[str, set[int]]  # the numbers that were solved, by the stem of the file


def solved(area: Area, stem: str, entries: Sequence[positions.Entry] = ()) -> set[int]:
    """Return the numbers of a file's exercises that were solved at the first try.

    entries: of the file, which may mark them itself.  A visitor has solved none.
    Raises Refusal if the tally cannot be read.
    """
    numbers = parse(area.read(TALLY, missing="")).get(stem, set())
    return numbers | {entry.number for entry in entries if entry.exercise.solved}


def add(area: Area, stem: str, number: int) -> None:
    """Add an exercise to those the owner solved at the first try.  Raises Refusal."""
    area.change(TALLY, lambda text: text_of(parse(f"{text}{stem} {number}\n")))


def text_of(tally: Tally) -> str:
    lines: list[str] = []
    for stem, numbers in sorted(tally.items()):
        head = f"{stem} "
        row = " ".join(map(str, sorted(numbers)))
        lines += wrap(row, COLUMNS, initial_indent=head, subsequent_indent=head)
    return "\n".join([*lines, ""])


def parse(text: str) -> Tally:
    """Return the tally of a text.  Raises Damaged."""
    tally: Tally = {}
    for number, line in seal.numbered(text):
        match = LINE.fullmatch(line)
        if not match:
            raise seal.Damaged(TALLY, number)
        tally.setdefault(match[1], set()).update(map(int, match[2].split()))
    return tally
