"""Telnet's commands; keyboard and printer in one current loop."""

from __future__ import annotations

import pickle
import random

import pytest

from sail.line.filters import Loop, Telnet
from sail.line.ports import Hangup
from sail.line.station import Station
from sail.settings import Settings
from sail.teletype import Leave
from tests.line.virtual import TEXT, OneLoop, Plan, Wire, attached, keys, wired, worked
from tests.machines import FiveLevel

KNOWN = b"\xff\xfb\x18"  # a first option

COMMANDS = [
    # what comes, what was typed
    (b"3\xff\xfd\x18\r", b"3\r"),
    (b"\xff\xfd\x03\xff\xfb\x01\xff\xfe\xffA\xff\xfc\nB", b"AB"),
    # RUBOUT with an eighth bit, on a line that is no telnet
    (b"AB\xff\xffC\xff\xc1\xff\x8d", b"AB\xff\xffC\xff\xc1\xff\x8d"),
    (b"\xff\xf3\xff\xf4\xff\xf0\xff\xfa1", b"\xff\xf3\xff\xf4\xff\xf0\xff\xfa1"),
    (b"\xff" * 40, b"\xff" * 40),
    # and on one that is
    (KNOWN + b"\xff\xff1\xff1", b"\xff1\xff1"),
    (KNOWN + b"\xff\xf11\xff\xf92", b"12"),
    (KNOWN + b"1\xff\xf32\xff\xf43", b"1\x032\x033"),
    (KNOWN + b"1\xff\xec2\xff\xed3\xff\xee", b"1\x1a2\x033\x03"),
    (KNOWN + b"12\xff\xf73\xff\xf84", b"12\x7f3\x154"),
    (KNOWN + b"\xff\xfa\x18\x01\n\xff\xf03", b"3"),
    (KNOWN + b"\xff\xfa\x18\xff\xff\x03\xff\xf03", b"3"),
    (KNOWN + b"\xff\xf02", b"\xff\xf02"),
]


@pytest.mark.source("TTY-IAC", "TTY-33-RUBOUT")
@pytest.mark.parametrize("data, typed", COMMANDS)
def test_commands_are_not_typed(data: bytes, typed: bytes) -> None:
    """In whatever pieces they come, if the pieces follow without a pause."""
    rng = random.Random(7)
    for _ in range(50):
        ends = sorted(rng.sample(range(len(data)), min(3, len(data))))
        telnet, found = Telnet(), b""
        for begin, end in zip([0, *ends], [*ends, len(data)]):
            found += telnet.strip(data[begin:end], waited=False)
        assert found + telnet.strip(b"", waited=True) == typed


def test_a_rubout_waits_for_a_moment_only() -> None:
    telnet = Telnet()
    assert telnet.strip(b"A\xff", waited=False) == b"A"
    assert telnet.strip(b"", waited=False) == b""
    assert telnet.strip(b"", waited=True) == b"\xff"
    assert telnet.strip(b"\xfd\x18", waited=False) == b"\xfd\x18"


def test_a_subnegotiation_without_end_is_not_kept() -> None:
    telnet = Telnet()
    telnet.strip(KNOWN + b"\xff\xfa", waited=False)
    for _ in range(300):
        found = telnet.strip(b"x", waited=False)
    assert found == b"x"


CR = 0x0D


def typed(loop: Loop, received: bytes, is_set: bool = True) -> bytes:
    return bytes(loop.strip(received, 0, is_set))


def test_up_to_three_characters_in_a_row_may_be_lost() -> None:
    """Nothing else that was sent is typed when it comes back."""
    found = {"ABCD": "", "DEF": "", "AEIM": "", "EA": "E", "BXF": "X", "ABAB": "AB"}
    for back, added in found.items():
        loop = Loop(CR, 0xFF)
        loop.expect(b"ABCDEFGHIJKLM", 0)
        assert typed(loop, back.encode()) == added.encode()


