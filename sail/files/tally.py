"""KALAH.TAL: the exercises that were solved at the first try.

    SOLVED AT THE FIRST TRY: 2 LINES, CHECK 23406206737
    LEARN 1 2 3
    STUDY 1 7

Each line is the name of a position file, without .POS, and the numbers of its
positions; long lists take several lines.  The first line is the seal.
MISTAK.POS, where the numbers change, marks its own exercises with SOLVED.
"""

from __future__ import annotations

import re
from textwrap import wrap

from sail.files import seal
from sail.files.area import Area
from sail.files.positions import POS
from sail.teletype import COLUMNS

LINE = re.compile("([A-Z0-9]{1,6})((?: [1-9][0-9]{0,4})+)")

Tally = dict[str, set[int]]  # the numbers that were solved, by file


def solved(area: Area, file: str) -> set[int]:
    """Return the numbers of a file's exercises that were solved at the first try.

    A visitor has solved none.  Raises Refusal if the tally cannot be read.
    """
    tally = parse(area.read(seal.KALAH_TAL, missing=""))
    return tally.get(file.removesuffix(POS), set())


def add(area: Area, file: str, number: int) -> None:
    """Add an exercise to those the owner solved at the first try.  Raises Refusal."""
    line = f"{file.removesuffix(POS)} {number}\n"
    area.change(seal.KALAH_TAL, lambda text: text_of(parse(text + line)))


def text_of(tally: Tally) -> str:
    lines: list[str] = []
    for file, numbers in sorted(tally.items()):
        head = f"{file} "
        words = " ".join(map(str, sorted(numbers)))
        lines += wrap(words, COLUMNS, initial_indent=head, subsequent_indent=head)
    return "\n".join([*lines, ""])


def parse(text: str) -> Tally:
    """Return the tally of a text.  Raises Damaged."""
    tally: Tally = {}
    for number, line in seal.numbered_lines(text):
        match = LINE.fullmatch(line)
        if not match:
            raise seal.Damaged(seal.KALAH_TAL, number)
        tally.setdefault(match[1], set()).update(map(int, match[2].split()))
    return tally
