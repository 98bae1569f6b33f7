"""The routines of RUSSEL: each beside the memo, and against plain searches."""

from __future__ import annotations

import itertools
import random
import re
from functools import lru_cache

import pytest

from sail.board import PAPER, STANDARD, Position, start
from sail.programs.russel.display import Display
from sail.programs.russel.routines import (
    READ_IN,
    OutOfFreeStorage,
    Routines,
    Watch,
    entry_of_td,
    packed,
    unpacked,
)
from sail.stop import Stopped
from tests.positions import with_counts

PHOTOGRAPHED = {"IP": 2, "OP": 0o221, "TD": 0o777}
PROOF = {"IA": 0o145, "IB": 0o146, "ID": 0o15}  # IA 101, IB 102


def program(position: Position, **words: int) -> Routines:
    return Routines({**READ_IN, **words}, Watch(), position)


def watched(watch: Watch, position: Position, **words: int) -> Routines:
    return Routines({**READ_IN, **words}, watch, position)


def on(*options: int) -> int:
    """OP with these options on."""
    return sum(1 << option - 1 for option in options)


def board(a: str, b: str, mover: int = 0) -> Position:
    """A position from kalah and pits 1 to 6 of both."""
    rows = [tuple(map(int, text.split())) for text in (a, b)]
    kalahs = (rows[0][0], rows[1][0])
    return Position((rows[0][1:], rows[1][1:]), kalahs, mover, STANDARD)


def as_position(routines: Routines) -> Position:
    rows = tuple(tuple(routines.row(side)) for side in (0, 1))
    return Position((rows[0], rows[1]), routines.kalahs, routines.second, STANDARD)


def random_positions(count: int, most: int = 5, seed: int = 1964) -> list[Position]:
    """Positions that are not over, half of them sparse."""
    chance = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        empty = [0] * chance.choice((1, most, 2 * most))
        position = with_counts(chance, [*empty, *range(1, most + 1)])
        if not program(position).end_of_game:
            found.append(position)
    return found


def with_a_spare_stone(count: int) -> list[Position]:
    """Positions where the mover's pit 1 holds one stone that little can touch."""
    found = []
    for position in random_positions(8 * count, most=4, seed=22):
        chance = random.Random(repr(position))
        row = (1, 0, *(chance.randint(0, most) for most in (1, 2, 3, 4)))
        rows = list(position.rows)
        rows[position.mover] = row
        position = position._replace(rows=(rows[0], rows[1]))
        if not program(position).end_of_game:
            found.append(position)
    return found[:count]


# The memo's program again, as slowly and plainly as it can be said.


def sown_alone(pit: int, stones: int) -> int:
    """How many of the stones of a pit stay on its side."""
    places = [*range(pit - 1, 0, -1), "kalah", *["other"] * 6, *range(6, pit - 1, -1)]
    return sum(places[n % 13] != "other" for n in range(stones))


def plain_ev(position: Position) -> int:
    if position.in_play > 16:
        return position.kalahs[0] - position.kalahs[1]
    kept = [0, 0]
    for side in (0, 1):
        kept[side] += position.kalahs[side]
        for pit, stones in enumerate(position.rows[side], 1):
            stay = sown_alone(pit, stones)
            kept[side] += stay
            kept[1 - side] += stones - stay
    return kept[0] - kept[1]


def plain_minimax(position: Position, levels: int) -> int:
    """The value without limits, orders or options, levels counted as ID is."""
    judge = program(position)
    if judge.end_of_game:
        return judge.score
    if levels == 1:
        return plain_ev(position)
    values = []
    for pit in position.legal:
        after = position.play(pit)
        values.append(plain_minimax(after, levels - (after.mover != position.mover)))
    return min(values) if position.mover else max(values)


# The rules


@pytest.mark.source("M22-ROWS", "M22-STONES", "M22-KALAH")
def test_rows_and_kalahs() -> None:
    chance = random.Random(6)
    for stones in (3, 4, 5, 6):
        routines = program(start(stones))
        assert routines.row(0) == routines.row(1) == [stones] * 6
        kalahs = routines.kalahs
        assert kalahs == (0, 0)
        while not routines.end_of_game:
            row = routines.row(routines.second)
            routines.mv(chance.choice([pit for pit in range(1, 7) if row[pit - 1]]))
            assert all(now >= was for now, was in zip(routines.kalahs, kalahs))
            kalahs = routines.kalahs


@pytest.mark.source("M22-SOW", "M22-SKIP", "M22-FLAGS")
def test_sowing_goes_to_the_right_and_skips_the_kalah_of_the_opponent() -> None:
    routines = program(board("5 9 2 2 2 2 2", "5 1 1 1 1 1 1"))
    routines.mv(1)
    assert routines.row(0) == [0, 2, 2, 2, 3, 3]
    assert routines.row(1) == [2] * 6
    assert routines.kalahs == (6, 5)
    assert (routines.end_of_turn, routines.second) == (1, 1)
    assert not routines.end_of_game


@pytest.mark.source("M22-RULE1", "M22-FLAGS")
def test_several_turns_in_succession() -> None:
    routines = program(board("0 1 2 0 4 0 3", "0 1 1 1 1 1 1"))
    for pit in (1, 2, 1, 4, 1):
        routines.mv(pit)
        assert (routines.end_of_turn, routines.second) == (0, 0), pit
    assert routines.kalahs == (5, 0)
    routines.mv(2)
    assert (routines.end_of_turn, routines.second) == (1, 1)


