"""The pace and the motor, on lines without time."""

from __future__ import annotations

import pytest
from pytest import MonkeyPatch

import kalah
from sail.files.area import Area
from sail.line.models import MODELS
from sail.line.ports import Hangup
from sail.line.station import Station
from sail.teletype import EndOfInput
from tests.errors import Capture
from tests.line.virtual import Plan, Wire, wired, worked
from tests.stand_ins import session_of


def test_a_terminal_whose_input_has_ended_types_at_the_same_pace() -> None:
    tty, wire = wired([(0, EOFError)], "37")
    tty.type("X" * 60, end="")
    assert 60 / wire.seconds == pytest.approx(15, rel=0.05)
    with pytest.raises(EndOfInput):
        tty.ask("MOVE? ")


@pytest.mark.usefixtures("handlers")
def test_a_pipe_keeps_the_pace(
    area: Area, monkeypatch: MonkeyPatch, capfd: Capture
) -> None:
    wire = Wire([])  # for its clock
    monkeypatch.setattr("time.monotonic", wire.clock)
    monkeypatch.setattr("time.sleep", wire.sleep)
    typing = session_of(lambda tty, _: tty.type("X" * 600))
    monkeypatch.setattr(kalah, "load", lambda _: typing)
    assert kalah.main(["--baud", "1200", "--area", area.folder]) == 0
    assert capfd.readouterr().out.replace("\n", "") == "X" * 600
    assert 600 / wire.seconds == pytest.approx(120, rel=0.05)


@pytest.mark.source("MON-C", "MON-LETTERS")
@pytest.mark.parametrize(
    "model, least, key",
    [("33", 0.25, b"\x03"), ("33", 0.25, b"\x0f"), ("15", 0.42, b"\x1b\x05")],
)
def test_a_key_stops_the_paper(model: str, least: float, key: bytes) -> None:
    """Within a quarter of a second at 110 baud."""
    for tenth in range(10):  # of a character
        pressed = 5 + tenth / 100
        tty, wire = wired([(pressed, key)], model)
        tty.type("E" * 1000)
        code = tty.code
        struck = [at for at, data in wire.printed if code.decode(data[0]) == "E"]
        last = max(at for at in struck if at < pressed + 9)
        # What was written has still to be printed.
        char_seconds = MODELS[model].framing.length / MODELS[model].baud
        assert last + char_seconds <= pressed + least


@pytest.mark.source("TTY-VT100-XOFF")
def test_few_characters_are_under_way() -> None:
    for baud, most in ((110, 1), (1200, 10), (9600, 14.5), (19200, 15.5)):
        tty, wire = wired([], "glass", baud)
        tty.type("X" * 500)
        ahead = [n - when * baud / 10 for n, (when, _) in enumerate(wire.printed)]
        assert most - 2 < max(ahead) <= most


def test_a_pace_of_its_own() -> None:
    """A converter at 600 baud, behind it a printer of six characters a second."""
    tty, wire = wired([], "28", 600)
    assert tty.settings.width == 72
    tty.set("PACE 6.06 NO FILL WIDTH 80")
    assert tty.settings.width == 80
    tty.type("E" * 60, end="")
    assert 60 / wire.seconds == pytest.approx(6.06, rel=0.03)
    start = wire.seconds
    tty.set("NO PACE")
    tty.type("E" * 600, end="")
    assert 600 / (wire.seconds - start) == pytest.approx(80, rel=0.05)


TYPED = bytes([0x1B, 0x01, 0x08])  # figures, 3, return


@pytest.mark.source("TTY-MOTOR")
@pytest.mark.parametrize(
    "plan, switched",
    [
        # What starts the motor is not taken for a key, and a key is no silence.
        ([(1000, b"\0"), (1010, TYPED)], [0, 0, 304.9, 1000]),
        ([(200, b"\x1f"), (1000, b"\0"), (1010, TYPED)], [0, 0, 500, 1000]),
        ([(5, Hangup), (20, TYPED)], [0, 0, 5, 5]),
    ],
)
def test_when_a_motor_is_switched(plan: Plan, switched: list[float]) -> None:
    tty, wire = wired(plan, "28")
    wire.rest = 0.0
    tty.set("MOTOR")
    tty.type("HELLO")
    assert 1.9 < wire.printed[0][0] < 2.1
    assert tty.ask("MOVE? ") == "3"
    times, on = zip(*wire.motors)
    assert list(times) == [pytest.approx(when, abs=0.2) for when in switched]
    assert on == (False, True, False, True)  # opening the port has started it
    if len(plan) > 1 and plan[-2][0] == 1000:
        assert not any(400 < when < 1002 for when, _ in wire.printed)


def test_a_motor_rests_during_work_and_runs_when_it_is_no_longer_ours() -> None:
    tty, wire = wired([(900, b"\x03")])
    tty.type("NOT OURS YET")
    assert wire.motors == []
    tty.set("MOTOR")
    tty.type("LET ME THINK")
    wire.seconds = 399
    worked(tty, wire, 400)
    assert [on for _, on in wire.motors] == [False, True, False]
    tty.type("I MOVE")
    assert [on for _, on in wire.motors] == [False, True, False, True]
    assert wire.printed[-1][0] > wire.motors[-1][0] + 1.9
    wire.seconds = 799
    worked(tty, wire, 800)
    for words in ("NO MOTOR", "MOTOR", "MOTOR"):
        tty.set(words)
        tty.type("HELLO")
    assert [on for _, on in wire.motors[4:]] == [False, True, False, True]


def test_bits_that_five_levels_lack_are_sent_as_stop_bits() -> None:
    """As 0 they would be the start of another character."""
    sent = MODELS["28"].new_code().encode("THE 7\r\n\0\0")
    for bits, marks in (("8N1", 0xE0), ("7E1", 0x60), ("5N1", 0)):
        wire = Wire([])
        Station(wire, MODELS["28"]._replace(framing=kalah.bits(bits))).type("THE 7")
        assert wire.written() == bytes(byte | marks for byte in sent)
