"""Work shared with a second process, for machines with two cores."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import suppress
from struct import Struct
from typing import Callable

from sail.stop import Stop, Stopped

POSSIBLE = hasattr(os, "fork") and (os.cpu_count() or 1) > 1
MOST_TASKS = 256  # a task's number is one byte
PATIENCE = 0.1  # seconds from one call of stop to the next while waiting
RESULT = Struct("=Bhq")  # a task, its bound and its effort

# Does the task of this number; returns a bound and the effort.  Raises Stopped.
Work = Callable[[int, Stop], tuple[int, int]]


def shared(work: Work, tasks: int, stop: Stop) -> Iterator[tuple[int, int, int]]:
    """Yield number, bound and effort of each task as it is done, in any order.

    tasks: how many there are; their numbers begin at 0.  This process and a fork of
    it each take the next task until none is left.  The fork ends with the iterator.
    If it dies earlier, the task that it had taken is missing; if it cannot be made,
    this process does everything.  Raises Stopped.
    """
    numbers, write_numbers = os.pipe()
    results, write_results = os.pipe()
    os.write(write_numbers, bytes(range(tasks)))
    os.close(write_numbers)
    here, fork = os.getpid(), None
    with suppress(OSError):
        fork = os.fork()
    if fork == 0:
        _help(work, numbers, write_results, here)
    os.close(write_results)
    try:
        while number := os.read(numbers, 1):
            yield number[0], *work(number[0], stop)
            ready = select.select([results], [], [], 0)[0]
            if ready and (result := os.read(results, RESULT.size)):
                yield RESULT.unpack(result)
        while True:
            if stop():
                raise Stopped
            if select.select([results], [], [], PATIENCE)[0]:
                if not (result := os.read(results, RESULT.size)):
                    return
                yield RESULT.unpack(result)
    finally:
        if fork:
            os.kill(fork, signal.SIGKILL)
            os.waitpid(fork, 0)
        os.close(numbers)
        os.close(results)


def _help(work: Work, numbers: int, results: int, parent: int) -> None:
    """Do tasks as the fork, until none is left or its parent is gone."""
    try:
        for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGTSTP", "SIGCONT"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        while number := os.read(numbers, 1):
            done = work(number[0], lambda: os.getppid() != parent)
            os.write(results, RESULT.pack(number[0], *done))
    finally:
        os._exit(0)
