"""Plays a whole game through every client that is installed; prints a table.

    python3 -m tests.bench.clients [CLIENT ...]

paper equal: the paper is that of the same game on a bare pseudo-terminal.
after ^C: the characters of a long text that came between the key and its ↑C.
came back: after the line was cut, the greeting and the question came again.

A client that is not installed is named and left out.  Debian has them as
picocom, minicom, screen, telnet, socat, ser2net, netcat-openbsd and ncat.
Servers listen on 127.0.0.1 only.  Needs a POSIX system and pyserial.
"""

from __future__ import annotations

import fcntl
import os
import pty
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from sail.area import Area
from sail.monitor import GREETING
from tests.line.test_lines import opened
from tests.line.virtual import FarEnd, game_of_kalah

KALAH = str(Path(__file__).parents[2] / "kalah.py")
BAUD = "4800"
LONG = "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG\n" * 1000
PATIENCE = 40.0  # seconds for a line to come back


class Place:
    """What every client gets: a folder, an area, a free TCP port, empty logs."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self._logs = count()
        self.area = str(self.folder / "area")
        Area(self.area).write("LONG.TXT", LONG)
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = server.getsockname()[1]

    def log(self) -> Path:
        log = self.folder / f"log{next(self._logs)}"
        log.touch()
        return log


@contextmanager
def running(command: list[str], **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command within the block."""
    process = subprocess.Popen(
        command,
        stderr=subprocess.DEVNULL,
        stdin=more.pop("stdin", subprocess.DEVNULL),
        stdout=more.pop("stdout", subprocess.DEVNULL),
        start_new_session=True,
        **more,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def job(place: Place, line: str) -> Iterator[str]:
    """Run KALAH on a line; yield the name of its device if it is a pty."""
    words = ["--tty", line, "--baud", BAUD, "--area", place.area]
    with running([sys.executable, KALAH, *words], stdout=subprocess.PIPE) as process:
        assert process.stdout
        yield process.stdout.readline().decode().strip() if line == "pty" else ""


@contextmanager
def terminal(*command: str, log: Path | None = None) -> Iterator[FarEnd]:
    """Put a person at a terminal program, who reads its screen or its log."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "vt100"}
    with ExitStack() as stack:
        streams = {"stdin": slave, "stdout": slave}
        program = running(
            list(command),
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env=environment,
            **streams,
        )
        stack.enter_context(program)
        os.close(slave)
        source = master
        if log:
            threading.Thread(target=drained, args=[master], daemon=True).start()
            tail = ["tail", "-F", "-n", "+1", str(log)]
            follower = running(tail, stdout=subprocess.PIPE)
            pipe = stack.enter_context(follower).stdout
            assert pipe
            source = pipe.fileno()
        far = FarEnd(source)
        far.write = FarEnd(master).write
        yield far
    with suppress(OSError):
        os.close(master)


def drained(descriptor: int) -> None:
    """Read everything that a screen shows."""
    with suppress(OSError):
        while os.read(descriptor, 4096):
            pass


# The ways to the teletype are context managers.  Each runs the job and yields a
# Seat, whose context manager puts a person there and hangs up at its end.
Seat = Callable[[], Any]


@contextmanager
def bare(place: Place) -> Iterator[Seat]:
    with job(place, "pty") as name:
        yield lambda: opened(name)


@contextmanager
def picocom(place: Place) -> Iterator[Seat]:
    with job(place, "pty") as name:
        yield lambda: terminal("picocom", "-q", name)


@contextmanager
def minicom(place: Place) -> Iterator[Seat]:
    with job(place, "pty") as name:

        def seat() -> Any:
            log = place.log()
            return terminal("minicom", "-o", "-D", name, "-C", str(log), log=log)

        yield seat


@contextmanager
def screen(place: Place) -> Iterator[Seat]:
    with job(place, "pty") as name:
        settings = place.folder / "screenrc"

        def seat() -> Any:
            log = place.log()
            settings.write_text(
                f"startup_message off\nlogfile {log}\nlogfile flush 0\ndeflog on\n"
            )
            return ended(terminal("screen", "-c", str(settings), name, BAUD, log=log))

        yield seat


@contextmanager
def ended(screen: Any) -> Iterator[FarEnd]:
    """End screen after the block: it outlives its terminal."""
    with screen as far:
        try:
            yield far
        finally:
            far.type("\x01:quit\r")
            time.sleep(1)


@contextmanager
def character_mode(place: Place) -> Iterator[FarEnd]:
    """Call a server that does not speak the Telnet protocol."""
    with terminal("telnet", "127.0.0.1", str(place.port)) as far:
        far.wait_for(GREETING, seconds=PATIENCE)
        far.type("\x1d")
        far.wait_for("telnet> ")
        far.type("mode character\r")
        time.sleep(0.5)
        far.forget()
        far.paper = GREETING + "\r\n."  # was typed before
        yield far


@contextmanager
def telnet_through_socat(place: Place) -> Iterator[Seat]:
    with job(place, "pty") as name:
        server = f"TCP-LISTEN:{place.port},bind=127.0.0.1,fork,reuseaddr"
        with running(["socat", server, f"FILE:{name},raw,echo=0"]):
            listens(place.port)
            yield lambda: character_mode(place)


def nc(program: str) -> Callable[[Place], Any]:
    """Return the way through netcat, which the job calls."""

    @contextmanager
    def way(place: Place) -> Iterator[Seat]:
        address = ["127.0.0.1", str(place.port)]
        command = [program, "-l", *address]
        with ExitStack() as stack:

            @cache
            def start() -> None:
                time.sleep(1)
                line = f"socket://127.0.0.1:{place.port}"
                stack.enter_context(job(place, line))

            @contextmanager
            def seat() -> Iterator[FarEnd]:
                script = 'stty raw -echo; exec "$@"'
                with terminal("sh", "-c", script, "sh", *command) as far:
                    start()
                    yield far

            yield seat

    return way


@contextmanager
def ser2net(place: Place, accepter: str, device: str) -> Iterator[None]:
    """Run the serial server for a device, on the TCP port."""
    settings = place.folder / "ser2net.yaml"
    settings.write_text(
        "connection: &kalah\n"
        f"  accepter: {accepter},127.0.0.1,{place.port}\n"
        f"  connector: serialdev,{device},9600n81,local\n"
    )
    pid = str(place.folder / "pid")
    with running(["ser2net", "-n", "-d", "-c", str(settings), "-P", pid]):
        listens(place.port)
        yield


@contextmanager
def ser2net_telnet(place: Place) -> Iterator[Seat]:
    with job(place, "pty") as name, ser2net(place, "telnet,tcp", name):
        yield lambda: terminal("telnet", "127.0.0.1", str(place.port))


def called(accepter: str, scheme: str, options: str) -> Callable[[Place], Any]:
    """Return the way through a ser2net that the job calls.

    The cable is two pseudo-terminals.  The server hangs up.
    """

    @contextmanager
    def way(place: Place) -> Iterator[Seat]:
        near, far = place.folder / "near", place.folder / "far"
        ends = [f"PTY,raw,echo=0,link={end}" for end in (near, far)]
        with ExitStack() as stack:
            stack.enter_context(running(["socat", *ends]))
            while not far.exists():
                time.sleep(0.1)
            line = f"{scheme}://127.0.0.1:{place.port}{options}"
            start = cache(lambda: stack.enter_context(job(place, line)))

            @contextmanager
            def seat() -> Iterator[FarEnd]:
                server = ser2net(place, accepter, str(near))
                with opened(str(far)) as person, server:
                    start()
                    yield person

            yield seat

    return way


def listens(port: int) -> None:
    """Wait until something listens on the port, without calling it."""
    number = f":{port:04X} 00000000:0000 0A"
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if number in Path("/proc/net/tcp").read_text():
            return
        time.sleep(0.1)


WAYS: dict[str, tuple[Callable[[Place], Any], tuple[str, ...]]] = {
    "picocom": (picocom, ("picocom",)),
    "minicom": (minicom, ("minicom", "tail")),
    "screen": (screen, ("screen", "tail")),
    "telnet through socat": (telnet_through_socat, ("telnet", "socat")),
    "nc": (nc("nc"), ("nc",)),
    "ncat": (nc("ncat"), ("ncat",)),
    "ser2net telnet": (ser2net_telnet, ("ser2net", "telnet")),
    "ser2net raw": (called("tcp", "socket", ""), ("ser2net", "socat")),
    "ser2net RFC 2217": (
        called("telnet(rfc2217=true),tcp", "rfc2217", "?ign_set_control"),
        ("ser2net", "socat"),
    ),
}


def tried(way: Callable[[Place], Any]) -> tuple[str, int, bool]:
    """Play through a client; return paper, characters after ^C, came back or not."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        with way(place) as seat:
            with seat() as far:
                far.wait_for(GREETING, seconds=PATIENCE)
                far.wait_for(".")
                far.type("R KALAH\r")
                game_of_kalah(far, ">")
                far.wait_for(".")
                far.type("TYPE LONG.TXT\r")
                for _ in range(5):
                    far.wait_for("DOG")
                begun = len(far.paper)
                far.type("\x03")
                far.wait_for("^C")
                stopped = far.paper.index("^C", begun)
                far.wait_for("\n.")
                paper = far.paper
                far.type("R KALAH\r")
                far.wait_for("OR 6? ")
            came_back = False
            end = time.monotonic() + PATIENCE
            while not came_back and time.monotonic() < end:
                time.sleep(1)
                with suppress(AssertionError), seat() as far:
                    came_back = bool(far.look_for(GREETING, seconds=10)) and bool(
                        far.look_for("OR 6? ", seconds=5)
                    )
    return game(paper), stopped - begun, came_back


def game(paper: str) -> str:
    """Return the paper of the game, from its first question to the dot after it."""
    text = paper.replace("\r\n", "\n")
    return text[text.index("START WITH") : text.index(".TYPE LONG")]


def main() -> None:
    print(f"{'client':<22} {'paper equal':<12} {'after ^C':>8}  came back")
    expected, _, _ = tried(bare)
    for name in sys.argv[1:] or WAYS:
        way, programs = WAYS[name]
        missing = [program for program in programs if not shutil.which(program)]
        if missing:
            print(f"{name:<22} left out: no {' and no '.join(missing)}", flush=True)
            continue
        try:
            paper, after_stop, came_back = tried(way)
        except AssertionError as error:
            print(f"{name:<22} failed: {str(error)[-300:]!r}", flush=True)
            continue
        equal, back = (
            "yes" if good else "no" for good in (paper == expected, came_back)
        )
        print(f"{name:<22} {equal:<12} {after_stop:>8}  {back}", flush=True)


if __name__ == "__main__":
    main()
