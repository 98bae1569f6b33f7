"""ATLAS on paper, and its tape: kept, damaged, full of other hands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sail.area import Area, AreaError
from sail.programs.atlas import says, tape
from sail.programs.atlas.dialogue import Dialogue, run
from sail.programs.atlas.machine import Machine
from sail.programs.atlas.memory import REPLIES, Entry, Known, Memory, Played
from sail.programs.atlas.store import TAPE, Store
from tests import paper

# Figure 8 is known to lose.
M3_M2 = """\
3-STONE KALAH, WHAT ATLAS KNOWS
GAMES WON 0 LOST 1 DRAWN 0 AGAIN 0
KALAHS 2 1  WON 0 LOST 1
REPLY M3-M2
L 2  5 0 0 3 3 4  4 4 3 3 0 4
END 1
"""
M3_M2 = M3_M2.replace("4 4 3 3 0 4", "4 0 3 3 4 4")
CLAIMS = """\
3-STONE KALAH, WHAT ATLAS KNOWS
GAMES WON 9 LOST 1 DRAWN 0 AGAIN 0
KALAHS 2 1  WON 9 LOST 1
KALAHS 16 4  WON 20 LOST 1
REPLY M3-M2
W 16+  1 2 X X X X  X X X X X X
W 7+  6 0 2 0 0 6  X X X 5+ X X
L 9  0 0 4 1 0 1  1 2 1 1 0 1
END 3
"""
TAPES = {"taught": M3_M2, "claim": CLAIMS, "memory": CLAIMS, "damaged": M3_M2[:-6]}


def typed(area: Area, *keys: str) -> str:
    """The paper when these lines are typed."""
    return paper.play(lambda tty: run(tty, area, lambda: 0.0), list(keys))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "file", paper.transcripts("*-atlas-*.txt"), ids=lambda file: file.stem
)
@pytest.mark.source("BELL-III", "BELL-V.1", "BELL-CLAIM", "BELL-PARAM", "BELL-CHAR")
def test_transcript(file: Path, tmp_path: Path) -> None:
    area = Area(str(tmp_path))
    text = TAPES.get(file.stem.split("-")[-1])
    if text:
        area.write(TAPE, text)
    text = file.read_text("utf-8")
    assert typed(area, *paper.keys(text)) == text
    assert max(map(len, text.splitlines())) <= 72


def test_old_tapes_without_end_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sail.programs.atlas.store.MOST_OLD", 1)
    area = Area(str(tmp_path))
    area.write(TAPE, M3_M2)
    page = typed(area, "NEW", "Y", "NEW", "Y", "Q")
    assert page.count("THE OLD ONE IS ATLAS.001") == 1
    assert page.count(says.NO_ROOM) == 1
    assert area.read("ATLAS.001") == M3_M2


def test_who_only_looks_in_leaves_no_tape(tmp_path: Path) -> None:
    typed(Area(str(tmp_path)), "MEMORY", "Q")
    assert not list(tmp_path.iterdir())


@pytest.mark.source("BELL-TAPE")
def test_the_tape_there_and_back() -> None:
    for text in (M3_M2, CLAIMS, tape.write(Memory())):
        assert tape.write(tape.read(text, TAPE)) == text
        assert max(map(len, text.splitlines())) <= 72


@pytest.mark.source("BELL-TAPE")
def test_damage_is_told_with_its_line() -> None:
    lines = CLAIMS.split("\n")
    for number in range(1, len(lines)):
        for damaged in ("", "?", lines[number - 1] + " 1", lines[number - 1][:-1]):
            changed = "\n".join([*lines[: number - 1], damaged, *lines[number:]])
            with pytest.raises(tape.Damaged) as told:
                tape.read(changed, TAPE)
            assert str(told.value) == says.DAMAGED.format(TAPE, number)
    for cut in range(len(CLAIMS) - 1):
        with pytest.raises(tape.Damaged):
            tape.read(CLAIMS[:cut], TAPE)


@pytest.mark.parametrize(
    "line",
    [
        "W 19  1 2 0 0 0 0  1 0 0 0 0 0",  # won already
        "W 7  1 2 0 0 0 0  0 0 0 0 0 0",  # over already
        "W 1  0 0 0 0 0 1  1 0 0 0 0 0",  # the player has more than half
        "W 9  9 9 9 9 9 9  9 9 9 9 9 9",  # too many stones
        "L 16+  1 2 X X X X  X X X X X X",  # no x in a loser
        "W 16+  X 2 X X X X  X X X X X X",
        "W 16+  1 2 X X X X  2+ X X X X 1+",
        "L 9  0 0 4 1 0 1  1 2 1 1 0 1",  # twice
        "W 07  1 2 0 0 0 0  9 9 0 0 0 0",
    ],
)
def test_an_entry_that_cannot_be_is_damage(line: str) -> None:
    text = CLAIMS.replace("END 3", f"{line}\nEND 4")
    with pytest.raises(tape.Damaged, match="LINE 9"):
        tape.read(text, TAPE)


@pytest.mark.source("BELL-TAPE")
def test_a_damaged_tape_is_never_written(tmp_path: Path) -> None:
    area = Area(str(tmp_path))
    for damaged in (b"NO TAPE", b"\xff\xfe", M3_M2[:50].encode()):
        area.write_bytes(TAPE, damaged)
        text = typed(area, "3", "N", "R", "Q")
        assert f"{TAPE} " in text and says.SET_ASIDE in text
        assert area.read_bytes(TAPE) == damaged
    assert area.names() == [TAPE]
    text = typed(area, "NEW", "N", "NEW", "Y", "3", "N", "R", "Q")
    assert says.NEW_DONE.format("ATLAS.001") in text
    assert area.read_bytes("ATLAS.001") == damaged
    assert tape.read(area.read(TAPE), TAPE).games == {
        "WON": 1, "LOST": 0, "DRAWN": 0, "AGAIN": 0,
    }  # fmt: skip
    typed(area, "NEW", "Y", "Q")
    assert area.names() == ["ATLAS.001", "ATLAS.002", TAPE]


@pytest.mark.source("BELL-TAPE")
def test_a_crash_while_writing_leaves_the_tape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    area = Area(str(tmp_path))
    area.write(TAPE, M3_M2)

    def crash(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as broken:
            broken.setattr(os, name, crash)
            text = typed(area, "3", "N", "R", "Q")
        assert "CANNOT WRITE ATLAS.TAP: NO SPACE LEFT ON DEVICE." in text
        assert area.read(TAPE) == M3_M2
    store = Store(area)
    memory = store.load()
    memory.learn(Played("WON", (), False))
    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", crash)
        with pytest.raises(AreaError):
            store.save(memory)
    assert store.save(memory).games["WON"] == 1  # the next time it is there


@pytest.mark.source("BELL-TAPE")
def test_two_sessions_keep_what_both_have_learnt(tmp_path: Path) -> None:
    area = Area(str(tmp_path))
    area.write(TAPE, M3_M2)
    stores = [Store(area), Store(area)]
    memories = [store.load() for store in stores]
    entries = [Entry(False, n, (0,) * 5 + (1,), (9,) * 2 + (0,) * 4) for n in (1, 2)]
    for store, memory, entry in zip(stores, memories, entries):
        memory.learn(Known("M1", entry))
        memory.learn(Played("LOST", ((1, 1),), False))
        store.save(memory)
    both = Store(area).load()
    assert list(both.parts["M1"].entries) == entries
    assert both.games["LOST"] == 3
    assert both.parameters.counts == {(1, 1): (0, 2), (2, 1): (0, 1)}


@pytest.mark.source("BELL-LOST", "BELL-IV.3")
def test_teach_a_line_a_game(tmp_path: Path) -> None:
    area = Area(str(tmp_path))
    machine = Machine(Memory())
    for turn in machine.turns.of(machine.opening):
        reply = "-".join(f"M{pit}" for pit in turn.pits)
        if reply != "M6":
            lost = machine.whole(machine.opening.after(turn), won=False)
            machine.memory.learn(Known(reply, lost))
    area.write(TAPE, tape.write(machine.memory))
    text = typed(area, "TEACH X", "TEACH", "T M6", "Q")
    lines = text.splitlines()
    games = [line for line in lines if line.endswith(" ENTRIES")]
    assert games and all(" M6 " in line and " LOST " in line for line in games)
    assert lines.count(says.KNOWN.format("M6")) == 1
    assert lines.count(says.ALL_KNOWN) == 2
    taught = tape.read(area.read(TAPE), TAPE)
    assert taught.games["LOST"] == len(games)
    assert Machine(taught).known_lost() == list(REPLIES)


class Stopping(paper.Paper):
    """A ^C is typed some polls after the work began."""

    polls = 30

    def poll(self) -> bool:
        self.polls -= 1
        return self.polls <= 0


def test_teach_is_stopped_and_keeps_what_it_has(tmp_path: Path) -> None:
    area = Area(str(tmp_path))
    area.write(TAPE, M3_M2)
    tty = Stopping(["TEACH", "Q"])
    Dialogue(tty, area, lambda: 0.0).run()  # type: ignore[arg-type]
    assert says.STOPPED in tty.text
    assert tape.read(area.read(TAPE), TAPE).parts["M3-M2"].entries


def test_rubbish_is_answered_in_one_line(tmp_path: Path) -> None:
    area = Area(str(tmp_path))
    text = typed(
        area, "", "7", "0", "33", "TEACH 3", "MEMORY M9", "MEMORY M1 X", "MEMORY M1 99999",
        "C MAYBE", "P", "NEW 1", "é", "3", "X", "Y", "", "7", "P9", "P1-P1", "1", "1-", "21111",
        "I", "-", "q", "q",
    )  # fmt: skip
    assert max(map(len, text.splitlines())) <= 80
    assert "Traceback" not in text
