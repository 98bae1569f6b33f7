"""The models of machines, and the one for the console."""

from __future__ import annotations

import io
import os
import re
import sys
from unittest.mock import Mock

import pytest
from pytest import MonkeyPatch

from kalah import bits, console_model
from sail.line.models import MODELS
from sail.talk import manuals
from tests.line.virtual import wired

PRINTED = {  # instead of x~!=↑→, by the manual's words
    "capitals, ↑ ←": "X-!=↑>",
    "both cases": "x~!=^>",
    "Baudot, US figures": "X-!-')",
    "ITA2": "X-.=')",
    "ASCII": "x~!=^>",
    "ASCII and arrows": "x~!=↑→",
}


@pytest.mark.source("TTY-33-LINE", "TTY-37", "TTY-5-LINE", "TTY-ITA2", "TTY-TELEX")
@pytest.mark.source("TTY-OTHERS")
def test_the_manual_describes_every_model() -> None:
    row = r"(?m)^  ((?:\w+,? )+) *([\d.]+) +(\d), (\w+), ([\d.]+) +(\S.*?) +(yes|no) +(\d)$"
    told = re.findall(row, manuals.find("LINE MACHINES"))
    rows = {name: row[1:] for row in told for name in re.findall(r"\w+", row[0])}
    assert rows.keys() == MODELS.keys()
    for name, (baud, data, parity, stop, prints, echo, fill) in rows.items():
        model = MODELS[name]
        tty, _ = wired([], name)
        assert (model.baud, model.framing.bytesize) == (float(baud), int(data))
        assert (parity[0].upper(), float(stop)) == model.framing[1:]
        assert "".join(map(tty.code.spell, "x~!=↑→")) == PRINTED[prints]
        assert (tty.settings.echo, tty.settings.fill) == (echo == "yes", int(fill))
    widths = {name: model.settings.width for name, model in MODELS.items()}
    others = {name: width for name, width in widths.items() if width != 72}
    assert others == {"LA36": 132, "T100": 69}
    assert [name for name in MODELS if not MODELS[name].settings.usos] == ["T100"]


def test_framings() -> None:
    lengths = {"8N2": 11, "7e1": 10, "5N1.5": 7.5, "8N1": 10, "7O2": 11, "8M1": 11}
    for typed, length in lengths.items():
        assert bits(typed).length == length
        assert "{}{}{:g}".format(*bits(typed)) == typed.upper()
    for bad in ("", "8N", "9N1", "8X1", "8N3", "8N1.0", "8N1 ", "٨N1"):
        with pytest.raises(ValueError):
            bits(bad)


def test_the_console_is_what_the_output_can_show(monkeypatch: MonkeyPatch) -> None:
    for encoding, name in (("utf-8", "utf8"), ("UTF-8", "utf8"), ("ascii", "glass")):
        paper = io.TextIOWrapper(io.BytesIO(), encoding)
        monkeypatch.setattr(sys, "stdout", paper)
        assert console_model(None, None) == MODELS[name]._replace(baud=0)
    assert console_model("33", None) == MODELS["33"]._replace(baud=0)
    assert console_model("33", 75).baud == 75
    stops = [console_model(None, baud).framing.stopbits for baud in (75, 110, 111)]
    assert stops == [2, 2, 1]  # ten characters a second at 110


def test_a_narrow_window_is_narrow_paper(monkeypatch: MonkeyPatch) -> None:
    """But not narrower than a board; 0 columns are not known."""
    widths = {0: 72, 20: 44, 44: 44, 60: 60, 72: 72, 80: 72}
    sizes = [os.terminal_size((columns, 24)) for columns in widths]
    monkeypatch.setattr(os, "get_terminal_size", Mock(side_effect=sizes))
    found = {it: console_model("utf8", None).settings.width for it in widths}
    assert found == widths
