"""Whole sessions over real lines: terminal, pty, device, TCP, RFC 2217."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from sail.files.area import Area
from sail.line.codes import Baudot
from sail.line.device import Device
from sail.line.models import EIGHT, MODELS
from sail.line.ports import LineError
from sail.line.station import open_teletype
from sail.monitor.dot import GREETING
from tests.errors import refused
from tests.line.virtual import wired_device
from tests.person import FarEnd

pytest.importorskip("termios")
serial: Any = pytest.importorskip("serial")

import fcntl
import pty
import termios

from tests.jobs import (
    FAST,
    job,
    listening,
    on_a_pty,
    on_a_socket,
    on_a_terminal,
    opened,
)


@pytest.fixture
def area(tmp_path: Path) -> str:
    return str(tmp_path)


PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}


def test_a_pipe_that_nobody_reads_does_not_hold_the_job(area: str) -> None:
    Area(area).write("BIG.TXT", "THE QUICK BROWN FOX\n" * 15_000)
    with job("--area", area, "MONITOR", bufsize=0, **PIPES) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b"TYPE BIG.TXT\n")
        process.stdout.read(5000)
        time.sleep(0.3)  # the pipe is full
        assert process.poll() is None
        process.terminate()
        assert process.wait(10) == 0


def test_a_pipe_may_be_slow(area: str) -> None:
    begun = time.monotonic()
    with job("--area", area, "--baud", "300", **PIPES) as process:
        paper, _ = process.communicate(timeout=30)
    assert paper == b"START WITH 1,2,3,4,5 OR 6? \n"
    # thirty characters a second, and a tenth of a second of them on their way
    assert time.monotonic() - begun > 26 / 30 - 0.1


@contextlib.contextmanager
def opened_again(
    name: str, typed: str = "", greeting: str = GREETING
) -> Iterator[FarEnd]:
    """Open the line again, once the job has noticed that it was closed."""
    for pause in (0.2, 1, 5, 20):
        time.sleep(pause)
        with opened(name) as far:
            far.type(typed)
            if far.look_for(greeting, seconds=5):
                yield far
                return
    pytest.fail("no greeting")


def test_a_whole_game_on_a_pty_byte_by_byte(area: str) -> None:
    with on_a_pty(area) as (_, name), opened(name) as far:
        far.wait_for(GREETING, "\n.")
        far.type_slowly("R KALAH\r")
        far.play(">")
        far.wait_for(".")
        far.type_slowly("KJOB\r")
        far.wait_for(GREETING)
        assert far.paper.count(">>>>>>>>") >= 3
        assert set(far.paper) <= set(map(chr, range(32, 96))) | set("\r\n")
        assert max(map(len, far.paper.splitlines())) <= 72


def test_visitors_on_a_pty(area: str) -> None:
    """A visit that a hangup ends, and another."""
    with on_a_pty(area, "--visitors") as (process, name):
        with opened(name) as far:
            assert not far.look_for("GOOD DAY.", seconds=0.5) and not far.paper
        for _ in range(2):
            with opened_again(name, "X", "FIRST GAME.") as far:
                far.begin_game(">")
        process.terminate()
        assert process.wait(10) == 0
    assert os.listdir(area) == []


BOARD = "3   3   3   3   3   3\r\n\r\n"  # its last line


def test_hangup_and_return_on_a_pty(area: str) -> None:
    with on_a_pty(area, "--model", "utf8", "KALAH") as (process, name):
        with opened(name) as far:
            far.begin_game()
            far.type_slowly("12")  # an echo still under way would be read later
        with opened_again(name) as far:
            far.wait_for("→→→→→→→→")
            again = "\r\n" + GREETING + "\r\n"
            assert far.paper.startswith(again + "YOU ARE PLAYER A")
            assert far.paper.endswith(BOARD + "YOUR MOVE PLEASE  →→→→→→→→")
            far.type("\x03")
            far.wait_for("\n.")
        with opened_again(name) as far:
            far.wait_for("\r\n.")
            assert far.paper == again + "."
            far.type("CONT\r")
            far.wait_for("→→→→→→→→")
        process.terminate()
        assert process.wait(10) == 0
    assert os.listdir(area) == ["KALAH.TMP"]


def test_a_whole_game_on_a_terminal(area: str) -> None:
    with on_a_terminal(area) as (process, far, as_before):
        far.play()
        assert process.wait(10) == 0
        assert as_before()
        assert "\n\n" not in far.paper and "\r\n" in far.paper


@pytest.mark.parametrize("end", ["\x03", "\x1a", "\x04", signal.SIGTERM, signal.SIGHUP])
def test_a_terminal_is_left_in_order(area: str, end: str | signal.Signals) -> None:
    with on_a_terminal(area) as (process, far, as_before):
        far.begin_game()
        assert not as_before()
        if isinstance(end, str):
            far.type(end)
        else:
            process.send_signal(end)
        assert process.wait(10) == 0
        assert as_before()
    assert os.listdir(area) == ["KALAH.TMP"]


def test_a_terminal_that_is_closed(area: str) -> None:
    """The job then gets SIGHUP and SIGCONT."""
    far, near = pty.openpty()
    with job(
        *("--area", area),
        **dict.fromkeys(("stdin", "stdout"), near),
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(near, termios.TIOCSCTTY, 0),
    ) as process:
        os.close(near)
        FarEnd(far).begin_game()
        os.close(far)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, b"")
    assert os.listdir(area) == ["KALAH.TMP"]


def test_a_terminal_that_gives_whole_lines_only(area: str, tmp_path: Path) -> None:
    """As where there is no termios; the terminal echoes by itself."""
    modules = tmp_path / "MODULES"
    modules.mkdir()
    (modules / "termios.py").write_text("raise ImportError")
    environment = {**os.environ, "PYTHONPATH": str(modules)}
    with on_a_terminal(area, env=environment) as (process, far, _):
        far.play()
        assert process.wait(10) == 0
        assert "OR 6? 1\r\nWHAT" in far.paper
    with on_a_terminal(area, env=environment) as (process, far, _):
        far.wait_for("OR 6? ")
        time.sleep(1)  # now it waits for a line
        process.send_signal(signal.SIGINT)  # as ^C in a console of Windows
        assert process.wait(10) == 0


@pytest.mark.source("TTY-CR")
@pytest.mark.parametrize("flag", [termios.OPOST, termios.ONLCR])
def test_a_terminal_that_adds_no_return_gets_it(area: str, flag: int) -> None:
    """As socat's EXEC with pty and raw."""
    with wired_device() as (far, near, _):
        mode = termios.tcgetattr(near)
        mode[1] &= ~flag
        termios.tcsetattr(near, termios.TCSANOW, mode)
        person = FarEnd(far)
        with job("--area", area, "MONITOR", stdin=near, stdout=near):
            asks_for_files(person, "\r\n")
        assert "\r\r" not in person.paper


