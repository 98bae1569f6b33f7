"""The tally of exercises that were solved at the first try."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sail.files import tally
from sail.files.area import Area
from sail.refusal import Refusal
from tests.errors import refused

FIRST = "SOLVED AT THE FIRST TRY, FORM 1\n"
KNOWN = f"{FIRST}LEARN 1 2 3\nSTUDY 1 7 48\n"


@pytest.fixture
def area(tmp_path: Path) -> Area:
    return Area(str(tmp_path))


def test_the_text_of_a_tally() -> None:
    """Written now, and read for ever."""
    numbers = {"STUDY": {48, 1, 7}, "LEARN": {1, 2, 3}}
    assert tally.write(numbers) == KNOWN
    assert tally.parse(KNOWN) == numbers


def test_long_lists_take_several_lines() -> None:
    numbers = {"STUDY": set(range(1, 49)), "Z": {99999}}
    text = tally.write(numbers)
    assert tally.parse(text) == numbers
    assert text.count("STUDY ") == 3 and max(map(len, text.split("\n"))) <= 72


def test_exercises_are_added(area: Area) -> None:
    assert tally.solved(area, "STUDY") == set()
    for name, number in (("STUDY", 7), ("STUDY", 1), ("LEARN", 2), ("STUDY", 7)):
        tally.add(area, name, number)
    assert tally.solved(area, "STUDY") == {1, 7}
    assert area.read("KALAH.TAL") == f"{FIRST}LEARN 2\nSTUDY 1 7\n"


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "KALAH.TAL IS DAMAGED AT LINE 1."),
        (FIRST[:-1], "KALAH.TAL IS DAMAGED AT LINE 1."),
        ("SOLVED\n", "KALAH.TAL IS DAMAGED AT LINE 1."),
        ("STUDY 1\n" + FIRST, "KALAH.TAL IS DAMAGED AT LINE 1."),
        (FIRST + "STUDY 1\nstudy 2\n", "KALAH.TAL IS DAMAGED AT LINE 3."),
        (FIRST + "\nSTUDY 1\n", "KALAH.TAL IS DAMAGED AT LINE 2."),
        (FIRST + "STUDY\n", "KALAH.TAL IS DAMAGED AT LINE 2."),
        (FIRST + "STUDY 0\n", "KALAH.TAL IS DAMAGED AT LINE 2."),
        (FIRST + "STUDY  1\n", "KALAH.TAL IS DAMAGED AT LINE 2."),
        (FIRST + "STUDY 1,2\n", "KALAH.TAL IS DAMAGED AT LINE 2."),
        (FIRST + "STUDY 1 2", "KALAH.TAL IS DAMAGED AT LINE 2."),
        (FIRST + FIRST, "KALAH.TAL IS DAMAGED AT LINE 2."),
        (
            FIRST.replace("1", "2") + "WHATEVER\n",
            "KALAH.TAL IS OF FORM 2: IT IS NEITHER USED NOR CHANGED.",
        ),
    ],
)
def test_what_cannot_be_read_is_not_overwritten(
    text: str, says: str, area: Area
) -> None:
    area.write("KALAH.TAL", text)
    with refused(Refusal, says):
        tally.solved(area, "STUDY")
    with refused(Refusal, says):
        tally.add(area, "STUDY", 1)
    assert area.read("KALAH.TAL") == text


ADDS = """
import sys
from sail.files.area import Area
from sail.files import tally
for number in range(int(sys.argv[2]), 41, 4):
    tally.add(Area(sys.argv[1]), "STUDY", number)
"""


def test_sessions_at_once(area: Area) -> None:
    """Each addition is one transaction, so none is lost."""
    processes = [
        subprocess.Popen([sys.executable, "-c", ADDS, area.folder, str(first)])
        for first in (1, 2, 3, 4)
    ]
    assert [process.wait() for process in processes] == [0, 0, 0, 0]
    assert tally.solved(area, "STUDY") == set(range(1, 41))
