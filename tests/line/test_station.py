"""Type and ask, ^C, pace and hangup, on virtual lines without time."""

import pytest

from sail.line.models import MODELS
from sail.line.ports import Hangup, LineError, Port
from sail.line.station import Station, on_console
from sail.teletype import EndOfInput, Leave
from tests.line.virtual import Script, Wire, wired

CHARACTER = 0.1  # seconds at 110 baud


def script(typed: str) -> Station:
    return Station(Script(typed))


def printed_after(wire: Wire, seconds: float) -> list[tuple[float, bytes]]:
    return [(when, data) for when, data in wire.printed if when > seconds]


# Input that is no terminal.


def test_the_output_is_the_whole_paper():
    port = Script("3\nquit\r\nlast")
    tty = Station(port)
    tty.type("HELLO")
    assert [tty.ask("FIRST? "), tty.ask("SECOND? "), tty.ask("THIRD? ")] == [
        "3",
        "quit",
        "last",
    ]
    for _ in range(2):
        with pytest.raises(EndOfInput):
            tty.ask("FOURTH? ")
    assert port.paper == (
        "HELLO\nFIRST? 3\nSECOND? quit\nTHIRD? last\nFOURTH? FOURTH? "
    )


def test_nothing_is_read_while_a_program_works():
    tty = script("\x03\n")
    assert not tty.poll()
    with pytest.raises(Leave):
        tty.ask()


def test_what_follows_a_stop_is_for_the_dot():
    port = Script("\x03dir\n")
    tty = Station(port)
    tty.on_stop = lambda: tty.type("DOT " + tty.ask("."))
    with pytest.raises(EndOfInput):
        tty.ask("MOVE? ")
    assert port.paper == "MOVE? ↑C\n.dir\nDOT dir\nMOVE? "


def test_a_pipe_that_holds_its_output_is_no_trap():
    port = Script("\x13ABC\n")
    tty = Station(port)
    assert tty.ask("MOVE? ") == "ABC"
    tty.type("OK")
    assert port.paper == "MOVE? ABC\nOK\n"


# Asking.


def test_editing_reaches_the_program():
    tty, wire = wired([(1, b"12"), (2, b"\x7f3\r")])
    assert tty.ask("MOVE? ") == "13"
    assert wire.paper == "MOVE? 12\\2\\3\r\n"


def test_end_of_file_comes_once_from_a_keyboard():
    tty, _wire = wired([(1, b"\x1a"), (2, b"3\r")])
    with pytest.raises(EndOfInput):
        tty.ask("MOVE? ")
    assert tty.ask("MOVE? ") == "3"


def test_what_was_typed_ahead_is_typed_again_after_its_prompt():
    tty, wire = wired([(0, b"3\r4\r")])
    tty.type("I MOVE")
    tty.type("FROM PIT 2")
    assert [tty.ask("FIRST? "), tty.ask("SECOND? ")] == ["3", "4"]
    assert wire.paper == "3\r\n4\r\nI MOVE\r\nFROM PIT 2\r\nFIRST? 3\r\nSECOND? 4\r\n"


def test_a_line_begun_ahead_is_finished_at_the_prompt():
    tty, _wire = wired([(0, b"1"), (5, b"2\r")])
    tty.poll()
    assert tty.ask("\nMOVE? ") == "12"


# Pace.


def test_110_baud_is_ten_characters_a_second():
    tty, wire = wired([], MODELS["33"], 110)
    tty.discipline.fill = 0
    tty.type("X" * 70)
    times = [when for when, _ in wire.printed]
    assert all(len(data) == 1 for _, data in wire.printed)
    for first, second in zip(times[1:], times[2:]):
        assert second - first == pytest.approx(CHARACTER)


@pytest.mark.parametrize(
    "model, rate", [("33", 10), ("35", 10), ("37", 15), ("15", 6.06), ("28", 6.06)]
)
@pytest.mark.source("TTY")
def test_the_rate_of_the_models(model, rate):
    machine = MODELS[model]
    tty, wire = wired([], machine, machine.baud)
    tty.type("E" * 60, end="")
    tty.type("E" * 10, end="")
    assert (len(wire.printed) - 2) / wire.seconds == pytest.approx(rate, rel=0.03)


def test_a_terminal_at_110_baud_types_ten_characters_a_second():
    tty, wire = wired([], on_console("glass", 110), 110)
    tty.type("x" * 71, end="")
    assert 71 / wire.seconds == pytest.approx(10, rel=0.03)


def test_the_console_is_not_slowed():
    tty, wire = wired([])
    tty.type("ONE\nTWO\n" * 100)
    assert wire.seconds == 0
    assert len(wire.printed) <= 201


