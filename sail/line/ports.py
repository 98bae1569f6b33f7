"""The ports: bytes in, bytes out, and hangup.

A port knows nothing of pace, and of characters only how a line ends.  This module has
the ports within this computer: pipe, terminal and pseudo-terminal.  For other lines see
`device`.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from sail.refusal import Refusal, system_words

PIECE = 4096  # bytes read at once
ROOM = 512  # bytes that a writable pipe takes whole on every system
MOST_AT_ONCE = 8  # bytes that a person sends at once; a server's banner has more
BYTE_WAIT = 0.05  # seconds that a port waits for the line to take a byte

termios: Any = None  # Windows lacks these three modules
fcntl: Any = None
tty: Any = None
with suppress(ImportError):
    termios, fcntl = import_module("termios"), import_module("fcntl")
    tty = import_module("tty")


class LineError(Exception):
    """A line cannot be opened or written; the message is a sentence for the user."""


class Hangup(Exception):
    """The line has hung up, and may come back; or it has proved to be one loop."""


class Port:
    """The interface of every port.

    A pipe, and a port that is read by lines, are read only at a question, one line for
    each; any other is read all the time.
    """

    live = True  # whether a person types here: it is no pipe
    by_lines = False  # whether reading waits for a whole line; it prints what is typed
    newline = "\r\n"  # the characters that begin a new line
    at_left = False  # whether the carriage begins at the left margin
    end_key = ""  # a key that ends the input on an empty line, besides ^Z
    telnet = False  # whether the far end may speak telnet
    retry = 2.0  # seconds between two attempts to reopen the port
    settle = 0.0  # seconds after opening in which only a banner passes

    def clock(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def setup(self) -> None:
        """Set the line's mode; the caller is now sure to call `close`."""

    def read(self, timeout: float) -> Sequence[int]:
        """Return the bytes and BREAKs typed; wait up to timeout seconds for one.

        Raises Hangup, or EOFError at the end of an input that cannot come back.
        """
        raise NotImplementedError

    def write(self, data: bytes) -> int:
        """Write the first bytes of data; return how many went within BYTE_WAIT.

        Raises Hangup, or EOFError when nobody will ever read.
        """
        raise NotImplementedError

    def out_waiting(self) -> int:
        """Return the number of bytes written that have not gone out yet."""
        return 0

    def switch_motor(self, on: bool) -> None:
        """Switch the motor of the machine, if the line has a wire for it."""

    def obey_cts(self, cts: bool) -> None:
        """Let CTS suspend the output or not.  Raises Refusal if it cannot."""
        if cts:
            raise Refusal("CTS DOES NOTHING ON THIS LINE.")

    def reopen(self) -> None:
        """Reopen the line.  Raises Hangup while that is not possible."""

    def close(self) -> None:
        """Leave the line as it was found."""