@pytest.mark.source("M22-RULE2", "M22-AROUND", "M22-FLAGS")
def test_captures_from_near_and_from_around_the_board() -> None:
    near = program(board("0 0 1 2 0 0 1", "0 2 2 2 2 2 3"))
    near.mv(2)  # to pit 1, opposite to b's pit 6
    assert near.row(0) == [0, 0, 2, 0, 0, 1]
    assert near.row(1) == [2, 2, 2, 2, 2, 0]
    assert near.kalahs == (4, 0) and near.second
    around = program(board("0 8 1 2 0 0 0", "0 2 2 2 2 2 3"))
    around.mv(1)  # over both kalahs to pit 6, opposite to b's pit 1
    assert around.row(0) == [0, 1, 2, 0, 0, 0]
    assert around.row(1) == [0, 3, 3, 3, 3, 4]
    assert around.kalahs == (1 + 1 + 3, 0) and around.second


@pytest.mark.source("M22-END", "M22-FLAGS", "M22-EGC.SCORE")
def test_the_stones_left_over_go_home() -> None:
    routines = program(board("3 1 0 0 0 0 0", "3 1 2 0 0 0 8"))
    assert not routines.end_of_game
    routines.mv(1)
    assert routines.end_of_game
    assert routines.sides == (4, 14)
    assert routines.score == -100 - 10


class CapturesEmpty(Routines):
    """The other reading of rule 2: a single stone is captured, too."""

    def mv(self, pit: int) -> None:
        after = as_position(self)._replace(rules=PAPER).play(pit)
        super().mv(pit)
        (a, b), (ka, kb) = after.rows, after.kalahs
        self.board = [*reversed(a), ka, *reversed(b), kb]
        self.egc()


class SidesEnd(Routines):
    """The other reading of EGC: the pits of a side count for its majority."""

    def egc(self) -> None:
        super().egc()
        a, b = self.sides
        if max(a, b) > self.half and not self.end_of_game:
            self.end_of_game = True
            self.score = a - b + (100 if a > b else -100)


@pytest.mark.source("M22-RULES", "M22-EGC.SIDE", "M22-RUN.END")
def test_the_printed_run_decides_between_readings() -> None:
    efforts = {}
    for reading in (Routines, CapturesEmpty, SidesEnd):
        routines = reading({**READ_IN, **PHOTOGRAPHED}, Watch(), start(2))
        routines.analyse()
        efforts[reading] = routines.ef
    assert efforts == {Routines: 627, CapturesEmpty: 571, SidesEnd: 35}


@pytest.mark.source("M22-MV", "M22-RV")
def test_mv_and_rv_play_as_the_board_does() -> None:
    chance = random.Random(1)
    for position in [
        *random_positions(100, most=16),
        start(2, rules=STANDARD),
        start(12, rules=STANDARD),
        board("0 14 22 25 56 12 10", "0 0 0 0 0 0 5"),
    ]:
        routines = program(position)
        trail = [position]
        while not routines.end_of_game:
            pit = chance.choice(trail[-1].legal)
            trail.append(trail[-1].play(pit))
            routines.mv(pit)
            assert as_position(routines) == trail[-1]
            assert bool(routines.end_of_turn) == (trail[-1].mover != trail[-2].mover)
        for earlier in reversed(trail[:-1]):
            routines.rv()
            assert as_position(routines) == earlier


@pytest.mark.source("M22-RULES")
def test_an_empty_pit_opposite_gives_no_capture() -> None:
    routines = program(board("0 0 1 3 0 0 0", "0 2 2 2 2 2 0"))
    routines.mv(2)
    assert routines.row(0) == [1, 0, 3, 0, 0, 0]
    assert routines.kalahs == (0, 0)


@pytest.mark.source("M22-EV")
def test_ev() -> None:
    seventeen = program(board("3 4 1 1 1 1 1", "1 3 1 1 1 1 1"))
    assert seventeen.ev() == 2
    # a's pit 1 sends three over to b, everything else stays with its side.
    sixteen = program(board("3 4 1 1 1 1 0", "1 3 1 1 1 1 1"))
    assert sixteen.ev() == 3 + (8 - 3) + 2 - (1 + (8 - 2) + 3)
    one_pit = board("3 15 0 0 0 0 0", "4 1 0 0 0 0 0")
    for position in (one_pit, *random_positions(300)):
        assert program(position).ev() == plain_ev(position)


@pytest.mark.source("M22-OP.4")
def test_bird_in_hand() -> None:
    routines = program(board("3 4 1 1 1 1 0", "1 3 1 1 1 1 1"), OP=on(4))
    assert routines.ev() == 2


@pytest.mark.source("M22-EGC", "M22-EGC.SCORE")
def test_egc() -> None:
    def score(a: str, b: str) -> int | None:
        routines = program(board(a, b))
        return routines.score if routines.end_of_game else None

    assert score("13 1 1 1 1 1 1", "5 0 0 0 0 0 0") == 100 + 14
    assert score("13 0 0 0 0 0 1", "4 1 1 1 1 1 1") == 100 + 4
    assert score("12 0 0 0 0 0 1", "5 1 1 1 1 1 1") is None
    assert score("5 0 0 0 0 0 0", "5 1 1 0 0 0 0") == -100 - 2
    assert score("6 0 0 0 0 0 0", "5 1 0 0 0 0 0") == 100
    assert score("5 1 2 3 0 0 0", "5 0 1 0 0 0 0") == 100 + 5
    # Pit 3 of a, opposite to pit 4 of b; a pit 1 that must go past the kalah.
    assert score("5 1 2 3 0 0 0", "5 0 1 0 1 0 0") is None
    assert score("5 2 2 3 0 0 0", "5 0 1 0 0 0 0") is None


