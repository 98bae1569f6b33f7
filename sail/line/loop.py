"""One current loop for keyboard and printer: output comes back as input (TTY-LOOP).

Pure: it knows nothing of ports, and is told the time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice

ROUND_TRIP = 2.0  # seconds within which a printed character comes back
UNDER_WAY = 256  # characters that may be on their way back
LOST = 3  # characters in a row that may get lost
# Either of these, coming back in a row, proves that this is one loop:
LINES = 3
CHARACTERS = 100


class Loop:
    """The characters on their way back on one line.

    used: the bits that come back as they were sent.  (The bit above a byte, that of
    a BREAK, always counts.)
    """

    def __init__(self, line_end: int, used: int = 0xFF) -> None:
        self.closed = False  # whether keyboard and printer are known to be in series
        self.proven = False  # whether what came back proves that they are
        self._used = used | 0x100
        self._line_end = line_end  # the code of the carriage return
        # The characters sent, each with the time after which it counts as lost.
        self._sent: deque[tuple[int, float]] = deque(maxlen=UNDER_WAY)
        self._back: deque[int] = deque(maxlen=CHARACTERS)  # come back in a row

    def send(self, data: bytes, printed: float) -> None:
        """Note what has been sent, and the time by which it will be printed."""
        self._sent += ((key & self._used, printed + ROUND_TRIP) for key in data)

    def forget(self) -> None:
        """Expect nothing back."""
        self._sent.clear()
        self._back.clear()

    def receive(self, received: Sequence[int], now: float) -> Sequence[int]:
        """Return what was typed: in a closed loop, all but what was sent."""
        while self._sent and self._sent[0][1] < now:
            self._sent.popleft()
            self._back.clear()
        typed = [key for key in received if not self._drop(key & self._used)]
        if self.closed:
            self.proven = False
            return typed
        if typed:
            self.forget()
        lines = self._back.count(self._line_end)
        # A key that is held down matches its own echo.
        self.proven = (lines >= LINES or len(self._back) >= CHARACTERS) and (
            len({*self._back}) > 1
        )
        return received

    def _drop(self, code: int) -> bool:
        """Drop the characters sent up to this code; return False if it was not sent."""
        expected = [sent for sent, _ in islice(self._sent, LOST + 1)]
        if code not in expected:
            return False
        for _ in range(expected.index(code) + 1):
            self._sent.popleft()  # those before it are lost
        self._back.append(code)
        return True
