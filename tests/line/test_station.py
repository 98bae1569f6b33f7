"""Type and ask, ^C, work and signals, on lines without time."""

from __future__ import annotations

import pickle
import re
import signal
from collections.abc import Sequence
from unittest.mock import Mock, call

import pytest
from pytest import MonkeyPatch

from sail.line.codes import BREAK
from sail.line.ports import Hangup, LineError
from sail.teletype import EndOfInput, Leave
from tests.line.virtual import Plan, Script, Torn, Wire, attached, keys, wired, worked
from tests.machines import MACHINES


def test_nothing_is_read_from_a_pipe_while_a_program_works() -> None:
    tty = attached(Script("\x03\n"))
    assert not tty.poll()
    with pytest.raises(Leave):
        tty.ask()


def test_a_pipe_that_ends_within_a_command_of_telnet() -> None:
    """Its last line is an answer, too."""
    script = Script("")
    script.telnet, script.typed = True, b"1\nABC\xff"
    tty = attached(script)
    assert [tty.ask("? "), tty.ask("? ")] == ["1", "ABC"]


def test_a_pipe_that_holds_its_output_is_no_trap() -> None:
    port = Script("\x13ABC\n")
    tty = attached(port)
    assert tty.ask("MOVE? ") == "ABC"
    tty.type("OK")
    assert port.paper == "MOVE? ABC\nOK\n"


CONVERSATIONS: dict[str, tuple[Plan, list[str], str]] = {
    # When what happens; what a program types, or prompt>answer; the paper.
    # An answer ^Z is the end of the input.
    "a break stops and blank tape does not": (
        [(1, b"1\0\0\0"), (2, [BREAK]), (3, b"2\r")],
        ["MOVE? >2"], "MOVE? 1↑C\n.\nMOVE? 2\n",
    ),
    "end of file comes once from a keyboard": (
        [(1, b"\x1a"), (2, b"3\r")],
        ["MOVE? >^Z", "MOVE? >3"], "MOVE? ↑Z\nMOVE? 3\n",
    ),
    "what was typed ahead is typed again after its prompt": (
        [(0, b"3\r4\r5"), (9, b"6\r")],
        ["I MOVE", "FROM PIT 2", "FIRST? >3", "SECOND? >4", "THIRD? >56"],
        "I MOVE\n3\n4\n5\nFROM PIT 2\nFIRST? 3\nSECOND? 4\nTHIRD? 6\n",
    ),
    "output stays off until the next request for input": (
        [(0, b"\x0f"), (1, b"3\r"), (2, b"4\r")],
        ["NOT THIS", "NOR THIS", "MOVE? >3", "BUT THIS"], "↑O\nMOVE? 3\nBUT THIS\n",
    ),
    "discarded output is not typed on a line that is back": (
        [(0, b"\x0f"), (9, Hangup), (20, b"3\r")],
        ["NOT THIS", "MOVE? >3"], "↑O\nMOVE? \nMOVE? 3\n",
    ),
    "a stop while typing comes at the next request for input": (
        [(0, b"\x03"), (9, b"3\r")],
        ["NOT THIS", "NOR THIS? >3"], "↑C\n.\nNOR THIS? 3\n",
    ),
}  # fmt: skip


@pytest.mark.source("MON-BREAK", "MON-NUL")
@pytest.mark.parametrize("what", CONVERSATIONS)
def test_conversations(what: str) -> None:
    plan, deeds, paper = CONVERSATIONS[what]
    tty, wire = wired(plan)
    tty.on_pause = lambda: tty.type(".")
    for deed in deeds:
        prompt, asked, answer = deed.partition(">")
        if not asked:
            tty.type(prompt)
        elif answer == "^Z":
            with pytest.raises(EndOfInput):
                tty.ask(prompt)
        else:
            assert tty.ask(prompt) == answer
    assert wire.paper.replace("\r\n", "\n") == paper


def test_echo_does_not_split_a_carriage_return_from_its_fill() -> None:
    tty, wire = wired([(0.95, b"Y")], "33")
    tty.type("X" * 9)
    tty.type("X")
    assert wire.paper == "X" * 9 + "\r\n\0\0" + "Y\r\n\0\0" + "X\r\n\0\0"


BOARD = "\n  1 2 3\n3       3\n  6 6 6\n"


