"""Practice: exercises at the teletype, in which the user looks for the right turn.

The lessons of LEARN, the studies, and the turns that a review listed are exercises.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, partial

from sail.board import Pits, Position
from sail.engine.judgement import Judge
from sail.engine.value import Finding
from sail.files.positions import Entry
from sail.files.proved import judge_for
from sail.game import GAME_IS_OVER, Course, Game, format_turn, format_turns
from sail.programs.kalah import saving, says, why
from sail.programs.kalah.showing import (
    how_it_ends,
    type_boards,
    type_reasons,
    type_state,
)
from sail.refusal import Refusal
from sail.talk.asking import Asker, Command, Commands, attempt
from sail.talk.choosing import save_position


def _with_proofs(judge: Judge, exercise: Entry) -> Entry:
    """Return a person's exercise with what is soon proved of its turns, and no more.

    Raises Refusal if a proof refutes the exercise.
    """
    position, right, findings = exercise.position, exercise.right, exercise.findings
    proved: dict[Pits, Finding] = {}
    if not (best := judge.quick_proof(position)):
        return exercise._replace(findings=proved)
    for turn in dict.fromkeys((*right, *findings)):
        course = Course(position, turn)
        after = judge.quick_proof(course.position)
        if not after:
            continue
        value = after.value.negated_if(course.position.mover != position.mover)
        given, is_best = findings.get(turn), value.low >= best.value.low
        misjudged = given and given.value.proved and given.value != value
        problem = ""
        if turn in right and not is_best:
            problem = says.IS_BETTER.format(*map(format_turn, (best.variation, turn)))
        elif misjudged or (is_best and turn not in right):
            problem = says.IS_WORTH.format(format_turn(turn), value.low)
        if problem:
            file, number = exercise.file, exercise.number
            raise Refusal(says.OF_POSITION.format(file, number, problem))
        proved[turn] = judge.with_best_play(course, value)
    return exercise._replace(findings=proved)


class Practice:
    """An exercise at the teletype.

    first_try_spent: the positions of exercises whose first try is spent.
    findings: those of the exercise, and of the turns judged since.
    Raises Refusal if a person's exercise is proved to be wrong.
    """

    def __init__(
        self, asker: Asker, exercise: Entry, first_try_spent: set[Position]
    ) -> None:
        self.asker = asker
        self.tty = asker.tty
        self.position = exercise.position
        self.save = partial(save_position, asker, exercise)
        if asker.area.may_be_typed(exercise.file):
            exercise = _with_proofs(self._judge, exercise)
        self.exercise = exercise
        self.first_try_spent = first_try_spent
        self.findings = dict(exercise.findings)
        themes = [re.sub(r"(?<=\w)$", ".", text) for text in exercise.theme]
        first = exercise.right[0]
        self.themes = iter(themes or [why.merit(self.position, first, secret=True)])
        self.at_start = self.so_far = Course(self.position)  # the turn so far

    @cached_property
    def _judge(self) -> Judge:
        area, clock = self.asker.area, self.asker.clock
        return judge_for(self.position, area, clock, self.tty.poll)

    def _finding(self, turn: Pits) -> Finding:
        """Return the user's value after a turn, and the variation that begins so.

        Judge it if need be, and the right one, with which it will be compared.
        """
        if unknown := {turn, self.exercise.right[0]} - self.findings.keys():
            self.asker.aside(says.LET_ME_THINK)
            for new in sorted(unknown):
                self.findings[new] = self._judge.judge_turn(self.position, new)
        return self.findings[turn]

    def _is_right(self, turn: Pits) -> bool | None:
        """Return whether a whole turn is right, None if that is not known.

        A turn is right if the exercise says so, or if it is proved to be as good as
        the first right turn.  It is wrong if the exercise says so, or if its value is
        lower by more than the errors of both.
        """
        exercise = self.exercise
        if turn in exercise.right or turn in exercise.wrong:
            return turn in exercise.right
        value = self._finding(turn).value
        best = self._finding(exercise.right[0]).value
        if value.low >= best.high:
            return True
        return None if value.likely_high >= best.likely_low else False

    def verdict(self, turn: Pits) -> tuple[bool | None, str]:
        """Return whether a whole turn is right, None if that is not known, and why."""
        right, text = self._is_right(turn), " ".join(self.exercise.wrong_words)
        if right:
            text = self.why_right(turn)
        elif right is None:
            text = says.CANNOT_TELL.format(format_turn(turn))
        elif not text:
            better = self._finding(self.exercise.right[0]).variation
            text = why.blame(self.position, self._finding(turn), better)
        return right, text

    def why_right(self, *turns: Pits) -> str:
        """Return that these turns are right, and why the first is.

        That is in the file's words, or what the turn does and leads to.
        """
        best, form = self.exercise.best, says.RIGHT_BY_FILE
        if best:
            form = says.RIGHT if best.value.proved else says.SEEMS_RIGHT
        names = " OR ".join(map(format_turn, turns))
        texts = [form.format(names), *self.exercise.solution]
        if not self.exercise.solution:
            texts.append(why.merit(self.position, turns[0]))
            if best and (finding := self.findings.get(turns[0])):
                course = Course(self.position).through(finding.variation)
                result = how_it_ends(finding.value)
                texts.append(says.BEST_PLAY.format(format_turns(course.turns), result))
        return "  ".join(filter(None, texts))

    def run(self, begin: Callable[[Position], Game]) -> Game | None:
        """Type the task; ask until the turn is right, and then for a carriage return.

        begin: begins a game from a position, for PLAY; its board has just been typed.
        Return the game, if the user types PLAY.  Raises Back.
        """

        def play(_: str) -> Game:
            course = self.so_far if self.so_far.turn_is_over else self.at_start
            if course.position.over:
                raise Refusal(GAME_IS_OVER)
            if course != self.so_far:
                self.so_far = course
                type_boards(self.tty, course.position)
            return begin(course.position)

        def meaning(answer: str) -> Course | None:
            return self.so_far.after_typed(answer)  # PLAY has perhaps changed it

        def show(_: str) -> None:
            type_state(self.tty, self.so_far)

        leaving: Commands[Course] = (
            Command("PLAY", "GOES ON AS A GAME", play, short=True),
            Command("QUIT", "LEAVES THE EXERCISES", short=True),
        )
        commands: Commands[Course] = (
            Command(
                "HINT", "SAYS WHAT TO LOOK FOR, THEN A PIT", self._hint, short=True
            ),
            Command("SOLUTION", "SHOWS WHAT IS RIGHT", self._solution, short=True),
            Command("SHOW", "SHOWS THE BOARD", show, short=True),
            Command("BACK", "TAKES BACK YOUR MOVES", self._back, short=True),
            Command("SAVE", "WRITES THIS EXERCISE ON NAME.POS", self.save, "NAME"),
            *leaving,
        )
        self.tty.type(says.YOU_ARE[self.position.mover])
        type_boards(self.tty, self.position)
        self.asker.type_lines(self.exercise.comments)
        while True:
            answer = self.asker.ask(says.FIND_IT, commands, meaning)
            if isinstance(answer, Game):
                return answer
            self.so_far = answer
            if self.so_far.turn_is_over:
                if self._type_verdict():
                    break
                self.so_far = self.at_start
            type_boards(self.tty, self.so_far.position)
            if self.so_far.pits:
                self.tty.type(says.MOVE_AGAIN)
        answer = self.asker.ask(says.GO_ON, leaving, empty=self.so_far)
        return answer if isinstance(answer, Game) else None

    def _type_verdict(self) -> bool:
        """Type the verdict on the turn, and return whether the turn is right.

        It is the first try unless a turn was wrong, or a right pit was shown, when the
        exercise was set up now or earlier in this session.
        """
        right, text = self.verdict(self.so_far.pits)
        area, first_try = self.asker.area, self.position not in self.first_try_spent
        writes_unasked = saving.writes_unasked(self.asker)
        if right:
            if first_try and writes_unasked:
                attempt(self.tty, partial(saving.note_solved, area, self.exercise))
            type_boards(self.tty, self.so_far.position)
        type_reasons(self.asker, text)
        if right is False:
            self.first_try_spent.add(self.position)
        if not right:
            self.asker.aside_once(says.HELPS)
        elif writes_unasked and not first_try:
            self.asker.aside_once(says.NO_X)
        return bool(right)

    def _hint(self, _: str) -> None:
        """Type a theme; after the last, and in a turn, the next pit of a right turn.

        If no right turn begins as this one does, type that; it spends no first try.
        """
        played = self.so_far.pits
        if not played and (theme := next(self.themes, "")):
            self.tty.type(theme)
            return
        fits = [turn for turn in self.exercise.right if turn[: len(played)] == played]
        if not fits:
            self.tty.type(says.TYPE_BACK)
            return
        self.first_try_spent.add(self.position)
        form = says.NEXT_PIT if played else says.FIRST_PIT
        self.tty.type(form.format(fits[0][len(played)]))

    def _back(self, _: str) -> Course:
        if not self.so_far.pits:
            raise Refusal(says.NOTHING_TO_TAKE_BACK)
        return self.at_start

    def _solution(self, _: str) -> Course | None:
        """Type the right turns; take back the moves made, because a turn is whole."""
        self.first_try_spent.add(self.position)
        type_reasons(self.asker, self.why_right(*self.exercise.right))
        return self.at_start if self.so_far.pits else None
