"""KALAH's files: games, wins, positions, and the game in progress."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from sail.board import opening
from sail.files import games, positions
from sail.files.area import Area, InUse
from sail.files.seal import Damaged
from sail.game import Ending, Game
from sail.programs.kalah import saving, says
from sail.programs.kalah.dialogue import Session
from sail.programs.kalah.saving import Autosave
from sail.refusal import Refusal
from tests import paper
from tests.errors import refused
from tests.havoc import faulty
from tests.positions import placed
from tests.stand_ins import NOW

Free = Callable[[], bool]


def kept(area: Area) -> Game:
    (game,) = games.saved_games(area, "KALAH.TMP")
    return game


def a_game(*moves: int, when: str = NOW) -> Game:
    return Game(opening(3), moves, "C", 0, when)


@pytest.fixture
def is_free(area: Area, hasty: None) -> Free:
    """Return a function that tells whether another session could hold KALAH.TMP."""
    pytest.importorskip("fcntl")

    def asked() -> bool:
        other = Area(area.folder)
        with suppress(InUse):
            other.hold("KALAH.TMP")
            other.release("KALAH.TMP")
            return True
        return False

    return asked


def test_a_game_is_held_from_beginning_to_end(area: Area, is_free: Free) -> None:
    autosave = Autosave(area, on=True)
    assert autosave.load() is None and is_free() and not autosave.in_progress
    autosave.write(a_game())
    assert autosave.in_progress and not is_free()
    before = os.stat(Path(area.folder, "KALAH.TMP"))
    autosave.write(a_game())  # it is kept already
    assert os.path.samestat(before, os.stat(Path(area.folder, "KALAH.TMP")))
    autosave.write(replace(a_game(3), ending=Ending.QUIT))
    assert not autosave.in_progress and is_free()
    after = Autosave(area, on=True)
    assert after.load() == replace(a_game(3), ending=Ending.QUIT)
    assert not after.in_progress and is_free()


def test_results_are_those_of_the_games_on_file(area: Area) -> None:
    """Of the last ten one by one; a game that QUIT or DAMMIT ended does not count."""

    def results() -> str:
        return paper.typed(Session, area, "RESULTS", "Q")

    assert says.NO_RESULTS in results()
    names = "WIN", "CONCEDED", "DRAW", "QUIT", "DAMMIT"
    ended = (replace(a_game(3), ending=Ending[name]) for name in names)
    won, lost, drawn, left, granted = ended
    helped = replace(won, advised=True)
    played = [won, lost, left, drawn, granted, a_game(3), *[lost] * 8, helped]
    master = replace(won, level="MASTER")
    area.write("KALAH.OUT", "\n".join(map(games.text_of, [*played, master])))
    assert results().endswith("""\
