"""Bell's illustrative game, Fig. 2, beyond its fourth move."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from sail.board import MOST_PITS, STANDARD_RULES, Position, opening
from sail.engine.exact import Solver
from sail.files.area import Area
from sail.programs.atlas import says
from sail.programs.atlas.learner import AFTER_P2, Choice, Learner
from sail.programs.atlas.memory import (
    ALL_STONES,
    FIG_6,
    PSEUDO_WIN,
    Memory,
)
from sail.programs.atlas.turns import MACHINE, PLAYER, node_of
from sail.programs.solve.dialogue import Session as Solve
from tests import paper
from tests.bench.atlas import memory_with
from tests.positions import captured, every_turn, played
from tests.stand_ins import standing_still

AFTER_4 = played(AFTER_P2.play(1).play(1), (3, 1, 4, 1, 6))[0]
BEFORE_6 = played(AFTER_4, (3, 1, 4))[0]


def captures(position: Position, side: int, pit: int) -> Iterator[Position]:
    """Yield the positions after turns of that side that capture the other's pit."""
    position = position._replace(mover=side)
    for pits, end in every_turn(position):
        if captured(played(position, pits[:-1])[0], pits[-1])[1] == pit:
            yield end


@cache
def told() -> list[tuple[tuple[int, ...], ...]]:
    """Return moves 5 to 8 of the game, as far as the paper leads.

    The heads of the columns give the number of boards a move takes: 5.1 to
    5.3, 6.1 to 6.3, 7.1 to 7.3, 8.1 to 8.4.  5: "The author threatens to
    capture M5."  6: "The program therefore empties it and in return threatens
    to capture P5 for a crushing win."  9: the author resigns, so that the game
    was not over.
    """
    found: list[tuple[tuple[int, ...], ...]] = []
    for fifth, after in every_turn(AFTER_4):
        if len(fifth) != 3 or not any(captures(after, PLAYER, 5)):
            continue
        for sixth, answer in every_turn(after):
            wins = [end for end in captures(answer, MACHINE, 5) if end.over]
            if len(sixth) != 3 or 5 not in sixth or not wins:
                continue
            for seventh, pathetic in every_turn(answer):
                for eighth, end in every_turn(pathetic) if len(seventh) == 3 else ():
                    if len(eighth) == 4 and not end.over:
                        found.append((fifth, sixth, seventh, eighth))
    return found


def choice(position: Position, claims: Mapping[int, int]) -> Choice:
    """Return the machine's move with these parameters and no other memory."""
    memory = memory_with(claims)
    return Learner(memory).best(node_of(position))


@pytest.mark.source("BELL-GAME.5", "BELL-GAME.6", "BELL-GAME.8")
def test_moves_5_and_6_and_the_beginning_of_8_can_be_told() -> None:
    game = told()
    assert len(game) == 20
    assert {moves[0] for moves in game} == {(3, 1, 4)}
    assert {moves[1] for moves in game} == {(5, 1, 2)}
    assert {moves[3][:3] for moves in game} == {(1, 3, 1)}
    # M4 would take the one that makes it and the five of P5.
    crushing = captures(played(BEFORE_6, (5, 1, 2))[0], MACHINE, 5)
    assert 13 + 6 in {end.kalahs[MACHINE] for end in crushing}


@pytest.mark.source("BELL-GAME.6", "BELL-GAME.8")
@pytest.mark.parametrize("limit", [10, 16])
def test_with_a_claim_for_16_alone_it_plays_the_game_of_figure_2(limit: int) -> None:
    """It claims a win at move 6, "irrespective of opponents play"."""
    claims = {16: limit}
    after_3 = AFTER_P2.play(1).play(1)
    assert choice(after_3, claims).turn.pits == (3, 1, 4, 1, 6)
    sixth = choice(BEFORE_6, claims)
    assert (sixth.turn.pits, sixth.value) == ((5, 1, 2), PSEUDO_WIN)
    game = told()
    answers = {moves[2] for moves in game}
    assert len(answers) == 7
    after_6 = played(BEFORE_6, (5, 1, 2))[0]
    for answer in answers:
        eighth = choice(played(after_6, answer)[0], claims)
        assert ((3, 1, 4), (5, 1, 2), answer, eighth.turn.pits) in game
        assert eighth.value == PSEUDO_WIN


