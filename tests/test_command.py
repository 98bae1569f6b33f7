"""The command as a user gives it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sail.files import games
from sail.files.area import Area
from sail.monitor.visitors import GREETING
from tests import havoc, paper

ROOT = Path(__file__).parent.parent


def command(
    words: list[str], typed: str = "", flags: tuple[str, ...] = (), **more: Any
) -> subprocess.CompletedProcess[bytes]:
    """kalah.py, fed from a pipe."""
    return subprocess.run(
        [sys.executable, *flags, str(ROOT / "kalah.py"), *words],
        input=typed.encode(),
        capture_output=True,
        check=False,
        timeout=60,
        **more,
    )


@pytest.mark.source("AKC-09200")
def test_a_pipe_gets_the_same_paper(tmp_path: Path) -> None:
    """The transcripts, from outside: what is typed is echoed."""
    text = (paper.TRANSCRIPTS / "ours-kalah-game-win.txt").read_text("utf-8")
    ran = command(["--area", str(tmp_path)], "\n".join(paper.keys(text)) + "\n")
    assert ran.stdout.decode() == re.sub(r"\{(.*?)\}", r"\1", text)
    assert (ran.stderr, ran.returncode) == (b"", 0)


def test_a_caller_who_is_a_visitor(tmp_path: Path) -> None:
    """He is greeted at once, sees no file of the owner, and ends the job by leaving."""
    Area(str(tmp_path)).write("KALAH.TMP", games.text_of(havoc.a_game(3)))
    for typed, last in (
        ("3\nC\nY\n6\n", "\n"),
        ("3\nC\nY\nSAVE MINE\nQ\nN\nMORE\n", "ANOTHER GAME? N\n"),
    ):
        ran = command(["--area", str(tmp_path), "--visitors", "KALAH"], typed)
        text = ran.stdout.decode()
        assert text.startswith(f"{GREETING}\nSTART WITH 1,2,3,4,5 OR 6? ")
        assert text.endswith(last)
        assert (ran.stderr, ran.returncode) == (b"", 0)
        assert os.listdir(tmp_path) == ["KALAH.TMP"]


def test_the_area_is_beside_the_command_unless_one_is_named(tmp_path: Path) -> None:
    typed = "TYPE FIG2.POS\n"
    ran = command(["--area", str(tmp_path), "MONITOR"], typed)
    figure = (ROOT / "saves" / "shelf" / "FIG2.POS").read_text("utf-8")
    assert figure in ran.stdout.decode()
    assert command(["mon"], typed).stdout == ran.stdout


def test_the_house_is_beside_the_command(tmp_path: Path) -> None:
    ran = command(["--version"], flags=("-I",), cwd=tmp_path)
    assert (ran.stdout, ran.stderr) == (b"KALAH 1972.2026\n", b"")


def test_a_working_directory_that_was_deleted(tmp_path: Path) -> None:
    here = tmp_path / "gone"
    for words, told in (
        (["--area", str(tmp_path)], ""),
        (["--area", "saves"], "Cannot make the area saves: No such file or directory."),
    ):
        here.mkdir()
        ran = command(words, cwd=here, preexec_fn=here.rmdir)
        assert ran.stderr.decode().strip() == told
        assert ran.stdout.startswith(b"START WITH") == (not told)
