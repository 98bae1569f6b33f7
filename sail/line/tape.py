"""Paper tape: convert text to the frames of an eight-level tape, and back (TTY).

A tape holds a blank leader, the lines of the text with CR LF after each, ^Z,
and a blank trailer.  Whoever reads a tape by hand may end it with ^Z from the
keyboard.
"""

from __future__ import annotations

from collections.abc import Iterable

from sail.refusal import Refusal

READER_ON, PUNCH_ON, READER_OFF, PUNCH_OFF = b"\x11", b"\x12", b"\x13", b"\x14"

LEADER = 60  # blank frames: six inches
TRAILER = 32  # blank or rubbed-out frames in a row that end the text
FILL = 2  # blank frames after each line, for a printer that follows
CONTROL_Z = 0x1A
BLANKS = (0x00, 0x7F)
MOST = 16 << 20  # characters; a text file has the same limit
ENDLESS = "THE TAPE HAS NO END: NOTHING WAS KEPT."


class NoTape(Refusal, ValueError):
    """A text cannot be punched, or a tape cannot be read."""


def frames(text: str, name: str) -> bytes:
    """Return the frames for a text, with leader and trailer.

    Raises NoTape, naming the file, unless the text is ASCII with no control
    characters but tabs and line feeds.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if not all(" " <= char <= "~" or char == "\t" for char in line):
            raise NoTape(f"{name} LINE {number} HAS A CHARACTER THAT IS NOT ASCII.")
    lines = text.replace("\n", "\r\n" + "\0" * FILL).encode()
    blank = bytes(LEADER)
    return blank + lines + bytes([CONTROL_Z]) + blank


def read(frames: Iterable[int]) -> str:
    """Return the text of a tape, with a line feed after each line.

    The text ends at ^Z or at a long enough trailer.  CR, LF and CR LF each end
    a line.  Blank and rubbed-out frames and the eighth level are ignored.
    Raises NoTape if no end comes within MOST characters.
    """
    text = bytearray()
    blank = 0  # blank frames in a row so far
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
