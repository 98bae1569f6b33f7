"""What a search may use: time, depth, effort, endgame databases."""

from __future__ import annotations

from typing import Callable, NamedTuple

Clock = Callable[[], float]  # returns seconds


class Limit(NamedTuple):
    """The limits of a search; it ends at the first one reached, or at a proof.

    depth: plies, at least 1.  effort: positions whose moves are generated.  endgames:
    the most stones in play of an endgame database; 14 take about 1.5 s to build.
    """

    seconds: float | None = None
    depth: int | None = None
    effort: int | None = None
    endgames: int = 0
