"""TTY TEST: what the paper of a machine shows, and the settings that follow."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from sail.files.area import Area
from sail.line.models import MODELS
from sail.line.settings import words
from sail.line.station import Station
from sail.monitor import trial
from sail.monitor.dot import Monitor
from tests import paper
from tests.line.virtual import Script, attached, wired
from tests.machines import (
    ITA2_FIGURES,
    VT100,
    Desk,
    FiveLevel,
    Machine,
    Model33,
    Person,
)


class Owner(Person):
    """Somebody who types TTY TEST, answers from the paper, and types TTY."""

    def __init__(self) -> None:
        super().__init__([(".", "TTY TEST\r"), (".", "HELP KJOB\r"), (".", "")])
        self.desk: Desk | None = None
        self.before: list[str] = []  # the machine's faults during the test
        self.at_the_dot: list[float] = []  # when each dot was answered

    def answer(self, machine: Machine) -> str:
        text = "\n".join(machine.paper)
        answers = {
            trial.RIGHT: "Y",
            trial.FEEDS: "NY"["RYRY\n\n" in text],
            trial.LAST_CLEAR: (re.findall("(?:RY){23}.*?([A-Z])(?:█|\n)", text) or "Z")[
                -1
            ],
            trial.UNSHIFTS: "NY"["7 I\n" in text],
            trial.FIRST_WHOLE: next(
                (
                    c
                    for c in "ABCDE"
                    if f"'{c}' struck in flight" not in str(machine.faults)
                ),
                "NONE",
            ),
        }
        for question, answer in answers.items():
            seen = (len(machine.paper), machine.line)
            if machine.line.endswith(question.strip() + " ") and seen != self._answered:
                self._answered = seen
                if question == trial.FIRST_WHOLE:
                    self.before = machine.faults[:]
                    machine.faults.clear()
                return f"{answer}\r"
        answer = super().answer(machine)
        if answer and self.desk:
            self.at_the_dot.append(self.desk.seconds)
        return answer


def tried(
    machine: Machine, model: str, wrong: str, folder: Path, baud: float | None = None
) -> tuple[str, Owner]:
    """Return the settings that the test leaves, and the owner."""
    owner = Owner()
    owner.desk = desk = Desk(machine, owner)
    tty = attached(desk, MODELS[model], baud or MODELS[model].baud)
    tty.set(wrong)
    Monitor(tty, Area(str(folder))).run(for_ever=True)
    assert not owner.answers, machine.paper
    assert "received" not in str(owner.before)  # a code that it may not get
    return " ".join(words(tty.settings)), owner


def model_28(unshifts: bool = False) -> Machine:
    return FiveLevel(unshifts=unshifts)


def t100() -> Machine:
    return FiveLevel(ITA2_FIGURES, False, 69, 50)


@pytest.mark.source("TTY-TEST")
@pytest.mark.parametrize(
    "made, model, wrong, found",
    [
        pytest.param(Model33, "33", "NO FILL", "FILL 1 WIDTH 72 LF", id="no fill"),
        pytest.param(Model33, "33", "WIDTH 80", "FILL 1 WIDTH 72 LF", id="too wide"),
        pytest.param(Model33, "33", "NO LF", "FILL 1 WIDTH 72 LF", id="no feed"),
        pytest.param(
            lambda: Model33(feeds=True), "33", "LF", "FILL 2 WIDTH 72 NO LF", id="fed"
        ),
        pytest.param(model_28, "28", "USOS", "NO FILL WIDTH 72 LF NO USOS", id="USOS"),
        pytest.param(
            lambda: model_28(True), "28", "NO USOS", "NO FILL WIDTH 72 LF USOS", id="28"
        ),
        pytest.param(
            t100, "T100", "USOS WIDTH 80", "NO FILL WIDTH 69 LF NO USOS", id="T100"
        ),
        pytest.param(
            lambda: FiveLevel(unshifts=False, feeds=True),
            "15",
            "USOS FILL 4 WIDTH 50",
            "FILL 1 WIDTH 72 NO LF NO USOS",
            id="15",
        ),
        pytest.param(
            VT100, "glass", "FILL 9 WIDTH 44", "NO FILL WIDTH 72 LF", id="screen"
        ),
        pytest.param(VT100, "glass", "WIDTH 80", "NO FILL WIDTH 80 LF", id="wide"),
    ],
)
def test_the_settings_of_a_machine_that_is_set_wrongly(
    made: Callable[[], Machine], model: str, wrong: str, found: str, tmp_path: Path
) -> None:
    machine = made()
    left, _ = tried(machine, model, wrong, tmp_path)
    right = Station(Script(""), MODELS[model])
    right.set(found)
    assert left == " ".join(words(right.settings))
    assert f"TTY {found}" in machine.paper and not machine.faults
    assert machine.bells == 0


def test_a_carriage_that_needs_more_than_four_fillers(tmp_path: Path) -> None:
    machine = Model33()
    machine.rate = 30
    left, _ = tried(machine, "33", "", tmp_path, baud=330)
    assert left.startswith("FILL 6 ") and not machine.faults


@pytest.mark.parametrize(
    "name, made, model, most",
    [
        ("33", Model33, "33", 180),
        ("28", lambda: model_28(True), "28", 240),
        ("T100", t100, "T100", 240),
        ("15", model_28, "15", 240),
    ],
)
def test_the_paper_and_its_seconds(
    name: str, made: Callable[[], Machine], model: str, most: float, tmp_path: Path
) -> None:
    """Four minutes at 45 baud, three at 110, with the answers."""
    machine = made()
    _, owner = tried(machine, model, "", tmp_path)
    file = paper.TRANSCRIPTS / f"ours-trial-{name}.txt"
    paper.compare(file, lambda _: "\n".join([*machine.paper, ""]))
    begun, ended = owner.at_the_dot
    assert ended - begun < most
    in_flight = {fault[1] for fault in owner.before if "in flight" in fault}
    assert in_flight <= set(trial.LETTERS)


@pytest.mark.parametrize("keys", ["^C", "^Z"])
def test_whoever_gives_up_keeps_the_settings(tmp_path: Path, keys: str) -> None:
    key = bytes([ord(keys[1]) - 64])
    typed = [b"TTY TEST\r", b"N\r", b"W\r", key, b"TTY\r"]
    tty, wire = wired(list(enumerate(typed, 1)))
    before = tty.settings
    monitor = Monitor(tty, Area(str(tmp_path)))
    monitor.run(for_ever=True)
    assert tty.settings == before and tty.on_stop == monitor._stop
    text = wire.paper.replace("\0", "")
    assert f"{trial.OTHER_LINE}\r\n{trial.FEEDS}W\r\nTYPE ONE OF Y N.\r\n" in text
    assert text.count("\r\n.") == 3 and text.endswith("NO CTS\r\n.")


@pytest.mark.parametrize(
    "last, columns, width",
    [("Z", 72, 72), ("Y", 72, 72), ("X", 72, 71), ("A", 72, 48), ("NONE", 72, 44)]
    + [("Z", 132, 132), ("Q", 80, 72), ("NONE", 132, 72)],
)
def test_the_width_that_a_letter_means(last: str, columns: int, width: int) -> None:
    assert trial._width(last, columns) == width


def test_capitals_are_tried_once_where_there_is_no_lower_case() -> None:
    tty = Station(Script(""), MODELS["glass"])
    assert set("Aa~") <= set(trial._characters(tty))
    tty.set("NO FULL")
    typed = trial._characters(tty).upper()
    assert "A" in typed and len(typed) == len(set(typed))
