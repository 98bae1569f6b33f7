"""Pipe, console and pseudo-terminal, call by call."""

from __future__ import annotations

import errno
import io
import os
import select
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any
from unittest.mock import ANY, Mock

import pytest
from pytest import MonkeyPatch

from kalah import open_teletype
from sail.line import ports
from tests.errors import Capture, refused
from tests.havoc import open_files
from tests.line.virtual import standard, wired_device
from tests.person import FarEnd

pytest.importorskip("termios")

import termios


@contextmanager
def looped() -> Iterator[int]:
    """Connect standard output to standard input by a pipe; yield its reading end."""
    source, sink = os.pipe()
    try:
        with standard(source, sink):
            os.close(sink)
            yield source
    finally:
        os.close(source)


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """Use a terminal as standard input and output; yield its far and near end."""
    before = signal.getsignal(signal.SIGCONT)
    with wired_device() as (far, near, _), standard(near, near):
        try:
            yield far, near
        finally:
            signal.signal(signal.SIGCONT, before)


def test_a_pipe_takes_512_bytes_and_gives_4096() -> None:
    with looped():
        pipe = ports.Pipe()
        assert pipe.read(0) == b""
        assert [pipe.write(bytes(513)) for _ in range(9)] == [512] * 9
        assert pipe.write(b"3\n") == 2
        assert [len(pipe.read(1)), pipe.read(1)] == [4096, bytes(512) + b"3\n"]
        while taken := pipe.write(bytes(512)):
            assert taken == 512
        os.dup2(0, 1)  # nobody writes any more
        while pipe.read(1) == bytes(4096):
            pass
        with pytest.raises(EOFError):
            pipe.read(1)


def test_a_pipe_where_nothing_can_be_waited_for(monkeypatch: MonkeyPatch) -> None:
    """As on Windows, where select is for sockets."""
    with looped():
        monkeypatch.setattr(sys, "platform", "win32")
        monkeypatch.delattr(select, "select")
        assert ports.Pipe().write(b"3\n") == 2
        assert ports.Pipe().read(0) == b"3\n"


ENOSPC = OSError(errno.ENOSPC, "No space left on device")
CANNOT = "Cannot write the output: {}.".format


@pytest.mark.parametrize(
    "call, error, told",
    [
        *(
            ("read", OSError(it, ""), "")
            for it in (errno.EBADF, errno.EIO, errno.EISDIR)
        ),
        *(("write", OSError(number, ""), "") for number in (errno.EIO, errno.EPIPE)),
        ("write", ENOSPC, CANNOT("No space left on device")),
        ("write", OSError("odd"), CANNOT("odd")),
    ],
)
def test_a_pipe_that_fails_has_ended(
    call: str, error: OSError, told: str, monkeypatch: MonkeyPatch
) -> None:
    """But what another program has read, or filled, is not waited for."""
    for name in ("readable", "writable"):
        monkeypatch.setattr(ports, name, lambda *_: True)
    monkeypatch.setattr(os, call, Mock(side_effect=[BlockingIOError(), error]))
    pipe = ports.Pipe()
    what = 1 if call == "read" else b"3"
    assert not getattr(pipe, call)(what)
    with refused(ports.LineError if told else EOFError, told):
        getattr(pipe, call)(what)


def test_the_name_of_a_line_need_not_be_text(
    capfd: Capture, monkeypatch: MonkeyPatch
) -> None:
    """And what writes it may fail, too."""
    ports.write_out(f"Waiting for {os.fsdecode(b'/dev/tty' + bytes([255]))}.\n")
    assert capfd.readouterr().out == "Waiting for /dev/tty\\udcff.\n"
    monkeypatch.setattr(os, "write", Mock(side_effect=ENOSPC))
    with refused(ports.LineError, CANNOT("No space left on device")):
        ports.write_out("X")


