"""Type and ask, ^C, pace, motor, tape and hangup, on lines without time."""

from __future__ import annotations

import io
import re
import signal
import sys
from collections.abc import Iterator, Sequence

import pytest
from pytest import MonkeyPatch

from sail.line.discipline import BREAK
from sail.line.models import GLASS, MODELS, parse_framing
from sail.line.ports import Hangup, LineError
from sail.line.settings import Settings
from sail.line.station import Station, on_console
from sail.line.tape import NoTape, frames
from sail.teletype import EndOfInput, Leave
from tests.errors import refused
from tests.line.virtual import OneLoop, Plan, Script, Wire, attached, wired
from tests.machines import ITA2_FIGURES, FiveLevel

CHARACTER = 0.1  # seconds at 110 baud


def test_nothing_is_read_while_a_program_works() -> None:
    tty = Station(Script("\x03\n"))
    assert not tty.poll()
    with pytest.raises(Leave):
        tty.ask()


def test_a_pipe_that_holds_its_output_is_no_trap() -> None:
    port = Script("\x13ABC\n")
    tty = Station(port)
    assert tty.ask("MOVE? ") == "ABC"
    tty.type("OK")
    assert port.paper == "MOVE? ABC\nOK\n"


class Torn(Wire):
    """A line that hangs up when it is to print something for the first time."""

    def __init__(self, plan: Plan, torn: str) -> None:
        super().__init__(plan)
        self.torn = torn.encode()

    def write(self, data: bytes) -> int:
        if self.torn and data.startswith(self.torn):
            self.torn = b""
            raise Hangup
        return super().write(data)


CONVERSATIONS: dict[str, tuple[Plan, list[str], str]] = {
    # When what happens; what a program types, or prompt>answer; the paper.
    # An answer ^Z is the end of the input, ^C the end of the job.
    "a job may be ended while it waits": ([(5, b"")], ["MOVE? >^C"], "MOVE? "),
    "a break stops and blank tape does not": (
        [(1, b"1\0\0\0"), (2, [BREAK]), (3, b"2\r")],
        ["MOVE? >2"],
        "MOVE? 1↑C\n.\nMOVE? 2\n",
    ),
    "end of file comes once from a keyboard": (
        [(1, b"\x1a"), (2, b"3\r")],
        ["MOVE? >^Z", "MOVE? >3"],
        "MOVE? ↑Z\nMOVE? 3\n",
    ),
    "what was typed ahead is typed again after its prompt": (
        [(0, b"3\r4\r5"), (9, b"6\r")],
        ["I MOVE", "FROM PIT 2", "FIRST? >3", "SECOND? >4", "THIRD? >56"],
        "I MOVE\n3\n4\n5\nFROM PIT 2\nFIRST? 3\nSECOND? 4\nTHIRD? 6\n",
    ),
    "output stays off until the next request for input": (
        [(0, b"\x0f"), (1, b"3\r"), (2, b"4\r")],
        ["NOT THIS", "NOR THIS", "MOVE? >3", "BUT THIS"],
        "↑O\nMOVE? 3\nBUT THIS\n",
    ),
    "a stop while typing comes at the next request for input": (
        [(0, b"\x03"), (9, b"3\r")],
        ["NOT THIS", "NOR THIS? >3"],
        "↑C\n.\nNOR THIS? 3\n",
    ),
}
ENDS = {"^Z": EndOfInput, "^C": Leave}


@pytest.mark.source("MON-BREAK", "MON-NUL")
@pytest.mark.parametrize(
    "plan, deeds, paper", CONVERSATIONS.values(), ids=list(CONVERSATIONS)
)
def test_conversations(plan: Plan, deeds: list[str], paper: str) -> None:
    tty, wire = wired(plan)
    tty.on_stop = lambda: tty.type(".")
    for deed in deeds:
        prompt, asked, answer = deed.partition(">")
        if not asked:
            tty.type(prompt)
        elif answer in ENDS:
            with pytest.raises(ENDS[answer]):
                tty.ask(prompt)
        else:
            assert tty.ask(prompt) == answer
    assert wire.paper.replace("\r\n", "\n") == paper


def test_a_terminal_whose_input_has_ended_types_at_the_same_pace() -> None:
    tty, wire = wired([(0, EOFError)], MODELS["37"], 150)
    tty.type("X" * 60, end="")
    assert 60 / wire.seconds == pytest.approx(15, rel=0.05)
    with pytest.raises(EndOfInput):
        tty.ask("MOVE? ")


def test_a_pipe_keeps_the_pace() -> None:
    wire = Wire([])
    wire.live = False
    attached(wire, GLASS, 1200).type("X" * 600, end="")
    assert 600 / wire.seconds == pytest.approx(120, rel=0.05)


def test_echo_does_not_split_a_carriage_return_from_its_fill() -> None:
    tty, wire = wired([(0.95, b"Y")], MODELS["33"], 110)
    tty.type("X" * 9)
    tty.type("X")
    assert wire.paper == "X" * 9 + "\r\n\0\0" + "Y\r\n\0\0" + "X\r\n\0\0"


