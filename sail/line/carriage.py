"""The carriage: where it stands, and the bytes that print a text from there.

Pure: text goes in, bytes for one machine come out.  It knows nothing of
ports or time.
"""

from __future__ import annotations

import re
import sys

from sail.line.models import Model
from sail.settings import Settings

TAB = 8  # columns
LONG_TAB = 5  # columns; Unix, too, gave the carriage of a Model 37 time for these
ERASE = "\udc08"  # in an echo: erase a character; it never occurs in text
ANYWHERE = sys.maxsize  # an unknown column: the next character begins a new line


class Carriage:
    """The carriage of one machine; `newline` begins a new line."""

    def __init__(self, model: Model, newline: str) -> None:
        self.model = model
        self.code = model.new_code()  # printer and keyboard share LTRS and FIGS
        self.apply(model.settings)
        self.column = 0  # of the next character
        self._newline = newline
        self._returning = False  # whether it is coming back by itself

    def apply(self, settings: Settings) -> None:
        self.settings = settings  # those in force
        self._has_tabs = settings.tabs and not self.code.five
        self.code.usos = settings.usos

    def new_machine(self) -> None:
        """Forget the machine's state: another machine may now be on the line."""
        self.code.new_machine()
        self.column, self._returning = ANYWHERE, False

    def come_back(self) -> None:
        """Note that the machine is returning its carriage by itself."""
        self.column, self._returning = 0, True

    def fold(self, text: str) -> str:
        """Return the text, broken at blanks where a line is wider than the paper.

        If a word is too long, `render` breaks the rest of its line at the edge.  With
        tab stops, runs of blanks become tabs.
        """
        width = self.settings.width
        room = width if self.column >= width else width - self.column
        folded = []
        for line in text.split("\n"):
            while len(line) > room and (
                head := line[: room + 1].rpartition(" ")[0].rstrip()
            ):
                folded.append(self._tabbed(head, width - room))
                line = line[len(head) :].lstrip()
                room = width
            folded.append(self._tabbed(line, width - room))
            room = width
        return "\n".join(folded)

    def _tabbed(self, line: str, column: int) -> str:
        """Return the line that begins here, with tabs where they are shorter.

        A line with control characters stays as it is.
        """
        if not self._has_tabs or not line.isprintable():
            return line

        def with_tab(columns: re.Match[str]) -> str:
            text = columns[0].rstrip(" ")
            blanks = TAB - len(text)
            return text + "\t" if len(self._tab(blanks)) < blanks else columns[0]

        return re.sub(f".{{{TAB}}}", with_tab, "." * column + line)[column:]

    def _tab(self, columns: int) -> str:
        """Return a tab over these columns; if long, with half a return's fillers."""
        fillers = (self.settings.fill + 1) // 2 if columns >= LONG_TAB else 0
        return "\t" + "\0" * fillers

    def render(self, text: str) -> bytes:
        """Return the bytes that print the text, with new lines where it is too wide."""
        return b"".join(map(self._render, text))

    def _render(self, char: str) -> bytes:
        if char == "\n":
            return self._end_line()
        if char in "\v\f":
            return self.code.encode("\n")
        if char == "\a":
            return self.code.encode(char)
        if char == "\r":
            return self._return("\r")
        if char == ERASE:
            return self._erase()
        if char == "\t":
            return self._tabulate()
        if not self.settings.full:
            char = char.upper()
        return b"".join(map(self._print, self.code.spell(char)))

    def _print(self, char: str) -> bytes:
        before = self._reach_column()
        self.column += 1
        return before + self.code.encode(char)

    def _tabulate(self) -> bytes:
        before = self._reach_column()
        columns = TAB - self.column % TAB
        if not self._has_tabs or self.column + columns > self.settings.width:
            return before + b"".join(self._print(" ") for _ in range(columns))
        self.column += columns
        return before + self.code.encode(self._tab(columns))

    def _erase(self) -> bytes:
        if not self.column:
            return b""  # the character is at the end of the line above
        self.column -= 1
        return self.code.encode("\b \b")

    def _reach_column(self) -> bytes:
        """Return the bytes that move the carriage to a column where it can print."""
        if self.column >= self.settings.width:
            return self._end_line()
        return self._fillers() if self._returning else b""

    def _end_line(self) -> bytes:
        feeds = self.settings.lf or self._newline == "\n"
        return self._return(self._newline if feeds else "\r")

    def _return(self, chars: str) -> bytes:
        """Return the bytes for `chars`, and fillers while the carriage returns."""
        self.column = 0
        return self.code.encode(chars) + self._fillers()

    def _fillers(self) -> bytes:
        self._returning = False
        return self.code.encode("\0" * self.settings.fill)
