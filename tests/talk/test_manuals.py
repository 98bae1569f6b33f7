"""README and the manuals, read as a user reads them: with a teletype at hand.

Paper is indented by four columns after an empty line, or stands between two
torn edges, - - - -, at full width; a file, by two after its name, CLASS1.POS:.  What a person types is in braces, {3}, or
is the rest of the line after the program's question.  A line of three periods
stands for lines that are left out.

    python3 kalah.py KALAH    begins a session of that program
    .{R KALAH}                goes on in the session of a monitor

A session goes on to the next such command line, or to the end of the manual.
It is typed into the real teletype and must come out character for character.
pytest --accept puts each line that came out in the place of the one that is shown.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from pytest import MonkeyPatch

import kalah
from sail import settings
from sail.files import positions
from sail.files.area import Area
from sail.monitor import registry, visitors
from sail.monitor.dot import GREETING, Monitor
from sail.talk import manuals
from sail.talk.manuals import MANUALS
from sail.teletype import EndOfInput, Leave
from tests import paper
from tests.bench import strength
from tests.line.virtual import Script, attached
from tests.paper import TRANSCRIPTS
from tests.positions import placed

ROOT = Path(__file__).parents[2]
README = ROOT / "README.txt"
LINE = MANUALS["LINE"]
SOURCES = MANUALS["SOURCES"]
# The manuals of programs and of the line; those of the sources: tests/test_sources.py.
BOOKS = {name: path for name, path in MANUALS.items() if path != SOURCES}
PAPERS = [README, *BOOKS.values()]
PAGES = {path: path.read_text("utf-8") for path in PAPERS}
EVERYTHING = " ".join(" ".join(PAGES.values()).split())
STATED = " ".join(" ".join(map(manuals.read, manuals.STATEMENTS)).split())
SCRIPTS = ROOT / "kalah.py", *(ROOT / "sail").rglob("*.py")
NODES = [node for it in SCRIPTS for node in ast.walk(ast.parse(it.read_text("utf-8")))]

INDENT = "    "
EDGE = " ".join("-" * 36)
LEFT_OUT = "..."
GAP = ""  # between two pieces of paper: empty lines there do not count
SHELL = "python3 kalah.py"
SHOWN = ("AKC1.POS", "STUDY.POS")  # files that KALAH.DOC advises to try
CLOCKS = {"game_time": lambda: "21-NOV-72  14:05", "clock": lambda: 0.0}

each_paper = pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.name)


class Shown(NamedTuple):
    """A line of paper, and the number of its line in the text."""

    line: str
    number: int


def pieces(text: str) -> Iterator[list[Shown]]:
    """Yield every piece of paper in a text, without its indentation."""
    lines = text.splitlines()
    piece: list[Shown] = []
    torn = False
    for number, line in enumerate([*lines, "THE END"]):
        torn ^= line == EDGE
        begun = piece or not lines[number - 1].strip()
        if torn and line != EDGE:
            piece.append(Shown(line, number))
        elif line.startswith(INDENT) and begun or piece and not line:
            piece.append(Shown(line[len(INDENT) :], number))
        elif piece:
            while not piece[-1].line:
                piece.pop()
            yield piece
            piece = []


def files(text: str) -> list[tuple[str, str]]:
    """Return the names and the texts of the files that are shown."""
    found = re.findall(r"([A-Z0-9]+\.POS):\n\n((?:  \S.*\n)+)", text)
    return [(name, inspect.cleandoc(f"\n{lines}")) for name, lines in found]


def sessions(text: str) -> list[list[Shown]]:
    """Return the pieces of each session, with a gap after each piece."""
    found: list[list[Shown]] = []
    for piece in pieces(text):
        for shown in piece:
            if shown.line.startswith(SHELL) or not found:
                found.append([])
            found[-1].append(shown)
        found[-1].append(Shown(GAP, 0))
    return found


class Reader(Script):
    """A person who types the next line whenever the program waits for one."""

    live = True

    def read(self, timeout: float) -> bytes:
        if not timeout:
            return b""
        if not self.typed:
            raise EOFError
        line, _, self.typed = self.typed.partition(b"\n")
        return b"\x03" if line == b"^C" else line + b"\n"


TYPED = re.compile(r"\{(.*?)\}|(?<=\? |→→)(\w+)$")


def pattern(line: str) -> str:
    """Return the regular expression of what is printed where this line is shown."""
    if line == LEFT_OUT:
        return "(.*\n)*?"
    printed = TYPED.sub(r"\1\2", line.replace("{^C}", "↑C"))
    return re.escape(printed) + " *\n" if line else "( *\n)*"


def play(shown: list[Shown], area: Area) -> Iterator[tuple[Shown, str]]:
    """Type a session as it is shown; yield each line that another comes out for.

    The session goes on as if that one were shown, if it can.
    """
    program = kalah.MONITOR
    if shown[0].line.startswith(SHELL):
        program = kalah.options_of(shlex.split(shown[0].line)[2:]).program or "KALAH"
        shown = shown[1:]
    else:
        shown = [Shown(GREETING, 0), *shown]
    typed = ("".join(found) for line, _ in shown for found in TYPED.findall(line))
    reader = Reader("\n".join(typed))
    with attached(reader) as tty, suppress(EndOfInput, Leave):
        if program == kalah.MONITOR:
            with patch("sail.monitor.dot.timestamp", lambda: "21-NOV-72  14:05"):
                Monitor(tty, area).run()
        else:
            registry.load(program)(tty, area).run()
    assert not reader.typed
    printed = re.sub("[\0\r]", "", reader.paper) + "\n"
    patterns = [pattern(line) for line, _ in shown]
    while not re.match("".join(patterns), printed):
        fit = len(patterns)
        while not (match := re.match("".join(patterns[:fit]), printed)):
            fit -= 1
        out = printed[match.end() :].partition("\n")[0]
        yield shown[fit], out
        known = printed[match.end() :] and shown[fit - 1].line != LEFT_OUT
        assert known, f"{shown[fit].line} does not come out"
        patterns[fit] = re.escape(out) + "\n"


def mend(path: Path, shown: Shown, out: str) -> None:
    """Put a line that came out in the place of the one that a manual shows."""
    for found in TYPED.finditer(shown.line):
        typed = found[1] or found[2]
        assert out.endswith(typed), f"{shown.line} comes out as {out}"
        out = out[: len(out) - len(typed)] + found[0]
    lines = path.read_text("utf-8").split("\n")
    lines[shown.number] = lines[shown.number].replace(shown.line, out.rstrip())
    PAGES[path] = "\n".join(lines)
    path.write_text(PAGES[path], "utf-8")


@each_paper
def test_what_is_shown_comes_out(
    path: Path, area: Area, monkeypatch: MonkeyPatch
) -> None:
    real = registry.load

    def timed(name: str) -> Callable[..., Any]:
        session = real(name)
        wanted = inspect.signature(session).parameters
        return partial(session, **{k: v for k, v in CLOCKS.items() if k in wanted})

    monkeypatch.setattr(registry, "load", timed)
    if path.stem not in ("README", "KALAH"):  # as if a game were on file
        monkeypatch.setattr("sail.programs.kalah.saving.has_game", lambda area: True)
    for name, text in files(PAGES[path]):
        area.write(name, text)
    found = sessions(PAGES[path])
    assert found
    for session in found:
        for shown, out in play(session, area):
            assert paper.accept, f"{shown.line!r} comes out as {out!r}"
            paper.expect_no_failure(path.name, out)
            mend(path, shown, out)


# Words that nobody types; SIGHUP and the letters of a code are none either.
NO_WORDS = {
    "BCOQRSUZ", "CHANGE", "CRTSCTS", "OTHERS", "PL", "PW", "REMOVE", "USE", "WLD",
    "WRITE",
}  # fmt: skip
CONSTANTS = [node.value for node in NODES if isinstance(node, ast.Constant)]
TEXTS = [value for value in CONSTANTS if isinstance(value, str)]


def test_every_command_is_named() -> None:
    """So is every other word in capitals."""
    dot = Monitor(attached(Script("")), Area(str(ROOT / "saves" / "shelf")))
    known = {text for text in TEXTS if re.fullmatch("(?!SIG)[A-Z]{2,10}", text)}
    known.update(filter(str.isalpha, (command.word for command in dot.commands)))
    known.update([*registry.PROGRAMS, *settings.NAMES])
    assert {"CONCEDE", "RESIGN", "SPECIAL", "DISPLAY", "TYPE", "MOTOR"} <= known
    words = set(re.findall("[A-Z0-9]+", EVERYTHING))
    if "I WIN, DAMMIT" in EVERYTHING:
        words.add("IWINDAMMIT")  # typed without blanks and the comma
    missing = known - words - NO_WORDS
    assert not missing, f"README or a manual must describe {missing}"


def test_every_command_is_typed_in_a_transcript() -> None:
    calls = [node for node in NODES if isinstance(node, ast.Call)]
    first = [it.args[0] for it in calls if getattr(it.func, "id", "") == "Command"]
    words = {str(it.value) for it in first if isinstance(it, ast.Constant)}
    transcripts = TRANSCRIPTS.glob("ours-*.txt")
    pages = "".join(file.read_text("utf-8").upper() for file in transcripts)
    typed = {it: re.search(rf"{{{re.escape(it)}[ }}]", pages) for it in words}
    missing = [word for word in words if not typed[word]]
    assert len(words) > 50
    assert not missing, f"add a line like {{{missing[0]}}} to an ours-* transcript"


def test_every_option_and_file_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert kalah.main(["--help"]) == 0
    printed = capfd.readouterr().out
    options = set(re.findall("--[a-z]+", printed))
    models = re.findall(r"{([\w,]+)}", printed)[0].split(",")
    assert {"--tty", "--area"} <= options and "33" in models
    for name in (*options, *models):
        assert re.search(rf"(?<!\w){name}(?!\w)", EVERYTHING), name
    files = {text for text in TEXTS if re.fullmatch(r"[A-Z]{1,6}\.[A-Z]{3}", text)}
    files.add("NAME.POS")
    assert {"KALAH.OUT", "KALAH.TMP", "ATLAS.TAP"} <= files
    missing = sorted(name for name in files if name not in EVERYTHING)
    assert not missing, "README or a manual must name these files"
    for shipped in (ROOT / "saves" / "shelf").glob("*.POS"):
        assert shipped.stem in PAGES[MANUALS["KALAH"]], "KALAH.DOC must name it"


@each_paper
def test_it_fits_the_paper_and_tells_what_is_there(path: Path) -> None:
    lines = PAGES[path].splitlines()
    assert max(map(len, lines)) <= 72
    assert all(line == line.rstrip() and "\t" not in line for line in lines)
    assert not re.search(r"[a-z]\. [A-Z]", PAGES[path].replace("A. G.", ""))
    assert path != README or len(lines) <= 3 * 66
    for name in re.findall(r"\b(?:sail|tests)/[\w./]*\w", PAGES[path]):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"tests\.bench\.\w+", PAGES[path]):
        assert importlib.util.find_spec(name), name
    for line in lines:  # the shell's commands are taken
        if line.strip().startswith(SHELL):
            command = line.strip().partition("   ")[0]
            words = shlex.split(command)[2:]
            if words[:1] == ["HELP"]:
                assert manuals.find(" ".join(words[1:]))
            else:
                kalah.options_of(words)


def test_the_greeting_of_visitors_stands_as_it_is_typed() -> None:
    assert visitors.GREETING in PAGES[LINE], "LINE.DOC, FOR VISITORS, must show it"


def test_the_unit_is_taken(tmp_path: Path) -> None:
    """By systemd, where there is one; the job may write where it has to."""
    unit = re.search(r"(?ms)^\[Unit\]$.*?^WantedBy=.*?$", PAGES[LINE])
    assert unit
    words = dict(re.findall("^([A-Za-z]+)=(.*)$", unit[0], re.MULTILINE))
    python, script, *options = words["ExecStart"].split()
    assert vars(kalah.options_of(options))["tty"] == "/dev/teletype"
    assert kalah.options_of([*options, "--visitors"]).visitors
    assert "add --visitors to the ExecStart line" in EVERYTHING
    saves = os.path.join(os.path.dirname(script), "saves")
    assert words["ReadWritePaths"] == saves
    assert words["ProtectSystem"] == "strict" and words["NoNewPrivileges"] == "yes"
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd here")
    (tmp_path / "kalah.service").write_text(unit[0].replace(python, sys.executable))
    verify = ["systemd-analyze", "verify", str(tmp_path / "kalah.service")]
    ran = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert "kalah.service:" not in ran.stderr


def test_the_top_of_the_tree_holds_nothing_else() -> None:
    """A reader's own environment may lie there too."""
    top = {path.name for path in ROOT.iterdir() if path.name[0] not in "._"}
    top -= {path.parent.name for path in ROOT.glob("*/pyvenv.cfg")}
    assert top == {"kalah.py", "sail", "saves", "tests", "README.txt"}
    # README names every manual.
    assert {*BOOKS} == {*registry.PROGRAMS, "LINE"} - {"AKC"}  # it is KALAH
    for path in BOOKS.values():
        name = str(path.relative_to(ROOT))
        assert name in PAGES[README], f"README must name {name}"


