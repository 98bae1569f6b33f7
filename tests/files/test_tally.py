"""The tally of exercises that were solved at the first try."""

from __future__ import annotations

from pathlib import Path

import pytest

from sail.files import seal, tally
from sail.files.area import Area
from sail.refusal import Refusal
from tests.errors import refused
from tests.havoc import together

OLDER = "SOLVED AT THE FIRST TRY, FORM 1\n"


@pytest.fixture
def area(tmp_path: Path) -> Area:
    return Area(str(tmp_path))


def test_the_text_of_a_tally() -> None:
    """Written now, and read for ever; older ones had no seal."""
    numbers = {"STUDY": {48, 1, 7}, "LEARN": {1, 2, 3}}
    lines = "LEARN 1 2 3\nSTUDY 1 7 48\n"
    text = seal.sealed(f"SOLVED AT THE FIRST TRY\n{lines}")
    assert tally.write(numbers) == text
    assert tally.parse(text) == tally.parse(OLDER + lines) == numbers


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
    text = "SOLVED AT THE FIRST TRY\nLEARN 2\nSTUDY 1 7\n"
    assert area.read("KALAH.TAL") == seal.sealed(text)


@pytest.mark.parametrize(
    "text, line",
    [
        ("", 1),
        ("SOLVED\n", 1),
        (OLDER.replace("1", "2") + "WHATEVER\n", 2),
        (OLDER + "STUDY 1\nstudy 2\n", 3),
        (OLDER + "\nSTUDY 1\n", 2),
        (OLDER + "STUDY\n", 2),
        (OLDER + "STUDY 0\n", 2),
        (OLDER + "STUDY 1 2", 2),
        (seal.sealed(OLDER), 2),
        (seal.sealed("SOLVED AT THE FIRST TRY\nSTUDY ONE\n"), 2),
        (tally.write({"STUDY": {1}}).replace("1\n", "2\n", 1), 3),
    ],
)
def test_what_cannot_be_read_is_not_overwritten(
    text: str, line: int, area: Area
) -> None:
    area.write("KALAH.TAL", text)
    says = f"KALAH.TAL IS DAMAGED AT LINE {line}."
    with refused(Refusal, says):
        tally.solved(area, "STUDY")
    with refused(Refusal, says):
        tally.add(area, "STUDY", 1)
    assert area.read("KALAH.TAL") == text


def test_sessions_at_once(area: Area) -> None:
    """Each addition is one transaction, so none is lost."""
    pytest.importorskip("fcntl")

    def add(first: int) -> None:
        for number in range(first + 1, 41, 4):
            tally.add(Area(area.folder), "STUDY", number)

    assert together(4, add) == 0
    assert tally.solved(area, "STUDY") == set(range(1, 41))
