"""The programs by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

# Each name in lower case is a folder; the class Session in its dialogue.py runs it.
# AKC, named for the author of the manual of 1972, is KALAH without lines of ours.
PROGRAMS = ("KALAH", "AKC", "ATLAS", "RUSSEL", "SILVER", "SOLVE")


def load(name: str) -> Callable[..., Any]:
    """Return the Session of a program: load(name)(tty, area).run() runs it."""
    folder = "kalah" if name == "AKC" else name.lower()
    session = import_module(f"sail.programs.{folder}.dialogue").Session
    return partial(session, with_asides=False) if name == "AKC" else session