def helped(words: str, area: Area) -> str:
    """Return what HELP with these words types at the dot."""
    port = Script(f"HELP {words}\n")
    Monitor(attached(port), area).run()
    begin, end = f"{GREETING}\n.HELP {words}\n", "\n."
    assert port.paper.startswith(begin) and port.paper.endswith(end)
    return port.paper[len(begin) : -len(end)]


@pytest.mark.parametrize("name", BOOKS)
def test_help_types_the_manual_and_its_parts(name: str, area: Area) -> None:
    page = PAGES[MANUALS[name]].rstrip()
    length = len(page.splitlines())
    warning = f"{length} LINES.  ^C ENDS THEM.\n" if length > 40 else ""
    assert helped(f"{name} ALL", area) == warning + page
    contents = helped(name, area)
    _, part, all_lines = contents.rsplit("\n", 2)
    assert part == f"TO READ A PART, TYPE HELP {name} AND THE BEGINNING OF ITS TITLE."
    assert all_lines == f"HELP {name} ALL TYPES ALL {length} LINES."
    listed = re.findall("^  ([A-Z].*?) +([0-9]+) LINES$", contents, re.MULTILINE)
    titles = [title for title, _ in listed]
    assert titles == re.findall("^(.+)\n---+$", page, re.MULTILINE)
    parts = [helped(f"{name} {title}", area) for title in titles]
    for (_, lines), part in zip(listed, parts):
        warning = f"{lines} LINES.  ^C ENDS THEM.\n"
        assert part.startswith(warning) == (int(lines) > 40)
        part = part.removeprefix(warning)
        assert part in page and len(part.splitlines()) == int(lines)


