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
QUIET = 0.4  # seconds: longer than a line that answers itself is silent
LONGEST = 180.0  # seconds of keys without such a pause; on paper, nobody types so long
PAPER = 0.02  # seconds for a character; on a faster line a script may answer
RUN_UP = 2.0  # seconds until a motor turns fast enough to print
SILENCE = 300.0  # seconds of silence after which the motor is switched off


class Looped(Hangup):
    """The line returns what is sent: keyboard and printer are in one current loop."""


class Channel:
    """One port, with the pace and the motor of the machine connected to it.

    Once `fetch` or `write` has raised Hangup, both raise it until `reopen` succeeds.
    """

    def __init__(
        self, port: Port, model: Model, code: Code, baud: float | None
    ) -> None:
        """Without baud, nothing is paced."""
        self.port = port
        self.typed: deque[int] = deque()  # bytes and BREAKs that nobody has taken yet
        self.heard = port.clock()  # when a key last came
        self.leaving = False  # the job must end: a signal, or nobody reads the output
        self.patience = 0.0  # seconds of silence after which a visit ends; 0: no visit
        self.deaf = False  # whether keys are dropped until none has come for QUIET
        self._began = self.heard  # when the first key came that no such pause preceded
        self.motor: bool | None = None  # whether RTS has switched it on; None: no motor
        self._lost: type[Exception] | None = None  # Hangup, or EOFError: none will type
        self._line_seconds = model.framing.bits / baud if baud else 0.0
        self._seconds = self._line_seconds  # for one character, under PACE if set
        # On a line with more data bits, those that five levels lack are stop bits.
        self._marks = 0xFF >> 8 - model.framing.data & ~code.used if code.five else 0
        self._settled = port.clock() + port.settle  # when the port is in order
        self._free = self._settled  # when everything written will have been printed
        self._loop = Loop(code.encode("\r")[0], code.used)
        self._telnet = Telnet()
        self._tried = -port.retry  # when reopening was last tried

    @property
    def piece(self) -> int:
        """The number of characters between two looks at the keyboard."""
        return 1 if self._seconds else LONGEST_PIECE

    @property
    def ended(self) -> bool:
        """Whether nothing more will be typed."""
        return self._lost is EOFError and not self.typed

    @property
    def over(self) -> bool:
        """Whether nothing more is to be printed: the job must end, or the visit."""
        return self.leaving or 0 < self.patience < self.silence

    @property
    def silence(self) -> float:
        """The number of seconds since the last character was printed or a key came."""
        return self.port.clock() - max(self._free, self.heard)

    def apply(self, settings: Settings) -> None:
        """Apply these settings from now on.  Raises BadSetting for CTS."""
        self.port.flow(settings.cts)
        self._loop.closed = settings.loop
        self._seconds = 1 / settings.pace if settings.pace else self._line_seconds
        if settings.motor and self.motor is None:
            self._stop_motor()  # opening the port has raised RTS
        elif self.motor is not None and not settings.motor:
            self.port.motor(True)  # from now on it stays on
            self.motor = None

    def forget(self) -> None:
        """Forget what was typed; the silence begins now."""
        self.typed.clear()
        self.heard, self.deaf = self.port.clock(), False

    def hush(self) -> None:
        """On paper, drop keys until none has come for QUIET: perhaps nobody is there."""
        self.deaf = self.port.live and self._seconds > PAPER

    def close(self) -> None:
        """Stop the motor and leave the line as it was found."""
        if self.motor is not None:
            self.port.motor(False)
        self.port.close()

    def fetch(self, timeout: float) -> bool:
        """If nothing is in `typed`, wait for it; return whether a key started the motor.

        That key is dropped: without its motor a keyboard sends only garbage, or a
        BREAK that is meant to start the motor.
        """
        if self.typed:
            return False
        if self._lost is EOFError:
            self.port.sleep(timeout)
            return False
        if self._lost:
            raise self._lost
        try:
            typed = self.port.read(timeout)
        except (EOFError, Hangup) as why:
            self._lost = type(why)
            if isinstance(why, Hangup):
                raise
            return False
        if self.port.telnet:
            waited = timeout > 0 and not typed
            typed = self._telnet.strip_commands(bytes(typed), waited)
        if not typed:
            return False
        now = self.port.clock()
        typed = self._loop.receive(typed, now)
        if self._loop.proven and self.port.live:
            self._lost = Looped
            raise Looped
        if not typed or self._is_noise(len(typed), now):
            return False
        self.heard = now
        if self.motor is False:
            self.start_motor()
            return True
        self.typed += typed
        return False

    def _is_noise(self, count: int, now: float) -> bool:
        """Return whether nobody typed this: a banner, or a line that answers itself."""
        if now < self._settled and count > MOST_AT_ONCE:
            return True
        if now > self.heard + QUIET:
            self._began = now
        answers_itself = self._seconds > PAPER and now > self._began + LONGEST
        paused = now > max(self._free, self.heard) + QUIET
        self.deaf = answers_itself or (self.deaf and not paused)
        if self.deaf:
            self.heard = now
        return self.deaf

    def next_key(self) -> int | None:
        """Return the next byte or BREAK as it came; None if none comes soon."""
        self.fetch(WAKE)
        self._began = self.heard  # a tape may be long
        return self.typed.popleft() if self.typed else None

    def delay(self) -> float:
        """Start the motor; return the seconds until the next byte may be written."""
        self.start_motor()
        ahead = min(AHEAD, MOST_AHEAD * self._seconds)
        early = self._free - self.port.clock() - ahead
        if early < SOON:
            early = self.port.waiting() * self._seconds - ahead
        return early if early >= SOON else 0.0

    def write(self, data: bytes) -> int:
        """Write the first bytes of data; return how many, which is 0 or 1 if paced."""
        if self._lost and self._lost is not EOFError:
            raise self._lost
        try:
            piece = data[:1] if self._seconds else data
            sent = self.port.write(bytes(byte | self._marks for byte in piece))
        except EOFError:
            self.leaving = True
            return 0
        except Hangup:
            self._lost = Hangup
            raise
        if sent:
            self._free = max(self._free, self.port.clock()) + sent * self._seconds
            self._loop.send(data[:sent], self._free)
        return sent

    def start_motor(self) -> None:
        """Start the motor if it rests, and hold back output until it is up to speed."""
        if self.motor is False:
            self.port.motor(True)
            self.motor = True
            self._free = max(self._settled, self.port.clock() + RUN_UP)

    def stop_idle_motor(self, after: float = SILENCE) -> None:
        """Switch the motor off once the line has been silent for `after` seconds."""
        if self.motor and self.silence > after:
            self._stop_motor()

    def _stop_motor(self) -> None:
        self.port.motor(False)
        self.motor = False

    def reopen(self) -> None:
        """Reopen the line.  Raises Hangup while that is not possible."""
        if self._lost is Looped:
            self.port.sleep(ROUND_TRIP / 2)  # output comes back; Loop drops it
            self._lost = None
            return
        if self.port.clock() < self._tried + self.port.retry:
            self.port.sleep(WAKE)
            raise Hangup
        self._tried = self.port.clock()
        self.port.reopen()
        self._loop.forget()
        self._telnet = Telnet()
        if self.motor is not None:
            self._stop_motor()  # opening the port has raised RTS
        self._settled = self._free = self.port.clock() + self.port.settle
        self._lost = None
