"""Tries thousands of faults; prints a table: tried, losses found, seconds.

    python3 -m tests.bench.faults [kills] [processes] [calls] [bytes]
        [sessions] [memory] [games]

Without arguments it runs all parts but the last, which plays 10,000 whole games
in half an hour.  It needs pytest and a POSIX system; the part `memory` also
needs a CPython with its own test modules.
"""

from __future__ import annotations

import errno
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sail.area import Area, AreaError
from sail.engine import endgame
from sail.engine.moves import MoveTable
from sail.programs.kalah import says
from sail.programs.kalah.files import Autosave
from sail.programs.kalah.picture import picture
from sail.programs.solve import databases
from tests import havoc, test_faults
from tests.havoc import Counts, Player, Seat
from tests.paper import Paper

ROOT = Path(__file__).parents[2]
BOARD = re.compile(r"^[ \d]+\n +\d+ {20,}\d+\n[ \d]+$", re.MULTILINE)
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EDQUOT, errno.EROFS)


def commands_killed(folder: Path, count: int) -> Counts:
    """Kill the command itself; compare its paper with the game on file."""
    rnd = random.Random(9)
    losses = 0
    going_on = False
    for number in range(count):
        paper = one_command(folder, rnd)
        boards = BOARD.findall(paper)
        autosave = Autosave(Area(str(folder)), on=True)
        try:
            kept = autosave.load()
        except AreaError as error:
            print(f"command {number}: {error}")
            losses += 1
            continue
        finally:
            autosave.close()
        positions = kept.positions if kept else []
        there = [BOARD.findall(picture(position))[0] for position in positions]
        shown = paper.rpartition(boards[-1])[2] if boards else ""
        fresh = len(there) == 1 and says.ANOTHER_GAME in shown
        if boards and boards[-1] not in there[-3:] and not fresh:
            print(f"command {number}: on the paper {boards[-1]}, kept {there[-3:]}")
            losses += 1
        first = paper.split("\n")[0]
        if len(first) >= len(says.GO_ON) and (says.GO_ON in first) != going_on:
            print(f"command {number}: {first}")
            losses += 1
        going_on = kept is not None and not kept.over
    return count, losses


def one_command(folder: Path, rnd: random.Random) -> str:
    """Return the paper of a session that is killed within a second."""
    far, near = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "kalah.py"), "--area", str(folder)],
        stdin=near, stdout=near, stderr=near, start_new_session=True,
    )  # fmt: skip
    os.close(near)
    seat = Seat(Steady(rnd))
    end = time.monotonic() + 0.15 + rnd.random() * 0.5
    paper = b""

    def listen(seconds: float) -> bool:
        nonlocal paper
        if not select.select([far], [], [], max(seconds, 0))[0]:
            return False
        try:
            piece = os.read(far, 1 << 16)
        except OSError:
            return False
        paper += piece
        seat.write(piece.replace(b"\r", b""))
        return bool(piece)

    while time.monotonic() < end:
        listen(min(0.01, end - time.monotonic()))
        os.write(far, seat.read(0))
    process.send_signal(signal.SIGKILL)
    process.wait()
    while listen(0):
        pass
    os.close(far)
    return paper.decode("utf-8", "replace").replace("\r", "")


class Steady(Player):
    """A player who takes no move back and does not give up."""

    def ask(self, prompt: str = "") -> str:
        if prompt == says.YOUR_MOVE_PLEASE:
            return self.rnd.choice("123456")
        return "Y" if prompt == says.ANOTHER_GAME else super().ask(prompt)


def damaged_game(folder: Path) -> Counts:
    is_lost = partial(havoc.is_wrong_game, Area(str(folder)))
    return havoc.damages(test_faults.GAME, is_lost, range(256))


def damaged_position(folder: Path) -> Counts:
    whole = (ROOT / "saves" / "FIG2.POS").read_bytes()
    is_lost = partial(havoc.is_wrong_position, Area(str(folder)))
    return havoc.damages(whole, is_lost, range(256))


def damaged_database(folder: Path) -> Counts:
    rows = MoveTable(2, 3, True)
    whole = databases.to_bytes(endgame.build(rows, 4))
    area = Area(str(folder))
    name = databases.file_name(rows)

    def is_lost(changed: bytes) -> bool:
        area.write_bytes(name, changed)
        tty = Paper([])
        databases.get(area, rows, 4, tty)
        return tty.text.count("\n") != 2 or area.read_bytes(name) != changed

    return havoc.damages(whole, is_lost, range(256))


def whole_games(folder: Path) -> Counts:
    memory, handles = havoc.whole_games(folder, 10_000, 500, print)
    print(f"memory grew by {memory} bytes, open files by {handles}")
    return 10_000, (memory > 5_000_000) + handles


DISK, MEMORY = None, havoc.memory()  # a flush takes time on a disk only
# Part, description, place, the function that tries the faults, its arguments.
ROWS: tuple[tuple[str, str, str | None, Callable[..., Counts], Any], ...] = (
    ("kills", "killed at a random moment, level C", DISK, havoc.kills, [5000]),
    ("processes", "python3 kalah.py on a terminal, killed", DISK, commands_killed, [300]),
    ("calls", "killed before, in and after each call of a write", MEMORY, havoc.deaths, []),
    ("calls", "a call of a write refused, once or ever", MEMORY, havoc.refusals, [ERRORS]),
    ("bytes", "KALAH.TMP cut and changed in every way", MEMORY, damaged_game, []),
    ("bytes", "FIG2.POS cut and changed in every way", MEMORY, damaged_position, []),
    ("bytes", "END2E.DB cut and changed in every way", MEMORY, damaged_database, []),
    ("sessions", "games saved by four processes at once", DISK, havoc.writers, [4, 500]),
    ("sessions", "sessions that start at the same moment", DISK, havoc.starts, [100, 8]),
    ("sessions", "endgames built by 6 sessions of SOLVE", DISK, havoc.builders, [6]),
    ("memory", "an allocation of a write fails, or all do", MEMORY, havoc.allocations, [500]),
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
