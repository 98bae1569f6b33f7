"""The channel: bytes in and out, and time.

Bytes go out no faster than the machine prints them, its motor runs while needed, and
a line that has hung up is reopened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sail.line.carriage import Carriage
from sail.line.filters import Loop, Telnet
from sail.line.ports import MOST_AT_ONCE, Hangup, Port
from sail.settings import Settings

BUFFERED = 0.08  # seconds of output that may wait in the line's buffer
MOST_BUFFERED = 14  # characters that may wait there: a VT100 takes them after its XOFF
WAKE = 0.1  # seconds: the longest wait before a signal is noticed
LEAST_DELAY = 0.001  # seconds; a shorter one is skipped
RUN_UP = 2.0  # seconds until a motor turns fast enough to print
ROUND_TRIP = 2.0  # seconds within which a printed character comes back in one loop
LONGEST_TRIP = 10.0  # as long as LOOP is not set: across a network, say
IDLE = 300.0  # seconds of silence after which the motor is switched off


class Channel:
    """One port, with the pace and the motor of the machine whose carriage this is.

    Once `fetch` or `write` has raised Hangup, both raise it until `reopen` succeeds.
    They also raise it when the line has proved to be one loop.
    """

    def __init__(self, port: Port, carriage: Carriage) -> None:
        self.port = port
        self.carriage = carriage
        self.heard_at = port.clock()  # when a key last came
        self.at_end = False  # whether the port has nothing more to read
        self._hung_up = False  # whether it has hung up
        self._motor_runs = True
        # On a line with more data bits, those that five levels lack are stop bits.
        code, framing = carriage.code, carriage.model.framing
        data_bits = 0xFF >> 8 - framing.bytesize if code.five else 0
        self._stop_bits = data_bits & ~code.mask
        self._begin()

    def _begin(self) -> None:
        self._telnet = Telnet()
        code = self.carriage.code
        self._loop = Loop(code.encode("\r")[0], code.mask)
        self._opened_at = self.port.clock()  # when the port was last opened, or tried
        # When everything written will have been printed:
        self._printed_at = self._opened_at + self.port.settle

    @property
    def char_seconds(self) -> float:
        """The seconds that a character takes; 0 if output is not paced."""
        if pace := self.carriage.settings.pace:
            return 1 / pace
        model = self.carriage.model
        return model.framing.length / model.baud if model.baud else 0.0

    @property
    def at_machine(self) -> bool:
        """Whether a machine is at the end of this line: no terminal, and no pipe."""
        return self.char_seconds > 0 and self.port.live

    @property
    def found_loop(self) -> bool:
        """Whether the line has proved to be one current loop, and LOOP is not set."""
        is_news = self.at_machine and not self.carriage.settings.loop
        return is_news and self._loop.proved

    @property
    def silence(self) -> float:
        """The number of seconds since the last character was printed or a key came."""
        return self.port.clock() - max(self._printed_at, self.heard_at)

    def apply(self, settings: Settings) -> None:
        """Obey CTS and MOTOR, and give all to the carriage.  Raises Refusal for CTS."""
        self.port.obey_cts(settings.cts)
        if settings.motor != self.carriage.settings.motor:
            self._motor_runs = not settings.motor  # without it the motor runs
            self.port.switch_motor(self._motor_runs)
        self.carriage.apply(settings)

    def _start_motor(self) -> None:
        """Start the motor; it cannot print before it is up to speed."""
        self.port.switch_motor(True)
        self._motor_runs = True
        self._printed_at = max(self._printed_at, self.port.clock() + RUN_UP)

    def _stop_motor(self) -> None:
        if self.carriage.settings.motor:
            self.port.switch_motor(False)
            self._motor_runs = False

    def stop_idle_motor(self) -> None:
        if self._motor_runs and self.silence > IDLE:
            self._stop_motor()

    def close(self) -> None:
        self._stop_motor()
        self.port.close()

    def fetch(self, timeout: float) -> Sequence[int]:
        """Return the bytes and BREAKs typed; wait up to timeout seconds for one.

        A key that starts the motor is dropped: without its motor a keyboard sends only
        garbage, or a BREAK that is meant to start the motor.  So is a server's banner.
        """
        if self.at_end:
            self.port.sleep(timeout)
            return b""
        with self._noting_hangup():
            try:
                typed = self.port.read(timeout)
            except EOFError:
                self.at_end = True
                return b""
            if self.port.telnet:
                typed = self._telnet.strip(bytes(typed), timeout > 0 and not typed)
            if not typed:
                return b""
            now = self.port.clock()
            typed = self._loop.strip(typed, now, self.carriage.settings.loop)
            if self.found_loop:
                raise Hangup
        banner = len(typed) > MOST_AT_ONCE and now < self._opened_at + self.port.settle
        if not typed or banner:
            return b""
        self.heard_at = now
        if not self._motor_runs:
            self._start_motor()
            return b""
        return typed

    @contextmanager
    def _noting_hangup(self) -> Iterator[None]:
        """Note it if the block raises Hangup; after that, raise it before the block."""
        if self._hung_up:
            raise Hangup
        try:
            yield
        except Hangup:
            self._hung_up = True
            raise

    def ready_in(self) -> float:
        """Start the motor; return the seconds until the next byte may be written."""
        if not self._motor_runs:
            self._start_motor()
        buffered = min(BUFFERED, MOST_BUFFERED * self.char_seconds)
        printing = self._printed_at - self.port.clock()
        early = max(printing, self.port.out_waiting() * self.char_seconds) - buffered
        return early if early >= LEAST_DELAY else 0.0

    def write(self, data: bytes) -> int:
        """Write the first bytes of data; return how many, which is 0 or 1 if paced.

        Raises EOFError when nobody will ever read.
        """
        piece = data[:1] if self.char_seconds else data
        with self._noting_hangup():
            sent = self.port.write(bytes(byte | self._stop_bits for byte in piece))
        if sent:
            idle_from = max(self._printed_at, self.port.clock())
            self._printed_at = idle_from + sent * self.char_seconds
            trip = ROUND_TRIP if self.carriage.settings.loop else LONGEST_TRIP
            self._loop.expect(data[:sent], self._printed_at + trip)
        return sent

    def reopen(self) -> None:
        """Reopen the line.  Raises Hangup while that is not possible."""
        if not self.found_loop:
            if self.port.clock() < self._opened_at + self.port.retry:
                self.port.sleep(WAKE)
                raise Hangup
            self._opened_at = self.port.clock()
            self.port.reopen()
            self._begin()
            self._stop_motor()  # opening the port has raised RTS
        self._hung_up = False
