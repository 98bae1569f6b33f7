"""Emulated teletypes and a screen: what their paper shows, what their keys send.

They are written from public tables and owners' notes, not from sail/line, so
that an error there is found here and not repeated.  A machine takes bytes with
`receive` and gives bytes with `press`.  Whatever a person would complain of is
noted in `faults`: a character struck while the carriage returns, one struck over
another, one that the machine lacks.
"""

from __future__ import annotations

import math
from collections import deque
from typing import final

RETURN = 0.25  # seconds that a carriage takes to return from its last column
TAB, LONG_TAB = 8, 5  # columns; a longer tab takes time

NUL, CONTROL_C, BEL, BS, HT, LF, CR = 0, 3, 7, 8, 9, 10, 13
XON, XOFF, DEL = 0x11, 0x13, 0x7F


class Machine:
    """A printer and a keyboard.

    columns, rate: of the paper, and characters a second.
    carriage: the characters that it takes to return from the last column.
    local: whether it prints its own keyboard.
    loop: whether what it receives comes back to the sender, as in one loop.
    feeds: whether a carriage return also feeds a line.
    keys: the characters that it types and prints, but the space and altmodes.
    faults: what a person would complain of.
    bells: how often the bell rang.
    sent: the bytes that it has sent by itself, for the line to take.
    """

    def __init__(
        self,
        columns: int,
        rate: float,
        local: bool = False,
        loop: bool = False,
        feeds: bool = False,
    ) -> None:
        self.keys = ""
        self.columns = columns
        self.rate = rate
        self.carriage = RETURN * rate
        self.local = local or loop
        self.faults: list[str] = []
        self.bells = 0
        self.sent = bytearray()
        self._loop = loop
        self.feeds = feeds
        self._sheet: list[list[str]] = [[]]  # what each column was struck with
        self._column = 0
        self._returning = 0.0  # characters until the carriage is at the left
        self._tabbing = 0.0  # characters until it is at a tab stop

    @property
    def paper(self) -> list[str]:
        """The lines on the paper; a blot is a column that was struck twice."""
        return [
            "".join(cell if len(cell) == 1 else "█" for cell in line).rstrip()
            for line in self._sheet
        ]

    @property
    def rows(self) -> int:
        """The number of lines on the paper."""
        return len(self._sheet)

    @property
    def line(self) -> str:
        """What stands to the left of the carriage."""
        return "".join(self._sheet[-1][: self._column])

    def receive(self, data: bytes) -> None:
        """Take what comes over the line."""
        for code in data:
            self.wait(1)
            self._take(code)
        if self._loop:
            self.sent += data

    def press(self, text: str) -> bytes:
        """Press the keys for a text; return what the keyboard sends."""
        sent = b""
        for char in text:
            codes = self._keyed(char)
            sent += codes
            if self.local:
                self._returning = 0.0  # a person waits for the carriage
                for code in codes:
                    self._take(code)
        return sent

    def wait(self, characters: float) -> None:
        """Let the time of so many characters pass."""
        self._returning = max(0.0, self._returning - characters)
        self._tabbing = max(0.0, self._tabbing - characters)

    def _take(self, code: int) -> None:
        """Do what a code means."""
        raise NotImplementedError

    def _keyed(self, char: str) -> bytes:
        """Return what the key for a character sends."""
        raise NotImplementedError

    def _strike(self, char: str) -> None:
        """Print a character, in flight wherever the carriage is."""
        column = min(self._column, self.columns - 1)  # the carriage goes no further
        if self._returning:
            column = math.ceil(self._returning / self.carriage * self.columns) - 1
        at = f"line {len(self._sheet)} column {column + 1}"
        if self._returning or self._tabbing:
            self.faults.append(f"{char!r} struck in flight, {at}")
        line = self._sheet[-1]
        line += " " * (column + 1 - len(line))
        under = line[column]
        if char != " " and under != " ":
            self.faults.append(f"{char!r} struck over {under!r}, {at}")
        line[column] = under.strip(" ") + char.strip(" ") or " "
        if not self._returning:
            self._column = column + 1

    def _tab(self) -> None:
        """Run to the next tab stop, 60 columns a second if it is not near."""
        if self._returning or self._tabbing:
            self.faults.append(f"tab in flight, line {len(self._sheet)}")
        columns = TAB - self._column % TAB
        if columns >= LONG_TAB:
            self._tabbing = columns / 60 * self.rate
        self._column = min(self._column + columns, self.columns - 1)

    def _return(self) -> None:
        self._returning += self.carriage * self._column / self.columns
        self._column = 0
        if self.feeds:
            self._feed()

    def _feed(self) -> None:
        self._sheet.append([])


@final
class Model33(Machine):
    """A Model 33: seven bits and parity, capitals, 72 columns.

    tabs: whether it has tab stops, as a 35 may.

    ENQ, which starts the answerback drum, and DC1, which starts the tape reader,
    are faults like all that does nothing.
    """

    def __init__(
        self, loop: bool = False, feeds: bool = False, tabs: bool = False
    ) -> None:
        super().__init__(72, 10, loop=loop, feeds=feeds)
        self.keys = "".join(map(chr, range(0x21, 0x5E))) + "↑←"
        self._tabs = tabs

    def _take(self, code: int) -> None:
        code &= 0x7F
        if 0x20 <= code < 0x60:
            self._strike({"^": "↑", "_": "←"}.get(chr(code), chr(code)))
        elif code == CR:
            self._return()
        elif code == LF:
            self._feed()
        elif code == BEL:
            self.bells += 1
        elif code == HT and self._tabs:
            self._tab()
        elif code not in (NUL, DEL) and not (self._loop and code == CONTROL_C):
            self.faults.append(f"received {code:02X}")

    def _keyed(self, char: str) -> bytes:
        code = ord({"↑": "^", "←": "_"}.get(char, char))
        assert code < 0x60 or code == DEL, f"no key for {char!r}"
        return bytes([code | 0x80 * (bin(code).count("1") % 2)])


