"""Nothing is lost: faults of disk, files, input and processes."""

from __future__ import annotations

import ast
import errno
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sail import area as rooms
from sail.area import Area, AreaError, FileMissing, InUse
from sail.board import start
from sail.line.ports import Port
from sail.line.station import Station
from sail.monitor import Monitor
from sail.programs import record
from sail.programs.game import Ending
from sail.programs.kalah import dialogue as kalah
from sail.programs.kalah import says
from sail.programs.kalah.files import TMP, Autosave, save_game, save_position
from sail.programs.questions import fetch
from sail.programs.record import OUT
from sail.special import Special
from sail.teletype import EndOfInput, Leave, Teletype
from tests import paper
from tests.line.virtual import wired
from tests.programs.test_kalah import NOW, PROMPTS, Scripted, standing_still

pytest.importorskip("fcntl")

from tests import havoc

ROOT = Path(__file__).parent.parent
KALAH = str(ROOT / "kalah.py")


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that finds another one there waits less than a second."""
    monkeypatch.setattr(rooms, "MOMENT", 0.02)


@pytest.fixture
def quick() -> Iterator[Path]:
    """A folder in memory, if there is one: for what is tried often."""
    with tempfile.TemporaryDirectory(dir=havoc.memory()) as folder:
        yield Path(folder)


def session(tty: Teletype, folder: Path) -> None:
    """KALAH with a search that plays the lowest pit."""
    dialogue = kalah.Dialogue(tty, Area(str(folder)), lambda: NOW, standing_still)
    dialogue.opponent.search = Scripted()
    dialogue.run()


def talk(keys: list[str], folder: Path) -> str:
    """The paper of a session that is typed these lines."""
    return paper.play(lambda tty: session(tty, folder), keys)


# Killed, refused, crowded.


def test_killed_at_random_moments(tmp_path: Path) -> None:
    tried, losses = havoc.kills(tmp_path, 120)
    print(f"killed {tried} times, {losses} losses")
    assert (tried, losses) == (120, 0)


def test_killed_at_every_call_of_the_writing(quick: Path) -> None:
    tried, losses = havoc.deaths(quick)
    assert tried > 150 and losses == 0


def test_every_call_of_the_writing_refused(quick: Path) -> None:
    tried, losses = havoc.refusals(quick, [errno.ENOSPC, errno.EIO])
    assert tried > 400 and losses == 0


def test_an_allocation_of_the_writing_fails(quick: Path) -> None:
    if sys.implementation.name != "cpython":
        pytest.skip("only CPython can be told to refuse memory")
    pytest.importorskip("_testcapi")
    tried, losses = havoc.allocations(quick, 6)
    assert tried == 72 and losses == 0


def test_four_processes_save_a_hundred_games_each(quick: Path) -> None:
    assert havoc.writers(quick, 4, 100) == (400, 0)


def test_sessions_that_start_at_the_same_moment(quick: Path) -> None:
    assert havoc.starts(quick, 5, 8) == (40, 0)


def test_sessions_of_kalah_in_one_area(quick: Path) -> None:
    tried, losses = havoc.crowd(quick, 6, 5)
    assert tried >= 30 and losses == 0


def test_sessions_of_atlas_in_one_area(quick: Path) -> None:
    assert havoc.learners(quick, 6, 20) == (120, 0)


def test_sessions_of_solve_in_one_area(quick: Path) -> None:
    assert havoc.builders(quick, 4) == (4, 0)


def test_memory_and_handles_in_whole_games(quick: Path) -> None:
    memory, handles = havoc.whole_games(quick, 8, 4, print)
    # Others translate as they go, which takes memory too.
    most = 5_000_000 if sys.implementation.name == "cpython" else 100_000_000
    assert memory < most and handles == 0


def test_a_new_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path) -> None:
    """With the mode of the old one."""
    area = Area(str(tmp_path))
    area.write("X.POS", "OLD")
    with havoc.faulty() as system:
        area.write("X.POS", "NEW")
    order = [call for call in system.calls if call in ("fchmod", "fsync", "replace")]
    assert order == ["fchmod", "fsync", "replace", "fsync"]


def test_a_write_that_comes_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:3]))
    area = Area(str(tmp_path))
    area.write("X.POS", "FOUR SCORE AND SEVEN")
    assert area.read("X.POS") == "FOUR SCORE AND SEVEN"


@pytest.mark.parametrize("mode", [0o640, 0o666])
def test_a_file_keeps_its_mode(mode: int, tmp_path: Path) -> None:
    area = Area(str(tmp_path))
    area.write("X.POS", "OLD")
    os.chmod(tmp_path / "X.POS", mode)
    area.write("X.POS", "NEW")
    assert stat.S_IMODE(os.stat(tmp_path / "X.POS").st_mode) == mode


def test_the_mode_is_not_given_to_what_was_put_in_the_way(tmp_path: Path) -> None:
    """Somebody puts a link in the place of the new file while it is written."""
    folder = tmp_path / "area"
    area = Area(str(folder))
    area.write("X.POS", "OLD")
    os.chmod(folder / "X.POS", 0o666)
    outside = tmp_path / "outside"
    outside.write_text("SECRET")
    os.chmod(outside, 0o600)

    def swap(call: str, _: object) -> bool:
        if call == "write":
            (folder / ".X.POS.NEW").unlink()
            (folder / ".X.POS.NEW").symlink_to(outside)
        return False

    with havoc.faulty(swap):
        area.write("X.POS", "NEW")
    assert stat.S_IMODE(os.stat(outside).st_mode) == 0o600
    assert outside.read_text() == "SECRET"


def test_without_locks_files_are_replaced_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    area = Area(str(tmp_path))
    for count in range(1, 4):
        area.hold(TMP)
        area.hold(TMP)
        save_game(area, havoc.a_game(*(3, 6, 1)[:count]), False)
        assert len(record.read(area.read(OUT), OUT)) == count
    assert os.listdir(tmp_path) == [OUT]


# A disk that is full, and has room again.


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for a few games."""
    words = ["-t", "tmpfs", "-o", "size=32k", "tmpfs", str(tmp_path)]
    if subprocess.run(["mount", *words], check=False, capture_output=True).returncode:
        pytest.skip("cannot mount")
    try:
        yield tmp_path
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    ballast = small_disk / "ballast"

    def fill() -> None:
        with open(ballast, "wb", buffering=0) as file, pytest.raises(OSError):
            while True:
                file.write(b"x" * 512)

    filled_and_emptied(small_disk, fill, ballast.unlink)


