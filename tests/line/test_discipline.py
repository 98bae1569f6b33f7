"""The line discipline, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from sail.line.carriage import Carriage
from sail.line.discipline import BREAK, Discipline
from sail.line.models import MODELS
from sail.line.settings import Settings


def line_of(model: str = "37", fill: int = 0, **settings: Any) -> Discipline:
    """A discipline without fill characters, so that tests can be read."""
    carriage = Carriage(MODELS[model])
    carriage.apply(MODELS[model].settings._replace(fill=fill, **settings))
    return Discipline(MODELS[model], carriage)


def typed(discipline: Discipline, data: Iterable[int]) -> bytes:
    """What comes back on the line when these bytes are typed."""
    back = b""
    for byte in data:
        discipline.receive(byte)
        back += discipline.echo()
    return back


KEYS = bytes(range(64, 127))
ECHO = KEYS.replace(b"}~", b"$$")
RULES: dict[str, tuple[Iterable[int], bytes, list[str | None]]] = {
    # What is typed, what comes back, and the lines.
    "echo": (b"move 3\r", b"move 3\r\n", ["move 3"]),
    "CR": (b"1\r2\r", b"1\r\n2\r\n", ["1", "2"]),
    "LF": (b"1\n2\n", b"1\r\n2\r\n", ["1", "2"]),
    "CR LF": (b"1\r\n2\r\n", b"1\r\n2\r\n", ["1", "2"]),
    "empty lines": (b"\r\r\n\n", b"\r\n\r\n\r\n", ["", "", ""]),
    "VT": (b"1\v2\v", b"1\r\n2\r\n", ["1", "2"]),
    "FF": (b"\f1\f2\f\r", b"12\r\n", ["12"]),
    "parity": (b"\xb1\x8d", b"1\r\n", ["1"]),
    "RUBOUT": (b"12\x7f3\r", b"12\\2\\3\r\n", ["13"]),
    "RUBOUT twice": (b"123\x7f\x7f4\r", b"123\\32\\4\r\n", ["14"]),
    "RUBOUT of 8 bits": (b"12\xff3\r", b"12\\2\\3\r\n", ["13"]),
    "RUBOUT, end": (b"12\x7f\r", b"12\\2\\\r\n", ["1"]),
    "RUBOUTs of nothing": (b"\x7f\x7f\0\x7f1\r", b"\r\n1\r\n", ["1"]),
    "RUBOUTs of too much": (b"1\x7f\x7f\x7f\x7f2\r", b"1\\1\\\r\n2\r\n", ["2"]),
    "RUBOUTs between lines": (b"\x7f\r\x7f\x7f\r", b"\r\n\r\n\r\n\r\n", ["", ""]),
    "RUBOUT after CR LF": (b"1\r\n\x7f\x7f2\r", b"1\r\n2\r\n", ["1", "2"]),
    "backspace": (b"12\b3\r", b"12\\2\\3\r\n", ["13"]),
    "^U": (b"12\x153\r", b"12^U\r\n3\r\n", ["3"]),
    "^U after RUBOUT": (b"12\x7f\x153\r", b"12\\2^U\r\n3\r\n", ["3"]),
    "^R": (b"12\x7f3\x12\r", b"12\\2\\3^R\r\n13\r\n", ["13"]),
    "^Z": (b"\x1a", b"^Z\r\n", [None]),
    "^Z in a line": (b"1\x1a", b"1^Z\r\n", ["1", None]),
    "^C": (b"12\x033\r", b"12^C\r\n3\r\n", ["3"]),
    "^C twice": (b"1\r2\x03\x033\r", b"1\r\n2^C\r\n^C\r\n3\r\n", ["3"]),
    "^C and later ^C": (b"1\r\x032\x03", b"1\r\n^C\r\n2^C\r\n", ["1"]),
    "BREAK": ([*b"12", 0x100, *b"3\r"], b"12^C\r\n3\r\n", ["3"]),
    "NUL": (b"\0001\0002\0\r\0\n", b"12\r\n", ["12"]),
    "NUL and ^C": (b"1\r\x03\0\x032\r", b"1\r\n^C\r\n^C\r\n2\r\n", ["2"]),
    "altmode": (b"a\x1bb\x7dc\x7e\r", b"a$b$c$\r\n", ["a$b$c$"]),
    "^S ^Q ^B": (b"1\x13\x11\x02\x022\r", b"12\r\n", ["12"]),
    "^O": (b"1\x0f2\r", b"1^O\r\n2\r\n", ["12"]),
    "other controls": (b"\x05\x06\x141\r", b"\a\a\a1\r\n", ["1"]),
    "Stanford's arrows": (b"\x01\x19\r", b"V>\r\n", ["↓→"]),
    "tab": (b"1\t2\r", b"1       2\r\n", ["1\t2"]),
    "bell": (b"\a1\r", b"\a1\r\n", ["1"]),
    "all keys": (KEYS + b"\r", ECHO + b"\r\n", [ECHO.decode()]),
    "an arrow key": (b"\x1b[A\r", b"$[A\r\n", ["$[A"]),
}


@pytest.mark.source(
    "MON-RUBOUT", "MON-RUBOUT-EMPTY", "MON-LETTERS", "MON-HOLD", "MON-C", "MON-CC",
    "MON-BREAK", "MON-NUL", "MON-ALTMODE", "TTY-33-RUBOUT", "TTY-37-NL", "TTY-TELNET",
)  # fmt: skip
@pytest.mark.parametrize("data, back, lines", RULES.values(), ids=RULES)
def test_rules(data: Iterable[int], back: bytes, lines: list[str | None]) -> None:
    discipline = line_of()
    assert typed(discipline, data) == back
    assert list(discipline.lines) == lines


@pytest.mark.source("MON-CC")
def test_stops_that_follow_at_once_are_counted() -> None:
    once = ([3], [BREAK], [3, 0x31, 3], [3, 0x0D, 3])
    twice = ([3, 3], [BREAK, BREAK], [3, BREAK, 3], [3, 0, 3])
    for stops, sequences in enumerate(([[0, 0, 0]], once, twice)):
        for keys in sequences:
            discipline = line_of()
            typed(discipline, keys)
            assert discipline.stops == stops, keys


def test_a_stop_that_is_used_up_is_not_the_first_of_two() -> None:
    discipline = line_of()
    typed(discipline, b"1\r\x03")
    discipline.forget_stop()
    assert list(discipline.lines) == ["1"]
    typed(discipline, b"\x03")
    assert discipline.stops == 1 and not discipline.lines


@pytest.mark.parametrize(
    "keys, on_hold, off",
    [
        ("\x13", "1", "0"),
        ("\x13\x13\x11\x11", "1100", "0000"),
        ("\x02\x02\x02\x11", "1010", "0000"),
        ("\x13\x03", "10", "01"),
        ("\x0f\x0f", "00", "10"),
    ],
)
def test_output_is_held_and_switched_off(keys: str, on_hold: str, off: str) -> None:
    discipline = line_of()
    for key, held, is_off in zip(keys.encode(), on_hold, off):
        echo = typed(discipline, [key])
        assert bool(echo) == (key in (0x03, 0x0F))
        assert (discipline.on_hold, discipline.mute) == (held == "1", is_off == "1")


@pytest.mark.source("MON-FULL-LINE")
def test_a_full_line_and_too_many_lines_ring_the_bell() -> None:
    discipline = line_of()
    typed(discipline, b"1" * 128)
    assert typed(discipline, b"2" * 10_000) == b"\a"
    assert typed(discipline, b"\x7f4") == b"\\1\\4"
    assert typed(discipline, b"56") == b"\a"
    typed(discipline, b"\r" + b"1\r" * 255)
    assert typed(discipline, b"2222\r3\r\x1a\x1a") == b"\a" * 3  # one for each line
    assert list(discipline.lines) == ["1" * 127 + "4"] + ["1"] * 255
    assert typed(discipline, b"\x03\x03") == b"^C\r\n^C\r\n"
    assert not discipline.lines and discipline.stops == 2


def test_a_hushed_line_answers_return_by_the_bell() -> None:
    """Until another key is typed; CR LF is one key."""
    discipline = line_of()
    typed(discipline, b"\r\r3\r\r")
    discipline.hush()
    assert list(discipline.lines) == ["3", ""]  # these came before
    assert typed(discipline, b"\r" * 300 + b"\r\n") == b"\a" * 301
    assert typed(discipline, b"4\r\r") == b"4\r\n\r\n"
    assert list(discipline.lines) == ["3", "", "4", ""]
    for key in (b"\x7f", b"\x03", b"\x15", b"\x05"):
        discipline.hush()
        typed(discipline, key)
        assert typed(discipline, b"\r") == b"\r\n"
    half_duplex = line_of("28", echo=False)
    half_duplex.hush()
    assert typed(half_duplex, b"\x08") == b"\x1b\x05\x1f"  # no line feed


@pytest.mark.source("MON-72", "TTY-33-EDGE")
@pytest.mark.parametrize("width", [20, 72, 110, 120])
def test_a_new_line_is_put_in_at_column_72(width: int) -> None:
    """Or at the width of the paper."""
    line = b"x" * width
    carriage = line_of(width=width).carriage
    assert carriage.render("x" * width) == line
    assert carriage.render("\n") == b"\r\n"
    assert carriage.render("x" * (width + 1)) == line + b"\r\nx"
    assert typed(line_of(width=width), line + b"x") == line + b"\r\nx"


def test_a_carriage_that_may_stand_anywhere_returns_first() -> None:
    discipline = line_of("33", fill=2)
    carriage = discipline.carriage
    for text, back in (("X", b"\r\n\0\0X"), ("\n", b"\r\n\0\0")):
        carriage.forget_column()
        assert carriage.render(text) == back
        assert carriage.render("Y") == b"Y"
    carriage.forget_column()
    assert typed(discipline, b"3") == b"\r\n\0\x003"


@pytest.mark.source("TTY-33-FILL", "MON-FILL", "TTY-5-EOL")
def test_fill() -> None:
    discipline = line_of("33", fill=2)
    assert discipline.carriage.render("A\nB\r") == b"A\r\n\0\0B\r\0\0"
    assert typed(discipline, b"3\r") == b"3\r\n\0\0"
    assert discipline.carriage.render("x" * 73) == b"X" * 72 + b"\r\n\0\0X"
    five = line_of("15", fill=2)
    assert five.carriage.render("\n") == bytes([0x08, 0x02, 0x1F, 0x1F])


@pytest.mark.source("TTY-LF")
def test_a_machine_that_feeds_by_itself() -> None:
    discipline = line_of("33", fill=1, lf=False)
    assert discipline.carriage.render("A\nB") == b"A\r\0B"
    assert discipline.carriage.render("x" * 72) == b"X" * 71 + b"\r\0X"
    assert typed(discipline, b"3\r") == b"3\r\0"


@pytest.mark.source("MON-FULL", "MON-FF")
def test_what_becomes_of_characters() -> None:
    """Substitutes count as they are printed, and bells do not."""
    discipline = line_of(full=False)
    assert typed(discipline, b"quit\r") == b"QUIT\r\n"
    assert list(discipline.lines) == ["QUIT"]
    assert discipline.carriage.render("Pit 1\f2\v3\n") == b"PIT 1\n2\n3\r\n"
    carriage = line_of("33").carriage
    assert carriage.render("x" * 71 + "\x05") == b"X" * 71 + b"\x5e\r\nE"
    assert carriage.render("\a" * 80 + "x") == b"\a" * 80 + b"X"


def test_a_pipe_has_no_feeds_to_spare() -> None:
    carriage = Carriage(MODELS["33"], "\n")
    carriage.apply(Settings(lf=False, fill=0))
    assert carriage.render("A\nB") == b"A\nB"


@pytest.mark.source("MON-ECHO", "TTY-33-DUPLEX")
def test_no_echo() -> None:
    discipline = line_of(echo=False)
    assert typed(discipline, b"12\r") == b"\r\n"
    assert typed(discipline, b"12\n") == b""
    assert typed(discipline, b"12\r\n") == b"\r\n"
    assert typed(discipline, b"12\x7f3\x15") == b"\\2\\^U\r\n"
    assert typed(discipline, b"12\x7f") == b"\\2\\"
    assert typed(discipline, b"\x7f\r") == b"\\1\\\r\n"
    assert list(discipline.lines) == ["12", "12", "12", ""]
    typed(discipline, b"y" * 70)
    assert discipline.carriage.render("ABC") == b"AB\r\nC"


def test_a_machine_that_feeds_and_prints_by_itself_is_waited_for() -> None:
    """Nothing but fillers goes out after what was typed: it has returned."""
    for key, lf in ((b"\r", False), (b"\n", True)):
        discipline = line_of("33", fill=2, lf=lf, echo=False)
        assert typed(discipline, b"12" + key) == b""
        assert discipline.carriage.render("AB") == b"\0\0AB"
        assert discipline.carriage.column == 2


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
    assert b"\b" not in line_of(model).carriage.render("1\b2")


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
    carriage.forget_column()
    assert carriage.fold(text) == folded


@pytest.mark.source("MON-TABS")
def test_tabs() -> None:
    def tabbed(text: str, model: str = "37", **settings: Any) -> bytes:
        return line_of(model, **settings).carriage.render(text)

    assert tabbed("12\t3\t\t4", tabs=True) == b"12\t3\t\t4"
    assert tabbed("12\t3\t\t4") == b"12      3               4"
    assert tabbed("x" * 65 + "\ty", tabs=True) == b"x" * 65 + b"\t\r\ny"
    assert tabbed("\t", "15", tabs=True) == tabbed(" " * 8, "15")
    assert tabbed("x" * 20 + "\ty", width=20) == b"x" * 20 + b"\r\n        y"
    narrow = tabbed("x" * 18 + "\ty", width=20, tabs=True)
    assert narrow == b"x" * 18 + b"  \r\n    y"
    anywhere = line_of(tabs=True).carriage
    anywhere.forget_column()
    assert anywhere.render("\ty") == b"\r\n\ty" and anywhere.column == 9
    returning = line_of(tabs=True, fill=1, echo=False)
    typed(returning, b"1\n")
    assert returning.carriage.render("\ty") == b"\0\t\0y"
    assert returning.carriage.column == 9


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
    assert carriage.fold(text, anew=True) == sent.replace("\0", "")
    assert line_of("15", tabs=True).carriage.fold(text) == text


BELL_KEY = {"15": 0x05, "28": 0x05, "32": 0x05, "T100": 0x0B}


@pytest.mark.source("TTY-5-BLANK")
def test_the_bell_key_of_a_five_level_machine_is_its_control_c() -> None:
    for model, bell in BELL_KEY.items():
        discipline = line_of(model)
        typed(discipline, bytes([0x1B, 0x01, bell]))
        assert discipline.stops == 1 and not discipline.lines
    discipline = line_of("28")
    typed(discipline, [0x1B, 0x01, 0x17, 0x00, 0x13, 0x08, 0x02])  # 3 1 BLANK 2 CR LF
    assert list(discipline.lines) == ["32"]


@pytest.mark.source("TTY-5-BLANK")
@pytest.mark.parametrize("model", ["15", "28", "T100"])
@pytest.mark.parametrize(
    "before, wrong, after", [("R K", "ALH", "ALAH"), ("3", "4", "5")]
)
def test_a_mark_leaves_the_typist_in_his_shift(
    model: str, before: str, wrong: str, after: str
) -> None:
    """He presses no other shift after the BLANK key, and none is needed on the paper."""
    discipline = line_of(model, echo=False)
    code = MODELS[model].code()
    typed(discipline, b"".join(map(code.encode, before + wrong)))
    marks = typed(discipline, bytes(len(wrong)))
    assert marks.endswith(b"\x1f") == (before != "3")
    typed(discipline, b"".join(map(code.encode, after)) + b"\x08")
    assert list(discipline.lines) == [before + after]


@pytest.mark.source("MON-RUBOUT-EMPTY", "TTY-TAPE")
def test_blank_tape_and_an_open_loop_feed_one_line() -> None:
    assert typed(line_of("28"), bytes(100)) == bytes([0x08, 0x02])
    assert typed(line_of("33"), bytes(100)) == b""
    assert typed(line_of("33"), b"\xff" * 100) == b"\r\n"


SEQUENCES = (
    "[A", "[B", "[C", "[D", "OA", "OP", "[H", "[1;5C", "[3~", "[15;2~", "[[A", "\x1b[A",
    "[?1;2c", "[Z",
)  # fmt: skip


@pytest.mark.parametrize("model", ["glass", "utf8"])
@pytest.mark.parametrize("sequence", SEQUENCES)
def test_the_arrow_keys_of_a_screen_do_nothing(model: str, sequence: str) -> None:
    discipline = line_of(model)
    assert typed(discipline, f"1\x1b{sequence}2\r".encode()) == b"12\r\n"
    assert list(discipline.lines) == ["12"]


@pytest.mark.parametrize(
    "keys, line",
    [
        *(("\x1b1", "$1"), ("\x1b\x1b2", "$$2"), ("\x1b[\r", "$[")),
        ("1\x1b[\x032", "2"),
        ("\x1b[" + "1" * 1000, "$[" + "1" * 126),
    ],
)
def test_what_begins_like_an_arrow_key_is_an_altmode(keys: str, line: str) -> None:
    discipline = line_of("glass")
    typed(discipline, f"{keys}\r".encode())
    assert discipline.lines[0] == line


def test_the_end_key_of_a_console_on_an_empty_line() -> None:
    model = MODELS["utf8"]
    discipline = Discipline(model, Carriage(model, "\n"), "\x04")
    assert typed(discipline, b"\x04") == "↑D\n".encode()
    assert list(discipline.lines) == [None]
    assert typed(discipline, b"1\x04") == b"1\a"
    assert list(discipline.lines) == [None]
    assert typed(line_of("glass"), b"\x04") == b"\a"


def test_another_person_finds_nothing_of_the_one_before() -> None:
    five = line_of("28")
    for keys in ([0x1B, 0x01, 0x08, 0x01], []):
        typed(five, keys)
        five.carriage.reset()
        five = Discipline(MODELS["28"], five.carriage)
        assert five.carriage.render("3") == bytes([0x08, 0x02, 0x1B, 0x01])
    five.carriage.reset()
    assert typed(five, bytes([0x01, 0x08])) == bytes([0x08, 0x02])
    assert list(five.lines) == ["E"]


@pytest.mark.parametrize("model", MODELS)
def test_random_bytes_do_no_harm(model: str) -> None:
    """10,000 of them."""
    discipline = Discipline(MODELS[model], Carriage(MODELS[model]))
    rng = random.Random(model)
    for _ in range(5):
        typed(discipline, rng.randbytes(2000))
        assert len(discipline.lines) <= 257
        assert discipline.carriage.column <= 72
        if rng.random() < 0.5:
            discipline.lines.clear()
    bell = BELL_KEY.get(model)
    typed(discipline, [0])
    typed(discipline, bytes([0x1B, bell, 0x1B, bell]) if bell else b"\x03\x03")
    assert discipline.stops == 2 and not discipline.lines
    typed(discipline, bytes([0x1F, 0x03, 0x19, 0x08]) if bell else b"AB\r")
    assert list(discipline.lines) == ["AB"]
