"""TEACH: play the teacher until the replies to the opening P2 count as lost."""

from __future__ import annotations

from collections.abc import Callable

from sail.game import LineOfPlay
from sail.programs.atlas import says
from sail.programs.atlas.course import Course
from sail.programs.atlas.learner import OPENING, Learner
from sail.programs.atlas.memory import REPLIES, result
from sail.programs.atlas.minimax import FEAR, LOSS
from sail.programs.atlas.teacher import Teacher
from sail.programs.atlas.turns import MACHINE
from sail.stop import STOPPED, Stopped
from sail.teletype import Teletype

SELDOM = 25  # games from one typed row to the next, and between writings of the tape


def teach(
    tty: Teletype, learner: Learner, teacher: Teacher, save: Callable[[], None]
) -> None:
    """Play until all replies to P2 count as lost, or the user types ^C.

    save: writes the tape.
    """
    number, rejected = 0, learner.rejected()
    if len(rejected) < len(REPLIES):
        tty.type(says.LESSON)
    try:
        while len(rejected) < len(REPLIES):
            row = lost_game(tty, learner, teacher)
            before, rejected = rejected, learner.rejected()
            new = rejected.keys() - before
            if number == 0:
                tty.type(says.GAME_HEAD)
            if number % SELDOM == 0 or new:
                save()
                tty.type(says.GAME.format(number + 1, *row))
            number += 1
            for reply in sorted(new):
                sure = says.HOW_SURE[rejected[reply] == LOSS]
                tty.type(says.KNOWN.format(reply, sure))
    except Stopped:
        tty.type(STOPPED)
    finally:
        save()
    if len(rejected) == len(REPLIES):
        tty.type(says.ALL_KNOWN.format(says.HOW_SURE[FEAR not in rejected.values()]))


def lost_game(tty: Teletype, learner: Learner, teacher: Teacher) -> tuple[object, ...]:
    """Play a game against the teacher; return its row.  Raises Stopped."""
    course, position = Course(learner), OPENING
    while not position.over:
        if position.mover == MACHINE:
            pits = course.move(position).turn.pits
        else:
            if not teacher.plans(position):
                tty.type(says.PREPARES.format(course.part))
            pits = teacher.turn(position)
        position = LineOfPlay(position).through(pits).position
        if tty.poll():
            raise Stopped
    machine, player = position.score
    course.end(machine - player)
    known = len(learner.memory.parts[course.part])
    return course.part, machine, player, result(machine - player), known