@pytest.mark.parametrize(
    "words, first",
    [
        *(("KALAH LEV", "THE LEVELS"), ("KALAH THE LEVELS", "THE LEVELS")),
        *(("LINE SHELL", "AT THE SHELL"), ("LI THE K", "THE KEYS"), ("X", "NO SUCH")),
        *(("KALAH THE", "SEVERAL PARTS OF KALAH BEGIN WITH THE."), ("LO TH K", "NO SUCH")),
        *(("LINE AT", "SEVERAL"), ("KALAH X", "X IS NOT A PART OF KALAH: HELP")),
        *(("K", "K A L A H"), ("S", "NO SUCH MANUAL; TRY ATLAS,")),
        *(("KALAH AF", "AFTER THE GAME"), ("KJ SO", "KJOB  ENDS YOUR")),
    ],
)  # fmt: skip
def test_a_titles_beginning_is_enough(words: str, first: str, area: Area) -> None:
    assert first in helped(words, area)


def test_the_shell_types_a_manual_too(capfd: pytest.CaptureFixture[str]) -> None:
    assert kalah.main(["help", "kal", "lev"]) == 0
    paper = capfd.readouterr()
    assert (paper.out, paper.err) == (manuals.find("KALAH LEV") + "\n", "")


# Words of README or of a manual, and the lines of TABLES.txt that they round.
MEASURED = {
    "C finds a best move under perfect play in 78 %, B in 89 %, A in 96 % and "
    "TOURNAMENT in 99 %.": "C 78.0 %; B 89.5 %; A 96.5 %; TOURNAMENT 99.0 %",
    "about 300,000 positions a second": "6 286662; 3 315908",
    "with 3 stones a pit in 9 seconds": "3 +2 yes 9.13",
    "takes 170 MB of memory, KALAH at most 300": "60,000 164 273 281",
    "some 16,000 games": "16,677 games, 16 MB",
    "1.3 seconds by the paper's rule (Y), and 3.3 by": "1.29 s; 3.30 s",
    "three minutes by Y, 27 seconds of it": "179.68 s, 26.90 of it for endgames",
    "and eleven minutes by N.": "633.34 s",
    "ours are off by 17 percent in length and 10 in branching.": "off by 17 % in D and 10 % in W",
    "Ours makes that of 6(3) smaller by 34 percent without, by 27, 17 and 7 with 12, "
    "16 and 20 stones, that of 6(4) by 19 with 20.": "(6,3) 0 34% 38%; (6,3) 12 27% 6%; (6,3) 16 17% 6%; (6,3) 20 7% 6%; (6,4) 20 19% 15%",
    "It saves 19 to 30 percent in an ending of 17 stones": "30472 1452 106; 24790 981 106; 1891 1891 106; 1326 1326 106",
    "A looser test saves 5 to 82 percent in that ending": "5508 1746 106; 5213 1215 2; 59959 4753 106; 10859 814 2",
    "1.3 times fewer positions with them, in two thirds of the time.": "164,474, 1.3 times less; 1.2 s, 1.5 times",
}  # fmt: skip