@pytest.mark.source("BELL-GAME.6")
@pytest.mark.parametrize("claims", [{}, {16: 9}, FIG_6], ids=["none", "16-9", "Fig. 6"])
def test_other_parameters_prefer_another_sixth_move(claims: Mapping[int, int]) -> None:
    """At three plies it is worth 10 and that of the paper 7, in truth 8 and 6."""
    found = choice(BEFORE_6, claims)
    assert found.turn.pits == (5, 1, 3, 1, 2) and 10 <= found.value < PSEUDO_WIN
    learner = Learner(Memory())
    node = node_of(BEFORE_6)
    (printed,) = (turn for turn in node.turns() if turn.pits == (5, 1, 2))
    assert learner.value_after(node, printed) == 7
    solver = Solver(6, ALL_STONES, STANDARD_RULES)
    for pits, value in ((found.turn.pits, 8), (printed.pits, 6)):
        assert solver.value(played(BEFORE_6, pits)[0], guess=-value) == -value


@pytest.mark.source("BELL-GAME", "BELL-GAME.3", "BELL-GAME.4")
def test_solve_proves_what_the_manual_says_of_the_game(area: Area) -> None:
    """The line END has what the resigned game is worth: 2 to B."""
    page = paper.typed(
        Solve, area, "REVIEW BELL", "N", "", "Q", "Q", clock=standing_still
    )
    manual = Path(says.__file__).with_name("ATLAS.DOC").read_text("utf-8")
    told = manual[manual.index("  N   TURN") :].split("\n\n")[0].splitlines()
    assert len(told) == 8
    for line in told:
        assert f"\n{line}" in page or line == "  ..."


@pytest.mark.source("BELL-FIG7")
def test_only_one_row_of_15_stones_has_15_moves() -> None:
    """Each ends in the kalah; where the machine has its one stone is open."""
    rows = [(0,) * MOST_PITS]
    for _ in range(15):  # a move taken back: a stone from the kalah and all pits below
        rows = [
            tuple([n - 1 for n in row[:pit]] + [pit + 1, *row[pit + 1 :]])
            for row in rows
            for pit, count in enumerate(row)
            if not count and all(row[:pit])
        ]
    assert set(rows) == {(1, 2, 0, 2, 4, 6)}


@pytest.mark.source("BELL-2000")
def test_over_2000_positions_lie_within_five_moves_of_figure_8() -> None:
    """Counted by single moves; by turns there are 9, 44, 705 and then 17,772."""
    moves = turns = {played(AFTER_P2, (3, 2))[0]}
    by_moves, by_turns = [], []
    for _ in range(5):
        moves = {p.play(pit) for p in moves if not p.over for pit in p.legal}
        by_moves.append(len(moves))
    for _ in range(3):
        turns = {end for p in turns if not p.over for _, end in every_turn(p)}
        by_turns.append(len(turns))
    assert by_moves == [5, 20, 90, 388, 1644] and sum(by_moves) == 2147
    assert by_turns == [9, 44, 705]


@pytest.mark.source("BELL-II.OUT")
@pytest.mark.parametrize("stones", [3, 6])
def test_the_first_player_out_usually_loses(stones: int) -> None:
    """Even if both play at random: in 58 percent of the games or more."""
    chance = random.Random(2)
    lost = 0
    for _ in range(250):
        position = opening(stones, rules=STANDARD_RULES)
        while not position.over:
            position = position.play(chance.choice(position.legal))
        out = 1 if any(position.rows[0]) else 0
        lost += position.score[out] < position.score[1 - out]
    assert lost > 145
