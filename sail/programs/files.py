"""The files of the programs: their names, and what each must hold."""

from __future__ import annotations

from sail import special
from sail.area import Area
from sail.programs import record


def full_name(area: Area, name: str) -> str:
    """Return FIG2.POS for FIG2, if there is such a position and no file FIG2."""
    position = name + special.EXTENSION
    if "." in name or area.has(name):
        return name
    return position if position in area.within_reach() else name


def read(area: Area, name: str) -> str:
    """Return the text of a file; a position may be one of those shipped.

    Raises AreaError.
    """
    is_position = name.endswith(special.EXTENSION)
    return area.look_up(name) if is_position else area.read(name)


def check(text: str, name: str) -> None:
    """Raise a Refusal if the text is not what the name of its file promises."""
    if name.endswith(special.EXTENSION):
        special.read(text, name)
    elif name in ("KALAH.OUT", "KALAH.TMP"):
        record.read(text, name)
    elif name.endswith(".OUT"):
        record.read_typed(text, name)
