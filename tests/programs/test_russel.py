"""RUSSEL at the typewriter: its transcripts, rubbish, ^C, the pictures."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from sail.board import opening
from sail.files.area import Area
from sail.programs.russel.analysis import RusselGame
from sail.programs.russel.dialogue import Session
from sail.programs.russel.printout import Printout
from sail.refusal import Refusal
from sail.talk import manuals
from sail.teletype import EndOfInput
from tests import paper

typed = partial(paper.typed, Session)


@pytest.mark.source(
    "M22-AC", "M22-CELLS", "M22-CLOSE", "M22-CRT", "M22-CRT.ROWS", "M22-DPT",
    "M22-FIRST", "M22-HALT", "M22-HALT0", "M22-IA", "M22-ID", "M22-IN", "M22-MICROFLIT",
    "M22-MISC", "M22-MV64", "M22-OCTAL", "M22-OP.8", "M22-OP.9", "M22-PB", "M22-PHOTO",
    "M22-PROOF2.14", "M22-READIN", "M22-RULES", "M22-SCORE", "M22-SERIES",
    "M22-SOR", "M22-SS", "M22-SS.3", "M22-SS.4", "M22-SS.5", "M22-SS.6", "M22-ST",
    "M22-START", "M22-SU", "M22-SYMBOLS", "M22-SYMTAB", "M22-T", "M22-TD", "M22-TYPE",
    "M22-TYPE.R", "M22-COUNT", "M22-TYPE.SPACE", "M22-TYPE.X", "M22-VARIABLES",
)  # fmt: skip
@paper.each("*-russel-*.txt")
def test_transcript(file: Path, area: Area) -> None:
    paper.compare(file, lambda keys: typed(area, *keys))


@pytest.mark.source("M22-PRINT")
def test_the_row_that_the_memo_explains() -> None:
    tty = paper.Paper([])
    page = Printout(tty, RusselGame(opening(2)), lambda: None)
    page.on_move("5-")
    page.ef, page.long_ef = 77, 38
    page.on_reply("5-1,2-312,416", 100)
    assert tty.text == "M5- R1,2-312,416 E77 P38 V100\n"
    sample = "m5 r1,2-312,416 e77 p38 v100"
    assert sample in manuals.find("RUSSEL THE RUN")
    for move in ("6-", "4-"):
        page.on_move(move)
    assert tty.text.endswith("V100\nM6-\nM4-"), "no reply to 6 ends the turn"


@pytest.mark.source("M22-FIRST.NEXT", "M22-SERIES", "M22-SCORE")
def test_a_series_is_played_as_the_manual_says(area: Area) -> None:
    """Each game begins with a, so R is typed in every second one."""
    page = typed(area, "SS4/0", "ST", "R", "3", "ST", "R", "Q")
    assert page.count("B BEGINS.") == 2
    manual = " ".join(manuals.find("RUSSEL THE END").split())
    assert "END OF GAME. A 22, B 14. HALT." in manual and 22 - 3 * 6 == 4
    assert "four left, and wins by four to nothing." in manual
    assert "but ST and R before each second." in manual


def test_the_positions_are_listed_and_every_word_leaves(area: Area) -> None:
    """As in the other programs: NOT FOUND points to SPECIAL ?."""
    for leave in ("Q", "QUIT", "EXIT", "BYE"):
        page = typed(area, "OP/200", "ID/2", "ST", " ", leave, leave)
        assert f"{{{leave}}}\nSTOPPED." in page.partition("HALT.")[2]
    page = typed(area, "SU NOSUCH", "SPECIAL ?", "SU ?", "Q")
    assert "NOSUCH.POS NOT FOUND.  SPECIAL ? LISTS" in page
    assert page.count("\nFIG2 ") == 2


@pytest.mark.source("M22-OCTAL")
def test_what_each_word_may_hold(area: Area) -> None:
    limits = {
        "IA IB": "-7777 TO 7777", "ID": "2 TO 77", "IP": "1 TO 14", "Y": "1 TO 7777", "GM": "0 TO 7777",
        "SS1 SS2 SS3 SS4 SS5 SS6": "0 TO 1", "OP TD TD+1 TD+2 TD+3": "0 TO 777777",
        "A6 A5 A4 A3 A2 A1 KA B6 B5 B4 B3 B2 B1 KB": "0 TO 220",
    }  # fmt: skip
    for symbols, limit in limits.items():
        least, most = limit.split(" TO ")
        for name in symbols.split():
            above = f"{int(most, 8) + 1:o}"
            page = typed(area, f"{name}/ {above}")
            assert page.endswith(f"\n{name} HOLDS {limit}, OCTAL.\n#"), name
            keys = [f"{name}/{least}", f"{name}=", ""]
            if name[0] not in "TABK":
                keys += [f"{name}/{most}", f"{name}=", ""]
            assert typed(area, *keys).count("HOLDS") == 0, name
    many = "0" * 5000  # words may have any length
    keys = [f"ID/ {many}7", "ID/", "", f"OP/ {'7' * 5000}", f"TD+{many}1/", "", "Q"]
    page = typed(area, *keys)
    assert "{ID/}\nLAW 7 {}\n" in page
    assert "OP HOLDS 0 TO 777777, OCTAL.\n" in page
    assert f"{{TD+{many}1/}}\n30040 {{}}\n" in page


@pytest.mark.source("M22-TYPE.X")
def test_rubbish_changes_nothing(area: Area) -> None:
    chance = random.Random(22)
    tty = paper.Paper([])
    typewriter = Session(tty, area)
    before = dict(typewriter.game.words), typewriter.game.position
    letters = "ABDEGHIJKLMNOPSTUVWXYZ0789./=+-,;:?! \t{}\x00é→123R"
    for _ in range(1500):
        line = "".join(chance.choice(letters) for _ in range(chance.randint(1, 30)))
        line += chance.choice("XZ!9/")
        tty.keys = ["", "", ""]
        with suppress(Refusal):
            typewriter.obey(line.upper())
        assert (dict(typewriter.game.words), typewriter.game.position) == before, line
    assert max(map(len, tty.text.split("\n"))) <= 72


def test_a_deep_analysis_is_stopped_and_keeps_the_board(area: Area) -> None:
    tty = paper.Paper(["SS6/1", "IP/6", "ID/77", "ST", "1 ", "PB"])
    tty.polls = 50
    with pytest.raises(EndOfInput):
        Session(tty, area).run()
    assert tty.polls == 0, "the work went on"
    board = "0 6 7 7 7 7 7\n  6 6 6 6 6 0 1\n"
    after = tty.text.split("{1 }\n")[1]
    assert after == f"1,\nSTOPPED.  NOTHING WAS MOVED.\n{board}#{{PB}}\n{board}#"
