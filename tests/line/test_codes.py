"""Character sets: exact opposites, and a form for everything everywhere."""

import pytest

from sail.line.codes import (
    FIGURES,
    LETTERS,
    MODEL_33,
    MODEL_37,
    STANFORD,
    Baudot,
    Code,
    Glass,
)

MACHINES = {
    "stanford": lambda: Code(STANFORD),
    "33": lambda: Code(MODEL_33),
    "37": lambda: Code(MODEL_37),
    "five levels": Baudot,
    "glass": Glass,
    "glass without arrows": lambda: Glass(arrows=False),
}
PRINTED = "".join(map(chr, range(32, 127))) + "↑←→↓↔"


def encoded(code: Code, text: str) -> bytes:
    return b"".join(map(code.encode, text))


def decoded(code: Code, data: bytes) -> str:
    return "".join(map(code.decode, data))


@pytest.fixture(params=MACHINES.values(), ids=MACHINES)
def machine(request):
    return request.param


def test_what_a_machine_prints_comes_back(machine):
    own = [char for char in map(chr, range(0x2200)) if machine().has(char)]
    assert len(own) > 50
    for first in own:
        text = "".join(first + second for second in own)
        assert decoded(machine(), encoded(machine(), text)) == text


def test_what_comes_back_is_what_was_sent(machine):
    text = "".join(char for char in PRINTED if machine().has(char))
    data = encoded(machine(), text)
    assert encoded(machine(), decoded(machine(), data)) == data


def test_every_character_has_a_form_on_every_machine(machine):
    code = machine()
    for char in PRINTED + "éß€\N{PILE OF POO}" + "".join(map(chr, range(32))):
        spelled = code.spell(char)
        assert spelled and all(map(code.has, spelled)), repr(char)
        assert spelled == char or not code.has(char)


@pytest.mark.source("TTY")
def test_what_a_machine_would_take_as_an_order_is_never_printed():
    for name, machine in MACHINES.items():
        if name == "five levels":
            continue
        data = b"".join(
            encoded(machine(), machine().spell(chr(char))) for char in range(0x2500)
        )
        shown = STANFORD if name == "stanford" else ()
        assert not [c for c in data if (c < 32 or c == 127) and c not in shown]


@pytest.mark.parametrize(
    "char, on_33, on_five_levels",
    [
        ("↑", b"\x5e", "'"),
        ("←", b"\x5f", "("),
        ("→", b">", ")"),
        ("↓", b"V", "V"),
        ("a", b"A", "A"),
        ("^", b"\x5e", "'"),
        ("_", b"-", "-"),
        ("}", b"]", ")"),
        ("~", b"-", "-"),
        ("*", b"*", "X"),
        ("+", b"+", "&"),
        ("<", b"<", "("),
        (">", b">", ")"),
        ("=", b"=", "-"),
        ("@", b"@", "A"),
        ("\\", b"\\", "/"),
        ("%", b"%", "/"),
        ("?", b"?", "?"),
        ("é", b"?", "?"),
        ("\x05", b"\x5eE", "'E"),
    ],
)
def test_substitutes(char, on_33, on_five_levels):
    code = Code(MODEL_33)
    assert encoded(code, code.spell(char)) == on_33
    assert Baudot().spell(char) == on_five_levels


@pytest.mark.source("MON")
def test_stanfords_characters():
    codes = {"↓": 0o001, "↔": 0o027, "_": 0o030, "→": 0o031, "↑": 0o136, "←": 0o137}
    for char, byte in codes.items():
        assert Code(STANFORD).encode(char) == bytes([byte])
        assert Code(STANFORD).decode(byte) == char


@pytest.mark.source("TTY")
def test_the_eighth_bit_is_cut_off():
    assert decoded(Code(MODEL_33), b"\xb1\x41\xc1\x8d\xff") == "1AA\r\x7f"
    assert decoded(Code(MODEL_37), b"\xe1\x8d") == "a\r"
    assert decoded(Glass(), b"\xb1\x8d") == "1\r"
    assert decoded(Baudot(), bytes([0xE0 | FIGURES, 0x81])) == "3"


@pytest.mark.source("TTY")
def test_capitals_are_all_that_a_33_prints():
    assert {c for c in PRINTED if Code(MODEL_33).has(c)} == {
        *map(chr, range(0x20, 0x5E)),
        "↑",
        "←",
    }


def test_glass_takes_utf8_in_pieces_and_survives_what_is_none():
    glass = Glass()
    assert decoded(glass, "→é".encode()) == "→é"
    assert [glass.decode(byte) for byte in "↑".encode()] == ["", "", "↑"]
    assert decoded(glass, b"\xe2A") == "bA"
    assert decoded(glass, b"\xe2\x86A\xc3\xc3\xa9") == "b\x06ACé"
    assert decoded(glass, b"\xf0\x9f\x92") == ""
    glass.reset()
    assert decoded(glass, b"B") == "B"


@pytest.mark.source("TTY")
def test_baudot_shifts_only_on_change():
    baudot = Baudot()
    assert encoded(baudot, "A1 2B") == bytes(
        [LETTERS, 0x03, FIGURES, 0x17, 0x04, FIGURES, 0x13, LETTERS, 0x19]
    )
    assert encoded(baudot, "AB CD") == bytes([0x03, 0x19, 0x04, 0x0E, 0x09])
    assert encoded(baudot, "\r\n\0\0") == bytes([0x08, 0x02, LETTERS, LETTERS])


@pytest.mark.source("TTY")
def test_baudot_figures():
    row = "-?:$3!&#8'().,9014\a57;2/6\""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for figure, letter in zip(row, letters):
        code = Baudot().encode(letter)
        assert Baudot().encode(figure) == bytes([FIGURES, code[1]])
    assert not any(map(Baudot().has, "%*+<=>@[\\]^_"))


def test_a_five_level_keyboard_goes_on_in_the_shift_of_the_printer():
    baudot = Baudot()
    encoded(baudot, "OR 6?")
    assert baudot.decode(0x01) == "3"
    baudot.decode(LETTERS)
    assert encoded(baudot, "E") == bytes([LETTERS, 0x01])


def test_a_five_level_blank_deletes():
    assert Baudot().decode(0) == "\x7f"
