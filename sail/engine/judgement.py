"""The judgement of a game: what every turn kept or lost under perfect play.

The work goes backwards from the end.  The last positions are solved exactly,
and each proof helps with the position before: for the player who makes a turn,
the value before it is at least the value after it.  Where a proof would take
too long, the levels' search estimates the value.

The loss of a turn is the difference of two values.  If both are estimates of one
search, they err in much the same way, so the error of a loss has been measured
separately.  A turn counts as losing stones only if its loss exceeds that error.
"""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import NamedTuple

from sail.board import Pits, Position
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.levels import Limit, error_at
from sail.engine.search import Search
from sail.engine.value import OUTCOMES, Finding, Value, bounded, exactly, of_parity
from sail.game import Course, Game, Turn
from sail.stop import Clock, Stop, Stopped, until

PROVING = 0.6  # the share of the time for proofs; the rest is for estimates
JUDGING_SECONDS = 3.0  # for the value of the position after a turn
CONTINUING_SECONDS = 0.3  # for each turn that is still to be found
MOST_TURNS = 5  # of a variation that is compared with another
PROOF_EFFORT = 100_000  # of `Judge.quick_proof`, a third of a second
QUICK = Limit(effort=500)  # the limit for each estimate after a stop
TURN_LIMIT = Limit(depth=4, effort=500)  # for a pit that a variation lacks in its turn
ENDGAME_STONES = 12  # the most in the endgame database, which is built in a second
SEARCH_ENDGAME_STONES = 10  # as at level A, whose error an estimate may have

# The 90th-percentile errors of losses, as pairs: up to how many stones in play before
# the turn, and the error in stones.  tests/bench/TABLES.txt has the measurements.
LOSS_ERRORS = ((30, 2), (48, 4), (inf, 6))
QUICK_ERROR = 8  # after a stop


class JudgedTurn(NamedTuple):
    """A turn and its judgement.

    best: what is found of the position before it; the variation is a best turn, () if
    none was found in time, and this turn, completed, if none seems better.  played:
    what is found of the turn; its variation goes on with the reply, if one was found.
    """

    number: int  # of the turn, from 1
    turn: Turn
    best: Finding
    played: Finding
    stones_lost: int  # the stones that it gave away, 0 if they do not exceed the error

    @property
    def proved(self) -> bool:
        return self.best.value.proved and self.played.value.proved

    @property
    def loss_is_known(self) -> bool:
        """Whether the loss is proved, or estimated and above the error."""
        return self.proved or self.stones_lost > 0

    @property
    def outcome_change(self) -> tuple[str, ...]:
        """The OUTCOMES before and after it; () unless it is known to have cost one."""
        before, after = self.best.value.outcome, self.played.value.outcome
        if before is None or after is None or before <= after:
            return ()
        return OUTCOMES[before], OUTCOMES[after]

    @property
    def change_is_proved(self) -> bool:
        before, after = self.best.value, self.played.value
        return before.outcome_is_proved and after.outcome_is_proved


