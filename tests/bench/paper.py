"""Print what one game of six stones costs on paper: characters and minutes.

    python3 -m tests.bench.paper

The person plays PITS against level C, from R KALAH to the last question, and loses.
The characters are all bytes that go out, with the echo, fillers and shifts; the
minutes are theirs alone, without anybody's thinking.  Five levels have no tabs.
"""

from __future__ import annotations

import tempfile
from functools import partial
from unittest.mock import patch

from sail.files.area import Area
from sail.line.models import MODELS
from sail.monitor import registry
from sail.monitor.dot import Monitor
from sail.programs.kalah import dialogue
from tests.line.virtual import attached
from tests.machines import FiveLevel, Model33
from tests.person import Answers, Desk, Person
from tests.stand_ins import NOW, standing_still

PITS = "121312221314"  # the lowest pit that has stones, in each of his moves
MACHINES = (("33", 110.0), ("28", 74.2), ("15", 45.45))
SETTINGS = ("", "TABS", "BRIEF", "TABS BRIEF")


def characters(name: str, words: str) -> int:
    """Return the characters of the game on this machine with these settings."""
    pits = iter(PITS)
    answers: Answers = {
        "OR 6? ": ["6\r"],
        "TOURNAMENT? ": ["C\r"],
        "START? ": ["Y\r"],
        ("CR>" if name == "33" else "CR)"): ["\r"],
        (">>>" if name == "33" else ")))"): lambda _: f"{next(pits)}\r",
        "GAME? ": ["N\r"],
    }
    machine = Model33(tabs=True) if name == "33" else FiveLevel()
    desk = Desk(machine, Person([(".", "R KALAH\r")], answers))
    tty = attached(desk, MODELS[name], MODELS[name].baud)
    tty.set(words)
    kalah = partial(dialogue.Session, now=lambda: NOW, clock=standing_still)
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.object(registry, "load", lambda _: kalah),
    ):
        Monitor(tty, Area(folder)).run()
    return desk.characters


def main() -> None:
    """Print the table."""
    print("model   baud  settings    characters        minutes")
    for name, baud in MACHINES:
        model = MODELS[name]
        whole = characters(name, "")
        for words in SETTINGS:
            if "TABS" in words and model.framing.data == 5:
                continue
            sent = characters(name, words)
            minutes = sent * model.framing.bits / baud / 60
            share = f"{100 * sent / whole:.0f} %"
            print(f"{name:5}{baud:7g}  {words:11}{sent:6}{share:>7}{minutes:14.1f}")


if __name__ == "__main__":
    main()
