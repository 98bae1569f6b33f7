"""The driver: a carriage and a discipline on a channel.

It sees to the order of what is printed: first what is owed, then the echo where it
splits nothing, then the text.  While it waits to print, it goes on reading.  It also
punches paper tape and reads it; on five levels a hand switches punch and reader.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf

from sail.line import tape
from sail.line.budget import Budget
from sail.line.carriage import ANYWHERE, Carriage
from sail.line.channel import WAKE, Channel
from sail.line.codes import BREAK, CONTROL
from sail.line.discipline import Discipline
from sail.line.models import Model
from sail.line.ports import Hangup, LineError, Port
from sail.refusal import Refusal
from sail.settings import Settings
from sail.stop import Stopped
from sail.teletype import EndOfInput, Leave

LONGEST_PIECE = 256  # characters between two looks at the keyboard
LINE_END = 0.5  # seconds of silence that part one line's end from the next
DEAF = 5.0  # seconds in which the line takes no byte; then a ^C drops the output
RUN_OUT = 1.0  # seconds of silence after which a tape has run out


class Driver:
    """One machine.  Most methods may raise Hangup."""

    def __init__(self, port: Port, model: Model) -> None:
        self.carriage = Carriage(model, port.newline)
        self.discipline = Discipline(self.carriage, port.end_key)
        self.channel = Channel(port, self.carriage)
        self.budget = Budget(port.clock)
        self.job_ends = False  # after a signal, or when nobody reads the output
        self.in_visit = False  # whether a visitor sits there, who has PATIENCE
        self._typed: deque[int] = deque()  # what nobody has obeyed yet
        self._owed = b""  # to be sent before any text: it switches punch or reader off
        self._separator = ""  # the new line that is due after an echo, before a text
        if not port.at_left:
            self.carriage.column = ANYWHERE

    def close(self) -> None:
        """Send what is owed, end the line that was begun, and close the channel."""
        data = self._owed + self.carriage.render("\n" if self.carriage.column else "")
        with suppress(EOFError, Hangup, LineError):
            while data and (sent := self.channel.write(data)):
                data = data[sent:]
        self.channel.close()

    def begin_anew(self, settings: Settings) -> None:
        """Use these settings, and forget all that was typed and printed.

        Another person may sit there, perhaps at another machine.
        """
        self.carriage.new_machine()
        self.discipline.new_person()
        self._typed.clear()
        self.channel.apply(settings)

    @property
    def must_leave(self) -> bool:
        """Whether nothing more is to be printed: the job must end, or the visit."""
        patience = 60.0 * self.carriage.settings.patience or inf
        return self.job_ends or (self.in_visit and self.channel.silence > patience)

    def leave_if_must(self) -> None:
        if self.must_leave:
            raise Leave

    def print_text(self, text: str, grant: Callable[[str], str]) -> None:
        """Print what the budget grants of the text, until `mute` or `must_leave`."""
        self._send_due()
        if self.channel.at_machine:
            text = grant(text)
        text = self.carriage.fold(self._separator + text)[len(self._separator) :]
        length = 1 if self.channel.char_seconds else LONGEST_PIECE
        for start in range(0, len(text), length):
            # Echo what was typed only at an empty line, so that it does not
            # split a board.  But answer at once a machine that itself prints what
            # is typed: its carriage has moved.
            empty = text[start - 2 : start] == "\n\n"
            if not self._wait_to_print(empty or not self.carriage.settings.echo):
                break
            piece = self._separator + text[start : start + length]
            self._separator = ""
            self.send(self.carriage.render(piece))
        self._send_due()

    def _wait_to_print(self, at_rest: bool) -> bool:
        """Wait for the line, and in one loop for whoever types; False if in vain.

        at_rest: an echo here would split nothing.
        """
        channel, discipline = self.channel, self.discipline
        self._listen(0)  # even if muted: another ^O may be there, or a hangup
        while not (discipline.mute or self.must_leave):
            typing = self.carriage.settings.loop and (
                channel.port.clock() < channel.heard_at + discipline.grace
            )
            if typing or at_rest:
                self._send_due()
            if typing:
                self._listen(WAKE)
            elif self._becomes_ready():
                return True
        return False

    def _send_due(self) -> None:
        """Send what is owed, and then the echo."""
        if self.send(self._owed):  # else it stays owed
            self._owed = b""
        if echo := self.discipline.pending_echo:
            self.discipline.pending_echo = ""
            if self.channel.at_machine:
                echo = self.budget.grant_unasked(echo)
            self.send(self.discipline.render(echo))
            begun = self.carriage.settings.echo and self.carriage.column
            self._separator = "\n" if begun else ""

    def send(self, data: bytes) -> bool:
        """Send these bytes, each when the line is ready; return whether all went."""
        deaf_since = 0.0  # when a ^C came and the line took no byte
        while data and not self.must_leave:
            if self.discipline.interrupts:
                now = self.channel.port.clock()
                deaf_since = deaf_since or now
                if now > deaf_since + DEAF:
                    self.carriage.new_machine()
                    return False
            if self._becomes_ready():
                try:
                    sent = self.channel.write(data)
                except EOFError:
                    self.job_ends = True
                    break
                if sent:
                    data, deaf_since = data[sent:], 0.0
                else:
                    self._listen(0)
        return not data

    def await_ready(self) -> None:
        """Wait until a line that was reopened takes a byte, so that it is really back.

        Paper for what is typed then is not spent on a server that hangs up at once.
        """
        while not self.must_leave and not self._becomes_ready():
            pass

    def _becomes_ready(self) -> bool:
        """Return whether the line takes a byte now; if not, wait for a moment."""
        delay = WAKE if self.discipline.suspended else self.channel.ready_in()
        if delay:
            self._listen(min(delay, WAKE))
        return not delay

    def _listen(self, timeout: float, asked: bool = False) -> None:
        """Process what is typed within timeout seconds.

        asked: whether a program waits for a line.  A pipe, and a console by lines, are
        read only then, up to the next line, or while the output is suspended.
        """
        discipline, channel, port = self.discipline, self.channel, self.channel.port
        at_once = discipline.suspended or (port.live and not port.by_lines)
        if not (at_once or asked):
            return port.sleep(timeout)
        if not self._typed:
            self._typed += channel.fetch(timeout)
        if not self._typed:
            if channel.at_end:
                discipline.end_input()
            elif port.clock() > channel.heard_at + LINE_END:
                discipline.fall_silent()
        while self._typed and (
            at_once or not (discipline.lines or discipline.interrupts)
        ):
            if not at_once and self._typed[0] not in b"\r\n":
                discipline.fall_silent()  # what follows in a pipe is known at once
                if discipline.lines:
                    break
            discipline.receive(self._typed.popleft())

    def attend(self, timeout: float, asked: bool = False) -> None:
        """Process what is typed within timeout seconds, and echo it."""
        self._listen(timeout, asked)
        if not self.discipline.suspended:
            self._send_due()
        self.channel.stop_idle_motor()

    def await_line(self, silence: float) -> None:
        """Wait for a line or a ^C; see `Station.ask`.  Raises EndOfInput, Leave."""
        while not (self.discipline.lines or self.discipline.interrupts):
            self.leave_if_must()
            if self.channel.at_end and not self._typed:
                raise EndOfInput
            self.send(self.discipline.start_reader())
            self.attend(WAKE, asked=True)
            if self.discipline.grace and self.channel.silence > silence:
                self.discipline.receive(self.carriage.code.encode("\r")[0])

    # Paper tape.

    def punch(self, frames: bytes) -> None:
        """Punch these frames.  Raises Refusal if a ^C or a hangup cuts them short."""
        with suppress(Hangup), self._switched(tape.PUNCH_ON, tape.PUNCH_OFF):
            for frame in frames:
                self._listen(0)
                if self.discipline.interrupts or not self.send(bytes([frame])):
                    break
            else:
                if not self.discipline.interrupts:
                    return
        raise Refusal("THE TAPE IS INCOMPLETE.")

    def read_tape(self) -> str:
        """Return the text of the tape in the reader, or of a pipe up to its end.

        Raises Leave, and Refusal if a ^C, a BREAK or a hangup ended it early.
        """
        text = None
        with suppress(Hangup, Stopped), self._switched(tape.READER_ON, tape.READER_OFF):
            text = tape.read(self._chars())
            if self.carriage.code.five and self.channel.port.live:
                deque(self._chars(RUN_OUT), 0)  # a person stops the reader
        if text is None:
            raise Refusal("THE TAPE ENDED EARLY: NOTHING WAS KEPT.")
        return text

    def _chars(self, silence: float = inf) -> Iterator[str]:
        """Yield what each frame of a tape means, up to a silence.

        Raises Stopped after a ^C or a BREAK.
        """
        code, channel = self.carriage.code, self.channel
        while self._typed or (not channel.at_end and channel.silence < silence):
            self.leave_if_must()
            if not self._typed:
                self._typed += channel.fetch(WAKE)
                continue
            frame = self._typed.popleft()
            char = code.decode(frame) if code.five else chr(frame & 0x7F)
            if frame == BREAK or char == CONTROL["C"]:
                self.discipline.receive(frame)
                raise Stopped
            yield char

    @contextmanager
    def _switched(self, on: bytes, off: bytes) -> Iterator[None]:
        """Switch a unit on for the block, and owe the code that switches it off.

        Afterwards the echo is sent, and a ^C used up.
        """
        if not self.carriage.code.five:
            self.send(on)
            self._owed = off
        try:
            yield
        except Hangup:
            if off == tape.READER_OFF:
                self._owed = b""  # it would suspend the output of whoever comes next
            raise
        finally:
            if off == tape.PUNCH_OFF or not self.carriage.settings.echo:
                self.carriage.column = ANYWHERE  # the machine has printed the tape
            self._send_due()
            self.discipline.forget_interrupts()
