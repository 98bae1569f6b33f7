"""The fixture of tests that begin a session, which handles signals."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

SIGNALS = [
    number
    for number in signal.Signals
    if number.name in ("SIGTERM", "SIGINT", "SIGHUP")
]


@pytest.fixture
def handlers() -> Iterator[list[signal.Signals]]:
    """The signals that end a job; their handlers are restored after the test."""
    before = [signal.getsignal(number) for number in SIGNALS]
    yield SIGNALS
    for number, handler in zip(SIGNALS, before):
        signal.signal(number, handler)
