"""The index and the endgame databases."""

from __future__ import annotations

import random
from itertools import product

import pytest

from sail.board import PAPER, STANDARD, Position
from sail.engine import endgame
from sail.engine.moves import MoveTable, bits_for
from tests.positions import minimax

TABLE_8 = {17: 51_694_042, 18: 86_224_034, 24: 1_250_490_151, 30: 11_054_221_305}


def positions(index, rows):
    for own, other in product(index.rank, repeat=2):
        if sum(rows.unpack(own)) + sum(rows.unpack(other)) <= index.stones:
            yield own, other


@pytest.mark.source("ISK-SIZE")
def test_size():
    for stones, positions in TABLE_8.items():
        assert endgame.size(6, stones) == positions
    assert [endgame.size(3, stones) for stones in (0, 1, 2)] == [0, 0, 9]


@pytest.mark.source("ISK-DB", "ISK-SIZE")
@pytest.mark.parametrize("pits, stones", [(1, 9), (2, 8), (3, 6), (4, 5), (6, 4)])
def test_the_index_is_a_bijection(pits, stones):
    rows = MoveTable(pits, bits_for(stones))
    index = endgame.Index(rows, stones)
    numbers = [
        index.start[own] + index.rank[other] for own, other in positions(index, rows)
    ]
    assert sorted(numbers) == list(range(endgame.size(pits, stones)))
    assert index.size == len(numbers)
    for own, other in positions(index, rows):
        assert index.position(index.start[own] + index.rank[other]) == (own, other)
    for number in (-1, index.size):
        with pytest.raises(IndexError):
            index.position(number)


@pytest.mark.source("ISK-DB", "ISK-RULES")
@pytest.mark.parametrize("rules", [PAPER, STANDARD], ids=["paper", "standard"])
@pytest.mark.parametrize(
    "pits, stones", [(1, 30), (2, 9), (3, 7), (4, 5), (5, 4), (6, 4)]
)
def test_every_value_is_minimax(pits, stones, rules):
    rows = MoveTable(pits, bits_for(stones), rules.captures_empty)
    database = endgame.build(rows, stones)
    for own, other in positions(database.index, rows):
        position = Position((rows.unpack(own), rows.unpack(other)), rules=rules)
        assert database.value(own, other) == minimax(position)


@pytest.mark.source("ISK-DB", "ISK-RULES")
@pytest.mark.parametrize("rules", [PAPER, STANDARD], ids=["paper", "standard"])
def test_values_with_many_stones_are_minimax(rules):
    """Also those where a sowing goes all the way round."""
    stones = 18
    rows = MoveTable(2, bits_for(stones), rules.captures_empty)
    database = endgame.build(rows, stones)
    draw = random.Random(1)
    for own, other in draw.sample(list(positions(database.index, rows)), 500):
        position = Position((rows.unpack(own), rows.unpack(other)), rules=rules)
        assert database.value(own, other) == minimax(position)


def test_building_can_be_stopped_and_is_limited():
    class Enough(Exception):
        pass

    def tick(stones: int) -> None:
        if stones == 6:
            raise Enough

    with pytest.raises(Enough):
        endgame.build(MoveTable(3, 4), 9, tick)
    with pytest.raises(ValueError):
        endgame.build(MoveTable(1, 6), 49)


def test_a_file_is_read_back_or_refused():
    rows = MoveTable(3, 3, True)
    contents = endgame.to_bytes(endgame.build(rows, 7), rows)
    wider = MoveTable(3, 6, True)
    database = endgame.from_bytes(contents, wider)
    again = endgame.build(wider, 7)
    assert database.values == again.values
    assert database.index.start == again.index.start
    damaged = bytearray(contents)
    damaged[-9] ^= 1
    for foreign in (b"", contents[:-1], contents + b"\0", bytes(damaged), b"TEXT" * 99):
        with pytest.raises(endgame.Foreign):
            endgame.from_bytes(foreign, rows)
    for other_rows in (MoveTable(3, 3, False), MoveTable(4, 3, True)):
        with pytest.raises(endgame.Foreign):
            endgame.from_bytes(contents, other_rows)
