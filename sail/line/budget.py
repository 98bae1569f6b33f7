"""The paper for a line at which perhaps nobody sits.

A loop that garbles, noise, a key that sticks and a line that comes and goes have one
thing in common: nothing that is typed makes sense, but for a letter now and then by
chance.  Pure but for a clock.
"""

from __future__ import annotations

from sail.line.carriage import ERASE
from sail.stop import Clock

PAPER = 140  # characters in SPAN; a new line counts as two, ERASE as three
AFTER_PAGE = 65  # of these, those that a page leaves
SPAN = 600.0  # seconds without a character after which there is paper again
SPENT = "\nNO MORE UNTIL A LINE IS RIGHT, LIKE HELP.\n"
TRUST, MOST_TRUST = 4, 6  # characters of right lines, each with its RETURN
SLIP = 2  # of these, what a wrong line costs: as much as the shortest answer


class Budget:
    """The paper that is left until what is typed makes sense.

    Keys are obeyed even when it is spent, so whoever types right lines goes on.
    Its grants return what may be printed of a text.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.new_person()

    def new_person(self) -> None:
        """Forget what was typed: another person may sit down."""
        self._free = True  # whether what a program types now costs no paper
        self._page_free = True  # whether a page costs none either, while `_free`
        self._trust = self._trust_before = 0  # now, and before the last line
        self._left = PAPER
        self._last_spent = self._clock()  # when some was last spent

    def note_line(self, line: str) -> None:
        """Note a line, right unless `doubt` follows.  A comment adds nothing."""
        self._trust_before = self._trust
        typed = line.partition(";")[0].strip()
        self._trust = min(self._trust + len(typed) + 1, MOST_TRUST)
        self._free = self._trust >= TRUST

    def doubt(self) -> None:
        """Note that it made no sense."""
        self._trust = self._trust_before = max(self._trust_before - SLIP, 0)
        self._free = False

    def note_loop(self) -> None:
        """Note that the line is one loop: nobody has typed what made no sense.

        A line that comes and goes may prove it often, so a page costs from now on.
        """
        self._free |= self._page_free
        self._page_free = False

    def grant_output(self, text: str) -> str:
        """Grant output: after a right line it is free, and all is forgiven."""
        if not self._free:
            return self.grant_unasked(text)
        if self._trust:
            self._left, self._page_free = PAPER, True
        return text

    def grant_page(self, text: str) -> str:
        """Grant what was typed before a hangup: once after a right line it is free.

        Then at most AFTER_PAGE characters are left until the next right line.
        """
        free = self._free and self._page_free and self._left >= 0
        self._free = False
        self._trust = self._trust_before = min(self._trust, TRUST - SLIP)
        if not free:
            return self.grant_unasked(text)
        self._left = min(self._left, AFTER_PAGE)
        return text

    def grant_unasked(self, text: str) -> str:
        """Grant what no line asked for, as an echo: all, once SPENT, then nothing."""
        now = self._clock()
        if now > self._last_spent + SPAN:
            self._left = PAPER
        if self._left < 0:
            return ""
        self._last_spent = now
        self._left -= len(text.expandtabs()) + text.count("\n") + 2 * text.count(ERASE)
        return text if self._left >= 0 else SPENT