@pytest.mark.source("MON-C", "MON-LETTERS")
@pytest.mark.parametrize(
    "model, least, key",
    [("33", 0.25, b"\x03"), ("33", 0.25, b"\x0f"), ("15", 0.42, b"\x1b\x05")],
)
def test_a_key_stops_the_paper(model: str, least: float, key: bytes) -> None:
    """Within a quarter of a second at 110 baud."""
    machine = MODELS[model]
    for tenth in range(10):
        pressed = 5 + tenth * CHARACTER / 10
        tty, wire = wired([(pressed, key)], machine, machine.baud)
        tty.type("E" * 1000)
        code = tty.code
        struck = [at for at, data in wire.printed if code.decode(data[0]) == "E"]
        last = max(at for at in struck if at < pressed + 9)
        # What was written has still to be printed.
        assert last + machine.framing.bits / machine.baud <= pressed + least


def test_the_keyboard_of_full_duplex_keeps_its_own_shift() -> None:
    keys = bytes([0x1B, 0x07, 0x04, 0x06, 0x04, 0x1F, 0x01, 0x1B, 0x01, 0x08])
    for plan in ([(1, keys)], [(key, keys[key : key + 1]) for key in range(10)]):
        tty, wire = wired(plan, MODELS["T100"])
        tty.set("ECHO")
        assert tty.ask() == "7 8 E3"
        machine = FiveLevel(ITA2_FIGURES, unshifts=False)
        machine.receive(wire.paper.encode())
        assert machine.paper == ["7 8 E3", ""]


# One loop.

TEXT = "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG"


def keys(model: str, text: str, begin: float, gap: float = 0.3) -> Plan:
    """Plan to press these keys one by one, on a machine that stands in letters."""
    pressed = text.encode() if model == "33" else FiveLevel().press(text)
    return [(begin + gap * at, pressed[at : at + 1]) for at in range(len(pressed))]


def printed(wire: Wire, model: str) -> str:
    """What was sent, as it appears on the paper, without blanks and new lines."""
    paper = wire.paper.replace("\0", "")
    if model != "33":
        machine = FiveLevel()
        machine.receive(wire.paper.encode())
        paper = "".join(machine.paper)
    return "".join(paper.split())


each_loop = pytest.mark.parametrize("model", ["33", "15"])


def looped(model: str, plan: Plan, *lost: int) -> tuple[Station, OneLoop]:
    wire = OneLoop(plan, lost)
    return attached(wire, MODELS[model], MODELS[model].baud), wire


@pytest.mark.source("TTY-LOOP")
@each_loop
def test_a_line_begun_during_output_may_be_finished(model: str) -> None:
    tty, wire = looped(model, keys(model, "12\r", 2, gap=1))
    tty.set("LOOP")
    tty.type(TEXT)
    late = [when for when, _ in wire.printed if 2.5 < when]
    assert min(late) >= (4 if model == "33" else 5)
    assert printed(wire, model) == TEXT.replace(" ", "")
    assert tty.ask("? ") == "12"


def test_a_line_that_is_never_finished_is_not_waited_for() -> None:
    tty, wire = looped("33", keys("33", "12", 2))
    tty.set("LOOP")
    tty.type(TEXT)
    assert 20 < wire.seconds < 30
    tty, wire = looped("15", [(2, b"\x1b"), (40, b"")])  # a shift, and then nothing
    tty.set("LOOP")
    tty.type(TEXT)
    assert 9 < wire.seconds < 12


@each_loop
@pytest.mark.parametrize("lost", [[5], [5, 6, 7], [*range(5, 30, 4)], [*range(9, 20)]])
def test_a_character_that_is_lost_does_no_lasting_harm(
    model: str, lost: list[int]
) -> None:
    tty, wire = looped(model, keys(model, "3\r", 200), *lost)
    tty.set("LOOP")
    for _ in range(5):
        tty.type(TEXT)
    assert printed(wire, model) == TEXT.replace(" ", "") * 5
    answer = tty.ask("? ")
    assert answer.endswith("3")
    assert answer == "3" or len(lost) > 10


@pytest.mark.parametrize("words", ["", "NO LF NO FILL"])
@pytest.mark.parametrize("typed", ["\r" * 20, "A\r" * 20, "A" * 100 + "\r\r"])
def test_a_key_held_down_is_no_loop(words: str, typed: str) -> None:
    """Its echo is its own code, and comes before it is struck again."""
    for gap in (0.05, 0.1, 0.3):
        tty, wire = wired(keys("33", typed, 1, gap), MODELS["33"], 110)
        tty.set(words)
        for _ in range(typed.count("\r")):
            tty.ask()
        assert not tty.settings.loop and "LOOP" not in wire.paper


def test_a_line_that_is_back_has_the_owners_settings() -> None:
    """Not the LOOP that was found on it."""
    tty, wire = looped("33", [(60, Hangup), (70, b"3\r"), (90, b"4\r")])
    tty.set("WIDTH 60")
    tty.type("\n".join([TEXT] * 4))
    assert tty.settings.loop and not tty.settings.echo
    tty.set("FILL 3")
    assert tty.settings.loop
    wire.lost = range(10**6)  # from now on, no loop
    assert tty.ask("? ") == "3"
    assert tty.settings == Settings(width=60, fill=3)
    tty.set("LOOP")
    tty.driver.restore()
    assert tty.settings == Settings(width=60, fill=3, loop=True, echo=False)


def test_what_was_under_way_when_a_line_hung_up_does_not_come_back() -> None:
    """What is typed on the next one is no echo of it."""
    tty, wire = wired([(1, Hangup), (1.2, b"7"), (5, b"\r")])
    tty.set("LOOP")
    worked(tty, wire, 0.9)
    tty.driver.send(b"7")
    worked(tty, wire, 1.1)
    with pytest.raises(Hangup):
        tty.driver.send(b"7")
    tty.greeting = "HELLO"
    assert tty.ask("? ") == "7"


