"""The clients and servers in LINE.DOC, each run by the command there.

The commands are run as written, except that the names of devices, ports, files and
the user are ours, and that the job is given an area and 9600 baud.  The servers
listen on every interface meanwhile.  Debian has picocom, minicom, screen, tio,
ckermit, telnet, netcat-openbsd, ncat, socat, ser2net, openbsd-inetd and systemd.
"""

from __future__ import annotations

import fcntl
import getpass
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from sail.monitor.dot import GREETING
from tests.jobs import KALAH, opened
from tests.line.test_machines import SEATS, game, transcript
from tests.line.virtual import wired_device
from tests.machines import Machine
from tests.person import FarEnd, Person

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "sail/line/LINE.DOC").read_text("utf-8").replace("\\\n  ", "")
QUIET = 0.4  # seconds without output before a person answers; a loop is quicker
GIVE_UP = 30.0  # seconds of silence after which a person gives up
PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}:/usr/sbin:/sbin"


class Setup:
    """What each game is given: a folder, an area, a free TCP port, scripts."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = str(server.getsockname()[1])
        job = "exec python3 /home/pi/kalah/kalah.py MONITOR --"
        self._script("tty33", "[ -t 0 ]", "printf", job + "model")
        self._script("getty33", "stty cstopb", job + "baud")
        self.log = self.folder / "log"
        self.log.touch()
        (self.folder / "screenrc").write_text(
            f"startup_message off\nlogfile {self.log}\nlogfile flush 0\ndeflog on\n"
        )
        os.environ["SCREENRC"] = str(self.folder / "screenrc")

    def _script(self, name: str, *commands: str) -> None:
        """Make a shell script of commands in the manual."""
        script = self.folder / name
        lines = ["#!/bin/sh", *map(self.from_manual, commands), ""]
        script.write_text("\n".join(lines))
        script.chmod(0o755)

    def from_manual(self, begins: str, **names: str) -> str:
        """Return the command in the manual that begins with `begins`, with our names.

        names: ours by the manual's, besides those that every game has.
        """
        found = re.findall(f"^{re.escape(begins)}.*?(?=   |$)", MANUAL, re.MULTILINE)
        assert len(found) == 1, f"{len(found)} commands begin with {begins}"
        command = str(found[0])
        names = {
            "/home/pi/kalah/kalah.py": KALAH,
            "/home/pi/kalah": str(self.folder),
            "--baud 110": "",
            "kalah.py": f"kalah.py --area {self.folder / 'area'} --baud 9600",
            **dict.fromkeys(("2323", "3333", "4000"), self.port),
            " pi ": f" {getpass.getuser()} ",
            **names,
        }
        for name, other in names.items():
            command = command.replace(name, other)
        return command


@contextmanager
def running(command: str, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command of the shell within the block."""
    nowhere = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    process = subprocess.Popen(
        ["sh", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PATH": PATH, "TERM": "vt100"},
        start_new_session=True,
        **{**nowhere, **more},
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def line(descriptor: int, sink: int | None = None) -> FarEnd:
    """Return the person's end of a line, where each byte is a character.

    sink: where the bytes typed go, if not to the descriptor.
    """
    far = FarEnd(descriptor)
    far.decode = lambda data: data.decode("latin-1")
    far.keep_nuls = True
    if sink is not None:
        far.write = lambda data: os.write(sink, data)
    return far


@contextmanager
def terminal(command: str, log: str = "") -> Iterator[FarEnd]:
    """Put a person at a terminal program, to read its screen or its log.

    log: the command that types the log.
    """
    with wired_device() as (far, near, _), ExitStack() as stack:
        fcntl.ioctl(near, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        mode = termios.tcgetattr(near)
        mode[1] &= ~termios.OPOST  # it would add a carriage return to each line
        termios.tcsetattr(near, termios.TCSANOW, mode)
        program = running(
            command,
            stdin=near,
            stdout=near,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        stack.enter_context(program)
        come = far
        if log:
            threading.Thread(target=drain, args=[far], daemon=True).start()
            follower = running(f"exec {log}", stdout=subprocess.PIPE)
            pipe = stack.enter_context(follower).stdout
            assert pipe
            come = pipe.fileno()
        yield line(come, sink=far)


def drain(descriptor: int) -> None:
    """Read everything that a screen shows."""
    with suppress(OSError):
        while os.read(descriptor, 4096):
            pass


def await_listener(port: str) -> None:
    """Wait until something listens on the port, without calling it."""
    row = f":{int(port):04X} [0-9A-F:]+ 0A "
    for _ in range(100):
        tables = (Path("/proc/net", name).read_text() for name in ("tcp", "tcp6"))
        if re.search(row, "".join(tables)):
            return
        time.sleep(0.1)
    raise AssertionError("nothing listens")


@contextmanager
def on_a_pty(setup: Setup) -> Iterator[str]:
    """Run the job on a pseudo-terminal; yield its name."""
    ours = setup.from_manual("python3 kalah.py --tty pty")
    with running(ours, stdout=subprocess.PIPE) as process:
        assert process.stdout
        yield process.stdout.readline().decode().strip()


# The ways to the teletype are context managers; each yields the person's end.


@contextmanager
def at(setup: Setup, command: str) -> Iterator[FarEnd]:
    """Use a terminal program."""
    with on_a_pty(setup) as name:
        ours = setup.from_manual(command, **{"/dev/pts/3": name})
        if command == "minicom":
            ours += f" -C {setup.log}"
        with terminal(ours, LOGS.get(command, "").format(setup.log)) as far:
            yield far
            if command == "screen":
                far.write(b"\x01:quit\r")


@contextmanager
def called(setup: Setup) -> Iterator[FarEnd]:
    """Call a server that negotiates."""
    await_listener(setup.port)
    with terminal(setup.from_manual("telnet")) as far:
        yield far


@contextmanager
def to_a_pty(setup: Setup, command: str) -> Iterator[FarEnd]:
    """Use telnet to a server that has opened the job's pseudo-terminal.

    The server does not speak the Telnet protocol, so the person sets telnet's mode.
    """
    with on_a_pty(setup) as name:
        server = running(setup.from_manual(command, **{"/dev/pts/3": name}))
        with server, called(setup) as far:
            far.wait_for(GREETING)
            far.write(b"\x1d")
            far.wait_for("telnet> ")
            far.write(b"mode character\r")
            far.wait_for("mode character\n")
            far.write(b"\r")  # to which the job answers with a dot
            yield far


@contextmanager
def served(setup: Setup, command: str) -> Iterator[FarEnd]:
    """Use telnet to a server that starts a job for each caller."""
    with running(setup.from_manual(command)), called(setup) as far:
        yield far


@contextmanager
def inetd(setup: Setup, row: str) -> Iterator[FarEnd]:
    """Use telnet to inetd, which starts a job for each caller."""
    settings = setup.folder / "inetd.conf"
    settings.write_text(setup.from_manual(row) + "\n")
    with running(f"exec inetd -i {settings}"), called(setup) as far:
        yield far


@contextmanager
def listening(setup: Setup, command: str) -> Iterator[FarEnd]:
    """Use a netcat that listens; the job calls it."""
    with terminal(setup.from_manual(command)) as far:
        await_listener(setup.port)
        with running(setup.from_manual("python3 kalah.py --tty socket:")):
            yield far


@contextmanager
def ser2net(setup: Setup, command: str) -> Iterator[FarEnd]:
    """Use ser2net, which the job calls; its cable is two pseudo-terminals."""
    near, far = setup.folder / "near", setup.folder / "far"
    ends = [f"PTY,raw,echo=0,link={end}" for end in (near, far)]
    names = {"/dev/ttyUSB0": str(near), "4000": f"tcp,127.0.0.1,{setup.port}"}
    lines = ("connection:", "  accepter:", "  connector:")
    settings = setup.folder / "ser2net.yaml"
    settings.write_text(
        "\n".join(setup.from_manual(line, **names) for line in lines) + "\n"
    )
    with running("exec socat " + " ".join(ends)):
        while not far.exists():
            time.sleep(0.1)
        server = running(f"exec ser2net -n -d -c {settings} -P {setup.folder / 'pid'}")
        with opened(str(far)) as person, server:
            await_listener(setup.port)
            with running(setup.from_manual(command)):
                yield line(person.descriptor)


@contextmanager
def wired(setup: Setup, command: str) -> Iterator[FarEnd]:
    """Use a device: the person has the far end of its wire."""
    with wired_device() as (far, _, device):
        name = device.partition("/dev/")[2]
        ours = setup.from_manual(command, ttyUSB0=name, **{"line.txt": str(setup.log)})
        with running("exec " + ours):
            yield line(far)


# The commands that type a client's log, which is then read in place of its screen.
LOGS = {
    # minicom leaves carriage returns and fillers out of its log.
    "minicom": "socat -u OPEN:{},ignoreeof -,crnl",
    "screen": "tail -F -n +1 {}",
}

SOCAT = "socat TCP-LISTEN:2323,fork,reuseaddr "
SYSTEMD = "systemd-socket-activate"

# By client: the way, how its command in the manual begins, the programs it needs.
WAYS: dict[str, tuple[Callable[[Setup, str], Any], str, str]] = {
    "spy": (wired, 'python3 kalah.py --tty "spy:', "python3"),
    "picocom": (at, "picocom", "picocom"),
    "minicom": (at, "minicom", "minicom socat"),
    "screen": (at, "screen", "screen tail"),
    "tio": (at, "tio", "tio"),
    "kermit": (at, "kermit", "kermit"),
    "miniterm": (at, "python3 -m serial", "python3"),
    "nc": (listening, "stty raw -echo; nc ", "nc"),
    "ncat": (listening, "stty raw -echo; ncat ", "ncat"),
    "telnet, socat FILE": (to_a_pty, SOCAT + "FILE:", "telnet socat"),
    "telnet, socat EXEC": (served, SOCAT + "EXEC", "telnet socat"),
    "telnet, inetd": (inetd, "2323 stream", "telnet inetd"),
    "telnet, systemd": (served, SYSTEMD, f"telnet {SYSTEMD}"),
    "ser2net": (ser2net, "python3 kalah.py --tty rfc2217:", "ser2net socat"),
    "agetty": (wired, "agetty", "agetty"),
}


def converse(far: FarEnd, machine: Machine, person: Person) -> None:
    """Let a person answer what comes to a machine, until nothing comes for GIVE_UP."""
    machine.receive(far.rest.encode("latin-1"))
    silence = 0.0
    while person.script and silence < GIVE_UP:
        if select.select([far.descriptor], [], [], QUIET)[0]:
            machine.receive(os.read(far.descriptor, 4096))
            typed = bytes(machine.sent)
            machine.sent.clear()
            silence = 0.0
        else:
            typed = machine.press(person.answer_at(machine))
            silence += QUIET
        far.write(bytes(code & 0x7F for code in typed))


def play(name: str) -> str:
    """Play a game through a client or server; return what went wrong."""
    way, command, _ = WAYS[name]
    seat = SEATS["15" if name == "ser2net" else "33"]
    machine, person = seat.machine(), game(seat)
    if name == "minicom":
        machine.carriage = 0  # its log omits the fillers
    with tempfile.TemporaryDirectory() as folder, way(Setup(folder), command) as far:
        if seat.model == "33" and not far.paper:
            far.wait_for(GREETING)  # after the client's own
        converse(far, machine, person)
    wanted = transcript(seat.model).read_text("utf-8").partition("START")[2]
    if person.script:
        return "the game did not go on to its end"
    same = "\n".join([*machine.paper, ""]).endswith(wanted)
    return "" if same else "the paper is not as it should be"


def clients(_: Path, count: int) -> tuple[int, int]:
    """Play a game through the first clients; return how many were tried, and failed."""
    tried = failed = 0
    for name in list(WAYS)[:count]:
        programs = WAYS[name][-1].split()
        missing = [it for it in programs if not shutil.which(it, path=PATH)]
        if missing:
            print(f"{name} is left out: no {' and no '.join(missing)}")
            continue
        try:
            wrong = play(name)
        except AssertionError as error:
            wrong = str(error)
        tried += 1
        if wrong:
            print(f"{name}: {wrong}")
            failed += 1
    return tried, failed
