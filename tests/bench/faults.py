"""Tries faults by the thousand and prints a table: tried, losses found.

    python3 -m tests.bench.faults [kills] [processes] [calls] [bytes]
        [input] [writers] [sessions] [users] [memory] [unread] [games]

Without a word all but the last, which plays 10,000 whole games and takes
half an hour.  Needs pytest and a POSIX system, for users root, and for memory
a CPython that has its own test modules.
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
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]

from sail.area import Area, AreaError
from sail.engine import endgame
from sail.engine.moves import MoveTable
from sail.programs.kalah import says
from sail.programs.kalah.files import Autosave
from sail.programs.kalah.picture import picture
from sail.programs.solve import databases
from sail.stop import never
from tests import havoc, test_faults
from tests.havoc import Counts, Player, Seat

BOARD = re.compile(r"^[ \d]+\n +\d+ {20,}\d+\n[ \d]+$", re.MULTILINE)


def row(what: str, deed: Callable[..., Counts], *more: object) -> None:
    """A line of the table: what the deed counts in a folder on the disk."""
    tabulate(what, None, deed, *more)


def quick_row(what: str, deed: Callable[..., Counts], *more: object) -> None:
    """The same in memory, where a flush takes no time."""
    tabulate(what, havoc.memory(), deed, *more)


def tabulate(
    what: str, place: str | None, deed: Callable[..., Counts], *more: object
) -> None:
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(dir=place) as folder:
        tried, losses = deed(Path(folder), *more)
    seconds = time.monotonic() - begun
    print(f"{what:<52} {tried:>7} {losses:>7} {seconds:>8.0f}", flush=True)


def kills() -> None:
    row("killed at a random moment, level C", havoc.kills, 5000)


def processes() -> None:
    row("python3 kalah.py on a terminal, killed", commands_killed, 300)


def commands_killed(folder: Path, count: int) -> Counts:
    """The command itself, from outside: its paper against the next start."""
    rnd = random.Random(9)
    area = Area(str(folder))
    losses = 0
    going_on = False
    for number in range(count):
        paper = one_command(folder, rnd)
        boards = BOARD.findall(paper)
        autosave = Autosave(area, on=True)
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
    """The paper of a session that is killed within a second."""
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
    """A player who takes nothing back and does not give up."""

    def ask(self, prompt: str = "") -> str:
        if prompt == says.YOUR_MOVE_PLEASE:
            return self.rnd.choice("123456")
        return "Y" if prompt == says.ANOTHER_GAME else super().ask(prompt)


def calls() -> None:
    quick_row("killed before, in and after each call of a write", havoc.deaths)
    errors = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EDQUOT, errno.EROFS)
    quick_row(
        "a call of a write refused, once or from there on", havoc.refusals, errors
    )


def bytes_() -> None:
    def of_the_game(folder: Path) -> Counts:
        return havoc.damages(
            test_faults.GAME, havoc.is_wrong_game(Area(str(folder))), range(256)
        )

    def of_the_position(folder: Path) -> Counts:
        whole = (ROOT / "saves" / "FIG2.POS").read_bytes()
        lost = havoc.is_wrong_position(Area(str(folder)))
        return havoc.damages(whole, lost, range(256))

    def of_the_database(folder: Path) -> Counts:
        rows = MoveTable(2, 3, True)
        whole = endgame.to_bytes(endgame.build(rows, 4), rows)
        area = Area(str(folder))
        name = databases.file_name(rows)

        def is_lost(changed: bytes) -> bool:
            area.write_bytes(name, changed)
            told: list[str] = []
            databases.get(area, rows, 4, told.append, never)
            return len(told) != 2 or area.read_bytes(name) != changed

        return havoc.damages(whole, is_lost, range(256))

    quick_row("KALAH.TMP cut and changed, every byte, every value", of_the_game)
    quick_row("FIG2.POS cut and changed, every byte, every value", of_the_position)
    quick_row("END2E.DB cut and changed, every byte, every value", of_the_database)


def input_() -> None:
    def every_byte(folder: Path) -> Counts:
        tried = losses = 0
        for prompt in test_faults.ALL_PROMPTS:
            for live in (False, True):
                if prompt == "CONTINUE" and not live:
                    continue
                for byte in range(256):
                    for data in (
                        bytes([byte]),
                        bytes([byte, 13]),
                        b"3" + bytes([byte]),
                    ):
                        tried += 1
                        try:
                            test_faults.typed_at(prompt, data, folder, live)
                        except Exception as error:  # noqa: BLE001 - they are counted
                            print(f"{prompt}, {data!r}: {error!r}")
                            losses += 1
        return tried, losses

    quick_row("each byte at each question, on a pipe and a line", every_byte)


def writers() -> None:
    row("games saved by four processes at once", havoc.writers, 4, 500)


def sessions() -> None:
    row("sessions that start at the same moment", havoc.starts, 100, 8)
    row("games saved by 8 sessions of KALAH in one area", havoc.crowd, 8, 40)
    row("games learnt by 6 sessions of ATLAS, with NEW", havoc.learners, 6, 40)
    row("endgames built by 6 sessions of SOLVE", havoc.builders, 6)


def users() -> None:
    if os.getuid():
        print("users: only root can be several")
    else:
        row("killed, then a session of another user", havoc.users, 1000)


def memory() -> None:
    quick_row("an allocation of a write fails, or all do", havoc.allocations, 500)


def unread() -> None:
    row("a paper that nobody reads, then a signal", commands_unread, 60)


def commands_unread(folder: Path, count: int) -> Counts:
    """The command types 100 KB and nobody reads; it is to end in order."""
    rnd = random.Random(11)
    losses = 0
    for _ in range(count):
        far, near = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "kalah.py"), "--area", str(folder)],
            stdin=near, stdout=near, stderr=near, start_new_session=True,
        )  # fmt: skip
        paper = b""
        while not paper.endswith(b"? "):
            paper += os.read(far, 1 << 16)
        os.write(far, b"N\r3\rC\rY\r3\r" + b"?\r" * 100)
        time.sleep(rnd.random())
        process.send_signal(rnd.choice((signal.SIGTERM, signal.SIGHUP)))
        try:
            losses += process.wait(20) != 0
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            losses += 1
        os.close(far)
        os.close(near)
    try:
        havoc.last_game(Area(str(folder)), 0)
    except (AssertionError, AreaError) as error:
        print(f"unread: {error}")
        losses += 1
    return count, losses


def games() -> None:
    def whole(folder: Path) -> Counts:
        memory, handles = havoc.whole_games(folder, 10_000, 500, print)
        print(f"memory grew by {memory} bytes, open files by {handles}")
        return 10_000, (memory > 5_000_000) + handles

    row("whole games at level C in one process", whole)


PARTS: Sequence[Callable[[], None]] = (
    kills,
    processes,
    calls,
    bytes_,
    input_,
    writers,
    sessions,
    users,
    memory,
    unread,
    games,
)


def main() -> None:
    parts = {part.__name__.rstrip("_"): part for part in PARTS}
    print(f"{'fault':<52} {'tried':>7} {'losses':>7} {'seconds':>8}")
    for name in sys.argv[1:] or [*parts][:-1]:
        parts[name]()


if __name__ == "__main__":
    main()