@pytest.mark.parametrize("model, baud", [("33", 110), ("glass", 9600)])
@pytest.mark.parametrize("words", ["", "NO LF NO FILL"])
def test_our_own_words_typed_by_a_person_are_no_echo(
    words: str, model: str, baud: float
) -> None:
    """He begins as soon as a line is typed, and types ten characters a second."""
    rows = ["OR 6?", "LEVEL?", "START?", "MOVE?"]
    wire = Wire([])
    tty = attached(wire, MODELS[model], baud)
    tty.set(words)
    for row in rows:
        tty.type(row)
        begin = wire.seconds
        keys = f"{row}\r".encode()
        wire.plan = [(begin + n / 10, keys[n : n + 1]) for n in range(len(keys))]
        assert tty.ask() == row
    assert not tty.settings.loop and "LOOP" not in wire.paper


def worked(tty: Station, wire: Wire, seconds: float) -> bool:
    """Work until that second; return True if the work was stopped."""
    while wire.seconds < seconds:
        wire.seconds += 0.01
        if tty.poll():
            return True
    return False


def test_a_stop_ends_work_and_is_then_used_up() -> None:
    tty, wire = wired([(1, b"\x03"), (9, b"3\r")])
    assert worked(tty, wire, 5)
    assert wire.seconds == pytest.approx(1, abs=0.05)
    assert tty.poll()
    tty.type("AS FAR AS I CAN SEE")
    assert tty.ask("MOVE? ") == "3"
    assert not tty.poll()
    assert wire.paper == "↑C\r\nAS FAR AS I CAN SEE\r\nMOVE? 3\r\n"


def test_a_program_may_stop_where_it_works() -> None:
    tty, wire = wired([(1, b"\x03")])
    assert worked(tty, wire, 5)
    with pytest.raises(Leave):
        tty.pause()
    assert not worked(tty, wire, 5)


def test_a_lost_line_is_tried_every_two_seconds() -> None:
    """Also one that comes and goes."""
    tty, wire = wired([(2, Hangup)] * 20 + [(90, b"3\r")])
    tty.greeting = "HELLO"
    wire.absent = 4
    assert tty.ask("MOVE? ") == "3"
    back = [when for when, data in wire.printed if b"HELLO" in data]
    assert wire.reopened == 20 and back == [pytest.approx(2 + 23 * 2, abs=0.6)]


@pytest.mark.parametrize("lines", [0, 5, 12, 40])
def test_a_line_that_is_back_gets_what_came_since_the_answer(lines: int) -> None:
    """At most twelve lines, and the question; again and again."""
    lost: Plan = [(when, Hangup) for when in (10, 20)]
    tty, wire = wired([(1, b"1\r"), *lost, (30, b"2\r"), (40, Hangup), (50, b"3\r")])
    tty.greeting = "HELLO"
    tty.set("BELL")
    tty.type("BEFORE")
    assert tty.ask("MOVE? ") == "1"
    for number in range(lines):
        tty.type(f"LINE {number}")
    tty.ring()
    assert tty.ask("MOVE? ") == "2"
    board = "".join(f"LINE {number}\r\n" for number in range(lines)[-12:])
    end = f"MOVE? \r\nHELLO\r\n{board}" * 2 + "MOVE? 2\r\n"
    assert wire.paper.endswith(end) and "\a" in wire.paper
    assert tty.ask("NEXT? ") == "3"
    assert wire.paper.endswith("\r\nNEXT? \r\nHELLO\r\nNEXT? 3\r\n")


def test_output_that_was_discarded_is_not_typed_on_a_line_that_is_back() -> None:
    tty, wire = wired([(0, b"\x0f"), (9, Hangup), (20, b"3\r")])
    tty.type("NOT THIS")
    assert tty.ask("MOVE? ") == "3"
    assert "NOT" not in wire.paper


@pytest.mark.source("TTY-ASR", "TTY-VT100-XOFF")
@pytest.mark.parametrize("model", ["33", "glass", "28"])
def test_a_sender_is_stopped_before_there_is_no_room(model: str) -> None:
    """XOFF at the 240th line typed ahead; XON when 127 are left."""
    code = MODELS[model].code()
    line = b"".join(map(code.encode, "E\r"))
    plan = [(1 + number / 10, line) for number in range(245)]
    tty, wire = wired([*plan, (30, b"")], MODELS[model])
    tty.set("NO ECHO")
    off, on = b"\x13", b"\x11"
    assert not worked(tty, wire, 24.8) and off not in dict(wire.printed).values()
    worked(tty, wire, 30)
    controls = [(when, data) for when, data in wire.printed if data in (off, on)]
    assert [data for _, data in controls] == [off] * (model != "28")
    assert all(when == pytest.approx(24.9, abs=0.05) for when, _ in controls)
    for left in range(244, -1, -1):
        assert tty.ask("? ") == "E"
        tty.type("NEXT")
        sent = [data for _, data in wire.printed].count(on)
        assert sent == (model != "28" and left < 128)


