"""KALAH.TAL: the exercises that were solved at the first try.

    SOLVED AT THE FIRST TRY, FORM 1
    LEARN 1 2 3
    STUDY 1 7

Each line is the name of a position file and the numbers of its positions; long
lists take several lines.
"""

from __future__ import annotations

import re
from textwrap import wrap

from sail.files.area import Area
from sail.refusal import Refusal
from sail.teletype import COLUMNS

TALLY = "KALAH.TAL"
HEAD = "SOLVED AT THE FIRST TRY, FORM {}"
FORM = 1  # of the file's format
HEAD_LINE = re.compile(HEAD.format("([0-9]{1,9})") + "\n")
TALLY_LINE = re.compile("([A-Z0-9]{1,6})((?: [1-9][0-9]{0,4})+)\n")
DAMAGED = "{} IS DAMAGED AT LINE {}."
OTHER_FORM = "{} IS OF FORM {}: IT IS NEITHER USED NOR CHANGED."

Tally = dict[str, set[int]]  # the numbers that were solved, by the name of the file


def solved(area: Area, name: str) -> set[int]:
    """Return the numbers of a file's exercises that were solved at the first try.

    Raises Refusal if the tally cannot be read.
    """
    return parse(area.read(TALLY)).get(name, set()) if area.has(TALLY) else set()


def add(area: Area, name: str, number: int) -> None:
    """Add an exercise to those solved at the first try.  Raises Refusal."""

    def added(text: str | None) -> str:
        tally = {} if text is None else parse(text)
        tally.setdefault(name, set()).add(number)
        return write(tally)

    area.change(TALLY, added)


def write(tally: Tally) -> str:
    """Return the text of a tally."""
    lines = [HEAD.format(FORM)]
    for name, numbers in sorted(tally.items()):
        start = f"{name} "
        listed = " ".join(map(str, sorted(numbers)))
        lines += wrap(listed, COLUMNS, initial_indent=start, subsequent_indent=start)
    return "\n".join([*lines, ""])


def parse(text: str) -> Tally:
    """Return the tally of a text.  Raises Refusal, which names a damaged line."""
    tally: Tally = {}
    for place, line in enumerate(text.splitlines(keepends=True) or [""], 1):
        head, listed = HEAD_LINE.fullmatch(line), TALLY_LINE.fullmatch(line)
        if not (listed if place > 1 else head):
            raise Refusal(DAMAGED.format(TALLY, place))
        if head and int(head[1]) != FORM:
            raise Refusal(OTHER_FORM.format(TALLY, head[1]))
        if listed:
            tally.setdefault(listed[1], set()).update(map(int, listed[2].split()))
    return tally