@pytest.mark.source("M22-EGC")
def test_egc_is_right_when_neither_can_keep_the_other_from_moving_his_stones() -> None:
    rows = [
        (*low, 0, 0)
        for low in itertools.product(range(2), range(3), range(4), range(5))
        if any(low)
    ]

    @lru_cache(None)
    def played_out(position: Position) -> int:
        """The stones that a gains above b's, if play goes on to an empty row."""
        a, b = position.rows
        if not any(a) or not any(b):
            return sum(a) - sum(b)
        values = []
        for pit in position.legal:
            after = position.play(pit)
            gained = after.kalahs[0] - after.kalahs[1]
            values.append(gained + played_out(after._replace(kalahs=(0, 0))))
        return min(values) if position.mover else max(values)

    seen = 0
    for a, b in itertools.product(rows, rows):
        position = Position((a, b), rules=STANDARD)
        if program(position).end_of_game:
            seen += 1
            for mover in (0, 1):
                assert played_out(position._replace(mover=mover)) == sum(a) - sum(b)
    assert seen == 1489


@pytest.mark.source("M22-ORD")
def test_ord() -> None:
    # 2 ends in the kalah, 4 and 5 capture, 1 and 6 do neither.
    example = program(board("0 3 2 0 1 2 2", "0 1 1 1 3 1 1"))
    assert example.ord() == 0o061542
    for position in random_positions(200, most=15):
        order = [*unpacked(program(position).ord())]
        assert sorted(order) == list(position.legal)
        first = [
            pit
            for pit in position.legal
            if position.repeats(pit) or _captures(position, pit)
        ]
        assert order[: len(first)] == first
        assert order[len(first) :] == sorted(order[len(first) :])


def _captures(position: Position, pit: int) -> bool:
    """A capture is the only way to leave fewer stones in play by two or more."""
    cycle = 13
    stones = position.rows[position.mover][pit - 1]
    passes = sum((pit - n) % cycle == 0 for n in range(1, stones + 1))
    return position.in_play - position.play(pit).in_play > passes


def test_a_word_is_read_from_the_right() -> None:
    assert packed([2, 4, 5, 1, 6]) == 0o61542
    assert [*unpacked(0o061542)] == [2, 4, 5, 1, 6]
    assert [*unpacked(0)] == []


@pytest.mark.source("M22-OG", "M22-SM")
def test_og_orders_by_the_values_of_a_search_to_the_depth_of_td() -> None:
    for position in random_positions(40):
        routines = program(position, OP=on(1), TD=0o30777)
        values = {}
        for pit in position.legal:
            after = position.play(pit)
            left = 3 - (after.mover != position.mover)
            sign = 1 if position.mover else -1
            values[pit] = sign * plain_minimax(after, left)
        order = [*unpacked(routines.og(1))]
        assert order == sorted(unpacked(routines.ord()), key=values.__getitem__)


@pytest.mark.source("M22-OFF", "M22-OP.6", "M22-SOR")
def test_og_without_a_look_ahead() -> None:
    first, second = start(3), start(3)._replace(mover=1)
    assert program(first, OP=on(6)).og(1) == 0o654321
    assert program(second, OP=on(7)).og(1) == 0o654321
    assert program(first, OP=on(1), TD=0o777).og(1) == 0o654321
    assert program(first, OP=on(1), TD=0o777, SOR=1).og(1) == program(first).ord()
    level_1 = program(first, OP=on(1), TD=0o10777)
    assert (level_1.og(1), level_1.ef) == (0o654321, 0), "the moves lie below"
    one_ply = program(first, OP=on(1), TD=0o20777)
    assert (one_ply.og(1), one_ply.ef) == (0o654213, 11)
    for position, options in ((first, on(7)), (second, on(6))):
        routines = program(position, OP=options)
        routines.og(1)
        assert routines.ef > 0


@pytest.mark.source("M22-OG5", "M22-OP.1", "M22-OP.5", "M22-TD.777")
def test_td_against_stones_and_against_moves() -> None:
    def depths(op: int) -> list[int]:
        found = []
        for ka, kb in ((0, 0), (3, 4), (4, 4), (0, 31), (31, 1), (27, 28), (8, 48)):
            position = board(f"{ka} 1 1 1 1 1 1", f"{kb} 1 1 1 1 1 1")
            found.append(program(position, OP=op).td())
        return found

    assert depths(on(1)) == [5, 5, 3, 3, 2, 2, 0]
    assert depths(on(1, 5)) == [5] * 7
    assert depths(0) == [3] * 7

    routines = program(start(3), OP=on(1, 5))
    seen = []
    for pit in (3, 1, 1, 2, 3, 4, 2, 6, 6):
        seen.append(routines.td())
        routines.mv(pit)
    assert seen == [5] * 8 + [3]


