"""ATLAS: its four mechanisms, and that it never loses a game twice."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from sail.board import KALAH, Position, start
from sail.engine.exact import Solver
from sail.programs.atlas import tape
from sail.programs.atlas.characteristics import characteristic
from sail.programs.atlas.machine import (
    MACHINE,
    OPENING,
    PLAYER,
    Machine,
    Move,
    notation,
)
from sail.programs.atlas.memory import (
    HALF,
    MOST_ENTRIES,
    REPLIES,
    STONES,
    Entry,
    Known,
    Memory,
    Played,
)
from sail.programs.atlas.minimax import CLAIM, LOSS, NOTHING
from sail.programs.atlas.parameters import Parameters
from sail.programs.atlas.teacher import played
from sail.programs.atlas.turns import Node

# Figure 7 as the text has it: 16 against 4, and 15 continuation moves to 19.
FIG_7 = Position(((0, 0, 0, 1, 0, 0), (1, 2, 0, 2, 4, 6)), (16, 4), PLAYER)

Game = list[tuple[int, tuple[int, ...]]]  # the turns: who, and his pits


def loser(machine: Machine, reply: str) -> Known:
    """The fact that a reply to P2 loses."""
    pits = tuple(int(word[1]) for word in reply.split("-"))
    node = machine.turns.node(played(OPENING, pits)[0])
    return Known(reply, machine.whole(node, won=False))


def knowing(*replies: str) -> Machine:
    """A machine that knows that these replies lose."""
    machine = Machine(Memory())
    for reply in replies:
        machine.memory.learn(loser(machine, reply))
    return machine


def play(
    machine: Machine, position: Position, turn: Callable[[Position], tuple[int, ...]]
) -> tuple[Game, int]:
    """The turns of a game and its difference; the machine learns from it."""
    machine.begin()
    game: Game = []
    while not position.over:
        mover = position.mover
        pits = machine.move(position).pits if mover == MACHINE else turn(position)
        position, pits = played(position, pits)
        game.append((mover, pits))
    difference = position.score[MACHINE] - position.score[PLAYER]
    machine.end(difference)
    return game, difference


@pytest.mark.source("BELL-IV.1", "BELL-10")
def test_turns_single_moves_first_then_what_was_put_by_last() -> None:
    machine = Machine(Memory())
    turns = machine.turns.of(machine.opening)
    assert [notation(turn.pits) for turn in turns] == [
        "M1", "M2", "M4", "M5", "M6",
        "M3-M1", "M3-M2", "M3-M4", "M3-M5", "M3-M6",
    ]  # fmt: skip
    assert sorted(REPLIES) == sorted(notation(turn.pits) for turn in turns)
    two = Position(((1, 2, 0, 0, 0, 1), (1, 0, 0, 0, 0, 9)), (10, 12), MACHINE)
    listed = [turn.pits for turn in machine.turns.of(machine.turns.node(two))]
    assert listed == [(6,), (2, 1), (2, 6), (1, 6), (1, 2, 6), (1, 2, 1, 6)]


@pytest.mark.source("BELL-IV.2", "BELL-V.1")
def test_values_of_the_replies_at_three_plies() -> None:
    machine = Machine(Memory())
    values = {
        notation(turn.pits): machine.minimax.value_after(machine.opening, turn, NOTHING)
        for turn in machine.turns.of(machine.opening)
    }
    assert sorted(values, key=lambda reply: -values[reply])[:2] == ["M3-M2", "M1"]
    assert sorted(values.values())[-3:] == [-2, -1, 1]


@pytest.mark.source("BELL-V.1")
def test_m3_m2_first_and_then_m1() -> None:
    move = knowing().move(OPENING)
    assert move.pits == (3, 2) and not move.rejected
    move = knowing("M3-M2").move(OPENING)
    assert move == Move((1,), -1, (3, 2))


@pytest.mark.source("BELL-IV.2")
def test_the_first_turn_that_secures_19_is_taken() -> None:
    position = Position(((1, 1, 0, 1, 0, 6), (0, 0, 4, 0, 0, 6)), (15, 2), MACHINE)
    machine = Machine(Memory())
    move = machine.move(position)
    turns = machine.turns.of(machine.turns.node(position))
    values = [
        machine.minimax.value_after(machine.turns.node(position), turn, NOTHING)
        for turn in turns
    ]
    assert move.value >= CLAIM
    assert turns[[value >= CLAIM for value in values].index(True)].pits == move.pits


def chooser(seed: int) -> Callable[[Position], tuple[int, ...]]:
    chance = random.Random(seed)
    return lambda position: (chance.choice(position.legal),)


def opponent(seed: int) -> Callable[[Position], tuple[int, ...]]:
    """Plays like the machine with an empty memory, now and then anything."""
    chance = random.Random(seed)
    machine = Machine(Memory())

    def turn(position: Position) -> tuple[int, ...]:
        if chance.random() < 0.2:
            return (chance.choice(position.legal),)
        m, p, mk, pk = machine.turns.node(position)
        return machine.minimax.choose(Node(p, m, pk, mk), lambda _: NOTHING).turn.pits

    return turn


@pytest.mark.source("BELL-IV.3")
@pytest.mark.parametrize("characteristics", [True, False])
@pytest.mark.parametrize("parameters", [True, False])
def test_never_loses_the_same_game_twice(
    characteristics: bool, parameters: bool
) -> None:
    """Whatever is played, from the tape too: the same moves do not win again."""
    machine = Machine(Memory())
    lost = 0
    for seed in range(8):
        machine.characteristics, machine.parameters = characteristics, parameters
        position = random.Random(seed).choice(
            [OPENING, start(3), start(3)._replace(mover=PLAYER)]
        )
        game, difference = play(machine, position, opponent(seed))
        for _ in range(3):
            if difference >= 0:
                break
            lost += 1
            memory = tape.read(tape.write(machine.memory), "A")
            machine = Machine(memory)
            machine.characteristics, machine.parameters = characteristics, parameters
            again, difference = repeat(machine, position, game)
            assert again != game
            game = again
    assert lost > 2


def repeat(machine: Machine, position: Position, game: Game) -> tuple[Game, int]:
    """A game in which the player repeats his turns as long as he can."""
    turns = iter([pits for mover, pits in game if mover == PLAYER])
    rest = opponent(len(game))

    def turn(position: Position) -> tuple[int, ...]:
        pits = next(turns, ())
        if pits and position.rows[PLAYER][pits[0] - 1]:
            return pits[:1]
        return rest(position)

    return play(machine, position, turn)


@pytest.mark.source("BELL-IV.3")
def test_when_all_ten_are_known_to_lose_it_still_varies() -> None:
    """The same moves of the player do not win the same game again."""
    machine = knowing(*REPLIES)
    assert machine.known_lost() == list(REPLIES)
    lost = []
    for _ in range(30):
        game, difference = play(machine, OPENING, opponent(7))
        if difference < 0:
            lost.append(game)
    assert len(lost) > 2
    assert all(game not in lost[:count] for count, game in enumerate(lost))


def sound(machine: Machine) -> None:
    """Checks all that is known with few stones in play by exact search."""
    solver = Solver(6, STONES, captures_empty=False)
    checked = 0
    for part in machine.memory.parts.values():
        for entry in part.entries:
            if entry.compressed:
                continue
            kalahs = entry.kalah, int(entry.player_kalah)
            if sum(kalahs) < 20:
                continue
            rows = tuple(tuple(n or 0 for n in row) for row in (entry.m, entry.p))
            mover = MACHINE if entry.won else PLAYER
            position = Position((rows[0], rows[1]), kalahs, mover)
            assert solver.value(position) > 0, entry
            checked += 1
    assert checked > 10


@pytest.mark.source("BELL-IV.3")
def test_what_it_learns_from_random_games_is_true() -> None:
    machine = Machine(Memory())
    for seed in range(12):
        play(machine, start(3)._replace(mover=seed % 2), opponent(seed))
    sound(machine)


@pytest.mark.source("BELL-CHAR")
def test_a_characteristic_is_won_whatever_its_x_are() -> None:
    machine = Machine(Memory())
    chance = random.Random(5)
    solver = Solver(6, STONES, captures_empty=False)
    found: dict[Entry, None] = {}
    while len(found) < 50:
        position = start(3)
        while not position.over:
            node = machine.turns.node(position)
            if position.mover == MACHINE:
                for turn in machine.turns.of(node):
                    if node.mk + turn.gain > HALF:
                        entry = characteristic(machine.turns.rows, node, turn)
                        assert entry and entry.compressed
                        found[entry] = None
            position = position.play(chance.choice(position.legal))
    assert any(any(entry.p) for entry in found)  # with a captured pit
    checked = 0
    for entry in found:
        for _ in range(4):
            filled = filling(entry, chance)
            if filled:
                machine.memory.parts["OTHER"].add(entry)
                assert machine.memory.parts["OTHER"].is_winner(
                    *machine.turns.node(filled)[:3]
                )
                assert solver.value(filled) > 0, (entry, filled)
                checked += 1
    assert checked > 100


def filling(entry: Entry, chance: random.Random) -> Position | None:
    """A legal position with 36 stones that the entry matches."""
    m = [n or 0 for n in entry.m]
    p = [n or 0 for n in entry.p]
    kalahs = [entry.kalah, 0]
    free = [(m, pit) for pit, n in enumerate(entry.m) if n is None]
    free += [(p, pit) for pit in range(6)] + [(kalahs, 1)] * 6
    for _ in range(STONES - sum(m) - sum(p) - sum(kalahs)):
        row, pit = chance.choice(free) if chance.random() < 0.9 else (kalahs, 0)
        if row is kalahs and kalahs[pit] >= HALF:
            row, pit = p, chance.randrange(6)
        row[pit] += 1
    position = Position((tuple(m), tuple(p)), (kalahs[0], kalahs[1]), MACHINE, KALAH)
    return None if position.over else position


@pytest.mark.source("BELL-CHAR")
def test_the_characteristic_of_figure_5() -> None:
    """M1, M2, M1 with 16 in the kalah: M1, M2 and at least 16 are kept."""
    position = Position(((1, 2, 0, 3, 0, 1), (0, 2, 0, 1, 0, 6)), (16, 4), MACHINE)
    machine = Machine(Memory())
    node = machine.turns.node(position)
    turn = next(t for t in machine.turns.of(node) if t.pits[:3] == (1, 2, 1))
    entry = characteristic(machine.turns.rows, node, turn)
    assert str(entry) == "W 16+  1 2 X X X X  X X X X X X"


@pytest.mark.source("BELL-PARAM")
def test_parameters_are_the_greatest_kalahs_that_won_nine_times_in_ten() -> None:
    parameters = Parameters()
    for _ in range(9):
        parameters.count(16, 2, True)
    assert parameters.limits == {}
    parameters.count(16, 4, False)
    assert parameters.limits == {16: 4}
    assert parameters.claims(16, 3) and not parameters.claims(16, 5)
    parameters.count(16, 4, False)
    assert parameters.limits == {}


@pytest.mark.source("BELL-PARAM", "BELL-CLAIM")
def test_figure_7_it_claims_a_win_and_loses_but_once() -> None:
    before = Position(((1, 0, 0, 0, 1, 0), FIG_7.rows[1]), (15, 4), MACHINE)
    assert played(before, (1, 5))[0] == FIG_7
    chain = Machine(Memory()).turns.replies(Machine(Memory()).turns.node(FIG_7))
    pits = next(turn.pits for turn in chain if turn.gain >= 15)[:15]
    assert len(pits) == 15
    after = FIG_7
    for pit in pits:
        assert after.mover == PLAYER
        after = after.play(pit)
    assert after.over and after.kalahs == (16, 19)

    memory = Memory()
    memory.learn(Played("WON", ((16, 4),) * 20, False))
    machine = Machine(memory)
    move = machine.move(before)
    assert move.pits == (1, 5) and move.value == CLAIM
    machine.end(-3)
    machine.begin()
    assert machine.move(before).pits != (1, 5)
    machine.parameters = False
    assert (
        machine.minimax.value_after(
            machine.turns.node(before),
            next(
                t
                for t in machine.turns.of(machine.turns.node(before))
                if t.pits == (1, 5)
            ),
            NOTHING,
        )
        == LOSS
    )


@pytest.mark.source("BELL-TAPE")
def test_a_full_memory_says_so_and_plays_on() -> None:
    machine = knowing("M3-M2")
    part = machine.memory.parts["M1"]
    number = 0
    while not part.full:
        number += 1
        stones = [number // 17**place % 17 for place in range(3)]
        part.add(Entry(False, 0, (*stones, 0, 0, 0), (1, 0, 0, 0, 0, 0)))
    assert len(part) == MOST_ENTRIES
    assert machine.move(OPENING).pits == (1,)
    machine.add_loser(machine.opening)
    assert machine.full == {"M1"}
    play(machine, OPENING, opponent(1))
    assert len(part) <= MOST_ENTRIES


@pytest.mark.source("BELL-TAPE")
def test_other_sizes_are_played_without_memory() -> None:
    memory = Memory()
    machine = Machine(memory, 24)
    for seed in range(5):
        play(machine, start(2), chooser(seed))
    assert not len(memory) and not memory.games
