"""Python's garbage collector, put off while a search runs, and made up for."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def put_off() -> Iterator[None]:
    """Keep the collector from running meanwhile.

    A search makes millions of tuples and no cycles: CPython frees them by
    their counts, and its collector would only look through them again and
    again.  An interpreter without counts, such as PyPy, needs its collector.
    """
    collects = gc.isenabled() and sys.implementation.name == "cpython"
    if collects:
        gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.freeze()  # else the next collection looks through all that is kept
            gc.enable()


def collect() -> None:
    """Free what only cycles keep, also what was there when a search ended."""
    if sys.implementation.name == "cpython":
        gc.unfreeze()
    gc.collect()
