"""The seal: the last line of every file that the program writes for itself.

    SOLVED AT THE FIRST TRY
    LEARN 1 2 3
    CHECK 10010261725

It is a checksum of the lines before it, in octal: a CRC-32, which detects every
change of a single byte.  A change of these lines could otherwise pass for another
meaning, and the next write would make it permanent.
"""

from __future__ import annotations

import zlib

from sail.refusal import Refusal

DAMAGED = "{} IS DAMAGED AT LINE {}."


class Damaged(Refusal):
    """A file is not as the program wrote it; the message names a line."""

    def __init__(self, name: str, line: int) -> None:
        super().__init__(DAMAGED.format(name, line))


def sealed(lines: str) -> str:
    """Return lines, of which each ends with a line feed, and their seal."""
    return f"{lines}CHECK {zlib.crc32(lines[:-1].encode()):011o}\n"


def opened(text: str, name: str, first: int = 1) -> str:
    """Return the lines before the seal.

    first: the number of the first line in its file.  Raises Damaged if the seal
    does not fit; it names the last line, because any line may have been changed.
    """
    lines, _, _ = text.rpartition("\nCHECK ")
    lines += "\n"
    if text != sealed(lines):
        raise Damaged(name, first + text.count("\n", 0, len(text) - 1))
    return lines
