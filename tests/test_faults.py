"""Nothing is lost: faults of the disk, of files, of input, of processes."""

from __future__ import annotations

import gc
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock, patch

import pytest

from sail.board import opening
from sail.files import games, tally
from sail.files.area import Area
from sail.files.seal import KALAH_OUT, KALAH_TMP
from sail.game import Ending, Game
from sail.monitor.dot import Monitor
from sail.programs.atlas import dialogue as atlas
from sail.programs.atlas.store import load
from sail.programs.kalah import dialogue as kalah
from sail.programs.kalah import says
from sail.programs.kalah.saving import Autosave
from sail.programs.kalah.showing import picture
from sail.refusal import Refusal
from sail.talk.choosing import read_positions
from sail.teletype import EndOfInput, Leave, Teletype
from tests import paper
from tests.errors import refused
from tests.line.virtual import Script, attached, wired
from tests.samples import PROMPTS, played
from tests.stand_ins import NOW, Eventful, Scripted, standing_still

pytest.importorskip("fcntl")

from tests import havoc
from tests.jobs import KALAH, on_a_terminal

GAME = games.text_of(played("36", 3)).encode()
FILES = (KALAH_TMP, KALAH_OUT, "X.POS")
ANOTHER = says.NOT_KEPT.format(says.ANOTHER_SESSION)


def play(tty: Teletype, area: Area) -> None:
    """Run KALAH with a search that plays the lowest pit, and an area of its own."""
    session = kalah.Session(tty, Area(area.folder), lambda: NOW, standing_still)
    with patch("sail.programs.kalah.opponent.Search", Scripted):
        session.run()


def talk(keys: str, area: Area) -> str:
    """Return the paper of a session in which these lines are typed, a / after each."""
    return paper.play(lambda tty: play(tty, area), keys.split("/"))


def games_on(area: Area, name: str) -> list[Game]:
    """Return the games in a file."""
    return [*games.saved_games(area, name)]


# Refused, crowded, killed


@pytest.mark.parametrize(
    "faults, arguments, least",
    [
        (havoc.power_cuts, [], 60),
        (havoc.refusals, [], 250),
        (havoc.writers, [4, 25], 100),
        (havoc.starts, [4, 6], 24),
    ],
)
def test_nothing_is_lost(
    faults: Callable[..., int], arguments: list[int], least: int, tmp_path: Path
) -> None:
    assert faults(tmp_path, *arguments) >= least


def test_the_game_of_a_killed_session_goes_on(area: Area) -> None:
    def happens(_: str, key: str) -> None:
        if not key:
            os.kill(os.getpid(), signal.SIGKILL)

    sheet = Eventful(["3", "C", "Y", "3"], happens)
    assert os.WIFSIGNALED(os.waitpid(havoc.in_a_child(play, sheet, area), 0)[1])
    again = talk("Y/^C", area)
    assert again.startswith(says.CONTINUE_GAME.prompt) and ANOTHER not in again


MOVES = "1\n2\n3\n\n4\n5\n6\n36\nBACK\nREDO\nSHOW\n?\n7\n"


def test_memory_and_handles_in_whole_games(area: Area) -> None:
    """What the system gives back depends on all before; the blocks in use do not."""
    seen = []
    for _ in range(2):
        for stones in "36":
            script = Script(f"{stones}\nC\nY\n{MOVES}QUIT\nSAVE\nN\n")
            script.live = True
            kalah.Session(attached(script), area, lambda: NOW).run()
            assert "SAVED ON" in script.paper
        area.delete(KALAH_OUT)
        gc.collect()
        seen.append((sys.getallocatedblocks(), havoc.open_files()))
    (blocks, handles), (more, still) = seen
    assert more - blocks < 1_000 and still == handles


def test_a_link_in_the_place_of_the_new_file_changes_no_other(tmp_path: Path) -> None:
    """Somebody puts the link there during the write."""
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


def test_a_disk_that_is_full_and_has_room_again(area: Area) -> None:
    """A write is cut short and then refused, and games go on."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    room = {"SHOW": 20, "?": soft}
    talk("3/C/Y/QUIT/SAVE/N", area)
    keys = "3/C/Y/3/SHOW/6/1/SAVE X/CONCEDE/SAVE/?/SAVE/Y/4/C/Y/2"

    def happens(_: str, key: str) -> None:
        if key in room:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room[key], hard))

    sheet = Eventful(keys.split("/"), happens)
    try:
        with pytest.raises(EndOfInput):
            play(sheet, area)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    told = [line for line in sheet.text.splitlines() if "CANNOT WRITE" in line]
    assert [line.split(":")[0] for line in told] == [
        "CANNOT WRITE KALAH.TMP",  # once, not for every submove
        "CANNOT WRITE X.POS",
        "CANNOT WRITE KALAH.OUT",
    ]
    assert "I MOVE FROM PIT" in sheet.text and "YOU CONCEDE." in sheet.text
    _, saved = games_on(area, KALAH_OUT)
    assert saved.ending == Ending.CONCEDED and len(saved.pits) > 3
    (left,) = games_on(area, KALAH_TMP)
    assert left.start == opening(4) and left.pits[0] == 2
    assert not havoc.hidden(area.folder)


# Other users


def as_nobody(deed: Callable[[], object]) -> None:
    """Do the deed in a process without root's rights."""

    def without_rights() -> None:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        deed()

    assert os.waitpid(havoc.in_a_child(without_rights), 0)[1] == 0