class Pipe(Port):
    """Standard input and output where they are not a terminal."""

    live = False
    newline = "\n"
    at_left = True
    telnet = True
    output = 1  # the descriptor of the output

    def read(self, timeout: float) -> bytes:
        try:
            if sys.platform != "win32" and not readable(0, timeout):
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
        try:
            return self._write(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            if error.errno in (errno.EPIPE, errno.EIO):
                raise EOFError from None
            raise _unwritable(error) from None

    def _write(self, data: bytes) -> int:
        if sys.platform != "win32" and not writable(self.output):
            return 0
        return os.write(self.output, data[:ROOM])


class PlainConsole(Pipe):
    """A terminal that can be read only line by line."""

    live = by_lines = True

    def read(self, timeout: float) -> bytes:
        """Wait for a line, or the next piece of a long one; ^C ends the input."""
        handler = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            line = sys.stdin.buffer.readline(PIECE)
        except (OSError, KeyboardInterrupt):
            line = b""
        finally:
            signal.signal(signal.SIGINT, handler)
        if not line:
            raise EOFError
        return line.replace(b"\r\n", b"\n")

    def _write(self, data: bytes) -> int:
        written = sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return written


class Console(Pipe):
    """The terminal, read byte by byte, without its own echo and signals."""

    live = True
    end_key = "\x04"

    def __init__(self) -> None:
        self._mode_found: list[Any] = termios.tcgetattr(0)

    def setup(self) -> None:
        """Put the terminal in raw mode, now and after the job was suspended."""
        with suppress(OSError):
            # Other programs share descriptor 1, which must stay blocking.
            name = os.ttyname(1)
            self.output = os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        self._set_raw()
        signal.signal(signal.SIGCONT, self._set_raw)

    def _set_raw(self, *_: object) -> None:
        mode = [*self._mode_found[: tty.CC], list(self._mode_found[tty.CC])]
        t = termios
        mode[tty.IFLAG] &= ~(t.ICRNL | t.INLCR | t.IGNCR | t.IXON | t.ISTRIP)
        mode[tty.LFLAG] &= ~(t.ICANON | t.ECHO | t.ISIG | t.IEXTEN)
        mode[tty.CC][t.VMIN], mode[tty.CC][t.VTIME] = 1, 0
        self._set(mode)

    def close(self) -> None:
        self._set(self._mode_found)
        if self.output != 1:
            os.close(self.output)

    def _set(self, mode: list[Any]) -> None:
        """Set the mode, but not in the background: that would stop the job."""
        with suppress(OSError):  # it may not be the job's own terminal
            if os.tcgetpgrp(0) != os.getpgrp():
                return
        with suppress(termios.error):  # the terminal may be gone
            # TCSADRAIN keeps what was typed ahead.
            termios.tcsetattr(0, termios.TCSADRAIN, mode)


class Pseudo(Port):
    """A pseudo-terminal, which counts as hung up while nobody has it open."""

    telnet = True
    retry = 0.2

    def __init__(self) -> None:
        if not tty:
            raise LineError("--tty pty needs Linux, macOS or another POSIX system.")
        try:
            self._master, slave = os.openpty()
        except OSError as error:
            why = system_words(error)
            raise LineError(f"Cannot make a pseudo-terminal: {why}.") from None
        self.name = os.ttyname(slave)  # the device that a terminal program opens
        os.set_blocking(self._master, False)
        os.close(slave)
        self._read_ahead = b""  # bytes that `reopen` has read
        self._clean()

    def _clean(self) -> None:
        """Let bytes pass unchanged, and discard what the last user did not read."""
        with suppress(termios.error):  # some systems refuse it on this side
            tty.setraw(self._master, termios.TCSAFLUSH)

    def read(self, timeout: float) -> bytes:
        typed, self._read_ahead = self._read_ahead, b""
        if typed or not readable(self._master, timeout):
            return typed
        try:
            typed = os.read(self._master, PIECE)
        except OSError:
            typed = b""
        if not typed:
            self._clean()
            raise Hangup
        return typed

    def write(self, data: bytes) -> int:
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            writable(self._master)
            return 0
        except OSError:
            raise Hangup from None

    def reopen(self) -> None:
        self._read_ahead = self.read(0)

    def close(self) -> None:
        os.close(self._master)


def console(adds_returns: bool) -> Port:
    """Return the port for standard input and output, terminal or not.

    adds_returns: whether the output adds CR to LF, if the system cannot tell.
    """
    port = Pipe() if not os.isatty(0) else Console() if termios else PlainConsole()
    if termios:
        adds = termios.OPOST | termios.ONLCR
        with suppress(termios.error):
            adds_returns = termios.tcgetattr(1)[tty.OFLAG] & adds == adds
    if not adds_returns:
        port.newline = "\r\n"
    return port


def readable(descriptor: int, timeout: float) -> bool:
    return bool(select.select([descriptor], [], [], timeout)[0])


def writable(descriptor: int) -> bool:
    """Return whether a byte can be written within BYTE_WAIT."""
    return bool(select.select([], [descriptor], [], BYTE_WAIT)[1])


def write_out(text: str) -> None:
    """Write the text to standard output, unbuffered.  Raises LineError."""
    data = text.encode(errors="backslashreplace")  # a name need not be UTF-8
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError as error:
        raise _unwritable(error) from None


def _unwritable(error: OSError) -> LineError:
    return LineError(f"Cannot write the output: {system_words(error)}.")
