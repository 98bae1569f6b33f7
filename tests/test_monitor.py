"""The dot: commands, stopped programs, the end of the job."""

import time

import pytest

from sail import monitor
from sail.area import Area
from sail.line.ports import Hangup
from sail.line.station import Station
from sail.monitor import GREETING, HELP, PROGRAMS, Monitor
from sail.teletype import Leave
from tests.line.virtual import Script, wired


def adder(tty, area):
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
            elif number:
                told.append(number)
                tty.type(f"SUM {sum(map(int, told))}")
            else:
                tty.type("GOODBYE")
                return
    finally:
        area.write("ADDER.TMP", " ".join(told))


@pytest.fixture
def area(tmp_path, monkeypatch):
    monkeypatch.setitem(PROGRAMS, "ADDER", "ADDER ADDS.")
    real = monitor.find
    monkeypatch.setattr(
        monitor, "find", lambda name: adder if name == "ADDER" else real(name)
    )
    return Area(str(tmp_path))


def paper(area: Area, typed: str, program: str = "", for_ever: bool = False) -> str:
    """What the monitor prints after its greeting."""
    port = Script(typed)
    now = time.strptime("1972-11-21 14:05", "%Y-%m-%d %H:%M")
    Monitor(Station(port), area, lambda: now).run(program, for_ever)
    greeting = GREETING + "\n"
    assert port.paper.startswith(greeting)
    return port.paper[len(greeting) :]


@pytest.mark.source("MON")
@pytest.mark.parametrize(
    "typed, answer",
    [
        ("", ""),
        ("; A COMMENT", ""),
        ("FOO BAR", "FOO?\n"),
        ("foo", "FOO?\n"),
        ("R CHESS", "?\nCHESS.DMP NOT FOUND\n"),
        ("RUN CHESS", "?\nCHESS.DMP NOT FOUND\n"),
        ("R", "R?\n"),
        ("CONTINUE", "CAN'T CONTINUE\n"),
        ("C ; CUT SHORT", "CAN'T CONTINUE\n"),
        ("D", "D?\n"),
        ("T", "T?\n"),
        ("DAYTIME", "21-NOV-72  14:05\n"),
        ("DA", "21-NOV-72  14:05\n"),
        ("DIR", "NO FILES\n"),
        ("HELP ADDER", "ADDER ADDS.\n"),
        ("HELP CHESS", "CHESS?\n"),
        ("HELP KJOB", "KJOB         ENDS YOUR JOB; SO DOES LOGOUT\n"),
        ("TYPE", "TYPE?\n"),
        ("TYPE GAMES.OUT", "GAMES.OUT NOT FOUND.\n"),
        ("TTY", "TTY NO FILL ECHO FULL NO TABS\n"),
        ("TTY NO", "TTY?\n"),
        ("TTY WIDTH", "TTY?\n"),
        ("TTY NO NO FILL", ""),
    ],
)
def test_commands(area, typed, answer):
    assert paper(area, f"{typed}\nK\n") == f".{typed}\n{answer}.K\n"


def test_help_names_everything(area):
    text = paper(area, "H\nK\n")
    assert text.startswith(".H\n" + HELP.split("{}", maxsplit=1)[0])
    assert all(name in text for name in PROGRAMS)
    assert max(map(len, text.splitlines())) <= 72


def test_settings(area):
    text = paper(area, "TTY FILL NO ECHO NO FULL TABS\nTT\nTTY ECHO\nTTY NO FILL\nK\n")
    assert text == (
        ".TTY FILL NO ECHO NO FULL TABS\n"
        ".TTY FILL NO ECHO NO FULL TABS\n\0\0"
        "..TTY NO FILL\n\0\0.K\n"
    )


def test_files(area):
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


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../SECRET.TXT", "LINK.TXT", "FOLDER", "A.B.C", "FOLDER/X"]
)
def test_only_the_area_is_seen(area, tmp_path, name):
    inside = tmp_path / "INSIDE"
    secret = tmp_path / "SECRET.TXT"
    secret.write_text("SECRET")
    inside.mkdir()
    (inside / "LINK.TXT").symlink_to(secret)
    (inside / "FOLDER").mkdir()
    (inside / "FOLDER" / "X").write_text("SECRET")
    text = paper(Area(str(inside)), f"TYPE {name}\nDIR\nK\n")
    assert "SECRET\n" not in text
    assert text.endswith(".DIR\nNO FILES\n.K\n")