def test_a_limit_of_the_size_of_files(tmp_path: Path) -> None:
    """The write itself is cut short and then refused."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    filled_and_emptied(
        tmp_path,
        lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20, hard)),
        lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)),
    )


def filled_and_emptied(
    folder: Path, fill: Callable[[], object], empty: Callable[[], object]
) -> None:
    """A game and its saving, before, while and after nothing can be written."""
    area = Area(str(folder))
    talk(["3", "C", "Y", "QUIT", "SAVE", "N"], folder)

    class Sheet(paper.Paper):
        def ask(self, prompt: str = "") -> str:
            key = super().ask(prompt)
            if key == "SHOW":
                fill()
            if key == "?":
                empty()
            return key

    keys = ["3", "C", "Y", "3", "SHOW", "6", "1", "SAVE X", "CONCEDE"]
    sheet = Sheet([*keys, "SAVE", "?", "SAVE", "Y", "4", "C", "Y", "2"])
    try:
        with pytest.raises(EndOfInput):
            session(sheet, folder)
    finally:
        empty_if_needed(empty)
    refused = [line for line in sheet.text.splitlines() if "CANNOT WRITE" in line]
    assert [line.split(":")[0] for line in refused] == [
        "CANNOT WRITE KALAH.TMP",  # once, not for every submove
        "CANNOT WRITE X.POS",
        "CANNOT WRITE KALAH.OUT",
    ]
    assert "I MOVE FROM PIT" in sheet.text and "YOU CONCEDE." in sheet.text
    games = record.read(area.read(OUT), OUT)
    assert (
        len(games) == 2
        and games[1].ending == Ending.CONCEDED
        and len(games[1].moves) > 3
    )
    (left,) = record.read(area.read(TMP), TMP)
    assert left.start == start(4) and left.moves[0] == 2
    assert not any(map(havoc.is_hidden, os.listdir(folder)))


def empty_if_needed(empty: Callable[[], object]) -> None:
    try:
        empty()
    except FileNotFoundError:
        pass


def as_nobody(deed: Callable[[], object]) -> None:
    """Do the deed as a user without rights, when root runs the test."""
    as_root = os.getuid() == 0
    words = (havoc.as_user, 65534, deed) if as_root else (deed,)
    _, status = os.waitpid(havoc.in_a_child(*words), 0)
    assert status == 0


@pytest.fixture
def everyones() -> Iterator[Path]:
    """A folder that a user without rights can reach, and work in.

    Not below pytest's own, which another run of it takes from all others.
    """
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield Path(folder)


def test_a_read_only_area_and_a_file_of_another_user(everyones: Path) -> None:
    folder = everyones
    talk(["3", "C", "Y", "QUIT", "SAVE", "N"], folder)
    Area(str(folder)).write("X.POS", "A 0 1\nB 0 1\nA TO MOVE\n")
    before = (folder / OUT).read_bytes()
    os.chmod(folder / OUT, 0o444)

    def another_user() -> None:
        told = talk(["3", "C", "Y", "3", "SAVE Y", "QUIT", "SAVE", "N"], folder)
        assert told.count("CANNOT WRITE KALAH.OUT: PERMISSION DENIED.") == 1
        assert says.POSITION_SAVED.format("Y.POS") in told

    def guest() -> None:
        told = talk(["3", "C", "Y", "3", "SAVE Z", "QUIT", "SAVE", "N"], folder)
        for name in (TMP, "Z.POS", OUT):
            assert told.count(f"CANNOT WRITE {name}: PERMISSION DENIED.") == 1
        assert "THE GAME IS ENDED." in told

    as_nobody(another_user)
    os.chmod(folder, 0o555)
    as_nobody(guest)
    os.chmod(folder, 0o777)
    assert (folder / OUT).read_bytes() == before


def test_locks_that_another_user_has_left_are_taken_over(everyones: Path) -> None:
    """He was killed; they are his, and nobody else can write them."""
    for name in ("KALAH.TMP.USE", "KALAH.TMP.LCK", "KALAH.OUT.LCK", "X.POS.LCK"):
        lock = everyones / f".{name}"
        lock.write_text("")
        os.chmod(lock, 0o644)

    def another_user() -> None:
        told = talk(["3", "C", "Y", "3", "SAVE X", "QUIT", "SAVE", "N"], everyones)
        assert "CANNOT" not in told and ANOTHER not in told
        assert "THIS POSITION IS SAVED ON X.POS." in told
        assert "THE GAME IS SAVED ON KALAH.OUT." in told

    as_nobody(another_user)
    assert len(record.read((everyones / OUT).read_text(), OUT)) == 1
    assert not any(map(havoc.is_hidden, os.listdir(everyones)))


def test_users_who_are_killed_one_after_the_other(everyones: Path) -> None:
    if os.getuid():
        pytest.skip("only root can be several users")
    assert havoc.users(everyones, 20) == (20, 0)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("mode", [0o777, 0o755])
def test_a_game_of_another_user_is_not_offered(mode: int, everyones: Path) -> None:
    """While it goes on; afterwards it is."""
    going_on = Autosave(Area(str(everyones)), on=True)
    assert going_on.load() is None
    going_on.write(havoc.a_game(3))
    os.chmod(everyones, mode)

    def told_so() -> None:
        assert talk(["Q"], everyones).startswith(ANOTHER + "\n" + says.START_WITH)

    def offered() -> None:
        assert talk(["^C"], everyones).startswith(says.GO_ON)

    as_nobody(told_so)
    going_on.close()
    as_nobody(offered)
    os.chmod(everyones, 0o777)


@pytest.fixture
def closed() -> Iterator[Callable[[Path], None]]:
    """Takes a path from a user without rights, until the test is over."""
    paths: list[Path] = []

    def close(path: Path) -> None:
        paths.append(path)
        os.chmod(path, 0)

    yield close
    for path in paths:
        os.chmod(path, 0o777)


def test_an_unreadable_area(everyones: Path, closed: Callable[[Path], None]) -> None:
    folder = everyones / "area"
    folder.mkdir()
    closed(folder)

    def no_area() -> None:
        with pytest.raises(AreaError) as error:
            Area(str(folder))
        told = f"Cannot read the area {folder}: choose another with --area."
        assert str(error.value) == told

    as_nobody(no_area)


def test_an_unreadable_file(everyones: Path, closed: Callable[[Path], None]) -> None:
    """It is told, and not taken for one that is not there."""
    (everyones / OUT).write_bytes(GAME)
    (everyones / "X.POS").write_text("A 0 1\nB 0 1\nA TO MOVE\n")
    for name in (OUT, "X.POS"):
        closed(everyones / name)

    def refused() -> None:
        area = Area(str(everyones))
        assert area.has(OUT) and area.names() == [OUT, "X.POS"]
        for name in (OUT, "X.POS"):
            with pytest.raises(AreaError) as error:
                area.read(name)
            assert str(error.value) == f"CANNOT READ {name}: PERMISSION DENIED."
            with pytest.raises(AreaError) as error:
                area.write(name, "")
            assert str(error.value) == f"CANNOT WRITE {name}: PERMISSION DENIED."

    as_nobody(refused)
    assert (everyones / OUT).read_bytes() == GAME


# What is no file, and what is damaged.

GAME = record.write(havoc.a_game(3, 6)).encode()


def a_folder(path: Path) -> None:
    path.mkdir()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path.name)
    finally:
        os.chdir(here)


def a_device(path: Path) -> None:
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 5))  # endless zeros
    except OSError:
        pytest.skip("cannot make a device")


def a_link(path: Path) -> None:
    outside = path.parent.parent / "outside"
    outside.write_bytes(GAME)
    path.symlink_to(outside)


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to(path.parent.parent / "nothing")


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


NO_FILES = (
    a_folder,
    a_pipe,
    a_socket,
    a_device,
    a_link,
    a_link_to_nothing,
    a_link_to_itself,
)


def state(path: Path) -> tuple[object, ...]:
    """What must stay as it is."""
    there = os.lstat(path)
    plain = stat.S_ISREG(there.st_mode) and there.st_size < 1 << 20
    return there.st_ino, there.st_mode, there.st_size, plain and path.read_bytes()


def use(folder: Path) -> str:
    """The paper of sessions that read and write every kind of file."""
    saving = ["SAVE X", "QUIT", "SAVE", "N"]
    return "".join(
        talk(keys, folder)
        for keys in (
            ["SPECIAL X", "SPECIAL KALAH.OUT", "?", "3", "C", "Y", "3", *saving],
            ["4", "T", "Y", "QUIT", "N"],
        )
    )


FILES = (TMP, OUT, "KALAH.WON", "X.POS")


@pytest.mark.parametrize("make", NO_FILES)
@pytest.mark.parametrize("name", FILES)
def test_what_is_no_file_is_let_alone(
    make: Callable[[Path], None], name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "area"
    folder.mkdir()
    make(folder / name)
    before = state(folder / name)
    told = use(folder)
    assert state(folder / name) == before
    assert told.count(f"CANNOT WRITE {name}: NOT A PLAIN FILE.") == 1 + (name == TMP)
    assert not any(map(havoc.is_hidden, os.listdir(folder)))
    if make is a_link:
        assert (tmp_path / "outside").read_bytes() == GAME
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("make", [a_folder, a_pipe, a_link, a_link_to_itself])
@pytest.mark.parametrize("what", ["NEW", "LCK", "USE"])
def test_what_lies_beside_is_not_followed_either(
    make: Callable[[Path], None], what: str, tmp_path: Path
) -> None:
    """Nor does it end the game; a left-over file is taken over."""
    folder = tmp_path / "area"
    folder.mkdir()
    for name in FILES:
        make(folder / f".{name}.{what}")
        (tmp_path / "outside").unlink(missing_ok=True)
    (tmp_path / "outside").write_text("SECRET")
    use(folder)
    assert (tmp_path / "outside").read_text() == "SECRET"


DAMAGED = {
    "cut": GAME[:-9],
    "binary": bytes(range(256)),
    "zeros": bytes(5000),
    "UTF-16": GAME.decode().encode("utf-16"),
    "EBCDIC": GAME.decode().encode("cp500"),
    "Latin": "É".encode("latin-1") + GAME,
    "BOM": b"\xef\xbb\xbf" + GAME,
    "a line of 5 MB": b"A" * 5_000_000,
    "lone CR": GAME.replace(b"\n", b"\r"),
    "lower case": GAME.lower(),
    "another game of today": GAME.replace(b"1972", b"1973"),
    "format": b"%s%n{0.__class__}{}\n" + GAME,
}


@pytest.mark.parametrize("kind", DAMAGED)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_told_and_left_alone(
    kind: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(DAMAGED[kind])
    before = state(tmp_path / name)
    told = use(tmp_path)
    assert state(tmp_path / name) == before
    lines = [line for line in told.splitlines() if line.startswith(name)]
    assert lines and max(map(len, told.splitlines())) <= 72
    assert all(
        any(word in line for word in (" LINE ", "ENDS TOO EARLY", "TOO LARGE", "THERE"))
        for line in lines
    )


@pytest.mark.parametrize("name", FILES)
def test_a_huge_file_is_refused_unread(name: str, tmp_path: Path) -> None:
    """300 GB, nearly all of it a hole."""
    (tmp_path / name).write_bytes(GAME)
    os.truncate(tmp_path / name, 300 << 30)
    before = state(tmp_path / name)
    memory = havoc.resident()
    told = use(tmp_path)
    assert f"{name} IS TOO LARGE." in told
    assert state(tmp_path / name) == before
    assert havoc.resident() - memory < 3 * rooms.MOST_TEXT


def test_a_full_file_is_not_grown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MOST_TEXT", len(GAME) + 9)
    area = Area(str(tmp_path))
    save_game(area, havoc.a_game(3, 6), False)
    with pytest.raises(AreaError) as error:
        save_game(area, havoc.a_game(3), False)
    assert str(error.value) == "CANNOT WRITE KALAH.OUT: IT IS FULL."
    assert area.read_bytes(OUT) == GAME


@pytest.mark.parametrize("line", ["A 1\n", "A " + "1 " * 99 + "\n", "\n", ";\n", "1"])
def test_a_large_text_of_nothing_is_no_trap(line: str, tmp_path: Path) -> None:
    """Neither as a position nor as games, though it may be read."""
    for name in (OUT, "X.POS"):
        (tmp_path / name).write_text(line * ((rooms.MOST_TEXT - 99) // len(line)))
    told = talk(["SPECIAL X", "SPECIAL KALAH.OUT", "Q"], tmp_path)
    assert "X.POS IS TOO LARGE." in told and "KALAH.OUT IS DAMAGED AT LINE 1." in told


def test_every_cut_and_byte_of_the_game_left(quick: Path) -> None:
    """Never another game than the one that was kept."""
    tried, losses = havoc.damages(
        GAME, havoc.is_wrong_game(Area(str(quick))), b"\x00123459AB +-\r\n\xff"
    )
    print(f"{tried} damaged files, {losses} taken for a game")
    assert tried > 1500 and losses == 0


def test_every_cut_and_byte_of_a_position(quick: Path) -> None:
    """Refused, or what then stands there."""
    whole = (ROOT / "saves" / "FIG2.POS").read_bytes()
    tried, losses = havoc.damages(
        whole, havoc.is_wrong_position(Area(str(quick))), b"\x0019AB ;,-\r\n\x0c\xff"
    )
    assert tried > 1500 and losses == 0


def test_a_file_that_turns_into_a_link_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the opening."""
    area = Area(str(tmp_path / "area"))
    a_link(tmp_path / "area" / "X.POS")
    looked = iter([True, False])
    monkeypatch.setattr(rooms, "_is_plain", lambda path: next(looked))
    with pytest.raises(FileMissing):
        area.read("X.POS")