@pytest.mark.source(
    "M22-SEARCH", "M22-SUPINF", "M22-TER", "M22-ALPHABETA", "M22-VPLUS", "M22-WIDE",
    "M22-DEPTH",
)  # fmt: skip
@pytest.mark.parametrize("levels", [2, 3, 4])
@pytest.mark.parametrize("op", [on(6, 7), on(1), on(3), on(3, 6, 7)])
def test_the_value_is_that_of_a_plain_minimax(levels: int, op: int) -> None:
    for position in random_positions(25, seed=levels):
        plain = plain_minimax(position, levels)
        routines = program(position, ID=levels, OP=op, TD=0o20777)
        assert routines.analyse()[0] == plain
        assert as_position(routines) == position
        for low, high in ((-3, 2), (0, 1), (-120, -5)):
            routines.words.update(IA=low, IB=high)
            assert routines.analyse()[0] == max(low, min(high, plain))


@pytest.mark.source("M22-DEPTH")
def test_a_repeat_move_stays_on_its_level() -> None:
    leaves: list[str] = []

    class Leaves(Watch):
        def leaf(self, variation: str, value: int, marker: str) -> None:
            leaves.append(variation)

    watched(Leaves(), start(2), ID=3, OP=on(6, 7)).analyse()
    assert all(re.fullmatch(r"\d+-\d+,", variation) for variation in leaves)
    assert {"1-1,", "1-26,", "24-1,"} < {*leaves}


@pytest.mark.source("M22-PM", "M22-OP.3")
@pytest.mark.parametrize(
    ("bird", "efforts"), [(0, (14139, 12717)), (on(4), (13907, 12887))]
)
def test_postponing_changes_no_value(bird: int, efforts: tuple[int, int]) -> None:
    plain = put_off = 0
    for position in with_a_spare_stone(60):
        for levels in (2, 3, 4, 5):
            found = []
            for op in (on(6, 7), on(3, 6, 7)):
                routines = program(position, ID=levels, OP=op | bird, SOR=1)
                found.append((routines.analyse()[0], routines.ef))
            assert found[0][0] == found[1][0]
            plain += found[0][1]
            put_off += found[1][1]
    assert (plain, put_off) == efforts


@pytest.mark.source("M22-PM", "M22-OP.3")
def test_the_short_look_ahead_postpones_too() -> None:
    efforts = [0, 0]
    for position in with_a_spare_stone(30):
        plain, postponing = (program(position, OP=op, TD=0o40777) for op in (1, 0o5))
        assert plain.og(1) == postponing.og(1)
        efforts[0] += plain.ef
        efforts[1] += postponing.ef
    assert efforts == [3288, 3252]


@pytest.mark.source("M22-PM")
def test_what_is_postponable() -> None:
    def postponable(
        own: str, other: str, pit: int = 1, levels: int = 9, **words: int
    ) -> bool:
        as_a = program(board(own, other), **words).pm(pit, 1, levels)
        as_b = program(board(other, own, mover=1), **words).pm(pit, 3, levels + 2)
        assert as_a == as_b
        return as_a

    free, other = "0 1 0 1 1 1 0", "9 1 1 1 1 1 1"
    assert postponable(free, other)
    assert postponable("0 1 0 1 1 0 0", "9 2 1 1 1 1 1")
    assert not postponable(free, other, pit=3)
    assert not postponable("0 2 0 1 1 1 0", other), "it does not end in the kalah"
    assert not postponable("0 1 1 1 1 0 0", other), "pit 2 reaches pit 1"
    assert not postponable("0 1 0 1 3 1 0", other), "pit 4 reaches pit 1"
    assert not postponable(free, "9 7 1 1 1 1 1"), "pit 1 of b comes round to it"
    assert not postponable(free, "9 6 2 1 1 1 1"), "with a stone more it does, too"
    assert not postponable("0 1 0 1 0 0 0", other), "the row may become empty"
    assert not postponable("8 1 0 1 1 1 0", "1 1 1 1 1 1 2"), "a majority is near"
    # At the bottom EV counts the stone as home, if it moves all stones.
    assert postponable(free, other, levels=2)
    assert postponable("0 1 0 1 1 0 0", other, levels=4)
    assert not postponable("0 1 0 1 1 0 0", other, levels=3)
    assert not postponable(free, other, levels=3, OP=on(4))
    assert postponable(free, "9 0 0 0 0 6 6", levels=3)
    assert not postponable(free, "9 0 0 0 0 6 7", levels=3)
    assert postponable(free, "9 0 0 0 0 6 7", levels=4)
    # Half of all the stones, with the best capture, are no majority.
    assert postponable("8 1 0 1 1 1 0", "4 1 1 1 1 1 1")
    assert not postponable("8 1 0 1 1 1 0", "3 1 1 1 1 1 1")
    # From pit n to pit 1 of the opponent are n + 6 holes; n + 1 stones behind
    # pit n can bring it one more.
    for near, far in (
        *(("6 0 0 0 0 0", "7 0 0 0 0 0"), ("5 3 0 0 0 0", "5 4 0 0 0 0")),
        *(("0 7 0 0 0 0", "0 8 0 0 0 0"), ("0 5 8 0 0 0", "0 5 0 9 0 0")),
        *(("0 0 8 0 0 0", "0 0 9 0 0 0"), ("0 0 8 0 3 0", "0 0 8 0 0 4")),
        *(("0 0 0 9 0 0", "0 0 0 10 0 0"), ("0 0 0 0 10 0", "0 0 0 0 11 0")),
        ("0 0 0 0 0 11", "0 0 0 0 0 12"),
    ):
        assert postponable(free, f"60 {near}"), near
        assert not postponable(free, f"60 {far}"), far
    # The loose rule asks for another move, and no more.
    loose = "0 1 0 0 0 0 7"
    assert postponable(loose, "9 7 1 1 1 1 1", levels=2, PM=1)
    assert not postponable("0 1 0 0 0 0 0", other, PM=1)
    assert not postponable(loose, other, pit=6, PM=1)
    assert not postponable("0 2 0 0 0 0 7", other, PM=1)


