"""KALAH for visitors: strangers, who never see the dot."""

from __future__ import annotations

from contextlib import suppress

from sail.engine.levels import EASIEST
from sail.files.area import Area
from sail.line.station import Station, raise_stopped
from sail.monitor import registry
from sail.monitor.dot import surviving
from sail.stop import Stopped
from sail.teletype import EndOfInput, Leave

PROGRAM = "KALAH"
GREETING = f"""\
GOOD DAY.  I AM KALAH, A GAME PROGRAM OF 1972, REBUILT.  PLAY WITH ME.
SIX PITS ARE YOURS AND SIX ARE MINE.  THE HOLE AT YOUR END OF THE BOARD
IS YOUR KALAH.  PIT 1 IS NEXT TO IT, PIT 6 IS FARTHEST FROM IT.
TYPE THE NUMBER OF A PIT.  ITS STONES ARE SOWN, ONE IN EACH HOLE: ALONG
YOUR PITS, INTO YOUR KALAH, THEN INTO MY PITS.
IF THE LAST STONE FALLS INTO YOUR KALAH, YOU MOVE AGAIN.
IF IT FALLS INTO AN EMPTY PIT OF YOURS AND STONES LIE OPPOSITE, IT AND
THEY GO INTO YOUR KALAH.  WHOEVER HAS MORE STONES AT THE END WINS.
PRESS RETURN AFTER EACH ANSWER.  ? HELPS, RULES TYPES THE RULES, LEARN
TEACHES YOU, QUIT ENDS A GAME.  TYPE 3, THEN {EASIEST.name}, THEN Y FOR A FIRST GAME."""
PLAY = "PLAY"
SILENT_RETURN = 5.0  # seconds of silence that end a line like RETURN
NEXT = f"I WAIT FOR THE NEXT VISITOR.  TYPE {PLAY} AND PRESS RETURN.\n"


def serve(tty: Station, area: Area) -> None:
    """Serve one visitor after another.  Raises Leave when the job must end."""
    prompt = ""  # nothing is typed before somebody comes
    while True:
        typed = ""
        tty.on_pause = raise_stopped
        with suppress(EndOfInput, Stopped):
            typed = tty.ask(prompt, silence=SILENT_RETURN).strip().upper()
        prompt = NEXT
        if typed == PLAY:
            visit(tty, area)
            tty.end_visit()
        elif typed != "HELP":
            tty.doubt()  # it may be noise


def visit(tty: Station, area: Area) -> None:
    """Run KALAH for one visitor, until he leaves or is silent for PATIENCE minutes."""
    tty.begin_visit()  # so that the visit can end; the area hides the owner's files
    with suppress(EndOfInput, Leave), surviving(tty, PROGRAM):
        tty.type(GREETING)
        registry.load(PROGRAM)(tty, Area(area.folder, for_visitor=True)).run()
