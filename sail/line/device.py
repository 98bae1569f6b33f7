"""A line that leads out of this computer, opened by pyserial.

Its name is a device or a URL: socket:// for plain TCP, rfc2217:// for a
serial server.
"""

from __future__ import annotations

import errno
import os
import re
import socket
import struct
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import count
from typing import Any

from sail.files.disk import SAFE_FLAGS
from sail.line import ports
from sail.line.codes import BREAK
from sail.line.failures import FAILURES, as_hangup, is_transient, reason
from sail.line.models import EIGHT, Framing
from sail.line.ports import Hangup, LineError, Port, fcntl, termios, tty

HUNG_UP, IS_BACK = "has hung up", "is back"
HANGS_UP_AT_ONCE = "hangs up as soon as it is opened"
TOO_SOON = 5.0  # seconds; a line that is lost sooner has not been back
RESTART = 2.0  # seconds; DTR, which opening raises, restarts some interfaces
BANNER = 0.5  # seconds in which a server's banner comes
FTDI, FTDI_LEAST, FTDI_BITS = 0x0403, 183, 7  # its USB vendor, and what it can do
FTDI_LACKS = "an FTDI chip, with no five bits and nothing below 183 baud"
PSEUDO = re.compile(r"/dev/(pts/|ttys)[0-9]+")
MARKED = re.compile(rb"[^\xff]|\xff[^\0]|\xff\0.", re.DOTALL)  # a key, with PARMRK set
LOCKS, DEVICES, PROCESSES = "/var/lock", "/dev/", "/proc"
ANOTHER = "another program"
NO_CONTROL = "ign_set_control"  # pyserial's word in a URL: do without modem lines

# Have the system notice within half a minute that the far end has vanished.
KEEPALIVE = {
    "TCP_KEEPIDLE": 15,
    "TCP_KEEPALIVE": 15,  # macOS's name for TCP_KEEPIDLE
    "TCP_KEEPINTVL": 5,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 30_000,  # milliseconds that sent data may go unacknowledged
}

# Linux: a line's flags (input, output, control, local), discipline, characters, rates.
TERMIOS2 = struct.Struct("4I B 19s 2I")
TCGETS2, TCSETS2 = 0x802C542A, 0x402C542B  # of x86, ARM and RISC-V
CBAUD, BOTHER, CIBAUD = 0o10017, 0o10000, 0o2003600000
ANY_RATE = 9600  # for pyserial, where it cannot set ours
RATE_ERROR = 0.04  # the greatest error of a rate


