"""The dot: commands, files, tapes, stopped programs, the end of the job."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import pytest
from pytest import MonkeyPatch

from sail import monitor
from sail.area import Area
from sail.line import tape
from sail.line.models import MODELS
from sail.line.ports import Hangup
from sail.line.station import Station
from sail.monitor import Monitor
from sail.programs import registry
from sail.programs.registry import PROGRAMS
from sail.teletype import Teletype
from tests import paper as papers
from tests.line.virtual import Script, Wire, attached, wired

GREETING = "KALAH MONITOR, AFTER STANFORD'S OF 1974.  TYPE HELP FOR HELP."
SAVES = Path(__file__).parent.parent / "saves"
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
        while True:
            number = tty.ask("NUMBER? ")
            if number == "WORK":
                while not tty.poll():
                    pass
                tty.type("WORKED")
            elif number == "FAIL":
                raise ZeroDivisionError
            elif number == "FILL":
                raise MemoryError
            elif number:
                told.append(number)
                tty.type(f"SUM {sum(map(int, told))}")
            else:
                tty.type("GOODBYE")
                return
    finally:
        area.write("ADDER.TMP", " ".join(told))


@pytest.fixture
def area(tmp_path: Path, monkeypatch: MonkeyPatch) -> Area:
    monkeypatch.setitem(PROGRAMS, "ADDER", "ADDER ADDS.")
    real = registry.find
    monkeypatch.setattr(
        registry, "find", lambda name: adder if name == "ADDER" else real(name)
    )
    return Area(str(tmp_path))


def whole_paper(area: Area, typed: str, program: str = "") -> str:
    """What the monitor prints when these characters are typed."""
    port = Script(typed)
    with patch("sail.monitor.minute", lambda: "21-NOV-72  14:05"):
        Monitor(Station(port), area).run(program)
    return port.paper


def paper(area: Area, typed: str, program: str = "") -> str:
    """What the monitor prints after its greeting."""
    text = whole_paper(area, typed, program)
    assert text.startswith(GREETING + "\n")
    return text[len(GREETING) + 1 :]


@pytest.mark.source("MON-DOT", "MON-R", "MON-UNKNOWN", "MON-CUT", "MON-COMMENT")
@pytest.mark.parametrize(
    "typed, answer",
    [
        ("", ""),
        ("; A COMMENT", ""),
        ("FOO BAR", "FOO?\n"),
        ("foo", "FOO?\n"),
        ("F" * 60, "F" * 20 + "...?\n"),
        ("RUN CHESS", "?\nCHESS.DMP NOT FOUND\n"),
        ("R", "R?\n"),
        ("R KAL", "?\nKAL.DMP NOT FOUND\n"),
        ("KAL", "KAL?\n"),
        ("ADDER NOW", "ADDER?\n"),
        ("C ; CUT SHORT", "CAN'T CONTINUE\n"),
        ("D", "D?\n"),
        ("T", "T?\n"),
        ("DA", "21-NOV-72  14:05\n"),
        ("DIR", "NO FILES\n"),
        ("HELP KJ", "KJOB         ENDS YOUR JOB; SO DOES LOGOUT\n"),
        ("H LOG", "KJOB         ENDS YOUR JOB; SO DOES LOGOUT\n"),
        (
            "HELP RUN",
            "R NAME       RUNS A PROGRAM; SO DO RUN NAME AND THE NAME ALONE\n",
        ),
        ("TYPE", "TYPE?\n"),
        ("TYPE GAMES.OUT", "GAMES.OUT NOT FOUND.\n"),
        ("PUNCH", "PUNCH?\n"),
        ("PU X.POS", "X.POS NOT FOUND.\n"),
        ("READ", "READ?\n"),
        ("REA A.B.C", "A.B.C IS NOT A FILE NAME.\n"),
        ("TTY WIDTH", "WIDTH TAKES A NUMBER FROM 44 TO 255.\n"),
    ],
)
def test_commands(area: Area, typed: str, answer: str) -> None:
    assert paper(area, f"{typed}\nK\n") == f".{typed}\n{answer}.K\n"


@papers.each("ours-monitor-*.txt")
def test_transcripts(tmp_path: Path, file: Path) -> None:
    area = Area(str(tmp_path))
    area.write("FIG2.POS", FIG2)
    area.write("MINE.POS", "A  0   0 0 0 0 0 1\nB  0   0 0 0 0 0 1\nB TO MOVE\n")

    def run(keys: list[str]) -> str:
        text = whole_paper(
            area,
            "".join(
                chr(ord(key[1]) ^ 0o100)
                if re.fullmatch(r"\^[A-Z]", key)
                else key + "\n"
                for key in keys
            ),
        )
        for key in keys:
            echo = key.replace("^", "↑")
            text = text.replace(f"\n.{echo}\n", f"\n.{{{key}}}\n", 1)
        return text

    papers.compare(file, run)


def test_help_tty_names_every_setting(area: Area) -> None:
    text = paper(area, "HELP TTY\nTTY\nK\n")
    told = text[text.index(".TTY\n") + len(".TTY\n") : -len(".K\n")]
    for word in re.findall("[A-Z]+", re.sub("NO |TTY ", "", told)):
        assert f"\n{word} " in text
    assert max(map(len, text.splitlines())) <= 72


@pytest.mark.parametrize("key", [b"\x03", b"\x0f"])
def test_a_manual_is_stopped(area: Area, monkeypatch: MonkeyPatch, key: bytes) -> None:
    monkeypatch.setattr(monitor, "part", lambda *_: "A LONG LINE\n" * 10_000)
    wire = Wire([(1, b"HELP ADDER\r"), (20, key), (30, b"K\r")])
    Monitor(attached(wire, MODELS["33"], 110), area).run()
    assert len(wire.paper) < 400 and wire.paper.endswith(".K\r\n\0\0")


def test_files(area: Area) -> None:
    for number in range(8):
        area.write(f"GAME{number}.OUT", f"GAME {number}\nOVER" + "\n" * (number % 2))
    text = paper(area, "DIRECTORY\nTYPE game3.out\nTY GAME4.OUT GAME9.OUT\nK\n")
    assert text == (
        ".DIRECTORY\n"
        "GAME0.OUT   GAME1.OUT   GAME2.OUT   GAME3.OUT   GAME4.OUT   GAME5.OUT\n"
        "GAME6.OUT   GAME7.OUT\n"
        ".TYPE game3.out\nGAME 3\nOVER\n"
        ".TY GAME4.OUT GAME9.OUT\nGAME 4\nOVER\nGAME9.OUT NOT FOUND.\n"
        ".K\n"
    )


def test_a_position_is_typed_by_its_name(area: Area) -> None:
    area.write("FIG2.POS", "; FIG. 2\n")
    assert paper(area, "TYPE fig2\nK\n") == ".TYPE fig2\n; FIG. 2\n.K\n"
    area.write("FIG2", "ANOTHER\n")
    assert paper(area, "TYPE FIG2\nK\n") == ".TYPE FIG2\nANOTHER\n.K\n"
    area.write("EMPTY.POS", "")
    assert paper(area, "TYPE EMPTY NONE\nK\n") == (
        ".TYPE EMPTY NONE\n\nNONE NOT FOUND.\n.K\n"
    )


def test_a_shipped_position_is_typed_from_any_area(tmp_path: Path) -> None:
    area = Area(str(tmp_path), shelf=str(SAVES))
    assert paper(area, "TYPE FIG2 AKC1.POS\nDIR\nK\n") == (
        ".TYPE FIG2 AKC1.POS\n"
        + (SAVES / "FIG2.POS").read_text("utf-8")
        + (SAVES / "AKC1.POS").read_text("utf-8")
        + ".DIR\nNO FILES\n.K\n"
    )
    assert "NONE NOT FOUND.\n" in paper(area, "TYPE NONE\nK\n")


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../SECRET.TXT", "LINK.TXT", "FOLDER", "A.B.C", "FOLDER/X"]
)
@pytest.mark.parametrize("command", ["TYPE", "PUNCH"])
def test_only_the_area_is_read(
    area: Area, tmp_path: Path, name: str, command: str
) -> None:
    inside = tmp_path / "INSIDE"
    secret = tmp_path / "SECRET.TXT"
    secret.write_text("SECRET")
    inside.mkdir()
    (inside / "LINK.TXT").symlink_to(secret)
    (inside / "FOLDER").mkdir()
    (inside / "FOLDER" / "X").write_text("SECRET")
    text = paper(Area(str(inside)), f"{command} {name}\nDIR\nK\n")
    assert "SECRET\n" not in text and "\x12" not in text
    assert text.endswith(".DIR\nNO FILES\n.K\n")


TAPE = FIG2.replace("\n", "\r\n").encode() + b"\x1a"


def on_a_33(area: Area, command: bytes, frames: bytes) -> str:
    """The paper when a tape is in the reader; the fillers do not show."""
    wire = Wire([(10, command + b"\r"), (14, frames), (200, b"K\r")])
    Monitor(attached(wire, MODELS["33"], 110), area).run()
    return wire.paper.replace("\0", "").replace("\r", "")


@pytest.mark.parametrize(
    "name, frames, told",
    [
        (
            "NEW.POS",
            TAPE.replace(b"MOVE", b"M\x7fVE"),
            "NEW.POS LINE 5: NOT A LINE OF A POSITION.",
        ),
        ("NEW.OUT", TAPE, "NEW.OUT LINE 3 IS NOT A LINE OF A GAME."),
        ("KALAH.OUT", TAPE, "KALAH.OUT IS DAMAGED AT LINE 1."),
        ("KALAH.TMP", b"3 STONES A PIT\r\n\x1a", "KALAH.TMP IS DAMAGED AT LINE 1."),
        ("NEW.POS", b"A 1\r\n\x03", "^C\nTHE TAPE ENDED EARLY: NOTHING WAS KEPT."),
    ],
)
def test_a_damaged_tape_is_lost(
    area: Area, name: str, frames: bytes, told: str
) -> None:
    text = on_a_33(area, f"READ {name}".encode(), frames)
    assert text.endswith(f"\x13{told}\n.K\n")
    assert area.names() == []


@pytest.mark.parametrize(
    "command, keys, told",
    [
        (
            "READ FIG2.POS",
            b"\0",
            "FIG2.POS ALREADY EXISTS: READ THE TAPE UNDER ANOTHER NAME.",
        ),
        ("PUNCH X", b"", "X.POS LINE 2 HAS A CHARACTER THAT THE TAPE LACKS."),
        ("PUNCH FIG2", b"\x03", "THE TAPE IS INCOMPLETE."),
    ],
)
def test_refusals_of_tapes(area: Area, command: str, keys: bytes, told: str) -> None:
    area.write("FIG2.POS", FIG2)
    area.write("X.POS", "; FIG. 2\n; → IS AN ARROW\n")
    text = on_a_33(area, command.encode(), keys)
    assert text.endswith(f"\n{told}\n.K\n")
    assert ("\x11" in text or "\x12" in text) == ("INCOMPLETE" in told)
    assert area.read("FIG2.POS") == FIG2


def test_a_file_that_came_meanwhile_is_not_overwritten(area: Area) -> None:
    class Late(Wire):
        def read(self, timeout: float) -> bytes:
            if 3 < self.seconds < 4:
                area.write("NEW.POS", "MINE\n")
            return bytes(super().read(timeout))

    wire = Late([(1, b"READ NEW.POS\r"), (5, TAPE), (200, b"K\r")])
    Monitor(attached(wire), area).run()
    assert "NEW.POS ALREADY EXISTS" in wire.paper
    assert area.read("NEW.POS") == "MINE\n"


def test_a_tape_without_end_is_refused_and_the_line_served_on(
    area: Area, monkeypatch: MonkeyPatch
) -> None:
    assert tape.MOST == 16_777_216
    monkeypatch.setattr(tape, "MOST", 99)
    text = on_a_33(area, b"READ X.POS", b";" * 200 + b"\r")
    assert "THE TAPE HAS NO END: NOTHING WAS KEPT.\n" in text
    assert text.endswith("\n.K\n")
    assert area.names() == []
    for length in (99, 100):
        whole = "\0" * 99 + "A" * length + "\x1a"
        with pytest.raises(tape.NoTape) if length > 99 else nullcontext():
            assert tape.read(whole) == "A" * 99


@pytest.mark.parametrize(
    "error, line",
    [
        (MemoryError, "?\nNOT ENOUGH MEMORY FOR DIRECTORY"),
        (SystemError, "?\nNOT ENOUGH MEMORY FOR DIRECTORY"),
        (ZeroDivisionError, "?\nINTERNAL ERROR IN DIRECTORY"),
    ],
)
def test_the_job_survives_an_error_of_a_command(
    error: type[Exception], line: str, area: Area, monkeypatch: MonkeyPatch
) -> None:
    def failing(_: Area) -> list[str]:
        raise error

    monkeypatch.setattr(Area, "names", failing)
    assert paper(area, "DIR\nDA\nK\n") == f".DIR\n{line}\n.DA\n21-NOV-72  14:05\n.K\n"


def test_a_pipe_is_a_tape_too(area: Area) -> None:
    assert paper(area, f"READ A.POS\n{FIG2}\x1aTYPE A\nK\n").endswith(
        f"A.POS HAS 5 LINES.\n.TYPE A\n{FIG2}.K\n"
    )


@pytest.mark.parametrize("command", ["R ADDER", "RUN ADDER", "ADDER", "adder"])
def test_a_program_runs_by_its_name(area: Area, command: str) -> None:
    text = paper(area, f"{command}\n\nK\n")
    assert text == f".{command}\nNUMBER? \nGOODBYE\n.K\n"


@pytest.mark.source("MON-LETTERS")
def test_end_of_file_ends_a_program_and_then_the_job(area: Area) -> None:
    assert paper(area, "R ADDER\n\x1aDA\n\x1a") == (
        ".R ADDER\nNUMBER? ↑Z\n.DA\n21-NOV-72  14:05\n.↑Z\n"
    )


@pytest.mark.source("MON-C", "MON-CONTINUE")
def test_a_stopped_program_can_go_on_again_and_again_until_it_ends(area: Area) -> None:
    """A ^C at the dot does not make anything that could go on."""
    text = paper(
        area, "R ADDER\n3\n4\x03DA\n\x03CONT\n\x03CONT\n5\n\nCONT\n\x03CONT\nK\n"
    )
    assert text == (
        ".R ADDER\nNUMBER? 3\nSUM 3\nNUMBER? 4↑C\n"
        ".DA\n21-NOV-72  14:05\n.↑C\n"
        ".CONT\nNUMBER? ↑C\n.CONT\nNUMBER? 5\nSUM 8\nNUMBER? \nGOODBYE\n"
        ".CONT\nCAN'T CONTINUE\n.↑C\n.CONT\nCAN'T CONTINUE\n.K\n"
    )


def test_another_program_or_kjob_unwinds_a_stopped_one(area: Area) -> None:
    text = paper(area, "R ADDER\n3\n\x03R ADDER\n4\n\x03R CHESS\nCONT\nK\n")
    assert text == (
        ".R ADDER\nNUMBER? 3\nSUM 3\nNUMBER? ↑C\n"
        ".R ADDER\nNUMBER? 4\nSUM 7\nNUMBER? ↑C\n"
        ".R CHESS\n?\nCHESS.DMP NOT FOUND\n"
        ".CONT\nCAN'T CONTINUE\n.K\n"
    )
    paper(area, "R ADDER\n5\n\x03K\n")
    assert area.read("ADDER.TMP") == "3 4 5"
    paper(area, "R ADDER\n6\n")
    assert area.read("ADDER.TMP") == "3 4 5 6"


@pytest.mark.parametrize(
    "word, line, error",
    [
        ("FILL", "NOT ENOUGH MEMORY FOR ADDER", ""),
        ("FAIL", "INTERNAL ERROR IN ADDER", "ZeroDivisionError"),
    ],
)
def test_a_program_that_fails_does_not_take_the_line_with_it(
    area: Area, capsys: pytest.CaptureFixture[str], word: str, line: str, error: str
) -> None:
    text = paper(area, f"R ADDER\n3\n{word}\nK\n")
    assert text.endswith(f"{word}\n?\n{line}\n.K\n")
    told = capsys.readouterr().err
    assert error in told and bool(told) == bool(error)
    assert area.read("ADDER.TMP") == "3"


@pytest.mark.source("MON-CC")
def test_two_stops_in_the_midst_of_work(area: Area) -> None:
    class Working(Wire):
        def clock(self) -> float:
            self.seconds += 0.01  # work takes time
            return self.seconds

    wire = Working([(1, b"R ADDER\rWORK\r"), (2, b"\x03\x03"), (3, b"K\r")])
    Monitor(attached(wire), area).run()
    assert wire.paper.endswith("WORK\r\n↑C\r\n↑C\r\n.K\r\n")


def test_a_line_stays_for_ever(area: Area) -> None:
    tty, wire = wired([(1, b"K\r"), (2, b"\x1a"), (3, Hangup), (9, b"R ADDER\r")])
    Monitor(tty, area).run(for_ever=True)
    greeting = GREETING + "\r\n."
    assert wire.paper == (
        greeting + "K\r\n" + greeting + "↑Z\r\n" + greeting + "\r\n" + greeting
        + "R ADDER\r\nNUMBER? "
    )  # fmt: skip
