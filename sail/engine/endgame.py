"""Endgame databases: the values of all positions with few stones in play.

A value leaves the kalahs out (see sail.engine.value).  The positions with 2 to n stones
in play and no empty row are numbered without gaps: first by the mover's row, then by
the other row, rows in the order of their stone counts.  So the number is
offset[own] + rank[other].

A database is built from few stones to many by looking one move ahead.  ISK
stores 4 bits, a lower bound if the value does not fit; here each value is exact, in
a byte of its own, which Python reads without shifting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from math import comb
from operator import itemgetter
from typing import NamedTuple, Union

from sail.board import Row
from sail.engine.moves import REPEAT, MoveTable
from sail.stop import Stop, check_stop, never

BIAS = 64  # added to a value so that it fits in a byte
LARGEST = 48  # the most stones in play; keeps the bytes of a vector below 128
ROWS_A_CHECK = 8  # rows between two calls of stop
# With fewer stones in play, a database costs more than it saves.
LEAST_IN_PLAY = {5: 28, 6: 25}
LEAST_ELSEWHERE = 31  # with fewer pits
# Pairs (least, most).  Count the positions with as many stones in play as the one to
# solve, or fewer: if they are at least `least`, the largest database with at most
# `most` positions pays.  So 6 pits get one of 12 stones (3 million positions, a
# second); from 37 stones in play, one of 16 (30 million); from 45 stones in play, one
# of 18 (86 million).
PAYING = ((6 * 10**11, 90 * 10**6), (72 * 10**9, 31 * 10**6), (0, 3 * 10**6))

# Takes one byte for each row with a given stone count; returns those at fixed places.
Pick = Callable[[Union[bytes, bytearray]], bytes]


class Steps(NamedTuple):
    """The steps that all rows with a given stone count make from one pit.

    pick_after: picks, for each row, the byte of the row after its step, or the byte
    behind those of all rows if it has no step.  unless: (shift, vector) for each pit of
    the facing row (shifts: see Move).  Steps that would capture that pit's stones are
    left out if it has any: the vector has 0 for their rows and 127 for the others.

    With one stone and three pits, the rows are 1 0 0, 0 1 0 and 0 0 1.  From pit 3 only
    the last has a step, to 0 1 0, the second row: `pick_after` picks the bytes 3, 3 and
    1.  Its stone ends opposite to pit 2 of the facing row: `unless` is that pit's shift
    with 127, 127 and 0.
    """

    pick_after: Pick
    unless: list[tuple[int, int]]


def size(pits: int, stones: int) -> int:
    """Return the number of positions with 2 to `stones` stones in play (ISK-SIZE)."""
    return comb(stones + 2 * pits, stones) - 2 * comb(stones + pits, stones) + 1


def most_useful(pits: int, in_play: int) -> int:
    """Return the stones of the database that pays for a position, 0 if none does."""
    if in_play < LEAST_IN_PLAY.get(pits, LEAST_ELSEWHERE):
        return 0
    ahead = comb(in_play + 2 * pits, 2 * pits)
    most = next(most for least, most in PAYING if ahead >= least)
    stones = min(in_play - 1, LARGEST)
    while size(pits, stones) > most:
        stones -= 1
    return stones


def _rows_of(pits: int, stones: int) -> list[Row]:
    """Return all rows of `pits` pits with exactly `stones` stones."""
    if pits == 1:
        return [(stones,)]
    return [
        (*nearer, count)
        for count in range(stones + 1)
        for nearer in _rows_of(pits - 1, stones - count)
    ]


class Database:
    """The values of all positions with 2 to `most_in_play` stones in play.

    moves: packs the rows.  values: a byte for each position, its value + BIAS.
    rows_with[count]: the packed rows with `count` stones, in the order of their
    rank.  offset[own] + rank[other]: a position's index in `values`.  The builder's own
    `values` go on after `size`, for a mover's empty row.
    """

    def __init__(self, moves: MoveTable, most_in_play: int) -> None:
        self.moves = moves
        self.most_in_play = most_in_play
        self.values = bytearray()
        self.rows_with: list[list[int]] = [[]]
        self.rank: dict[int, int] = {}
        self.offset: dict[int, int] = {}
        self.size = 0
        for count in range(1, most_in_play):
            rows = _rows_of(moves.pits_a_side, count)
            # Sort by the total distance, in holes, of the stones from their kalah.
            rows.sort(key=lambda row: sum(pit * n for pit, n in enumerate(row, 1)))
            self.rows_with.append([moves.pack(row) for row in rows])
            for row in self.rows_with[count]:
                self.rank[row] = len(self.rank)
                self.offset[row] = self.size
                self.size += self._rows_facing(count)
        self.offset[0] = self.size

    def _rows_facing(self, count: int) -> int:
        """Return the number of rows that can face a row with `count` stones."""
        pits = self.moves.pits_a_side
        return comb(self.most_in_play - count + pits, pits) - 1

    def value(self, own: int, other: int) -> int:
        """Return the value for the mover; the rows are packed, neither is empty."""
        return self.values[self.offset[own] + self.rank[other]] - BIAS


def build(moves: MoveTable, stones: int, stop: Stop = never) -> Database:
    """Return the database of all positions with 2 to `stones` stones in play.

    stones: up to LARGEST.  stop: called often.  Raises Stopped.
    """
    database = Database(moves, stones)
    builder = _Builder(database)
    for in_play in range(2, stones + 1):
        for enter, most in (
            (builder._enter_gains, in_play - 1),
            (builder._enter_steps, in_play // 2),
        ):
            for count in range(1, most + 1):
                for number, own in enumerate(database.rows_with[count]):
                    if not number % ROWS_A_CHECK:
                        check_stop(stop)
                    enter(own, in_play - count)
    del database.values[database.size :]  # in place, so never two copies in memory
    return database


class _Builder:
    """Computes vectors of values: one row against all rows with a given stone count.

    A vector is an int with one byte for each row, the lowest byte for the first
    row.  No byte exceeds 127, so `_larger` can compare all of them at once.

    A move either takes stones out of play or is a step: it moves stones of the
    mover's row nearer to the kalah and passes the turn.  For each number of stones
    in play, `_enter_gains` first enters all moves that are not steps.  Rows are
    sorted by distance from the kalah, and a step turns a row into an earlier one.
    `_enter_steps` is called for each row in that order.  It looks up the row's own
    steps in the values of earlier rows, which are complete, and then the steps of the
    rows that face it in the values that it has just completed.  As each call serves
    both sides, only rows with at most half of the stones in play need one.
    """

    def __init__(self, database: Database) -> None:
        self.moves = database.moves
        self.rank, self.offset = database.rank, database.offset
        self.rows_with, self._rows_facing = database.rows_with, database._rows_facing
        self.first_rank = [0]  # the lowest rank for each stone count
        self.ones = []
        self.values = database.values = bytearray(database.size)
        for count, rows in enumerate(self.rows_with):
            self.first_rank.append(self.first_rank[-1] + len(rows))
            self.ones.append(_vector(bytes([1]) * len(rows)))
            self.values += bytes([BIAS - count]) * len(rows)
        # Filled on first use: see _receive, _capture, _steps_of.
        self.received: dict[tuple[int, int], tuple[int, Pick]] = {}
        self.captures: dict[tuple[int, int, int], tuple[list[int], int, int]] = {}
        self.steps: dict[int, list[Steps]] = {}

    def _moving_slice(self, own: int, count: int) -> slice:
        """Return the slice of `values` for `own` against rows of `count` stones."""
        place = self.offset[own] + self.first_rank[count]
        return slice(place, place + len(self.rows_with[count]))

    def _waiting_slice(self, other: int, count: int) -> slice:
        """Return the slice of `values` for rows of `count` stones against `other`."""
        movers = self.rows_with[count]
        stride = self._rows_facing(count)
        place = self.offset[movers[0]] + self.rank[other]
        return slice(place, place + (len(movers) - 1) * stride + 1, stride)

    def _enter_gains(self, own: int, count: int) -> None:
        """Enter the best values of the moves that take stones out of play.

        count: the stones of each row that faces `own`, also in the methods below.
        """
        ones, length = self.ones[count], len(self.rows_with[count])
        best = 0
        for _, rest, given, gain, shift, emptied in self.moves[own]:
            where = 0
            if shift >= 0:
                value, where = self._capture(count, given, gain, shift, emptied)
                best = _larger(best, value & where, ones)
            if gain:
                value = self._quiet(count, rest, given, gain, shift)
                best = _larger(best, value & (127 * ones ^ where), ones)
        self.values[self._moving_slice(own, count)] = best.to_bytes(length, "little")

    def _quiet(self, count: int, rest: int, given: int, gain: int, shift: int) -> int:
        """Return the vector of the values of a move that captures nothing."""
        ones = self.ones[count]
        reached, pick = self._receive(count, given)
        if not rest:
            return (BIAS + gain - reached) * ones
        if shift == REPEAT:
            return gain * ones + _vector(
                pick(self.values[self._moving_slice(rest, reached)])
            )
        theirs = _vector(pick(self.values[self._waiting_slice(rest, reached)]))
        return (2 * BIAS + gain) * ones - theirs

    def _receive(self, count: int, given: int) -> tuple[int, Pick]:
        """Return the stone count of the rows with `given` added, and a Pick of them."""
        if not given:
            return count, bytes
        if (count, given) not in self.received:
            reached = count + sum(self.moves.unpack(given))
            first_rank, rank = self.first_rank[reached], self.rank
            places = [rank[row + given] - first_rank for row in self.rows_with[count]]
            self.received[count, given] = reached, _picker(places)
        return self.received[count, given]

    def _capture(
        self, count: int, given: int, gain: int, shift: int, emptied: int
    ) -> tuple[int, int]:
        """Return two vectors: the values of a capture, and 127 where there is one."""
        ones = self.ones[count]
        if (count, given, shift) not in self.captures:
            mask = self.moves.mask
            taken = [row + given >> shift & mask for row in self.rows_with[count]]
            offsets = [
                self.offset[row + given - (stones << shift)]
                for row, stones in zip(self.rows_with[count], taken)
            ]
            captures_empty = self.moves.captures_empty
            marks = bytes(127 if captures_empty or stones else 0 for stones in taken)
            self.captures[count, given, shift] = offsets, _vector(taken), _vector(marks)
        offsets, taken_stones, where = self.captures[count, given, shift]
        if not emptied:
            reached = count + sum(self.moves.unpack(given))
            value = (BIAS + gain + 1 - reached) * ones + 2 * taken_stones
        else:
            values, rank = self.values, self.rank[emptied]
            theirs = _vector([values[place + rank] for place in offsets])
            value = (2 * BIAS + gain + 1) * ones + taken_stones - theirs
        return value, where

    def _enter_steps(self, own: int, count: int) -> None:
        """Enter the steps of `own`, then the steps of the facing rows against it."""
        values, ones = self.values, self.ones[count]
        moves, length = self.moves, len(self.rows_with[count])
        moving = self._moving_slice(own, count)
        best = _vector(values[moving])
        for _, rest, _, gain, shift, _ in moves[own]:
            if gain:
                continue
            value = 2 * BIAS * ones - _vector(values[self._waiting_slice(rest, count)])
            if shift >= 0:
                _, _, where = self.captures[count, 0, shift]  # from _enter_gains
                value &= 127 * ones ^ where
            best = _larger(best, value, ones)
        values[moving] = best.to_bytes(length, "little")

        theirs = (2 * BIAS * ones - best).to_bytes(length, "little") + b"\0"
        waiting = self._waiting_slice(own, count)
        best = _vector(values[waiting])
        for pick_after, unless in self._steps_of(count):
            value = _vector(pick_after(theirs))
            for shift, no_capture in unless:
                if own >> shift & moves.mask:
                    value &= no_capture
            best = _larger(best, value, ones)
        values[waiting] = best.to_bytes(length, "little")

    def _steps_of(self, count: int) -> list[Steps]:
        """Return the steps of the rows with `count` stones, from each pit from 2 on."""
        if count not in self.steps:
            moves, rank, first_rank = self.moves, self.rank, self.first_rank[count]
            movers = self.rows_with[count]
            steps = []
            for pit in range(2, moves.pits_a_side + 1):
                places = [len(movers)] * len(movers)
                unless: dict[int, bytearray] = defaultdict(
                    lambda: bytearray([127]) * len(movers)
                )
                for place, row in enumerate(movers):
                    for moved, rest, _, gain, shift, _ in moves[row]:
                        captures = shift >= 0 and moves.captures_empty
                        if moved != pit or gain or captures:
                            continue
                        if shift >= 0:
                            unless[shift][place] = 0
                        places[place] = rank[rest] - first_rank
                vectors = [(shift, _vector(marks)) for shift, marks in unless.items()]
                steps.append(Steps(_picker(places), vectors))
            self.steps[count] = steps
        return self.steps[count]


def _vector(values: Iterable[int]) -> int:
    return int.from_bytes(values, "little")


def _larger(first: int, second: int, ones: int) -> int:
    """Return the larger byte of each pair; none exceeds 127.  ones: 1 in each byte."""
    highest = ones << 7
    not_less = ((first | highest) - second) & highest
    chosen = not_less - (not_less >> 7)
    return second ^ ((first ^ second) & chosen)


def _picker(places: list[int]) -> Pick:
    """Return a function that picks the bytes at these places."""
    if len(places) == 1:
        return lambda values: bytes(values[places[0] : places[0] + 1])
    pick = itemgetter(*places)
    return lambda values: bytes(pick(values))
