"""The studies: positions with exactly one right turn."""

from __future__ import annotations

import re

import pytest

from sail.board import STANDARD_RULES, Position
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.value import Expected
from sail.files import positions
from sail.game import format_turn
from sail.programs.kalah.verdicts import verdict_of_file
from sail.talk import manuals
from tests.bench import studies
from tests.bench.studies import STUDIES
from tests.positions import captured, every_turn

TITLE = re.compile(r"STUDY ([0-9]+), GRADE ([1-4])\.  [A-Z ]+\.")
SOLUTION = {
    "WINS": re.compile(r"([1-6]+) WINS BY ([0-9]+)\.  NOTHING ELSE WINS\."),
    "HOLDS THE DRAW": re.compile(r"([1-6]+) (DRAWS)\.  EVERYTHING ELSE LOSES\."),
    "LOSES AS LITTLE AS HE CAN": re.compile(
        r"([1-6]+) LOSES BY ([0-9]+)\.  EVERYTHING ELSE LOSES MORE\."
    ),
}
NUMBERS = range(1, len(STUDIES) + 1)
QUICK = 23  # stones in play; with fewer, a proof takes a moment
# Their proofs take long: python3 -m tests.bench.studies prove
LONG = {25, 26, 33, *range(36, 49)}


@pytest.fixture(scope="module")
def solver() -> Solver:
    solver = Solver(6, 72, captures_empty=False)
    solver.database = endgame.build(solver.moves, 12)
    return solver


def worth(study: positions.Entry) -> int:
    """Return the stones by which A wins, in the words of the solution."""
    task = study.comments[1].removeprefix("A IS TO MOVE AND ").removesuffix(".")
    answer = SOLUTION[task].fullmatch(study.solution[0])
    assert answer
    assert answer[1] == format_turn(study.right[0])
    return 0 if answer[2] == "DRAWS" else int(answer[2]) * (1 if task == "WINS" else -1)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_right_turn_and_every_other(number: int, solver: Solver) -> None:
    """All whole turns are on file, and only the right one has the best value."""
    study = STUDIES[number - 1]
    title = TITLE.fullmatch(study.comments[0])
    assert title
    assert title[1] == str(number)
    assert len(study.comments) == 2 and len(study.right) == 1
    assert study.position.stones in (36, 48, 60, 72) and study.position.mover == 0
    turns = dict(every_turn(study.position))
    values = {wrong.turn: wrong.margin for wrong in study.refuted}
    assert max(values.values()) < worth(study)
    values[study.right[0]] = worth(study)
    assert values.keys() == turns.keys()
    assert not turns[study.right[0]].over
    for turn, value in values.items():
        after = turns[turn]._replace(rules=STANDARD_RULES)
        sign = -1 if after.mover else 1
        if (
            study.position.in_play <= QUICK
            or turn in study.right
            and number not in LONG
        ):
            assert solver.value(after, guess=sign * value) == sign * value


@pytest.mark.parametrize("number", NUMBERS)
def test_the_lines_are_best_play(number: int, solver: Solver) -> None:
    """They end with the game, or go on for two turns of each player, or three turns."""
    study = STUDIES[number - 1]
    Line = tuple[tuple[int, ...], ...]
    lines: list[tuple[Line, Line, int, int]]
    lines = [((), studies.line_of(study), worth(study), 5)]
    lines += [((it.turn,), it.play, it.margin, 3) for it in study.refuted]
    for turn, line, value, least in lines:
        for count in range(1, len(line) + 1):
            node = node_after(study.position, (*turn, *line[:count]))
            proof = node._replace(rules=STANDARD_RULES)
            sign = -1 if node.mover else 1
            if study.position.in_play <= QUICK:
                assert solver.value(proof, guess=sign * value) == sign * value
        assert node.over or len(line) >= least


