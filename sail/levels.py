"""The five levels: what each may use for a move (AKC-10300)."""

from __future__ import annotations

from typing import NamedTuple

from sail.search import Limit


class Level(NamedTuple):
    """A level: its name as it is typed, and where its search ends."""

    name: str
    limit: Limit


LEVELS = (
    Level("C", Limit(seconds=0.1, effort=2_000)),
    Level("B", Limit(seconds=0.3, effort=50_000)),
    Level("A", Limit(seconds=3.0)),
    Level("MASTER", Limit(seconds=6.0)),
    Level("TOURNAMENT", Limit(seconds=15.0)),
)
