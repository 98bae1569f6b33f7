"""The channel: bytes in and out, and time.

Bytes go out no faster than the machine prints them, its motor runs while
needed, and a line that has hung up is reopened.
"""

from __future__ import annotations

from collections import deque

from sail.line.codes import Code
from sail.line.filters import ROUND_TRIP, Loop, Telnet
from sail.line.models import Model
from sail.line.ports import MOST_AT_ONCE, Hangup, Port
from sail.line.settings import Settings

AHEAD = 0.08  # seconds of output that may wait in the line's buffer
MOST_AHEAD = 14  # characters that may wait there: a VT100 accepts them after its XOFF
WAKE = 0.1  # seconds: the longest wait before a signal is noticed
LONGEST_PIECE = 256  # characters between two looks at the keyboard
SOON = 0.001  # seconds: a shorter delay is skipped
RUN_UP = 2.0  # seconds until a motor turns fast enough to print
SILENCE = 300.0  # seconds of silence after which the motor is switched off


class Printer:
    """When the machine can print: its pace, and its motor, which RTS may switch."""

    def __init__(self, port: Port, seconds: float) -> None:
        """seconds: those for one character at the rate of the line; 0: no pace."""
        self.seconds = seconds  # for one character, under PACE if set
        self.motor: bool | None = None  # whether it runs; None if RTS is not its switch
        self.done_at = 0.0  # when everything written will have been printed
        self._port = port
        self._line_seconds = seconds

    def apply(self, settings: Settings) -> None:
        """Apply PACE and MOTOR."""
        self.seconds = 1 / settings.pace if settings.pace else self._line_seconds
        if settings.motor and self.motor is None:
            self.motor = True  # opening the port has raised RTS
            self.stop_motor()
        elif self.motor is not None and not settings.motor:
            self._port.motor(True)  # from now on it stays on
            self.motor = None

    def delay(self) -> float:
        """Start the motor; return the seconds until the next byte may be written."""
        self.start_motor()
        ahead = min(AHEAD, MOST_AHEAD * self.seconds)
        early = self.done_at - self._port.clock() - ahead
        if early < SOON:
            early = self._port.waiting() * self.seconds - ahead
        return early if early >= SOON else 0.0

    def start_motor(self) -> None:
        """Start the motor if it rests; it cannot print before it is up to speed."""
        if self.motor is False:
            self._port.motor(True)
            self.motor = True
            self.done_at = max(self.done_at, self._port.clock() + RUN_UP)

    def stop_motor(self) -> None:
        """Stop the motor, if RTS switches it."""
        if self.motor is not None:
            self._port.motor(False)
            self.motor = False


