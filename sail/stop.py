"""Stopping long work: the `Stop` callback and `Stopped`."""

from __future__ import annotations

from mmap import mmap
from typing import Callable

# A callback that long work calls often; it returns True once the work must end.
Stop = Callable[[], bool]

SPARE = 16 << 20  # bytes, enough to end long work properly


class Stopped(Exception):
    """A ^C or a limit stopped the work."""


def never() -> bool:
    """Return False.  This is the Stop of work that always runs to its end."""
    return False


def check_memory() -> None:
    """Raise MemoryError if SPARE more bytes cannot be had.

    Python may crash when memory runs out, so long work ends before that.  Mapping
    the bytes takes almost no time.  It fails only where the memory of the process is
    limited, as by `ulimit -v`, or where the system does not overcommit memory.
    """
    try:
        mmap(-1, SPARE).close()
    except OSError:
        raise MemoryError from None
