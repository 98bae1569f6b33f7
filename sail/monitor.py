"""The monitor: the dot, and what can be typed after it.

It imitates Stanford's monitor of 1974 (source key MON), as far as a job of
one user and programs of this house need it.  Where no key stands with a
line it is ours.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from importlib import import_module

from sail.area import Area, AreaError
from sail.line.station import Station
from sail.teletype import EndOfInput, Leave

GREETING = "KALAH MONITOR, AFTER STANFORD'S OF 1974.  TYPE HELP FOR HELP."
DOT = "."  # MON
UNKNOWN = "{}?"  # MON
MISSING = "?\n{}.DMP NOT FOUND"  # MON
CANT_CONTINUE = "CAN'T CONTINUE"  # MON
NO_FILES = "NO FILES"
NO_MEMORY = "?\nNOT ENOUGH MEMORY FOR {}"
BROKEN = "?\n{} HAS STOPPED BY AN ERROR OF ITS OWN"
SETTINGS = "TTY {}"
HELP = """\
R NAME       RUNS A PROGRAM; SO DOES RUN NAME
CONTINUE     GOES ON WHERE ^C STOPPED A PROGRAM
DIRECTORY    THE FILES IN YOUR AREA
TYPE FILE    TYPES ONE OF THEM
HELP NAME    WHAT A PROGRAM OR A COMMAND DOES
TTY WORDS    SETS THE LINE: FILL, ECHO, FULL, TABS, OR NO BEFORE ONE
DAYTIME      DATE AND TIME
KJOB         ENDS YOUR JOB; SO DOES LOGOUT
; COMMENT    IS NOT LOOKED AT
COMMANDS MAY BE CUT SHORT.
PROGRAMS: {}
RUBOUT DELETES A CHARACTER, ^U THE LINE; ^R TYPES IT AGAIN.  ^C STOPS A
PROGRAM, ^O ITS OUTPUT; ^S AND ^Q HOLD AND RESUME IT.  ^Z ENDS INPUT."""

# Each is a module of sail.programs with a function run.
PROGRAMS = {
    "KALAH": "KALAH PLAYS THE GAME OF KALAH WITH YOU, AS AT STANFORD IN 1972.",
    "ATLAS": "ATLAS LEARNS FROM THE GAMES THAT IT LOSES, AS BELL'S PROGRAM OF 1968.",
    "RUSSEL": "RUSSEL SHOWS HOW A MOVE IS FOUND, AS IN A.I. MEMO 22 OF 1964.",
    "SILVER": "SILVER LOOKS AT EVERY MOVE, SO MANY TURNS AHEAD, AS ON A PDP-1.",
    "SOLVE": "SOLVE FINDS THE VALUE OF A POSITION UNDER PERFECT PLAY.",
}

COMMANDS = (
    "R", "RUN", "CONTINUE", "DIRECTORY", "TYPE", "HELP", "TTY", "DAYTIME", "KJOB",
    "LOGOUT",
)  # fmt: skip
SWITCHES = ("FILL", "ECHO", "FULL", "TABS")
FILL = 2  # characters, where the model needs none by itself
COLUMN = 12  # columns for a name of a file


def find(name: str) -> Callable[[Station, Area], None]:
    """The function that runs a program.  Raises KeyError if there is none."""
    if name not in PROGRAMS:
        raise KeyError(name)
    run: Callable[[Station, Area], None]
    run = import_module(f"sail.programs.{name.lower()}").run
    return run


class Monitor:
    """A user's job at a teletype: what was typed, and the program stopped."""

    def __init__(
        self,
        tty: Station,
        area: Area,
        now: Callable[[], time.struct_time] = time.localtime,
    ) -> None:
        self._tty = tty
        self._area = area
        self._now = now
        self._wanted = ""  # the program to run next
        self._stopped = False  # a program is, inside its request for input
        self._resumed = False
        self._over = False

    def run(self, program: str = "", for_ever: bool = False) -> None:
        """Nothing, after KJOB or the end of input; begins with that program.

        for_ever: after KJOB the next user is greeted; it returns only when
        the job is to be ended from outside.
        """
        tty = self._tty
        tty.greeting = GREETING
        self._wanted = program
        while True:
            self._over = False
            tty.greet()
            try:
                self._serve()
            except Leave:
                return
            if not for_ever:
                return

    def _serve(self) -> None:
        self._tty.on_stop = self._nothing
        while not self._over:
            if self._wanted:
                self._start()
            else:
                self._command()

    def _nothing(self) -> None:
        """A ^C at the dot has nothing to stop."""

    def _command(self) -> None:
        try:
            line = self._tty.ask(DOT)
        except EndOfInput:
            self._over = True
        else:
            self._obey(line)

    def _start(self) -> None:
        name, self._wanted = self._wanted, ""
        try:
            run = find(name)
        except KeyError:
            self._tty.type(MISSING.format(name))
            return
        self._tty.on_stop = self._stop
        try:
            run(self._tty, self._area)
        except EndOfInput:
            pass
        except Leave:
            if self._tty.leaving:
                raise
        except MemoryError:
            self._tty.type(NO_MEMORY.format(name))
        except Exception:  # noqa: BLE001 - the line must stay
            import traceback

            traceback.print_exc(file=sys.stderr)
            self._tty.type(BROKEN.format(name))
        finally:
            self._tty.on_stop = self._nothing
            self._stopped = False
        gc.collect()  # a search may leave a table of 60 MB in a cycle

    def _stop(self) -> None:
        """Dots inside a stopped program, until it goes on; raises Leave."""
        self._tty.on_stop = self._nothing
        self._stopped, self._resumed = True, False
        while not self._resumed:
            self._command()
            if self._wanted or self._over:
                raise Leave
        self._stopped = False
        self._tty.on_stop = self._stop

    def _obey(self, line: str) -> None:
        words = line.split(";")[0].upper().split()
        if not words:
            return
        typed, *words = words
        found = [name for name in COMMANDS if name.startswith(typed)]
        if typed in COMMANDS:
            found = [typed]
        if len(found) != 1 or not self._carry_out(found[0], words):
            self._tty.type(UNKNOWN.format(typed))

    def _carry_out(self, command: str, words: list[str]) -> bool:
        """Whether the command could be understood."""
        tty = self._tty
        if command in ("R", "RUN"):
            self._wanted = words[0] if words else ""
            return bool(words)
        if command == "TYPE":
            return self._type(words)
        if command == "TTY":
            return self._set(words)
        if command == "CONTINUE":
            self._resumed = self._stopped
            if not self._stopped:
                tty.type(CANT_CONTINUE)
        elif command == "DIRECTORY":
            self._directory()
        elif command == "HELP":
            self._help(words)
        elif command == "DAYTIME":
            tty.type(time.strftime("%d-%b-%y  %H:%M", self._now()).upper())
        else:
            self._over = True
        return True

    def _directory(self) -> None:
        names = self._area.names()
        a_line = self._tty.width // COLUMN
        for first in range(0, len(names), a_line):
            row = names[first : first + a_line]
            self._tty.type("".join(name.ljust(COLUMN) for name in row).rstrip())
        if not names:
            self._tty.type(NO_FILES)

    def _type(self, words: list[str]) -> bool:
        for name in words:
            try:
                text = self._area.read(name)
                self._tty.type(text, end="" if text.endswith("\n") else "\n")
            except AreaError as error:
                self._tty.type(str(error))
        return bool(words)

    def _help(self, words: list[str]) -> None:
        if not words:
            self._tty.type(HELP.format(" ".join(PROGRAMS)))
        for name in words:
            commands = [line for line in HELP.splitlines() if line.split()[0] == name]
            self._tty.type(
                PROGRAMS.get(name, "\n".join(commands)) or UNKNOWN.format(name)
            )

    def _set(self, words: list[str]) -> bool:
        line = self._tty.discipline
        wanted: dict[str, bool] = {}
        on = True
        for word in words:
            if word == "NO":
                on = False
                continue
            wanted[word], on = on, True
        if not on or not set(wanted) <= set(SWITCHES):
            return False
        for word, value in wanted.items():
            if word == "FILL":
                line.fill = (line.fill or FILL) if value else 0
            else:
                setattr(line, word.lower(), value)
        if not words:
            now = (line.fill, line.echo, line.full, line.tabs)
            self._tty.type(
                SETTINGS.format(
                    " ".join(
                        word if value else f"NO {word}"
                        for word, value in zip(SWITCHES, now)
                    )
                )
            )
        return True
