"""The files that several programs use: full names, checks, saving a position."""

from __future__ import annotations

from sail import special
from sail.area import Area, AreaError
from sail.programs import record
from sail.programs.positions import position_file
from sail.refusal import Refusal
from sail.stop import Stop
from sail.teletype import Teletype

SAVE_WHERE = "TYPE SAVE AND A NAME OF AT MOST 6 LETTERS OR DIGITS."
FILE_EXISTS = "{} ALREADY EXISTS.  TYPE ANOTHER NAME."
SAVED = "THIS POSITION IS SAVED ON {}."


def full_name(area: Area, name: str) -> str:
    """Return FIG2.POS for FIG2 if only FIG2.POS exists, else the name unchanged."""
    position = name + special.EXTENSION
    if "." in name or area.has(name):
        return name
    return position if position in area.within_reach() else name


def read(area: Area, name: str) -> str:
    """Return the text of a file or a shipped position.  Raises AreaError."""
    is_position = name.endswith(special.EXTENSION)
    return area.look_up(name) if is_position else area.read(name)


def check(text: str, name: str, stop: Stop) -> None:
    """Raise a Refusal if the text is not what its name promises, or if stopped."""
    if name.endswith(special.EXTENSION):
        special.read_all(text, name)
    elif name in ("KALAH.OUT", "KALAH.TMP"):
        record.read(text, name, stop)
    elif name.endswith(".OUT"):
        record.read_typed(text, name, stop)


def save_position(
    tty: Teletype, area: Area, position: special.Special, name: str
) -> None:
    """Save a position under a new name, and type its file's name.  Raises Refusal."""
    if not name:
        raise Refusal(SAVE_WHERE)
    file = position_file(name)
    if file in area.within_reach():
        raise AreaError(FILE_EXISTS.format(file))
    area.create(file, special.write(position))
    tty.type(SAVED.format(file))
