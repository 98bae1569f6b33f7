"""Practice: exercises at the teletype, in which the user looks for the right turn.

The lessons of LEARN, the studies, and the turns that a review listed are exercises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import NamedTuple, NoReturn

from sail.board import Pits, Position
from sail.engine.judgement import Judge
from sail.engine.value import Finding, Value
from sail.files import tally
from sail.files.placing import BadPosition
from sail.files.positions import Entry
from sail.files.values import judging_solver
from sail.game import LineOfPlay, format_line, format_turn
from sail.programs.kalah import saving, says, why
from sail.programs.kalah.opponent import Opponent
from sail.programs.kalah.showing import result, type_boards, type_state
from sail.refusal import Refusal
from sail.stop import Clock
from sail.talk.asking import Asker, Command, Commands, answering, attempt, go_back
from sail.talk.choosing import save_position

JUDGING_SECONDS = 3.0  # for the value of the position after a turn
FOLLOWING_SECONDS = 0.3  # for each turn that a play lacks

PLAY = Command("PLAY", "GOES ON AS A GAME", answering(True), first=True)
LEAVE: Command[NoReturn] = Command("QUIT", "LEAVES THE EXERCISES", go_back, first=True)


class Verdict(NamedTuple):
    passed: bool
    text: str


def followed(judge: Judge, path: LineOfPlay, value: Value) -> Finding:
    """Return a value, and the path with best turns after it, why.MOST_TURNS in all."""
    while len(path.turns) < why.MOST_TURNS and not path.position.over:
        judge.allow(FOLLOWING_SECONDS)
        turn = judge.find(path.position).play
        if not turn:
            break
        path = path.through(turn)
    return Finding(value, path.moves)


def finding_after(judge: Judge, position: Position, turn: Pits) -> Finding:
    """Return the mover's value after a turn, and the play that begins with it."""
    path = LineOfPlay(position, turn)
    judge.allow(JUDGING_SECONDS)
    found = judge.find(path.position)
    value = found.value.turned(path.position.mover, position.mover)
    return followed(judge, path.through(found.play), value)


def expect_true(opponent: Opponent, entries: Iterable[Entry]) -> None:
    """Raise BadPosition if a person's exercises are soon proved to be wrong."""
    end = opponent.clock() + JUDGING_SECONDS
    for position, _, exercise, filed in entries:
        for turn in {*exercise.right, *exercise.findings}:
            after = LineOfPlay(position, turn).position
            best, found = map(opponent.proof, (position, after))
            if not best or not found or opponent.clock() >= end:
                continue
            value = found.value.turned(after.mover, position.mover)
            given = exercise.findings.get(turn)
            if turn in exercise.right and value.low < best.value.low:
                problem = says.IS_BETTER.format(format_turn(best.play))
            elif given and given.value.proved and given.value != value:
                problem = says.IS_WORTH.format(format_turn(turn), value.low)
            else:
                continue
            raise BadPosition(says.OF_POSITION.format(*filed, problem))