def test_a_question_asked_ten_times_in_vain_rings_the_bell_alone() -> None:
    """RETURN is held down: it is read no more, until another key is typed."""
    tty, wire = wired([(1 + n / 10, b"\r") for n in range(3000)] + [(400, b"3\r")])
    for _ in range(10):
        assert tty.ask("MOVE? ") == ""
    tty.hush()
    assert tty.ask("") == "3"
    assert len(wire.paper.replace("\r\n", "")) < 3100 and wire.seconds > 399


def test_a_hangup_in_the_middle_of_output() -> None:
    tty, wire = wired([(1.05, Hangup), (9, b"3\r")], MODELS["33"], 110)
    tty.type("0123456789ABCDEFGHIJ")
    assert wire.paper.startswith("0123456789")
    assert wire.paper.endswith("\r\n\0\0" + "0123456789ABCDEFGHIJ\r\n\0\0")
    assert wire.reopened == 1


def test_work_goes_on_during_a_hangup_and_nothing_old_is_obeyed_after_it() -> None:
    tty, wire = wired([(0, b"old\r\x0f"), (1, Hangup), (9, b"3\r")])
    assert not worked(tty, wire, 5)
    assert wire.reopened == 0
    tty.type("I MOVE")
    assert tty.ask("MOVE? ") == "3"
    assert wire.paper == "old\r\n↑O\r\n\r\nI MOVE\r\nMOVE? 3\r\n"
    assert wire.reopened == 1


@pytest.mark.parametrize(
    "plan, torn, reopened",
    [
        ([(1, b"3567")], "3", 1),
        ([(1, b"\x03")], "↑", 1),
        ([(1, Hangup)], "\r\nHELLO", 2),
    ],
    ids=["echo", "stop", "greeting"],
)
def test_what_a_hangup_overtakes_reaches_no_program(
    plan: Plan, torn: str, reopened: int
) -> None:
    wire = Torn([*plan, (9, b"4\r")], torn)
    tty = attached(wire)
    tty.greeting = "HELLO"
    assert tty.ask("MOVE? ") == "4"
    assert wire.paper == "MOVE? \r\nHELLO\r\nMOVE? 4\r\n"
    assert wire.reopened == reopened


def test_a_job_that_is_ended_leaves_at_its_next_request() -> None:
    tty, wire = wired([])
    tty.end()
    tty.type("NOT THIS")
    for request in (tty.ask, tty.poll):
        with pytest.raises(Leave):
            request()
    assert wire.paper == ""


@pytest.mark.source("TTY-33-LINE", "TTY-37", "TTY-5-LINE", "TTY-ITA2", "TTY-TELEX")
@pytest.mark.source("TTY-OTHERS")
def test_models() -> None:
    us, both_cases = "X-!-')", "x~!=^>"
    capitals, both = Settings(), Settings(full=True)
    loop = Settings(echo=False, tape=False)
    telex = Settings(echo=False, width=69, usos=False, tape=False)
    screen = Settings(fill=0, full=True, tape=False)
    wide = screen._replace(width=132)
    # fill, echo, full, tabs, width, lf, pace, motor, bell, usos, loop, cts, tape
    defaults = (2, True, False, False, 72, True, 0, False, False, True, False, False)
    assert tuple(capitals) == (*defaults, True, 5)
    for model, *wanted in (
        ("33", 110, "8N2", capitals, "X-!=↑>"),
        ("35", 110, "8N2", capitals, "X-!=↑>"),
        ("37", 150, "7E1", both, both_cases),
        ("LA36", 300, "7E1", wide, both_cases),
        ("15", 45.45, "5N1.5", loop, us),
        ("32", 45.45, "5N1.5", loop, us),
        ("28", 45.45, "5N1.5", loop, us),
        ("T100", 50, "5N1.5", telex, "X-.=')"),
        ("VT52", 9600, "8N1", screen, both_cases),
        ("glass", 9600, "8N1", screen, both_cases),
        ("utf8", 9600, "8N1", screen, "x~!=↑→"),
    ):
        tty = wired([], MODELS[model])[0]
        framing = "{}{}{:g}".format(*MODELS[model].framing)
        printed = "".join(map(tty.code.spell, "x~!=↑→"))
        assert [MODELS[model].baud, framing, tty.settings, printed] == wanted
    assert len(MODELS) == 11


def test_framings() -> None:
    bits = {"8N2": 11, "7e1": 10, "5N1.5": 7.5, "8N1": 10, "7O2": 11, "8M1": 11}
    for typed, number in bits.items():
        assert parse_framing(typed).bits == number
        assert "{}{}{:g}".format(*parse_framing(typed)) == typed.upper()
    for bad in ("", "8N", "9N1", "8X1", "8N3", "8N1.0", "8N1 ", "٨N1"):
        with pytest.raises(ValueError):
            parse_framing(bad)


@pytest.mark.parametrize(
    "encoding, name", [("utf-8", "utf8"), ("UTF-8", "utf8"), ("ascii", "glass")]
)
def test_the_console_is_what_the_output_can_show(
    encoding: str, name: str, monkeypatch: MonkeyPatch
) -> None:
    paper = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", paper)
    assert on_console(None, None) == MODELS[name]
    assert on_console("33", None) == MODELS["33"]
    stops = [on_console(None, baud).framing.stop for baud in (75, 110, 111)]
    assert stops == [2, 2, 1]  # ten characters a second at 110
    monkeypatch.setattr(sys, "stdout", None)
    assert on_console(None, None) == GLASS


