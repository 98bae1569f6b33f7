"""The judgement of a game, turn by turn."""

from __future__ import annotations

from itertools import chain, count, repeat
from typing import NoReturn

import pytest
from pytest import MonkeyPatch

from sail.board import STANDARD_RULES, Position, opening
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.judgement import Judge, JudgedTurn
from sail.engine.levels import Limit
from sail.engine.moves import MoveTable
from sail.engine.value import FAR, Finding, Value, bounded, exactly
from sail.files.proved import judge_for
from sail.game import Course, Game
from sail.refusal import Refusal
from sail.stop import Clock, Stop, Stopped, never
from tests.positions import minimax
from tests.samples import WHOLE_GAME, judged, played
from tests.stand_ins import NOTHING_FILED, Guessing, found, standing_still


def test_a_best_turn_keeps_the_value_and_mistakes_are_told() -> None:
    """From the seventh turn on, minimax agrees, which knows nothing of the solver."""
    judged_turns = judged(WHOLE_GAME)
    for it in judged_turns:
        node = it.turn.before
        assert it.proved
        assert it.number < 7 or it.best.value.likely == minimax(node)
        assert it.stones_lost == it.best.value.low - it.played.value.low
        assert (it.best.variation != it.turn.pits) == bool(it.stones_lost)
        for pit in it.best.variation:
            assert node.mover == it.turn.player
            node = node.play(pit)
        assert node.mover != it.turn.player or node.over
        value = exactly(Solver(6, 24, STANDARD_RULES).value(node))
        assert value.negated_if(node.mover != it.turn.player) == it.best.value
    # The mistakes; the reply is the best turn, played or not.
    assert [
        (it.number, it.stones_lost, it.best.variation, it.played.variation)
        for it in judged_turns
        if it.stones_lost
    ] == [
        (1, 22, (2, 4), (2, 6, 2, 4)),
        (2, 12, (2, 4), (1, 5)),
        (3, 8, (5,), (4, 2, 1, 4)),
        (6, 6, (6,), (3, 1, 2, 2)),
    ]


def test_the_reply_to_the_last_turn_is_looked_for() -> None:
    """If its player is still to move, as after pit 2, the rest of the turn is."""
    assert judged(played("2"))[-1].played.variation == (2, 4)
    last = judged(played("26"))[-1]
    assert last.played == Finding(exactly(-16), (2, 6, 2, 4))
    # A reply that the game leaves unfinished is completed.
    first, half = judged(played("262"))
    assert (first.stones_lost, first.played.variation) == (22, (2, 6, 2, 4))
    assert (half.stones_lost, half.best.variation, half.played.variation) == (
        0,
        (2, 4),
        (2, 4),
    )


def judge_of_24(stop: Stop = never) -> Judge:
    """A judge for positions of 24 stones."""
    return judge_for(opening(2), NOTHING_FILED, standing_still, stop)


def jumping(begun: float = 0, later: float = 99) -> Clock:
    """A clock that jumps after it was read once: the time for proofs is over then."""
    times = chain([begun], repeat(later))
    return lambda: next(times)


def guessing(monkeypatch: MonkeyPatch, *found: Finding) -> Guessing:
    search = Guessing(*found)
    monkeypatch.setattr("sail.engine.judgement.Search", lambda _: search)
    monkeypatch.setattr(endgame, "build", lambda moves, *_: endgame.Database(moves, 0))
    return search


