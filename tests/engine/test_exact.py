"""Values under perfect play."""

from __future__ import annotations

import gc
import random
import sys
import weakref
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple, cast

import pytest
from pytest import MonkeyPatch

from sail.board import ISK_RULES, STANDARD_RULES, Position, Rules, opening
from sail.engine import endgame, exact
from sail.engine.exact import Solver
from sail.engine.levels import Limit
from sail.engine.search import Search
from sail.engine.value import FAR, Value, bounded, exactly
from sail.files import proved
from sail.stop import Stopped
from tests.conftest import Pins
from tests.positions import ALL_RULES, minimax, with_stones

EACH_RULE = pytest.mark.parametrize("rules", ALL_RULES)


def proofs(solver: Solver) -> int:
    """Return the number of proofs in the table."""
    return sum(map(len, solver._proofs))


def small_positions(pits: int, stones: int, rules: Rules) -> Iterator[Position]:
    """All positions with so many stones in the pits or fewer."""
    counts = range(stones + 1)
    for pit in product(counts, repeat=2 * pits):
        if sum(pit) <= stones and any(pit[:pits]) and any(pit[pits:]):
            yield Position((pit[:pits], pit[pits:]), rules=rules)


@pytest.mark.source("ISK-RULES", "ISK-MTD")
@EACH_RULE
@pytest.mark.parametrize("pits, stones", [(1, 12), (2, 6), (3, 5)])
def test_every_value_is_minimax(pits: int, stones: int, rules: Rules) -> None:
    solver = Solver(pits, stones, rules)
    for position in small_positions(pits, stones, rules):
        assert solver.value(position) == minimax(position)


@pytest.mark.source("ISK-MTD", "ISK-ORDER", "ISK-FUTILITY")
def test_futility_saves_effort_and_changes_no_value(pinned: Pins) -> None:
    """14 positions: six with endgames of 6 stones, and with sowings all round."""
    found = []
    for futility in (True, False):
        draw = random.Random(5)
        values = []
        effort = remembered = 0
        for pits, stones, count in ((3, 20, 3), (4, 16, 4)):
            for rules in (ISK_RULES, STANDARD_RULES):
                solver = Solver(pits, stones, rules, futility=futility)
                if pits == 3:
                    solver.database = endgame.build(solver.moves, 6)
                for _ in range(count):
                    values.append(solver.value(with_stones(draw, stones, pits, rules)))
                effort += solver.effort
                remembered += proofs(solver)
        found.append((values, effort, remembered))
    (pruned, *less), (plain, *more) = found
    assert pruned == plain and less < more
    pinned("effort of 14 proofs", less[0], 0.05)


class Longer(NamedTuple):
    """Rules with a field that Position.play may obey and the engine does not."""

    captures_empty: bool = False
    majority_ends: bool = False
    passes_once: bool = True

    @property
    def without_majority(self) -> Longer:
        return self


def test_a_rule_that_the_engine_does_not_know_is_refused() -> None:
    """Instead of proving a value by another rule."""
    position = opening(3, rules=cast(Rules, Longer()))
    solver = Solver(6, 36, STANDARD_RULES)
    assert proved.filed(position) is None and not solver.fits(position)
    for work in (
        lambda: Search().find(position, Limit(depth=2)),
        lambda: solver.known_value(position),
        lambda: solver.learn(position, exactly(2)),
        lambda: solver.value(position),
        lambda: list(solver.keeping_pits(position)),
        lambda: list(solver.prove_move(position, 1)),
    ):
        with pytest.raises(
            ValueError, match=r"^not by KNOWN_RULES, or not these: Longer\("
        ):
            work()
    with pytest.raises(ValueError, match="^not by KNOWN_RULES"):
        Search().find(opening(3, rules=ISK_RULES), Limit(depth=2))


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="no counts")
def test_a_solver_is_freed_without_the_collector() -> None:
    solver = Solver(4, 24, ISK_RULES)
    solver.value(opening(3, 4, ISK_RULES))
    there = weakref.ref(solver)
    gc.disable()
    try:
        del solver
        assert there() is None
    finally:
        gc.enable()


@pytest.mark.source("ISK-MTD")
def test_what_nothing_is_proved_of_is_open() -> None:
    """Futility alone knows that there is no more to gain than lies there.

    A finished game is worth its score.
    """
    position = Position(((3, 0), (0, 4)), (5, 2), 1, STANDARD_RULES)
    assert Solver(2, 7, STANDARD_RULES).known_value(position)[:2] == (-10, 4)
    without = Solver(2, 7, STANDARD_RULES, futility=False)
    assert without.known_value(position)[:2] == (-FAR - 10, FAR + 4)
    ended = Position(((0, 0), (0, 4)), (5, 2), 0, STANDARD_RULES)
    solver = Solver(2, 7, STANDARD_RULES)
    assert solver.known_value(ended) == exactly(-1) and solver.value(ended) == -1
    assert solver.known_value(ended._replace(mover=1)) == exactly(1)
    # A solver fits what it can be asked about.
    solver = Solver(3, 12, ISK_RULES)
    for stones, pits, fits in (2, 3, True), (1, 3, True), (3, 3, False), (2, 2, False):
        assert solver.fits(opening(stones, pits, ISK_RULES)) == fits
    assert not solver.fits(opening(2, 3, STANDARD_RULES))


# 15 stones in play; B, who moves, is 5 ahead.
EVEN = Position(((1, 2, 2, 0), (4, 3, 0, 3)), (1, 6), 1, STANDARD_RULES)


