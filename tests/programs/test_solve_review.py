"""The review of a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain, count, repeat
from pathlib import Path

import pytest

from sail import special
from sail.area import Area
from sail.board import STANDARD, Position, start
from sail.engine.exact import Bounds, Solver
from sail.engine.limit import Limit
from sail.engine.search import Finding
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
from sail.stop import Stopped, never
from sail.teletype import EndOfInput
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
    review = reviewed(played("12", 6), 2, lambda: next(ticks) / 10)
    assert next(ticks) == 26
    assert review.lines()[1:4] == [
        "  1 A 1         1-0          0?                           ?",
        "  2 B 2         1-1          0? 1          4?             ?",
        "END             1-1          4?                           .   ?",
    ]


class Guessing:
    """In the place of the search: it finds what it is told, and notes its limits."""

    def __init__(self, *found: Finding) -> None:
        self.found = list(found)
        self.limits: list[tuple[Limit, bool]] = []  # and whether it can be stopped

    def find(
        self, at: Position, limit: Limit, clock: object, stop: Callable[[], bool]
    ) -> Finding:
        self.limits.append((limit, stop is not never))
        return self.found.pop(0)


def found(value: int, low: int, high: int, *line: int) -> Finding:
    return Finding(1, value, low, high, 2, 10, line)


def test_the_time_left_is_shared_among_the_positions_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten seconds, six of them for proofs, which have just gone by."""
    search = Guessing(found(7, -72, 72), found(9, -72, 66, 1, 3), found(3, -62, 72, 2))
    monkeypatch.setattr("sail.programs.solve.review.Search", lambda: search)
    clock = chain([100.0], repeat(106.0))
    turns = played("12", 6).turns
    judgement = reviewed(played("12", 6), 10, lambda: next(clock))
    assert search.limits == [
        (Limit(seconds=seconds), True) for seconds in (4 / 3, 2.0, 4.0)
    ]
    assert judgement.last == Value(-70, 70, 6)
    assert judgement.judged == [
        Judged(turns[0], Value(-62, 72, 2), 10, (2,), False),
        Judged(turns[1], Value(-66, 70, -8), 14, (1,), False),
    ]


