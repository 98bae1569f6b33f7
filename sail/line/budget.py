"""The paper for lines that make no sense: perhaps nobody is there.

A loop that garbles, noise, a key that sticks and a line that comes and goes have one
thing in common: no program understands what is typed.  Pure but for a clock.
"""

from __future__ import annotations

from collections.abc import Callable

MOST = 140  # characters in SPAN; a new line counts as two
ANSWER = 50  # of these, those that a page leaves
SPAN = 600.0  # seconds without a character after which there is paper again
SPENT = "\nNO MORE UNTIL A LINE IS RIGHT.\n"


class Budget:
    """The paper that is left until a line is understood.

    Keys are obeyed even when it is spent, so whoever types a right line goes on.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.doubted = False  # whether perhaps nobody reads what comes next
        self._has_page = True  # whether a right line has come since the last page
        self._right = False  # whether the last line was not doubted
        self._clock = clock
        self._left = MOST
        self._last = clock()  # when some was last spent

    def take_line(self, calm: bool) -> None:
        """Note that a line has come, which is right unless it is doubted.

        calm: whether it came in silence; else it may be what we have printed.
        """
        self._right = True
        self.doubted &= not calm

    def doubt(self) -> None:
        """Note that it made no sense."""
        self._right, self.doubted = False, True

    def renew(self) -> None:
        """Note the next question: if the last line was right, all is forgiven."""
        if self._right and not self.doubted:
            self._left, self._has_page = MOST, True

    def take_page(self) -> bool:
        """Return whether a page may be typed again; it leaves paper for an answer."""
        had, self._has_page = self._has_page, False
        if had:
            self._left = min(self._left, ANSWER)
        else:
            self.doubt()
        return had

    def grant(self, text: str) -> str:
        """Return what may be printed of this text: all, once SPENT, then nothing."""
        now = self._clock()
        if now > self._last + SPAN:
            self._left = MOST
        if self._left < 0:
            return ""
        self._last = now
        self._left -= len(text) + text.count("\n")
        return text if self._left >= 0 else SPENT
