"""The teletype: type and ask, all that a program ever sees.

It joins the line discipline, a port and a clock.  Here are the pace of the
output, the waiting for a line that was hung up, and what ^C does:

- ^C while a program waits for input stops it there.  So does a ^C typed
  while it types or works, at its next request for input.
- A program that works asks `poll` now and then.  True: a ^C was typed, the
  work shall end with what it has; with that the ^C has done its duty.
- ^C twice stops the program in the midst of work, too.

Stopped means: with the monitor its dot, inside `ask` or `poll`, and CONTINUE
goes on from there; without it Leave is raised.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import final

from sail.line import ports
from sail.line.codes import Glass
from sail.line.discipline import Discipline
from sail.line.models import GLASS, MODELS, Model
from sail.teletype import EndOfInput, Leave

AHEAD = 0.08  # seconds of output that the line may still hold
SOON = 0.001  # seconds that are not worth a wait
WAKE = 0.1  # seconds at most until a signal is seen
POLL = 0.02  # seconds between two looks at the line during work
MOST_ECHO = 1000  # echoes that wait for the line; there is no need for more


@final
class Station:
    """One machine at the end of a port.

    live: a person types, not a file.
    greeting is typed when a line comes back.  on_stop is called where a
    program is stopped; it returns when the program shall go on.
    """

    def __init__(
        self,
        port: ports.Port,
        model: Model = GLASS,
        baud: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.width = model.width
        self.live = port.live
        self.discipline = Discipline(model, port.newline)
        self.discipline.echo &= not port.echoes
        self.greeting = ""
        self.on_stop: Callable[[], None] = leave
        self.leaving = False
        self._port = port
        self._clock = clock
        self._sleep = sleep
        self._second = model.frame / baud if baud else 0.0  # of a character
        self._free = clock()  # when all that was written will be on paper
        self._next_poll = 0.0
        self._unread = bytearray()
        self._echo: list[str] = []
        self._taken = False
        self._ended = False  # nothing more can be typed
        self._gone = False
        self._tried = -port.retry  # when it was tried to get the line back

    def __enter__(self) -> Station:
        import signal

        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            number = getattr(signal, name, None)
            if number and signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._end)
        return self

    def __exit__(self, *error: object) -> None:
        try:
            if self.discipline.column and not self._gone:
                self._port.write(self.discipline.render("\n"))
        except (ports.Hangup, ports.LineError, EOFError):
            pass
        self._port.close()

    def _end(self, *_: object) -> None:
        self.leaving = True

    # What programs see.

    def type(self, text: str = "", end: str = "\n") -> None:
        """Nothing; the text is on its way to the paper, at the line's pace.

        Programs type ↑ ← → ↓ and lower case freely.  It waits for a line
        that was hung up and then types the text again.  After ^O or ^C, and
        while the job is being ended, it types nothing.  Raises
        ports.LineError when standard output cannot be written.
        """
        text += end
        while self._gone or not self._say(text):
            self._wait_for_line()
            if self.leaving:
                return

    def ask(self, prompt: str = "") -> str:
        """The line that is typed in answer to the prompt, without its end.

        Upper and lower case come as typed, unless the line is NO FULL.
        Raises EndOfInput at the end of the input, Leave when the program
        is to be left.
        """
        self._taken = False
        discipline = self.discipline
        while True:
            if self.leaving:
                raise Leave
            if discipline.stops:
                self._stop()
            discipline.off = False
            ahead = bool(discipline.lines)
            self.type(prompt, end="")
            while not (discipline.lines or discipline.stops or self._gone):
                if self.leaving:
                    raise Leave
                if self._ended:
                    raise EndOfInput
                self._attend(WAKE)
            if discipline.lines and not discipline.stops:
                line = discipline.lines.popleft()
                if line is None:
                    raise EndOfInput
                if ahead:
                    self.type(line)
                return line
            if self._gone:
                self._wait_for_line()

    def poll(self) -> bool:
        """Whether the work in hand shall end now, with what it has.

        True once a ^C was typed, until the next request for input.  Made to
        be called often.  Raises Leave when the program is to be left.
        """
        if self.leaving:
            raise Leave
        now = self._clock()
        if now < self._next_poll:
            return self._taken
        self._next_poll = now + POLL
        if self._port.live and not self._gone:
            self._attend(0)
        discipline = self.discipline
        if discipline.stops > 1:
            self._stop()
        elif discipline.stops:
            discipline.stops = 0
            discipline.off = False
            self._taken = True
        return self._taken

    def pause(self) -> None:
        """Nothing; the program was stopped here as at a request for input.

        For a program that after a ^C would rather not go on.  Raises Leave
        when it is to be left.
        """
        self._taken = False
        self._stop()

    def _stop(self) -> None:
        self.discipline.stops = 0
        self.discipline.off = False
        self.on_stop()

    def greet(self) -> None:
        """Nothing; the greeting has been typed, once, to whoever is there."""
        if not self._say(self.greeting + "\n"):
            self._wait_for_line()

    # Output.

    def _say(self, text: str) -> bool:
        """Whether all of it was typed, or thrown away; False at a hangup."""
        try:
            self._say_echo()
            for piece in text if self._second else text.splitlines(True):
                self._keep_pace()
                if self._port.live:
                    self._listen(0)
                    self._say_echo()
                if self.discipline.off or self.leaving:
                    break
                self._send(self.discipline.render(piece))
        except ports.Hangup:
            self._gone = True
        return not self._gone

    def _say_echo(self) -> None:
        while self._echo:
            self._send(self.discipline.render(self._echo.pop(0)))

    def _send(self, data: bytes) -> None:
        """Put these bytes on the line, each when its time has come."""
        while data and not self.leaving:
            self._keep_pace()
            piece = data[:1] if self._second else data
            try:
                sent = self._port.write(piece)
            except EOFError:
                self.leaving = True
                return
            self._free = max(self._free, self._clock()) + sent * self._second
            data = data[sent:]
            if not sent:
                self._listen(WAKE)

    def _keep_pace(self) -> None:
        while not self.leaving:
            if self.discipline.held:
                self._listen(WAKE)
                continue
            coming = self._port.waiting() * self._second
            early = max(coming, self._free - self._clock()) - AHEAD
            if early < SOON:
                return
            if self._port.live and not self._ended:
                self._listen(min(early, WAKE))
            else:
                self._sleep(min(early, WAKE))

    # Input.

    def _attend(self, timeout: float) -> None:
        """Take in what is typed within that time, and echo it."""
        try:
            self._listen(timeout)
            if not self.discipline.held:
                self._say_echo()
        except ports.Hangup:
            self._gone = True

    def _listen(self, timeout: float) -> None:
        discipline = self.discipline
        if not self._unread and not self._ended:
            try:
                self._unread += self._port.read(timeout)
            except EOFError:
                self._ended = True
                discipline.held = False
                self._echo.append(discipline.finish())
        at_once = self._port.live or discipline.held
        while self._unread and (at_once or not (discipline.lines or discipline.stops)):
            echo = discipline.receive(self._unread.pop(0))
            if echo and len(self._echo) < MOST_ECHO:
                self._echo.append(echo)

    # Hangup.

    def _wait_for_line(self) -> None:
        """Wait until a lost line is back, then greet whoever is there."""
        while not self.leaving:
            self._wait(self._tried + self._port.retry - self._clock())
            self._tried = self._clock()
            try:
                self._port.reopen()
            except ports.Hangup:
                continue
            self._gone = False
            self._unread.clear()
            self._echo.clear()
            self.discipline.reset()
            if self._say(self.greeting + "\n"):
                return

    def _wait(self, seconds: float) -> None:
        until = self._clock() + seconds
        while not self.leaving and self._clock() < until:
            self._sleep(WAKE)


def leave() -> None:
    """Never returns: raises Leave."""
    raise Leave


def open_teletype(
    line: str | None = None,
    model: str | None = None,
    baud: float | None = None,
) -> Station:
    """A teletype on that line, or on the console if it is None.

    line is a device, a URL of pyserial, or "pty", whose name it prints;
    model a name in MODELS, by default glass on the console and 33 on a
    line.  baud overrides the rate of the model; without it the console is
    not slowed.  Raises ports.LineError with a sentence for the user.
    """
    if line is None:
        return Station(ports.console(), on_console(model or "glass", baud), baud)
    machine = MODELS[model or "33"]
    baud = baud or machine.baud
    if line == "pty":
        pseudo = ports.Pseudo()
        try:
            print(pseudo.name, flush=True)
        except OSError as error:
            raise ports.LineError(
                f"Cannot write the output: {ports.reason(error)}."
            ) from None
        return Station(pseudo, machine, baud)
    port = ports.Serial(
        line,
        baudrate=baud,
        bytesize=machine.data_bits,
        parity=machine.parity,
        stopbits=machine.stop_bits,
    )
    return Station(port, machine, baud)


def on_console(name: str, baud: float | None) -> Model:
    """The model of that name as it is on the console."""
    machine = MODELS[name]
    if machine.data_bits == 5:
        raise ports.LineError(f"Model {name} has five levels: it needs --tty LINE.")
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    if machine is GLASS and encoding.lower() != "utf-8":
        machine = machine._replace(code=lambda: Glass(arrows=False))
    if baud and baud <= 110:
        machine = machine._replace(stop_bits=2)  # as every line so slow has
    return machine