@pytest.mark.source("TTY-CR")
@pytest.mark.parametrize("options, end", [(("--model", "33"), "\r\n\0\0"), ((), "\n")])
def test_a_socket_from_inetd(area: str, options: tuple[str, ...], end: str) -> None:
    here, there = socket.socketpair()
    with here, there:
        person = FarEnd(here.fileno())
        person.keep_nuls = True
        words = ("--area", area, *options, "MONITOR")
        with job(*words, stdin=there, stdout=there) as process:
            asks_for_files(person, end)
            here.shutdown(socket.SHUT_WR)
            assert process.wait(10) == 0


def asks_for_files(person: FarEnd, end: str) -> None:
    person.wait_for("HELP HELPS." + end + ".")
    person.type("DIR\r")
    person.wait_for("DIR" + end + "NO FILES" + end + ".")


def test_an_adapter_is_unplugged_and_plugged_in(area: str, tmp_path: Path) -> None:
    device = tmp_path / "teletype"
    with contextlib.ExitStack() as stack:
        with wired_device() as (far, _, name):
            words = ("--tty", str(device), "--baud", FAST, "--area", area, "KALAH")
            stack.enter_context(job(*words))
            time.sleep(0.5)  # it is absent when the job begins
            device.symlink_to(name)
            FarEnd(far).begin_game(">")
        device.unlink()
        time.sleep(0.5)
        far, _, name = stack.enter_context(wired_device())
        device.symlink_to(name)
        person = FarEnd(far)
        person.wait_for(">>>>>>>>")
        assert person.paper.startswith("\r\n" + GREETING + "\r\nYOU ARE PLAYER A")
        person.type("Q\r")
        person.wait_for("ANOTHER GAME? ")


