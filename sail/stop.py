"""How long work is ended from the teletype."""

from __future__ import annotations

from mmap import mmap
from typing import Callable

# Asked again and again by long work; True once it shall end.
Stop = Callable[[], bool]


SPARE = 16 << 20  # bytes


class Stopped(Exception):
    """The work was ended with a ^C, or by a limit of its own."""


def never() -> bool:
    """The answer where nothing ends the work: False."""
    return False


def check_memory() -> None:
    """Raise MemoryError while enough is left to end the work in order.

    Python crashes when it runs out to the last byte.  The memory is only
    asked for, and not touched, which takes no time.
    """
    try:
        mmap(-1, SPARE).close()
    except OSError:
        raise MemoryError from None