@pytest.mark.parametrize("words", MEASURED)
def test_a_measured_figure_stands_in_the_tables(words: str) -> None:
    tables = (ROOT / "tests" / "bench" / "TABLES.txt").read_text("utf-8")
    assert words in EVERYTHING or words in STATED
    for line in MEASURED[words].split("; "):
        assert line in " ".join(tables.split())


def test_the_advice_on_playing_well() -> None:
    """Its examples work on the board, and the labelled positions give its figures."""
    advice = manuals.find("KALAH PLAYING WELL")
    position = placed([0, 1, 2, 3, 0, 0, 0], [0, 3, 3, 3, 3, 3, 3])
    for pit in map(int, "12131"):
        position = position.play(pit)
    assert (position.mover, position.kalahs) == (0, (5, 0))
    around = placed([0, 0, 0, 0, 0, 0, 13], [0, 0, 0, 0, 0, 0, 5]).play(6)
    assert (around.kalahs, around.rows[0][5]) == ((3, 0), 0)
    files = (ROOT / "saves" / "shelf" / name for name in SHOWN)
    (first,), studies = (positions.parse(it.read_text("ascii"), "") for it in files)
    assert first.position.play(6).kalahs == (5, 0)
    for number, theme in ((4, "STARVING THE OTHER SIDE"), (9, "CAPTURE DECLINED")):
        assert f"SPECIAL STUDY {number}" in advice
        assert theme in studies[number - 1].theme[0]
    labelled = strength.labelled() + strength.labelled("unseen.txt")
    again, nearest, captures = [], [], []  # whether each such move was a best one
    for before, values in labelled:
        best = {pit for pit in values if values[pit] == max(values.values())}
        after = {pit: before.play(pit) for pit in values}
        repeats = [pit for pit in values if after[pit].mover == before.mover]
        takes = {pit for pit in values if after[pit].kalahs[0] > before.kalahs[0] + 1}
        if repeats:
            again.append(bool(best & {*repeats}))
        elif takes:
            captures.append(bool(best & takes))
        if len(repeats) > 1:
            nearest.append(repeats[0] in best)
    figures = [len(labelled)]
    for found in (again, nearest, captures):
        figures += [sum(found), len(found)]
    told = advice[advice.index("\nIn ") :]
    assert [*map(int, re.findall("[0-9]+", told))] == [*figures, len(studies)]
