"""Hangups and lines that take nothing, on lines without time."""

from __future__ import annotations

import pytest

from sail.line.ports import Hangup
from sail.teletype import Leave
from tests.line.virtual import TEXT, Act, Plan, Torn, Wire, attached, wired, worked


def test_a_lost_line_is_tried_every_two_seconds() -> None:
    tty, wire = wired([(2, Hangup)] * 20 + [(90, b"3\r")])
    tty.greeting = "HELLO"
    wire.absent = 4
    assert tty.ask("MOVE? ") == "3"
    back = [when for when, data in wire.printed if b"HELLO" in data]
    assert wire.reopened == 20 and back == [pytest.approx(2 + 23 * 2, abs=0.6)]


@pytest.mark.parametrize("lines", [0, 5, 12, 40])
def test_a_line_that_is_back_gets_the_last_lines(lines: int) -> None:
    """At most sixteen, and the question; again and again."""
    happens: list[Act] = [b"1\r", Hangup, Hangup, b"2\r", Hangup, b"3\r"]
    tty, wire = wired([(10 * n, act) for n, act in enumerate(happens, 1)])
    tty.greeting = "HELLO"
    tty.set("BELL")
    tty.type("BEFORE")
    assert tty.ask("MOVE? ") == "1"
    for number in range(lines):
        tty.type(f"LINE {number}")
    tty.ring()
    assert tty.ask("MOVE? ") == "2"
    typed = ["BEFORE\r\n", *(f"LINE {number}\r\n" for number in range(lines))]
    page = "".join(typed[-16:])
    end = f"MOVE? \r\nHELLO\r\n{page}" * 2 + "MOVE? 2\r\n"
    assert wire.paper.endswith(end) and "\a" in wire.paper
    assert tty.ask("NEXT? ") == "3"
    assert wire.paper.endswith(f"\r\nNEXT? \r\nHELLO\r\n{page}NEXT? 3\r\n")


@pytest.mark.parametrize("answers", [[], [b"?\r"], [b"\x03", b"?\r"]])
def test_a_line_that_is_back_gets_a_whole_board(answers: list[bytes]) -> None:
    """With the help that followed."""
    plan = [(10 * n, keys) for n, keys in enumerate(answers, 1)]
    tty, wire = wired([*plan, (50, Hangup), (60, b"1\r")])
    tty.on_pause = lambda: None
    board = "\n3 3\n2 2\n1 1"
    tty.type(board)
    while tty.ask("MOVE? ") == "?":
        for row in range(9):
            tty.type(f"HELP {row}")
    end = "".join(f"HELP {row}\r\n" for row in range(9) if answers)
    crlf = board.replace("\n", "\r\n")
    assert wire.paper.endswith(f"MOVE? \r\n{crlf}\r\n{end}MOVE? 1\r\n")


def test_a_line_that_is_back_gets_no_board_in_part() -> None:
    tty, wire = wired([(1, b"1\r"), (2, Hangup), (9, b"3\r")])
    tty.greeting = "HELLO"
    tty.ask()
    board = "\n" + "BOARD\n" * 6
    for text in ("BEGUN ", board, "I MOVE", board, "I MOVE AGAIN"):
        tty.type(text, end="" if text == "BEGUN " else "\n")
    printed = wire.paper
    assert tty.ask("MOVE? ") == "3"
    again = wire.paper.removeprefix(f"{printed}MOVE? ").replace("\r\n", "\n")
    assert again == f"\nHELLO\nI MOVE\n{board}\nI MOVE AGAIN\nMOVE? 3\n"


def test_work_goes_on_during_a_hangup_and_nothing_old_is_obeyed_after_it() -> None:
    tty, wire = wired([(0, b"old\r\x0f"), (1, Hangup), (9, b"3\r")])
    assert not worked(tty, wire, 5)
    assert wire.reopened == 0
    tty.type("I MOVE")
    assert tty.ask("MOVE? ") == "3"
    assert wire.paper == "old\r\n↑O\r\n\r\nI MOVE\r\nMOVE? 3\r\n"
    assert wire.reopened == 1


