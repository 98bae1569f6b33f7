"""Play three visitors in a row, on a pty and on a socket; print a table.

    python3 -m tests.bench.strangers

The first sends back what it gets.  The second takes no output.  The third types our
own words back as soon as they have come, then plays; his keys must be echoed, and his
game must begin.  TTY PATIENCE is one minute, so all takes four.  22 November 2026:

    line    one loop  after deaf      own words  plays
    pty     yes       next visitor    echoed     yes
    socket  yes       hung up         echoed     yes
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import tempfile
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sail.line.station import ONE_LOOP
from sail.monitor.visitors import NEXT
from tests.line.virtual import FarEnd

KALAH = str(Path(__file__).parents[2] / "kalah.py")
START = "OR 6? "
ROW = "    {:<8}{:<10}{:<16}{:<11}{}".format


@contextmanager
def job(line: str, area: str) -> Iterator[subprocess.Popen[str]]:
    """Run a job that serves visitors on a line, within the block."""
    words = ["--visitors", "--tty", line, "--baud", "200000", "--set", "PATIENCE 1"]
    command = [sys.executable, KALAH, *words, "--area", area]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def send_back(far: FarEnd, seconds: float) -> str:
    """Send back what comes for so many seconds; return all of it."""
    end = time.monotonic() + seconds
    heard = b""
    far.type("X")
    while (left := end - time.monotonic()) > 0:
        if select.select([far.descriptor], [], [], left)[0]:
            data = os.read(far.descriptor, 4096)
            heard += data
            os.write(far.descriptor, data)
    return heard.decode()


def be_deaf(far: FarEnd) -> None:
    """Ask for much, and take nothing."""
    far.type("X")
    far.wait_for(START)
    far.type("RULES\r" * 230)


def play(far: FarEnd) -> tuple[str, str]:
    """Type our own words back, then play; return how that went."""
    far.type("Y")
    far.wait_for(START)
    far.type("? ")
    echoed = far.look_for("? ", seconds=5)
    far.type("\r")
    far.wait_for(START)
    far.type_slowly("3\r")
    return "echoed" if echoed else "lost", "yes" if far.wait_for("LEVEL") else "no"


def visit(
    name: str, come: Callable[[], FarEnd], leave: Callable[[FarEnd], None]
) -> None:
    """Play the three visitors on one kind of line; print its row.

    come: opens the line.  leave: closes it.
    """
    far = come()
    looped = ONE_LOOP in send_back(far, 5)
    leave(far)
    far = come()
    be_deaf(far)
    time.sleep(80)
    then = "next visitor"
    try:
        far.wait_for(NEXT, seconds=60)
    except ConnectionResetError:  # the system had closed it: nothing was taken
        then = "hung up"
        leave(far)
        far = come()
    own, plays = play(far)
    leave(far)
    print(ROW(name, "yes" if looped else "no", then, own, plays), flush=True)


def on_a_pty(area: str) -> None:
    with job("pty", area) as process:
        assert process.stdout
        name = process.stdout.readline().strip()

        def come() -> FarEnd:
            time.sleep(1)
            descriptor = os.open(name, os.O_RDWR | os.O_NOCTTY)
            tty.setraw(descriptor)
            return FarEnd(descriptor)

        visit("pty", come, lambda far: os.close(far.descriptor))


def on_a_socket(area: str) -> None:
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        server.bind(("127.0.0.1", 0))
        server.listen()
        url = f"socket://127.0.0.1:{server.getsockname()[1]}"
        with job(url, area):
            callers: list[socket.socket] = []

            def come() -> FarEnd:
                callers.append(server.accept()[0])
                time.sleep(1)  # pyserial drops what comes while it opens
                return FarEnd(callers[-1].fileno())

            visit("socket", come, lambda _: callers[-1].close())


def main() -> None:
    print(ROW("line", "one loop", "after deaf", "own words", "plays"))
    for line in on_a_pty, on_a_socket:
        with tempfile.TemporaryDirectory() as area:
            line(area)


if __name__ == "__main__":
    main()