def test_saving_forgets_no_other_game_than_the_one_saved(tmp_path: Path) -> None:
    """A game is left, the next cannot be kept but is saved."""
    talk(["3", "C", "Y", "3", "^C"], tmp_path)
    before = (tmp_path / TMP).read_bytes()

    def is_of_the_game(call: str, arguments: havoc.Words) -> bool:
        return call == "open" and ".KALAH.TMP.NEW" in arguments[0]

    with havoc.faulty(is_of_the_game):
        told = talk(["N", "4", "C", "Y", "2", "QUIT", "SAVE", "N"], tmp_path)
    assert says.GAME_SAVED in told and (tmp_path / TMP).read_bytes() == before


# Two sessions.

ANOTHER = says.NOT_KEPT.format(says.ANOTHER_SESSION)


@pytest.mark.usefixtures("hasty")
def test_the_second_session_is_told_and_keeps_nothing(tmp_path: Path) -> None:
    class First(paper.Paper):
        def ask(self, prompt: str = "") -> str:
            if self.keys == ["6"]:
                kept = (tmp_path / TMP).read_bytes()
                second = talk(["4", "C", "Y", "2", "QUIT", "SAVE", "N"], tmp_path)
                assert second.startswith(ANOTHER + "\n" + says.START_WITH)
                assert second.count(ANOTHER) == 1 and says.GAME_SAVED in second
                assert (tmp_path / TMP).read_bytes() == kept
            return super().ask(prompt)

    with pytest.raises(EndOfInput):
        session(First(["3", "C", "Y", "3", "6"]), tmp_path)
    (left,) = record.read((tmp_path / TMP).read_text(), TMP)
    assert left.start == start(3) and left.moves[:2] == (3, 6)
    third = talk(["Y", "QUIT", "N"], tmp_path)
    assert third.startswith(says.GO_ON) and ANOTHER not in third
    assert sorted(os.listdir(tmp_path)) == [OUT, TMP]


