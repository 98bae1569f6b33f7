"""Practice: exercises at the teletype, in which the user looks for the right turn.

The lessons of LEARN, the studies, and the turns that a review listed are exercises.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import NamedTuple, NoReturn

from sail.engine.judgement import Judge
from sail.engine.limit import Clock
from sail.engine.value import Finding
from sail.files import tally
from sail.files.area import Area
from sail.files.placing import BadPosition
from sail.files.positions import Entry
from sail.files.values import judging_solver, soon_proved
from sail.game import LineOfPlay, Pits, format_line, format_turn
from sail.programs.kalah import saving, says, why
from sail.programs.kalah.showing import result, type_boards, type_state
from sail.refusal import Refusal
from sail.stop import Stop, Stopped
from sail.talk.asking import Asker, Command, Commands, answering, attempt, go_back
from sail.talk.choosing import save_position

SECONDS = 3.0  # for the value of the position after a turn
FOLLOWING = 0.3  # for each turn that a line lacks
NAMED_AFTER = 2  # wrong turns; then a line names HINT and SOLUTION

PLAY = Command("PLAY", "GOES ON AS A GAME", answering(True), first=True)
LEAVE: Command[NoReturn] = Command("QUIT", "LEAVES THE EXERCISES", go_back, first=True)


class Verdict(NamedTuple):
    right: bool
    text: str


def followed(judge: Judge, path: LineOfPlay) -> Pits:
    """Return the path and the best turns found after it, why.MOST_TURNS in all."""
    while len(path.turns) < why.MOST_TURNS and not path.position.over:
        judge.allow(FOLLOWING)
        best = judge.expect(path.position).play
        if not best:
            break
        path = path.through(best)
    return path.moves


def checking(clock: Clock, stop: Stop) -> Callable[[Entry], None]:
    """Return a check of what a person calls right, for SECONDS in all."""
    end = clock() + SECONDS
    late = lambda: stop() or clock() >= end

    def check(entry: Entry) -> None:
        """Raise BadPosition if a turn or a number is soon proved to be wrong."""
        node = entry.position.without_majority
        solver = judging_solver(node)
        best = soon_proved(solver, node, late)
        if not best or not entry.exercise:
            return
        for turn in entry.exercise.right:
            path = LineOfPlay(node)
            with suppress(Stopped):
                for pit in turn:
                    if pit not in solver.keeping_pits(path.position, late):
                        raise BadPosition(says.IS_BETTER.format(format_turn(best.play)))
                    path = path.play(pit)
        given = entry.exercise.best
        if given and given.value.proved and given.value.low != best.value.low:
            raise BadPosition(says.IS_WORTH.format(best.value.low))

    return check


class Verdicts:
    """The verdicts on the turns of an exercise.

    A turn that it does not name is judged, but only once.
    """

    def __init__(self, entry: Entry, judge: Callable[[], Judge]) -> None:
        assert entry.exercise
        self.position = entry.position
        self.exercise = entry.exercise
        self.texts = entry.solution
        self.judge = cache(judge)  # made only for a search
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
        best.  It is wrong if the exercise says so, if no value is known to compare it
        with, or if its value is lower by more than the errors of both.  Otherwise the
        text says that this is not known.
        """
        exercise = self.exercise
        if turn in exercise.right:
            return Verdict(True, self.praise(turn))
        if exercise.refusal:
            return Verdict(False, " ".join(exercise.refusal))
        if turn not in self.judged:
            self.judged[turn] = self._judgement(turn)
            self.best_play()
            exercise = self.exercise
        value = self.judged[turn].value
        if turn not in exercise.wrong and exercise.best:
            best = exercise.best.value
            if value.low >= best.high:
                if value.low > best.high:  # what a person called right was not
                    self.exercise = exercise._replace(best=self.judged[turn])
                return Verdict(True, self.praise(turn))
            if value.most >= best.least:
                return Verdict(False, says.CANNOT_TELL.format(format_turn(turn)))
        elif turn not in exercise.wrong and not value.proved:
            return Verdict(False, says.NOT_RIGHT)
        self.foil = turn
        text = says.IN_THE_END.format(self.reason(turn), result(value))
        return Verdict(False, text.strip())

    def praise(self, turn: Pits) -> str:
        """Return what is typed after a right turn."""
        texts, best = [says.RIGHT], self.exercise.best
        proved = best is not None and best.value.proved
        if best and not proved:
            texts = [says.BEST_SEEN]
        texts += self.merits(turn)
        if best:
            ends = result(best.value)
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
            play = format_line(LineOfPlay(self.position).through(best.play).turns)
            texts.append(says.LINE.format(play, result(best.value)))
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
            play, wrong = self.best_play(), self.judged[self.foil].play
            if not better and why.turns_of(self.position, play)[0].pits == turn:
                better = why.comparison(self.position, wrong, play, secret=False)
            if better and better != merit:
                texts.append(better)
        return texts

    def best_play(self) -> Pits:
        """Return the line of best play; judge what is right if nobody wrote it."""
        if not self.exercise.best and self.play in self.exercise.right:
            found = self._judgement(self.play)
            self.play = found.play
            if found.value.proved:
                self.exercise = self.exercise._replace(best=found)
        return self.play

    def reason(self, turn: Pits) -> str:
        """Return what a wrong turn leads to, like AFTER YOUR 1 I PLAY 2."""
        play, best = self.judged[turn].play, self.best_play()
        turns, named = why.turns_of(self.position, play), format_turn(turn)
        if reason := why.reply(self.position, play, best):
            return says.LETS_ME.format(named, format_turn(turns[1].pits), reason)
        if reason := why.comparison(self.position, play, best):
            return reason
        if len(turns) > 1:
            return says.I_REPLY.format(named, format_turn(turns[1].pits))
        return says.ENDS_IT.format(named) if turns[0].after.over else ""

    def _judgement(self, turn: Pits) -> Finding:
        """Return the user's value after a turn, and the play that begins with it."""
        user, path = self.position.mover, LineOfPlay(self.position, turn)
        judge = self.judge()
        judge.allow(SECONDS)
        found = judge.expect(path.position)
        turned = path.position.mover != user
        # If a majority ended the game in the middle of the user's turn, the play is
        # how the user would go on, not a reply.
        if turned:
            path = path.through(found.play)
        return Finding(found.value.turned(turned), followed(judge, path))