class Judge:
    """Values positions: proves or, without time, estimates.  No majority ends a game.

    stop: once it returns True, the positions still to be valued get quick estimates.
    """

    def __init__(self, clock: Clock, stop: Stop, solver: Solver) -> None:
        self.clock = clock
        self.stop = stop
        self.solver = solver
        self.search = Search(solver.moves.rules)
        self.stop_proofs, self.deadline = stop, 0.0  # of the work that has begun

    def judge_position(self, position: Position, seconds: float) -> Finding:
        """Return the mover's value of a position, and the best turn there."""
        self._start_clock(seconds)
        return self._finding_in_time(position)

    def quick_proof(self, position: Position) -> Finding | None:
        """Return the mover's value and a turn that keeps it, if soon proved, else None.

        It takes PROOF_EFFORT at most.  The turn ends where a majority ends the game.
        """
        solver, played_out = self.solver, position.without_majority
        most = solver.effort + PROOF_EFFORT

        def late() -> bool:
            return self.stop() or solver.effort > most

        with suppress(Stopped):
            value = solver.value(played_out, stop=late)
            turn = solver.best_turn(played_out, late)
            return Finding(exactly(value), Course(position).through(turn).pits)
        return None

    def judge_turn(self, position: Position, turn: Pits) -> Finding:
        """Return the mover's value after a turn, and the variation that begins so."""
        course = Course(position, turn)
        after = self.judge_position(course.position, JUDGING_SECONDS)
        value = after.value.negated_if(course.position.mover != position.mover)
        return self.with_best_play(course.through(after.variation), value)

    def with_best_play(self, course: Course, value: Value) -> Finding:
        """Return a value and its course with best turns after it, MOST_TURNS in all.

        It ends earlier where no turn is found, or none is proved though the value is.
        """
        while len(course.turns) < MOST_TURNS and not course.position.over:
            best = self.judge_position(course.position, CONTINUING_SECONDS)
            if not best.variation or value.proved > best.value.proved:
                break
            course = course.through(best.variation)
        return Finding(value, course.pits)

    def judge_game(self, game: Game, seconds: float) -> list[JudgedTurn]:
        """Judge the turns of a game, from the last one back; return them in order."""
        self._start_clock(seconds)
        turns = game.turns
        with suppress(Stopped):
            moves = self.solver.moves
            useful = endgame.most_useful(moves.pits_a_side, game.start.in_play)
            stones = min(ENDGAME_STONES, useful)
            self.solver.database = endgame.build(moves, stones, self.stop_proofs)
        value, best_turn = self._finding_in_time(game.position, len(turns) + 1)
        judged_turns: list[JudgedTurn] = []
        for number, turn in reversed([*enumerate(turns, 1)]):
            players = value.negated_if(turn.after.mover != turn.player)
            played = Finding(players, turn.pits + best_turn)
            judged_turns.insert(0, self._judged(number, turn, played))
            value, best_turn = judged_turns[0].best
        return judged_turns

    def _start_clock(self, seconds: float) -> None:
        began = self.clock()
        self.stop_proofs = until(began + PROVING * seconds, self.clock, self.stop)
        self.deadline = began + seconds

    def loss_error(self, in_play: int) -> int:
        """Return the 90th-percentile error of the estimated loss of a turn."""
        if self.stop():
            return QUICK_ERROR
        return error_at(in_play, LOSS_ERRORS)

    def _finding_in_time(
        self, position: Position, remaining: int = 1, value_after: Value | None = None
    ) -> Finding:
        """Return what `judge_position` does, by the clock that has been started.

        remaining: the number of positions still to be valued, including this one; each
        gets its share of the time.  value_after: the mover's after the turn played, if
        it is known.  If his value is proved to be no better, that turn is a best one,
        and () is returned for it, as for a turn that there is no time to find.
        """
        position = position.without_majority
        if position.over:
            return Finding(exactly(position.lead))
        if value_after:
            self.solver.learn(position, bounded(low=value_after.low))
        guess = value_after.likely if value_after else None
        with suppress(Stopped):
            self.solver.value(position, guess, self.stop_proofs)
        known = self.solver.known_value(position)
        if not known.proved:
            seconds = max(0.0, self.deadline - self.clock()) / remaining
            return self.estimated(position, known, seconds)
        best_turn: Pits = ()
        with suppress(Stopped):
            if not value_after or known.low > value_after.low:
                best_turn = self.solver.best_turn(position, self.stop_proofs)
        return Finding(known, best_turn)

    def estimated(self, position: Position, known: Value, seconds: float) -> Finding:
        """Return the value that the levels' search estimates, and the turn it prefers.

        known: what is proved already.
        """
        if self.stop():
            finding = self.search.find(position, QUICK, self.clock)
        else:
            limit = Limit(seconds=seconds, endgame_stones=SEARCH_ENDGAME_STONES)
            finding = self.search.find(position, limit, self.clock, self.stop)
        low, high, likely, error = finding.value
        low, high = max(known.low, low), min(known.high, high)
        value = bounded(low, high, of_parity(likely, position.stones), error)
        return Finding(value, self.whole_turn(position, finding.variation))

    def whole_turn(self, position: Position, variation: Pits) -> Pits:
        """Return the first turn of a variation, completed if that ends within it."""
        turns = Course(position, variation).turns
        course = Course(position, turns[0].pits if turns else ())
        while course.pits and not course.turn_is_over:
            finding = self.search.find(course.position, TURN_LIMIT, self.clock)
            course = course.play(finding.variation[0])
        return course.pits

    def _judged(self, number: int, turn: Turn, played: Finding) -> JudgedTurn:
        """Return the judgement of a turn; played: see JudgedTurn."""
        best = self._finding_in_time(turn.before, number, played.value)
        value, lost = best.value, best.value.likely - played.value.likely
        if lost <= 0 or best.variation == turn.pits:
            value = bounded(value.low, value.high, played.value.likely, value.error)
            completed = Course(turn.before).through(played.variation).turns[0]
            best, lost = Finding(value, completed.pits), 0
        judged = JudgedTurn(number, turn, best, played, lost)
        if not judged.proved and lost <= self.loss_error(turn.before.in_play):
            return judged._replace(stones_lost=0)
        return judged
