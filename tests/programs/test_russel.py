"""RUSSEL at the typewriter: its transcripts, rubbish, ^C, the pictures."""

from __future__ import annotations

import itertools
import random
import re
import shutil
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from sail.area import Area
from sail.programs.russel.typewriter import Typewriter, run
from sail.teletype import EndOfInput
from tests import paper

SAVES = Path(__file__).parents[2] / "saves"
PUBLISHED = "published-russel-{}.txt"


def still() -> float:
    """A clock that stands still: no work ever takes long."""
    return 0.0


def typed(tmp_path: Path, *keys: str) -> str:
    """The paper when these lines are typed."""
    return paper.play(lambda tty: run(tty, Area(str(tmp_path)), still), list(keys))


@pytest.mark.parametrize(
    "file", paper.transcripts("*-russel-*.txt"), ids=lambda file: file.stem
)
@pytest.mark.source("M22-PRINT", "M22-TYPE", "M22-START", "M22-SS", "M22-OP")
def test_transcript(file: Path, tmp_path: Path) -> None:
    for name in ("FIG2.POS", "OPEN3.POS"):
        shutil.copy(SAVES / name, tmp_path)
    text = file.read_text("utf-8")
    assert typed(tmp_path, *paper.keys(text)) == text


def published(name: str) -> str:
    return (paper.TRANSCRIPTS / PUBLISHED.format(name)).read_text("utf-8")


@pytest.mark.source("M22-PRINT")
def test_the_row_that_the_memo_explains(tmp_path: Path) -> None:
    tty = paper.Paper([])
    typewriter = Typewriter(tty, Area(str(tmp_path)), still)
    typewriter.move("5-")
    typewriter.reply("5-1,2-312,416", 77, 38, 100)
    assert tty.text == "M5- R1,2-312,416 E77 P38 V100\n"


def test_a_board_of_another_size_is_refused(tmp_path: Path) -> None:
    (tmp_path / "FIVE.POS").write_text(
        "A  0   4 4 4 4 4\nB  0   4 4 4 4 4\nA TO MOVE\n"
    )
    page = typed(tmp_path, "SU FIVE.POS", "Q")
    assert "FIVE.POS HAS 5 PITS A SIDE." in page.splitlines()


@pytest.mark.source("M22-RUN", "M22-PRINT", "M22-TOTALS", "M22-RULES", "M22-DEPTH")
def test_the_printed_run_is_whole() -> None:
    """The paper itself, which test_transcript finds typed, line by line."""
    text = published("run")
    rows = re.findall(r"R\d+,\S* E(\d+) P(\d+) V(-?\d+)\n", text)
    assert len(rows) == 28
    assert sum(int(effort) for effort, _, _ in rows) == 627
    assert re.findall(r"^M(\d+)-", text, re.MULTILINE) == [
        "1",
        "21",
        "23",
        "24",
        "25",
        "26",
        "3",
        "4",
        "5",
        "6",
    ]
    assert text.endswith("TE627 TP627\nPV24-1,36-213\n2.4,\n#{Q}\n")
    assert "R6,214-1 E35 P35 V0\nM21- R1,3-213 E19 P19 V0\nM23- R1,6-213 E30" in text


@pytest.mark.source("M22-LEAVES", "M22-MARKERS", "M22-SS")
def test_the_printed_variations_are_whole() -> None:
    text = published("variations")
    leaves = re.findall(r"^(P\dM\d,)?([-,\d]+) V-?\d+$", text, re.MULTILINE)
    assert len(leaves) == 258
    assert max(len(variation) for _, variation in leaves) == 11
    markers = {number: mark for number, (mark, _) in enumerate(leaves, 1) if mark}
    assert list(markers) == [*range(25, 258, 25)]
    assert " ".join(markers.values()) == (
        "P1M1, P1M2, P1M3, P2M1, P2M2, P2M3, P3M1, P3M2, P3M3, P4M1,"
    )
    assert "TE" not in text
    assert text.endswith("2.4,\n0 2 2 2 2 0 2\n  2 2 0 3 0 3 4\n#{Q}\n")


@pytest.mark.source("M22-PHOTO", "M22-HALT0")
def test_photo_halts_stand_where_they_are_printed() -> None:
    for name, before in (
        ("run", ["#{ }", "R5,213-1 E17 P17 V0", "R24,36-1 E11 P11 V4", "M4-"]),
        (
            "variations",
            ["#{ }", "1-6,213-35, V2", "24-26,1-3, V4", "4-1,35-213, V-8"],
        ),
    ):
        halts = re.findall(
            r"(.*)\nHALT\. AT LOC 041631 AC- (\d+) IO- 442000\n\{T\}", published(name)
        )
        assert halts == list(zip(before, ("377000", "375001", "376002", "377003")))


@pytest.mark.source("M22-PROOF2")
def test_the_proof_is_printed() -> None:
    won = (paper.TRANSCRIPTS / "ours-russel-proof.txt").read_text("utf-8")
    assert set(re.findall(r"E\d+ P\d+ V(-?\d+)", won)) == {"102"}
    lost = (paper.TRANSCRIPTS / "ours-russel-proof-14.txt").read_text("utf-8")
    assert set(re.findall(r"E\d+ P\d+ V(-?\d+)", lost)) == {"101"}