class Practice:
    """An exercise at the teletype.

    area: where SAVE writes the exercise, and where it is noted as solved.
    first_try: False once a turn was wrong, or the solution or a pit of it was shown.
    is_listed: whether a list marks it with an X once it is solved.
    """

    def __init__(self, asker: Asker, area: Area, entry: Entry, clock: Clock) -> None:
        assert entry.exercise
        self.asker = asker
        self.tty = asker.tty
        self.area = area
        self.entry = entry
        self.exercise = entry.exercise

        def judge() -> Judge:
            solver = judging_solver(entry.position, area=area)
            return Judge(clock, self.tty.poll, SECONDS, solver)

        self.verdicts = Verdicts(entry, judge)
        self.first_try = True
        marked = entry.source[0] and area.keeps(tally.TALLY)
        self.is_listed = bool(marked) and not self.exercise.refusal
        self.wrong = 0  # turns
        better = why.merit(
            entry.position, self.exercise.right[0], subject=says.A_BETTER_TURN
        )
        themes = [f"{line}." for line in self.exercise.theme]
        self.hints = iter(themes or ([better] if better else []))
        self.begun = self.so_far = LineOfPlay(entry.position)  # the turn so far

    def run(self) -> bool:
        """Ask until the turn is right; return False if the user plays a game instead.

        Raises Back.
        """
        save = partial(save_position, self.tty, self.area, self.entry)
        commands: Commands[LineOfPlay | bool] = (
            Command("HINT", "SAYS WHAT TO LOOK FOR, THEN A PIT", self.hint, first=True),
            Command("SOLUTION", "SHOWS WHAT IS RIGHT", self.solution, first=True),
            PLAY,
            Command("SHOW", "SHOWS THE BOARD", self.show, first=True),
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
            if path.turn_is_over:
                if self.is_right():
                    return True
                self.so_far = self.begun
            type_boards(self.tty, self.so_far.position)
            if self.so_far.moves:
                self.tty.type(says.MOVE_AGAIN)

    def is_right(self) -> bool:
        """Type the verdict on the turn, and return whether the turn is right."""
        turn = self.so_far.moves
        if not self.verdicts.is_judged(turn):
            self.tty.type(says.LET_ME_THINK)
        right, text = self.verdicts.of(turn)
        if right and self.first_try and self.tty.live:
            attempt(self.tty, lambda: saving.note_solved(self.area, self.entry))
        if right:
            type_boards(self.tty, self.so_far.position)
        self.asker.type_folded(text)
        if right and not self.first_try and self.is_listed:
            self.asker.aside_once(says.FOR_AN_X)
        if not right:
            self.first_try = False
            self.wrong += 1
            if self.wrong == NAMED_AFTER:
                self.tty.type(says.HELPS)
        return right

    def plays_on(self) -> bool:
        """Ask whether the user plays a game from the solved position.  Raises Back.

        Nobody plays on from a lesson, or after the end of a game.
        """
        if self.exercise.refusal or self.so_far.position.over:
            return False
        meaning = lambda answer: None if answer else False
        return self.asker.ask(says.NEXT, (PLAY, LEAVE), meaning)

    def hint(self, _: str) -> None:
        """Type a theme; after all, and in a turn, the next pit of a right one."""
        played = self.so_far.moves
        if not played and (line := next(self.hints, "")):
            self.tty.type(line)
            return
        self.first_try = False
        begun = [it for it in self.exercise.right if it[: len(played)] == played]
        if not begun:
            line = says.GO_BACK
        else:
            line = says.NEXT_PIT if played else says.FIRST_PIT
            line = line.format(begun[0][len(played)])
            best = self.exercise.best
            if best and not best.value.proved:
                line = says.AS_I_SEE.format(line)
        self.tty.type(line)

    def show(self, _: str) -> None:
        type_state(self.tty, self.so_far)

    def back(self, _: str) -> LineOfPlay:
        if not self.so_far.moves:
            raise Refusal(says.NOTHING_TO_TAKE_BACK)
        return self.begun

    def solution(self, _: str) -> LineOfPlay | None:
        """Type the right turns; take back the moves made, because a turn is whole."""
        self.first_try = False
        self.asker.type_folded(self.verdicts.solution())
        return self.begun if self.so_far.moves else None
