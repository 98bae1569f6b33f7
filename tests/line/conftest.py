"""Fixtures: of tests that begin a session, which handles signals, or wait for a line."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest
from pytest import MonkeyPatch

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


@pytest.fixture
def hurried(monkeypatch: MonkeyPatch) -> None:
    """Let a sleep last for a moment only: pyserial sleeps whenever it negotiates."""
    sleep = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: sleep(min(seconds, 0.005)))
