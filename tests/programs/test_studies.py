"""The studies: positions that exactly one turn wins."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest

from sail import special
from sail.area import Area
from sail.board import STANDARD, Position
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.programs.kalah import dialogue as kalah
from sail.programs.solve import dialogue as solve
from sail.teletype import EndOfInput
from tests import paper

FILE = Path(__file__).parents[2] / "saves" / "STUDY.POS"
STUDIES = special.read_all(FILE.read_text("ascii"), FILE.name)
TITLE = re.compile(r"STUDY ([0-9]+), GRADE ([1-4])(: [A-Z, ]+)?\.  [A-Z ]+\.")
SOLUTION = re.compile(r"([1-6]+) WINS BY ([0-9]+)\.  NOTHING ELSE WINS\.")


@pytest.fixture(scope="module")
def solver() -> Solver:
    solver = Solver(6, 72, captures_empty=False)
    solver.database = endgame.build(solver.moves, 16)
    return solver


def wins(solver: Solver, position: Position) -> bool:
    """Whether A wins."""
    guess = -2 if position.mover else 2
    for low, high in solver.prove(position, guess=guess):
        if low > 0 or high < 0:
            return (low > 0) != bool(position.mover)
        if low == 0 and position.mover or high == 0 and not position.mover:
            return False
    raise AssertionError(position)


# Their proofs take ten seconds each: python3 -m tests.bench.studies prove.
LONG = {38, 39, 40, 41, 42, 45, 46, 47, 48}


@pytest.mark.parametrize("number", sorted({*range(1, 49)} - LONG))
def test_the_solution_is_the_only_turn_that_wins(number: int, solver: Solver) -> None:
    position = STUDIES[number - 1].position._replace(rules=STANDARD)
    title, solution = STUDIES[number - 1].comments[0], STUDIES[number - 1].solution[0]
    heading, answer = TITLE.fullmatch(title), SOLUTION.fullmatch(solution)
    assert heading
    assert answer
    assert heading[1] == str(number)
    assert position.stones in (36, 48, 60, 72)
    (turn,) = STUDIES[number - 1].right
    assert "".join(map(str, turn)) == answer[1]
    for pit in turn:
        assert (position.mover, position.over) == (0, False)
        assert [
            other for other in position.legal if wins(solver, position.play(other))
        ] == [pit]
        position = position.play(pit)
    assert position.mover == 1
    assert not position.over
    assert solver.value(position, guess=-int(answer[2])) == -int(answer[2])


def test_twelve_of_each_grade() -> None:
    grades = [int(study.comments[0].split("GRADE ")[1][0]) for study in STUDIES]
    assert grades == sorted([1, 2, 3, 4] * 12)


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
; 26 WINS BY 4 STONES.
"""


@pytest.fixture
def area(tmp_path: Path) -> Area:
    (tmp_path / "TWO.POS").write_text(TWO)
    return Area(str(tmp_path))


def test_one_of_several_positions(area: Area) -> None:
    """By its number, or from a list."""
    tty = paper.Paper(
        ["6", "special two", "?", "3", "Q", "special two 3", "special two x",
         "special two 2 2", "special two", "2", "Q", "special two.pos 02", "N", "Q", "Q"]
    )  # fmt: skip
    solve.run(tty, area, lambda: 0.0)
    stones = "STONES A PIT, OR SPECIAL? "
    assert (
        f"""\
{stones}{{special two}}
WHICH POSITION, 1 TO 2? {{?}}
  1  FIRST
  2  SECOND
WHICH POSITION, 1 TO 2? {{3}}
TYPE A NUMBER FROM 1 TO 2, ? FOR A LIST, OR Q.
WHICH POSITION, 1 TO 2? {{Q}}
{stones}{{special two 3}}
TWO.POS HAS 2 POSITIONS.
{stones}{{special two x}}
TYPE 0 TO 36 STONES, SPECIAL, SPECIAL NAME, OR Q TO GO BACK.
{stones}{{special two 2 2}}
TYPE 0 TO 36 STONES, SPECIAL, SPECIAL NAME, OR Q TO GO BACK.
{stones}{{special two}}
WHICH POSITION, 1 TO 2? {{2}}
SECOND
A TO MOVE AND WIN
A 20   0 2 0 0 0 1
B 20   0 0 0 0 0 1
A TO MOVE
CAPTURE FROM EMPTY? {{Q}}
{stones}{{special two.pos 02}}
SECOND
"""
        in tty.text
    )
    assert "\nPITS 216-6-5-5-4\n" in tty.text


@pytest.mark.parametrize(
    "starts, turn, line",
    [
        ("Y", "26", "YOUR FIRST TURN WAS RIGHT.\n"),
        ("Y", "6", "YOUR FIRST TURN WAS 6, NOT 26.\n"),
        ("N", "1", ""),
        ("N", "6", ""),
    ],
)
def test_after_a_study_the_solution_is_typed(
    starts: str, turn: str, line: str, area: Area
) -> None:
    """And whether the first turn was it, if that was the user's."""
    keys = ["special two 2", "c", starts, turn, "", "concede", "n"]
    tty = paper.Paper(keys)
    with suppress(EndOfInput):
        kalah.run(tty, area, lambda: "21-NOV-72  14:05", lambda: 0.0)
    assert f"26 WINS BY 4 STONES.\n{line}" in tty.text
    assert ("YOUR FIRST TURN WAS" in tty.text) == bool(line)