def test_a_plain_console_gives_lines_and_pieces(monkeypatch: MonkeyPatch) -> None:
    source = io.BytesIO(b"3\r\n" + b"X" * 5000 + b"\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(source))
    paper: Any = io.BytesIO()  # not raw, but good enough below a buffer
    output = io.BufferedWriter(paper)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(output))
    console = ports.PlainConsole()
    assert console.read(0) == b"3\n"
    assert [len(console.read(0)), console.read(0)] == [4096, b"X" * 904 + b"\n"]
    assert console.write(b"HELLO") == 5
    assert paper.getvalue() == b"HELLO"
    with pytest.raises(EOFError):
        console.read(0)


@pytest.mark.usefixtures("handlers")
def test_a_control_c_ends_the_input_of_a_plain_console(
    monkeypatch: MonkeyPatch,
) -> None:
    """And so does an error; ^C then does again what it did before."""
    before = Mock()
    signal.signal(signal.SIGINT, before)
    for happens in (OSError, lambda _: signal.raise_signal(signal.SIGINT)):
        stdin = Mock(**{"buffer.readline.side_effect": happens})
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(EOFError):
            ports.PlainConsole().read(0)
        assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.source("TTY-CR")
def test_a_terminal_that_adds_no_return_gets_it() -> None:
    """As socat's EXEC with pty and raw."""
    for flag in (0, termios.OPOST, termios.ONLCR):
        with terminal() as (far, near):
            mode = termios.tcgetattr(near)
            mode[1] &= ~flag
            termios.tcsetattr(near, termios.TCSANOW, mode)
            open_teletype().type("X")
            assert os.read(far, 9) == b"X\r\n"


@pytest.mark.source("TTY-CR")
def test_a_socket_from_inetd() -> None:
    here, there = socket.socketpair()
    with here, there, standard(there.fileno(), there.fileno()):
        for model, typed in (("33", b"X\r\n\0\0"), ("glass", b"X\n"), (None, b"X\n")):
            open_teletype(model_name=model).type("X")
            assert here.recv(9) == typed


INPUT = termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.ISTRIP
LOCAL = termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN


def test_the_console_is_taken_and_given_back() -> None:
    with terminal() as (_, near):
        found = termios.tcgetattr(near)
        found[0] |= INPUT
        found[3] |= LOCAL
        found[6][termios.VMIN], found[6][termios.VTIME] = b"\5", b"\7"
        termios.tcsetattr(near, termios.TCSANOW, found)
        found, taken = termios.tcgetattr(near), termios.tcgetattr(near)
        taken[0] &= ~INPUT
        taken[3] &= ~LOCAL
        taken[6][termios.VMIN], taken[6][termios.VTIME] = 1, 0
        descriptors = open_files()

        console = ports.console(True)
        assert termios.tcgetattr(near) == found
        console.setup()
        assert termios.tcgetattr(near) == taken
        termios.tcsetattr(near, termios.TCSANOW, found)  # as a shell does meanwhile
        signal.raise_signal(signal.SIGCONT)
        assert termios.tcgetattr(near) == taken
        console.close()
        assert termios.tcgetattr(near) == found
        assert open_files() == descriptors


def test_what_is_typed_ahead_survives_every_change_of_the_terminal() -> None:
    with terminal() as (far, near):
        os.write(far, b"1\n")
        console = ports.console(True)
        console.setup()
        assert console.read(1) == b"1\n"
        os.write(far, b"2\n")
        signal.raise_signal(signal.SIGCONT)
        assert console.read(1) == b"2\n"
        os.write(far, b"3\n")
        console.close()
        assert os.read(near, 9) == b"3\n"


def test_a_job_in_the_background_leaves_the_terminal_alone(
    monkeypatch: MonkeyPatch,
) -> None:
    """It would be stopped, even by KILL %1."""
    with terminal() as (_, near):
        before = termios.tcgetattr(near)
        console = ports.console(True)
        monkeypatch.setattr(os, "tcgetpgrp", lambda descriptor: os.getpgrp() + 1)
        for deed in (console.setup, console.close):
            deed()
            assert termios.tcgetattr(near) == before
        monkeypatch.setattr(os, "tcgetpgrp", lambda descriptor: os.getpgrp())
        console.setup()
        assert termios.tcgetattr(near) != before
        console.close()


