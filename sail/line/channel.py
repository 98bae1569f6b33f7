"""The channel: a port in time.

Bytes go out no faster than the machine prints them, its motor runs while it
is needed, and a line that has hung up is opened again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import final

from sail.line.ports import Hangup, Port
from sail.line.settings import Settings

AHEAD = 0.08  # seconds of output that the line may still hold
MOST_AHEAD = 14  # characters of it: a screen's half-full buffer has room for them
WAKE = 0.1  # seconds at most until a signal is seen
LONGEST_PIECE = 256  # characters between two looks at the keyboard
SOON = 0.001  # seconds that are not worth a wait
RUN_UP = 2.0  # seconds until a motor turns fast enough to print
SILENCE = 300.0  # seconds after which it is switched off


@final
class Channel:
    """One port, with the pace and the motor of the machine behind it.

    character: the seconds that the line takes for one, 0 for none.

    gone: the line has hung up and is not back yet.
    ended: nothing more can be typed.

    Any method that uses the port may raise Hangup; `gone` is then true.
    """

    def __init__(
        self,
        port: Port,
        character: float,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self.gone = False
        self.ended = False
        self.sleep = sleep
        self._port = port
        self._clock = clock
        self._line_character = self._character = character
        self._free = clock()  # when all that was written will be on paper
        self._heard = clock()  # when something was last typed
        self._tried = -port.retry  # when reopening was last tried
        self._has_motor = False  # RTS switches it
        self._runs = False

    @property
    def piece(self) -> int:
        """The characters to write between two looks at the keyboard."""
        return 1 if self._character else LONGEST_PIECE

    def serve(self, settings: Settings) -> None:
        """Keep the pace and the motor that these settings ask for."""
        pace = settings.pace
        self._character = 1 / pace if pace else self._line_character
        if self._has_motor and not settings.motor:
            self._port.motor(True)
            self._runs = False
        self._has_motor = settings.motor

    def take(self) -> None:
        """Begin: the job is ready for signals."""
        self._port.take()

    def close(self) -> None:
        """Stop the motor and leave the line as it was found."""
        if self._has_motor:
            self._port.motor(False)
        self._port.close()

    def delay(self) -> float:
        """Return the seconds until the next byte may be written, 0 for now."""
        with self._noticing_hangup():
            coming = self._port.waiting() * self._character
        early = max(coming, self._free - self._clock())
        early -= min(AHEAD, MOST_AHEAD * self._character)
        return early if early >= SOON else 0.0

    def write(self, data: bytes) -> int:
        """Return the number of bytes that the line took, one at most if paced.

        Raises EOFError when nobody will ever read.
        """
        with self._noticing_hangup():
            sent = self._port.write(data[:1] if self._character else data)
        self._free = max(self._free, self._clock()) + sent * self._character
        return sent

    def read(self, timeout: float) -> Sequence[int]:
        """Return what was typed within timeout seconds, empty if nothing was."""
        if self.ended:
            self.sleep(timeout)
            return b""
        try:
            with self._noticing_hangup():
                typed = self._port.read(timeout)
        except EOFError:
            self.ended = True
            return b""
        if typed:
            self._heard = self._clock()
            if self._has_motor and not self._runs:
                # Without its motor a keyboard sends only garbage; a BREAK,
                # too, may have been sent to have it started.
                self.start_motor()
                return b""
        return typed

    def start_motor(self) -> None:
        """Have the motor run, if there is one, before the next byte goes out."""
        if self._has_motor and not self._runs:
            self._port.motor(True)
            self._runs = True
            self._free = max(self._free, self._clock() + RUN_UP)

    def rest_motor(self) -> None:
        """Switch the motor off if the line has been silent for long."""
        silence = self._clock() - max(self._free, self._heard)
        if self._runs and silence > SILENCE:
            self._port.motor(False)
            self._runs = False

    def reopen(self) -> None:
        """Get the line back.  Raises Hangup while it is not there."""
        if self._clock() < self._tried + self._port.retry:
            self.sleep(WAKE)
            raise Hangup
        self._tried = self._clock()
        self._port.reopen()
        self.gone = False
        self._runs = False

    @contextmanager
    def _noticing_hangup(self) -> Iterator[None]:
        try:
            yield
        except Hangup:
            self.gone = True
            raise
