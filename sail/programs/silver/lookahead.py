"""The move selection of Silver's program: plain minimax to a fixed depth.

Values are from player A's side: A maximizes, B minimizes.  Nothing is pruned,
ordered or remembered, so the time grows about tenfold with every ply.
"""

from __future__ import annotations

from sail.board import Position
from sail.stop import Stop, check_stop


def utility(position: Position) -> int:
    """Return A's kalah less B's, pits included at the end of a game (APN-UTILITY)."""
    a, b = position.score
    return a - b


class LookAhead:
    """One look-ahead.

    depth: turns to look ahead, 1 or more.
    finals, generated: the number of positions evaluated, and of all positions.
    """

    def __init__(self, depth: int, stop: Stop) -> None:
        self.depth = depth
        self.stop = stop
        self.finals = self.generated = 0

    def run(self, position: Position) -> tuple[int, int]:
        """Return the optimal value (the note misprints "optional"), and its pit.

        Among equal moves that is the lowest pit, which the note leaves open.  The
        position is not over.  Raises Stopped.
        """
        values = self._values(position, 0)
        pit = (min if position.mover else max)(values, key=values.__getitem__)
        return values[pit], pit

    def _value(self, position: Position, ply: int) -> int:
        """Return the minimax value of a position (APN-VALUE).  Raises Stopped."""
        check_stop(self.stop)
        if position.over or ply == self.depth:
            self.finals += 1
            return utility(position)
        return (min if position.mover else max)(self._values(position, ply).values())

    def _values(self, position: Position, ply: int) -> dict[int, int]:
        """Return the value of each legal move; a repeat move stays on its ply."""
        by_pit = {}
        for pit in position.legal:
            self.generated += 1
            after = position.play(pit)
            below = ply if after.mover == position.mover else ply + 1
            by_pit[pit] = self._value(after, below)
        return by_pit
