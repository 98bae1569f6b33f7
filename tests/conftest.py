"""The options --accept and --keys, pinned numbers, a limit for each test, signals."""

from __future__ import annotations

import faulthandler
import gc
import itertools
import json
import os
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from unittest.mock import patch

import pytest

from sail.board import Rules
from sail.engine import endgame
from sail.engine.moves import MoveTable
from sail.files import disk, positions
from sail.files.area import Area
from sail.stop import Stop, Stopped, never
from tests import paper
from tests.positions import minimax

PINNED = Path(__file__).parent / "pinned.json"
MOST_SECONDS = 60  # for a test and its setup
LARGE = (4, 19), (6, 12)  # pits a side and stones of endgames that several tests need
stderr = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --accept and --keys."""
    parser.addoption(
        "--accept",
        action="store_true",
        help="rewrite the ours-* transcripts and tests/pinned.json",
    )
    parser.addoption(
        "--keys",
        nargs=2,
        metavar=("NAME", "KEYS"),
        help="with --accept, make the transcript NAME, like ours-kalah-game-short,"
        " from these keys: a file with a line for each, or 3,C,Y,36,QUIT,N",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Pass the options on; duplicate standard error before pytest captures it."""
    paper.accept = config.getoption("--accept")
    if config.getoption("--keys"):
        if not paper.accept:
            raise pytest.UsageError("--keys needs --accept")
        paper.begin(*config.getoption("--keys"))
    config.stash[stderr] = os.dup(2)


def pytest_collection_finish() -> None:
    """Spare the collector of cycles what stays to the end of the run."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """End the run if a test hangs, with a traceback that names it."""
    file = item.config.stash[stderr]
    faulthandler.dump_traceback_later(MOST_SECONDS, exit=True, file=file)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


class Pins:
    """Pinned costs and figures: the code may change them, but not unnoticed.

    A pin is a cost, of which less is better, or a list of figures.
    """

    def __init__(self) -> None:
        self._pins = json.loads(PINNED.read_text("utf-8"))

    def __call__(
        self, name: str, now: float | Sequence[float], tolerance: float = 0.0
    ) -> None:
        """Compare a result with its pin; replace the pin under --accept.

        tolerance: the change of a cost that is allowed, as a share of its pin.
        """
        __tracebackhide__ = True
        if isinstance(now, Sequence):
            now = list(now)
        if not paper.accept:
            pin = self._pins.get(name)
            what = "is another"
            if isinstance(now, (int, float)) and isinstance(pin, (int, float)):
                if abs(now - pin) <= tolerance * pin:
                    return
                what = f"is {'WORSE' if now > pin else 'better'}: {now / pin - 1:+.1%}"
            elif now == pin:
                return
            pytest.fail(
                f"{name} {what}.\nWas {pin}, is {now}.  If it is meant: pytest --accept",
                pytrace=False,
            )
        elif now != self._pins.get(name):
            self._pins[name] = now
            rows = (
                f"{json.dumps(name)}: {json.dumps(self._pins[name])}"
                for name in sorted(self._pins)
            )
            PINNED.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


@pytest.fixture(scope="session")
def pinned() -> Pins:
    """Return the function that compares a result with its pin in pinned.json."""
    return Pins()


@pytest.fixture(scope="session", autouse=True)
def signals_are_not_ignored() -> None:
    """Handle the signals that nohup and a shell's background jobs ignore.

    A process that a test starts inherits an ignored signal, not a handled one.
    """
    for name in ("SIGINT", "SIGQUIT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture(scope="session", autouse=True)
def large_endgames_are_built_once() -> Iterator[None]:
    """They take up to half a second.  The looks at `stop` are repeated."""
    made: dict[tuple[int, int, int, Rules], tuple[endgame.Database, int]] = {}
    real = endgame.build

    def build(moves: MoveTable, stones: int, stop: Stop = never) -> endgame.Database:
        kind = moves.pits_a_side, stones, moves.bits, moves.rules
        if kind[:2] not in LARGE:
            return real(moves, stones, stop)
        if kind not in made:
            looks = itertools.count()
            database = real(moves, stones, lambda: next(looks) < 0 or stop())
            made[kind] = database, next(looks)
        elif any(stop() for _ in range(made[kind][1])):
            raise Stopped
        return made[kind][0]

    with patch.object(endgame, "build", build):
        yield


@pytest.fixture(scope="session", autouse=True)
def positions_are_read_once() -> Iterator[None]:
    """STUDY.POS alone takes 50 milliseconds."""
    once = lru_cache(maxsize=9)(positions.parse)
    with patch.object(positions, "parse", lambda *names: [*once(*names)]):
        yield


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Make a folder in memory if there is one: a flush takes no time there."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.fixture
def area(tmp_path: Path) -> Area:
    """Return an empty area."""
    return Area(str(tmp_path))


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a session wait for another one for a moment only."""
    lock = disk.Lock
    monkeypatch.setattr(disk, "Lock", lambda path, wait: lock(path, min(wait, 0.02)))


@pytest.fixture
def handlers() -> Iterator[list[signal.Signals]]:
    """Return the signals that end a job; restore their handlers after the test."""
    names = "SIGTERM", "SIGINT", "SIGHUP"
    before = {it: signal.getsignal(it) for it in signal.Signals if it.name in names}
    yield [*before]
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a sleep last for a moment only: pyserial sleeps whenever it negotiates."""
    sleep = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: sleep(min(seconds, 0.005)))


@pytest.fixture(scope="module", autouse=True)
def minimax_forgets() -> Iterator[None]:
    """Free the values that the tests of a file have cached."""
    yield
    minimax.cache_clear()
