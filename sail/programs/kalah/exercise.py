"""Exercises: positions in which the user looks for the right turn.

The lessons of LEARN, the studies, and TRY after a review are exercises.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from sail.board import STANDARD_RULES, Position
from sail.engine.judgement import Judge, Judged, Value, sign
from sail.engine.limit import Clock
from sail.files.positions import Pits, Special
from sail.files.values import judging_solver
from sail.game import Game, format_turn, parse_turn
from sail.programs.kalah import says
from sail.programs.kalah.picture import type_boards, type_state
from sail.refusal import Refusal
from sail.talk.asking import Asker, Command, answering

SECONDS = 3.0  # for the value of the position after a turn


class Exercise:
    """An exercise at the teletype.

    special: the position, the task, the right turns and the solution.  fault: if the
    exercise is from a review, the judgement of the turn played there; every turn that
    keeps the value is then right.
    first_try: False once a turn was wrong or the solution was shown.
    """

    def __init__(
        self, asker: Asker, clock: Clock, special: Special, fault: Judged | None = None
    ) -> None:
        self.asker = asker
        self.clock = clock
        self.special = special
        self.fault = fault
        self.first_try = True
        position = special.position
        self.solver = judging_solver(position.in_play)
        self.begun = self.game = Game(position, "", position.mover, "")

    def run(self) -> bool:
        """Ask until the turn is right; return False if the user plays a game instead.

        Raises Back.
        """
        commands = (
            Command("SOLUTION", "SHOWS WHAT IS RIGHT", self.solution, first=True),
            Command(
                "PLAY", "GOES ON AS A GAME AGAINST ME", answering(False), first=True
            ),
            Command("SHOW", "SHOWS THE BOARD", self.show, first=True),
            Command("BACK", "TAKES BACK YOUR MOVES", self.back, first=True),
            Command("QUIT", "LEAVES THE EXERCISES", None, first=True),
        )
        type_boards(self.asker.tty, self.special.position)
        self.asker.type_lines(self.special.comments)
        while True:
            game: Game | bool = self.asker.ask(says.FIND_IT, commands, self.played)
            if not isinstance(game, Game):
                return game
            position = game.position
            ended = position.over or position.mover != game.human
            right, lines = self.verdict(game) if ended else (True, [])
            if not right:
                self.type_wrapped(lines)
                self.first_try = False
                game = self.begun
            self.game = game
            type_boards(self.asker.tty, game.position)
            if not ended and game.moves:
                self.asker.tty.type(says.MOVE_AGAIN)
            if ended and right:
                self.type_wrapped(lines)
                return True

    def played(self, answer: str) -> Game | None:
        """Return the game after these pits, None if they are not pits.  Raises Refusal."""
        pits = parse_turn(self.game.position, answer)
        if pits is None:
            return None
        return self.game._replace(moves=self.game.moves + pits)

    def show(self, _: str) -> None:
        type_state(self.asker.tty, self.game)

    def back(self, _: str) -> Game:
        if not self.game.moves:
            raise Refusal(says.FIRST_NODE)
        return self.begun

    def solution(self, _: str = "") -> Game | None:
        """Type the right turns; take back the moves made, because a turn is whole."""
        self.first_try = False
        right = " OR ".join(map(format_turn, self.special.right))
        if not right:
            raise Refusal(says.NO_SOLUTION)
        self.type_wrapped([says.SOLUTION.format(right), *self.special.solution])
        return self.begun if self.game.moves else None

    def verdict(self, game: Game) -> tuple[bool, list[str]]:
        """Return whether the turn just played is right, and the lines to type."""
        turn = game.turns[0].pits
        if self.fault:
            return self.compared(turn, game.position, self.fault)
        if turn in self.special.right:
            return True, [says.RIGHT, *self.special.solution]
        if self.special.wrong:
            return False, [" ".join(self.special.wrong)]
        value, reply, _ = self.judged(game.position)
        if not value.proved:
            return False, [says.NOT_RIGHT.format(format_turn(turn))]
        return False, [consequence(turn, reply, value)]

    def compared(
        self, turn: Pits, after: Position, fault: Judged
    ) -> tuple[bool, list[str]]:
        """Return the verdict on a turn in a position from a review.

        A turn that the review judged has the value that the review found.
        """
        human = self.begun.human
        before = fault.value.turned(human)
        value, error = before, 0
        reply: Pits = ()
        if turn == fault.turn.pits:
            value, reply = fault.after.turned(human), fault.reply
        elif turn not in self.special.right:
            self.asker.tty.type(says.LET_ME_THINK)
            value, reply, error = self.judged(after)
        proved = before.proved and value.proved
        if before.likely - value.likely <= (0 if proved else error):
            right = says.BEST if proved else says.BEST_SEEN
            return True, [right.format(result(value))]
        return False, [consequence(turn, reply, value)]

    def judged(self, after: Position) -> tuple[Value, Pits, int]:
        """Return a position's value for the user, and the opponent's best turn there.

        The third result is the 90th-percentile error of an estimated loss.
        """
        judge = Judge(self.clock, self.asker.tty.poll, SECONDS, self.solver)
        value, best = judge.value(after._replace(rules=STANDARD_RULES))
        human, in_play = self.begun.human, self.begun.position.in_play
        # If a majority ended the game in the middle of the user's turn, `best` is how
        # the user would go on, not a reply.
        reply = () if after.mover == human else best
        return value.turned(human), reply, judge.loss_error(in_play)

    def type_wrapped(self, lines: Iterable[str]) -> None:
        tty = self.asker.tty
        text = "  ".join(lines)
        tty.type("\n".join(wrap(text, tty.width)))


def consequence(turn: Pits, reply: Pits, value: Value) -> str:
    """Return what a turn leads to, like YOUR 1 LETS ME PLAY 26: YOU LOSE BY 4."""
    played, end = format_turn(turn), result(value)
    line = says.AFTER_TURN.format(played, end)
    if reply:
        line = says.LETS_ME.format(played, format_turn(reply), end)
    return line if value.proved else says.AS_I_SEE.format(line)


def result(value: Value) -> str:
    """Return how the game ends for the user, like YOU LOSE BY ABOUT 4."""
    stones = abs(value.likely)
    margin = str(stones) if value.proved else says.ABOUT.format(stones)
    even = says.IT_IS_A_DRAW if value.proved else says.ABOUT_EVEN
    results = even, says.YOU_WIN_SO, says.YOU_LOSE_SO
    return results[sign(value.likely)].format(margin)
