"""What a search may use."""

from __future__ import annotations

from typing import NamedTuple


class Limit(NamedTuple):
    """Where a search ends, whichever comes first; without any, at a proof.

    endgames: with so many stones in play or fewer, values come from a
    database.  It is built once, in about 1.5 s for 14 stones; where that
    would be much of the seconds given, for four stones less.
    """

    seconds: float | None = None
    depth: int | None = None
    effort: int | None = None
    endgames: int = 0
