"""ATLAS's teacher: it wins, and it chooses among the winning turns."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

import pytest
from pytest import MonkeyPatch

from sail.board import KALAH, Position, start
from sail.engine import endgame
from sail.engine.endgame import Database
from sail.engine.exact import OPEN, Bounds, Solver
from sail.engine.moves import MoveTable
from sail.programs.atlas.machine import OPENING, Machine
from sail.programs.atlas.memory import OTHER, STONES, Memory
from sail.programs.atlas.teacher import Teacher
from sail.programs.atlas.turns import MACHINE, PLAYER, Node, played
from sail.stop import Stop, Stopped, never

Row = tuple[int, int, int, int, int, int]


def at(m: Row, p: Row, mk: int, pk: int) -> Position:
    """The player is to move."""
    return Position((m, p), (mk, pk), PLAYER, KALAH)


CHAIN = at((0, 0, 0, 7, 0, 0), (0, 1, 2, 4, 1, 2), 11, 8)
SMALL = at((0, 0, 1, 4, 0, 0), (1, 1, 1, 1, 2, 2), 15, 8)
LARGE = at((6, 2, 5, 1, 0, 0), (1, 0, 0, 0, 3, 4), 7, 7)
SEEN = at((0, 1, 1, 0, 0, 2), (1, 1, 5, 4, 1, 2), 7, 11)
LAST = at((0, 0, 0, 0, 1, 2), (1, 0, 0, 0, 0, 0), 14, 18)
TAKEN = at((0, 0, 0, 0, 0, 2), (0, 1, 0, 0, 0, 3), 15, 15)
OVER = at((0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), 17, 18)


def teacher_of(machine: Machine, kind: type[Teacher] = Teacher) -> Teacher:
    """Return a teacher with small endgames, which are built quickly."""
    teacher = kind(machine, never)
    teacher.solver.database = endgame.build(teacher.solver.moves, 6)
    return teacher


@pytest.mark.source("BELL-VI")
def test_the_teacher_wins_what_can_be_won() -> None:
    chance = random.Random(8)
    solver = Solver(6, STONES, captures_empty=False)
    teacher = teacher_of(Machine(Memory()))
    compared = 0
    while compared < 20:
        position = start(3)
        while position.in_play > 16 and not position.over:
            position = position.play(chance.choice(position.legal))
        if position.over or position.mover == MACHINE or position.in_play > 20:
            continue
        if solver.value(position) > 0:
            after = played(position, teacher.turn(position, OTHER))[0]
            machine_gets, player_gets = after.score
            won = machine_gets < player_gets if after.over else solver.value(after) < 0
            assert won
            compared += 1


def test_which_winning_turn_the_teacher_takes() -> None:
    for position, pits in (
        (CHAIN, (4, 1, 2, 1, 3, 1, 5)),
        (SMALL, (1,)),
        (LARGE, (1, 6)),
        (SEEN, (1, 4, 1, 2, 1, 3)),
        (LAST, (1,)),
    ):
        teacher = teacher_of(Machine(Memory()))
        assert teacher.turn(position, OTHER) == pits
        assert teacher.turn(position, OTHER) == pits  # and stays with it


def test_likely_turns_stand_first() -> None:
    """Turns that end the game come first, then the best at three plies."""
    for position, turns in (
        (SMALL, ["16", "15", "14", "13", "12", "6", "5", "4", "3", "2"]),
        (LARGE, ["16", "6", "15", "5"]),
        (LAST, ["1"]),
        (TAKEN, ["2", "6"]),
        (at((0, 0, 0, 0, 1, 2), (0, 1, 1, 0, 0, 9), 4, 18), ["6", "3", "2"]),
        (at((2, 1, 1, 0, 3, 0), (0, 1, 0, 1, 1, 1), 13, 12), ["5", "2", "6", "4"]),
    ):
        teacher = teacher_of(Machine(Memory()))
        likely = teacher.likely(teacher.machine.turns.node(position))
        assert ["".join(map(str, turn.pits)) for turn in likely] == turns


def test_what_a_turn_of_the_teacher_costs() -> None:
    """The hopes left by likely answers, the lessons, the cost."""
    for position, figures in (
        (CHAIN, (1, 3, -23)),
        (SMALL, (4, 15, 69)),
        (LARGE, (5, 19, 112)),
        (SEEN, (0, 1, -44)),
        (OPENING, (8, 58, 449)),
        (LAST, (0, 0, -80)),
        (OVER, (20, 0, -83)),
        (TAKEN, (1, 1, -64)),
    ):
        machine = Machine(Memory())
        teacher = Teacher(machine, never)
        node = machine.turns.node(position)
        hopes, lessons = teacher.fewest_hopes(node, OTHER), teacher.lessons(node, OTHER)
        assert (hopes, lessons, teacher.cost(node, OTHER, -6)) == figures


class Lavish(Teacher):
    """Takes every turn for a win, and counts the turns it compares."""

    compared = 0

    def value(self, position: Position) -> int:
        return -1

    def cost(self, node: Node, part: str, value: int) -> int:
        self.compared += 1
        return 0


class Even(Lavish):
    """Takes every turn for a draw."""

    def value(self, position: Position) -> int:
        return 0


def test_eight_winning_turns_are_compared_two_with_a_crowd() -> None:
    """More than 32 stones in play are a crowd."""
    p: Row = (2, 1, 3, 4, 0, 0)
    for stones, compared in (32, 8), (33, 2):
        position = at((stones - 10, 0, 0, 0, 0, 0), p, 36 - stones, 0)
        teacher = teacher_of(Machine(Memory()), Lavish)
        teacher.turn(position, OTHER)
        assert isinstance(teacher, Lavish) and teacher.compared == compared


def test_a_draw_is_no_win_and_an_end_needs_no_comparison() -> None:
    for kind, position, pits in (
        (Even, SMALL, (1,)),
        (Lavish, LAST, (1,)),
    ):
        teacher = teacher_of(Machine(Memory()), kind)
        assert teacher.turn(position, OTHER) == pits
        assert isinstance(teacher, Lavish) and not teacher.compared


class Slow(Solver):
    """Narrows the bounds of a value by one with each step."""

    lasts = -30
    guesses: list[int | None]

    def known(self, position: Position) -> Bounds:
        return Bounds(-36, 36)

    def prove(
        self,
        position: Position,
        within: Bounds = OPEN,
        guess: int | None = None,
        stop: Stop = never,
    ) -> Iterator[Bounds]:
        self.guesses.append(guess)
        for far in range(36, -1, -1):
            yield Bounds(max(-36, self.lasts - far), min(36, self.lasts + far))


def test_how_well_the_teacher_must_know_a_value() -> None:
    """It is proved, no win, or a win by 8; in a crowd any win."""
    for stones, lasts, value in (
        (32, -30, -8),
        (33, -30, -1),
        (32, -3, -3),
        (32, 3, 6),
        (32, 0, 0),
        (32, 30, 36),
    ):
        teacher = Teacher(Machine(Memory()), never)
        teacher.solver = Slow(6, STONES, captures_empty=False)
        teacher.solver.lasts, teacher.solver.guesses = lasts, []
        row: Row = (stones - 21, 0, 0, 0, 0, 0)
        assert teacher.value(at(row, (1, 2, 3, 4, 5, 6), 36 - stones, 0)) == value
        assert teacher.solver.guesses == [-2]
    assert Teacher(Machine(Memory()), never).value(OVER) == -2


def test_the_endgames_are_built_once_with_12_stones(monkeypatch: MonkeyPatch) -> None:
    asked: list[int] = []
    build = endgame.build

    def small(moves: MoveTable, stones: int, stop: Stop) -> Database:
        asked.append(stones)
        return build(moves, 6, stop)

    monkeypatch.setattr("sail.engine.endgame.build", small)
    teacher = Teacher(Machine(Memory()), never)
    teacher.turn(LAST, OTHER)
    teacher.turn(CHAIN, OTHER)
    assert asked == [12] and teacher.solver.fits(CHAIN)


def test_the_teacher_can_be_stopped() -> None:
    for stops in (1, 2, 20):
        polls = iter([False] * stops)
        teacher = Teacher(Machine(Memory()), partial(next, polls, True))
        with pytest.raises(Stopped):
            teacher.turn(OPENING._replace(mover=PLAYER), OTHER)
    teacher = Teacher(Machine(Memory()), lambda: True)
    with pytest.raises(Stopped):
        teacher.hopes(teacher.machine.turns.node(OPENING), OTHER)


def test_a_turn_is_played_no_further_than_the_end() -> None:
    after, pits = played(LAST, (1, 1))
    assert pits == (1,) and after.over and after.kalahs == (14, 19)
    assert played(SMALL, (1, 6))[1] == (1, 6)
