"""The levels: what they may use, and that each sees what it should."""

from __future__ import annotations

import pytest

from sail.board import Position, start
from sail.engine.levels import LEVELS
from sail.engine.search import Search
from tests.bench.strength import labelled, scaled


@pytest.mark.source("AKC-10300")
def test_levels_and_their_time() -> None:
    most = [level.limit.seconds for level in LEVELS]
    assert [level.name for level in LEVELS] == [
        "C", "B", "A", "MASTER", "TOURNAMENT",
    ]  # fmt: skip
    for seconds, allowed in zip(most, (0.1, 0.3, 3, 6, 15)):
        assert seconds is not None and seconds < allowed


def test_labels_are_sound() -> None:
    cases = labelled()
    assert len(cases) == 240
    for position, values in cases:
        assert tuple(values) == position.legal
        assert 26 <= position.in_play <= 42
        assert all(abs(value) <= position.in_play for value in values.values())
        assert {value % 2 for value in values.values()} == {position.in_play % 2}


def test_labels_are_those_that_the_search_proves() -> None:
    proved = 0
    for position, values in labelled()[::11]:
        found = Search(65_521).find(position, scaled(LEVELS[2].limit, 0.2))
        assert found.low <= max(values.values()) <= found.high
        if found.proved:
            assert values[found.pit] == found.value
        proved += found.proved
    assert proved


def test_low_levels_keep_the_value_often_enough() -> None:
    cases = labelled()[::3]
    for level, share in ((LEVELS[0], 0.7), (LEVELS[1], 0.8)):
        kept = 0
        for position, values in cases:
            limit = level.limit._replace(seconds=None)
            found = Search(65_521).find(position, limit)
            kept += values[found.pit] == max(values.values())
        assert kept / len(cases) >= share


def test_every_level_plays_a_forced_move_at_once() -> None:
    position = Position(((0, 5, 0, 0, 0, 0), start(4).rows[1]))
    for level in LEVELS:
        found = Search().find(position, level.limit)
        assert (found.pit, found.effort) == (2, 0)