def test_what_is_typed_ahead_splits_no_board() -> None:
    for gap in (0.1, 0.3, 2):
        tty, wire = wired(keys(b"12\r", 0.5, gap), "33")
        tty.type("YES" + BOARD)
        tty.type("SO" + BOARD + BOARD)
        assert tty.ask("? ") == "12"
        assert re.sub("[\0\r]", "", wire.paper).count(BOARD) == 3


def test_what_a_machine_itself_has_printed_is_answered_at_once() -> None:
    tty, wire = wired(keys(b"1\r", 0.5), "33")
    tty.set("NO ECHO")
    tty.type("0123456789")
    assert wire.paper[:4] == "0123" and "\n" in wire.paper[4:11]  # as on the paper


def test_the_keyboard_of_full_duplex_keeps_its_own_shift() -> None:
    keys = bytes([0x1B, 0x07, 0x04, 0x06, 0x04, 0x1F, 0x01, 0x1B, 0x01, 0x08])
    for plan in ([(1, keys)], [(key, keys[key : key + 1]) for key in range(10)]):
        tty, wire = wired(plan, "T100", 0)
        tty.set("ECHO")
        assert tty.ask() == "7 8 E3"
        machine = MACHINES["T100"]()
        machine.receive(wire.paper.encode())
        assert machine.paper == ["7 8 E3", ""]


@pytest.mark.parametrize("pauses", [False, True])
def test_a_stop_ends_work_and_is_then_used_up(pauses: bool) -> None:
    tty, wire = wired([(1, b"\x03"), (9, b"3\r")])
    assert worked(tty, wire, 5)
    assert wire.seconds == pytest.approx(1, abs=0.05)
    assert tty.poll()
    if pauses:
        with pytest.raises(Leave):
            tty.pause()
        assert not worked(tty, wire, 5)
    tty.type("AS FAR AS I CAN SEE")
    assert tty.ask("MOVE? ") == "3"
    assert not tty.poll()
    assert wire.paper == "↑C\r\nAS FAR AS I CAN SEE\r\nMOVE? 3\r\n"


def test_an_answer_may_end_with_two_returns_and_a_line_feed() -> None:
    """As five-level operators end it; but RETURN twice is two answers."""
    for gap in (0.01, 0.17):
        ends = keys(b"1\r\r\n2\r\r\n", 1, gap)
        tty, _ = wired([*ends, *keys(b"3\r\r", 9), (20, b"4\r")])
        assert [tty.ask("? ") for _ in range(5)] == ["1", "2", "3", "", "4"]


def test_line_ends_in_a_pipe() -> None:
    script = Script("1\r\r\n2\n\r3\r\r4\r\n\r\n5")
    tty = attached(script)
    assert [tty.ask("? ") for _ in range(7)] == ["1", "2", "3", "", "4", "", "5"]
    assert " ".join(script.paper.split()) == "? 1 ? 2 ? 3 ? ? 4 ? ? 5"


@pytest.mark.parametrize("rest", [b"\r\n\x13\x7f", b"\r\x13\x7f", b"\x13\r\n\x7f"])
def test_a_tape_that_stops_its_reader_at_each_line(rest: bytes) -> None:
    """It holds nothing, and each question starts the reader again."""
    tty, wire = wired([(1, b"ONE" + rest), (20, b"TWO" + rest)], "33")
    for line in ("ONE", "TWO"):
        assert tty.ask("? ") == line
        tty.type("ANSWER")
    assert wire.seconds < 30 and wire.paper.count("ANSWER") == 2
    assert "\n\0\0\r" not in wire.paper  # its RUBOUTs print nothing
    with pytest.raises(Leave):
        tty.ask("? ")
    assert wire.paper.count("\x11") == 2


def test_a_key_lets_output_go_on_where_a_tape_may_have_stopped_it() -> None:
    for model, begin, end in (("33", 30, 60), ("LA36", 100, 130)):
        plan: Plan = [(1, b"3\r"), (3, b"\x13"), (30, b"A"), (100, b"\x11")]
        tty, wire = wired(plan, model, 110)
        tty.ask("? ")
        tty.type("X" * 100)
        assert begin < wire.seconds < end


class Flood(Wire):
    """A far end that types without end."""

    typed = keys = b""

    def read(self, timeout: float) -> bytes:
        typed, self.typed = self.typed, self.keys
        return typed


