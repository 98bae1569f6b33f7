"""SOLVE on paper."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from sail.board import ISK_RULES, STANDARD_RULES, Rules, start
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.moves import MoveTable
from sail.files import values
from sail.files.area import Area
from sail.files.seal import Damaged
from sail.programs.solve import answer, says
from sail.programs.solve import dialogue as solve
from sail.stop import Stop
from sail.teletype import EndOfInput
from tests import paper, samples
from tests.bench import printed, tables
from tests.stand_ins import SAVES, Interrupted, Narrow, Stopping, standing_still

QUICK_GAMES = [
    (4, 1), (4, 2), (4, 3), (4, 4), (5, 1), (5, 2), (5, 3), (6, 1), (6, 2), (6, 3),
]  # fmt: skip


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


def session(
    keys: list[str], folder: Path, kind: type[paper.Paper] = paper.Paper
) -> str:
    """The paper of a session in an area with the positions that are shipped."""
    folder.mkdir(exist_ok=True)
    for position in SAVES.glob("*.POS"):
        shutil.copy(position, folder)
    samples.put(folder)
    (folder / "TWO.POS").write_text(TWO)
    area = Area(str(folder))
    tty = kind(keys)
    with suppress(EndOfInput):
        solve.run(tty, area, standing_still)
    assert not tty.keys
    return tty.text


@pytest.mark.source("ISK-RULES", "ISK-T9", "ISK-DB")
@paper.each("*-solve-*.txt")
def test_transcript(file: Path, tmp_path: Path) -> None:
    kind = Stopping if file.stem == "ours-solve-stopped" else paper.Paper
    paper.compare(file, lambda keys: session(keys, tmp_path, kind))


def test_a_damaged_file_of_values_is_named_and_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(_: object) -> None:
        raise Damaged("VALUES.TXT", 9)

    monkeypatch.setattr(values, "find", damaged)
    monkeypatch.setattr(values, "teach", damaged)
    text = session(["6", "4", "N", "Q", "Q"], tmp_path, Stopping)
    assert text.count("\nVALUES.TXT IS DAMAGED AT LINE 9.\n") == 1
    assert "\nVALUE FROM -46 TO 48\n" in text


def test_a_walk_goes_on_from_the_values_on_file_with_proofs(tmp_path: Path) -> None:
    text = session(["6", "4", "N", "41", "1", "5", "ALL", "Q", "Q"], tmp_path, Stopping)
    assert text.count("THIS IS ON FILE:") == 3
    assert text.count("STOPPED.") == 2
    assert "{5}\n" in text


@pytest.mark.source("ISK-T9", "ISK-MTD")
@pytest.mark.parametrize("m, n", QUICK_GAMES)
def test_our_perfect_game_is_the_printed_one(m: int, n: int) -> None:
    game = start(n, m, ISK_RULES)
    solver = tables.solver(m, n)
    assert answer.notation(game, solver.line(game))[0] == printed.GAMES[m, n][1]


@pytest.mark.source("ISK-T9")
def test_the_notation_is_that_of_the_paper() -> None:
    game = start(1, rules=ISK_RULES)
    pits = (1, 2, 1, 2, 3, 3, 4)
    assert answer.notation(game, pits) == ("54-54-3-3-2", "12-12-3-3-4")


def test_long_lines_are_folded_at_a_dash() -> None:
    lines = list(answer.folded("GAME " + "123-" * 40 + "4", 72, 5))
    assert all(len(line) <= 72 for line in lines)
    assert "".join(line.strip() for line in lines) == "GAME " + "123-" * 40 + "4"
    assert lines[0][-1] == "-"
    assert list(answer.folded("1-" * 36, 72, 5)) == ["1-" * 36]
    assert list(answer.folded("1-" * 36 + "2", 72, 5)) == [
        "1-" * 20,
        "     " + "1-" * 16 + "2",
    ]
    assert list(answer.folded("1" * 11, 8, 2)) == ["1" * 8, "  111"]


def test_zeros_in_front_are_no_number_of_their_own(tmp_path: Path) -> None:
    """4301 digits are more than int() takes."""
    zeros = "0" * 4301
    keys = [zeros + "1", zeros + "2", "N", "Q", "REVIEW " + zeros, "9" * 4301, "REVIEW"]
    keys += [zeros + "1", zeros + "1", "WALK " + zeros + "1", "Q", "Q", "Q"]
    text = session(keys, tmp_path)
    assert "\nVALUE -2: B WINS BY 2.\n" in text
    assert f"{'0' * 20}... IS NOT A FILE NAME." in text
    assert "\nTURN 1: A 26 LOST 22." in text


@pytest.mark.parametrize(
    "row, polls, texts",
    [
        (
            "0 3 3 3 3",
            13,
            (
                """\
