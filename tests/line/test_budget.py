"""What nobody reads: few characters in ten minutes, whatever the reason."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from sail.files.area import Area
from sail.line.budget import SPENT
from sail.line.discipline import BREAK
from sail.line.models import MODELS
from sail.line.ports import Hangup
from sail.monitor import visitors
from sail.monitor.dot import Monitor
from sail.teletype import Leave
from tests.line.virtual import OneLoop, Plan, Wire, attached, keys

MINUTES = 600.0  # ten of them
SHIFTS = {"28": b"\x1f\x1b"}
CHANCE = random.Random(3)
PLANS: dict[str, Plan] = {
    "noise": [(7 * n, CHANCE.choice([b"\0", b"\x7f", b"\xfe"])) for n in range(1, 85)],
    "any bytes": [(7 * n, CHANCE.randbytes(1)) for n in range(1, 85)],
    "a key that sticks": [(n / 10, b"\r") for n in range(10, 6000)],
    "an open line": [(n, [BREAK]) for n in range(1, 600)],
    "a line that comes and goes": [(n, Hangup) for n in range(3, 600, 3)],
    "slowly": [(n, Hangup) for n in range(3, 600, 11)],
}


class Garbling(OneLoop):
    """A loop in which each byte comes back changed."""

    flipped = 1

    def read(self, timeout: float) -> Sequence[int]:
        return [key ^ self.flipped for key in super().read(timeout)]


def printed(wire: Wire, model: str, folder: Path, by_visitors: bool = False) -> str:
    """Serve this line for ten minutes; return what was printed, without fillers."""
    made = MODELS[model]
    tty = attached(wire, made, made.baud)
    wire.end = MINUTES
    area = Area(str(folder))
    with suppress(Leave):
        if by_visitors:
            visitors.serve(tty, area)
        Monitor(tty, area).run(for_ever=True)
    sent = b"".join(data for when, data in wire.printed if when <= MINUTES)
    return sent.translate(None, SHIFTS.get(model, b"\0")).decode("latin1")


@pytest.mark.parametrize("model", ["33", "28", "LA36", "glass"])
@pytest.mark.parametrize("by_visitors", [False, True])
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_nobody_gets_200_characters_at_most(
    plan: Plan, by_visitors: bool, model: str, tmp_path: Path
) -> None:
    assert len(printed(Wire(plan), model, tmp_path, by_visitors)) <= 200


@pytest.mark.parametrize("model", ["33", "28", "LA36", "glass"])
@pytest.mark.parametrize("lost", [(), range(0, 10**6, 5)])
@pytest.mark.parametrize("flipped", [0, 1, 3, 12, 42])
def test_a_loop_gets_no_more(
    flipped: int, lost: Sequence[int], model: str, tmp_path: Path
) -> None:
    """One that garbles may return what is a command by accident."""
    wire = Garbling([], lost)
    wire.flipped = flipped
    assert len(printed(wire, model, tmp_path)) <= 200


def lines(*typed: str) -> Plan:
    """Plan to type these lines, one every ten seconds."""
    return [
        key
        for n, line in enumerate(typed, 1)
        for key in keys(line.encode() + b"\r", 20 * n)
    ]


def test_whoever_errs_is_heard(tmp_path: Path) -> None:
    """After his second slip at a 33 he is told why it is silent."""
    wire = Wire(lines("R KALAH", *["X"] * 5, "3", "X", "C"))
    paper = printed(wire, "33", tmp_path).replace("\r", "")
    wrong, _, right = paper.partition(SPENT)
    assert wrong.count("OR 6? X\n") == 2 and SPENT not in right
    assert right.startswith("WHAT LEVEL") and right.endswith("START? ")
    assert right.count("TOURNAMENT? ") == 2


def test_whoever_waits_for_ten_minutes_is_answered_again(tmp_path: Path) -> None:
    wire = Wire([*lines(*["X" * 70] * 3), (70 + MINUTES, b"X"), (71 + MINUTES, b"\r")])
    tty = attached(wire, MODELS["33"], 110)
    while wire.plan:
        tty.ask("? ")
        tty.doubt()
    assert SPENT.strip() in wire.paper and wire.paper.rstrip("\0").endswith("X\r\n")


def test_a_page_is_typed_again_once_for_each_right_line() -> None:
    lost = [(50, Hangup), (99, Hangup), (200, Hangup)]
    wire = Wire(sorted([(10, b"1\r"), (150, b"2\r"), (250, b"3\r"), *lost]))
    tty = attached(wire, MODELS["33"], 110)
    assert tty.ask("? ") == "1"
    board = "\n".join(["X" * 30] * 6)
    for answer in ("2", "3"):
        tty.type(board)
        assert tty.ask("? ") == answer
    assert wire.paper.count("X" * 30) == 4 * 6 and wire.paper.count(SPENT.strip()) == 1


def test_a_line_without_a_pace_is_a_terminal(tmp_path: Path) -> None:
    wire = Wire([(n / 10, b"X\r") for n in range(99)])
    tty = attached(wire)
    while wire.plan:
        tty.ask("? ")
        tty.doubt()
    assert wire.paper.count("? ") > 90