class Verdicts:
    """The verdicts on the turns of an exercise.

    call_judge: called before a turn is judged that the exercise does not judge.
    model: the right turn with which others are compared.  foil: the wrong turn with
    which a right one is compared; at first, the first on file.
    """

    def __init__(self, entry: Entry, call_judge: Callable[[], Judge]) -> None:
        self.position = entry.position
        self.exercise = entry.exercise
        self.call_judge = call_judge
        self.findings = dict(self.exercise.findings)
        turns = self.exercise.right
        self.model = next((it for it in turns if it in self.findings), turns[0])
        self.foil = next(iter(self.exercise.wrong), ())

    @property
    def value(self) -> Value | None:
        """The value of the right turn; None unless it is on file or proved."""
        found = self.findings.get(self.model)
        known = found and (self.exercise.best or found.value.proved)
        return found.value if found and known else None

    @property
    def estimated(self) -> bool:
        """Whether the value of the right turn is on file as an estimate."""
        return self.value is not None and not self.value.proved

    def of(self, turn: Pits) -> Verdict:
        """Return the verdict on a whole turn.

        A turn is right if the exercise says so, or if it is proved to be as good as the
        best.  It is wrong if the exercise says so, or if its value is lower by more
        than the errors of both.  Otherwise the text says that this is not known.
        """
        exercise = self.exercise
        if turn in exercise.right:
            return Verdict(True, self.praise(turn))
        if exercise.is_lesson:
            return Verdict(False, " ".join(exercise.rebuke))
        value, best = self.finding(turn).value, self.finding(self.model).value
        if turn not in exercise.wrong and value.low >= best.high:
            if value.low > best.high:  # what a person called right was not
                self.model = turn
            return Verdict(True, self.praise(turn))
        if turn not in exercise.wrong and value.likely_high >= best.likely_low:
            return Verdict(False, says.CANNOT_TELL.format(format_turn(turn)))
        self.foil = turn
        text = says.IN_THE_END.format(self.reason(turn), result(value))
        return Verdict(False, text.strip())

    def praise(self, turn: Pits) -> str:
        """Return what is typed after a right turn."""
        texts = [says.RIGHT[self.estimated], *self.merits(turn)]
        if self.value:
            texts.append(says.BEST[self.estimated].format(result(self.value)))
        return "  ".join((*texts, *self.exercise.solution))

    def solution(self) -> str:
        """Return the right turns, what the first does, and the line of best play."""
        named = " OR ".join(map(format_turn, self.exercise.right))
        merits = self.merits(self.exercise.right[0])
        texts = [says.SOLUTION[self.estimated].format(named), *merits]
        if self.value:
            path = LineOfPlay(self.position).through(self.findings[self.model].play)
            texts.append(says.LINE.format(format_line(path.turns), result(self.value)))
        return "  ".join((*texts, *self.exercise.solution))

    def merits(self, turn: Pits) -> Iterator[str]:
        """Yield sentences on what a right turn does, and what the foil does not do.

        A lesson has words of its own, which a beginner has learned.
        """
        if self.exercise.is_lesson:
            return
        if merit := why.merit(self.position, turn):
            yield merit
        if self.foil:
            better = why.merit(self.position, turn, self.foil)
            if not better and turn == self.model:
                wrong, play = (self.finding(it).play for it in (self.foil, turn))
                better = why.comparison(self.position, wrong, play, secret=False)
            if better and better != merit:
                yield better

    def reason(self, turn: Pits) -> str:
        """Return what a wrong turn leads to, like AFTER YOUR 1 I PLAY 2."""
        play, better = (self.finding(it).play for it in (turn, self.model))
        turns, named = why.turns_of(self.position, play), format_turn(turn)
        reply = why.reply(self.position, play, better)
        if not reply and (reason := why.comparison(self.position, play, better)):
            return reason
        if len(turns) > 1:
            end = f": {reply}" if reply else "."
            return says.I_REPLY.format(named, format_turn(turns[1].pits), end)
        return says.ENDS_IT.format(named) if turns[0].after.over else ""

    def finding(self, turn: Pits) -> Finding:
        """Return the user's value after a turn, and the play that begins with it.

        Judge it if need be, and the right one, with which it will be compared.
        """
        if unknown := {turn, self.model} - self.findings.keys():
            judge = self.call_judge()
            for it in sorted(unknown):
                self.findings[it] = finding_after(judge, self.position, it)
        return self.findings[turn]


