"""TTY TEST: what the paper of a machine shows, and the settings that follow."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from sail.files.area import Area
from sail.line.models import MODELS
from sail.line.station import Station, raise_stopped
from sail.monitor import trial
from sail.monitor.dot import Monitor
from sail.settings import changed
from sail.teletype import Leave
from tests import paper
from tests.errors import Capture
from tests.line.virtual import OneLoop, attached, lines, wired
from tests.machines import MACHINES
from tests.person import Answers, Desk, Person

RIGHT = "ARE ALL CHARACTERS RIGHT, Y OR N? "
FEEDS = "ARE BLANK LINES BETWEEN THEM, Y OR N? "
LAST_CLEAR = "WHAT IS THE LAST CLEAR LETTER AFTER ----? "
FIRST_LEFT = "A TO E: THE FIRST LETTER AT THE LEFT? "


def echo(lines: Sequence[str]) -> str:
    answered = next(line for line in lines[::-1] if RIGHT.strip() in line)
    times = len(answered[len(RIGHT) :])
    return ("NOT", "ONCE", "TWICE")[times] + "\r"


def last_clear(lines: Sequence[str]) -> str:
    ruler = next(line for line in lines[::-1] if line.startswith("-" * 9))
    clear = re.match("-*([A-Z]*)", ruler)
    return f"{clear and clear[1][-1:] or trial.NONE}\r"


def first_left(lines: Sequence[str]) -> str:
    whole = (line[0] for line in lines if re.fullmatch("[A-E]-{7}", line))
    return next(whole, trial.NONE) + "\r"


READ: Answers = {  # by what stands on the paper
    RIGHT: "Y\r",
    "DID THAT PRINT ONCE, TWICE OR NOT? ": echo,
    FEEDS: lambda lines: "NY"[lines[lines.index(trial.RYRY) + 1] == ""] + "\r",
    LAST_CLEAR: last_clear,
    "IS THERE 7 I, NOT 7 8, Y OR N? ": lambda lines: "NY"["7 I" in lines] + "\r",
    FIRST_LEFT: first_left,
}


NEXT_TIME = 'Next time: --set "{}"\n'
WORDS = ("THE QUICK BROWN FOX AND THE 7 LAZY DOGS " * 8).strip() + "\n" + "X" * 200


def owned(name: str, words: str = "", **traits: float) -> tuple[Station, Desk]:
    """Return the teletype that is set so, and the desk where its owner sits."""
    desk = Desk(MACHINES[name](**traits), Person(answers=READ))
    tty = attached(desk, name)
    tty.set(words)
    return tty, desk


def trouble(tty: Station, desk: Desk) -> list[int]:
    """Type and ask something; count what an owner would complain of.

    That is: characters in flight, characters struck over others, empty lines, an
    answer that is not printed once, an answer that is misread.
    """
    machine, question, answer = desk.machine, "WHAT? ", "A 7 8"
    desk.sleep(9)
    machine.faults.clear()
    first = len(machine.paper)
    tty.type(WORDS)
    desk.person.script.append(("", f"{answer}\r"))  # or it may be misprinted
    read = tty.ask(question)
    desk.sleep(9)
    lines = machine.paper[first:]
    faults = " ".join(machine.faults)
    return [
        faults.count("in flight"),
        faults.count("struck over"),
        lines[:-1].count(""),
        lines[-2:].count(question + answer) != 1,
        read != answer,
    ]


@pytest.mark.source("TTY-TEST")
@pytest.mark.parametrize(
    "model, wrong, found",
    [
        ("33 feeds", "LF", "FILL 2 WIDTH 72 NO LF ECHO"),
        ("33 loop", "LOOP", "FILL 1 WIDTH 72 LF LOOP"),
        ("33", "LOOP", "FILL 1 WIDTH 72 LF NO LOOP ECHO"),
        ("33 carriage=7.5", "", "FILL 6 WIDTH 72 LF ECHO"),
        ("33 carriage=1.0 columns=44", "FILL 9", "NO FILL WIDTH 44 LF ECHO"),
        ("33 carriage=3.4 columns=65", "WIDTH 132 NO LF", "FILL 2 WIDTH 65 LF ECHO"),
        ("33 local columns=132", "NO ECHO", "NO FILL WIDTH 72 LF NO ECHO"),
        ("33 local feeds carriage=6", "WIDTH 80", "FILL 5 WIDTH 72 NO LF NO ECHO"),
        ("28 carriage=4.6 columns=69", "USOS", "FILL 3 WIDTH 69 LF NO ECHO NO USOS"),
        ("28 columns=80", "FILL 1 NO LF", "NO FILL WIDTH 72 LF NO ECHO NO USOS"),
        ("15 feeds carriage=2.2", "NO USOS", "FILL 2 WIDTH 72 NO LF NO ECHO USOS"),
        ("15 columns=65", "WIDTH 132 ECHO", "NO FILL WIDTH 65 LF NO ECHO USOS"),
        ("T100", "USOS", "NO FILL WIDTH 69 LF NO ECHO NO USOS"),
        ("T100 feeds carriage=5", "", "FILL 4 WIDTH 69 NO LF NO ECHO NO USOS"),
        ("glass", "FILL 9 WIDTH 44", "NO FILL WIDTH 72 LF ECHO"),
        ("glass", "WIDTH 80", "NO FILL WIDTH 80 LF ECHO"),
    ],
)
def test_what_is_found_is_typed_and_set(
    model: str, wrong: str, found: str, capsys: Capture
) -> None:
    """Then the machine types and reads without trouble."""
    model, *words = model.split()
    traits = (word.partition("=") for word in words)
    values = {name: json.loads(value or "true") for name, _, value in traits}
    tty, desk = owned(model, wrong, **values)
    trial.run(tty, paper.asker_of(tty))
    assert tty.settings == changed(MODELS[model].settings, found)
    assert not any(trouble(tty, desk))
    assert f"TTY {found}" in desk.machine.paper
    assert capsys.readouterr().err == NEXT_TIME.format(found)


@pytest.mark.parametrize(
    "answers, found",
    [
        ("YES YES YES Z A", "FILL 1 WIDTH 72 NO LF ECHO"),
        ("NO TW NO N B", "FILL 1 WIDTH 61 LF NO ECHO"),
        ("Y Y N NO NONE NO NO", "FILL 6 WIDTH 44 LF ECHO"),  # the narrowest line
    ],
)
def test_what_people_answer_is_understood(
    answers: str, found: str, capsys: Capture
) -> None:
    tty, _ = wired(lines(*answers.split()))
    trial.run(tty, paper.asker_of(tty))
    assert capsys.readouterr().err == NEXT_TIME.format(found)


@pytest.mark.parametrize("question", [LAST_CLEAR, FIRST_LEFT])
def test_a_wrong_answer_is_refused_without_trouble(question: str) -> None:
    """On a narrow paper, whose carriage is slow."""
    tty, desk = owned("33", carriage=7.5, columns=44)
    read, faults = READ[question], []

    def answer(lines: Sequence[str]) -> str:
        faults.append(len(desk.machine.faults))
        return read(lines) if callable(read) and len(faults) > 1 else "9\r"

    desk.person.answers = {**READ, question: answer}
    trial.run(tty, paper.asker_of(tty))
    assert faults[0] == faults[1]
    _, _, after = "\n".join(desk.machine.paper).partition(f"{question}9\n")
    assert re.match("TYPE A TO [ZE] OR NONE.\n", after)


@paper.each("ours-trial-*.txt")
def test_the_paper_and_its_seconds(file: Path) -> None:
    """Some four minutes at 45 baud, three at 110, with the answers."""
    name = file.stem.rpartition("-")[2]
    tty, desk = owned(name)
    trial.run(tty, paper.asker_of(tty))
    desk.sleep(9)
    paper.compare(file, lambda _: "\n".join([*desk.machine.paper, ""]))
    assert desk.seconds < {"33": 180, "15": 240, "T100": 260}[name]
    assert "received" not in str(desk.machine.faults)


@pytest.mark.parametrize("key", [b"\x03", b"\x1a"])
def test_whoever_gives_up_keeps_the_settings(area: Area, key: bytes) -> None:
    typed = [b"TTY TEST\r", b"N\r", b"TWICE\r", b"R\r", b"N\r", b"R\r", key, b"TTY\r"]
    tty, wire = wired(list(enumerate(typed, 1)))
    before = tty.settings
    with pytest.raises(Leave):
        Monitor(tty, area).serve()
    assert tty.settings == before
    text = wire.paper.replace("\0", "")
    assert f"{RIGHT}N\r\nTHEN TRY --BAUD" in text
    assert f"TYPE YES OR NO.\r\n{FEEDS}" in text
    assert text.count("\r\n.") == 3 and text.endswith("NO CTS\r\n.")


def test_a_test_given_up_leaves_the_owner_without_a_loop_that_was_found() -> None:
    tty = attached(OneLoop([(300, b"\x03")]), "33")
    tty.on_pause = raise_stopped
    tty.type(WORDS)
    before = tty.settings
    assert before.loop
    trial.run(tty, paper.asker_of(tty))
    assert tty.settings == before
    tty.driver.begin_anew(tty.owner_settings)
    assert tty.settings == MODELS["33"].settings
