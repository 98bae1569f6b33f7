"""The escape sequences of a screen, taken out of what is typed.

Pure.  The keys of a keypad mean what is printed on them; arrows, function keys and
the replies of a terminal mean nothing.
"""

from __future__ import annotations

import re

ESCAPE = "\x1b"
# The keypad in application mode: ESC O or, on a VT52, ESC ? and one of these.
KEYPAD = dict(zip("pqrstuvwxyMXjklmno", "0123456789\r=*+,-./"))
KEY = "\x1b{1,2}(O.|\\[\\[.|\\[[0-?]{0,16}[ -/]?[@-Z\\\\-~])"
KEY_BEGUN = "\x1b{1,2}(O|\\[\\[?|\\[[0-?]{1,16}[ -/]?)?"
REPLY = "\x1b[]PX^_][ -~]{0,256}(\a|\x1b\\\\)"  # to a question about colors, say
REPLY_BEGUN = "\x1b[]PX^_][ -~]{0,256}\x1b?"
VT52_KEY, VT52_BEGUN = "\x1b([A-DP-S]|\\?.)", "\x1b\\?"


class Escapes:
    """The filter for one screen."""

    def __init__(self, vt52: bool = False) -> None:
        key, begun = (f"|{VT52_KEY}", f"|{VT52_BEGUN}") if vt52 else ("", "")
        self._whole = re.compile(f"{KEY}|{REPLY}{key}")
        self._begun = re.compile(f"{KEY_BEGUN}|{REPLY_BEGUN}{begun}")
        self._keypad = ("\x1bO", "\x1b?") if vt52 else ("\x1bO",)
        self._sequence = ""  # an incomplete one

    def take(self, char: str) -> str:
        """Return what this character completes: what was typed, or nothing yet."""
        if not self._sequence and char != ESCAPE:
            return char
        typed, self._sequence = self._sequence + char, ""
        if self._whole.fullmatch(typed):
            return KEYPAD.get(char, "") if typed[:-1] in self._keypad else ""
        if self._begun.fullmatch(typed):
            self._sequence = typed
            return ""
        return typed
