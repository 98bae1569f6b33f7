"""The teletype that programs see, at the end of a real line.

A ^C has these effects:

- A program that waits for input stops there.
- A program that types stops at its next question.
- A program that works calls `poll` now and then.  After a ^C the next call
  just ends the work early, with the result so far.
- ^C twice stops a program even in the middle of its work.

A stopped program waits inside `ask`, `poll` or `pause`.  The monitor types its dot
there, and CONTINUE returns to the program; without the monitor, Leave is raised.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import final

from sail.line import ports
from sail.line.channel import State
from sail.line.device import Device
from sail.line.machine import Machine
from sail.line.models import MODELS, UTF8, Framing, Model
from sail.line.settings import Settings
from sail.line.unit import TapeUnit
from sail.stop import check_memory
from sail.teletype import EndOfInput, Leave, Teletype

POLL_EVERY = 0.02  # seconds between two looks at the line during work
PAGE = 12  # rows of text since the last answer, typed again after a hangup

ONE_LOOP = "ONE LOOP: ALL THAT WE TYPE COMES BACK, SO TTY LOOP IS SET."


@final
class Station(Teletype):
    """One machine at the end of a port."""

    def __init__(
        self,
        port: ports.Port,
        model: Model = UTF8,
        baud: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.live = port.live
        self.visitor = False
        self.greeting = ""  # typed when a line comes back
        # Called to stop the program; returns when the program may go on.
        self.on_stop = self._leave
        self.machine = Machine(port, model, baud, clock, sleep)
        self._unit = TapeUnit(self.machine)
        self._port = port
        self._page = ""  # the end of what `type` typed since the last answer
        self._next_poll = clock()
        self._cut_short = False  # whether a ^C has ended the work early

    def __enter__(self) -> Station:
        on_signals(self._end)
        self._port.take()
        return self

    def __exit__(self, *error: object) -> None:
        self.machine.close()

    def _end(self, *_: object) -> None:
        self.machine.leaving = True

    @property
    def width(self) -> int:
        return self.settings.width

    @property
    def has_tape(self) -> bool:
        return self.settings.tape

    @property
    def settings(self) -> Settings:
        return self.machine.settings

    def set(self, words: str) -> None:
        """Change the settings, given the words after TTY.  Raises BadSetting."""
        self.machine.set(words)

    def type(self, text: str = "", end: str = "\n") -> None:
        """Type the text at the line's pace; after a hangup, type all of it again.

        After ^O or ^C, and when the job must end, type nothing.  Raises LineError.
        """
        self._print(text + end)
        if not self.machine.discipline.mute:
            lines = (self._page + text + end)[-PAGE * self.width :].splitlines(True)
            self._page = "".join(lines[-PAGE:])

    def _print(self, text: str) -> None:
        """Do what `type` does, but do not add the text to `_page`."""
        while not self.machine.leaving:
            try:
                self.machine.say(text)
                return
            except ports.Hangup:
                self.greet()

    def ring(self) -> None:
        if self.settings.bell:
            self._print("\a")

    def ask(self, prompt: str = "") -> str:
        machine, discipline = self.machine, self.machine.discipline
        self._cut_short = False
        while True:
            machine.check_leaving()
            if discipline.stops:
                self._stop()
            discipline.mute = False
            ahead = bool(discipline.lines)
            self._print(prompt)
            try:
                machine.await_line()
            except ports.Hangup:
                self.greet()
            if discipline.lines and not discipline.stops:
                line = discipline.lines.popleft()
                self._page = ""
                if line is None:
                    raise EndOfInput
                if ahead:
                    self._print(line + "\n")
                return line

    def in_figures(self, typed: str) -> str:
        return self.machine.carriage.code.in_figures(typed)

    def hush(self) -> None:
        self.machine.discipline.hush()

    def poll(self) -> bool:
        machine, discipline = self.machine, self.machine.discipline
        machine.check_leaving()
        now = machine.clock()
        if now < self._next_poll:
            return self._cut_short
        self._next_poll = now + POLL_EVERY
        check_memory()
        if self.live:
            with suppress(ports.Hangup):  # the next question waits for the line
                machine.attend(0)
        if discipline.stops > 1:
            self._stop()
        elif discipline.stops:
            discipline.forget_stop()
            self._cut_short = True
        return self._cut_short

    def pause(self) -> None:
        self._cut_short = False
        self._stop()

    def punch(self, text: str, name: str, title: str = "") -> bool:
        return self._unit.punch(text, name, title)

    def read_tape(self) -> str | None:
        """Return the text of the tape in the reader; see TapeUnit."""
        return self._unit.read()

    def _stop(self) -> None:
        self.machine.discipline.forget_stop()
        self._page = ""
        self.on_stop()

    def _leave(self) -> None:
        raise Leave

    def greet(self) -> None:
        """Wait for the line; type the greeting and, after a hangup, the page again.

        If the line has proved to be one loop, type ONE_LOOP instead of the greeting.
        A visitor's hangup raises Leave.
        """
        machine, channel = self.machine, self.machine.channel
        if self.visitor and channel.state is not State.LOOPED:
            raise Leave
        while not machine.leaving:
            state = channel.state
            with suppress(ports.Hangup):
                if state is not State.UP:
                    machine.reopen()
                greeting = ONE_LOOP if state is State.LOOPED else self.greeting
                missed = self._page if state is State.GONE else ""
                machine.say(f"{greeting}\n{missed}")
                return


def on_signals(handler: Callable[..., None]) -> None:
    """Handle the signals that end a job, unless they are ignored already.

    (kalah.py has reset SIGINT, so that one is handled in any case.)
    """
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)


def open_teletype(
    line: str | None = None,
    model: str | None = None,
    baud: float | None = None,
    framing: Framing | None = None,
) -> Station:
    """Open a teletype on a line, or on the console if `line` is None.

    line: a device, a pyserial URL, or "pty": a pseudo-terminal, whose name is printed.
    model: a name in MODELS.  Default: 33 on a line; on the console utf8 or glass.
    baud, framing: instead of the model's.  The console ignores `framing`, and it is
    not paced without `baud`.  Raises ports.LineError.
    """
    if line is None:
        port, machine = ports.console(), on_console(model, baud)
        if not ports.adds_returns(otherwise=not model or machine.screen):
            port.newline = "\r\n"
        return Station(port, machine, baud)
    machine = MODELS[model or "33"]
    machine = machine._replace(framing=framing or machine.framing)
    baud = baud or machine.baud
    if line == "pty":
        pseudo = ports.Pseudo()
        ports.write_out(f"{pseudo.name}\n")
        return Station(pseudo, machine, baud)
    if line.startswith("rfc2217:"):
        ports.write_out(f"Calling {line}: this takes up to ten seconds.\n")
    return Station(Device(line, baud, machine.framing), machine, baud)


def on_console(name: str | None, baud: float | None) -> Model:
    """Return the named or default model for the console.  Raises ports.LineError."""
    if not name:
        encoding = getattr(sys.stdout, "encoding", None) or ""
        name = "utf8" if encoding.lower() == "utf-8" else "glass"
    machine = MODELS[name]
    if machine.framing.data == 5:
        raise ports.LineError(f"Model {name} has five levels: it needs --tty LINE.")
    if baud and baud <= 110:  # a line this slow has two stop bits
        machine = machine._replace(framing=machine.framing._replace(stop=2))
    return machine