@pytest.fixture
def everyones(area: Area) -> Area:
    """Return an area that every user can reach and change."""
    os.chmod(area.folder, 0o777)
    return area


def test_a_read_only_area_and_a_file_of_another_user(everyones: Area) -> None:
    talk("3/C/Y/QUIT/SAVE/N", everyones)
    everyones.write("X.POS", "A 0 1\nB 0 1\nA TO MOVE\n")
    before = everyones.read(KALAH_OUT)
    os.chmod(Path(everyones.folder, KALAH_OUT), 0o444)

    def another_user() -> None:
        told = talk("3/C/Y/3/SAVE Y/QUIT/SAVE/N", everyones)
        assert told.count("CANNOT WRITE KALAH.OUT: PERMISSION DENIED.") == 1
        assert "THIS POSITION IS SAVED ON Y.POS." in told

    def visitor() -> None:
        told = talk("3/C/Y/3/SAVE Z/QUIT/SAVE/N", everyones)
        for name in (KALAH_TMP, "Z.POS", KALAH_OUT):
            assert told.count(f"CANNOT WRITE {name}: PERMISSION DENIED.") == 1
        assert "THE GAME IS ENDED." in told

    def no_area() -> None:
        why = f"Cannot read the area {everyones.folder}: choose another with --area."
        with refused(Refusal, why):
            Area(everyones.folder)

    for mode, user in ((0o777, another_user), (0o555, visitor), (0, no_area)):
        os.chmod(everyones.folder, mode)
        as_nobody(user)
    os.chmod(everyones.folder, 0o777)
    assert everyones.read(KALAH_OUT) == before


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("mode", [0o777, 0o755])
def test_a_game_of_another_user_is_not_offered(mode: int, everyones: Area) -> None:
    """It is offered while nobody plays it."""
    going_on = Autosave(everyones, on=True)
    assert going_on.load() is None
    going_on.write(played("3", 3))
    os.chmod(everyones.folder, mode)

    def not_offered() -> None:
        first = f"{ANOTHER}\n{says.START_WITH.prompt}"
        assert talk("Q", everyones).startswith(first)

    def offered() -> None:
        assert talk("^C", everyones).startswith(says.CONTINUE_GAME.prompt)

    as_nobody(not_offered)
    going_on.close()
    as_nobody(offered)
    os.chmod(everyones.folder, 0o777)


# Special files and damaged files


SPECIAL_FILES: dict[str, Callable[[Path], object]] = {
    "folder": Path.mkdir,
    "pipe": os.mkfifo,
    "link": lambda path: path.symlink_to("../outside"),
    "link to nothing": lambda path: path.symlink_to("../nothing"),
    "link to itself": lambda path: path.symlink_to(path.name),
}


def state(path: Path) -> tuple[object, ...]:
    """Return the attributes and the contents of a file, which must not change."""
    there = os.lstat(path)
    plain = stat.S_ISREG(there.st_mode) and there.st_size < 1 << 20
    return there.st_ino, there.st_mode, there.st_size, plain and path.read_bytes()


def use(area: Area) -> str:
    """Return the paper of sessions that read and write every kind of file."""
    first = "SPECIAL X/SPECIAL KALAH.OUT/?/3/C/Y/3/SAVE X/QUIT/SAVE/N"
    return talk(first, area) + talk("4/T/Y/QUIT/N", area)


DAMAGED = {
    "cut": GAME[:-9],
    "binary": bytes(range(256)),
    "zeros": bytes(5000),
    "UTF-16": GAME.decode().encode("utf-16"),
    "BOM": b"\xef\xbb\xbf" + GAME,
    "a line of 1 MB": b"A" * 1_000_000,
    "lone CR": GAME.replace(b"\n", b"\r"),
    "lower case": GAME.lower(),
    "format": b"%s%n{0.__class__}{}\n" + GAME,
}


