"""ATLAS on paper, and its tape: kept, damaged, shared with other sessions."""

from __future__ import annotations

import re
from functools import partial
from itertools import islice, product
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from sail.board import Position
from sail.files import seal
from sail.files.area import Area
from sail.files.seal import ATLAS_TAP, Damaged
from sail.programs.atlas import says, store
from sail.programs.atlas.dialogue import Session
from sail.programs.atlas.learner import NODE_AFTER_P2, Choice, Learner, machine_turn
from sail.programs.atlas.memory import (
    FIG_6,
    LOSS,
    PSEUDO_LOSS,
    REPLIES,
    Memory,
    Record,
)
from sail.programs.atlas.turns import MACHINE, MOVES
from sail.refusal import Refusal
from tests import paper
from tests.bench.atlas import memory_with
from tests.errors import refused
from tests.stand_ins import Eventful

# Figure 8 is known to lose.
M3_M2 = """\
GAMES WON 0 LOST 1 DRAWN 0 AGAIN 0
KALAHS 2 1  WON 0 LOST 1
REPLY M3-M2
L 2  5 0 0 3 3 4  4 0 3 3 4 4
END 1
"""
# The kinds of lines on the first tapes; they must be read forever.
CLAIMS = """\
GAMES WON 9 LOST 1 DRAWN 0 AGAIN 0
KALAHS 2 1  WON 9 LOST 1
KALAHS 16 4  WON 20 LOST 1
REPLY M3-M2
W 16+  1 2 X X X X  X X X X X X
W 7+  0 0 2 0 0 6  X X X 5+ X X
L 9  0 0 4 1 0 1  1 2 1 1 0 1
END 3
"""
# The kinds that came later: the player's threats, and records by parameters.
MEMORY = """\
GAMES WON 20 LOST 3 DRAWN 2 AGAIN 1
KALAHS 9 0  WON 20 LOST 0
KALAHS 16 4  WON 22 LOST 1
REPLY M3-M2
L 2  5 0 0 3 3 4  4 0 3 3 4 4
REPLY M4
PL 0  4 4 4 0 3 4  4 0 3 3 3 3
REPLY OTHER
W 13  0 2 1 2 5 0  2 3 0 0 0 0
W 7+  0 0 2 0 0 6  X X X 5+ X X
PW 10  0 1 3 2 0 1  4 1 0 1 5 5
END 5
"""


def tape_of(*replies: str, value: int = PSEUDO_LOSS) -> str:
    """A tape of no games: each reply has this value."""
    memory = Memory()
    for turn in NODE_AFTER_P2.turns():
        if (reply := machine_turn(turn.pits)) in replies:
            learner = Learner(memory)
            learner.table = memory.tables[reply]
            learner.remember(NODE_AFTER_P2.after(turn), value)
    return store.text_of(memory)


def full() -> str:
    """A tape on which the table of M3-M2 has no room."""
    memory = Memory()
    memory.count("LOST", [(2, 1)])
    for pits in islice(product(range(6), repeat=4), 1280):
        m, p = MOVES.pack((*pits, 1, 0)), MOVES.pack((1, 0, 0, 0, 0, 33 - sum(pits)))
        memory.tables["M3-M2"].add(Record(LOSS, m, p, 0))
    return store.text_of(memory)


ATLAS_DOC = Path(says.__file__).with_name("ATLAS.DOC").read_text("utf-8")
MANUAL = " ".join(ATLAS_DOC.split())
# The moves of a game that the machine loses with a blank tape.
LOSES = ["P2", "P1", "P6", "P3", "P1-P2-P1-P4", "P1-P5", "P1-P2-P1-P3"]
# Kalahs of 16 are as good as won, and nothing else is known of kalahs.
FIGURE = M3_M2.replace("REPLY", "KALAHS 16 10  WON 10 LOST 0\nREPLY", 1)
FIG_7 = FIGURE.replace("16 10", "16 4")

