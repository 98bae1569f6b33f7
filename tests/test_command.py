"""The command as a user gives it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kalah
from sail.files import games
from sail.files.area import Area
from sail.monitor.visitors import GREETING
from tests import paper
from tests.errors import Capture
from tests.line.virtual import standard
from tests.samples import played
from tests.stand_ins import SHELF


def command(*words: str, typed: str = "", **more: Any) -> tuple[bytes, bytes, int]:
    """Return what the command prints when it is fed from a pipe, and its status."""
    ran = subprocess.run(
        [sys.executable, "-I", kalah.__file__, *words],
        input=typed.encode(),
        capture_output=True,
        check=False,
        timeout=60,
        **more,
    )
    return ran.stdout, ran.stderr, ran.returncode


def main(*words: str, typed: str, capture: Capture) -> str:
    """Return what the command prints in this process."""
    source, sink = os.pipe()
    os.write(sink, typed.encode())
    os.close(sink)
    with standard(source, 1):
        assert kalah.main([*words]) == 0
    os.close(source)
    out, err = capture.readouterr()
    assert not err
    return out


@pytest.mark.source("AKC-09200")
def test_a_pipe_gets_the_same_paper(tmp_path: Path) -> None:
    """The transcripts, from outside: what is typed is echoed."""
    text = (paper.TRANSCRIPTS / "ours-kalah-game-win.txt").read_text("utf-8")
    typed = "\n".join(paper.keys(text)) + "\n"
    wanted = re.sub(r"\{(.*?)\}", r"\1", text).encode()
    assert command("--area", str(tmp_path), typed=typed) == (wanted, b"", 0)


@pytest.mark.usefixtures("handlers")
def test_a_caller_who_is_a_visitor(area: Area, capfd: Capture) -> None:
    """He is greeted at once, sees no file of the owner, and ends the job by leaving."""
    area.write("KALAH.TMP", games.text_of(played("3", 3)))
    words = "--area", area.folder, "--visitors", "KALAH"
    for typed, last in (
        ("3\nC\nY\n6\n", "\n"),
        ("3\nC\nY\nSAVE MINE\nQ\nN\nMORE\n", "ANOTHER GAME? N\n"),
    ):
        text = main(*words, typed=typed, capture=capfd)
        assert text.startswith(f"{GREETING}\nSTART WITH 1,2,3,4,5 OR 6? ")
        assert text.endswith(last)
        assert os.listdir(area.folder) == ["KALAH.TMP"]


@pytest.mark.usefixtures("handlers")
def test_the_area_is_beside_the_command_unless_one_is_named(
    area: Area, capfd: Capture
) -> None:
    typed = "TYPE FIG2.POS\n"
    named = main("--area", area.folder, "MONITOR", typed=typed, capture=capfd)
    assert (SHELF / "FIG2.POS").read_text("utf-8") in named
    assert main("mon", typed=typed, capture=capfd) == named
    assert Path(kalah.SAVES) == SHELF.parent


def test_a_working_directory_that_was_deleted(tmp_path: Path) -> None:
    here, area = tmp_path / "gone", str(tmp_path)
    why = b"Cannot use the area saves: No such file or directory.\n"
    for words, told in (("--area", area), b""), (("--area", "saves"), why):
        here.mkdir()
        out, errors, status = command(*words, cwd=here, preexec_fn=here.rmdir)
        assert (errors, status) == (told, bool(told))
        assert out.startswith(b"START WITH") == (not told)
