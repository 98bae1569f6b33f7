"""The ports: bytes in, bytes out, and hangup; nothing else.

A port knows no characters and no pace.  Each is opened by making it.
"""

from __future__ import annotations

import os
import sys
from typing import Any

PIECE = 4096  # bytes read at once


class LineError(Exception):
    """A line cannot be opened; the message is one sentence for the user."""


class Hangup(Exception):
    """The line has gone away; it may come back."""


class Port:
    """What every port does.

    live: a person may type while a program works, so the port is read all
    the time; otherwise only when a program asks, so that what is typed
    stands after the question.
    newline: the bytes, as text, that begin a new line.
    """

    live = True
    newline = "\r\n"

    def read(self, timeout: float) -> bytes:
        """What has been typed, b"" if nothing was within timeout seconds.

        It may return sooner.  Raises Hangup, and EOFError at the end of an
        input that cannot come back.
        """
        raise NotImplementedError

    def write(self, data: bytes) -> int:
        """The number of bytes that the line took, from the front.

        Raises Hangup, and EOFError as read does.
        """
        raise NotImplementedError

    def waiting(self) -> int:
        """The number of bytes that were written and are still to go out."""
        return 0

    def reopen(self) -> None:
        """Nothing, once the line is there again; raises Hangup until then."""
        raise Hangup

    def close(self) -> None:
        """Nothing; the line is left as it was found."""


class Pipe(Port):
    """Standard input and output that are no terminal."""

    live = False
    newline = "\n"

    def read(self, timeout: float) -> bytes:
        """What comes next, waiting for it; raises EOFError at its end."""
        if not ready(0, timeout):
            return b""
        data = os.read(0, PIECE)
        if not data:
            raise EOFError
        return data

    def write(self, data: bytes) -> int:
        """The number of bytes written; raises EOFError when nobody reads."""
        try:
            return os.write(1, data)
        except OSError:
            raise EOFError from None


class PlainConsole(Pipe):
    """A terminal where only whole lines can be read: it echoes by itself."""

    def read(self, timeout: float) -> bytes:
        """The next line, waiting for it."""
        line = sys.stdin.buffer.readline()
        if not line:
            raise EOFError
        return line.replace(b"\r\n", b"\n")

    def write(self, data: bytes) -> int:
        """The number of bytes written."""
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return len(data)


class Console(Pipe):
    """The terminal, byte by byte, with no echo and no signals of its own."""

    live = True

    def __init__(self) -> None:
        import signal
        import termios

        super().__init__()
        self._termios: Any = termios
        self._found: list[Any] = termios.tcgetattr(0)
        self._take()
        signal.signal(signal.SIGTSTP, self._suspend)
        signal.signal(signal.SIGCONT, self._take)

    def _take(self, *_: object) -> None:
        mode = self._termios.tcgetattr(0)
        t = self._termios
        mode[0] &= ~(t.ICRNL | t.INLCR | t.IGNCR | t.IXON | t.ISTRIP)
        mode[3] &= ~(t.ICANON | t.ECHO | t.ISIG | t.IEXTEN)
        mode[6][t.VMIN], mode[6][t.VTIME] = 1, 0
        t.tcsetattr(0, t.TCSADRAIN, mode)

    def _suspend(self, *_: object) -> None:
        self.close()
        os.kill(os.getpid(), __import__("signal").SIGSTOP)

    def read(self, timeout: float) -> bytes:
        """What has been typed; raises EOFError when the terminal is gone."""
        try:
            return super().read(timeout)
        except OSError:
            raise EOFError from None

    def close(self) -> None:
        """Nothing; the terminal is as it was before."""
        self._termios.tcsetattr(0, self._termios.TCSADRAIN, self._found)


def console() -> Port:
    """The port to standard input and output, terminal or not."""
    if not os.isatty(0):
        return Pipe()
    try:
        return Console()
    except ImportError:
        return PlainConsole()


def ready(descriptor: int, timeout: float) -> bool:
    """Whether there is something to read within that many seconds."""
    if sys.platform == "win32":
        return True
    import select

    return bool(select.select([descriptor], [], [], timeout)[0])


def open_line(name: str, baud: float) -> Port | None:
    """The port of that name."""
    raise LineError(f"{name} IS NOT YET BUILT")
