"""Stopping long work: the `Stop` callback and `Stopped`."""

from __future__ import annotations

from mmap import mmap
from typing import Callable

# Long work calls it often; it returns True once the work must end.
Stop = Callable[[], bool]

SPARE = 16 << 20  # bytes


class Stopped(Exception):
    """The work was stopped by a ^C or by a limit of its own."""


def never() -> bool:
    """Return False: the Stop of work that runs to its end."""
    return False


def check_memory() -> None:
    """Raise MemoryError while there is still enough to end the work in order.

    Python crashes when memory runs out to the last byte.  The spare memory
    is asked for but not touched, which takes no time.
    """
    try:
        mmap(-1, SPARE).close()
    except OSError:
        raise MemoryError from None
