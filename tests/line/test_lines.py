"""Whole sessions over real lines: terminal, pty, device, TCP, RFC 2217."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from kalah import open_teletype
from sail.files.area import Area
from sail.line.ports import LineError
from sail.monitor.dot import GREETING
from tests.errors import refused
from tests.line.virtual import wired_device
from tests.person import FarEnd

pytest.importorskip("termios")
serial: Any = pytest.importorskip("serial")

import fcntl
import pty
import termios

from tests.jobs import FAST, job, listening, on_a_line, on_a_terminal


def test_a_terminal_is_left_in_order(area: Area) -> None:
    with on_a_terminal(area) as (process, far, as_before):
        far.begin_game()
        assert "\n\n" not in far.paper and "\r\n" in far.paper
        assert not as_before()
        far.type("\x04")
        assert process.wait(10) == 0
        assert as_before()
    assert os.listdir(area.folder) == ["KALAH.TMP"]


def test_a_terminal_that_is_closed(area: Area) -> None:
    """The job then gets SIGHUP and SIGCONT."""
    far, near = pty.openpty()
    own: dict[str, Any] = {"start_new_session": True}
    own["preexec_fn"] = lambda: fcntl.ioctl(near, termios.TIOCSCTTY, 0)
    with job(area, stdin=near, stdout=near, **own) as process:
        os.close(near)
        FarEnd(far).begin_game()
        os.close(far)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, "")
    assert os.listdir(area.folder) == ["KALAH.TMP"]


def test_a_terminal_that_gives_whole_lines_only(area: Area, tmp_path: Path) -> None:
    """As where there is no termios; the terminal echoes by itself."""
    modules = tmp_path / "MODULES"
    modules.mkdir()
    (modules / "termios.py").write_text("raise ImportError")
    environment = {**os.environ, "PYTHONPATH": str(modules)}
    with on_a_terminal(area, env=environment) as (process, far, _):
        far.wait_for("OR 6? ")
        far.type("1\r")
        far.wait_for("TOURNAMENT? ")
        assert "OR 6? 1\r\nWHAT" in far.paper
        far.type("C\rY\r")
        far.wait_for("→" * 8)
        far.type("\x04")
        assert process.wait(10) == 0
    assert area.names() == ["KALAH.TMP"]  # a person types here


def test_an_adapter_is_unplugged_and_plugged_in(area: Area, tmp_path: Path) -> None:
    device, plug = tmp_path / "teletype", tmp_path / "plug"
    with wired_device() as (again, _, another), contextlib.ExitStack() as stack:
        with wired_device() as (far, _, name):
            device.symlink_to(name)
            stack.enter_context(on_a_line(area, str(device), "KALAH"))
            FarEnd(far).begin_game(">")
            plug.symlink_to(another)
            plug.replace(device)
        person = FarEnd(again)
        person.wait_for(">>>>>>>>")
        assert person.paper.startswith(f"\r\n{GREETING}\r\nNEW TO KALAH?")
        person.type("Q\r")
        person.wait_for("ANOTHER GAME? ")


def test_a_job_on_a_terminal_ends_with_it(area: Area) -> None:
    """Else it would type on whatever terminal gets that name next."""
    with contextlib.ExitStack() as stack:
        with wired_device() as (far, _, name):
            process = stack.enter_context(on_a_line(area, name, "KALAH"))
            FarEnd(far).begin_game(">")
        told = process.communicate(timeout=30)
    assert told == ("", f"{name} has hung up, and may be another's now.\n")
    assert process.returncode == 1 and os.listdir(area.folder) == ["KALAH.TMP"]


@contextlib.contextmanager
def called(server: socket.socket) -> Iterator[FarEnd]:
    """Wait until the job calls; yield its user, and hang up by a reset."""
    with server.accept()[0] as caller:
        yield FarEnd(caller.fileno())
        abort = struct.pack("ii", 1, 0)
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, abort)


@pytest.mark.source("TTY-IAC")
def test_a_console_server_negotiates_and_resets(area: Area) -> None:
    """On TCP, where a RUBOUT may have its eighth bit; FD 18 is no RUBOUT and ^X."""
    with listening() as (server, url), on_a_line(area, url) as process:
        with called(server) as far:
            far.wait_for("\r\n.")
            far.write(b"\xff\xfd\x03\xff\xfb\x18\xff\xfa\x18\x01\xff\xf0")
            far.write(b"DIX\xff\xff")
            far.wait_for("X\\X")
            far.write(b"R\r\0")
            far.wait_for("NO FILES\r\n.")
            assert far.paper.endswith("\r\n.DIX\\X\\R\r\nNO FILES\r\n.")
        with called(server) as far:
            far.wait_for(GREETING)
            process.terminate()
            assert process.wait(10) == 0


class Server2217:
    """A serial server; `far` is a person at its port.

    stop_bits: those that it can set.
    """

    def __init__(
        self, caller: socket.socket, stop_bits: Sequence[float] = (1, 1.5, 2)
    ) -> None:
        from serial.rfc2217 import PortManager

        self.port = serial.serial_for_url("loop://")
        self.port.STOPBITS = stop_bits
        self.write = caller.sendall  # which the manager uses, too
        self.manager = PortManager(self.port, cast(Any, self))
        self.far = FarEnd(caller.fileno())
        self.far.decode = lambda data: self.take(data).decode()

    def take(self, data: bytes) -> bytes:
        """Carry out the caller's commands; return what is for the port."""
        return b"".join(self.manager.filter(data))

    @property
    def settings(self) -> tuple[object, ...]:
        port = self.port
        return port.baudrate, port.bytesize, port.parity, port.stopbits


