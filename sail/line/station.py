"""The teletype that programs see, at the end of a real line.

It connects the discipline, which interprets what is typed, and the channel,
which handles the port and its timing.  A ^C has these effects:

- ^C while a program waits for input stops it there.  A ^C typed while it
  types or works stops it at its next request for input.
- A program at work calls `poll` now and then, which returns True after a ^C:
  the work ends early with the result so far.  That ^C is then used up.
- ^C twice stops the program even in the middle of its work.

A stopped program waits inside `ask` or `poll`.  The monitor types its dot there,
and CONTINUE returns to the program; without the monitor, Leave is raised.
"""

from __future__ import annotations

import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import final

from sail.line import ports, tape
from sail.line.channel import WAKE, Channel
from sail.line.device import Device
from sail.line.discipline import BREAK, Discipline
from sail.line.loop import Loop
from sail.line.models import MODELS, UTF8, Framing, Model
from sail.line.settings import Settings, changed
from sail.stop import Stopped, check_memory
from sail.teletype import EndOfInput, Leave, Teletype

POLL = 0.02  # seconds between two looks at the line during work
STILL = 1.0  # seconds of silence after which a motor may stop for the next visitor
RUN_OUT = 1.0  # seconds of silence after which a tape has run out
DEAF = 5.0  # seconds without a byte sent, after which a ^C drops the output

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
        self.on_stop = self._leave  # stops the program; returns when it is to go on
        self.leaving = False  # the job must end: a signal, or nobody reads the output
        self.discipline = Discipline(model, port.newline, port.end_key)
        self._carriage = self.discipline.carriage
        seconds = model.framing.bits / baud if baud else 0.0
        loop = Loop(*self._carriage.code.encode("\r"))
        self._channel = Channel(port, seconds, loop, clock, sleep)
        self._port = port
        self._clock = clock
        self._next_poll = clock()
        self._cut_short = False  # whether a ^C has ended the work early
        self._unread: deque[int] = deque()  # bytes for the discipline
        self._echoed = False  # whether the line so far ends with an echo
        if port.echoes:
            self.set("NO ECHO")
        if not port.at_left:
            self._carriage.forget_column()

    def __enter__(self) -> Station:
        on_signals(self._end)
        self._port.take()
        return self

    def __exit__(self, *error: object) -> None:
        if self._carriage.column and not self._channel.gone:
            with suppress(ports.Hangup, ports.LineError, EOFError):
                self._channel.write(self._carriage.render("\n"))
        self._channel.close()

    def _end(self, *_: object) -> None:
        self.leaving = True

    @property
    def width(self) -> int:
        return self.settings.width

    @property
    def has_tape(self) -> bool:
        return self.settings.tape

    @property
    def settings(self) -> Settings:
        return self._carriage.settings

    def set(self, words: str) -> None:
        """Change the settings, given the words after TTY.  Raises BadSetting."""
        self._carriage.apply(changed(self.settings, words))
        self._channel.apply(self.settings)

    def type(self, text: str = "", end: str = "\n") -> None:
        """Type the text at the line's pace; after a hangup, type all of it again.

        After ^O or ^C, and when the job must end, type nothing.  Raises LineError.
        """
        text += end
        while self._channel.gone or not self._say(text):
            self.greet()
            if self.leaving:
                return

    def ring(self) -> None:
        if self.settings.bell:
            self.type("\a", end="")

    def ask(self, prompt: str = "") -> str:
        discipline, channel = self.discipline, self._channel
        self._cut_short = False
        while True:
            self._check_leaving()
            if discipline.stops:
                self._stop()
            discipline.mute = False
            ahead = bool(discipline.lines)
            self.type(prompt, end="")
            while not (discipline.lines or discipline.stops or channel.gone):
                self._check_leaving()
                if channel.ended:
                    raise EndOfInput
                self._attend(WAKE)
            if discipline.lines and not discipline.stops:
                line = discipline.lines.popleft()
                if line is None:
                    raise EndOfInput
                if ahead:
                    self.type(line)
                return line
            if channel.gone:
                self.greet()

    def poll(self) -> bool:
        self._check_leaving()
        now = self._clock()
        if now < self._next_poll:
            return self._cut_short
        self._next_poll = now + POLL
        check_memory()
        if self.live and not self._channel.gone:
            self._attend(0)
        if self.discipline.stops > 1:
            self._stop()
        elif self.discipline.stops:
            self.discipline.forget_stop()
            self._cut_short = True
        return self._cut_short

    def pause(self) -> None:
        self._cut_short = False
        self._stop()

    def _stop(self) -> None:
        self.discipline.forget_stop()
        self.on_stop()

    def _leave(self) -> None:
        raise Leave

    def _check_leaving(self) -> None:
        """Raise Leave when the job must end, or a visitor has left."""
        patience = 60 * self.settings.patience if self.visitor else 0
        if self.leaving or (patience and self._channel.silence > patience):
            raise Leave

    def await_visitor(self) -> None:
        """Wait in silence, with the motor off, until somebody types.

        From then on a hangup or a silence of PATIENCE minutes raises Leave.
        """
        channel = self._channel
        self.visitor = True
        self.forget()
        channel.heard = -1.0  # earlier than any key
        while channel.heard < 0:
            if self.leaving:
                raise Leave
            with suppress(ports.Hangup):
                if channel.gone:
                    channel.reopen()
                    channel.start_motor()  # opening a line may have done that
                else:
                    channel.read(WAKE)
                    channel.rest_motor(STILL)
        self.forget()

    def forget(self) -> None:
        """Forget everything typed; the silence begins now."""
        self._unread.clear()
        self._carriage.reset()
        self.discipline.forget()
        self._channel.heard = self._clock()

    def punch(self, text: str, name: str, title: str = "") -> bool:
        discipline, code = self.discipline, self._carriage.code
        code.reset()
        frames = tape.frames(text, name, code, title)
        with suppress(ports.Hangup):
            try:
                self._switch(tape.PUNCH_ON)
                for frame in frames:
                    if self.live:
                        self._listen(0)
                    if discipline.stops or self.leaving:
                        break
                    self._send(bytes([frame]))
                whole = not (discipline.stops or self.leaving)
            except Leave:
                self.forget()  # a ^S, which would hold the next control
                raise
            finally:
                self._switch(tape.PUNCH_OFF)
            self._carriage.forget_column()
            discipline.forget_stop()
            self._send_echo()
            return whole
        return False

    def read_tape(self) -> str | None:
        """Return the text of the tape in the reader, or of an input that ends.

        Return None if a ^C, a BREAK or a hangup ended it early.  Raises Leave.
        """
        try:
            self._switch(tape.READER_ON)
            text = tape.read(self._tape())
            if self._carriage.code.five:
                self._run_out()
            return text
        except (ports.Hangup, Stopped):
            return None
        finally:
            if not self.settings.echo:
                self._carriage.forget_column()  # the machine has printed the tape
            if not self._channel.gone:
                with suppress(ports.Hangup):
                    self._switch(tape.READER_OFF)

    def _run_out(self) -> None:
        """Drop the rest of a tape in a reader stopped by hand, up to BELL or BREAK."""
        code = self._carriage.code
        end = self._clock() + RUN_OUT
        while self.live and self._clock() < end and not self.leaving:
            self._unread += self._channel.read(WAKE)
            while self._unread:
                frame = self._unread.popleft()
                if frame == BREAK or code.decode(frame) == "\a":
                    return
                end = self._clock() + RUN_OUT

    def _switch(self, control: bytes) -> None:
        """Switch the punch or the reader; on five levels that is done by hand."""
        if not self._carriage.code.five:
            self._send(control)

    def _tape(self) -> Iterator[str]:
        """Yield what each frame means.  Raises Stopped after a ^C or a BREAK."""
        code = self._carriage.code
        while self._unread or not self._channel.ended:
            self._check_leaving()
            if not self._unread:
                self._unread += self._channel.read(WAKE)
                continue
            frame = self._unread.popleft()
            char = code.decode(frame) if code.five else chr(frame & 0x7F)
            if frame == BREAK or char == ("\a" if code.five else "\x03"):
                self.discipline.receive(frame)
                self.discipline.forget_stop()
                raise Stopped
            yield char

    def _say(self, text: str) -> bool:
        """Type the text, or discard it.  Return False after a hangup."""
        with suppress(ports.Hangup):
            self._send_echo()
            text = self._carriage.fold(text)
            length = self._channel.piece
            for start in range(0, len(text), length):
                while not (self.leaving or self.discipline.mute or self._await_line()):
                    pass
                if self.live:
                    self._listen(0)
                self._let_finish()
                if self.discipline.mute or self.leaving:
                    break
                # An echo waits for the end of a picture, except where the machine
                # prints what is typed: its carriage has already returned.
                if text[start - 2 : start] == "\n\n" or not self.settings.echo:
                    self._send_echo()
                if self._echoed:
                    self._send(self._carriage.render("\n"))
                self._echoed = False
                self._send(self._carriage.render(text[start : start + length]))
            self._send_echo()
        return not self._channel.gone

    def _let_finish(self) -> None:
        """In one loop, wait until a line that somebody has begun is finished."""
        while self.settings.loop and not self.leaving:
            if self._clock() - self._channel.heard >= self.discipline.pause:
                return
            self._listen(WAKE)
            self._send_echo()

    def _send_echo(self) -> None:
        while echo := self.discipline.echo():
            self._send(echo)
            self._echoed = self.settings.echo and self._carriage.column > 0

    def _send(self, data: bytes) -> None:
        """Send these bytes, each when the line is ready for it."""
        self._channel.start_motor()
        since = self._clock()
        while data and not self.leaving:
            if self.discipline.stops and self._clock() > since + DEAF:
                self._carriage.reset()
                return
            if not self._await_line():
                continue
            try:
                sent = self._channel.write(data)
            except EOFError:
                self.leaving = True
                return
            data = data[sent:]
            if sent:
                since = self._clock()
            elif self.live:
                self._listen(0)

    def _await_line(self) -> bool:
        """Return True if the line takes a byte now; if not, wait a moment."""
        if self.visitor:
            self._check_leaving()
        delay = WAKE if self.discipline.on_hold else self._channel.delay()
        if delay and (self.live or self.discipline.on_hold):
            self._listen(min(delay, WAKE))
        elif delay:
            self._channel.sleep(min(delay, WAKE))
        return not delay

    def _attend(self, timeout: float) -> None:
        """Process what is typed within timeout seconds, and echo it."""
        with suppress(ports.Hangup):
            self._listen(timeout)
            if not self.discipline.on_hold:
                self._send_echo()
            self._channel.rest_motor()

    def _listen(self, timeout: float) -> None:
        """Process what is typed within timeout seconds, or one line of a file."""
        discipline = self.discipline
        if not self._unread:
            self._unread += self._channel.read(timeout)
            if self._channel.ended:
                discipline.end_input()
        at_once = self.live or discipline.on_hold
        while self._unread and (at_once or not (discipline.lines or discipline.stops)):
            discipline.receive(self._unread.popleft())

    def greet(self) -> None:
        """Wait until there is a line, and type the greeting.

        In one loop, set LOOP and say so instead.  A visitor's hangup raises Leave.
        """
        channel = self._channel
        if self.visitor and not channel.looped:
            raise Leave
        while not self.leaving:
            greeting = ONE_LOOP if channel.looped else self.greeting
            with suppress(ports.Hangup):
                if channel.gone:
                    channel.reopen()
                    self.forget()
                if greeting == ONE_LOOP:
                    self.set("LOOP")
                if self._say(greeting + "\n"):
                    return


def on_signals(handler: Callable[..., None]) -> None:
    """Handle the signals that end a job, except those that it is to ignore."""
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

    line: a device, a pyserial URL, or "pty", which prints the name of a new one.
    model: a name in MODELS.  Default: 33 on a line; on the console utf8 or glass.
    baud, framing: instead of the model's.  The console ignores its model's rate and
    any framing.  Raises ports.LineError.
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
