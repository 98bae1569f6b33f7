"""The search for play: alpha-beta that knows what it has proved.

A value is what the mover will win from here on, less what the other player
will win.  Kalahs are left out, so a position counts the same however it came
about.  Inside the search a value is counted in UNIT to a stone.  An even value
is proved: it rests on finished games and endgame databases alone.  Estimates
are odd, and a value that depends on an estimate is made odd, so an estimate
never passes for a proof.

`Search._value` is the alpha-beta of the textbook: it plays every move and
searches what follows, until one move is good enough.  To this are added

- a null window: each search asks whether the value is at least beta, and the
  answers close in on the value (MTD(f), ISK-MTD);
- iterative deepening, two plies at a time;
- a transposition table;
- an endgame database.

A ply is a turn: a repeat move and the move after it are one ply.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, Optional

from sail.board import Position
from sail.engine import endgame
from sail.engine.estimate import MOVING, TO_MOVE, UNIT, WAITING, worths
from sail.engine.limit import Budget, Limit
from sail.engine.moves import REPEAT, Move, MoveTable, bits_for
from sail.stop import Stop, Stopped, never

# About 140 bytes each once they are filled.  A prime, so that the remainder of
# a key depends on all of its bits.
SLOTS = 1_500_007
ROWS = 150_000  # whose moves are remembered, about 0.9 KB each
TABLE_DEPTH = 4  # plies: shallower positions are neither kept nor put in order
LONG_STEP = 16  # plies
MOST = 1 << 14  # above any value in UNIT

# A slot of the transposition table: the packed rows, the mover's first; the
# depth in plies; a lower and an upper bound of the value; the pit of the best
# move, 0 if none is known.
Entry = Optional[tuple[int, int, int, int, int]]


class Finding(NamedTuple):
    """What a search found.

    value, low and high are differences of stones at the end of the game,
    kalahs included, positive when the mover is ahead.  Under perfect play
    the difference is proved to lie in low..high; value is an estimate.
    """

    pit: int
    value: int
    low: int
    high: int
    depth: int  # plies
    effort: int  # searched positions: those whose moves were generated
    line: tuple[int, ...]  # the principal variation, the pits of both players

    @property
    def proved(self) -> bool:
        """Return whether the value is certain."""
        return self.low == self.high


class Search:
    """A search, with all that it remembers from one position to the next.

    The transposition table, the rows met with their moves and worths, and the
    endgame database take up to 400 MB.  They serve one number of pits and one
    width of packed rows at a time, which a whole game shares.
    """

    def __init__(self) -> None:
        self._kind = 0, 0  # pits a side, bits a pit

    def find(
        self,
        position: Position,
        limit: Limit,
        clock: Callable[[], float] = time.perf_counter,
        stop: Stop = never,
    ) -> Finding:
        """Return the best move that can be found within the limit.

        A single legal move is returned at once, without a search; a proved
        value ends the search.  Depth and effort are exact: the same limits and
        the same table give the same finding.  A search without a limit of time
        does not depend on the machine.

        clock: returns seconds.  stop: called every PAUSE positions, a few
        milliseconds apart; when it returns True, the search ends with what it
        has found.  An exception that it raises passes through, and the search
        can be used again.

        The search ignores the rule that a majority of the stones ends the
        game (AKC-05000): it plays on, which never changes the winner.

        Raises ValueError when the game is over, or when the rules let a last
        stone capture from opposite an empty pit.
        """
        if position.over:
            raise ValueError("the game is over")
        if position.rules.captures_empty:
            raise ValueError("no search for the rule of the paper")
        self._prepare(position.pits, bits_for(position.stones))
        self._budget = Budget(limit, clock, stop)
        self.effort = self._look_at = 0
        return self._deepen(position)

    def _prepare(self, pits: int, bits: int) -> None:
        """Have tables for rows of this kind; drop those of another kind."""
        if self._kind == (pits, bits):
            return
        self._kind = pits, bits
        self._moves = MoveTable(pits, bits, capacity=ROWS)
        self._moving = worths(self._moves, MOVING, TO_MOVE)
        self._waiting = worths(self._moves, WAITING)
        self._mask, self._width = self._moves.mask, self._moves.width
        self._table: list[Entry] = [None] * SLOTS
        self._endgames: dict[int, endgame.Database] = {}  # by their stones
        self._most_endgames = endgame.LARGEST

    def _deepen(self, position: Position) -> Finding:
        """Search deeper and deeper, until the value is proved or the limit.

        Depth grows by two plies, so that the same player has the last word.
        Once a search costs little more than the one before it, most lines end
        before the horizon.  Then the steps become long, which proves positions
        with 27 to 30 stones in play in three quarters of the time.
        """
        limit, legal = self._budget.limit, position.legal
        own, other = self._moves.packed(position)
        stones = position.in_play * UNIT
        pit = proved_pit = legal[0]
        value = self._moving[own] - self._waiting[other]
        low, high = -stones, stones  # proved
        self._known = 0
        done, depth, step, cost = 0, 2, 2, 0
        try:
            while len(legal) > 1 and low < high and done != limit.depth:
                if limit.depth is not None:
                    depth = min(depth, limit.depth)
                self._kept_from = min(depth, TABLE_DEPTH)  # the root is kept
                before = self.effort
                least, most, best = low, high, proved_pit
                while least < most:
                    beta = max(least + 1, min(most, value))
                    value = self._value(own, other, stones, depth, beta)
                    if value < beta:
                        most = value
                        if value % 2 == 0:
                            high = value
                    else:
                        least = value
                        pit = best = self._look_up(own, other)[4]
                        if value % 2 == 0:
                            low, proved_pit = value, best
                pit, done = best, depth
                if depth == 2:
                    self._learn_endgames(position)
                if depth > 12 and 4 * (self.effort - before) <= 5 * cost:
                    step = LONG_STEP
                cost = self.effort - before
                depth += step
        except Stopped:
            pass
        value = max(low, min(high, value))
        mover = position.mover
        lead = position.kalahs[mover] - position.kalahs[1 - mover]
        return Finding(
            pit,
            lead + (value + UNIT // 2) // UNIT,
            lead + low // UNIT,
            lead + high // UNIT,
            done,
            self.effort,
            self._line(position, pit, done),
        )

    def _value(self, own: int, other: int, stones: int, depth: int, beta: int) -> int:
        """Return a bound of the mover's value, searched `depth` plies deep.

        It is a lower bound if it is at least beta, else an upper bound, and it
        is even only if it is proved.  own, other: packed rows, the mover's
        first.  stones: those in play.  stones, beta and the bound are in UNIT.

        Raises Stopped.
        """
        if stones < beta:
            return stones
        if -stones >= beta:
            return -stones
        if stones <= self._known:
            return self._database.value(own, other) * UNIT

        kept = depth >= self._kept_from
        if kept:
            if self.effort >= self._look_at:
                self._look_at = self._budget.look(self.effort)
            low, high, first = -stones, stones, 0
            key = own << self._width | other
            slot = key % SLOTS
            entry = self._table[slot]
            if entry and entry[0] == key:
                _, searched, least, most, first = entry
                if searched >= depth or least % 2 == 0:
                    low = least
                    if low >= beta:
                        return low
                if searched >= depth or most % 2 == 0:
                    high = most
                    if high < beta:
                        return high
            moves = self._ordered(own, other, first)
        else:
            moves = self._moves[own]

        self.effort += 1
        best, best_pit, estimated = -stones, 0, 0
        for pit, rest, sown, gain, shift, emptied in moves:
            facing = other + sown
            if shift >= 0:  # the last stone fell into an empty pit
                taken = facing >> shift & self._mask
                if taken:
                    facing -= taken << shift
                    rest = emptied
                    gain += taken + 1
            gain *= UNIT
            if not rest:  # the other player keeps what is in his row
                value = 2 * gain - stones
            elif not facing:
                value = stones
            elif shift == REPEAT:
                value = gain + self._value(
                    rest, facing, stones - gain, depth, beta - gain
                )
            elif depth > 1:
                value = gain - self._value(
                    facing, rest, stones - gain, depth - 1, gain - beta + 1
                )
            else:
                value = gain - self._moving[facing] + self._waiting[rest]
            estimated |= value & 1
            if value > best:
                best, best_pit = value, pit
                if best >= beta:
                    break
        if best < beta and estimated:
            best = best - 1 | 1  # an upper bound rests on every move
        if kept:
            if best >= beta:
                low, first = best, best_pit
            else:
                high = best
            self._table[slot] = key, depth, low, high, first
        return best

    def _ordered(self, own: int, other: int, first: int) -> tuple[Move, ...]:
        """Return the moves: that of the pit `first`, then by the estimate.

        It proves 3 stones a pit with a quarter of the positions that the
        order of MoveTable takes.
        """
        promise = {0: 0}
        for pit, rest, facing, gain, again in self._moves.successors(own, other):
            if again:
                worth = self._moving[rest] - self._waiting[facing]
            else:
                worth = self._waiting[rest] - self._moving[facing]
            promise[pit] = gain * UNIT + worth
        promise[first] = MOST
        return tuple(sorted(self._moves[own], key=lambda move: -promise[move[0]]))

    def _look_up(self, own: int, other: int) -> tuple[int, int, int, int, int]:
        """Return the entry of a position; one without bounds if there is none."""
        key = own << self._width | other
        entry = self._table[key % SLOTS]
        return entry if entry and entry[0] == key else (key, 0, 0, 0, 0)

    def _line(self, position: Position, pit: int, plies: int) -> tuple[int, ...]:
        """Return the pit and the moves after it that the table has."""
        line = [pit]
        position = position.play(pit)
        while not position.over and len(line) < plies:
            *_, pit = self._look_up(*self._moves.packed(position))
            if not pit:
                break
            line.append(pit)
            position = position.play(pit)
        return tuple(line)

    def _learn_endgames(self, position: Position) -> None:
        """Have an endgame database, if it can be built in a third of the time.

        If not, the next search tries a database with two stones less, which
        takes about a quarter of the time.  A position that has no more stones
        than the database gets none: it would tell the value, but no move.

        Raises Stopped.
        """
        limit, clock = self._budget.limit, self._budget.clock
        stones = min(limit.endgames, self._most_endgames)
        if stones < 2 or position.in_play <= stones:
            return
        begun = clock()

        def stop() -> bool:
            if limit.seconds and 3 * (clock() - begun) > limit.seconds:
                raise _TooSlow
            return self._budget.spent()

        if stones not in self._endgames:
            try:
                self._endgames[stones] = endgame.build(self._moves, stones, stop)
            except _TooSlow:
                self._most_endgames = stones - 2
                return
        self._database = self._endgames[stones]
        self._known = stones * UNIT


class _TooSlow(Exception):
    """An endgame database takes too long to build on this machine."""
