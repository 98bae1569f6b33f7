"""What the text of "Solving Kalah" says besides its tables."""

from __future__ import annotations

import random
import re

import pytest

from sail.board import PAPER
from sail.engine.exact import Solver
from sail.programs.solve import printed
from tests.positions import with_stones


@pytest.mark.source("ISK-UNIQUE")
def test_no_position_comes_twice_in_a_game() -> None:
    chance = random.Random(2000)
    for _ in range(100):
        position = with_stones(chance, 24, 4, PAPER)
        seen = set()
        while not position.over:
            assert position not in seen
            seen.add(position)
            position = position.play(chance.choice(position.legal))


@pytest.mark.source("ISK-ACTIVE")
def test_what_is_captured_changes_the_value_by_itself_and_no_more() -> None:
    chance = random.Random(24)
    solver = Solver(3, 40, captures_empty=True)
    for _ in range(50):
        position = with_stones(chance, 12, 3, PAPER)._replace(mover=0)
        lead = position.kalahs[0] - position.kalahs[1]
        bare = position._replace(kalahs=(0, 0))
        assert solver.value(position) == lead + solver.value(bare)


@pytest.mark.source("ISK-T5.FIVE")
def test_in_five_cells_the_value_is_not_that_of_most_nodes() -> None:
    differ = []
    for cell, text in printed.SHARES.items():
        shares = [int(share) for share in re.findall("[0-9]+", text)]
        if shares["WLD".index(text[0])] < max(shares):
            differ.append(cell)
    assert differ == [(2, 3), (3, 2), (4, 3), (5, 1), (6, 1)]


@pytest.mark.source("ISK-94")
def test_94_percent_of_the_states_are_not_reached_but_in_1_1() -> None:
    reached = {
        cell: int(nodes.replace(",", "")) / int(printed.STATES[cell].replace(",", ""))
        for cell, nodes in printed.NODES.items()
    }
    assert [cell for cell, share in reached.items() if share > 0.0605] == [(1, 1)]


@pytest.mark.source("ISK-HASH")
def test_a_pit_of_32_stones_is_remembered_like_any_other() -> None:
    solver = Solver(2, 40, captures_empty=True)
    position = with_stones(random.Random(32), 4, 2, PAPER)
    crowded = position._replace(rows=((36, 1), (1, 1)), mover=0)
    value = solver.value(crowded)
    effort = solver.effort
    assert effort > 1 and solver.value(crowded) == value
    assert solver.effort - effort < effort