@pytest.mark.parametrize("kind", [*SPECIAL_FILES, *DAMAGED])
@pytest.mark.parametrize("name", FILES)
def test_a_wrong_file_is_reported_and_left_alone(
    kind: str, name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "area"
    folder.mkdir()
    (tmp_path / "outside").write_bytes(GAME)
    if kind in DAMAGED:
        (folder / name).write_bytes(DAMAGED[kind])
    else:
        SPECIAL_FILES[kind](folder / name)
    before = state(folder / name)
    told = use(Area(str(folder)))
    assert state(folder / name) == before and max(map(len, told.splitlines())) <= 72
    lines = [line for line in told.splitlines() if line.startswith(name)]
    if kind in DAMAGED:
        reasons = " LINE |ENDS TOO EARLY|TOO LARGE|EXISTS"
        assert lines and all(re.search(reasons, line) for line in lines)
    else:
        plain = "CANNOT {} " + f"{name}: NOT A PLAIN FILE."
        refusals = {
            KALAH_TMP: plain.format("READ"),  # by both sessions
            KALAH_OUT: plain.format("WRITE"),
            "X.POS": f"{name} ALREADY EXISTS.  TYPE ANOTHER NAME.",
        }
        assert told.count(refusals[name]) == 1 + (name == KALAH_TMP)
    assert not havoc.hidden(folder)
    assert {*os.listdir(tmp_path)} == {"area", "outside"}
    assert (tmp_path / "outside").read_bytes() == GAME


# Disk before paper

LOST = "8 3 0 0 0 1 0 8 3 0 0 0 1 0"  # where pit 1 costs 8 stones
TOLD: dict[str, tuple[Callable[..., None], str, str, Callable[[Area, str], bool]]] = {
    # By what is told: the program, the keys, the text, and whether it is on file.
    "a move": (
        play, "3/C/Y/3/B/3/R/3/6/6/QUIT/N", r"^\n *[\d ]+\n",
        lambda area, text: text.strip("\n") in [
            picture(at) for at in games.saved_games(area, KALAH_TMP)[0].positions
        ],
    ),
    "solved": (
        play, "SPECIAL STUDY 7/31214/Q/Q", " IS RIGHT",
        lambda area, _: tally.solved(area, "STUDY.POS") == {7},
    ),
    "a mistake": (
        play, f"SPECIAL {LOST}/C/Y/1/CONCEDE/REVIEW/N", "^YOUR WORST|COST YOU",
        lambda area, _: len(read_positions(area, "MISTAK")) == 1,
    ),
    "a saved game": (
        play, "3/C/Y/3/QUIT/SAVE/N", "SAVED ON",
        lambda area, _: len([*games.saved_games(area, KALAH_OUT)]) == 1,
    ),
    "a game of ATLAS": (
        lambda tty, area: atlas.Session(tty, area).run(), "3/Y/P2/RESIGN/Q", "^I WIN",
        lambda area, _: load(area).games["WON"] == 1,
    ),
}  # fmt: skip


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("what", TOLD)
def test_what_is_told_is_on_file_already(what: str, area: Area) -> None:
    """A kill after a line of the paper takes back nothing that the line says."""
    run, keys, told, on_file = TOLD[what]
    seen = []

    class Witness(paper.Paper):
        def type(self, text: str = "", end: str = "\n") -> None:
            if re.search(told, text):
                seen.append(on_file(area, text))
            super().type(text, end)

    with suppress(EndOfInput):
        run(Witness(keys.split("/")), area)
    assert seen and all(seen)


# Two sessions


@pytest.mark.usefixtures("hasty")
def test_the_second_session_is_told_and_keeps_nothing(area: Area) -> None:
    def happens(_: str, key: str) -> None:
        if key == "6":
            kept = area.read(KALAH_TMP)
            second = talk("4/C/Y/2/QUIT/SAVE/N", area)
            assert second.startswith(ANOTHER + "\n" + says.START_WITH.prompt)
            assert second.count(ANOTHER) == 1 and says.GAME_SAVED in second
            assert area.read(KALAH_TMP) == kept

    with pytest.raises(EndOfInput):
        play(Eventful(["3", "C", "Y", "3", "6"], happens), area)
    (left,) = games_on(area, KALAH_TMP)
    assert left.start == opening(3) and left.pits[:2] == (3, 6)
    third = talk("Y/QUIT/N", area)
    assert third.startswith(says.CONTINUE_GAME.prompt) and ANOTHER not in third
    assert sorted(os.listdir(area.folder)) == [KALAH_OUT, KALAH_TMP]


def test_a_stopped_game_is_no_other_session(area: Area) -> None:
    """At the dot, R KALAH ends the stopped session and goes on with its game."""
    typed = [b"R KALAH\r", b"3\rC\rY\r", b"3\r", b"\x03", b"R KALAH\r", b"Y\r"]
    tty, wire = wired([(time, line) for time, line in enumerate(typed, 1)])
    with pytest.raises(Leave):
        Monitor(tty, area).run()
    again = f"{says.GAME_IS_KEPT}\r\n{says.CONTINUE_GAME.prompt}Y\r\nYOU ARE PLAYER A"
    assert f"R KALAH\r\n{again}" in wire.paper


# Input


ENDS = (0x00, 0x03, 0x1A)  # BREAK, ^C, ^Z


@pytest.mark.parametrize(
    "prompt, live",
    [*((prompt, True) for prompt in (*PROMPTS, "CONTINUE")), ("YOUR MOVE", False)],
)
def test_every_byte_at_every_prompt(prompt: str, live: bool, area: Area) -> None:
    every = b"\n".join(bytes([byte]) * 3 for byte in range(256) if byte not in ENDS)
    some = [b"", b"\xe2", b"\xe2\x86", b"X", b"\n", b"\r", b"\r\r\n\n\r", b"\x7f" * 9]
    some += [b"{0.__class__}\n{}\n%s%n\n$HOME\n`id`\n\\x41\n", b"#" * 1_000 + b"\n3\n"]
    before = "".join(f"{key}\n" for key in PROMPTS.get(prompt, "").split("/") if key)
    for data in (every + b"\n", *some, *(bytes([byte]) for byte in ENDS)):
        if prompt == "CONTINUE":
            area.write(KALAH_TMP, GAME.decode())
        line = Script(before)
        line.typed, line.live = line.typed + data, live
        with suppress(EndOfInput, Leave):
            play(attached(line), area)
        for name in os.listdir(area.folder):
            os.remove(Path(area.folder, name))
        text = line.paper
        assert all(char.isprintable() or char in "\n\r\a\b" for char in text)
        assert text and "<class" not in text and text.count("#") < 300


# Signals and closed outputs


CANNOT = "Cannot write the output: {}.\n".format


@pytest.mark.parametrize(
    "words, status, told",
    [
        ("K HELP KALAH ALL | head -1", 0, ""),
        ("K --area {} <&-", 0, ""),
        ("K --area {} >&-", 1, CANNOT("Bad file descriptor")),
        ("K --area {} <&- >&- 2>&-", 1, ""),
        ("PYTHONUNBUFFERED=1 K HELP LINE >/dev/full", 1, CANNOT("No space left on device")),
    ],
)  # fmt: skip
def test_closed_outputs(words: str, status: int, told: str, area: Area) -> None:
    """K stands for the command."""
    command = f'K() {{ {sys.executable} {KALAH} "$@"; }}; set -o pipefail; '
    ran = subprocess.run(
        ["bash", "-c", command + words.format(area.folder)],
        input=b"3\nC\nY\n36\nQUIT\nSAVE\nN\n",
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (ran.returncode, ran.stderr.decode()) == (status, told)
    for name in os.listdir(area.folder):
        assert name == KALAH_OUT and games_on(area, name)


def ended_by(name: str, area: Area, typed: str, shown: str, unread: str = "") -> Game:
    """End a job by a signal after these answers; return its game.

    shown: what it then types.  unread: what else is typed while nobody reads.
    """
    with on_a_terminal(area) as (process, far, is_as_before):
        far.wait_for(says.START_WITH.prompt)
        far.type(typed)
        far.wait_for(shown)
        far.type(unread)
        time.sleep(0.1)
        process.send_signal(getattr(signal, name))
        assert process.wait(20) == 0
        assert is_as_before()
        assert "Traceback" not in far.paper
    assert os.listdir(area.folder) == [KALAH_TMP]
    return games_on(area, KALAH_TMP)[0]


def test_a_signal_in_a_search_ends_in_order(area: Area) -> None:
    left = ended_by("SIGINT", area, "6\rT\rN\r", says.LET_ME_THINK)
    assert left.start == opening(6) and left.level == "TOURNAMENT"


def test_a_paper_that_nobody_reads(area: Area) -> None:
    """The terminal takes no more output; the job ends in order and keeps its game."""
    board = "4   4   0   3   3   3"
    left = ended_by("SIGTERM", area, "3\rC\rY\r3\r", board, "?\r" * 100)  # 100 KB
    assert left.pits[:1] == (3,)


@pytest.mark.parametrize("task", ["search.Search.find", "endgame.build"])
def test_a_search_without_memory_keeps_the_game(
    task: str, area: Area, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"sail.engine.{task}", Mock(side_effect=MemoryError))
    line = Script("6\nT\nN\n")
    line.live = True
    with pytest.raises(MemoryError):
        kalah.Session(attached(line), area, lambda: NOW).run()
    assert len(games_on(area, KALAH_TMP)) == 1
