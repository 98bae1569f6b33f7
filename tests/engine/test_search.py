"""The search against plain minimax, and its limits."""

from __future__ import annotations

import itertools
import random
import time

import pytest

from sail.board import PAPER, STANDARD, Position, Rules, start
from sail.engine.moves import MoveTable, fullest_safe
from sail.engine.ranked import ROWS_DROPPED, UNIT, RankedMoves, TooFull
from sail.engine.search import (
    ENDGAMES,
    SMALL_TABLE_SLOTS,
    Finding,
    Limit,
    OutOfLimit,
    Search,
)
from tests.positions import minimax, value_of, with_stones

LARGE = SMALL_TABLE_SLOTS + 1  # slots: searches share their rows from here on


def small_positions(seed: int, count: int, stones: int = 9) -> list[Position]:
    """Positions of 2 to so many stones, 1 to 6 pits a side, both capture rules."""
    chance = random.Random(seed)
    return [
        with_stones(
            chance,
            chance.randint(2, stones),
            chance.randint(1, 6),
            chance.choice([STANDARD, PAPER]),
        )
        for _ in range(count)
    ]


def find(
    position: Position, depth: int | None = None, slots: int = SMALL_TABLE_SLOTS
) -> Finding:
    """The finding of a new search."""
    return Search(slots).find(position, Limit(depth=depth))


def test_values_are_those_of_minimax() -> None:
    searches: dict[tuple[int, Rules], Search] = {}
    for position in small_positions(1, 2000):
        key = position.pits, position.rules
        search = searches.setdefault(key, Search(SMALL_TABLE_SLOTS))
        found = search.find(position, Limit())
        assert found.low <= minimax(position) <= found.high
        assert found.pit in position.legal
        if len(position.legal) > 1:
            assert found.proved
            assert found.value == found.low == value_of(position, found.pit)


def test_bounds_hold_at_every_depth() -> None:
    for number, position in enumerate(small_positions(2, 600)):
        found = find(position, depth=1 + number % 5, slots=997)
        assert found.low <= minimax(position) <= found.high
        assert found.low <= found.value <= found.high


def seen(search: Search, position: Position, depth: int) -> int:
    """The difference at the end in UNIT, as it looks so deep, without any cut."""
    mover = position.mover
    if position.over:
        return (position.score[mover] - position.score[1 - mover]) * UNIT
    lead = (position.kalahs[mover] - position.kalahs[1 - mover]) * UNIT
    if depth == 0:
        pack = search._rows.pack
        own, other = pack(position.rows[mover]), pack(position.rows[1 - mover])
        return lead + search._estimate(own, other, 0, 0, 0)
    values = []
    for pit in position.legal:
        after = position.play(pit)
        again = after.mover == mover
        value = seen(search, after, depth if again else depth - 1)
        values.append(value if again else -value)
    stones = position.in_play * UNIT
    value = max(lead - stones, *values)
    return value if depth == 1 else min(lead + stones, value)


