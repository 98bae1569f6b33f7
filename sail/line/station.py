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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import final

from sail.line import ports, unit
from sail.line.channel import Looped
from sail.line.device import Device
from sail.line.driver import Driver
from sail.line.models import MODELS, UTF8, Framing, Model
from sail.stop import Stopped
from sail.teletype import EndOfInput, Leave, Teletype

POLL_EVERY = 0.02  # seconds between two looks at the line during work
PAGE = 12  # rows of text since the last answer, typed again after a hangup
BOARD = 3  # rows of the shortest text that is typed again even after an answer

ONE_LOOP = "ONE LOOP: ALL THAT WE TYPE COMES BACK, SO TTY LOOP IS SET."


@final
class Station(Driver, Teletype):
    """One machine at the end of a port: a driver that survives a hangup."""

    def __init__(
        self,
        port: ports.Port,
        model: Model = UTF8,
        baud: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(port, model, baud, clock, sleep)
        self.greeting = ""  # typed when a line comes back
        self.board = ""  # the program's last text of several rows, typed then, too
        # Called to stop the program; returns when the program may go on.
        self.on_stop = self._leave
        self.visitor = False  # a stranger types: see `begin_visit`
        self._port = port
        self._page: list[str] = []  # what `type` typed last since the last answer
        self._next_poll = clock()
        self._cut_short = False  # whether a ^C has ended the work early

    def __enter__(self) -> Station:
        on_signals(self.end)
        self._port.take()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def end(self, *_: object) -> None:
        """Let the job end: what uses the teletype next raises Leave."""
        self.channel.leaving = True

    def begin_visit(self) -> None:
        """Let a hangup, or silence for PATIENCE minutes, raise Leave from now on."""
        self.visitor = True
        self.channel.patience = 60.0 * self.settings.patience

    def await_person(self) -> None:
        self.visitor = False
        super().await_person()

    @property
    def live(self) -> bool:  # type: ignore[override]
        return self.channel.live

    @property
    def width(self) -> int:
        return self.settings.width

    @property
    def has_tape(self) -> bool:
        return self.settings.tape

    @property
    def brief(self) -> bool:
        return self.settings.brief

    def type(self, text: str = "", end: str = "\n") -> None:
        """Type the text at the line's pace; after a hangup, type all of it again.

        After ^O or ^C, and when the job must end, type nothing.  Raises LineError.
        """
        self._print(text + end)
        if not self.discipline.mute:
            self._remember(text + end)

    def _remember(self, text: str) -> None:
        """Add a text to the page; older texts, such as boards, leave it whole."""
        page = self._page
        if page and not page[-1].endswith("\n"):
            text = page.pop() + text
        lines = text[-PAGE * self.width :].splitlines(True)
        page.append("".join(lines[-PAGE:]))
        if BOARD <= len(lines) <= PAGE:
            self.board = page[-1]
        while "".join(page).count("\n") > PAGE:
            del page[0]

    def _print(self, text: str) -> None:
        """Do what `type` does, but do not add the text to `_page`."""
        while not self.channel.over:
            try:
                self.say(text)
                return
            except ports.Hangup as why:
                self._reconnect(why)

    def ring(self) -> None:
        if self.settings.bell:
            self._print("\a")

    def ask(self, prompt: str = "") -> str:
        self._cut_short = False
        while True:
            self.check_over()
            if self.discipline.stops:
                self._stop()
            self.discipline.mute = False
            ahead = bool(self.discipline.lines)
            self._print(prompt)
            try:
                self.await_line()
            except ports.Hangup as why:
                self._reconnect(why)
            if self.discipline.lines and not self.discipline.stops:
                line = self.discipline.lines.popleft()
                self._page.clear()
                if line is None:
                    raise EndOfInput
                if ahead:
                    self._print(line + "\n")
                return line

    def in_figures(self, typed: str) -> str:
        return self.code.in_figures(typed)

    def hush(self) -> None:
        self.discipline.hush()

    def poll(self) -> bool:
        self.check_over()
        now = self.channel.clock()
        if now < self._next_poll:
            return self._cut_short
        self._next_poll = now + POLL_EVERY
        if self.live:
            with suppress(ports.Hangup):  # the next question waits for the line
                self.attend(0)
        if self.discipline.stops > 1:
            self._stop()
        elif self.discipline.stops:
            self.discipline.forget_stop()
            self._cut_short = True
        return self._cut_short

    def pause(self) -> None:
        self._cut_short = False
        self._stop()

    def punch(self, text: str, name: str, title: str = "") -> bool:
        return unit.punch(self, text, name, title)

    def _stop(self) -> None:
        self.discipline.forget_stop()
        self._page.clear()
        board = self.board
        self.on_stop()
        self.board = board  # not what was typed at the dot

    def _leave(self) -> None:
        raise Leave

    @contextmanager
    def giving_up(self) -> Iterator[None]:
        """Let a ^C raise Stopped within the block."""

        def give_up() -> None:
            raise Stopped

        on_stop, self.on_stop = self.on_stop, give_up
        try:
            yield
        finally:
            self.on_stop = on_stop

    def greet(self) -> None:
        """Type the greeting."""
        try:
            self.say(f"{self.greeting}\n")
        except ports.Hangup as why:
            self._reconnect(why)

    def _reconnect(self, why: ports.Hangup) -> None:
        """Wait for the line; type the greeting and, after a hangup, the page again.

        The last board precedes the page, unless it is on it.  If the line has proved
        to be one loop, type ONE_LOOP instead.  A visitor's hangup raises Leave.
        """
        while not self.channel.over:
            looped = isinstance(why, Looped)
            if self.visitor and not looped:
                raise Leave
            try:
                self.reopen(why)
                board = "" if self.board in self._page else self.board
                missed = "".join([self.greeting, "\n", board, *self._page])
                self.say(f"{ONE_LOOP}\n" if looped else missed)
                return
            except ports.Hangup as again:
                why = again


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
    name: str | None = None,
    baud: float | None = None,
    framing: Framing | None = None,
) -> Station:
    """Open a teletype on a line, or on the console if `line` is None.

    line: a device, a pyserial URL, or "pty": a pseudo-terminal, whose name is printed.
    name: of a model in MODELS.  Default: 33 on a line; on the console utf8 or glass.
    baud, framing: instead of the model's.  The console ignores `framing`, and it is
    not paced without `baud`.  Raises ports.LineError.
    """
    if line is None:
        port, model = ports.console(), console_model(name, baud)
        if not ports.adds_returns(otherwise=model.screen):
            port.newline = "\r\n"
        return Station(port, model, baud)
    model = MODELS[name or "33"]
    model = model._replace(framing=framing or model.framing)
    baud = baud or model.baud
    if line == "pty":
        pseudo = ports.Pseudo()
        ports.write_out(f"{pseudo.name}\n")
        return Station(pseudo, model, baud)
    if line.startswith("rfc2217:"):
        ports.write_out(f"Calling {line}: this takes up to ten seconds.\n")
    return Station(Device(line, baud, model.framing), model, baud)


def console_model(name: str | None, baud: float | None) -> Model:
    """Return the named or default model for the console.  Raises ports.LineError."""
    if not name:
        encoding = getattr(sys.stdout, "encoding", None) or ""
        name = "utf8" if encoding.lower() == "utf-8" else "glass"
    model = MODELS[name]
    if model.framing.data == 5:
        raise ports.LineError(f"Model {name} has five levels: it needs --tty LINE.")
    if baud and baud <= 110:  # a line this slow has two stop bits
        model = model._replace(framing=model.framing._replace(stop=2))
    return model
