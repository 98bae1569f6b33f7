"""RUSSEL at the typewriter: its transcripts, rubbish, ^C, the pictures."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from pathlib import Path

import pytest

from sail.files.area import Area
from sail.programs.russel.dialogue import Typewriter, run
from sail.programs.russel.printout import Printout
from sail.programs.russel.words import Words
from sail.refusal import Refusal
from sail.talk import manuals
from sail.teletype import EndOfInput
from tests import paper
from tests.stand_ins import SAVES

REFUSED = ""


def still() -> float:
    """A clock that stands still, so that no work takes long."""
    return 0.0


def typed(tmp_path: Path, *keys: str) -> str:
    """The paper when these lines are typed."""
    area = Area(str(tmp_path), shelf=str(SAVES))
    return paper.play(lambda tty: run(tty, area, still), list(keys))


@pytest.mark.source(
    "M22-CRT", "M22-CRT.ROWS", "M22-DPT", "M22-FIRST", "M22-HALT0", "M22-IA", "M22-ID",
    "M22-MISC", "M22-OCTAL", "M22-OP.8", "M22-OP.9", "M22-T", "M22-PB", "M22-PHOTO",
    "M22-READIN", "M22-SCORE", "M22-SERIES", "M22-SOR", "M22-SS",
    "M22-SS.3", "M22-SS.4", "M22-SS.5", "M22-SS.6", "M22-ST", "M22-HALT", "M22-AC", "M22-RULES",
    "M22-START", "M22-SYMTAB", "M22-TD", "M22-TYPE", "M22-TYPE.R", "M22-TYPE.SPACE", "M22-TYPE.X",
    "M22-VARIABLES",
)  # fmt: skip
@paper.each("*-russel-*.txt")
def test_transcript(file: Path, tmp_path: Path) -> None:
    paper.compare(file, lambda keys: typed(tmp_path, *keys))


def session(name: str) -> str:
    return (paper.TRANSCRIPTS / f"ours-russel-{name}.txt").read_text("utf-8")


@pytest.mark.source("M22-PRINT")
def test_the_row_that_the_memo_explains() -> None:
    tty = paper.Paper([])
    page = Printout(tty, Words(), lambda line: None, still)
    page.move("5-")
    page.reply("5-1,2-312,416", 77, 38, 100)
    assert tty.text == "M5- R1,2-312,416 E77 P38 V100\n"
    for move in ("6-", "4-"):
        page.move(move)
    assert tty.text.endswith("V100\nM6-\nM4-"), "no reply to 6 ends the turn"


@pytest.mark.source(
    "M22-RUN", "M22-RUN.END", "M22-PITS", "M22-PMV", "M22-PRP", "M22-PP", "M22-LABELS",
    "M22-PRINT.E", "M22-TOTALS",
)  # fmt: skip
def test_the_printed_run_is_whole() -> None:
    """The paper itself, which test_transcript finds typed, line by line.

    In the scan the labels M21 and M23 stand before the rows R6,214-1 E35 and
    R1,3-213 E19: a row too high, for the efforts are those of M1 and M21.
    """
    text = session("run")
    rows = re.findall(r"R\d+,\S* E(\d+) P(\d+) V(-?\d+)\n", text)
    assert len(rows) == 28
    assert all(effort == long_effort for effort, long_effort, _ in rows)
    assert sum(int(effort) for effort, _, _ in rows) == 627
    labels = re.findall(r"^M(\d+)-", text, re.MULTILINE)
    assert " ".join(labels) == "1 21 23 24 25 26 3 4 5 6"
    assert text.endswith("TE627 TP627\nPV24-1,36-213\n2.4,\n#{Q}\n")
    assert "R6,214-1 E35 P35 V0\nM21- R1,3-213 E19 P19 V0\nM23- R1,6-213 E30" in text


@pytest.mark.source("M22-LEAVES", "M22-LEAVES.11", "M22-MARKERS", "M22-RUN.BOARD")
def test_the_printed_variations_are_whole() -> None:
    text = session("variations")
    leaves = re.findall(r"^(P\dM\d,)?([-,\d]+) V-?\d+$", text, re.MULTILINE)
    assert len(leaves) == 258
    lengths = {len(variation) for _, variation in leaves}
    assert max(lengths) == 11
    # Those of eleven characters that are complete without a comma have lost it.
    assert "1-24,213-31 V6\n" in text and "1-24,213-5, V6\n" in text
    markers = {number: mark for number, (mark, _) in enumerate(leaves, 1) if mark}
    assert list(markers) == [*range(25, 258, 25)]
    assert " ".join(markers.values()) == (
        "P1M1, P1M2, P1M3, P2M1, P2M2, P2M3, P3M1, P3M2, P3M3, P4M1,"
    )
    assert "TE" not in text
    assert text.endswith("2.4,\n0 2 2 2 2 0 2\n  2 2 0 3 0 3 4\n#{Q}\n")


@pytest.mark.source("M22-FIRST.NEXT", "M22-SERIES", "M22-SCORE")
def test_a_series_is_played_as_the_manual_says(tmp_path: Path) -> None:
    """Each game begins with a, so R is typed in every second one."""
    page = typed(tmp_path, "SS4/0", "ST", "R", "3", "ST", "R", "Q")
    assert page.count("B BEGINS.") == 2
    manual = " ".join(manuals.part("RUSSEL", "THE END").split())
    assert "END OF GAME. A 22, B 14. HALT." in manual and 22 - 3 * 6 == 4
    assert "four left, and wins by four to nothing." in manual
    assert "but ST and R before each second." in manual


def test_what_was_typed_stands_before_a_move_is_taken_back(tmp_path: Path) -> None:
    page = typed(tmp_path, "SS4/0", "ST", "31R6R", "R8", "Q")
    after = page.partition("{31R6R}\n")[2]
    assert after == "3.1,\n6,\n#{R8}\n  X  ? FOR HELP.\n#{Q}\n"


def test_the_rest_of_a_line_waits_for_a_move_of_the_machine(tmp_path: Path) -> None:
    page = typed(tmp_path, "IA/377", "ST", "1 2", "Q")
    assert page.partition("{1 2}\n")[2] == (
        "1,\nIA MUST BE LESS THAN IB.\n0 3 3 3 3 4 4\n  3 3 3 3 3 0 1\n#{Q}\n"
    )


@pytest.mark.source("M22-OCTAL")
def test_what_each_word_may_hold(tmp_path: Path) -> None:
    limits = {
        "IA IB": "-7777 TO 7777",
        "ID": "2 TO 77",
        "IP": "1 TO 14",
        "Y": "1 TO 7777",
        "GM": "0 TO 7777",
        "SS1 SS2 SS3 SS4 SS5 SS6": "0 TO 1",
        "OP TD TD+1 TD+2 TD+3": "0 TO 777777",
        "A6 A5 A4 A3 A2 A1 KA B6 B5 B4 B3 B2 B1 KB": "0 TO 220",
    }
    for symbols, limit in limits.items():
        least, most = limit.split(" TO ")
        for name in symbols.split():
            above = f"{int(most, 8) + 1:o}"
            page = typed(tmp_path, f"{name}/ {above}")
            assert page.endswith(f"\n{name} HOLDS {limit}, OCTAL.\n#"), name
            keys = [f"{name}/{least}", f"{name}=", ""]
            if name[0] not in "TABK":
                keys += [f"{name}/{most}", f"{name}=", ""]
            assert typed(tmp_path, *keys).count("HOLDS") == 0, name


@pytest.mark.source("M22-SYMBOLS", "M22-OCTAL")
def test_an_instruction_is_taken_as_law_as_a_number_and_in_octal(
    tmp_path: Path,
) -> None:
    for put, octal in {
        "LAW 7777": "707777", "LAW I 7777": "717777", "I 5": "710005",
        "-0": "700000", "-7777": "717777", "RV": "700601",
        "700000": "700000", "707777": "707777",
        "710000": "700000", "710001": "710001", "717777": "717777",
        **dict.fromkeys(("677777", "720000", "LAW 700005", "LAW I 710005"), REFUSED),
        **dict.fromkeys(("I 700005", "LAW", "LAW I", "-", "LAW5"), REFUSED),
    }.items():  # fmt: skip
        page = typed(tmp_path, "IB/ 3", f"IB/ {put}", "IB=", "")
        after = page.partition(put + "}\n")[2]
        if octal == REFUSED:
            refusals = (f"NOT AN OCTAL NUMBER: {put}.\n", "IB HOLDS -7777 TO 7777")
            assert after.startswith(refusals), put
        else:
            assert after == f"#{{IB=}}\n{octal} {{}}\n#", put


@pytest.mark.source("M22-SYMBOLS", "M22-MV64", "M22-MICROFLIT")
def test_addresses_near_a_symbol_are_typed_with_it(tmp_path: Path) -> None:
    values = "0 63 64 65 577 600 601 602 777 1000 777777"
    keys = [key for value in values.split() for key in (f"OP/{value}", "OP/", "")]
    assert re.findall(r"^(.*) \{\}$", typed(tmp_path, *keys), re.MULTILINE) == [
        *("0", "63", "MV", "MV 1", "MV 513", "MV 514"),
        *("RV", "RV 1", "RV 176", "1000", "777777"),
    ]


def test_144_stones_are_the_most(tmp_path: Path) -> None:
    page = typed(
        tmp_path, "SU 60 1 1 1 1 1 1 60 1 1 1 1 1 1", "KA/ 110", "KA/ 111", "PB"
    )
    assert page.partition("{KA/ 110}\n")[2] == (
        "#{KA/ 111}\nAT MOST 144 STONES IN ALL.\n"
        "#{PB}\n60  1  1  1  1  1  1\n    1  1  1  1  1  1 72\n#"
    )


@pytest.mark.source("M22-START")
@pytest.mark.parametrize("how", ["ST", "STG", " st g ", "ST+1", "ST + 1", "ST+1G"])
def test_ways_to_start(tmp_path: Path, how: str) -> None:
    page = typed(tmp_path, "SS4/0", "ID/7", "DP/", "", how, "DP/", "", "Q")
    assert re.findall(r"([0-7]+) \{\}\n", page) == ["5", "7"]
    assert typed(tmp_path, "ST+2", "Q").endswith("{ST+2}\n XXX   ? FOR HELP.\n#{Q}\n")


@pytest.mark.source("M22-TYPE.X")
def test_a_long_line_is_refused_in_one(tmp_path: Path) -> None:
    page = typed(tmp_path, "Z" * 100, "Q")
    assert page.endswith("}\n " + 57 * "X" + "  ? FOR HELP.\n#{Q}\n")


@pytest.mark.source("M22-TYPE.X")
@pytest.mark.parametrize("begun", ["S", "SPECIA", "P", "D", "PHOT"])
def test_the_beginning_of_a_command_is_refused(begun: str, tmp_path: Path) -> None:
    page = typed(tmp_path, begun, "Q")
    marks = "X" * len(begun)
    assert page.endswith(f"#{{{begun}}}\n {marks}  ? FOR HELP.\n#{{Q}}\n")


@pytest.mark.source("M22-CELLS")
def test_cells_of_the_board(tmp_path: Path) -> None:
    """Once a word is set, no earlier move can be taken back."""
    keys = ["2", "A6/1", "A5/2", "A4/3", "A3/4", "A2/5", "A1/6", "KA/7"]
    keys += ["B6/10", "B5/11", "B4/12", "B3/13", "B2/14", "B1/15", "KB/16"]
    shown = [key for n in range(14) for key in (f"A6+{n:o}/", "")]
    page = typed(tmp_path, *keys, *shown, "R", "R", "Q")
    cells = re.findall(r"^([0-7]+) \{\}$", page, re.MULTILINE)
    assert " ".join(cells) == "1 2 3 4 5 6 7 10 11 12 13 14 15 16"
    places = "14 13 12 11 10  9  8\n    1  2  3  4  5  6  7\n"
    assert page.endswith(f"A BEGINS.\n{places}#{{R}}\nB BEGINS.\n{places}#{{Q}}\n")


def test_words_of_any_length(tmp_path: Path) -> None:
    many = "0" * 5000
    keys = (f"ID/ {many}7", "ID/", "", f"OP/ {'7' * 5000}", f"TD+{many}1/", "", "Q")
    page = typed(tmp_path, *keys)
    assert "{ID/}\nLAW 7 {}\n" in page
    assert "OP HOLDS 0 TO 777777, OCTAL.\n" in page
    assert f"{{TD+{many}1/}}\n30040 {{}}\n" in page


@pytest.mark.source("M22-TYPE.X")
def test_rubbish_changes_nothing(tmp_path: Path) -> None:
    chance = random.Random(22)
    tty = paper.Paper([])
    typewriter = Typewriter(tty, Area(str(tmp_path)), still)
    before = dict(typewriter.words), list(typewriter.game.board.places)
    letters = "ABDEGHIJKLMNOPSTUVWXYZ0789./=+-,;:?! \t{}\x00é→123R"
    for _ in range(3000):
        line = "".join(chance.choice(letters) for _ in range(chance.randint(1, 30)))
        line += chance.choice("XZ!9/")
        tty.keys = ["", "", ""]
        with suppress(Refusal):
            typewriter.obey(line.upper())
        assert (dict(typewriter.words), typewriter.game.board.places) == before, line
    assert max(map(len, tty.text.split("\n"))) <= 72


def test_a_deep_analysis_is_stopped_and_keeps_the_board(tmp_path: Path) -> None:
    tty = paper.Paper(["SS6/1", "IP/6", "ID/77", "ST", "1 ", "PB"])
    tty.polls = 50
    with pytest.raises(EndOfInput):
        run(tty, Area(str(tmp_path)), still)
    assert tty.polls == 0, "the work went on"
    board = "0 6 7 7 7 7 7\n  6 6 6 6 6 0 1\n"
    after = tty.text.split("{1 }\n")[1]
    assert after == f"1,\nSTOPPED.  NOTHING WAS MOVED.\n{board}#{{PB}}\n{board}#"


def test_a_new_best_move_ends_a_silence_of_10_seconds() -> None:
    """Any line, and a halt, however long, begins another."""
    seconds = 0.0

    def wait(line: int) -> None:
        nonlocal seconds
        seconds += 1000

    tty = paper.Paper([])
    page = Printout(tty, Words(SS3=1), wait, lambda: seconds)
    page.move("5-")
    seconds = 8.0
    page.reply("5-1,2", 7, 3, 1)
    for seconds in (18.0, 18.5, 28.5, 28.75):
        page.better(f"5-{seconds},", 1)
    seconds = 30.0
    page.leaf("6-1,", 1, "")
    seconds = 40.0
    page.better("6-", 2)
    page.photo_halt(1)
    for seconds in (1050.0, 1050.5):
        page.better(f"5-{seconds},", 1)
    assert tty.text == (
        "M5- R1,2 E7 P3 V1\n5-18.5 V1\n5-28.75 V1\n6-1, V1\n"
        "HALT. AT LOC 041631 AC- 375001 IO- 442000\n5-1050.5 V1\n"
    )


@pytest.mark.source("M22-CRT")
def test_display_types_a_dot_for_each_position(tmp_path: Path) -> None:
    lines = [f"DISPLAY {line}" for line in (1, 2, 3, 4)]
    text = typed(tmp_path, "IP/2", "OP/21", "TD/777", "SS6/1", "ST", " ", *lines)
    dots = [strips.count(".") for strips in text.split("#")[-5:-1]]
    assert dots == [170, 171, 171, 115]
