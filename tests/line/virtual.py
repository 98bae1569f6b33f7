"""Lines for tests that need neither a device nor real time."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import Union

from sail.line.models import MODELS
from sail.line.ports import Hangup, Port
from sail.line.station import Station

TEXT = "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG"

Act = Union[Sequence[int], type[Exception]]  # keys and BREAKs, Hangup, or EOFError
Plan = Sequence[tuple[float, Act]]  # when, and what happens


class Script(Port):
    """Input that is all there from the start and comes in pieces, then its end.

    It is a pipe unless `live` is set.
    """

    live = False
    newline = "\n"
    at_left = True

    def __init__(self, typed: str) -> None:
        self.typed = typed.encode()
        self.printed = b""

    def read(self, timeout: float) -> bytes:
        typed, self.typed = self.typed[:4096], self.typed[4096:]
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
    """A line with a clock of its own, which moves only while the program waits.

    Once nothing has been printed for `rest` seconds, each wait for a key lasts as
    long, so that a test of a long silence is cheap.

    printed: when, in seconds, and which bytes were written.
    motors: when the motor was switched on or off.
    absent: how often reopening is still to fail.
    end: when the job must end, if the plan is done: a hundred seconds after it.
    """

    at_left = True
    rest = 1.0

    def __init__(self, plan: Plan) -> None:
        self.plan = list(plan)
        self.end = 100 + (plan[-1][0] if plan else 0)
        self.seconds = 0.0
        self.printed: list[tuple[float, bytes]] = []
        self.motors: list[tuple[float, bool]] = []
        self.absent = 0
        self.reopened = 0
        self.tty: Station | None = None

    def clock(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds
        if self.tty and not self.plan and self.seconds > self.end:
            self.tty.end_job()

    @property
    def quiet(self) -> float:
        """The seconds since something was printed."""
        return self.seconds - (self.printed[-1][0] if self.printed else 0.0)

    def rested(self, timeout: float) -> float:
        """Return how many seconds a wait for a key lasts that may last `timeout`."""
        rests = timeout > 0 and self.quiet > self.rest
        return max(timeout, self.rest) if rests else timeout

    def read(self, timeout: float) -> Sequence[int]:
        timeout = self.rested(timeout)
        if not self.plan or self.plan[0][0] > self.seconds + timeout:
            self.sleep(timeout)
            return b""
        when, what = self.plan.pop(0)
        self.seconds = max(self.seconds, when)
        if isinstance(what, type):
            raise what
        return what

    def write(self, data: bytes) -> int:
        self.printed.append((self.seconds, data))
        return len(data)

    def switch_motor(self, on: bool) -> None:
        self.motors.append((self.seconds, on))

    def reopen(self) -> None:
        if self.absent:
            self.absent -= 1
            raise Hangup
        self.reopened += 1

    def written(self, begin: float = 0.0, end: float = inf) -> bytes:
        """Return what was written between these seconds."""
        return b"".join(data for when, data in self.printed if begin <= when <= end)

    @property
    def paper(self) -> str:
        return self.written().decode()


def wired(
    plan: Plan, name: str = "", baud: float | None = None
) -> tuple[Station, Wire]:
    """Return a teletype on such a line, and the line."""
    wire = Wire(plan)
    return attached(wire, name, baud), wire


def attached(port: Port, name: str = "", baud: float | None = None) -> Station:
    """Return a teletype at the end of a virtual line, in its time.

    name: of a model, at its own rate; by default a terminal without a pace.
    baud: another rate, or 0 for no pace.
    """
    model = MODELS[name or "utf8"]
    pace = model.baud if name and baud is None else baud or 0
    tty = Station(port, model._replace(baud=pace))
    if isinstance(port, Wire):
        port.tty = tty
    return tty


class Torn(Wire):
    """A line that fails when it is to print something for the first time."""

    def __init__(
        self, plan: Plan, torn: str, error: type[Exception] | None = Hangup
    ) -> None:
        super().__init__(plan)
        self.torn, self.error = torn.encode(), error

    def write(self, data: bytes) -> int:
        if self.error and data.startswith(self.torn):
            error, self.error = self.error, None
            raise error
        return super().write(data)


def keys(typed: bytes, begin: float, gap: float = 0.3) -> Plan:
    """Plan to press these keys one by one."""
    return [(begin + gap * at, typed[at : at + 1]) for at in range(len(typed))]


def lines(*typed: str, every: float = 20) -> Plan:
    """Plan to type these lines, one after so many seconds each."""
    return [(every * n, f"{line}\r".encode()) for n, line in enumerate(typed, 1)]


def worked(tty: Station, wire: Wire, seconds: float) -> bool:
    """Work until that second; return True if the work was stopped."""
    while wire.seconds < seconds:
        wire.seconds += 0.01
        if tty.poll():
            return True
    return False


class OneLoop(Wire):
    """A line on which everything sent comes back a moment later, as if typed.

    lost: which characters do not come back, by their number.
    changed: bits that come back as 1.
    """

    late = 0.15
    changed = 0

    def __init__(self, plan: Plan, lost: Container[int] = ()) -> None:
        super().__init__(plan)
        self.lost = lost
        self.back: deque[tuple[float, int]] = deque()
        self.sent = 0

    def read(self, timeout: float) -> Sequence[int]:
        planned = self.plan[0][0] if self.plan else self.seconds + timeout
        if not self.back or self.back[0][0] > min(planned, self.seconds + timeout):
            return super().read(timeout)
        when, byte = self.back.popleft()
        self.seconds = max(self.seconds, when)
        return [byte]

    def write(self, data: bytes) -> int:
        for byte in data:
            if self.sent not in self.lost:
                self.back.append((self.seconds + self.late, byte | self.changed))
            self.sent += 1
        return super().write(data)


@contextmanager
def wired_device() -> Iterator[tuple[int, int, str]]:
    """The far end of a device, the near one, and its name."""
    import pty

    far, near = pty.openpty()
    try:
        yield far, near, os.ttyname(near)
    finally:
        os.close(far)
        os.close(near)


@contextmanager
def standard(source: int, sink: int) -> Iterator[None]:
    """Use these descriptors as standard input and output."""
    kept = os.dup(0), os.dup(1)
    try:
        os.dup2(source, 0)
        os.dup2(sink, 1)
        yield
    finally:
        for number, descriptor in enumerate(kept):
            os.dup2(descriptor, number)
            os.close(descriptor)