def test_the_positions_left_share_the_time(monkeypatch: MonkeyPatch) -> None:
    """Ten seconds, six of them for proofs, which have just gone by.

    Losses of 22 and 14 are more than the error of a loss.
    """
    finds = found(7, -72, 72), found(9, -72, 66, 1, 3), found(15, -62, 72, 2)
    search = guessing(monkeypatch, *finds)
    turns = played("12", 6).turns
    judged_turns = judged(played("12", 6), 10, jumping(100, 106))
    limits = [
        Limit(seconds=seconds, endgame_stones=10) for seconds in (4 / 3, 2.0, 4.0)
    ]
    assert search.limits == [(limit, True) for limit in limits]
    last, second = Value(-70, 70, 6, 6), Value(-70, 66, 8, 6)
    first = Value(-62, 72, 14, 6)
    assert judged_turns == [
        JudgedTurn(
            1,
            turns[0],
            Finding(first, (2,)),
            Finding(second.negated_if(True), (1, 1)),
            22,
        ),
        JudgedTurn(
            2, turns[1], Finding(second, (1,)), Finding(last.negated_if(True), (2,)), 14
        ),
    ]


@pytest.mark.parametrize(
    "stones, stopped, expected, lost",  # hurried: more than 8; 72 in play: 6; 48: 4
    [(6, True, 2, 10), (6, True, 0, 0), (6, False, 0, 8), (6, False, -2, 0), (4, False, -2, 6), (4, False, -4, 0)],
)  # fmt: skip
def test_a_loss_is_listed_beyond_its_error(
    stones: int, stopped: bool, expected: int, lost: int, monkeypatch: MonkeyPatch
) -> None:
    """The value after the turn is -8 for A; before it he expected more."""
    guessing(monkeypatch, found(8, -24, 24), found(expected, -24, 24, 5))
    monkeypatch.setattr("sail.files.proved.all_filed", list)
    (turn,) = judged(played("2", stones), 10, jumping(), stop=lambda: stopped)
    assert (turn.stones_lost, turn.loss_is_known, turn.best.variation) == (
        lost,
        lost > 0,
        (5,),
    )


def test_the_error_of_a_loss_grows_with_the_stones_in_play() -> None:
    in_play = 30, 31, 48, 49
    assert [*map(judge_of_24().loss_error, in_play)] == [2, 4, 4, 6]
    assert [*map(judge_of_24(lambda: True).loss_error, in_play)] == [8, 8, 8, 8]


def test_values_on_file_judge_an_opening(monkeypatch: MonkeyPatch) -> None:
    """Without any time; a damaged file is not used."""

    def first_turn() -> JudgedTurn:
        return judged(played("1", 4), 10, jumping())[0]

    def damaged() -> None:
        raise Refusal("DAMAGED")

    turn = first_turn()
    assert turn.proved and turn.loss_is_known and turn.stones_lost > 0
    # Where the value of only one move is on file, the game there shows the better turn.
    turn = judged(played("2451", 4), 10, jumping())[1]
    assert turn.best.value.proved and turn.best.variation == (4, 5, 3)
    monkeypatch.setattr("sail.files.proved.all_filed", damaged)
    assert not first_turn().proved


def test_an_estimate_is_even_and_within_bounds(monkeypatch: MonkeyPatch) -> None:
    """As 24 stones are shared by both."""
    judge = judge_of_24(stop=lambda: True)
    for mover, finding, bounds, value in (
        (0, found(7, -20, 20), bounded(-24, 24), Value(-20, 20, 6, 6)),
        (0, found(-7, -20, 20), bounded(-18, 16), Value(-18, 16, -6, 6)),
        (0, found(6, -20, 20), bounded(-24, 24), Value(-20, 20, 6, 6)),
        (0, found(6, -20, 20), bounded(-24, 2), Value(-20, 2, 2, 6)),
        (0, found(1, -20, 20), bounded(4, 24), Value(4, 20, 4, 6)),
        (0, found(4, 4, 4), bounded(-24, 24), exactly(4)),
        (1, found(7, -2, 20), bounded(-24, 24), Value(-2, 20, 6, 6)),
    ):
        search = Guessing(finding._replace(variation=(2, 4, 6)))
        monkeypatch.setattr(judge, "search", search)
        node = opening(2)._replace(mover=mover)
        assert judge.estimated(node, bounds, 5) == Finding(value, (2, 4))
        assert search.limits == [(Limit(effort=500), False)]