def test_the_console_does_not_wait_for_a_terminal_that_shows_nothing() -> None:
    with terminal() as (far, _):
        console = ports.console(True)
        console.setup()
        assert console.write(b"1\n" + bytes(600)) == 512
        assert os.read(far, 3) == b"1\r\n"
        while console.write(bytes(600)):
            pass
        assert os.get_blocking(1)  # it is shared with others
        console.close()


def test_the_console_types_where_the_output_goes() -> None:
    source, sink = os.pipe()
    with open(source, "rb", 0) as output, open(sink, "wb"), terminal():
        with standard(0, sink):
            console = ports.console(True)
            console.setup()
            assert console.write(b"HELLO") == 5
            console.close()
            os.fstat(1)
        assert output.read(9) == b"HELLO"


@pytest.fixture
def pseudo() -> Iterator[ports.Pseudo]:
    with closing(ports.Pseudo()) as port:
        yield port


@contextmanager
def caller(name: str) -> Iterator[int]:
    """Open the pseudo-terminal as its user does; yield the descriptor."""
    with open(os.open(name, os.O_RDWR | os.O_NOCTTY), "r+b", 0) as file:
        yield file.fileno()


def test_a_teletype_on_a_pseudo_terminal(capfd: Capture) -> None:
    """Its name is printed, and what its user types is read and echoed."""
    tty = open_teletype("pty", "utf8", 200_000)
    with closing(tty.driver), caller(capfd.readouterr().out.strip()) as far:
        os.write(far, b"3\r")
        assert tty.ask("→ ") == "3"
        tty.type("X")
        FarEnd(far).wait_for("\r\n→ 3\r\nX\r\n")


def test_a_pseudo_terminal_is_clean_for_the_next_user(pseudo: ports.Pseudo) -> None:
    with caller(pseudo.name) as far:
        before = termios.tcgetattr(far)
        pseudo.write(b"OLD")
        assert select.select([far], [], [], 10)[0]
        mode = termios.tcgetattr(far)
        mode[3] |= termios.ECHO | termios.ICANON
        termios.tcsetattr(far, termios.TCSANOW, mode)
    for _ in range(2):
        with pytest.raises(ports.Hangup):
            pseudo.read(1)
        with pytest.raises(ports.Hangup):
            pseudo.reopen()
    with caller(pseudo.name) as far:
        pseudo.reopen()
        assert pseudo.read(0) == b""
        assert termios.tcgetattr(far) == before
        assert not select.select([far], [], [], 0)[0]
        os.write(far, b"NEW")
        pseudo.reopen()
        assert [pseudo.read(0), pseudo.read(0)] == [b"NEW", b""]


def test_a_pseudo_terminal_that_takes_nothing_is_waited_for_a_moment(
    pseudo: ports.Pseudo, monkeypatch: MonkeyPatch
) -> None:
    """And a failed write is a hangup."""
    nothing = Mock(return_value=([], [], []))
    monkeypatch.setattr(select, "select", nothing)
    with caller(pseudo.name):
        while pseudo.write(bytes(1000)):
            pass
        nothing.assert_called_once_with([], [ANY], [], 0.05)
        pseudo.reopen()
        assert nothing.call_args.args[3] == 0
        monkeypatch.setattr(os, "write", Mock(side_effect=OSError(errno.EIO, "")))
        with pytest.raises(ports.Hangup):
            pseudo.write(b"3")


def test_where_no_pseudo_terminal_is_to_be_had(monkeypatch: MonkeyPatch) -> None:
    for error, told in (
        (OSError("out"), "Cannot make a pseudo-terminal: out."),
        (OSError(28, "No space"), "Cannot make a pseudo-terminal: No space."),
    ):
        monkeypatch.setattr(os, "openpty", Mock(side_effect=error))
        with refused(ports.LineError, told):
            ports.Pseudo()
    monkeypatch.setattr(ports, "tty", None)
    told = "--tty pty needs Linux, macOS or another POSIX system."
    with refused(ports.LineError, told):
        ports.Pseudo()
