"""The tally of exercises that were solved at the first try."""

from __future__ import annotations

import pytest

from sail.files import tally
from sail.files.area import Area
from sail.files.seal import Damaged
from tests.errors import refused
from tests.havoc import together


def test_the_text_of_a_tally() -> None:
    numbers = {"STUDY": {48, 1, 7}, "LEARN": {1, 2, 3}}
    lines = "LEARN 1 2 3\nSTUDY 1 7 48\n"
    assert tally.text_of(numbers) == lines
    assert tally.parse(lines) == numbers
    # Long lists take several lines.
    numbers = {"STUDY": set(range(1, 49)), "Z": {99999}}
    text = tally.text_of(numbers)
    assert tally.parse(text) == numbers
    assert text.count("STUDY ") == 3 and max(map(len, text.split("\n"))) <= 72


@pytest.mark.parametrize(
    "text", ["\nSTUDY 1", "STUDY", "STUDY 0", "STUDY ONE", "STUDY 1\f", "study 2"]
)
def test_what_cannot_be_read_is_not_overwritten(text: str, area: Area) -> None:
    for before, line in ("", 2), ("LEARN 1\n", 3):
        area.write("KALAH.TAL", f"{before}{text}\n")
        there = area.read("KALAH.TAL", sealed=False)
        with refused(Damaged, str(Damaged("KALAH.TAL", line))):
            tally.solved(area, "STUDY.POS")
        with refused(Damaged, str(Damaged("KALAH.TAL", line))):
            tally.add(area, "STUDY.POS", 1)
        assert area.read("KALAH.TAL", sealed=False) == there


def test_sessions_at_once(area: Area) -> None:
    """Each addition is one transaction, so none is lost."""
    pytest.importorskip("fcntl")

    def add(first: int) -> None:
        for number in range(first + 1, 41, 4):
            tally.add(Area(area.folder), "STUDY.POS", number)

    assert together(4, add) == 0
    assert tally.solved(area, "STUDY.POS") == set(range(1, 41))