@pytest.mark.parametrize(
    "mover, finding, bounds, value",
    [
        (0, found(7, -20, 20), Bounds(-24, 24), Value(-20, 20, 6)),
        (0, found(-7, -20, 20), Bounds(-18, 16), Value(-18, 16, -6)),
        (0, found(6, -20, 20), Bounds(-24, 24), Value(-20, 20, 6)),
        (0, found(6, -20, 20), Bounds(-24, 2), Value(-20, 2, 2)),
        (0, found(1, -20, 20), Bounds(4, 24), Value(4, 20, 4)),
        (1, found(7, -2, 20), Bounds(-24, 24), Value(-20, 2, -6)),
    ],
)
def test_an_estimate_lies_within_the_bounds_and_is_even(
    mover: int,
    finding: Finding,
    bounds: Bounds,
    value: Value,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As 24 stones are shared by both; A sees it from his side."""
    judgement = reviewed(played("2424"), stop=lambda: True)
    search = Guessing(finding._replace(line=(2, 4, 6)))
    monkeypatch.setattr(judgement, "search", search)
    node = start(2)._replace(mover=mover)
    assert judgement.estimated(node, bounds, 5) == (value, (2, 4))
    assert search.limits == [(Limit(effort=500), False)]


def test_a_turn_that_the_search_would_play_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever more it expected of it before."""
    search = Guessing(found(7, -72, 72), found(9, -72, 66, 2))
    monkeypatch.setattr("sail.programs.solve.review.Search", lambda: search)
    game = played("2", 6)
    judgement = reviewed(game, 10, stop=lambda: True)
    assert judgement.last == Value(-70, 72, -6)
    assert judgement.judged == [Judged(game.turns[0], Value(-70, 66, -6))]


def test_the_other_is_looked_at_after_a_forced_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is good for B then is bad for A, whose turn it was; the same for B's."""
    judgement = reviewed(played("2424"), stop=lambda: True)
    monkeypatch.setattr(judgement, "search", Guessing(found(5, -3, 9, 4)))
    rows = (0, 0, 1, 0, 0, 0), (1, 1, 0, 0, 0, 9)
    node = Position(rows, (6, 6), 0, STANDARD)
    assert judgement.estimated(node, Bounds(-12, 12), 1) == (Value(-9, 3, -4), (3,))
    other = Position((rows[1], rows[0]), (6, 6), 1, STANDARD)
    monkeypatch.setattr(judgement, "search", Guessing(found(5, -3, 9, 4)))
    assert judgement.estimated(other, Bounds(-12, 12), 1) == (Value(-3, 9, 4), (3,))


def test_a_better_turn_is_not_looked_for_without_time() -> None:
    class Hasty(Solver):
        def best(self, position: Position) -> int:
            raise Stopped

    solver = Hasty(6, 24, captures_empty=False)
    judgement = Review(whole_game(), solver, 60, lambda: 0.0, lambda: False)
    assert judgement.judged[0] == Judged(
        whole_game().turns[0], Value(6, 6, 6), 22, (), True
    )
    assert judgement.lines()[1] == (
        "  1 A 26        1-0           6 ?          22             .  *"
    )


@pytest.mark.parametrize(
    "value, text",
    [
        (Value(-6, -6, -6), "-6"),
        (Value(-2, 6, 0), "-2 TO 6"),
        (Value(-3, 6, 0), "0?"),
        (Value(-2, 8, 4), "4?"),
    ],
)
def test_bounds_tell_more_than_an_estimate_when_8_stones_apart(
    value: Value, text: str
) -> None:
    assert value.text == text


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
            if pit in game.position.legal:
                game = game.play(pit)
    ticks = count()
    review = reviewed(game, 60, lambda: float(next(ticks)))
    assert next(ticks) == 62
    values = [judged.value for judged in review.judged] + [review.last]
    assert not all(value.proved for value in values)
    solver = Solver(6, 36, False)
    for node, value in zip(review.nodes[4:], values[4:]):
        truth = solver.value(node) * (-1 if node.mover else 1)
        assert value.low <= truth <= value.high
        assert value.low <= value.likely <= value.high
        assert value.likely % 2 == 0
    assert review.lines() == [
        "  N   TURN     KALAHS     VALUE BEST     LOST -12         0          12",
        "  1 A 36        5-0          2? 2          4?             . ?",
        "  2 B 1         5-1         -2? 31         8?           ? .",
        "  3 A 41        7-1          6? 452        4?             .     ?",
        "  4 B 2         7-2           2                           . *",
        "  5 A 54        8-2           2 513        10             . *",
        "  6 B 1         8-3          -8                   *       .",
        "END             8-3          -8                   *       .",
        "A FIGURE WITH ? IS AN ESTIMATE; TWO ARE PROVED BOUNDS.",
        "A KEPT THE VALUE IN 0 OF 3 TURNS, B IN 2 OF 3.",
        "DECIDED IN TURN 5: A 54 TURNED A WIN INTO A LOSS.",
    ]


def test_a_stop_leaves_quick_estimates() -> None:
    review = reviewed(played("2614"), stop=lambda: True)
    assert review.lines()[1:] == [
        "  1 A 26        1-0          4? 24        20?             . ?",
        "  2 B 1         1-1         -16 24         12     *       .",
        "  3 A 4         1-1          -4 5          4?           * .",
        "END             1-1         -8?                       ?   .",
        "A FIGURE WITH ? IS AN ESTIMATE; TWO ARE PROVED BOUNDS.",
        "A KEPT THE VALUE IN 0 OF 2 TURNS, B IN 0 OF 1.",
        "DECIDED IN TURN 1: A 26 TURNED A WIN INTO A LOSS, AS ESTIMATED.",
    ]


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


def test_long_turns_go_on_in_the_next_line(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Guessing(found(52, -60, 60), found(54, -72, 72, 4))
    monkeypatch.setattr("sail.programs.solve.review.Search", lambda: search)
    position = special.read((SAVES / "CHAIN.POS").read_text(), "CHAIN.POS").position
    game = Game(position, "C", 0, "1972-10-06 14:03")
    for pit in map(int, "44225416453342112131512161412131"):
        game = game.play(pit)
    assert reviewed(game, stop=lambda: True).lines() == [
        "  N   TURN     KALAHS     VALUE BEST     LOST -72         0          72",
        "  1 A 44225416 47-0         54? 4          2?             .        ?",
        "      45334211",
        "      21315121",
        "      61412131",
        "END            47-0         52?                           .        ?",
        "A FIGURE WITH ? IS AN ESTIMATE; TWO ARE PROVED BOUNDS.",
        "A KEPT THE VALUE IN 0 OF 1 TURNS, B IN 0 OF 0.",
        "NO TURN CHANGED WHO WINS, AS ESTIMATED.",
    ]


@pytest.mark.parametrize(
    "value, line",
    [
        (Value(0, 0, 0), "            *            "),
        (Value(12, 12, 12), "            .           *"),
        (Value(-12, -12, -12), "*           .            "),
        (Value(-40, 40, 3), "            .  ?         "),
        (Value(-2, 6, 0), "          ---------      "),
        (Value(-5, 4, 0), "            ?            "),
        (Value(50, 50, 50), "            .           *"),
        (Value(-50, -50, -50), "*           .            "),
    ],
)
def test_the_plot(value: Value, line: str) -> None:
    assert plot(value, 1) == line


def test_a_stone_is_enough_to_win() -> None:
    values = [Value(stones, stones, stones) for stones in (2, 1, 0, -1, -2)]
    assert [value.winner for value in values] == [1, 1, 0, -1, -1]


def test_the_scale_grows_with_the_values() -> None:
    assert plot(Value(12, 12, 12), 2) == "            .     *      "
    for value, line in (
        (4, "            .*"),
        (5, "            . *"),
        (-5, "          * ."),
    ):
        assert plot(Value(value, value, value), 3).rstrip() == line
    review = reviewed(whole_game())
    assert review.lines()[0].endswith("LOST -24         0          24")
    scales = [scale_to(most) for most in (0, 12, 13, 24, 25, 36, 37, 48, 49, 72)]
    assert scales == [1, 1, 2, 2, 3, 3, 4, 4, 6, 6]
    assert [scale_to(most) for most in (73, 144, 145)] == [12, 12, 12]


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


def test_the_solver_of_a_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For games by the standard rule.

    Its endgames are built, by this clock in 20 seconds, in the time of the review.
    """
    solvers = []

    def judge(
        game: Game, solver: Solver, left: float, *_: Callable[[], object]
    ) -> Review:
        solvers.append((game.start.stones, solver, left))
        raise EndOfInput

    monkeypatch.setattr(dialogue, "Review", judge)
    games.put(tmp_path)
    tty = paper.Paper(["REVIEW", "1", "3"])
    clock = chain([10.0], repeat(30.0))
    with pytest.raises(EndOfInput):
        dialogue.run(tty, Area(str(tmp_path)), lambda: next(clock))
    ((stones, solver, left),) = solvers
    assert (stones, left) == (24, 160)
    assert solver.fits(start(2))