@pytest.mark.usefixtures("hasty")
def test_between_its_games_a_session_holds_nothing(tmp_path: Path) -> None:
    """The other one plays then, and it is the first that is told."""
    other: list[Autosave] = []

    class First(paper.Paper):
        def ask(self, prompt: str = "") -> str:
            if prompt == says.ANOTHER_GAME and not other:
                assert says.ANOTHER_SESSION not in talk(
                    ["3", "C", "Y", "3", "^C"], tmp_path
                )
                other.append(Autosave(Area(str(tmp_path)), on=True))
                assert other[0].load() == havoc.a_game(3)
            return super().ask(prompt)

    first = First(["4", "C", "Y", "QUIT", "SAVE", "Y", "5", "C", "Y", "1"])
    with pytest.raises(EndOfInput):
        session(first, tmp_path)
    other[0].close()
    assert first.text.count(ANOTHER) == 1 and says.GAME_SAVED in first.text
    assert record.read((tmp_path / TMP).read_text(), TMP) == [havoc.a_game(3)]


def test_a_session_that_could_not_ask_for_the_area_overwrites_no_other(
    tmp_path: Path,
) -> None:
    """The disk was full when it began; meanwhile another came and went."""
    first = Autosave(Area(str(tmp_path)), on=True)
    with havoc.faulty(lambda call, _: call == "open"):
        assert first.load() is None
        with pytest.raises(AreaError):
            first.write(havoc.a_game())
    talk(["3", "C", "Y", "3", "^C"], tmp_path)
    before = (tmp_path / TMP).read_bytes()
    with pytest.raises(AreaError) as error:
        first.write(havoc.a_game(1))
    assert str(error.value) == ANOTHER
    first.write(havoc.a_game(2))
    assert (tmp_path / TMP).read_bytes() == before


