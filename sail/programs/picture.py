"""The lines of a board on paper, as the manual of 1972 sets them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

FIRST_COLUMN, KALAH_COLUMN, STEP = 17, 12, 4  # where the counts end


def counts(rows: Sequence[Sequence[object]], kalahs: Sequence[object]) -> list[str]:
    """Return the three lines of counts, or of whatever stands for them."""
    top, bottom = rows
    span = STEP * (len(top) - 1) + 2 * (FIRST_COLUMN - KALAH_COLUMN)
    return [
        row(top),
        f"{kalahs[0]!s:>{KALAH_COLUMN}}{kalahs[1]!s:>{span}}",
        row(bottom[::-1]),
    ]


def row(cells: Iterable[object]) -> str:
    """Return a line of cells that stand over or under the pits of the top row."""
    line = "".join(f"{cell!s:>{STEP}}" for cell in cells)
    return " " * (FIRST_COLUMN - STEP) + line
