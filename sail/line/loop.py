"""One loop: whatever is sent comes back, as if it were typed (TTY).

Pure: it knows nothing of ports or time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice

UNDER_WAY = 256  # characters that may be on their way back
LOST = 3  # of them may be lost in a row
LINES = 3  # lines, or
CHARACTERS = 216  # characters that have come back show one loop


class Loop:
    """What is on its way back on one line.

    line_end: the code of the carriage return.

    closed: whether it is known that keyboard and printer share one loop.
    """

    def __init__(self, line_end: int) -> None:
        self.closed = False
        self._line_end = line_end
        self._sent: deque[int] = deque(maxlen=UNDER_WAY)
        # What has come back, with nothing else between.
        self._back: deque[int] = deque(maxlen=CHARACTERS)

    def send(self, data: bytes) -> None:
        """Note what has been sent."""
        self._sent += data

    def forget(self) -> None:
        """Expect nothing back."""
        self._sent.clear()
        self._back.clear()

    def receive(self, received: Sequence[int]) -> Sequence[int]:
        """Return what was typed: in a closed loop, all but what was sent."""
        return [key for key in received if not self._comes_back(key) or not self.closed]

    def _comes_back(self, key: int) -> bool:
        expected = list(islice(self._sent, LOST + 1 if self.closed else 1))
        if key not in expected:
            if not self.closed:
                self.forget()
            return False
        for _ in range(expected.index(key) + 1):
            self._sent.popleft()  # whatever was sent before it is lost
        if not self.closed:
            self._back.append(key)
        return True

    @property
    def shows(self) -> bool:
        """Return whether what came back shows that this must be one loop.

        One key held down, whose echo is its own code, does not.
        """
        lines = self._back.count(self._line_end) if len({*self._back}) > 1 else 0
        return not self.closed and (lines >= LINES or len(self._back) >= CHARACTERS)
