"""A line that leads out of this machine, call by call, and its lock file."""

from __future__ import annotations

import errno
import os
import select
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytest import MonkeyPatch

from sail.line.device import Device, reason
from sail.line.locks import FOLDER, Busy, Lock
from sail.line.models import Framing, parse_framing
from sail.line.ports import Hangup, LineError
from tests.errors import refused
from tests.line.virtual import wired_device

pytest.importorskip("termios")
serial: Any = pytest.importorskip("serial")

import fcntl
import termios

EIGHT_TWO = Framing(8, "N", 2)


@contextmanager
def server() -> Iterator[tuple[socket.socket, str]]:
    """A server on TCP, and its URL."""
    with socket.create_server(("", 0)) as server:
        yield server, f"socket://127.0.0.1:{server.getsockname()[1]}"


def heard(port: Device, count: int) -> list[int]:
    """Return what comes, until it is so much or ten seconds have passed."""
    typed: list[int] = []
    for _ in range(100):
        if len(typed) < count:
            typed += port.read(0.1)
    return typed


class Line:
    """A stand-in for what pyserial opens at a server."""

    def __init__(self, typed: bytes = b"") -> None:
        self.typed = typed
        self.reads: list[int] = []
        self.rts = False
        self.is_open = True

    @property
    def in_waiting(self) -> int:
        return len(self.typed)

    def read(self, size: int) -> bytes:
        self.reads.append(size)
        data, self.typed = self.typed[:size], self.typed[size:]
        return data

    def close(self) -> None:
        self.is_open = False


@pytest.fixture(autouse=True)
def locks(tmp_path: Path, monkeypatch: MonkeyPatch) -> Path:
    """The folder of lock files."""
    folder = tmp_path / "lock"
    folder.mkdir()
    monkeypatch.setattr("sail.line.locks.FOLDER", str(folder))
    return folder


Answer = Callable[[dict[str, Any]], Any]


@pytest.fixture
def opens(monkeypatch: MonkeyPatch) -> Callable[[Answer], list[dict[str, Any]]]:
    """Replace pyserial's opening by a function; it lists the calls."""

    def answered(answer: Answer) -> list[dict[str, Any]]:
        asked: list[dict[str, Any]] = []

        def opened(name: str, **more: Any) -> Any:
            asked.append({"name": name, **more})
            return answer(more)

        monkeypatch.setattr(serial, "serial_for_url", opened)
        return asked

    return answered


Opens = Callable[[Answer], "list[dict[str, Any]]"]


def test_without_pyserial(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "serial", None)
    with refused(
        LineError,
        "A line needs pyserial: install it with"
        " python3 -m pip install pyserial, or Debian's python3-serial.",
    ):
        Device("loop://", 110, EIGHT_TWO)


@pytest.mark.parametrize(
    "name, bits",
    [
        *((f"/dev/{name}", "5N1.5") for name in ("ttyUSB9", "pts", "pts/")),
        *((f"/dev/{name}", "8N1") for name in ("pts/99999", "ttys999")),
        ("socket://here:1", "5N1.5"),
    ],
)
def test_how_a_line_is_opened(name: str, bits: str, opens: Opens) -> None:
    """A pseudo-terminal knows no bits but eight."""
    asked = opens(lambda _: Line())
    Device(name, 45.45, parse_framing("5N1.5"))
    data, parity, stop = parse_framing(bits)
    words: dict[str, Any] = {"name": name, "baudrate": 45.45, "bytesize": data}
    words |= {"parity": parity, "stopbits": stop, "timeout": 0.05, "exclusive": True}
    assert asked == [words]


@pytest.mark.source("TTY-2217-STOP")
@pytest.mark.parametrize(
    "name, bits, stops",
    [
        ("rfc2217://here:1", "5N1.5", [1.5, 2]),
        ("rfc2217://here:1", "5N1", [1]),
        ("/dev/ttyUSB9", "5N1.5", [1.5]),
    ],
)
def test_where_two_stop_bits_are_tried_for_one_and_a_half(
    name: str, bits: str, stops: list[float], opens: Opens
) -> None:
    def refuse(_: object) -> None:
        raise ValueError("remote rejected value for option 'stopsize'")

    asked = opens(refuse)
    with pytest.raises(LineError):
        Device(name, 45.45, parse_framing(bits))
    assert [more["stopbits"] for more in asked] == stops


