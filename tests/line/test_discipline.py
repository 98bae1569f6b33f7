"""The line discipline, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from sail.line.carriage import ANYWHERE, Carriage
from sail.line.codes import BREAK
from sail.line.discipline import Discipline
from sail.line.models import MODELS
from sail.settings import Settings


def line_of(model: str = "37", fill: int = 0, **settings: Any) -> Discipline:
    """A discipline without fill characters, so that tests can be read."""
    carriage = Carriage(MODELS[model], "\r\n")
    carriage.apply(MODELS[model].settings._replace(fill=fill, **settings))
    return Discipline(carriage, "")


def typed(discipline: Discipline, data: Iterable[int]) -> bytes:
    """What comes back on the line when these bytes are typed."""
    back = b""
    for byte in data:
        discipline.receive(byte)
        back += discipline.render(discipline.pending_echo)
        discipline.pending_echo = ""
    return back


KEYS = bytes(range(64, 127))
ECHO = KEYS.replace(b"}~", b"$$")
RULES: dict[str, tuple[Iterable[int], bytes, list[str | None], int]] = {
    # What is typed, what comes back, the lines, and how many ^Cs are counted.
    "CR": (b"1\r2\r", b"1\r\n2\r\n", ["1", "2"], 0),
    "LF": (b"1\n2\n", b"1\r\n2\r\n", ["1", "2"], 0),
    "CR LF": (b"1\r\n2\r\n", b"1\r\n2\r\n", ["1", "2"], 0),
    "CR CR LF": (b"1\r\r\n2\r\r\n", b"1\r\n2\r\n", ["1", "2"], 0),
    "LF CR": (b"1\n\r2\n\r", b"1\r\n2\r\n", ["1", "2"], 0),
    "CR RUBOUT LF": (b"1\r\x7f\n2\r\n", b"1\r\n\r\n2\r\n", ["1", "2"], 0),
    "CR CR": (b"1\r\r2\r", b"1\r\n\r\n2\r\n", ["1", "", "2"], 0),
    "LF LF": (b"1\n\n2\n", b"1\r\n\r\n2\r\n", ["1", "", "2"], 0),
    "CR LF CR LF": (b"1\r\n\r\n2\r", b"1\r\n\r\n2\r\n", ["1", "", "2"], 0),
    "VT": (b"1\v2\v", b"1\r\n2\r\n", ["1", "2"], 0),
    "FF": (b"\f1\f2\f\r", b"12\r\n", ["12"], 0),
    "RUBOUT": (b"12\x7f3\r", b"12\\2\\3\r\n", ["13"], 0),
    "RUBOUT twice": (b"123\x7f\x7f4\r", b"123\\32\\4\r\n", ["14"], 0),
    "RUBOUTs of nothing": (b"\x7f\x7f\0\x7f1\r", b"\r\n1\r\n", ["1"], 0),
    "RUBOUTs of too much": (b"1\x7f\x7f\x7f\x7f2\r", b"1\\1\\\r\n2\r\n", ["2"], 0),
    "RUBOUTs between lines": (b"\x7f\r\x7f\x7f\r", b"\r\n" * 4, ["", ""], 0),
    "RUBOUT after CR LF": (b"1\r\n\x7f\x7f2\r", b"1\r\n2\r\n", ["1", "2"], 0),
    "backspace after CR LF": (b"1\r\n\b\b2\r", b"1\r\n2\r\n", ["1", "2"], 0),
    "an open loop": (b"\xff" * 100, b"\r\n", [], 0),
    "backspace": (b"12\b3\r", b"12\\2\\3\r\n", ["13"], 0),
    "^U": (b"12\x153\r", b"12^U\r\n3\r\n", ["3"], 0),
    "^U after RUBOUT": (b"12\x7f\x153\r", b"12\\2^U\r\n3\r\n", ["3"], 0),
    "^R": (b"12\x7f3\x12\r", b"12\\2\\3^R\r\n13\r\n", ["13"], 0),
    "^Z": (b"\x1a", b"^Z\r\n", [None], 0),
    "^Z in a line": (b"1\x1a", b"1^Z\r\n", ["1", None], 0),
    "^C": (b"12\x033\r", b"12^C\r\n3\r\n", ["3"], 1),
    "^C twice": (b"1\r2\x03\x033\r", b"1\r\n2^C\r\n^C\r\n3\r\n", ["3"], 2),
    "^C and later ^C": (b"1\r\x032\x03", b"1\r\n^C\r\n2^C\r\n", ["1"], 1),
    "NUL and ^C": (b"1\r\x03\0\x032\r", b"1\r\n^C\r\n^C\r\n2\r\n", ["2"], 2),
    "BREAK": ([*b"12", BREAK, *b"3\r"], b"12^C\r\n3\r\n", ["3"], 1),
    "NUL": (b"\0001\0002\0\r\0\n", b"12\r\n", ["12"], 0),
    "altmode": (b"a\x1bb\x7dc\x7e\r", b"a$b$c$\r\n", ["a$b$c$"], 0),
    "^S ^Q ^B": (b"1\x13\x11\x02\x022\r", b"12\r\n", ["12"], 0),
    "^O": (b"1\x0f2\r", b"1^O\r\n2\r\n", ["12"], 0),
    "other controls": (b"\a\x05\x06\x141\r", b"\a\a\a\a1\r\n", ["1"], 0),
    "Stanford's arrows": (b"\x01\x19\r", b"V>\r\n", ["↓→"], 0),
    "tab": (b"1\t2\r", b"1       2\r\n", ["1\t2"], 0),
    "all keys": (KEYS + b"\r", ECHO + b"\r\n", [ECHO.decode()], 0),
    "an arrow key": (b"\x1b[A\r", b"$[A\r\n", ["$[A"], 0),
}


@pytest.mark.source(
    "MON-RUBOUT", "MON-RUBOUT-EMPTY", "MON-LETTERS", "MON-HOLD", "MON-C", "MON-CC",
    "MON-BREAK", "MON-NUL", "MON-ALTMODE", "TTY-33-RUBOUT", "TTY-37-NL", "TTY-TELNET",
)  # fmt: skip
@pytest.mark.parametrize("data, back, lines, interrupts", RULES.values(), ids=RULES)
def test_rules(
    data: Iterable[int], back: bytes, lines: list[str | None], interrupts: int
) -> None:
    discipline = line_of()
    assert typed(discipline, data) == back
    assert list(discipline.lines) == lines and discipline.interrupts == interrupts


def test_a_stop_that_is_used_up_is_not_the_first_of_two() -> None:
    discipline = line_of()
    typed(discipline, b"1\r\x03")
    discipline.forget_interrupts()
    assert list(discipline.lines) == ["1"]
    typed(discipline, b"\x03")
    assert discipline.interrupts == 1 and not discipline.lines


def test_output_is_suspended_and_switched_off() -> None:
    for keys, suspended, mute in (
        (b"\x13\x13\x11\x11", "1100", "0000"),
        (b"\x02\x02\x02\x11", "1010", "0000"),
        (b"\x13\x03", "10", "01"),
        (b"\x0f\x0f", "00", "10"),
    ):
        discipline = line_of()
        for key, *are in zip(keys, suspended, mute):
            typed(discipline, [key])
            assert [discipline.suspended, discipline.mute] == [it == "1" for it in are]


@pytest.mark.source("MON-FULL-LINE")
def test_a_full_line_and_too_many_lines_ring_the_bell() -> None:
    discipline = line_of()
    typed(discipline, b"1" * 128)
    assert typed(discipline, b"2" * 10) == b"\a" * 10
    assert typed(discipline, b"\x7f4") == b"\\1\\4"
    assert typed(discipline, b"5") == b"\a"
    typed(discipline, b"\r" + b"1\r" * 255)
    assert typed(discipline, b"22\r3\r\x1a") == b"\a" * 6
    assert list(discipline.lines) == ["1" * 127 + "4"] + ["1"] * 255
    assert typed(discipline, b"\x03\x03") == b"^C\r\n^C\r\n"
    assert not discipline.lines and discipline.interrupts == 2


EDGE = b"X" * 72
PRINTED: dict[str, tuple[str, dict[str, Any], str, bytes]] = {
    # The model, its settings, a text, and the bytes that print it.
    "fill": ("33", {"fill": 2}, "A\nB\r", b"A\r\n\0\0B\r\0\0"),
    "fill on five levels": ("15", {"fill": 2}, "\n", bytes([8, 2, 0x1F, 0x1F])),
    "fill at the edge": ("33", {"fill": 2}, "X" * 73, EDGE + b"\r\n\0\0X"),
    "NO LF": ("33", {"fill": 1, "lf": False}, "A\nB", b"A\r\0B"),
    "NO LF at the edge": ("33", {"lf": False}, "X" * 73, EDGE + b"\rX"),
    "72 columns": ("37", {}, "X" * 73, EDGE + b"\r\nX"),
    "a full line": ("37", {}, "X" * 72 + "\n", EDGE + b"\r\n"),
    "20 columns": ("37", {"width": 20}, "X" * 21, b"X" * 20 + b"\r\nX"),
    "NO FULL": ("37", {"full": False}, "Pit 1\f2\v3", b"PIT 1\n2\n3"),
    "substitutes": ("33", {}, "X" * 71 + "\x05", b"X" * 71 + b"\x5e\r\nE"),
    "bells": ("33", {}, "\a" * 80 + "X", b"\a" * 80 + b"X"),
    "no backspace": ("glass", {}, "1\b2", b"1^H2"),
    "blanks for tabs": ("37", {}, "12\t3\t\t4", b"12      3               4"),
    "tabs": ("37", {"tabs": True}, "12\t3\t\t4", b"12\t3\t\t4"),
    "tabs on five levels": ("15", {"tabs": True}, "A\t", b"\x1f\x03" + b"\x04" * 7),
    "a tab to the edge": ("33", {"width": 8, "tabs": True}, "1\tY", b"1\t\r\nY"),
    "a tab at it": ("33", {"width": 9}, "123456789\tY", b"123456789\r\n        Y"),
    "one across it": ("33", {"width": 5, "tabs": True}, "123\tY", b"123  \r\n   Y"),
}


@pytest.mark.source("MON-72", "TTY-33-EDGE", "TTY-33-FILL", "MON-FILL", "TTY-5-EOL")
@pytest.mark.source("TTY-LF", "MON-FULL", "MON-FF", "MON-TABS")
@pytest.mark.parametrize("model, settings, text, data", PRINTED.values(), ids=PRINTED)
def test_how_a_text_is_printed(
    model: str, settings: dict[str, Any], text: str, data: bytes
) -> None:
    assert line_of(model, **settings).carriage.render(text) == data


ECHOES: dict[str, tuple[dict[str, Any], bytes, bytes, str]] = {
    # The settings of a 33, what is typed, what comes back, and the line.
    "fill": ({"fill": 2}, b"3\r", b"3\r\n\0\0", "3"),
    "NO LF": ({"fill": 1, "lf": False}, b"3\r", b"3\r\0", "3"),
    "edge": ({}, b"X" * 73 + b"\r", EDGE + b"\r\nX\r\n", "X" * 73),
    "NO FULL": ({}, b"quit\r", b"QUIT\r\n", "QUIT"),
    "NO ECHO": ({"echo": False}, b"12\r\n", b"\r\n", "12"),
    "NO ECHO, LF": ({"echo": False}, b"12\n", b"", "12"),
    "NO ECHO, RUBOUT": ({"echo": False}, b"12\x7f3\r", b"\\2\\\r\n", "13"),
    "NO ECHO, ^U": ({"echo": False}, b"12\x15\r", b"^U\r\n\r\n", ""),
}


@pytest.mark.source("MON-ECHO", "TTY-33-DUPLEX")
@pytest.mark.parametrize("settings, data, back, line", ECHOES.values(), ids=ECHOES)
def test_what_is_echoed(
    settings: dict[str, Any], data: bytes, back: bytes, line: str
) -> None:
    discipline = line_of("33", **settings)
    assert typed(discipline, data) == back
    assert list(discipline.lines) == [line]


@pytest.mark.parametrize(
    "settings, keys, text, data, column",
    [
        ({}, b"y" * 70, "ABC", b"AB\r\nC", 1),
        # After a return of its own, fillers go out: it may still be on its way.
        ({"fill": 2, "lf": False}, b"12\r", "AB", b"\0\0AB", 2),
        ({"fill": 2}, b"12\n", "AB", b"\0\0AB", 2),
        ({"fill": 2}, b"12\n345", "AB", b"\0\0AB", 5),
        ({"fill": 1, "tabs": True}, b"1\n", "\tY", b"\0\t\0Y", 9),
    ],
)
def test_where_the_carriage_stands_after_what_the_machine_itself_has_printed(
    settings: dict[str, Any], keys: bytes, text: str, data: bytes, column: int
) -> None:
    discipline = line_of("33", **settings, echo=False)
    assert typed(discipline, keys) == b""
    assert discipline.carriage.render(text) == data
    assert discipline.carriage.column == column


def test_a_carriage_that_may_stand_anywhere_returns_first() -> None:
    discipline = line_of("33", fill=2, tabs=True)
    carriage = discipline.carriage
    for text, back in (("X", b"X"), ("\n", b""), ("\ty", b"\t\0Y")):
        carriage.column = ANYWHERE
        assert carriage.render(text) == b"\r\n\0\0" + back
    assert carriage.column == 9
    carriage.column = ANYWHERE
    assert typed(discipline, b"3") == b"\r\n\0\x003"


def test_a_pipe_has_no_feeds_to_spare() -> None:
    carriage = Carriage(MODELS["33"], "\n")
    carriage.apply(Settings(lf=False, fill=0))
    assert carriage.render("A\nB") == b"A\nB"


@pytest.mark.parametrize("model", ["glass", "utf8"])
def test_a_screen_erases_what_is_rubbed_out(model: str) -> None:
    screen = line_of(model)
    back = b"12\b \b3\b \b\b \b4\r\n"
    assert typed(screen, b"12\x7f3\x7f\x7f\x7f\b4\r") == back
    assert typed(screen, b"1\t\x7f2\r").endswith(b"\\\t\\2\r\n".expandtabs())
    assert list(screen.lines) == ["4", "12"]
    assert typed(screen, b"X" * 73 + b"\x7f\x7f").endswith(b"X\r\nX\b \b")
    half_duplex = line_of(model, echo=False)
    assert typed(half_duplex, b"12\x7f3") == b"\\2\\"


@pytest.mark.parametrize(
    "text, folded",
    [
        ("A " + "B" * 42, "A " + "B" * 42),
        ("A " + "B" * 43, "A\n" + "B" * 43),
        ("AB. " * 11 + " C\n", "AB. " * 10 + "AB.\nC\n"),
        ("X" * 90 + " Y", "X" * 90 + " Y"),
        ("  " + "X" * 90, "  " + "X" * 90),
        ("AB " * 30, "\n".join(["AB " * 14 + "AB"] * 2) + "\n"),
    ],
)
def test_no_word_is_broken(text: str, folded: str) -> None:
    carriage = line_of(width=44).carriage
    assert carriage.fold(text) == folded
    carriage.render("12345")
    assert carriage.fold("A " * 30) == "\n".join([("A " * 20).rstrip(), ("A " * 10)])
    carriage.column = ANYWHERE
    assert carriage.fold(text) == folded


@pytest.mark.source("MON-TABS")
@pytest.mark.parametrize(
    "text, sent",
    [
        ("A  B", "A  B"),
        ("A" + " " * 8 + "B", "A\t\0 B"),
        ("AAAA" + " " * 15 + "B", "AAAA\t\t\0   B"),
        ("AAAAAA  B  ", "AAAAAA\tB  "),
        ("AAAAAAA  B", "AAAAAAA  B"),
        ("\a        B", "\a        B"),
        (" " * 8, "\t\0"),
    ],
)
def test_runs_of_blanks_are_tabs(text: str, sent: str) -> None:
    """Where that is shorter, with the fillers of a long tab."""
    carriage = line_of("33", fill=2, tabs=True).carriage
    folded = carriage.fold(f"{text}\n{text}")
    assert folded == f"{sent}\n{sent}".replace("\0", "")
    assert carriage.render(folded) == f"{sent}\r\n\0\0{sent}".encode()
    carriage.render("\n   ")
    assert "\t" not in carriage.fold("A  B") and "\t" in carriage.fold("AAA  B")
    assert carriage.fold(f"\n{text}") == "\n" + sent.replace("\0", "")
    assert line_of("15", tabs=True).carriage.fold(text) == text


@pytest.mark.source("TTY-5-BLANK")
@pytest.mark.parametrize("model", ["15", "28", "T100"])
def test_a_mark_leaves_the_typist_in_his_shift(model: str) -> None:
    """He presses no other shift after BLANK, and none is needed on the paper."""
    for before, wrong, after in (("R K", "ALH", "ALAH"), ("3", "4", "5")):
        discipline = line_of(model, echo=False)
        code = MODELS[model].new_code()
        typed(discipline, code.encode(before + wrong))
        marks = typed(discipline, bytes(len(wrong)))
        assert marks.endswith(b"\x1f") == (before != "3")
        typed(discipline, code.encode(f"{after}\r"))
        assert list(discipline.lines) == [before + after]


SEQUENCES = "[A OA OP [1;5C [3~ [15;2~ [[A \x1b[A [?1;2c [Z"


@pytest.mark.parametrize(
    "model, keys, line",
    [
        *(("glass", f"1\x1b{sequence}2\r", "12") for sequence in SEQUENCES.split()),
        *(("glass", f"\x1b{it}\r", f"${it}") for it in ("1", "[", "A")),  # altmodes
        *(("glass", "\x1b\x1b2\r", "$$2"), ("glass", "1\x1b[\x032\r", "2")),
        ("glass", "\x1b\x1b]2\r", "$$]2"),  # no reply: altmode twice
        ("glass", "\x1bOs\x1bOv\x1bOM", "36"),  # the keypad, and ENTER
        ("VT52", "\x1b?s\x1b?v\x1b?M", "36"),
        ("VT52", "\x1bA\x1bB3\x1bC\x1bD6\x1bP\r", "36"),
        ("VT52", "\x1b[A3\r", "3"),
        ("glass", "\x1b]11;rgb:0000/0000/0000\x1b\\3\r", "3"),  # replies
        ("utf8", "\x1bP>|xterm(379)\x1b\\\x1b]11;?\a3\r", "3"),
    ],
)
def test_arrow_keys_keypads_and_replies_of_screens(
    model: str, keys: str, line: str
) -> None:
    discipline = line_of(model)
    back = typed(discipline, keys.encode())
    assert back.decode().split("^C\r\n")[-1] == f"{line}\r\n"
    assert list(discipline.lines) == [line]


def test_the_end_key_of_a_console_on_an_empty_line() -> None:
    discipline = Discipline(Carriage(MODELS["utf8"], "\n"), "\x04")
    assert typed(discipline, b"\x04") == "↑D\n".encode()
    assert list(discipline.lines) == [None]
    assert typed(discipline, b"1\x04") == b"1\a"
    assert list(discipline.lines) == [None]
    assert typed(line_of("glass"), b"\x04") == b"\a"
