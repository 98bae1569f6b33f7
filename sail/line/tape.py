"""Paper tape: texts as the frames of an eight-level tape, and back (TTY).

A tape holds a blank leader, the lines of the text with CR LF after each, ^Z,
and a blank trailer.  Whoever reads a tape by hand may end it with ^Z from the
keyboard.
"""

from __future__ import annotations

from collections.abc import Iterable

from sail.refusal import Refusal

READER_ON, PUNCH_ON, READER_OFF, PUNCH_OFF = b"\x11", b"\x12", b"\x13", b"\x14"

LEADER = 60  # blank frames: six inches
TRAILER = 32  # blank or rubbed out in a row: the text has ended
FILL = 2  # blank frames after each line, for a printer that follows
CONTROL_Z = 0x1A
BLANKS = (0x00, 0x7F)
MOST = 16 << 20  # characters, as many as a text on file may have


ENDLESS = "THE TAPE HAS NO END: NOTHING IS KEPT."


class NoTape(Refusal, ValueError):
    """A text cannot be punched, or a tape cannot be read."""


def frames(text: str, name: str) -> bytes:
    """Return the tape of a text, with leader and trailer.

    Raises NoTape, with the name of the file, unless the text is ASCII
    without control characters other than tabs.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if not all(" " <= char <= "~" or char == "\t" for char in line):
            raise NoTape(f"{name} LINE {number} HAS WHAT NO TAPE HAS.")
    lines = text.replace("\n", "\r\n" + "\0" * FILL).encode()
    blank = bytes(LEADER)
    return blank + lines + bytes([CONTROL_Z]) + blank


def read(frames: Iterable[int]) -> str:
    """Return the text of a tape, with a line feed after each line.

    The tape ends with ^Z, or with enough of a trailer.  CR, LF and CR LF each
    end a line.  Blank and rubbed-out frames and the eighth level do not count.
    Raises NoTape if there is no end.
    """
    text = bytearray()
    blank = 0  # frames in a row
    for frame in frames:
        code = frame & 0x7F
        blank = blank + 1 if code in BLANKS else 0
        if code == CONTROL_Z or (text and blank >= TRAILER):
            break
        if not blank:
            text.append(code)
        if len(text) > MOST:
            raise NoTape(ENDLESS)
    return text.decode("ascii").replace("\r\n", "\n").replace("\r", "\n")
