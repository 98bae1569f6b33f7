"""The monitor: its prompt, the dot, and the commands typed after it.

It imitates Stanford's monitor of 1974 (MON, SAIL) as far as one user and the
programs here need it.  Printed lines without a comment MON, SAIL or AKC are ours.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import process_time
from typing import NoReturn

from sail import settings
from sail.files.area import Area
from sail.files.games import timestamp
from sail.line.ports import LineError
from sail.line.station import Station, raise_stopped
from sail.monitor import registry, trial
from sail.monitor.filing import FileCommands
from sail.refusal import OUT_OF_MEMORY, Refusal
from sail.stop import Stopped
from sail.talk.asking import (
    Asker,
    Command,
    Commands,
    command_meant,
    help_text,
    two_columns,
)
from sail.teletype import EndOfInput, Leave, Teletype
from sail.typed import name_meant, sanitized

GREETING = "KALAH MONITOR, AFTER STANFORD'S OF 1974.  TYPE R KALAH OR HELP."
UNKNOWN = "{}?"  # MON
RUNS = f"RUNS {', '.join(registry.PROGRAMS)}"
ALL_HELP = """\
COMMANDS MAY BE ABBREVIATED.
HELP LINE TYPES THE CONTENTS OF THE TELETYPE'S MANUAL, AND HELP LINE
KEYS IS ABOUT RUBOUT (ON FIVE LEVELS BLANK), ^C (BELL) AND THE OTHERS.
NAME.DMP WAS A PROGRAM'S FILE AT STANFORD, DUMPED FROM CORE."""


@contextmanager
def surviving(tty: Teletype, name: str) -> Iterator[None]:
    """Report an error in the named program or command, and go on."""
    try:
        yield
    except (EndOfInput, LineError):
        raise
    except OUT_OF_MEMORY:
        tty.type(f"?\nNOT ENOUGH MEMORY FOR {name}")
    except Exception:  # noqa: BLE001
        traceback.print_exc(file=sys.stderr)
        tty.type(f"?\nINTERNAL ERROR IN {name}")


class Run(Leave):
    """R ends the program that pauses, if any, and runs the named one."""


class Logout(Leave):
    """The user leaves: KJOB, or the end of his input."""


