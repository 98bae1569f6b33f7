"""The commands DISPLAY and PHOTO: the tube on paper and as pictures (M22-CRT)."""

from __future__ import annotations

from itertools import count

from sail.area import Area, AreaError
from sail.programs.russel import says
from sail.programs.russel.display import Display
from sail.programs.russel.microflit import address
from sail.teletype import Teletype

MOST_AT_ONCE = {"PHOTO": 0o10, "DISPLAY": 1}  # display lines, without a number


class Camera:
    """Types the lines of a display, or puts them on files."""

    def __init__(self, tty: Teletype, area: Area) -> None:
        self.tty = tty
        self.area = area

    def obey(self, line: str, display: Display, number: int | None = None) -> bool:
        """Obey PHOTO or DISPLAY; return False if the line is neither.

        number: the display line that is meant when none is typed.
        """
        command, *typed = line.split() or [""]
        if command not in MOST_AT_ONCE:
            return False
        lines = display.lines
        if typed:
            number = address(" ".join(typed))
        if typed and number is None:
            self.tty.type(says.QUERY)
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
        """Put a display line on a new file; type its name.

        The file has the number of the line, PHOTO1.SVG, PHOT10.SVG, or the next
        that is free.
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
