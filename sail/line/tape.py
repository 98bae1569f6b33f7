"""Paper tape: texts as the frames of a tape of eight levels, and back (TTY).

Blank leader, the lines of the text with CR LF after each, ^Z, blank trailer.
Who reads a tape by hand may end it with ^Z from the keyboard.
"""

from __future__ import annotations

from sail.refusal import Refusal

READER_ON, PUNCH_ON, READER_OFF, PUNCH_OFF = b"\x11", b"\x12", b"\x13", b"\x14"

LEADER = 60  # blank frames: six inches
TRAILER = 32  # blank or rubbed out in a row: the text has ended
FILL = 2  # blank frames after each line, for a printer that follows
CONTROL_Z = 0x1A
BLANKS = (0x00, 0x7F)


class NoTape(Refusal, ValueError):
    """Why a text cannot be punched."""


def frames(text: str, name: str) -> bytes:
    """The tape that bears a text, leader and trailer included.

    Raises NoTape, with the name of the file, unless the text is ASCII
    without control characters but for tabs.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if not all(" " <= char <= "~" or char == "\t" for char in line):
            raise NoTape(f"{name} LINE {number} HAS WHAT NO TAPE HAS.")
    lines = text.replace("\n", "\r\n" + "\0" * FILL).encode()
    blank = bytes(LEADER)
    return blank + lines + bytes([CONTROL_Z]) + blank


class Reading:
    """What has come from a tape so far.

    CR, LF and CR LF each end a line; blank and rubbed-out frames and the
    eighth level do not count.
    """

    def __init__(self) -> None:
        self._text = bytearray()
        self._blank = 0  # frames in a row

    def ends_with(self, frame: int) -> bool:
        """Whether this frame is the end: ^Z, or the last of a trailer."""
        frame &= 0x7F
        if frame in BLANKS:
            self._blank += 1
            return bool(self._text) and self._blank >= TRAILER
        self._blank = 0
        if frame == CONTROL_Z:
            return True
        self._text.append(frame)
        return False

    @property
    def text(self) -> str:
        """The text, with a line feed after each line."""
        text = self._text.decode("ascii")
        return text.replace("\r\n", "\n").replace("\r", "\n")
