"""The programs by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module

from sail.files.area import Area
from sail.teletype import Teletype

# Each name in lower case is a folder; the function `run` in its dialogue.py runs it.
# AKC, named for the author of the manual of 1972, is KALAH without lines of ours.
PROGRAMS = ("KALAH", "AKC", "ATLAS", "RUSSEL", "SILVER", "SOLVE")


def load(name: str) -> Callable[[Teletype, Area], None]:
    """Return the function that runs a program."""
    folder = "kalah" if name == "AKC" else name.lower()
    run: Callable[..., None]
    run = import_module(f"sail.programs.{folder}.dialogue").run
    return partial(run, asides=False) if name == "AKC" else run
