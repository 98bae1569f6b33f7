"""Faults for the area and for the games in it.

A function that returns a number has tried so many faults, of which none lost anything.
"""

from __future__ import annotations

import errno
import itertools
import os
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from sail.board import opening
from sail.files import disk, games
from sail.files.area import Area
from sail.files.seal import ATLAS_TAP, KALAH_OUT, KALAH_TMP
from sail.game import Game
from sail.programs.atlas import store
from sail.programs.kalah.saving import Autosave, save_game
from sail.refusal import Refusal
from tests.paper import Paper
from tests.samples import played

Words = tuple[Any, ...]  # the arguments of a call
Contents = dict[str, bytes]  # of the files of an area, by name


def open_files() -> int:
    """Return the number of open descriptors of this process."""
    folder = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"
    return len(os.listdir(folder))


def hidden(folder: str | Path) -> list[str]:
    """Return the names of the locks and unfinished files in a folder."""
    return [name for name in os.listdir(folder) if name.startswith(".")]


def in_a_child(deed: Callable[..., object], *arguments: object) -> int:
    """Fork a process that does the deed; return its number.

    Its exit status is 1 if the deed raises.
    """
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        deed(*arguments)
        status = 0
    except Exception:  # noqa: BLE001 - the status tells the parent
        traceback.print_exc()
    finally:
        os._exit(status)


def together(count: int, deed: Callable[[int], object]) -> int:
    """Do the deed in `count` processes at the same moment; return how many fail."""
    reader, writer = os.pipe()

    def wait_and_do(number: int) -> None:
        os.close(writer)
        os.read(reader, 1)  # returns when the other end is closed
        deed(number)

    children = [in_a_child(wait_and_do, number) for number in range(count)]
    os.close(reader)
    os.close(writer)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


# System calls refused, and kills at system calls

CALLS = (  # of the disk
    "open", "fstat", "read", "write", "fsync", "close", "fchmod", "replace", "remove",
    "lstat", "link",
)  # fmt: skip
Fault = Callable[[str, Words], bool]  # returns whether this call fails
NO_MEMORY = 0  # stands for the number of an error


class System:
    """Stands in for the `os` of the disk: notes calls, and lets some of them fail."""

    def __init__(self, fault: Fault | None, error: int) -> None:
        self.calls: list[tuple[str, Words]] = []
        self._fault = fault
        self._error = error

    def __getattr__(self, name: str) -> object:
        real = getattr(os, name)
        if name not in CALLS:
            return real

        def call(*arguments: object, **more: object) -> object:
            self.calls.append((name, arguments))
            if self._fault and self._fault(name, arguments):
                if name == "close":
                    real(*arguments)
                if self._error == NO_MEMORY:
                    raise MemoryError
                raise OSError(self._error, os.strerror(self._error))
            return real(*arguments, **more)

        return call


def faulty(
    fault: Fault | None = None, error: int = errno.ENOSPC
) -> AbstractContextManager[System]:
    """Replace the `os` of the disk by a System within the block."""
    return patch.object(disk, "os", System(fault, error))


def learn(area: Area) -> None:
    """Add a game to ATLAS's tape."""
    area.hold(ATLAS_TAP)
    try:
        memory = store.load(area)
        memory.count("WON", [(9, 9)])
        store.save(area, store.text_of(memory))
    finally:
        area.release(ATLAS_TAP)


Deed = Callable[[Area], object]
DEEDS: tuple[Deed, ...] = (  # what the programs write
    lambda area: save_game(area, played("36", 3)),
    lambda area: area.write(KALAH_TMP, games.text_of(played("36", 3))),
    learn,
    lambda area: area.write("NEW.POS", "NEW", new=True),
    lambda area: area.rename("OLD.POS", "NEW.POS"),
)


def contents(area: Area) -> Contents:
    return {name: Path(area.folder, name).read_bytes() for name in area.names()}


class Case(NamedTuple):
    """A deed in a fresh area, and the area's contents before and after it."""

    area: Area
    deed: Deed
    before: Contents
    after: Contents

    def expect_kept(self, done: bool, what: object) -> None:
        """Fail if anything was lost; repeat the deed unless it was finished.

        Each file must be the old one or the new one, and contents that some
        file has both before and after must be in a file now.
        done: whether the deed raised nothing.  what: the fault.
        """
        now = contents(self.area)
        assert now == self.after or not done, what
        assert {*self.before.values()} & {*self.after.values()} <= {*now.values()}, what
        for name in {*self.before, *now, *self.after}:
            either = self.before.get(name), self.after.get(name)
            assert now.get(name) in either, (what, name)
        if now != self.after:
            self.deed(self.area)
            assert contents(self.area) == self.after, what
            assert not hidden(self.area.folder), what


def cases(folder: Path, deed: Deed) -> Iterator[Case]:
    """Yield the deed in one fresh area after another, each with all files."""
    area = Area(tempfile.mkdtemp(dir=folder))
    save_game(area, played("", 3))
    area.write(KALAH_TMP, games.text_of(played("3", 3)))
    learn(area)
    area.write("OLD.POS", "OLD")
    before = contents(area)
    deed(area)
    after = contents(area)
    while True:
        area = Area(tempfile.mkdtemp(dir=folder))
        for name, data in before.items():
            Path(area.folder, name).write_bytes(data)
        yield Case(area, deed, before, after)


