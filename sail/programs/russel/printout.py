"""The printout of an analysis (M22-PRINT), and its typed or saved display (M22-CRT)."""

from __future__ import annotations

import re
from itertools import count
from typing import Callable

from sail.engine.limit import Clock
from sail.files.area import Area, AreaError
from sail.programs.russel import says
from sail.programs.russel.display import Display
from sail.programs.russel.longlook import Watch
from sail.programs.russel.microflit import address
from sail.programs.russel.words import Words
from sail.refusal import sanitized
from sail.stop import Stopped
from sail.teletype import Teletype

LONGEST_PRINTED = 11  # characters of a variation (M22-LEAVES)
# The AC at the halts: 377000 before the analysis, then 375001, 376002, 377003.
FIRST_HALT, NEXT_HALT, HALTS = 0o375000, 0o001000, 3
GO_ON = re.compile(r" *(T *(, *[0-7]+ *)?)?")  # T, or T and an address (M22-T)
LONG_WORK = 3.0  # seconds; after them each new best move at the root is typed
SILENCE = 10.0  # seconds without a line; then a new best move of any level is typed
MOST_AT_ONCE = {"PHOTO": 0o10, "DISPLAY": 1}  # display lines, if no number is typed

Show = Callable[[str, int], bool]  # obeys PHOTO and DISPLAY at a halt: Typewriter.show


class Printout(Watch):
    """The printout of one analysis, as the sense switches direct (M22-SS)."""

    def __init__(self, tty: Teletype, words: Words, show: Show, clock: Clock) -> None:
        self.tty = tty
        self.words = words
        self.show = show
        self.clock = clock
        self.begun = self.last_line = clock()
        self.label = ""  # the move of the first level that is being searched
        self.label_open = False  # whether the carriage is still on the label's line

    def line(self, text: str) -> None:
        """Type the text on a line of its own."""
        if self.label_open:
            self.tty.type()
        self.label_open = False
        self.tty.type(text)
        self.last_line = self.clock()

    def move(self, variation: str) -> None:
        self.label = variation
        if not self.words["SS6"]:
            if self.label_open:
                self.tty.type()
            self.tty.type(says.MOVE.format(variation), end="")
            self.label_open = True

    def reply(self, variation: str, effort: int, long_effort: int, value: int) -> None:
        if self.words["SS6"]:
            return
        rest = variation[len(self.label) :].rstrip("-,")
        row = says.REPLY.format(rest) if rest else ""
        row += says.EFFORT.format(effort, long_effort, value)
        self.tty.type(" " + row if self.label_open else row)
        self.label_open = False
        self.last_line = self.clock()

    def leaf(self, variation: str, value: int, marker: str) -> None:
        at_marker = marker and self.words["SS5"]
        if at_marker or self.words["SS3"]:
            printed = says.VARIATION.format(variation[:LONGEST_PRINTED], value)
            self.line(says.AT_MARKER.format(marker) + printed if at_marker else printed)

    def photo_halt(self, line: int) -> None:
        accumulator = FIRST_HALT + NEXT_HALT * ((line - 1) % HALTS) + line
        self.line(says.HALT.format(accumulator))
        halted = self.clock()
        while not GO_ON.fullmatch(answer := self.tty.ask().upper()):
            if answer.strip() == "Q":
                raise Stopped
            if not self.show(answer, line):
                self.tty.type(says.HALTED_HELP)
        waited = self.clock() - halted
        self.begun += waited
        self.last_line += waited

    def better(self, level: int, variation: str, value: int) -> None:
        now = self.clock()
        if now > (self.begun + LONG_WORK if level == 1 else self.last_line + SILENCE):
            self.line(says.VARIATION.format(variation.rstrip("-,"), value))

    def totals(self, effort: int, long_effort: int, variation: str) -> None:
        """Type TE, TP and PV, but no PV if the variation is empty (M22-TOTALS)."""
        if not self.words["SS6"]:
            self.line(says.TOTALS.format(effort, long_effort))
            if variation:
                self.line(says.PRINCIPAL.format(variation.rstrip("-,")))


class Camera:
    """The commands DISPLAY and PHOTO, which type display lines or save them."""

    def __init__(self, tty: Teletype, area: Area) -> None:
        self.tty = tty
        self.area = area

    def obey(self, line: str, display: Display, number: int | None = None) -> bool:
        """Obey PHOTO or DISPLAY, else return False.

        number: the display line if the user types no number; if it is None, all lines,
        if they are at most MOST_AT_ONCE.
        """
        command, *typed = line.split() or [""]
        if command not in MOST_AT_ONCE:
            return False
        lines = display.lines
        if typed:
            number = address(" ".join(typed))
        if typed and number is None:
            self.tty.type(says.NOT_OCTAL.format(sanitized(" ".join(typed))))
        elif not lines:
            self.tty.type(says.NO_DISPLAY)
        elif number is not None and not 1 <= number <= lines:
            self.tty.type(says.NO_SUCH_LINE.format(number, lines))
        elif number is None and lines > MOST_AT_ONCE[command]:
            self.tty.type(says.MANY_LINES.format(lines, command))
        else:
            for shown in [number] if number else range(1, lines + 1):
                if command == "PHOTO":
                    self.photograph(display, shown)
                else:
                    for row in display.strips(shown, self.tty.width):
                        self.tty.type(row)
        return True

    def photograph(self, display: Display, number: int) -> None:
        """Save a display line on a new file and type the name of the file.

        The name ends in the number of the line, like PHOTO1.SVG or PHOT10.SVG, or
        in the next number that is free.
        """
        numbers = map("{:o}".format, count(number))
        names = (f"{'PHOTO'[: 6 - len(digits)]}{digits}.SVG" for digits in numbers)
        try:
            name = next(name for name in names if not self.area.has(name))
            self.area.create(name, display.svg(number))
        except AreaError as error:
            self.tty.type(str(error))
        else:
            self.tty.type(name)
