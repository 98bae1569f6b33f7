"""The ports: bytes in, bytes out, and hangup; nothing else.

A port knows no characters and no pace.  Each is opened by making it.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

PIECE = 4096  # bytes read at once
NAP = 0.05  # seconds that a line without a descriptor waits for a byte

# What pyserial raises when a line cannot be opened or has gone: besides
# OSError these, from deeper down.
LOST = (OSError, ValueError, TypeError, AttributeError)


class LineError(Exception):
    """A line cannot be opened; the message is one sentence for the user."""


class Hangup(Exception):
    """The line has gone away; it may come back."""


class Port:
    """What every port does.

    live: a person may type while a program works, so the port is read all
    the time; otherwise only when a program asks, so that what is typed
    stands after the question.
    echoes: it prints what is typed by itself.
    newline: the bytes, as text, that begin a new line.
    retry: seconds between two trials to get it back.
    """

    live = True
    echoes = False
    newline = "\r\n"
    retry = 2.0

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
        try:
            if sys.platform != "win32" and not ready(0, timeout):
                return b""
            data = os.read(0, PIECE)
        except BlockingIOError:
            return b""
        except OSError:
            raise EOFError from None
        if not data:
            raise EOFError
        return data

    def write(self, data: bytes) -> int:
        """The number of bytes written.

        Raises EOFError when nobody reads, LineError when it cannot be.
        """
        try:
            return self._write(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            if error.errno in (errno.EPIPE, errno.EIO):
                raise EOFError from None
            raise LineError(f"Cannot write the output: {reason(error)}.") from None

    def _write(self, data: bytes) -> int:
        return os.write(1, data)


class PlainConsole(Pipe):
    """A terminal where only whole lines can be read."""

    echoes = True

    def read(self, timeout: float) -> bytes:
        """The next line, or the next piece of a long one, waiting for it."""
        try:
            line = sys.stdin.buffer.readline(PIECE)
        except OSError:
            raise EOFError from None
        if not line:
            raise EOFError
        return line.replace(b"\r\n", b"\n")

    def _write(self, data: bytes) -> int:
        written = sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return written


class Console(Pipe):
    """The terminal, byte by byte, with no echo and no signals of its own."""

    live = True

    def __init__(self) -> None:
        import signal
        import termios

        t = termios
        self._signal: Any = signal
        self._termios: Any = termios
        self._found = t.tcgetattr(0)
        self._taken = t.tcgetattr(0)
        self._taken[0] &= ~(t.ICRNL | t.INLCR | t.IGNCR | t.IXON | t.ISTRIP)
        self._taken[3] &= ~(t.ICANON | t.ECHO | t.ISIG | t.IEXTEN)
        self._taken[6][t.VMIN], self._taken[6][t.VTIME] = 1, 0
        self._take()
        signal.signal(signal.SIGTSTP, self._suspend)
        signal.signal(signal.SIGCONT, self._take)

    def _take(self, *_: object) -> None:
        self._set(self._taken)

    def _suspend(self, *_: object) -> None:
        self.close()
        os.kill(os.getpid(), self._signal.SIGSTOP)

    def close(self) -> None:
        """Nothing; the terminal is as it was before."""
        self._set(self._found)

    def _set(self, mode: list[Any]) -> None:
        try:
            self._termios.tcsetattr(0, self._termios.TCSADRAIN, mode)
        except self._termios.error:
            pass  # the terminal is gone


class Pseudo(Port):
    """A pseudo-terminal; name is what a terminal program opens.

    It counts as hung up while no one has it open.
    """

    retry = 0.2

    def __init__(self) -> None:
        if not hasattr(os, "openpty"):
            raise LineError("--tty pty needs Linux, macOS or another POSIX system.")
        self._master, slave = os.openpty()
        self.name = os.ttyname(slave)
        os.set_blocking(self._master, False)
        os.close(slave)
        self._clean()

    def _clean(self) -> None:
        """Bytes pass through unchanged, and none is left for who comes next."""
        import termios
        import tty

        try:
            tty.setraw(self._master)
        except termios.error:
            pass  # not every system lets this be done from the master's side

    def read(self, timeout: float) -> bytes:
        """What has been typed; raises Hangup when the terminal was closed."""
        try:
            return os.read(self._master, PIECE) if ready(self._master, timeout) else b""
        except OSError:
            self._clean()
            raise Hangup from None

    def write(self, data: bytes) -> int:
        """The number of bytes that went in."""
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            return 0
        except OSError:
            raise Hangup from None

    def reopen(self) -> None:
        """Nothing, once someone has opened it; raises Hangup until then."""
        import select

        poll = select.poll()
        poll.register(self._master, 0)
        if poll.poll(0):
            raise Hangup

    def close(self) -> None:
        """Nothing; the pseudo-terminal is no more."""
        os.close(self._master)


class Serial(Port):
    """A device or a URL as pyserial opens it, with these settings."""

    def __init__(self, name: str, **settings: Any) -> None:
        try:
            serial: Any = import_module("serial")
        except ImportError:
            raise LineError(
                "A line needs pyserial: install it with"
                " python3 -m pip install pyserial, or Debian's python3-serial."
            ) from None
        self._open: Callable[[], Any] = lambda: serial.serial_for_url(
            name, timeout=NAP, exclusive=True, **settings
        )
        try:
            self._line: Any = self._open()
        except LOST as error:
            raise LineError(f"Cannot open {name}: {reason(error)}.") from None
        self._find_descriptor()

    def _find_descriptor(self) -> None:
        try:
            self._descriptor: int | None = self._line.fileno()
            self._line.timeout = 0
        except (AttributeError, OSError):
            # rfc2217 and loop have none, nor has Windows: they wait by
            # themselves, for the same time always, because rfc2217 would
            # negotiate a change.
            self._descriptor = None

    def read(self, timeout: float) -> bytes:
        """What has been typed."""
        try:
            if self._descriptor is None:
                if not (timeout or self._line.in_waiting):
                    return b""
                data: bytes = self._line.read(1)
                return data + self._line.read(self._line.in_waiting) if data else b""
            if not ready(self._descriptor, timeout):
                return b""
            return bytes(self._line.read(PIECE))
        except LOST:
            raise Hangup from None

    def write(self, data: bytes) -> int:
        """The number of bytes that the line took."""
        try:
            if self._descriptor is not None and not takes(self._descriptor):
                return 0
            return int(self._line.write(data))
        except LOST:
            raise Hangup from None

    def waiting(self) -> int:
        """The bytes that a device still holds; 0 where it cannot be known."""
        try:
            return int(self._line.out_waiting)
        except AttributeError:
            return 0
        except LOST:
            raise Hangup from None

    def reopen(self) -> None:
        """Nothing, once the line could be opened again."""
        self.close()
        try:
            self._line = self._open()
            self._find_descriptor()
        except LOST:
            raise Hangup from None

    def close(self) -> None:
        """Nothing; the line is closed."""
        try:
            self._line.close()
        except LOST:
            pass


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
    import select

    return bool(select.select([descriptor], [], [], timeout)[0])


def takes(descriptor: int) -> bool:
    """Whether it would take a byte at once."""
    import select

    return bool(select.select([], [descriptor], [], 0)[1])


def reason(error: BaseException | None) -> str:
    """What went wrong, in the words of the system if it said so."""
    text = str(error)
    while error:
        if len(error.args) > 1 and isinstance(error.args[0], int):
            number, words = error.args[:2]
            return os.strerror(number) if number > 0 else str(words)
        if isinstance(error, TypeError):
            text = "something is missing in the name"
        error = error.__context__
    return text
