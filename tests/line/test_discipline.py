"""The line discipline, byte for byte."""

import random
import sys

import pytest

from sail.line.discipline import LONGEST_LINE, MOST_LINES, Discipline
from sail.line.models import MODELS


def line_of(model: str = "37", **settings: object) -> Discipline:
    """A discipline without fill characters, so that tests can be read."""
    discipline = Discipline(MODELS[model])
    discipline.fill = 0
    for name, value in settings.items():
        setattr(discipline, name, value)
    return discipline


def typed(discipline: Discipline, data: bytes) -> bytes:
    """What comes back on the line when these bytes are typed."""
    return b"".join(discipline.render(discipline.receive(byte)) for byte in data)


RULES = [
    # (typed, comes back, lines)
    ("echo", b"move 3\r", b"move 3\r\n", ["move 3"]),
    ("CR", b"1\r2\r", b"1\r\n2\r\n", ["1", "2"]),
    ("LF", b"1\n2\n", b"1\r\n2\r\n", ["1", "2"]),
    ("CR LF", b"1\r\n2\r\n", b"1\r\n2\r\n", ["1", "2"]),
    ("empty lines", b"\r\r\n\n", b"\r\n\r\n\r\n", ["", "", ""]),
    ("FF and VT", b"1\f2\v", b"1\r\n2\r\n", ["1", "2"]),
    ("parity", b"\xb1\x8d", b"1\r\n", ["1"]),
    ("RUBOUT", b"12\x7f3\r", b"12\\2\\3\r\n", ["13"]),
    ("RUBOUT twice", b"123\x7f\x7f4\r", b"123\\32\\4\r\n", ["14"]),
    ("RUBOUT of 8 bits", b"12\xff3\r", b"12\\2\\3\r\n", ["13"]),
    ("RUBOUT, end", b"12\x7f\r", b"12\\2\\\r\n", ["1"]),
    ("RUBOUT of nothing", b"\x7f1\r", b"\r\n1\r\n", ["1"]),
    ("RUBOUT of all", b"1\x7f\x7f2\r", b"1\\1\\\r\n2\r\n", ["2"]),
    ("backspace", b"12\b3\r", b"12\\2\\3\r\n", ["13"]),
    ("^U", b"12\x153\r", b"12^U\r\n3\r\n", ["3"]),
    ("^U after RUBOUT", b"12\x7f\x153\r", b"12\\2^U\r\n3\r\n", ["3"]),
    ("^R", b"12\x7f3\x12\r", b"12\\2\\3^R\r\n13\r\n", ["13"]),
    ("^Z", b"\x1a", b"^Z\r\n", [None]),
    ("^Z in a line", b"1\x1a", b"1^Z\r\n", ["1", None]),
    ("^C", b"12\x033\r", b"12^C\r\n3\r\n", ["3"]),
    ("^C twice", b"1\r2\x03\x033\r", b"1\r\n2^C\r\n^C\r\n3\r\n", ["3"]),
    ("^C and later ^C", b"1\r\x032\x03", b"1\r\n^C\r\n2^C\r\n", ["1"]),
    ("BREAK", b"12\x003\r", b"12^C\r\n3\r\n", ["3"]),
    ("altmode", b"a\x1bb\x7dc\x7e\r", b"a$b$c$\r\n", ["a$b$c$"]),
    ("^S ^Q ^B", b"1\x13\x11\x02\x022\r", b"12\r\n", ["12"]),
    ("^O", b"1\x0f2\r", b"1^O\r\n2\r\n", ["12"]),
    ("other controls", b"\x05\x06\x141\r", b"\a\a\a1\r\n", ["1"]),
    ("Stanford's arrows", b"\x01\x19\r", b"V>\r\n", ["↓→"]),
    ("tab", b"1\t2\r", b"1       2\r\n", ["1\t2"]),
]


@pytest.mark.source("MON")
@pytest.mark.parametrize(
    "data, back, lines", [rule[1:] for rule in RULES], ids=[rule[0] for rule in RULES]
)
def test_rules(data, back, lines):
    discipline = line_of()
    assert typed(discipline, data) == back
    assert list(discipline.lines) == lines


@pytest.mark.source("MON")
def test_stops_are_counted_when_they_follow_at_once():
    for data, stops in [
        (b"\x03", 1),
        (b"\0", 1),
        (b"\x03\x03", 2),
        (b"\0\0", 2),
        (b"\x03\0\x03", 2),
        (b"\x031\x03", 1),
        (b"\x03\r\x03", 1),
    ]:
        discipline = line_of()
        typed(discipline, data)
        assert discipline.stops == stops, data


def test_a_stop_that_was_acted_on_is_not_the_first_of_two():
    discipline = line_of()
    typed(discipline, b"1\r\x03")
    discipline.stops = 0
    assert list(discipline.lines) == ["1"]
    typed(discipline, b"\x03")
    assert discipline.stops == 1 and not discipline.lines


def test_stops_end_output_and_holding():
    discipline = line_of()
    typed(discipline, b"\x13\x03")
    assert discipline.off and not discipline.held


def test_holding():
    discipline = line_of()
    for data, held in [
        (b"\x13", True),
        (b"\x13", True),
        (b"\x11", False),
        (b"\x11", False),
        (b"\x02", True),
        (b"\x02", False),
        (b"\x02", True),
        (b"\x11", False),
    ]:
        assert typed(discipline, data) == b""
        assert discipline.held == held


def test_output_off_and_on():
    discipline = line_of()
    typed(discipline, b"\x0f")
    assert discipline.off
    typed(discipline, b"\x0f")
    assert not discipline.off