@pytest.mark.source("M22-GAMMA", "M22-GAMMA.PROOF", "M22-OP.2")
def test_gamma_mode() -> None:
    wide = saved = 0
    for position in random_positions(60, seed=8):
        efforts = {}
        for op in (on(6, 7), on(2, 6, 7)):
            for low, high in ((-2, 2), (0, 4), (-4, 0)):
                routines = program(position, ID=5, OP=op, IA=low, IB=high)
                routines.analyse()
                efforts[op, low] = routines.ef
        wide += efforts[on(6, 7), -2]
        saved += efforts[on(2, 6, 7), -2]
        for low in (0, -4):
            assert efforts[on(6, 7), low] == efforts[on(2, 6, 7), low]
    assert (wide, saved) == (9505, 8767)


@pytest.mark.source("M22-GAMMA", "M22-GAMMA8", "M22-GAMMA.PROOF")
def test_gamma_is_eight_past_the_limit() -> None:
    routines = program(board("9 1 1 1 1 1 1", "0 2 2 2 2 2 2"))
    assert routines.ev() == 9
    assert routines.adequate(0, -1, 1)
    assert not routines.adequate(0, -1, 2)
    assert not routines.adequate(0, 0, 1), "only while alpha < 0 < beta"
    assert not routines.adequate(1, -1, 1)
    behind = program(board("0 1 1 1 1 1 1", "9 2 2 2 2 2 2"))
    assert behind.adequate(1, -1, 1)
    assert not behind.adequate(0, -1, 1)


@pytest.mark.source("M22-CLOSER", "M22-ORDER")
def test_close_limits_and_a_good_order_save_effort() -> None:
    class WorstFirst(Routines):
        def og(self, level: int) -> int:
            return packed([*unpacked(super().og(level))][::-1])

    wide, close, worst = (
        kind({**READ_IN, "ID": 5, "OP": 0, "IA": low, "IB": high}, Watch(), start(3))
        for kind, low, high in (
            (Routines, -0o377, 0o377),
            (Routines, -2, -1),
            (WorstFirst, -0o377, 0o377),
        )
    )
    assert wide.analyse()[0] == worst.analyse()[0] == 0
    assert close.analyse()[0] == -1
    assert close.p_ef < wide.p_ef < worst.p_ef / 4


@pytest.mark.source("M22-145")
def test_the_smallest_win_is_102() -> None:
    """All stones are even in number, so who wins is at least 2 ahead."""
    assert (PROOF["IA"], PROOF["IB"]) == (101, 102)
    for kalah, plain, proof in (("6", 102, 102), ("4", 100, 101)):
        position = board(f"{kalah} 1 0 0 0 0 1", "6 1 1 0 0 0 0")
        assert program(position, ID=0o15).analyse()[0] == plain
        assert program(position, **PROOF).analyse()[0] == proof


@pytest.mark.source("M22-MM")
def test_mm_returns_the_best_move() -> None:
    for position in random_positions(40, seed=5):
        routines = program(position, ID=3, OP=0)
        value, variation = routines.analyse()
        for pit in variation.partition("-")[0]:
            if not routines.end_of_game:
                routines.mv(int(pit))
        after = as_position(routines)
        levels = 2 if after.mover != position.mover else 3
        assert plain_minimax(after, levels) == value


@pytest.mark.source("M22-PM")
def test_the_loose_rule_saves_more_and_changes_values() -> None:
    efforts = [0, 0, 0]
    changed = 0
    for position in random_positions(40, seed=3):
        values = []
        for number, words in enumerate(
            ({"OP": on(6, 7)}, {"OP": on(3, 6, 7)}, {"OP": on(3, 6, 7), "PM": 1})
        ):
            routines = program(position, ID=5, SOR=1, **words)
            values.append(routines.analyse()[0])
            efforts[number] += routines.ef
        assert values[0] == values[1]
        changed += values[2] != values[0]
    assert (efforts, changed) == ([8784, 8735, 5727], 18)


@pytest.mark.source("M22-PM", "M22-200")
def test_for_op_225_the_strict_rule_leaves_the_printed_run() -> None:
    found = {}
    for op, pm in ((0o221, 0), (0o200, 0), (0o225, 0), (0o225, 1)):
        routines = program(start(2), **{**PHOTOGRAPHED, "OP": op, "PM": pm})
        found[op, pm] = (routines.analyse()[1], routines.ef)
    assert found == {
        (0o221, 0): ("24-1,36-213,", 627),
        (0o200, 0): ("24-1,36-213,", 6683),
        (0o225, 0): ("24-1,36-213,", 627),
        (0o225, 1): ("24-1,36-26,", 649),
    }


