"""Verdicts on the turns of an exercise: right or not, and what a turn does."""

from __future__ import annotations

from typing import NamedTuple

from sail.board import Position
from sail.engine.judgement import Judge
from sail.engine.limit import Clock
from sail.engine.value import Expected, Value
from sail.files.placing import MOST_STONES
from sail.files.positions import Entry
from sail.files.values import judging_solver
from sail.game import LineOfPlay, Pits, format_line, format_turn
from sail.programs.kalah import says, why
from sail.programs.kalah.showing import result
from sail.stop import Stop

SECONDS = 3.0  # for the value of the position after a turn
FOLLOWING = 0.3  # for each turn that a line lacks


class Verdict(NamedTuple):
    right: bool
    text: str


def judge_of(position: Position, clock: Clock, stop: Stop) -> Judge:
    """Return a judge of the turns in a position; it keeps what it has proved."""
    return Judge(clock, stop, SECONDS, judging_solver(position))


def followed(judge: Judge, position: Position, play: Pits) -> Pits:
    """Return play and the best turns found after it, why.MOST_TURNS turns at most."""
    line = LineOfPlay(position).through(play)
    while len(line.turns) < why.MOST_TURNS and not line.position.over:
        judge.allow(FOLLOWING)
        best = judge.expect(line.position._replace(rules=judge.rules)).play
        if not best:
            break
        line = line.through(best)
    return line.moves


class Verdicts:
    """The verdicts on the turns of an exercise.

    A turn that it does not name is judged, but only once.
    """

    def __init__(self, entry: Entry, judge: Judge) -> None:
        assert entry.exercise
        self.position = entry.position
        self.exercise = entry.exercise
        self.texts = entry.solution
        self.judge = judge
        self.judged = dict(self.exercise.wrong)
        # The wrong turn to compare with: the one that gains most at once.
        mover = entry.position.mover
        gain = lambda turn: LineOfPlay(entry.position, turn).position.kalahs[mover]
        self.foil = max(self.judged, key=gain, default=())
        best = self.exercise.best
        self.play = best.play if best else self.exercise.right[0]

    def is_judged(self, turn: Pits) -> bool:
        """Return whether the verdict on this turn needs no search."""
        exercise = self.exercise
        return turn in (*exercise.right, *self.judged) or bool(exercise.refusal)

    def of(self, turn: Pits) -> Verdict:
        """Return the verdict on a whole turn.

        A turn is right if the exercise says so, or if it is proved to be as good as the
        best.  It is wrong if the exercise says so, if the exercise gives no value to
        compare it with, or if its value is lower by more than the errors of both.
        Otherwise the text says that this is not known.
        """
        exercise = self.exercise
        if turn in exercise.right:
            return Verdict(True, self.praise(turn))
        if exercise.refusal:
            return Verdict(False, " ".join(exercise.refusal))
        if turn not in self.judged:
            self.judged[turn] = self._judgement(turn)
        value = self.judged[turn].value
        if turn not in exercise.wrong and exercise.best:
            best = exercise.best.value
            if value.low >= best.high:
                return Verdict(True, self.praise(turn))
            if value.most >= best.least:
                return Verdict(False, says.CANNOT_TELL.format(format_turn(turn)))
        elif turn not in exercise.wrong and not value.proved:
            return Verdict(False, says.NOT_RIGHT)
        self.foil = turn
        return Verdict(False, self.consequence(turn))

    def praise(self, turn: Pits) -> str:
        """Return what is typed after a right turn."""
        texts, best = [says.RIGHT], self.exercise.best
        proved = best is not None and best.value.proved
        if best and not proved:
            texts = [says.BEST_SEEN]
        texts += self.merits(turn)
        if best:
            ends = result(best.value.likely, proved)
            texts.append(says.BEST.format(ends) if proved else f"{ends}.")
        return "  ".join((*texts, *self.texts))

    def solution(self) -> str:
        """Return the right turns, what the first does, and the line of best play."""
        right, best = self.exercise.right, self.exercise.best
        named = " OR ".join(map(format_turn, right))
        proved = not best or best.value.proved
        texts = [(says.SOLUTION if proved else says.SEEMS_RIGHT).format(named)]
        texts += self.merits(right[0])
        if best:
            line = format_line(LineOfPlay(self.position).through(best.play).turns)
            texts.append(says.LINE.format(line, result(best.value.likely, proved)))
        return "  ".join((*texts, *self.texts))

    def merits(self, turn: Pits) -> list[str]:
        """Return sentences on what a right turn does, and what the foil does not do.

        A lesson has words of its own, which a beginner has learned.
        """
        if self.exercise.refusal:
            return []
        merit = why.merit(self.position, turn)
        texts = [merit] if merit else []
        if self.foil:
            better = why.merit(self.position, turn, self.foil)
            if not better and self.is_followed(turn):
                better = why.counts(
                    self.position, self.judged[self.foil].play, self.play, secret=False
                )
            if better and better != merit:
                texts.append(better)
        return texts

    def is_followed(self, turn: Pits) -> bool:
        """Return whether the line of best play is known and begins with this turn."""
        if not self.exercise.best and self.play == turn:
            self.play = followed(self.judge, self.position, turn)
        return why.turns_of(self.position, self.play)[0].pits == turn

    def consequence(self, turn: Pits) -> str:
        """Return what a wrong turn leads to, like AFTER YOUR 1 I PLAY 2.  YOU LOSE BY 4."""
        value, play = self.judged[turn]
        turns, named = why.turns_of(self.position, play), format_turn(turn)
        self.is_followed(self.exercise.right[0])
        if reason := why.reply(self.position, play, self.play):
            text = says.LETS_ME.format(named, format_turn(turns[1].pits), reason)
        elif reason := why.counts(self.position, play, self.play):
            text = reason
        elif len(turns) > 1:
            text = says.I_REPLY.format(named, format_turn(turns[1].pits))
        else:
            text = says.ENDS_IT.format(named)
        text = f"{text}  {result(value.likely, value.proved)}."
        return text if value.proved else says.AS_I_SEE.format(text)

    def _judgement(self, turn: Pits) -> Expected:
        """Return the user's value after a turn, and the play that begins with it."""
        user, after = self.position.mover, LineOfPlay(self.position, turn).position
        self.judge.allow(SECONDS)
        value, best = self.judge.expect(after._replace(rules=self.judge.rules))
        # If a majority ended the game in the middle of the user's turn, `best` is how
        # the user would go on, not a reply.
        play = turn if after.mover == user else (*turn, *best)
        return Expected(value.turned(user), followed(self.judge, self.position, play))


def about(value: Value) -> Value:
    """Return a value as an exercise has it: exact, or an estimate without bounds."""
    return value if value.proved else value._replace(low=-MOST_STONES, high=MOST_STONES)
