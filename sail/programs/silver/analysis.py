"""The move selection of Silver's program: plain minimax to a fixed depth.

Every value is good for player A, who maximizes; B minimizes.  Nothing is cut
off, ordered or remembered, so the time grows about tenfold with every level.
"""

from __future__ import annotations

from collections.abc import Iterator

from sail.board import Position
from sail.stop import Stop, Stopped


def utility(position: Position) -> int:
    """Return the stones in A's kalah less those in B's (APN-UTILITY).

    In a terminal position each player's pits count, too.
    """
    a, b = position.score
    return a - b


def value(position: Position, level: int, depth: int, stop: Stop) -> int:
    """Return the minimax value of the position at that level (APN-VALUE).

    Raises Stopped; stop is polled at every position.
    """
    if stop():
        raise Stopped
    if position.over or level == depth:
        return utility(position)
    values = values_of_moves(position, level, depth, stop)
    return (min if position.mover else max)(values)


def values_of_moves(
    position: Position, level: int, depth: int, stop: Stop
) -> Iterator[int]:
    """Yield the values of the positions that the legal moves lead to.

    A repeat play leads to the same level, another play to the next.
    """
    for pit in position.legal:
        below = level if position.repeats(pit) else level + 1
        yield value(position.play(pit), below, depth, stop)


def select(position: Position, depth: int, stop: Stop) -> int:
    """Return the pit that leads to the optimal value (misprinted "optional").

    depth: turns to look ahead, 1 or more.  Of equal moves the lowest pit is
    taken; the note does not say which.  Raises Stopped.
    """
    values = dict(zip(position.legal, values_of_moves(position, 0, depth, stop)))
    return (min if position.mover else max)(values, key=values.__getitem__)
