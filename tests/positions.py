"""Random positions for tests, and their values without any cut."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

from sail.board import STANDARD, Position, Rules


@cache
def minimax(position: Position) -> int:
    """The difference at the end for the mover, kalahs included."""
    if position.over:
        first, second = position.score
        return second - first if position.mover else first - second
    return max(value_of(position, pit) for pit in position.legal)


def value_of(position: Position, pit: int) -> int:
    """As `minimax`, of a move, for the player who makes it."""
    after = position.play(pit)
    return minimax(after) if after.mover == position.mover else -minimax(after)


def with_stones(
    chance: random.Random, stones: int, pits: int = 6, rules: Rules = STANDARD
) -> Position:
    """A game going on with so many stones in play, 2 or more, thrown at random."""
    while True:
        rows = [[0] * pits, [0] * pits]
        for _ in range(stones):
            rows[chance.randrange(2)][chance.randrange(pits)] += 1
        if any(rows[0]) and any(rows[1]):
            return _position(chance, rows, rules)


def with_counts(
    chance: random.Random,
    counts: Sequence[int],
    pits: int = 6,
    rules: Rules = STANDARD,
) -> Position:
    """A position with one of these counts in every pit; the game may be over."""
    rows = [[chance.choice(counts) for _ in range(pits)] for _ in range(2)]
    return _position(chance, rows, rules)


def _position(
    chance: random.Random, rows: Sequence[Sequence[int]], rules: Rules
) -> Position:
    kalahs = chance.randint(0, 9), chance.randint(0, 9)
    return Position(
        (tuple(rows[0]), tuple(rows[1])), kalahs, chance.randrange(2), rules
    )


def random_game(chance: random.Random, position: Position) -> Iterator[Position]:
    """The position and those that follow as pits are drawn, but for the last."""
    while not position.over:
        yield position
        position = position.play(chance.choice(position.legal))
