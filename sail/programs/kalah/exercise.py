"""Exercises: positions in which the user looks for the right turn.

The lessons of LEARN, the studies, and TRY after a review are exercises.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import NamedTuple, NoReturn

from sail.board import STANDARD_RULES, Position
from sail.engine.judgement import Judge, Value
from sail.engine.limit import Clock
from sail.files.area import Area
from sail.files.positions import Pits, Special
from sail.files.values import judging_solver
from sail.game import LineOfPlay, format_turn
from sail.programs.kalah import says, why
from sail.programs.kalah.showing import result, type_boards, type_state
from sail.refusal import Refusal
from sail.stop import Stop
from sail.talk.asking import Asker, Command, Commands, answering, go_back
from sail.talk.choosing import save_position

SECONDS = 3.0  # for the value of the position after a turn
FOLLOWING = 0.5  # seconds for each turn after a quiet reply

# Called with a turn and the position after it; returns whether the turn is right, and
# what to type.
Verdict = Callable[[Pits, Position], tuple[bool, str]]


NAMED_AFTER = 2  # wrong turns; then a line names HINT and SOLUTION

PLAY = Command("PLAY", "GOES ON AS A GAME", answering(True), first=True)
LEAVE: Command[NoReturn] = Command("QUIT", "LEAVES THE EXERCISES", go_back, first=True)


class Exercise:
    """An exercise at the teletype.

    special: the position, the task, the right turns and the solution.
    sure: whether the right turns are known to be right.
    first_try: False once a turn was wrong, or the solution or its first pit was shown.
    """

    def __init__(
        self, asker: Asker, special: Special, verdict: Verdict, sure: bool = True
    ) -> None:
        self.asker = asker
        self.special = special
        self.verdict = verdict
        self.sure = sure
        self.first_try = True
        self.wrong = 0  # turns
        self.hints = iter(special.theme)
        self.begun = self.line = LineOfPlay(special.position)  # the turn so far

    @property
    def turn_is_over(self) -> bool:
        position = self.line.position
        done = position.over or position.mover != self.special.position.mover
        return bool(self.line.moves) and done

    def run(self, area: Area) -> bool:
        """Ask until the turn is right; return False if the user plays a game instead.

        area: where SAVE writes the exercise.  Raises Back.
        """
        save = partial(save_position, self.asker.tty, area, self.special)
        commands: Commands[LineOfPlay | bool] = (
            Command("HINT", "SAYS WHAT TO LOOK FOR, THEN A PIT", self.hint, first=True),
            Command("SOLUTION", "SHOWS WHAT IS RIGHT", self.solution, first=True),
            PLAY,
            Command("SHOW", "SHOWS THE BOARD", self.show, first=True),
            Command("BACK", "TAKES BACK YOUR MOVES", self.back, first=True),
            Command("SAVE", "WRITES THE EXERCISE ON FILE NAME.POS", save, "NAME"),
            LEAVE,
        )
        type_boards(self.asker.tty, self.special.position)
        self.asker.type_lines(self.special.comments)
        while True:
            line = self.asker.ask(
                says.FIND_IT, commands, lambda answer: self.line.typed(answer)
            )
            if not isinstance(line, LineOfPlay):
                return False
            self.line = line
            if self.turn_is_over:
                right, text = self.verdict(line.moves, line.position)
                if right:
                    type_boards(self.asker.tty, line.position)
                    self.asker.type_folded(text)
                    return True
                self.asker.type_folded(text)
                self.first_try = False
                self.wrong += 1
                if self.wrong == NAMED_AFTER and self.special.right:
                    self.asker.tty.type(says.HELPS)
                self.line = self.begun
            type_boards(self.asker.tty, self.line.position)
            if self.line.moves:
                self.asker.tty.type(says.MOVE_AGAIN)

    def plays_on(self) -> bool:
        """Ask whether the user plays a game from the solved position.  Raises Back.

        Nobody plays on from a lesson, or after the end of a game.
        """
        if self.special.wrong or self.line.position.over:
            return False
        meaning = lambda answer: None if answer else False
        return self.asker.ask(says.NEXT, (PLAY, LEAVE), meaning)

    def hint(self, _: str) -> None:
        """Type the theme; when it is known, the first pit of a right turn."""
        line = next(self.hints, "")
        if line:
            self.asker.tty.type(f"{line}.")
            return
        if not self.special.right:
            raise Refusal(says.NO_SOLUTION)
        self.first_try = False
        line = says.FIRST_PIT.format(self.special.right[0][0])
        self.asker.tty.type(line if self.sure else says.AS_I_SEE.format(line))

    def show(self, _: str) -> None:
        type_state(self.asker.tty, self.line)

    def back(self, _: str) -> LineOfPlay:
        if not self.line.moves:
            raise Refusal(says.FIRST_NODE)
        return self.begun

    def solution(self, _: str) -> LineOfPlay | None:
        """Type the right turns; take back the moves made, because a turn is whole."""
        right = " OR ".join(map(format_turn, self.special.right))
        if not right:
            raise Refusal(says.NO_SOLUTION)
        self.first_try = False
        answer = says.SOLUTION if self.sure else says.SEEMS_RIGHT
        lines = answer.format(right), *self.special.solution
        self.asker.type_folded("  ".join(lines))
        return self.begun if self.line.moves else None


class Outcome(NamedTuple):
    """What a turn leads to.

    value: for the user.  line: the opponent's best reply, and the turns after it until
    something happens, at most three in all; () if no reply is known.
    """

    value: Value
    line: Pits = ()


def judge_of(position: Position, clock: Clock, stop: Stop) -> Judge:
    """Return a judge of the turns in a position; it keeps what it has proved."""
    return Judge(clock, stop, SECONDS, judging_solver(position.in_play))


def outcome(judge: Judge, user: int, after: Position) -> Outcome:
    """Return the outcome of a turn of the user's, by the position after it."""
    judge.allow(SECONDS)
    value, best = judge.value(after._replace(rules=STANDARD_RULES))
    # If a majority ended the game in the middle of the user's turn, `best` is how
    # the user would go on, not a reply.
    reply = () if after.mover == user else best
    return Outcome(value.turned(user), followed(judge, after, reply))