class Device(Port):
    """A device or a URL; one that is absent, refused or forbidden is waited for.

    Raises LineError if waiting would not help.
    """

    def __init__(self, name: str, baud: float, framing: Framing) -> None:
        _pyserial()
        # pyserial's reader, our only thread, dies on garbage from a server.
        threading.excepthook = lambda _: None
        self._serial: Any = None
        self._name = name
        # Whether another terminal may get this name after a hangup:
        self._is_lent = bool(PSEUDO.fullmatch(os.path.abspath(name)))
        self._baud = baud
        self._framing = framing
        self._cts = False  # whether CTS suspends the output
        self._mismatch = ""  # what the line was last found to have instead
        self._reported = IS_BACK  # what standard error last said of the line
        for attempt in count():
            try:
                self._open()
                break
            except Hangup as why:
                if self._is_lent or not is_transient(why):
                    raise LineError(f"Cannot open {self._name}: {why}.") from None
                if not attempt:
                    ports.write_out(f"Waiting for {self._name}: {why}.\n")
            self.sleep(self.retry)

    @property
    def _is_pseudo(self) -> bool:
        return bool(PSEUDO.fullmatch(os.path.realpath(self._name)))

    def _open(self) -> None:
        """Open the line.  Raises Hangup, whose text says why that is not possible."""
        with as_hangup():
            expect_unlocked(self._name)
            try:
                self._serial = self._connect()
                self._back_at = self.clock() + TOO_SOON  # when it counts as back
                self._prepare()
            except BaseException:  # also Leave, from a signal while kalah.py starts
                self.close()
                raise

    def _connect(self) -> Any:
        """Return pyserial's line.  If it is refused, ask for less."""
        # A pseudo-terminal passes whole bytes and refuses any other framing.
        framing = EIGHT if self._is_pseudo else self._framing
        baud = self._baud
        open_serial = partial(_pyserial(), timeout=ports.BYTE_WAIT, exclusive=True)
        while True:
            try:
                return open_serial(self._name, baudrate=baud, **framing._asdict())
            except Exception as error:  # pyserial lets errors of any type through
                if getattr(error, "errno", None) in (errno.EAGAIN, errno.EBUSY):
                    raise Hangup(f"{holder_of(self._name)} has it") from error
                server = self._name.startswith("rfc2217:")
                no_control = "'control'" in str(error)
                if error.args[:1] == (errno.EINVAL,) and baud != ANY_RATE:
                    # Since glibc 2.42 pyserial 3.5 cannot set rates such as 45; we can.
                    baud = ANY_RATE
                elif server and no_control and NO_CONTROL not in self._name:
                    self._name += ("&" if "?" in self._name else "?") + NO_CONTROL
                elif server and framing.stopbits == 1.5:
                    self._framing = framing = framing._replace(stopbits=2)
                else:
                    raise Hangup(reason(error)) from error

    def _prepare(self) -> None:
        """Set what pyserial does not: break marks, TIOCEXCL, keepalive."""
        self._marked = bytearray()  # the bytes of an incomplete mark
        self._input: int | None = None
        self._output: int | None = None
        # pyserial has no public name for the socket of a network line.
        connection = getattr(self._serial, "_socket", None)
        if connection:
            _keep_alive(connection)
            self._output = connection.fileno()
        try:
            self._input = self._output = self._serial.fileno()
        except (AttributeError, OSError):
            # rfc2217:// and loop:// have no descriptor, and neither has Windows.
            # pyserial then does the waiting, always with the same timeout,
            # because rfc2217 would negotiate any change.
            return
        self._serial.timeout = self._serial.write_timeout = 0  # or it waits twice
        self.telnet = bool(connection)
        if connection:
            self.settle = BANNER
        else:
            self.settle = 0.0 if self._is_pseudo else RESTART
            _set_mode(self._input, self._baud, self._cts)
            self._report_mismatch(self._input)

    def _report_mismatch(self, descriptor: int) -> None:
        """Say once if the driver has set another rate or size than it was asked for."""
        baud, data_bits, mismatch = self._baud, self._framing.bytesize, ""
        if baud < FTDI_LEAST or data_bits < FTDI_BITS:
            adapters = import_module("serial.tools.list_ports").comports()
            path = os.path.realpath(self._name)
            if (path, FTDI) in [(port.device, port.vid) for port in adapters]:
                mismatch = FTDI_LACKS
        with suppress(*FAILURES):  # it is not Linux
            mode = get_mode(descriptor)
            rate, size = mode[-1], 5 + (mode[tty.CFLAG] >> 4 & 3)
            if abs(rate / baud - 1) > RATE_ERROR:
                mismatch = f"{rate} baud, not {baud:g}"
            elif size != data_bits and not self._is_pseudo:
                mismatch = f"{size} data bits, not {data_bits}"
        if mismatch and mismatch != self._mismatch:
            ports.write_out(f"{self._name} has {mismatch} (see HELP LINE ADAPTERS).\n")
        self._mismatch = mismatch

    def _report(self, what: str) -> None:
        """Say this of the line on standard error."""
        print(f"{self._name} {what}.", file=sys.stderr)
        self._reported = what

    def read(self, timeout: float) -> Sequence[int]:
        with as_hangup():
            typed = self._read(timeout)
        if 0 < len(typed) <= ports.MOST_AT_ONCE:
            self._back_at = 0.0
        if self._reported != IS_BACK and self.clock() > self._back_at:
            self._report(IS_BACK)
        return typed

    def _read(self, timeout: float) -> Sequence[int]:
        if self._input is None:
            if not (timeout or self._serial.in_waiting):
                return b""
            first: bytes = self._serial.read(1)
            return first + bytes(self._serial.read(self._serial.in_waiting))
        if not ports.readable(self._input, timeout):
            return b""
        data: bytes = self._serial.read(ports.PIECE)
        return data if self.telnet else self._unmarked(data)

    def _unmarked(self, data: bytes) -> list[int]:
        """Return what PARMRK's marks mean: FF FF is an FF, FF 00 00 a BREAK."""
        self._marked += data
        typed: list[int] = []
        while mark := MARKED.match(self._marked):
            typed.append(BREAK if len(mark[0]) == 3 else mark[0][-1])
            del self._marked[: mark.end()]
        return typed

    def write(self, data: bytes) -> int:
        with as_hangup():
            if self._output is not None and not ports.writable(self._output):
                return 0
            return int(self._serial.write(data))

    def out_waiting(self) -> int:
        """Return the number of bytes that a device still holds; 0 if unknown."""
        with suppress(*FAILURES):  # `read` and `write` report a hangup
            return int(getattr(self._serial, "out_waiting", 0))
        return 0

    def switch_motor(self, on: bool) -> None:
        with suppress(*FAILURES, ValueError):  # a server may refuse it
            self._serial.rts = on

    def obey_cts(self, cts: bool) -> None:
        if self._input is None or self.telnet:
            return super().obey_cts(cts)
        self._cts = cts
        with suppress(*FAILURES):
            _set_mode(self._input, self._baud, cts)

    def reopen(self) -> None:
        """Reopen the line; raise LineError for a terminal that may be another's now."""
        self.close()
        if self._is_lent:
            raise LineError(f"{self._name} has hung up, and may be another's now.")
        if self._reported == IS_BACK:
            self._report(HANGS_UP_AT_ONCE if self.clock() < self._back_at else HUNG_UP)
        self._open()
        if self._reported == HUNG_UP:
            self._report(IS_BACK)

    def close(self) -> None:
        if self._serial:
            with suppress(*FAILURES, ValueError):
                if self._cts:
                    # Otherwise closing waits half a minute for the far end's CTS.
                    self._serial.reset_output_buffer()
                self._serial.close()


