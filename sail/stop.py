"""Stopping long work: the `Stop` callback and `Stopped`."""

from __future__ import annotations

from mmap import mmap
from typing import Callable

# A callback that long work calls often; it returns True once the work must end.
Stop = Callable[[], bool]

SPARE = 16 << 20  # bytes, enough to end long work in order


class Stopped(Exception):
    """A ^C or a limit stopped the work."""


def never() -> bool:
    """Return False: a Stop for work that always runs to its end."""
    return False


def check_memory() -> None:
    """Raise MemoryError if SPARE more bytes cannot be had.

    Python may crash when memory runs out, so long work ends before that.  The
    check maps the bytes without touching them, which takes almost no time.  It
    helps only where the memory of the process is limited, as by `ulimit -v`: a
    system that overcommits grants the bytes even when memory is full.
    """
    try:
        mmap(-1, SPARE).close()
    except OSError:
        raise MemoryError from None