TEACH = tape_of(*REPLIES[:-1], value=LOSS)
TAPES = {  # by the end of a transcript's name
    "game": M3_M2, "figure": FIGURE, "figs": FIG_7, "claim": CLAIMS, "memory": MEMORY,
    "damaged": M3_M2[:-6], "full": full(), "doubt": tape_of("M3-M2"),
    "fear": tape_of(*REPLIES), "teach": TEACH,
}  # fmt: skip


typed = partial(paper.typed, Session)


def together(first: Area, second: Area, *keys: str) -> tuple[str, str]:
    """The papers of a session and of a second one, which is typed within the first."""
    pages: list[str] = []

    def meanwhile(*_: str) -> None:
        if not pages:
            pages.append(typed(second, *keys))

    Session(tty := Eventful(["3", "N", "R", "Q"], meanwhile), first).run()
    return tty.text, pages[0]


@paper.each("*-atlas-*.txt")
@pytest.mark.source(
    "BELL-III", "BELL-III.RED", "BELL-IV", "BELL-GAME", "BELL-V.1", "BELL-CLAIM", "BELL-PARAM",
    "BELL-OFFLINE", "BELL-IV.1.PRINT", "BELL-END", "BELL-FIG5", "BELL-FIG7",
    "BELL-DEFAULT",
)  # fmt: skip
def test_transcript(file: Path, area: Area) -> None:
    if tape := TAPES.get(file.stem.rpartition("-")[2]):
        area.write(ATLAS_TAP, tape)
    paper.compare(file, lambda keys: typed(area, *keys))


@pytest.mark.source("BELL-GAME", "BELL-GAME.2", "BELL-GAME.6", "BELL-GAME.9")
def test_the_game_of_figure_2_is_played_as_the_manual_says(area: Area) -> None:
    """With what the manual says that it knows."""
    assert "P2, P1, P3-P1-P4, P5-P3-P6 and RESIGN" in MANUAL
    area.write(ATLAS_TAP, FIGURE)
    game = ["3", "Y", "P2", "P1", "P3-P1-P4", "P5-P3-P6", "RESIGN", "Q"]
    answers = re.findall("(?m)^I (?:PLAY )?(M.*|W.*)\\.$", typed(area, *game))
    first = ["M1", "M3-M1-M4-M1-M6"]
    assert answers == [*first, "WILL WIN", "M5-M1-M2", "M1-M3-M1-M4", "WIN"]


@pytest.mark.source("BELL-END")
@pytest.mark.parametrize("then", ["QUIT", "RESIGN"])
def test_a_game_goes_on_to_its_end_but_counts_from_19(then: str, area: Area) -> None:
    page = typed(area, "3", "Y", "4", "5", "3", "4", then, "Q")
    assert "          20                             1\n" in page
    assert "\nGAMES WON 1 LOST 0 " in area.read(ATLAS_TAP)


def test_who_has_19_has_won_though_he_resigns(area: Area) -> None:
    """What is typed is what is counted."""
    decided = Position(((0, 0, 2, 2, 3, 0), (1, 2, 2, 2, 2, 1)), (1, 18), mover=MACHINE)
    tty = paper.Paper(["1", "RESIGN"])
    session = Session(tty, area)
    session.load()
    session.play(decided, learns=True)
    assert session.memory.games["LOST"] == 1
    assert "YOU WIN." in tty.text and "I WIN." not in tty.text


@pytest.mark.source("BELL-TAPE", "BELL-II.6")
def test_only_games_with_3_stones_a_pit_are_remembered(area: Area) -> None:
    for stones in "2", "4", "3":
        assert not area.has(ATLAS_TAP)
        typed(area, stones, "Y", "2", "RESIGN", "Q")
    assert "\nGAMES WON 1 LOST 0 " in area.read(ATLAS_TAP)