def test_a_stopped_game_is_no_other_session(tmp_path: Path) -> None:
    """At the dot R KALAH ends the stopped one, and takes up its game."""
    typed = [b"R KALAH\r", b"3\rC\rY\r", b"3\r", b"\x03", b"R KALAH\r", b"Y\r"]
    tty, wire = wired([(time, line) for time, line in enumerate(typed, 1)])
    Monitor(tty, Area(str(tmp_path))).run()
    assert ANOTHER not in wire.paper
    assert (
        f"R KALAH\r\n{says.GAME_IS_KEPT}\r\n{says.GO_ON}Y\r\nYOU ARE PLAYER A"
        in wire.paper
    )


def test_a_held_file_is_waited_for_and_then_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "PATIENCE", 0.02)
    area = Area(str(tmp_path))
    lock = rooms._locked(str(tmp_path / ".X.POS.LCK"), 0)
    with lock, pytest.raises(InUse) as error:
        area.write("X.POS", "")
    assert str(error.value) == "CANNOT WRITE X.POS: ANOTHER SESSION HAS IT."
    area.write("X.POS", "")
    assert os.listdir(tmp_path) == ["X.POS"]


def test_a_position_is_made_once(tmp_path: Path) -> None:
    """Of two who save under one name at once, one is told."""
    area = Area(str(tmp_path))
    second: list[int] = []

    def in_the_midst(call: str, arguments: havoc.Words) -> bool:
        if call == "fsync" and not second:
            second.append(havoc.in_a_child(make, 1))
            time.sleep(0.05)
        return False

    def make(mover: int) -> None:
        save_position(area, "X", Special(start(1 + mover)))

    with havoc.faulty(in_the_midst):
        make(0)
    _, status = os.waitpid(second[0], 0)
    assert status != 0
    assert fetch(area, "X").position == start(1)


