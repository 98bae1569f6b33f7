"""The programs by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from sail.files.area import Area
from sail.teletype import Teletype

# Each name in lower case is a folder; the function `run` in its dialogue.py runs it.
PROGRAMS = ("KALAH", "ATLAS", "RUSSEL", "SILVER", "SOLVE")


def load(name: str) -> Callable[[Teletype, Area], None]:
    """Return the function that runs a program."""
    run: Callable[[Teletype, Area], None]
    run = import_module(f"sail.programs.{name.lower()}.dialogue").run
    return run
