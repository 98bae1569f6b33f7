"""The options of the command, and how it begins and ends, in one process."""

from __future__ import annotations

import re
import runpy
import signal
import sys
from unittest.mock import Mock

import pytest
from pytest import MonkeyPatch

import kalah
from sail.line.models import MODELS
from sail.line.ports import LineError
from sail.monitor.registry import PROGRAMS
from sail.talk.manuals import MANUALS
from sail.teletype import EndOfInput, Leave
from tests.errors import Capture

INVALID = "argument PROGRAM: invalid choice: "


@pytest.mark.parametrize(
    "words, told",
    [
        *(([name], f"{INVALID}'{name}'") for name in ("CHESS", "", "S", "A")),
        *(
            (["--baud", baud], "argument --baud: invalid speed value: ")
            for baud in ("X", "0", "0.9", "4000001", "nan", "9" * 5000)
        ),
        (["--model", "99"], "argument --model: invalid choice: '99' (choose from "),
        (["--bits", "5N2"], "--bits: model 33 needs seven or eight data bits"),
        (["--bits", "6N1", "--model", "la36"], "--bits: model LA36 needs seven or"),
        (["--bits", "9N1"], "argument --bits: invalid bits value: '9N1'"),
        (["--set", "WIDTH ٧٢"], "argument --set: WIDTH TAKES A NUMBER FROM 44 TO "),
        (["KALAH", "X"], "unrecognized arguments: X"),
        (["--visitors", "CHESS"], f"{INVALID}'CHESS'"),
        (["--tty", "pty", "SOLVE", "--visitors"], "--visitors takes no PROGRAM but"),
        (["--speed"], "unrecognized arguments: --speed"),
    ],
)
def test_wrong_options_are_told(words: list[str], told: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        kalah.main(words)
    assert left.value.code == 2
    paper = capsys.readouterr()
    assert paper.out == ""
    assert paper.err.splitlines()[-1].startswith(f"kalah.py: error: {told}")


def test_help_tells_all(capfd: Capture) -> None:
    """Every name, every option with its help, and the exit statuses."""
    told = []
    for word in ("--help", "help", "--version"):
        assert kalah.main([word]) == 0
        told.append(capfd.readouterr())
    help = told[0].out
    assert told == [(help, ""), (help, ""), ("KALAH 1972.2026\n", "")]
    options = {f"--{it}" for it in {*vars(kalah.options_of([]))} - {"program", "words"}}
    names = {*PROGRAMS, *MANUALS, *MODELS, kalah.MONITOR}
    assert names <= set(re.findall("[A-Za-z0-9]+", help))
    helped = r"(?m)^  (?:-h, )?(--[a-z]+)(?: \S+)?\s{2,}\w+,? \w+"
    assert {*re.findall(helped, help)} == options
    assert re.findall(r"[0-9](?=\s(?:when|for)\s)", help) == ["0", "1", "2"]


@pytest.mark.parametrize(
    "words, told",
    [
        ("--area X HELP NOSUCH", "NO SUCH MANUAL; TRY "),
        ("HELP kal x", "X IS NOT A PART OF KALAH: HELP KALAH LISTS THEM.\n"),
        ("--tty /dev/null/X", "Cannot open /dev/null/X: Not a directory.\n"),
        ("--area /dev/null/X", "Cannot use the area /dev/null/X: Not a directory.\n"),
        ("--model t100", "Model T100 has five levels: it needs --tty LINE.\n"),
    ],
)
@pytest.mark.usefixtures("handlers")
def test_what_cannot_be_used_is_told_in_a_sentence(
    words: str, told: str, capfd: Capture
) -> None:
    pytest.importorskip("serial")
    assert kalah.main(words.split()) == 1
    paper = capfd.readouterr()
    assert paper.out == "" and paper.err.startswith(told)


def test_every_option() -> None:
    words = "so --tty pty --model t100 --baud 1 --bits 5n1.5 --area X --set"
    assert vars(kalah.options_of([*words.split(), "no echo fill 3"])) == {
        **vars(kalah.options_of([])), "program": "SOLVE", "tty": "pty", "model": "T100",
        "baud": 1.0, "bits": (5, "N", 1.5), "set": "no echo fill 3", "area": "X",
    }  # fmt: skip
    for words in ("--visitors --tty pty", "--visitors kalah --tty pty"):
        assert kalah.options_of(words.split()).visitors
    for typed, baud in (("4000000", 4e6), ("45.45", 45.45)):
        assert kalah.options_of(["--baud", typed]).baud == baud
    for typed, name in (("kalah", "KALAH"), ("K", "KALAH"), ("mon", "MONITOR")):
        assert kalah.options_of([typed]).program == name


@pytest.mark.parametrize(
    "error, status, told",
    [
        *((EndOfInput, 0, ""), (Leave, 0, ""), (None, 0, "")),
        (OSError(24, "Too many"), 1, "The system refuses: Too many.\n"),
        (LineError("Cannot open X."), 1, "Cannot open X.\n"),
        (MemoryError, 1, "Not enough memory.\n"),
        (SystemError, 1, "Not enough memory.\n"),  # CPython raises either
    ],
)
def test_how_a_job_ends(
    error: object, status: int, told: str, monkeypatch: MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(kalah, "run", Mock(side_effect=error))
    assert kalah.main([]) == status
    assert capsys.readouterr() == ("", told)


@pytest.mark.usefixtures("handlers")
def test_a_control_c_is_quiet_from_the_start(monkeypatch: MonkeyPatch) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    runpy.run_path(kalah.__file__)
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    monkeypatch.setattr(sys, "argv", ["kalah.py", "--version"])
    with pytest.raises(SystemExit, match="^0$"):
        runpy.run_path(kalah.__file__, run_name="__main__")
    assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL
