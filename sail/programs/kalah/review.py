"""REVIEW: the turns of a game that cost the user most, written as exercises."""

from __future__ import annotations

from sail.engine.judgement import CONTINUING_SECONDS, JudgedTurn
from sail.engine.value import Finding, bounded
from sail.files import seal
from sail.files.positions import Entry
from sail.files.proved import judge_for
from sail.game import Course, Ending, Game, format_turn
from sail.programs.kalah import says, why
from sail.programs.kalah.showing import how_it_ends, type_boards, type_reasons
from sail.talk.asking import Asker
from sail.typed import plural

REVIEW_SECONDS = 15.0  # and CONTINUING_SECONDS for each turn of `entry_of`
MOST_MISTAKES = 3
BROKEN_OFF = Ending.CONCEDED, Ending.QUIT, Ending.DRAW


def _cost(judged: JudgedTurn) -> str:
    """Return what a turn cost, like PLAYING 3 COST YOU 4 STONES."""
    form = says.COST if judged.proved else says.PROBABLY
    return form.format(format_turn(judged.turn.pits), judged.stones_lost)


class Review:
    """The user's worst turns in a game, at most MOST_MISTAKES.

    entries: one for each of these turns, the worst first; it is an exercise if a better
    turn was found.
    cut_short: whether a ^C ended the work early.
    """

    def __init__(self, asker: Asker, game: Game) -> None:
        self.asker = asker
        self.tty = asker.tty
        self.game = game
        self.judge = judge_for(game.start, asker.area, asker.clock, self.tty.poll)
        self.judged_turns = turns = self.judge.judge_game(game, REVIEW_SECONDS)
        self.users_turns = [it for it in turns if it.turn.player == game.user]
        # A turn that won at once is no mistake, though a longer game might have won by
        # more.
        mistakes = [
            judged
            for judged in self.users_turns
            if judged.stones_lost and not judged.turn.after.ended_by_majority
        ]
        mistakes.sort(key=lambda mistake: -mistake.stones_lost)
        self.mistakes = mistakes[:MOST_MISTAKES]
        self.entries = [self.entry_of(mistake) for mistake in self.mistakes]
        self.cut_short = self.tty.poll()

    def entry_of(self, mistake: JudgedTurn) -> Entry:
        """Return the entry of the exercise to better a turn."""
        position, pits = mistake.turn.before, mistake.turn.pits
        judge, task = self.judge, (says.TRY_TASK.format(_cost(mistake)),)
        better = mistake.best.variation
        if not better:
            better = judge.judge_position(position, CONTINUING_SECONDS).variation
        if better in ((), pits):
            return Entry(position, task)
        right = Course(position).through(better).pits  # up to a majority
        findings = {right: Finding(mistake.best.value, right)}
        if Course(position, pits).turn_is_over:  # a game may end within it
            findings[pits] = mistake.played
        for turn, finding in findings.items():
            value, course = finding.value, Course(position).through(finding.variation)
            if not value.proved:  # as it will be read from MISTAK.POS
                value = bounded(estimate=value.likely, error=value.error)
            findings[turn] = judge.with_best_play(course, value)
        return Entry(position, task, (right,), findings, file=seal.MISTAK_POS)

    def type(self) -> None:
        """Type the turns, the worst one last, so that a screen of 24 lines shows it."""
        unknown = [str(it.number) for it in self.users_turns if not it.loss_is_known]
        if unknown:
            text = says.NOT_JUDGED.format(plural(len(unknown)), ", ".join(unknown))
            self.asker.type_folded(text)
        self.tty.type(says.WORST if self.mistakes else says.NO_MISTAKES)
        numbered = [*enumerate(zip(self.mistakes, self.entries), 1)]
        for place, (mistake, entry) in reversed(numbered):
            self.tty.type(says.BEFORE_MISTAKE.format(place, mistake.number))
            type_boards(self.tty, entry.position)
            type_reasons(self.asker, self.reasons(entry, mistake))
        if any(entry.is_exercise for entry in self.entries):
            self.tty.type(says.TRY_THEM)
        last = self.judged_turns[-1]
        value = last.played.value.negated_if(last.turn.player != self.game.user)
        if self.game.ending in BROKEN_OFF and value.likely_low > 0:
            self.tty.type(says.WAS_WON.format(how_it_ends(value)))

    def reasons(self, entry: Entry, mistake: JudgedTurn) -> str:
        """Return what a turn cost, and why, without naming a better one."""
        text = _cost(mistake)
        if mistake.outcome_change:
            text += says.TURNED.format(*mistake.outcome_change)
        texts, findings = [f"{text}."], entry.findings
        if wrong := findings.get(mistake.turn.pits):
            position, right = entry.position, entry.right[0]
            texts.append(why.blame(position, wrong, findings[right].variation))
            merit = why.merit(position, right, secret=True)
            own_merit = why.merit(position, mistake.turn.pits, secret=True)
            texts.append(merit if merit != own_merit else "")
        return "  ".join(filter(None, texts))
