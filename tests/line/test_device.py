"""A line that leads out of this machine, call by call, and others' lock files."""

from __future__ import annotations

import errno
import os
import re
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import ANY, DEFAULT, Mock, call

import pytest
from pytest import MonkeyPatch

import kalah
from sail.line.device import (
    BOTHER,
    FTDI_LACKS,
    LOCKS,
    Device,
    expect_unlocked,
    get_mode,
    holder_of,
)
from sail.line.models import FIVE
from sail.line.ports import Hangup, LineError
from sail.refusal import Refusal
from sail.teletype import Leave
from tests.errors import Capture, refused
from tests.havoc import open_files
from tests.line.virtual import wired_device

pytest.importorskip("termios")
serial: Any = pytest.importorskip("serial")

import fcntl
import termios

from tests.jobs import listening


def opened(name: str, bits: str = "8N2") -> Device:
    return Device(name, 45.45, kalah.bits(bits))


def heard(port: Device, count: int) -> list[int]:
    """Return what comes, until it is so much or ten seconds have passed."""
    typed: list[int] = []
    for _ in range(10):
        if len(typed) < count:
            typed += port.read(1)
    return typed


PROC = os.path.exists("/proc/self/comm")  # which tells who has a port


@pytest.fixture(autouse=True)
def locks(tmp_path: Path, monkeypatch: MonkeyPatch) -> Path:
    """The folder of lock files."""
    folder = tmp_path / "lock"
    folder.mkdir()
    monkeypatch.setattr("sail.line.device.LOCKS", str(folder))
    return folder


Wired = tuple[Device, int, int]


@pytest.fixture
def device(locks: Path, tmp_path: Path) -> Iterator[Wired]:
    """Return a device, and the far and near end of its wire."""
    link = tmp_path / "teletype"
    with wired_device() as (far, near, name):
        link.symlink_to(name)
        with closing(opened(str(link))) as port:
            yield port, far, near


@pytest.fixture
def opens(monkeypatch: MonkeyPatch) -> Mock:
    """Pyserial's opening, which gives a line of ours."""
    attributes = ["in_waiting", "read", "rts", "reset_output_buffer", "close"]
    line = Mock(spec=attributes, in_waiting=0, **{"read.return_value": b""})
    opening = Mock(return_value=line)
    monkeypatch.setattr(serial, "serial_for_url", opening)
    return opening


def test_without_pyserial(monkeypatch: MonkeyPatch) -> None:
    """Another package named serial is not pyserial."""
    why = (
        "A line needs pyserial: install it with"
        " python3 -m pip install pyserial, or Debian's python3-serial."
    )
    for module in (None, ModuleType("serial")):
        monkeypatch.setitem(sys.modules, "serial", module)
        with refused(LineError, why):
            opened("loop://")


def test_how_a_line_is_opened(opens: Mock) -> None:
    """A pseudo-terminal knows no bits but eight."""
    words: dict[str, Any] = {"baudrate": 45.45, "timeout": 0.05, "exclusive": True}
    eight = {**words, "bytesize": 8, "parity": "N", "stopbits": 1}
    five = {**words, "bytesize": 5, "parity": "N", "stopbits": 1.5}
    for name in ("/dev/ttyUSB9", "/dev/pts", "/dev/pts/", "socket://here:1"):
        opened(name, "5N1.5")
        opens.assert_called_with(name, **five)
    for name in ("/dev/pts/99999", "/dev/ttys999"):
        opened(name, "5N1.5")
        opens.assert_called_with(name, **eight)


REFUSED = "the server refuses these settings; try others with --baud and --bits"
UNKNOWN = "pyserial does not know such a name"
DENIED = "Permission denied (see HELP LINE IN ONE COMMAND)"
WINDOWS = "FileNotFoundError(2, 'The system cannot find the file.', None, 2)"
NO_STOP_SIZE = ValueError("remote rejected value for option 'stopsize'")
NO_CONTROL = ValueError("timeout while waiting for option 'control'")


