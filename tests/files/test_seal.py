"""The seal: a file that was changed in a single bit is refused and not overwritten."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from sail.board import start
from sail.files import games, positions, seal, tally, values
from sail.files.area import Area
from sail.files.seal import Damaged
from sail.game import Game
from sail.programs.atlas import store
from sail.programs.atlas.memory import Known, Memory
from sail.programs.atlas.turns import Node
from sail.programs.kalah.saving import Autosave, save_game, save_mistakes
from sail.refusal import Refusal
from tests.errors import refused

GAME = Game(start(3), (3, 6), "C", 0, "06-OCT-72  14:03")
MISTAKE = positions.Special(
    positions.build([0, 2, 1], [0, 1, 1]), ("WORSE",), right=((1,),), played=(2,)
)
OUT = "\n".join([games.write(GAME), games.write(GAME.play(1))])


def one_bit_changed(whole: bytes) -> Iterator[bytes]:
    for at in range(8 * len(whole)):
        changed = bytearray(whole)
        changed[at // 8] ^= 1 << at % 8
        yield bytes(changed)


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


def write_tally(area: Area) -> None:
    tally.add(area, "STUDY", 2)


def write_game(area: Area) -> None:
    autosave = Autosave(area, on=True)
    try:
        autosave.load()
    finally:
        autosave.write(GAME)
        autosave.close()


def learn(area: Area) -> None:
    store.Store(area).load()


def add_mistake(area: Area) -> None:
    save_mistakes(area, [MISTAKE])


def add_game(area: Area) -> None:
    save_game(area, GAME)


def tape() -> str:
    memory = Memory()
    memory.count("WON", [(16, 4)])
    memory.parts["M3-M2"].add(Known(False, Node(1, 2, 3, 4)))
    return store.write(memory)


@pytest.mark.parametrize(
    "name, text, use, count",
    [
        (tally.TALLY, tally.write({"LEARN": {1, 2}, "STUDY": {1}}), write_tally, 480),
        ("KALAH.TMP", games.write(GAME), write_game, 984),
        (games.OUT, OUT, add_game, 2168),
        (store.TAPE, tape(), learn, 1272),
        ("MISTAK.POS", seal.sealed(positions.write(MISTAKE)), add_mistake, 600),
    ],
    ids=["tally", "game in progress", "saved games", "ATLAS's memory", "mistakes"],
)
def test_every_single_bit_is_guarded(
    name: str, text: str, use: Callable[[Area], None], count: int, tmp_path: Path
) -> None:
    area, path = Area(str(tmp_path)), tmp_path / name
    tried = 0
    for changed in one_bit_changed(text.encode()):
        path.write_bytes(changed)
        with pytest.raises(Refusal, match=f"^{name} (IS DAMAGED AT )?LINE [0-9]+"):
            use(area)
        assert path.read_bytes() == changed
        tried += 1
    assert tried == count


def test_every_single_bit_of_some_proved_values_is_guarded(
    monkeypatch: MonkeyPatch,
) -> None:
    whole = pkgutil.get_data("sail", "files/VALUES.TXT") or b""
    few = seal.sealed("".join(whole.decode().splitlines(keepends=True)[:8])).encode()
    there = few
    monkeypatch.setattr(pkgutil, "get_data", lambda *_: there)
    values.on_file.cache_clear()
    assert len(values.on_file()) == 1
    for changed in one_bit_changed(few):
        there = changed
        values.on_file.cache_clear()
        with pytest.raises(Damaged):
            values.on_file()
    values.on_file.cache_clear()
