"""What every test has: --accept, pinned numbers, a time limit, signals that work."""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import signal
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pytest

from tests import paper
from tests.positions import minimax

PINNED = Path(__file__).parent / "pinned.json"
MOST_SECONDS = 300  # that a test may take, setup included
MANY = 500  # tests that are worth a second process
stderr = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --accept."""
    parser.addoption(
        "--accept",
        action="store_true",
        help="rewrite the ours-* transcripts and tests/pinned.json",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Pass --accept on; keep standard error, which no test sees."""
    paper.accept = config.getoption("--accept")
    config.stash[stderr] = os.dup(2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that fork thousands of times.

    A fork takes several times as long once a search has filled the memory.
    """
    items.sort(key=lambda item: item.path.name != "test_faults.py")


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests in two processes if they are many and there are two cores.

    Each takes the next file of tests when it is done with one.
    """
    config = session.config
    alone = config.option.collectonly or config.option.maxfail or config.option.usepdb
    if alone or paper.accept or len(session.items) < MANY or (os.cpu_count() or 1) < 2:
        return None
    files = [list(tests) for _, tests in groupby(session.items, lambda test: test.path)]
    reader, writer = os.pipe()
    os.write(writer, bytes(range(len(files))))
    os.close(writer)
    second = SecondProcess(config)
    if not second.number:
        config.pluginmanager.unregister(name="terminalreporter")
        config.pluginmanager.register(second)
    tests = (
        test
        for file in iter(lambda: os.read(reader, 1), b"")
        for test in files[file[0]]
    )
    test = next(tests, None)
    while test:
        following = next(tests, None)
        config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        test = following
        if second.number:
            second.report()
    second.end()
    return True


class SecondProcess:
    """A copy of this process that writes the reports of its tests to a file.

    number: its number, 0 in itself.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        descriptor, path = tempfile.mkstemp()
        self._written = os.fdopen(descriptor, "w", 1)
        self._read = os.fdopen(os.open(path, os.O_RDONLY))
        os.remove(path)
        self._line = ""
        self.number = os.fork()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a report, in the second process."""
        data = self._config.hook.pytest_report_to_serializable(
            config=self._config, report=report
        )
        self._written.write(json.dumps(data) + "\n")

    def report(self) -> None:
        """Report what it has written since the last call, in the first process."""
        hook = self._config.hook
        for piece in self._read:
            self._line += piece
            if self._line.endswith("\n"):
                data = json.loads(self._line)
                self._line = ""
                report = hook.pytest_report_from_serializable(
                    config=self._config, data=data
                )
                hook.pytest_runtest_logreport(report=report)

    def end(self) -> None:
        """End the second process, or wait for its end and report the rest."""
        if not self.number:
            os._exit(0)
        _, status = os.waitpid(self.number, 0)
        self.report()
        if status:
            pytest.exit("the second process did not end in order", 1)


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
    """The pinned numbers: a change may change them, but not unnoticed.

    A pin is a number or a list of numbers.
    """

    def __init__(self) -> None:
        self._pins = json.loads(PINNED.read_text("utf-8"))

    def __call__(
        self, name: str, now: float | Sequence[float], tolerance: float = 0.0
    ) -> None:
        """Compare what is counted now with the pin, or replace it.

        tolerance: the share of each pinned number by which it may be missed.
        """
        __tracebackhide__ = True
        if isinstance(now, Sequence):
            now = list(now)
        if not paper.accept:
            assert name in self._pins, f"{name} is not pinned: run pytest --accept"
            pin = pytest.approx(self._pins[name], rel=tolerance, abs=0)
            assert now == pin, f"if {name} is right, run pytest --accept"
        elif now != self._pins.get(name):
            self._pins[name] = now
            rows = (
                f"{json.dumps(name)}: {json.dumps(self._pins[name])}"
                for name in sorted(self._pins)
            )
            PINNED.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


@pytest.fixture(scope="session")
def pinned() -> Pins:
    """Return the function that compares a number with its pin in pinned.json."""
    return Pins()


@pytest.fixture(scope="session", autouse=True)
def signals_reach_what_is_started() -> None:
    """Catch the signals that are ignored under nohup and in a script's background.

    A process that a test starts inherits an ignored signal, not a caught one.
    """
    for name, handler in (
        ("SIGINT", signal.default_int_handler),
        ("SIGQUIT", lambda *_: None),
        ("SIGHUP", lambda *_: None),
    ):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.fixture(scope="module", autouse=True)
def memory_is_given_back() -> Iterator[None]:
    """Forget what the tests of a file looked up."""
    yield
    minimax.cache_clear()
    gc.collect()
