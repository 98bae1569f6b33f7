"""README and the manuals, read as a user reads them: with a teletype at hand.

Paper stands four columns in, after an empty line; or between two torn edges,
- - - -, where it takes the full width.  What is typed stands in braces, {3},
or is the rest of the line after the program's question.  A row of three
periods stands for lines that are left out.

    .{R KALAH}                the monitor, from here to the end of the manual
    python3 kalah.py KALAH    that program alone, from here to the next such
                              line

Every such session is typed into the real teletype and must come out
character for character.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

import kalah
from sail import monitor
from sail.area import Area
from sail.line.ports import Port
from sail.line.station import Station
from sail.monitor import GREETING, Monitor
from sail.teletype import EndOfInput, Leave
from tests.line.virtual import Script

ROOT = Path(__file__).parents[1]
README = ROOT / "README.txt"
PROGRAMS = ("KALAH", "SILVER", "RUSSEL", "ATLAS", "SOLVE")
LINE = ROOT / "sail/line/LINE.DOC"
MANUALS = {
    **{name: ROOT / f"sail/programs/{name.lower()}/{name}.DOC" for name in PROGRAMS},
    "LINE": LINE,
}
PAPERS = [README, *MANUALS.values()]
PAGES = {path: path.read_text("utf-8") for path in PAPERS}
EVERYTHING = " ".join(" ".join(PAGES.values()).split())

INDENT = "    "
EDGE = " ".join("-" * 36)
LEFT_OUT = "..."
GAP = ""  # between two pieces of paper: empty lines there do not count
SHELL = "python3 kalah.py"
CLOCKS = {"now": lambda: "1972-11-21 14:05", "clock": lambda: 0.0}

each_paper = pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.name)


# The paper that is shown


def pieces(text: str) -> Iterator[list[str]]:
    """Every piece of paper in a text, without its indentation."""
    lines = text.splitlines()
    piece: list[str] = []
    torn = False
    for number, line in enumerate([*lines, ""]):
        torn ^= line == EDGE
        begun = piece or not lines[number - 1].strip()
        if torn and line != EDGE:
            piece.append(line)
        elif line.startswith(INDENT) and begun or piece and not line:
            piece.append(line[len(INDENT) :])
        elif piece:
            while not piece[-1]:
                piece.pop()
            yield piece
            piece = []


def sessions(text: str) -> list[list[str]]:
    """The pieces that belong together, a gap after each."""
    found: list[list[str]] = []
    for piece in pieces(text):
        if piece[0].startswith(SHELL) or not found:
            found.append([])
        found[-1] += [*piece, GAP]
    return found


class Reader(Port):
    """One who types what is shown, and reads every line that is printed."""

    at_left = True
    retry = 0.0

    def __init__(self, shown: list[str]) -> None:
        self.shown = shown
        self.at = 0
        self.printed = b""
        self.echo = False  # the next line printed is only what was typed
        self.wrong: Exception | None = None

    def write(self, data: bytes) -> int:
        self.printed += data
        return len(data)

    def read(self, timeout: float) -> bytes:
        """What is typed at the question on the paper, once it waits."""
        if not timeout:
            return b""
        typed = None
        try:
            *lines, question = self.fresh()
            self.compare(lines)
            typed = None if self.wrong else self.answer(question)
        except (AssertionError, IndexError) as error:  # the monitor survives all
            self.wrong = self.wrong or error
        if typed is None:
            raise EOFError
        self.echo = True
        return b"\x03" if typed == "^C" else typed.encode() + b"\r"

    def fresh(self) -> list[str]:
        """The lines printed since, the last of which has no end yet."""
        lines = (
            self.printed.replace(b"\0", b"").decode().replace("\r\n", "\n").split("\n")
        )
        self.printed = b""
        if self.echo:
            lines.pop(0)
            self.echo = False
        return lines

    def compare(self, lines: list[str]) -> None:
        """Hold lines against what is shown."""
        for line in map(str.rstrip, lines):
            if self.leaves_out():
                if line != self.after():
                    continue
                self.go_on()
            if line:
                self.gap()
            if self.at == len(self.shown):
                return
            if self.shown[self.at] != GAP or line:
                assert line == self.shown[self.at], self.place()
                self.at += 1

    def answer(self, question: str) -> str | None:
        """What is typed after this question, None at the end."""
        if self.leaves_out():
            self.go_on()
        self.gap()
        if self.at == len(self.shown):
            return None
        shown = self.shown[self.at]
        self.at += 1
        if self.at + 1 >= len(self.shown) and shown == question.rstrip():
            self.gap()
            return None
        assert shown.startswith(question), f"{question!r} not at {self.place()}"
        typed = shown[len(question) :]
        return typed[1:-1] if re.fullmatch(r"\{.*\}", typed) else typed

    def leaves_out(self) -> bool:
        """Whether lines are left out here, up to the next that is shown."""
        return self.shown[self.at : self.at + 1] == [LEFT_OUT]

    def after(self) -> str:
        """The next line that is shown."""
        return next((line for line in self.shown[self.at + 1 :] if line), "")

    def go_on(self) -> None:
        self.at += 1
        self.gap()

    def gap(self) -> None:
        while self.shown[self.at : self.at + 1] == [GAP]:
            self.at += 1

    def place(self) -> str:
        return "\n".join(self.shown[: self.at + 1])


def play(shown: list[str], area: Area) -> None:
    """Type a session as it is shown."""
    program = kalah.MONITOR
    if shown[0].startswith(SHELL):
        program = kalah.parse(shlex.split(shown[0])[2:]).program or "KALAH"
        shown = shown[1:]
    else:
        shown = [GREETING, *shown]
    reader = Reader(shown)
    with Station(reader) as tty, suppress(EndOfInput, Leave):
        if program == kalah.MONITOR:
            now = time.strptime("1972-11-21 14:05", "%Y-%m-%d %H:%M")
            Monitor(tty, area, lambda: now).run()
        else:
            monitor.find(program)(tty, area)
    if reader.wrong:
        raise reader.wrong
    if reader.printed:
        reader.compare(reader.fresh())
    reader.gap()
    assert reader.at == len(shown), f"not played from {reader.place()}"


@each_paper
def test_what_is_shown_comes_out(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = monitor.find

    def timed(name: str) -> Callable[..., None]:
        run = real(name)
        wanted = inspect.signature(run).parameters
        return partial(run, **{k: v for k, v in CLOCKS.items() if k in wanted})

    monkeypatch.setattr(monitor, "find", timed)
    for position in (ROOT / "saves").glob("*.POS"):
        shutil.copy(position, tmp_path)
    found = sessions(PAGES[path])
    assert found
    for shown in found:
        play(shown, Area(str(tmp_path)))


# What is named


# The names of what ? types, and of the notes below a table.
HELP = re.compile("(.*_)?(HELP|MORE)|T[0-9]+_(OURS|TRIED|NOTES?)")


def programs() -> Iterator[ast.Module]:
    """The text of every module, as Python reads it."""
    for path in [ROOT / "kalah.py", *sorted((ROOT / "sail").rglob("*.py"))]:
        yield ast.parse(path.read_text("utf-8"))


def texts(tree: ast.AST) -> Iterator[str]:
    """The constant texts, without docstrings, patterns, help and notes."""
    if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Constant):
        return
    if isinstance(tree, ast.Call) and ast.unparse(tree.func).startswith("re."):
        return
    if isinstance(tree, ast.Assign) and HELP.fullmatch(ast.unparse(tree.targets[0])):
        return
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield tree.value
    for part in ast.iter_child_nodes(tree):
        yield from texts(part)


def messages() -> set[str]:
    """The lines in capitals that are typed, cut where something is filled in.

    A line that begins with TYPE tells by itself what to type.
    """
    found = set()
    for tree in programs():
        for text in texts(tree):
            for line in text.splitlines():
                parts = [" ".join(p.split()) for p in re.split(r"\{[^}]*\}", line)]
                if not re.search("[a-z]|^TYPE ", " ".join(parts)):
                    found |= set(parts)
    return {text for text in found if re.search("[A-Z]{2}.* .*[A-Z]{2}", text)}


def test_every_message_is_named() -> None:
    assert len(messages()) > 100
    assert sorted(text for text in messages() if text not in EVERYTHING) == []


REFUSES = re.compile("(Line|Area|ArgumentType)Error$")  # shown at the shell


def sentences() -> set[str]:
    """What the shell is told, cut where something is filled in."""
    found = set()
    for tree in programs():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and REFUSES.search(ast.unparse(node.func)):
                parts = (" ".join(text.split()) for text in texts(node))
                found |= {text for text in parts if re.search("[a-z]+ [a-z]+", text)}
    return found


def test_every_sentence_is_named() -> None:
    assert len(sentences()) > 10
    assert sorted(text for text in sentences() if text not in EVERYTHING) == []


CHOOSERS = ("begins", "chosen", "Command")  # of sail.programs.questions
WORD = re.compile("[A-Z]{2,}")


def commands() -> set[str]:
    """The words in capitals with which what was typed is compared."""
    trees = list(programs())
    named: dict[str, set[str]] = {}
    compared: list[ast.AST] = []
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, set()).update(texts(node.value))
        elif isinstance(node, ast.Compare):
            compared += [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in CHOOSERS:
            compared += node.args
    found: set[str] = set()
    for part in compared:
        found |= set(texts(part))
        if isinstance(part, ast.Name) and part.id.isupper():
            found |= named.get(part.id, set())
    return {text for text in found if WORD.fullmatch(text)}


def test_every_command_is_named() -> None:
    known = commands() | {*monitor.COMMANDS, *monitor.PROGRAMS}
    assert {"CONCEDE", "RESIGN", "SPECIAL", "DISPLAY", "TYPE", "MOTOR"} <= known
    words = set(re.findall("[A-Z0-9]+", EVERYTHING))
    if "I WIN, DAMMIT" in EVERYTHING:
        words.add("IWINDAMMIT")  # blanks and the comma aside
    assert sorted(known - words) == []


def test_every_option_is_named() -> None:
    ran = subprocess.run(
        [sys.executable, str(ROOT / "kalah.py"), "--help"],
        capture_output=True,
        check=True,
        text=True,
    )
    options = set(re.findall("--[a-z]+", ran.stdout))
    models = re.findall(r"{([\w,]+)}", ran.stdout)[0].split(",")
    assert {"--tty", "--area"} <= options and "33" in models
    for name in (*options, *models):
        assert re.search(rf"(?<!\w){name}(?!\w)", EVERYTHING), name


def test_every_file_is_named() -> None:
    files = {"NAME.POS", "END6E.DB"} | {
        text
        for tree in programs()
        for text in texts(tree)
        if re.fullmatch(r"[A-Z]{1,6}\.[A-Z]{3}", text)
    }
    assert {"KALAH.OUT", "KALAH.TMP", "KALAH.WON", "ATLAS.TAP"} <= files
    assert sorted(name for name in files if name not in EVERYTHING) == []
    for shipped in (ROOT / "saves").glob("*.POS"):
        assert shipped.stem in PAGES[MANUALS["KALAH"]]


# The paper itself


@each_paper
def test_it_fits_the_paper(path: Path) -> None:
    lines = PAGES[path].splitlines()
    assert max(map(len, lines)) <= 72
    assert all(line == line.rstrip() and "\t" not in line for line in lines)
    assert not re.search(r"[a-z]\. [A-Z]", PAGES[path].replace("A. G.", ""))
    assert path != README or len(lines) <= 160


@each_paper
def test_what_is_said_to_be_there_is_there(path: Path) -> None:
    for name in re.findall(r"\b(?:sail|tests)/[\w./]*\w", PAGES[path]):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"tests\.bench\.\w+", PAGES[path]):
        assert importlib.util.find_spec(name), name


@each_paper
def test_the_shell_commands_are_taken(path: Path) -> None:
    for line in PAGES[path].splitlines():
        if line.strip().startswith(SHELL):
            command = line.strip().partition("   ")[0]
            kalah.parse(shlex.split(command)[2:])


def test_readme_names_what_lies_at_the_top() -> None:
    top = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    top -= {"__pycache__"}
    assert top == {"kalah.py", "sail", "saves", "tests", "README.txt"}
    for path in MANUALS.values():
        assert str(path.relative_to(ROOT)) in PAGES[README]


@pytest.mark.parametrize("name", MANUALS)
def test_help_types_the_manual(name: str, tmp_path: Path) -> None:
    port = Script(f"HELP {name}\n")
    Monitor(Station(port), Area(str(tmp_path))).run()
    assert PAGES[MANUALS[name]] in port.paper


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_question_mark_leads_to_the_manual(name: str, tmp_path: Path) -> None:
    questions = "\n\n" if name == "SILVER" else ""
    port = Script(f"R {name}\n{questions}?\n")
    Monitor(Station(port), Area(str(tmp_path))).run()
    assert f"\nHELP {name} AT THE DOT OF MONITOR TYPES THE MANUAL.\n" in port.paper
