"""The monitor: its prompt, the dot, and the commands typed after it.

It imitates Stanford's monitor of 1974 (MON, SAIL) as far as one user and the
programs here need it.  Printed lines without a comment MON, SAIL or AKC are ours.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from functools import partial
from time import process_time

from sail.files import games, positions, seal
from sail.files.area import Area, AreaError
from sail.files.games import timestamp
from sail.line import settings, tape
from sail.line.ports import LineError
from sail.line.station import Station
from sail.monitor import registry, trial
from sail.refusal import Refusal, sanitized
from sail.stop import Stop, Stopped
from sail.talk import manuals
from sail.talk.asking import (
    Asker,
    Back,
    Command,
    Question,
    attempt,
    command_meant,
    listed,
    rows_of,
)
from sail.teletype import EndOfInput, Leave, Teletype
from sail.typed import complete

GREETING = "KALAH MONITOR, AFTER STANFORD'S OF 1974.  R KALAH PLAYS, HELP HELPS."
DOT = "."  # MON
UNKNOWN = "{}?"  # MON
MISSING = "?\n{}.DMP NOT FOUND"  # MON
CANT_CONTINUE = "CAN'T CONTINUE"  # MON
NO_FILES = "NO FILES"
NOT_FOUND = "{} NOT FOUND."
NOT_HERE = "{} IS NOT ON THIS MACHINE."
NO_ACCOUNTS = "THIS MACHINE HAS NO ACCOUNTS, AND YOU NEED NONE."
UNKNOWN_USER = "?\n[{}] UNKNOWN.  "
IS_MANUAL = "{} IS A MANUAL: TYPE HELP {}."
NOT_OURS = "THE MANUAL OF 1972 IS NOT HERE.  SAILDART.ORG KEEPS THE LAB'S TAPES."
USED = "COMPUTER TIME USED: {}:{:02}"  # SAIL-LOGOUT, in our words
NO_MEMORY = "?\nNOT ENOUGH MEMORY FOR {}"
BROKEN = "?\nINTERNAL ERROR IN {}"
SETTINGS = "TTY {}"
NOT_PUNCHED = "THE TAPE IS INCOMPLETE."
NAME_TAKEN = "{} ALREADY EXISTS: CHOOSE ANOTHER NAME."
TAPE_CUT_SHORT = "THE TAPE ENDED EARLY: NOTHING WAS KEPT."
TAPE_READ = "{} HAS {} LINE{}."
DELETE = "DELETE {}? "
RENAME = "RENAME {} TO {}? "
YES_OR_NO = "TYPE Y OR N."
ONE_NAME = "TYPE A NAME: DELETE FILE."
TWO_NAMES = "TYPE TWO NAMES: RENAME OLD NEW."
MANUAL_1972 = "KALAH.AKC"  # AKC
# Commands that need a name to be understood, and our answers to those without one.
NEED_NAMES = ("R", "RUN", "TYPE", "READ", "DELETE", "RENAME", "PUNCH", "PTR")
FORMS = {"DELETE": ONE_NAME, "RENAME": TWO_NAMES}
HUSHED_FROM = 5  # unknown commands in a row after which the keyboard is hushed
NAME_WIDTH = 12  # columns for each file name
RUNS_HELP = f"RUNS {', '.join(registry.PROGRAMS)}"
MORE_HELP = "?? TYPES ALL COMMANDS."
ALL_HELP = """\
COMMANDS MAY BE ABBREVIATED.
HELP LINE TYPES THE CONTENTS OF THE TELETYPE'S MANUAL.
NAME.DMP WAS A PROGRAM'S FILE AT STANFORD, DUMPED FROM CORE."""
KEYS_HELP = """\
; BEGINS A COMMENT.
RUBOUT DELETES A CHARACTER, ^U THE LINE; ^R TYPES IT AGAIN.  ^C STOPS A
PROGRAM, ^O ITS OUTPUT; ^S AND ^Q HOLD AND RESUME IT.  ^Z ENDS INPUT."""
FIVE_KEYS_HELP = "BLANK DELETES A CHARACTER.  BELL STOPS A PROGRAM."  # on five levels
TTY_HELP = """\
TTY          TYPES THE SETTINGS
TTY WORDS    CHANGES THEM:
FILL N       FILLERS SENT WHILE THE CARRIAGE RETURNS, OR NO FILL
ECHO         WE PRINT WHAT YOU TYPE; NO ECHO: THE MACHINE DOES
FULL         LOWER CASE TOO; NO FULL: CAPITALS ONLY
TABS         IT HAS STOPS EVERY 8 COLUMNS: TABS GO OUT FOR BLANKS
WIDTH N      COLUMNS OF THE PAPER
LF           A LINE FEED AFTER EACH RETURN; NO LF: IT FEEDS BY ITSELF
PACE N       CHARACTERS A SECOND; NO PACE: THE RATE OF THE PORT
MOTOR        RTS STOPS THE MOTOR IN SILENCE; NO MOTOR: IT RUNS ON
BELL         IT RINGS WHEN IT IS YOUR TURN AND WHEN A GAME ENDS
USOS         FIVE LEVELS: A SPACE UNSHIFTS; NO USOS: IT DOES NOT
LOOP         KEYBOARD AND PRINTER SHARE ONE LOOP; NO LOOP: TWO
CTS          IT STOPS OUR TYPING BY CTS; NO CTS: IT KEEPS UP
BRIEF        KALAH TYPES A SHORT BOARD, AND ONE A TURN
TAPE         IT HAS A PUNCH: KALAH OFFERS A TAPE; NO TAPE: NONE
PATIENCE N   MINUTES OF SILENCE AFTER WHICH A VISIT ENDS
PUNCH FILE PUNCHES A TAPE, AND PTR FILE READS ONE.
TTY TEST TRIES THE MACHINE AND FINDS FILL, WIDTH, LF, ECHO AND USOS."""


