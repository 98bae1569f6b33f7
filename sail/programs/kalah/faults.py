"""REVIEW and TRY: the turns of a game that cost the user most."""

from __future__ import annotations

from typing import NamedTuple

from sail.board import Position
from sail.engine.judgement import Judge, Judged, review
from sail.engine.limit import Clock
from sail.files.positions import Pits, Special
from sail.files.values import judging_solver
from sail.game import Game, format_turn
from sail.programs.kalah import exercise, says, why
from sail.programs.kalah.exercise import Exercise, Outcome, Tutor, consequence, followed
from sail.programs.kalah.showing import result, type_boards
from sail.talk.asking import Asker
from sail.talk.layout import OUTCOMES

SECONDS = 17.0  # FOLLOWING comes on top of it
MOST_FAULTS = 3


class Fault(NamedTuple):
    """A turn that cost the user stones.

    special: the position before it as an exercise.  judged: the turn in its review.
    line: the best reply, and the turns after it until something happens.
    """

    special: Special
    judged: Judged
    line: Pits

    def merit(self, turn: Pits, secret: bool = False) -> str:
        """Return what another turn does that this one did not; "" if nothing."""
        position, played = self.special.position, self.judged.turn.pits
        return why.merit(position, turn, played, self.line, secret)

    def text(self) -> str:
        """Return what the turn cost, and why."""
        text, after = cost(self.judged), self.judged.turn.after
        if self.judged.outcomes:
            text += says.TURNED.format(*(OUTCOMES[it] for it in self.judged.outcomes))
        text += "."
        if replies := why.turns_of(after, self.line):
            reason = why.happens(after, self.line, self.special.position.mover)
            text += says.PUNISHED.format(format_turn(replies[0].pits))
            text += f": {reason}" if reason else "."
        merits = (self.merit(turn, secret=True) for turn in self.special.right)
        return "  ".join((text, *merits))

    def exercise(self, asker: Asker, clock: Clock) -> Exercise:
        """Return the exercise in which every turn that keeps the value is right.

        A turn is right if it is proved to keep the value, or if the review found it.
        It is wrong if it is the turn played, or if its value is below the one that the
        review found by more than the errors of both.  Otherwise that cannot be told.
        """
        special, judged, line = self
        position, played, known = special.position, judged.turn.pits, special.right
        before = judged.value.turned(position.mover)
        on_review = {pits: Outcome(before) for pits in known}
        on_review[played] = Outcome(judged.after.turned(position.mover), line)
        special = special._replace(solution=tuple(map(self.merit, known)))
        tutor = Tutor(position, clock, asker.tty.poll)

        def verdict(turn: Pits, after: Position) -> tuple[bool, str]:
            outcome = on_review.get(turn)
            if not outcome:
                asker.tty.type(says.LET_ME_THINK)
                outcome = tutor.outcome(after)
            value = outcome.value
            if value.low >= before.high:
                right = says.BEST.format(result(before.high, True))
            elif turn == played or value.most < before.least:
                return False, consequence(position, turn, outcome)
            elif turn in known:
                right = says.BEST_SEEN.format(result(value.likely, value.proved))
            else:
                return False, says.CANNOT_TELL.format(format_turn(turn))
            return True, f"{right}  {self.merit(turn)}".rstrip()

        return Exercise(asker, special, verdict, before.proved)


def cost(judged: Judged) -> str:
    cost = says.COST if judged.proved else says.PROBABLY
    return cost.format(format_turn(judged.turn.pits), judged.lost)


def right(position: Position, judged: Judged) -> tuple[Pits, ...]:
    """Return the best turn if one is known, up to a majority that ends the game."""
    return tuple(turn.pits for turn in why.turns_of(position, judged.best))


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
        special = special._replace(right=right(position, judged))
    line = followed(judge, judged.turn.after, judged.reply)
    return Fault(special, judged, line)


def firmer(fault: Fault, asker: Asker, clock: Clock) -> Fault:
    """Return an estimated fault as it is proved now, or as it was."""
    if fault.judged.proved:
        return fault
    again = judged_again(fault.special, asker, clock)
    return again if again.judged.proved else fault


def type_review(asker: Asker, game: Game, clock: Clock) -> list[Fault]:
    """Type the user's worst turns, at most three; return them, the worst first.

    The worst is typed last, so that a screen of 24 lines shows it whole.
    """
    tty = asker.tty
    tty.type(says.REVIEWING)
    judge = Judge(clock, tty.poll, SECONDS, judging_solver(game.start.in_play))
    found = review(game, judge)
    own = [turn for turn in found.judged if turn.turn.player == game.human]
    known = sum(turn.known for turn in own)
    if known < len(own):
        tty.type(says.COULD_JUDGE.format(len(own), known))
    faults = found.faults(game.human)[:MOST_FAULTS]
    tty.type(says.WORST if faults else says.NO_FAULTS)
    before = [game.start, *(turn.after for turn in game.turns)]
    listed: list[Fault] = []
    for number, fault in reversed([*enumerate(faults, 1)]):
        node, played = before[fault.number - 1], fault.turn.pits
        line = followed(judge, fault.turn.after, fault.reply)
        task = says.TRY_TASK.format(cost(fault))
        special = Special(node, (task,), right=right(node, fault), played=played)
        listed.insert(0, Fault(special, fault, line))
        tty.type(says.BEFORE_FAULT.format(number, own.index(fault) + 1))
        type_boards(tty, node)
        asker.type_folded(listed[0].text())
    if faults:
        try_it = says.TRY_IT if len(faults) == 1 else says.TRY_THEM
        shown = all(fault.best for fault in faults)
        tty.type(try_it + (says.SHOWS_IT if shown else ""))
    tty.type(says.LONG_REVIEW)
    return listed
