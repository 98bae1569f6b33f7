"""Work shared with a second process."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sail.board import PAPER, STANDARD, Rules, start
from sail.engine import exact, sharing
from sail.engine.exact import Solver
from sail.stop import Stop, Stopped, never
from tests.positions import minimax, with_stones

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")


@pytest.fixture(autouse=True)
def no_process_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    found: list[int] = []
    fork = os.fork

    def noted() -> int:
        found.append(fork())
        return found[-1]

    monkeypatch.setattr(os, "fork", noted)
    yield
    for process in found:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


class Meeting:
    """Where each process waits, with its first task, until both are there."""

    def __init__(self, folder: Path) -> None:
        self.here = os.getpid()
        self.folder = folder

    def helps(self) -> bool:
        """Return whether this is the second process."""
        (self.folder / str(os.getpid())).touch()
        end = time.monotonic() + 60
        while len(list(self.folder.iterdir())) < 2 and time.monotonic() < end:
            time.sleep(0.01)
        return os.getpid() != self.here


def test_two_processes_do_each_task_once(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)

    def work(number: int, stop: Stop) -> tuple[int, int]:
        return -number, meeting.helps()

    done = list(sharing.shared(work, 20, never))
    assert sorted((n, bound) for n, bound, _ in done) == [(n, -n) for n in range(20)]
    assert {helped for *_, helped in done} == {False, True}


def test_without_a_second_process_one_does_it_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    done = list(sharing.shared(lambda number, stop: (number, 1), 3, never))
    assert done == [(0, 0, 1), (1, 1, 1), (2, 2, 1)]


def test_the_task_of_a_killed_process_is_missing(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)

    def work(number: int, stop: Stop) -> tuple[int, int]:
        if meeting.helps():
            os.kill(os.getpid(), signal.SIGKILL)
        return number, 1

    assert len(list(sharing.shared(work, 5, never))) == 4


def test_the_wait_for_the_second_process_can_be_stopped(tmp_path: Path) -> None:
    """And leaving early ends it, too."""
    meeting = Meeting(tmp_path)

    def work(number: int, stop: Stop) -> tuple[int, int]:
        if meeting.helps():
            time.sleep(600)
        return number, 1

    done: list[int] = []
    with pytest.raises(Stopped):
        for number, *_ in sharing.shared(work, 5, lambda: len(done) == 4):
            done.append(number)
    for _ in sharing.shared(work, 5, never):
        break


@pytest.mark.parametrize("rules", [PAPER, STANDARD], ids=["paper", "standard"])
def test_shared_proofs_are_minimax(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "LEAST_SHARED", 2)
    monkeypatch.setattr(sharing, "POSSIBLE", True)
    draw = random.Random(4)
    for _ in range(20):
        position = with_stones(draw, draw.randrange(2, 8), 3, rules)
        assert Solver(3, 8, rules.captures_empty).value(position) == minimax(position)


def test_a_shared_proof_counts_the_effort_of_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone, helped = Solver(4, 24, True), Solver(4, 24, True)
    game = start(3, 4, PAPER)
    assert alone.value(game) == 8
    monkeypatch.setattr(exact, "LEAST_SHARED", 24)
    monkeypatch.setattr(sharing, "POSSIBLE", True)
    assert helped.value(game) == 8
    assert 0.7 * alone.effort < helped.effort < 1.5 * alone.effort
    assert helped.stop is never
