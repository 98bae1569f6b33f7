"""The line discipline of Stanford's monitor, 1974 (MON).

Pure: what is typed goes in; echo, lines and stops come out.  Text to print
goes in; bytes for the machine come out.  It knows no device and no clock.
"""

from __future__ import annotations

import re
import sys
from collections import deque

from sail.line.codes import ASCII
from sail.line.models import Model

LONGEST_LINE = 128  # characters of one line, ours
MOST_LINES = 256  # typed and not yet read, ours
TAB = 8  # columns
EDGE = sys.maxsize  # a column past any edge: the carriage may stand anywhere
BREAK = 0x100  # beside the bytes of a keyboard: its break key

BELL = "\a"
ESCAPE = "\x1b"
RUBOUTS = "\x7f\b"
ALTMODES = "\x1b}~"
ENDS_OF_LINE = "\r\n\v"
NOTHING = "\0\f"  # filler and blank tape, form feed
CONTROL = {letter: chr(ord(letter) - 0o100) for letter in "BCOQRSUZ"}
TYPABLE = frozenset(ASCII.values()) | set("\t↑←→↓↔")

# What the arrow and function keys of a screen send, and how it begins.
SEQUENCE = re.compile("\x1b{1,2}(O.|\\[\\[.|\\[[0-?]{0,16}[ -/]?[@-Z\\\\-~])")
SEQUENCE_BEGUN = re.compile("\x1b{1,2}(O|\\[\\[?|\\[[0-?]{1,16}[ -/]?)?")