@pytest.mark.source("TTY-2217-CONTROL")
@pytest.mark.parametrize("query, mark", [("", "?"), ("?timeout=1", "&")])
def test_a_server_without_modem_lines_is_asked_for_none(
    query: str, mark: str, opens: Opens
) -> None:
    name = f"rfc2217://here:1{query}"

    def refuse(_: object) -> Line:
        if asked[-1]["stopbits"] == 1.5:
            raise ValueError("remote rejected value for option 'stopsize'")
        if "ign_set_control" not in asked[-1]["name"]:
            raise ValueError("timeout while waiting for option 'control'")
        return Line()

    asked = opens(refuse)
    port = Device(name, 45.45, parse_framing("5N1.5"))
    wanted = [(name, 1.5), (name, 2), (f"{name}{mark}ign_set_control", 2)]
    assert [(more["name"], more["stopbits"]) for more in asked] == wanted
    port.reopen()
    assert len(asked) == 4  # what the server takes is known by now

    def refuse_all(_: object) -> None:
        raise ValueError("timeout while waiting for option 'control'")

    asked = opens(refuse_all)
    with pytest.raises(LineError):
        Device(name, 110, EIGHT_TWO)
    assert len(asked) == 2


@pytest.mark.parametrize(
    "number, told",
    [
        *((number, "another program has it") for number in (errno.EBUSY, errno.EAGAIN)),
        (errno.EACCES, "Permission denied"),
        (errno.EPERM, "Operation not permitted"),
    ],
)
def test_a_line_that_another_program_has(number: int, told: str, opens: Opens) -> None:
    def fail(_: object) -> None:
        raise serial.SerialException(number, "could not open port")

    asked = opens(fail)
    with refused(LineError, f"Cannot open rfc2217://here:1: {told}."):
        Device("rfc2217://here:1", 45.45, parse_framing("5N1.5"))
    assert len(asked) == (1 if "another" in told else 2)


def test_a_line_that_waits_by_itself(opens: Opens) -> None:
    line = Line()
    opens(lambda _: line)
    port = Device("rfc2217://here:1", 110, EIGHT_TWO)
    assert port.read(0) == b"" and line.reads == []
    assert port.read(0.1) == b"" and line.reads.pop(0) == 1
    line.typed = b"123"
    assert port.read(0) == b"123" and line.reads[-2:] == [1, 2]
    assert port.waiting() == 0
    vars(line)["out_waiting"] = 7
    assert port.waiting() == 7
    port.motor(True)
    assert line.rts
    port.motor(False)
    assert not line.rts
    port.close()
    assert not line.is_open
    del line.rts
    port.motor(True)


def test_a_line_without_a_wire_for_the_motor() -> None:
    with wired_device() as (_, _, name):
        port = Device(name, 110, EIGHT_TWO)
        port.motor(True)
        port.motor(False)
        assert port.write(b"3") == 1
        port.close()


def test_which_lines_are_read_without_waiting(monkeypatch: MonkeyPatch) -> None:
    really = serial.serial_for_url
    lines: list[Any] = []

    def opened(*words: Any, **more: Any) -> Any:
        lines.append(really(*words, **more))
        return lines[-1]

    monkeypatch.setattr(serial, "serial_for_url", opened)
    with wired_device() as (_, _, name), server() as (_, url):
        for line in (name, url, "loop://"):
            Device(line, 110, EIGHT_TWO).close()
    times = [(line.timeout, line.write_timeout) for line in lines]
    assert times == [(0, 0), (0, 0), (0.05, None)]


def test_a_line_that_takes_nothing_gets_a_moment(monkeypatch: MonkeyPatch) -> None:
    with wired_device() as (_, _, name), server() as (_, url):
        for line, piece in ((name, 1), (url, 1000)):
            port = Device(line, 110, EIGHT_TWO)
            while port.write(bytes(piece)):
                pass
            asked: list[tuple[Any, ...]] = []

            def nothing(*words: Any, asked: list[Any] = asked) -> tuple[list[int], ...]:
                asked.append(words)
                return [], [], []

            with monkeypatch.context() as patch:
                patch.setattr(select, "select", nothing)
                assert port.write(b"3") == 0
            ((source, (_,), _, seconds),) = asked
            assert (source, seconds) == ([], 0.05)
            port.close()


@pytest.mark.source("TTY-KEEPALIVE")
def test_a_vanished_far_end_is_noticed(monkeypatch: MonkeyPatch, opens: Opens) -> None:
    names = {"IDLE": 15, "ALIVE": 15, "INTVL": 5, "CNT": 3}
    options = {f"TCP_KEEP{name}": value for name, value in names.items()}
    options["TCP_USER_TIMEOUT"] = 30_000
    told: list[tuple[object, int]] = []
    line: Any = Line()
    line._socket = SimpleNamespace(
        fileno=lambda: 99, setsockopt=lambda _, *pair: told.append(pair)
    )
    opens(lambda _: line)
    for name in options:
        monkeypatch.setattr(socket, name, name, raising=False)
    Device("rfc2217://here:1", 110, EIGHT_TWO)
    assert told == [(socket.SO_KEEPALIVE, 1), *options.items()]
    monkeypatch.delattr(socket, "TCP_KEEPIDLE")
    Device("rfc2217://here:1", 110, EIGHT_TWO)


