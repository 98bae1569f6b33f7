"""Try faults, visitors and clients; print how many, what was lost, and the seconds.

    python3 -m tests.bench.sessions [PART[=COUNT]] ...

Without arguments it runs all parts.  COUNT replaces the number that a part tries.

`visitors` serves random visitors (tests/crowd.py) at a Model 33 of 110 baud, on a
clock of its own, so that days pass in minutes.  A dot, a tape that does not read back
as one game, a changed file and a descriptor left open count as lost.  It then kills
jobs that serve such visitors, and looks for the games that they said were saved.

`strangers` plays three visitors in a row, on a pty and on a socket.  The first sends
back what he gets.  The second takes no output.  The third types our own words back as
soon as they have come, then plays.

`clients` plays a game through every client and server in LINE.DOC.

It needs /proc.
"""

from __future__ import annotations

import errno
import os
import random
import select
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from sail.files import games
from sail.files.area import Area
from sail.line.station import ONE_LOOP
from sail.monitor import visitors
from sail.programs.kalah import says
from sail.teletype import Leave
from tests import havoc
from tests.bench.clients import WAYS, clients
from tests.crowd import Crowd
from tests.havoc import ANSWERS, Counts
from tests.jobs import FAST, job, listening, on_a_pty, on_a_terminal, opened
from tests.person import FarEnd, Person

SHELF = str(Path(__file__).parents[2] / "saves")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EDQUOT, errno.EROFS)
LEVELS = "C" * 79 + "B" * 19 + "AM"
START = says.START_WITH.prompt[-6:]


# Faults


def command_killed(folder: Path, rnd: random.Random) -> str:
    """Kill the command itself within a second; return its paper."""
    person = Person((), ANSWERS, rnd)
    with on_a_terminal(str(folder)) as (process, far, _):
        end = time.monotonic() + 0.15 + rnd.random() * 0.5
        while (left := end - time.monotonic()) > 0:
            if prompt := far.look_for(*ANSWERS, seconds=left):
                far.type(person.answer(prompt) or "")
        process.kill()
        process.wait()
        far.look_for("the rest", seconds=0.05)
    return far.paper


# Visitors


def owned(folder: Path) -> Area:
    """Return an area with the owner's files."""
    area = Area(str(folder), SHELF)
    area.write(games.TMP, games.write(havoc.a_game(3)))
    area.write(games.OUT, games.write(havoc.a_game(3, 6)))
    area.write("MINE.POS", area.look_up("FIG2.POS"))
    return area


def on_file(area: Area) -> int:
    return len(games.read(area.read(games.OUT), games.OUT))


def visits(folder: Path, count: int) -> Counts:
    """Serve so many visitors."""
    area = owned(folder)
    before, handles = havoc.contents(area), havoc.open_files()
    crowd = Crowd(25, count, 110, LEVELS)
    crowd.pasted = 9999
    with suppress(Leave):
        visitors.serve(crowd.tty, area)
    after = havoc.contents(area)
    changed = {name for name, _ in before.items() ^ after.items()} - {games.OUT}
    unread = [text for text in crowd.tapes if len(games.read(text, "X")) != 1]
    print(
        f"{crowd.seconds / 3600:.0f} hours, {dict(crowd.visits)}, the longest"
        f" {crowd.longest / 60:.0f} minutes, {len(crowd.tapes)} tapes,"
        f" {on_file(area)} games, {havoc.resident() >> 20} MB"
    )
    left = havoc.open_files() - handles
    return crowd.ended, len(crowd.dots) + len(changed) + len(unread) + left


class Pipe(Crowd):
    """A crowd whose paper also goes to a descriptor."""

    pipe = -1

    def write(self, data: bytes) -> int:
        sent = super().write(data)
        os.write(self.pipe, data[:sent])
        return sent


def serve_until_killed(area: Area, seed: int, pipe: int) -> None:
    """Serve a crowd without end; its paper also goes to `pipe`."""
    crowd = Pipe(seed, 10**6)
    crowd.pipe = pipe
    visitors.serve(crowd.tty, area)


