"""The search against plain minimax, and its limits."""

from __future__ import annotations

import itertools
import random
import time
from zlib import crc32

import pytest

from sail.board import PAPER, STANDARD, Position, start
from sail.engine.estimate import UNIT, Estimate
from sail.engine.limit import Budget, Limit
from sail.engine.moves import MoveTable, bits_for
from sail.engine.search import ENDGAMES, RANKED, Finding, Search
from sail.stop import Stopped
from tests.positions import minimax, random_game, value_of, with_counts, with_stones

SLOTS = 65_521


def small_positions(seed: int, count: int, stones: int = 9) -> list[Position]:
    """Positions of 2 to so many stones, 1 to 6 pits a side."""
    chance = random.Random(seed)
    return [
        with_stones(
            chance,
            chance.randint(2, stones),
            chance.randint(1, 6),
        )
        for _ in range(count)
    ]


def find(position: Position, depth: int | None = None, slots: int = SLOTS) -> Finding:
    """The finding of a new search."""
    return Search(slots).find(position, Limit(depth=depth))


def test_values_are_those_of_minimax() -> None:
    searches: dict[int, Search] = {}
    for position in small_positions(1, 2000, stones=8):
        search = searches.setdefault(position.pits, Search(SLOTS))
        found = search.find(position, Limit())
        assert found.low <= minimax(position) <= found.high
        assert found.pit in position.legal
        if len(position.legal) > 1:
            assert found.proved
            assert found.value == found.low == value_of(position, found.pit)


def test_bounds_hold_at_every_depth() -> None:
    for number, position in enumerate(small_positions(2, 600)):
        found = find(position, depth=2 + number % 4, slots=997)
        assert found.low <= minimax(position) <= found.high
        assert found.low <= found.value <= found.high


def test_no_weight_is_lost_or_changed() -> None:
    """What 0 to 14 stones in each pit are worth to the mover, and against him."""
    estimate = Estimate(6, 4)
    own = [[estimate(n << 4 * pit, 0) for n in range(15)] for pit in range(6)]
    other = [[estimate(0, n << 4 * pit) for n in range(15)] for pit in range(6)]
    assert own[0] == [7, 19, -17, -19, -23, -19, -11, 3, 25, 31, 55, 79, 91, 85, 85]
    assert other[0][:8] == [7, -3, 19, 21, 21, 21, 11, -3]
    assert crc32(repr((own, other)).encode()) == 1964551471


def seen(position: Position, depth: int) -> int:
    """The difference at the end in UNIT, as it looks so deep, without any cut."""
    mover = position.mover
    if position.over:
        return (position.score[mover] - position.score[1 - mover]) * UNIT
    lead = (position.kalahs[mover] - position.kalahs[1 - mover]) * UNIT
    if depth == 0:
        bits = bits_for(position.stones)
        rows = MoveTable(position.pits, bits).packed(position)
        return lead + Estimate(position.pits, bits)(*rows)
    values = []
    for pit in position.legal:
        after = position.play(pit)
        again = after.mover == mover
        value = seen(after, depth if again else depth - 1)
        values.append(value if again else -value)
    stones = position.in_play * UNIT
    value = max(lead - stones, *values)
    return value if depth == 1 else min(lead + stones, value)


