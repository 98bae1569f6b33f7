"""Exercises: positions in which the user looks for the right turn.

The lessons of LEARN, the studies, and TRY after a review are exercises.
"""

from __future__ import annotations

from functools import partial
from typing import NoReturn

from sail.files.area import Area
from sail.files.positions import Entry
from sail.game import LineOfPlay, format_turn
from sail.programs.kalah import says
from sail.programs.kalah.showing import type_boards, type_state
from sail.programs.kalah.verdicts import Verdict
from sail.refusal import Refusal
from sail.talk.asking import Asker, Command, Commands, answering, go_back
from sail.talk.choosing import save_position

NAMED_AFTER = 2  # wrong turns; then a line names HINT and SOLUTION

PLAY = Command("PLAY", "GOES ON AS A GAME", answering(True), first=True)
LEAVE: Command[NoReturn] = Command("QUIT", "LEAVES THE EXERCISES", go_back, first=True)


class Exercise:
    """An exercise at the teletype.

    entry: the position, the task, the right turns and the solution.
    sure: whether the right turns are known to be right.
    first_try: False once a turn was wrong, or the solution or its first pit was shown.
    """

    def __init__(
        self, asker: Asker, entry: Entry, verdict: Verdict, sure: bool = True
    ) -> None:
        self.asker = asker
        self.entry = entry
        self.verdict = verdict
        self.sure = sure
        self.first_try = True
        self.wrong = 0  # turns
        self.hints = iter(entry.theme)
        self.begun = self.so_far = LineOfPlay(entry.position)  # the turn so far

    @property
    def turn_is_over(self) -> bool:
        position = self.so_far.position
        done = position.over or position.mover != self.entry.position.mover
        return bool(self.so_far.moves) and done

    def run(self, area: Area) -> bool:
        """Ask until the turn is right; return False if the user plays a game instead.

        area: where SAVE writes the exercise.  Raises Back.
        """
        save = partial(save_position, self.asker.tty, area, self.entry)
        commands: Commands[LineOfPlay | bool] = (
            Command("HINT", "SAYS WHAT TO LOOK FOR, THEN A PIT", self.hint, first=True),
            Command("SOLUTION", "SHOWS WHAT IS RIGHT", self.solution, first=True),
            PLAY,
            Command("SHOW", "SHOWS THE BOARD", self.show, first=True),
            Command("BACK", "TAKES BACK YOUR MOVES", self.back, first=True),
            Command("SAVE", "WRITES THE EXERCISE ON FILE NAME.POS", save, "NAME"),
            LEAVE,
        )
        type_boards(self.asker.tty, self.entry.position)
        self.asker.type_lines(self.entry.comments)
        while True:
            line = self.asker.ask(
                says.FIND_IT, commands, lambda answer: self.so_far.typed(answer)
            )
            if not isinstance(line, LineOfPlay):
                return False
            self.so_far = line
            if self.turn_is_over:
                right, text = self.verdict(line.moves, line.position)
                if right:
                    type_boards(self.asker.tty, line.position)
                    self.asker.type_folded(text)
                    return True
                self.asker.type_folded(text)
                self.first_try = False
                self.wrong += 1
                if self.wrong == NAMED_AFTER and self.entry.right:
                    self.asker.tty.type(says.HELPS)
                self.so_far = self.begun
            type_boards(self.asker.tty, self.so_far.position)
            if self.so_far.moves:
                self.asker.tty.type(says.MOVE_AGAIN)

    def plays_on(self) -> bool:
        """Ask whether the user plays a game from the solved position.  Raises Back.

        Nobody plays on from a lesson, or after the end of a game.
        """
        if self.entry.wrong or self.so_far.position.over:
            return False
        meaning = lambda answer: None if answer else False
        return self.asker.ask(says.NEXT, (PLAY, LEAVE), meaning)

    def hint(self, _: str) -> None:
        """Type the theme; when it is known, the first pit of a right turn."""
        line = next(self.hints, "")
        if line:
            self.asker.tty.type(f"{line}.")
            return
        if not self.entry.right:
            raise Refusal(says.NO_SOLUTION)
        self.first_try = False
        line = says.FIRST_PIT.format(self.entry.right[0][0])
        self.asker.tty.type(line if self.sure else says.AS_I_SEE.format(line))

    def show(self, _: str) -> None:
        type_state(self.asker.tty, self.so_far)

    def back(self, _: str) -> LineOfPlay:
        if not self.so_far.moves:
            raise Refusal(says.FIRST_NODE)
        return self.begun

    def solution(self, _: str) -> LineOfPlay | None:
        """Type the right turns; take back the moves made, because a turn is whole."""
        right = " OR ".join(map(format_turn, self.entry.right))
        if not right:
            raise Refusal(says.NO_SOLUTION)
        self.first_try = False
        answer = says.SOLUTION if self.sure else says.SEEMS_RIGHT
        lines = answer.format(right), *self.entry.solution
        self.asker.type_folded("  ".join(lines))
        return self.begun if self.so_far.moves else None