AT LEAST 6, EFFORT 2887, 0.0 SECONDS
AT MOST 6, EFFORT 10714, 0.0 SECONDS
VALUE 6: A WINS BY 6.
MOVE 1 VALUE -2
STOPPED.
VALUE 6
MOVE 1 VALUE -2
MOVE 2 VALUE FROM -22 TO 4
MOVE 3 VALUE 6
MOVE 4 VALUE FROM -24 TO 4
""",
                "VALUE 6: A WINS BY 6.\nMOVE 1 VALUE -2\nMOVE 2 VALUE 2\nMOVE 3 VALUE 6\n",
            ),
        ),
        (
            "0 4 3 3 3",
            10,
            (
                """\
AT MOST 0, EFFORT 16653, 0.0 SECONDS
STOPPED.
VALUE FROM -24 TO 0
MOVE 1 VALUE FROM -24 TO 0
MOVE 2 VALUE FROM -24 TO 0
MOVE 3 VALUE FROM -24 TO 0
MOVE 4 VALUE FROM -26 TO 0
""",
                "AT LEAST 0, EFFORT 5185, 0.0 SECONDS\nVALUE 0: A DRAW.\nMOVE 1 VALUE -8\n",
            ),
        ),
    ],
)
def test_stopped_it_tells_what_it_knows_and_goes_on_from_there(
    row: str, polls: int, texts: tuple[str, str], tmp_path: Path
) -> None:
    """With the value come the moves that keep it; the effort is that of the question."""
    keys = ["4", "SPECIAL", row, row, "N", "Q"]
    tty = Interrupted([*keys, *keys, "Q"], polls)
    solve.run(tty, Area(str(tmp_path)), standing_still)
    assert not tty.keys
    for typed, text in zip(tty.text.split("CAPTURE FROM EMPTY? {N}\n")[1:], texts):
        assert typed.startswith(text)
    assert tty.text.count("STOPPED.") == 1


def test_a_forced_end_is_known_without_work(tmp_path: Path) -> None:
    """The only move ends the game; the work is stopped before it begins."""
    keys = ["6", "SPECIAL", "0 1 0 0 0 0 0", "0 30 0 0 0 0 0", "N", "Q", "Q"]
    text = session(keys, tmp_path, Stopping)
    assert "STOPPED.\nVALUE -29\nMOVE 1 VALUE -29\nGO ON" in text


@pytest.mark.parametrize("pits, most", [(4, 144), (5, 88), (6, 60)])
def test_what_is_too_large_to_finish(pits: int, most: int, tmp_path: Path) -> None:
    """As many positions as Kalah(6,5) has can be asked about."""
    rest = " 0" * (pits - 1)
    keys = [str(pits)]
    for in_play in (most + 1, most):
        if in_play <= 144:
            keys += ["SPECIAL", f"0 1{rest}", f"0 {in_play - 1}{rest}"]
    keys += ["N", "Q"]
    text = session(keys, tmp_path, Stopping)
    refused = f"TOO LARGE TO FINISH: {most + 1} STONES ON {pits} PITS A SIDE."
    assert (refused in text) == (most < 144)
    assert text.count("TOO LARGE") == (most < 144)
    assert f"VALUE {2 - most}\n" in text


def test_each_bound_has_its_time_and_long_games_are_folded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock strikes at every look."""
    monkeypatch.setattr(answer, "OTHERS_SECONDS", 1000.0)
    monkeypatch.setattr(answer, "SILENCE", 1000.0)
    ticks = count()
    tty = Narrow(["4", "3", "Y", "Q", "4", "1", "Y", "Q", "Q"])
    solve.run(tty, Area(str(tmp_path)), lambda: float(next(ticks)))
    _, first, second = tty.text.split("CAPTURE FROM EMPTY? {Y}\n")
    assert first.startswith(
        """\
AT LEAST 6, EFFORT 1047, 1.0 SECONDS
AT LEAST 8, EFFORT 1294, 2.0 SECONDS
AT MOST 8, EFFORT 4678, 5.0 SECONDS
VALUE 8: A WINS BY 8.
MOVE 1 VALUE -4
MOVE 2 VALUE 0
MOVE 3 VALUE 8
MOVE 4 VALUE -8
GAME 13-1-032-2-3-
     0-1320-3-0-2
PITS 31-3-412-2-1-
     4-3124-1-4-2
"""
    )
    assert second.startswith("AT LEAST 2, EFFORT 74, 1.0 SECONDS\n")


EVEN = ["4", "SPECIAL", "0 4 3 3 3", "0 4 3 3 3", "N"]
BOUNDED = """\
VALUE 0: A DRAW.
MOVE 1 AT MOST -4
MOVE 2 VALUE -8
MOVE 3 VALUE 0
MOVE 4 AT MOST -2
GAME 10-13-1-0-2-0-3-31-2-32-1-30
PITS 34-31-3-4-2-4-1-13-2-12-3-14
GO ON WITH PIT, ALL VALUES, BACK, OR Q? {"""


def test_all_values_are_proved_only_if_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no time for the moves; the proof of the value tells bounds."""
    monkeypatch.setattr(answer, "OTHERS_SECONDS", -1.0)
    text = session([*EVEN, "all values", "3", "all", "Q", "Q"], tmp_path)
    assert (
        BOUNDED
        + """\