def test_a_program_runs_and_ends(area):
    text = paper(area, "R ADDER\n3\n4\n\nK\n")
    assert text == (
        ".R ADDER\nNUMBER? 3\nSUM 3\nNUMBER? 4\nSUM 7\nNUMBER? \nGOODBYE\n.K\n"
    )


def test_it_may_begin_with_a_program(area):
    assert paper(area, "\nK\n", "ADDER") == "NUMBER? \nGOODBYE\n.K\n"


def test_end_of_file_ends_a_program_and_then_the_job(area):
    assert paper(area, "R ADDER\n\x1aDA\n\x1a") == (
        ".R ADDER\nNUMBER? ↑Z\n.DA\n21-NOV-72  14:05\n.↑Z\n"
    )


@pytest.mark.source("MON")
def test_a_stopped_program_can_go_on(area):
    text = paper(area, "R ADDER\n3\n4\x03DA\n\x03CONT\n5\n\nK\n")
    assert text == (
        ".R ADDER\nNUMBER? 3\nSUM 3\nNUMBER? 4↑C\n"
        ".DA\n21-NOV-72  14:05\n.↑C\n"
        ".CONT\nNUMBER? 5\nSUM 8\nNUMBER? \nGOODBYE\n.K\n"
    )


@pytest.mark.source("MON")
def test_a_program_that_was_ended_cannot_go_on(area):
    text = paper(area, "R ADDER\n\nCONT\nK\n")
    assert text.endswith(".CONT\nCAN'T CONTINUE\n.K\n")


def test_another_program_or_the_end_of_the_job_unwinds_a_stopped_one(area):
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


def test_a_program_with_an_error_does_not_take_the_line_with_it(area, capsys):
    text = paper(area, "R ADDER\n3\nFAIL\nK\n")
    assert text.endswith("FAIL\n?\nADDER HAS STOPPED BY AN ERROR OF ITS OWN\n.K\n")
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert area.read("ADDER.TMP") == "3"


def test_two_stops_in_the_midst_of_work(area):
    tty, wire = wired([(1, b"R ADDER\rWORK\r"), (2, b"\x03\x03"), (3, b"K\r")])

    def clock() -> float:
        wire.seconds += 0.01  # work takes time
        return wire.seconds

    tty._clock = clock
    Monitor(tty, area).run()
    assert wire.paper.endswith("WORK\r\n↑C\r\n↑C\r\n.K\r\n")


def test_a_line_stays_for_ever(area):
    tty, wire = wired([(1, b"K\r"), (2, b"\x1a"), (3, Hangup), (9, b"R ADDER\r")])
    Monitor(tty, area).run(for_ever=True)
    greeting = GREETING + "\r\n."
    assert wire.paper == (
        greeting + "K\r\n" + greeting + "↑Z\r\n" + greeting + greeting
        + "R ADDER\r\nNUMBER? "
    )  # fmt: skip


def test_a_hangup_in_a_stopped_program(area):
    tty, wire = wired(
        [(1, b"R ADDER\r3\r"), (2, b"\x03"), (3, Hangup), (9, b"CONT\r"), (10, b"4\r")]
    )
    Monitor(tty, area).run(for_ever=True)
    assert wire.paper.endswith(f"{GREETING}\r\n.CONT\r\nNUMBER? 4\r\nSUM 7\r\nNUMBER? ")


def test_a_job_that_is_ended_keeps_what_the_program_had(area):
    tty, _wire = wired([(1, b"R ADDER\r"), (2, b"3\r")])
    Monitor(tty, area).run(for_ever=True)
    assert area.read("ADDER.TMP") == "3"


def test_every_program_is_there():
    for name in PROGRAMS:
        assert callable(monitor.find(name))
    with pytest.raises(KeyError):
        monitor.find("CHESS")


def test_leave_is_no_error_that_a_program_would_catch():
    assert not issubclass(Leave, Exception)
