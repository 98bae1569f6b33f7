"""The seal: a file that was changed or cut is named, and not overwritten."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from sail.board import Position, opening
from sail.engine.value import Finding, bounded, exactly
from sail.files import games, positions, seal, tally
from sail.files.area import Area
from sail.files.seal import MISTAK_POS, Damaged
from sail.game import Ending, Game
from sail.programs.atlas import store
from sail.programs.atlas.memory import LOSS, Memory, Record
from sail.programs.kalah.saving import Autosave, save_game, save_mistakes
from sail.refusal import Refusal
from tests.positions import placed

GAME = Game(opening(3), (3, 6), "C", 0, "06-OCT-72  14:03")
MISTAKE = positions.Entry(placed([0, 2, 1], [0, 1, 1]), ("WORSE",), ((1,),))
OUT = "\n".join([games.text_of(GAME), games.text_of(GAME.play(1))])


def test_the_form_of_a_seal() -> None:
    text = "SAVED GAMES: 2 LINES, CHECK 05611514146\nONE\nTWO\n"
    assert seal.sealed("KALAH.OUT", "ONE\nTWO\n") == text
    assert seal.sealed("KALAH.OUT", text) == seal.verified("KALAH.OUT", text) == text
    assert " 1 LINE, CHECK " in seal.sealed("KALAH.OUT", "ONE\n")
    assert seal.numbered_lines(text) == [(2, "ONE"), (3, "TWO")]
    for name in ("CLUB.OUT", "MINE.POS"):  # a person's files have none, but may
        assert seal.sealed(name, text) == seal.verified(name, text) == text
        assert seal.sealed(name, "ONE\n") == seal.verified(name, "ONE\n") == "ONE\n"
    assert seal.numbered_lines("ONE\nTWO") == [(1, "ONE"), (2, "TWO")]
    assert seal.numbered_lines("") == []
    # It fits on any paper and may have any length.
    for name in seal.TITLES:
        first, *_ = seal.sealed(name, "X\n" * 9999).split("\n")
        assert len(first) <= 62
        assert len(str(Damaged(name, 99999, seal.CUT_SHORT))) <= 72
    with pytest.raises(Damaged):
        seal.verified("KALAH.OUT", f"SAVED GAMES: {'1' * 5000} LINES, CHECK 0\nX\n")


# What a user's disk may hold since 27 November 2026.  Never change these texts: add to
# them when a form changes, because what was written is read for ever.
ON_DISK: dict[str, tuple[str, Callable[[Area], object], object]] = {
    "KALAH.OUT": (
        """\
SAVED GAMES: 6 LINES, CHECK 27560105302
GAME OF 27-NOV-26  09:30:15.0625
1 STONE A PIT
LEVEL C, YOU STARTED, WITH ADVICE
  1 A 1            1-0
QUIT
A 1, B 0
""",
        lambda area: [*games.saved_games(area, "KALAH.OUT")],
        [Game(opening(1), (1,), "C", 0, "27-NOV-26  09:30:15.0625", Ending.QUIT, True)],
    ),
    "KALAH.TMP": (
        """\
LATEST GAME: 6 LINES, CHECK 26504056531
GAME OF 27-NOV-26  09:30:15.0625
A 3 7 0 0 0 0 1, B 4 0 2 0 0 0 0, B TO MOVE
LEVEL CITY, YOU STARTED
  1 B 2            3-5
IN PROGRESS
A 3, B 5
""",
        lambda area: Autosave(area, on=True).load(),
        Game(
            Position(((7, 0, 0, 0, 0, 1), (0, 2, 0, 0, 0, 0)), (3, 4), 1),
            *((2,), "CITY", 1, "27-NOV-26  09:30:15.0625"),
        ),
    ),
    "KALAH.TAL": (
        "SOLVED AT THE FIRST TRY: 2 LINES, CHECK 32716001700\nLEARN 2\nSTUDY 1 7\n",
        lambda area: tally.parse(area.read("KALAH.TAL")),
        {"LEARN": {2}, "STUDY": {1, 7}},
    ),
    "MISTAK.POS": (
        """\
