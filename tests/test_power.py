"""Loss of power in the midst of a write: every state that the disk may be in."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest import MonkeyPatch

from sail.files.area import NAME, Area

pytest.importorskip("fcntl")  # Windows flushes no folder

OLD, NEW = "OLD " * 9, "NEW " * 12
Names = dict[str, "int | None"]


class Disk:
    """Stands in for os, and notes what reaches the disk, and when.

    Data are on the disk once their file is flushed; until then all, half or
    none of them may be.  A change of names is there once the folder is
    flushed; until then any of the changes may be there without the others.

    steps: what was done: names changed, data written, or a file flushed.
    """

    FOLDER = -1

    def __init__(self, area: Area, patch: MonkeyPatch) -> None:
        self.names: Names = {name: n for n, name in enumerate(area.names())}
        self.first = dict(self.names)
        self.texts = {n: area.read(name) for n, name in enumerate(area.names())}
        self.folder = area.folder
        self.steps: list[tuple[str, Any, str]] = []
        self._opened: dict[int, int] = {}
        self._next = len(self.names)
        for call in ("open", "write", "fsync", "link", "replace", "remove"):
            real = getattr(os, call)
            patch.setattr(os, call, self._noting(real, getattr(self, call)))

    def _noting(self, real: Callable[..., Any], note: Callable[..., None]) -> Any:
        def call(*words: Any) -> Any:
            result = real(*words)
            note(result, *words)
            return result

        return call

    def open(self, descriptor: int, path: str, flags: int, *_: int) -> None:
        name = os.path.basename(path)
        if path == self.folder:
            self._opened[descriptor] = self.FOLDER
        elif flags & os.O_EXCL:
            self._opened[descriptor] = self._next
            self._rename({name: self._next})
            self._next += 1

    def write(self, _: int, descriptor: int, data: bytes) -> None:
        self.steps.append(("write", self._opened[descriptor], bytes(data).decode()))

    def fsync(self, _: None, descriptor: int) -> None:
        self.steps.append(("flush", self._opened[descriptor], ""))

    def link(self, _: None, old: str, new: str) -> None:
        self._rename({os.path.basename(new): self.names[os.path.basename(old)]})

    def replace(self, _: None, old: str, new: str) -> None:
        old, new = os.path.basename(old), os.path.basename(new)
        self._rename({new: self.names[old], old: None})

    def remove(self, _: None, path: str) -> None:
        if os.path.basename(path) in self.names:  # else it is a lock
            self._rename({os.path.basename(path): None})

    def _rename(self, names: Names) -> None:
        self.names.update(names)
        self.steps.append(("name", names, ""))

    def states(self, first: int = 0) -> Iterator[dict[str, str]]:
        """Yield the files that may be there after each step from the first on."""
        for end in range(first, len(self.steps) + 1):
            names, texts = dict(self.first), dict(self.texts)
            renamed: list[Names] = []
            written: dict[int, str] = {}
            for what, which, data in self.steps[:end]:
                if what == "name":
                    renamed.append(which)
                elif what == "write":
                    written[which] = written.get(which, "") + data
                elif which == self.FOLDER:
                    for change in renamed:
                        names.update(change)
                    renamed.clear()
                else:
                    texts[which] = texts.get(which, "") + written.pop(which, "")
            for some in itertools.product((False, True), repeat=len(renamed)):
                now = dict(names)
                for change in itertools.compress(renamed, some):
                    now.update(change)
                for part in (0.0, 0.5, 1.0):
                    there = dict(texts)
                    for number, data in written.items():
                        there[number] = texts.get(number, "")
                        there[number] += data[: int(part * len(data))]
                    yield {
                        name: there.get(number, "")
                        for name, number in now.items()
                        if number is not None and NAME.fullmatch(name)
                    }


@pytest.mark.parametrize(
    "before, deed, allowed",
    [
        (
            {"KALAH.OUT": OLD},
            lambda area: area.change("KALAH.OUT", lambda there: NEW),
            [{"KALAH.OUT": OLD}, {"KALAH.OUT": NEW}],
        ),
        (
            {},
            lambda area: area.write("KALAH.OUT", NEW),
            [{}, {"KALAH.OUT": NEW}],
        ),
        ({}, lambda area: area.create("X.POS", NEW), [{}, {"X.POS": NEW}]),
        (
            {"A.TAP": OLD},
            lambda area: area.rename("A.TAP", "A.OLD"),
            [{"A.TAP": OLD}, {"A.OLD": OLD}],
        ),
        (
            {"A.POS": OLD},
            lambda area: area.move("A.POS", "B.POS"),
            [{"A.POS": OLD}, {"A.POS": OLD, "B.POS": OLD}, {"B.POS": OLD}],
        ),
        ({"A.POS": OLD}, lambda area: area.delete("A.POS"), [{"A.POS": OLD}, {}]),
        (
            {"KALAH.TMP": OLD},
            lambda area: area.change("KALAH.TMP", lambda there: None),
            [{"KALAH.TMP": OLD}, {}],
        ),
    ],
    ids=[
        "SAVE",
        "the first SAVE",
        "a new position",
        "NEW",
        "RENAME",
        "DELETE",
        "the end of a game",
    ],
)
def test_every_file_reads_whole_old_or_new(
    before: dict[str, str],
    deed: Callable[[Area], None],
    allowed: list[dict[str, str]],
    tmp_path: Path,
    monkeypatch: MonkeyPatch,
) -> None:
    area = Area(str(tmp_path))
    for name, text in before.items():
        area.write(name, text)
    with monkeypatch.context() as patch:
        disk = Disk(area, patch)
        deed(area)
    states = list(disk.states())
    assert {name: area.read(name) for name in area.names()} == allowed[-1]
    for state in disk.states(len(disk.steps)):  # it was said to be done
        assert state == allowed[-1] or not allowed[-1]
    assert all(state in allowed for state in states)
    assert all(state in states for state in allowed)
