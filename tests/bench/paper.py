"""Print what one game of six stones costs on paper: characters and minutes.

    python3 -m tests.bench.paper

The person plays PITS against level C, from R KALAH to the last question, and loses by
25.  The characters are all bytes that go out, with the echo, fillers and shifts; the
minutes are theirs alone, without anybody's thinking.  Five levels have no tabs.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from unittest.mock import patch

from sail.files.area import Area
from sail.line.models import MODELS
from sail.monitor import registry
from sail.monitor.dot import Monitor
from sail.programs.kalah import dialogue
from tests.line.virtual import Wire, attached
from tests.paper import Paper
from tests.stand_ins import standing_still

PITS = "1213121121312"  # the lowest pit that has stones, in each of his moves
ANSWERS = {
    "OR 6? ": "6",
    "TOURNAMENT? ": "C",
    "START? ": "Y",
    "<CR>": "",
    "GAME? ": "N",
}
MACHINES = (("33", 110.0), ("28", 74.2), ("15", 45.45))
SETTINGS = ("", "TABS", "BRIEF", "TABS BRIEF")

kalah: Callable[..., None] = partial(dialogue.run, clock=standing_still)


class Loser(Paper):
    """A teletype whose user answers by the question; `keys` has his answers."""

    def __init__(self, brief: bool) -> None:
        super().__init__([])
        self.brief = brief
        self._pits = iter(PITS)

    def ask(self, prompt: str = "") -> str:
        asked = (key for end, key in ANSWERS.items() if prompt.endswith(end))
        self.keys.append(next(asked, "") if "→" not in prompt else next(self._pits))
        return self.keys[-1]


class Typist(Wire):
    """A line without pace, where each answer comes when its question is printed."""

    def __init__(self, typed: list[bytes]) -> None:
        super().__init__([])
        self.typed = typed

    def read(self, timeout: float) -> bytes:
        if not timeout:
            return b""
        if not self.typed:
            raise EOFError
        return self.typed.pop(0)


def characters(name: str, words: str) -> int:
    """Return the characters of the game on this machine with these settings."""
    code = MODELS[name].code()
    with tempfile.TemporaryDirectory() as folder:
        loser = Loser("BRIEF" in words)
        kalah(loser, Area(f"{folder}/first"))
        lines = (f"{line}\r" for line in ["R KALAH", *loser.keys])
        wire = Typist([b"".join(map(code.encode, line)) for line in lines])
        tty = attached(wire, MODELS[name])
        tty.set(words)
        with patch.object(registry, "load", lambda _: kalah):
            Monitor(tty, Area(f"{folder}/second")).run()
    return sum(len(data) for _, data in wire.printed)


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