@pytest.mark.parametrize("count", range(3, 8))
def test_the_game_goes_on_exactly_there(count: int, tmp_path: Path) -> None:
    """Left at any question of a game, it comes with that question again."""
    keys = ["3", "C", "Y", "36", "1", "2", "", "5"]
    first = talk([*keys[:count], "^C"], tmp_path)
    again = talk(["Y", "^C"], tmp_path)
    assert again.startswith(
        says.GO_ON + "{Y}\n" + says.YOU_ARE.format("A", says.ON_TOP)
    )
    assert again.splitlines()[-1] == first.splitlines()[-1]
    assert "I MOVE" not in again
    assert again.splitlines()[-6:] == first.splitlines()[-6:]


# Input.


class Line(Port):
    """A pipe, or a line with a person: these bytes in pieces, then the end."""

    newline = "\n"

    def __init__(self, typed: bytes, live: bool) -> None:
        self.live = live
        self._typed = typed
        self.printed = bytearray()

    def read(self, timeout: float) -> bytes:
        piece, self._typed = self._typed[:4096], self._typed[4096:]
        if not piece:
            raise EOFError
        return piece

    def write(self, data: bytes) -> int:
        self.printed += data
        return len(data)


ENDS = (0x00, 0x03, 0x1A)  # BREAK, ^C, ^Z
ALL_PROMPTS = {**PROMPTS, "CONTINUE": []}


def typed_at(prompt: str, data: bytes, folder: Path, live: bool) -> str:
    """The paper after these bytes at that prompt."""
    if prompt == "CONTINUE":
        (folder / TMP).write_bytes(GAME)
    line = Line("".join(key + "\n" for key in PROMPTS.get(prompt, [])).encode(), live)
    line._typed += data
    try:
        session(Station(line), folder)
    except (EndOfInput, Leave):
        pass
    for name in os.listdir(folder):
        os.remove(folder / name)
    text = line.printed.decode()
    assert all(char.isprintable() or char in "\n\r\a" for char in text)
    return text


@pytest.mark.parametrize(
    "prompt, live",
    [
        *((prompt, True) for prompt in ALL_PROMPTS),
        *((prompt, False) for prompt in PROMPTS),
    ],
)
def test_every_byte_at_every_prompt(prompt: str, live: bool, quick: Path) -> None:
    lines = (b"#" + bytes([byte]) * 3 for byte in range(256) if byte not in ENDS)
    typed_at(prompt, b"\n".join(lines) + b"\n", quick, live)
    for byte in ENDS:
        assert typed_at(prompt, bytes([byte]), quick, live)
    for data in (
        b"",
        b"\xe2",
        b"\xe2\x86",
        b"X",
        b"\n",
        b"\r",
        b"\r\r\n\n\r",
        b"\x7f" * 9,
    ):
        assert typed_at(prompt, data, quick, live)


@pytest.mark.parametrize("live", [False, True])
def test_a_line_of_a_megabyte(live: bool, quick: Path) -> None:
    memory = havoc.resident()
    text = typed_at("YOUR MOVE", b"#" * 1_000_000 + b"\n3\n", quick, live)
    assert says.YOUR_MOVE_HELP in text and text.count("#") == 128
    assert len(text) < 1_100_000
    assert havoc.resident() - memory < 20_000_000


# Safety.

