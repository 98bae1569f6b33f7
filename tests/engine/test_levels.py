"""The levels; how often they keep the value .ci/run has tests.bench.strength check."""

from __future__ import annotations

import re
from math import inf

import pytest

from sail.engine.levels import C_LIMIT, EASIEST, LEVELS, Limit, error_of
from sail.engine.search import Search
from sail.monitor import visitors
from sail.programs.kalah import says as kalah
from sail.talk import manuals
from tests.bench.strength import TESTS, labelled, promised


def test_levels_are_complete_and_all_texts_recommend_that_for_beginners() -> None:
    assert ", ".join(kalah.LISTED_LEVELS) == ", ".join(LEVELS)
    assert all(LEVELS[level.referee.name] is level.referee for level in LEVELS.values())
    assert list(promised()) == ["C", "B", "A", "TOURNAMENT"]  # by the bench, of README
    readme = (TESTS.parent / "README.txt").read_text("utf-8")
    for text in (readme, visitors.GREETING, manuals.find("KALAH THE LEVELS")):
        says = "(?:Level|TYPE 3, THEN) ([A-Z]+)(?: is for your first|, THEN Y)"
        assert re.findall(says, " ".join(text.split())) == [EASIEST.name]


@pytest.mark.parametrize(
    "effort, in_play, error",
    [
        (11_999, 12, 6), (11_999, 20, 8), (12_000, 15, 2), (399_999, 24, 4),
        (399_999, 36, 6), (400_000, 24, 2), (400_000, 40, 2), (400_000, 43, 8),
    ],
)  # fmt: skip
def test_a_search_errs_as_a_level_that_searches_as_much(
    effort: int, in_play: int, error: int
) -> None:
    """One and a half times its root mean square, an even number of stones."""
    assert error_of(effort, in_play) == error


def test_a_value_comes_with_the_error_of_its_search() -> None:
    """B's searches reach the effort of its errors, unless they prove the value."""
    for position, _ in labelled()[::24]:
        for limit, error in (C_LIMIT, 8), (LEVELS["B"].limit, 6):
            found = Search().find(position, limit._replace(seconds=inf))
            assert found.value.error == (0 if found.value.proved else error)


def test_labels_are_sound_and_what_the_search_proves() -> None:
    """No position is in both files."""
    files = labelled(), labelled("unseen.txt")
    assert [len(cases) for cases in files] == [240, 200]
    cases = [*files[0], *files[1]]
    assert len({position.rows for position, _ in cases}) == 440
    for position, values in cases:
        assert tuple(values) == position.legal
        assert 26 <= position.in_play <= 42
        assert all(abs(value) <= position.in_play for value in values.values())
        assert {value % 2 for value in values.values()} == {position.in_play % 2}
    proved = 0
    for position, values in labelled()[::11]:
        found = Search().find(position, Limit(effort=3_000))
        assert found.value.low <= max(values.values()) <= found.value.high
        if found.value.proved:
            assert values[found.variation[0]] == found.value.likely
        proved += found.value.proved
    assert proved


def test_chance_decides_between_equal_moves() -> None:
    """C's are worth the same number of stones, as searches of the moves find it."""
    limit, used, several = LEVELS["C"].limit._replace(seconds=inf), Search(), 0
    for position, _ in labelled()[::24]:
        if any(len(position.play(pit).legal) == 1 for pit in position.legal):
            continue  # a single move is not searched
        seeds = [f"GAME {number}" for number in range(8)]
        pits = {used.find(position, limit, seed=seed).variation[0] for seed in seeds}
        worth = {}
        for pit in position.legal:
            after = position.play(pit)
            again = after.mover == position.mover
            found = Search().find(after, limit._replace(depth=2 + again)).value.likely
            worth[pit] = found if again else -found
        best = {pit for pit in worth if worth[pit] == max(worth.values())}
        assert pits <= best
        several += len(pits) > 1
    assert several


@pytest.mark.parametrize("name", ["C", "B"])
def test_the_same_lot_finds_the_same_move(name: str) -> None:
    """Whatever the search has found before; so it does in the next session."""
    limit, used = LEVELS[name].limit._replace(seconds=inf), Search()
    for position, _ in labelled()[::80]:
        found = used.find(position, limit, seed="GAME 1")
        assert Search().find(position, limit, seed="GAME 1") == found
