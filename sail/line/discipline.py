"""The line discipline of Stanford's monitor, 1974 (source key MON).

Pure: bytes of the keyboard in; echo, lines and stops out; text to print in,
bytes of the printer out.  It knows no device and no clock.
"""

from __future__ import annotations

from collections import deque

from sail.line.models import Model

LONGEST_LINE = 128  # characters of one line, ours
MOST_LINES = 256  # typed and not yet read, ours
TAB = 8  # columns

BELL = "\a"
RUBOUTS = "\x7f\b"
ALTMODES = "\x1b}~"
ENDS_OF_LINE = "\r\n\v\f"
CONTROL = {letter: chr(ord(letter) - 0o100) for letter in "BCOQRSUZ"}
BREAK = "\0"
TYPABLE = frozenset(map(chr, range(0x20, 0x7F))) | set("\t↑←→↓↔")


class Discipline:
    """One line to one machine.

    fill, echo, full and tabs are settings, first those of the model.
    lines holds what has been typed and not yet been read, None for the end
    of file.  stops counts ^C: 1 after the first, 2 once a second came right
    after; whoever acts on it sets it to 0.  off: output is thrown away
    until the next request for input.  held: output waits.
    column is that of the next character on the paper, from 0.
    """

    def __init__(self, model: Model, newline: str = "\r\n") -> None:
        self.code = model.code()
        self.width = model.width
        self.fill = model.fill
        self.echo = model.echo
        self.full = model.full
        self.tabs = model.tabs
        self._bell_stops = model.bell_stops
        self._newline = newline
        self.reset()

    def reset(self) -> None:
        """Nothing; a fresh line: nothing typed, carriage at the left."""
        self.code.reset()
        self.lines: deque[str | None] = deque()
        self.stops = 0
        self.off = False
        self.held = False
        self.column = 0
        self._line: list[str] = []
        self._rubbing = False
        self._last = ""

    def receive(self, byte: int) -> str:
        """What a byte from the keyboard makes the printer type.

        It is text to `render`, before anything else.  Lines, stops and
        switches are found in the attributes afterwards.
        """
        return "".join(map(self._receive, self.code.decode(byte)))

    def _receive(self, char: str) -> str:
        last, self._last = self._last, char
        if char == BREAK or (char == BELL and self._bell_stops):
            self._last = char = CONTROL["C"]
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
        if char in RUBOUTS:
            return self._rub_out()
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
        if not self._line:
            return self._close_rubout() + "\n"
        opening = "" if self._rubbing else "\\"
        self._rubbing = True
        return opening + self._line.pop()

    def _close_rubout(self) -> str:
        closing = "\\" if self._rubbing else ""
        self._rubbing = False
        return closing

    def _enter(self, char: str) -> str:
        if len(self.lines) >= MOST_LINES:
            return BELL
        if char == CONTROL["Z"]:
            if self._line:
                self._finish()
            self.lines.append(None)
            return self._shown(char)
        if char in ENDS_OF_LINE:
            self._finish()
            # A NEW LINE key has fed the paper of a machine that prints itself.
            if self.echo or char == "\r":
                return "\n"
            self.column = 0
            return ""
        if char in ALTMODES:
            char = "$"
        elif char not in TYPABLE:
            return BELL
        if len(self._line) >= LONGEST_LINE:
            return BELL
        self._line.append(char if self.full else char.upper())
        if self.echo:
            return self._line[-1]
        self.column += 1
        return ""

    def _finish(self) -> None:
        self.lines.append("".join(self._line))
        self._line.clear()

    def finish(self) -> str:
        """The end of a line that the end of the input has cut short."""
        if not self._line:
            return ""
        self._finish()
        return "\n"

    def render(self, text: str) -> bytes:
        """The bytes that print this text from the present column on.

        A new line is put in where column 72 is reached; form feeds and
        vertical tabs become line feeds.
        """
        return b"".join(map(self._render, text))

    def _render(self, char: str) -> bytes:
        if char == "\n":
            return self._end_line()
        if char in "\v\f":
            return self.code.encode("\n")
        if char == "\r":
            return self._return()
        if char == BELL:
            return self.code.encode(char)
        if char == "\t":
            return self._tabulate()
        if not self.full:
            char = char.upper()
        return b"".join(map(self._print, self.code.spell(char)))

    def _print(self, char: str) -> bytes:
        wrap = self._end_line() if self.column >= self.width else b""
        self.column += 1
        return wrap + self.code.encode(char)

    def _tabulate(self) -> bytes:
        columns = TAB - self.column % TAB
        if not self.tabs or self.column + columns > self.width:
            return b"".join(self._print(" ") for _ in range(columns))
        self.column += columns
        return self.code.encode("\t")

    def _return(self) -> bytes:
        self.column = 0
        return b"".join(map(self.code.encode, "\r" + "\0" * self.fill))

    def _end_line(self) -> bytes:
        self.column = 0
        return b"".join(map(self.code.encode, self._newline + "\0" * self.fill))