MODULES = [KALAH, *map(str, sorted((ROOT / "sail").rglob("*.py")))]
EVALUATES = {"eval", "exec", "compile", "__import__", "input", "breakpoint"}
REACHES = {
    "system", "popen", "environ", "environb", "getenv", "fork", "forkpty", "exec_module",
    "execv", "execve", "execvp", "spawnv", "spawnl", "posix_spawn", "startfile",
}  # fmt: skip
WRITES = {
    "open", "remove", "unlink", "rename", "replace", "mkdir", "makedirs", "rmdir",
    "symlink", "link", "truncate", "chmod", "listdir", "scandir", "walk",
}  # fmt: skip
FOREIGN = {
    "socket", "ssl", "subprocess", "multiprocessing", "pickle", "marshal", "shelve",
    "ctypes", "urllib", "http", "ftplib", "smtplib", "asyncio", "code", "codeop", "pty",
    "runpy", "tempfile", "shutil", "pathlib", "glob", "io", "sqlite3", "dbm", "string",
    "webbrowser", "logging", "builtins",
}  # fmt: skip


@pytest.mark.parametrize(
    "module", MODULES, ids=lambda path: os.path.relpath(path, ROOT)
)
def test_nothing_reaches_further_than_the_area(module: str) -> None:
    """No shell, no evaluation, no environment, no socket, no other path."""
    place = os.path.relpath(module, ROOT)
    for node in ast.walk(ast.parse(Path(module).read_text("utf-8"))):
        text = ast.unparse(node)
        if isinstance(node, ast.Import):
            if (place, text) == ("sail/line/device.py", "import socket"):
                continue  # for the names of options
            assert not {alias.name.split(".")[0] for alias in node.names} & FOREIGN
        elif isinstance(node, ast.ImportFrom):
            assert (node.module or "").split(".")[0] not in FOREIGN
        elif isinstance(node, ast.Name):
            assert node.id not in EVALUATES
        elif isinstance(node, ast.Attribute):
            assert node.attr not in REACHES
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called == "open" or called in {f"os.{name}" for name in WRITES}:
                alone = ("sail/area.py", "sail/line/locks.py")
                assert place in alone or (place, text) in {
                    ("kalah.py", "os.open(os.devnull, mode)"),
                    (
                        "sail/line/ports.py",
                        "os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)",
                    ),
                }
            if called.endswith("import_module"):
                assert (place, text) in {
                    (
                        "sail/monitor.py",
                        "import_module(f'sail.programs.{name.lower()}')",
                    ),
                    ("sail/line/device.py", "import_module('serial')"),
                }


@pytest.mark.parametrize("prompt", PROMPTS)
def test_what_is_typed_is_no_format(prompt: str, tmp_path: Path) -> None:
    for typed in ("{0.__class__}", "{}", "%s%n", "$HOME", "`id`", "\\x41"):
        told = talk([*PROMPTS[prompt], typed], tmp_path)
        (tmp_path / TMP).unlink(missing_ok=True)
        (tmp_path / OUT).unlink(missing_ok=True)
        lines = told[told.index("{" + typed + "}") :].splitlines()
        assert len(lines) == 3
        assert "CLASS '" not in lines[1] and os.path.expanduser("~") not in lines[1]


@pytest.mark.parametrize(
    "name",
    [
        "../X",
        "/etc/passwd",
        "~",
        "$HOME",
        "`id`",
        "%s",
        "{0}",
        "..",
        ".",
        "CON:",
        "A|B",
    ],
)
def test_a_name_that_reaches_out_is_no_name(name: str, tmp_path: Path) -> None:
    told = talk(
        [f"SPECIAL {name}", "3", "C", "Y", f"SAVE {name}", "QUIT", "N"], tmp_path
    )
    assert told.count(f"{name.upper()} IS NOT THE NAME OF A POSITION.") == 2
    assert [TMP] == [entry for entry in os.listdir(tmp_path) if entry != "KALAH.WON"]


# Signals and closed outputs.


def run(words: str, typed: str = "") -> subprocess.CompletedProcess[bytes]:
    """A line of the shell, with K for the command."""
    command = f'K() {{ {sys.executable} {KALAH} "$@"; }}; set -o pipefail; {words}'
    return subprocess.run(
        ["bash", "-c", command],
        input=typed.encode(),
        capture_output=True,
        check=False,
        timeout=60,
    )


PLAYED = "3\nC\nY\n36\nQUIT\nSAVE\nN\n"


@pytest.mark.parametrize(
    "words, status, told",
    [
        ("K --area {} | head -1", 0, ""),
        ("K --area {} >&-", 1, "Cannot write the output: Bad file descriptor.\n"),
        ("K --area {} <&- >&- 2>&-", 1, ""),
        ("K --area {} --tty pty | true", 1, "Cannot write the output: Broken pipe.\n"),
    ],
)
def test_closed_outputs(words: str, status: int, told: str, tmp_path: Path) -> None:
    ran = run(words.format(tmp_path), PLAYED)
    assert (ran.returncode, ran.stderr.decode()) == (status, told)
    for name in os.listdir(tmp_path):
        assert name == OUT and record.read((tmp_path / name).read_text(), OUT)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_in_a_search_ends_in_order(name: str, tmp_path: Path) -> None:
    lines = pytest.importorskip("tests.line.test_lines")
    with lines.on_a_terminal(str(tmp_path)) as (process, far, is_as_before):
        far.wait_for(says.START_WITH)
        far.type("6\rT\rN\r")
        far.wait_for(says.LET_ME_THINK)
        time.sleep(0.2)
        process.send_signal(getattr(signal, name))
        assert process.wait(20) == 0
        assert is_as_before()
        assert "Traceback" not in far.paper
    (left,) = record.read((tmp_path / TMP).read_text(), TMP)
    assert left.start == start(6) and left.level == "TOURNAMENT"
    assert os.listdir(tmp_path) == [TMP]


