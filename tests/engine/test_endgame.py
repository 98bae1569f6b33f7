"""The endgame databases and the numbering of their positions."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from itertools import product

import pytest

from sail.board import Position, Rules
from sail.engine import endgame
from sail.engine.moves import MoveTable, bits_for
from sail.stop import Stopped
from tests.positions import ALL_RULES, minimax


def packed_positions(database: endgame.Database) -> Iterator[tuple[int, int]]:
    """The rows of every position of a database, the mover's first."""
    unpack = database.moves.unpack
    for own, other in product(database.rank, repeat=2):
        if sum(unpack(own)) + sum(unpack(other)) <= database.most_in_play:
            yield own, other


def test_the_size_of_the_database() -> None:
    """From so many stones in play on a database of so many is built."""
    steps: dict[int, list[tuple[int, int]]] = {}
    for pits in range(1, 7):
        most = [endgame.most_useful(pits, in_play) for in_play in range(145)]
        pairs = enumerate(zip(most, [0, *most]))
        steps[pits] = [(at, here) for at, (here, before) in pairs if here != before]
    each = [(in_play, in_play - 1) for in_play in range(31, 50)]
    five, six = [(28, 14), (50, 20), (63, 22)], [(25, 12), (37, 16), (45, 18)]
    four = [(31, 19), (82, 28), (108, 32)]
    assert [*steps.values()] == [each, each, each[:3], four, five, six]


@pytest.mark.source("ISK-DB", "ISK-SIZE")
@pytest.mark.parametrize(
    "pits, stones", [(1, 9), (2, 8), (3, 0), (3, 1), (3, 2), (3, 6), (4, 5), (6, 4)]
)
def test_the_numbering_is_a_bijection(pits: int, stones: int) -> None:
    empty = endgame.Database(MoveTable(pits, bits_for(stones)), stones)
    pairs = packed_positions(empty)
    numbers = [empty.offset[own] + empty.rank[other] for own, other in pairs]
    assert sorted(numbers) == list(range(endgame.size(pits, stones)))
    assert empty.size == len(numbers)


@pytest.mark.source("ISK-DB", "ISK-RULES")
@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize(
    "pits, stones", [(1, 48), (2, 9), (3, 7), (4, 5), (5, 4), (6, 4), (2, 18)]
)
def test_values_are_minimax(pits: int, stones: int, rules: Rules) -> None:
    """60 at random where a sowing goes all the way round two pits."""
    database = endgame.build(MoveTable(pits, bits_for(stones), rules), stones)
    positions = list(packed_positions(database))
    if (pits, stones) == (2, 18):
        positions = random.Random(1).sample(positions, 60)
    for own, other in positions:
        rows = database.moves.unpack(own), database.moves.unpack(other)
        assert database.value(own, other) == minimax(Position(rows, rules=rules))


def test_building_can_be_stopped() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) == 30

    with pytest.raises(Stopped):
        endgame.build(MoveTable(3, 4), 9, stop)
    assert len(asked) == 30
    endgame.build(MoveTable(3, 4), 9, stop)
    assert len(asked) == 133


def test_the_values_are_never_in_memory_twice() -> None:
    tracemalloc.start()
    try:
        database = endgame.build(MoveTable(4, bits_for(11)), 11)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # What the builder alone needs is twice as large here as the values.
    assert peak - kept < 2.5 * database.size