def followed(judge: Judge, after: Position, reply: Pits) -> Pits:
    """Return a reply and, while nothing happens, the best turns found after it."""
    line, user = reply, 1 - after.mover
    for _ in range(why.MOST_TURNS - 1):
        turns = why.turns_of(after, line)
        if (
            not turns
            or turns[-1].after.over
            or why.happens(after, line, user, again=False)
        ):
            break
        judge.allow(FOLLOWING)
        _, best = judge.value(turns[-1].after._replace(rules=STANDARD_RULES))
        line += best
    return line


def verdict_of_file(special: Special, judge: Judge) -> Verdict:
    """Return the verdict that finds right only the turns that the file finds right."""

    def verdict(turn: Pits, after: Position) -> tuple[bool, str]:
        if turn in special.right:
            return True, "  ".join((says.RIGHT, *special.solution))
        if special.wrong:
            return False, " ".join(special.wrong)
        for known in special.refuted:
            if known.turn == turn:
                value = Value(known.margin, known.margin, known.margin)
                found = Outcome(value, tuple(chain.from_iterable(known.play)))
                return False, consequence(special.position, turn, found)
        found = outcome(judge, special.position.mover, after)
        if not found.value.proved:
            return False, says.NOT_RIGHT
        return False, consequence(special.position, turn, found)

    return verdict


def consequence(position: Position, turn: Pits, outcome: Outcome) -> str:
    """Return what a turn leads to, like YOUR 1 LETS ME PLAY 26: YOU LOSE BY 4."""
    value, played = outcome.value, format_turn(turn)
    ends = result(value.likely, value.proved) + "."
    after = why.turns_of(position, turn)[0].after
    text = says.AFTER_TURN.format(played, ends)
    if replies := why.turns_of(after, outcome.line):
        reason = why.happens(after, outcome.line, position.mover)
        reply = format_turn(replies[0].pits)
        text = says.LETS_ME.format(played, reply, f"{reason}  {ends}".strip())
    return text if value.proved else says.AS_I_SEE.format(text)
