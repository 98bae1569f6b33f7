"""The dot: commands, files, tapes, stopped programs, the end of the job."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest
from pytest import MonkeyPatch

import kalah
from sail.files.area import Area
from sail.line import tape
from sail.line.driver import Driver
from sail.line.ports import Hangup
from sail.monitor import dot, registry
from sail.monitor.dot import GREETING, Monitor
from sail.talk import manuals
from sail.teletype import Leave, Teletype
from tests import paper as papers
from tests.errors import Capture
from tests.line.virtual import Act, Script, Wire, attached, wired
from tests.stand_ins import session_of

USED = "COMPUTER TIME USED: 0:00\n"  # after K
FIG2 = """\
; SILVER'S FIG. 2: A IS TO MOVE.
; THE REST IS OURS.
A  7   8 2 4 2 0 1
B  8   0 0 0 0 4 0
A TO MOVE
"""


def adder(tty: Teletype, area: Area) -> None:
    """A program that keeps what it was told, as KALAH keeps its game."""
    told = area.read("ADDER.TMP").split() if area.has("ADDER.TMP") else []
    try:
        while number := tty.ask("NUMBER? "):
            if number == "FAIL":
                raise ZeroDivisionError
            if number == "WORK":
                while not tty.poll():
                    pass
                tty.type("WORKED")
            else:
                told.append(number)
                tty.type(f"SUM {sum(map(int, told))}")
        tty.type("GOODBYE")
    finally:
        area.write("ADDER.TMP", " ".join(told))


@pytest.fixture
def area(tmp_path: Path, monkeypatch: MonkeyPatch) -> Area:
    """Return an empty area; ADDER is a program, and the job takes no time."""
    real = registry.load

    def load(name: str) -> Callable[..., Any]:
        return session_of(adder) if name == "ADDER" else real(name)

    monkeypatch.setattr(registry, "PROGRAMS", (*registry.PROGRAMS, "ADDER"))
    monkeypatch.setattr(registry, "load", load)
    monkeypatch.setattr(dot, "process_time", lambda: 0.0)
    return Area(str(tmp_path))


def paper(area: Area, *typed: str) -> str:
    """Return what the monitor prints when these lines are typed; ^C is a ^C."""
    lines = "".join(line + "\n" for line in typed)
    port = Script(re.sub(r"\^([CZ])\n", lambda key: chr(ord(key[1]) ^ 0o100), lines))
    with patch("sail.monitor.dot.timestamp", lambda: "21-NOV-72  14:05"):
        Monitor(attached(port), area).run()
    return port.paper.removesuffix(USED)


def test_help_fits(area: Area) -> None:
    """In eight lines and 420 characters; ?? lists every command."""
    first = paper(area, "?", "K").removeprefix(f"{GREETING}\n.?\n").removesuffix(".K\n")
    assert f".HELP\n{first}.K" in paper(area, "HELP", "K")
    assert len(first.splitlines()) <= 8 and len(first) <= 420
    everything = paper(area, "??", "K")
    words = [each.word for each in Monitor(wired([])[0], area).commands]
    assert re.findall("(?m)^([A-Z]+|[?]+) [^ ]*  ", everything) == words
    assert set(first.splitlines()[:-1]) <= set(everything.splitlines())


@pytest.mark.source("SAIL-LOGOUT")
def test_whoever_leaves_is_told_the_computer_time(area: Area) -> None:
    tty, wire = wired([(1, b"K\r")])
    with patch("sail.monitor.dot.process_time", Mock(side_effect=[100.0, 164.6])):
        Monitor(tty, area).run()
    assert wire.paper.endswith(".K\r\nCOMPUTER TIME USED: 1:05\r\n")


FILES = {  # the files that are there, by transcript
    "commands": {},
    "delete": {name: "" for name in ("A.POS", "B.POS", "C", "KALAH.TMP")},
    "directory": {name: "" for name in ("FIG2.POS", "FIG2.OUT", "KALAH.OUT", "NOTES")},
    "own-files": {
        "KALAH.AKC": "MINE\n",
        "KALAH.DOC": "MINE, TOO\n",
        "EMPTY.POS": "",
        "FIG2": "ANOTHER\n",
        "FIG2.POS": "; FIG. 2\n",
    },
    "type": {f"GAME{n}.OUT": f"GAME {n}\nOVER" + "\n" * (n % 2) for n in range(8)},
}
MINE = "A  0   0 0 0 0 0 1\nB  0   0 0 0 0 0 1\nB TO MOVE\n"


@pytest.mark.source("SAIL-READ")
def test_read_types_a_whole_manual(area: Area) -> None:
    """On a pipe, too, where it takes no further line."""
    manual = manuals.find("KALAH ALL")
    assert paper(area, "READ KALAH", "K") == f"{GREETING}\n.READ KALAH\n{manual}\n.K\n"


@pytest.mark.source("MON-DOT", "MON-R", "MON-UNKNOWN", "MON-CUT", "MON-COMMENT")
@pytest.mark.source("MON-LETTERS", "MON-C", "MON-CONTINUE")
@pytest.mark.source("SAIL-LOGIN", "SAIL-LOGOUT", "SAIL-READ", "SAIL-MANUAL")
@papers.each("ours-monitor-*.txt")
def test_transcripts(area: Area, file: Path) -> None:
    """They end by K, KJOB, LOGOUT, QUIT, EXIT, BYE and ^Z, which end the job."""
    others = {"FIG2.POS": FIG2, "MINE.POS": MINE}
    for name, text in FILES.get(file.stem[len("ours-monitor-") :], others).items():
        area.write(name, text)

    def run(keys: list[str]) -> str:
        text = paper(area, *keys)
        for key in keys:
            echo = re.escape(key.replace("^", "↑"))
            text = re.sub(rf"(\n\.|\? ){echo}\n", rf"\1{{{key}}}\n", text, count=1)
        return text

    papers.compare(file, run)


def test_help_names_every_setting(area: Area) -> None:
    text = paper(area, "HELP LINE SETTINGS", "TTY", "K")
    told = text[text.index(".TTY\n") + len(".TTY\n") : -len(".K\n")]
    for word in re.findall("[A-Z]+", re.sub("NO |TTY ", "", told)):
        assert f"\n  {word} " in text


DAMAGED = "IS DAMAGED: LINE 1 IS WRONG.  SEE HELP KALAH FILES."


def test_random_bytes_do_no_harm(area: Area) -> None:
    """At the dot and in games, and it still serves."""
    rng = random.Random(4)
    start = b"\x11\rCONTINUE\rR KALAH\rN\r3\rC\rY\r"
    plan = [(30 * number, rng.randbytes(200) + start) for number in range(20)]
    plan += [(900, b"\x11\r\x03\x03R CHESS\r"), (901, b"ADDER\r"), (902, b"3\r")]
    tty, wire = wired(plan)
    with pytest.raises(Leave):
        Monitor(tty, area).serve()
    assert wire.paper.count("START WITH") > 10
    assert wire.paper.endswith(".ADDER\r\nNUMBER? 3\r\nSUM 3\r\nNUMBER? ")


@pytest.mark.parametrize(
    "command, frames, told",
    [
        ("PTR A.POS", b"HI\r\n\x1a", "A.POS LINE 1: HI IS NOT A LINE OF A POSITION."),
        ("PTR A.OUT", b"A 7 8\x1a", "A.OUT LINE 1: B'S STONES ARE MISSING AFTER A'S."),
        ("PTR KALAH.OUT", FIG2.encode() + b"\x1a", f"KALAH.OUT {DAMAGED}"),
        ("PTR KALAH.TMP", b"3 STONES\r\n\x1a", f"KALAH.TMP {DAMAGED}"),
        ("PTR A.POS", b"A 1\r\n\x03", "THE TAPE ENDED EARLY: NOTHING WAS KEPT."),
        # A ^C while it is checked, and two that come together:
        ("PTR A.OUT", b"A 1\r\n\x1a\x03", "STOPPED."),
        ("PTR A.OUT", b"A 1\r\n\x1a\x03\x03", "STOPPED."),
        ("PTR A.POS", b";" * 151, "THE TAPE HAS NO END: NOTHING WAS KEPT."),
        ("PUNCH X", b"", "X.POS LINE 2 HAS A CHARACTER THAT THE TAPE LACKS."),
        ("PUNCH FIG2", b"\x03", "THE TAPE IS INCOMPLETE."),
    ],
)
def test_refusals_of_tapes(
    area: Area, command: str, frames: bytes, told: str, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(tape, "MOST_CHARACTERS", 150)
    area.write("FIG2.POS", FIG2)
    area.write("X.POS", "; FIG. 2\n; → IS AN ARROW\n")
    plan = [(10, f"{command}\r".encode()), (14, frames), (200, b"K\r")]
    tty, wire = wired(plan, "33")
    Monitor(tty, area).run()
    text = re.sub("[\0\r]", "", wire.paper).removesuffix(USED)
    assert re.search(f"[\n\x13]{re.escape(told)}\n\\.K\n$", text)
    assert area.names() == ["FIG2.POS", "X.POS"]


def test_a_file_that_came_meanwhile_is_not_overwritten(
    area: Area, monkeypatch: MonkeyPatch
) -> None:
    def read_tape(_: Driver) -> str:
        area.write("NEW.POS", "MINE\n")
        return FIG2

    monkeypatch.setattr(Driver, "read_tape", read_tape)
    assert "NEW.POS ALREADY EXISTS" in paper(area, "PTR NEW.POS", "K")
    assert area.read("NEW.POS") == "MINE\n"


def test_the_job_survives_an_error_of_a_command(
    area: Area, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(Area, "names", Mock(side_effect=[MemoryError, SystemError]))
    told = ".DIR\n?\nNOT ENOUGH MEMORY FOR DIRECTORY\n" * 2 + ".foo\nFOO?\n.K\n"
    assert paper(area, "DIR", "DIR", "foo", "K").endswith(told)


def test_the_dot_abbreviates_and_refuses_as_the_shell_does(area: Area) -> None:
    for typed in ("K", "kal", "S", "SI", "NOSUCH", "MON"):
        name = kalah.program_named(typed)
        there = name in registry.PROGRAMS
        told = paper(area, f"R {typed}", *["Q"] * there, "K").upper()
        assert (f"{typed.upper()}.DMP NOT FOUND" in told) == (not there)


def test_a_file_s_name_names_a_program_and_a_manual(area: Area) -> None:
    assert "SILVER, REBUILT" in paper(area, "R SILVER.DMP", "Q", "K")
    assert manuals.find("KALAH.DOC LEV") == manuals.find("KALAH LEV")
    assert "\n?\nCHESS.DMP NOT FOUND\n" in paper(area, "R CHESS.DMP", "K")


def test_a_long_name_of_a_program_is_cut(area: Area) -> None:
    assert f"\n{'X' * 20}....DMP NOT FOUND\n" in paper(area, f"R {'X' * 60}", "K")


def test_a_name_of_kalahs_takes_only_what_kalah_wrote(area: Area) -> None:
    """Anything else would be a damaged file from then on."""
    area.write("OWN.POS", FIG2)
    told = paper(area, "RENAME OWN MISTAK", "K")
    assert "MISTAK.POS IS DAMAGED" in told and "RENAME OWN.POS" not in told
    assert area.names() == ["OWN.POS"]
    area.write("MISTAK.POS", FIG2)  # sealed
    told = paper(area, "RENAME MISTAK OLD", "Y", "K")
    assert "RENAME MISTAK.POS TO OLD.POS? " in told
    paper(area, "RENAME OLD MISTAK", "Y", "K")
    assert area.names() == ["MISTAK.POS", "OWN.POS"]


def test_whatever_directory_lists_can_be_typed(area: Area) -> None:
    """What came with KALAH, too."""
    listed = paper(area, "DIRECTORY *", "K").split("DIRECTORY *\n")[1].split(".K")[0]
    assert {"BELL.OUT", "FIG2.POS"} <= {*listed.split()}
    for name in listed.split():
        assert "NOT FOUND" not in paper(area, f"TYPE {name}", "K")


def test_a_pipe_is_a_tape_too(area: Area) -> None:
    told = paper(area, "PTR A.POS", f"{FIG2}^Z", "TYPE A", "K")
    assert told.endswith(f"A.POS HAS 5 LINES.\n.TYPE A\n{FIG2}.K\n")
    assert "B.TXT HAS 1 LINE.\n" in paper(area, "PTR B.TXT", "LINE")
    assert "FIG.POS HAS 5 LINES.\n" in paper(area, "PTR FIG", f"{FIG2}^Z", "K")
    # By KALAH's rule of captures only, and by the paper's.
    for name, last in ("A.OUT", "B 6 A 5"), ("B.OUT", "B 6 11-10"):
        game = f"4 STONES A PIT\n41-4-6-52-3-4-2-2-6\n{last}\n^Z"
        assert f"{name} HAS 3 LINES.\n" in paper(area, f"PTR {name}", game, "K")


def test_a_program_that_fails_does_not_take_the_line_with_it(
    area: Area, capsys: Capture
) -> None:
    text = paper(area, "R ADDER", "3", "FAIL", "K")
    assert text.endswith("FAIL\n?\nINTERNAL ERROR IN ADDER\n.K\n")
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert area.read("ADDER.TMP") == "3"


@pytest.mark.source("MON-CC")
def test_two_stops_in_the_midst_of_work(area: Area) -> None:
    class Working(Wire):
        def clock(self) -> float:
            self.seconds += 0.01  # work takes time
            return self.seconds

    wire = Working([(1, b"R ADDER\rWORK\r"), (2, b"\x03\x03"), (3, b"K\r")])
    Monitor(attached(wire), area).run()
    assert "WORK\r\n↑C\r\n↑C\r\n.K\r\n" in wire.paper


def test_a_line_that_is_back_gets_a_board_only_in_its_program(
    area: Area, monkeypatch: MonkeyPatch
) -> None:
    def program(tty: Teletype, area: Area) -> None:
        tty.type("\n3 3\n2 2")
        tty.ask("MOVE? ")

    monkeypatch.setattr(registry, "load", lambda name: session_of(program))
    typed: list[Act] = [b"ADDER\r", b"\x03", b"?\r", b"\r", Hangup]
    typed += [b"C\r", Hangup, b"1\r", Hangup, b"K\r"]
    tty, wire = wired([(20.0 * n, what) for n, what in enumerate(typed, 1)])
    Monitor(tty, area).run()
    board, back = "\n3 3\n2 2\n", f"{GREETING}\n"
    paper = wire.paper.replace("\r", "")
    assert paper.startswith(f"{back}.ADDER\n{board}MOVE? ↑C\n.?\n")
    last = f".\n{back}.C\nMOVE? \n{back}{board}MOVE? 1\n.\n{back}.K\n{USED}"
    assert paper.endswith(last)


def test_a_line_stays_for_ever(area: Area) -> None:
    tty, wire = wired([(1, b"K\r"), (2, b"\x1a"), (3, Hangup), (9, b"R ADDER\r")])
    with pytest.raises(Leave):
        Monitor(tty, area).serve()
    typed = f"K\n{USED}", "↑Z\n", "\n", "R ADDER\nNUMBER? "
    paper = "".join(f"{GREETING}\n.{keys}" for keys in typed)
    assert wire.paper.replace("\r", "") == paper
