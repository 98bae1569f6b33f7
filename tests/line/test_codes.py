"""Character sets: exact opposites, and a form for everything everywhere."""

from __future__ import annotations

import random
import string
from collections.abc import Callable

import pytest

from sail.line.codes import ASCII, FIGS, LTRS, MODEL_33, Baudot, Code, Utf8
from sail.line.models import MODELS
from tests.machines import MACHINES

PRINTED = "".join(map(chr, range(32, 127))) + "↑←→↓↔"


def decoded(code: Code, data: bytes) -> str:
    return "".join(map(code.decode, data))


@pytest.fixture(params=["33", "37", "utf8", "15", "T100"])
def new_code(request: pytest.FixtureRequest) -> Callable[[], Code]:
    return MODELS[request.param].new_code


def test_what_a_machine_prints_comes_back(new_code: Callable[[], Code]) -> None:
    own = [*filter(new_code().has, map(chr, range(0x2200)))]
    assert len(own) > 45
    text = "".join(random.Random(1).choices([*own, "\r\n"], k=3000))
    data = new_code().encode(text)
    assert decoded(new_code(), data) == text
    assert new_code().encode(decoded(new_code(), data)) == data


@pytest.mark.source("TTY-33-ORDERS")
def test_every_machine_has_a_form_of_everything(new_code: Callable[[], Code]) -> None:
    """Nothing prints what a machine of seven bits would take as an order."""
    code = new_code()
    for char in [*map(chr, range(0x2500)), "\N{PILE OF POO}"]:
        spelled = code.spell(char)
        assert spelled and all(map(code.has, spelled)), repr(char)
        assert spelled == char or not code.has(char)
        assert code.five or not {*range(32), 127} & {*code.encode(spelled)}


@pytest.mark.parametrize(
    "name, figures, rest",
    [
        ("33", " !\"#$%&'()*+,-./0123456789:;<=>?@[\\]↑-'", "[!]-↑←>V-"),
        ("15", " !\"#$/&'()X&,-./0123456789:;(-)?A(/)'-'", "(!)-'()V-"),
        ("T100", " .'=S/+'()X+,-./0123456789:,(=)?A(/)'-'", "(?)-'()V-"),
    ],
)
def test_what_capitals_print_instead(name: str, figures: str, rest: str) -> None:
    spelled = "".join(map(MODELS[name].new_code().spell, PRINTED))
    letters = string.ascii_uppercase
    assert spelled == figures[:33] + letters + figures[33:] + letters + rest


def test_what_has_no_substitute(new_code: Callable[[], Code]) -> None:
    up = new_code().spell("↑")
    spelled = [new_code().spell(char) for char in "\x05\x7fé"]
    assert spelled == [f"{up}E", f"{up}?", "?"]
    assert "".join(map(Code(ASCII).spell, PRINTED)) == PRINTED[:-5] + "^<>V-"


@pytest.mark.source("MON-STANFORD")
def test_stanfords_characters() -> None:
    """As typed; what the same codes print depends on the machine."""
    for char, byte in {"↓": 0o001, "↔": 0o027, "_": 0o030, "→": 0o031}.items():
        assert Code(ASCII).decode(byte) == char
    for char, byte in {"↑": 0o136, "←": 0o137}.items():
        assert Code(MODEL_33).encode(char) == bytes([byte])
        assert Code(MODEL_33).decode(byte) == char


@pytest.mark.source("TTY-33-PARITY", "MON-PARITY", "TTY-VT100-7")
def test_the_eighth_bit_is_cut_off() -> None:
    assert decoded(Code(MODEL_33), b"\xb1\x41\xc1\x8d\xff") == "1AA\r\x7f"
    assert decoded(Code(ASCII), b"\xe1\x8d") == "a\r"
    assert decoded(Utf8(), b"\xb1\x8d") == "1\r"
    assert decoded(Baudot(), bytes([0xE0 | FIGS, 0x81])) == "3"


def test_utf8_is_taken_in_pieces_and_what_is_none_does_no_harm() -> None:
    shown = Utf8()
    assert decoded(shown, "→é".encode()) == "→é"
    assert [shown.decode(byte) for byte in "↑".encode()] == ["", "", "↑"]
    assert decoded(shown, b"\xe2A") == "bA"
    assert decoded(shown, b"\xe2\x86A\xc3\xc3\xa9") == "b\x06ACé"
    assert decoded(shown, b"\xf0\x9f\x92") == ""
    shown.new_machine()
    assert decoded(shown, b"B") == "B"


@pytest.mark.source("TTY-5-UNSHIFT")
def test_baudot_shifts_only_on_change() -> None:
    baudot = Baudot()
    assert baudot.encode("A1 2B") == bytes(
        [LTRS, 0x03, FIGS, 0x17, 0x04, LTRS, FIGS, 0x13, LTRS, 0x19]
    )
    assert baudot.encode("AB CD") == bytes([0x03, 0x19, 0x04, 0x0E, 0x09])
    assert baudot.encode("\r\n\0\0") == bytes([0x08, 0x02, 0x1F, 0x1F])


@pytest.mark.source("TTY-5-UNSHIFT")
def test_a_typed_space_unshifts_where_the_machine_does() -> None:
    baudot = Baudot()
    for baudot.usos, typed in ((True, "3 E"), (False, "3 3")):
        baudot.encode("3")
        assert decoded(baudot, bytes([0x01, 0x04, 0x01])) == typed
        assert baudot.encode("3") == bytes([0x1B, 0x01])  # sure on any machine
        assert decoded(baudot, bytes([0x1B, 0x01, 0x04])) == "3 "
        assert baudot.encode(" ") == bytes([0x04, 0x1F])
        assert decoded(baudot, bytes([0x01])) == "E"
        assert baudot.encode(" A") == bytes([0x04, 0x03])


@pytest.mark.source("TTY-5-USOS")
@pytest.mark.parametrize("model", ["15", "T100"])
def test_the_paper_is_the_same_with_and_without_unshift(model: str) -> None:
    text = "OR 6? 7 8  2\r\n 4 A1 B 2 3C\r\n\0\0 6 6 - - ETC"
    baudot = MODELS[model].new_code()
    for baudot.usos in (True, False):
        baudot.new_machine()
        data = baudot.encode(text)
        for usos in (True, False):
            machine = MACHINES[model](unshifts=usos)
            machine.receive(data)
            assert "\r\n".join(machine.paper) == text.replace("\0", "")
            # The machine and the computer agree on what the next keys mean.
            keys = b"\1\3\7\20\30"
            machine.receive(keys)
            assert machine.line.endswith(decoded(baudot, keys))


@pytest.mark.source("TTY-5-DOT")
def test_letters_follow_the_dot() -> None:
    """Whoever types TTY there need not press LTRS first."""
    keys = Baudot().encode("TTY")[1:]  # without the first LTRS
    for code in (MODELS["15"].new_code(), MODELS["T100"].new_code()):
        assert code.encode("\r\n.")[-1] == LTRS
        assert decoded(code, keys) == "TTY"


@pytest.mark.parametrize(
    "typed, figures",
    [
        ("T", "5"),
        ("3 T", "35"),
        ("1Q", "11"),
        ("5, W", "52"),
        ("3 5", ""),
        ("35", ""),
        ("3A", ""),
        ("", ""),
    ],
)
def test_letters_in_figures(typed: str, figures: str) -> None:
    """A blank may have unshifted the machine after the first figure."""
    assert MODELS["15"].new_code().in_figures(typed) == figures