@pytest.mark.parametrize("depth", range(1, 6))
def test_a_depth_sees_every_line_of_it(depth: int) -> None:
    search = Search(SMALL_TABLE_SLOTS)
    for position in small_positions(5, 600 // depth**2, stones=24):
        if len(position.legal) < 2:
            continue
        found = search.find(position, Limit(depth=depth))
        if found.depth < depth:  # proved before
            continue
        mover = position.mover
        lead = (position.kalahs[mover] - position.kalahs[1 - mover]) * UNIT
        stones = position.in_play * UNIT
        value = min(stones, seen(search, position, depth) - lead)
        pack = search._rows.pack
        own, other = pack(position.rows[mover]), pack(position.rows[1 - mover])
        # Made odd, a value is 1 less than it was.
        assert search._value(own, other, stones, depth, value - 1) >= value - 1
        assert search._value(own, other, stones, depth, value + 2) < value + 2


def test_table_on_and_off_agree() -> None:
    for position in small_positions(3, 400):
        if len(position.legal) > 1:
            assert find(position).value == find(position, slots=1).value


def test_null_and_open_window_agree() -> None:
    for position in small_positions(4, 300):
        if len(position.legal) < 2:
            continue
        search = Search(SMALL_TABLE_SLOTS)
        found = search.find(position, Limit())
        own = search._rows.pack(position.rows[position.mover])
        other = search._rows.pack(position.rows[1 - position.mover])
        lead = position.kalahs[position.mover] - position.kalahs[1 - position.mover]
        value = (found.value - lead) * UNIT
        stones = position.in_play * UNIT
        at_least = search._value(own, other, stones, 100, value)
        below = search._value(own, other, stones, 100, value + 1)
        assert at_least == below == value
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


def test_wide_and_narrow_rows_agree() -> None:
    for position in small_positions(5, 100):
        if len(position.legal) < 2:
            continue
        search = Search(997)
        narrow = search.find(position, Limit())
        search._lay_out(position, Limit(), wide=True)
        assert search._rows.bits == position.in_play.bit_length()
        search._clock, search._stop = time.perf_counter, lambda: False
        wide = search._deepen(position, Limit())
        assert wide.value == narrow.value == minimax(position)


def test_many_stones_in_one_pit() -> None:
    for row in ((0, 0, 2, 0, 70, 0), (144, 0, 0, 0, 1, 0), (0, 31, 0, 0, 0, 32)):
        position = Position((row, (1, 0, 2, 0, 0, 1)))
        found = Search().find(position, Limit(effort=5_000))
        assert found.pit in position.legal
        assert found.low <= found.value <= found.high


def test_where_narrow_rows_have_no_room_a_proof_takes_wide_ones(monkeypatch) -> None:
    monkeypatch.setattr("sail.engine.search.NARROW_BITS", 3)
    monkeypatch.setattr("sail.engine.search.FULL", 0)
    monkeypatch.setattr("sail.engine.ranked.FULL", 0)
    searches: dict[tuple[int, Rules], Search] = {}
    stuck = 0
    for position in small_positions(6, 200, stones=11):
        kind = position.pits, position.rules
        kept = searches.setdefault(kind, Search(997))
        found = kept.find(position, Limit(depth=6))
        assert found.low <= minimax(position) <= found.high
        found = kept.find(position, Limit())
        stuck += kept._rows.bits > 3
        assert found.low <= minimax(position) <= found.high
        assert found.proved or len(position.legal) == 1
    assert stuck > 10


def test_rows_known_from_fewer_stones_are_too_full_among_more() -> None:
    row = (0, 0, 0, 0, 1, 27)
    choices = RankedMoves(MoveTable(6, 5))
    packed = choices.rows.pack(row)
    assert choices[packed]
    choices.allow(fullest_safe(6, 5, 60))
    with pytest.raises(TooFull):
        choices[packed]


def test_rows_that_others_searched_change_nothing() -> None:
    position = start(4).play(1)
    findings = []
    for other in (start(6), Position(((0, 0, 0, 0, 1, 27), (0, 0, 1, 0, 0, 2)))):
        Search(LARGE).find(other, Limit(effort=3_000))
        findings.append(Search(LARGE).find(position, Limit(effort=20_000)))
    assert findings[0] == findings[1]


def test_rows_of_another_kind_go_a_few_at_a_time(monkeypatch) -> None:
    kept: dict[object, RankedMoves] = {}
    monkeypatch.setattr("sail.engine.search.CHOICES", kept)
    Search(LARGE).find(start(4), Limit(effort=20_000))
    (known,) = kept.values()
    before = len(known)
    looks = itertools.count()
    five_pits = start(4, pits=5)
    Search(LARGE).find(five_pits, Limit(), stop=lambda: next(looks) == 1)
    assert len(known) == before - 2 * ROWS_DROPPED
    Search(LARGE).find(five_pits, Limit(effort=100))
    assert not known
    assert len(kept) == 1


@pytest.mark.source("AKC-10300")
def test_a_forced_move_is_found_at_once() -> None:
    found = Search().find(Position(((0, 0, 3, 0, 0, 0), (4,) * 6)), Limit())
    assert (found.pit, found.effort) == (3, 0)


def test_a_finished_game_has_no_move() -> None:
    with pytest.raises(ValueError):
        Search().find(Position(((0,) * 6, (4,) * 6)), Limit())


def test_the_same_limit_gives_the_same_finding() -> None:
    position = start(6).play(1)
    for limit in (Limit(effort=7_000), Limit(depth=6)):
        assert Search().find(position, limit) == Search().find(position, limit)


def test_depth_and_effort_are_kept() -> None:
    for depth in (1, 2, 3, 4, 7):
        assert find(start(4), depth).depth == depth
    found = Search().find(start(4), Limit(effort=5_000))
    assert 5_000 <= found.effort < 5_500


def test_the_line_can_be_played() -> None:
    found = find(start(4), depth=8)
    position = start(4)
    assert found.line[0] == found.pit
    for pit in found.line:
        position = position.play(pit)


def test_a_fake_clock_ends_the_search() -> None:
    ticks = iter(range(1_000_000))
    found = Search().find(start(6), Limit(seconds=5), clock=lambda: next(ticks))
    assert 5_000 < found.effort < 15_000
    assert next(ticks) == 6


def test_a_stop_ends_the_search_and_may_raise() -> None:
    search = Search(SMALL_TABLE_SLOTS)
    asked = []

    def stop() -> bool:
        asked.append(search.effort)
        return len(asked) > 5

    found = search.find(start(6), Limit(), stop=stop)
    assert found.pit in range(1, 7)
    waits = [asked[i] - asked[i - 1] for i in range(1, len(asked))]
    assert max(waits) < 4_000

    def hang_up() -> bool:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        search.find(start(6), Limit(), stop=hang_up)
    assert search.find(start(2), Limit()).value == 6


@pytest.mark.parametrize("row", [(6,) * 6, (0, 0, 2, 0, 70, 0), (0, 144, 1, 1, 1, 1)])
def test_the_time_limit_for_real(row: tuple[int, ...]) -> None:
    began = time.perf_counter()
    Search().find(Position((row, (6, 0, 6, 0, 6, 6))), Limit(seconds=0.4))
    assert time.perf_counter() - began < 0.9


def test_out_of_limit_stays_inside() -> None:
    assert issubclass(OutOfLimit, Exception)
    assert Search().find(start(4), Limit(seconds=0.0)).pit in range(1, 7)


def test_endgames_change_no_proof() -> None:
    for position in small_positions(14, 400):
        for few in (2, 3, 5):
            found = Search().find(position, Limit(endgames=few))
            if len(position.legal) > 1:
                assert found.low == found.high == minimax(position)
            assert value_of(position, found.pit) == minimax(position)
    for position in small_positions(15, 300):
        found = Search().find(position, Limit(endgames=4, depth=2))
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