YOUR MISTAKES: 8 LINES, CHECK 32665604201
; PLAYING 6 COST YOU 5 STONES.  FIND A BETTER TURN.
A  7   2 0 0 4 0 1
B  8   0 1 0 3 0 0
A TO MOVE
RIGHT 1
BEST ABOUT 3 ERROR 2 A 1
WRONG -2 A 6
SOLVED
""",
        lambda area: positions.parse(area.read("MISTAK.POS"), "")[0],
        positions.Entry(
            placed([7, 2, 0, 0, 4, 0, 1], [8, 0, 1, 0, 3, 0, 0]),
            ("PLAYING 6 COST YOU 5 STONES.  FIND A BETTER TURN.",),
            right=((1,),),
            findings={
                (1,): Finding(bounded(estimate=3, error=2), (1,)),
                (6,): Finding(exactly(-2), (6,)),
            },
            solved=True,
            number=1,
        ),
    ),
    "ATLAS.TAP": (
        """\
3-STONE KALAH, WHAT ATLAS KNOWS: 7 LINES, CHECK 05205660567
GAMES WON 1 LOST 2 DRAWN 0 AGAIN 0
KALAHS 17 9  WON 3 LOST 0
REPLY M3-M2
L 2  4 0 0 4 4 4  1 0 5 4 4 4
W 16+  1 2 X X X X  X X X X X X
PL 9  1 0 2 0 0 1  0 4 0 1 0 1
END 3
""",
        lambda area: (store.load(area).games, store.load(area).hopeless_games),
        ({"WON": 1, "LOST": 2, "DRAWN": 0}, 0),
    ),
}


@pytest.mark.parametrize("name", ON_DISK)
def test_what_is_on_a_disk_is_read_for_ever(name: str, area: Area) -> None:
    text, read, expected = ON_DISK[name]
    Path(area.folder, name).write_text(text)
    assert read(area) == expected


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
    memory.tables["M3-M2"].add(Record(LOSS, 1, 2, 3))
    return store.text_of(memory)


USES: dict[str, tuple[str, Callable[[Area], object]]] = {  # by file
    seal.KALAH_TAL: (
        tally.text_of({"LEARN": {1, 2}, "STUDY": {1}}),
        lambda area: tally.add(area, "STUDY.POS", 2),
    ),
    seal.KALAH_TMP: (games.text_of(GAME), write_game),
    seal.KALAH_OUT: (OUT, lambda area: save_game(area, GAME)),
    seal.ATLAS_TAP: (tape(), store.load),
    MISTAK_POS: (
        "\n".join(map(positions.text_of, [MISTAKE, MISTAKE])),
        lambda area: save_mistakes(area, [MISTAKE]),
    ),
}


def expect_damage(area: Area, name: str, changed: bytes, told: str) -> None:
    """Expect that every use of a file names the damage, and leaves the file alone."""
    path = Path(area.folder, name)
    path.write_bytes(changed)
    for use in (USES[name][1], lambda area: area.read(name)):
        with pytest.raises(Refusal, match=f"^{name} {told}"):
            use(area)
        assert path.read_bytes() == changed


@pytest.mark.parametrize("name", USES)
def test_every_single_bit_is_guarded(name: str, area: Area) -> None:
    """In a text; on file one of each byte, the highest, too, which makes it no text."""
    text = seal.sealed(name, USES[name][0]).encode()
    for at, bit in product(range(len(text)), range(8)):
        changed = bytearray(text)
        changed[at] ^= 1 << bit
        if bit < 7:
            with pytest.raises(Damaged, match="IS DAMAGED: .*HELP KALAH FILES"):
                seal.verified(name, changed.decode())
        if bit == at % 8:
            told = "(IS DAMAGED: .*HELP KALAH FILES|LINE [0-9]+ IS NOT TEXT)"
            expect_damage(area, name, bytes(changed), told)


@pytest.mark.parametrize("name", USES)
def test_every_cut_is_named_and_the_file_stays(name: str, area: Area) -> None:
    """At every byte, also between two lines, two games, and before the first one.

    So is the loss of the beginning.
    """
    text = seal.sealed(name, USES[name][0]).encode()
    first = text.index(b"\n") + 1
    for cut in range(len(text)):
        line = text.count(b"\n", 0, cut)
        what = f"IT ENDS AFTER LINE {line}" if cut >= first else "LINE 1 IS WRONG"
        told = what if cut else "IT IS EMPTY"
        expect_damage(area, name, text[:cut], f"IS DAMAGED: {told}\\.")
    for lost in range(1, text.count(b"\n")):
        rest, told = text.split(b"\n", lost)[-1], "IS DAMAGED: LINE 1 IS WRONG\\."
        expect_damage(area, name, rest, told)
