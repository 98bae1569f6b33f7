"""The teletype that programs see, at the end of a real line.

A ^C has these effects:

- A program that waits for input pauses there.
- A program that types pauses at its next question.
- A program that works calls `poll` now and then.  After a ^C the next call
  just ends the work early, with the result so far.
- After ^C twice a program pauses even in the middle of its work.

A pause is inside `ask`, `poll` or `pause`.  The monitor types its dot there, and
CONTINUE returns to the program; without the monitor, Leave is raised.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import final

from sail.line import tape
from sail.line.driver import Driver
from sail.line.models import Model
from sail.line.ports import Hangup, Port
from sail.settings import Settings, changed
from sail.stop import Stopped
from sail.teletype import EndOfInput, Leave, Teletype

POLL_EVERY = 0.02  # seconds between two looks at the line during work
PAGE = 16  # rows at most that are typed again after a hangup: a board and more
ONE_LOOP = "ONE LOOP: TTY LOOP IS SET."


@final
class Station(Teletype):
    """A machine, and who sits there: its owner, or one visitor after another.

    It survives hangups: what a program types then is typed when the line is back.
    """

    def __init__(self, port: Port, model: Model) -> None:
        self.driver = Driver(port, model)
        self.budget = self.driver.budget
        self.code = self.driver.carriage.code
        self.live = port.live
        self.greeting = ""  # typed when a line comes back
        self.page: list[str] = []  # the last texts, typed then, too
        self.on_pause: Callable[[], None] = raise_leave  # if it returns, work goes on
        self.owner_settings = model.settings  # without the LOOP that `_reconnect` sets
        self._next_poll = 0.0  # the time of the next look at the line during work
        self._cut_short = False  # whether a ^C has ended the work early

    def __enter__(self) -> Station:
        on_signals(self.end_job)
        self.driver.channel.port.setup()
        return self

    def __exit__(self, *error: object) -> None:
        self.driver.close()

    def end_job(self, *_: object) -> None:
        """Let the job end: what uses the teletype next raises Leave."""
        self.driver.job_ends = True

    # The settings.

    @property
    def settings(self) -> Settings:
        return self.driver.carriage.settings

    def set(self, words: str) -> None:
        """Change the owner's settings by the words after TTY.  Raises Refusal."""
        now, owners = self.settings, self.owner_settings
        self.apply(changed(now, words), changed(owners, words))

    def apply(self, settings: Settings, owners: Settings) -> None:
        """Use these settings, and note the owner's own.  Raises Refusal."""
        self.driver.channel.apply(settings)
        self.owner_settings = owners

    # Typing and asking.

    def type(self, text: str = "", end: str = "\n") -> None:
        """Type the text at the line's pace; after a hangup, type all of it again.

        After ^O or ^C, and when the job must end, type nothing.  Raises LineError.
        """
        self._print(text + end, self.budget.grant_output)
        if not self.driver.discipline.mute:
            self._keep(text + end)

    def _keep(self, text: str) -> None:
        """Add a text to the page; texts leave it whole, the oldest first."""
        page = self.page
        if page and not page[-1].endswith("\n"):
            text = page.pop() + text
        most = PAGE * self.settings.width
        page.append("".join(text[-most:].splitlines(True)[-PAGE:]))
        while "".join(page).count("\n") > PAGE:
            del page[0]

    def send(self, data: bytes) -> None:
        """Send bytes of the machine's code as they are."""
        with suppress(Hangup):  # which the next line finds, too
            self.driver.send(data)

    def _print(self, text: str, grant: Callable[[str], str]) -> None:
        """Do what `type` does, but do not add the text to the page."""
        while not self.driver.must_leave:
            try:
                return self.driver.print_text(text, grant)
            except Hangup:
                self._reconnect()

    def greet(self, greeting: str) -> None:
        """Type a greeting; after a hangup, with the page."""
        self.greeting = greeting
        try:
            self.driver.print_text(f"{greeting}\n", self.budget.grant_unasked)
        except Hangup:
            self._reconnect()

    def ring(self) -> None:
        if self.settings.bell:
            self._print("\a", self.budget.grant_output)

    def ask(self, prompt: str = "", silence: float = inf) -> str:
        """See Teletype.  silence: the seconds of it that end a line like RETURN."""
        driver, discipline = self.driver, self.driver.discipline
        self._cut_short = False
        while True:
            driver.leave_if_must()
            if discipline.interrupts:
                self.pause()
            discipline.mute = False
            ahead = bool(discipline.lines)
            self._print(prompt, self.budget.grant_output)
            try:
                driver.await_line(silence)
            except Hangup:
                self._reconnect()
            if discipline.lines and not discipline.interrupts:
                line = discipline.lines.popleft()
                if line is None:
                    self.doubt()
                    raise EndOfInput
                self.budget.note_line(line)
                if ahead:
                    self._print(line + "\n", self.budget.grant_unasked)
                return line

    def in_figures(self, typed: str) -> str:
        return self.code.in_figures(typed)

    def doubt(self) -> None:
        self.budget.doubt()

    def punch(self, text: str, name: str, title: str = "") -> None:
        frames = tape.frames(text, name, self.code, self.settings.width, title)
        self.driver.punch(frames)

    def read_tape(self) -> str:
        """See Driver."""
        return self.driver.read_tape()

    # After a ^C.

    def poll(self) -> bool:
        self.driver.leave_if_must()
        now = self.driver.channel.port.clock()
        if now < self._next_poll:
            return self._cut_short
        self._next_poll = now + POLL_EVERY
        with suppress(Hangup):  # the next question waits for the line
            self.driver.attend(0)
        if self.driver.discipline.interrupts > 1:
            self.pause()
        elif self.driver.discipline.interrupts:
            self.driver.discipline.forget_interrupts()
            self._cut_short = True
        return self._cut_short

    def pause(self) -> None:
        self._cut_short = False
        self.driver.discipline.forget_interrupts()
        self.doubt()
        page = self.page.copy()
        self.on_pause()
        self.page = page  # not what was typed at the dot

    # Who sits there.

    def begin_visit(self) -> None:
        """From now on a ^C, a hangup or a silence of PATIENCE minutes raises Leave."""
        self.on_pause = raise_leave
        self.driver.in_visit = True
        # A ^O before it was not meant for it.
        self.driver.discipline.forget_interrupts()

    def end_visit(self) -> None:
        """Forget the visitor; nobody sits there now."""
        self.driver.in_visit = False
        self.budget.new_person()
        self.page.clear()
        self.driver.begin_anew(self.owner_settings)

    def _reconnect(self) -> None:
        """Wait for the line; type the greeting and, after a hangup, the page again.

        If the line has proved to be one loop, set LOOP and type ONE_LOOP instead.  A
        visitor's hangup raises Leave.
        """
        driver = self.driver
        while not driver.must_leave:
            found_loop = driver.channel.found_loop
            if driver.in_visit and not found_loop:
                raise Leave
            with suppress(Hangup):  # then try again
                driver.channel.reopen()
                driver.begin_anew(self.owner_settings)
                if found_loop:
                    driver.channel.apply(changed(self.settings, "LOOP"))
                    self.budget.note_loop()
                    return driver.print_text(ONE_LOOP + "\n", self.budget.grant_unasked)
                driver.await_ready()
                page = "".join([self.greeting, "\n", *self.page])
                return driver.print_text(page, self.budget.grant_page)


def raise_leave(*_: object) -> None:
    raise Leave


def raise_stopped() -> None:
    raise Stopped


def on_signals(handler: Callable[..., None]) -> None:
    """Handle the signals that end a job, unless they are ignored already.

    (kalah.py has reset SIGINT, so that one is handled in any case.)
    """
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)