class Monitor:
    """One user's job at a teletype."""

    def __init__(self, tty: Station, area: Area) -> None:
        self.tty = tty
        self.asker = Asker(tty, area, "LINE", ())
        self._began = 0.0  # the process time, in seconds, when the user came
        self._paused = False  # whether a program pauses and may go on
        self.commands: Commands[None] = (
            Command("R", RUNS, self._run, "NAME", short=True, alias="RUN"),
            Command("CONTINUE", "RESUMES WHAT ^C STOPPED", self._continue, short=True),
            *FileCommands(tty, self.asker).commands,
            Command(
                "HELP",
                "TYPES ITS MANUAL'S CONTENTS",
                self._help,
                "KALAH",
                short=True,
                alias="?",
            ),
            Command("??", "TYPES ALL COMMANDS", self._help_all, short=True),
            Command(
                "TTY",
                "SETS THE LINE: HELP LINE SETTINGS",
                self._set,
                "WORDS",
                short=True,
            ),
            Command("DAYTIME", "TYPES DATE AND TIME", lambda _: tty.type(timestamp())),
            Command(
                "LOGIN", "THERE ARE NO ACCOUNTS", self._log_in, "PRJ,PRG", alias="L"
            ),
            Command("KJOB", "ENDS YOUR JOB", self._end, short=True, alias="QUIT"),
            Command("LOGOUT", "ENDS YOUR JOB, TOO", self._end),
        )

    def serve(self, program: str = "") -> NoReturn:
        """Serve one user after another.  Raises Leave when the job must end."""
        self.run(program)
        while True:
            self.run()

    def run(self, program: str = "") -> None:
        """Serve one user until KJOB or the end of the input.

        program: the program to run at once, if any.  Raises Leave, as `serve` does.
        """
        tty = self.tty
        if program:
            tty.budget.note_line(program)  # typed at the shell, by a person
        self._began = process_time()
        tty.greet(GREETING)
        with suppress(Logout):
            while True:
                self._paused = False
                try:
                    if program:
                        self._start(program)
                    while True:
                        self._obey_line()
                except Run as wanted:
                    (program,) = wanted.args

    def _start(self, name: str) -> None:
        if name not in registry.PROGRAMS:
            self.tty.doubt()
            self.tty.type(f"?\n{sanitized(name)}.DMP NOT FOUND")  # MON
            return
        self.tty.on_pause = self._pause
        with suppress(EndOfInput), surviving(self.tty, name):
            registry.load(name)(self.tty, self.asker.area).run()

    def _pause(self) -> None:
        """Serve the user while a program pauses, until CONTINUE."""
        self._paused = True
        while self._paused:
            self._obey_line()
        self.tty.on_pause = self._pause

    def _obey_line(self) -> None:
        """Type the dot, read a command and carry it out.  Raises Run, Logout, Leave."""
        self.tty.page.clear()
        self.tty.on_pause = raise_stopped
        try:
            line = self.tty.ask(".").partition(";")[0].upper()  # MON
        except EndOfInput:
            raise Logout from None
        except Stopped:
            return  # at the dot, a ^C has no effect
        line = " ".join(line.split())
        word = line.partition(" ")[0]
        if not word:
            return self.tty.doubt()
        # Noise must find little: an abbreviation may fit one command alone.
        command, rest = command_meant(self.commands, line, unique=True)
        with surviving(self.tty, command.word if command else word):
            try:
                if command and command.obey:
                    command.obey(rest)
                elif line in registry.PROGRAMS:
                    self._run(line)
                else:
                    raise Refusal(UNKNOWN.format(sanitized(word)))
            except Refusal as error:
                if not command or len(word) < 3:  # it may be noise
                    self.tty.doubt()
                self.tty.type(str(error))

    def _run(self, names: str) -> NoReturn:
        if not names:
            raise Refusal(UNKNOWN.format("R"))
        name = names.split()[0].removesuffix(".DMP")
        raise Run(name_meant(name, registry.PROGRAMS) or name)

    def _continue(self, _: str) -> None:
        if not self._paused:
            raise Refusal("CAN'T CONTINUE")  # MON
        self._paused = False

    def _log_in(self, typed: str) -> None:
        """Type that the user, if named, is unknown, and that there are no accounts.

        The default project is 1.
        """
        name = re.sub("[/.%]", ",", typed.replace(" ", ""))
        project, _, programmer = name.rpartition(",")
        user = sanitized(f"{project or 1},{programmer}")
        why = "THIS MACHINE HAS NO ACCOUNTS, AND YOU NEED NONE."
        raise Refusal(f"?\n[{user}] UNKNOWN.  {why}" if typed else why)

    def _end(self, _: str) -> NoReturn:
        minutes, seconds = divmod(round(process_time() - self._began), 60)
        self.tty.type(f"COMPUTER TIME USED: {minutes}:{seconds:02}")  # SAIL-LOGOUT
        raise Logout

    def _set(self, words: str) -> None:
        if words == "TEST":
            trial.run(self.tty, self.asker)
        elif words:
            self.tty.set(words)
        else:
            self.asker.type_lines(settings.as_commands(self.tty.settings))

    def _help(self, words: str) -> None:
        """Type the help for a command, or a part of a manual; for "", a short list."""
        if words:
            return self.tty.type(help_text(words, self.commands))
        short = (command for command in self.commands if command.short)
        self.asker.type_lines(two_columns(short))

    def _help_all(self, _: str) -> None:
        self.asker.type_lines([*two_columns(self.commands), ALL_HELP])
