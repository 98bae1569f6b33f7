"""The seal: the first line of every file that the program writes for itself.

    SOLVED AT THE FIRST TRY: 2 LINES, CHECK 23406206737
    LEARN 1 2 3
    STUDY 1 7

It says what the file is, how many lines follow, and their checksum in octal: a CRC-32,
which detects every change of a single byte.  A file that was changed or cut short
could otherwise pass for another, and the next write would make that permanent.
"""

from __future__ import annotations

import re
import zlib

from sail.refusal import Refusal
from sail.typed import plural

KALAH_OUT = "KALAH.OUT"
KALAH_TMP = "KALAH.TMP"  # the game in progress, or else the last one
KALAH_TAL = "KALAH.TAL"
MISTAK_POS = "MISTAK.POS"  # the user's own
ATLAS_TAP = "ATLAS.TAP"
VALUES_TXT = "VALUES.TXT"
TITLES = {  # of the sealed files
    KALAH_OUT: "SAVED GAMES",
    KALAH_TMP: "LATEST GAME",
    KALAH_TAL: "SOLVED AT THE FIRST TRY",
    MISTAK_POS: "YOUR MISTAKES",
    ATLAS_TAP: "3-STONE KALAH, WHAT ATLAS KNOWS",
    VALUES_TXT: "PROVED VALUES OF OPENINGS",
}
SEAL = re.compile("[^:\n]*: ([0-9]{1,9}) LINES?, CHECK [0-7]{11}\n")
DAMAGED = "{} IS DAMAGED: {}.  SEE HELP KALAH FILES."
WRONG = "LINE {} IS WRONG"
CUT_SHORT = "IT ENDS AFTER LINE {}"


class Damaged(Refusal):
    """A file is not as the program wrote it; the message names the line, if known."""

    def __init__(self, name: str, line: int, problem: str = WRONG) -> None:
        super().__init__(DAMAGED.format(name, problem.format(line)))


class BadLine(Refusal):
    """A line of a file that cannot be read; the message names both."""

    def __init__(self, name: str, line: int, problem: object) -> None:
        super().__init__(f"{name} LINE {line}: {problem}")
        self.line = line  # counted from 1


def sealed(name: str, text: str) -> str:
    """Return the text of a file under its seal, in place of the one it has, if any.

    The text of a file that has no title is returned unchanged.
    """
    if name not in TITLES:
        return text
    lines = text[body_start(text) :]
    count, check = lines.count("\n"), zlib.crc32(lines.encode())
    return f"{TITLES[name]}: {count} LINE{plural(count)}, CHECK {check:011o}\n{lines}"


def verified(name: str, text: str) -> str:
    """Return the text of a file.  Raises Damaged if it is not under its seal."""
    if text == sealed(name, text):
        return text
    seal, count = SEAL.match(text), text.count("\n")
    if not text:
        raise Damaged(name, 0, "IT IS EMPTY")
    if not seal or not text.startswith(f"{TITLES[name]}:"):
        raise Damaged(name, 1)
    problem = CUT_SHORT if count <= int(seal[1]) else "A LINE WAS CHANGED"
    raise Damaged(name, count, problem)


def body_start(text: str) -> int:
    """Return the place of the first line after the seal, 0 if there is no seal."""
    seal = SEAL.match(text)
    return seal.end() if seal else 0


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """Return the lines after the seal, if there is one, with their numbers on file."""
    start = body_start(text)
    lines = text[start:].removesuffix("\n")
    return [*enumerate(lines.split("\n"), 2 if start else 1)] if lines else []
