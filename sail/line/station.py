"""The teletype: type and ask, at the end of a real line.

It joins the line discipline, a port and a clock.  Here are the pace of the
output, the waiting for a line that was hung up, and what ^C does:

- ^C while a program waits for input stops it there.  A ^C typed while it
  types or works stops it at its next request for input.
- A program that works asks `poll` now and then.  True: a ^C was typed, the
  work shall end with what it has.  That ^C has then done its duty.
- ^C twice stops the program in the midst of work, too.

Stopped means: with the monitor its dot, inside `ask` or `poll`, and CONTINUE
goes on from there; without it Leave is raised.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import final

from sail.line import ports, tape
from sail.line.device import Device
from sail.line.discipline import BREAK, EDGE, Discipline
from sail.line.models import MODELS, UTF8, Framing, Model
from sail.line.settings import Settings, changed
from sail.stop import check_memory
from sail.teletype import EndOfInput, Leave

AHEAD = 0.08  # seconds of output that the line may still hold
MOST_AHEAD = 14  # characters of it: a screen's buffer that is half full has room
SOON = 0.001  # seconds that are not worth a wait
WAKE = 0.1  # seconds at most until a signal is seen
POLL = 0.02  # seconds between two looks at the line during work
MOST_ECHO = 1000  # echoes that wait for the line; nobody needs more
LONGEST_PIECE = 256  # characters between two looks at the keyboard
RUN_UP = 2.0  # seconds until a motor turns fast enough to print
SILENCE = 300.0  # seconds after which it is switched off

CONTROL_C = 0x03


@final
class Station:
    """One machine at the end of a port.

    live: a person types, not a file.
    greeting is typed when a line comes back.
    on_stop is called where a program is stopped; it returns when the
    program shall go on.
    leaving: the job is to end.
    """

    def __init__(
        self,
        port: ports.Port,
        model: Model = UTF8,
        baud: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.live = port.live
        self.has_tape = model.has_tape
        self.discipline = Discipline(model, port.newline, port.end_key)
        self.greeting = ""
        self.on_stop: Callable[[], None] = leave
        self.leaving = False
        self._port = port
        self._clock = clock
        self._sleep = sleep
        self._line_second = model.framing.bits / baud if baud else 0.0
        self._free = clock()  # when all that was written will be on paper
        self._heard = clock()  # when something was last typed
        self._next_poll = clock()
        self._unread: deque[int] = deque()
        self._echo: deque[str] = deque()
        self._taken = False
        self._ended = False  # nothing more can be typed
        self._gone = False
        self._tried = -port.retry  # when it was tried to get the line back
        self._runs = False  # a motor that we switch
        if port.echoes:
            self.set("NO ECHO")
        if not port.at_left:
            self.discipline.column = EDGE

    def __enter__(self) -> Station:
        import signal

        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            number = getattr(signal, name, None)
            if number and signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._end)
        self._port.take()
        return self

    def __exit__(self, *error: object) -> None:
        try:
            if self.discipline.column and not self._gone:
                self._port.write(self.discipline.render("\n"))
        except (ports.Hangup, ports.LineError, EOFError):
            pass
        if self.settings.motor:
            self._port.motor(False)
        self._port.close()

    def _end(self, *_: object) -> None:
        self.leaving = True

    @property
    def width(self) -> int:
        """The columns of the paper."""
        return self.settings.width

    @property
    def settings(self) -> Settings:
        """How the machine is served."""
        return self.discipline.settings

    def set(self, words: str) -> None:
        """Change the settings, in the words of TTY.  Raises BadSetting."""
        before = self.settings
        self.discipline.settings = changed(before, words)
        if before.motor and not self.settings.motor:
            self._port.motor(True)
            self._runs = False

    @property
    def _second(self) -> float:
        """The seconds that a character takes, 0 if it takes no time."""
        pace = self.settings.pace
        return 1 / pace if pace else self._line_second

    # What programs see.

    def type(self, text: str = "", end: str = "\n") -> None:
        """Type the text, at the line's pace.

        Programs type ↑ ← → ↓ and lower case freely.  If the line hangs up
        it waits until the line is back and types all of the text again.
        After ^O or ^C, and while the job ends, it types nothing.  Raises
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
                self._rest_motor()
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

        True once a ^C was typed, until the next request for input.  It may
        be called often.  Raises Leave when the program is to be left, and
        MemoryError when memory runs short.
        """
        if self.leaving:
            raise Leave
        now = self._clock()
        if now < self._next_poll:
            return self._taken
        self._next_poll = now + POLL
        check_memory()
        if self._port.live and not self._gone:
            self._attend(0)
            self._rest_motor()
        discipline = self.discipline
        if discipline.stops > 1:
            self._stop()
        elif discipline.stops:
            self._forget_stop()
            self._taken = True
        return self._taken

    def pause(self) -> None:
        """Stop the program here as at a request for input.

        For a program that after a ^C would rather not go on.  Raises Leave
        when it is to be left.
        """
        self._taken = False
        self._stop()

    def _stop(self) -> None:
        self._forget_stop()
        self.on_stop()

    def _forget_stop(self) -> None:
        """Go on after a ^C that has done its duty."""
        self.discipline.stops = 0
        self.discipline.off = False

    def greet(self) -> None:
        """Type the greeting, once, to whoever is there."""
        if not self._say(self.greeting + "\n"):
            self._wait_for_line()

    # Paper tape.

    def punch(self, frames: bytes) -> bool:
        """Punch a tape.  False if a ^C or a hangup has ended it early."""
        whole = False
        try:
            self._send(tape.PUNCH_ON)
            for frame in frames:
                if self._port.live:
                    self._listen(0)
                if self.discipline.stops or self.leaving:
                    break
                self._send(bytes([frame]))
            else:
                whole = True
            self._send(tape.PUNCH_OFF)
            self.discipline.column = EDGE
            self._forget_stop()
            self._say_echo()
        except ports.Hangup:
            self._gone = True
        return whole and not self._gone

    def read_tape(self) -> str | None:
        """The text of the tape in the reader.

        None if a ^C, a BREAK or a hangup has ended it early.  The end of an
        input that is no terminal ends a tape, too.  Raises Leave when the
        job is to end.
        """
        reading = tape.Reading()
        try:
            self._send(tape.READER_ON)
            for frame in self._frames():
                if frame in (CONTROL_C, BREAK):
                    self._echo.append(self.discipline.receive(frame))
                    self._forget_stop()
                    return None
                if reading.ends_with(frame):
                    break
            return reading.text
        except ports.Hangup:
            self._gone = True
            return None
        finally:
            self._stop_reader()

    def _frames(self) -> Iterator[int]:
        """What comes from the reader, as it comes, to the end of the input."""
        while True:
            if self.leaving:
                raise Leave
            while self._unread:
                yield self._unread.popleft()
            if self._ended:
                return
            try:
                self._unread += self._port.read(WAKE)
            except EOFError:
                self._ended = True

    def _stop_reader(self) -> None:
        if not self.settings.echo:
            self.discipline.column = EDGE  # the machine has printed the tape
        try:
            if not self._gone:
                self._send(tape.READER_OFF)
        except ports.Hangup:
            self._gone = True

    # Output.

    def _say(self, text: str) -> bool:
        """Whether all of it was typed, or thrown away; False at a hangup."""
        try:
            self._say_echo()
            for piece in pieces(text, 1 if self._second else LONGEST_PIECE):
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
            self._send(self.discipline.render(self._echo.popleft()))

    def _send(self, data: bytes) -> None:
        """Put these bytes on the line, each when its time has come."""
        self._start_motor()
        while data and not self.leaving:
            self._keep_pace()
            try:
                sent = self._port.write(data[:1] if self._second else data)
            except EOFError:
                self.leaving = True
                return
            self._free = max(self._free, self._clock()) + sent * self._second
            data = data[sent:]
            if not sent and self._port.live:
                self._listen(0)

    def _keep_pace(self) -> None:
        while not self.leaving:
            if self.discipline.held:
                self._listen(WAKE)
                continue
            coming = self._port.waiting() * self._second
            early = max(coming, self._free - self._clock())
            early -= min(AHEAD, MOST_AHEAD * self._second)
            if early < SOON:
                return
            if self._port.live and not self._ended:
                self._listen(min(early, WAKE))
            else:
                self._sleep(min(early, WAKE))

    # The motor.

    def _start_motor(self) -> None:
        if self.settings.motor and not self._runs:
            self._port.motor(True)
            self._runs = True
            self._free = max(self._free, self._clock() + RUN_UP)

    def _rest_motor(self) -> None:
        silence = self._clock() - max(self._free, self._heard)
        if self.settings.motor and self._runs and silence > SILENCE:
            self._port.motor(False)
            self._runs = False

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
                self._hear(self._port.read(timeout))
            except EOFError:
                self._ended = True
                discipline.held = False
                self._echo.append(discipline.finish())
        at_once = self._port.live or discipline.held
        while self._unread and (at_once or not (discipline.lines or discipline.stops)):
            echo = discipline.receive(self._unread.popleft())
            if echo and len(self._echo) < MOST_ECHO:
                self._echo.append(echo)

    def _hear(self, typed: Sequence[int]) -> None:
        if not typed:
            return
        self._heard = self._clock()
        if self.settings.motor and not self._runs:
            # Without its motor a keyboard sends nothing right, and a BREAK
            # is what can be sent to have it started.
            self._start_motor()
        else:
            self._unread += typed

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
            self._runs = False
            self._unread.clear()
            self._echo.clear()
            self.discipline.reset()
            self.discipline.column = EDGE
            if self._say(self.greeting + "\n"):
                return

    def _wait(self, seconds: float) -> None:
        until = self._clock() + seconds
        while not self.leaving and self._clock() < until:
            self._sleep(WAKE)


def pieces(text: str, longest: int) -> Iterator[str]:
    """The text in lines, a long line in pieces."""
    start = 0
    while start < len(text):
        end = text.find("\n", start, start + longest) + 1 or start + longest
        yield text[start:end]
        start = end


def leave() -> None:
    """Never return: raise Leave."""
    raise Leave


def open_teletype(
    line: str | None = None,
    model: str | None = None,
    baud: float | None = None,
    framing: Framing | None = None,
) -> Station:
    """A teletype on that line, or on the console if it is None.

    line: a device, a URL of pyserial, or "pty", whose name is printed.
    model: a name in MODELS; on a line 33, on the console utf8 if it is.
    baud and framing override those of the model.  Without a baud the
    console is not slowed.  Raises ports.LineError with a sentence for the
    user.
    """
    if line is None:
        return Station(ports.console(), on_console(model, baud), baud)
    machine = MODELS[model or "33"]
    if framing:
        machine = machine._replace(framing=framing)
    baud = baud or machine.baud
    if line == "pty":
        pseudo = ports.Pseudo()
        try:
            print(pseudo.name, flush=True)
        except OSError as error:
            raise ports.unwritable(error) from None
        return Station(pseudo, machine, baud)
    return Station(Device(line, baud, machine.framing), machine, baud)


def on_console(name: str | None, baud: float | None) -> Model:
    """The model of that name as it is on the console."""
    if not name:
        encoding = getattr(sys.stdout, "encoding", None) or ""
        name = "utf8" if encoding.lower() == "utf-8" else "glass"
    machine = MODELS[name]
    if machine.framing.data == 5:
        raise ports.LineError(f"Model {name} has five levels: it needs --tty LINE.")
    if baud and baud <= 110:  # two stop bits, as every line so slow has
        machine = machine._replace(framing=machine.framing._replace(stop=2))
    return machine
