"""The index and the endgame databases."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from itertools import product

import pytest

from sail.board import PAPER, STANDARD, Position, Rules
from sail.engine import endgame
from sail.engine.moves import MoveTable, bits_for
from sail.stop import Stopped
from tests.positions import minimax

TABLE_8 = {17: 51_694_042, 18: 86_224_034, 24: 1_250_490_151, 30: 11_054_221_305}


def packed_positions(
    index: endgame.Index, moves: MoveTable
) -> Iterator[tuple[int, int]]:
    """The rows of every position of an index, the mover's first."""
    for own, other in product(index.rank, repeat=2):
        if sum(moves.unpack(own)) + sum(moves.unpack(other)) <= index.stones:
            yield own, other


def assert_minimax(
    database: endgame.Database, moves: MoveTable, own: int, other: int, rules: Rules
) -> None:
    position = Position((moves.unpack(own), moves.unpack(other)), rules=rules)
    assert database.value(own, other) == minimax(position)


@pytest.mark.source("ISK-SIZE")
def test_size() -> None:
    for stones, positions in TABLE_8.items():
        assert endgame.size(6, stones) == positions
    assert [endgame.size(3, stones) for stones in (0, 1, 2)] == [0, 0, 9]


@pytest.mark.source("ISK-DB", "ISK-SIZE")
@pytest.mark.parametrize("pits, stones", [(1, 9), (2, 8), (3, 6), (4, 5), (6, 4)])
def test_the_index_is_a_bijection(pits: int, stones: int) -> None:
    moves = MoveTable(pits, bits_for(stones))
    index = endgame.Index(moves, stones)
    numbers = [
        index.start[own] + index.rank[other]
        for own, other in packed_positions(index, moves)
    ]
    assert sorted(numbers) == list(range(endgame.size(pits, stones)))
    assert index.size == len(numbers)


@pytest.mark.source("ISK-DB", "ISK-RULES")
@pytest.mark.parametrize("rules", [PAPER, STANDARD], ids=["paper", "standard"])
@pytest.mark.parametrize(
    "pits, stones", [(1, 30), (2, 9), (3, 7), (4, 5), (5, 4), (6, 4)]
)
def test_every_value_is_minimax(pits: int, stones: int, rules: Rules) -> None:
    moves = MoveTable(pits, bits_for(stones), rules.captures_empty)
    database = endgame.build(moves, stones)
    for own, other in packed_positions(database.index, moves):
        assert_minimax(database, moves, own, other, rules)


@pytest.mark.source("ISK-DB", "ISK-RULES")
@pytest.mark.parametrize("rules", [PAPER, STANDARD], ids=["paper", "standard"])
def test_values_with_many_stones_are_minimax(rules: Rules) -> None:
    """Also those where a sowing goes all the way round."""
    stones = 18
    moves = MoveTable(2, bits_for(stones), rules.captures_empty)
    database = endgame.build(moves, stones)
    draw = random.Random(1)
    for own, other in draw.sample(list(packed_positions(database.index, moves)), 500):
        assert_minimax(database, moves, own, other, rules)


def test_building_can_be_stopped_and_is_limited() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) == 30

    with pytest.raises(Stopped):
        endgame.build(MoveTable(3, 4), 9, stop)
    assert len(asked) == 30
    endgame.build(MoveTable(3, 4), 9, stop)
    assert len(asked) == 133
    assert endgame.build(MoveTable(1, 6), 48).index.stones == 48
    with pytest.raises(ValueError, match="^49 stones in an endgame database$"):
        endgame.build(MoveTable(1, 6), 49)


def test_a_file_is_read_back_or_refused() -> None:
    moves = MoveTable(3, 3, True)
    contents = endgame.to_bytes(endgame.build(moves, 7), moves)
    wider = MoveTable(3, 6, True)
    database = endgame.from_bytes(contents, wider)
    again = endgame.build(wider, 7)
    assert database.values == again.values
    assert database.index.start == again.index.start
    damaged = bytearray(contents)
    damaged[-9] ^= 1
    for foreign in (b"", contents[:-1], contents + b"\0", bytes(damaged), b"TEXT" * 99):
        with pytest.raises(endgame.Foreign):
            endgame.from_bytes(foreign, moves)
    for other in (MoveTable(3, 3, False), MoveTable(4, 3, True)):
        with pytest.raises(endgame.Foreign):
            endgame.from_bytes(contents, other)


def file_of(stones: int, values: bytes) -> bytes:
    """A file for 1 pit by the rule of the paper, whatever its values."""
    checksum = zlib.crc32(values).to_bytes(4, "big")
    return b"KALAH ENDGAMES 1\n" + bytes((stones, 1, 1)) + checksum + values


def test_a_file_has_as_many_values_as_its_stones_demand() -> None:
    """2 to 48 stones."""
    moves = MoveTable(1, 6, True)
    assert [endgame.size(1, stones) for stones in (0, 1, 2, 48, 49)] == [
        0, 0, 1, 1128, 1176,
    ]  # fmt: skip
    for stones, count in ((2, 1), (48, 1128)):
        found = endgame.from_bytes(file_of(stones, bytes(count)), moves)
        assert (found.index.stones, found.value(1, 1)) == (stones, -64)
    for stones, count in ((0, 0), (1, 0), (49, 1176), (48, 1127), (48, 1129)):
        with pytest.raises(endgame.Foreign):
            endgame.from_bytes(file_of(stones, bytes(count)), moves)
