"""Jobs: the program itself, run on a pseudo-terminal, a terminal or a socket."""

from __future__ import annotations

import socket
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

from sail.files.area import Area
from tests.line.virtual import wired_device
from tests.person import FarEnd

KALAH = str(Path(__file__).parents[1] / "kalah.py")
FAST = "200000"  # baud, so that nobody waits for a carriage
Process = subprocess.Popen[Any]
# A job that sleeps only for moments, and so does pyserial in it.
HURRIED = f"""
import runpy, sys, time
sys.path.insert(0, {str(Path(KALAH).parent)!r})
from sail.line import device, ports
ports.Port.retry = device.BANNER = 0.05
sleep = time.sleep
time.sleep = lambda seconds: sleep(min(seconds, 0.01))
runpy.run_path({KALAH!r}, run_name="__main__")
"""


@contextmanager
def job(
    area: Area, *options: str, hurried: bool = False, **more: Any
) -> Iterator[Process]:
    """Run the program, and kill it at the end of the block.

    hurried: a lost line is tried again at once.
    """
    begin = ["-c", HURRIED] if hurried else [KALAH]
    words = [sys.executable, *begin, "--area", area.folder, *options]
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen(words, **{**pipes, **more}, text=True)
    with process, suppress(BrokenPipeError):
        try:
            yield process
        finally:
            process.kill()


def on_a_line(area: Area, line: str, *options: str) -> AbstractContextManager[Process]:
    """Run a job on a line without waits."""
    return job(area, "--tty", line, "--baud", FAST, *options, hurried=True)


@contextmanager
def on_a_terminal(
    area: Area, **more: Any
) -> Iterator[tuple[Process, FarEnd, Callable[[], bool]]]:
    """Run a job on a terminal.

    Yield the process, its user, and a function that returns whether the
    terminal's mode is what it was before.
    """
    with wired_device() as (far, near, _):
        before = termios.tcgetattr(near)
        ends: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), near)
        with job(area, **ends, start_new_session=True, **more) as process:
            yield process, FarEnd(far), lambda: termios.tcgetattr(near) == before


@contextmanager
def listening(scheme: str = "socket") -> Iterator[tuple[socket.socket, str]]:
    """Listen on a free port; yield the socket and the URL that reaches it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        yield server, f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
