"""REVIEW and TRY: the turns of a game that cost the user most."""

from __future__ import annotations

from typing import NamedTuple

from sail.board import Position
from sail.engine.judgement import Judge, Judged, review
from sail.engine.limit import Clock
from sail.files.positions import Pits, Special
from sail.files.values import judging_solver
from sail.game import Game, format_turn
from sail.programs.kalah import exercise, says
from sail.programs.kalah.exercise import Exercise, Outcome, Tutor, consequence
from sail.programs.kalah.showing import result, type_boards
from sail.talk.asking import Asker

SECONDS = 20.0
MOST_FAULTS = 3


class Fault(NamedTuple):
    """A turn that cost the user stones.

    special: the position before it as an exercise.  judged: the turn in its review.
    """

    special: Special
    judged: Judged

    def exercise(self, asker: Asker, clock: Clock) -> Exercise:
        """Return the exercise in which every turn that keeps the value is right.

        A turn that the review judged has the value that the review found.  Another turn
        is right if it is proved to keep the value.  If that cannot be proved, it is
        right if one search values it as high as the best turn known, and higher than
        the turn played.
        """
        special, judged = self
        user = special.position.mover
        before = judged.value.turned(user)
        on_review = {pits: Outcome(before) for pits in special.right}
        on_review[judged.turn.pits] = Outcome(judged.after.turned(user), judged.reply)
        tutor = Tutor(special.position, clock, asker.tty.poll)

        def verdict(turn: Pits, after: Position) -> tuple[bool, str]:
            outcome = on_review.get(turn)
            if not outcome:
                asker.tty.type(says.LET_ME_THINK)
                outcome = tutor.outcome(after)
            value = outcome.value
            if value.low >= before.high:
                return True, says.BEST.format(result(before.high, True))
            if value.high < before.low or turn == judged.turn.pits:
                return False, consequence(turn, outcome)
            if turn not in special.right:
                seen = tutor.compared(turn, judged.turn.pits, *special.right)
                cannot_tell = False, says.CANNOT_TELL.format(format_turn(turn))
                if len(seen) < 3:
                    return cannot_tell
                mine, played, best = seen
                if mine <= played or best - mine > outcome.error:
                    return False, consequence(turn, outcome)
                if mine < best:
                    return cannot_tell
            return True, says.BEST_SEEN.format(result(value.likely, value.proved))

        return Exercise(asker, special, verdict, before.proved)


def judged_again(special: Special, asker: Asker, clock: Clock) -> Fault:
    """Return a turn that an earlier review listed, judged anew from its exercise.

    The right turn on file may have been an estimate; a proof replaces it.
    """
    asker.tty.type(says.LET_ME_THINK)
    position = special.position
    solver = judging_solver(position.in_play)
    judge = Judge(clock, asker.tty.poll, exercise.SECONDS, solver)
    judged = review(Game(position, special.played), judge).judged[0]
    if judged.value.proved:
        special = special._replace(right=(judged.best,) if judged.best else ())
    return Fault(special, judged)


def type_review(asker: Asker, game: Game, clock: Clock) -> list[Fault]:
    """Type the user's worst turns, at most three; return them, the worst first.

    The worst is typed last, so that a screen of 24 lines shows it whole.
    """
    tty = asker.tty
    tty.type(says.REVIEWING)
    solver = judging_solver(game.start.in_play)
    found = review(game, Judge(clock, tty.poll, SECONDS, solver))
    own = [turn for turn in found.judged if turn.turn.player == game.human]
    known = sum(turn.known for turn in own)
    if known < len(own):
        tty.type(says.COULD_JUDGE.format(len(own), known))
    faults = found.faults(game.human)[:MOST_FAULTS]
    tty.type(says.WORST if faults else says.NO_FAULTS)
    before = [game.start, *(turn.after for turn in game.turns)]
    listed: list[Fault] = []
    for number, fault in reversed([*enumerate(faults, 1)]):
        node = before[fault.number - 1]
        right = (fault.best,) if fault.best else ()
        played = format_turn(fault.turn.pits)
        cost = (says.COST if fault.proved else says.PROBABLY).format(fault.lost)
        task = says.TRY_TASK.format(played, cost)
        special = Special(node, (task,), right=right, played=fault.turn.pits)
        listed.insert(0, Fault(special, fault))
        tty.type(says.BEFORE_FAULT.format(number, own.index(fault) + 1))
        type_boards(tty, node)
        text = says.FAULT.format(played, cost)
        if fault.reply:
            text += says.PUNISHED.format(format_turn(fault.reply))
        asker.type_folded(text)
    if faults:
        try_it = says.TRY_IT if len(faults) == 1 else says.TRY_THEM
        shown = all(fault.best for fault in faults)
        tty.type(try_it + (says.SHOWS_IT if shown else ""))
    tty.type(says.LONG_REVIEW)
    return listed
