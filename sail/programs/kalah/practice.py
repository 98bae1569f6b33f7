"""Practice: exercises at the teletype, in which the user looks for the right turn.

The lessons of LEARN, the studies, and the turns that a review listed are exercises.
"""

from __future__ import annotations

from functools import partial
from typing import NoReturn

from sail.engine.limit import Clock
from sail.files import tally
from sail.files.area import Area
from sail.files.positions import Entry
from sail.game import LineOfPlay
from sail.programs.kalah import says, why
from sail.programs.kalah.showing import type_boards, type_state
from sail.programs.kalah.verdicts import Verdicts, judge_of
from sail.refusal import Refusal
from sail.talk.asking import Asker, Command, Commands, answering, attempt, go_back
from sail.talk.choosing import save_position

NAMED_AFTER = 2  # wrong turns; then a line names HINT and SOLUTION

PLAY = Command("PLAY", "GOES ON AS A GAME", answering(True), first=True)
LEAVE: Command[NoReturn] = Command("QUIT", "LEAVES THE EXERCISES", go_back, first=True)


class Practice:
    """An exercise at the teletype.

    area: where SAVE writes the exercise, and where it is noted as solved.
    first_try: False once a turn was wrong, or the solution or a pit of it was shown.
    """

    def __init__(self, asker: Asker, area: Area, entry: Entry, clock: Clock) -> None:
        assert entry.exercise
        self.asker = asker
        self.tty = asker.tty
        self.area = area
        self.entry = entry
        self.exercise = entry.exercise
        judge = judge_of(entry.position, clock, self.tty.poll)
        self.verdicts = Verdicts(entry, judge)
        self.first_try = True
        self.wrong = 0  # turns
        better = why.merit(
            entry.position, self.exercise.right[0], subject=says.A_BETTER_TURN
        )
        themes = [f"{line}." for line in self.exercise.theme]
        self.hints = iter(themes or ([better] if better else []))
        self.begun = self.so_far = LineOfPlay(entry.position)  # the turn so far

    @property
    def turn_is_over(self) -> bool:
        position = self.so_far.position
        done = position.over or position.mover != self.entry.position.mover
        return bool(self.so_far.moves) and done

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
            line = self.asker.ask(
                says.FIND_IT, commands, lambda answer: self.so_far.typed(answer)
            )
            if not isinstance(line, LineOfPlay):
                return False
            self.so_far = line
            if self.turn_is_over:
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
        if right:
            self.note()
            type_boards(self.tty, self.so_far.position)
        self.asker.type_folded(text)
        if not right:
            self.first_try = False
            self.wrong += 1
            if self.wrong == NAMED_AFTER:
                self.tty.type(says.HELPS)
        return right

    def note(self) -> None:
        """Note an exercise that is solved at the first try."""
        name, number = self.entry.source
        if self.first_try and self.tty.live and tally.counts(name):
            attempt(self.tty, lambda: tally.add(self.area, name, number))

    def plays_on(self) -> bool:
        """Ask whether the user plays a game from the solved position.  Raises Back.

        Nobody plays on from a lesson, or after the end of a game.
        """
        if self.exercise.refusal or self.so_far.position.over:
            return False
        meaning = lambda answer: None if answer else False
        return self.asker.ask(says.NEXT, (PLAY, LEAVE), meaning)

    def hint(self, _: str) -> None:
        """Type a theme; when all are known, or in a turn, the next pit of a right one."""
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
            raise Refusal(says.FIRST_NODE)
        return self.begun

    def solution(self, _: str) -> LineOfPlay | None:
        """Type the right turns; take back the moves made, because a turn is whole."""
        self.first_try = False
        self.asker.type_folded(self.verdicts.solution())
        return self.begun if self.so_far.moves else None
