"""The levels: what they may use, and that each sees what it should."""

from __future__ import annotations

import pytest

from sail.board import Position, start
from sail.engine.levels import LEVELS
from sail.engine.limit import Limit
from sail.engine.search import Search
from tests.bench.strength import labelled


@pytest.mark.source("AKC-10300")
def test_levels_and_their_time() -> None:
    most = [level.limit.seconds for level in LEVELS]
    assert [level.name for level in LEVELS] == [
        "C", "B", "A", "MASTER", "TOURNAMENT",
    ]  # fmt: skip
    for seconds, allowed in zip(most, (0.1, 0.3, 3, 6, 15)):
        assert seconds is not None and seconds < allowed
    assert [level.limit.endgames for level in LEVELS[2:]] == [10, 12, 14]


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


def test_c_and_b_keep_the_value_often_enough() -> None:
    cases = labelled()[::5]
    for level, share in ((LEVELS[0], 0.7), (LEVELS[1], 0.8)):
        kept = 0
        for position, values in cases:
            limit = level.limit._replace(seconds=None)
            found = Search().find(position, limit)
            kept += values[found.pit] == max(values.values())
        assert kept / len(cases) >= share


@pytest.mark.source("AKC-10300")
def test_time_alone_limits_a_and_above() -> None:
    for level in LEVELS[2:]:
        assert level.limit.depth is None and level.limit.effort is None


def test_no_level_errs_less_with_more_stones_in_play() -> None:
    for level in LEVELS:
        errors = [level.error(in_play) for in_play in range(2, 145)]
        assert errors == sorted(errors)


@pytest.mark.parametrize(
    "levels, errors",
    [
        ((0,), {2: 2.2, 13: 2.5, 17: 3.7, 21: 4.5}),
        ((1,), {2: 0.0, 17: 1.0, 21: 1.6, 25: 2.6, 43: 4.5}),
        ((2, 3, 4), {2: 0.0, 26: 0.5, 34: 0.7, 38: 0.9, 43: 4.5}),
    ],
)
def test_the_errors_that_were_measured(
    levels: tuple[int, ...], errors: dict[int, float]
) -> None:
    """errors: by the fewest stones in play at which there is that error."""
    for number in levels:
        steps: dict[int, float] = {}
        for in_play in range(2, 145):
            error = LEVELS[number].error(in_play)
            if error not in steps.values():
                steps[in_play] = error
        assert steps == errors


def test_no_position_is_both_labelled_and_unseen() -> None:
    unseen = {case.position.rows for case in labelled("unseen.txt")}
    assert len(unseen) == 200
    assert not unseen & {case.position.rows for case in labelled()}


def test_every_level_plays_a_forced_move_at_once() -> None:
    position = Position(((0, 5, 0, 0, 0, 0), start(4).rows[1]))
    for level in LEVELS:
        found = Search().find(position, level.limit)
        assert (found.pit, found.effort) == (2, 0)