@pytest.mark.source("BELL-V.2", "BELL-DEFAULT")
def test_with_the_parameters_of_figure_6_teach_is_shorter(area: Area) -> None:
    """tests/bench/atlas.py teaches it M3-M2; ours-atlas-teach takes 7 games for M6."""
    memory = store.parse(TEACH)
    memory.parameters.counts.update(memory_with(FIG_6).parameters.counts)
    assert memory.parameters.pairs == FIG_6
    area.write(ATLAS_TAP, store.text_of(memory))
    page = typed(area, "TEACH", "Q")
    told = " 4 POSITIONS\nM6 IS KNOWN TO LOSE NINE TIMES IN TEN"
    assert "\n    1  M6 " in page and told in page


@pytest.mark.source("BELL-TAPE")
def test_the_tape_there_and_back(area: Area) -> None:
    """Who only looks in leaves none."""
    typed(area, "MEMORY", "Q")
    assert area.names() == []
    typed(area, "3", "N", "R", "Q")
    assert area.names() == [ATLAS_TAP]
    for text in (M3_M2, CLAIMS, MEMORY, full(), store.text_of(Memory())):
        assert store.text_of(store.parse(text)) == text
        assert max(map(len, text.splitlines())) <= 72
    # Records at the limits: no stone in a kalah, and half of all in one.
    for line in (
        "W 0  3 3 3 3 3 3  3 3 3 3 3 3",
        "W 18  1 0 0 0 0 0  0 0 0 0 0 1",
        "L 1  0 0 0 0 0 1  16 0 0 0 0 0",
        "W 18+  1 X X X X X  X X X X X X",
        "W 0+  0 1 X X X X  X X X X X 0+",
    ):
        assert store.line_of(store.parse_record(line.split())) == line


@pytest.mark.source("BELL-TAPE")
def test_damage_under_a_seal_is_reported_with_its_line() -> None:
    lines = CLAIMS.split("\n")
    for at, line in enumerate(lines[:-1]):
        for damaged in ("", "?", f"{line} 1", line[:-1]):
            changed = "\n".join([*lines[:at], damaged, *lines[at + 1 :]])
            with refused(Damaged, str(Damaged(ATLAS_TAP, at + 2))):
                store.parse(seal.sealed(ATLAS_TAP, changed))
    for cut in range(len(CLAIMS) - 1):
        with pytest.raises(Damaged):
            store.parse(CLAIMS[:cut])


@pytest.mark.parametrize(
    "line",
    [
        "PL 9  0 0 4 1 0 1  1 2 1 1 0 1",  # it is known
        *(f"W 13  0 2 1 2 5 0  2 3 0 0 0{rest}" for rest in ("", " 0 ", " 0 0")),
        "W 16+  X 2 X X X X  X X X X X X",
        "W 16+  1 2 X X X X  2+ X X X X 1+",
        "L 9  0 0 4 1 0 1  1 2 1 1 0 1",  # twice
        "W 07  1 2 0 0 0 0  9 9 0 0 0 0",
        "KALAHS 16 4  WON 1 LOST 0",  # twice
        "KALAHS 016 5  WON 1 LOST 0",
    ],
)
def test_a_line_that_is_never_written_so_is_damage(line: str) -> None:
    before, after = ("REPLY", "REPLY") if line[0] == "K" else ("END 3", "END 4")
    with pytest.raises(Damaged):
        store.parse(CLAIMS.replace(before, f"{line}\n{after}"))


@pytest.mark.source("BELL-TAPE", "BELL-V.DEMO")
def test_a_damaged_tape_is_never_written(area: Area) -> None:
    for damaged in (b"NO TAPE", b"\xff\xfe", M3_M2[:50].encode()):
        Path(area.folder, ATLAS_TAP).write_bytes(damaged)
        text = typed(area, "3", "N", "R", "TEACH", "Q")
        assert f"{ATLAS_TAP} " in text and f"\n{says.PLAYS_WITHOUT}\n" in text
        assert "{TEACH}\nI LEARN NOTHING IN THIS SESSION.\n" in text
        assert Path(area.folder, ATLAS_TAP).read_bytes() == damaged
    assert area.names() == [ATLAS_TAP]
    area.rename(ATLAS_TAP, "OLD.TAP")
    typed(area, "3", "N", "R", "Q")
    assert store.parse(area.read(ATLAS_TAP)).games["WON"] == 1


