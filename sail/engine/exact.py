"""Values under perfect play, the way of Solving Kalah (ISK-MTD).

A value is the difference of the stones that the two players still get, good
for the player to move if positive.  The kalahs are left out, so positions
that differ only in them are one, and are proved once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from sail.board import Position
from sail.engine import garbage
from sail.engine.endgame import BIAS, Database
from sail.engine.moves import REPEAT, MoveTable, bits_for
from sail.stop import Stop, Stopped, never

FAR = 1000  # beyond any value
WHOLE = 100_000  # plies beyond any game
POLL = 2048  # efforts between two looks at the clock and the table
MOST_PROOFS = 10_000_000  # about 100 bytes each
MOST_ROWS = 300_000  # with their moves, about a kilobyte each
DEEPEST = 20_000  # Python frames


class Bounds(NamedTuple):
    """What is proved of a value: low <= value <= high, both inclusive."""

    low: int
    high: int

    @property
    def proved(self) -> bool:
        """Whether the value itself is known."""
        return self.low == self.high


OPEN = Bounds(-FAR, FAR)


class Order(Enum):
    """The order in which a search tries the moves of a position.

    OURS: repeat moves, those that gain much first; then the others by what
    they gain, by the repeat moves that they leave to the other, and by the
    pit.  PAPER: repeat moves, captures, the rest, each from right to left,
    and what the look-ahead promises (ISK-ORDER).  PIT: right to left.
    """

    OURS = auto()
    PAPER = auto()
    PIT = auto()


class Methods(NamedTuple):
    """The enhancements of the search; each can be switched off.

    null_window: MTD(f), which asks again and again whether the value is at
    least beta; otherwise one search with an open window.
    deepening: the depths in plies of the searches that make a first guess
    for MTD(f); the paper goes on to 30, but beyond 9 they cost more than a
    better guess saves.  order: see Order.  suggestion: the move that was best when
    the position was last searched comes first.  table: proofs are
    remembered.  futility: no player gets more than the stones in play, less
    what the other's turn brings him for certain.  look_ahead: enhanced
    transposition cut-off, the bounds of all successors are looked at before
    any of them is searched.

    The paper has Order.PAPER with the suggestion (ISK-ORDER).  Over 40
    positions of 26 to 32 stones, standard rule, that took 17 % more effort
    than our order, and our order with the suggestion 7 % more; in Kalah(6,3)
    by the paper's rule they took 15 and 23 % less.  So neither is used.
    """

    null_window: bool = True
    deepening: tuple[int, ...] = (3, 6, 9)
    order: Order = Order.OURS
    suggestion: bool = False
    table: bool = True
    futility: bool = True
    look_ahead: bool = True


ALL = Methods()


class Solver:
    """Proves values of positions, and remembers what it has proved.

    pits, captures_empty: those of the positions.  stones: the most in play.
    database: endgames made with `moves`, or None.  most_proofs: once there
    are more, those for the stone count that has most of them are forgotten.
    stop: asked every few milliseconds; the work then ends with Stopped.
    effort: the positions whose moves were generated so far.
    """

    def __init__(
        self,
        pits: int,
        stones: int,
        captures_empty: bool,
        methods: Methods = ALL,
        most_proofs: int = MOST_PROOFS,
        stop: Stop = never,
    ) -> None:
        self.moves = MoveTable(
            pits, bits_for(stones), captures_empty, capacity=MOST_ROWS
        )
        self.stones = stones
        self.database: Database | None = None
        self.methods = methods
        self.most_proofs = most_proofs
        self.stop = stop
        self.effort = 0
        self._proofs = self._tables()
        self._suggestions: dict[int, int] = {}  # own row after the move
        self._repeats = _Repeats(self.moves)
        self._sure = _Sure(self.moves)

    def fits(self, position: Position) -> bool:
        """Whether the position is one that this solver can be asked about."""
        return (
            position.pits == self.moves.pits
            and position.in_play <= self.stones
            and position.rules.captures_empty == self.moves.captures_empty
        )

    @property
    def remembered(self) -> int:
        """The number of proofs in the table."""
        return sum(map(len, self._proofs))

    def known(self, position: Position) -> Bounds:
        """What is proved of the final difference, kalahs included."""
        own, other, in_play, ahead = self._taken_apart(position)
        low, high = self._bounds(own, other, in_play)
        return Bounds(ahead + low, ahead + high)

    def prove(
        self, position: Position, within: Bounds = OPEN, guess: int | None = None
    ) -> Iterator[Bounds]:
        """Closer and closer bounds of the final difference; the last are equal.

        Kalahs are included; positive is good for the mover.  within: what the
        caller knows already.  guess: what he expects; without it shallow
        searches make one.  Raises Stopped.
        """
        own, other, in_play, ahead = self._taken_apart(position)
        low, high = self._bounds(own, other, in_play)
        low, high = max(low, within.low - ahead), min(high, within.high - ahead)
        if low == high:
            yield Bounds(ahead + low, ahead + low)
        elif not self.methods.null_window:
            value = self._search(own, other, in_play, -FAR, FAR, WHOLE)
            yield Bounds(ahead + value, ahead + value)
        else:
            if guess is None:
                near = self._guess(own, other, in_play)
            else:
                near = guess - ahead
            while low < high:
                # All values have the parity of the stones in play.
                beta = max(low + 2, min(high, near + (near ^ low) % 2))
                near = self._search(own, other, in_play, beta - 1, beta, WHOLE)
                if near >= beta:
                    low = near
                else:
                    high = near
                self._proofs[in_play][own << self.moves.width | other] = low, high
                yield Bounds(ahead + low, ahead + high)

    def value(self, position: Position, guess: int | None = None) -> int:
        """The final difference under perfect play, kalahs included.

        Positive is good for the mover.  guess: what the caller expects; a
        right one saves time.  Raises Stopped.
        """
        *_, last = self.prove(position, guess=guess)
        return last.low

    def best(self, position: Position) -> int:
        """The pit, from 1 up, of the first move that keeps the value.

        Repeat moves come first, then moves that may capture, then the rest,
        each from the pit nearest the kalah.  Raises Stopped, and ValueError
        when the game is over.
        """
        value = self.value(position)
        own = self._taken_apart(position)[0]
        for pit, *_ in self.moves[own] if position.legal else ():
            if self.after(position, pit).high < value:
                continue
            for low, high in self.prove_move(position, pit, Bounds(-FAR, value), value):
                if low >= value:
                    return pit
                if high < value:
                    break
        raise ValueError("the game is over")

    def line(self, position: Position) -> list[int]:
        """The pits of a perfect game from here to its end.  Raises Stopped."""
        pits = []
        while not position.over:
            pits.append(self.best(position))
            position = position.play(pits[-1])
        return pits

    def after(self, position: Position, pit: int) -> Bounds:
        """What is proved of a move, from the side of the player who makes it."""
        after = position.play(pit)
        return _turned(self.known(after), after.mover != position.mover)

    def prove_move(
        self,
        position: Position,
        pit: int,
        within: Bounds = OPEN,
        guess: int | None = None,
    ) -> Iterator[Bounds]:
        """As `prove`, for a move, from the side of the player who makes it."""
        after = position.play(pit)
        turned = after.mover != position.mover
        if guess is not None and turned:
            guess = -guess
        for bounds in self.prove(after, _turned(within, turned), guess):
            yield _turned(bounds, turned)

    def _taken_apart(self, position: Position) -> tuple[int, int, int, int]:
        """The packed rows, mover's first, the stones in play, and the mover's lead."""
        own, other = self.moves.packed(position)
        lead = position.kalahs[position.mover] - position.kalahs[1 - position.mover]
        return own, other, position.in_play, lead

    def _bounds(self, own: int, other: int, in_play: int) -> tuple[int, int]:
        """What is known of the difference to come, without a search."""
        if not own:
            return -in_play, -in_play
        if not other:
            return in_play, in_play
        if self.database and in_play <= self.database.index.stones:
            value = self.database.value(own, other)
            return value, value
        most = in_play if self.methods.futility else FAR
        key = own << self.moves.width | other
        return self._proofs[in_play].get(key, (-most, most))

    def _guess(self, own: int, other: int, in_play: int) -> int:
        """What searches of growing depth estimate; none of it is a proof."""
        proofs = self._proofs
        guess = 0
        try:
            for plies in self.methods.deepening:
                self._proofs = self._tables()
                low, high = -FAR, FAR
                while low < high:
                    bound = self._search(own, other, in_play, guess - 1, guess, plies)
                    if bound >= guess:
                        low = bound
                        guess = bound + 1
                    else:
                        high = guess = bound
        finally:
            self._proofs = proofs
        return guess

    def _tables(self) -> list[dict[int, tuple[int, int]]]:
        return [{} for _ in range(self.stones + 1)]

    def _search(
        self, own: int, other: int, in_play: int, alpha: int, beta: int, plies: int
    ) -> int:
        """A lower bound of the value if it is at least beta, else an upper bound.

        Between alpha and beta it is the value itself.  Neither row is empty.
        """
        moves_of, repeats, tables = self.moves, self._repeats, self._proofs
        sure = self._sure
        mask, width, captures_empty = (
            self.moves.mask,
            self.moves.width,
            self.moves.captures_empty,
        )
        _, _, order, suggests, keep, futility, look_ahead = self.methods
        ours = order is Order.OURS
        suggestions = self._suggestions
        start: dict[int, int] = {}
        place: dict[int, int] = {}
        values: bytes | bytearray = b""
        few = 0
        if self.database:
            few, values = self.database.index.stones, self.database.values
            start, place = self.database.index.start, self.database.index.rank
        pairs: dict[tuple[int, int], tuple[int, int]] = {}
        shared = pairs.setdefault  # equal bounds are one object
        effort = self.effort

        def search(
            own: int, other: int, in_play: int, alpha: int, beta: int, plies: int
        ) -> int:
            nonlocal effort
            if not plies:
                return 0
            if not look_ahead:
                low, high = self._bounds(own, other, in_play)
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high
            effort += 1
            if not effort % POLL:
                self._pause(effort)
            worst = alpha
            best = -FAR
            moves = []
            first = 0
            for pit, left, sown, gain, shift, emptied in moves_of[own]:
                yours = other + sown
                if shift >= 0:
                    taken = yours >> shift & mask
                    if taken or captures_empty:
                        yours -= taken << shift
                        left = emptied
                        gain += taken + 1
                rest = in_play - gain
                low = gain - rest if futility else -FAR
                high = gain + rest if futility else FAR
                if not left:
                    low = high = gain - rest
                elif not yours:
                    low = high = gain + rest
                elif not look_ahead:
                    low, high = -FAR, FAR
                elif rest <= few:
                    if shift == REPEAT:
                        low = gain - BIAS + values[start[left] + place[yours]]
                    else:
                        low = gain + BIAS - values[start[yours] + place[left]]
                    high = low
                elif low < beta and high > alpha:
                    table = tables[rest]
                    if shift == REPEAT:
                        if futility:
                            low += sure[left]
                        key = left << width | yours
                        if low < beta and key in table:
                            known, high = table[key]
                            high += gain
                            low = max(low, known + gain)
                    else:
                        if futility:
                            high -= sure[yours]
                        key = yours << width | left
                        if high > alpha and key in table:
                            known, low = table[key]
                            low = gain - low
                            high = min(high, gain - known)
                if low >= beta:
                    return low
                if high <= alpha or low == high:
                    if high > best:
                        best = high
                        alpha = max(alpha, high)
                elif not ours:  # to be measured against ours
                    rank = pit
                    again = shift == REPEAT
                    if order is Order.PAPER:
                        captures = shift >= 0 and gain > 1
                        rank -= 400 if again else 200 * captures
                        rank -= 10 * (max(low, -in_play) + min(high, in_play))
                    moves.append((rank, left, yours, rest, gain, again))
                elif shift == REPEAT:
                    rank = pit - FAR * gain
                    moves.append((rank, left, yours, rest, gain, True))
                else:
                    rank = 3 * pit - 10 * gain + repeats[yours]
                    moves.append((rank, left, yours, rest, gain, False))
            moves.sort()
            key = own << width | other
            if suggests:
                suggested = suggestions.get(key)
                moves.sort(key=lambda move: move[1] != suggested)
            for _, left, yours, rest, gain, again in moves:
                if again:
                    value = gain + search(
                        left, yours, rest, alpha - gain, beta - gain, plies - 1
                    )
                else:
                    value = gain - search(
                        yours, left, rest, gain - beta, gain - alpha, plies - 1
                    )
                if value > best:
                    best = value
                    first = left
                    if value >= beta:
                        break
                    alpha = max(alpha, value)
            if not keep:
                return best
            table = tables[in_play]
            if key in table:
                low, high = table[key]
            else:
                low, high = (-in_play, in_play) if futility else (-FAR, FAR)
            if best > worst:
                low = best
            if best < beta:
                high = best
            bounds = low, high
            table[key] = shared(bounds, bounds)
            if suggests and best > worst:
                suggestions[key] = first
            return best

        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, DEEPEST))
        try:
            with garbage.put_off():
                return search(own, other, in_play, alpha, beta, plies)
        finally:
            sys.setrecursionlimit(limit)
            self.effort = effort

    def _pause(self, effort: int) -> None:
        """Ask for a stop and keep the table small.  Raises Stopped."""
        self.effort = effort
        if self.stop():
            raise Stopped
        while self.remembered > self.most_proofs:
            max(self._proofs, key=len).clear()


class _Figures(dict[int, int]):
    """A figure for each row, worked out once; for as many rows as `moves` keeps."""

    def __init__(self, moves: MoveTable) -> None:
        super().__init__()
        self.moves = moves

    def keep(self, row: int, figure: int) -> int:
        if len(self) >= self.moves.capacity:
            self.clear()
        self[row] = figure
        return figure


class _Repeats(_Figures):
    """Ten times the number of a row's repeat moves: each is worth about a stone."""

    def __missing__(self, row: int) -> int:
        return self.keep(row, 10 * sum(move[4] == REPEAT for move in self.moves[row]))


class _Sure(_Figures):
    """Twice the stones that a row's owner gains in his turn whatever lies opposite.

    They go from the other's side of the balance to his, so his value is by
    that much better than the loss of all stones in play.
    """

    def __missing__(self, row: int) -> int:
        sure = 0
        for _, left, _, gain, shift, _ in self.moves[row]:
            stones = 2 * gain
            if shift == REPEAT:
                stones += self[left]
            elif shift >= 0 and self.moves.captures_empty:
                stones += 2
            sure = max(sure, stones)
        return self.keep(row, sure)


def _turned(bounds: Bounds, turned: bool) -> Bounds:
    """The bounds from the other side, if turned."""
    return Bounds(-bounds.high, -bounds.low) if turned else bounds
