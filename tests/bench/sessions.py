"""Try faults, visitors, clients, settings; print how many, what was lost, and the time.

    python3 -m tests.bench.sessions [PART[=COUNT]] ...

Without arguments it runs all parts.  COUNT replaces the number that a part tries.

`visitors` serves random visitors (tests/monitor/test_visitors.py) at a Model 33 of 110
baud, on a clock of its own, so that days pass in minutes.  It ends at a loss.

`clients` plays a game through every client and server in LINE.DOC.

`trial` runs TTY TEST on emulated machines whose owners answer what stands on the paper:
makes, carriages, papers and settings, right and wrong, each alone and in pairs
(tests/monitor/test_trial.py).  A case is lost if the machine types or reads badly after
the test, or if it typed well before it and gets narrower lines, or more fillers for
lines as wide.

It needs /proc.
"""

from __future__ import annotations

import errno
import io
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr
from functools import partial
from pathlib import Path

from tests import havoc
from tests.bench.clients import WAYS, clients
from tests.havoc import Counts
from tests.monitor import test_visitors
from tests.monitor.test_trial import cases, worse

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EDQUOT, errno.EROFS)


def visits(folder: Path, count: int) -> Counts:
    test_visitors.put(folder)
    print(len(test_visitors.random_visits(folder, count)), "tapes")
    return count, 0


def trials(_: Path) -> Counts:
    with redirect_stderr(io.StringIO()):  # the words for the next time
        told = [worse(case) for case in cases()]
    lost = [case for case in told if case]
    for case in lost:
        print(case)
    return len(told), len(lost)


WRITERS = lambda folder, count: havoc.writers(folder, 4, count)
STARTS = partial(havoc.starts, sessions=8)
REFUSALS = partial(havoc.refusals, errors=ERRORS)
DISK, MEMORY = None, havoc.memory()  # folders for the files; in memory a flush is free
# Part, description, folder, what it does, how many it tries (0: it has no number).
ROWS: tuple[tuple[str, str, str | None, Callable[..., Counts], int], ...] = (
    ("calls", "killed or without power at each call of a write", MEMORY, havoc.power_cuts, 0),
    ("calls", "a call of a write refused, once or ever", MEMORY, REFUSALS, 0),
    ("sessions", "games saved by four processes at once", DISK, WRITERS, 500),
    ("sessions", "sessions that start at the same moment", DISK, STARTS, 100),
    ("visitors", "random visitors at a Model 33", DISK, visits, 1000),
    ("clients", "the clients and servers in LINE.DOC", DISK, clients, len(WAYS)),
    ("trial", "TTY TEST on emulated machines", DISK, trials, 0),
)  # fmt: skip


def main() -> None:
    words = sys.argv[1:] or [part for part, *_ in ROWS]
    wanted = {word.partition("=")[0]: word.partition("=")[2] for word in words}
    print(f"{'':<52} {'tried':>7} {'losses':>7} {'seconds':>8}")
    for part, what, place, deed, count in ROWS:
        if part in wanted:
            count = int(wanted[part] or count)
            begun = time.monotonic()
            with tempfile.TemporaryDirectory(dir=place) as folder:
                tried, losses = deed(Path(folder), *[count] * (count > 0))
            seconds = time.monotonic() - begun
            print(f"{what:<52} {tried:>7} {losses:>7} {seconds:>8.0f}", flush=True)


if __name__ == "__main__":
    main()
