"""Whole games on emulated machines, with what a person would see on the paper."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from sail.files.area import Area
from sail.line.models import MODELS
from sail.monitor import registry, visitors
from sail.monitor.dot import Monitor
from sail.teletype import Leave
from tests import paper
from tests.line.virtual import attached
from tests.machines import MACHINES, Machine
from tests.person import Answers, Desk, Person
from tests.stand_ins import NOW, standing_still


@pytest.fixture(autouse=True)
def thinks_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have KALAH, the only program here, reply alike on a busy machine."""
    alike = partial(registry.load("KALAH"), game_time=lambda: NOW, clock=standing_still)
    monkeypatch.setattr(registry, "load", lambda _: alike)


class Seat(NamedTuple):
    """A machine, how the program is set for it, and what its keyboard is like.

    model, words: after --model and --set.
    rubbed: what stands on the paper after AX and the key that deletes.
    """

    model: str
    words: str = ""
    traits: Mapping[str, bool] = {}
    rubbed: str = "AX\\X"
    rubout: str = "\x7f"
    stop: str = "\x03"
    arrow: str = ">"

    @property
    def machine(self) -> Machine:
        return MACHINES[self.model](**self.traits)


FIVE = Seat("15", "", {}, "AX/X/", "\0", "\a", ")")
SEATS = {
    "33": Seat("33"),
    "33-tabs": Seat("33", "TABS", {"tabs": True}),
    "33-brief": Seat("33", "BRIEF TABS", {"tabs": True}),
    "33-loop": Seat("33", "LOOP", {"loop": True}, rubbed="AX\\X\\"),
    "LA36": Seat("LA36", "TABS"),
    "15": FIVE,
    "15-loop": FIVE._replace(words="LOOP", traits={"loop": True}),
    "28": FIVE._replace(model="28", words="NO USOS TABS"),
    "T100": FIVE._replace(model="T100"),
    "VT100": Seat("glass", rubbed="A"),
    "VT52": Seat("VT52", "TABS", rubbed="A"),
}
SAME_PAPER = dict.fromkeys(("33-tabs", "33-loop", "LA36"), "33")
SAME_PAPER |= {"28": "15", "15-loop": "15", "VT52": "VT100"}


def game(seat: Seat) -> Person:
    """Return a person who makes mistakes in a short game."""
    level, start, move = "TOURNAMENT? ", "START? ", seat.arrow * 8
    script = [
        (".", "R KALAH\r"), ("OR 6? ", "E\r"), ("OR 6? ", "SPECIAL\r"),
        ("1-6? ", "7 0 0 1 0 2 1\r"), ("1-6? ", "8 0 2 0 0 0 1\r"),
        (level, "?\r"), (level, "LEVEL C\r"),
        (level, "AX" + seat.rubout), (seat.rubbed, "\r"),
        (start, "MAYBE\r"), (start, "Y\r"),
        (move, "9\r"), (move, seat.stop), (".", "CONTINUE\r"), (move, "5\r"),
        *[("CR" + seat.arrow, "\r")] * (0 if "BRIEF" in seat.words else 2),
        (move, "4\r"), ("GAME? ", "N\r"), (".", ""),
    ]  # fmt: skip
    return Person(script)


def played(
    seat: Seat, person: Person, area: Area, model: str = "", by_visitors: bool = False
) -> Desk:
    """Return the desk after this person has sat at it, in virtual time.

    model: another than that of the machine.
    """
    desk = Desk(seat.machine, person)
    station = attached(desk, model or seat.model)
    station.set(seat.words)
    with suppress(Leave):
        if by_visitors:
            visitors.serve(station, area)
        Monitor(station, area).serve()
    return desk


@pytest.mark.parametrize(
    "name, words, minutes",
    [
        *(("33-tabs", "", 11), ("33-tabs", "TABS", 7), ("33-tabs", "BRIEF", 4)),
        *(("15", "", 20), ("15", "BRIEF", 9)),
    ],
)
def test_the_minutes_of_paper_in_readme(
    name: str, words: str, minutes: int, area: Area
) -> None:
    """Of one lost game of six stones, without anybody's thinking."""
    seat, pits = SEATS[name], iter("121312221314")
    answers: Answers = {
        "OR 6? ": "6\r",
        "TOURNAMENT? ": "C\r",
        "START? ": "Y\r",
        f"CR{seat.arrow}": "\r",
        "GAME? ": "N\r",
        seat.arrow * 3: lambda _: f"{next(pits)}\r",
    }
    desk = Desk(seat.machine, Person([(".", "R KALAH\r")], answers))
    tty, model = attached(desk, seat.model, 0), MODELS[seat.model]
    tty.set(words)
    with pytest.raises(Leave):
        Monitor(tty, area).serve()
    assert round(desk.characters * model.framing.length / model.baud / 60) == minutes
    assert [*pits] == []
    if (name, words) == ("33-tabs", ""):
        assert desk.characters // 100 == 63