def test_a_line_that_takes_a_byte_at_a_time_gets_all():
    tty, wire = wired([])
    write = wire.write
    wire.write = lambda data: write(data[:1])
    tty.type("SLOW")
    assert wire.paper == "SLOW\r\n"


def test_a_line_that_is_behind_is_waited_for():
    tty, wire = wired([], MODELS["33"], 110)
    wire.waiting = lambda: max(0, int(5 - wire.seconds))
    tty.type("X")
    assert wire.printed[0][0] > 4


def test_echo_does_not_split_a_carriage_return_from_its_fill():
    tty, wire = wired([(0.95, b"Y")], MODELS["33"], 110)
    tty.type("X" * 9)
    tty.type("X")
    assert wire.paper == "X" * 9 + "\r\n\0\0" + "YX\r\n\0\0"


# Stopping the paper.


@pytest.mark.parametrize("key", [b"\x03", b"\x0f"])
@pytest.mark.parametrize("model, least", [("33", 0.25), ("15", 0.42)])
def test_a_key_stops_the_paper(model, least, key):
    """Within a quarter of a second at 110 baud."""
    machine = MODELS[model]
    if machine.bell_stops:
        if key != b"\x03":
            pytest.skip("five levels have no control keys")
        key = bytes([0x1B, 0x05])
    for tenth in range(10):
        pressed = 5 + tenth * CHARACTER / 10
        tty, wire = wired([(pressed, key)], machine, machine.baud)
        tty.type("E" * 1000)
        shown = tty.discipline.code
        old = [
            when
            for when, data in printed_after(wire, 4)
            if shown.decode(data[0]) == "E"
        ]
        # What was written has still to be printed.
        assert max(old) + machine.frame / machine.baud <= pressed + least


def test_output_stays_off_until_the_next_request_for_input():
    tty, wire = wired([(0, b"\x0f"), (1, b"3\r"), (2, b"4\r")])
    tty.type("NOT THIS")
    tty.type("NOR THIS")
    assert tty.ask("MOVE? ") == "3"
    tty.type("BUT THIS")
    assert wire.paper == "↑O\r\nMOVE? 3\r\nBUT THIS\r\n"


def test_output_is_held_and_resumed():
    tty, wire = wired([(1.05, b"\x13"), (9, b"\x11")], MODELS["33"], 110)
    tty.type("X" * 30)
    assert not [when for when, _ in wire.printed if 1.2 < when < 9]
    assert wire.paper == "X" * 30 + "\r\n\0\0"


# ^C.


def test_a_stop_at_a_prompt_leaves_the_program():
    tty, wire = wired([(1, b"12\x03")])
    with pytest.raises(Leave):
        tty.ask("MOVE? ")
    assert wire.paper == "MOVE? 12↑C\r\n"


def test_a_stop_while_typing_comes_at_the_next_request_for_input():
    tty, wire = wired([(0, b"\x03")])
    tty.type("NOT THIS")
    with pytest.raises(Leave):
        tty.ask("NOR THIS")
    assert wire.paper == "↑C\r\n"


def worked(tty: Station, wire: Wire, seconds: float) -> bool:
    """Whether work of that many seconds was stopped."""
    while wire.seconds < seconds:
        wire.seconds += 0.01
        if tty.poll():
            return True
    return False


def test_a_stop_ends_work_and_then_has_done_its_duty():
    tty, wire = wired([(1, b"\x03"), (9, b"3\r")])
    assert worked(tty, wire, 5)
    assert wire.seconds == pytest.approx(1, abs=0.05)
    assert tty.poll()
    tty.type("AS FAR AS I CAN SEE")
    assert tty.ask("MOVE? ") == "3"
    assert not tty.poll()
    assert wire.paper == "↑C\r\nAS FAR AS I CAN SEE\r\nMOVE? 3\r\n"


def test_a_program_may_stop_where_it_works():
    tty, wire = wired([(1, b"\x03")])
    assert worked(tty, wire, 5)
    with pytest.raises(Leave):
        tty.pause()


def test_two_stops_stop_work_at_once():
    tty, wire = wired([(1, b"\x03\x03")])
    with pytest.raises(Leave):
        worked(tty, wire, 5)
    assert wire.seconds == pytest.approx(1, abs=0.05)


def test_work_goes_on_after_the_monitor():
    tty, wire = wired([(1, b"\x03\x03")])
    stops = []
    tty.on_stop = lambda: stops.append(wire.seconds)
    assert not worked(tty, wire, 5)
    assert stops == [pytest.approx(1, abs=0.05)]


