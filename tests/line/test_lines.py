"""Whole sessions over real lines: terminal, pty, TCP, RFC 2217."""

from __future__ import annotations

import codecs
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sail.area import Area
from sail.line.codes import Baudot
from sail.line.models import MODELS
from sail.line.ports import LineError, Serial
from sail.line.station import Station, open_teletype
from sail.monitor import GREETING
from sail.programs.kalah import dialogue as kalah
from sail.teletype import EndOfInput
from tests.line.virtual import FarEnd, Wire, game_of_kalah

pytest.importorskip("termios")
serial = pytest.importorskip("serial")

import fcntl
import pty
import termios
import tty

KALAH = str(Path(__file__).parents[2] / "kalah.py")
FAST = "200000"  # baud, so that no test waits for a carriage


@contextlib.contextmanager
def job(*options: str, **streams: object) -> Iterator[subprocess.Popen]:
    """A process that plays; nothing of it is left afterwards."""
    process = subprocess.Popen([sys.executable, KALAH, *options], **streams)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


@pytest.fixture
def area(tmp_path) -> str:
    return str(tmp_path)


# Whatever standard input and output are.


@pytest.mark.parametrize(
    "streams, status, errors",
    [
        ("</dev/null", 0, ""),
        ("<&-", 0, ""),
        ("</dev/null | true", 0, ""),
        ("</dev/null >&-", 1, "Cannot write the output: Bad file descriptor.\n"),
        ("</dev/null >/dev/full", 1, "Cannot write the output: No space left"),
    ],
)
def test_no_traceback(area, streams, status, errors):
    command = f"set -o pipefail; {sys.executable} {KALAH} --area {area} {streams}"
    if "/dev/full" in streams and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    done = subprocess.run(
        ["bash", "-c", command], check=False, capture_output=True, text=True
    )
    assert done.returncode == status
    assert done.stderr.startswith(errors) and done.stderr.count("\n") <= 1


# A pseudo-terminal.