@pytest.mark.source("TTY-VT100-XOFF")
@pytest.mark.parametrize(
    "baud, most", [(110, 1), (1200, 10), (9600, 14.5), (19200, 15.5)]
)
def test_few_characters_are_under_way(baud: int, most: float) -> None:
    tty, wire = wired([], GLASS, baud)
    tty.type("X" * 500)
    ahead = [n - when * baud / 10 for n, (when, _) in enumerate(wire.printed)]
    assert most - 2 < max(ahead) <= most


def test_a_pace_of_its_own() -> None:
    """A converter at 600 baud, behind it a printer of six characters a second."""
    tty, wire = wired([], MODELS["28"], 600)
    assert tty.width == 72
    tty.set("PACE 6.06 NO FILL WIDTH 80")
    assert tty.width == 80
    tty.type("E" * 60, end="")
    assert 60 / wire.seconds == pytest.approx(6.06, rel=0.03)
    start = wire.seconds
    tty.set("NO PACE")
    tty.type("E" * 600, end="")
    assert 600 / (wire.seconds - start) == pytest.approx(80, rel=0.05)


def test_the_first_line_begins_at_the_left_even_after_a_hangup() -> None:
    wire = Wire([(2.05, Hangup), (9, b"3\r")])
    wire.at_left = False
    tty = attached(wire, MODELS["33"], 110)
    tty.greeting = "HELLO"
    tty.greet()
    assert wire.paper == "\r\n\0\0HELLO\r\n\0\0"
    assert tty.ask("MOVE? ") == "3"
    assert wire.paper.endswith("MOVE? \r\n\0\0HELLO\r\n\0\0MOVE? 3\r\n\0\0")


@pytest.mark.source("TTY-MOTOR")
def test_the_motor_runs_up_and_rests() -> None:
    typed = bytes([0x1B, 0x01, 0x08])  # figures, 3, return
    tty, wire = wired([(1000, b"\0"), (1010, typed)], MODELS["28"], 45.45)
    tty.set("MOTOR")
    tty.type("HELLO")
    assert wire.motors == [(0.0, True)]
    assert 1.9 < wire.printed[0][0] < 2.1
    assert tty.ask("MOVE? ") == "3"
    (_, _), (off, is_off), (on, is_on) = wire.motors
    assert not is_off and off == pytest.approx(304.86, abs=0.2)
    assert is_on and on == 1000
    late = [when for when, _ in wire.printed if when > 100]
    assert min(late) >= 1010  # what started it was not taken for a key


@pytest.mark.parametrize(
    "plan, switched",
    [
        ([(5, Hangup), (9, b"3\r")], [0, 5]),  # it may have been switched off
        ([(200, b"\0"), (1000, b"3\r")], [0, 500, 1000]),  # a key is no silence
    ],
)
def test_when_a_motor_is_switched(plan: Plan, switched: list[float]) -> None:
    tty, wire = wired(plan)
    tty.set("MOTOR")
    with pytest.raises(Leave):
        tty.ask("MOVE? ")
        tty.ask("MOVE? ")
    times = [when for when, _ in wire.motors[: len(switched)]]
    assert times == [pytest.approx(when, abs=0.2) for when in switched]
    assert wire.motors[1][1] == (plan[0][1] is Hangup)


def test_a_motor_rests_during_work_and_runs_when_it_is_no_longer_ours() -> None:
    tty, wire = wired([(900, b"\x03")])
    tty.type("NOT OURS YET")
    assert wire.motors == []
    tty.set("MOTOR")
    tty.type("LET ME THINK")
    worked(tty, wire, 400)
    assert [on for _, on in wire.motors] == [True, False]
    tty.type("I MOVE")
    assert [on for _, on in wire.motors] == [True, False, True]
    assert wire.printed[-1][0] > wire.motors[-1][0] + 1.9
    worked(tty, wire, 800)
    for words in ("NO MOTOR", "MOTOR", "MOTOR"):
        tty.set(words)
        tty.type("HELLO")
    assert [on for _, on in wire.motors[3:]] == [False, True, True]


BLANK = bytes(60)


@pytest.mark.source("TTY-ASR", "TTY-TAPE")
def test_a_tape_is_punched() -> None:
    tty, wire = wired([(1, b"xyz")], MODELS["33"], 110)
    assert tty.punch("A\n", "A.POS")
    tape = (BLANK + b"A\r\n\0\0\x1a" + BLANK).decode()
    assert wire.paper == f"\x12{tape}\x14\r\n\0\0XYZ"
    assert wire.seconds > 12  # at the pace of the punch


def test_a_tape_that_is_stopped_switches_the_punch_off() -> None:
    tty, wire = wired([(3, b"\x03")], MODELS["33"], 110)
    assert not tty.punch("A\n", "A.POS")
    assert wire.paper.startswith("\x12\0") and len(wire.paper) < 45
    tty.type("SORRY")
    assert wire.paper.endswith("\x14\r\n\0\0^C\r\n\0\0SORRY\r\n\0\0")
    assert tty.driver.discipline.stops == 0
    tty, wire = wired([(0, b"\x03")])
    assert not tty.punch("A\n", "A.POS")
    assert wire.paper == "\x12\x14\r\n↑C\r\n"


