"""The move selection of Silver's program: plain minimax to a fixed depth.

Values are from player A's side: A maximizes, B minimizes.  Nothing is pruned,
ordered or remembered, so the time grows about tenfold with every level.
"""

from __future__ import annotations

from collections.abc import Iterator

from sail.board import Position
from sail.stop import Stop, Stopped


def utility(position: Position) -> int:
    """Return A's kalah less B's, pits included at the end of a game (APN-UTILITY)."""
    a, b = position.score
    return a - b


def value(position: Position, level: int, depth: int, stop: Stop) -> int:
    """Return the minimax value of a position (APN-VALUE).  Raises Stopped."""
    if stop():
        raise Stopped
    if position.over or level == depth:
        return utility(position)
    values = values_of_moves(position, level, depth, stop)
    return (min if position.mover else max)(values)


def values_of_moves(
    position: Position, level: int, depth: int, stop: Stop
) -> Iterator[int]:
    """Yield the value of each legal move; a repeat play stays on the same level."""
    for pit in position.legal:
        below = level if position.repeats(pit) else level + 1
        yield value(position.play(pit), below, depth, stop)


def select(position: Position, depth: int, stop: Stop) -> int:
    """Return the pit that leads to the optimal value (the note has "optional").

    depth: turns to look ahead, 1 or more.  Among equal moves the lowest
    pit is taken; the note leaves that open.  Raises Stopped.
    """
    values = dict(zip(position.legal, values_of_moves(position, 0, depth, stop)))
    return (min if position.mover else max)(values, key=values.__getitem__)
