"""The board as the manual of 1972 draws it."""

from __future__ import annotations

from sail.board import Position
from sail.programs.kalah.says import DOWN_ARROW, UP_ARROW
from sail.programs.picture import counts, row


def picture(position: Position) -> str:
    """The three lines of counts, with pit numbers and arrows for the mover.

    A is on top and reads his pits 1 to m, B below reads his m to 1; the
    kalah of A is at the left (AKC-02700).  Nobody moves in a finished
    game.  AKC-06000.
    """
    numbers = range(1, position.pits + 1)
    lines = counts(position.rows, position.kalahs)
    if not position.over and position.mover == 0:
        lines = [row(numbers), row(DOWN_ARROW * position.pits), *lines]
    elif not position.over:
        lines = [*lines, row(UP_ARROW * position.pits), row(numbers[::-1])]
    return "\n".join(lines)
