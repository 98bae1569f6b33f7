"""How Silver's program selects a move: everything, down to a fixed depth.

It follows the note's "Internal behavior of the program", in its words: the
utility of a position P, its value at level L, the moves M1 .. Mk.  Every
value is for player A, who maximises; B minimises.  Nothing is cut off,
ordered or remembered, so the time grows about tenfold with every level.
"""

from __future__ import annotations

from collections.abc import Callable

from sail.board import Position
from sail.stop import Stopped


def utility(position: Position) -> int:
    """The stones of A less those of B, as far as they are theirs (APN-UTILITY).

    That is the difference of the kalahs; in a terminal position the pits
    of each player count for him, and `score` has them in already.
    """
    a, b = position.score
    return a - b


def value(position: Position, level: int, depth: int, stop: Callable[[], bool]) -> int:
    """The minimax of the position at that level (APN-VALUE).

    Raises Stopped when stop, asked at every position, says so.
    """
    if stop():
        raise Stopped
    if position.over or level == depth:
        return utility(position)
    values = [
        value_of_move(position, pit, level, depth, stop) for pit in position.legal
    ]
    return min(values) if position.mover else max(values)


def value_of_move(
    position: Position, pit: int, level: int, depth: int, stop: Callable[[], bool]
) -> int:
    """The value of the position it leads to: a repeat play keeps its level."""
    if not position.repeats(pit):
        level += 1
    return value(position.play(pit), level, depth, stop)


def select(position: Position, depth: int, stop: Callable[[], bool]) -> int:
    """The pit that leads to the optimal value (the note misprints: optional).

    depth: so many turns, 1 or more, are looked ahead.  Of equal moves it is
    the lowest pit; the note does not say.  Raises Stopped.
    """
    optimal = min if position.mover else max
    return optimal(
        position.legal,
        key=lambda pit: value_of_move(position, pit, 0, depth, stop),
    )
