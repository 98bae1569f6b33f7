"""REVIEW and TRY: the turns of a game that cost the user most."""

from __future__ import annotations

from typing import NamedTuple

from sail.board import Position
from sail.engine.judgement import Judge, Judged, judge_game
from sail.engine.limit import Clock
from sail.engine.value import Expected
from sail.files.positions import Entry, Pits
from sail.files.values import judging_solver
from sail.game import Game, format_turn
from sail.programs.kalah import says, why
from sail.programs.kalah.exercise import Exercise
from sail.programs.kalah.showing import type_boards
from sail.programs.kalah.verdicts import (
    followed,
    judge_of,
    outcome,
    verdict_of_review,
)
from sail.talk.asking import Asker
from sail.talk.layout import OUTCOMES

SECONDS = 17.0  # FOLLOWING comes on top of it
MOST_FAULTS = 3


class Fault(NamedTuple):
    """A turn that cost the user stones.

    entry: the position before it as an exercise.  judged: the turn in its review.
    play: the best reply, and the turns after it until something happens.
    """

    entry: Entry
    judged: Judged
    play: Pits

    def merit(self, turn: Pits, secret: bool = False) -> str:
        """Return what another turn does that this one did not; "" if nothing."""
        position, played = self.entry.position, self.judged.pits
        return why.merit(position, turn, played, self.play, secret)

    def text(self) -> str:
        """Return what the turn cost, and why."""
        text, after = cost(self.judged), self.judged.turn.after
        if self.judged.outcomes:
            text += says.TURNED.format(*(OUTCOMES[it] for it in self.judged.outcomes))
        text += "."
        if replies := why.turns_of(after, self.play):
            reason = why.happens(after, self.play, self.entry.position.mover)
            text += says.PUNISHED.format(format_turn(replies[0].pits))
            text += f": {reason}" if reason else "."
        merits = (self.merit(turn, secret=True) for turn in self.entry.right)
        return "  ".join((text, *merits))

    def exercise(self, asker: Asker, judge: Judge) -> Exercise:
        """Return the exercise in which every turn that keeps the value is right."""
        entry, played = self.entry, self.judged.pits
        user, known = entry.position.mover, entry.right
        before = self.judged.value.turned(user)
        on_review = {pits: Expected(before) for pits in known}
        on_review[played] = Expected(self.judged.after.turned(user), self.play)
        entry = entry._replace(solution=tuple(map(self.merit, known)), played=played)

        def find(after: Position) -> Expected:
            asker.tty.type(says.LET_ME_THINK)
            return outcome(judge, user, after)

        verdict = verdict_of_review(entry, before, on_review, find, self.merit)
        return Exercise(asker, entry, verdict, before.proved)


def won(position: Position) -> bool:
    """Return whether a majority has ended the game, with stones in both rows."""
    return position.over and all(map(any, position.rows))


def cost(judged: Judged) -> str:
    cost = says.COST if judged.proved else says.PROBABLY
    return cost.format(format_turn(judged.pits), judged.lost)


def with_reply(judge: Judge, entry: Entry, judged: Judged) -> Fault:
    """Return a judged turn with the play after the best reply to it.

    Its exercise gets the best turn, if that is proved or if it has none.
    """
    if judged.value.proved or not entry.right:
        best = why.turns_of(entry.position, judged.best)  # up to a majority
        entry = entry._replace(right=tuple(turn.pits for turn in best))
    return Fault(entry, judged, followed(judge, judged.turn.after, judged.reply))


def correction(
    asker: Asker, clock: Clock, entry: Entry, fault: Fault | None = None
) -> Exercise:
    """Return the exercise of a turn that a review listed.

    fault: the turn, None if an earlier session listed it.  A turn that is not proved is
    judged again, and a proof replaces an estimate.
    """
    judge = judge_of(entry.position, clock, asker.tty.poll)
    if not (fault and fault.judged.proved):
        asker.tty.type(says.LET_ME_THINK)
        game = Game(entry.position, entry.played)
        again = with_reply(judge, entry, judge_game(game, judge).judged[0])
        if not fault or again.judged.proved:
            fault = again
    return fault.exercise(asker, judge)


def type_review(asker: Asker, game: Game, clock: Clock) -> list[Fault]:
    """Type the user's worst turns, at most three; return them, the worst first.

    The worst is typed last, so that a screen of 24 lines shows it whole.
    """
    tty = asker.tty
    tty.type(says.REVIEWING)
    judge = Judge(clock, tty.poll, SECONDS, judging_solver(game.start.in_play))
    found = judge_game(game, judge)
    own = [turn for turn in found.judged if turn.player == game.human]
    known = sum(turn.known for turn in own)
    if known < len(own):
        tty.type(says.COULD_JUDGE.format(known, len(own)))
    # A turn that won the game at once is no fault, though a longer game might have
    # won by more.
    faults = [it for it in found.faults(game.human) if not won(it.turn.after)]
    faults = faults[:MOST_FAULTS]
    tty.type(says.WORST if faults else says.NO_FAULTS)
    before = [game.start, *(turn.after for turn in game.turns)]
    listed: list[Fault] = []
    for number, fault in reversed([*enumerate(faults, 1)]):
        node, task = before[fault.number - 1], says.TRY_TASK.format(cost(fault))
        entry = Entry(node, (task,), played=fault.pits)
        listed.insert(0, with_reply(judge, entry, fault))
        tty.type(says.BEFORE_FAULT.format(number, own.index(fault) + 1))
        type_boards(tty, node)
        asker.type_folded(listed[0].text())
    if faults:
        shown = all(fault.best for fault in faults)
        tty.type(says.TRY_THEM + (says.SHOWS_IT if shown else ""))
    return listed
