"""TEACH: play the teacher until the replies to the opening P2 count as lost."""

from __future__ import annotations

from collections.abc import Callable

from sail.game import LineOfPlay
from sail.programs.atlas import says
from sail.programs.atlas.course import Course
from sail.programs.atlas.learner import OPENING, Learner
from sail.programs.atlas.memory import MOST_ENTRIES, REPLIES, result
from sail.programs.atlas.minimax import FEAR, LOSS
from sail.programs.atlas.teacher import Teacher
from sail.programs.atlas.turns import MACHINE
from sail.stop import STOPPED, Stopped
from sail.teletype import Teletype

SELDOM = 25  # games from one typed row to the next, and between writings of the tape


class Lesson:
    """The games of a learner against its teacher.  save: writes the tape."""

    def __init__(
        self, tty: Teletype, learner: Learner, save: Callable[[], None]
    ) -> None:
        self.tty = tty
        self.learner = learner
        self.save = save
        self.teacher = Teacher(learner.turns, tty.poll)

    def teach(self) -> None:
        """Play until all replies to P2 count as lost, or the user types ^C."""
        memory, rejected = self.learner.memory, self.learner.rejected()
        if len(rejected) < len(REPLIES):
            self.tty.type(says.LESSON)
        number, full = 0, memory.full
        try:
            while len(rejected) < len(REPLIES):
                row = self.play()
                before, rejected = rejected, self.learner.rejected()
                new = rejected.keys() - before
                if number == 0:
                    self.tty.type(says.GAME_HEAD)
                if number % SELDOM == 0 or new or memory.full > full:
                    self.save()
                    self.tty.type(says.GAME.format(number + 1, *row))
                number += 1
                for part in memory.full - full:
                    self.tty.type(says.FULL.format(part, MOST_ENTRIES))
                full = memory.full
                for reply in sorted(new):
                    sure = says.HOW_SURE[rejected[reply] == LOSS]
                    self.tty.type(says.KNOWN.format(reply, sure))
        except Stopped:
            self.tty.type(STOPPED)
        finally:
            self.save()
        if len(rejected) == len(REPLIES):
            sure = says.HOW_SURE[FEAR not in rejected.values()]
            self.tty.type(says.ALL_KNOWN.format(sure))

    def play(self) -> tuple[object, ...]:
        """Play a game against the teacher; return its row.  Raises Stopped."""
        course, position = Course(self.learner), OPENING
        while not position.over:
            if position.mover == MACHINE:
                pits = course.move(position).turn.pits
            else:
                if not self.teacher.plans(position):
                    self.tty.type(says.PREPARES.format(course.part))
                pits = self.teacher.turn(position)
            position = LineOfPlay(position).through(pits).position
            if self.tty.poll():
                raise Stopped
        machine, player = position.score
        course.end(machine - player)
        ending = result(machine - player)
        entries = len(self.learner.memory.parts[course.part])
        return course.part, machine, player, ending, entries
