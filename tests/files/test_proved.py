"""The values on file, and what a solver learns from them."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from sail.board import ISK_RULES, STANDARD_RULES, Rules, opening
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.value import exactly
from sail.files import proved
from sail.files.proved import FiledPosition
from sail.refusal import Refusal
from sail.stop import never
from tests.bench import prove
from tests.stand_ins import NOTHING_FILED, standing_still

STARTS = {  # pits, stones a pit, and the value by each capture rule
    (5, 5): {ISK_RULES: 2, STANDARD_RULES: 2},
    (5, 6): {ISK_RULES: 2, STANDARD_RULES: 2},
    (6, 3): {ISK_RULES: 2, STANDARD_RULES: 2},
    (6, 4): {ISK_RULES: 10, STANDARD_RULES: 8},
}
SMALL = 12  # stones in play, proved in a moment


def best(filed: FiledPosition | None) -> int:
    assert filed
    return max(filed.move_values.values()).low


def solvers_of(stones: int) -> dict[tuple[int, Rules], Solver]:
    """Return solvers by the pits of a side and the capture rule."""
    kinds = product((5, 6), (ISK_RULES, STANDARD_RULES))
    return {(pits, rules): Solver(pits, stones, rules) for pits, rules in kinds}


@pytest.mark.source("ISK-65", "JMC-1979.FOUR")
@pytest.mark.parametrize(("rules", "value"), [(ISK_RULES, 12), (STANDARD_RULES, 10)])
def test_the_start_of_6_5_is_on_file_with_bounds(rules: Rules, value: int) -> None:
    begin = opening(5, rules=rules)
    filed = proved.filed(begin)
    assert filed and filed.move_values[5] == exactly(value) and best(filed) == value
    solver = proved.judge_for(begin, NOTHING_FILED, standing_still, never).solver
    assert solver.known_move_value(begin, 4).high == (2 if value == 12 else 8)


@pytest.mark.source("M22-WIN3", "JMC-1979", "ISK-VALUES")
@pytest.mark.parametrize(("pits", "stones"), STARTS)
def test_the_first_two_turns_of_each_game_are_on_file(pits: int, stones: int) -> None:
    for rules, value in STARTS[pits, stones].items():
        begin = opening(stones, pits, rules)
        assert best(proved.filed(begin)) == value
        for turns, position in prove.of_two_turns(begin).items():
            filed = proved.filed(position)
            assert filed, turns
            if prove.needs_all_moves(begin, turns, position):
                assert prove.is_complete(filed), turns


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")
def test_the_program_that_proves_the_file_agrees_with_the_solver() -> None:
    assert prove.check(1, 12) > 40


def test_the_file_is_as_the_program_writes_it() -> None:
    assert prove.file_of(proved.all_filed()) == prove.FILE.read_text()
    on_file = {proved._key(it.position): it for it in proved.all_filed()}
    for filed in proved.all_filed():
        for pit, bounds in filed.move_values.items():
            after = filed.position.play(pit)
            low, high, *_ = bounds.negated_if(filed.position.mover != after.mover)
            if there := on_file.get(proved._key(after)):
                assert low <= best(there) <= high, f"{filed.turns}, then {pit}"


def test_each_game_ends_with_its_value_and_its_end_is_proved() -> None:
    solvers = solvers_of(SMALL)
    for solver in solvers.values():
        solver.database = endgame.build(solver.moves, 8)
    for filed in proved.all_filed():
        position = filed.position
        mover, value = position.mover, best(filed)
        assert {*filed.move_values} <= {*position.legal}, filed.turns
        assert filed.move_values[filed.variation[0]] == exactly(value), filed.turns
        solver = solvers[position.pits_a_side, position.rules]
        is_proved = False
        for pit in filed.variation:
            if position.in_play <= SMALL and not is_proved:
                side = 1 if position.mover == mover else -1
                found = solver.value(position, guess=side * value)
                assert found == side * value, filed.turns
                is_proved = True
            position = position.play(pit)
        assert position.over, filed.turns
        assert value == position.score[mover] - position.score[1 - mover]


def test_a_solver_knows_what_it_was_taught_if_that_fits_it() -> None:
    solvers = solvers_of(60)
    for solver in solvers.values():
        proved.teach(solver)
    for filed in proved.all_filed():
        solver = solvers[filed.position.pits_a_side, filed.position.rules]
        assert solver.value(filed.position) == best(filed), filed.turns
        for pit, (low, high, *_) in filed.move_values.items():
            found = solver.known_move_value(filed.position, pit)
            assert max(low, found.low) == found.low, filed.turns
            assert found.high == high, filed.turns
        assert solver.effort == 0
    # It learns only what fits it.
    solver = Solver(6, 47, ISK_RULES)
    proved.teach(solver)
    assert solver.known_value(opening(3, rules=ISK_RULES)) == exactly(2)
    other = Solver(4, 47, ISK_RULES)
    proved.teach(other)
    assert other.known_value(opening(3, 4, ISK_RULES))[:2] == (-24, 24)
    # A position is found whatever its kalahs and its mover.
    begin = opening(4, rules=STANDARD_RULES)
    assert proved.filed(begin._replace(kalahs=(3, 9), mover=1)) == proved.filed(begin)
    assert proved.filed(opening(2, rules=ISK_RULES)) is None
    assert proved.filed(opening(4, 4, ISK_RULES)) is None


def test_a_damaged_file_is_not_used(
    tmp_path: Path, monkeypatch: MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Line ends of Windows are no damage."""
    request.addfinalizer(proved.all_filed.cache_clear)
    there, file = proved.all_filed(), tmp_path / "files" / "VALUES.TXT"
    whole = prove.FILE.read_bytes()
    file.parent.mkdir()
    monkeypatch.setattr(proved, "HOUSE", tmp_path)
    changed, cut = whole.replace(b"  8", b"  6", 1), whole[: len(whole) // 2]
    for data, why in (
        (None, "NOT FOUND."), (b"\xff" + whole, "LINE 1 IS NOT TEXT."),
        (changed, "IS DAMAGED: "), (cut, "IS DAMAGED: "), (b"", "IS DAMAGED: "),
    ):  # fmt: skip
        if data is not None:
            file.write_bytes(data)
        proved.all_filed.cache_clear()
        with pytest.raises(Refusal, match=f"^VALUES.TXT {why}"):
            proved.teach(Solver(6, 48, STANDARD_RULES))
    file.write_bytes(whole.replace(b"\n", b"\r\n"))
    assert proved.all_filed() == there
