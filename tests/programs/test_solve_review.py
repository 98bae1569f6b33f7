"""The review of a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from sail import special
from sail.area import Area
from sail.board import STANDARD, Position, start
from sail.engine.exact import Bounds, Solver
from sail.programs import record
from sail.programs.game import Game, Turn
from sail.programs.solve import dialogue
from sail.programs.solve.review import (
    Judged,
    Review,
    Value,
    plot,
    scale_to,
    summary,
)
from tests import paper
from tests.positions import minimax
from tests.programs import games

SAVES = Path(__file__).parents[2] / "saves"


def played(pits: str, stones: int = 2) -> Game:
    """A game with that many stones a pit, played so far."""
    game = Game(start(stones), "A", 0, "1972-10-06 14:03")
    for pit in map(int, pits):
        game = game.play(pit)
    return game


def reviewed(
    game: Game,
    seconds: float = 60,
    clock: Callable[[], float] = lambda: 0.0,
    stop: Callable[[], bool] = lambda: False,
) -> Review:
    solver = Solver(6, game.start.in_play, captures_empty=False)
    return Review(game, solver, seconds, clock, stop)


def whole_game() -> Game:
    return record.read(games.FILES["KALAH.OUT"], "KALAH.OUT")[0]


def test_values_are_those_under_perfect_play() -> None:
    """From the seventh turn on; minimax knows nothing of the solver."""
    review = reviewed(whole_game())
    turns = whole_game().turns
    for before, judged in list(zip(turns, review.judged[1:]))[5:]:
        node = before.after._replace(rules=STANDARD)
        value = minimax(node) * (-1 if node.mover else 1)
        assert judged.value == Value(value, value, value)


def test_a_best_turn_keeps_the_value_and_the_played_one_loses_so_much() -> None:
    review = reviewed(whole_game())
    lost = 0
    for node, judged, after in zip(
        review.nodes,
        review.judged,
        [j.value for j in review.judged[1:]] + [review.last],
    ):
        side = -1 if node.mover else 1
        assert judged.sure
        assert judged.lost == side * (judged.value.low - after.low)
        assert bool(judged.best) == bool(judged.lost)
        if judged.lost:
            lost += 1
            for pit in judged.best:
                assert node.mover == judged.turn.player
                node = node.play(pit)
            assert node.mover != judged.turn.player
            assert Solver(6, 24, False).value(node) == -side * judged.value.low
    assert lost == 4


def test_a_better_turn_that_was_not_found_in_time_is_a_question_mark() -> None:
    review = reviewed(whole_game())
    line = "  1 A 26        1-0           6 24         22             .  *"
    assert review.lines()[1] == line
    review.judged[0] = review.judged[0]._replace(best=(), sure=False)
    assert review.lines()[1] == line.replace("24         22 ", "?         22? ")


def test_forced_moves_are_made_before_the_search_looks() -> None:
    """A's only stone captures ten and ends the game; then B's only one does."""
    review = reviewed(played("26"))
    rows = (0, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 10)
    for node, value in (
        (Position(rows, (3, 3), 0, STANDARD), 10),
        (Position((rows[1], rows[0]), (3, 3), 1, STANDARD), -10),
    ):
        found = review.estimated(node, Bounds(-12, 12), 1)
        assert found == (Value(value, value, value), (2,))


def test_the_review_keeps_to_its_time() -> None:
    """Two seconds, by a clock that strikes a tenth at every look."""
    ticks = count()
    reviewed(played("12", 6), 2, lambda: next(ticks) / 10)
    assert next(ticks) < 30


def judged(player: int, value: Value, lost: int = 0) -> Judged:
    """A turn of that player."""
    return Judged(Turn(player, (3, 6), start(3)), value, lost)


EVEN, AHEAD, BEHIND = Value(0, 0, 0), Value(4, 4, 4), Value(-4, -4, -4)


@pytest.mark.parametrize(
    "turns, last, line",
    [
        ([], EVEN, "NO TURN CHANGED WHO WINS."),
        ([judged(0, AHEAD)], AHEAD, "NO TURN CHANGED WHO WINS."),
        (
            [judged(0, Value(-9, 9, 2))],
            AHEAD,
            "NO TURN CHANGED WHO WINS, AS ESTIMATED.",
        ),
        (
            [judged(0, AHEAD), judged(1, EVEN)],
            BEHIND,
            "DECIDED IN TURN 2: B 36 TURNED A DRAW INTO A WIN.",
        ),
        (
            [judged(0, EVEN), judged(1, BEHIND, 8), judged(0, AHEAD)],
            AHEAD,
            "DECIDED IN TURN 2: B 36 TURNED A WIN INTO A LOSS.",
        ),
        (
            [judged(0, Value(-2, 6, 0), 4), judged(1, BEHIND)],
            BEHIND,
            "DECIDED IN TURN 1: A 36 TURNED A DRAW INTO A LOSS, AS ESTIMATED.",
        ),
        (
            [judged(0, Value(-9, 9, 0)), judged(1, EVEN), judged(0, Value(2, 9, 3))],
            AHEAD,
            "DECIDED IN TURN 2: B 36 TURNED A DRAW INTO A LOSS.",
        ),
    ],
)
def test_where_the_game_was_decided(
    turns: list[Judged], last: Value, line: str
) -> None:
    assert summary(turns, last)[-1] == line


def test_the_turns_that_kept_the_value_are_counted() -> None:
    turns = [judged(0, EVEN), judged(1, EVEN, 2), judged(0, AHEAD), judged(1, AHEAD)]
    assert summary(turns, AHEAD)[0] == (
        "A KEPT THE VALUE IN 2 OF 2 TURNS, B IN 1 OF 2."
    )


def test_without_time_there_are_bounds_and_estimates() -> None:
    """The clock strikes at every look: 60 looks, 36 of them for proofs."""
    game = played("36", 3)
    for pits in ("1", "4", "12", "5", "41"):
        for pit in map(int, pits):
            if pit in game.node.legal:
                game = game.play(pit)
    ticks = count()
    review = reviewed(game, 60, lambda: float(next(ticks)))
    values = [judged.value for judged in review.judged] + [review.last]
    assert not all(value.proved for value in values)
    solver = Solver(6, 36, False)
    for node, value in zip(review.nodes[4:], values[4:]):
        truth = solver.value(node) * (-1 if node.mover else 1)
        assert value.low <= truth <= value.high
        assert value.low <= value.likely <= value.high
        assert value.likely % 2 == 0
    lines = review.lines()
    assert "A FIGURE WITH ? IS AN ESTIMATE; TWO ARE PROVED BOUNDS." in lines
    assert any(re.match(r" +[0-9]+ [AB] .*[0-9]\?", line) for line in lines)


def test_a_stop_leaves_quick_estimates() -> None:
    review = reviewed(played("2614"), stop=lambda: True)
    assert len(review.judged) == 3
    assert not review.judged[0].value.proved


def test_the_end_of_a_game_broken_off_is_judged() -> None:
    review = reviewed(played("26"))
    assert review.last == Value(-16, -16, -16)
    assert review.lines()[-3].startswith("END             1-0 ")
    assert review.lines()[-1] == ("DECIDED IN TURN 1: A 26 TURNED A WIN INTO A LOSS.")


def test_no_turn_decides_a_game_without_a_fault() -> None:
    review = reviewed(played("2424"))
    assert review.lines()[-2:] == [
        "A KEPT THE VALUE IN 1 OF 1 TURNS, B IN 1 OF 1.",
        "NO TURN CHANGED WHO WINS.",
    ]


def test_long_turns_go_on_in_the_next_line() -> None:
    chain = special.read((SAVES / "CHAIN.POS").read_text(), "CHAIN.POS").position
    game = Game(chain, "C", 0, "1972-10-06 14:03")
    for pit in map(int, "44225416453342112131512161412131"):
        game = game.play(pit)
    lines = reviewed(game, stop=lambda: True).lines()
    assert lines[1].startswith("  1 A 44225416 ")
    assert [line.split()[0] for line in lines[2:5]] == [
        "45334211",
        "21315121",
        "61412131",
    ]
    assert lines[5].startswith("END ")
    assert max(map(len, lines)) <= 71


@pytest.mark.parametrize(
    "value, line",
    [
        (Value(0, 0, 0), "            *            "),
        (Value(12, 12, 12), "            .           *"),
        (Value(-12, -12, -12), "*           .            "),
        (Value(-40, 40, 3), "            .  ?         "),
        (Value(-2, 6, 0), "          ---------      "),
        (Value(50, 50, 50), "            .           *"),
    ],
)
def test_the_plot(value: Value, line: str) -> None:
    assert plot(value, 1) == line


def test_the_scale_grows_with_the_values() -> None:
    assert plot(Value(12, 12, 12), 2) == "            .     *      "
    review = reviewed(whole_game())
    assert review.lines()[0].endswith("LOST -24         0          24")
    scales = [scale_to(most) for most in (0, 12, 13, 24, 25, 36, 37, 48, 49, 72)]
    assert scales == [1, 1, 2, 2, 3, 3, 4, 4, 6, 6]
    assert [scale_to(most) for most in (73, 144)] == [12, 12]


def test_stopped_on_paper(tmp_path: Path) -> None:
    """A ^C during the review; the value of the first turn is an estimate."""

    class Interrupted(paper.Paper):
        def poll(self) -> bool:
            return not self.keys[1:]

    games.put(tmp_path)
    tty = Interrupted(["REVIEW", "1", "1", "Q"])
    dialogue.run(tty, Area(str(tmp_path)), lambda: 0.0)
    text = tty.text
    assert "\nSTOPPED.\nVALUE: A'S STONES LESS B'S" in text
    assert re.search(r"\n  1 A 26        1-0 +-?[0-9]+\? ", text)
    assert "\nEND             9-15         -6 " in text
