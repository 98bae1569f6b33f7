"""Paper tape, on lines without time."""

from __future__ import annotations

import re
from functools import partial

import pytest

from sail.line.codes import BREAK
from sail.line.models import MODELS
from sail.line.ports import Hangup
from sail.line.tape import frames
from sail.refusal import Refusal
from sail.teletype import Leave
from tests.errors import refused
from tests.line.virtual import Act, Plan, Torn, attached, keys, wired
from tests.machines import MACHINES

BLANK = bytes(60)
incomplete = partial(refused, Refusal, "THE TAPE IS INCOMPLETE.")
ended_early = partial(refused, Refusal, "THE TAPE ENDED EARLY: NOTHING WAS KEPT.")


@pytest.mark.source("TTY-ASR", "TTY-TAPE")
def test_a_tape_is_punched() -> None:
    tty, wire = wired([(1, b"xyz")], "33")
    tty.punch("A\n", "A.POS")
    tape = (BLANK + b"A\r\n\0\0\x1a" + BLANK).decode()
    assert wire.paper == f"\x12{tape}\x14\r\n\0\0XYZ"
    assert wire.seconds > 12  # at the pace of the punch


def test_a_tape_that_is_stopped_switches_the_punch_off() -> None:
    tty, wire = wired([(3, b"\x03")], "33")
    with incomplete():
        tty.punch("A\n", "A.POS")
    assert wire.paper.startswith("\x12\0") and len(wire.paper) < 45
    tty.type("SORRY")
    assert wire.paper.endswith("\x14\r\n\0\0^C\r\n\0\0SORRY\r\n\0\0")
    assert tty.driver.discipline.interrupts == 0
    tty, wire = wired([(0, b"\x03")])
    with incomplete():
        tty.punch("A\n", "A.POS")
    assert wire.paper == "\x12\x14\r\n↑C\r\n"


@pytest.mark.usefixtures("handlers")
def test_a_job_that_is_ended_switches_its_tape_unit_off() -> None:
    tty, wire = wired([(5, b"")], "33")
    wire.end = 3
    with tty, incomplete():
        tty.punch("A\n", "A.POS")
    assert re.fullmatch("\x12\0{30,59}\x14\r\n\0*", wire.paper)
    tty, wire = wired([], "33")
    with tty, pytest.raises(Leave):
        tty.read_tape()
    assert wire.paper == "\x11\x13"


def test_a_hangup_tears_a_tape() -> None:
    with incomplete():
        wired([(3, Hangup)], "33")[0].punch("A\n", "A.POS")
    tty, wire = wired([(1, b"A\r\n"), (3, Hangup), (9, b"3\r")], "33")
    with ended_early():
        tty.read_tape()
    assert tty.ask("MOVE? ") == "3"
    assert wire.paper.startswith("\x11\r\n")


def test_a_hangup_when_the_tape_is_through() -> None:
    with incomplete():
        attached(Torn([], "\x14")).punch("A\n", "A.POS")
    wire = Torn([(1, b"A\x1aOLD\r"), (9, b"NEW\r")], "\x13")
    tty = attached(wire)
    assert tty.read_tape() == "A"
    assert tty.ask(".") == "NEW"
    assert (wire.paper, wire.reopened) == ("\x11\x13\r\n.NEW\r\n", 1)


def test_what_comes_after_a_tape_is_typed() -> None:
    """A machine that prints its tape begins a line."""
    for words, paper in (("", ".DIR\r\n"), ("NO ECHO", "\r\n.")):
        tty, wire = wired([(1, b"A\r\n\x1a\0\0DIR\r")])
        tty.set(words)
        assert tty.read_tape() == "A\n"
        assert tty.ask(".") == "DIR"
        assert wire.paper == f"\x11\x13{paper}"


def test_a_tape_keeps_to_the_paper() -> None:
    """The machine itself prints what is punched."""
    text = "".join(f"{'1234567 ' * count}\n" for count in range(30))
    for model in ("33", "T100"):
        machine, code = MACHINES[model](), MODELS[model].new_code()
        machine.receive(frames(text, "X", code, machine.columns).replace(b"\x1a", b""))
        assert machine.faults == []
        printed = "".join(line.ljust(machine.columns) for line in machine.paper)
        assert printed.split() == text.split()


def test_what_can_be_punched() -> None:
    for model, lacking in (("33", "\x1f\x7fé\r"), ("28", "+=a\t"), ("T100", ";$a\t")):
        for char in lacking:
            with refused(Refusal, "X.TXT LINE 2 HAS A CHARACTER THAT THE TAPE LACKS."):
                frames(f"A\n{char}", "X.TXT", MODELS[model].new_code(), 72)
    tape = frames(" ~\t\nA\n", "X.TXT", MODELS["33"].new_code(), 72)
    assert tape == BLANK + b" ~\t\r\n\0\0A\r\n\0\0\x1a" + BLANK


LINES = """\
GAME OF 1972-10-06 14:03
A 0 3 3 3 3 3 3, B 12 4 0 1 9 3 3, B TO MOVE
 10 A 36           5-0    2 B 1            5-1
"""
TITLES = ["", "ADA B. LOVELACE-1815", "ABCDEFGHIJKLMNOPQRST", "UVWXYZ0123456789.- X"]