@pytest.mark.usefixtures("handlers")
def test_a_job_that_is_ended_switches_its_tape_unit_off() -> None:
    tty, wire = wired([(5, b"")], MODELS["33"], 110)
    wire.end = 3
    with tty:
        assert not tty.punch("A\n", "A.POS")
    assert re.fullmatch("\x12\0{30,59}\x14\r\n\0*", wire.paper)
    tty, wire = wired([], MODELS["33"], 110)
    with tty, pytest.raises(Leave):
        tty.read_tape()
    assert wire.paper == "\x11\x13"


def test_a_hangup_tears_a_tape() -> None:
    tty, wire = wired([(3, Hangup)], MODELS["33"], 110)
    assert not tty.punch("A\n", "A.POS")
    tty.type("SORRY")
    assert wire.reopened == 1
    tty, wire = wired([(1, b"A\r\n"), (3, Hangup), (9, b"3\r")], MODELS["33"], 110)
    assert tty.read_tape() is None
    assert tty.ask("MOVE? ") == "3"
    assert wire.paper.startswith("\x11\r\n")
    assert wire.reopened == 1


def test_a_hangup_when_the_tape_is_through() -> None:
    assert not attached(Torn([], "\x14")).punch("A\n", "A.POS")
    wire = Torn([(1, b"A\x1aOLD\r"), (9, b"NEW\r")], "\x13")
    tty = attached(wire)
    assert tty.read_tape() == "A"
    assert tty.ask(".") == "NEW"
    assert (wire.paper, wire.reopened) == ("\x11\x13\r\n.NEW\r\n", 1)


@pytest.mark.parametrize(
    "plan, words, paper",
    [
        ([(1, b"A\r\n\x1a\0\0DIR\r")], "", "\x11\x13.DIR\r\n"),
        ([(1, b"A\r\n\x1a"), (9, b"DIR\r")], "NO ECHO", "\x11\x13\r\n.\r\n"),
    ],
)
def test_what_comes_after_a_tape_is_typed(plan: Plan, words: str, paper: str) -> None:
    """A machine that prints its tape begins a line."""
    tty, wire = wired(plan)
    tty.set(words)
    assert tty.read_tape() == "A\n"
    assert tty.ask(".") == "DIR"
    assert wire.paper == paper


def test_what_can_be_punched() -> None:
    code = MODELS["33"].code()
    tape = frames(" ~\t\nA\n", "X.TXT", code)
    assert tape == BLANK + b" ~\t\r\n\0\0A\r\n\0\0\x1a" + BLANK
    for char in ("\x1f", "\x7f", "é", "\r"):
        with refused(NoTape, "X.TXT LINE 2 HAS A CHARACTER THAT THE TAPE LACKS."):
            frames(f"A\n{char}", "X.TXT", code)
    for model, chars in (("15", "+=a\t"), ("28", "+=a\t"), ("T100", ";$a\t")):
        for char in chars:
            with refused(NoTape, "X LINE 1 HAS A CHARACTER THAT THE TAPE LACKS."):
                frames(f"A{char}B\n", "X", MODELS[model].code())


LINES = """\
GAME OF 1972-10-06 14:03
A 0 3 3 3 3 3 3, B 12 4 0 1 9 3 3, B TO MOVE
 10 A 36           5-0    2 B 1            5-1
"""
TITLES = ["", "ADA B. LOVELACE-1815", "ABCDEFGHIJKLMNOPQRST", "UVWXYZ0123456789.- X"]


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("text", [LINES, "HELLO\n"], ids=["lines", "line"])
def test_a_punched_tape_is_read_back(text: str, model: str, title: str) -> None:
    machine = MODELS[model]
    tty, wire = wired([], machine, machine.baud)
    tty.type("SCORE")  # five levels stand in letters, and the reader in figures
    printed = len(wire.printed)
    assert tty.punch(text, "X", title)
    frames = b"".join(data for _, data in wire.printed[printed:])
    if machine.framing.data > 5:
        assert frames[:1] + frames[-1:] == b"\x12\x14"  # the punch, on and off
        frames = frames[1:-1]
        harmless = {0, 8, 10, 13, 16, 24, 26}
        assert {frame & 0x7F for frame in frames} & set(range(32)) <= harmless
    reader, _ = wired([(at, [frame]) for at, frame in enumerate(frames)], machine)
    reader.type("SCORE: 3", end="")
    assert reader.read_tape() == text


def test_a_title_is_read_by_people() -> None:
    tape = frames("A\n", "X", MODELS["33"].code(), "4-5")
    letters = tape[60:].lstrip(b"\0").partition(bytes(60))[0]
    rows = ["".join(" X"[frame >> row & 1] for frame in letters) for row in range(8)]
    assert [row.rstrip() for row in rows] == [
        *("", "", ""),
        "X  X      XXXXX",
        "X  X      X",
        "XXXXX XXX XXXX",
        "   X          X",
        "   X      XXXX",
    ]
    five = frames("A\n", "X", MODELS["28"].code(), "4-5")
    assert five[60:].startswith(b"\x1f" + bytes(frame >> 3 for frame in letters))
    for title in TITLES[1:]:
        five = frames("A\n", "X", MODELS["28"].code(), title)
        letters = five[60 : five.index(bytes(60), 60)]
        assert not {0x02, 0x08, 0x1B} & set(letters)  # LF, CR, FIGS