@pytest.mark.parametrize(
    "within, guess, bounds",
    [
        *((bounded(), guess, [(-10, 4), (-10, 2), (-10, 0), (0, 0)]) for guess in (None, 5)),
        (bounded(), -3, [(-2, 20), (0, 20), (0, 0)]), (bounded(), 0, [(0, 20), (0, 0)]),
        (bounded(), 1, [(-10, 0), (0, 0)]), (bounded(-2, 2), 0, [(0, 2), (0, 0)]),
        *((within, 0, [(0, 0)]) for within in (exactly(0), bounded(0, 6), bounded(-6, 0))),
    ],
)  # fmt: skip
def test_a_good_guess_and_what_the_caller_knows_save_effort(
    within: Value, guess: int | None, bounds: list[tuple[int, int]]
) -> None:
    solver, alone = Solver(4, 15, STANDARD_RULES), Solver(4, 15, STANDARD_RULES)
    solver.learn(EVEN, within)
    assert [value[:2] for value in solver.prove(EVEN, guess)] == bounds
    assert alone.value(EVEN) == 0
    assert guess is None or 2 * solver.effort < alone.effort


@pytest.mark.source("ISK-DB", "ISK-MTD")
@EACH_RULE
def test_search_and_database_agree(rules: Rules) -> None:
    draw = random.Random(2)
    alone = Solver(6, 9, rules)
    helped = Solver(6, 9, rules)
    helped.database = endgame.build(helped.moves, 9)
    for _ in range(50):
        position = with_stones(draw, draw.randrange(2, 10), rules=rules)
        low, high, *_ = helped.known_value(position)
        assert low == high == alone.value(position) == helped.value(position)
        if position.in_play <= 7:
            assert low == minimax(position)


@pytest.mark.source("ISK-MTD", "ISK-MTD.30", "ISK-T9", "ISK-770")
def test_effort() -> None:
    """No more than a modern build of the authors' program needs: about 770,000."""
    solver = Solver(6, 36, ISK_RULES)
    solver.database = endgame.build(solver.moves, 12)
    assert solver.value(opening(3, rules=ISK_RULES)) == 2
    assert solver.effort < 770_000


def test_a_small_table_is_enough(monkeypatch: MonkeyPatch) -> None:
    """The proofs that are forgotten are found again, for a tenth more effort."""
    game = opening(3, 4, ISK_RULES)
    whole, small = Solver(4, 24, ISK_RULES), Solver(4, 24, ISK_RULES)
    assert whole.value(game) == 8
    monkeypatch.setattr(exact, "MOST_PROOFS", 500)
    assert small.value(game) == 8
    assert proofs(small) < 2000 < proofs(whole)
    assert whole.effort < small.effort < 1.1 * whole.effort


def test_a_search_asks_every_2048_efforts_whether_to_stop() -> None:
    """It has room for long games then; a larger limit of frames stays."""
    limit = sys.getrecursionlimit()
    asked = []

    def stop() -> bool:
        asked.append((solver.effort, sys.getrecursionlimit()))
        return len(asked) % 3 == 0

    solver = Solver(4, 32, ISK_RULES)
    game = opening(4, 4, ISK_RULES)
    try:
        for before in (5_000, 30_000):
            sys.setrecursionlimit(before)
            with pytest.raises(Stopped):
                solver.value(game, stop=stop)
    finally:
        sys.setrecursionlimit(limit)
    limits = [20_000] * 3 + [30_000] * 3
    assert asked == list(zip(range(2048, 7 * 2048, 2048), limits))
    assert solver.known_value(game)[:2] == (-32, 32)
    # Every method that searches is stopped at its first look, even where another search was not.
    solver.value(opening(2, 4, ISK_RULES))
    for work in (
        lambda stop: list(solver.prove(game, stop=stop)),
        lambda stop: solver.value(game, stop=stop),
        lambda stop: list(solver.keeping_pits(game, stop)),
        lambda stop: list(solver.best_play(game, stop)),
        lambda stop: list(solver.prove_move(game, 1, stop=stop)),
    ):
        with pytest.raises(Stopped):
            work(lambda: True)


@pytest.mark.source("BELL-LOST", "M22-WIN3")
def test_the_replies_to_pit_2_lose() -> None:
    """By the values on file; one whose proof is short is proved here, too."""
    solver = Solver(6, 36, STANDARD_RULES)
    after_2 = opening(3, rules=STANDARD_RULES).play(2)
    lost_by = {
        "1": 2, "2": 2, "32": 2, "34": 6, "31": 8, "35": 12, "36": 20, "4": 16,
        "5": 20, "6": 26,
    }  # fmt: skip
    for pits, loss in lost_by.items():
        position = after_2
        for pit in map(int, pits):
            position = position.play(pit)
        assert position.mover == 0
        filed = proved.filed(position)
        assert filed and max(filed.move_values.values()).low == loss
        if pits == "6":
            assert solver.value(position, guess=loss) == loss


@EACH_RULE
def test_the_pits_that_keep_the_value_are_all_found(rules: Rules) -> None:
    """As minimax finds them; the best turn begins with one, and ends the turn."""
    draw = random.Random(3)
    solver = Solver(3, 7, rules)
    for _ in range(100):
        position = with_stones(draw, draw.randrange(2, 8), 3, rules)
        assert solver.value(position) == minimax(position)
        here, turn = position, solver.best_turn(position)
        while turn:
            value, kept = minimax(here), set()
            for pit in here.legal:
                after = here.play(pit)
                same = after.mover == here.mover
                if minimax(after) == (value if same else -value):
                    kept.add(pit)
            assert set(solver.keeping_pits(here)) == kept and turn[0] in kept
            here, turn = here.play(turn[0]), turn[1:]
        assert here.over or here.mover != position.mover
