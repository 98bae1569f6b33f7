"""The models of teletype as data: line, character set, settings (source: TTY)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from sail.line.codes import ASCII, ITA2_FIGURES, MODEL_33, Baudot, Code, Utf8
from sail.settings import Settings


class Framing(NamedTuple):
    """A character on the line, in pyserial's words: data bits, parity, stop bits."""

    bytesize: int
    parity: str  # N, E, O, M or S
    stopbits: float

    @property
    def length(self) -> float:
        """The number of bits in a character, including start and stop bits."""
        return 1 + self.bytesize + (self.parity != "N") + self.stopbits


class Model(NamedTuple):
    """A model of teletype: its usual line, its character set, its factory settings."""

    baud: float  # 0: output is not paced
    framing: Framing
    new_code: Callable[[], Code]
    settings: Settings = Settings()
    screen: bool = False  # it erases on rubout; its arrow keys send escape sequences
    vt52: bool = False  # its escape sequences are a VT52's


EIGHT = Framing(8, "N", 1)
SEVEN_EVEN = Framing(7, "E", 1)
FIVE = Framing(5, "N", 1.5)

CAPITALS = partial(Code, MODEL_33)
BOTH_CASES = partial(Code, ASCII)

SCREEN = Settings(fill=0, full=True, tape=False)
WIDE = SCREEN._replace(width=132)
# A five-level machine itself prints what is typed, so it needs no echo.
HALF_DUPLEX = Settings(echo=False, tape=False)
TELEX = HALF_DUPLEX._replace(width=69, usos=False)

GLASS = Model(9600, EIGHT, BOTH_CASES, SCREEN, screen=True)
MODELS = {
    **dict.fromkeys(("33", "35"), Model(110, Framing(8, "N", 2), CAPITALS)),
    "37": Model(150, SEVEN_EVEN, BOTH_CASES, Settings(full=True)),
    "LA36": Model(300, SEVEN_EVEN, BOTH_CASES, WIDE),
    **dict.fromkeys(("15", "32", "28"), Model(45.45, FIVE, Baudot, HALF_DUPLEX)),
    "T100": Model(50, FIVE, partial(Baudot, ITA2_FIGURES), TELEX),
    "VT52": GLASS._replace(vt52=True),
    "glass": GLASS,
    "utf8": GLASS._replace(new_code=Utf8),
}