def test_the_rest_of_a_tape_in_a_reader_without_control_is_no_input() -> None:
    code = MODELS["28"].code()
    whole = frames("A\nB\n", "X", code)
    rest = b"".join(map(code.encode, "KJOB\r\n"))
    typed = b"\x1f" + b"".join(map(code.encode, "R\r"))
    ends: list[Plan] = [[(2.5, key), (2.7, typed)] for key in (b"\x1b\x05", [BREAK])]
    for end in [[(9.0, typed)], *ends]:
        tty, _wire = wired([(1, whole), (1.5, rest), (2, rest), *end], MODELS["28"])
        assert tty.read_tape() == "A\nB\n"
        assert tty.ask() == "R"


@pytest.mark.source("TTY-ASR", "TTY-TAPE")
@pytest.mark.parametrize(
    "frames, text",
    [
        (b"A\r\n\0\0B\r\n\x1a", "A\nB\n"),
        (b"\0\0\xff\x7fA\nB\n" + BLANK, "A\nB\n"),
        (b"A\rB\r" + b"\xff" * 40, "A\nB\n"),
        (b"\xc1\x8d\x0aB\r" + BLANK, "A\nB\n"),
        (b"A" + bytes(31) + b"B\r\n\r\n\x1a", "AB\n\n"),
        (b"A" + bytes(31) + b"B\0C\x1a", "ABC"),
        (b"A" + bytes(32) + b"B\r\n\r\n\x1a", "B\n\n"),
        (b"\r\n" + BLANK + b"A\r\nB\r\n" + BLANK, "A\nB\n"),
        (b"\r\nPUNCH A\r\n" + BLANK + b"A\r\nB\r\n" + BLANK, "A\nB\n"),
        (BLANK * 3 + b"\x1a", ""),
        (b"A\x1a", "A"),
    ],
)
def test_a_tape_is_read(frames: bytes, text: str) -> None:
    plan = [(1 + number, frames[number : number + 1]) for number in range(len(frames))]
    tty, wire = wired(plan)
    assert tty.read_tape() == text
    assert [data for _, data in wire.printed] == [b"\x11", b"\x13"]


@pytest.mark.parametrize(
    "model, tape, key, typed",
    [
        *(("utf8", b"A\r\n", [key], b"R\r") for key in (3, BREAK)),
        ("28", b"\x1f\x03", b"\x1b\x05", b"\x0a\x08"),
    ],
)
def test_a_tape_may_be_stopped(
    model: str, tape: bytes, key: Sequence[int], typed: bytes
) -> None:
    """On five levels with the key that rings the bell."""
    tty, wire = wired([(1, tape), (2, key), (3, typed)], MODELS[model])
    assert tty.read_tape() is None
    tty.type("STOPPED")
    assert tty.ask("OK ") == "R"
    if model == "utf8":
        assert wire.paper == "\x11\x13↑C\r\nSTOPPED\r\nOK R\r\n"


def test_the_end_of_a_pipe_ends_a_tape_and_so_does_the_end_of_the_job() -> None:
    assert Station(Script("A\nB\n")).read_tape() == "A\nB\n"
    tty, _wire = wired([(1, b"A")])
    with pytest.raises(Leave):
        tty.read_tape()


def test_a_long_line_can_be_stopped_and_takes_no_room() -> None:
    class Slow(Wire):
        def write(self, data: bytes) -> int:
            self.seconds += len(data) / 1000
            return super().write(data)

    wire = Slow([(5, b"\x03")])
    attached(wire).type("X" * 16_000_000)
    assert 4.9 < wire.seconds < 6
    # A quarter of a thousand, and four new lines.
    assert max(len(data) for _, data in wire.printed) == 264


