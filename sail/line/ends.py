"""The ends of typed lines: CR LF, LF CR, CR CR LF and CR RUBOUT LF are one each.

Pure: what is typed goes in and comes out with one character for each end.
"""

from __future__ import annotations

CR, LF, RUBOUT, XOFF = "\r\n\x7f\x13"
SAME_END = (CR + LF, CR + CR + LF, CR + RUBOUT + LF, LF + CR)


class Ends:
    """The filter for one keyboard.  After a second CR it waits for what comes next."""

    def __init__(self) -> None:
        self.just = ""  # the CR or LF that has just come
        self._end = ""  # CR, CR CR, LF, or CR RUBOUT: only an LF may then still follow

    def take(self, char: str) -> str:
        """Return what this character completes."""
        if char in (RUBOUT, XOFF) and self._end != CR + CR:
            self._part()
            return char
        held = CR if self._end == CR + CR else ""
        self.just = char if char in (CR, LF) else ""
        if not self.just:
            self._end = ""
            return held + char
        end, self._end = self._end + char, char
        if end in SAME_END:
            self._end = ""
            return ""
        if end in (CR + CR, CR + CR + CR):
            self._end = CR + CR
            return held
        return held + char

    def pause(self) -> str:
        """Return what a silence completes: nothing that follows is part of this end."""
        held = CR if self._end == CR + CR else ""
        self._part()
        self.just = ""
        return held

    def _part(self) -> None:
        self._end = CR + RUBOUT if self._end.startswith(CR) else ""