class Practice:
    """An exercise at the teletype.

    is_listed: whether a list marks it with an X once it is solved.
    """

    def __init__(self, asker: Asker, entry: Entry, clock: Clock) -> None:
        self.asker = asker
        self.tty = asker.tty
        area = asker.area
        self.entry = entry
        self.exercise = entry.exercise

        @cache
        def made() -> Judge:
            solver = judging_solver(entry.position, area)
            return Judge(clock, self.tty.poll, JUDGING_SECONDS, solver)

        def call_judge() -> Judge:
            self.tty.type(says.LET_ME_THINK)
            return made()

        self.verdicts = Verdicts(entry, call_judge)
        marked = entry.filed[0] and area.allows(tally.TALLY)
        self.is_listed = bool(marked) and not self.exercise.is_lesson
        right = self.exercise.right[0]
        better = why.merit(entry.position, right, subject=says.A_BETTER_TURN)
        themes = [line.rstrip(".") + "." for line in self.exercise.theme]
        self.hints = iter(themes or [better])
        self.begun = self.so_far = LineOfPlay(entry.position)  # the turn so far

    def run(self) -> bool:
        """Ask until the turn is right; return False if the user plays a game instead.

        Raises Back.
        """
        save = partial(save_position, self.asker, self.entry)
        show = lambda _: type_state(self.tty, self.so_far)
        commands: Commands[LineOfPlay | bool] = (
            Command("HINT", "SAYS WHAT TO LOOK FOR, THEN A PIT", self.hint, first=True),
            Command("SOLUTION", "SHOWS WHAT IS RIGHT", self.solution, first=True),
            PLAY,
            Command("SHOW", "SHOWS THE BOARD", show, first=True),
            Command("BACK", "TAKES BACK YOUR MOVES", self.back, first=True),
            Command("SAVE", "WRITES THE EXERCISE ON FILE NAME.POS", save, "NAME"),
            LEAVE,
        )
        type_boards(self.tty, self.entry.position)
        self.asker.type_lines(self.entry.comments)
        while True:
            path = self.asker.ask(
                says.FIND_IT, commands, lambda answer: self.so_far.typed(answer)
            )
            if not isinstance(path, LineOfPlay):
                return False
            self.so_far = path
            if self.so_far.turn_is_over:
                if self.is_right():
                    return True
                self.so_far = self.begun
            type_boards(self.tty, self.so_far.position)
            if self.so_far.moves:
                self.tty.type(says.MOVE_AGAIN)

    def is_right(self) -> bool:
        """Type the verdict on the turn, and return whether the turn is right.

        It is the first try unless a turn was wrong, or a right pit was shown, when the
        exercise was set up now or earlier in this session.
        """
        right, text = self.verdicts.of(self.so_far.moves)
        first_try = self.begun not in self.asker.tried
        noted = first_try or self.exercise.is_lesson
        if right and noted and self.tty.live:
            attempt(self.tty, lambda: saving.note_solved(self.asker.area, self.entry))
        if right:
            type_boards(self.tty, self.so_far.position)
        self.asker.type_folded(text)
        if not right:
            self.asker.tried.add(self.begun)
            self.asker.aside_once(says.HELPS)
        elif self.is_listed and not first_try:
            self.asker.aside_once(says.FOR_AN_X)
        return right

    def plays_on(self) -> bool:
        """Ask whether the user plays a game from the solved position.  Raises Back.

        Nobody plays on from a lesson, or after the end of a game.
        """
        if self.exercise.is_lesson or self.so_far.position.over:
            return False
        meaning = lambda answer: None if answer else False
        return self.asker.ask(says.NEXT, (PLAY, LEAVE), meaning)

    def hint(self, _: str) -> None:
        """Type a theme; after all, and in a turn, the next pit of a right one."""
        played = self.so_far.moves
        if not played and (line := next(self.hints, "")):
            self.tty.type(line)
            return
        self.asker.tried.add(self.begun)
        fits = [it for it in self.exercise.right if it[: len(played)] == played]
        form = says.NEXT_PIT if played else says.FIRST_PIT
        pit = fits and fits[0][len(played)]
        self.tty.type(form.format(pit) if pit else says.GO_BACK)

    def back(self, _: str) -> LineOfPlay:
        if not self.so_far.moves:
            raise Refusal(says.NOTHING_TO_TAKE_BACK)
        return self.begun

    def solution(self, _: str) -> LineOfPlay | None:
        """Type the right turns; take back the moves made, because a turn is whole."""
        self.asker.tried.add(self.begun)
        self.asker.type_folded(self.verdicts.solution())
        return self.begun if self.so_far.moves else None
