"""The search against plain minimax, and its limits."""

from __future__ import annotations

import itertools
import random

import pytest
from pytest import MonkeyPatch

from sail.board import STANDARD_RULES, Position, Rules, opening
from sail.engine import endgame
from sail.engine import search as search_module
from sail.engine.endgame import Database
from sail.engine.evaluation import MOVING, TO_MOVE, UNIT, WAITING, worths
from sail.engine.levels import Limit
from sail.engine.moves import MoveTable, bits_for
from sail.engine.search import Search
from sail.engine.value import Finding, exactly
from sail.stop import Stop
from tests.conftest import Pins
from tests.positions import ALL_RULES, minimax, random_game, value_of, with_stones


@pytest.fixture(autouse=True)
def small_table(monkeypatch: MonkeyPatch) -> None:
    """Make tables small: tests make many, and a large one takes milliseconds."""
    monkeypatch.setattr(search_module, "SLOTS", 65_521)


def small_positions(seed: int, count: int, stones: int = 9) -> list[Position]:
    """Return random positions of 2 to `stones` stones, 1 to 6 pits a side."""
    chance = random.Random(seed)
    sizes = ((chance.randint(2, stones), chance.randint(1, 6)) for _ in range(count))
    return [with_stones(chance, *size) for size in sizes]


def find(position: Position, depth: int | None = None) -> Finding:
    """Return the finding of a new search."""
    return Search().find(position, Limit(depth=depth))


def effort_of(position: Position, limit: Limit) -> int:
    """Return the effort of a new search."""
    search = Search()
    search.find(position, limit)
    return search.effort


def test_values_are_those_of_minimax_and_bounds_hold(monkeypatch: MonkeyPatch) -> None:
    searches: dict[tuple[int, Rules], Search] = {}
    positions = small_positions(1, 100, stones=8)
    for position, rules in zip(positions, itertools.cycle(ALL_RULES)):
        position = position._replace(rules=rules)
        search = searches.setdefault((position.pits_a_side, rules), Search(rules))
        found = search.find(position, Limit())
        assert found.value.low <= minimax(position) <= found.value.high
        assert found.variation[0] in position.legal
        if len(position.legal) > 1:
            assert found.value.proved
            truth = value_of(position, found.variation[0])
            assert found.value.likely == found.value.low == truth
    monkeypatch.setattr(search_module, "SLOTS", 97)
    for number, position in enumerate(small_positions(2, 40, stones=8)):
        found = find(position, depth=2 + number % 4)
        assert found.value.low <= minimax(position) <= found.value.high
        assert found.value.low <= found.value.likely <= found.value.high
        if found.value.proved and len(position.legal) > 1:
            assert value_of(position, found.variation[0]) == found.value.likely


def test_a_value_lies_within_its_proved_bounds() -> None:
    """Even where the estimate does not, and no search has begun."""
    search, outside = Search(), 0
    for position in small_positions(8, 300):
        if len(position.legal) < 2:
            continue
        found = search.find(position, Limit(effort=0))
        assert found.value.low <= found.value.likely <= found.value.high
        least, most = position.lead - position.in_play, position.lead + position.in_play
        assert (found.value.low, found.value.high) == (least, most)
        outside += found.value.likely in (found.value.low, found.value.high)
    assert outside
    # Every weight is even: with an odd one, an estimate would pass for a proof.
    assert TO_MOVE % 2 and not UNIT % 2
    assert not [weight for row in (*MOVING, *WAITING) for weight in row if weight % 2]


def seen(position: Position, depth: int) -> int:
    """Return the final difference in UNIT as seen from that depth, without a cut."""
    lead = position.lead * UNIT
    if position.over:
        return lead
    if depth == 0:
        moves = MoveTable(position.pits_a_side, bits_for(position.stones))
        own, other = moves.packed(position)
        worth = worths(moves, MOVING, TO_MOVE)[own] - worths(moves, WAITING)[other]
        return lead + worth
    values = []
    for pit in position.legal:
        after = position.play(pit)
        again = after.mover == position.mover
        value = seen(after, depth if again else depth - 1)
        values.append(value if again else -value)
    stones = position.in_play * UNIT
    value = max(lead - stones, *values)
    return value if depth == 1 else min(lead + stones, value)