@pytest.mark.parametrize(
    "happens, torn, reopened",
    [(b"3567", "3", 1), (b"\x03", "↑", 1), (Hangup, "\r\nHELLO", 2)],
)
def test_what_a_hangup_overtakes_reaches_no_program(
    happens: Act, torn: str, reopened: int
) -> None:
    wire = Torn([(1, happens), (9, b"4\r")], torn)
    tty = attached(wire)
    tty.greeting = "HELLO"
    assert tty.ask("MOVE? ") == "4"
    assert wire.paper == "MOVE? \r\nHELLO\r\nMOVE? 4\r\n"
    assert wire.reopened == reopened


def test_the_first_line_begins_at_the_left_even_after_a_hangup() -> None:
    wire = Wire([(2.05, Hangup), (9, b"3\r")])
    wire.at_left = False
    tty = attached(wire, "33")
    tty.greet("HELLO")
    assert wire.paper == "\r\n\0\0HELLO\r\n\0\0"
    assert tty.ask("MOVE? ") == "3"
    assert wire.paper.endswith("MOVE? \r\n\0\0HELLO\r\n\0\0MOVE? 3\r\n\0\0")


def test_who_comes_after_a_hangup_may_not_speak_telnet() -> None:
    """Then FF is the RUBOUT of an eight-bit keyboard, and FF FF is two of them."""
    wire = Wire([(1, b"\xff\xfb\x01"), (2, Hangup), (9, b"123\xff\xff4\r")])
    wire.telnet = True
    assert attached(wire).ask("MOVE? ") == "14"


class Deaf(Wire):
    """A line that CTS holds from the second second to the hundredth."""

    def out_waiting(self) -> int:
        return 20 if 2 < self.seconds < 100 else 0


@pytest.mark.source("TTY-CTS")
def test_a_deaf_line_does_not_hold_the_stop() -> None:
    wire = Deaf([(3, b"\x03")])
    assert worked(attached(wire, "33"), wire, 20)
    assert 3 < wire.seconds < 10
    wire = Deaf([(3, b"A"), (4, b"\x03"), (150, b"3\r")])
    tty = attached(wire, "33")
    tty.on_pause = lambda: None
    tty.type(TEXT * 200)
    assert 4 < wire.seconds < 12
    assert tty.ask("? ") == "3"
    assert wire.seconds > 149
    assert wire.paper.endswith("\r\n\0\0? 3\r\n\0\0")  # it begins a line


@pytest.mark.source("TTY-CTS")
@pytest.mark.parametrize("text", ["", TEXT * 100])
@pytest.mark.parametrize("wire, plan", [(Wire, [(1.05, Hangup)]), (Deaf, [])])
def test_a_job_that_is_ended_while_its_line_is_gone(
    wire: type[Wire], plan: Plan, text: str
) -> None:
    """Hung up or deaf, at a prompt and in the middle of output."""
    line = wire(plan)
    line.absent = 1000
    line.end = 20
    tty = attached(line, "33")
    tty.type(text, end="")
    with pytest.raises(Leave):
        tty.ask("MOVE? ")
    assert 20 < line.seconds < 21 and len(line.paper) < 30


def test_a_line_that_has_just_been_opened() -> None:
    """It gets nothing until it is in order, and a server's banner is not typed."""
    plan: Plan = [(0.1, b"SER2NET PORT 4000\r\n"), (1, b"1"), (3, b"\r"), (5, Hangup)]
    wire = Wire([*plan, (6, b"SER2NET PORT 4000\r\n"), (20, b"2\r")])
    wire.settle = 2.0
    tty = attached(wire)
    assert [tty.ask("? "), tty.ask("? ")] == ["1", "2"]
    assert wire.printed[0][0] >= 2
    assert not any(5 < when < 6.9 for when, _ in wire.printed)
