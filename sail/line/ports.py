"""The ports: bytes in, bytes out, and hangup.

A port knows no characters and no pace.  Here are those of this machine:
pipe, terminal, pseudo-terminal; `device` has the lines that lead out of it.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

PIECE = 4096  # bytes read at once
ROOM = 512  # bytes that a pipe takes whole once it takes any, on every system
# What a telnet says to its server when it is behind a pseudo-terminal: there
# is a ^C in it.
NEGOTIATION = re.compile(rb"\xff[\xfb-\xfe].", re.DOTALL)
NAP = 0.05  # seconds that a port waits for a line to take a byte


class LineError(Exception):
    """A line cannot be opened or written; one sentence for the user."""


class Hangup(Exception):
    """The line has gone away; it may come back."""


class Port:
    """What every port does.

    live: a person may type while a program works, so the port is read all
    the time; otherwise only when a program asks, so that what is typed
    stands after the question.
    echoes: it prints what is typed by itself.
    newline: the bytes, as text, that begin a new line.
    at_left: the carriage stands at the left when the port is opened.
    end_key: a key that on an empty line ends the input, besides ^Z.
    retry: seconds between two trials to get it back.
    """

    live = True
    echoes = False
    newline = "\r\n"
    at_left = False
    end_key = ""
    retry = 2.0

    def take(self) -> None:
        """Begin: the job is ready for signals, and gives the line back."""

    def read(self, timeout: float) -> Sequence[int]:
        """What was typed: bytes and BREAKs, none if none came in timeout seconds.

        It may return sooner.  Raises Hangup, and EOFError at the end of an
        input that cannot come back.
        """
        raise NotImplementedError

    def write(self, data: bytes) -> int:
        """The number of bytes that the line took, from the front.

        A line that takes none is waited for a moment.  Raises Hangup, and
        EOFError when nobody will ever read.
        """
        raise NotImplementedError

    def waiting(self) -> int:
        """The number of bytes that were written and are still to go out."""
        return 0

    def motor(self, on: bool) -> None:
        """Switch the motor of the machine, where the line has a wire for it."""

    def reopen(self) -> None:
        """Get the line back.  Raises Hangup while it is not there."""

    def close(self) -> None:
        """Leave the line as it was found."""


class Pipe(Port):
    """Standard input and output that are no terminal."""

    live = False
    newline = "\n"
    at_left = True

    def read(self, timeout: float) -> bytes:
        """What comes next.  Raises EOFError at its end."""
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

        Raises EOFError when nobody reads, LineError when the output cannot
        be written.
        """
        try:
            return self._write(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            if error.errno in (errno.EPIPE, errno.EIO):
                raise EOFError from None
            raise unwritable(error) from None

    def _write(self, data: bytes) -> int:
        if sys.platform != "win32" and not takes(1, NAP):
            return 0
        return os.write(1, data[:ROOM])


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
    end_key = "\x04"

    def __init__(self) -> None:
        import signal
        import termios

        self._signal: Any = signal
        self._termios: Any = termios
        self._found: list[Any] = termios.tcgetattr(0)
        self._paper = 1

    def take(self) -> None:
        """Take the terminal; a stopped job gives it back and takes it again."""
        with suppress(OSError):
            # A descriptor of its own can be told not to block; the standard
            # one is shared with other programs.
            name = os.ttyname(1)
            self._paper = os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        self._set_raw()
        self._signal.signal(self._signal.SIGTSTP, self._suspend)
        self._signal.signal(self._signal.SIGCONT, self._set_raw)

    def _set_raw(self, *_: object) -> None:
        t = self._termios
        mode = [*self._found[:6], list(self._found[6])]
        mode[0] &= ~(t.ICRNL | t.INLCR | t.IGNCR | t.IXON | t.ISTRIP)
        mode[3] &= ~(t.ICANON | t.ECHO | t.ISIG | t.IEXTEN)
        mode[6][t.VMIN], mode[6][t.VTIME] = 1, 0
        self._set(mode)

    def _suspend(self, *_: object) -> None:
        self._set(self._found)
        os.kill(os.getpid(), self._signal.SIGSTOP)

    def _write(self, data: bytes) -> int:
        return os.write(self._paper, data[:ROOM]) if takes(self._paper, NAP) else 0

    def close(self) -> None:
        """Leave the terminal as it was found."""
        self._set(self._found)
        if self._paper != 1:
            os.close(self._paper)

    def _set(self, mode: list[Any]) -> None:
        with suppress(self._termios.error):  # the terminal may be gone
            self._termios.tcsetattr(0, self._termios.TCSADRAIN, mode)


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
        self._typed = b""  # what came while the line was opened again
        self._clean()

    def _clean(self) -> None:
        """Let bytes pass unchanged; leave none for who comes next."""
        import termios
        import tty

        with suppress(termios.error):  # not every system allows it on this side
            tty.setraw(self._master)

    def read(self, timeout: float) -> bytes:
        """What was typed.  Raises Hangup when the terminal was closed."""
        typed, self._typed = self._typed, b""
        if typed or not ready(self._master, timeout):
            return typed
        try:
            typed = os.read(self._master, PIECE)
        except OSError:
            typed = b""
        if not typed:
            self._clean()
            raise Hangup
        return NEGOTIATION.sub(b"", typed)

    def write(self, data: bytes) -> int:
        """The number of bytes that went in."""
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            takes(self._master, NAP)
            return 0
        except OSError:
            raise Hangup from None

    def reopen(self) -> None:
        """Return once someone has opened it; raises Hangup until then."""
        self._typed = self.read(0)

    def close(self) -> None:
        """Remove the pseudo-terminal."""
        os.close(self._master)


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


def takes(descriptor: int, timeout: float) -> bool:
    """Whether it takes a byte within that many seconds."""
    import select

    return bool(select.select([], [descriptor], [], timeout)[1])


def unwritable(error: OSError) -> LineError:
    """The sentence for an output that the system refuses to write."""
    return LineError(f"Cannot write the output: {words_of(error)}.")


def words_of(error: OSError) -> str:
    """What went wrong, in the words of the system."""
    return error.strerror or str(error)