@contextlib.contextmanager
def on_a_pty(area: str, *options: str) -> Iterator[tuple[subprocess.Popen, str]]:
    with job(
        "--tty", "pty", "--area", area, *options, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process, process.stdout.readline().strip()


@contextlib.contextmanager
def opened(name: str) -> Iterator[FarEnd]:
    descriptor = os.open(name, os.O_RDWR | os.O_NOCTTY)
    try:
        tty.setraw(descriptor)
        yield FarEnd(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def opened_again(name: str) -> Iterator[FarEnd]:
    """Opened when it was closed long enough to be noticed."""
    for pause in (0.2, 1, 5, 20):
        time.sleep(pause)
        with opened(name) as far:
            if far.look_for(GREETING, seconds=5):
                yield far
                return
    pytest.fail("no greeting")


def test_a_whole_game_on_a_pty_byte_by_byte(area):
    with on_a_pty(area, "--baud", FAST) as (_, name), opened(name) as far:
        far.wait_for(GREETING, "\n.")
        far.type_slowly("R KALAH\r")
        prompts = game_of_kalah(far, ">")
        far.wait_for(".")
        far.type_slowly("KJOB\r")
        far.wait_for(GREETING)
        assert prompts.count(">>>>>>>>") >= 3
        assert set(far.paper) <= set(map(chr, range(32, 96))) | set("\r\n")
        assert max(map(len, far.paper.splitlines())) <= 72


def test_hangup_and_return_on_a_pty(area):
    with on_a_pty(area, "--baud", FAST, "--model", "glass", "KALAH") as (_, name):
        with opened(name) as far:
            far.wait_for("OR 6? ")
            far.type("3\rC\rY\r")
            far.wait_for("→→→→→→→→")
            far.type("12")
        with opened_again(name) as far:
            far.wait_for("→→→→→→→→")
            assert far.paper == GREETING + "\r\nYOUR MOVE PLEASE  →→→→→→→→"
            far.type("\x03")
            far.wait_for("\n.")
        with opened_again(name) as far:
            far.wait_for("\r\n.")
            assert far.paper == GREETING + "\r\n."
            far.type("CONT\r")
            far.wait_for("→→→→→→→→")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_line_ends_in_order(area, number):
    with on_a_pty(area, "--baud", FAST, "KALAH") as (process, name):
        with opened(name) as far:
            far.wait_for("OR 6? ")
            far.type("3\rC\rY\r")
            far.wait_for(">>>>>>>>")
            process.send_signal(number)
            assert process.wait(10) == 0
        assert os.listdir(area) == ["KALAH.TMP"]


def resident(process: subprocess.Popen) -> int:
    """Bytes of memory, 0 where it cannot be known or collected at once."""
    if sys.implementation.name != "cpython":
        return 0
    try:
        pages = Path(f"/proc/{process.pid}/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def test_random_bytes_on_a_pty(area):
    """100,000 of them, at the dot and in games, and it still plays."""
    rng = random.Random(4)
    with on_a_pty(area, "--baud", "1000000", "--model", "glass") as (process, name):
        with opened(name) as far:
            far._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

            def say(text: str, echo: str) -> None:
                """Again until it is heard: output may come in the midst of it."""
                for _ in range(300):
                    far.type(text)
                    if far.look_for(echo, seconds=0.1):
                        return
                pytest.fail(f"{echo} did not come after:\n{far.paper}")

            def babble(count: int) -> None:
                for number in range(count // 200):
                    os.write(far.descriptor, rng.randbytes(200))
                    far.type("\x11\rCONTINUE\rR KALAH\rN\r3\rC\rY\r")
                    say(f"\r={number}=", f"={number}=")
                    far.type("\r")
                    far.forget()

            def memory_at_rest() -> int:
                """With no program, so without the table of a search."""
                say("\x11\r\x03\x03R CHESS\r; HELLO\r", "\n.; HELLO\r\n")
                return resident(process)

            for _ in range(2):  # the allocator keeps one large table to use again
                far.type("R KALAH\rN\r6\rM\rN\r")
                far.wait_for("LET ME THINK")
                memory_at_rest()
            babble(20_000)
            before = memory_at_rest()
            babble(80_000)
            assert memory_at_rest() - before < 20_000_000
            far.type("R KALAH\r")
            while far.wait_for("OR 6? ", "YOUR GAME? ") == "YOUR GAME? ":
                far.type("N\r")
            far.type("\r")
            game_of_kalah(far, by="type")
            far.wait_for("\n.")
        assert process.poll() is None


# The terminal itself.


@contextlib.contextmanager
def on_a_terminal(
    area: str, *options: str, **more: object
) -> Iterator[tuple[subprocess.Popen, FarEnd, Callable[[], bool]]]:
    """The process, the person, and whether the terminal is as it was."""
    far, near = pty.openpty()
    before = termios.tcgetattr(near)
    streams = {"stdin": near, "stdout": near, "stderr": near, **more}
    try:
        with job(
            "--area", area, *options, start_new_session=True, **streams
        ) as process:
            yield process, FarEnd(far), lambda: termios.tcgetattr(near) == before
    finally:
        os.close(far)
        os.close(near)


def test_a_whole_game_on_a_terminal(area):
    with on_a_terminal(area) as (process, far, as_before):
        game_of_kalah(far)
        assert process.wait(10) == 0
        assert as_before()
        assert "\n\n" not in far.paper and "\r\n" in far.paper


def end_by_key(process: subprocess.Popen, far: FarEnd) -> None:
    far.type("\x03")


def end_by_term(process: subprocess.Popen, far: FarEnd) -> None:
    process.terminate()


def end_by_hangup(process: subprocess.Popen, far: FarEnd) -> None:
    process.send_signal(signal.SIGHUP)


def end_of_file(process: subprocess.Popen, far: FarEnd) -> None:
    far.type("\x1a")


@pytest.mark.parametrize("end", [end_by_key, end_by_term, end_by_hangup, end_of_file])
def test_a_terminal_is_left_in_order_and_the_game_kept(area, end):
    with on_a_terminal(area) as (process, far, as_before):
        far.wait_for("OR 6? ")
        assert not as_before()
        far.type("3\rC\rY\r")
        far.wait_for("→→→→→→→→")
        end(process, far)
        assert process.wait(10) == 0
        assert as_before()
    assert os.listdir(area) == ["KALAH.TMP"]


def test_a_terminal_is_given_back_while_the_job_is_suspended(area):
    with on_a_terminal(area) as (process, far, as_before):
        far.wait_for("OR 6? ")
        process.send_signal(signal.SIGTSTP)
        os.waitpid(process.pid, os.WUNTRACED)
        assert as_before()
        process.send_signal(signal.SIGCONT)
        while as_before():
            time.sleep(0.01)
        far.type("?\r")
        far.wait_for("LEAVES KALAH")


def test_a_terminal_that_is_closed(area):
    """It goes away with SIGHUP and SIGCONT."""
    far, near = pty.openpty()
    with job(
        *("--area", area),
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(near, termios.TIOCSCTTY, 0),
        stdin=near,
        stdout=near,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(near)
        person = FarEnd(far)
        person.wait_for("OR 6? ")
        person.type("3\rC\rY\r")
        person.wait_for("→→→→→→→→")
        os.close(far)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, b"")
    assert os.listdir(area) == ["KALAH.TMP"]


def test_a_terminal_that_gives_whole_lines_only(area, tmp_path):
    """As where there is no termios; the terminal echoes by itself."""
    modules = tmp_path / "MODULES"
    modules.mkdir()
    (modules / "termios.py").write_text("raise ImportError")
    environment = {**os.environ, "PYTHONPATH": str(modules)}
    with on_a_terminal(area, env=environment) as (process, far, _):
        game_of_kalah(far)
        assert process.wait(10) == 0
        assert "OR 6? 1\r\nWHAT" in far.paper


def test_output_that_is_no_terminal_is_the_whole_paper(area):
    with job("--area", area, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        paper, _ = process.communicate(b"3\nC\nY\nSHOW\n\xe2\x86\x92\n", 30)
        assert process.returncode == 0
    assert paper.decode().startswith("START WITH 1,2,3,4,5 OR 6? 3\nWHAT LEVEL")
    assert "→→→→→→→→SHOW\n" in paper.decode()
    assert paper.endswith(b"\n")


# A device.


def test_an_adapter_that_is_unplugged_and_plugged_in_again(area, tmp_path):
    device = tmp_path / "teletype"
    far, near = pty.openpty()
    device.symlink_to(os.ttyname(near))
    with job("--tty", str(device), "--baud", FAST, "--area", area, "KALAH"):
        person = FarEnd(far)
        person.wait_for("OR 6? ")
        person.type("3\rC\rY\r")
        person.wait_for(">>>>>>>>")
        os.close(near)
        os.close(far)
        device.unlink()
        time.sleep(0.5)
        far, near = pty.openpty()
        device.symlink_to(os.ttyname(near))
        person = FarEnd(far)
        person.wait_for(">>>>>>>>")
        assert person.paper.startswith(GREETING + "\r\nYOUR MOVE PLEASE")
        person.type("Q\r")
        person.wait_for("ANOTHER GAME? ")
    os.close(near)
    os.close(far)


# TCP.


@contextlib.contextmanager
def listening() -> Iterator[tuple[socket.socket, str]]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        yield server, f"socket://127.0.0.1:{server.getsockname()[1]}"


@contextlib.contextmanager
def caller(server: socket.socket) -> Iterator[FarEnd]:
    connection, _ = server.accept()
    with connection:
        connection.setblocking(True)
        yield FarEnd(connection.fileno())


def test_hangup_and_return_in_a_game_and_in_a_search(area):
    with (
        listening() as (server, url),
        job("--tty", url, "--baud", FAST, "--area", area, "KALAH") as process,
    ):
        with caller(server) as far:
            far.wait_for("OR 6? ")
            far.type("6\rA\rY\r")
            far.wait_for(">>>>>>>>")
            far.type("BA")
        with caller(server) as far:
            far.wait_for(">>>>>>>>")
            greeting = GREETING.upper() + "\r\n"
            assert far.paper == greeting + "YOUR MOVE PLEASE  >>>>>>>>"
            far.type("1\r")
            far.wait_for("THINK")
        with caller(server) as far:
            far.wait_for(">>>>>>>>", "<CR>")
            assert far.paper.startswith(greeting)
            assert "I MOVE FROM PIT" in far.paper
        assert process.poll() is None


def test_a_five_level_machine_on_a_socket(area):
    with (
        listening() as (server, url),
        job("--tty", url, "--baud", FAST, "--model", "15", "--area", area),
        caller(server) as far,
    ):
        code = Baudot()
        printer = Baudot()
        far._decode = lambda data: "".join(map(printer.decode, data))
        far._encode = lambda text: b"".join(map(code.encode, text))
        far.wait_for(GREETING.replace("'", "'"), "\n.")
        far.type("R KALAH\r")
        game_of_kalah(far, ")", "type")
        far.wait_for("\n.")


def test_what_a_five_level_machine_prints_is_the_same_paper(area):
    wire = Wire([])
    teletype = Station(wire, MODELS["15"], 1e6, wire.clock, wire.sleep)
    typed: list[str] = []
    really = teletype.type

    def record(text: str = "", end: str = "\n") -> None:
        typed.append(text + end)
        really(text, end)

    teletype.type = record
    answers = iter(("?", "3", "?", "C", "?", "Y", "?", "SHOW", "4", "X", "BACK", "Q"))

    def ask(prompt: str = "") -> str:
        teletype.type(prompt)
        for answer in answers:
            return answer
        raise EndOfInput

    teletype.ask = ask
    with pytest.raises(EndOfInput):
        kalah.run(teletype, Area(area))
    printer, speller = Baudot(), Baudot()
    paper = "".join(printer.decode(byte) for _, data in wire.printed for byte in data)
    assert paper.replace("\r\n", "\n") == "".join(
        char if char == "\n" else speller.spell(char) for char in "".join(typed)
    )
    assert len(paper) > 2000


# RFC 2217.


@contextlib.contextmanager
def rfc2217_server() -> Iterator[tuple[socket.socket, str]]:
    with listening() as (server, url):
        yield server, url.replace("socket", "rfc2217")


class Port2217:
    """A serial port of this kind, for one caller: what a serial server does."""

    def __init__(self, server: socket.socket) -> None:
        from serial.rfc2217 import PortManager

        self.device = serial.serial_for_url("loop://", timeout=0)
        self.connection, _ = server.accept()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.manager = PortManager(self.device, self)
        read, self._printed = os.pipe()
        self.far = FarEnd(read)
        self.far.type = self.type
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def write(self, data: bytes) -> None:
        self.connection.sendall(data)

    def type(self, text: str) -> None:
        self.write(b"".join(self.manager.escape(text.encode())))

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                data = self.connection.recv(1024)
                if not data:
                    return
                os.write(self._printed, b"".join(self.manager.filter(data)))

    def close(self) -> None:
        self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()
        self.thread.join(10)
        os.close(self._printed)
        os.close(self.far.descriptor)
        self.device.close()


def test_a_game_over_rfc2217_with_hangup_and_return(area):
    with (
        rfc2217_server() as (server, url),
        job("--tty", url, "--baud", "19200", "--model", "37", "--area", area, "KALAH"),
    ):
        port = Port2217(server)
        port.far.wait_for("OR 6? ")
        device = port.device
        settings = device.baudrate, device.bytesize, device.parity, device.stopbits
        assert settings == (19200, 7, "E", 1)
        port.far.type("1\rC\rY\r")
        port.far.wait_for(">>>>>>>>")
        port.close()
        port = Port2217(server)
        port.far.wait_for(">>>>>>>>")
        assert GREETING + "\r\nYOUR MOVE PLEASE" in port.far.paper
        port.far.type("Q\rN\r")
        port.far.wait_for("\n.")
        port.close()


# What pyserial opens, and what it does not.


def test_pyserials_other_urls(tmp_path):
    far, near = pty.openpty()
    device = os.ttyname(near)
    settings = {"baudrate": 110, "bytesize": 8, "parity": "N", "stopbits": 2}
    for url in ("loop://", f"spy://{device}?file={tmp_path / 'spy'}", device):
        port = Serial(url, **settings)
        assert port.write(b"3") == 1
        if url != "loop://":
            assert os.read(far, 9) == b"3"
            os.write(far, b"3")
        assert port.read(1) == b"3"
        assert port.read(0.01) == b""
        assert port.waiting() == 0
        port.close()
    os.close(near)
    os.close(far)


@pytest.mark.parametrize(
    "line",
    [
        "/dev/none",
        "/",
        "/etc/passwd",
        "socket://127.0.0.1:1",
        "socket://",
        "rfc2217://127.0.0.1:1",
        "x://y",
    ],
)
def test_a_line_that_cannot_be_opened_is_told_in_a_sentence(line):
    with pytest.raises(LineError, match=f"^Cannot open {line}: .+[.]$"):
        open_teletype(line)


def test_without_pyserial(area, tmp_path):
    (tmp_path / "serial.py").write_text("raise ImportError")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with job("--tty", "/dev/none", env=environment, stderr=subprocess.PIPE) as process:
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors.count(b"\n") == 1 and b"pip install pyserial" in errors


def test_waiting_is_no_work(area):
    wire = Wire([(50, b"3\r")])
    looks = []
    read = wire.read
    wire.read = lambda timeout: (looks.append(timeout), read(timeout))[1]
    Station(wire, clock=wire.clock, sleep=wire.sleep).ask("MOVE? ")
    assert len(looks) < 50 * 11