@pytest.mark.source("TTY-2217-CONTROL")
def test_a_server_without_modem_lines_is_asked_for_none(opens: Mock) -> None:
    for name, mark in (("rfc2217://x:1", "?"), ("rfc2217://x:1?timeout=1", "&")):
        opens.reset_mock()
        opens.side_effect = [NO_STOP_SIZE, NO_CONTROL, DEFAULT, DEFAULT]
        port = opened(name, "5N1.5")
        asked = [(it.args[0], it.kwargs["stopbits"]) for it in opens.call_args_list]
        assert asked == [(name, 1.5), (name, 2), (f"{name}{mark}ign_set_control", 2)]
        port.reopen()
        assert opens.call_args == opens.mock_calls[2]  # what the server takes is known


def test_only_a_server_is_asked_for_less(opens: Mock) -> None:
    device = [("/dev/ttyUSB9", error, 1) for error in (NO_CONTROL, NO_STOP_SIZE)]
    for name, error, calls in [*device, ("rfc2217://here:1", NO_CONTROL, 3)]:
        opens.reset_mock()
        opens.side_effect = error
        with pytest.raises(LineError):
            opened(name, "5N1.5")
        assert opens.call_count == calls


@pytest.mark.parametrize(
    "line, why",
    [
        ("/dev/pts/99999", "No such file or directory"),
        ("/", "Is a directory"),
        ("x://y", "invalid URL, protocol 'x' not known"),
        ("socket://HOST", "it lacks a port, as in socket://HOST:23"),
        ("socket://127.0.0.1:1?logging=x", UNKNOWN),
        ("hwgrep://[", UNKNOWN),
        ("loop://?logging=x", UNKNOWN),
    ],
)
def test_a_line_that_cannot_be_opened_is_reported(line: str, why: str) -> None:
    text = re.escape(f"Cannot open {line}: {why}")
    with pytest.raises(LineError, match=f"^{text}.*\\.$"):
        opened(line)


@pytest.mark.parametrize(
    "error, behind, told",
    [
        (OSError(0, "words"), None, "words"),
        (socket.gaierror(-2, "Name not known"), None, "Name not known"),
        (ValueError(5), None, "5"),
        (ValueError("x", "y"), None, "('x', 'y')"),
        (DeprecationWarning("x"), None, "pyserial failed: x"),
        (ValueError("Remote does not accept parameter change: []"), None, REFUSED),
        (ValueError("Could not open"), termios.error(13, "words"), "Permission denied"),
        (ValueError("Could not open"), RuntimeError("x"), "pyserial failed: x"),
    ],
)
def test_what_went_wrong_is_told_in_our_words(
    error: Exception, behind: Exception | None, told: str, opens: Mock
) -> None:
    error.__context__ = behind
    opens.side_effect = error
    with refused(LineError, f"Cannot open rfc2217://here:1: {told}."):
        opened("rfc2217://here:1")
    opens.assert_called_once()


@pytest.mark.parametrize(
    "error, told",
    [
        ([errno.ENOENT, "could not open port"], "No such file or directory"),
        ([f"could not open port 'COM9': {WINDOWS}"], "The system cannot find the file"),
        ([errno.EACCES, "Permission denied: 'X'"], DENIED),
        ([errno.ECONNREFUSED, "could not open port"], "Connection refused"),
        (["Could not open port X: timed out"], "Could not open port X: timed out"),
        (["no ports found matching 'X'"], "no ports found matching 'X'"),
        ([errno.EBUSY, "words"], "another program has it"),
        ([errno.EAGAIN, "words"], "another program has it"),
    ],
)
def test_a_line_that_is_absent_or_forbidden_is_waited_for(
    error: list[Any], told: str, opens: Mock, monkeypatch: MonkeyPatch, capfd: Capture
) -> None:
    """One line says so.  A terminal's name may be another's by then."""
    naps = Mock()
    monkeypatch.setattr("time.sleep", naps)
    absent = serial.SerialException(errno.ENOENT, "could not open port")
    opens.side_effect = [serial.SerialException(*error), absent, absent, DEFAULT]
    opened("/dev/ttyUSB9")
    assert capfd.readouterr().out == f"Waiting for /dev/ttyUSB9: {told}.\n"
    assert naps.mock_calls == [call(2.0)] * 3
    opens.side_effect = absent
    with refused(LineError, "Cannot open /dev/pts/9: No such file or directory."):
        opened("/dev/pts/9")