def test_a_turn_is_completed_if_the_line_ends_within_it() -> None:
    """Pits 1, 2 and 3 move again; the search plays on until the turn is over."""
    rows = (1, 2, 3, 4, 5, 6), (0, 1, 0, 0, 0, 40)
    node = Position(rows, rules=STANDARD_RULES)
    judge = judge_of_24()
    turn = judge.whole_turn(node, (3,))
    assert turn[0] == 3 and Course(node, turn).turn_is_over
    assert judge.whole_turn(node, (3, *turn[1:], 2)) == turn
    assert judge.whole_turn(node, ()) == ()


def test_a_winner_is_known_beyond_the_error_and_a_draw_if_it_is_proved() -> None:
    for value, winner, proved in (
        (exactly(0), 0, True), (exactly(1), 1, True), (exactly(-1), -1, True),
        (Value(2, 9, 4, 6), 1, True), (Value(-9, -2, -4, 6), -1, True),
        (Value(-9, 9, 4, 2), 1, False), (Value(-9, 9, -4, 2), -1, False),
        (Value(-9, 9, 4, 4), None, False), (Value(-9, 9, -4, 4), None, False),
        (Value(-9, 9, 0, 2), None, False), (Value(0, 9, 2, 4), None, False),
        (Value(-9, 9, 4, FAR), None, False),  # its error is not known
    ):  # fmt: skip
        assert (value.outcome, value.outcome_is_proved) == (winner, proved)


def test_the_turn_of_the_search_loses_nothing(monkeypatch: MonkeyPatch) -> None:
    """Whatever more it expected of it before."""
    guessing(monkeypatch, found(27, -72, 72), found(29, -72, 66, 2))
    game = played("2", 6)
    judged_turns = judged(game, 10, stop=lambda: True)
    after, value = Value(-70, 72, -26, 6), Value(-70, 66, -26, 6)
    found_before = Finding(value, (2,))
    turn = JudgedTurn(1, game.turns[0], found_before, Finding(after, (2,)), 0)
    assert judged_turns == [turn]


def test_a_better_turn_is_not_looked_for_without_time() -> None:
    class Hasty(Solver):
        def keeping_pits(self, position: Position, stop: Stop = never) -> NoReturn:
            raise Stopped

        def known_move_value(self, position: Position, pit: int) -> Value:
            return bounded()

    first = judged(WHOLE_GAME, solver=Hasty(6, 24, STANDARD_RULES))[0]
    assert (first.best.value, first.stones_lost, first.best.variation) == (
        exactly(6),
        22,
        (),
    )


def test_without_time_there_are_bounds_and_estimates() -> None:
    """The clock strikes at every look, and the judgement keeps to about 60 looks."""
    game = played("361412541", 3)
    ticks = count()
    judged_turns = judged(game, 60, lambda: float(next(ticks)))
    assert 60 <= next(ticks) < 80
    assert not all(it.proved for it in judged_turns)
    solver = Solver(6, 36, STANDARD_RULES)
    for it in judged_turns[4:]:
        value, truth = it.best.value, solver.value(it.turn.before)
        assert value.low <= truth <= value.high
        assert value.low <= value.likely <= value.high
        assert value.likely % 2 == 0


def test_endgames_are_built_for_games_from_25_stones(monkeypatch: MonkeyPatch) -> None:
    built: list[int] = []

    def build(moves: MoveTable, stones: int, stop: Stop) -> endgame.Database:
        built.append(stones)
        return endgame.Database(moves, 0)

    monkeypatch.setattr(endgame, "build", build)
    for stones in (21, 22):  # and three more
        rows = (0, 1, 2, 0, 0, 0), (stones, 0, 0, 0, 0, 0)
        judged(Game(Position(rows), (), "C", 0, "").play(3), stop=lambda: True)
    assert built == [0, 12]