@pytest.mark.source("BELL-TAPE")
def test_a_tape_that_takes_too_much_memory_is_never_written(area: Area) -> None:
    class Large(Area):
        def read(
            self, name: str, missing: str | None = None, sealed: bool = True
        ) -> str:
            raise MemoryError

    area.write(ATLAS_TAP, M3_M2)
    before = area.read(ATLAS_TAP)
    with pytest.raises(MemoryError):
        typed(Large(area.folder), "Q")
    assert area.read(ATLAS_TAP) == before


def test_the_first_position_is_one(area: Area) -> None:
    assert "\nI KNOW 1 POSITION NOW.\n" in typed(area, *"3Y123456", "Q")


@pytest.mark.usefixtures("hasty")
@pytest.mark.source("BELL-TAPE")
def test_another_session_learns_nothing(area: Area) -> None:
    area.write(ATLAS_TAP, M3_M2)
    other = Area(area.folder)
    first, second = together(area, other, "3", "Y", "P2", "RESIGN", "TEACH", "Q")
    told = "CANNOT WRITE ATLAS.TAP: ANOTHER SESSION IS USING IT."
    assert second.count(told) == 1
    assert f"FOR HELP.\n{told}  I LEARN NOTHING.\n" in second
    assert "I KNOW THAT M3-M2 LOSES." in second
    assert "{TEACH}\nI LEARN NOTHING IN THIS SESSION.\n" in second
    assert "I LEARN NOTHING" not in first
    assert "\nGAMES WON 1 LOST 1 " in area.read(ATLAS_TAP)
    typed(other, "3", "N", "R", "Q")
    assert "\nGAMES WON 2 LOST 1 " in area.read(ATLAS_TAP)
    # Both began before there was a folder that could hold a claim.
    new = f"{area.folder}/NEW"
    last, first = together(Area(new), Area(new), "3", "N", "R", "Q")
    assert "CANNOT WRITE ATLAS.TAP: ANOTHER SESSION" in last and "CANNOT" not in first
    assert "GAMES WON 1 " in Area(new).read(ATLAS_TAP)


def test_a_tape_that_went_is_written_anew(area: Area) -> None:
    memory = store.load(area)
    for _ in range(3):
        Path(area.folder, ATLAS_TAP).unlink(missing_ok=True)
        memory.count("WON", [])
        store.save(area, store.text_of(memory))
    assert "GAMES WON 3 " in area.read(ATLAS_TAP)


@pytest.mark.source("BELL-CLAIM")
def test_what_the_machine_has_seen_before_is_not_announced_again(area: Area) -> None:
    """A win or a loss is announced once, even if it rests on parameters first."""
    won = Position(((1, 2, 0, 3, 0, 1), (0, 2, 0, 1, 0, 6)), (16, 4), MACHINE)
    lost = Position(((0, 0, 0, 0, 1, 0), (1, 0, 1, 0, 0, 9)), (6, 18), MACHINE)
    for position, before, told in (
        (won, 998, "I WILL WIN.\nI PLAY M1-M2-M1"),
        (won, 999, "I PLAY M1-M2-M1"),
        (lost, -998, "WHATEVER I PLAY, YOU CAN WIN.\nI PLAY M5"),
        (lost, -999, "I PLAY M5"),
    ):
        game = Learner(Memory())
        turn = NODE_AFTER_P2.turns()[0]
        game.choices.append(Choice(NODE_AFTER_P2, turn, before))
        Session(tty := paper.Paper([]), area).my_turn(game, position)
        assert tty.text.startswith(told)