class Flood(Wire):
    """A far end that types without end; each look at the clock takes a second."""

    def __init__(self, begin: bytes, keys: bytes) -> None:
        super().__init__([])
        self.typed, self.keys = begin, keys * (1000 // len(keys))

    def clock(self) -> float:
        self.seconds += 1
        return self.seconds

    def read(self, timeout: float) -> bytes:
        typed, self.typed = self.typed, self.keys
        return typed

    def write(self, data: bytes) -> int:
        return len(data)


@pytest.mark.parametrize(
    "begin, keys",
    [
        *((b"", keys) for keys in (b"1\r", b"1", b"\x05", b"\x1a", b"\xe2")),
        *((b"\x13", keys) for keys in (b"1\r", b"\x05")),
        (b"\x1b[", b"1"),
    ],
)
def test_nothing_typed_grows_without_bound(begin: bytes, keys: bytes) -> None:
    """A program at work is sent 5000 keys, and then as many again."""
    tracemalloc = pytest.importorskip("tracemalloc")
    tty = attached(Flood(begin, keys))
    tty.on_stop = lambda: None

    def work() -> int:
        for _ in range(5):
            tty.poll()
        memory: int = tracemalloc.get_traced_memory()[0]
        return memory

    tracemalloc.start()
    try:
        assert abs(work() - work()) < 2000
    finally:
        tracemalloc.stop()


class Counting(Wire):
    """A line that counts how often it is looked at."""

    looks = 0

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


def test_a_thousand_echoes_wait_for_the_line() -> None:
    tty, wire = wired(
        [(1, b"\x13"), (2, b"1" * 128 + b"\x05" * 5000), (3, b"\x11"), (4, b"\r")]
    )
    assert tty.ask("MOVE? ") == "1" * 128
    assert wire.paper.count("1") == 128
    assert wire.paper.count("\a") == 1000 - 128


BOARD = "\n  1 2 3\n3       3\n  6 6 6\n"


@pytest.mark.parametrize("gap", [0.1, 0.3, 2])
def test_what_is_typed_ahead_splits_no_board(gap: float) -> None:
    tty, wire = wired(keys("33", "12\r", 0.5, gap), MODELS["33"], 110)
    tty.type("YES" + BOARD)
    tty.type("SO" + BOARD + BOARD)
    assert tty.ask("? ") == "12"
    paper = wire.paper.replace("\0", "").replace("\r", "")
    assert paper.count(BOARD) == 3
    tty, wire = wired(keys("33", "1\r", 0.5), MODELS["33"], 110)
    tty.set("NO ECHO")
    tty.type("0123456789")
    assert wire.paper[:4] == "0123" and "\n" in wire.paper[4:11]  # as on the paper


class Deaf(Wire):
    """A line that CTS holds from the second second to the hundredth."""

    def waiting(self) -> int:
        return 20 if 2 < self.seconds < 100 else 0


def test_a_line_that_is_behind_is_waited_for() -> None:
    wire = Deaf([(200, b"")])
    wire.seconds = 3
    attached(wire, MODELS["33"], 110).type("X")
    assert wire.printed[0][0] > 99


@pytest.mark.source("TTY-CTS")
@pytest.mark.parametrize("baud", [110, 9600])
def test_a_deaf_line_does_not_hold_the_stop(baud: float) -> None:
    wire = Deaf([(3, b"\x03")])
    assert worked(attached(wire, MODELS["33"], baud), wire, 20)
    assert 3 < wire.seconds < 10
    wire = Deaf([(3, b"A"), (4, b"\x03"), (150, b"3\r")])
    tty = attached(wire, MODELS["33"], baud)
    tty.on_stop = lambda: None
    tty.type(TEXT * 200)
    assert 4 < wire.seconds < 12
    assert tty.ask("? ") == "3"
    assert wire.seconds > 149


@pytest.mark.source("TTY-CTS")
@pytest.mark.parametrize("text", ["", TEXT * 100])
@pytest.mark.parametrize("wire, plan", [(Wire, [(1.05, Hangup)]), (Deaf, [])])
def test_a_job_that_is_ended_while_its_line_is_gone(
    wire: type[Wire], plan: Plan, text: str
) -> None:
    """Hung up or deaf, at a prompt and in the middle of output."""
    line = wire(plan)
    line.absent = 1000
    line.end = 20
    tty = attached(line, MODELS["33"], 110)
    tty.type(text, end="")
    with pytest.raises(Leave):
        tty.ask("MOVE? ")
    assert 20 < line.seconds < 21 and len(line.paper) < 30


def test_a_line_that_takes_little_is_listened_to_and_gets_all() -> None:
    class Narrow(Counting):
        def write(self, data: bytes) -> int:
            return super().write(data[:1]) if self.looks > 9 else 0

    wire = Narrow([])
    attached(wire).type("SLOW")
    assert (wire.paper, wire.seconds) == ("SLOW\r\n", 0)


def test_a_pipe_that_takes_nothing_is_not_read_ahead() -> None:
    class Full(Script):
        trials = 0

        def read(self, timeout: float) -> bytes:
            raise AssertionError

        def write(self, data: bytes) -> int:
            self.trials += 1
            return super().write(data) if self.trials > 9 else 0

    port = Full("3\n")
    Station(port).type("X")
    assert port.paper == "X\n"


SIGNALS = [
    number
    for number in signal.Signals
    if number.name in ("SIGTERM", "SIGINT", "SIGHUP")
]


@pytest.fixture
def handlers() -> Iterator[None]:
    """Restore the handlers of the signals after a test."""
    before = [signal.getsignal(number) for number in SIGNALS]
    yield
    for number, handler in zip(SIGNALS, before):
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
def test_a_job_hears_signals_unless_ignored(monkeypatch: MonkeyPatch) -> None:
    for number in SIGNALS:
        with wired([])[0] as tty:
            signal.raise_signal(number)
            assert tty.driver.leaving
        signal.signal(number, signal.SIG_IGN)
    with wired([])[0] as tty:
        for number in SIGNALS:
            signal.raise_signal(number)
        assert not tty.driver.leaving
    monkeypatch.delattr(signal, "SIGHUP", raising=False)
    with wired([])[0]:
        pass


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("error", [Hangup, EOFError, LineError, None])
def test_a_line_is_left_in_order(error: type[Exception] | None) -> None:
    """The line that was begun is ended, the motor stopped, the port closed."""

    class Closed(Wire):
        calls = ""

        def take(self) -> None:
            self.calls += "take "

        def write(self, data: bytes) -> int:
            if error and data == b"\r\n":
                raise error
            return super().write(data)

        def close(self) -> None:
            self.calls += "close"

    wire = Closed([])
    with attached(wire) as tty:
        tty.set("MOTOR")
        tty.type("HELLO", end="")
    assert wire.paper == ("HELLO" if error else "HELLO\r\n")
    assert [on for _, on in wire.motors] == [True, False]
    assert wire.calls == "take close"


@pytest.mark.usefixtures("handlers")
def test_nothing_is_typed_where_nothing_is_to_be_ended() -> None:
    tty, wire = wired([(1, Hangup)])
    with tty:
        tty.type("HELLO")
    with tty:
        tty.type("MOVE? ", end="")
        worked(tty, wire, 2)
    assert (wire.paper, wire.motors) == ("HELLO\r\nMOVE? ", [])
