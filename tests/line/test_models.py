"""The models of machines, and the one for the console."""

from __future__ import annotations

import io
import sys

import pytest
from pytest import MonkeyPatch

from sail.line.models import GLASS, MODELS, parse_framing
from sail.line.settings import Settings
from sail.line.station import console_model
from tests.line.virtual import wired


@pytest.mark.source("TTY-33-LINE", "TTY-37", "TTY-5-LINE", "TTY-ITA2", "TTY-TELEX")
@pytest.mark.source("TTY-OTHERS")
def test_models() -> None:
    us, both_cases = "X-!-')", "x~!=^>"
    capitals, both = Settings(), Settings(full=True)
    loop = Settings(echo=False, tape=False)
    telex = Settings(echo=False, width=69, usos=False, tape=False)
    screen = Settings(fill=0, full=True, tape=False)
    wide = screen._replace(width=132)
    # fill, echo, full, tabs, width, lf, pace, motor, bell, usos, loop, cts, tape
    defaults = (2, True, False, False, 72, True, 0, False, False, True, False, False)
    assert tuple(capitals) == (*defaults, True, 5, False)
    for model, *wanted in (
        ("33", 110, "8N2", capitals, "X-!=↑>"),
        ("35", 110, "8N2", capitals, "X-!=↑>"),
        ("37", 150, "7E1", both, both_cases),
        ("LA36", 300, "7E1", wide, both_cases),
        ("15", 45.45, "5N1.5", loop, us),
        ("32", 45.45, "5N1.5", loop, us),
        ("28", 45.45, "5N1.5", loop, us),
        ("T100", 50, "5N1.5", telex, "X-.=')"),
        ("VT52", 9600, "8N1", screen, both_cases),
        ("glass", 9600, "8N1", screen, both_cases),
        ("utf8", 9600, "8N1", screen, "x~!=↑→"),
    ):
        tty = wired([], MODELS[model])[0]
        framing = "{}{}{:g}".format(*MODELS[model].framing)
        printed = "".join(map(tty.code.spell, "x~!=↑→"))
        assert [MODELS[model].baud, framing, tty.settings, printed] == wanted
    assert len(MODELS) == 11


def test_framings() -> None:
    bits = {"8N2": 11, "7e1": 10, "5N1.5": 7.5, "8N1": 10, "7O2": 11, "8M1": 11}
    for typed, number in bits.items():
        assert parse_framing(typed).bits == number
        assert "{}{}{:g}".format(*parse_framing(typed)) == typed.upper()
    for bad in ("", "8N", "9N1", "8X1", "8N3", "8N1.0", "8N1 ", "٨N1"):
        with pytest.raises(ValueError):
            parse_framing(bad)


@pytest.mark.parametrize(
    "encoding, name", [("utf-8", "utf8"), ("UTF-8", "utf8"), ("ascii", "glass")]
)
def test_the_console_is_what_the_output_can_show(
    encoding: str, name: str, monkeypatch: MonkeyPatch
) -> None:
    paper = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", paper)
    assert console_model(None, None) == MODELS[name]
    assert console_model("33", None) == MODELS["33"]
    stops = [console_model(None, baud).framing.stop for baud in (75, 110, 111)]
    assert stops == [2, 2, 1]  # ten characters a second at 110
    monkeypatch.setattr(sys, "stdout", None)
    assert console_model(None, None) == GLASS