def transcript(name: str) -> Path:
    return paper.TRANSCRIPTS / f"ours-line-{SAME_PAPER.get(name, name)}.txt"


@pytest.mark.source("TTY-5-USOS", "TTY-5-BLANK", "TTY-VT100-XOFF")
@pytest.mark.source("MON-TABS", "TTY-5-FIGS")
@pytest.mark.parametrize("name", [name for name in SEATS if "loop" not in name])
def test_a_game_with_slips(name: str, area: Area) -> None:
    """The paper is as a person would want it, and the machine notes no fault.

    On five levels E is 3 without FIGS.
    """
    seat = SEATS[name]
    person = game(seat)
    machine = played(seat, person, area).machine
    text = "\n".join([*machine.paper, ""])
    if name == "LA36":
        text = text.replace("^", "↑")  # which it has not
    paper.compare(transcript(name), lambda _: text)
    assert not machine.faults and not person.script
    assert machine.bells == (seat.stop == "\a")


@pytest.mark.source("TTY-5-CODE", "TTY-ITA2", "TTY-33-CHARACTERS", "TTY-33-PARITY")
@pytest.mark.parametrize("name", ["33", "15", "28", "T100", "VT100"])
def test_each_character_is_read_and_printed_as_it_stands_on_its_key(
    name: str, area: Area
) -> None:
    """The monitor types back what it does not know; ; begins a comment."""
    keys = "".join(sorted(SEATS[name].machine.keys - {";"}))
    typed, wanted = [], []
    for word in (f"X{keys[first::6]}" for first in range(6)):
        typed += [(".", f"{word}\r"), (".", "TTY BELL\r")]
        wanted += [f".{word}", f"{word.upper()}?", ".TTY BELL"]
    machine = played(SEATS[name], Person([*typed, (".", "")]), area).machine
    assert machine.paper[1:] == [*wanted, "."]
    assert not machine.faults and not machine.bells


@pytest.mark.source("TTY-33-FILL", "TTY-33-EDGE", "TTY-TELEX", "TTY-5-LACKS")
@pytest.mark.parametrize("name", ["33-loop", "T100", "VT100"])
def test_a_part_of_a_manual_without_trouble(name: str, area: Area) -> None:
    person = Person([(".", "HELP LINE MACHINES\r"), (".", "")])
    machine = played(SEATS[name], person, area).machine
    assert len(machine.paper) > 30 and not machine.faults and not machine.bells


@pytest.mark.source("TTY-LOOP")
@pytest.mark.parametrize("name", ["33-loop", "15-loop"])
def test_one_loop_is_found_and_the_game_goes_on(name: str, area: Area) -> None:
    """A few lines of nonsense, one that names TTY LOOP, and then no trouble."""
    seat = SEATS[name]._replace(words="")
    machine = played(seat, game(seat), area).machine
    wanted = transcript(name).read_text("utf-8").splitlines()[1:]
    before = machine.paper[: -len(wanted)]
    assert machine.paper[len(before) :] == wanted and not machine.faults
    assert len(list(filter(None, before))) <= 4 and "TTY LOOP" in before[-1]


@pytest.mark.parametrize("name, words", [("33-loop", "LOOP"), ("15-loop", "")])
def test_one_loop_is_no_visitor(name: str, words: str, area: Area) -> None:
    """What the machine types wakes it no more, once it is known to come back."""
    person = Person([("", "\r"), ("", "PLAY\r"), ("NEVER", "")])
    seat = SEATS[name]._replace(words=words)
    machine = played(seat, person, area, by_visitors=True).machine
    text = "\n".join(machine.paper)
    assert text.count("FIRST GAME.") == 1 and text.count(visitors.NEXT) == 2


@pytest.mark.parametrize(
    "name, model, words, trouble",
    [
        ("33", "33", "NO FILL", "in flight"),
        ("33", "33", "WIDTH 80", "struck over"),
        ("33", "utf8", "FILL", "received"),
        ("15", "33", "", "received"),
        ("T100", "15", "", "bell"),
        ("VT100", "utf8", "", "received"),
    ],
)
def test_a_machine_that_is_set_wrongly_shows_it(
    name: str, model: str, words: str, trouble: str, area: Area
) -> None:
    seat = SEATS[name]._replace(words=words)
    text = "ABC " * (20 if "WIDTH" in words else 9)
    person = Person([(".", "TTY\r"), (".", text + seat.stop), (".", "")])
    machine = played(seat, person, area, model).machine
    troubles = [*machine.faults, *["bell"] * machine.bells]
    assert any(trouble in each for each in troubles), machine.paper
