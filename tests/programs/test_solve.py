"""SOLVE on paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from sail.board import ISK_RULES, opening
from sail.engine import endgame
from sail.engine.moves import MoveTable
from sail.files import proved
from sail.files.area import Area
from sail.files.seal import Damaged
from sail.programs.solve import dialogue as solve
from sail.programs.solve import proof
from sail.stop import Stop
from sail.teletype import EndOfInput
from tests import paper, samples
from tests.bench import printed, tables
from tests.stand_ins import Interrupted, Stopping, standing_still

TWO = """\
; FIRST
A 0 1 0 0 0 0 0
B 0 0 1 0 0 0 0
A TO MOVE

; SECOND
; A TO MOVE AND WIN
A 20 0 2 0 0 0 1
B 20 0 0 0 0 0 1
A TO MOVE
RIGHT 26
; 26 WINS BY 4 STONES.
"""


Kind = Callable[[list[str]], paper.Paper]


def session(keys: list[str], area: Area, kind: Kind = paper.Paper) -> str:
    """Return the paper of a session in an area with games and positions."""
    samples.put(Path(area.folder))
    area.write("TWO.POS", TWO)
    tty = kind(keys)
    with suppress(EndOfInput):
        solve.Session(tty, area, standing_still).run()
    assert not tty.keys
    return tty.text


@pytest.mark.source("ISK-RULES", "ISK-T9", "ISK-DB")
@paper.each("*-solve-*.txt")
def test_transcript(file: Path, area: Area) -> None:
    """stopped: a ^C as soon as any work begins.  interrupted-13: at the 13th look."""
    kind: Kind = paper.Paper
    word, _, polls = file.stem.removeprefix("ours-solve-").partition("-")
    if word == "stopped":
        kind = Stopping
    elif word == "interrupted":
        kind = partial(Interrupted, polls=int(polls))
    paper.compare(file, lambda keys: session(keys, area, kind))


def test_damaged_values_are_only_named(area: Area, monkeypatch: MonkeyPatch) -> None:
    def damaged() -> None:
        raise Damaged("VALUES.TXT", 9)

    monkeypatch.setattr(proved, "all_filed", damaged)
    text = session(["6", "3", "N", "Q", "Q"], area, Stopping)
    told = "\nVALUES.TXT IS DAMAGED: LINE 9 IS WRONG.  SEE HELP KALAH FILES.\n"
    assert text.count(told) == 1
    assert "\nVALUE FROM -34 TO 36\n" in text


@pytest.mark.source("ISK-T9", "ISK-MTD")
@pytest.mark.parametrize(
    "m, n",
    [(4, 1), (4, 2), (4, 3), (4, 4), (5, 1), (5, 2), (6, 1), (6, 2), (5, 5), (6, 3), (6, 4)],
)  # fmt: skip
def test_our_perfect_game_is_the_printed_one(m: int, n: int) -> None:
    """The last three are on file."""
    game = opening(n, m, ISK_RULES)
    known = proved.filed(game)
    pits = known.variation if known else tables.solver(m, n).best_play(game)
    assert proof.both_notations(game, pits)[0] == printed.GAMES[m, n][1]


def test_long_lines_are_folded_between_turns() -> None:
    lines = proof.folded("123-" * 40 + "4", 67)
    assert all(len(line) <= 67 for line in lines)
    assert "".join(lines) == "123-" * 40 + "4"
    assert lines[0][-1] == "-"
    assert proof.folded("1-" * 36, 72) == ["1-" * 36]
    assert proof.folded("1" * 11, 8) == ["1" * 8, "111"]
    assert proof.folded("A 1,2,1", 5) == ["A 1,", "2,1"]
    assert proof.folded("A 1 B 2 A 3", 8) == ["A 1 B 2", "A 3"]


def test_each_bound_has_its_time_and_long_games_are_folded(
    area: Area, monkeypatch: MonkeyPatch
) -> None:
    """The clock strikes at every look."""
    monkeypatch.setattr(proof, "OTHERS_SECONDS", 1000.0)
    monkeypatch.setattr(proof, "SILENCE", 1000.0)
    ticks = count()
    tty = paper.Paper(["4", "3", "Y", "Q", "4", "1", "Y", "Q", "Q"])
    tty.settings = tty.settings._replace(width=24)
    solve.Session(tty, area, lambda: float(next(ticks))).run()
    _, first, second = tty.text.split("CAPTURE FROM EMPTY? {Y}\n")
    assert first.startswith(
        "AT LEAST 6, EFFORT 1047, 1.0 SECONDS\nAT LEAST 8, EFFORT 1294, 2.0 SECONDS\n"
        "AT MOST 8, EFFORT 4678, 5.0 SECONDS\nVALUE 8 FOR A: A WINS BY 8.\n"
    )
    assert "\nGAME 13-1-032-2-3-0-\n     1320-3-0-2\nPITS A 3,1 B 3 A 4,1,2\n" in first
    assert second.startswith("AT LEAST 2, EFFORT 74, 1.0 SECONDS\n")


EVEN = ["4", "SPECIAL", "0 4 3 3 3", "0 4 3 3 3", "N"]
BOUNDED = """\
VALUE 0 FOR A: A DRAW.
MOVE 1 VALUE FROM -24 TO -4
MOVE 2 VALUE -8
MOVE 3 VALUE 0
MOVE 4 VALUE FROM -26 TO -2
GAME 10-13-1-0-2-0-3-31-2-32-1-30
PITS A 3,4 B 3,1 A 3 B 4 A 2 B 4 A 1 B 1,3 A 2 B 1,2 A 3 B 1,4
GO ON WITH PIT, ALL VALUES, BACK, OR Q? {"""


def test_all_values_are_proved_if_asked(area: Area, monkeypatch: MonkeyPatch) -> None:
    """There is no time for the moves; the proof of the value tells bounds."""
    monkeypatch.setattr(proof, "OTHERS_SECONDS", -1.0)
    line = "PITS A 4 B 3,1 A 3"  # as SOLVE types it
    text = session([*EVEN, "all values", "3", "all", line, "Q", "Q"], area)
    exact = "".join(f"MOVE {n} VALUE {it}\n" for n, it in enumerate((-8, -8, 0, -4), 1))
    assert f"{BOUNDED}all values}}\n{exact}GO ON WITH PIT" in text
    assert f"{{{line}}}\n" in text and text.count("VALUE 0 FOR B") == 1


def test_long_work_is_told_of_in_time(area: Area, monkeypatch: MonkeyPatch) -> None:
    """The clock strikes at every look; a ^C keeps what is known."""
    monkeypatch.setattr(proof, "OTHERS_SECONDS", -1.0)
    ticks = count(100)
    tty = Interrupted([*EVEN, "A", "Q", "Q"], 25)
    solve.Session(tty, area, lambda: float(next(ticks))).run()
    value, moves = tty.text.split("Q? {A}\n")
    seconds = [int(line) for line in re.findall("AFTER ([0-9]+) SEC", value)]
    assert seconds[0] <= 10
    assert all(10 >= later - sooner for sooner, later in zip(seconds, seconds[1:]))
    assert "\nSTOPPED.\nVALUE 0\nMOVE 1 VALUE" in moves
    assert "\nMOVE 3 VALUE 0\nMOVE 4 VALUE FROM" in moves
    assert "\nGO ON WITH PIT, ALL VALUES, BACK, OR Q? {Q}\n" in moves


BUILDING = "BUILDING ENDGAMES TO {} STONES, ABOUT {} SECONDS.  ^C GIVES THEM UP."


@pytest.mark.source("ISK-DB")
@pytest.mark.parametrize(
    "in_play, stones, seconds", [(24, 0, 0), (25, 12, 0), (36, 12, 0), (37, 16, 9), (45, 18, 26)]
)  # fmt: skip
def test_a_database_is_built_once_and_long_work_is_told_of(
    in_play: int, stones: int, seconds: int, area: Area, monkeypatch: MonkeyPatch
) -> None:
    """It stays in memory; a small one is built in its place."""
    built = []
    build = endgame.build

    def noted(moves: MoveTable, stones: int, stop: Stop) -> endgame.Database:
        built.append(stones)
        return build(moves, 4)

    monkeypatch.setattr(endgame, "build", noted)
    other = ["6", "SPECIAL", "0 1 0 0 0 0 0", f"0 {in_play - 1} 0 0 0 0 0", "N"]
    text = session([*other, "ALL", "Q", *other, "Q", "Q"], area)
    assert built == [stones] * (stones > 0)
    told = [BUILDING.format(stones, seconds)] if seconds else []
    assert re.findall("BUILDING.*", text) == told
