"""The monitor: its prompt, the dot, and the commands typed after it.

It imitates Stanford's monitor of 1974 (MON) as far as one user and the
programs here need it.  Printed lines not marked MON are our own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from sail.area import Area, AreaError
from sail.line import settings, tape
from sail.line.ports import LineError
from sail.line.station import Station
from sail.manuals import LINE, part
from sail.programs import files, registry
from sail.programs.questions import attempt
from sail.programs.record import minute
from sail.refusal import printable
from sail.teletype import EndOfInput, Leave, Teletype

GREETING = "KALAH MONITOR, AFTER STANFORD'S OF 1974.  TYPE HELP FOR HELP."
DOT = "."  # MON
UNKNOWN = "{}?"  # MON
MISSING = "?\n{}.DMP NOT FOUND"  # MON
CANT_CONTINUE = "CAN'T CONTINUE"  # MON
NO_FILES = "NO FILES"
NO_MEMORY = "?\nNOT ENOUGH MEMORY FOR {}"
BROKEN = "?\nINTERNAL ERROR IN {}"
SETTINGS = "TTY {}"
NOT_PUNCHED = "THE TAPE IS INCOMPLETE."
IS_THERE = "{} ALREADY EXISTS: READ THE TAPE UNDER ANOTHER NAME."
NOT_READ = "THE TAPE ENDED EARLY: NOTHING WAS KEPT."
IS_READ = "{} HAS {} LINES."
COLUMN = 12  # columns for each file name
MORE_HELP = """\
; COMMENT    IS IGNORED
COMMANDS MAY BE ABBREVIATED.
PROGRAMS: {}
HELP LINE TYPES THE TELETYPE'S MANUAL.
RUBOUT DELETES A CHARACTER, ^U THE LINE; ^R TYPES IT AGAIN.  ^C STOPS A
PROGRAM, ^O ITS OUTPUT; ^S AND ^Q HOLD AND RESUME IT.  ^Z ENDS INPUT."""
TTY_HELP = """\
TTY          TYPES THE SETTINGS
TTY WORDS    CHANGES THEM:
FILL N       FILLERS SENT WHILE THE CARRIAGE RETURNS, OR NO FILL
ECHO         WE PRINT WHAT YOU TYPE; NO ECHO: THE MACHINE DOES
FULL         LOWER CASE TOO; NO FULL: CAPITALS ONLY
TABS         THE MACHINE HAS TABULATOR STOPS; NO TABS: BLANKS
WIDTH N      COLUMNS OF THE PAPER
LF           A LINE FEED AFTER EACH RETURN; NO LF: IT FEEDS BY ITSELF
PACE N       CHARACTERS A SECOND; NO PACE: THE RATE OF THE PORT
MOTOR        RTS STOPS THE MOTOR IN SILENCE; NO MOTOR: IT RUNS ON
BELL         IT RINGS WHEN IT IS YOUR TURN AND WHEN A GAME ENDS
USOS         FIVE LEVELS: A SPACE UNSHIFTS; NO USOS: IT DOES NOT
LOOP         KEYBOARD AND PRINTER SHARE ONE LOOP; NO LOOP: TWO
CTS          IT STOPS OUR TYPING BY CTS; NO CTS: IT KEEPS UP
TAPE         IT HAS A PUNCH: KALAH OFFERS A TAPE; NO TAPE: NONE
PATIENCE N   MINUTES OF SILENCE AFTER WHICH A VISITOR HAS LEFT"""


class NotUnderstood(Exception):
    """The command does not exist, or lacks an argument."""


def complete(typed: str, names: Iterable[str]) -> str:
    """Return the name that equals `typed`, or the only one beginning with it, or ""."""
    found = [name for name in names if name.startswith(typed)]
    return typed if typed in found else found[0] if len(found) == 1 else ""


def with_each(
    deed: Callable[[Monitor, str], None],
) -> Callable[[Monitor, list[str]], None]:
    """Turn an action on one file into a command for one or more; it types Refusals."""

    def carry_out(self: Monitor, names: list[str]) -> None:
        if not names:
            raise NotUnderstood
        for name in names:
            attempt(self._tty, partial(deed, self, name))

    return carry_out


@contextmanager
def surviving(tty: Teletype, name: str) -> Iterator[None]:
    """Survive errors in the named program or command, to keep the line open."""
    try:
        yield
    except (EndOfInput, LineError, NotUnderstood):
        raise
    except (MemoryError, SystemError):  # CPython raises either when memory runs out
        tty.type(NO_MEMORY.format(name))
    except Exception:  # noqa: BLE001
        import traceback

        traceback.print_exc(file=sys.stderr)
        tty.type(BROKEN.format(name))


class Monitor:
    """One user's job at a teletype."""

    def __init__(self, tty: Station, area: Area) -> None:
        self._tty = tty
        self._area = area
        self._wanted = ""  # the program to run next
        self._over = False  # whether the user has left
        self._running = False  # whether a program is running or stopped
        self._stopped = False  # whether it is stopped, in `ask` or `poll`

    def run(self, program: str = "", for_ever: bool = False) -> None:
        """Serve one user until KJOB or the end of the input.

        program: the program to run at once, if any.  for_ever: whether to greet
        the next user after KJOB, and so return only when the job must end.
        """
        tty = self._tty
        tty.greeting, tty.on_stop = GREETING, self._stop
        self._wanted = program
        with suppress(Leave):
            while True:
                self._over = False
                tty.greet()
                while not self._over:
                    if self._wanted:
                        self._start()
                    else:
                        self._listen()
                if not for_ever:
                    return

    def _start(self) -> None:
        name, self._wanted = self._wanted, ""
        if name not in registry.PROGRAMS:
            self._tty.type(MISSING.format(name))
            return
        self._running = True
        with suppress(EndOfInput, Leave), surviving(self._tty, name):
            registry.find(name)(self._tty, self._area)
        self._running = self._stopped = False

    def _stop(self) -> None:
        """Serve the user inside a stopped program until CONTINUE.  Raises Leave."""
        if self._stopped or not self._running:
            return  # at the dot, a ^C has no effect
        self._stopped = True
        while self._stopped:
            self._listen()
            if self._wanted or self._over:
                raise Leave

    def _listen(self) -> None:
        """Type the dot, read a command and carry it out."""
        try:
            line = self._tty.ask(DOT)
        except EndOfInput:
            self._over = True
            return
        typed, *words = line.split(";")[0].upper().split() or [""]
        if typed in registry.PROGRAMS and not words:
            self._wanted = typed
        elif typed:
            name = complete(typed, COMMANDS)
            try:
                if not name:
                    raise NotUnderstood
                with surviving(self._tty, name):
                    COMMANDS[name][0](self, words)
            except NotUnderstood:
                self._tty.type(UNKNOWN.format(printable(typed)))

    def _run(self, words: list[str]) -> None:
        if not words:
            raise NotUnderstood
        self._wanted = words[0]

    def _continue(self, _: list[str]) -> None:
        if not self._stopped:
            self._tty.type(CANT_CONTINUE)
        self._stopped = False

    def _end(self, _: list[str]) -> None:
        self._over = True

    def _tell_time(self, _: list[str]) -> None:
        self._tty.type(minute())

    def _list_files(self, _: list[str]) -> None:
        names = self._area.names()
        a_line = self._tty.width // COLUMN
        for first in range(0, len(names), a_line):
            row = names[first : first + a_line]
            self._tty.type("".join(name.ljust(COLUMN) for name in row).rstrip())
        if not names:
            self._tty.type(NO_FILES)

    def _set(self, words: list[str]) -> None:
        attempt(self._tty, lambda: self._tty.set(" ".join(words)))
        if not words:
            for row in settings.words(self._tty.settings):
                self._tty.type(SETTINGS.format(row))

    def _help(self, words: list[str]) -> None:
        if words:
            help_on(self._tty, *words)
            return
        for _, line in HELP:
            self._tty.type(line)
        self._tty.type(MORE_HELP.format(" ".join(registry.PROGRAMS)))

    @with_each
    def _type(self, name: str) -> None:
        text = files.read(self._area, files.full_name(self._area, name))
        self._tty.type(text, end="" if text.endswith("\n") else "\n")

    @with_each
    def _punch(self, name: str) -> None:
        name = files.full_name(self._area, name)
        if not self._tty.punch(files.read(self._area, name), name):
            raise tape.NoTape(NOT_PUNCHED)

    @with_each
    def _read(self, name: str) -> None:
        if self._area.has(name):
            raise AreaError(IS_THERE.format(name))
        text = self._tty.read_tape()
        if text is None:
            raise tape.NoTape(NOT_READ)
        files.check(text, name, self._tty.poll)
        self._area.create(name, text)
        self._tty.type(IS_READ.format(name, len(text.splitlines())))


