"""The machines as data: line, character set, habits (source key TTY)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sail.line.codes import MODEL_33, MODEL_37, Baudot, Code, Glass


class Model(NamedTuple):
    """A make of teletype.

    baud, data_bits, parity (N or E) and stop_bits are those of its line.
    width: columns.  fill: characters that pass while the carriage returns.
    echo: the computer prints what is typed (full duplex); without it the
    machine does.  full: lower case too.  tabs: it has tabulator stops.
    bell_stops: its bell key counts as ^C, for want of a control key.
    """

    name: str
    baud: float
    data_bits: int
    parity: str
    stop_bits: float
    code: Callable[[], Code]
    width: int = 72
    fill: int = 2
    echo: bool = True
    full: bool = False
    tabs: bool = False
    bell_stops: bool = False

    @property
    def frame(self) -> float:
        """The bits of a character on the line, start and stop included."""
        return 1 + self.data_bits + (self.parity != "N") + self.stop_bits


def capitals() -> Code:
    """A character set of the Models 33 and 35."""
    return Code(MODEL_33)


def both_cases() -> Code:
    """A character set of the Model 37."""
    return Code(MODEL_37)


GLASS = Model("glass", 9600, 8, "N", 1, Glass, fill=0, full=True)

# A five-level machine sits in a loop of current with its own keyboard, so
# it prints what is typed by itself.
MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        Model("33", 110, 8, "N", 2, capitals),
        Model("35", 110, 8, "N", 2, capitals),
        Model("37", 150, 7, "E", 1, both_cases, full=True),
        Model("15", 45.45, 5, "N", 1.5, Baudot, echo=False, bell_stops=True),
        Model("28", 45.45, 5, "N", 1.5, Baudot, echo=False, bell_stops=True),
        GLASS,
    )
}
