"""What the sources print, and nothing of ours: the transcripts published-KEY-*.

Each is letter for letter as its source has it; the tests name every misprint.
An ours-* transcript, which test_transcript of a program types, has the same
lines on the program's paper.  Bell's article prints no line of its program.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from sail.files.area import Area
from sail.monitor.dot import Monitor
from tests.bench import printed
from tests.line.virtual import Script, attached
from tests.paper import TRANSCRIPTS

AKC_MISPRINTS = [  # ours, and the manual's
    ("           5                             0", "          5                              0"),
    ("                3   3   0   3   3   3", "                3   3   3   3   3   3"),
]  # fmt: skip


def lines(name: str) -> list[str]:
    """Return the lines of a transcript."""
    return (TRANSCRIPTS / f"{name}.txt").read_text("utf-8").splitlines()


def in_order(wanted: list[str], paper: list[str]) -> bool:
    """Return whether all wanted lines are on the paper, in this order."""
    rest = iter(paper)
    return all(line in rest for line in wanted)


@pytest.mark.source("AKC-05900", "AKC-06000", "AKC-ALONE", "AKC-MISPRINTS")
def test_akc_types_the_example_of_1972_with_nothing_added() -> None:
    """But for blank lines, the manual's remarks, and the user's own moves.

    Two lines of the third board are misprinted.
    """
    paper = "\n".join(lines("ours-akc-example"))
    source = "\n".join(lines("published-akc-example"))
    source = re.sub(r"(Move from pit \d) \(.*\)", lambda m: m[1].upper(), source)
    paper = re.sub(r"YOUR MOVE PLEASE  →{8}\{(\d)\}", r"MOVE FROM PIT \1", paper)
    began, ended = "DO YOU WISH TO START? {Y}\n", "YOUR MOVE PLEASE"
    paper = paper.partition(began)[2].partition(ended)[0]
    source = source.partition("below:\n")[2].partition("This was")[0]
    pages = ([line for line in page.split("\n") if line] for page in (paper, source))
    ours, theirs = pages
    assert len(ours) == len(theirs)
    assert [pair for pair in zip(ours, theirs) if len(set(pair)) > 1] == AKC_MISPRINTS


@pytest.mark.source("APN-FIG3")
def test_the_display_at_the_beginning() -> None:
    """The scan has lost the kalah at the right."""
    source = lines("published-apn-fig-3")
    ours = lines("ours-silver-machine")
    at = ours.index(source[0])
    board = ours[at : at + 4]
    assert [line[: len(s)] for line, s in zip(board, source)] == source
    assert board[1].split() == ["0", "0"] and source[1].split() == ["0"]
    names = {path.stem for path in TRANSCRIPTS.glob("published-*")}  # by source
    assert {name.split("-")[1] for name in names} == {"akc", "apn", "isk", "m22"}


@pytest.mark.source(
    "M22-RUN", "M22-RUN.END", "M22-PITS", "M22-PMV", "M22-PRP", "M22-PP", "M22-LABELS",
    "M22-PRINT.E", "M22-TOTALS",
)  # fmt: skip
def test_the_run_of_1964() -> None:
    """In the scan the labels M21 and M23 stand a row too high.

    The efforts of these rows are those of M1 and M21; they add up to TE627.
    """
    paper = [line.strip("{}") for line in lines("ours-russel-run")]
    source = lines("published-m22-run")

    def rows(page: list[str]) -> list[str]:
        return [re.sub(r"^M\d+- ", "", line) for line in page]

    assert in_order(rows(source), rows(paper))
    efforts = re.findall(r"R\d+,\S* E(\d+) P\1 V", "\n".join(source))
    assert (len(efforts), sum(map(int, efforts))) == (28, 627)
    labels = [re.findall(r"(?m)^M\d+-", "\n".join(page)) for page in (source, paper)]
    assert labels[0] == labels[1]
    moved = [line for line in source if line not in paper]
    first = ["M21- R6,214-1 E35 P35 V0", "M23- R1,3-213 E19 P19 V0"]
    assert moved == [*first, "R1,6-213 E30 P30 V1"]


@pytest.mark.source("M22-LEAVES", "M22-LEAVES.11", "M22-MARKERS", "M22-RUN.BOARD")
def test_the_variations_of_1964() -> None:
    """All 258, and the board after them; the scan has lost a blank of its margin.

    No variation has more than eleven characters, so the comma of some is lost.
    """
    source = lines("published-m22-variations")
    assert len(source) == 258 + 3
    paper = [line.strip() for line in lines("ours-russel-variations")]
    assert in_order([line.strip() for line in source], paper)
    leaves = re.findall(r"(?m)^(P\dM\d,)?([-,\d]+) V-?\d+$", "\n".join(source))
    assert max(len(variation) for _, variation in leaves) == 11
    marks = [f"P{line}M{n}," for line in (1, 2, 3, 4) for n in (1, 2, 3)][:10]
    assert [mark for mark, _ in leaves[24::25]] == marks


@pytest.mark.source("ISK-T9", "ISK-T6")
def test_the_games_and_table_6_of_the_paper() -> None:
    """test_solve plays the games, tests.bench.tables recomputes the table."""
    games = [line.split() for line in lines("published-isk-games")]
    for name, _, *value, game in games:
        cell = int(name[0]), int(name[2])
        assert printed.GAMES[cell] == (int(re.sub(r"\D.*", "", value[0])), game)
        assert f"GAME {game}" in lines(f"ours-solve-game-{name[0]}-{name[2]}")
    cells = re.findall(r"\d+/\d+/\d+", " ".join(lines("published-isk-table-6")))
    assert len(games) == 3 and cells == [*chain(*printed.LAYERS)]


@pytest.mark.source("AKC-10300")
def test_a_question_mark_in_akc_lists_the_levels_of_1972(tmp_path: Path) -> None:
    port = Script("R AKC\n3\n?\n")
    Monitor(attached(port), Area(str(tmp_path))).run()
    help = port.paper.partition("?\n")[2]
    levels = re.findall(r"(?m)^([A-Z][A-Z, ]*?)  +[A-Z]", help)
    assert levels == ["C, B", "A", "MASTER", "TOURNAMENT", "QUIT"]


@pytest.mark.source("AKC-13000", "AKC-HELP")
@pytest.mark.parametrize("width", [44, 69, 72, 132])
@pytest.mark.parametrize("program, ours", [("AKC", []), ("KALAH", ["ADVISE"])])
def test_a_question_mark_lists_the_nine_options_of_1972_first(
    program: str, ours: list[str], width: int, tmp_path: Path
) -> None:
    """In eight lines on paper of any width; ?? names those that are ours."""
    port = Script(f"TTY WIDTH {width}\nR {program}\n3\nC\nY\n?\n??\n")
    Monitor(attached(port), Area(str(tmp_path))).run()
    assert "?? OR RULES OR HELP KALAH.\n" in port.paper  # it leads to the manual
    few, everything = re.split(r"→\?\??\n", port.paper)[1:]
    _, pits, *rows, _ = few.splitlines()[:-1]
    assert len(rows) <= 5 and pits.startswith("1 TO 6")
    options = [cell for row in rows for cell in re.split(" {2,}", row)[::2]]
    nine = [
        *["BACK", "REDO", "QUIT", "CONCEDE", "DRAW", "WIN"],
        "I WIN, DAMMIT",
        "?",
        "SHOW",
    ]
    assert options == [*nine, *ours]
    end = everything.partition("GIVES ME THE GAME\n")[2]
    assert re.findall("(?m)^([A-Z]+)(?: NAME)?  ", end) == ["ADVISE", "SAVE"]
    assert end.count("(OURS)") == everything.count("(OURS)") == 2
