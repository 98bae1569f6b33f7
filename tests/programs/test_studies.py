"""The studies: positions with exactly one right turn."""

from __future__ import annotations

import re

import pytest

from sail.board import STANDARD_RULES
from sail.engine.exact import Solver
from sail.engine.value import sign
from sail.game import Course
from sail.talk import manuals
from tests.bench import studies
from tests.bench.studies import STUDIES, best_of
from tests.positions import every_turn

TITLE = re.compile(r"STUDY ([0-9]+), GRADE ([1-4])\.  [A-Z ]+\.")
# What A does, by the sign of the stones by which he wins.
WORTH = {1: "WINS", 0: "HOLDS THE DRAW", -1: "LOSES AS LITTLE AS HE CAN"}
NUMBERS = range(1, len(STUDIES) + 1)
QUICK = 14  # stones in play; with fewer, a proof takes a moment
PROVED = "1387e434"  # the checksum of what the bench proved: every value, and all lines


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(6, 72, STANDARD_RULES)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_right_turn_and_every_other(number: int, solver: Solver) -> None:
    """All whole turns are on file, and only the right one has the best value.

    The lines are best play, for three turns or more, or to the end of the game.  Here
    their endings are proved; .ci/run has the bench prove the rest.
    """
    study = STUDIES[number - 1]
    title = TITLE.fullmatch(study.comments[0])
    assert title and title[1] == str(number)
    best = best_of(study)
    worth = best.value.likely
    assert study.comments[1] == f"A IS TO MOVE AND {WORTH[sign(worth)]}."
    assert len(study.comments) == 2 and len(study.right) == 1
    assert study.position.stones in (36, 48, 60, 72) and study.position.mover == 0
    turns = dict(every_turn(study.position))
    values = {turn: it.value.likely for turn, it in study.wrong.items()}
    assert all(it.value.proved for it in (best, *study.wrong.values()))
    assert max(values.values()) < worth
    values[study.right[0]] = worth
    assert values.keys() == turns.keys()
    assert not turns[study.right[0]].over
    for judged in (best, *study.wrong.values()):
        line = Course(study.position, judged.variation).turns
        value = judged.value.likely
        for turn in line:
            after = turn.after._replace(rules=STANDARD_RULES)
            turned = -1 if after.mover else 1
            if after.in_play <= QUICK:
                assert solver.value(after, guess=turned * value) == turned * value
        assert line[-1].after.over or len(line) >= 3


def test_what_is_shipped_was_proved_and_is_graded() -> None:
    """Every value and line: python3 -m tests.bench.studies prove."""
    assert studies.checksum() == PROVED
    # There are twelve of each grade, and then two of each new theme.
    grades = [int(study.comments[0].split("GRADE ")[1][0]) for study in STUDIES]
    assert grades[:48] == sorted([1, 2, 3, 4] * 12) and max(grades[48:]) < 4
    themes = [study.theme for study in STUDIES[48:]]
    assert themes[::2] == themes[1::2]
    assert len(themes) == 2 * len({theme for (theme,) in themes}) == 10


MANUAL = " ".join(manuals.find("KALAH EXERCISES").split())


def test_the_manual_says_who_finds_the_last_grade_and_explains_each_theme() -> None:
    """In the words of the bench, after the titles of the studies."""
    finders = [studies.titled_finder(study) for study in STUDIES]
    assert studies.last_grade(finders) in MANUAL
    themes = {theme for study in STUDIES for theme in study.theme}
    lines = manuals.find("KALAH EXERCISES").split("has a theme:")[1].splitlines()
    assert {line[2:26].strip() for line in lines if line.strip()} == themes