@pytest.mark.source("M22-START")
def test_values_as_read_in(tmp_path: Path) -> None:
    symbols = ("IA", "IB", "ID", "IP", "TD", "TD+1", "TD+2", "TD+3", "Y", "OP")
    keys = [key for symbol in symbols for key in (f"{symbol}/", "")]
    shown = re.findall(r"^(.*) \{\}$", typed(tmp_path, *keys), re.MULTILINE)
    # Microflit types 377 as MV+313 and 777 as RV 176, where MV is 64, RV 601.
    assert shown[:4] == ["LAW I MV+313", "LAW MV+313", "LAW 5", "LAW 3"]
    assert shown[4:] == ["50010", "30040", "20070", "RV 176", "31", "6"]


@pytest.mark.source("M22-START")
def test_st_sets_board_and_values_st_1_values_only(tmp_path: Path) -> None:
    text = typed(tmp_path, "SS4/0", "IP/2", "ST", "24", "ST+1", "PB", "ST", "PB")
    boards = re.findall(r"\{PB\}\n(.*\n.*)\n", text)
    assert boards == [
        "0 2 2 2 2 0 2\n  2 2 0 3 0 3 4",
        "0 2 2 2 2 2 2\n  2 2 2 2 2 2 0",
    ]


@pytest.mark.source("M22-TYPE", "M22-START")
def test_rubbish_changes_nothing(tmp_path: Path) -> None:
    chance = random.Random(22)
    tty = paper.Paper([])
    typewriter = Typewriter(tty, Area(str(tmp_path)), still)
    before = dict(typewriter.words), list(typewriter.program.board)
    letters = "ABDEGHIJKLMNOPSTUVWXYZ0789./=+-,;:?! \t{}\x00é→123R"
    for _ in range(3000):
        line = "".join(chance.choice(letters) for _ in range(chance.randint(1, 30)))
        line += chance.choice("XZ!9/")
        tty.keys = ["", "", ""]
        typewriter.obey(line.upper())
        assert not typewriter.leaving
        assert (dict(typewriter.words), typewriter.program.board) == before, line
    assert max(map(len, tty.text.split("\n"))) <= 72


class Stopping(paper.Paper):
    """A typewriter at which ^C is typed some polls after the work began."""

    polls = 50

    def poll(self) -> bool:
        self.polls -= 1
        return self.polls <= 0


@pytest.mark.source("M22-TYPE")
def test_a_deep_analysis_is_stopped_and_keeps_the_board(tmp_path: Path) -> None:
    tty = Stopping(["SS6/1", "IP/6", "ID/77", "ST", "1 ", "PB"])
    with pytest.raises(EndOfInput):
        run(tty, Area(str(tmp_path)), still)
    assert tty.polls == 0, "the work went on"
    board = "0 6 7 7 7 7 7\n  6 6 6 6 6 0 1\n"
    after = tty.text.split("{1 }\n")[1]
    assert after == f"1,\nSTOPPED.  NOTHING WAS MOVED.\n{board}#{{PB}}\n{board}#"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (2, []),
        (4, ["1-1,213-213 V0", "24-1,36-213 V4"]),
        (20, ["1-1,213-213 V0", "1-1,213-213 V0", "24-1,36-213 V4"]),
    ],
)
def test_long_work_shows_new_best_moves(
    tmp_path: Path, seconds: float, shown: list[str]
) -> None:
    """seconds: from the beginning to every later look at the clock."""
    looks = itertools.chain([0.0], itertools.repeat(seconds))
    tty = paper.Paper(["SS6/1", "SS4/0", "IP/2", "OP/1", "TD/777", "ST", " "])
    with pytest.raises(EndOfInput):
        run(tty, Area(str(tmp_path)), lambda: next(looks))
    after = tty.text.split("{ }\n")[1].split("\n")
    assert after == [*shown, "2.4,", "#"]


@pytest.mark.source("M22-CRT", "M22-PHOTO")
def test_photo_writes_each_display_line(tmp_path: Path) -> None:
    keys = ("IP/2", "OP/21", "TD/777", "SS6/1", "ST", " ", "PHOTO")
    text = typed(tmp_path, *keys)
    assert (
        re.findall(r"^PHOTO\d.SVG$", text, re.MULTILINE) == Area(str(tmp_path)).names()
    )
    dots = []
    for number in (1, 2, 3, 4):
        picture = xml.parse(tmp_path / f"PHOTO{number}.SVG").getroot()
        width, height = map(int, picture.attrib["viewBox"].split()[2:])
        circles = picture.findall(".//{*}circle")
        assert all(0 < float(dot.attrib["cx"]) < width for dot in circles)
        assert all(0 < float(dot.attrib["cy"]) < height for dot in circles)
        dots.append(len(circles))
        heights = {int(dot.attrib["cy"]) for dot in circles}
        assert heights <= {height - 40 - 64 * level for level in range(5)}
    assert dots == [171, 171, 171, 115]
