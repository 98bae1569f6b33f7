"""The short review of a game: the turns that cost the user most."""

from __future__ import annotations

from textwrap import wrap

from sail.engine.judgement import Judge, Judged, review
from sail.engine.limit import Clock
from sail.files.positions import Special
from sail.files.values import judging_solver
from sail.game import Game, format_turn
from sail.programs.kalah import says
from sail.programs.kalah.picture import type_boards
from sail.teletype import Teletype

SECONDS = 20.0
MOST_FAULTS = 3


Fault = tuple[Special, Judged]  # an exercise; the turn that cost stones


def type_review(tty: Teletype, game: Game, clock: Clock) -> list[Fault]:
    """Type the user's worst turns, at most three; return them, the worst first.

    The worst is typed last, so that a screen of 24 lines shows it whole.
    """
    tty.type(says.REVIEWING)
    solver = judging_solver(game.start.in_play)
    found = review(game, Judge(clock, tty.poll, SECONDS, solver))
    own = [turn for turn in found.judged if turn.turn.player == game.human]
    known = sum(turn.known for turn in own)
    if known < len(own):
        tty.type(says.COULD_JUDGE.format(len(own), known))
    faults = found.faults(game.human)[:MOST_FAULTS]
    tty.type(says.WORST if faults else says.NO_FAULTS)
    listed: list[Fault] = []
    for number, fault in reversed([*enumerate(faults, 1)]):
        before = [game.start, *(turn.after for turn in game.turns)][fault.number - 1]
        right = (fault.best,) if fault.best else ()
        played = format_turn(fault.turn.pits)
        cost = (says.COST if fault.proved else says.PROBABLY).format(fault.lost)
        task = says.TRY_TASK.format(played, cost)
        listed.insert(0, (Special(before, (task,), right=right), fault))
        tty.type(says.BEFORE_FAULT.format(number, own.index(fault) + 1))
        type_boards(tty, before)
        text = says.FAULT.format(played, cost)
        if fault.reply:
            text += says.PUNISHED.format(format_turn(fault.reply))
        tty.type("\n".join(wrap(text, tty.width)))
    if faults:
        tty.type(says.TRY_IT if len(faults) == 1 else says.TRY_THEM)
    tty.type(says.LONG_REVIEW)
    return listed