all values}
MOVE 1 VALUE -8
MOVE 2 VALUE -8
MOVE 3 VALUE 0
MOVE 4 VALUE -4
GO ON WITH PIT, ALL VALUES, BACK, OR Q? {3}
"""
    ) in text


def test_long_work_types_a_line_every_ten_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock strikes at every look; a ^C keeps what is known."""
    monkeypatch.setattr(answer, "OTHERS_SECONDS", -1.0)
    ticks = count()
    tty = Interrupted([*EVEN, "A", "Q", "Q"], 25)
    solve.run(tty, Area(str(tmp_path)), lambda: float(next(ticks)))
    value, moves = tty.text.split("Q? {A}\n")
    seconds = [int(line) for line in re.findall("AFTER ([0-9]+) SEC", value)]
    assert seconds[0] <= 10
    assert all(10 >= later - sooner for sooner, later in zip(seconds, seconds[1:]))
    assert "\nSTOPPED.\nVALUE 0\nMOVE 1 VALUE" in moves
    assert "\nMOVE 3 VALUE 0\nMOVE 4 VALUE FROM" in moves
    assert "\nGO ON WITH PIT, ALL VALUES, BACK, OR Q? {Q}\n" in moves


def test_a_review_frees_the_memory_for_its_own_work(tmp_path: Path) -> None:
    """What was proved before is proved again."""
    keys = ["3", "2", "N", "Q"]
    text = session([*keys, "REVIEW", "1", "1", "Q", *keys, "Q"], tmp_path)
    assert text.count("AT MOST 4, EFFORT 176, 0.0 SECONDS") == 2


BUILDING = "BUILDING ENDGAMES TO {} STONES, ABOUT {} SECONDS.  ^C GIVES THEM UP."


@pytest.mark.source("ISK-DB")
@pytest.mark.parametrize("in_play, stones, line", [
    (24, 0, ""),
    (25, 12, ""),
    (36, 12, ""),
    (37, 16, BUILDING.format(16, 9)),
    (45, 18, BUILDING.format(18, 26)),
])  # fmt: skip
def test_a_database_is_built_once_and_long_work_is_told_of(
    in_play: int,
    stones: int,
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It stays in memory; a small one is built in its place."""
    built = []
    build = endgame.build

    def noted(moves: MoveTable, stones: int, stop: Stop) -> endgame.Database:
        built.append(stones)
        return build(moves, 4)

    monkeypatch.setattr(endgame, "build", noted)
    other = ["6", "SPECIAL", "0 1 0 0 0 0 0", f"0 {in_play - 1} 0 0 0 0 0", "N"]
    text = session([*other, "ALL", "Q", *other, "Q", "Q"], tmp_path)
    assert built == [stones] * (stones > 0)
    assert re.findall("BUILDING.*", text) == [line] * bool(line)


@pytest.mark.source("ISK-DB")
def test_a_database_that_is_given_up_is_not_built_later(tmp_path: Path) -> None:
    """One to 16 stones, whose work is stopped at the second look."""
    keys = ["6", "SPECIAL", "0 1 0 0 0 0 0", "0 36 0 0 0 0 0", "N", "ALL", "Q", "Q"]
    tty = Interrupted(keys, 2)
    solve.run(tty, Area(str(tmp_path)), standing_still)
    stopped, known = tty.text.split("{ALL}\n")
    assert f"{BUILDING.format(16, 9)}\nSTOPPED.\nVALUE -35\n" in stopped
    assert known.startswith("MOVE 1 VALUE -35\nGO ON")


def test_what_minutes_buy_is_told_where_one_is_too_few(tmp_path: Path) -> None:
    """By the stones in play before the turns: 36, 35 and so on."""
    (tmp_path / "LONG.OUT").write_text("3 STONES A PIT\nA 36 B 1 A 41 B 2 A 54\n")
    text = session(["REVIEW LONG", "Q", "Q"], tmp_path)
    assert "\nOF 5 TURNS ONE MINUTE PROVES ABOUT 3, TEN PROVE ABOUT 5.\n" in text
    samples.put(tmp_path)
    assert "ONE MINUTE" not in session(["REVIEW CLUB", "Q", "Q"], tmp_path)
    assert "59940 SECONDS" in session(["REVIEW CLUB", "999", "Q", "Q"], tmp_path)


@pytest.mark.parametrize(
    "rules", [ISK_RULES, STANDARD_RULES], ids=["paper", "standard"]
)
def test_the_moves_of_a_position(rules: Rules, tmp_path: Path) -> None:
    rule = "Y" if rules.captures_empty else "N"
    text = session(["3", "2", rule, "Q"], tmp_path)
    position = start(2, 3, rules)
    solver = Solver(3, 12, rules.captures_empty)
    assert says.VALUE.format(solver.value(position)) + "\n" in text
    for pit in position.legal:
        bounds = list(solver.prove_move(position, pit))[-1]
        assert f"MOVE {pit} VALUE {bounds.low}\n" in text