class Discipline:
    """The line to one machine.

    newline: the bytes, as text, that begin a new line.
    end_key: a key that on an empty line is the end of input, besides ^Z.

    settings may be changed at any time.
    lines: what was typed and not yet read, None for the end of input.
    stops: 1 after a ^C, 2 once a second came right after it; whoever acts
    on it sets it to 0.
    off: output is thrown away until the next request for input.
    held: output waits.
    column: where the next character will be printed, from 0, or EDGE.
    """

    def __init__(self, model: Model, newline: str = "\r\n", end_key: str = "") -> None:
        self.code = model.code()
        self.settings = model.settings
        self._bell_stops = model.bell_stops
        self._escapes = model.escapes
        self._newline = newline
        self._end_keys = CONTROL["Z"] + end_key
        self.column = 0
        self.reset()

    def reset(self) -> None:
        """Forget all that was typed: another person may be there."""
        self.code.reset()
        self.lines: deque[str | None] = deque()
        self.stops = 0
        self.off = False
        self.held = False
        self._line: list[str] = []
        self._last = ""
        self._sequence = ""  # the part of an escape sequence that has come
        self._rubbing = False
        self._rubbed_nothing = False
        self._returning = False  # the machine returns its carriage by itself

    # What is typed.

    def receive(self, byte: int) -> str:
        """What the printer shall type when a byte or a BREAK has come.

        It is text for `render`, ahead of any other.  Lines, stops and
        switches are found in the attributes afterwards.
        """
        typed = CONTROL["C"] if byte == BREAK else self.code.decode(byte)
        return "".join(map(self._take, typed))

    def _take(self, char: str) -> str:
        if not (self._sequence or (self._escapes and char == ESCAPE)):
            return self._receive(char)
        typed, self._sequence = self._sequence + char, ""
        if SEQUENCE.fullmatch(typed):
            return ""
        if SEQUENCE_BEGUN.fullmatch(typed):
            self._sequence = typed
            return ""
        return "".join(map(self._receive, typed))

    def _receive(self, char: str) -> str:
        if char in NOTHING:
            return ""
        if char == BELL and self._bell_stops:
            char = CONTROL["C"]
        last, self._last = self._last, char
        if char in RUBOUTS:
            return self._rub_out()
        self._rubbed_nothing = False
        if char == CONTROL["C"]:
            return self._stop(again=last == char)
        if char in (CONTROL["B"], CONTROL["S"], CONTROL["Q"]):
            self.held = char == CONTROL["S"] or (char == CONTROL["B"] and not self.held)
            return ""
        if char == CONTROL["O"]:
            self.off = not self.off
            return self._shown(char)
        if char == CONTROL["R"]:
            return self._shown(char) + "".join(self._line)
        if char == CONTROL["U"]:
            self._line.clear()
            return self._shown(char)
        if char == "\n" and last == "\r":
            return ""
        return self._close_rubout() + self._enter(char)

    def _stop(self, again: bool) -> str:
        self._line.clear()
        self.off, self.held = True, False
        if again:
            self.lines.clear()
        self.stops = 2 if again and self.stops else 1
        return self._shown(CONTROL["C"])

    def _shown(self, char: str) -> str:
        """↑ and the letter of a control character, and a new line."""
        self._rubbing = False
        return "↑" + chr(ord(char) + 0o100) + "\n"

    def _rub_out(self) -> str:
        if self._line:
            opening = "" if self._rubbing else "\\"
            self._rubbing = True
            return opening + self._line.pop()
        if self._rubbed_nothing:  # the leader of a tape, or a loop that is open
            return ""
        self._rubbed_nothing = True
        return self._close_rubout() + "\n"

    def _close_rubout(self) -> str:
        closing = "\\" if self._rubbing else ""
        self._rubbing = False
        return closing

    def _enter(self, char: str) -> str:
        if len(self.lines) >= MOST_LINES:
            return BELL
        if char == CONTROL["Z"] or (char in self._end_keys and not self._line):
            if self._line:
                self._finish()
            self.lines.append(None)
            return self._shown(char)
        if char in ENDS_OF_LINE:
            self._finish()
            return self._end_typed_line(char)
        if char in ALTMODES:
            char = "$"
        elif char not in TYPABLE:
            return BELL
        if len(self._line) >= LONGEST_LINE:
            return BELL
        self._line.append(char if self.settings.full else char.upper())
        if self.settings.echo:
            return self._line[-1]
        self.column += 1
        return ""

    def _end_typed_line(self, char: str) -> str:
        # A machine that prints what is typed has returned its carriage by
        # itself.  A NEW LINE key, or NO LF, says that it has fed too.
        if self.settings.echo or (char == "\r" and self.settings.lf):
            return "\n"
        self.column, self._returning = 0, True
        return ""

    def _finish(self) -> None:
        self.lines.append("".join(self._line))
        self._line.clear()

    def finish(self) -> str:
        """End the line that the end of the input has cut short.

        Returns what the printer shall type.
        """
        if not self._line:
            return ""
        self._finish()
        return "\n"

    # What is printed.

    def render(self, text: str) -> bytes:
        """The bytes that print this text from the present column on.

        A new line is put in where the column reaches the width.  Form feeds
        and vertical tabs become line feeds.
        """
        return b"".join(map(self._render, text))

    def _render(self, char: str) -> bytes:
        if char == "\n":
            return self._end_line()
        if char in "\v\f":
            return self.code.encode("\n")
        if char == "\r":
            return self._return("\r")
        if char == BELL:
            return self.code.encode(char)
        if char == "\t":
            return self._tabulate()
        if not self.settings.full:
            char = char.upper()
        return b"".join(map(self._print, self.code.spell(char)))

    def _print(self, char: str) -> bytes:
        before = self._make_room()
        self.column += 1
        return before + self.code.encode(char)

    def _tabulate(self) -> bytes:
        before = self._make_room()
        columns = TAB - self.column % TAB
        if not self.settings.tabs or self.column + columns > self.settings.width:
            return before + b"".join(self._print(" ") for _ in range(columns))
        self.column += columns
        return before + self.code.encode("\t")

    def _make_room(self) -> bytes:
        """What brings the carriage to where a character can be printed."""
        if self.column >= self.settings.width:
            return self._end_line()
        return self._return("") if self._returning else b""

    def _end_line(self) -> bytes:
        feeds = self.settings.lf or self._newline == "\n"
        return self._return(self._newline if feeds else "\r")

    def _return(self, codes: str) -> bytes:
        """These codes, and fillers while the carriage comes back."""
        self.column, self._returning = 0, False
        return b"".join(map(self.code.encode, codes + "\0" * self.settings.fill))
