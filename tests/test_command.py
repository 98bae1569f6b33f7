"""The command as a user gives it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import paper

ROOT = Path(__file__).parent.parent


def command(words: list[str], typed: str = "", **more) -> subprocess.CompletedProcess:
    """kalah.py, fed from a pipe."""
    return subprocess.run(
        [sys.executable, str(ROOT / "kalah.py"), *words],
        input=typed.encode(),
        capture_output=True,
        check=False,
        timeout=60,
        **more,
    )


@pytest.mark.source("AKC-09200")
def test_a_pipe_gets_the_same_paper(tmp_path):
    """The transcripts, from outside: what is typed is echoed."""
    text = (paper.TRANSCRIPTS / "ours-kalah-game-win.txt").read_text("utf-8")
    typed = "\n".join(paper.keys(text)) + "\n"
    for _ in range(2):
        ran = command(["--area", str(tmp_path)], typed)
        assert ran.stdout.decode() == re.sub(r"\{(.*?)\}", r"\1", text)
        assert (ran.stderr, ran.returncode) == (b"", 0)


@pytest.mark.parametrize(
    "typed", ["", "3", "3\nC\nY", "3\nC\nY\n36\n", "\n\n\n", "S\n1 2\n"]
)
def test_the_end_of_the_input_ends_quietly(typed, tmp_path):
    ran = command(["--area", str(tmp_path)], typed)
    assert (ran.stderr, ran.returncode) == (b"", 0)
    assert os.listdir(tmp_path) == []


def test_without_unicode_arrows_are_typed_as_letters(tmp_path):
    environment = {
        **os.environ,
        "PYTHONIOENCODING": "ascii",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
    }
    ran = command(["--area", str(tmp_path)], "3\nC\nY\n", env=environment)
    assert b"YOUR MOVE PLEASE  >>>>>>>>" in ran.stdout
    assert b"                V   V   V   V   V   V\n" in ran.stdout


@pytest.mark.parametrize(
    "words, status",
    [
        (["--version"], 0),
        (["--help"], 0),
        (["CHESS"], 2),
        (["--baud", "X"], 2),
        (["--model", "99"], 2),
        (["--tty", "/dev/no-such-line"], 1),
        (["--area", "/dev/null/area"], 1),
    ],
)
def test_exit_status(words, status):
    ran = command(words)
    assert ran.returncode == status
    assert b"Traceback" not in ran.stderr
    if status == 1:
        assert ran.stderr.count(b"\n") == 1 and ran.stdout == b""


@pytest.mark.parametrize("name", ["kalah", "KAL", "k", "russel", "so", "mon"])
def test_programs_may_be_cut_short(name, tmp_path):
    ran = command(["--area", str(tmp_path), name])
    assert ran.returncode == 0 and ran.stdout and not ran.stderr
