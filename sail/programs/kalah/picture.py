"""The board as the manual of 1972 draws it."""

from __future__ import annotations

from collections.abc import Iterable

from sail.board import Position
from sail.programs.kalah.says import DOWN_ARROW, UP_ARROW

FIRST_PIT, KALAH, STEP = 17, 12, 4  # the columns where the counts end


def picture(position: Position) -> str:
    """The three lines of counts, with pit numbers and arrows for the mover.

    A is on top and reads his pits 1 to m, B below reads his m to 1; the
    kalah of A is at the left (AKC-02700).  Nobody moves in a finished
    game.  AKC-06000.
    """
    top, bottom = position.rows
    numbers = range(1, position.pits + 1)
    span = STEP * (position.pits - 1) + 2 * (FIRST_PIT - KALAH)
    lines = [
        _row(top),
        f"{position.kalahs[0]:>{KALAH}}{position.kalahs[1]:>{span}}",
        _row(bottom[::-1]),
    ]
    if not position.over and position.mover == 0:
        lines = [_row(numbers), _row(DOWN_ARROW * position.pits), *lines]
    elif not position.over:
        lines = [*lines, _row(UP_ARROW * position.pits), _row(numbers[::-1])]
    return "\n".join(lines)


def _row(cells: Iterable[object]) -> str:
    line = "".join(f"{cell!s:>{STEP}}" for cell in cells)
    return " " * (FIRST_PIT - STEP) + line