@pytest.mark.source("MON")
def test_a_full_line_rings_the_bell():
    discipline = line_of()
    typed(discipline, b"1" * LONGEST_LINE)
    assert typed(discipline, b"23") == b"\a\a"
    assert typed(discipline, b"\x7f4") == b"\\1\\4"
    typed(discipline, b"\r")
    assert list(discipline.lines) == ["1" * (LONGEST_LINE - 1) + "4"]


def test_too_many_lines_ring_the_bell():
    discipline = line_of()
    typed(discipline, b"1\r" * MOST_LINES)
    assert typed(discipline, b"2\r\x1a") == b"\a\a\a"
    assert len(discipline.lines) == MOST_LINES
    assert typed(discipline, b"\x03\x03") == b"^C\r\n^C\r\n"
    assert not discipline.lines and discipline.stops == 2


@pytest.mark.source("MON")
def test_a_new_line_is_put_in_at_column_72():
    discipline = line_of()
    assert discipline.render("x" * 72) == b"x" * 72
    assert discipline.render("\n") == b"\r\n"
    assert discipline.render("x" * 73) == b"x" * 72 + b"\r\nx"
    discipline = line_of()
    assert typed(discipline, b"y" * 73) == b"y" * 72 + b"\r\ny"


def test_substitutes_count_as_they_are_printed():
    discipline = line_of("33")
    assert discipline.render("x" * 71 + "\x05") == b"X" * 71 + b"\x5e\r\nE"


def test_bells_take_no_room():
    discipline = line_of()
    assert discipline.render("\a" * 80 + "x") == b"\a" * 80 + b"x"


@pytest.mark.source("TTY")
def test_fill():
    discipline = line_of("33", fill=2)
    assert discipline.render("A\nB\r") == b"A\r\n\0\0B\r\0\0"
    assert typed(discipline, b"3\r") == b"3\r\n\0\0"
    assert discipline.render("x" * 73) == b"X" * 72 + b"\r\n\0\0X"
    five = line_of("15", fill=2)
    assert five.render("\n") == bytes([0x08, 0x02, 0x1F, 0x1F])


@pytest.mark.source("MON")
def test_no_echo():
    discipline = line_of(echo=False)
    assert typed(discipline, b"12\r") == b"\r\n"
    assert typed(discipline, b"12\n") == b""
    assert typed(discipline, b"12\r\n") == b"\r\n"
    assert typed(discipline, b"12\x7f3\x15") == b"\\2\\^U\r\n"
    assert list(discipline.lines) == ["12", "12", "12"]
    typed(discipline, b"y" * 70)
    assert discipline.render("ABC") == b"AB\r\nC"


@pytest.mark.source("MON")
def test_no_full_folds_both_ways():
    discipline = line_of(full=False)
    assert discipline.render("Pit") == b"PIT"
    assert typed(discipline, b"quit\r") == b"QUIT\r\n"
    assert list(discipline.lines) == ["QUIT"]


@pytest.mark.source("MON")
def test_tabs():
    assert line_of(tabs=True).render("12\t3\t\t4") == b"12\t3\t\t4"
    assert line_of().render("12\t3\t\t4") == b"12      3               4"
    assert line_of(tabs=True).render("x" * 65 + "\ty") == (b"x" * 65 + b"\t\r\ny")
    assert line_of("15", tabs=True).render("\t") == b"\x04"


@pytest.mark.source("MON")
def test_form_feeds_become_line_feeds():
    assert line_of().render("1\f2\v3") == b"1\n2\n3"


@pytest.mark.source("TTY")
def test_nothing_that_a_machine_obeys_goes_out():
    for model in ("33", "35", "37"):
        discipline = line_of(model)
        data = discipline.render("".join(map(chr, range(0x300))))
        assert not set(data) & {0x05, 0x11, 0x13}
        data = typed(discipline, bytes(range(256)) * 3)
        assert not set(data) & {0x05, 0x11, 0x13}


@pytest.mark.source("TTY")
def test_the_bell_key_of_a_five_level_machine_is_its_control_c():
    discipline = line_of("15")
    typed(discipline, bytes([0x1B, 0x01, 0x05]))
    assert discipline.stops == 1 and not discipline.lines


@pytest.mark.source("TTY")
def test_a_five_level_line():
    discipline = line_of("28")
    data = bytes([0x1B, 0x01, 0x17, 0x00, 0x13, 0x08, 0x02])  # 3 1 BLANK 2 CR LF
    typed(discipline, data)
    assert list(discipline.lines) == ["32"]


@pytest.mark.parametrize("model", MODELS)
def test_random_bytes_do_no_harm(model):
    """A million in all; the memory stays flat."""
    discipline = Discipline(MODELS[model])
    rng = random.Random(model)
    blocks = getattr(sys, "getallocatedblocks", lambda: 0)
    before = blocks()
    for _ in range(17):
        for byte in rng.randbytes(10_000):
            discipline.render(discipline.receive(byte))
        assert len(discipline.lines) <= MOST_LINES + 1
        assert discipline.column <= 72
        if rng.random() < 0.5:
            discipline.lines.clear()
    five_levels = model in ("15", "28")
    typed(discipline, bytes([0x1B, 5, 0x1B, 5]) if five_levels else b"\x03\x03")
    assert discipline.stops == 2 and not discipline.lines
    assert blocks() - before < 1000
    typed(discipline, bytes([0x1F, 0x03, 0x19, 0x08]) if five_levels else b"AB\r")
    assert list(discipline.lines) == ["AB"]