@pytest.mark.parametrize(
    "line, why",
    [
        ("none", "No such file or directory"),
        ("socket://127.0.0.1:1", "Connection refused"),
        ("rfc2217://127.0.0.1:1", "Connection refused"),
    ],
)
def test_a_job_that_waits_for_its_line_can_be_ended(
    line: str, why: str, area: str
) -> None:
    line = line if ":" in line else f"{area}/{line}"
    with job("--tty", line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        calling = f"Calling {line}: this takes up to ten seconds.\n"
        if line.startswith("rfc"):
            assert process.stdout.readline() == calling
        assert process.stdout.readline() == f"Waiting for {line}: {why}.\n"
        process.terminate()
        assert process.wait(10) == 0


def test_a_job_on_a_terminal_ends_with_it(area: str) -> None:
    """Else it would type on whatever terminal gets that name next."""
    with contextlib.ExitStack() as stack:
        with wired_device() as (far, _, name):
            words = ("--tty", name, "--baud", FAST, "--area", area, "KALAH")
            ended = job(*words, stderr=subprocess.PIPE, text=True)
            process = stack.enter_context(ended)
            FarEnd(far).begin_game(">")
        told = process.communicate(timeout=30)[1]
    assert told == f"{name} has hung up, and may be another's now.\n"
    assert process.returncode == 1 and os.listdir(area) == ["KALAH.TMP"]


@pytest.mark.source("TTY-IAC")
def test_a_console_server_negotiates(area: str) -> None:
    """On TCP, where a RUBOUT may have its eighth bit; FD 18 is no RUBOUT and ^X."""
    with on_a_socket(area) as (process, far):
        far.wait_for("\r\n.")
        far.write(b"\xff\xfd\x03\xff\xfb\x18\xff\xfa\x18\x01\xff\xf0")
        far.write(b"DIX\xff\xff")
        far.wait_for("X\\X")
        far.write(b"R\r\0")
        far.wait_for("NO FILES\r\n.")
        assert far.paper.endswith("\r\n.DIX\\X\\R\r\nNO FILES\r\n.")
        process.terminate()
        assert process.wait(10) == 0


def test_visitors_on_a_socket_that_is_reset_at_once(area: str) -> None:
    with listening() as (server, url):
        words = ("--tty", url, "--visitors", "--baud", FAST, "--area", area)
        with job(*words, stdout=subprocess.DEVNULL):
            with server.accept()[0] as first:
                abort = struct.pack("ii", 1, 0)
                first.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, abort)
            with server.accept()[0] as second:
                second.setblocking(True)
                far = FarEnd(second.fileno())
                while not far.look_for("GOOD DAY.", seconds=1):
                    far.type("X")  # opening drops what has come before


def test_a_five_level_machine_on_a_socket(area: str) -> None:
    code, printer = Baudot(), Baudot()
    with on_a_socket(area, "--model", "15", "--set", "BELL", "KALAH") as (_, far):
        far.decode = lambda data: "".join(map(printer.decode, data))
        far.encode = lambda text: b"".join(map(code.encode, text))
        far.play(")", far.type)
        far.wait_for("\n.")
        assert "\a" in far.paper


class Port2217:
    """The side of a serial server, for one caller."""

    def __init__(self, server: socket.socket, stop_bits: object = (1, 1.5, 2)) -> None:
        from serial.rfc2217 import PortManager

        self.device = serial.serial_for_url("loop://", timeout=0)
        self.device.STOPBITS = stop_bits
        self.connection, _ = server.accept()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.manager = PortManager(self.device, cast(Any, self))
        read, self._printed = os.pipe()
        self.far = FarEnd(read)
        self.far.write = self.type
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    @property
    def settings(self) -> tuple[object, ...]:
        port = self.device
        return port.baudrate, port.bytesize, port.parity, port.stopbits

    def write(self, data: bytes) -> None:
        self.connection.sendall(data)

    def type(self, data: bytes) -> None:
        self.write(b"".join(self.manager.escape(data)))

    def _serve(self) -> None:
        with self.connection, contextlib.suppress(OSError):
            while True:
                data = self.connection.recv(1024)
                if not data:
                    return
                os.write(self._printed, b"".join(self.manager.filter(data)))

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.thread.join(10)
        os.close(self._printed)
        os.close(self.far.descriptor)
        self.device.close()


