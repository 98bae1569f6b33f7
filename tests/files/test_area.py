"""The area: what it lets in, and that it loses nothing."""

from __future__ import annotations

import errno
import importlib.util
import os
import shutil
import stat
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from pytest import MonkeyPatch

from sail.files import area as area_module
from sail.files import disk, seal
from sail.files.area import Area, InUse
from sail.monitor.registry import load
from sail.refusal import Refusal
from tests import paper
from tests.errors import refused
from tests.havoc import System, faulty
from tests.stand_ins import SHELF


def refusing(*calls: str) -> AbstractContextManager[System]:
    """Refuse these system calls of the area within the block."""
    return faulty(lambda call, _: call in calls, errno.EPERM)


@pytest.fixture
def area(tmp_path: Path) -> Area:
    (tmp_path / "area").mkdir()
    return Area(str(tmp_path / "area"))


@pytest.mark.parametrize(
    "name", ["CLUB.OUT", "KALAH.OUT", "A", "ABCDEF", "123456.789", "A.B", "9.PO"]
)
def test_what_is_written_is_read(name: str, area: Area) -> None:
    area.write(name, "ONE\n")
    area.change(name, lambda text: f"{text}TWO\n")
    assert area.read(name) == seal.sealed(name, "ONE\nTWO\n")
    assert area.names() == [name] and area.has(name)
    area.write("X.POS", "THREE\n", new=True)
    area.delete(name)
    assert area.names() == ["X.POS"]


BAD = (
    "", ".", "..", "~", "$HOME", "CON:", "A|B", "../X", "A/B", "/ETC/P", "TOOLONGX", "A.LONG", "A.", ".A", "A B",
    "A\n", "Å", "A.B.C", "A\0",
)  # fmt: skip


def test_bad_names_are_refused_printably(area: Area) -> None:
    for name in BAD:
        most = "6 LETTERS OR DIGITS"
        if name in ("A.LONG", "A.", "A.B.C"):
            most = "3 LETTERS OR DIGITS AFTER A PERIOD"
        for deed in (area.read, area.has, lambda n: area.write(n, "")):
            with pytest.raises(Refusal, match=f" IS NOT A NAME: AT MOST {most}[.]$"):
                deed(name)
    for name, shown in ("a b", "A B"), ("x\ny\7", "XY"), ("x" * 21, "X" * 20 + "..."):
        with refused(
            Refusal,
            f"{shown} IS NOT A NAME: AT MOST 6 LETTERS OR DIGITS.",
        ):
            area.read(name)


def test_links_and_other_files_are_not_seen(area: Area, tmp_path: Path) -> None:
    """Nor are they removed."""
    outside = tmp_path / "outside"
    outside.write_text("SECRET")
    os.symlink(outside, os.path.join(area.folder, "LINK.POS"))
    os.mkdir(os.path.join(area.folder, "FOLDER"))
    for name in ("lower_", "README.text", "A.POS.123"):
        open(os.path.join(area.folder, name), "w").close()
    assert area.names() == [] and area.has("NONE.POS") is False
    for name in ("LINK.POS", "FOLDER"):
        with refused(Refusal, f"CANNOT READ {name}: NOT A PLAIN FILE."):
            area.read(name)
    with refused(Refusal, "NONE.POS NOT FOUND."):
        area.read("NONE.POS")
    assert len(os.listdir(area.folder)) == 5


