"""The CRT display of RUSSEL: depth of search against time (M22-CRT)."""

from __future__ import annotations

# Positions in a display line; on line 1 the first is the root.  The memo does not
# name the number, but 171 gives the halts of both printed runs (M22-PHOTO).
POSITIONS = 171
MOST_POSITIONS = POSITIONS * 0o7777  # positions of a long analysis that can be shown
LABEL = 3  # columns to the left of a strip, for the level in octal
# In points of the tube:
TUBE = 1024
STEP = 6  # from one position to the next
MARGIN = 40
DOT = 2.4  # the radius of a dot
MOST_HEIGHT = 480  # the greatest height of a dot above the margin


class Display:
    """The dots of one analysis, the root first, on display lines numbered from 1."""

    def __init__(self) -> None:
        self.levels = bytearray([1])
        self.positions = 1
        self.markers: dict[int, str] = {}  # by position
        self._line = self._number = 0  # the numbers in the last marker's name

    def dot(self, level: int) -> None:
        """Count a position, and add its dot while there is room."""
        self.positions += 1
        if self.positions <= MOST_POSITIONS:
            self.levels.append(level)

    def mark(self) -> str:
        """Mark the last position; return the marker's name, P1M1 (M22-MARKERS)."""
        if self._line != self.line:
            self._line, self._number = self.line, 0
        self._number += 1
        name = f"P{self._line:o}M{self._number:o}"
        if self.positions <= MOST_POSITIONS:
            self.markers[self.positions - 1] = name
        return name

    @property
    def line(self) -> int:
        """The number of the display line of the last position."""
        return (self.positions - 1) // POSITIONS + 1

    @property
    def line_full(self) -> bool:
        """Return whether the last position completes its display line."""
        return self.positions % POSITIONS == 0

    @property
    def lines(self) -> int:
        """The number of display lines that can be shown; 0 before an analysis."""
        return (len(self.levels) - 1) // POSITIONS + 1 if self.positions > 1 else 0

    def strips(self, line: int, columns: int) -> list[str]:
        """Return a display line as text, cut into strips that fit the columns.

        A strip has a row for each level, the deepest on top, and below them
        a row with an M at each marker.
        """
        dots = self._dots(line)
        width = columns - LABEL
        rows = []
        for start in range(0, len(dots), width):
            part = dots[start : start + width]
            for level in range(max(dots), 0, -1):
                plotted = "".join("." if here == level else " " for here in part)
                rows.append(f"{level:>2o} {plotted}".rstrip())
            first = (line - 1) * POSITIONS + start
            marked = (first + n in self.markers for n in range(len(part)))
            marks = "".join("M" if mark else " " for mark in marked)
            rows.append((" " * LABEL + marks).rstrip())
        return rows

    def svg(self, line: int) -> str:
        """Return a display line as an SVG picture of the tube; higher is deeper."""
        dots = self._dots(line)
        deepest = max(self.levels)
        rise = min(TUBE // 16, MOST_HEIGHT // deepest)
        height = rise * (deepest - 1) + 2 * MARGIN
        first = (line - 1) * POSITIONS
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {TUBE + MARGIN} {height}">',
            f"<title>RUSSEL, DISPLAY LINE {line:o}: DEPTH OF SEARCH AGAINST TIME</title>",
            '<rect width="100%" height="100%" fill="#0a120e"/>',
            '<g fill="#9dfcc0">',
        ]
        for number, level in enumerate(dots):
            x, y = MARGIN // 2 + STEP * number, height - MARGIN - rise * (level - 1)
            out.append(f'<circle cx="{x}" cy="{y}" r="{DOT}"/>')
            if first + number in self.markers:
                foot = height - MARGIN // 2
                out.append(f'<rect x="{x - 1}" y="{foot - 8}" width="2" height="16"/>')
        return "\n".join([*out, "</g>", "</svg>", ""])

    def _dots(self, line: int) -> bytearray:
        return self.levels[(line - 1) * POSITIONS : line * POSITIONS]
