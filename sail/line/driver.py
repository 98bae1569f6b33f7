"""The driver: a carriage and a discipline on a channel.

It sees to the order of what is printed: first what is owed, then the echo where it
splits nothing, then the text.  While it waits to print, it goes on reading.
"""

from __future__ import annotations

from contextlib import suppress

from sail.line.carriage import Carriage
from sail.line.channel import WAKE, Channel
from sail.line.discipline import Discipline
from sail.line.ports import Hangup, LineError
from sail.teletype import EndOfInput, Leave

PAUSE = 0.5  # seconds of silence that part one line's end from the next
DEAF = 5.0  # seconds in which the line takes no byte; then a ^C drops the output


class Driver:
    """One machine.  Every method but `close` and `forget` may raise Hangup."""

    def __init__(
        self, channel: Channel, carriage: Carriage, discipline: Discipline
    ) -> None:
        self.channel = channel
        self.carriage = carriage
        self.discipline = discipline
        self.owed = b""  # to be sent before any text: it switches punch or reader off
        self._echoed = False  # whether the line so far ends with an echo

    def close(self) -> None:
        """Send what is owed, end the line that was begun, and close the channel."""
        data = self.owed + (self.carriage.render("\n") if self.carriage.column else b"")
        with suppress(Hangup, LineError):
            while data and (sent := self.channel.write(data)):
                data = data[sent:]
        self.channel.close()

    def forget(self) -> None:
        """Forget everything typed and printed; the silence begins now."""
        self.carriage.reset()
        self.discipline.forget()
        self.channel.forget()

    def check_over(self) -> None:
        """Raise Leave when the job must end, or the visit."""
        if self.channel.over:
            raise Leave

    def say(self, text: str) -> None:
        """Print the text until muted or over."""
        self.send_owed()
        self.send_echo()
        text = self.carriage.fold(text, anew=self._echoed)
        length = self.channel.piece
        for start in range(0, len(text), length):
            if not self._may_print():
                break
            # Echo what was typed only at an empty line, so that it does not
            # split a board.  But answer at once a machine that itself prints what
            # is typed: its carriage has moved.
            if text[start - 2 : start] == "\n\n" or not self.carriage.settings.echo:
                self.send_echo()
            if self._echoed:
                self.send(self.carriage.render("\n"))
            self._echoed = False
            self.send(self.carriage.render(text[start : start + length]))
        self.send_echo()

    def _may_print(self) -> bool:
        """Wait for the line, and in one loop for whoever types; False if muted or over."""
        self._listen_if_live()  # even if muted: another ^O may be there, or a hangup
        while not (self.discipline.mute or self.channel.over):
            if self._is_ready():
                if not self._would_interrupt:
                    return True
                self.listen(WAKE)
                self.send_echo()
        return False

    @property
    def _would_interrupt(self) -> bool:
        """Whether keyboard and printer share one loop, and somebody types a line."""
        until = self.channel.heard + self.discipline.unfinished
        return self.carriage.settings.loop and self.channel.clock() < until

    def send_echo(self) -> None:
        """Send what answers the keyboard: XOFF or XON to a sender, and the echo."""
        self.send(self.discipline.throttle())
        while self.discipline.echoes:
            self.send(self.discipline.echo())
            self._echoed = self.carriage.settings.echo and self.carriage.column > 0

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
            if self._is_ready():
                sent = self.channel.write(data)
                data = data[sent:]
                if sent:
                    since = self.channel.clock()
                else:
                    self._listen_if_live()
        return not data

    def _is_ready(self) -> bool:
        """Return True if the line takes a byte now; if not, wait a moment."""
        on_hold = self.discipline.on_hold
        delay = WAKE if on_hold else min(self.channel.delay(), WAKE)
        if delay and (self.channel.live or on_hold):
            self.listen(delay)
        elif delay:
            self.channel.sleep(delay)
        return not delay

    def listen(self, timeout: float) -> None:
        """Process what is typed within timeout seconds (from a pipe, one line)."""
        discipline, channel = self.discipline, self.channel
        # With its motor off, a keyboard sends only garbage, or a BREAK that is
        # meant to start the motor.
        if channel.fetch(timeout) and channel.start_motor():
            channel.typed.clear()
        if channel.ended:
            discipline.end_input()
        if not channel.typed and channel.clock() > channel.heard + PAUSE:
            discipline.pause()
        at_once = channel.live or discipline.on_hold
        while channel.typed and (at_once or not (discipline.lines or discipline.stops)):
            if not at_once and channel.typed[0] not in b"\r\n":
                discipline.pause()  # what follows in a pipe is known at once
                if discipline.lines:
                    break
            discipline.receive(channel.typed.popleft())

    def _listen_if_live(self) -> None:
        if self.channel.live:
            self.listen(0)

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
            self.send(self.discipline.start_reader())
            self.attend(WAKE)
