"""The board as the manual of 1972 draws it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sail.board import Position
from sail.programs.kalah.says import DOWN_ARROW, UP_ARROW

FIRST_PIT, KALAH, STEP = 17, 12, 4  # the columns where the counts end


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


def counts(rows: Sequence[Sequence[object]], kalahs: Sequence[object]) -> list[str]:
    """The three lines of counts, or of what stands for them."""
    top, bottom = rows
    span = STEP * (len(top) - 1) + 2 * (FIRST_PIT - KALAH)
    return [
        row(top),
        f"{kalahs[0]!s:>{KALAH}}{kalahs[1]!s:>{span}}",
        row(bottom[::-1]),
    ]


def row(cells: Iterable[object]) -> str:
    """The line of what stands over or under the pits of the top row."""
    line = "".join(f"{cell!s:>{STEP}}" for cell in cells)
    return " " * (FIRST_PIT - STEP) + line