@pytest.mark.parametrize("depth", range(2, 5))
def test_a_depth_sees_every_line_of_it(depth: int) -> None:
    search = Search()
    for position in small_positions(5, 200 // depth**2, stones=24):
        if len(position.legal) < 2:
            continue
        if depth > 2 and search.find(position, Limit(depth=2)).value.proved:
            continue
        found = search.find(position, Limit(depth=depth))
        value = seen(position, depth) + UNIT // 2
        # An even value that is made odd is made 1 less.
        assert found.value.likely in (value // UNIT, (value - 1) // UNIT)


def test_small_tables_change_no_value(monkeypatch: MonkeyPatch) -> None:
    positions = [p for p in small_positions(3, 80) if len(p.legal) > 1]
    values = [find(position).value.likely for position in positions]
    monkeypatch.setattr(search_module, "SLOTS", 1)
    assert [find(position).value.likely for position in positions] == values
    finding = find(opening(4, rules=STANDARD_RULES), depth=6)
    monkeypatch.setattr(search_module, "MOST_ROWS", 50)
    assert find(opening(4, rules=STANDARD_RULES), depth=6) == finding


def test_a_search_goes_from_one_kind_of_rows_to_another() -> None:
    search = Search()
    for position in (opening(1), opening(1, pits=5), opening(2), opening(1)):
        assert search.find(position, Limit()) == find(position)


def test_a_value_is_that_of_a_game_that_no_majority_ends() -> None:
    """After his only move A has the majority: then 6 stones ahead, at the end 7."""
    rows = (0, 0, 0, 4, 0, 0), (0, 0, 0, 0, 1, 1)
    position = Position(rows, (7, 2))
    assert position.play(4).over and not position.play(4).without_majority.over
    finding = find(position)
    assert (finding.value, finding.variation) == (exactly(7), (4,))
    assert minimax(position.without_majority) == 7


def test_moves_without_an_alternative_are_made_before_a_search() -> None:
    """A's only stone captures ten and ends the game; then B's only one does."""
    search = Search(STANDARD_RULES)
    rows = (0, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 10)
    for mover in (0, 1):
        node = Position((rows[mover], rows[1 - mover]), (3, 3), mover, STANDARD_RULES)
        assert search.find(node, Limit()) == Finding(exactly(10), (2,))
    # After a forced move, what is good for B is bad for A, whose turn it was.
    rows = (0, 0, 1, 0, 0, 0), (1, 1, 0, 0, 0, 9)
    for mover in (0, 1):
        node = Position((rows[mover], rows[1 - mover]), (6, 6), mover, STANDARD_RULES)
        found, later = (search.find(it, Limit()) for it in (node, node.play(3)))
        assert found.value == later.value.negated_if(True)
        assert found.value.proved and found.variation[0] == 3


def test_the_effort_of_a_depth(pinned: Pins) -> None:
    """A worse order of moves or a lost cut changes no value, only the effort.

    The searches are eight plies deep, from positions of random games; every
    second one has endgames.
    """
    effort = 0
    for seed, stones, pits in (
        (0, 6, 6), (1, 5, 6), (2, 4, 6), (3, 3, 6), (4, 6, 6), (6, 5, 4), (7, 6, 6)
    ):  # fmt: skip
        begin = opening(stones, pits, STANDARD_RULES)
        nodes = list(random_game(random.Random(seed), begin))
        position = nodes[min(3 * seed, len(nodes) // 2)]
        limit = Limit(depth=8, endgame_stones=6 * (seed % 2))
        effort += effort_of(position, limit)
    pinned("effort of seven searches", effort, 0.05)


def test_the_effort_of_a_proof(pinned: Pins) -> None:
    """At most 24 stones are in play."""
    effort = 0
    for seed, stones, pits, value in ((20, 3, 6, -6), (22, 5, 6, 22), (25, 3, 6, 6)):
        nodes = random_game(random.Random(seed), opening(stones, pits, STANDARD_RULES))
        position = next(p for p in nodes if p.in_play <= 24 and len(p.legal) > 2)
        search = Search()
        found = search.find(position, Limit())
        assert found.value.low == found.value.likely == found.value.high == value
        effort += search.effort
    pinned("effort of three proofs", effort, 0.05)


def test_limits_are_kept() -> None:
    limits = [Limit(depth=depth) for depth in (2, 3, 4, 7)]
    efforts = [effort_of(opening(4), limit) for limit in limits]
    assert efforts == sorted({*efforts})
    assert 5_000 <= effort_of(opening(4), Limit(effort=5_000)) < 5_500
    ticks = iter(range(1_000_000))
    search = Search()
    search.find(opening(6), Limit(seconds=5), clock=lambda: next(ticks))
    assert 5_000 < search.effort < 15_000
    assert next(ticks) == 6
    # Used up, it still gives a move and an estimate: the first to move is a little ahead.
    found = Search().find(opening(4), Limit(seconds=0.0))
    assert found.variation[0] in range(1, 7) and 0 < found.value.likely < 10


@pytest.mark.source("AKC-05000")
def test_the_line_can_be_played() -> None:
    """A majority ends it with the game, though the search sees further."""
    assert len(find(opening(4), depth=8).variation) >= 3
    search = Search()
    for position in random_game(random.Random(2), opening(3)):
        found = search.find(position, Limit(depth=6))
        assert 1 <= len(found.variation) <= 6
        for pit in found.variation:
            position = position.play(pit)


def test_a_stop_ends_the_search_and_may_raise() -> None:
    search = Search()
    looks = itertools.count()
    found = search.find(opening(6), Limit(), stop=lambda: next(looks) == 5)
    assert found.variation[0] in range(1, 7)
    assert 8_000 < search.effort < 15_000

    def hang_up() -> bool:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        search.find(opening(6), Limit(), stop=hang_up)
    assert search.find(opening(2), Limit()).value.likely == 6
    # It ends the building of endgames, too.
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 1

    position = opening(6, rules=STANDARD_RULES)
    found = Search().find(position, Limit(endgame_stones=11), stop=stop)
    assert found == find(position, depth=2) and len(asked) == 2
    assert effort_of(position, Limit(endgame_stones=3, effort=5_000)) >= 5_000


def test_endgames_change_no_proof() -> None:
    for position in small_positions(14, 25, stones=7):
        for few in (2, 3, 5):
            found = Search().find(position, Limit(endgame_stones=few))
            if len(position.legal) > 1:
                assert found.value.low == found.value.high == minimax(position)
            assert value_of(position, found.variation[0]) == minimax(position)
    for position in small_positions(15, 60, stones=8):
        found = Search().find(position, Limit(endgame_stones=4, depth=2))
        assert found.value.low <= minimax(position) <= found.value.high


@pytest.fixture
def built(monkeypatch: MonkeyPatch) -> list[int]:
    """Return the list of the stones of each database that is built."""
    stones_built = []
    build = endgame.build

    def noted(moves: MoveTable, stones: int, stop: Stop) -> Database:
        stones_built.append(stones)
        return build(moves, stones, stop)

    monkeypatch.setattr(endgame, "build", noted)
    return stones_built


@pytest.mark.parametrize("most, useful", [(6, []), (5, [5]), (2, [2]), (1, [])])
def test_endgames_that_are_no_help_are_not_built(
    most: int, useful: list[int], built: list[int]
) -> None:
    """A database that has the position itself tells its value, but no move."""
    position = with_stones(random.Random(18), 6)
    search = Search()
    for _ in range(2):
        search.find(position, Limit(depth=4, endgame_stones=most))
    assert built == useful


def test_endgames_take_a_third_of_the_time_at_most(built: list[int]) -> None:
    """On a slow machine each move tries a smaller database."""
    search = Search()
    position = opening(3, pits=5, rules=STANDARD_RULES)
    for _ in range(8):
        ticking = itertools.count().__next__
        limit = Limit(seconds=60, effort=3_000, endgame_stones=9)
        effort = search.effort
        search.find(position, limit, ticking)
        assert search.effort >= effort + 3_000 and ticking() < 60
    assert built == [9, 7, 5, 3]
