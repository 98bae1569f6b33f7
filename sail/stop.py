"""Stopping long work: the `Stop` callback, `Stopped`, clocks and deadlines.

Long work gets a Stop and calls it often.  Once that returns True, the work ends: it
raises Stopped, by `check_stop`, or returns what it has found, as its docstring says.

    Teletype.poll   True from a ^C until the next `ask` or `pause`
    until(...)      True from the deadline on, too
    never           for work that runs to its end
"""

from __future__ import annotations

from collections.abc import Callable

from sail.refusal import Refusal

STOPPED = "STOPPED."  # what a program types after a ^C
POSITIONS_A_CHECK = 2_048  # that a search examines between two calls of its Stop
# A callback that long work calls often; it returns True once the work must end.
Stop = Callable[[], bool]
Clock = Callable[[], float]  # returns seconds


class Stopped(Refusal):
    """A ^C or a limit stopped the work."""

    def __str__(self) -> str:
        return STOPPED


def never() -> bool:
    """Return False.  This is the Stop of work that always runs to its end."""
    return False


def check_stop(stop: Stop) -> None:
    """Raise Stopped if the work must end."""
    if stop():
        raise Stopped


def until(deadline: float, clock: Clock, stop: Stop) -> Stop:
    """Return a Stop for what must end at the deadline, too."""
    return lambda: stop() or clock() >= deadline