@pytest.mark.parametrize("depth", range(2, 6))
def test_a_depth_sees_every_line_of_it(depth: int) -> None:
    search = Search(SLOTS)
    for position in small_positions(5, 600 // depth**2, stones=24):
        if len(position.legal) < 2:
            continue
        found = search.find(position, Limit(depth=depth))
        if found.depth < depth:  # proved before
            continue
        value = seen(position, depth)
        # Made odd, a value is 1 less than it was.
        assert search.reaches(position, value - 1, depth)
        assert not search.reaches(position, value + 2, depth)


def test_table_on_and_off_agree() -> None:
    for position in small_positions(3, 400):
        if len(position.legal) > 1:
            assert find(position).value == find(position, slots=1).value


def test_null_and_open_window_agree() -> None:
    for position in small_positions(4, 300):
        if len(position.legal) < 2:
            continue
        search = Search(SLOTS)
        found = search.find(position, Limit())
        assert search.reaches(position, found.value * UNIT, 100)
        assert not search.reaches(position, found.value * UNIT + 1, 100)
        assert minimax(position) == found.value


@pytest.mark.source("M22-WIN3")
def test_one_and_two_stones_are_proved() -> None:
    assert [find(start(stones)).value for stones in (1, 2)] == [2, 6]
    assert find(start(2)).proved


@pytest.mark.source("M22-WIN3")
def test_openings_of_three_stones_are_worth_what_is_known() -> None:
    bounds = []
    for pit in range(1, 7):
        after = start(3).play(pit)
        found = Search().find(after, Limit(effort=6_000))
        if after.mover:
            bounds.append((-found.high, -found.low))
        else:
            bounds.append((found.low, found.high))
    known = (0, 2, -2, -10, -16, -14)
    assert all(low <= value <= high for value, (low, high) in zip(known, bounds))


def test_many_stones_in_one_pit() -> None:
    for row in ((0, 0, 2, 0, 70, 0), (144, 0, 0, 0, 1, 0), (0, 31, 0, 0, 0, 32)):
        position = Position((row, (1, 0, 2, 0, 0, 1)))
        found = Search().find(position, Limit(effort=5_000))
        assert found.pit in position.legal
        assert found.low <= found.value <= found.high


def test_rows_that_others_searched_change_nothing() -> None:
    position = start(4).play(1)
    findings = []
    for other in (start(4), start(6)):
        Search(SLOTS).find(other, Limit(effort=3_000))
        findings.append(Search(SLOTS).find(position, Limit(effort=20_000)))
    assert findings[0] == findings[1]


def test_rows_of_one_kind_are_kept_at_a_time() -> None:
    Search(SLOTS).find(start(4), Limit(effort=2_000))
    Search(SLOTS).find(start(4, pits=5), Limit(effort=100))
    assert list(RANKED) == [(5, 6)]


def test_a_search_goes_from_one_kind_of_rows_to_another() -> None:
    search = Search(SLOTS)
    for position in (start(2), start(2, pits=5), start(1), start(2)):
        assert search.find(position, Limit()) == find(position)


@pytest.mark.source("AKC-10300")
def test_a_forced_move_is_found_at_once() -> None:
    found = Search().find(Position(((0, 0, 3, 0, 0, 0), (4,) * 6)), Limit())
    assert (found.pit, found.effort) == (3, 0)


def test_a_finished_game_has_no_move() -> None:
    with pytest.raises(ValueError, match="^the game is over$"):
        Search().find(Position(((0,) * 6, (4,) * 6)), Limit())


def test_the_rule_of_the_paper_is_refused() -> None:
    with pytest.raises(ValueError, match="^no search for the rule of the paper$"):
        Search(SLOTS).find(start(3, rules=PAPER), Limit(depth=2))


def test_the_same_limit_gives_the_same_finding() -> None:
    position = start(6).play(1)
    for limit in (Limit(effort=7_000), Limit(depth=6)):
        assert Search().find(position, limit) == Search().find(position, limit)


@pytest.mark.parametrize(
    "seed, stones, pits, pit, value, effort",
    [
        (0, 6, 6, 6, 5, 13_871),
        (1, 5, 6, 4, 7, 3_262),
        (2, 4, 6, 4, 4, 15_630),
        (3, 3, 6, 4, 6, 3_873),
        (4, 6, 6, 1, 20, 9_144),
        (5, 4, 5, 3, 7, 1_578),
        (6, 5, 4, 1, 3, 1_664),
        (7, 6, 6, 3, 11, 40_518),
    ],
)
def test_no_more_positions_are_searched_than_were(
    seed: int, stones: int, pits: int, pit: int, value: int, effort: int
) -> None:
    """Counted, for a lost order of moves or a lost cut changes no value.

    Eight plies deep, from positions of games at random; every second search
    has endgames.  Who changes the search on purpose writes the new counts.
    """
    nodes = list(random_game(random.Random(seed), start(stones, pits, STANDARD)))
    position = nodes[min(3 * seed, len(nodes) // 2)]
    found = Search().find(position, Limit(depth=8, endgames=6 * (seed % 2)))
    assert (found.pit, found.value, found.effort) == (pit, value, effort)


@pytest.mark.parametrize(
    "seed, stones, pits, value, depth, effort",
    [
        (20, 3, 6, -6, 46, 28_339),
        (22, 5, 6, 22, 30, 32_846),
        (23, 4, 5, -12, 30, 2_715),
        (25, 3, 6, 6, 30, 25_015),
        (111, 3, 6, 22, 32, 3_854),
        (115, 4, 6, -8, 32, 26_547),
    ],
)
def test_a_proof_costs_no_more_than_it_did(
    seed: int, stones: int, pits: int, value: int, depth: int, effort: int
) -> None:
    """From 14 or 16 plies the steps are long; at most 24 stones are in play."""
    nodes = random_game(random.Random(seed), start(stones, pits, STANDARD))
    position = next(p for p in nodes if p.in_play <= 24 and len(p.legal) > 2)
    found = Search().find(position, Limit())
    assert found.low == found.value == found.high == value
    assert (found.depth, found.effort) == (depth, effort)


@pytest.mark.parametrize(
    "counts, depth, values, effort",
    [((0, 0, 1, 2, 3, 6, 13), 4, 506, 51_858), ((0, 12, 13, 14, 20), 4, 1252, 68_585)],
)
def test_whole_laps_and_last_stones_cost_no_more_than_they_did(
    counts: tuple[int, ...], depth: int, values: int, effort: int
) -> None:
    """Over a hundred positions: the sums of the values and of the efforts."""
    chance = random.Random(17)
    positions = [with_counts(chance, counts) for _ in range(100)]
    found = [find(position, depth) for position in positions if not position.over]
    assert sum(finding.value for finding in found) == values
    assert sum(finding.effort for finding in found) == effort


def test_few_rows_remembered_change_no_finding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = start(4, rules=STANDARD)
    finding = find(position, depth=6)
    RANKED.clear()
    monkeypatch.setattr("sail.engine.ranked.CAPACITY", 200)
    monkeypatch.setattr("sail.engine.ranked.DROPPED", 50)
    assert find(position, depth=6) == finding
    (rows,) = RANKED.values()
    assert 150 < len(rows) <= 200
    RANKED.clear()


def test_an_estimate_is_rounded_to_the_nearest_stone() -> None:
    half = UNIT // 2
    for position in small_positions(16, 60, stones=40):
        found = find(position, depth=2)
        if len(position.legal) > 1 and not found.proved:
            value = found.value * UNIT
            assert Search(SLOTS).reaches(position, value - half, 2)
            assert not Search(SLOTS).reaches(position, value + half, 2)


def test_depth_and_effort_are_kept() -> None:
    for depth in (2, 3, 4, 7):
        assert find(start(4), depth).depth == depth
    found = Search().find(start(4), Limit(effort=5_000))
    assert 5_000 <= found.effort < 5_500


def test_the_line_can_be_played() -> None:
    found = find(start(4), depth=8)
    position = start(4)
    assert found.line[0] == found.pit and len(found.line) == 3
    for pit in found.line:
        position = position.play(pit)


def test_a_fake_clock_ends_the_search() -> None:
    ticks = iter(range(1_000_000))
    found = Search().find(start(6), Limit(seconds=5), clock=lambda: next(ticks))
    assert 5_000 < found.effort < 15_000
    assert next(ticks) == 6


def test_a_stop_ends_the_search_and_may_raise() -> None:
    search = Search(SLOTS)
    looks = itertools.count()
    found = search.find(start(6), Limit(), stop=lambda: next(looks) == 5)
    assert found.pit in range(1, 7)
    assert 8_000 < found.effort < 15_000

    def hang_up() -> bool:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        search.find(start(6), Limit(), stop=hang_up)
    assert search.find(start(2), Limit()).value == 6


@pytest.mark.parametrize("row", [(6,) * 6, (0, 0, 2, 0, 70, 0), (0, 144, 1, 1, 1, 1)])
def test_the_time_limit_for_real(row: tuple[int, ...]) -> None:
    """On a clock that other processes do not move."""
    began = time.process_time()
    position = Position((row, (6, 0, 6, 0, 6, 6)))
    Search(SLOTS).find(position, Limit(seconds=0.4), time.process_time)
    assert time.process_time() - began < 0.9


def test_a_limit_that_is_used_up_still_gives_a_move() -> None:
    assert Search(SLOTS).find(start(4), Limit(seconds=0.0)).pit in range(1, 7)


def test_a_budget_is_looked_at_in_time() -> None:
    budget = Budget(Limit(effort=2_500))
    assert [budget.look(effort) for effort in (0, 2_000)] == [2_000, 2_500]
    with pytest.raises(Stopped):
        budget.look(2_500)
    ticking = itertools.count().__next__
    budget = Budget(Limit(seconds=2), ticking)
    assert not budget.spent() and budget.spent()


def test_endgames_change_no_proof() -> None:
    for position in small_positions(14, 400):
        for few in (2, 3, 5):
            found = Search(SLOTS).find(position, Limit(endgames=few))
            if len(position.legal) > 1:
                assert found.low == found.high == minimax(position)
            assert value_of(position, found.pit) == minimax(position)
    for position in small_positions(15, 300):
        found = Search(SLOTS).find(position, Limit(endgames=4, depth=2))
        assert found.low <= minimax(position) <= found.high


def test_a_stop_ends_the_building_of_endgames() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 1

    position = start(6, rules=STANDARD)
    found = Search().find(position, Limit(endgames=11), stop=stop)
    assert found.depth == 2 and found.pit in position.legal and len(asked) == 2
    assert Search().find(position, Limit(endgames=3, effort=5_000)).effort >= 5_000


def test_endgames_that_are_no_help_are_not_built() -> None:
    """Those of the position itself would tell its value and no move."""
    position = with_stones(random.Random(18), 6)
    for endgames, built in ((6, []), (5, [5]), (2, [2]), (1, []), (0, [])):
        ENDGAMES.clear()
        Search(SLOTS).find(position, Limit(depth=4, endgames=endgames))
        assert [stones for *_, stones in ENDGAMES] == built


def test_endgames_take_a_part_of_the_time_only() -> None:
    """On a clock that runs too fast for the larger database it is not built."""
    position = start(3, pits=5, rules=STANDARD)
    ENDGAMES.clear()
    Search().find(position, Limit(seconds=30, effort=3_000, endgames=9))
    assert [stones for *_, stones in ENDGAMES] == [5, 9]
    ENDGAMES.clear()
    ticking = itertools.count().__next__
    Search().find(position, Limit(seconds=70, effort=3_000, endgames=9), ticking)
    assert [stones for *_, stones in ENDGAMES] == [5]


@pytest.mark.parametrize(
    "seconds, stones", [(80, 9), (79, 8), (40, 8), (39, 7), (10, 6), (9, 5), (1, 5)]
)
def test_a_stone_more_is_taken_to_need_twice_the_time(
    seconds: int, stones: int
) -> None:
    """The database of 5 stones took 1 s; a fifth of the seconds is for another."""
    position = start(3, pits=5, rules=STANDARD)
    ENDGAMES.clear()
    Search(SLOTS).find(position, Limit(depth=2, endgames=5))
    ((kind, (database, _)),) = ENDGAMES.items()
    ENDGAMES[kind] = database, 1.0
    limit = Limit(seconds=seconds, depth=2, endgames=9)
    Search(SLOTS).find(position, limit)
    assert max(stones for *_, stones in ENDGAMES) == stones
    ENDGAMES.clear()
