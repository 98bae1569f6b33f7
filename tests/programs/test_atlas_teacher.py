"""ATLAS's teacher: it wins, and its lessons are short."""

from __future__ import annotations

import random
from functools import partial

import pytest

from sail.board import STANDARD_RULES, Position, start
from sail.engine.exact import Solver
from sail.programs.atlas.learner import OPENING, Learner
from sail.programs.atlas.memory import ALL_STONES, Memory
from sail.programs.atlas.teacher import NEVER, Teacher, key_of
from sail.programs.atlas.turns import PLAYER, packed
from sail.stop import Stopped, never
from tests.positions import played


def late(chance: random.Random, stones: int) -> Position:
    """Return a position from a random game, with at most so many stones in play."""
    while True:
        position = start(3)
        while position.in_play > stones and not position.over:
            position = position.play(chance.choice(position.legal))
        if not position.over:
            return position


def teacher() -> Teacher:
    return Teacher(Learner(Memory()).turns, never)


@pytest.mark.source("BELL-VI")
def test_the_teacher_wins_what_can_be_won() -> None:
    chance = random.Random(8)
    solver = Solver(6, ALL_STONES, STANDARD_RULES)
    teaches = teacher()
    compared = 0
    while compared < 6:
        position = late(chance, 15)
        if position.mover == PLAYER and solver.value(position) > 0:
            after = played(position, teaches.turn(position))[0]
            machine_gets, player_gets = after.score
            won = machine_gets < player_gets if after.over else solver.value(after) < 0
            assert won
            compared += 1


def test_a_proof_agrees_with_exact_values() -> None:
    """The player's way is to win; the machine's to win or draw."""
    chance = random.Random(4)
    solver = Solver(6, ALL_STONES, STANDARD_RULES)
    seen = set()
    for _ in range(60):
        position = late(chance, 13)
        teaches = teacher()
        node, mover = packed(position), position.mover
        key = key_of(mover, node)
        teaches.numbers[key] = numbers = teaches.first_numbers(mover, node)
        if 0 not in numbers:
            teaches.prove(mover, node, NEVER, NEVER)
            numbers = teaches.numbers[key]
        value = solver.value(position)
        has_way = value > 0 if mover == PLAYER else value >= 0
        assert numbers == ((0, NEVER) if has_way else (NEVER, 0))
        seen.add((mover, (value > 0) - (value < 0)))
    assert len(seen) == 6  # wins, losses and draws of both


@pytest.mark.source("BELL-OFFLINE")
@pytest.mark.parametrize("reply, lessons", [("M3-M6", 21), ("M6", 29)])
def test_how_much_the_machine_must_learn(reply: str, lessons: int) -> None:
    pits = tuple(int(word[1]) for word in reply.split("-"))
    teaches = teacher()
    position = played(OPENING, pits)[0]
    assert not teaches.plans(position)
    turn = teaches.turn(position)
    assert teaches.plans(position) and teaches.turn(position) == turn
    assert teaches.lessons(packed(position)) == lessons


def test_the_teacher_can_be_stopped_and_goes_on_later() -> None:
    position = played(OPENING, (6,))[0]
    turn = teacher().turn(position)
    for stops in (0, 1, 20):
        polls = iter([False] * stops)
        teaches = Teacher(Learner(Memory()).turns, partial(next, polls, True))
        with pytest.raises(Stopped):
            teaches.turn(position)
        teaches.stop = never
        assert teaches.turn(position) == turn
