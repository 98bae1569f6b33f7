"""The line discipline of Stanford's monitor, 1974 (MON).

Pure: the bytes of a keyboard go in; lines, an echo, and whether to stop, mute or
suspend the output come out.  It knows nothing of ports or time.
"""

from __future__ import annotations

from collections import deque

from sail.line.carriage import ERASE, Carriage
from sail.line.codes import ASCII, BREAK, CONTROL
from sail.line.filters import Keys
from sail.line.tape import READER_ON

LONGEST_LINE = 128  # characters in one line; our limit
MOST_LINES = 256  # lines typed but not yet read; our limit
MOST_ECHO = 1000  # characters that wait to be printed; our limit
GRACE = 20.0  # seconds to wait for the rest of a line
SHIFT_GRACE = 1.5  # seconds to wait for the key after a shift

BELL = "\a"
RUBOUTS = "\x7f\b"
ALTMODES = "\x1b}~"
ENDS_OF_LINE = "\r\n\v"
FLOW = CONTROL["B"] + CONTROL["S"] + CONTROL["Q"]
ECHOED = CONTROL["C"] + CONTROL["O"] + CONTROL["R"] + CONTROL["U"]
TYPABLE = frozenset(ASCII.values()) | set("\t↑←→↓↔")


class Discipline:
    """The input from one person, and its echo, which the carriage prints.

    end_key: see Port.
    """

    def __init__(self, carriage: Carriage, end_key: str) -> None:
        self.carriage = carriage
        self._end_key = end_key
        self.new_person()

    def new_person(self) -> None:
        """Forget everything typed: another person may sit down."""
        self.lines: deque[str | None] = deque()  # not read yet; None: end of input
        self.interrupts = 0  # 1 after a ^C, 2 after two in a row, until forgotten
        self.mute = False  # whether output is discarded, because of a ^O or a ^C
        self.suspended = False  # whether output waits, because of a ^S or a ^B
        self.grace = 0.0  # seconds to wait for the rest of a line that was begun
        self.pending_echo = ""  # the echo that is still to be printed
        self._line = ""
        self._keys = Keys(self.carriage.model.screen, self.carriage.model.vt52)
        self._reader_off = False  # whether a tape has stopped its own reader
        self._closing = ""  # the \ that is due after what RUBOUT has printed
        self._repeats = ""  # the keys that, if next, repeat what the last one did

    def receive(self, byte: int) -> None:
        """Process a byte or a BREAK from the keyboard."""
        typed = CONTROL["C"] if byte == BREAK else self.carriage.code.decode(byte)
        echo = "".join(map(self._obey, self._keys.strip(typed)))
        rings = echo == BELL and self.pending_echo.endswith(BELL)  # one bell will do
        if not rings and len(self.pending_echo) < MOST_ECHO:
            self.pending_echo += echo
        self.grace = GRACE if self._line else 0.0 if typed else SHIFT_GRACE

    def fall_silent(self) -> None:
        """Note a silence: what comes next is no part of the last line's end."""
        if self._keys.fall_silent():
            self.pending_echo += self._enter("\r")

    def start_reader(self) -> bytes:
        """Return what is due to a tape that has stopped its own reader."""
        stopped, self._reader_off = self._reader_off, False
        return READER_ON if stopped else b""

    def end_input(self) -> None:
        """Finish the line that the end of the input has cut short."""
        self.fall_silent()
        self.suspended = False
        if self._line:
            self._finish()
            self.pending_echo += "\n"

    def render(self, echo: str) -> bytes:
        """Return the bytes that print an echo, which must be sent next."""
        code = self.carriage.code
        shift = code.typed_shift
        data = self.carriage.render(echo)
        # The echo may shift the machine, but whoever types goes on in his own shift.
        if self.carriage.settings.echo:
            code.typed_shift = shift
        elif echo and not echo.endswith("\n"):
            data += code.shift_to(shift)
        return data

    def forget_interrupts(self) -> None:
        """Treat a ^C as used up, and let output go on."""
        self.interrupts = 0
        self.mute = False

    # The methods that process typed characters; each returns the echo.

    def _obey(self, char: str) -> str:
        settings = self.carriage.settings
        repeated, self._repeats = char in self._repeats, ""
        if char in RUBOUTS:
            return self._rub_out(repeated)
        if self.suspended and settings.tape and char not in FLOW:
            # The ^S may have been on a tape, whose reader then waits for us.
            self.suspended, self._reader_off = False, True
        if char == CONTROL["S"] and self._keys.last_end and settings.tape:
            self._reader_off = True  # it is on the tape, and so is a RUBOUT after it
            self._repeats = RUBOUTS
            return ""
        if char in FLOW:
            toggled = char == CONTROL["B"] and not self.suspended
            self.suspended = char == CONTROL["S"] or toggled
            return ""
        if char in ECHOED:
            return self._control(char, repeated)
        closing, self._closing = self._closing, ""
        return closing + self._enter(char)

    def _control(self, char: str, repeated: bool) -> str:
        """Obey ^C, ^O, ^R or ^U; return ↑ and the letter, and a new line."""
        echo = self._shown(char)
        if char == CONTROL["R"]:
            return echo + self._line
        if char == CONTROL["O"]:
            self.mute = not self.mute
            return echo
        self._line = ""
        if char == CONTROL["C"]:
            self.mute, self.suspended, self._repeats = True, False, char
            if repeated:
                self.lines.clear()
            self.interrupts = 2 if repeated and self.interrupts else 1
        return echo

    def _shown(self, char: str) -> str:
        self._closing = ""
        return "↑" + chr(ord(char) + 0o100) + "\n"

    def _rub_out(self, repeated: bool) -> str:
        settings = self.carriage.settings
        rubbed, self._line = self._line[-1:], self._line[:-1]
        if self.carriage.model.screen and settings.echo and rubbed != "\t":
            return ERASE if rubbed else ""
        if rubbed and not settings.echo:
            # Close at once: the machine prints the next key before we can.
            return f"\\{rubbed}\\"
        if rubbed:
            opening = "" if self._closing else "\\"
            self._closing = "\\"
            return opening + rubbed
        closing, self._closing, self._repeats = self._closing, "", RUBOUTS
        # Once is enough: a tape leader sends many, and a 33's tape one after CR LF.
        if repeated or self._keys.last_end == "\n":
            return ""
        return closing + "\n"

    def _enter(self, char: str) -> str:
        settings = self.carriage.settings
        if len(self.lines) >= MOST_LINES:
            return BELL
        if char == CONTROL["Z"] or (char == self._end_key and not self._line):
            if self._line:
                self._finish()
            self.lines.append(None)
            return self._shown(char)
        if char in ENDS_OF_LINE:
            self._finish()
            # Without our echo, we assume that the machine has returned its carriage.
            # It needs our line feed only after RETURN, and not if NO LF is set.
            if settings.echo or (char == "\r" and settings.lf):
                return "\n"
            self.carriage.come_back()
            return ""
        if char in ALTMODES:
            char = "$"
        if char not in TYPABLE or len(self._line) >= LONGEST_LINE:
            return BELL
        char = char if settings.full else char.upper()
        self._line += char
        if settings.echo:
            return char
        self.carriage.column += 1  # the machine has already printed it
        return ""

    def _finish(self) -> None:
        self.lines.append(self._line)
        self._line = ""
