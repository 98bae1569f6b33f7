"""The studies: positions that exactly one turn wins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sail import special
from sail.board import STANDARD, Position
from sail.engine import endgame
from sail.engine.exact import Solver

FILE = Path(__file__).parents[2] / "saves" / "STUDY.POS"
STUDIES = special.read_all(FILE.read_text("ascii"), FILE.name, STANDARD)
TITLE = re.compile(r"STUDY ([0-9]+), GRADE ([1-4]): [A-Z, ]+\.  [A-Z ]+\.")
SOLUTION = re.compile(r"([1-6]+) WINS BY ([0-9]+) STONES\.  NO OTHER TURN WINS\.")


@pytest.fixture(scope="module")
def solver() -> Solver:
    solver = Solver(6, 72, captures_empty=False)
    solver.database = endgame.build(solver.moves, 14)
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


@pytest.mark.parametrize("number", range(1, len(STUDIES) + 1))
def test_the_solution_is_the_only_turn_that_wins(number: int, solver: Solver) -> None:
    position = STUDIES[number - 1].position
    title, solution = STUDIES[number - 1].comments[0], STUDIES[number - 1].solution[0]
    heading, answer = TITLE.fullmatch(title), SOLUTION.fullmatch(solution)
    assert heading
    assert answer
    assert heading[1] == str(number)
    assert position.stones in (36, 48, 60, 72)
    turn = list(map(int, answer[1]))
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