@pytest.mark.parametrize("kilobytes", [40_000, 64_000, 90_000])
def test_too_little_memory_is_told(kilobytes: int, tmp_path: Path) -> None:
    """Whether the search cannot begin or cannot go on."""
    if sys.implementation.name != "cpython":
        pytest.skip("others take more to begin with")
    ran = run(f"ulimit -v {kilobytes} && K --area {tmp_path}", "6\nT\nY\n1\n\n3\n")
    assert (ran.returncode, ran.stderr) == (1, b"Not enough memory.\n")
    assert ran.stdout.startswith(b"START WITH") and not os.listdir(tmp_path)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_paper_that_nobody_reads(name: str, tmp_path: Path) -> None:
    """The terminal takes no more; the job ends in order, its game is kept."""
    lines = pytest.importorskip("tests.line.test_lines")
    with lines.on_a_terminal(str(tmp_path)) as (process, far, is_as_before):
        far.wait_for(says.START_WITH)
        far.type("3\rC\rY\r3\r")
        far.wait_for("4   4   0   3   3   3")
        far.type("?\r" * 100)  # 100 KB, and nobody reads them
        time.sleep(0.5)
        process.send_signal(getattr(signal, name))
        assert process.wait(20) == 0
        assert is_as_before()
    (left,) = record.read((tmp_path / TMP).read_text(), TMP)
    assert left.moves[:1] == (3,) and os.listdir(tmp_path) == [TMP]


def test_the_paper_never_gets_into_a_file(tmp_path: Path) -> None:
    """Standard output is closed: the first file opened would take its place."""
    lines = pytest.importorskip("tests.line.test_lines")
    with lines.on_a_terminal(
        str(tmp_path), preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE
    ) as (process, _, is_as_before):
        assert process.wait(20) == 1
        assert (
            process.stderr.read() == b"Cannot write the output: Bad file descriptor.\n"
        )
        assert is_as_before()
    assert os.listdir(tmp_path) == []


# What is left when sessions and games cross.


def test_saving_leaves_the_game_that_another_session_has_ended(tmp_path: Path) -> None:
    """It waits on KALAH.TMP, until it is saved itself."""
    other: list[str] = []

    class First(paper.Paper):
        def ask(self, prompt: str = "") -> str:
            if prompt == says.ANOTHER_GAME and not other:
                other.append(talk(["4", "C", "Y", "2", "QUIT", "N"], tmp_path))
            return super().ask(prompt)

    with pytest.raises(EndOfInput):
        session(First(["3", "C", "Y", "3", "QUIT", "SAVE"]), tmp_path)
    (saved,) = record.read((tmp_path / OUT).read_text(), OUT)
    (left,) = record.read((tmp_path / TMP).read_text(), TMP)
    assert saved.start == start(3) and left.start == start(4)


def test_a_game_is_not_saved_twice_after_a_kill(tmp_path: Path) -> None:
    """Between its saving and the removing of KALAH.TMP."""
    talk(["3", "C", "Y", "3", "QUIT", "^C"], tmp_path)
    (tmp_path / OUT).write_bytes((tmp_path / TMP).read_bytes())
    told = talk(["SAVE", "Q"], tmp_path)
    assert "THAT GAME IS SAVED ALREADY." in told
    assert len(record.read((tmp_path / OUT).read_text(), OUT)) == 1


@pytest.mark.parametrize("digits", [400, 4301])
@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_long_number_at_every_prompt(prompt: str, digits: int, quick: Path) -> None:
    """Zeros before a number, and numbers that Python refuses to read."""
    for typed in ("0" * digits + "3", "9" * digits, "3 " + "0" * digits):
        assert typed_at(prompt, typed.encode() + b"\n", quick, False)


@pytest.mark.parametrize("number", ["0" * 4301, "0" * 4300 + "3", "9" * 4301])
@pytest.mark.parametrize("name", FILES)
def test_a_long_number_in_every_file(name: str, number: str, tmp_path: Path) -> None:
    for text in (GAME, b"A 1 2 3\nB 1 2 3\nA TO MOVE\n", b"BEATEN 3 TIMES RUNNING\n"):
        (tmp_path / name).write_text(text.decode().replace("3", number))
        told = talk(["SPECIAL X", "SPECIAL KALAH.OUT", "Q"], tmp_path)
        assert told and max(map(len, told.splitlines())) <= 72