def test_a_server_that_refuses_is_waited_for(
    monkeypatch: MonkeyPatch, capfd: Capture
) -> None:
    """The system's error is behind pyserial's, which has no number."""
    monkeypatch.setattr("time.sleep", Mock(side_effect=Leave))
    name = "rfc2217://127.0.0.1:1"
    with pytest.raises(Leave):
        opened(name)
    assert capfd.readouterr().out == f"Waiting for {name}: Connection refused.\n"


def test_a_line_that_waits_by_itself(opens: Mock) -> None:
    line = opens.return_value
    port = opened("rfc2217://here:1")
    assert port.read(0) == b""
    line.in_waiting = 2
    line.read.side_effect = [b"1", b"23"]
    assert port.read(0) == b"123"
    assert port.out_waiting() == 0
    line.out_waiting = 7
    assert port.out_waiting() == 7
    for on in (True, False):
        port.switch_motor(on)
        assert line.rts == on
    port.close()
    line.close.assert_called_once_with()
    port.obey_cts(False)
    with refused(Refusal, "CTS DOES NOTHING ON THIS LINE."):
        port.obey_cts(True)


def test_a_line_that_takes_nothing_gets_a_moment(monkeypatch: MonkeyPatch) -> None:
    with wired_device() as (_, _, name), listening() as (_, url):
        for line, piece in ((name, 64), (url, 100_000)):
            with closing(opened(line)) as port, monkeypatch.context() as patch:
                while port.write(bytes(piece)):
                    pass
                nothing = Mock(return_value=([], [], []))
                patch.setattr(select, "select", nothing)
                assert port.write(b"3") == 0
                nothing.assert_called_once_with([], [ANY], [], 0.05)


@pytest.mark.source("TTY-KEEPALIVE")
def test_a_vanished_far_end_is_noticed(monkeypatch: MonkeyPatch, opens: Mock) -> None:
    names = {"IDLE": 15, "ALIVE": 15, "INTVL": 5, "CNT": 3}
    options = {f"TCP_KEEP{name}": value for name, value in names.items()}
    options["TCP_USER_TIMEOUT"] = 30_000
    opens.return_value._socket = connection = Mock()
    for name in options:
        monkeypatch.setattr(socket, name, name, raising=False)
    opened("rfc2217://here:1")
    told = [each.args[1:] for each in connection.setsockopt.call_args_list]
    assert told == [(socket.SO_KEEPALIVE, 1), *options.items()]
    monkeypatch.delattr(socket, "TCP_KEEPIDLE")
    opened("rfc2217://here:1")


def test_only_the_errors_of_a_line_are_hangups(opens: Mock) -> None:
    """Any other is a fault of ours, and not silent."""
    port = opened("rfc2217://here:1")
    hangups = [serial.SerialException("x"), termios.error(5, "x"), BrokenPipeError()]
    opens.return_value.read.side_effect = [*hangups, ValueError]
    for becomes in (*[Hangup] * 3, ValueError):
        with pytest.raises(becomes):
            port.read(0.1)