LEVEL      GAMES  WON  THE LAST TEN: WON, LOST, DRAWN, ADVISED WIN
C             12    1  DLLLLLLLLA
MASTER         1    1  W
START WITH 1,2,3,4,5 OR 6? {Q}
""")


def test_an_unfinished_game_is_held_once_saved(area: Area, is_free: Free) -> None:
    area.write("KALAH.TMP", games.text_of(a_game(3)))
    autosave = Autosave(area, on=True)
    assert autosave.load() == a_game(3) and autosave.in_progress and not is_free()
    saving.save_game(area, a_game(3))
    assert area.names() == ["KALAH.OUT", "KALAH.TMP"] and not is_free()
    autosave.close()
    autosave.close()
    assert is_free()


def test_a_game_ended_by_another_session_makes_room(area: Area, is_free: Free) -> None:
    autosave = Autosave(area, on=True)
    autosave.write(replace(a_game(), ending=Ending.QUIT))
    area.write("KALAH.TMP", games.text_of(replace(a_game(3), ending=Ending.QUIT)))
    autosave.write(a_game(1))
    assert not is_free()
    assert kept(area) == a_game(1)
    autosave.close()
    area.delete("KALAH.TMP")
    autosave.write(a_game(2))
    assert kept(area) == a_game(2)
    autosave.close()


def test_a_damaged_game_is_told_and_held_by_nobody(area: Area, is_free: Free) -> None:
    """Also if it is damaged only after a session has begun."""
    autosave, begun = Autosave(area, on=True), Autosave(area, on=True)
    assert begun.load() is None
    damaged = Path(area.folder, "KALAH.TMP")
    damaged.write_text("X")
    told = f"{Damaged('KALAH.TMP', 1)}\nYOUR GAMES WILL NOT BE KEPT."
    with refused(Refusal, told):
        autosave.load()
    for session in (autosave, begun, begun):
        with suppress(Damaged):
            session.write(a_game())
        assert damaged.read_text() == "X" and is_free()


def test_a_failure_is_told_once(area: Area) -> None:
    autosave = Autosave(area, on=True)
    assert autosave.load() is None
    for move in (1, 2):
        with faulty(lambda call, _: call == "write"):
            told = "CANNOT WRITE KALAH.TMP: NO SPACE LEFT ON DEVICE."
            with refused(Refusal, told):
                autosave.write(a_game())
            autosave.write(a_game())
            assert not autosave.in_progress
        autosave.write(a_game(move))
        assert autosave.in_progress
    autosave.close()


def a_mistake(stones: int) -> positions.Entry:
    """An exercise of its own; 1 is right."""
    position = placed([0, 2, 1, 1, 0, 0, stones], [0, 1, 1, 0, 0, 0, 0])
    return positions.Entry(position, (f"NUMBER {stones}",), ((1,),))


def test_the_last_mistakes_are_kept_the_latest_first(area: Area) -> None:
    """A position that is listed again moves to the front; 50 are kept."""

    def numbers() -> list[int]:
        found = positions.parse(area.read("MISTAK.POS"), "MISTAK.POS")
        for number, it in enumerate(found, 1):
            written = a_mistake(it.position.rows[0][5])
            assert it == written._replace(file="MISTAK.POS", number=number)
        return [it.position.rows[0][5] for it in found]

    saving.save_mistakes(area, [a_mistake(5), a_mistake(6)])
    saving.save_mistakes(area, [])
    saving.save_mistakes(area, [a_mistake(7), a_mistake(5)])
    assert numbers() == [7, 5, 6]
    for stones in range(10, 70, 2):
        saving.save_mistakes(area, [a_mistake(stones + 1), a_mistake(stones)])
    assert numbers() == [n + d for n in range(68, 18, -2) for d in (1, 0)]
    assert area.read("MISTAK.POS").count("CHECK") == 1
    assert len(area.read("MISTAK.POS")) < 8_000


def test_what_a_person_writes_on_the_mistakes_stays(area: Area) -> None:
    """He is told that the file is no longer ours; under another name it is his."""
    saving.save_mistakes(area, [a_mistake(5)])
    text, path = area.read("MISTAK.POS"), Path(area.folder, "MISTAK.POS")
    mine = "; MINE\nA 0 1 1\nB 0 1 1\nA TO MOVE\n"
    for edited in (f"{text}\n{mine}", text.replace("NUMBER", "NOTE"), mine):
        path.write_text(edited)
        with pytest.raises(Damaged, match="^MISTAK.POS IS DAMAGED: .*HELP KALAH FILES"):
            saving.save_mistakes(area, [a_mistake(7)])
        assert path.read_text() == edited
    path.write_text(f"{text}\n; MINE\nA 0 1\nB 0 1\nA TO MOVE\n")
    area.rename("MISTAK.POS", "OLD.POS")
    saving.save_mistakes(area, [a_mistake(7)])
    found = positions.parse(area.read("OLD.POS"), "OLD.POS")
    assert [it.comments[0] for it in found] == ["NUMBER 5", "MINE"]


def test_a_game_is_not_called_kept_once_another_session_has_its_file(
    area: Area, monkeypatch: MonkeyPatch
) -> None:
    """It could not be held at first; meanwhile the other session wrote its own."""
    area.write("KALAH.TMP", games.text_of(a_game(3)))
    autosave = Autosave(area, on=True)
    with monkeypatch.context() as patched:
        patched.setattr("sail.files.disk._open", os.listdir)  # raises OSError
        assert autosave.load() == a_game(3) and autosave.in_progress
    area.write("KALAH.TMP", games.text_of(a_game(2)))
    with pytest.raises(Refusal):
        autosave.write(a_game(1))
    assert not autosave.in_progress
