"""The programs by name."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Callable, Protocol

# Each name in lower case is a folder; the class Session in its dialogue.py runs it.
# AKC, named for the author of the manual of 1972, is KALAH without lines of ours.
PROGRAMS = ("KALAH", "AKC", "ATLAS", "RUSSEL", "SILVER", "SOLVE")


class Session(Protocol):
    """One user's session with a program."""

    def run(self) -> None:
        """Run until the user leaves."""


def load(name: str) -> Callable[..., Session]:
    """Return the Session of a program, which is made with a teletype and an area."""
    folder = "kalah" if name == "AKC" else name.lower()
    session: Callable[..., Session]
    session = import_module(f"sail.programs.{folder}.dialogue").Session
    return partial(session, asides=False) if name == "AKC" else session
