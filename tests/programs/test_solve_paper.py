"""What the text of "Solving Kalah" says besides its tables."""

from __future__ import annotations

import random

import pytest
from pytest import MonkeyPatch

from sail.board import ISK_RULES, Position, start
from sail.engine import exact
from sail.engine.exact import Solver
from tests.bench import printed, tables
from tests.positions import random_game, with_stones


@pytest.mark.source("ISK-UNIQUE", "ISK-LAYERS")
def test_no_position_comes_twice_in_a_game() -> None:
    """A move stays in its subgraph or leads to a later layer."""
    chance = random.Random(2000)
    for _ in range(100):
        played = [*random_game(chance, with_stones(chance, 24, 4, ISK_RULES))]
        assert len({*played}) == len(played)
        layers = [(sum(it.kalahs), it.kalahs) for it in played]
        for (layer, kalahs), (later, after) in zip(layers, layers[1:]):
            assert after == kalahs or later > layer


@pytest.mark.source("ISK-ACTIVE")
def test_what_is_captured_changes_the_value_by_itself_and_no_more() -> None:
    chance = random.Random(24)
    solver = Solver(3, 40, ISK_RULES)
    for _ in range(50):
        position = with_stones(chance, 12, 3, ISK_RULES)._replace(mover=0)
        lead = position.kalahs[0] - position.kalahs[1]
        bare = position._replace(kalahs=(0, 0))
        assert solver.value(position) == lead + solver.value(bare)


@pytest.mark.source("ISK-HASH")
def test_a_pit_of_32_stones_is_remembered_like_any_other() -> None:
    solver = Solver(2, 40, ISK_RULES)
    position = with_stones(random.Random(32), 4, 2, ISK_RULES)
    crowded = position._replace(rows=((36, 1), (1, 1)), mover=0)
    value = solver.value(crowded)
    effort = solver.effort
    assert effort > 1 and solver.value(crowded) == value
    assert solver.effort - effort < effort


@pytest.mark.source("ISK-T1.ONE")
def test_a_game_with_one_pit_a_side_has_no_choice() -> None:
    for stones in range(1, 7):
        for position in random_game(random.Random(1), start(stones, 1, ISK_RULES)):
            assert position.legal == (1,)


@pytest.mark.source("ISK-T1.SIZE", "ISK-64")
def test_the_sizes_of_trees_and_graphs_that_the_text_tells() -> None:
    """A tree's is the power of what is printed, W^D."""
    for stones, tree, states in (4, 6e18, 1.3e13), (6, 2e33, 1.5e15):
        width, length = printed.WIDTHS[6, stones], printed.LENGTHS[6, stones]
        assert float(width) ** float(length) == pytest.approx(tree, 0.1)
        assert tables.states(6, stones) == pytest.approx(states, 0.02)
    # The graph of 6(4) is too large to be counted, at the least share in Table 3.
    least = min(float(share[:-1]) for share in printed.OCCUPIED.values())
    assert least / 100 * tables.states(6, 4) > 13e9


@pytest.mark.source("ISK-EVAL")
def test_the_estimate_is_the_difference_of_the_kalahs(monkeypatch: MonkeyPatch) -> None:
    """Searches of so few plies, without futility, find what a minimax finds."""

    def worth(position: Position, plies: int) -> int:
        if position.over or not plies:
            return position.kalahs[0] - position.kalahs[1]
        values = [worth(position.play(pit), plies - 1) for pit in position.legal]
        return min(values) if position.mover else max(values)

    chance = random.Random(9)
    for plies in [1, 2] * 30:
        monkeypatch.setattr(exact, "GUESSES", (plies,))
        begin = with_stones(chance, 24, 4, ISK_RULES)._replace(mover=0, kalahs=(0, 0))
        solver = Solver(4, 24, ISK_RULES, futility=False)
        own, other = solver.moves.packed(begin)
        assert solver._guess(own, other, 24) == worth(begin, plies)