@pytest.mark.source("M22-TD", "M22-TD.777")
@pytest.mark.parametrize("entry", [0o50010, 0o500010])
def test_both_layouts_of_td(entry: int) -> None:
    words = {"OP": on(1), "TD": entry, "TD+1": 0o777}
    depths = []
    for kalah in (7, 8):
        position = board(f"{kalah} 1 1 1 1 1 1", "0 1 1 1 1 1 1")
        depths.append(program(position, **words).td())
    assert depths == [5, 0]
    past_all = dict.fromkeys(("TD", "TD+1", "TD+2", "TD+3"), 0)
    assert program(start(2), OP=on(1), **past_all).td() == 0
    assert entry_of_td(0o70777) == entry_of_td(0o700777) == (7, 0o777)
    assert entry_of_td(0o100777) == (1, 0o777)
    assert entry_of_td(0o777) == (0, 0o777)


@pytest.mark.source("M22-CNS", "M22-CER", "M22-THREE")
def test_free_storage() -> None:
    """One ply takes two positions of three words, where a move is made in
    each and one move is known as the variation of each: ten words."""
    words = {"ID": 2, "OP": on(1), "TD": 0o777}
    enough = program(start(2), BPV=0o4000 + 9, **words)
    assert enough.analyse() == program(start(2), **words).analyse()
    short = program(start(2), BPV=0o4000 + 8, **words)
    before = as_position(short)
    for _ in range(2):
        with pytest.raises(OutOfFreeStorage):
            short.analyse()
        assert as_position(short) == before and short.pdl == []
    for pit in (2, 4, 2):
        short.mv(pit)
    # Deeper ones, with and without a short look-ahead, by the count of words.
    for deep, least in (
        ({"ID": 5, "OP": on(1), "TD": 0o777}, 57),
        ({"ID": 5, "OP": 0}, 73),
        ({"ID": 3, "OP": on(1), "TD": 0o40777}, 44),
    ):
        program(start(2), BPV=0o4000 + least - 1, **deep).analyse()
        with pytest.raises(OutOfFreeStorage):
            program(start(2), BPV=0o4000 + least - 2, **deep).analyse()
    routines = program(start(2), BPV=0o4000)
    with pytest.raises(OutOfFreeStorage):
        routines.analyse()
    routines.mv(2)
    with pytest.raises(OutOfFreeStorage):
        routines.mv(4)
    routines.rv()
    routines.mv(1)


@pytest.mark.source("M22-STORAGE", "M22-6740")
def test_the_size_of_free_storage() -> None:
    """A move a word, to and fro between rows that never run empty."""
    routines = program(start(2))
    assert routines.words["BPV"] == 0o6737
    first = as_position(routines)
    for _ in range(0o2740):
        routines.board, routines.second = program(first).board, 0
        routines.mv(1)
    with pytest.raises(OutOfFreeStorage):
        routines.mv(1)


@pytest.mark.source("M22-DI")
def test_efforts_go_beyond_a_word() -> None:
    routines = program(start(2))
    routines.ef = 0o777777
    routines.count()
    assert routines.ef == 0o1000000


def test_the_typewriter_is_looked_at_every_128_positions() -> None:
    seen: list[int] = []

    def stop() -> bool:
        seen.append(routines.ef)
        return len(seen) == 9

    routines = program(start(2), ID=4, OP=0)
    with pytest.raises(Stopped):
        routines.analyse(stop)
    assert seen == [*range(128, 9 * 128 + 1, 128)]


REPORTS = """
M1-
1-16,3- 101
LEVEL 3: 1-16,3- 101
R1-16,3- E36 P4 V101
LEVEL 2: 1-16,3- 101
1-14,3- 3
LEVEL 3: 1-14,3- 101
R1-14,3- E5 P2 V101
1-6,3- 101 P1M1
LEVEL 3: 1-6,3- 101
R1-6,3- E3 P2 V101
1-4,3- 3
LEVEL 3: 1-4,3- 101
R1-4,3- E8 P2 V101
LEVEL 1: 1-16,3- 101
M3-
3-14,1- 3
LEVEL 3: 3-14,1- 3
3-14,2- 5 P1M2
R3-14,1- E31 P5 V3
LEVEL 2: 3-14,1- 3
3-16,5- -1
LEVEL 3: 3-16,5- 3
R3-16,5- E14 P2 V3
3-4,1- 3
LEVEL 3: 3-4,1- 3
R3-4,1- E14 P2 V3
3-6,5- -1 P1M3
LEVEL 3: 3-6,5- 3
R3-6,5- E26 P2 V3
LEVEL 1: 3-14,1- 3
M5-
5-16,3- 1
LEVEL 3: 5-16,3- 1
5-16,1- 3
R5-16,3- E31 P5 V1
LEVEL 2: 5-16,3- 1
5-14,1- 1 P1M4
LEVEL 3: 5-14,1- 1
R5-14,1- E14 P2 V1
5-6,3- 1
LEVEL 3: 5-6,3- 1
R5-6,3- E14 P2 V1
5-4,1- 1
LEVEL 3: 5-4,1- 1
R5-4,1- E26 P2 V1
LEVEL 1: 5-16,3- 1
"""


