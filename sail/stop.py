"""How long work is ended from the teletype."""

from __future__ import annotations

from typing import Callable

# Asked again and again by long work; True once it shall end.
Stop = Callable[[], bool]


class Stopped(Exception):
    """The work was ended with a ^C, or by a limit of its own."""


def never() -> bool:
    """The answer where nothing ends the work: False."""
    return False