REFUSED = "the server refuses these settings; try others with --baud and --bits"


@pytest.mark.parametrize(
    "error, told",
    [
        (OSError(1, "words"), "Operation not permitted"),
        (OSError(0, "words"), "words"),
        (socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
        (ValueError(5), "5"),
        (ValueError("x", "y"), "('x', 'y')"),
        (KeyError("x"), "pyserial does not know such a name"),
        (ValueError("Remote does not accept parameter change: []"), REFUSED),
        (ValueError("remote rejected value for option 'datasize'"), REFUSED),
        (
            ValueError("Remote does not seem to support RFC2217 or BINARY mode []"),
            "the server does not speak RFC 2217",
        ),
    ],
)
def test_what_went_wrong_is_told_in_our_words(error: Exception, told: str) -> None:
    assert reason(error) == told


def test_what_was_behind_an_error_is_told() -> None:
    error = ValueError("Could not open port")
    error.__context__ = termios.error(13, "words")
    assert reason(error) == "Permission denied"
    error.__context__ = AttributeError("port")
    assert reason(error) == "pyserial does not know such a name"


@pytest.mark.source("TTY-BREAK")
def test_a_break_is_told_from_blank_tape() -> None:
    with wired_device() as (far, near, name):
        mode = termios.tcgetattr(near)
        mode[0] |= termios.BRKINT | termios.IGNBRK
        termios.tcsetattr(near, termios.TCSANOW, mode)
        port = Device(name, 110, EIGHT_TWO)
        mode = termios.tcgetattr(near)
        assert mode[0] & termios.PARMRK
        assert not mode[0] & (termios.BRKINT | termios.IGNBRK)
        os.write(far, b"\xff\0A")
        assert heard(port, 3) == [0xFF, 0, 0x41]
        # A pty makes no BREAK; this is what comes for one, byte for byte.
        mode[0] &= ~termios.PARMRK
        termios.tcsetattr(near, termios.TCSANOW, mode)
        for piece in (b"1\xff", b"\0", b"\0\xff\xff2\0", b"\xff\0", b"\0"):
            os.write(far, piece)
        assert heard(port, 5) == [0x31, 0x100, 0xFF, 0x32, 0, 0x100]
        os.write(far, b"\xff")
        select.select([near], [], [])
        assert list(port.read(0)) == []
        port.reopen()
        os.write(far, b"\0A")
        assert heard(port, 2) == [0, 0x41]  # what came before is forgotten
        port.close()


def test_a_network_marks_nothing() -> None:
    with server() as (listening, url):
        port = Device(url, 110, EIGHT_TWO)
        caller, _ = listening.accept()
        caller.sendall(b"\xff\0\0\xff")
        assert heard(port, 4) == [0xFF, 0, 0, 0xFF]
        caller.close()
        with pytest.raises(Hangup):
            while True:
                port.read(1)
        assert port.waiting() == 0
        port.close()


@pytest.fixture
def living() -> Iterator[int]:
    """The number of a process that runs."""
    with subprocess.Popen(["sleep", "100"]) as process:
        yield process.pid
        assert process.poll() is None
        process.kill()


def dead() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen(["true"]) as process:
        return process.pid


@pytest.mark.source("TTY-BUSY")
def test_a_device_has_one_program(locks: Path) -> None:
    assert FOLDER == "/var/lock"  # where others look for it
    with wired_device() as (_, near, name):
        lock = locks / ("LCK.." + name[len("/dev/") :].replace("/", "_"))
        port = Device(name, 110, EIGHT_TWO)
        assert lock.read_text() == f"{os.getpid():10}\n"
        if sys.platform == "linux":
            flag = fcntl.ioctl(near, 0x80045440, bytes(4))  # TIOCGEXCL
            assert flag == b"\1\0\0\0"
        with refused(LineError, f"Cannot open {name}: another program has it."):
            Device(name, 110, EIGHT_TWO)
        port.close()
        assert not lock.exists()
        Device(name, 110, EIGHT_TWO).close()


@pytest.mark.source("TTY-BUSY")
def test_only_the_lock_of_a_living_program_is_heeded(locks: Path, living: int) -> None:
    lock = locks / "LCK..usb_tts_0"
    lock.write_text(f"{living:10}\n")
    with pytest.raises(Busy):
        Lock("/dev/usb/tts/0")
    assert lock.exists()
    for left in (
        f"{dead():10}\n", f"{os.getpid()}\n", "0\n", "", "minicom\n", "12345678901"
    ):  # fmt: skip
        lock.write_text(left)
        held = Lock("/dev/usb/tts/0")
        assert lock.read_text() == f"{os.getpid():10}\n"
        held.release()
        assert not lock.exists()
    lock.symlink_to("nowhere")
    Lock("/dev/usb/tts/0")
    assert lock.read_text() == f"{os.getpid():10}\n"


def test_the_lock_of_another_user_is_heeded(
    locks: Path, monkeypatch: MonkeyPatch
) -> None:
    def refused(*words: int) -> None:
        assert words == (4711, 0)
        raise PermissionError

    (locks / "LCK..ttyS0").write_text("4711")
    monkeypatch.setattr(os, "kill", refused)
    with pytest.raises(Busy):
        Lock("/dev/ttyS0")


def test_a_lock_file_that_is_no_file_does_not_block(locks: Path) -> None:
    lock = locks / "LCK..ttyS0"
    os.mkfifo(lock)
    held = Lock("/dev/ttyS0")
    assert lock.read_text() == f"{os.getpid():10}\n"
    held.release()
    os.mkfifo(lock)
    writer = os.open(lock, os.O_RDWR)
    try:
        Lock("/dev/ttyS0").release()
    finally:
        os.close(writer)
    lock.mkdir()
    Lock("/dev/ttyS0").release()
    assert lock.is_dir()


def test_a_lock_can_be_read_by_others_and_is_named(
    locks: Path, monkeypatch: MonkeyPatch
) -> None:
    lock = locks / "LCK..ttyS0"
    before = os.umask(0o077)
    try:
        Lock("/dev/ttyS0")
    finally:
        os.umask(before)
    assert lock.stat().st_mode & 0o777 == 0o644
    lock.write_text(f"{os.getppid()}\n")
    line = f"Cannot open /dev/ttyS0: another program has it, says {lock}."
    with refused(LineError, line):
        Device("/dev/ttyS0", 110, EIGHT_TWO)
    real = os.open

    def unreadable(path: str, flags: int, *rest: int) -> int:
        if path == str(lock) and not flags & os.O_CREAT:
            raise PermissionError
        return real(path, flags, *rest)

    monkeypatch.setattr(os, "open", unreadable)
    with refused(
        LineError, f"Cannot open /dev/ttyS0: {lock} is in the way and cannot be read."
    ):
        Device("/dev/ttyS0", 110, EIGHT_TWO)
    assert lock.exists()


def test_a_lock_is_given_back_once(locks: Path) -> None:
    lock = Lock("/dev/ttyS0")
    lock.release()
    (locks / "LCK..ttyS0").write_text("4711")
    lock.release()
    assert (locks / "LCK..ttyS0").exists()


def test_lines_without_a_lock(
    locks: Path, tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    for name in ("socket://here:1", str(tmp_path)):
        Lock(name).release()
    assert list(locks.iterdir()) == []
    monkeypatch.setattr("sail.line.locks.FOLDER", "/dev/null")
    with wired_device() as (_, _, name):
        Device(name, 110, EIGHT_TWO).close()


def test_a_device_goes_away_while_it_opens(
    monkeypatch: MonkeyPatch, locks: Path
) -> None:
    with wired_device() as (far, _, name):
        port = Device(name, 110, EIGHT_TWO)

        def gone(*_: object) -> None:
            raise termios.error(5, "Input/output error")

        for call in ("tcsetattr", "tcflush"):
            with monkeypatch.context() as patch:
                patch.setattr(termios, call, gone)
                with pytest.raises(Hangup):
                    port.reopen()
                with refused(LineError, f"Cannot open {name}: Input/output error."):
                    Device(name, 110, EIGHT_TWO)
            assert list(locks.iterdir()) == []
            port.reopen()
        os.write(far, b"3")
        assert heard(port, 1) == [0x33]
        port.close()


@pytest.mark.source("TTY-CTS")
def test_cts_is_obeyed_where_the_owner_says_so() -> None:
    with wired_device() as (_, near, name):
        port = Device(name, 9600, EIGHT_TWO)

        def modes() -> tuple[bool, bool]:
            mode = termios.tcgetattr(near)
            return bool(mode[2] & termios.CRTSCTS), bool(mode[0] & termios.PARMRK)

        assert modes() == (False, True)
        port.flow(True)
        assert modes() == (True, True)
        port.reopen()
        assert modes() == (True, True)
        port.flow(False)
        assert modes() == (False, True)
        port.close()


def test_what_cts_holds_is_not_waited_for_at_the_end(opens: Opens) -> None:
    class Held(Line):
        def reset_output_buffer(self) -> None:
            flushed.append(self)

    flushed: list[Line] = []
    line = Held()
    opens(lambda _: line)
    port = Device("rfc2217://here:1", 110, EIGHT_TWO)
    port.close()
    assert not flushed
    port.flow(True)
    port.close()
    assert flushed == [line]
