"""The lines of a typed board, as in the manual of 1972."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

FIRST_COLUMN, KALAH_COLUMN = 17, 12  # where pit 1 and A's kalah end
PIT_WIDTH = 4


def board_lines(
    rows: Sequence[Sequence[object]], kalahs: Sequence[object]
) -> list[str]:
    """Return the three lines of counts, or of other cells in their place."""
    top, bottom = rows
    span = PIT_WIDTH * (len(top) - 1) + 2 * (FIRST_COLUMN - KALAH_COLUMN)
    return [
        cells_line(top),
        f"{kalahs[0]!s:>{KALAH_COLUMN}}{kalahs[1]!s:>{span}}",
        cells_line(bottom[::-1]),
    ]


def cells_line(cells: Iterable[object]) -> str:
    """Return a line of cells in the columns of the pits."""
    line = "".join(f"{cell!s:>{PIT_WIDTH}}" for cell in cells)
    return " " * (FIRST_COLUMN - PIT_WIDTH) + line


def brief_cells(cells: Iterable[object]) -> str:
    """Return the cells of a row of pits as close as two digits allow."""
    return " ".join(f"{cell!s:>2}" for cell in cells)