def test_what_does_not_come_back_is_soon_forgotten() -> None:
    for when, found in ((1.9, ""), (2.1, "AB")):
        tty, _ = wired([(when, b"AB"), (9, b"\r")])
        tty.set("LOOP")
        tty.driver.send(b"AB")
        assert tty.ask() == found


def test_what_is_under_way_is_bounded() -> None:
    for back in (b"", b"ABC\r" * 20):
        loop = Loop(CR, 0xFF)
        for _ in range(100):
            loop.expect(b"ABC\r" * 20, 10)
            loop.strip(back, 0, is_set=False)
        assert len(pickle.dumps(loop)) < 9000


@pytest.mark.parametrize(
    "rows, shows",
    [(["AB"] * 2, False), (["AB"] * 3, True), ([""] * 3, False)]
    + [(["AB" * 24], False), (["AB" * 25], True), ([""] * 300, False)],
)
def test_three_lines_or_50_characters_that_come_back_show_it(
    rows: list[str], shows: bool
) -> None:
    loop = Loop(CR, 0xFF)
    for row in rows:
        line = row.encode() + b"\r"
        loop.expect(line, 10)
        assert typed(loop, line, is_set=False) == line
    assert loop.proved == shows
    typed(loop, b"?", is_set=False)
    assert not loop.proved


def pressed(model: str, text: str) -> bytes:
    """What these keys send, on a machine that stands in letters."""
    return text.encode() if model == "33" else FiveLevel().press(text)


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
    return attached(wire, model), wire


@pytest.mark.source("TTY-LOOP")
@each_loop
def test_a_line_begun_during_output_may_be_finished(model: str) -> None:
    tty, wire = looped(model, keys(pressed(model, "12\r"), 2, gap=1))
    tty.set("LOOP")
    tty.type(TEXT)
    late = [when for when, _ in wire.printed if 2.5 < when]
    assert min(late) >= (4 if model == "33" else 5)
    assert printed(wire, model) == TEXT.replace(" ", "")
    assert tty.ask("? ") == "12"


def test_a_line_that_is_never_finished_is_not_waited_for() -> None:
    tty, wire = looped("33", keys(b"12", 2))
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
    tty, wire = looped(model, keys(pressed(model, "3\r"), 200), *lost)
    tty.set("LOOP")
    for _ in range(5):
        tty.type(TEXT)
    assert printed(wire, model) == TEXT.replace(" ", "") * 5
    answer = tty.ask("? ")
    assert answer.endswith("3")
    assert answer == "3" or len(lost) > 10


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
    tty.driver.begin_anew(tty.owner_settings)
    assert tty.settings == Settings(width=60, fill=3, loop=True, echo=False)


def test_a_loop_that_hangs_up_while_that_is_typed_is_a_new_line() -> None:
    tty, wire = looped("33", [(17, Hangup)])
    tty.greeting = "HELLO"
    wire.lost = range(200, 10**6)  # no loop from then on
    tty.type("\n".join([TEXT] * 4))
    assert wire.paper.count("ONE LOOP") == 1 and wire.reopened == 1
    assert "HELLO" in wire.paper and not tty.settings.loop


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
    tty = attached(wire, model, baud)
    tty.set(words)
    for row in rows:
        tty.type(row)
        begin = wire.seconds
        keys = f"{row}\r".encode()
        wire.plan = [(begin + n / 10, keys[n : n + 1]) for n in range(len(keys))]
        assert tty.ask() == row
    assert not tty.settings.loop


def test_bits_that_the_machine_does_not_use_may_come_back_changed() -> None:
    """An adapter sets the upper bits of five levels; a 33 sends an eighth bit."""
    for model, changed in (("15", 0xE0), ("28", 0x60), ("33", 0x80)):
        wire = OneLoop([])
        wire.changed = changed
        tty = attached(wire, model, 300)
        for _ in range(6):
            tty.type(TEXT)
            worked(tty, wire, wire.seconds + 1)
        with pytest.raises(Leave):
            tty.ask()
        assert tty.settings.loop and len(wire.printed) < 12 * len(TEXT)
