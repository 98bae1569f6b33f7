"""The rules, as each source gives them."""

from __future__ import annotations

import random

import pytest

from sail.board import (
    ISK_RULES,
    KALAH_RULES,
    STANDARD_RULES,
    IllegalMove,
    Position,
    Rules,
    opening,
)
from tests.positions import repeats, with_counts


@pytest.mark.source("AKC-00900")
def test_start() -> None:
    assert opening(6) == Position(((6,) * 6, (6,) * 6), (0, 0), 0, KALAH_RULES)
    assert opening(6).stones == 72
    assert opening(3, 1).rows == ((3,), (3,)) and opening(0, 2).rows == ((0, 0), (0, 0))


@pytest.mark.source("AKC-05900", "AKC-02100")
def test_example_of_the_manual() -> None:
    again = opening(3).play(3)
    assert again == Position(((4, 4, 0, 3, 3, 3), (3,) * 6), (1, 0), 0)
    captured = again.play(6)
    # The manual prints a last row of 3 3 3 3 3 3, which has 39 stones in all.
    assert captured == Position(((4, 4, 0, 4, 4, 0), (3, 3, 3, 0, 3, 3)), (5, 0), 1)
    bad = captured.play(1)
    assert bad == Position(((4, 4, 0, 4, 5, 1), (0, 3, 3, 0, 3, 3)), (5, 1), 0)
    three = bad.play(4).play(5).play(6)
    assert three.kalahs == (11, 1) and three.mover == 1
    assert three.rows[1][1] == 0 < bad.rows[1][1] == 3


@pytest.mark.source("AKC-01500", "AKC-01700", "APN-BOARD", "BELL-II.SOW")
def test_sowing_skips_the_other_kalah() -> None:
    position = Position(((0, 0, 0, 0, 0, 20), (1,) * 6), (2, 3)).play(6)
    assert position.rows == ((2, 2, 2, 2, 2, 1), (2, 2, 2, 2, 2, 3))
    assert position.kalahs == (4, 3) and position.stones == 31


@pytest.mark.source("AKC-02000", "APN-3B", "BELL-II.1")
@pytest.mark.parametrize("pit", range(1, 7))
def test_last_stone_in_the_kalah_plays_again(pit: int) -> None:
    for stones in (pit, pit + 13):
        row = [1] * 6
        row[pit - 1] = stones
        position = Position((tuple(row), (1,) * 6))
        assert repeats(position, pit) and position.play(pit).mover == 0


@pytest.mark.source("AKC-02100", "M22-RULES", "BELL-II", "APN-3C", "ISK-RULES")
def test_capture_and_the_empty_pit_opposite() -> None:
    rows = ((0, 1, 0, 0, 0, 5), (2, 2, 2, 2, 0, 2))
    standard = Position(rows, rules=STANDARD_RULES).play(2)
    assert standard.kalahs == (3, 0) and standard.rows[1] == (2, 2, 2, 2, 0, 0)
    rows = ((0, 1, 0, 0, 0, 5), (2, 2, 2, 2, 2, 0))
    standard = Position(rows, rules=STANDARD_RULES).play(2)
    assert standard.kalahs == (0, 0) and standard.rows[0] == (1, 0, 0, 0, 0, 5)
    paper = Position(rows, rules=ISK_RULES).play(2)
    assert paper.kalahs == (1, 0) and paper.rows[0] == (0, 0, 0, 0, 0, 5)
    assert standard.mover == paper.mover == 1


@pytest.mark.source("BELL-II.13", "ISK-RULES")
@pytest.mark.parametrize("rules", [STANDARD_RULES, ISK_RULES])
def test_thirteen_stones_always_capture(rules: Rules) -> None:
    rnd = random.Random(13)
    for pit in (1, 2, 3, 4, 5, 6) * 30:
        row = [rnd.randint(0, 4) for _ in range(6)]
        row[pit - 1] = 13
        other = rnd.randint(0, 4), 1, 2, rnd.randint(0, 4), 0, rnd.randint(0, 4)
        after = Position((tuple(row), other), rules=rules).play(pit)
        assert after.kalahs[0] == 1 + 1 + other[6 - pit] + 1
        assert after.rows[0][pit - 1] == 0 and after.rows[1][6 - pit] == 0


@pytest.mark.source("AKC-05000")
def test_end_by_majority() -> None:
    """Half of the stones is none."""
    half = Position(((1, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)), (4, 1))
    assert half.stones == 8 and not half.over
    assert half._replace(kalahs=(1, 4)).legal == (1, 2)
    ended = half._replace(kalahs=(5, 0))
    assert ended.over and ended.legal == () and ended.score == (5, 0)
    assert half._replace(kalahs=(0, 5)).over
    assert not ended._replace(rules=STANDARD_RULES).over


@pytest.mark.source("AKC-05000", "APN-3A", "BELL-II.END", "ISK-RULES")
@pytest.mark.parametrize("mover", [0, 1])
def test_end_by_an_empty_row_whoever_moves(mover: int) -> None:
    position = Position(((0,) * 6, (1, 2, 0, 0, 0, 0)), (3, 3), mover)
    assert position.over and position.score == (3, 6)
    assert position._replace(rows=position.rows[::-1]).score == (6, 3)


def test_illegal_moves() -> None:
    """No such pit, an empty one, and any once the game is over."""
    a_is_out = Position(((0,) * 6, (1,) * 6))
    for position in opening(3).play(3), a_is_out, a_is_out._replace(mover=1):
        for pit in (0, 7, -1, 99, 3) if position.mover == 0 else (1, 6):
            with pytest.raises(IllegalMove):
                position.play(pit)


@pytest.mark.parametrize("rules", [KALAH_RULES, STANDARD_RULES, ISK_RULES])
def test_random_games_keep_every_stone(rules: Rules) -> None:
    rnd = random.Random(1972)
    for _ in range(80):
        position = with_counts(rnd, (0, 1, 2, 3, 40), rnd.randint(1, 6), rules)
        stones = position.stones
        while not position.over:
            assert position.legal
            pit = rnd.choice(position.legal)
            after = position.play(pit)
            assert after.stones == stones == position.stones
            mover, other = position.mover, 1 - position.mover
            assert after.kalahs[other] == position.kalahs[other]
            assert after.kalahs[mover] >= position.kalahs[mover]
            assert (after.mover == mover) == repeats(position, pit)
            position = after
        ended_by_row = not all(map(any, position.rows))
        assert sum(position.score) == (stones if ended_by_row else sum(position.kalahs))