LETTERS_KEY, FIGURES_KEY, SPACE = 0x1F, 0x1B, 0x04
# The codes 00 to 1F in numerical order, the first unit being the lowest bit.
# NUL stands for the blank, DEL for what has no type.
LETTERS = "\0E\nA SIU\rDRJNFCKTZLWHYPQOBG\x7fMXV\x7f"
US_FIGURES = "\x003\n- \a87\r$4',!:(5\")2#6019?&\x7f./;\x7f"
ITA2_FIGURES = "\x003\n- '87\r\x7f4\a,\x7f:(5+)2\x7f6019?\x7f\x7f./=\x7f"


@final
class FiveLevel(Machine):
    """A Model 15 or 28, or a T100 with ITA2: five units, two cases.

    unshifts: whether a space brings the letters back.
    """

    def __init__(
        self,
        figures: str = US_FIGURES,
        unshifts: bool = True,
        columns: int = 72,
        baud: float = 45.45,
        loop: bool = False,
        feeds: bool = False,
    ) -> None:
        super().__init__(columns, baud / 7.5, local=True, loop=loop, feeds=feeds)
        self.keys = "".join(char for char in LETTERS + figures if "!" <= char < "\x7f")
        self._cases = (LETTERS, figures)
        self._unshifts = unshifts
        self._shifted = False

    def _take(self, code: int) -> None:
        if code > 0x1F:
            self.faults.append(f"received {code:02X}, more than five units")
        elif code in (LETTERS_KEY, FIGURES_KEY):
            self._shifted = code == FIGURES_KEY
        else:
            self._print(self._cases[self._shifted][code])
        if code == SPACE and self._unshifts:
            self._shifted = False

    def _print(self, char: str) -> None:
        if char == "\r":
            self._return()
        elif char == "\n":
            self._feed()
        elif char == "\a":
            self.bells += 1
        elif char == chr(DEL):
            self.faults.append("received a figure that it lacks")
        elif char != "\0":
            self._strike(char)

    def _keyed(self, char: str) -> bytes:
        """Return the code, after that of the other case where it is needed.

        A person sees the case on the paper.
        """
        case = self._shifted
        if char not in self._cases[case]:
            case = not case
        code = self._cases[case].index(char)
        if case == self._shifted:
            return bytes([code])
        return bytes([FIGURES_KEY if case else LETTERS_KEY, code])


BUFFER, FULL, ROOM = 64, 32, 16  # characters: of a VT100, where XOFF and XON go out
SCROLL = 160  # characters at 9600 baud while one line is scrolled smoothly


@final
class LA36(Machine):
    """A DECwriter: both cases, 132 columns, tab stops; its buffer hides the carriage."""

    def __init__(self) -> None:
        super().__init__(132, 30)
        self.keys = "".join(map(chr, range(0x21, 0x7F)))

    def _take(self, code: int) -> None:
        code &= 0x7F
        self._returning = self._tabbing = 0.0
        if 0x20 <= code < DEL:
            self._strike(chr(code))
        elif code == CR:
            self._return()
        elif code == LF:
            self._feed()
        elif code == HT:
            self._tab()
        elif code not in (NUL, DEL):
            self.faults.append(f"received {code:02X}")

    def _keyed(self, char: str) -> bytes:
        return bytes([ord(char) | 0x80 * (bin(ord(char)).count("1") % 2)])


@final
class VT100(Machine):
    """A screen: seven bits, a buffer, XOFF when it is half full."""

    def __init__(self, baud: float = 9600) -> None:
        super().__init__(80, baud / 10)
        self.keys = "".join(map(chr, range(0x21, 0x7D)))
        self._buffer: deque[int] = deque()
        self._scrolling = 0.0
        self._held = False  # whether XOFF was sent last

    def _take(self, code: int) -> None:
        self._buffer.append(code & 0x7F)
        if len(self._buffer) > BUFFER:
            self.faults.append("the buffer is full")
        if len(self._buffer) >= FULL and not self._held:
            self._held = True
            self.sent.append(XOFF)

    def wait(self, characters: float) -> None:
        while self._buffer and characters >= self._scrolling:
            characters -= self._scrolling
            self._scrolling = 0.0
            self._draw(self._buffer.popleft())
        self._scrolling = max(0.0, self._scrolling - characters)
        if self._held and len(self._buffer) <= ROOM:
            self._held = False
            self.sent.append(XON)

    def _draw(self, code: int) -> None:
        self._scrolling = 0.5
        if 0x20 <= code < DEL:
            self._strike(chr(code))
        elif code == CR:
            self._column = 0
        elif code == LF:
            self._feed()
            self._scrolling = SCROLL
        elif code == BS:
            self._column = max(0, self._column - 1)
            del self._sheet[-1][self._column :]  # the space or character that follows
        elif code == HT:
            self._tab()
            self._tabbing = 0.0
        elif code == BEL:
            self.bells += 1
        elif code not in (NUL, DEL):
            self.faults.append(f"received {code:02X}")

    def _keyed(self, char: str) -> bytes:
        return char.encode("ascii")