@pytest.mark.parametrize(
    "begin, keys",
    [
        *((b"", keys) for keys in (b"1\r", b"1", b"\x05", b"\x1a", b"\xe2")),
        *((b"\x13", keys) for keys in (b"1\r", b"\x05")),
        (b"\x1b[", b"1"),
    ],
)
def test_nothing_typed_grows_without_bound(begin: bytes, keys: bytes) -> None:
    """A program at work is sent 2500 keys, and then as many again."""
    wire = Flood([])
    wire.typed, wire.keys = begin, keys * (500 // len(keys))
    tty, sizes = attached(wire), []
    for seconds in (0.1, 0.2):
        worked(tty, wire, seconds)
        wire.printed.clear()
        sizes.append(len(pickle.dumps(tty)))
    assert sizes[0] == sizes[1]


def test_a_long_line_can_be_stopped_and_takes_no_room() -> None:
    class Slow(Wire):
        def write(self, data: bytes) -> int:
            self.seconds += len(data) / 1000
            return super().write(data)

    wire = Slow([(5, b"\x03")])
    attached(wire).type("X" * 1_000_000)
    assert 4.9 < wire.seconds < 6
    assert max(len(data) for _, data in wire.printed) < 1000


class Counting(Wire):
    """A line that counts how often it is looked at."""

    looks = 0
    rest = 0.0

    def read(self, timeout: float) -> Sequence[int]:
        self.looks += 1
        return super().read(timeout)


def test_how_often_the_line_is_looked_at() -> None:
    """Ten times a second at a prompt, and fifty times during work."""
    wire = Counting([(50, b"3\r")])
    tty = attached(wire)
    tty.ask("MOVE? ")
    assert wire.looks == pytest.approx(500, abs=5)
    wire.looks = 0
    for _ in range(10_000):
        wire.seconds += 0.001
        tty.poll()
    assert wire.looks == pytest.approx(490, abs=20)


def test_a_line_that_takes_little_is_listened_to_and_gets_all() -> None:
    """But a pipe that takes nothing is not read ahead."""

    class Narrow(Counting):
        tries = 0

        def write(self, data: bytes) -> int:
            self.tries += 1
            return super().write(data[:1]) if self.tries > 9 else 0

    for live in (True, False):
        wire = Narrow([])
        wire.live = live
        attached(wire).type("SLOW")
        assert (wire.paper, wire.seconds) == ("SLOW\r\n", 0)
        assert (wire.looks > 0) == live


def test_a_job_that_is_ended_leaves_at_its_next_request() -> None:
    """A line typed ahead is no answer then."""
    tty, wire = wired([(1, b"A\rB\r")])
    assert tty.ask() == "A"
    tty.type("THIS")
    tty.end_job()
    tty.type("NOT THIS")
    for request in (tty.ask, tty.poll):
        with pytest.raises(Leave):
            request()
    assert wire.paper.endswith("THIS\r\n")


def test_a_job_hears_signals_unless_ignored(
    handlers: list[signal.Signals], monkeypatch: MonkeyPatch
) -> None:
    for ignored in (False, True):
        for number in handlers:
            with wired([])[0] as tty:
                signal.raise_signal(number)
                assert tty.driver.job_ends != ignored
            signal.signal(number, signal.SIG_IGN)
    monkeypatch.delattr(signal, "SIGHUP", raising=False)
    with wired([])[0]:
        pass


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("error", [Hangup, EOFError, LineError, None])
def test_a_line_is_left_in_order(
    error: type[Exception] | None, monkeypatch: MonkeyPatch
) -> None:
    """The line that was begun is ended, the motor stopped, the port closed."""
    wire, calls = Torn([], "\r\n", error), Mock()
    monkeypatch.setattr(wire, "setup", calls.setup)
    monkeypatch.setattr(wire, "close", calls.close)
    with attached(wire) as tty:
        tty.set("MOTOR")
        tty.type("HELLO", end="")
    assert wire.paper == ("HELLO" if error else "HELLO\r\n")
    assert [on for _, on in wire.motors] == [False, True, False]
    assert calls.mock_calls == [call.setup(), call.close()]


@pytest.mark.usefixtures("handlers")
def test_nothing_is_typed_where_nothing_is_to_be_ended() -> None:
    tty, wire = wired([(1, Hangup)])
    with tty:
        tty.type("HELLO")
    with tty:
        tty.type("MOVE? ", end="")
        worked(tty, wire, 2)
    assert (wire.paper, wire.motors) == ("HELLO\r\nMOVE? ", [])
