"""The CRT display of RUSSEL: depth of search against time (M22-CRT)."""

from __future__ import annotations

from collections import defaultdict

MARGIN = 3  # columns to the left of a strip, for the ply in octal


def _dots_to(line: int) -> int:
    """Return the number of dots on all display lines to `line`: 170, 341, 512, 682.

    At the printed halts the AC holds x, which begins at 377000 and grows by 3000 with
    each dot, in 18 bits of ones' complement.  A line is full before x overflows
    (M22-PHOTO).
    """
    return 512 * line // 3


class Display:
    """The dots of one analysis, on display lines numbered from 1.

    plies: the ply of each position.  markers: their columns, by display line.
    """

    def __init__(self) -> None:
        self.plies = bytearray()
        self.markers: defaultdict[int, list[int]] = defaultdict(list)

    def mark(self) -> str:
        """Mark the last position; return the marker's name, P1M1 (M22-MARKERS)."""
        columns = self.markers[self.last_line]
        columns.append(len(self.plies) - 1 - _dots_to(self.last_line - 1))
        return f"P{self.last_line:o}M{len(columns):o}"

    @property
    def last_line(self) -> int:
        """The number of the display line of the last position; 0 before the first."""
        return -(-3 * len(self.plies) // 512)

    @property
    def line_full(self) -> bool:
        """Whether the last position completes its display line."""
        return len(self.plies) == _dots_to(self.last_line)

    def strips(self, line: int, columns: int) -> list[str]:
        """Return a display line as text, cut into strips that fit the columns.

        A strip takes a line of text for each ply, the deepest on top, and below them
        one with an M at each marker.
        """
        dots = self.plies[_dots_to(line - 1) : _dots_to(line)]
        width = columns - MARGIN
        texts = []
        for first in range(0, len(dots), width):
            strip = dots[first : first + width]
            for ply in range(max(dots), 0, -1):
                plotted = "".join("." if dot == ply else " " for dot in strip)
                texts.append(f"{ply:>2o} {plotted}".rstrip())
            marked = (first + n in self.markers[line] for n in range(len(strip)))
            marks = "".join("M" if mark else " " for mark in marked)
            texts.append((" " * MARGIN + marks).rstrip())
        return texts