@pytest.mark.source("BELL-TAPE")
def test_what_a_game_has_taught_is_kept_when_c_ends_it(area: Area) -> None:
    page = typed(area, "3", "Y", *LOSES[:-1], "^C")
    assert "WHATEVER I PLAY, YOU CAN WIN." in page
    text = area.read("ATLAS.TAP")
    assert "\nGAMES WON 0 LOST 0 DRAWN 0 AGAIN 0\nREPLY M3-M2\nL 11 " in text
    assert text.endswith("\nEND 8\n")


@pytest.mark.source("BELL-TAPE")
def test_teach_writes_tape_before_a_line(area: Area, monkeypatch: MonkeyPatch) -> None:
    """With each 25th in a long TEACH, here each third; and at the end."""
    monkeypatch.setattr("sail.programs.atlas.dialogue.GAMES_A_LINE", 3)
    area.write(ATLAS_TAP, TEACH)
    on_tape: list[str] = []

    class Watched(paper.Paper):
        def type(self, text: str = "", end: str = "\n") -> None:
            if text.endswith("POSITIONS"):
                on_tape.extend(
                    re.findall("GAMES .* LOST ([0-9]+)", area.read(ATLAS_TAP))
                )
            super().type(text, end)

    Session(tty := Watched(["TEACH", "Q"]), area).run()
    lines = re.findall("(?m)^ +([0-9]+)  M.* POSITIONS$", tty.text)
    assert lines == on_tape == ["1", "4", "7"]


@pytest.mark.source("BELL-TAPE")
def test_what_is_learnt_is_on_the_tape_at_the_next_question(area: Area) -> None:
    """After a game, and after TEACH was stopped."""
    area.write(ATLAS_TAP, TEACH)
    games: list[str] = []

    def note(*_: str) -> None:
        games.append(area.read(ATLAS_TAP).split("\n")[1])

    tty = Eventful(["3", "Y", "R", "TEACH", "Q"], note)
    tty.polls = 165
    Session(tty, area).run()
    assert "POSITIONS\nSTOPPED.\n" in tty.text
    counts = ["WON 0 LOST 0", *["WON 0 LOST 0"] * 2, "WON 1 LOST 0", "WON 1 LOST 3"]
    assert games == [f"GAMES {count} DRAWN 0 AGAIN 0" for count in counts]


def test_the_manual_and_readme_have_the_counts_of_teach() -> None:
    """As tests/bench/atlas.py counted them."""
    root = Path(__file__).parents[2]
    counted = (root / "tests/bench/TABLES.txt").read_text("utf-8")
    line = r"(?m)^  (M[-M1-6]*) +(\d+) +(\d+)"
    listed = re.findall(line + "$", ATLAS_DOC)
    assert len(listed) == 10 and listed == re.findall(line, counted)
    games = sum(int(games) for _, games, _ in listed)
    assert f"in {games} games" in (root / "README.txt").read_text("utf-8")
    assert f"known to lose after {games} games" in MANUAL
    kept = re.findall(r"(?m)^  (?:plain|characteristics|and Fig. 6) +(\d+)", counted)
    assert "Ours keeps {}, {} and {}.".format(*kept) in MANUAL


def test_what_could_not_be_written_is_written_later(area: Area) -> None:
    fails = [1]

    class Full(Area):
        def write(self, name: str, text: str, new: bool = False) -> None:
            if fails and fails.pop():
                raise Refusal("THE DISK IS FULL.")
            super().write(name, text, new)

    page = typed(Full(area.folder), "3", "N", "R", "Q")
    assert page.count("THE DISK IS FULL.") == 1
    assert "GAMES WON 1 " in area.read(ATLAS_TAP)


def test_a_full_memory_is_announced_once_in_teach(area: Area) -> None:
    memory = store.parse(TEACH)
    memory.tables["M6"] = store.parse(full()).tables["M3-M2"]
    area.write(ATLAS_TAP, store.text_of(memory))
    told = "MY MEMORY OF M6 IS FULL (1280).  I PLAY ON.\n"
    assert typed(area, "TEACH", "Q").count(told) == 1
