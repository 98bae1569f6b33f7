"""The review of a game: what every turn kept or lost under perfect play.

It works backwards from the end.  The last positions come out exactly, and
what is proved of a position serves for the one before it: whoever may play
a turn gets at least what it leaves him.  Where a proof would take too long,
the bounds proved so far stand beside the estimate of the search for play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from sail.board import PLAYERS, STANDARD, Position
from sail.engine.exact import OPEN, Bounds, Solver
from sail.engine.limit import Limit
from sail.engine.search import Search
from sail.programs.game import Game, Turn
from sail.programs.solve import says
from sail.stop import Stop, Stopped, never

PROVING = 0.6  # of the time; the rest is for estimates
QUICK = Limit(effort=500)  # for a position, once the review was stopped
NARROW = 8  # stones between bounds that tell more than an estimate
PLOT = 25  # columns, an odd number: 0 stands in the middle
SCALES = (1, 2, 3, 4, 6, 12)  # stones a column
PIECE = 8  # pits in a line; longer turns go on in the next


class Value(NamedTuple):
    """A's stones less B's at the end: proved bounds, and the likely value."""

    low: int
    high: int
    likely: int

    @property
    def proved(self) -> bool:
        """Return whether the value is certain."""
        return self.low == self.high

    @property
    def text(self) -> str:
        """The value as it is typed."""
        if self.proved:
            return str(self.low)
        if self.high - self.low <= NARROW:
            return says.BETWEEN.format(self.low, self.high)
        return says.ESTIMATE.format(self.likely)

    @property
    def winner(self) -> int:
        """1 if A is likely to win, -1 if B is, 0 for a draw."""
        return _sign(self.likely)

    @property
    def winner_is_proved(self) -> bool:
        """Return whether the winner is certain."""
        return _sign(self.low) == _sign(self.high)


class Judged(NamedTuple):
    """A turn, the value before it, and what it lost.

    best: the pits of a turn that loses nothing; none if this one does not,
    or if none was found in time.
    """

    turn: Turn
    value: Value
    lost: int = 0
    best: tuple[int, ...] = ()
    sure: bool = True  # that so much was lost


class Review:
    """The judgement of every turn of a game, and the value at its end.

    solver: its stop is set here.  seconds: for all of it, by the clock.
    stop: as everywhere; what is not judged then gets a quick estimate.
    """

    def __init__(
        self,
        game: Game,
        solver: Solver,
        seconds: float,
        clock: Callable[[], float],
        stop: Stop,
    ) -> None:
        self.solver = solver
        self.search = Search()
        self.clock = clock
        self.stop = stop
        begun = clock()
        end_of_proofs = begun + PROVING * seconds
        self.end = begun + seconds
        self.turns = game.turns
        nodes = [game.start, *(turn.after for turn in self.turns)]
        self.nodes = [node._replace(rules=STANDARD) for node in nodes]
        solver.stop = lambda: stop() or clock() >= end_of_proofs
        self.last = self.first_value()
        self.judged: list[Judged] = []
        after = self.last
        for number in reversed(range(len(self.turns))):
            self.judged.insert(0, self.judge(number, after))
            after = self.judged[0].value

    def first_value(self) -> Value:
        """The value of the position at the end of the game."""
        node = self.nodes[-1]
        if node.over:
            value = node.score[0] - node.score[1]
            return Value(value, value, value)
        bounds = self.prove(node, OPEN)
        if bounds.proved:
            return _seen(node, bounds, bounds.low)
        return self.estimated(node, bounds, len(self.turns) + 1)[0]

    def judge(self, number: int, after: Value) -> Judged:
        """The judgement of a turn; after: the value after it."""
        node, turn = self.nodes[number], self.turns[number]
        # From here on as the mover sees it.
        low, _, likely = _turned(after, node.mover)
        bounds = self.prove(node, Bounds(low, OPEN.high), likely)
        if bounds.proved:
            value = _seen(node, bounds, bounds.low)
            best: tuple[int, ...] = ()
        else:
            value, best = self.estimated(node, bounds, number + 1)
        better = _turned(value, node.mover).likely - likely
        if better <= 0 or best == turn.pits:
            if not value.proved:
                value = value._replace(likely=after.likely)
            return Judged(turn, value)
        if bounds.proved:
            best = self.best_turn(node)
        return Judged(turn, value, better, best, value.proved and after.proved)

    def prove(self, node: Position, within: Bounds, guess: int | None = None) -> Bounds:
        """What can be proved in time of the difference, good for the mover."""
        with suppress(Stopped):
            for _ in self.solver.prove(node, within, guess):
                pass
        bounds = self.solver.known(node)
        return Bounds(max(bounds.low, within.low), min(bounds.high, within.high))

    def best_turn(self, node: Position) -> tuple[int, ...]:
        """The pits of a turn that keeps the value; none if there is no time."""
        pits: list[int] = []
        mover = node.mover
        try:
            while node.mover == mover and not node.over:
                pits.append(self.solver.best(node))
                node = node.play(pits[-1])
        except Stopped:
            return ()
        return tuple(pits)

    def estimated(
        self, node: Position, bounds: Bounds, left: int
    ) -> tuple[Value, tuple[int, ...]]:
        """The value as the search for play sees it, and the turn that it plays.

        left: the positions that are still to be looked at, with this one.
        """
        pits: list[int] = []
        at = node
        while len(at.legal) == 1:  # the search does not look at forced moves
            pits += at.legal
            at = at.play(pits[-1])
        if at.over:
            ahead = at.score[node.mover] - at.score[1 - node.mover]
            return _seen(node, Bounds(ahead, ahead), ahead), _turn(node, pits)
        if self.stop():
            found = self.search.find(at, QUICK, self.clock, never)
        else:
            seconds = max(0.0, self.end - self.clock()) / left
            limit = Limit(seconds=seconds)
            found = self.search.find(at, limit, self.clock, self.stop)
        found_value = _turned(
            Value(found.low, found.high, found.value), at.mover != node.mover
        )
        low = max(bounds.low, found_value.low)
        high = min(bounds.high, found_value.high)
        # All values have the parity of the stones.
        likely = found_value.likely
        likely -= (likely - node.stones) % 2 * _sign(likely)
        value = _seen(node, Bounds(low, high), max(low, min(high, likely)))
        return value, _turn(node, (*pits, *found.line))

    def lines(self) -> list[str]:
        """The review as it is typed."""
        values = [judged.value for judged in self.judged] + [self.last]
        scale = scale_to(max(abs(value.likely) for value in values))
        far = scale * (PLOT // 2)
        axis = f"{-far:<{PLOT // 2}}0{far:>{PLOT // 2}}"
        lines = [says.REVIEW_HEAD.format(axis).rstrip()]
        for number, (turn, value, lost, best, sure) in enumerate(self.judged, 1):
            played, better = ("".join(map(str, pits)) for pits in (turn.pits, best))
            loss = (says.EXACTLY if sure else says.ESTIMATE).format(lost)
            line = says.REVIEW_TURN.format(
                number,
                PLAYERS[turn.player],
                played[:PIECE],
                *turn.after.kalahs,
                value.text,
                better[:PIECE] or (says.NOT_FOUND if lost else ""),
                loss if lost else "",
                plot(value, scale),
            )
            lines.append(line.rstrip())
            for at in range(PIECE, max(len(played), len(better)), PIECE):
                pieces = played[at : at + PIECE], better[at : at + PIECE]
                lines.append(says.REVIEW_MORE.format(*pieces).rstrip())
        ended = self.nodes[-1].score if self.nodes[-1].over else self.nodes[-1].kalahs
        end = says.REVIEW_END.format(*ended, self.last.text, plot(self.last, scale))
        lines.append(end.rstrip())
        if not all(value.proved for value in values):
            lines.append(says.REVIEW_MARKS)
        return [*lines, *summary(self.judged, self.last)]


def summary(judged: Sequence[Judged], last: Value) -> list[str]:
    """How many turns kept the value, and where the game was decided."""
    counts = []
    for player in (0, 1):
        own = [turn for turn in judged if turn.turn.player == player]
        counts += [sum(not turn.lost for turn in own), len(own)]
    lines = [says.TURNS_KEPT.format(*counts)]
    values = [*(turn.value for turn in judged), last]
    number = len(judged)  # of the last turn that changed who wins, from 1
    while number and values[number - 1].winner == last.winner:
        number -= 1
    sure = all(value.winner_is_proved for value in values[max(number - 1, 0) :])
    if not number:
        lines.append(says.NEVER_DECIDED + says.HOW_SURE[sure])
        return lines
    turn = judged[number - 1].turn
    side = -1 if turn.player else 1
    decided = says.DECIDED.format(
        number,
        PLAYERS[turn.player],
        "".join(map(str, turn.pits)),
        says.OUTCOMES[side * values[number - 1].winner],
        says.OUTCOMES[side * last.winner],
    )
    return [*lines, decided + says.HOW_SURE[sure]]


def _turn(node: Position, pits: Sequence[int]) -> tuple[int, ...]:
    """The first of the pits, as long as the turn lasts."""
    mover = node.mover
    turn: list[int] = []
    for pit in pits:
        if node.mover == mover and not node.over:
            turn.append(pit)
            node = node.play(pit)
    return tuple(turn)


def scale_to(most: int) -> int:
    """The stones of a column of the plot, where this is the greatest value."""
    return next((s for s in SCALES if s * (PLOT // 2) >= most), SCALES[-1])


def plot(value: Value, scale: int) -> str:
    """The value on a line of the plot, scale stones a column."""
    columns = [" "] * PLOT
    columns[PLOT // 2] = says.ZERO

    def place(stones: int) -> int:
        column = PLOT // 2 + (abs(stones) + scale // 2) // scale * _sign(stones)
        return max(0, min(PLOT - 1, column))

    if not value.proved and value.high - value.low <= NARROW:
        for column in range(place(value.low), place(value.high) + 1):
            columns[column] = says.BOUND
    else:
        mark = says.POINT if value.proved else says.GUESS
        columns[place(value.likely)] = mark
    return "".join(columns)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _turned(value: Value, turned: int) -> Value:
    """The value as the other player sees it, if turned: B is 1."""
    low, high, likely = value
    return Value(-high, -low, -likely) if turned else value


def _seen(node: Position, bounds: Bounds, likely: int) -> Value:
    """The value as A sees it, from what is good for the mover."""
    return _turned(Value(*bounds, likely), node.mover)
