"""The driver of a machine: it passes what is typed and printed, and the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from sail.line.carriage import Carriage
from sail.line.channel import WAKE, Channel, Looped
from sail.line.discipline import XOFF, XON, Discipline
from sail.line.loop import Loop
from sail.line.models import Model
from sail.line.ports import Hangup, LineError, Port
from sail.line.settings import Settings, changed
from sail.teletype import EndOfInput, Leave

XON_XOFF = XON + XOFF  # a screen sends these by itself
DEAF = 5.0  # seconds in which the line takes no byte; then a ^C drops the output
UNUSED = 1.0  # seconds of silence that stop the motor while nobody is at the machine


class Driver:
    """The hub between a discipline and a channel, with the settings of the machine.

    Every method may raise Hangup, except `set`, `begin_anew`, `forget` and `close`.
    """

    def __init__(
        self,
        port: Port,
        model: Model,
        baud: float | None,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self.carriage = Carriage(model, port.newline)
        self.code = self.carriage.code
        self.discipline = Discipline(model, self.carriage, port.end_key)
        self._owners_settings = model.settings  # without the LOOP that `reopen` sets
        seconds = model.framing.bits / baud if baud else 0.0
        loop = Loop(self.code.encode("\r")[0])
        self.channel = Channel(port, seconds, loop, clock, sleep)
        self.owed = b""  # to be sent before any text: it switches punch or reader off
        self._echoed = False  # whether the line so far ends with an echo
        if port.echoes:
            self.set("NO ECHO")
        if not port.at_left:
            self.carriage.forget_column()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.carriage.settings

    def set(self, words: str) -> None:
        """Change the owner's settings, given the words after TTY.  Raises BadSetting."""
        owners = changed(self._owners_settings, words)
        self._apply(changed(self.settings, words))
        self._owners_settings = owners

    def _apply(self, settings: Settings) -> None:
        self.channel.apply(settings)  # it may refuse them
        self.carriage.apply(settings)

    def reopen(self, why: Hangup) -> None:
        """Reopen the line, or set LOOP if it has proved to be one loop."""
        self.channel.reopen()
        if isinstance(why, Looped):
            self.forget()
            self._apply(changed(self.settings, "LOOP"))
        else:
            self.begin_anew()

    def close(self) -> None:
        """Send what is owed, end the line that was begun, and close the channel."""
        data = self.owed + (self.carriage.render("\n") if self.carriage.column else b"")
        with suppress(Hangup, LineError):
            while data and (sent := self.channel.write(data)):
                data = data[sent:]
        self.channel.close()

    def begin_anew(self) -> None:
        """Return to the owner's settings: another person may be on the line."""
        self.forget()
        self._apply(self._owners_settings)

    def forget(self) -> None:
        """Forget everything typed; the silence begins now."""
        self.channel.typed.clear()
        self.carriage.reset()
        self.discipline.forget()
        self.channel.heard = self.channel.clock()

    def check_over(self) -> None:
        """Raise Leave when the job must end, or the visit."""
        if self.channel.over:
            raise Leave

    def say(self, text: str) -> None:
        """Print the text until muted or leaving."""
        self.send_owed()
        self.send_echo()
        text = self.carriage.fold(text, anew=self._echoed)
        length = self.channel.piece
        for start in range(0, len(text), length):
            while not (self.channel.over or self.discipline.mute or self._is_ready()):
                pass
            if self.channel.live:
                self.listen(0)
            self._let_finish()
            if self.discipline.mute or self.channel.over:
                break
            # Echo what was typed only at an empty line, so that it does not
            # split a board.  But answer at once a machine that itself prints what
            # is typed: its carriage has moved.
            if text[start - 2 : start] == "\n\n" or not self.settings.echo:
                self.send_echo()
            if self._echoed:
                self.send(self.carriage.render("\n"))
            self._echoed = False
            self.send(self.carriage.render(text[start : start + length]))
        self.send_echo()

    def _let_finish(self) -> None:
        """If LOOP is set, wait until a line that somebody has begun is finished."""
        while self.settings.loop and not self.channel.over:
            if self.channel.clock() - self.channel.heard >= self.discipline.unfinished:
                return
            self.listen(WAKE)
            self.send_echo()

    def send_echo(self) -> None:
        """Send what answers the keyboard: the echo, and XOFF or XON to a sender."""
        self.send(self.discipline.throttle())
        while self.discipline.echoes:
            self.send(self.discipline.echo())
            self._echoed = self.settings.echo and self.carriage.column > 0

    def send_owed(self) -> None:
        """Send what is owed; it stays owed if the line does not take it."""
        if self.owed and self.send(self.owed):
            self.owed = b""

    def send(self, data: bytes) -> bool:
        """Send these bytes, each when the line is ready; return whether all went."""
        since = self.channel.clock()
        while data and not self.channel.over:
            if self.discipline.stops and self.channel.clock() > since + DEAF:
                self.carriage.reset()
                return False
            if not self._is_ready():
                continue
            sent = self.channel.write(data)
            data = data[sent:]
            if sent:
                since = self.channel.clock()
            elif self.channel.live:
                self.listen(0)
        return not data

    def _is_ready(self) -> bool:
        """Return True if the line takes a byte now; if not, wait a moment."""
        delay = WAKE if self.discipline.on_hold else self.channel.delay()
        if delay and (self.channel.live or self.discipline.on_hold):
            self.listen(min(delay, WAKE))
        elif delay:
            self.channel.sleep(min(delay, WAKE))
        return not delay

    def attend(self, timeout: float) -> None:
        """Process what is typed within timeout seconds, and echo it."""
        self.listen(timeout)
        if not self.discipline.on_hold:
            self.send_echo()
        self.channel.stop_idle_motor()

    def await_line(self) -> None:
        """Wait for a line or a ^C.  Raises EndOfInput, Leave."""
        while not (self.discipline.lines or self.discipline.stops):
            self.check_over()
            if self.channel.ended:
                raise EndOfInput
            self.attend(WAKE)

    def await_person(self) -> None:
        """Wait in silence, with the motor off, until a new person types a key.

        One pressed since `forget` will do.  Then restore the owner's settings, and
        forget the key.  Raises Leave.
        """
        self.channel.patience = 0.0
        typed: Sequence[int] | str = self.discipline.last.strip(XON_XOFF.decode())
        self.forget()
        while not typed:
            self.check_over()
            try:
                self.channel.fetch(WAKE)
                typed = [*self.channel.typed]
                self.channel.typed.clear()
                if not self.code.five:
                    typed = [key for key in typed if key & 0x7F not in XON_XOFF]
                self.channel.stop_idle_motor(UNUSED)
            except Hangup as why:
                with suppress(Hangup):
                    self.reopen(why)
        self.channel.start_motor()
        self.begin_anew()

    def listen(self, timeout: float) -> None:
        """Process what is typed within timeout seconds (from a pipe, one line)."""
        discipline, channel = self.discipline, self.channel
        # With its motor off, a keyboard sends only garbage, or a BREAK that is
        # meant to start the motor.
        if channel.fetch(timeout) and channel.start_motor():
            channel.typed.clear()
        if channel.ended:
            discipline.end_input()
        at_once = channel.live or discipline.on_hold
        while channel.typed and (at_once or not (discipline.lines or discipline.stops)):
            discipline.receive(channel.typed.popleft())