def _pyserial() -> Any:
    """Return the function of pyserial that opens a line.  Raises LineError."""
    with suppress(ImportError, AttributeError):  # another package has that name, too
        return import_module("serial").serial_for_url
    raise LineError(
        "A line needs pyserial: install it with"
        " python3 -m pip install pyserial, or Debian's python3-serial."
    )


def expect_unlocked(device: str) -> None:
    """Raise Hangup if another program may have locked the device.

    minicom, picocom and others write their process ID to /var/lock/LCK..NAME.  We need
    no such file: TIOCEXCL keeps them off our port.
    """
    name = os.path.realpath(device)
    if not name.startswith(DEVICES):
        return
    path = os.path.join(LOCKS, "LCK.." + name[len(DEVICES) :].replace("/", "_"))
    try:
        match = re.match(r" *([0-9]{1,9})\b", first_words(path))
    except PermissionError as error:
        raise Hangup(f"{path} is in the way and cannot be read") from error
    except OSError:
        return  # there is no lock
    runs = match and os.path.isdir(os.path.join(PROCESSES, match[1]))
    if match and runs and int(match[1]) != os.getpid():
        why = f"{_program(match[1])} has it, says {path}"
        raise Hangup(why) from OSError(errno.EBUSY, why)


def holder_of(device: str) -> str:
    """Return the program that has the device open, as far as the system tells."""
    name, own = os.path.realpath(device), str(os.getpid())
    with suppress(OSError):
        for process in {*filter(str.isdigit, os.listdir(PROCESSES))} - {own}:
            files = os.path.join(PROCESSES, process, "fd")
            with suppress(OSError):  # another user's process, or one that has ended
                links = (os.path.join(files, link) for link in os.listdir(files))
                if name in map(os.path.realpath, links):
                    return _program(process)
    return ANOTHER


def _program(process: str) -> str:
    """Return the name of a program, given its process ID."""
    with suppress(OSError):
        name = first_words(os.path.join(PROCESSES, process, "comm")).strip()
        return f"{name} (process {process})"
    return ANOTHER


def first_words(path: str) -> str:
    """Return the first words of a file of the system.  Raises OSError."""
    file = os.open(path, os.O_RDONLY | SAFE_FLAGS)
    try:
        return os.read(file, 20).decode(errors="replace")
    finally:
        os.close(file)


def _keep_alive(connection: Any) -> None:
    """Turn on TCP keepalive, so that the system notices a vanished far end."""
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in KEEPALIVE.items():
            if number := getattr(socket, option, None):
                connection.setsockopt(socket.IPPROTO_TCP, number, value)


def _set_mode(descriptor: int, baud: float, cts: bool) -> None:
    """Make a device mark BREAKs, obey CTS or not, and refuse a second opening.

    On Linux, give it the rate that pyserial could not set.
    """
    try:
        mode, linux = get_mode(descriptor), True
    except OSError:
        mode, linux = termios.tcgetattr(descriptor), False
    mode[tty.IFLAG] |= termios.PARMRK
    mode[tty.IFLAG] &= ~(termios.BRKINT | termios.IGNBRK)
    flow = getattr(termios, "CRTSCTS", 0)
    mode[tty.CFLAG] = mode[tty.CFLAG] | flow if cts else mode[tty.CFLAG] & ~flow
    if linux:  # where tcsetattr may refuse the rate that the line has
        if mode[-1] == ANY_RATE != round(baud):
            mode[tty.CFLAG] = mode[tty.CFLAG] & ~(CBAUD | CIBAUD) | BOTHER
            mode[-2:] = [round(baud)] * 2
        fcntl.ioctl(descriptor, TCSETS2, TERMIOS2.pack(*mode))
    else:
        termios.tcsetattr(descriptor, termios.TCSANOW, mode)
    with suppress(OSError):
        fcntl.ioctl(descriptor, termios.TIOCEXCL)


def get_mode(descriptor: int) -> list[Any]:
    """Return the TERMIOS2 of a device.  Raises OSError."""
    return [*TERMIOS2.unpack(fcntl.ioctl(descriptor, TCGETS2, bytes(TERMIOS2.size)))]
