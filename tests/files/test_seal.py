"""The seal: a file that was changed in a single bit is refused and not overwritten."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sail.board import start
from sail.files import games, placing, positions, seal, tally
from sail.files.area import Area
from sail.files.exercises import Exercise
from sail.files.seal import Damaged
from sail.game import Game
from sail.programs.atlas import store
from sail.programs.atlas.memory import Known, Memory
from sail.programs.atlas.turns import Node
from sail.programs.kalah.saving import MISTAKES, Autosave, save_game, save_mistakes
from sail.refusal import Refusal
from tests.errors import refused

GAME = Game(start(3), (3, 6), "C", 0, "06-OCT-72  14:03")
MISTAKE = positions.Entry(
    placing.build([0, 2, 1], [0, 1, 1]), ("WORSE",), Exercise(((1,),))
)
OUT = "\n".join([games.write(GAME), games.write(GAME.play(1))])


def test_what_is_sealed_is_opened() -> None:
    text = seal.sealed("ONE\nTWO\n")
    assert text == "ONE\nTWO\nCHECK 23577713521\n"
    assert seal.opened(text, "X") == "ONE\nTWO\n"


@pytest.mark.parametrize(
    "text, line",
    [
        ("", 1),
        ("\n", 1),
        ("ONE\nTWO\n", 2),
        ("ONE\nTWO\nCHECK 23577713521", 3),
        ("ONE\nTWO\nCHECK 23577713522\n", 3),
        ("ONE\nTWO\nCHECK 23577713521\n\n", 4),
        ("ONE\nTWO\nX\nCHECK 23577713521\n", 4),
        ("ONE\nTWOXCHECK 23577713521\n", 2),
        ("ONE\nTWO\ncheck 23577713521\n", 3),
    ],
)
def test_a_seal_that_does_not_fit_is_named_with_its_line(text: str, line: int) -> None:
    with refused(Damaged, f"X IS DAMAGED AT LINE {line}."):
        seal.opened(text, "X")
    with refused(Damaged, f"X IS DAMAGED AT LINE {line + 10}."):
        seal.opened(text, "X", first=11)


def write_game(area: Area) -> None:
    autosave = Autosave(area, on=True)
    try:
        autosave.load()
    finally:
        autosave.write(GAME)
        autosave.close()


def tape() -> str:
    memory = Memory()
    memory.count("WON", [(16, 4)])
    memory.parts["M3-M2"].add(Known(False, Node(1, 2, 3, 4)))
    return store.write(memory)


USES: dict[str, tuple[str, Callable[[Area], object]]] = {  # by file
    tally.TALLY: (
        tally.write({"LEARN": {1, 2}, "STUDY": {1}}),
        lambda area: tally.add(area, "STUDY", 2),
    ),
    games.TMP: (games.write(GAME), write_game),
    games.OUT: (OUT, lambda area: save_game(area, GAME)),
    store.TAPE: (tape(), lambda area: store.Store(area).load()),
    MISTAKES: (
        seal.sealed(positions.write(MISTAKE)),
        lambda area: save_mistakes(area, [MISTAKE]),
    ),
}


@pytest.mark.parametrize("name", USES)
def test_every_single_bit_is_guarded(name: str, tmp_path: Path) -> None:
    area, path = Area(str(tmp_path)), tmp_path / name
    text, use = USES[name]
    for at, byte in enumerate(text.encode()):
        for bit in range(8):
            changed = bytearray(text.encode())
            changed[at] = byte ^ 1 << bit
            path.write_bytes(changed)
            with pytest.raises(Refusal, match=f"^{name} (IS DAMAGED AT )?LINE [0-9]+"):
                use(area)
            assert path.read_bytes() == changed
