"""Try faults, visitors, clients, settings; print how many, what was lost, and the time.

    python3 -m tests.bench.sessions [PART[=COUNT]] ...

Without arguments it runs all parts.  COUNT replaces the number that a part tries.

`visitors` serves random visitors (tests/crowd.py) at a Model 33 of 110 baud, on a
clock of its own, so that days pass in minutes.  A dot, a tape that does not read back
as one game, a changed file and a descriptor left open count as lost.

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
from contextlib import redirect_stderr, suppress
from functools import partial
from pathlib import Path

from sail.files import games
from sail.files.area import Area
from sail.monitor import visitors
from sail.teletype import Leave
from tests import havoc
from tests.bench.clients import WAYS, clients
from tests.crowd import Crowd
from tests.havoc import Counts
from tests.monitor.test_trial import cases, worse

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EDQUOT, errno.EROFS)
LEVELS = "C" * 79 + "B" * 19 + "AM"


def visits(folder: Path, count: int) -> Counts:
    """Serve so many visitors."""
    area = Area(str(folder))
    area.write(games.TMP, games.write(havoc.a_game(3)))
    area.write(games.OUT, games.write(havoc.a_game(3, 6)))
    area.write("MINE.POS", area.look_up("FIG2.POS"))
    before, handles = havoc.contents(area), havoc.open_files()
    crowd = Crowd(25, count, levels=LEVELS)
    crowd.pasted = 9999
    with suppress(Leave):
        visitors.serve(crowd.tty, area)
    after = havoc.contents(area)
    changed = {name for name, _ in before.items() ^ after.items()} - {games.OUT}
    unread = [text for text in crowd.tapes if len(games.read(text, "X")) != 1]
    on_file = len(games.read(area.read(games.OUT), games.OUT))
    print(
        f"{crowd.seconds / 3600:.0f} hours, {dict(crowd.visits)},"
        f" {len(crowd.tapes)} tapes, {on_file} games on file"
    )
    left = havoc.open_files() - handles
    return crowd.ended, len(crowd.dots) + len(changed) + len(unread) + left


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
