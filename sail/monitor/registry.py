"""The programs by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from sail.files.area import Area
from sail.teletype import Teletype

# Each name in lower case is a folder; the function `run` in its dialogue.py runs it.
PROGRAMS = {
    "KALAH": "KALAH PLAYS THE GAME OF KALAH WITH YOU, AS AT STANFORD IN 1972.",
    "ATLAS": "ATLAS LEARNS FROM THE GAMES THAT IT LOSES, LIKE BELL'S PROGRAM OF 1968.",
    "RUSSEL": "RUSSEL SHOWS HOW A MOVE IS FOUND, AS IN A.I. MEMO 22 OF 1964.",
    "SILVER": "SILVER TRIES EVERY MOVE, TO A SET DEPTH, AS ON A PDP-1.",
    "SOLVE": "SOLVE FINDS THE VALUE OF A POSITION UNDER PERFECT PLAY.",
}


def find(name: str) -> Callable[[Teletype, Area], None]:
    """Return the function that runs a program."""
    run: Callable[[Teletype, Area], None]
    run = import_module(f"sail.programs.{name.lower()}.dialogue").run
    return run
