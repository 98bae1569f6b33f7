"""Random positions, and their values by plain minimax."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from sail.board import PLAYERS, STANDARD_RULES, Position, Rules
from sail.files.placing import PartialPosition
from sail.game import Course

# Every combination of rules that the engine must obey: a new field joins by itself.
ALL_RULES = [
    rules
    for values in product((False, True), repeat=len(Rules._fields))
    if not (rules := Rules(*values)).majority_ends
]


@cache
def minimax(position: Position) -> int:
    """Return the final difference for the mover, kalahs included."""
    if position.over:
        return position.lead
    return max(value_of(position, pit) for pit in position.legal)


def repeats(position: Position, pit: int) -> bool:
    """Whether the last stone of a pit falls into the mover's kalah, by its number."""
    return (position.rows[position.mover][pit - 1] - pit) % (
        2 * position.pits_a_side + 1
    ) == 0


def value_of(position: Position, pit: int) -> int:
    """Return the final difference after a move, for the player who makes it."""
    after = position.play(pit)
    return minimax(after) if after.mover == position.mover else -minimax(after)


def with_stones(
    chance: random.Random, stones: int, pits: int = 6, rules: Rules = STANDARD_RULES
) -> Position:
    """Return an unfinished game with `stones` stones in random pits.

    stones: 2 or more.
    """
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
    rules: Rules = STANDARD_RULES,
) -> Position:
    """Return a position with one of these counts in every pit; it may be over."""
    rows = [[chance.choice(counts) for _ in range(pits)] for _ in range(2)]
    return _position(chance, rows, rules)


def _position(
    chance: random.Random, rows: Sequence[Sequence[int]], rules: Rules
) -> Position:
    kalahs = chance.randint(0, 9), chance.randint(0, 9)
    return Position(
        (tuple(rows[0]), tuple(rows[1])), kalahs, chance.randrange(2), rules
    )


def captured(position: Position, pit: int) -> tuple[int, int]:
    """Return the stones that a move takes from the other row, and their pit, or 0, 0.

    Without a capture, only what is sown into the kalah leaves play.
    """
    stones = position.rows[position.mover][pit - 1]
    passes = sum((pit - n) % 13 == 0 for n in range(1, stones + 1))
    taken = position.in_play - position.play(pit).in_play - passes
    return (taken - 1, 7 - (pit - stones) % 13) if taken else (0, 0)


def random_game(chance: random.Random, position: Position) -> Iterator[Position]:
    """Yield the positions of a game of random moves, without the final one."""
    while not position.over:
        yield position
        position = position.play(chance.choice(position.legal))


def every_turn(position: Position) -> Iterator[tuple[tuple[int, ...], Position]]:
    """Yield every turn of the mover and the position after it, one pit at a time."""
    for pit in position.legal:
        after = position.play(pit)
        if after.over or after.mover != position.mover:
            yield (pit,), after
        else:
            yield from (((pit, *pits), end) for pits, end in every_turn(after))


def played(
    position: Position, pits: tuple[int, ...]
) -> tuple[Position, tuple[int, ...]]:
    """Return the position after a turn, and its pits up to the end of the game."""
    line = Course(position).through(pits)
    return line.position, line.pits


def placed(first: Sequence[int], second: Sequence[int], mover: int = 0) -> Position:
    """Return the position with these stones of A and of B, kalah first.

    Raises Refusal, as for any typed position.
    """
    a, b = (" ".join(map(str, stones)) for stones in (first, second))
    return (
        PartialPosition()
        .with_line(f"A {a}, B {b}, {PLAYERS[mover]} TO MOVE")
        .position()
    )
