"""The studies: positions that exactly one turn wins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sail.board import STANDARD_RULES, Position
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.files import positions
from sail.files.area import Area
from sail.programs.solve import dialogue as solve
from sail.talk import manuals
from tests import paper
from tests.bench import studies

FILE = Path(__file__).parents[2] / "saves" / "STUDY.POS"
STUDIES = positions.read_all(FILE.read_text("ascii"), FILE.name)
TITLE = re.compile(r"STUDY ([0-9]+), GRADE ([1-4])(: [A-Z, ]+)?\.  [A-Z ]+\.")
SOLUTION = re.compile(r"([1-6]+) WINS BY ([0-9]+)\.  NOTHING ELSE WINS\.")


@pytest.fixture(scope="module")
def solver() -> Solver:
    solver = Solver(6, 72, captures_empty=False)
    solver.database = endgame.build(solver.moves, 12)
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


# Only the form of these is tested here.  Their proofs take ten seconds or more
# each: python3 -m tests.bench.studies prove.
LONG = range(38, 49)


@pytest.mark.parametrize("number", range(1, 49))
def test_the_solution_is_the_only_turn_that_wins(number: int, solver: Solver) -> None:
    position = STUDIES[number - 1].position._replace(rules=STANDARD_RULES)
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
        if number not in LONG:
            winning = [p for p in position.legal if wins(solver, position.play(p))]
            assert winning == [pit]
        position = position.play(pit)
    assert position.mover == 1
    assert not position.over
    if number not in LONG:
        assert solver.value(position, guess=-int(answer[2])) == -int(answer[2])


def test_twelve_of_each_grade() -> None:
    grades = [int(study.comments[0].split("GRADE ")[1][0]) for study in STUDIES]
    assert grades == sorted([1, 2, 3, 4] * 12)


MANUAL = " ".join(manuals.part("KALAH", "EXERCISES").split())


def test_the_manual_says_who_finds_the_last_grade() -> None:
    """In the words of the bench, after the titles of the studies."""
    assert (
        studies.last_grade([studies.titled_finder(study) for study in STUDIES])
        in MANUAL
    )


def test_the_manual_explains_each_theme() -> None:
    titles = [TITLE.fullmatch(study.comments[0]) for study in STUDIES]
    themes = {title[3][2:] for title in titles if title and title[3]}
    lines = manuals.part("KALAH", "EXERCISES").split("a theme:")[1].splitlines()
    assert {line[2:26].strip() for line in lines if line.strip()} == themes


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
  1  FIRST
  2  SECOND
SOLVED: 0 OF 1.
WHICH POSITION, 1 TO 2? {{?}}
  1  FIRST
  2  SECOND
?? LISTS ALL 2.
SOLVED: 0 OF 1.
WHICH POSITION, 1 TO 2? {{3}}
TYPE A NUMBER FROM 1 TO 2, ? FOR A LIST, OR Q.
WHICH POSITION, 1 TO 2? {{Q}}
{stones}{{special two 3}}
TWO.POS HAS 2 POSITIONS.
{stones}{{special two x}}
TWO.POS HAS 2 POSITIONS.
{stones}{{special two 2 2}}
TWO.POS HAS 2 POSITIONS.
{stones}{{special two}}
  1  FIRST
  2  SECOND
SOLVED: 0 OF 1.
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
