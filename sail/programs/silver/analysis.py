"""The move selection of Silver's program: plain minimax to a fixed depth.

It follows the note's "Internal behavior of the program", in its words: the
utility of a position P, its value at level L, the moves M1 .. Mk.  Every
value is good for player A, who maximizes; B minimizes.  Nothing is cut off,
ordered or remembered, so the time grows about tenfold with every level.
"""

from __future__ import annotations

from sail.board import Position
from sail.stop import Stop, Stopped


def utility(position: Position) -> int:
    """Return the stones of A less those of B (APN-UTILITY).

    The stones in the kalahs count; in a terminal position each player's pits
    count, too, and `score` includes them.
    """
    a, b = position.score
    return a - b


def value(position: Position, level: int, depth: int, stop: Stop) -> int:
    """Return the minimax value of the position at that level (APN-VALUE).

    The note has "max.(P1 ... Pk)"; it means the values of these positions.
    Raises Stopped; stop is polled at every position.
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
    position: Position, pit: int, level: int, depth: int, stop: Stop
) -> int:
    """Return the value of the position that the move leads to.

    A repeat play leads to the same level, another play to the next.
    """
    if not position.repeats(pit):
        level += 1
    return value(position.play(pit), level, depth, stop)


def select(position: Position, depth: int, stop: Stop) -> int:
    """Return the pit that leads to the optimal value (misprinted "optional").

    depth: turns to look ahead, 1 or more.  Of equal moves the lowest pit is
    taken; the note does not say which.  Raises Stopped.
    """

    def key(pit: int) -> int:
        return value_of_move(position, pit, 0, depth, stop)

    return (min if position.mover else max)(position.legal, key=key)
