"""What nobody reads: few characters in ten minutes, whatever the reason."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress

import pytest

from sail.files.area import Area
from sail.line.budget import SPENT
from sail.line.codes import BREAK
from sail.line.ports import Hangup
from sail.line.station import Station
from sail.monitor import visitors
from sail.monitor.dot import GREETING, Monitor
from sail.teletype import Leave
from tests.line.virtual import OneLoop, Plan, Wire, attached, keys, lines, wired

MINUTES = 600.0  # ten of them
UNPRINTED = {"28": b"\x1f\x1b", "T100": b"\x1f\x1b"}  # shifts; else fillers and XON
CHANCE = random.Random(3)
PLANS: dict[str, Plan] = {
    "noise": [(7 * n, CHANCE.choice([b"\0", b"\x7f", b"\xfe"])) for n in range(1, 85)],
    "any bytes": [(7 * n, CHANCE.randbytes(1)) for n in range(1, 85)],
    # Of 300 such plans two got more: by chance they typed KJ.
    "three a second": [(n / 3, CHANCE.randbytes(1)) for n in range(1, 1800)],
    "three others a second": [(n / 3, CHANCE.randbytes(1)) for n in range(1, 1800)],
    "a key that sticks": [(n / 4, b"\r") for n in range(4, 2400)],
    "a key and RUBOUT": [(n, b"X\x7f"[n % 2 :][:1]) for n in range(1, 600)],
    "an open line": [(n, [BREAK]) for n in range(1, 600)],
    "a line that comes and goes": [(n, Hangup) for n in range(3, 600, 3)],
    "slowly": [(n, Hangup) for n in range(3, 600, 11)],
}


class Garbling(OneLoop):
    """A loop in which each byte comes back changed."""

    flipped = 1

    def read(self, timeout: float) -> Sequence[int]:
        return [key ^ self.flipped for key in super().read(timeout)]


def printed(wire: Wire, model: str, area: Area, by_visitors: bool = False) -> str:
    """Serve this line for ten minutes; return what was printed, without fillers."""
    tty = attached(wire, model)
    wire.end = MINUTES
    with suppress(Leave):
        if by_visitors:
            visitors.serve(tty, area)
        Monitor(tty, area).serve()
    sent = wire.written(0, MINUTES)
    return sent.translate(None, UNPRINTED.get(model, b"\0\x11")).decode("latin1")


@pytest.mark.parametrize("model", ["33", "T100", "glass"])
@pytest.mark.parametrize("by_visitors", [False, True])
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_nobody_gets_200_characters_at_most(
    plan: Plan, by_visitors: bool, model: str, area: Area
) -> None:
    assert len(printed(Wire(plan), model, area, by_visitors)) <= 200


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "begun",
    [
        b"KALAH\r3\rC\rY\r",
        b"ATLAS\r3\rY\r",
        b"RUSSEL\rST\r",
        b"SILVER\r3\r4\r",
        b"SOLVE\r3\r2\rY\r",
        b"SOLVE\rGAME\rY\r",
        b"KALAH\rSPECIAL\r",
    ],
)
def test_a_game_that_is_left_gets_no_more(begun: bytes, seed: int, area: Area) -> None:
    """Then noise comes, three bytes a second."""
    chance = random.Random(seed)
    noise = [(90 + n / 3, chance.randbytes(1)) for n in range(1800)]
    wire = Wire([*keys(b"R " + begun, 15, gap=2), *noise])
    printed(wire, "33", area)
    assert len(wire.written(90).translate(None, b"\0\x11")) <= 200


@pytest.mark.parametrize("model, bits", [("33", 7), ("28", 5)])
def test_a_loop_gets_no_more(model: str, bits: int, area: Area) -> None:
    """One that garbles may return what is a command by accident."""
    for lost in ((), range(0, 10**6, 5)):
        for Garbling.flipped in range(0, 1 << bits, 21):
            assert len(printed(Garbling([], lost), model, area)) <= 200


@pytest.mark.parametrize("model", ["33", "28", "glass"])
def test_a_loop_that_comes_and_goes_gets_paper_once(model: str, area: Area) -> None:
    """At each return it proves to be a loop anew, and ONE LOOP costs paper, too."""
    for gap in (3, 8, 30, 120):
        wire = OneLoop([(when, Hangup) for when in range(3, 600, gap)])
        assert len(printed(wire, model, area)) <= 200


@pytest.mark.parametrize("model", ["33", "28", "glass"])
def test_a_loop_across_a_network_gets_no_more(model: str, area: Area) -> None:
    for seconds in (2.5, 3, 5, 8):
        wire = OneLoop([])
        wire.late = seconds
        assert len(printed(wire, model, area)) <= 200


def test_a_line_that_is_refused_a_few_times_gets_its_greeting(area: Area) -> None:
    """By a server that accepts and then closes: that costs no paper."""
    wire = Wire([(0.2 + 2.1 * times, Hangup) for times in range(6)])
    wire.settle = 0.5
    assert printed(wire, "33", area).endswith(f"{GREETING}\r\n.")


def heard(area: Area, *typed: str) -> str:
    """Return the paper of a 33 on which these lines are typed."""
    return printed(Wire(lines(*typed)), "33", area).replace("\r", "")


def test_whoever_errs_is_heard(area: Area) -> None:
    """After his second slip at a 33 he is told why it is silent."""
    paper = heard(area, "R KALAH", *["X"] * 5, "HELP", "3", "X", "C")
    wrong, _, right = paper.partition(SPENT)
    assert wrong.count("OR 6? X\n") == 2 and SPENT not in right
    assert right.startswith("TYPE ONE OF THESE") and right.endswith("START? ")
    assert right.count("TOURNAMENT? ") == 2


def test_two_short_answers_are_right_by_no_chance(area: Area) -> None:
    paper = heard(area, "R KALAH", *["X"] * 5, "3", "C")
    assert paper.endswith(f"{SPENT}DO YOU WISH TO START? ")


def test_whoever_starts_a_program_at_the_shell_is_there(area: Area) -> None:
    """On a pseudo-terminal, which counts as hung up until somebody opens it."""
    tty, wire = wired([(0.1, Hangup), (20, b"3\r"), (40, b"C\r")], "33")
    with suppress(Leave):
        Monitor(tty, area).serve("KALAH")
    assert wire.paper.endswith("C\r\n\0\0DO YOU WISH TO START? ")


@pytest.mark.parametrize("typed", ["?;/- U", "??; U", "DE EYWLBH", "PU XYLH"])
def test_a_command_of_a_letter_is_chance(typed: str, area: Area) -> None:
    """With a comment, or with the name of no file, as it comes from noise."""
    assert heard(area, *["XYZ"] * 20, typed).endswith(f".{SPENT}")


@pytest.mark.parametrize("gap", [0.1, 9])
def test_slips_now_and_then_are_all_answered(gap: float, area: Area) -> None:
    """Also where the next line is typed in haste."""
    typed = [b"R KALAH\r", b"3\r", b"C\r", b"Y\r", *[b"X\r", b"?\r"] * 9]
    times = [60 * (n // 2) + gap * (n % 2) + 9 for n in range(len(typed))]
    paper = printed(Wire([*zip(times, typed)]), "33", area)
    assert paper.count("MOVE PLEASE  >>>>>>>>?") == 8 and SPENT.strip() not in paper


def doubted(tty: Station, wire: Wire) -> None:
    """Ask as long as something is typed, of which nothing makes sense."""
    while wire.plan:
        tty.ask("? ")
        tty.doubt()


def test_whoever_waits_for_ten_minutes_is_answered_again() -> None:
    plan = [*lines(*["X" * 70] * 3), (70 + MINUTES, b"X"), (71 + MINUTES, b"\r")]
    tty, wire = wired(plan, "33")
    doubted(tty, wire)
    assert SPENT.strip() in wire.paper and wire.paper.rstrip("\0").endswith("X\r\n")


def test_a_page_is_typed_again_once_for_each_right_line() -> None:
    lost = [(50, Hangup), (99, Hangup), (200, Hangup)]
    typed = [(10, b"YES\r"), (150, b"2\r"), (250, b"3\r")]
    tty, wire = wired(sorted([*typed, *lost]), "33")
    assert tty.ask("? ") == "YES"
    board = "\n".join(["X" * 30] * 6)
    for answer in ("2", "3"):
        tty.type(board)
        assert tty.ask("? ") == answer
    assert wire.paper.count("X" * 30) == 5 * 6 and wire.paper.count(SPENT.strip()) == 1


def test_a_line_without_a_pace_is_a_terminal() -> None:
    tty, wire = wired([(n / 10, b"X\r") for n in range(99)])
    doubted(tty, wire)
    assert wire.paper.count("? ") > 90
