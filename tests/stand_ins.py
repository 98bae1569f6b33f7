"""Stand-ins that several tests share: papers, searches, a clock.

Ports stand in tests/line/virtual.py, machines in tests/machines.py.  A stand-in
that closes over the variables of one test stays in that test.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from sail.board import Position
from sail.engine.levels import Limit, error_of
from sail.engine.search import Search
from sail.engine.value import Finding, Value, bounded
from sail.files.area import Area
from sail.stop import Stop, never
from sail.teletype import EndOfInput
from tests.paper import Paper

SHELF = Path(__file__).parents[1] / "saves" / "shelf"
NOTHING_FILED = Area("/no/such/folder", shelf="/no/such/folder")
NOW = "06-OCT-72  14:03"  # when every game begins


def standing_still() -> float:
    """A stopped clock, so that only effort and depth limit a level's search."""
    return 0.0


class LooksAway(BaseException):
    """No keys are left, and the program waits at its question."""


class Sheet(Paper):
    """A paper; ^D ends the input, and LooksAway is raised after the last key."""

    def ask(self, prompt: str = "") -> str:
        if not self.keys:
            self.text += prompt
            raise LooksAway
        key = super().ask(prompt)
        if key == "^D":
            raise EndOfInput
        return key


class Stopping(Paper):
    """A ^C is typed as soon as any work begins."""

    def poll(self) -> bool:
        return True


class Interrupted(Paper):
    """A ^C is typed at the look number `polls`; it lasts until the next question."""

    def __init__(self, keys: list[str], polls: int) -> None:
        super().__init__(keys)
        self.polls = polls

    def ask(self, prompt: str = "") -> str:
        self.stopped = False
        return super().ask(prompt)

    def poll(self) -> bool:
        self.polls -= 1
        self.stopped |= self.polls == 0
        return self.stopped


class Paused(Paper):
    """A ^C is typed as soon as any work begins; CONTINUE lets the work go on."""

    pauses = 0

    def poll(self) -> bool:
        return not self.pauses

    def pause(self) -> None:
        self.pauses += 1


class Eventful(Paper):
    """A teletype that calls `happens` before each line is typed."""

    def __init__(self, keys: list[str], happens: Callable[[str, str], object]) -> None:
        super().__init__(keys)
        self.happens = happens  # takes the question and the answer

    def ask(self, prompt: str = "") -> str:
        self.happens(prompt, self.keys[0] if self.keys else "")
        return super().ask(prompt)


class Scripted(Search):
    """A search that plays these pits, then the lowest legal one.

    It has proved these bounds, and expects this value, with the error of a search that
    reaches the limit of effort.  One search may find several pits: "12".  asked: the seconds of each search, and whether it was
    stopped.
    """

    def __init__(
        self, *pits: int | str, low: int = -99, high: int = 99, value: int = 0
    ) -> None:
        self.pits = list(pits)
        self.low, self.high, self.value = low, high, value
        self.asked: list[tuple[float | None, bool]] = []

    def find(
        self,
        position: Position,
        limit: Limit,
        clock: Callable[[], float] = standing_still,
        stop: Stop = never,
        lot: str = "",
    ) -> Finding:
        self.asked.append((limit.seconds, stop()))
        line = str(self.pits.pop(0) if self.pits else position.legal[0])
        pits, error = tuple(map(int, line)), error_of(limit.effort, position.in_play)
        return Finding(Value(self.low, self.high, self.value, error), pits)


def session_of(run: Callable[..., object]) -> Callable[..., Any]:
    """Return the Session of a program that is this function."""
    return lambda *given, **named: SimpleNamespace(run=lambda: run(*given, **named))


class Guessing:
    """A search that finds what it is given, in turn, and notes its limits.

    To a limited depth it finds the lowest legal pit.
    """

    def __init__(self, *found: Finding) -> None:
        self.found = list(found)
        self.limits: list[tuple[Limit, bool]] = []  # and whether it can be stopped

    def find(
        self,
        at: Position,
        limit: Limit,
        clock: object,
        stop: Callable[[], bool] = never,
    ) -> Finding:
        if limit.depth:
            return found(0, -99, 99, at.legal[0])
        self.limits.append((limit, stop is not never))
        return self.found.pop(0)


def found(value: int, low: int, high: int, *line: int) -> Finding:
    """Return what `Guessing` finds: a value, its bounds and the principal variation."""
    return Finding(bounded(low, high, value, 6), line)