def refusals(folder: Path) -> int:
    """Refuse every system call of every deed: alone, or with all later ones.

    Also let the memory end at each call, which ends the job, too.
    """
    tried = 0
    for deed in DEEDS:
        here = cases(folder, deed)
        area = next(here).area
        with faulty() as system:
            deed(area)
        ways = (errno.EIO, False), (errno.EIO, True), (NO_MEMORY, False)
        for at, (error, ever) in itertools.product(range(len(system.calls)), ways):
            refuse(next(here), at, error, ever)
            tried += 1
    return tried


def refuse(case: Case, at: int, error: int, ever: bool) -> None:
    """Refuse the system call number `at` of a deed."""
    handles = open_files()
    told = ""

    def is_refused(*_: object) -> bool:
        return len(system.calls) > at if ever else len(system.calls) == at + 1

    with faulty(is_refused, error) as system:
        try:
            case.deed(case.area)
        except Refusal as refusal:
            told = str(refusal)
        except MemoryError:
            told = "NOT ENOUGH MEMORY"
    what = system.calls[at], ever, told
    assert open_files() == handles or error == NO_MEMORY, what
    assert "\n" not in told and len(told) <= Paper.settings.width, what
    case.expect_kept(not told, what)


def power_cuts(folder: Path) -> int:
    """Let the power fail, or a kill come, after each system call of every deed."""
    tried = 0
    for deed in DEEDS:
        here = cases(folder, deed)
        seen: list[tuple[Contents, bool]] = []
        for state in states(next(here)):
            if state not in seen:
                seen.append(state)
                case = next(here)
                for name in case.before:
                    os.remove(Path(case.area.folder, name))
                put(case.area.folder, state[0])
                case.expect_kept(state[1], state)
                tried += 1
    return tried


def put(folder: str, there: Contents) -> None:
    """Write files; the same contents under two names are one file."""
    first: dict[bytes, str] = {}
    for name, data in there.items():
        if data and data in first:
            os.link(Path(folder, first[data]), Path(folder, name))
        else:
            first[data] = name
            Path(folder, name).write_bytes(data)


def states(case: Case) -> Iterator[tuple[Contents, bool]]:
    """Yield every state that a disk may be in, and whether the deed was done.

    Data are on the disk once their file is flushed; until then all, half or none of
    them may be.  A change of names is there once the folder is flushed; until then any
    of the changes may be there without the others.  A kill leaves the state in which
    all are there.
    """
    folder = case.area.folder
    steps: list[tuple[dict[str, int], dict[int, bytes], int]] = []

    def note(call: str, arguments: Words) -> bool:
        names = {entry.name: entry.inode() for entry in os.scandir(folder)}
        data = {file: Path(folder, name).read_bytes() for name, file in names.items()}
        flushed = os.fstat(arguments[0]).st_ino if call == "fsync" else 0
        steps.append((names, data, flushed))
        return False

    with faulty(note):
        case.deed(case.area)
    note("the end", ())
    before, flushed_data, _ = steps[0]
    flushed_names, data = dict(before), dict(flushed_data)
    changes: list[dict[str, int | None]] = []  # of names, not flushed yet
    for number, (names, now, flushed) in enumerate(steps, 1):
        data.update(now)
        changed = {*before.items()} ^ {*names.items()}
        changes += [{name: names.get(name) for name, _ in changed}] * bool(changed)
        before = names
        for some in itertools.product((False, True), repeat=len(changes)):
            there: dict[str, int | None] = {**flushed_names}
            for change in itertools.compress(changes, some):
                there.update(change)
            for halves in range(3):
                state = {}
                for name, file in there.items():
                    if file:
                        least = len(flushed_data.get(file, b""))
                        more = len(data[file]) - least
                        state[name] = data[file][: least + more * halves // 2]
                yield state, number == len(steps)
        if flushed in data:
            flushed_data[flushed] = data[flushed]
        elif flushed:
            flushed_names, changes = dict(names), []


# Several sessions at the same time


def starts(folder: Path, rounds: int, sessions: int) -> int:
    """Start sessions at the same moment, with no game in progress.

    None of them may report another session.
    """

    def begin(_: int) -> None:
        assert Autosave(Area(str(folder)), on=True).load() is None

    for _ in range(rounds):
        assert not together(sessions, begin), "a session met another one"
    return rounds * sessions


def writers(folder: Path, processes: int, each: int) -> int:
    """Save games in several processes while this one reads them."""
    area = Area(str(folder))

    def save(number: int) -> None:
        for count in range(each):
            when = f"19{number:02}-10-06 {count // 60:02}:{count % 60:02}"
            save_game(area, Game(opening(1), (6,), "C", 0, when))

    def saved() -> list[Game]:
        return [*games.saved_games(area, KALAH_OUT)] if area.has(KALAH_OUT) else []

    children = [in_a_child(save, number) for number in range(processes)]
    seen = 0
    while children:
        now = len(saved())
        assert now >= seen, "a game was lost"
        seen = now
        done, status = os.waitpid(children[-1], os.WNOHANG)
        if done:
            children.pop()
            assert not status, "a session failed"
    whole = saved()
    assert len(whole) == len({game.heading for game in whole}) == processes * each
    return len(whole)