class Channel:
    """One port, with the pace and the motor of the machine connected to it.

    Once `fetch` or `write` has raised Hangup, both raise it until `reopen` succeeds.
    They also raise it when the line has proved to be one loop.
    """

    def __init__(
        self, port: Port, model: Model, code: Code, baud: float | None
    ) -> None:
        """Without baud, nothing is paced."""
        self.port = port
        self.printer = Printer(port, model.framing.bits / baud if baud else 0.0)
        self.typed: deque[int] = deque()  # bytes and BREAKs that nobody has taken yet
        self.heard = port.clock()  # when a key last came
        self.leaving = False  # the job must end: a signal, or nobody reads the output
        self.patience = 0.0  # seconds of silence after which a visit ends; 0: no visit
        self._lost = False  # whether it has hung up
        self._at_end = False  # whether the port has nothing more to read
        # On a line with more data bits, those that five levels lack are stop bits.
        self._marks = 0xFF >> 8 - model.framing.data & ~code.used if code.five else 0
        self._loop = Loop(code.encode("\r")[0], code.used)
        self._begin()

    def _begin(self) -> None:
        self._telnet = Telnet()
        self._opened = self.port.clock()  # when the port was last opened, or tried
        self.printer.done_at = self._opened + self.port.settle

    @property
    def piece(self) -> int:
        """The number of characters between two looks at the keyboard."""
        return 1 if self.printer.seconds else LONGEST_PIECE

    @property
    def at_machine(self) -> bool:
        """Whether a machine is at the end of this line: no terminal, and no pipe."""
        return self.printer.seconds > 0 and self.port.live

    @property
    def ended(self) -> bool:
        """Whether nothing more will be typed."""
        return self._at_end and not self.typed

    @property
    def looped(self) -> bool:
        """Whether keyboard and printer have proved to be in one current loop."""
        return self._loop.proven and self.at_machine

    @property
    def over(self) -> bool:
        """Whether nothing more is to be printed: the job must end, or the visit."""
        return self.leaving or 0 < self.patience < self.silence

    @property
    def silence(self) -> float:
        """The number of seconds since the last character was printed or a key came."""
        return self.port.clock() - max(self.printer.done_at, self.heard)

    def apply(self, settings: Settings) -> None:
        """Apply these settings from now on.  Raises BadSetting for CTS."""
        self.port.flow(settings.cts)
        self._loop.closed = settings.loop
        self.printer.apply(settings)

    def forget(self) -> None:
        """Forget what was typed; the silence begins now."""
        self.typed.clear()
        self.heard = self.port.clock()

    def close(self) -> None:
        """Stop the motor and leave the line as it was found."""
        self.printer.stop_motor()
        self.port.close()

    def fetch(self, timeout: float) -> None:
        """Wait for what is typed, unless some of it is in `typed` already.

        A key that starts the motor is dropped: without its motor a keyboard sends only
        garbage, or a BREAK that is meant to start the motor.  So is a server's banner.
        """
        if self.typed:
            return
        if self._at_end:
            return self.port.sleep(timeout)
        if self._lost:
            raise Hangup
        try:
            typed = self.port.read(timeout)
        except EOFError:
            self._at_end = True
            return
        except Hangup:
            self._lost = True
            raise
        if self.port.telnet:
            waited = timeout > 0 and not typed
            typed = self._telnet.strip(bytes(typed), waited)
        if not typed:
            return
        now = self.port.clock()
        typed = self._loop.strip(typed, now)
        if self.looped:
            self._lost = True
            raise Hangup
        banner = len(typed) > MOST_AT_ONCE and now < self._opened + self.port.settle
        if not typed or banner:
            return
        self.heard = now
        if self.printer.motor is False:
            self.printer.start_motor()
        else:
            self.typed += typed

    def write(self, data: bytes) -> int:
        """Write the first bytes of data; return how many, which is 0 or 1 if paced."""
        if self._lost:
            raise Hangup
        printer = self.printer
        try:
            piece = data[:1] if printer.seconds else data
            sent = self.port.write(bytes(byte | self._marks for byte in piece))
        except EOFError:
            self.leaving = True
            return 0
        except Hangup:
            self._lost = True
            raise
        if sent:
            begun = max(printer.done_at, self.port.clock())
            printer.done_at = begun + sent * printer.seconds
            self._loop.expect(data[:sent], printer.done_at)
        return sent

    def stop_idle_motor(self) -> None:
        """Stop the motor once the line has been silent for SILENCE."""
        if self.printer.motor and self.silence > SILENCE:
            self.printer.stop_motor()

    def reopen(self) -> None:
        """Reopen the line.  Raises Hangup while that is not possible."""
        if self.looped:
            self.port.sleep(ROUND_TRIP / 2)  # output comes back; Loop drops it
            self._lost = self._loop.proven = False
            return
        if self.port.clock() < self._opened + self.port.retry:
            self.port.sleep(WAKE)
            raise Hangup
        self._opened = self.port.clock()
        self.port.reopen()
        self._loop.forget()
        self._begin()
        self.printer.stop_motor()  # opening the port has raised RTS
        self._lost = False