def test_a_request_for_input_goes_on_after_the_monitor():
    tty, wire = wired([(1, b"\x03"), (2, b"3\r")])
    tty.on_stop = lambda: tty.type(".CONTINUE")
    assert tty.ask("MOVE? ") == "3"
    assert wire.paper == "MOVE? ↑C\r\n.CONTINUE\r\nMOVE? 3\r\n"


# Hangup.


def test_a_hangup_at_a_prompt():
    tty, wire = wired([(1, b"ab"), (2, Hangup), (30, b"3\r")])
    tty.greeting = "HELLO AGAIN"
    wire.absent = 4
    assert tty.ask("MOVE? ") == "3"
    assert wire.paper == "MOVE? abHELLO AGAIN\r\nMOVE? 3\r\n"
    back = [when for when, data in wire.printed if data.startswith(b"HELLO")]
    assert back == [pytest.approx(2 + 4 * Port.retry, abs=0.5)]


def test_a_line_that_comes_and_goes_is_not_tried_all_the_time():
    tty, wire = wired([(1, Hangup)] * 20 + [(60, b"3\r")])
    assert tty.ask("MOVE? ") == "3"
    assert wire.reopened == 20
    assert wire.seconds >= 19 * Port.retry


def test_a_hangup_in_the_midst_of_output():
    tty, wire = wired([(1.05, Hangup), (9, b"3\r")], MODELS["33"], 110)
    tty.type("0123456789ABCDEFGHIJ")
    assert wire.paper.startswith("0123456789")
    assert wire.paper.endswith("\r\n\0\0" + "0123456789ABCDEFGHIJ\r\n\0\0")
    assert wire.reopened == 1


def test_work_goes_on_during_a_hangup():
    tty, wire = wired([(1, Hangup), (9, b"3\r")])
    assert not worked(tty, wire, 5)
    assert wire.reopened == 0
    tty.type("I MOVE")
    assert tty.ask("MOVE? ") == "3"
    assert wire.paper == "\r\nI MOVE\r\nMOVE? 3\r\n"
    assert wire.reopened == 1


def test_nothing_old_is_obeyed_after_a_hangup():
    tty, wire = wired([(0, b"old\r\x0f"), (1, Hangup), (9, b"new\r")])
    assert not worked(tty, wire, 2)
    assert tty.ask("MOVE? ") == "new"


def test_a_hangup_while_echoing_reaches_no_program():
    tty, wire = wired([(1, b"3"), (2, b"4\r")])
    write, times = wire.write, []

    def write_or_not(data: bytes) -> int:
        times.append(data)
        if len(times) == 2:
            raise Hangup
        return write(data)

    wire.write = write_or_not
    assert tty.ask("MOVE? ") == "4"


# The end of the job.


def test_a_job_that_is_ended_leaves_at_its_next_request():
    tty, wire = wired([])
    tty.leaving = True
    tty.type("NOT THIS")
    for request in (tty.ask, tty.poll):
        with pytest.raises(Leave):
            request()
    assert wire.paper == ""


def test_a_job_that_is_ended_while_it_waits():
    tty, _wire = wired([(5, b"")])
    with pytest.raises(Leave):
        tty.ask("MOVE? ")


def test_a_job_that_is_ended_while_it_is_hung_up():
    tty, wire = wired([(1, Hangup)])
    wire.absent = 1000
    sleep = wire.sleep

    def sleep_or_end(seconds: float) -> None:
        sleep(seconds)
        tty.leaving = wire.seconds > 20

    tty._sleep = sleep_or_end
    with pytest.raises(Leave):
        tty.ask("MOVE? ")
    assert wire.seconds < 21


def test_nobody_reads_the_output():
    port = Script("3\n4\n")

    def broken(data: bytes) -> int:
        raise EOFError

    port.write = broken
    tty = Station(port)
    tty.type("HELLO")
    with pytest.raises(Leave):
        tty.ask("MOVE? ")


# Models.


@pytest.mark.source("TTY")
def test_models():
    line = {
        name: (m.baud, m.data_bits, m.parity, m.stop_bits, m.width)
        for name, m in MODELS.items()
    }
    assert line == {
        "33": (110, 8, "N", 2, 72),
        "35": (110, 8, "N", 2, 72),
        "37": (150, 7, "E", 1, 72),
        "15": (45.45, 5, "N", 1.5, 72),
        "28": (45.45, 5, "N", 1.5, 72),
        "glass": (9600, 8, "N", 1, 72),
    }


def test_five_levels_are_not_for_a_terminal():
    with pytest.raises(LineError, match="--tty"):
        on_console("15", None)