@contextmanager
def surviving(tty: Teletype, name: str) -> Iterator[None]:
    """Report an error in the named program or command, and go on."""
    try:
        yield
    except (EndOfInput, LineError):
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
        self._began = 0.0  # the process time, in seconds, when the user came
        self._wanted = ""  # the program to run next
        self._over = False  # whether the user has left
        self._unknown = 0  # commands in a row that were not understood
        self._running = False  # whether a program is running or stopped
        self._stopped = False  # whether it is stopped
        each = self._each
        self.commands: tuple[Command[None], ...] = (
            Command("R", RUNS_HELP, self._run, "NAME", first=True),
            Command("RUN", "", self._run, "NAME"),
            Command("CONTINUE", "RESUMES WHAT ^C STOPPED", self._continue, first=True),
            Command("DIRECTORY", "LISTS YOUR FILES", self._list, "POS", first=True),
            Command("TYPE", "TYPES ONE OF THEM", each(self._type), "FILE", first=True),
            Command("READ", "TYPES A WHOLE MANUAL", each(self._read), "NAME"),
            Command(
                "HELP", "TYPES ITS MANUAL'S CONTENTS", self._help, "KALAH", first=True
            ),
            Command("?", "", self._help),
            Command("??", "", self._help_all),
            Command("DELETE", "DELETES A FILE OF YOURS", each(self._delete), "FILE"),
            Command("RENAME", "RENAMES ONE: RENAME OLD NEW", self._rename, "FILE"),
            Command("PUNCH", "PUNCHES A FILE ON PAPER TAPE", each(self._punch), "FILE"),
            Command("PTR", "READS A TAPE INTO A NEW FILE", each(self._read_in), "FILE"),
            Command("TTY", "SETS THE LINE: HELP TTY", self._set, "WORDS", first=True),
            Command("DAYTIME", "TYPES THE DATE AND TIME", self._tell_time),
            Command("LOGIN", "THERE ARE NO ACCOUNTS", self._log_in, "PRJ,PRG"),
            Command("L", "", self._log_in, "PRJ,PRG"),
            Command("KJOB", "ENDS YOUR JOB; SO DOES LOGOUT", self._end, first=True),
            Command("LOGOUT", "", self._end),
        )

    def run(self, program: str = "", for_ever: bool = False) -> None:
        """Serve one user until KJOB or the end of the input.

        program: the program to run at once, if any.  for_ever: after KJOB, greet the
        next user, and so on until the job must end.
        """
        tty = self._tty
        tty.greeting, tty.on_stop = GREETING, self._stop
        self._wanted = program
        with suppress(Leave):
            while True:
                self._over = False
                self._began = process_time()
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
            registry.load(name)(self._tty, self._area)
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
        self._tty.page.board = ""
        try:
            line = self._tty.ask(DOT)
        except EndOfInput:
            self._over = True
            return
        words = " ".join(line.partition(";")[0].upper().split())
        typed, _, rest = words.partition(" ")
        if words in registry.PROGRAMS:
            self._wanted = words
        elif words:
            command = command_meant(self.commands, typed, alone=True)
            word = command.word if command else ""
            if not command or (word in NEED_NAMES and not rest):
                self._tty.type(FORMS.get(word) or UNKNOWN.format(sanitized(typed)))
                self._unknown += 1
                if self._unknown % HUSHED_FROM == 0:
                    self._tty.hush()
                return
            self._unknown = 0
            with surviving(self._tty, word):
                attempt(self._tty, partial(command.obey, rest))

    def _each(self, action: Callable[[str], None]) -> Callable[[str], None]:
        """Return the function of a command that does this for each name typed."""

        def obey(names: str) -> None:
            for name in names.split():
                attempt(self._tty, partial(action, name))

        return obey

    def _run(self, names: str) -> None:
        self._wanted = names.split()[0]

    def _continue(self, _: str) -> None:
        if not self._stopped:
            self._tty.type(CANT_CONTINUE)
        self._stopped = False

    def _log_in(self, typed: str) -> None:
        """Type that the user, if named, is unknown, and that there are no accounts.

        The default project is 1.
        """
        name = re.sub("[/.%]", ",", typed.replace(" ", ""))
        project, _, programmer = name.rpartition(",")
        user = UNKNOWN_USER.format(sanitized(f"{project or 1},{programmer}"))
        self._tty.type(user + NO_ACCOUNTS if typed else NO_ACCOUNTS)

    def _end(self, _: str) -> None:
        self._over = True
        self._tty.type(USED.format(*divmod(round(process_time() - self._began), 60)))

    def _tell_time(self, _: str) -> None:
        self._tty.type(timestamp())

    def _list(self, typed: str) -> None:
        """List the files with these names or patterns; without any, the user's own."""
        wanted = typed.split()
        names = self._area.within_reach() if wanted else self._area.names()
        found = {name: _matching(name, names) for name in wanted}
        if wanted:
            names = sorted({name for each in found.values() for name in each})
        a_line = self._tty.width // NAME_WIDTH
        for first in range(0, len(names), a_line):
            row = names[first : first + a_line]
            self._tty.type("".join(name.ljust(NAME_WIDTH) for name in row).rstrip())
        for name in wanted:
            if not found[name]:
                refusal = NOT_HERE if "[" in name else NOT_FOUND
                self._tty.type(refusal.format(sanitized(name)))
        if not (names or wanted):
            self._tty.type(NO_FILES)

    def _set(self, words: str) -> None:
        if words == "TEST":
            trial.run(self._tty)
        elif words:
            self._tty.set(words)
        else:
            for row in settings.words(self._tty.settings):
                self._tty.type(SETTINGS.format(row))

    def _help(self, words: str) -> None:
        """Type the help for a command, or a part of a manual; for "", a short list."""
        if not words:
            first = (command for command in self.commands if command.first)
            self._tty.type("\n".join([*listed(rows_of(first)), MORE_HELP]))
            return
        commands = {command.word: command for command in self.commands}
        name = complete(words.partition(" ")[0], (*manuals.MANUALS, *commands))
        if name == "TTY":
            self._tty.type(TTY_HELP)
        elif name in commands:
            # An alias, such as L, has the help of the command before it, such as LOGIN.
            same = (it for it in self.commands if it.obey == commands[name].obey)
            self._tty.type(listed(rows_of(same))[0])
        else:
            self._tty.type(manuals.find(words))

    def _help_all(self, _: str) -> None:
        everything = (command for command in self.commands if command.help)
        keys = FIVE_KEYS_HELP if self._tty.code.five else KEYS_HELP
        self._tty.type("\n".join([*listed(rows_of(everything)), ALL_HELP, keys]))

    def _type(self, name: str) -> None:
        manual = name.removesuffix(".DOC")
        if manual != name and manual in manuals.MANUALS and not self._area.has(name):
            raise Refusal(IS_MANUAL.format(name, manual))
        text = self._text(self._full_name(name))
        self._tty.type(text, end="" if text.endswith("\n") else "\n")

    def _read(self, name: str) -> None:
        self._tty.type(manuals.find(f"{name} ALL"))

    def _punch(self, name: str) -> None:
        name = self._full_name(name)
        if not self._tty.punch(self._text(name), name):
            raise tape.NoTape(NOT_PUNCHED)

    def _read_in(self, name: str) -> None:
        if self._area.has(name):
            raise AreaError(NAME_TAKEN.format(name))
        text = self._tty.read_tape()
        if text is None:
            raise tape.NoTape(TAPE_CUT_SHORT)
        check(text, name, self._tty.poll)
        self._area.create(name, text)
        count = len(text.splitlines())
        self._tty.type(TAPE_READ.format(name, count, "S" * (count != 1)))

    def _delete(self, name: str) -> None:
        name = self._full_name(name)
        self._area.expect_own(name)
        if self._agrees(DELETE.format(name), "DELETES IT"):
            self._area.delete(name)

    def _rename(self, names: str) -> None:
        """Rename a file; a new name without an extension gets the old one's."""
        if len(names.split()) != 2:
            raise Refusal(TWO_NAMES)
        old, new = names.split()
        old = self._full_name(old)
        if "." not in new:
            new += "".join(old.partition(".")[1:])
        self._area.expect_movable(old, new)
        if self._agrees(RENAME.format(old, new), "RENAMES IT"):
            self._area.move(old, new)

    def _agrees(self, prompt: str, yes: str) -> bool:
        """Ask whether to do it; a ^C, a ^Z and QUIT mean NO."""
        asker, question = Asker(self._tty, "LINE", ()), Question(prompt, YES_OR_NO)
        try:
            with self._tty.giving_up():
                return asker.yes(question, yes, "LEAVES IT AS IT IS")
        except (Back, EndOfInput, Stopped):
            return False

    def _full_name(self, name: str) -> str:
        """Return FIG2.POS for FIG2 if only FIG2.POS exists, else the name unchanged.

        Raises Refusal for NAME[PRJ,PRG], and for the manual of 1972.
        """
        if name.startswith(MANUAL_1972) and name not in self._area.names():
            raise Refusal(NOT_OURS)
        if "[" in name:
            raise Refusal(NOT_HERE.format(sanitized(name)))
        position = name + positions.EXTENSION
        if "." in name or self._area.has(name):
            return name
        return position if position in self._area.within_reach() else name

    def _text(self, name: str) -> str:
        """Return the text of a file or a shipped position.  Raises AreaError."""
        is_position = name.endswith(positions.EXTENSION)
        if is_position:
            return self._area.look_up(name, as_is=True)
        return self._area.as_is(name)


def check(text: str, name: str, stop: Stop) -> None:
    """Raise a Refusal if the text is not what its name promises, or if stopped."""
    seal.verified(name, text)
    if name.endswith(positions.EXTENSION):
        positions.read_all(text, name)
    elif name in (games.OUT, games.TMP):
        games.read(text, name, stop)
    elif name.endswith(".OUT"):
        games.read_typed(text, name, stop)


def _matching(wanted: str, names: list[str]) -> list[str]:
    """Return the names that match a name, one of its halves, or a pattern."""
    patterns = () if "[" in wanted else (wanted, f"{wanted}.*", f"*.{wanted}")
    return [name for name in names if any(fnmatchcase(name, p) for p in patterns)]
