"""Values under perfect play, by the method of Solving Kalah (ISK-MTD).

Proofs leave the kalahs out (see sail.engine.value).  The search is alpha-beta with a
transposition table, an endgame database and a null window (MTD(f)): it asks repeatedly
whether the value is at least beta.  Searches of a few moves make the first guess.
Two enhancements are ISK's: enhanced transposition cut-off, which looks at the bounds of
all successors before it searches any of them, and futility pruning.

Repeat moves come first.  The others are sorted by a sum: each stone gained counts 10,
each repeat move left to the opponent -10, each pit of distance -3.  ISK tries the move
that was best when the position was last searched, then repeat moves, then captures
(ISK-ORDER).  That order took 17 % more effort over 40 positions of 26 to 32 stones by
the standard rules, and 15 % less in Kalah(6,3) by ISK's rules.  Trying the last best
move first saves less than one position in a thousand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

from sail.board import Pits, Position, Rules
from sail.engine.endgame import Database
from sail.engine.moves import REPEAT, MoveTable, RowNumbers, bits_for
from sail.engine.value import FAR, Value, bounded
from sail.game import Course
from sail.stop import POSITIONS_A_CHECK, Stop, check_stop, never

TO_THE_END = 100_000  # moves; longer than any game
GUESSES = (3, 6, 9)  # moves; deeper guesses cost more than they save
MOST_PROOFS = 2_250_000  # about 100 bytes each
MOST_ROWS = 120_000  # about 900 bytes each; endgames to 18 stones need 100,946
DEEPEST = 20_000  # Python frames

Bounds = tuple[int, int]  # of a value, kalahs left out

# A move to be searched, as its place in the order, rest, facing, the stones in play
# after it, gain, repeats (see sail.engine.moves).
OpenMove = tuple[int, int, int, int, int, bool]


class Solver:
    """Proves values of positions and remembers the proofs.

    pits, rules: as in the positions to solve.  most_in_play: stones.
    futility: whether to skip a move that cannot reach beta because the opponent is sure
    of too many stones.  database: built with this solver's `moves`; empty at first.
    wants_database: SOLVE sets it to False when it builds one, even if a ^C stops that.
    effort: the positions whose moves were generated.  When there are more than
    MOST_PROOFS proofs, those of the most frequent stone count are dropped.

    Methods that search take a `stop`.  They call it often, and raise Stopped once it
    returns True.  The proofs found by then are kept.
    """

    def __init__(
        self, pits: int, most_in_play: int, rules: Rules, futility: bool = True
    ) -> None:
        self.moves = MoveTable(pits, bits_for(most_in_play), rules, MOST_ROWS)
        self.most_in_play = most_in_play
        self.database = Database(self.moves, most_in_play=0)
        self.wants_database = True
        self._stop: Stop = never  # of the present search
        # Widens the bounds that follow from the stones in play; FAR disables them.
        self._slack = 0 if futility else FAR
        self.effort = 0
        self._proofs: list[dict[int, Bounds]] = [{} for _ in range(most_in_play + 1)]
        self._interned: dict[Bounds, Bounds] = {}  # shares equal bounds
        self._penalty = RowNumbers(partial(_penalty, self.moves), MOST_ROWS)
        self._sure_gain = RowNumbers(partial(_sure_gain, self.moves), MOST_ROWS)

    def fits(self, position: Position) -> bool:
        """Return whether pits, stones and rules of the position suit this solver."""
        return (
            position.pits_a_side == self.moves.pits_a_side
            and position.in_play <= self.most_in_play
            and self.moves.are_by(position.rules)
        )

    def known_value(self, position: Position) -> Value:
        """Return the mover's value as far as it is proved, without an estimate."""
        own, other, in_play, lead = self._split(position)
        low, high = self._probe(own, other, in_play)
        return bounded(lead + low, lead + high)

    def learn(self, position: Position, proved: Value) -> None:
        """Remember the bounds of the mover's value; wrong ones spoil later values."""
        own, other, in_play, lead = self._split(position)
        low, high = self._probe(own, other, in_play)
        bounds = max(low, proved.low - lead), min(high, proved.high - lead)
        self._proofs[in_play][own << self.moves.width | other] = bounds

    def prove(
        self, position: Position, guess: int | None = None, stop: Stop = never
    ) -> Iterator[Value]:
        """Yield the mover's value with ever closer bounds, until it is proved.

        guess: the value that the caller expects; if None, shallow searches guess.
        """
        known = self.known_value(position)
        if known.proved:
            yield known
            return
        self._stop = stop
        sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
        own, other, in_play, lead = self._split(position)
        low, high, *_ = known
        near = lead + self._guess(own, other, in_play) if guess is None else guess
        while low < high:
            # All values have the parity of the stones in play.
            beta = max(low + 2, min(high, near + (near ^ low) % 2))
            near = lead + self._bound(own, other, in_play, beta - lead, TO_THE_END)
            low, high = (near, high) if near >= beta else (low, near)
            known = bounded(low, high)
            self.learn(position, known)
            yield known

    def value(
        self, position: Position, guess: int | None = None, stop: Stop = never
    ) -> int:
        """Return the value that `prove` proves."""
        *_, last = self.prove(position, guess, stop)
        return last.low

    def keeping_pits(self, position: Position, stop: Stop = never) -> Iterator[int]:
        """Yield the pit of each move that keeps the value.

        Repeat moves come first, then moves that may capture, then the others,
        each group from pit 1 up.
        """
        if position.over:
            return
        value = self.value(position, stop=stop)
        own, _ = self.moves.packed(position)
        for pit, *_ in self.moves[own]:
            if self.known_move_value(position, pit).high < value:
                continue
            for known in self.prove_move(position, pit, value, stop):
                if known.low >= value:
                    yield pit
                if known.low >= value or known.high < value:
                    break

    def best_play(self, position: Position, stop: Stop = never) -> Iterator[int]:
        """Yield the pits of a perfect game from here to its end."""
        while not position.over:
            pit = next(self.keeping_pits(position, stop))
            yield pit
            position = position.play(pit)

    def best_turn(self, position: Position, stop: Stop = never) -> Pits:
        """Return a turn that keeps a proved value, without a search if one is known."""
        course = Course(position, self._known_turn(position))
        while not course.position.over and not course.turn_is_over:
            course = course.play(next(self.keeping_pits(course.position, stop)))
        return course.pits

    def _known_turn(self, position: Position) -> Pits:
        """Return a turn that is known to keep a proved value, or ()."""
        value = self.known_value(position).low
        for pit in position.legal:
            if self.known_move_value(position, pit).low >= value:
                after = position.play(pit)
                if after.over or after.mover != position.mover:
                    return (pit,)
                if later := self._known_turn(after):
                    return (pit, *later)
        return ()

    def known_move_value(self, position: Position, pit: int) -> Value:
        """Return what `known_value` does, but of a move, for its player."""
        after = position.play(pit)
        return self.known_value(after).negated_if(after.mover != position.mover)

    def prove_move(
        self, position: Position, pit: int, guess: int | None = None, stop: Stop = never
    ) -> Iterator[Value]:
        """Yield what `prove` does, but of a move, for the player who makes it."""
        after = position.play(pit)
        most = bounded(high=self.known_value(position).high)
        self.learn(after, most.negated_if(position.mover != after.mover))
        if guess is not None and after.mover != position.mover:
            guess = -guess
        for known in self.prove(after, guess, stop):
            yield known.negated_if(after.mover != position.mover)

    def _split(self, position: Position) -> tuple[int, int, int, int]:
        """Return both packed rows, the stones in play and the mover's lead."""
        own, other = self.moves.packed(position)
        return own, other, position.in_play, position.lead

    def _probe(self, own: int, other: int, in_play: int) -> Bounds:
        """Return the bounds of the value that are known without a search."""
        if not own or not other:
            return 0, 0
        if in_play <= self.database.most_in_play:
            value = self.database.value(own, other)
            return value, value
        span = in_play + self._slack
        key = own << self.moves.width | other
        return self._proofs[in_play].get(key, (-span, span))

    def _guess(self, own: int, other: int, in_play: int) -> int:
        """Return a first guess of the value, from searches of a few moves."""
        proofs = self._proofs  # `_bound` reads and writes the present ones
        guess = 0
        try:
            for depth in GUESSES:
                self._proofs = [{} for _ in proofs]
                low, high = -FAR, FAR
                while low < high:
                    bound = self._bound(own, other, in_play, guess, depth)
                    if bound >= guess:
                        low = bound
                        guess = bound + 1
                    else:
                        high = guess = bound
        finally:
            self._proofs = proofs
        return guess

    def _bound(self, own: int, other: int, in_play: int, beta: int, depth: int) -> int:
        """Return a bound of the value, searched `depth` moves deep.

        A result of at least beta is a lower bound, any other an upper bound.  Neither
        row is empty.  At depth 0 the value counts as 0.
        """
        if not depth:
            return 0
        self.effort += 1
        if not self.effort % POSITIONS_A_CHECK:
            self._check_limits()
        best, moves = self._open_moves(own, other, in_play, beta)
        if best >= beta:
            return best
        for _, rest, facing, left, gain, repeats in moves:
            if repeats:
                value = gain + self._bound(rest, facing, left, beta - gain, depth - 1)
            else:
                value = gain - self._bound(
                    facing, rest, left, gain - beta + 1, depth - 1
                )
            if value > best:
                best = value
                if value >= beta:
                    break
        self._remember(own << self.moves.width | other, in_play, best, beta)
        return best

    def _open_moves(
        self, own: int, other: int, in_play: int, beta: int
    ) -> tuple[int, list[OpenMove]]:
        """Return the best bound that is known without a search, and the open moves.

        If a move is known to reach beta, the bound is its lower one.  Otherwise it is
        the highest of the moves that are known to miss beta; the other moves are open,
        and come in the order in which to search them.
        """
        moves, value_of = self.moves, self.database.value
        in_database = self.database.most_in_play
        best = -FAR
        open_moves: list[OpenMove] = []
        for pit, rest, given, gain, shift, emptied in moves[own]:
            facing = other + given
            if shift >= 0:
                taken = facing >> shift & moves.mask
                if taken or moves.captures_empty:
                    facing -= taken << shift
                    rest = emptied
                    gain += taken + 1
            repeats = shift == REPEAT
            left = in_play - gain
            span = left + self._slack
            low, high = gain - span, gain + span
            if not rest:
                low = high = gain - left
            elif not facing:
                low = high = gain + left
            elif left <= in_database:
                if repeats:
                    low = high = gain + value_of(rest, facing)
                else:
                    low = high = gain - value_of(facing, rest)
            elif not low < beta <= high:
                pass  # the stones in play decide
            elif repeats:
                low += self._sure_gain[rest]
                key = rest << moves.width | facing
                if low < beta and key in self._proofs[left]:
                    least, most = self._proofs[left][key]
                    low, high = max(low, gain + least), gain + most
            else:
                high -= self._sure_gain[facing]
                key = facing << moves.width | rest
                if high >= beta and key in self._proofs[left]:
                    least, most = self._proofs[left][key]
                    low, high = gain - most, min(high, gain - least)
            if low >= beta:
                return low, open_moves
            if high >= beta:
                if repeats:
                    order = pit - FAR * gain
                else:
                    order = 3 * pit - 10 * gain + self._penalty[facing]
                open_moves.append((order, rest, facing, left, gain, repeats))
            elif high > best:
                best = high
        open_moves.sort()
        return best, open_moves

    def _remember(self, key: int, in_play: int, bound: int, beta: int) -> None:
        span, table = in_play + self._slack, self._proofs[in_play]
        low, high = table.get(key, (-span, span))
        bounds = (bound, high) if bound >= beta else (low, bound)
        table[key] = self._interned.setdefault(bounds, bounds)

    def _check_limits(self) -> None:
        """Raise Stopped if the work must end; drop proofs if there are too many."""
        check_stop(self._stop)
        while sum(map(len, self._proofs)) > MOST_PROOFS:
            max(self._proofs, key=len).clear()


def _penalty(moves: MoveTable, row: int) -> int:
    """Return 10 for each repeat move, as much as a stone counts in sorting moves."""
    return 10 * sum(shift == REPEAT for *_, shift, _ in moves[row])


def _sure_gain(moves: MoveTable, row: int) -> int:
    """Return twice the number of stones that the row's owner is sure to gain in a turn.

    Each such stone adds two to the difference, so the owner's value is at least this
    number less the stones in play.
    """
    sure = 0
    for _, rest, _, gain, shift, _ in moves[row]:
        stones = 2 * gain
        if shift == REPEAT:
            stones += _sure_gain(moves, rest)
        elif shift >= 0 and moves.captures_empty:
            stones += 2
        sure = max(sure, stones)
    return sure
