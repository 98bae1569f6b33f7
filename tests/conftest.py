"""What all tests need: a mark, little memory, signals that reach what they start."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from sail.engine import garbage
from tests.positions import minimax


def pytest_configure(config: pytest.Config) -> None:
    """Tell the mark that ties a test to the place in a source that it shows."""
    config.addinivalue_line(
        "markers", "source(*places): the facts of the sources that the test shows"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that fork thousands of times.

    A fork takes several times as long once a search has filled the memory.
    """
    items.sort(key=lambda item: item.path.name != "test_faults.py")


@pytest.fixture(scope="session", autouse=True)
def signals_reach_what_is_started() -> None:
    """Catch SIGHUP and SIGINT where they are ignored.

    nohup ignores SIGHUP, and a shell without job control ignores SIGINT for
    `pytest &`.  A process that a test starts inherits what is ignored, not
    what is caught.
    """
    for name in ("SIGHUP", "SIGINT"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture(scope="module", autouse=True)
def memory_is_given_back() -> Iterator[None]:
    """Forget what the tests of a file looked up.

    Each program that ends has the garbage collected, which takes the longer
    the more is in the memory.
    """
    yield
    minimax.cache_clear()
    garbage.collect()
