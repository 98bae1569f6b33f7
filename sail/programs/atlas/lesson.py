"""TEACH: play the teacher until the replies to the opening P2 count as lost."""

from __future__ import annotations

from collections.abc import Callable

from sail.engine.limit import Clock
from sail.programs.atlas import says
from sail.programs.atlas.course import Course
from sail.programs.atlas.learner import OPENING, Learner
from sail.programs.atlas.memory import MOST_ENTRIES, REPLIES, result
from sail.programs.atlas.teacher import Teacher
from sail.programs.atlas.turns import MACHINE, played
from sail.stop import Stopped
from sail.teletype import Teletype

SLOW = 1.0  # seconds; if typing a row takes longer, only each SELDOMth is typed
SELDOM = 25
SAVE_EVERY = 20.0  # seconds of teaching between two writings of the tape

# The number of games that each reply takes until it counts as lost, if a blank tape is
# taught all of them, in the order in which the machine tries them (tests/bench/atlas.py).
LESSONS = {
    "M3-M2": 140, "M1": 386, "M2": 488, "M3-M4": 52, "M4": 26,
    "M3-M6": 5, "M3-M5": 17, "M3-M1": 50, "M6": 7, "M5": 19,
}  # fmt: skip


class Lesson:
    """The games of a machine against its teacher.  save: writes the tape."""

    def __init__(
        self, tty: Teletype, learner: Learner, save: Callable[[], None], clock: Clock
    ) -> None:
        self.tty = tty
        self.learner = learner
        self.save = save
        self.clock = clock
        self.teacher = Teacher(learner.turns, tty.poll)
        self.row_every = 1  # games from one typed row to the next

    def teach(self, only: str = "") -> None:
        """Play until all replies to P2, or this one, count as lost (Machine.lost)."""
        rejected = self.learner.lost()
        if only in rejected:
            self.tell_lost([only])
            return
        if len(rejected) < len(REPLIES):
            self.tty.type(says.EXPECT.format(expected(rejected, only)))
        full: set[str] = set()
        number, saved = 0, self.clock()
        try:
            while len(rejected) < len(REPLIES) and only not in rejected:
                number += 1
                game = self.play(number)
                if game.recorder.full and game.part not in full:
                    self.tty.type(says.FULL.format(game.part, MOST_ENTRIES))
                    full.add(game.part)
                before, rejected = rejected, self.learner.lost()
                new = [reply for reply in rejected if reply not in before]
                self.tell_lost(new)
                if self.clock() - saved > SAVE_EVERY or new:
                    self.save()
                    saved = self.clock()
        except Stopped:
            self.tty.type(says.STOPPED)
        finally:
            self.save()
        if len(rejected) == len(REPLIES):
            sure = self.learner.lost(surely=True) == rejected
            self.tty.type(says.ALL_KNOWN if sure else says.ALL_TAKEN)

    def play(self, number: int) -> Course:
        """Play game number `number` against the teacher.  Raises Stopped."""
        game, position = Course(self.learner), OPENING
        while not position.over:
            if position.mover == MACHINE:
                pits = game.move(position).pits
            else:
                if not self.teacher.plans(position):
                    self.tty.type(says.PREPARES.format(game.part))
                pits = self.teacher.turn(position)
            position = played(position, pits)[0]
            if self.tty.poll():
                raise Stopped
        machine, player = position.score
        game.end(machine - player)
        self.tell(number, game, machine, player)
        return game

    def tell(self, number: int, game: Course, machine: int, player: int) -> None:
        """Type a row for the game; once typing has been slow, only for each SELDOMth."""
        if number == 1:
            self.row_every = 1
            self.tty.type(says.GAME_HEAD)
        if number % self.row_every:
            return
        entries = len(self.learner.memory.parts[game.part])
        ending = result(machine - player)
        begun = self.clock()
        self.tty.type(
            says.GAME.format(number, game.part, machine, player, ending, entries)
        )
        if self.clock() - begun > SLOW and self.row_every == 1:
            self.row_every = SELDOM
            self.tty.type(says.SELDOM.format(SELDOM))

    def tell_lost(self, replies: list[str]) -> None:
        """Type whether each of these replies is known, or only taken, to lose."""
        known = self.learner.lost(surely=True) if replies else []
        for reply in replies:
            self.tty.type((says.KNOWN if reply in known else says.TAKEN).format(reply))


def expected(rejected: list[str], only: str) -> int:
    """Estimate the games that the lesson takes.  only: the reply to end with, or ""."""
    games = 0
    for reply, lesson in LESSONS.items():
        if reply not in rejected:
            games += lesson
        if reply == only:
            break
    return games
