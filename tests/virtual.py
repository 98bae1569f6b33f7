"""Virtual teletypes: lines for tests that want no device and no time."""

from __future__ import annotations

from sail.models import GLASS, Model
from sail.ports import Hangup, Port
from sail.teletype import Teletype


class Script(Port):
    """Input that is no terminal: all there from the start, then its end."""

    live = False
    newline = "\n"

    def __init__(self, typed: str) -> None:
        self._typed = typed.encode()
        self.printed = b""

    def read(self, timeout: float) -> bytes:
        typed, self._typed = self._typed, b""
        if not typed:
            raise EOFError
        return typed

    def write(self, data: bytes) -> int:
        self.printed += data
        return len(data)

    @property
    def paper(self) -> str:
        return self.printed.decode()


class Wire(Port):
    """A line in a time of its own, which passes only while it is waited for.

    `plan` holds what happens when: bytes typed, or Hangup.  A hundred
    seconds later the teletype is told to leave, so that no test waits.
    printed holds (seconds, bytes) as they were written.
    """

    def __init__(self, plan: list[tuple[float, bytes | type[Hangup]]]) -> None:
        self.plan = plan
        self.end = 100 + (plan[-1][0] if plan else 0)
        self.seconds = 0.0
        self.printed: list[tuple[float, bytes]] = []
        self.absent = 0  # times that reopening fails
        self.reopened = 0
        self.tty: Teletype | None = None

    def clock(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds

    def read(self, timeout: float) -> bytes:
        if not self.plan:
            self.seconds += timeout
            if self.tty and self.seconds > self.end:
                self.tty.leaving = True
            return b""
        when, what = self.plan[0]
        if when > self.seconds + timeout:
            self.seconds += timeout
            return b""
        self.seconds = max(self.seconds, when)
        self.plan.pop(0)
        if isinstance(what, bytes):
            return what
        raise Hangup

    def write(self, data: bytes) -> int:
        self.printed.append((self.seconds, data))
        return len(data)

    def reopen(self) -> None:
        if self.absent:
            self.absent -= 1
            raise Hangup
        self.reopened += 1

    @property
    def paper(self) -> str:
        return b"".join(data for _, data in self.printed).decode()


def wired(
    plan: list[tuple[float, bytes | type[Hangup]]],
    model: Model = GLASS,
    baud: float | None = None,
) -> tuple[Teletype, Wire]:
    """A teletype on such a line, and the line."""
    wire = Wire(plan)
    tty = Teletype(wire, model, baud, clock=wire.clock, sleep=wire.sleep)
    wire.tty = tty
    return tty, wire