def help_on(tty: Teletype, typed: str, *words: str) -> None:
    """Type the help for a command, or the part of a manual that `words` names."""
    name = complete(typed, (*registry.PROGRAMS, LINE, *COMMANDS))
    if name in COMMANDS:
        text = TTY_HELP if name == "TTY" else COMMANDS[name][1]
    else:
        typed = " ".join(words) if name else typed
        text = part(name, typed) if name else ""
    tty.type(text.rstrip("\n") or UNKNOWN.format(printable(typed)))


# The commands: the method that carries out each one, given the words after it,
# and its line in HELP.
HELP = (
    (Monitor._run, "R NAME       RUNS A PROGRAM; SO DO RUN NAME AND THE NAME ALONE"),
    (Monitor._continue, "CONTINUE     RESUMES THE PROGRAM THAT ^C STOPPED"),
    (Monitor._list_files, "DIRECTORY    LISTS THE FILES IN YOUR AREA"),
    (Monitor._type, "TYPE FILE    TYPES ONE OF THEM; FIG2 MEANS FIG2.POS"),
    (Monitor._punch, "PUNCH FILE   PUNCHES ONE ON PAPER TAPE"),
    (Monitor._read, "READ FILE    READS A TAPE INTO A NEW FILE"),
    (Monitor._help, "HELP NAME    TYPES A PROGRAM'S MANUAL, OR WHAT A COMMAND DOES"),
    (Monitor._set, "TTY WORDS    CHANGES THE LINE'S SETTINGS; HELP TTY LISTS THEM"),
    (Monitor._tell_time, "DAYTIME      TYPES THE DATE AND TIME"),
    (Monitor._end, "KJOB         ENDS YOUR JOB; SO DOES LOGOUT"),
)
COMMANDS = {line.split()[0]: (deed, line) for deed, line in HELP}
COMMANDS |= {"RUN": COMMANDS["R"], "LOGOUT": COMMANDS["KJOB"]}