GAINS = re.compile(
    "(MY |)([1-6]+),? (?:THEN |LATER |WHICH )?(TAKES|CAPTURES) (?:ONLY )?"
    "([0-9]+|NOTHING)"
)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_idea_is_true(number: int) -> None:
    """A turn that it names gains so much in a line on file, or if B were to move."""
    study = STUDIES[number - 1]
    position, idea, line = study.position, study.solution[1], studies.line_of(study)
    turned = position._replace(mover=1)
    turns = [(at, turn) for at in (position, turned) for turn in dict(every_turn(at))]
    for played in (line, *((it.turn, *it.play) for it in study.refuted)):
        turns += [(node_after(position, played[:n]), it) for n, it in enumerate(played)]
    gains = {
        (node.mover, format_turn(turn), verb, str(stones or "NOTHING"))
        for node, turn in turns
        for verb, stones in (
            (
                "TAKES",
                node_after(node, (turn,)).kalahs[node.mover] - node.kalahs[node.mover],
            ),
            ("CAPTURES", captures(node, turn)[0]),
        )
    }
    said = GAINS.findall(idea)
    assert {(int(whose == "MY "), *rest) for whose, *rest in said} <= gains
    margins = {format_turn(it.turn): str(it.margin) for it in study.refuted}
    worse = re.findall("([1-6]+) LOSES BY ([0-9]+)", idea)
    worse += re.findall("([1-6]+) ONLY DRAW(S)", idea)
    assert all(margins[turn] in (f"-{stones}", "0") for turn, stones in worse)
    saved = re.findall("SAVES PIT ([1-6]) FROM MY ([1-6]+)", idea)
    for pit, turn in saved:
        threat = tuple(map(int, turn))
        assert captures(turned, threat)[1] == int(pit) in study.right[0]
    end = node_after(position, line)
    ends = re.findall("YOU KEEP ([0-9]+)", idea)
    assert not ends or end.over and sum(end.rows[0]) == int(ends[0])
    scores = re.findall("([0-9]+) FOR YOU, ([0-9]+) FOR ME", idea)
    assert not scores or end.over and end.score == tuple(map(int, scores[0]))
    claims = "TAKES", "CAPTURES", "LOSES", "DRAWS", "SAVES", "KEEP ", "FOR YOU"
    known = sum(map(len, (said, worse, saved, ends, scores)))
    assert known == sum(map(idea.count, claims)) > 0 and len(idea) <= 72


def node_after(position: Position, line: tuple[tuple[int, ...], ...]) -> Position:
    for turn in line:
        position = dict(every_turn(position))[turn]
    return position


def captures(position: Position, turn: tuple[int, ...]) -> tuple[int, int]:
    """Return the stones that the last move of a turn captures, and their pit."""
    for pit in turn[:-1]:
        position = position.play(pit)
    return captured(position, turn[-1])


def test_the_file_answers_every_turn() -> None:
    """Without a search."""

    class Idle:
        def outcome(self, _: Position) -> Expected:
            raise AssertionError("searched")

    for study in STUDIES:
        verdict = verdict_of_file(study, Idle())  # type: ignore[arg-type]
        for turn, after in every_turn(study.position):
            right, text = verdict(turn, after)
            assert right == (turn in study.right)
            assert right or text.startswith((f"YOUR {format_turn(turn)} ", "AFTER "))


def test_twelve_of_each_grade_and_then_two_of_each_new_theme() -> None:
    grades = [int(study.comments[0].split("GRADE ")[1][0]) for study in STUDIES]
    assert grades[:48] == sorted([1, 2, 3, 4] * 12) and max(grades[48:]) < 4
    themes = [study.theme for study in STUDIES[48:]]
    assert themes[::2] == themes[1::2]
    assert len(themes) == 2 * len({theme for (theme,) in themes}) == 10


MANUAL = " ".join(manuals.find("KALAH EXERCISES").split())


def test_the_manual_says_who_finds_the_last_grade() -> None:
    """In the words of the bench, after the titles of the studies."""
    finders = [studies.titled_finder(study) for study in STUDIES]
    assert studies.last_grade(finders) in MANUAL


def test_the_manual_explains_each_theme() -> None:
    themes = {theme for study in STUDIES for theme in study.theme}
    lines = manuals.find("KALAH EXERCISES").split("has a theme:")[1].splitlines()
    assert {line[2:26].strip() for line in lines if line.strip()} == themes
