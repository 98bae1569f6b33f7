"""The levels: their limits, their errors, and how often they keep the value."""

from __future__ import annotations

import pytest

from sail.board import Position, start
from sail.engine.levels import LEVELS, Level
from sail.engine.limit import Limit
from sail.engine.search import Search
from tests.bench.strength import labelled
from tests.conftest import Pins


@pytest.mark.source("AKC-10300")
def test_levels_and_their_time() -> None:
    """Time alone limits A and above."""
    names = "C", "B", "A", "MASTER", "TOURNAMENT"
    for level, name, most in zip(LEVELS, names, (0.1, 0.3, 3, 6, 15)):
        assert level.name == name
        assert level.limit.seconds is not None and level.limit.seconds < most
    assert LEVELS[2:] == tuple(
        level._replace(limit=Limit(level.limit.seconds, endgames=stones))
        for level, stones in zip(LEVELS[2:], (10, 12, 14))
    )


@pytest.mark.parametrize("file, count", [("labelled.txt", 240), ("unseen.txt", 200)])
def test_labels_are_sound(file: str, count: int) -> None:
    cases = labelled(file)
    assert len(cases) == count
    for position, values in cases:
        assert tuple(values) == position.legal
        assert 26 <= position.in_play <= 42
        assert all(abs(value) <= position.in_play for value in values.values())
        assert {value % 2 for value in values.values()} == {position.in_play % 2}


def test_labels_are_those_that_the_search_proves() -> None:
    proved = 0
    for position, values in labelled()[::11]:
        found = Search().find(position, Limit(effort=3_000))
        assert found.low <= max(values.values()) <= found.high
        if found.proved:
            assert values[found.pit] == found.value
        proved += found.proved
    assert proved


@pytest.mark.parametrize("number, step, share", [(0, 2, 0.7), (1, 10, 0.8)])
def test_c_and_b_keep_the_value_often_enough(
    number: int, step: int, share: float, pinned: Pins
) -> None:
    """step: every second or tenth labelled position is tried."""
    cases = labelled()[::step]
    level = LEVELS[number]
    kept = 0
    for position, values in cases:
        pit = Search().find(position, level.limit._replace(seconds=None)).pit
        kept += values[pit] == max(values.values())
    assert kept / len(cases) >= share
    pinned(f"level {level.name} keeps", kept)


@pytest.mark.parametrize(
    "levels, errors",
    [
        (LEVELS[:1], {2: 2.2, 13: 2.5, 17: 3.7, 21: 4.5}),
        (LEVELS[1:2], {2: 0.0, 17: 1.0, 21: 1.6, 25: 2.6, 43: 4.5}),
        (LEVELS[2:], {2: 0.0, 26: 0.5, 34: 0.7, 38: 0.9, 43: 4.5}),
    ],
)
def test_the_measured_errors(
    levels: tuple[Level, ...], errors: dict[int, float]
) -> None:
    """errors: by the fewest stones in play that have that error."""
    for level in levels:
        by_error = {level.error(in_play): in_play for in_play in range(144, 1, -1)}
        assert {in_play: error for error, in_play in by_error.items()} == errors


def test_no_position_is_both_labelled_and_unseen() -> None:
    files = labelled(), labelled("unseen.txt")
    rows = {case.position.rows for cases in files for case in cases}
    assert len(rows) == 440


def test_every_level_plays_a_forced_move_at_once() -> None:
    position = Position(((0, 5, 0, 0, 0, 0), start(4).rows[1]))
    for level in LEVELS:
        found = Search().find(position, level.limit)
        assert (found.pit, found.effort) == (2, 0)