def test_a_game_over_rfc2217_with_garbage_and_return(area: str) -> None:
    """Garbage from the server is a hangup, and nothing shows it."""
    words = ["--model", "37", "--baud", "19200", "--bits", "8N2", "--area", area]
    with (
        listening("rfc2217") as (server, url),
        job("--tty", url, *words, "KALAH", stderr=subprocess.PIPE) as process,
    ):
        port = Port2217(server)
        port.far.wait_for("OR 6? ")
        assert port.settings == (19200, 8, "N", 2)
        port.far.type("1\rC\rY\r")
        port.far.wait_for(">>>>>>>>")
        port.write(b"\xff\xf0")  # the end of what was not begun
        port.thread.join(20)
        port = Port2217(server)
        port.far.wait_for(">>>>>>>>")
        assert GREETING + "\r\nYOU ARE PLAYER A" in port.far.paper
        port.far.type("Q\rN\r")
        port.far.wait_for("\n.")
        process.terminate()
        port.close()
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, b"")


@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_job_that_is_ended_while_its_line_opens(area: str, number: str) -> None:
    """The server answers nothing, so that opening takes seconds."""
    with (
        listening("rfc2217") as (server, url),
        job("--tty", url, "--area", area, stderr=subprocess.PIPE) as process,
        server.accept()[0] as connection,
    ):
        assert connection.recv(1)
        process.send_signal(getattr(signal, number))
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, b"")


@pytest.mark.source("TTY-2217-STOP", "TTY-45", "TTY-5-LINE")
def test_a_server_that_refuses_one_and_a_half_stop_bits(area: str) -> None:
    with (
        listening("rfc2217") as (server, url),
        job("--tty", url + "?timeout=0.5", "--model", "28", "--area", area),
    ):
        first = Port2217(server, (1, 2))
        first.thread.join(20)  # it hangs up and asks for two
        port = Port2217(server, (1, 2))
        machine = MODELS["28"].code()
        port.far.decode = lambda data: "".join(map(machine.decode, data))
        port.far.wait_for("KALAH")
        assert port.settings == (45, 5, "N", 2)
        port.close()


@pytest.mark.parametrize(
    "speaks, why",
    [
        (False, "the server does not speak RFC 2217"),
        (True, "the server refuses these settings; try others with --baud and --bits"),
    ],
)
def test_a_server_that_is_of_no_use_is_reported(speaks: bool, why: str) -> None:
    def serve(server: socket.socket) -> None:
        for _ in range(2):
            Port2217(server, (1,))

    with listening("rfc2217") as (server, url):
        if speaks:
            threading.Thread(target=serve, args=[server], daemon=True).start()
        line = url + "?timeout=0.4"
        with refused(LineError, f"Cannot open {line}: {why}."):
            open_teletype(line, "28")


def test_pyserials_other_urls() -> None:
    with wired_device() as (far, _, name):
        for url in ("loop://", f"spy://{name}", name):
            port = Device(url, 110, EIGHT)
            assert port.write(b"3") == 1
            if url != "loop://":
                assert os.read(far, 9) == b"3"
                os.write(far, b"3")
            assert bytes(port.read(1)) == b"3"
            assert list(port.read(0.01)) == []
            assert port.waiting() == 0
            port.close()


PORTLESS = "it lacks a port, as in socket://HOST:23"
UNKNOWN = "pyserial does not know such a name"


@pytest.mark.parametrize(
    "line, why",
    [
        ("/dev/pts/99999", "No such file or directory"),
        ("/", "Is a directory"),
        ("/etc/passwd", ""),
        ("x://y", "invalid URL, protocol 'x' not known"),
        *((f"{scheme}://HOST", PORTLESS) for scheme in ("socket", "rfc2217")),
        *(
            (line, UNKNOWN)
            for line in (
                "socket://127.0.0.1:1?logging=x",
                "hwgrep://[",
                "loop://?logging=x",
            )
        ),
    ],
)
def test_a_line_that_cannot_be_opened_is_reported(line: str, why: str) -> None:
    with pytest.raises(LineError) as told:
        open_teletype(line)
    text = str(told.value)
    assert text.startswith(f"Cannot open {line}: {why}") and text.endswith(".")
    assert len(text) > len(f"Cannot open {line}: .") and "\n" not in text
