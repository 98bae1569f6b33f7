"""Try thousands of faults; print how many were tried, the losses found, the seconds.

    python3 -m tests.bench.faults [kills] [processes] [calls] [bytes]
        [sessions] [memory] [games]

Without arguments it runs all parts but the last, which plays 10,000 whole games
in half an hour.  It needs pytest and a POSIX system; the part `memory` also
needs a CPython with its own test modules.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sail.files.area import Area, AreaError
from tests import havoc, test_faults
from tests.havoc import ANSWERS, Counts
from tests.line.test_lines import on_a_terminal

ROOT = Path(__file__).parents[2]
DONE, NO_MEMORY, REFUSED = 0, 3, 4  # exit statuses of a process without memory
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EDQUOT, errno.EROFS)


def command_killed(folder: Path, rnd: random.Random) -> str:
    """Kill the command itself within a second; return its paper."""
    with on_a_terminal(str(folder)) as (process, far, _):
        end = time.monotonic() + 0.15 + rnd.random() * 0.5
        while (left := end - time.monotonic()) > 0:
            if prompt := far.look_for(*ANSWERS, seconds=left):
                far.type(rnd.choice(ANSWERS[prompt]) + "\r")
        process.kill()
        process.wait()
        far.look_for("the rest", seconds=0.05)
    return far.paper


def allocations(folder: Path, most: int) -> Counts:
    """Let an allocation of each of havoc.DEEDS fail, alone or with all later ones.

    most: the allocations tried for one deed, spread evenly.  A crash of Python
    itself counts as a kill.
    """
    tried = losses = 0
    for deed, all_later in itertools.product(havoc.DEEDS, (False, True)):
        here = havoc.cases(folder, deed)
        first = next(here)
        # A power of two: the allocations that the deed takes, or more.
        last = next(
            2**power
            for power in itertools.count(7)
            if starved(first, 2**power, True, 0.5) == DONE
        )
        places = min(last, most)
        for number, case in zip(range(places), here):
            at = number * last // places
            status = starved(case, at, all_later)
            failed = status > 0 and status not in (NO_MEMORY, REFUSED)
            tried += 1
            if case.is_lost(status == DONE) or failed:
                print("no memory:", at, all_later, status, case.area.names())
                losses += 1
    return tried, losses


def starved(case: havoc.Case, at: int, all_later: bool, seconds: float = 0.2) -> int:
    """Return the exit code of a process whose memory ends after `at` allocations.

    The code is negative after a signal.  all_later: whether all later allocations fail,
    too, not only the next.  Python without memory may crash or hang; an alarm kills it
    after `seconds`.
    """
    import _testcapi  # type: ignore[import-not-found]

    def without_memory() -> None:
        status = 1
        signal.setitimer(signal.ITIMER_REAL, seconds)
        _testcapi.set_nomemory(at, 0 if all_later else at + 1)
        try:
            case.deed(case.area)
            status = DONE
        except MemoryError:
            status = NO_MEMORY
        except AreaError:
            status = REFUSED
        finally:
            os._exit(status)

    return os.waitstatus_to_exitcode(os.waitpid(havoc.in_a_child(without_memory), 0)[1])


def damaged_game(folder: Path) -> Counts:
    is_lost = partial(havoc.is_wrong_game, Area(str(folder)))
    return havoc.damages(test_faults.GAME, is_lost, range(256))


def damaged_position(folder: Path) -> Counts:
    whole = (ROOT / "saves" / "FIG2.POS").read_bytes()
    is_lost = partial(havoc.is_wrong_position, Area(str(folder)))
    return havoc.damages(whole, is_lost, range(256))


def whole_games(folder: Path) -> Counts:
    memory, handles = havoc.whole_games(folder, 10_000, 500)
    print(f"memory grew by {memory} bytes, open files by {handles}")
    return 10_000, (memory > 5_000_000) + handles


DISK, MEMORY = None, havoc.memory()  # folders for the files; in memory a flush is free
# Part, description, folder, the function that tries the faults, its arguments.
ROWS: tuple[tuple[str, str, str | None, Callable[..., Counts], Any], ...] = (
    ("kills", "killed at a random moment, level C", DISK, havoc.kills, [5000]),
    ("processes", "python3 kalah.py on a terminal, killed", DISK, havoc.kills, [300, command_killed]),
    ("calls", "killed or out of memory at each call of a write", MEMORY, havoc.deaths, []),
    ("calls", "a call of a write refused, once or ever", MEMORY, havoc.refusals, [ERRORS]),
    ("bytes", "KALAH.TMP cut and changed in every way", MEMORY, damaged_game, []),
    ("bytes", "FIG2.POS cut and changed in every way", MEMORY, damaged_position, []),
    ("sessions", "games saved by four processes at once", DISK, havoc.writers, [4, 500]),
    ("sessions", "sessions that start at the same moment", DISK, havoc.starts, [100, 8]),
    ("memory", "an allocation of a write fails, or all do", MEMORY, allocations, [500]),
    ("games", "whole games at level C in one process", DISK, whole_games, []),
)  # fmt: skip


def main() -> None:
    print(f"{'fault':<52} {'tried':>7} {'losses':>7} {'seconds':>8}")
    wanted = sys.argv[1:] or [row[0] for row in ROWS if row[0] != "games"]
    for part, what, place, deed, arguments in ROWS:
        if part in wanted:
            begun = time.monotonic()
            with tempfile.TemporaryDirectory(dir=place) as folder:
                tried, losses = deed(Path(folder), *arguments)
            seconds = time.monotonic() - begun
            print(f"{what:<52} {tried:>7} {losses:>7} {seconds:>8.0f}", flush=True)


if __name__ == "__main__":
    main()
