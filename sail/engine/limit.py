"""What a search may use."""

from __future__ import annotations

import time
from typing import Callable, NamedTuple

from sail.stop import Stop, Stopped, never

PAUSE = 2_000  # searched positions between two looks at the clock


class Limit(NamedTuple):
    """Where a search ends, whichever comes first; without any, at a proof.

    depth: plies, 2 or more.  endgames: with so many stones in play or fewer,
    values come from a database.  It is built once, in about 1.5 s for 14
    stones; where that would be much of the seconds given, for some stones
    less.
    """

    seconds: float | None = None
    depth: int | None = None
    effort: int | None = None
    endgames: int = 0


class Budget:
    """What is left to a search under its limit.

    clock: returns seconds; it is started here.  stop: asked when the clock is.
    """

    def __init__(
        self,
        limit: Limit,
        clock: Callable[[], float] = time.perf_counter,
        stop: Stop = never,
    ) -> None:
        self.limit = limit
        self.clock = clock
        self._stop = stop
        self._deadline = None if limit.seconds is None else clock() + limit.seconds

    def spent(self) -> bool:
        """Whether the time is over or the stop says so."""
        late = self._deadline is not None and self.clock() >= self._deadline
        return late or self._stop()

    def look(self, effort: int) -> int:
        """The effort at which to look again.  Raises Stopped if all is used."""
        most = self.limit.effort
        if (most is not None and effort >= most) or self.spent():
            raise Stopped
        return effort + PAUSE if most is None else min(effort + PAUSE, most)