def kills_of_visits(folder: Path, count: int) -> Counts:
    """Kill jobs that serve a crowd; look for the games saved and the owner's files."""
    rnd = random.Random(1)
    area = owned(folder)
    owners = {name: area.read(name) for name in (games.TMP, "MINE.POS")}
    losses, there = 0, on_file(area)
    for number in range(count):
        reader, writer = os.pipe()
        child = havoc.in_a_child(serve_until_killed, area, number, writer)
        os.close(writer)
        paper = os.read(reader, 1)  # the first visitor has come
        threading.Timer(rnd.random(), os.kill, (child, signal.SIGKILL)).start()
        while piece := os.read(reader, 1 << 16):
            paper += piece
        os.close(reader)
        os.waitpid(child, 0)
        said = paper.decode("ascii", "replace").count(says.GAME_SAVED)
        now = on_file(area)
        losses += max(0, there + said - now)
        losses += sum(area.read(name) != text for name, text in owners.items())
        there = now
    return count, losses


# Strangers on real lines


def strangers(folder: Path) -> Counts:
    """Play the three strangers on each kind of line; PATIENCE is one minute."""
    words = ("--visitors", "--set", "PATIENCE 1")
    with on_a_pty(str(folder), *words) as (_, name):
        lost = visit(lambda: late(opened(name)))
    with listening() as (server, url):
        server.settimeout(None)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with job("--tty", url, "--baud", FAST, "--area", str(folder), *words):
            lost += visit(lambda: late(accepted(server)))
    return 6, lost


@contextmanager
def accepted(server: socket.socket) -> Iterator[FarEnd]:
    with server.accept()[0] as connection:
        yield FarEnd(connection.fileno())


@contextmanager
def late(come: AbstractContextManager[FarEnd]) -> Iterator[FarEnd]:
    """Open a line after the job has noticed a hangup; type when it has opened it."""
    time.sleep(1)
    with come as far:
        time.sleep(1)
        yield far


def visit(come: Callable[[], AbstractContextManager[FarEnd]]) -> int:
    """Play the three strangers on a line; return how many were not served as they should.

    come: opens the line for the next of them.
    """
    with come() as far:
        looped = ONE_LOOP in sent_back(far, 5)
    with ExitStack() as stack:
        far = stack.enter_context(come())
        far.type("X")
        far.wait_for(START)
        far.type("RULES\r" * 230)
        time.sleep(80)  # and takes nothing
        try:
            freed = far.look_for(visitors.NEXT, seconds=60) != ""
        except ConnectionResetError:  # the system has closed it: nothing was taken
            freed = True
            stack.close()
            far = stack.enter_context(come())
        far.type("Y")
        far.wait_for(START)
        far.type("? ")
        echoed = far.look_for("? ", seconds=5)
        far.type("\r")
        far.wait_for(START)
        far.type_slowly("3\r")
        plays = far.look_for("LEVEL", seconds=30)
    print(
        f"one loop {looped}, freed {freed}, echoed {bool(echoed)}, plays {bool(plays)}"
    )
    return (not looped) + (not freed) + (not (echoed and plays))


def sent_back(far: FarEnd, seconds: float) -> str:
    """Send back what comes for so many seconds; return all of it."""
    end = time.monotonic() + seconds
    heard = b""
    far.type("X")
    while (left := end - time.monotonic()) > 0:
        if select.select([far.descriptor], [], [], left)[0]:
            data = os.read(far.descriptor, 4096)
            heard += data
            os.write(far.descriptor, data)
    return heard.decode()


PROCESSES = partial(havoc.kills, one=command_killed)
WRITERS = lambda folder, count: havoc.writers(folder, 4, count)
STARTS = partial(havoc.starts, sessions=8)
REFUSALS = partial(havoc.refusals, errors=ERRORS)
DISK, MEMORY = None, havoc.memory()  # folders for the files; in memory a flush is free
# Part, description, folder, what it does, how many it tries (0: it has no number).
ROWS: tuple[tuple[str, str, str | None, Callable[..., Counts], int], ...] = (
    ("kills", "killed at a random moment, level C", DISK, havoc.kills, 5000),
    ("processes", "python3 kalah.py on a terminal, killed", DISK, PROCESSES, 300),
    ("calls", "killed or without power at each call of a write", MEMORY, havoc.power_cuts, 0),
    ("calls", "a call of a write refused, once or ever", MEMORY, REFUSALS, 0),
    ("sessions", "games saved by four processes at once", DISK, WRITERS, 500),
    ("sessions", "sessions that start at the same moment", DISK, STARTS, 100),
    ("visitors", "random visitors at a Model 33", DISK, visits, 1000),
    ("visitors", "killed while they serve random visitors", DISK, kills_of_visits, 300),
    ("strangers", "a pty and a socket after a loop and a deaf man", DISK, strangers, 0),
    ("clients", "the clients and servers in LINE.DOC", DISK, clients, len(WAYS)),
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