@pytest.mark.parametrize("model", ["33", "37", "15", "T100"])
@pytest.mark.parametrize(
    "text, title",
    [*((LINES, title) for title in TITLES), (f"{'A 1 ' * 20}\n3\n", "")],
)
def test_a_punched_tape_is_read_back(text: str, model: str, title: str) -> None:
    tty, wire = wired([], model)
    tty.type("SCORE")  # five levels stand in letters, and the reader in figures
    before = wire.written()
    tty.punch(text, "X", title)
    frames = wire.written()[len(before) :]
    if not tty.code.five:
        assert frames[:1] + frames[-1:] == b"\x12\x14"  # the punch, on and off
        frames = frames[1:-1]
        harmless = {0, 8, 10, 13, 16, 24, 26}
        assert {frame & 0x7F for frame in frames} & set(range(32)) <= harmless
    reader, _ = wired([(at, [frame]) for at, frame in enumerate(frames)], model, 0)
    reader.type("SCORE: 3", end="")
    assert reader.read_tape() == text


def test_a_title_is_read_by_people() -> None:
    tape = frames("A\n", "X", MODELS["33"].new_code(), 72, "4-5")
    letters = tape[60:].lstrip(b"\0").partition(bytes(60))[0]
    rows = ["".join(" X"[frame >> row & 1] for frame in letters) for row in range(8)]
    assert [row.rstrip() for row in rows] == [
        "", "", "",
        "X  X      XXXXX",
        "X  X      X",
        "XXXXX XXX XXXX",
        "   X          X",
        "   X      XXXX",
    ]  # fmt: skip
    five = frames("A\n", "X", MODELS["28"].new_code(), 72, "4-5")
    assert five[60:].startswith(b"\x1f" + bytes(frame >> 3 for frame in letters))


def test_the_rest_of_a_tape_in_a_reader_without_control_is_no_input() -> None:
    code = MODELS["28"].new_code()
    whole = frames("A\nB\n", "X", code, 72)
    rest = b"".join(map(code.encode, "KJOB\r\n"))
    typed = b"\x1f" + b"".join(map(code.encode, "R\r"))
    ends: list[Plan] = [[(2.5, key), (2.7, typed)] for key in (b"\x1b\x05", [BREAK])]
    for end in [[(9.0, typed)], *ends]:
        tty, _wire = wired([(1, whole), (1.5, rest), (2, rest), *end], "28", 0)
        assert tty.read_tape() == "A\nB\n"
        assert tty.ask() == "R"


@pytest.mark.source("TTY-ASR", "TTY-TAPE")
@pytest.mark.parametrize(
    "frames, text",
    [
        (b"A\r\n\0\0B\r\n\x1a", "A\nB\n"),
        (b"\0\0\xff\x7fA\nB\n" + BLANK, "A\nB\n"),
        (b"A\rB\r" + b"\xff" * 40, "A\nB\n"),
        (b"\xc1\x8d\x0aB\r" + BLANK, "A\nB\n"),
        (b"A" + bytes(31) + b"B\r\n\r\n\x1a", "AB\n\n"),
        (b"A" + bytes(31) + b"B\0C\x1a", "ABC"),
        (b"A" + bytes(32) + b"B\r\n\r\n\x1a", "B\n\n"),
        (b"\r\n" + BLANK + b"A\r\nB\r\n" + BLANK, "A\nB\n"),
        (b"\r\nPUNCH A\r\n" + BLANK + b"A\r\nB\r\n" + BLANK, "A\nB\n"),
        (BLANK * 3 + b"\x1a", ""),
        (BLANK * 99 + b"A" * 99 + b"\x1a", "A" * 99),
        (b"A\x1a", "A"),
        (b"A\r\r\nB\r\r\n\r\r\nC\r\n\x1a", "A\nB\n\nC\n"),
        (b"A\n\rB\n\r\n\rC\n\x1a", "A\nB\n\nC\n"),
        (b"A\r\x7f\nB\r\n\r\nC\r\rD\x1a", "A\nB\n\nC\n\nD"),
        (b"A\r\x13\x7fB\r\n\x13\x7fC\r\n\x14\x1a", "A\nB\nC\n"),
    ],
)
def test_a_tape_is_read(frames: bytes, text: str) -> None:
    tty, wire = wired(keys(frames, 1))
    assert tty.read_tape() == text
    assert [data for _, data in wire.printed] == [b"\x11", b"\x13"]


def test_a_tape_may_be_stopped() -> None:
    keys: list[Act] = [b"\x03", [BREAK]]
    for key in keys:
        tty, wire = wired([(1, b"A\r\n"), (2, key), (3, b"R\r")])
        with ended_early():
            tty.read_tape()
        tty.type("STOPPED")
        assert tty.ask("OK ") == "R"
        assert wire.paper == "\x11\x13↑C\r\nSTOPPED\r\nOK R\r\n"
    bell = b"\x1b\x05"  # on five levels
    tty, _ = wired([(1, b"\x1f\x03"), (2, bell), (3, b"\x0a\x08")], "28", 0)
    with ended_early():
        tty.read_tape()
    assert tty.ask("OK ") == "R"
