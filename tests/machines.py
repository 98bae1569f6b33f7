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
from collections.abc import Callable
from functools import partial
from typing import Any, final

RETURN = 0.25  # seconds that a carriage takes to return from its last column
TAB, LONG_TAB = 8, 5  # columns; a longer tab takes time
XON, XOFF = 0x11, 0x13
ASCII = "".join(map(chr, range(0x80)))
FILLERS, ALTMODES = "\0\x7f", "}~"
LACKS = "\5"  # in a table, what has no type


class Machine:
    """A printer and a keyboard, of seven bits and even parity.

    A trait of its class may be another in one machine.

    faults: what a person would complain of.
    bells: how often the bell rang.
    sent: the bytes that it has sent by itself, for the line to take.
    """

    table = ASCII  # its characters by code
    obeys = "\r\n\a"  # the control characters that it obeys
    columns = 72
    rate = 10.0  # characters a second
    carriage: float  # the characters that it takes to return from the last column
    buffered = False  # whether a buffer hides that
    local = False  # whether it prints its own keyboard
    loop = False  # whether what it receives comes back to the sender, as in one loop
    feeds = False  # whether a carriage return also feeds a line

    def __init__(self, **traits: Any) -> None:
        vars(self).update(traits)
        if "carriage" not in traits:
            self.carriage = 0.0 if self.buffered else RETURN * self.rate
        self.faults: list[str] = []
        self.bells = 0
        self.sent = bytearray()
        self._sheet: list[list[str]] = [[]]  # what each column was struck with
        self._column = 0
        self._returning = 0.0  # characters until the carriage is at the left
        self._tabbing = 0.0  # characters until it is at a tab stop

    @property
    def keys(self) -> set[str]:
        """The characters that it types and prints, but the space and altmodes."""
        return set(self.table) - {*ASCII[:0x21], *FILLERS, *ALTMODES}

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
        if self.loop:
            self.sent += data

    def press(self, text: str) -> bytes:
        """Press the keys for a text; return what the keyboard sends."""
        sent = b""
        for char in text:
            codes = self._keyed(char)
            sent += codes
            if self.local or self.loop:
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
        self._print(self.table[code & 0x7F])

    def _keyed(self, char: str) -> bytes:
        """Return what the key for a character sends."""
        code = self.table.index(char)
        return bytes([code | 0x80 * (bin(code).count("1") % 2)])

    def _print(self, char: str) -> None:
        """Print a character, or obey it."""
        if char in FILLERS:
            return
        if char < " " and char not in self.obeys:
            self.faults.append(f"received {ord(char):02X}")
        elif char == "\r":
            self._returning += self.carriage * self._column / self.columns
            self._column = 0
            if self.feeds:
                self._feed()
        elif char == "\n":
            self._feed()
        elif char == "\a":
            self.bells += 1
        elif char == "\t":
            self._tab()
        elif char >= " ":
            self._strike(char)

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
        if columns >= LONG_TAB and self.carriage:
            self._tabbing = columns / 60 * self.rate
        self._column = min(self._column + columns, self.columns - 1)

    def _feed(self) -> None:
        self._sheet.append([])


@final
class Model33(Machine):
    """A Model 33: capitals, 72 columns.

    ENQ, which starts the answerback drum, and DC1, which starts the tape reader,
    are faults like all that does nothing.
    """

    table = ASCII[:0x5E] + "↑←" + LACKS * 31 + "\x7f"
    tabs = False  # whether it has tab stops, as a 35 may

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.obeys += "\t" * self.tabs + "\3" * self.loop  # its own ^C comes back


LETTERS_KEY, FIGURES_KEY, SPACE = 0x1F, 0x1B, 0x04
# The codes 00 to 1F in numerical order, the first unit being the lowest bit.
# NUL stands for the blank and the shifts.
LETTERS = "\0E\nA SIU\rDRJNFCKTZLWHYPQOBG\0MXV\0"
US_FIGURES = "\x003\n- \a87\r$4',!:(5\")2#6019?&\0./;\0"
ITA2_FIGURES = "\x003\n- '87\r\x054\a,\x05:(5+)2\x056019?\x05\0./=\0"


@final
class FiveLevel(Machine):
    """A Model 15 or 28, or a T100 with ITA2: five units, two cases."""

    rate = 45.45 / 7.5
    local = True
    figures = US_FIGURES
    unshifts = True  # whether a space brings the letters back

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.table = LETTERS + self.figures
        self._cases = (LETTERS, self.figures)
        self._shifted = False

    def _take(self, code: int) -> None:
        if code > 0x1F:
            self.faults.append(f"received {code:02X}, more than five units")
            return
        self._print(self._cases[self._shifted][code])
        if code in (LETTERS_KEY, FIGURES_KEY):
            self._shifted = code == FIGURES_KEY
        if code == SPACE and self.unshifts:
            self._shifted = False

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


@final
class LA36(Machine):
    """A DECwriter: both cases, 132 columns, tab stops, a buffer."""

    obeys = "\r\n\a\t"
    columns, rate = 132, 30.0
    buffered = True


BUFFER, FULL, ROOM = 64, 32, 16  # characters: of a VT100, where XOFF and XON go out
SCROLL = 160  # characters at 9600 baud while one line is scrolled smoothly


@final
class VT100(Machine):
    """A screen: a buffer, and XOFF when it is half full; no parity."""

    obeys = "\r\n\a\t\b"
    columns, rate = 80, 960.0
    buffered = True

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self._buffer: deque[int] = deque()
        self._scrolling = 0.0
        self._held = False  # whether XOFF was sent last

    def _take(self, code: int) -> None:
        self._buffer.append(code)
        if len(self._buffer) > BUFFER:
            self.faults.append("the buffer is full")
        if len(self._buffer) >= FULL and not self._held:
            self._held = True
            self.sent.append(XOFF)

    def wait(self, characters: float) -> None:
        while self._buffer and characters >= self._scrolling:
            characters -= self._scrolling
            self._scrolling = 0.5
            super()._take(self._buffer.popleft())
        self._scrolling = max(0.0, self._scrolling - characters)
        if self._held and len(self._buffer) <= ROOM:
            self._held = False
            self.sent.append(XON)

    def _feed(self) -> None:
        super()._feed()
        self._scrolling = SCROLL

    def _print(self, char: str) -> None:
        super()._print(char)
        if char == "\b":
            self._column = max(0, self._column - 1)
            del self._sheet[-1][self._column :]  # the space or character that follows

    def _keyed(self, char: str) -> bytes:
        return char.encode("ascii")


MACHINES: dict[str, Callable[..., Machine]] = {  # by the name of the model
    "33": Model33,
    "LA36": LA36,
    "15": FiveLevel,
    "28": partial(FiveLevel, unshifts=False),
    "T100": partial(
        FiveLevel, figures=ITA2_FIGURES, unshifts=False, columns=69, rate=50 / 7.5
    ),
    "glass": VT100,
    "VT52": VT100,
}
