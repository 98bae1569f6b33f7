"""The monitor: the dot, and what can be typed after it.

It imitates Stanford's monitor of 1974 (MON), as far as a job of one user and
the programs of this house need it.  A line without that key is ours.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module

from sail import special
from sail.area import Area, AreaError
from sail.engine import garbage
from sail.line import settings, tape
from sail.line.station import Station
from sail.manuals import LINE, manual
from sail.programs import record
from sail.refusal import Refusal, printable
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
NO_MANUAL = "IT HAS NO MANUAL."
NO_TAPE = "A MACHINE OF FIVE LEVELS HAS NO SUCH TAPE."
NOT_PUNCHED = "THE TAPE IS NOT WHOLE."
IS_THERE = "{} IS THERE ALREADY: READ IT UNDER ANOTHER NAME."
NOT_READ = "THE TAPE ENDED EARLY: NOTHING IS KEPT."
IS_READ = "{} HAS {} LINES."
HELP = """\
R NAME       RUNS A PROGRAM; SO DO RUN NAME AND THE NAME ALONE
CONTINUE     GOES ON WHERE ^C STOPPED A PROGRAM
DIRECTORY    THE FILES IN YOUR AREA
TYPE FILE    TYPES ONE OF THEM; FIG2 STANDS FOR FIG2.POS
PUNCH FILE   PUNCHES ONE ON PAPER TAPE
READ FILE    READS A TAPE INTO A NEW FILE
HELP NAME    THE MANUAL OF A PROGRAM, OR WHAT A COMMAND DOES
TTY WORDS    SETS THE LINE; HELP TTY NAMES THE WORDS
DAYTIME      DATE AND TIME
KJOB         ENDS YOUR JOB; SO DOES LOGOUT
; COMMENT    IS NOT LOOKED AT
COMMANDS MAY BE CUT SHORT.
PROGRAMS: {}
HELP LINE IS ABOUT THE TELETYPE.
RUBOUT DELETES A CHARACTER, ^U THE LINE; ^R TYPES IT AGAIN.  ^C STOPS A
PROGRAM, ^O ITS OUTPUT; ^S AND ^Q HOLD AND RESUME IT.  ^Z ENDS INPUT."""
TTY_HELP = """\
TTY          TYPES THE SETTINGS
TTY WORDS    CHANGES THEM:
FILL 2       FILLERS SENT WHILE THE CARRIAGE RETURNS, OR NO FILL
ECHO         WE PRINT WHAT YOU TYPE; NO ECHO: THE MACHINE DOES
FULL         LOWER CASE TOO; NO FULL: CAPITALS ONLY
TABS         THE MACHINE HAS TABULATOR STOPS; NO TABS: BLANKS
WIDTH 72     COLUMNS OF THE PAPER
LF           A LINE FEED AFTER EACH RETURN; NO LF: IT FEEDS BY ITSELF
PACE 10      CHARACTERS A SECOND; NO PACE: THE RATE OF THE PORT
MOTOR        RTS RUNS THE MOTOR, NOT IN SILENCE; NO MOTOR: ALWAYS"""

# Each is a module of sail.programs with a function run.
PROGRAMS = {
    "KALAH": "KALAH PLAYS THE GAME OF KALAH WITH YOU, AS AT STANFORD IN 1972.",
    "ATLAS": "ATLAS LEARNS FROM THE GAMES THAT IT LOSES, AS BELL'S PROGRAM OF 1968.",
    "RUSSEL": "RUSSEL SHOWS HOW A MOVE IS FOUND, AS IN A.I. MEMO 22 OF 1964.",
    "SILVER": "SILVER LOOKS AT EVERY MOVE, SO MANY TURNS AHEAD, AS ON A PDP-1.",
    "SOLVE": "SOLVE FINDS THE VALUE OF A POSITION UNDER PERFECT PLAY.",
}

COMMANDS = (
    "R", "RUN", "CONTINUE", "DIRECTORY", "TYPE", "PUNCH", "READ", "HELP", "TTY",
    "DAYTIME", "KJOB", "LOGOUT",
)  # fmt: skip
POSITION = ".POS"
COLUMN = 12  # columns for a name of a file


def find(name: str) -> Callable[[Station, Area], None]:
    """The function that runs a program.  Raises KeyError if there is none."""
    if name not in PROGRAMS:
        raise KeyError(name)
    run: Callable[[Station, Area], None]
    run = import_module(f"sail.programs.{name.lower()}").run
    return run


def whole(typed: str, names: Sequence[str]) -> str:
    """The only one of these names that begins so, or is that; else ""."""
    found = [name for name in names if name.startswith(typed)]
    return typed if typed in found else found[0] if len(found) == 1 else ""


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
        self._wanted: str  # the program to run next
        self._over: bool
        self._stopped = False  # a program is, inside its request for input

    def run(self, program: str = "", for_ever: bool = False) -> None:
        """Serve one user, until KJOB or the end of input.

        program: the one to run at once, if any.  for_ever: after KJOB the
        next user is greeted; only a job ended from outside returns.
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
        """Go on: a ^C at the dot has no program to stop."""

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
        except (MemoryError, SystemError):  # CPython raises either without memory
            self._tty.type(NO_MEMORY.format(name))
        except Exception:  # noqa: BLE001 - the line must stay
            import traceback

            traceback.print_exc(file=sys.stderr)
            self._tty.type(BROKEN.format(name))
        finally:
            self._tty.on_stop = self._nothing
            self._stopped = False
        garbage.collect()  # a search may leave a table of 60 MB in a cycle

    def _stop(self) -> None:
        """Serve the user inside a stopped program, until it goes on.

        Raises Leave when it shall not.
        """
        self._tty.on_stop = self._nothing
        self._stopped = True
        while self._stopped:
            self._command()
            if self._wanted or self._over:
                raise Leave
        self._tty.on_stop = self._stop

    def _obey(self, line: str) -> None:
        words = line.split(";")[0].upper().split()
        if not words:
            return
        typed, *words = words
        command = whole(typed, COMMANDS)
        if typed in PROGRAMS and not words:
            self._wanted = typed
        elif not command or not self._carry_out(command, words):
            self._tty.type(UNKNOWN.format(printable(typed)))

    def _carry_out(self, command: str, words: list[str]) -> bool:
        """Carry out a command; False if its words are not understood."""
        tty = self._tty
        if command in ("R", "RUN"):
            self._wanted = words[0] if words else ""
            return bool(words)
        if command in ("TYPE", "PUNCH", "READ"):
            deed = {"TYPE": self._type, "PUNCH": self._punch, "READ": self._read}
            for name in words:
                try:
                    deed[command](name)
                except Refusal as refusal:
                    tty.type(str(refusal))
            return bool(words)
        if command == "TTY":
            self._set(" ".join(words))
        elif command == "CONTINUE":
            if not self._stopped:
                tty.type(CANT_CONTINUE)
            self._stopped = False
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

    def _help(self, words: list[str]) -> None:
        if not words:
            self._tty.type(HELP.format(" ".join(PROGRAMS)))
        for typed in words:
            name = whole(typed, (*PROGRAMS, LINE, *COMMANDS))
            text = self._helped(name) if name else UNKNOWN.format(printable(typed))
            self._tty.type(text.rstrip("\n"))

    def _helped(self, name: str) -> str:
        """What HELP types about a program, the line, or a command."""
        if name in PROGRAMS or name == LINE:
            return manual(name) or f"{PROGRAMS.get(name, '')}  {NO_MANUAL}".strip()
        if name == "TTY":
            return TTY_HELP
        same = {"RUN": "R", "LOGOUT": "KJOB"}.get(name, name)
        lines = HELP.splitlines()
        return next(line for line in lines if line.split()[0] == same)

    def _set(self, words: str) -> None:
        try:
            self._tty.set(words)
        except settings.BadSetting as refusal:
            self._tty.type(str(refusal))
        if not words:
            self._tty.type(SETTINGS.format(settings.words(self._tty.settings)))

    # Files, on paper and on tape.

    def _type(self, name: str) -> None:
        text = self._text(self._file(name))
        self._tty.type(text, end="" if text.endswith("\n") else "\n")

    def _punch(self, name: str) -> None:
        if not self._tty.has_tape:
            raise tape.NoTape(NO_TAPE)
        name = self._file(name)
        if not self._tty.punch(tape.frames(self._text(name), name)):
            raise tape.NoTape(NOT_PUNCHED)

    def _read(self, name: str) -> None:
        if not self._tty.has_tape:
            raise tape.NoTape(NO_TAPE)
        if self._area.has(name):
            raise AreaError(IS_THERE.format(name))
        text = self._tty.read_tape()
        if text is None:
            raise tape.NoTape(NOT_READ)
        check(name, text)

        def new(old: str | None) -> str:
            if old is not None:
                raise AreaError(IS_THERE.format(name))
            return text

        self._area.change(name, new)
        self._tty.type(IS_READ.format(name, len(text.splitlines())))

    def _file(self, name: str) -> str:
        """The whole name of a file: FIG2.POS for FIG2, unless there is a FIG2."""
        position = name + POSITION
        if "." in name or self._area.has(name):
            return name
        return position if position in self._area.within_reach() else name

    def _text(self, file: str) -> str:
        """The text of a file; that of a position may be one that is shipped."""
        is_position = file.endswith(POSITION)
        return self._area.look_up(file) if is_position else self._area.read(file)


def check(name: str, text: str) -> None:
    """Raise a Refusal if a text from a tape is not what its name promises."""
    if name.endswith(POSITION):
        special.read(text, name)
    elif name in ("KALAH.OUT", "KALAH.TMP"):
        record.read(text, name)
    elif name.endswith(".OUT"):
        record.read_typed(text, name)
