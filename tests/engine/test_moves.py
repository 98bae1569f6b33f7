"""Packed rows against the board, move by move."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sail.board import Position, Rules, opening
from sail.engine.moves import MoveTable, RowNumbers, bits_for
from tests.positions import ALL_RULES, random_game


def moves_agree(position: Position, moves: MoveTable) -> bool:
    """Return whether every move of the mover comes out as on the board."""
    mover = position.mover
    found = sorted(
        (pit, moves.unpack(rest), moves.unpack(facing), gain, again)
        for pit, rest, facing, gain, again in moves.successors(*moves.packed(position))
    )
    wanted = []
    for pit in position.legal:
        after = position.play(pit)
        own, other = after.rows[mover], after.rows[1 - mover]
        gain = after.kalahs[mover] - position.kalahs[mover]
        wanted.append((pit, own, other, gain, after.mover == mover))
    return found == wanted


def games(seed: int, count: int, rules: Rules) -> Iterator[Position]:
    """Yield every position with a move in `count` games of random moves."""
    chance = random.Random(seed)
    for _ in range(count):
        stones = chance.choice([1, 2, 3, 4, 5, 6, 12])
        yield from random_game(chance, opening(stones, chance.randint(1, 6), rules))


@pytest.mark.parametrize("rules", ALL_RULES)
def test_moves_are_those_of_the_board(rules: Rules) -> None:
    made: dict[tuple[int, int], MoveTable] = {}
    for position in games(1, 12, rules):
        pits, bits = position.pits_a_side, bits_for(position.in_play)
        rows = made.setdefault((pits, bits), MoveTable(pits, bits, rules, capacity=100))
        assert moves_agree(position, rows)
        assert len(rows) <= 100
    # Numbers of rows are worked out once, while there is room.
    numbers = iter(range(9))
    row_numbers = RowNumbers(lambda _: next(numbers), capacity=2)
    assert [row_numbers[row] for row in (7, 8, 7, 9, 7)] == [0, 1, 0, 2, 3]


@pytest.mark.source("ISK-RULES")
def test_long_sowings_and_full_pits() -> None:
    for stones in (12, 13, 26, 31, 32, 70, 144):
        position = Position(((0, 1, 0, 0, stones, 0), (0, 0, 2, 0, 0, 1)))
        assert moves_agree(position, MoveTable(6, bits_for(position.in_play)))


def test_moves_stand_in_the_order_to_try() -> None:
    moves = MoveTable(6, 5)
    rows = {
        (1, 0, 3, 2, 0, 4): [1, 3, 4, 6], (0, 4, 3, 2, 0, 4): [3, 2, 4, 6],
        (0, 4, 0, 3, 5, 0): [5, 4, 2], (0,) * 6: [],
    }  # fmt: skip
    assert {row: [pit for pit, *_ in moves[moves.pack(row)]] for row in rows} == rows
    assert [bits_for(stones) for stones in (0, 1, 31, 32, 144)] == [1, 1, 5, 6, 8]