def test_what_the_folder_lacks_is_looked_up_on_the_shelf(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    area = Area(str(tmp_path / "area"), str(shelf))
    for name in ("A.POS", "B.POS"):
        (shelf / name).write_text(f"{name} OF THE SHELF")
    area.write("B.POS", "OURS")
    (tmp_path / "area" / "c.pos").write_text("SMALL")
    assert area.names() == ["B.POS", "C.POS"]
    assert area.names(with_shelf=True) == ["A.POS", "B.POS", "C.POS"]
    texts = [area.read(name) for name in ("A.POS", "B.POS", "C.POS")]
    assert texts == ["A.POS OF THE SHELF", "OURS", "SMALL"]
    with refused(Refusal, "D.POS NOT FOUND."):
        area.read("D.POS")
    (tmp_path / "area" / "C.Pos").write_text("SECOND")
    if len(os.listdir(area.folder)) < 3:
        pytest.skip("here capitals are no other letters")
    with refused(Refusal, "C.POS IS THE NAME OF SEVERAL FILES."):
        area.read("C.POS")
    (tmp_path / "area" / "C.POS").write_text("CAPITALS")
    assert area.read("C.POS") == "CAPITALS"
    alone = Area(str(tmp_path / "alone"), shelf="")
    alone.write("X.POS", "")
    assert alone.names(with_shelf=True) == ["X.POS"] and alone.read("X.POS") == ""


def test_a_new_file_replaces_none(area: Area) -> None:
    """Not even one that another program made in the meantime."""
    area.write("X.POS", "FIRST", new=True)
    with refused(Refusal, "X.POS ALREADY EXISTS.  TYPE ANOTHER NAME."):
        area.write("X.POS", "SECOND", new=True)

    def meanwhile(call: str, _: object) -> bool:
        if call == "fsync":
            Path(area.folder, "Y.POS").write_text("THEIRS")
        return False

    with faulty(meanwhile):
        for new in (True, False):
            with refused(Refusal, "CANNOT WRITE Y.POS: FILE EXISTS."):
                area.write("Y.POS", "OURS", new)
            assert area.read("Y.POS") == "THEIRS"
            os.remove(os.path.join(area.folder, "Y.POS"))
    with refusing("link"):
        area.write("Z.POS", "NO HARD LINKS HERE", new=True)
    assert area.read("Z.POS") == "NO HARD LINKS HERE"
    assert sorted(os.listdir(area.folder)) == ["X.POS", "Z.POS"]


def test_the_folders_of_a_new_area_are_flushed(tmp_path: Path) -> None:
    for folders in ([str(tmp_path / "new"), str(tmp_path)], []):
        with faulty() as system:
            Area(str(tmp_path / "new" / "area")).write("X.POS", "")
        opened = [words[0] for call, words in system.calls if call == "open"]
        assert opened[: len(folders)] == folders


def test_a_file_in_lower_case_is_the_same_file(area: Area) -> None:
    small = Path(area.folder, "mine.out")
    small.write_text("1")
    assert area.has("MINE.OUT") and area.read("MINE.OUT") == "1"
    area.change("MINE.OUT", lambda there: f"{there}2")
    assert area.names() == ["MINE.OUT"] and os.listdir(area.folder) == ["mine.out"]
    assert small.read_text() == "12"
    area.delete("MINE.OUT")
    assert os.listdir(area.folder) == []


def test_ends_of_lines_and_a_mark_before_a_text(area: Area) -> None:
    """CR LF and CR become LF; nothing else is the end of a line.

    Notepad puts the mark there, even in a file of the program's own: it stays whole.
    """
    area.write("KALAH.TAL", "LEARN 1\n")
    file = Path(area.folder, "KALAH.TAL")
    whole = area.read("KALAH.TAL")
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert area.read("KALAH.TAL") == whole
    area.rename("KALAH.TAL", "OLD.TAL")
    assert area.read("OLD.TAL") == whole
    file = Path(area.folder, "X.POS")
    file.write_bytes(b"\xef\xbb\xbfA 0 1\n")
    assert area.read("X.POS") == "A 0 1\n"
    file.write_bytes("A\r\nB\rC\u2028D\x85E\n".encode())
    assert area.read("X.POS") == "A\nB\nC\u2028D\x85E\n"
    file.write_bytes("A\u2028\n\x85\x0c\n".encode() + b"\xff\n")
    with refused(Refusal, "X.POS LINE 3 IS NOT TEXT."):
        area.read("X.POS")


BITS = {"X.POS": 16, "X.TAL": 16, "X.TMP": 16, "X": 20, "X.OUT": 20, "ATLAS.TAP": 20}


@pytest.mark.parametrize("name, bits", [*BITS.items(), ("KALAH.OUT", 24)])
def test_how_large_a_file_may_be(name: str, bits: int, area: Area) -> None:
    most = 1 << bits
    room = most - len(seal.sealed(name, ""))
    area.write(name, "A" * room)
    assert len(area.read(name)) == most
    os.truncate(os.path.join(area.folder, name), most + 1)
    with refused(Refusal, f"{name} IS TOO LARGE."):
        area.read(name)
    with refused(Refusal, f"CANNOT WRITE {name}: IT IS FULL."):
        area.write(name, "A" * (room + 1))


def test_a_file_too_large_is_not_read(area: Area, monkeypatch: MonkeyPatch) -> None:
    """Four gigabytes of nothing are refused without a look at them."""
    area.write("KALAH.TAL", "")
    os.truncate(os.path.join(area.folder, "KALAH.TAL"), 4 << 30)
    monkeypatch.setattr(os, "read", Mock(side_effect=MemoryError))
    with refused(Refusal, "KALAH.TAL IS TOO LARGE."):
        area.change("KALAH.TAL", lambda text: text)


def test_a_file_that_comes_in_pieces(area: Area, monkeypatch: MonkeyPatch) -> None:
    """No read asks for more than the file has: Python makes room for it."""
    real_read, real_write = os.read, os.write
    pieces: list[bytes] = []

    def read(file: int, most: int) -> bytes:
        assert most <= 20
        pieces.append(real_read(file, min(most, 3)))
        return pieces[-1]

    monkeypatch.setattr(os, "read", read)
    monkeypatch.setattr(os, "write", lambda file, data: real_write(file, data[:3]))
    area.write("X.POS", "FOUR SCORE AND SEVEN")
    assert area.read("X.POS") == "FOUR SCORE AND SEVEN"
    assert b"".join(pieces) == b"FOUR SCORE AND SEVEN"


def test_a_change_that_fails_changes_nothing(area: Area) -> None:
    area.change("X.POS", lambda text: f"<{text}>")
    with pytest.raises(ZeroDivisionError):
        area.change("X.POS", lambda text: str(1 // (text != "<>")))
    assert area.read("X.POS") == "<>" and os.listdir(area.folder) == ["X.POS"]


def test_what_a_person_may_have_typed_is_told_apart(area: Area) -> None:
    """From what came with KALAH, and from what KALAH wrote."""
    assert area.read("STUDY.POS") and not area.may_be_typed("STUDY.POS")
    area.write("STUDY.POS", "MINE")
    area.write("MISTAK.POS", "ITS")
    names = "STUDY.POS", "MISTAK.POS", "LEARN.POS", "NONE.POS"
    assert [*map(area.may_be_typed, names)] == [True, False, False, False]


def test_only_the_users_own_is_deleted_or_moved(area: Area, tmp_path: Path) -> None:
    outside = tmp_path / "X.POS"
    outside.write_text("SECRET")
    os.symlink(outside, tmp_path / "area" / "LINK.POS")
    (tmp_path / "area" / "DIR.POS").mkdir()
    area.write("X.OUT", "X")
    area.write("FIG2.POS", "MINE")
    area.hold("X.OUT")
    here = sorted(os.listdir(area.folder))
    exists = "{} ALREADY EXISTS.  TYPE ANOTHER NAME."
    no_name = "{} IS NOT A NAME: AT MOST 6 LETTERS OR DIGITS."
    for name, told, taken in (  # what is told of a change, and of this as a new name
        ("LINK.POS", "CANNOT CHANGE {}: NOT A PLAIN FILE.", exists),
        ("DIR.POS", "CANNOT CHANGE {}: NOT A PLAIN FILE.", exists),
        ("LEARN.POS", "{} CAME WITH KALAH: IT STAYS.", exists),
        ("../X.POS", no_name, no_name),
        (".X.OUT.LCK", no_name, no_name),
        ("X.OUT", in_use := "{} IS IN USE BY THE PROGRAM THAT ^C STOPPED.", in_use),
        ("X.POS", "{} NOT FOUND.", ""),
    ):
        for deed in (area.delete, lambda name: area.rename(name, "NEW.POS")):
            with refused(Refusal, told.format(name)):
                deed(name)
        if taken:
            with refused(Refusal, taken.format(name)):
                area.rename("FIG2.POS", name)
    assert sorted(os.listdir(area.folder)) == here
    assert outside.read_text() == "SECRET"
    area.delete("FIG2.POS")
    with refused(Refusal, "FIG2.POS CAME WITH KALAH: IT STAYS."):
        area.delete("FIG2.POS")


def test_a_visitor_sees_the_shelf_and_the_owners_saved_games(area: Area) -> None:
    """He can change these, and nothing else."""
    for name in ("KALAH.OUT", "CLUB.OUT", "MINE.POS", "FIG2.POS"):
        area.write(name, "MINE\n")
    visitor = Area(area.folder, for_visitor=True)
    assert visitor.names() == ["KALAH.OUT"] and not visitor.has("MINE.POS")
    assert visitor.read("KALAH.OUT") == seal.sealed("KALAH.OUT", "MINE\n")
    assert visitor.read("FIG2.POS") == (SHELF / "FIG2.POS").read_text()
    assert {"MINE.POS", "FIG2.POS"} & {*visitor.names(with_shelf=True)} == {"FIG2.POS"}
    visitor.change("KALAH.OUT", lambda text: f"{text}HIS\n")
    assert area.read("KALAH.OUT") == seal.sealed("KALAH.OUT", "MINE\nHIS\n")
    with refused(Refusal, "MINE.POS NOT FOUND."):
        visitor.read("MINE.POS")
    for name in ("MINE.POS", "NEW.POS"):
        writes = (lambda it: visitor.write(it, "HIS"), visitor.delete, visitor.hold)
        for deed in (*writes, visitor.expect_own):
            with refused(Refusal, f"VISITORS CANNOT WRITE {name}."):
                deed(name)
    assert area.read("MINE.POS") == "MINE\n" and not area.has("NEW.POS")


def test_a_folder_is_made_if_it_can_be(area: Area, tmp_path: Path) -> None:
    """Again, too, if it has gone."""
    os.rmdir(area.folder)
    assert area.names() == [] and not area.has("KALAH.OUT")
    area.write("KALAH.OUT", "")
    assert area.names() == ["KALAH.OUT"]
    shutil.rmtree(area.folder)
    Path(area.folder).touch()
    with refused(Refusal, "CANNOT WRITE KALAH.OUT: FILE EXISTS."):
        area.write("KALAH.OUT", "")
    Area(str(tmp_path / "one" / "two")).write("X.POS", "")
    assert (tmp_path / "one" / "two" / "X.POS").exists()
    below = f"{tmp_path}/one/two/X.POS/area"
    with refused(Refusal, f"Cannot use the area {below}: Not a directory."):
        Area(below)
    with refused(Refusal, "The area has no name: choose a folder with --area."):
        Area("")


def test_a_slip_in_the_name_of_an_area_makes_no_folder(tmp_path: Path) -> None:
    """Nothing makes one but what is saved there."""
    area = Area(str(tmp_path / "slip"))

    def names(program: str, keys: str) -> list[str]:
        paper.leave(lambda tty: load(program)(tty, area).run(), keys.split())
        return area.names()

    assert names("ATLAS", "3 Q Q") == names("KALAH", "Q") == []
    assert not os.path.exists(area.folder)
    assert names("KALAH", "3 C Y Q N") == ["KALAH.TMP"]


@pytest.mark.parametrize(
    "call, deed, word",
    [
        ("open", "write", "WRITE"), ("write", "write", "WRITE"), ("fsync", "write", "WRITE"), ("replace", "write", "WRITE"),
        ("open", "read", "READ"), ("lstat", "read", "READ"), ("lstat", "has", "READ"),
    ],
)  # fmt: skip
def test_what_is_refused_is_told(call: str, deed: str, word: str, area: Area) -> None:
    area.write("X.POS", "OLD")
    words = ("X.POS", "NEW") if deed == "write" else ("X.POS",)
    line = f"CANNOT {word} X.POS: OPERATION NOT PERMITTED."
    with refusing(call), refused(Refusal, line):
        getattr(area, deed)(*words)
    assert os.listdir(area.folder) == ["X.POS"] and area.read("X.POS") == "OLD"


def mode(area: Area, name: str) -> int:
    return stat.S_IMODE(os.stat(os.path.join(area.folder, name)).st_mode)


def test_a_new_file_is_for_all_whom_the_user_lets(area: Area) -> None:
    """So is a lock, which other users must be able to take over."""
    pytest.importorskip("fcntl")
    before = os.umask(0)
    area.write("X.POS", "")
    area.hold("X.POS")
    os.umask(before)
    assert mode(area, "X.POS") == mode(area, ".X.POS.LCK") == 0o666
    area.release("X.POS")
    os.chmod(os.path.join(area.folder, "X.POS"), 0o640)
    area.write("X.POS", "")
    assert mode(area, "X.POS") == 0o640


def test_the_lock_of_another_user_is_taken_over(area: Area) -> None:
    """Links and pipes are not opened, whatever was there when somebody looked."""
    pytest.importorskip("fcntl")
    open(os.path.join(area.folder, ".X.POS.LCK"), "w").close()

    def is_refused(call: str, words: Any) -> bool:
        return call == "open" and ".LCK" in words[0] and bool(words[1] & os.O_CREAT)

    with faulty(is_refused, errno.EACCES) as system:
        area.write("X.POS", "TEXT")
    assert os.listdir(area.folder) == ["X.POS"]
    for path, flags, *_ in (words for call, words in system.calls if call == "open"):
        assert path == area.folder or flags & os.O_NOFOLLOW and flags & os.O_NONBLOCK
        assert bool(flags & os.O_EXCL) == path.endswith(".NEW")


def test_a_file_turned_trap_is_not_read(area: Area, monkeypatch: MonkeyPatch) -> None:
    """Between the look and the opening."""
    area.write("X.POS", "")
    plain = os.lstat(os.path.join(area.folder, "X.POS"))
    os.mkfifo(os.path.join(area.folder, "PIPE"))
    os.symlink("X.POS", os.path.join(area.folder, "LINK"))
    monkeypatch.setattr(os, "lstat", lambda path: plain)
    traps = ("PIPE", "NOT A PLAIN FILE"), ("LINK", "TOO MANY LEVELS OF SYMBOLIC LINKS")
    for name, told in traps:
        with refused(Refusal, f"CANNOT READ {name}: {told}."):
            area.read(name)


def test_how_long_a_lock_is_waited_for(area: Area, monkeypatch: MonkeyPatch) -> None:
    """A second for what it holds, ten for what it writes."""
    pytest.importorskip("fcntl")
    naps: list[float] = []
    other = Area(area.folder)

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 7:
            other.release("X.POS")

    clock = SimpleNamespace(monotonic=lambda: len(naps) / 4, sleep=sleep)
    monkeypatch.setattr(disk, "time", clock)
    other.hold("X.POS")
    with pytest.raises(InUse):
        area.hold("X.POS")
    assert len(naps) == 4 and max(naps) < 0.1
    area.hold("X.POS")  # it is free after three more
    area.release("X.POS")

    def writing(_: str) -> str:
        with refused(InUse, "CANNOT WRITE X.POS: ANOTHER SESSION IS USING IT."):
            area.write("X.POS", "MINE")
        return "OTHER"

    other.change("X.POS", writing)
    assert area.read("X.POS") == "OTHER"
    assert len(naps) == 7 + 40


def test_an_area_is_made_by_two_sessions_and_without_locks(
    tmp_path: Path, monkeypatch: MonkeyPatch, area: Area
) -> None:
    """The other one makes it after this one has found that there is none."""
    there = iter([False])
    monkeypatch.setattr(os.path, "isdir", lambda _: next(there, True))
    disk.make_folder(str(tmp_path))
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(fcntl, "flock", Mock(side_effect=OSError(errno.ENOLCK, "")))
    area.write("X.POS", "TEXT")
    assert area.read("X.POS") == "TEXT" and os.listdir(area.folder) == ["X.POS"]


def test_a_lock_without_file_is_retaken(area: Area, monkeypatch: MonkeyPatch) -> None:
    """Its last holder removed it, and another made it anew, before we had it."""
    fcntl = pytest.importorskip("fcntl")
    path = os.path.join(area.folder, ".X.POS.LCK")
    real = fcntl.flock
    taken: list[int] = []

    def flock(descriptor: int, how: int) -> None:
        real(descriptor, how)
        taken.append(descriptor)
        if len(taken) < 3:
            os.remove(path)
        if len(taken) == 2:
            open(path, "w").close()

    monkeypatch.setattr(fcntl, "flock", flock)
    area.hold("X.POS")
    assert os.path.samestat(os.fstat(taken[-1]), os.stat(path))
    area.release("X.POS")
    assert os.listdir(area.folder) == []
    with pytest.raises(OSError):
        os.fstat(taken[-1])


def test_windows_has_no_locks_and_modes(area: Area, monkeypatch: MonkeyPatch) -> None:
    """There a folder cannot be opened, and files are opened as O_BINARY.

    Another flag stands for O_BINARY here.
    """
    spec = importlib.util.find_spec("sail.files.disk")
    assert spec and spec.loader
    monkeypatch.setattr(os, "O_BINARY", os.O_APPEND, raising=False)
    windows = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(windows)
    monkeypatch.setattr(area_module, "disk", windows)
    real = os.open

    def files_alone(path: str, flags: int, *rest: int) -> int:
        if os.path.isdir(path):
            raise PermissionError
        assert flags & os.O_APPEND
        return real(path, flags, *rest)

    monkeypatch.setattr(os, "open", files_alone)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.delattr(os, "fchmod", raising=False)
    first, second = Area(area.folder), Area(area.folder)
    for held in (first, second):
        held.hold("X.POS")
        held.write("X.POS", "OLD")
        held.change("X.POS", lambda text: f"{text} AND NEW")
    first.release("X.POS")
    assert first.read("X.POS") == "OLD AND NEW"
    assert os.listdir(area.folder) == ["X.POS"]