def test_a_game_over_rfc2217_with_garbage_and_return(area: Area) -> None:
    """Garbage from the server is a hangup, and nothing shows it."""
    words = ["--model", "37", "--bits", "8N2", "KALAH"]
    with (
        listening("rfc2217") as (server, url),
        on_a_line(area, url, *words) as process,
        server.accept()[0] as first,
    ):
        port = Server2217(first)
        port.far.begin_game(">")
        assert port.settings == (int(FAST), 8, "N", 2)
        port.write(b"\xff\xf0")  # the end of what was not begun
        with server.accept()[0] as second:
            far = Server2217(second).far
            far.wait_for(">>>>>>>>")
            assert GREETING + "\r\nNEW TO KALAH?" in far.paper
            process.terminate()
            _, errors = process.communicate(timeout=20)
    said = f"{url} has hung up.\n{url} is back.\n"
    assert (process.returncode, errors) == (0, said)


def test_a_job_that_is_ended_while_its_line_opens(area: Area) -> None:
    """The server answers nothing, so that opening takes seconds."""
    with (
        listening("rfc2217") as (server, url),
        job(area, "--tty", url) as process,
        server.accept()[0] as connection,
    ):
        assert connection.recv(1)
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=20)
    assert told == (f"Calling {url}: this takes up to ten seconds.\n", "")
    assert process.returncode == 0


@contextlib.contextmanager
def settable(
    *calls: Sequence[float],
) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    """Serve calls, each with these stop bits; yield the URL and the settings made."""
    settings: list[tuple[object, ...]] = []

    def serve() -> None:
        for stop_bits in calls:
            with server.accept()[0] as caller:
                port = Server2217(caller, stop_bits)
                while data := caller.recv(1024):
                    port.take(data)
                settings.append(port.settings)

    with listening("rfc2217") as (server, url):
        serving = threading.Thread(target=serve)
        serving.start()
        yield url, settings
        serving.join()


@pytest.mark.usefixtures("hurried")
@pytest.mark.source("TTY-2217-STOP", "TTY-45", "TTY-5-LINE")
def test_a_server_that_refuses_one_and_a_half_stop_bits_is_asked_for_two() -> None:
    with settable((1, 2), (1, 2)) as (url, settings):
        open_teletype(url, "28").driver.close()
    assert settings[1] == (45, 5, "N", 2)
    told = "the server refuses these settings; try others with --baud and --bits"
    with settable((1,)) as (url, _), refused(LineError, f"Cannot open {url}: {told}."):
        open_teletype(url, "33")


@pytest.mark.usefixtures("hurried")
def test_a_server_that_does_not_speak_rfc2217_is_reported() -> None:
    with listening("rfc2217") as (_, url):
        line = url + "?timeout=0.1"
        told = f"Cannot open {line}: the server does not speak RFC 2217."
        with refused(LineError, told):
            open_teletype(line)
