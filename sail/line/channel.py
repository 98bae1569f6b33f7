"""The channel: bytes in and out, and time.

Bytes go out no faster than the machine prints them, its motor runs while
needed, and a line that has hung up is reopened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from sail.line.codes import Code
from sail.line.loop import ROUND_TRIP, Loop
from sail.line.models import Model
from sail.line.ports import Hangup, Port
from sail.line.settings import Settings
from sail.line.telnet import Telnet

AHEAD = 0.08  # seconds of output that may wait in the line's buffer
MOST_AHEAD = 14  # characters that may wait there: a VT100 accepts them after its XOFF
WAKE = 0.1  # seconds: the longest wait before a signal is noticed
LONGEST_PIECE = 256  # characters between two looks at the keyboard
SOON = 0.001  # seconds: a shorter delay is skipped
RUN_UP = 2.0  # seconds until a motor turns fast enough to print
SILENCE = 300.0  # seconds of silence after which the motor is switched off


class Looped(Hangup):
    """The line returns what is sent: keyboard and printer are in one current loop."""


class Channel:
    """One port, with the pace and the motor of the machine connected to it.

    Once `fetch` or `write` has raised Hangup, both raise it until `reopen` succeeds.
    """

    def __init__(
        self,
        port: Port,
        model: Model,
        code: Code,
        baud: float | None,  # None for no pacing
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self.live = port.live
        self.typed: deque[int] = deque()  # bytes and BREAKs that nobody has taken yet
        self.heard = clock()  # when a key last came
        self.leaving = False  # the job must end: a signal, or nobody reads the output
        self.patience = 0.0  # seconds of silence after which a visit ends; 0: no visit
        self.clock = clock
        self.sleep = sleep
        self._ended = False  # whether the input has ended
        self._lost: type[Hangup] | None = None  # why the line cannot be used
        self._port = port
        seconds = model.framing.bits / baud if baud else 0.0
        self._line_seconds = seconds  # for one character at the line's rate
        self._seconds = seconds  # for one character now, under PACE
        # On a line with more data bits, those that five levels lack are stop bits.
        self._marks = 0xFF >> 8 - model.framing.data & ~code.used if code.five else 0
        self._free = clock()  # when everything written will have been printed
        self._loop = Loop(code.encode("\r")[0], code.used)
        self._telnet = Telnet()
        self._tried = -port.retry  # when reopening was last tried
        self._has_motor = False  # whether RTS switches a motor
        self._motor_on = False  # whether RTS has switched it on

    @property
    def piece(self) -> int:
        """The number of characters between two looks at the keyboard."""
        return 1 if self._seconds else LONGEST_PIECE

    def apply(self, settings: Settings) -> None:
        """Apply these settings from now on.  Raises BadSetting for CTS."""
        self._port.flow(settings.cts)
        self._loop.closed = settings.loop
        self._seconds = 1 / settings.pace if settings.pace else self._line_seconds
        if self._has_motor and not settings.motor:
            self._port.motor(True)  # from now on it stays on
            self._motor_on = False
        self._has_motor = settings.motor
        self.start_motor()  # opening the port has raised RTS: it runs

    def forget(self) -> None:
        """Forget what was typed; the silence begins now."""
        self.typed.clear()
        self.heard = self.clock()

    def close(self) -> None:
        """Stop the motor and leave the line as it was found."""
        if self._has_motor:
            self._port.motor(False)
        self._port.close()

    def delay(self) -> float:
        """Start the motor; return the seconds until the next byte may be written."""
        self.start_motor()
        queued = self._port.waiting() * self._seconds
        until_free = max(queued, self._free - self.clock())
        early = until_free - min(AHEAD, MOST_AHEAD * self._seconds)
        return early if early >= SOON else 0.0

    @property
    def ended(self) -> bool:
        """Whether nothing more will be typed."""
        return self._ended and not self.typed

    @property
    def over(self) -> bool:
        """Whether nothing more is to be printed: the job must end, or the visit."""
        return self.leaving or 0 < self.patience < self.silence

    def write(self, data: bytes) -> int:
        """Write the first bytes of data; return how many, which is 0 or 1 if paced."""
        if self._lost:
            raise self._lost
        try:
            piece = data[:1] if self._seconds else data
            sent = self._port.write(bytes(byte | self._marks for byte in piece))
        except EOFError:
            self.leaving = True
            return 0
        except Hangup:
            self._lost = Hangup
            raise
        if sent:
            self._free = max(self._free, self.clock()) + sent * self._seconds
            self._loop.send(data[:sent], self._free)
        return sent

    def fetch(self, timeout: float) -> bool:
        """If nothing is in `typed`, wait for it; return whether something has come."""
        if self.typed:
            return False
        if self._lost:
            raise self._lost
        if self._ended:
            self.sleep(timeout)
            return False
        try:
            typed = self._port.read(timeout)
        except EOFError:
            self._ended = True
            return False
        except Hangup:
            self._lost = Hangup
            raise
        if self._port.telnet:
            waited = timeout > 0 and not typed
            typed = self._telnet.strip_commands(bytes(typed), waited)
        if typed:
            typed = self._loop.receive(typed, self.clock())
            if self._loop.proven and self.live:
                self._lost = Looped
                raise Looped
        if typed:
            self.heard = self.clock()
        self.typed += typed
        return bool(typed)

    def start_motor(self) -> bool:
        """Start the motor, if any, and hold back output until it is up to speed.

        Return True if it was off.
        """
        if self._motor_on or not self._has_motor:
            return False
        self._port.motor(True)
        self._motor_on = True
        self._free = self.clock() + RUN_UP
        return True

    @property
    def motor_rests(self) -> bool:
        """Whether there is a motor, and it does not run."""
        return self._has_motor and not self._motor_on

    @property
    def silence(self) -> float:
        """The number of seconds since the last character was printed or a key came."""
        return self.clock() - max(self._free, self.heard)

    def stop_idle_motor(self, after: float = SILENCE) -> None:
        """Switch the motor off once the line has been silent for `after` seconds."""
        if self._motor_on and self.silence > after:
            self._port.motor(False)
            self._motor_on = False

    def reopen(self) -> None:
        """Reopen the line.  Raises Hangup while that is not possible."""
        if self._lost is Looped:
            self.sleep(ROUND_TRIP / 2)  # output comes back meanwhile; Loop drops it
            self._lost = None
            return
        if self.clock() < self._tried + self._port.retry:
            self.sleep(WAKE)
            raise Hangup
        self._tried = self.clock()
        self._port.reopen()
        self._loop.forget()
        self._telnet = Telnet()
        self._motor_on = False  # unknown: opening a port may start its motor
        self.start_motor()
        self._lost = None
