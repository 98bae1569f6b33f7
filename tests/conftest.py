"""What all tests need: a mark, and signals that reach what they start."""

from __future__ import annotations

import signal

import pytest


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
def hangups_reach_what_is_started() -> None:
    """Catch SIGHUP where it is ignored, as under nohup.

    A process that a test starts inherits what is ignored, not what is caught.
    """
    hangup = getattr(signal, "SIGHUP", None)
    if hangup and signal.getsignal(hangup) == signal.SIG_IGN:
        signal.signal(hangup, lambda *_: None)