def test_pyserials_thread_dies_silently(
    capsys: Capture, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr("threading.excepthook", None)
    opened("loop://").close()
    thread = threading.Thread(target=lambda: 1 // 0)
    thread.start()
    thread.join()
    assert capsys.readouterr().err == ""


@pytest.mark.source("TTY-BREAK")
def test_a_break_is_told_from_blank_tape(device: Wired) -> None:
    port, far, near = device
    mode = termios.tcgetattr(near)
    mode[0] |= termios.BRKINT | termios.IGNBRK
    termios.tcsetattr(near, termios.TCSANOW, mode)
    port.reopen()
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
    assert heard(port, 6) == [0x31, 0x100, 0xFF, 0x32, 0, 0x100]
    os.write(far, b"\xff")
    assert select.select([near], [], [], 10)[0]
    assert list(port.read(0)) == []
    port.reopen()
    os.write(far, b"\0A")
    assert heard(port, 2) == [0, 0x41]  # what came before is forgotten


@pytest.mark.source("TTY-BUSY")
def test_a_device_has_one_program(locks: Path) -> None:
    assert LOCKS == "/var/lock"  # where others have their locks
    with wired_device() as (_, near, name):
        with closing(opened(name)):
            if sys.platform == "linux":
                flag = fcntl.ioctl(near, 0x80045440, bytes(4))  # TIOCGEXCL
                assert flag == b"\1\0\0\0"
            told = f"Cannot open {name}: another program has it."
            with refused(LineError, told):  # this job itself is not named
                opened(name)
            if PROC:
                with subprocess.Popen(["sleep", "60"], stdin=near) as other:
                    told = holder_of(name)
                    other.kill()
                assert told.endswith(f" (process {other.pid})")
        opened(name).close()


@pytest.mark.source("TTY-BUSY")
def test_only_the_lock_of_a_living_program_is_heeded(locks: Path) -> None:
    lock, handles = locks / "LCK..usb_tts_0", open_files()
    expect_unlocked("/dev/usb/tts/0")
    with subprocess.Popen(["true"]) as ended:
        pass
    for left in (
        f"{ended.pid:10}\n", f"{os.getpid()}\n", "0\n", "", "minicom\n", "12345678901"
    ):  # fmt: skip
        lock.write_text(left)
        expect_unlocked("/dev/usb/tts/0")
        assert lock.read_text() == left
        assert open_files() == handles
    lock.write_text(f"{os.getppid():10}\n")
    name = rf".* \(process {os.getppid()}\)" if PROC else "another program"
    with pytest.raises(Hangup, match=f"{name} has it, says {lock}"):
        expect_unlocked("/dev/usb/tts/0")
    for make in (os.mkfifo, os.mkdir):
        lock.unlink()
        make(lock)
        expect_unlocked("/dev/usb/tts/0")


def test_the_lock_of_another_user_is_heeded(
    locks: Path, opens: Mock, monkeypatch: MonkeyPatch, capfd: Capture
) -> None:
    lock = locks / "LCK..ttyS0"
    lock.write_text("4711")
    forbidden = PermissionError(errno.EACCES, "Permission denied")
    (locks / "4711").mkdir()
    monkeypatch.setattr("sail.line.device.PROCESSES", str(locks))
    monkeypatch.setattr("time.sleep", lambda _: lock.unlink())
    opened("/dev/ttyS0")
    said = f"Waiting for /dev/ttyS0: another program has it, says {lock}.\n"
    assert capfd.readouterr().out == said
    monkeypatch.setattr("sail.line.device.first_words", Mock(side_effect=forbidden))
    with refused(Hangup, f"{lock} is in the way and cannot be read"):
        expect_unlocked("/dev/ttyS0")


@pytest.mark.source("TTY-CTS")
def test_cts_is_obeyed_where_the_owner_says_so(device: Wired) -> None:
    port, _, near = device
    port.switch_motor(True)  # for which it has no wire

    def modes() -> tuple[bool, bool]:
        mode = termios.tcgetattr(near)
        return bool(mode[2] & termios.CRTSCTS), bool(mode[0] & termios.PARMRK)

    assert modes() == (False, True)
    port.obey_cts(True)
    assert modes() == (True, True)
    port.reopen()
    assert modes() == (True, True)
    port.obey_cts(False)
    assert modes() == (False, True)
    line, port._serial.reset_output_buffer = port._serial, Mock()
    port.close()
    line.reset_output_buffer.assert_not_called()
    port.obey_cts(True)
    port.close()
    line.reset_output_buffer.assert_called_once_with()  # or it is waited for


@pytest.mark.skipif(sys.platform != "linux", reason="rates by number are Linux's")
@pytest.mark.parametrize("driver", ["", "refuses", "raises"])
@pytest.mark.parametrize("baud, rate", [(45.45, 45), (74.2, 74), (110, 110)])
def test_rates_that_termios_has_no_name_for(
    driver: str, baud: float, rate: int, monkeypatch: MonkeyPatch, capfd: Capture
) -> None:
    """With glibc 2.42 and pyserial 3.5, too; CTS does not change the rate.

    cp210x raises 110 to 300 without a word: we report it once.
    """
    set_attributes = termios.tcsetattr

    def tcsetattr(descriptor: int, when: int, mode: Any) -> None:
        if driver == "refuses" and BOTHER in mode[4:6]:
            raise termios.error(errno.EINVAL, "Invalid argument")
        if driver == "raises":
            mode[4:6] = [max(rate, termios.B300) for rate in mode[4:6]]
        set_attributes(descriptor, when, mode)

    monkeypatch.setattr(termios, "tcsetattr", tcsetattr)
    raised = driver == "raises" and baud == 110
    rate = 300 if raised else rate
    with wired_device() as (_, near, name), closing(Device(name, baud, FIVE)) as device:
        assert get_mode(near)[-1] == rate
        device.obey_cts(True)
        assert get_mode(near)[-1] == rate
        device.close()
        device._open()
        said = f"{name} has 300 baud, not 110 (see HELP LINE ADAPTERS).\n"
        assert capfd.readouterr().out == said * raised


def test_an_adapter_that_cannot_do_it_is_named(
    monkeypatch: MonkeyPatch, capfd: Capture
) -> None:
    """Before the first character."""
    lacking = [(0x403, 110, "8N2"), (0x403, 300, "5N1")]
    able = [(0x403, 300, "8N1"), (0x67B, 110, "8N2"), (None, 110, "8N2")]
    for vendor, baud, bits in [*lacking, *able]:
        with wired_device() as (_, _, name):
            ports = [Mock(device="/dev/tty", vid=0x403), Mock(device=name, vid=vendor)]
            listed = Mock(return_value=ports)
            monkeypatch.setattr("serial.tools.list_ports.comports", listed)
            Device(name, baud, kalah.bits(bits)).close()
        told = f"{name} has {FTDI_LACKS} (see HELP LINE ADAPTERS).\n"
        assert capfd.readouterr().out == told * ((vendor, baud, bits) in lacking)


def test_a_device_has_time_to_restart(opens: Mock, capfd: Capture) -> None:
    """Opening raises DTR, which restarts some interfaces; no pseudo-terminal.

    Where the driver has set another size than it was asked for, one line says so.
    """
    with wired_device() as (_, near, name):
        opens.return_value.mock_add_spec(["fileno", "timeout", "close"])
        opens.return_value.fileno.return_value = near
        mode = termios.tcgetattr(near)
        mode[4:6] = [termios.B110] * 2
        termios.tcsetattr(near, termios.TCSANOW, mode)
        for line, settle, differs in ((name, 0, False), ("/dev/ttyUSB9", 2, True)):
            assert Device(line, 110, FIVE).settle == settle
            said = f"{line} has 8 data bits, not 5 (see HELP LINE ADAPTERS).\n"
            assert capfd.readouterr().out == said * differs


@pytest.mark.usefixtures("hurried")
def test_a_server_that_accepts_and_closes_is_no_return(
    monkeypatch: MonkeyPatch, capfd: Capture
) -> None:
    """One line says so; a line that stays, or is typed on, is back."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with listening() as (server, url), closing(opened(url)) as port:
        assert port.settle == 0.5  # a banner may come
        banner = b"PORT ALREADY IN USE\r\n"
        for stays, typed in ((0, banner), (0, b""), (9, b""), (0, b"X")):
            with server.accept()[0] as far:
                far.sendall(typed)
                now[0] += stays
                assert bytes(heard(port, len(typed))) == typed
                if not typed:
                    port.read(0)  # it may still hang up at once
            with pytest.raises(Hangup):
                heard(port, 1000)
            port.reopen()
    at_once = f"{url} hangs up as soon as it is opened.\n"
    lost, back = f"{url} has hung up.\n", f"{url} is back.\n"
    assert capfd.readouterr().err == at_once + back + (lost + back) * 2