@pytest.mark.source("M22-PMV", "M22-PRP", "M22-LEAVES", "M22-MARKERS")
def test_all_that_an_analysis_reports() -> None:
    """Player b begins; he has three moves, and a has four replies to each.

    A line is a move, a position evaluated (with its marker), a reply with its
    efforts, or the level of a new best move.
    """
    seen: list[str] = []

    class Reports(Watch):
        def move(self, variation: str) -> None:
            seen.append(f"M{variation}")

        def reply(
            self, variation: str, effort: int, long_effort: int, value: int
        ) -> None:
            seen.append(f"R{variation} E{effort} P{long_effort} V{value}")

        def leaf(self, variation: str, value: int, marker: str) -> None:
            seen.append(f"{variation} {value} {marker}".rstrip())

        def better(self, level: int, variation: str, value: int) -> None:
            seen.append(f"LEVEL {level}: {variation} {value}")

    position = board("0 1 0 0 2 0 3", "3 2 0 1 0 1 0", mover=1)
    routines = watched(Reports(), position, ID=4, OP=0, Y=3)
    assert routines.analyse() == (1, "5-16,3-")
    assert (routines.ef, routines.p_ef, routines.best) == (222, 32, "5-16,3-")
    assert seen == REPORTS.splitlines()[1:]


@pytest.mark.source("M22-VARIABLES")
@pytest.mark.parametrize("mover", [0, 1])
def test_the_value_stays_in_the_limit_of_the_side_to_move(mover: int) -> None:
    routines = program(start(2)._replace(mover=mover), ID=4)
    value = routines.analyse()[0]
    assert value == (5, -5)[mover]
    assert (routines.al, routines.bt) == ((5, 0o377), (-0o377, -5))[mover]


@pytest.mark.source("M22-IN", "M22-SU", "M22-START")
def test_in_and_su() -> None:
    routines = program(start(2))
    routines.mv(2)
    routines.analyse()
    assert routines.ef > 0 and routines.al > -0o377
    routines.words.update(IA=3, IB=7, ID=9)
    held = as_position(routines)
    routines.in_()
    assert (routines.ef, routines.al, routines.bt, routines.dp) == (0, 3, 7, 9)
    assert as_position(routines) == held and len(routines.pdl) == 1
    routines.su(start(3))
    assert as_position(routines) == start(3, rules=STANDARD)
    assert routines.pdl == []


@pytest.mark.source("M22-CELLS")
def test_put() -> None:
    routines = program(start(2))
    routines.mv(2)
    routines.put(5, 0)  # a1
    assert routines.row(0) == [0, 0, 2, 2, 2, 2] and routines.pdl == []
    for place in range(4):
        assert not routines.end_of_game
        routines.put(place, 0)
    assert routines.end_of_game and routines.score == -100 - 11


@pytest.mark.source("M22-PM.OCTAL", "M22-Y")
def test_display_lines_and_markers_are_numbered_in_octal() -> None:
    display = Display()
    for _ in range(8 * 171 - 1):
        display.dot(2)
    assert display.mark() == "P10M1"
    assert [display.mark() for _ in range(7)][-1] == "P10M10"
    display.dot(2)
    assert display.mark() == "P11M1"

    class Markers(Watch):
        def __init__(self) -> None:
            self.seen: list[str] = []

        def leaf(self, variation: str, value: int, marker: str) -> None:
            self.seen.append(marker)

    watch = Markers()
    routines = watched(watch, start(2), **{**PHOTOGRAPHED, "Y": 0o12})
    routines.analyse()
    assert len(watch.seen) == routines.leaves == 258
    assert [n for n, mark in enumerate(watch.seen, 1) if mark] == [*range(10, 259, 10)]


@pytest.mark.source("M22-OP", "M22-READIN")
def test_op_is_read_from_the_low_bit() -> None:
    def options(op: int) -> list[int]:
        routines = program(start(3), OP=op)
        return [number for number in range(1, 10) if routines.option(number)]

    assert options(READ_IN["OP"]) == [2, 3]
    assert options(0o221) == [1, 5, 8]


