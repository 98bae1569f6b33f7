"""The command as a user gives it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import paper

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
    typed = "\n".join(paper.keys(text)) + "\n"
    for _ in range(2):
        ran = command(["--area", str(tmp_path)], typed)
        assert ran.stdout.decode() == re.sub(r"\{(.*?)\}", r"\1", text)
        assert (ran.stderr, ran.returncode) == (b"", 0)


@pytest.mark.parametrize(
    "typed", ["", "3", "3\nC\nY", "3\nC\nY\n36\n", "\n\n\n", "S\n1 2\n"]
)
def test_the_end_of_the_input_ends_quietly(typed: str, tmp_path: Path) -> None:
    ran = command(["--area", str(tmp_path)], typed)
    assert (ran.stderr, ran.returncode) == (b"", 0)
    assert os.listdir(tmp_path) == []


def test_without_unicode_arrows_are_typed_as_letters(tmp_path: Path) -> None:
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
    "words, told",
    [
        (["CHESS"], "argument PROGRAM: no program CHESS"),
        ([""], "argument PROGRAM: no program "),
        (["S"], "argument PROGRAM: no program S"),
        (["--baud", "X"], "argument --baud: X is not a speed"),
        (["--baud", "0"], "argument --baud: 0 is not a speed"),
        (["--baud", "0.9"], "argument --baud: 0.9 is not a speed"),
        (["--baud", "4000001"], "argument --baud: 4000001 is not a speed"),
        (["--baud", "nan"], "argument --baud: nan is not a speed"),
        (["--baud", "1_0"], "argument --baud: 1_0 is not a speed"),
        (["--baud", "9" * 5000], f"argument --baud: {'9' * 20} is not a speed"),
        (["--model", "99"], "argument --model: invalid choice: '99' (choose from "),
        (["--bits", "9N1"], "argument --bits: 9N1 is not like 8N2, 7E1 or 5N1.5"),
        (["--set", "FOO"], "argument --set: FOO IS NO SETTING."),
        (["--set", "FILL 99"], "argument --set: FILL TAKES A NUMBER FROM 1 TO 20."),
        (["--speed"], "unrecognized arguments: --speed"),
    ],
)
def test_wrong_options_are_told(words: list[str], told: str) -> None:
    ran = command(words)
    assert (ran.returncode, ran.stdout) == (2, b"")
    last = ran.stderr.decode().splitlines()[-1]
    assert last.startswith(f"kalah.py: error: {told}")


@pytest.mark.parametrize(
    "words, told",
    [
        (
            ["--tty", "/dev/no-such-line"],
            "Cannot open /dev/no-such-line: No such file or directory.\n",
        ),
        (
            ["--area", "/dev/null/area"],
            "Cannot make the area /dev/null/area: Not a directory.\n",
        ),
        (["--area", ""], "The area has no name: choose a folder with --area.\n"),
        (["--model", "28"], "Model 28 has five levels: it needs --tty LINE.\n"),
        (["--model", "t100"], "Model T100 has five levels: it needs --tty LINE.\n"),
    ],
)
def test_what_cannot_be_used_is_told_in_a_sentence(words: list[str], told: str) -> None:
    pytest.importorskip("serial")
    ran = command(words)
    assert (ran.returncode, ran.stdout, ran.stderr.decode()) == (1, b"", told)


def test_the_version() -> None:
    ran = command(["--version"])
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout == b"KALAH 1972.2026\n"


def test_help_names_every_option_program_and_model() -> None:
    ran = command(["--help"])
    assert (ran.returncode, ran.stderr) == (0, b"")
    told = re.sub(r"\s+", " ", ran.stdout.decode())
    for words in (
        "usage: kalah.py ", "KALAH, the game program of 1972, on a teletype.",
        "PROGRAM", "KALAH (default), ATLAS, RUSSEL, SILVER, SOLVE or MONITOR",
        "--tty LINE a device, a pyserial URL, or pty to make one",
        "--model {33,35,37,15,28,T100,glass,utf8} the machine: with --tty 33, else utf8",
        "--baud B rate of the line; the console types at it",
        "--bits 8N2 data bits, parity, stop bits of the line: 8N2, 7E1, 5N1.5",
        '--set WORDS settings as TTY at the dot takes them: "NO ECHO FILL 4 WIDTH 72"',
        "--area DIR where files live", "--version", "--help",
        "The manuals are texts, sail/programs/*/*.DOC and sail/line/LINE.DOC",
        "HELP NAME at the dot of MONITOR types them",
        "Exit status: 0 when the job has ended, by a signal too; 1 when a line,",
        "2 for wrong options.",
    ):  # fmt: skip
        assert words in told


FIRST_LINES = {
    "KALAH": "START WITH",
    "MONITOR": "KALAH MONITOR",
    "RUSSEL": "MEMO 22",
    "SILVER": "ROLAND SILVER",
    "ATLAS": "BELL",
    "SOLVE": "SOLVING KALAH",
}


@pytest.mark.parametrize(
    "typed, name",
    [
        (None, "KALAH"),
        ("kalah", "KALAH"),
        ("K", "KALAH"),
        ("KAL", "KALAH"),
        ("russel", "RUSSEL"),
        ("R", "RUSSEL"),
        ("si", "SILVER"),
        ("a", "ATLAS"),
        ("so", "SOLVE"),
        ("mon", "MONITOR"),
    ],
)
def test_programs_may_be_cut_short(
    typed: str | None, name: str, tmp_path: Path
) -> None:
    ran = command(["--area", str(tmp_path), *([typed] if typed else [])])
    assert (ran.returncode, ran.stderr) == (0, b"")
    first = ran.stdout.decode().splitlines()[0]
    assert [name for name, words in FIRST_LINES.items() if words in first] == [name]


# Where it is started.


@pytest.mark.parametrize("flags", [("-I",), ("-P",), ("-s", "-E")])
def test_the_house_is_found_beside_the_command(
    flags: tuple[str, ...], tmp_path: Path
) -> None:
    if flags == ("-P",) and sys.version_info < (3, 11):
        pytest.skip("no -P")
    ran = command(["--version"], flags=flags, cwd=tmp_path)
    assert (ran.stdout, ran.stderr) == (b"KALAH 1972.2026\n", b"")


def test_a_working_directory_that_was_deleted(tmp_path: Path) -> None:
    here = tmp_path / "gone"
    script = f'mkdir -p "{here}"; cd "{here}"; rmdir "{here}"; "{sys.executable}" "{ROOT}/kalah.py" "$@"'
    for words, told in (
        (["--area", str(tmp_path)], ""),
        (["--area", "saves"], "Cannot make the area saves: No such file or directory."),
    ):
        ran = subprocess.run(
            ["bash", "-c", script, "kalah.py", *words],
            input="",
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert ran.stderr.strip() == told
        assert ran.stdout.startswith("START WITH") == (not told)


@pytest.mark.parametrize("error", ["MemoryError", "SystemError"])
def test_too_little_memory_is_told_in_a_sentence(error: str, tmp_path: Path) -> None:
    """CPython raises either; the moment cannot be chosen from outside."""
    script = f"""
import sys, kalah
def run(tty, area):
    raise {error}
kalah.find = lambda name: run
sys.exit(kalah.main(["--area", {str(tmp_path)!r}]))
"""
    ran = subprocess.run(
        [sys.executable, "-c", script],
        input=b"",
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 1
    assert ran.stderr == b"Not enough memory.\n"
