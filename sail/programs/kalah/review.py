"""The short review of a game: the turns that cost the user most."""

from __future__ import annotations

from textwrap import wrap

from sail.engine.limit import Clock
from sail.programs.game import Game, typed
from sail.programs.judgement import Judgement
from sail.programs.kalah import says
from sail.teletype import Teletype

SECONDS = 20.0
MOST_FAULTS = 3


def type_review(tty: Teletype, game: Game, clock: Clock) -> None:
    """Type up to three of the user's turns, the most costly first."""
    tty.type(says.REVIEWING)
    judgement = Judgement(game, clock, tty.poll)
    for _ in judgement.work(SECONDS):
        pass
    faults = judgement.faults(game.human)[:MOST_FAULTS]
    tty.type(says.WORST if faults else says.NO_FAULTS)
    for fault in faults:
        played, how = typed(fault.turn.pits), says.PROVED if fault.proved else says.SEEN
        text = says.FAULT.format(fault.number, played, fault.lost, how)
        if fault.best:
            text += says.BETTER.format(typed(fault.best))
        if fault.reply:
            text += says.PUNISHED.format(typed(fault.reply))
        tty.type("\n".join(wrap(text, tty.width, fix_sentence_endings=True)))
    tty.type("\n".join(says.LONG_REVIEW))
