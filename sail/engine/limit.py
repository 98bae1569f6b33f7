"""What a search may use: time, depth, effort, endgame databases."""

from __future__ import annotations

from math import inf
from typing import Callable, NamedTuple

from sail.stop import Stop, Stopped

Clock = Callable[[], float]  # returns seconds
POSITIONS_A_LOOK = 2_000  # searched positions between two looks at the clock


class Limit(NamedTuple):
    """The limits of a search; it ends at the first one reached, or at a proof.

    depth: plies, at least 1.  effort: searched positions.  endgames: the most stones
    in play of an endgame database; one for 14 takes about 1.5 s to build.
    """

    seconds: float | None = None
    depth: int | None = None
    effort: int | None = None
    endgames: int = 0


class Budget:
    """A limit whose time runs from its creation; each look at it also calls `stop`."""

    def __init__(self, limit: Limit, clock: Clock, stop: Stop) -> None:
        self.limit = limit
        self._clock = clock
        self._stop = stop
        self._deadline = inf if limit.seconds is None else clock() + limit.seconds

    def part(self, share: int) -> Budget:
        """Return a new budget of 1 / `share` of the whole time, and no other limit."""
        seconds = self.limit.seconds
        limit = Limit(seconds=seconds and seconds / share)
        return Budget(limit, self._clock, self._stop)

    @property
    def late(self) -> bool:
        """True once the time is up."""
        return self._clock() >= self._deadline

    def spent(self) -> bool:
        """Return True if the time is up or `stop` returns True."""
        return self.late or self._stop()

    def look(self, effort: int) -> int:
        """Return the effort at which to look again; raise Stopped at the limit."""
        most = self.limit.effort
        if (most is not None and effort >= most) or self.spent():
            raise Stopped
        later = effort + POSITIONS_A_LOOK
        return later if most is None else min(later, most)