@pytest.mark.source("M22-OP.9")
def test_display_cutoff_leaves_the_analysis_alone() -> None:
    class Markers(Watch):
        seen = 0

        def leaf(self, variation: str, value: int, marker: str) -> None:
            self.seen += bool(marker)

        def photo_halt(self, line: int) -> None:
            self.seen += 1

    shown, dark = Markers(), Markers()
    found = []
    for watch, op in ((shown, 0o221), (dark, 0o621)):
        routines = watched(watch, start(2), **{**PHOTOGRAPHED, "OP": op})
        found.append((routines.analyse(), routines.ef))
    assert found[0] == found[1]
    assert (shown.seen, dark.seen) == (258 // 25 + 4, 0)


@pytest.mark.source("M22-PROOF2", "M22-PROOF2.14", "M22-CLOSE")
@pytest.mark.parametrize(
    ("words", "efforts"),
    [
        ({"OP": on(1, 3), "TD": 0o777, "SOR": 1}, (4551, 22835)),
        ({"OP": on(1), "TD": 0o777, "SOR": 1}, (4591, 23665)),
    ],
)
def test_two_stones_are_a_proved_win_at_15_and_not_at_14(
    words: dict[str, int], efforts: tuple[int, int]
) -> None:
    proof = program(start(2), **{**PROOF, **words})
    assert proof.analyse()[0] == 102
    short = program(start(2), **{**PROOF, **words, "ID": 0o14})
    assert short.analyse()[0] == 101
    assert (proof.ef, short.ef) == efforts


@pytest.mark.source("M22-PHOTO.171", "M22-HALT0", "M22-CRT", "M22-OP.8")
def test_a_display_line_holds_171_positions() -> None:
    halts: list[tuple[int, int]] = []

    class Halts(Watch):
        def photo_halt(self, line: int) -> None:
            halts.append((line, routines.ef))

    routines = watched(Halts(), start(2), **PHOTOGRAPHED)
    routines.analyse()
    assert halts == [(0, 0), (1, 170), (2, 341), (3, 512)]
    display = routines.display
    assert [len(display.svg(line).split("<circle")) - 1 for line in range(1, 5)] == [
        171,
        171,
        171,
        627 + 1 - 3 * 171,
    ]
    # The root, M1, R1, then 2 and 1 which end in the kalah, 3 which does not,
    # 2 and 1 again, and the final evaluations behind them.
    assert list(display.levels[:17]) == [1, 2, 3, 3, 3, 4, 4, 4] + [5] * 9


@pytest.mark.source("M22-CRT", "M22-CRT.ROWS")
def test_strips_show_every_dot_once_within_the_paper() -> None:
    routines = program(start(2), **PHOTOGRAPHED)
    routines.analyse()
    for line in range(1, 5):
        rows = routines.display.strips(line, 72)
        assert max(map(len, rows)) <= 72
        dots = routines.display.levels[171 * (line - 1) : 171 * line]
        assert sum(row[3:].count(".") for row in rows) == len(dots)
        for level in (1, 2, 3, 4, 5):
            shown = sum(
                row[3:].count(".") for row in rows if row.startswith(f" {level} ")
            )
            assert shown == dots.count(level)


def test_a_small_display() -> None:
    display = Display()
    display.dot(2)
    display.dot(2)
    display.mark()
    display.dot(3)
    assert display.strips(1, 72) == [" 3    .", " 2  ..", " 1 .", "     M"]
    assert display.strips(1, 5) == [
        *(" 3", " 2  .", " 1 .", ""),
        *(" 3  .", " 2 .", " 1", "   M"),
    ]
    assert (
        display.svg(1)
        == """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1064 208">
<title>RUSSEL, DISPLAY LINE 1: DEPTH OF SEARCH AGAINST TIME</title>
<rect width="100%" height="100%" fill="#0a120e"/>
<g fill="#9dfcc0">
<circle cx="20" cy="168" r="2.4"/>
<circle cx="26" cy="104" r="2.4"/>
<circle cx="32" cy="104" r="2.4"/>
<rect x="31" y="180" width="2" height="16"/>
<circle cx="38" cy="40" r="2.4"/>
</g>
</svg>
"""
    )


def test_markers_stand_below_their_dots_on_every_line() -> None:
    display = Display()
    for _ in range(170 + 3):
        display.dot(1)
    assert display.mark() == "P2M1"
    display.dot(2)
    assert display.strips(1, 200) == [" 1 " + 171 * ".", ""]
    assert display.strips(2, 200) == [" 2    .", " 1 ...", "     M"]
    assert display.strips(2, 5)[-3:] == [" 2  .", " 1 .", "   M"]
    assert [display.svg(line).count("<rect x=") for line in (1, 2)] == [0, 1]
    assert '<rect x="31" y="116"' in display.svg(2)


def test_a_deep_analysis_fits_on_the_tube() -> None:
    display = Display()
    for level in range(2, 14):
        display.dot(level)
    picture = display.svg(1)
    assert 'viewBox="0 0 1064 512"' in picture  # 36 points a level
    assert [*map(int, re.findall(r'cy="(\d+)"', picture))] == [*range(472, 39, -36)]


def test_how_many_lines_can_be_shown() -> None:
    """The dots of 7777 octal lines are kept, and the markers below them."""
    display = Display()
    assert display.lines == 0
    display.dot(2)
    assert display.lines == 1
    for _ in range(169):
        display.dot(2)
    assert (display.lines, display.line_full) == (1, True)
    display.dot(2)
    assert (display.lines, display.line_full) == (2, False)

    display.positions = 171 * 0o7777 - 1
    display.dot(2)
    assert (len(display.levels), display.mark()) == (173, "P7777M1")
    display.dot(2)
    assert (len(display.levels), display.mark()) == (173, "P10000M1")
    assert display.markers == {171 * 0o7777 - 1: "P7777M1"}


@pytest.mark.parametrize("stones", [6, 12])
def test_a_stopped_analysis_leaves_the_board(stones: int) -> None:
    asked = iter(range(100))
    routines = program(start(stones), ID=0o77, OP=on(1), TD=0o70777)
    before = as_position(routines)
    with pytest.raises(Stopped):
        routines.analyse(lambda: next(asked, None) is None)
    assert as_position(routines) == before
    assert routines.pdl == []
    assert 0 < routines.ef < 20000


@pytest.mark.source("M22-WIN3")
@pytest.mark.parametrize("reply", ["34", "36"])
def test_three_stones_and_pit_2_win_against_the_easier_replies(reply: str) -> None:
    """At the depth that the whole proof takes, ID 31 octal from the start.

    The replies that take longer are in tests/bench/russel.py THREE.
    """
    routines = program(
        start(3), **{**PROOF, "ID": 0o31 - 2, "OP": on(1, 3), "TD": 0o777, "SOR": 1}
    )
    for pit in "2" + reply:
        routines.mv(int(pit))
    assert not routines.second
    assert routines.analyse()[0] == 102
