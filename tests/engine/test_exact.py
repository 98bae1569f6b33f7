"""Values under perfect play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from sail.board import PAPER, STANDARD, Position, Rules, start
from sail.engine import endgame
from sail.engine.exact import Methods, Order, Solver
from sail.stop import Stopped
from tests.positions import minimax, with_stones

BOTH = pytest.mark.parametrize("rules", [PAPER, STANDARD], ids=["paper", "standard"])
LESS = {
    "all": Methods(),
    "plain window": Methods(null_window=False),
    "deepening": Methods(deepening=()),
    "right to left": Methods(order=Order.PIT),
    "the paper's order": Methods(order=Order.PAPER, suggestion=True),
    "suggestion": Methods(suggestion=True),
    "table": Methods(table=False),
    "futility": Methods(futility=False),
    "look-ahead": Methods(look_ahead=False),
    "everything": Methods(False, (), Order.PIT, False, False, False, False),
}


def small_positions(pits: int, stones: int, rules: Rules) -> Iterator[Position]:
    """All positions with so many stones in the pits or fewer."""
    counts = range(stones + 1)
    for pit in product(counts, repeat=2 * pits):
        if sum(pit) <= stones and any(pit[:pits]) and any(pit[pits:]):
            yield Position((pit[:pits], pit[pits:]), rules=rules)


@pytest.mark.source("ISK-RULES", "ISK-MTD")
@BOTH
@pytest.mark.parametrize("pits, stones", [(1, 12), (2, 6), (3, 5)])
def test_every_value_is_minimax(pits: int, stones: int, rules: Rules) -> None:
    solver = Solver(pits, stones, rules.captures_empty)
    for position in small_positions(pits, stones, rules):
        assert solver.value(position) == minimax(position)


@pytest.mark.source("ISK-MTD")
@BOTH
@pytest.mark.parametrize("without", LESS)
def test_each_method_can_be_left_out(without: str, rules: Rules) -> None:
    solver = Solver(2, 16, rules.captures_empty, LESS[without])
    for stones in (1, 2, 3, 4):
        assert solver.value(start(stones, 2, rules)) == minimax(start(stones, 2, rules))
    solver = Solver(3, 12, rules.captures_empty, LESS[without])
    solver.database = endgame.build(solver.moves, 7)
    assert solver.value(start(2, 3, rules)) == minimax(start(2, 3, rules))


@pytest.mark.source("ISK-DB", "ISK-MTD")
@BOTH
def test_search_and_database_agree(rules: Rules) -> None:
    draw = random.Random(2)
    alone = Solver(6, 9, rules.captures_empty)
    helped = Solver(6, 9, rules.captures_empty)
    helped.database = endgame.build(helped.moves, 9)
    for _ in range(300):
        position = with_stones(draw, draw.randrange(2, 10), rules=rules)
        low, high = helped.known(position)
        assert low == high == alone.value(position) == helped.value(position)


@BOTH
def test_kalahs_and_the_side_to_move_count(rules: Rules) -> None:
    draw = random.Random(3)
    solver = Solver(6, 8, rules.captures_empty)
    for _ in range(40):
        position = with_stones(draw, 7, rules=rules)
        assert solver.value(position) == minimax(position)


@pytest.mark.source("M22-WIN3", "ISK-T9")
def test_the_standard_rule() -> None:
    """+2, +6, +2 for 1, 2 and 3 stones; the bench has the moves, and +8 for 4."""
    values = []
    for stones in (1, 2, 3):
        game = start(stones, rules=STANDARD)
        solver = Solver(6, 12 * stones, False)
        if stones == 3:
            solver.database = endgame.build(solver.moves, 14)
        values.append(solver.value(game, guess=2))
    assert values == [2, 6, 2]


@pytest.mark.source("ISK-ORDER")
def test_the_order_of_the_paper_beside_ours() -> None:
    """In Kalah(5,3); the figures over many positions stand with Methods."""
    efforts = []
    for methods in (
        Methods(),
        Methods(suggestion=True),
        Methods(order=Order.PAPER, suggestion=True),
        Methods(order=Order.PIT),
    ):
        solver = Solver(5, 30, True, methods)
        assert solver.value(start(3, 5, PAPER)) == 8
        efforts.append(solver.effort)
    assert efforts == [25_900, 25_525, 27_456, 209_726]


@pytest.mark.source("ISK-MTD", "ISK-T9")
def test_effort() -> None:
    """No more than the paper's program needs: about 770,000."""
    solver = Solver(6, 36, True)
    assert solver.value(start(3, rules=PAPER)) == 2
    assert solver.effort < 770_000


@BOTH
def test_a_small_table_is_enough(rules: Rules) -> None:
    solver = Solver(4, 24, rules.captures_empty, most_proofs=500)
    whole = Solver(4, 24, rules.captures_empty)
    game = start(3, 4, rules)
    assert solver.value(game) == whole.value(game)
    assert whole.effort < solver.effort
    assert solver.remembered < 500 + 2048


def test_what_is_known_is_not_searched_again() -> None:
    solver = Solver(4, 24, True)
    game = start(3, 4, PAPER)
    solver.line(game)
    effort = solver.effort
    solver.line(game)
    assert solver.effort < effort + 20
    assert solver.known(game).proved


def test_stopped_work_leaves_bounds() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 9

    solver = Solver(4, 32, True, stop=stop)
    game = start(4, 4, PAPER)
    with pytest.raises(Stopped):
        for low, high in solver.prove(game):
            assert low <= 2 <= high
    assert not solver.known(game).proved
    asked = -(10**9)
    assert solver.value(game) == 2


@pytest.mark.source("ISK-T9")
@BOTH
def test_every_position_of_a_perfect_game_keeps_the_value(rules: Rules) -> None:
    solver = Solver(6, 24, rules.captures_empty)
    position = start(2, rules=rules)
    value = solver.value(position)
    for pit in solver.line(position):
        position = position.play(pit)
        assert solver.value(position) == (-value if position.mover else value)
    assert position.over
    assert position.score[0] - position.score[1] == value
    with pytest.raises(ValueError):
        solver.best(position)


def test_bounds_come_one_by_one() -> None:
    solver = Solver(4, 24, True)
    game = start(3, 4, PAPER)
    bounds = list(solver.prove(game))
    assert bounds[-1] == (8, 8)
    for count in range(1, len(bounds)):
        before, after = bounds[count - 1 : count + 1]
        assert before.low <= after.low <= after.high <= before.high
        assert before != after
    moves = [list(solver.prove_move(game, pit))[-1].low for pit in game.legal]
    assert max(moves) == 8
    assert game.legal[moves.index(8)] == solver.best(game)


@pytest.mark.source("BELL-LOST", "M22-WIN3")
def test_all_ten_replies_to_pit_2_lose() -> None:
    solver = Solver(6, 36, captures_empty=False)
    solver.database = endgame.build(solver.moves, 14)
    after_2 = start(3, rules=STANDARD).play(2)
    lost_by = {
        "1": 2, "2": 2, "32": 2, "34": 6, "31": 8, "35": 12, "36": 20, "4": 16,
        "5": 20, "6": 26,
    }  # fmt: skip
    for pits, loss in lost_by.items():
        position = after_2
        for pit in map(int, pits):
            position = position.play(pit)
        assert position.mover == 0
        assert solver.value(position, guess=loss) == loss
