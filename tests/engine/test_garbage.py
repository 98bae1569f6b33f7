"""What a search leaves to the collector."""

from __future__ import annotations

import gc
import sys
import weakref

from sail.engine import garbage


class Cycle:
    """An object that only the collector frees."""

    def __init__(self) -> None:
        self.own = self


def test_what_was_there_when_a_search_ended_is_freed() -> None:
    there = weakref.ref(Cycle())
    with garbage.put_off():
        assert gc.isenabled() == (sys.implementation.name != "cpython")
    assert gc.isenabled()
    garbage.collect()
    assert there() is None
