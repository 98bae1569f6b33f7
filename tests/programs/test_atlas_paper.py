"""ATLAS on paper, and its tape: kept, damaged, shared with other sessions."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice, product
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from sail.board import Position
from sail.files.area import Area, AreaError
from sail.game import parse_turn
from sail.programs.atlas import says, store
from sail.programs.atlas.course import Course, Step
from sail.programs.atlas.dialogue import Atlas, run
from sail.programs.atlas.learner import Learner, notation
from sail.programs.atlas.lesson import LESSONS
from sail.programs.atlas.memory import REPLIES, Entry, Known, Memory, Played, pack
from sail.programs.atlas.minimax import FEAR, LOSS, NO_KNOWLEDGE, MiniMax
from sail.programs.atlas.parameters import FIG_6
from sail.programs.atlas.recorder import Recorder
from sail.programs.atlas.store import TAPE, DamagedTape, Store
from sail.programs.atlas.turns import MACHINE, PLAYER, Node, Turns
from sail.refusal import Refusal
from sail.stop import Stop
from tests import paper
from tests.errors import refused

# Figure 8 is known to lose.
M3_M2 = """\
3-STONE KALAH, WHAT ATLAS KNOWS
GAMES WON 0 LOST 1 DRAWN 0 AGAIN 0
KALAHS 2 1  WON 0 LOST 1
REPLY M3-M2
L 2  5 0 0 3 3 4  4 0 3 3 4 4
END 1
"""
# The kinds of lines on the first tapes; they must be read forever.
CLAIMS = """\
3-STONE KALAH, WHAT ATLAS KNOWS
GAMES WON 9 LOST 1 DRAWN 0 AGAIN 0
KALAHS 2 1  WON 9 LOST 1
KALAHS 16 4  WON 20 LOST 1
REPLY M3-M2
W 16+  1 2 X X X X  X X X X X X
W 7+  0 0 2 0 0 6  X X X 5+ X X
L 9  0 0 4 1 0 1  1 2 1 1 0 1
END 3
"""
# The kinds that came later: the player's threats, and entries by parameters.
MEMORY = """\
3-STONE KALAH, WHAT ATLAS KNOWS
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
L 14+  X 1+ X X X X  1 0 1 1 2 1
PW 10  0 1 3 2 0 1  4 1 0 1 5 5
END 6
"""


def tape_of(*replies: str, value: int = FEAR) -> str:
    """A tape of no games: each reply has this value."""
    learner = Learner(Memory())
    for turn in learner.turns.of(learner.opening):
        reply = notation(turn.pits)
        if reply in replies:
            after = learner.opening.after(turn)
            Recorder(learner, reply).add(after, value)
    return store.write(learner.memory)


def full() -> str:
    """A tape on which the part of M3-M2 has no room."""
    memory = Memory()
    memory.learn(Played("LOST", ((2, 1),)))
    for pits in islice(product(range(6), repeat=4), 1280):
        p = 1, 0, 0, 0, 0, 33 - sum(pits)
        memory.learn(Known("M3-M2", Entry(False, 0, (*pits, 1, 0), p)))
    return store.write(memory)


# The moves of a game that the machine loses with a blank tape.
LOSES = ["P2", "P1", "P6", "P3", "P1-P2-P1-P4", "P1-P5", "P1-P2-P1-P3"]
# Kalahs of 16 are as good as won, and nothing else is known of kalahs.
FIGURE = M3_M2.replace("REPLY", "KALAHS 16 10  WON 10 LOST 0\nREPLY", 1)

TAPES = {
    "ours-atlas-taught": M3_M2,
    "ours-atlas-game": M3_M2,
    "ours-atlas-figure": FIGURE,
    "ours-atlas-claim": CLAIMS,
    "ours-atlas-memory": MEMORY,
    "ours-atlas-damaged": M3_M2[:-6],
    "ours-atlas-full": full(),
    "ours-atlas-doubt": tape_of("M3-M2"),
    "ours-atlas-fear": tape_of(*REPLIES),
    "ours-atlas-teach": tape_of(*REPLIES[:-1], value=LOSS),
    "ours-atlas-room": M3_M2,
}


@pytest.fixture
def area(tmp_path: Path) -> Area:
    return Area(str(tmp_path), shelf=str(Path(__file__).parents[2] / "saves"))


def typed(area: Area, *keys: str) -> str:
    """The paper when these lines are typed."""
    return paper.play(lambda tty: run(tty, area, lambda: 0.0), list(keys))


def put_old_tapes(count: int, area: Area) -> None:
    for number in range(1, count + 1):
        Path(area.folder, f"ATLAS.{number:03}").write_text("OLD")


@paper.each("*-atlas-*.txt")
@pytest.mark.source(
    "BELL-III", "BELL-III.RED", "BELL-GAME", "BELL-V.1", "BELL-CLAIM", "BELL-PARAM",
    "BELL-OFFLINE", "BELL-IV.1.PRINT",
)  # fmt: skip
def test_transcript(file: Path, area: Area) -> None:
    if file.stem == "ours-atlas-room":
        put_old_tapes(999, area)
    if file.stem in TAPES:
        area.write("ATLAS.TAP", TAPES[file.stem])
    paper.compare(file, lambda keys: typed(area, *keys))


def test_a_full_memory_is_not_announced_after_another_game(area: Area) -> None:
    area.write("ATLAS.TAP", full())
    page = typed(area, "3", "Y", *LOSES, "4", "Y", "Q", "Q")
    assert page.count("MY MEMORY OF M3-M2 IS FULL (1280).  I PLAY ON.") == 1


def test_one_line_after_a_lost_game_tells_how_to_see_what_it_learned(
    area: Area,
) -> None:
    """A game that it wins needs none, nor one from which it does not learn."""
    one_stone = ["2", "1", "3", "2", "6"]
    games = ["3", "Y", *LOSES, "3", "Y", "RESIGN", "1", "Y", *one_stone]
    page = typed(area, *games, "MEMORY M3-M2", "Q")
    told = "MEMORY SHOWS WHAT I LEARNED.  MEMORY M3-M2 SHOWS THE LAST POSITION.\n"
    assert page.count("YOU WIN.\n") == 2 and page.count("MEMORY SHOWS") == 1
    assert f"YOU WIN.\nI KNOW 8 POSITIONS NOW.\n{told}" in page
    assert "{MEMORY M3-M2}\nI AM TO MOVE AND WIN:\n" in page


@pytest.mark.source("BELL-GAME", "BELL-GAME.6", "BELL-GAME.9")
def test_the_game_of_figure_2_is_played_as_the_manual_says(area: Area) -> None:
    """From the tape shown there; without what it says of kalahs move 6 is another."""
    manual = Path(says.__file__).with_name("ATLAS.DOC").read_text("utf-8")
    shown = re.findall("(?m)^  (3-STONE.*\n(?:  .*\n)+)", manual)
    assert len(shown) == 2  # the other has the parameters of Fig. 6
    taught = shown[0].replace("\n  ", "\n")
    game = ["3", "Y", "P2", "P1", "P3-P1-P4", "P5-P3-P6", "RESIGN", "Q"]
    told = " ".join(manual.split())
    assert "play P2, P1, P3-P1-P4, P5-P3-P6 and RESIGN" in told
    answers = []
    for text in (taught, re.sub("KALAHS.*\n", "", taught)):
        area.write(TAPE, text)
        page = typed(area, *game)
        answers.append(re.findall("(?m)^I (?:PLAY )?(M.*|W.*)\\.$", page))
    first = ["M1", "M3-M1-M4-M1-M6"]
    assert answers[0] == [*first, "WILL WIN", "M5-M1-M2", "M1-M3-M1-M4", "WIN"]
    assert answers[1][:3] == [*first, "M5-M1-M3-M1-M2"]


@pytest.mark.source("BELL-FIGURES", "BELL-DEFAULT")
def test_the_manual_tells_what_is_missing_and_how_the_program_starts(
    area: Area,
) -> None:
    manual = " ".join(Path(says.__file__).with_name("ATLAS.DOC").read_text().split())
    assert "Our text lacks the boards" in manual and "8 mm film" in manual
    assert "Inferences are off at first" in manual
    assert "\nCHARACTERISTICS ON, PARAMETERS ON, INFERENCES OFF.\n" in typed(
        area, "MEMORY", "Q"
    )


@pytest.mark.source("BELL-V.2")
def test_the_counts_with_parameters_come_from_the_tape_that_the_manual_tells(
    area: Area,
) -> None:
    rows = ""
    for mk, pk in sorted(FIG_6.items())[:-1]:
        rows += f"KALAHS {mk} {pk}  WON 9000 LOST 0\n"
        if mk < 18:
            rows += f"KALAHS {mk} {pk + 1}  WON 0 LOST 9000\n"
    area.write(TAPE, store.write(Memory()).replace("END", rows + "END"))
    manual = Path(says.__file__).with_name("ATLAS.DOC").read_text("utf-8")
    for line in re.findall("(?m)^  (KALAHS .* 9000.*\n)", manual):
        assert line in rows
    page = typed(area, "TEACH M3-M2", "Q")
    assert page.count(" LOST ") == 50 and "  228 ENTRIES\nM3-M2 COUNTS" in page


def test_a_pit_after_the_end_is_refused_as_that() -> None:
    """P1 brings the last stone of the player home."""
    position = Position(((1, 0, 2, 0, 0, 3), (1, 0, 0, 0, 0, 0)), (12, 17), PLAYER)
    told = "PIT 4 CANNOT FOLLOW, PIT 1 ENDS THE GAME.  NOTHING WAS PLAYED."
    with pytest.raises(Refusal, match=told):
        parse_turn(position, "P1-P4")
    assert parse_turn(position, "P1") == (1,)


def test_who_only_looks_in_leaves_no_tape(area: Area) -> None:
    typed(area, "MEMORY", "Q")
    assert not area.names()


@pytest.mark.source("BELL-TAPE")
def test_the_tape_there_and_back() -> None:
    for text in (M3_M2, CLAIMS, MEMORY, full(), store.write(Memory())):
        assert store.write(store.read(text)) == text
        assert max(map(len, text.splitlines())) <= 72


@pytest.mark.source("BELL-TAPE")
def test_damage_is_reported_with_its_line() -> None:
    lines = CLAIMS.split("\n")
    for number in range(1, len(lines)):
        for damaged in ("", "?", lines[number - 1] + " 1", lines[number - 1][:-1]):
            changed = "\n".join([*lines[: number - 1], damaged, *lines[number:]])
            with refused(DamagedTape, says.DAMAGED.format(TAPE, number)):
                store.read(changed)
    for cut in range(len(CLAIMS) - 1):
        with pytest.raises(DamagedTape):
            store.read(CLAIMS[:cut])


@pytest.mark.parametrize(
    "line",
    [
        "W 19  1 2 0 0 0 0  1 0 0 0 0 0",  # won already
        "W 7  1 2 0 0 0 0  0 0 0 0 0 0",  # over already
        "W 1  0 0 0 0 0 1  1 0 0 0 0 0",  # the player has more than half
        "W 9  9 9 9 9 9 9  9 9 9 9 9 9",  # too many stones
        "L 16+  1 2 X X X X  X X X X X X",  # the player's pits are kept
        "PW 15+  1 2 X X X X  X X X X X X",  # with parameters every pit is kept
        "PL 9  0 0 4 1 0 1  1 2 1 1 0 1",  # it is known
        "W 13  0 2 1 2 5 0  2 3 0 0 0 0 ",
        "W 13  0 2 1 2 5 0  2 3 0 0 0",
        "W 13  0 2 1 2 5 0  2 3 0 0 0 0 0",
        f"W {'9' * 5000}  0 2 1 2 5 0  2 3 0 0 0 0",
        f"W 13  0 2 1 2 5 0  {'0' * 5000}2 3 0 0 0 0",
        "W 16+  X 2 X X X X  X X X X X X",
        "W 16+  1 2 X X X X  2+ X X X X 1+",
        "L 9  0 0 4 1 0 1  1 2 1 1 0 1",  # twice
        "W 07  1 2 0 0 0 0  9 9 0 0 0 0",
        "KALAHS 30 10  WON 1 LOST 0",  # more than 36
        "KALAHS 16 4  WON 1 LOST 0",  # twice
        "KALAHS 16 -4  WON 1 LOST 0",
        "KALAHS 016 5  WON 1 LOST 0",
        "KALAHS 16 5  WON 1000000000 LOST 0",
        f"KALAHS {'9' * 5000} 5  WON 1 LOST 0",
    ],
)
def test_an_entry_or_kalahs_that_cannot_be_are_damage(line: str) -> None:
    before, number = ("REPLY", 5) if line[0] == "K" else ("END", 9)
    with pytest.raises(DamagedTape, match=f"LINE {number}"):
        store.read(CLAIMS.replace(before, f"{line}\n{before}"))


def test_entries_at_the_limits_are_read() -> None:
    """No stone in a kalah, and half of all in one."""
    for line in (
        "W 0  3 3 3 3 3 3  3 3 3 3 3 3",
        "W 18  1 0 0 0 0 0  0 0 0 0 0 1",
        "L 1  0 0 0 0 0 1  16 0 0 0 0 0",
        "W 18+  1 X X X X X  X X X X X X",
    ):
        assert str(store.read_entry(line)) == line
    text = CLAIMS.replace("REPLY", "KALAHS 18 18  WON 1 LOST 0\nREPLY")
    assert store.write(store.read(text)) == text


def test_more_games_than_the_tape_can_count() -> None:
    memory = Memory()
    memory.games["WON"] = 10**9 + 5
    memory.parameters.counts[16, 4] = 10**12, 3
    text = store.write(memory)
    assert "GAMES WON 999999999 LOST 0" in text
    assert "KALAHS 16 4  WON 999999999 LOST 3" in text
    assert store.write(store.read(text)) == text


@pytest.mark.source("BELL-TAPE", "BELL-V.DEMO")
def test_a_damaged_tape_is_never_written(area: Area) -> None:
    for damaged in (b"NO TAPE", b"\xff\xfe", M3_M2[:50].encode()):
        Path(area.folder, TAPE).write_bytes(damaged)
        text = typed(area, "3", "N", "R", "Q")
        assert f"{TAPE} " in text and says.SET_ASIDE in text
        assert Path(area.folder, TAPE).read_bytes() == damaged
    assert area.names() == [TAPE]
    text = typed(area, "NEW", "N", "NEW", "Y", "3", "N", "R", "Q")
    assert says.NEW_DONE.format("ATLAS.001") in text
    assert Path(area.folder, "ATLAS.001").read_bytes() == damaged
    assert store.read(area.read(TAPE)).games == {
        "WON": 1, "LOST": 0, "DRAWN": 0, "AGAIN": 0,
    }  # fmt: skip
    typed(area, "NEW", "Y", "Q")
    assert area.names() == ["ATLAS.001", "ATLAS.002", TAPE]


@pytest.mark.source("BELL-TAPE")
def test_a_crash_while_writing_leaves_the_tape(
    area: Area, monkeypatch: MonkeyPatch
) -> None:
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
    memory.learn(Played("WON", ()))
    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", crash)
        with pytest.raises(AreaError):
            store.save(memory)
    assert store.save(memory).games["WON"] == 1  # the next time it is there


def test_what_nobody_else_has_written_is_not_read_again(area: Area) -> None:
    area.write(TAPE, M3_M2)
    store = Store(area)
    memory = store.load()
    for _ in range(2):
        memory.learn(Played("WON", ()))
        assert store.save(memory) is memory
    store.new()
    memory = Memory()
    memory.learn(Played("WON", ()))
    assert store.save(memory) is memory


def test_what_a_damaged_session_has_learnt_is_not_lost_by_others(area: Area) -> None:
    """The tape is damaged while a session goes on: it stays as it is."""
    store = Store(area)
    memory = store.load()
    memory.learn(Played("WON", ()))
    area.write("ATLAS.TAP", "NO TAPE\n")
    with pytest.raises(DamagedTape, match="LINE 1"):
        store.save(memory)
    assert not store.keeps and memory.games["WON"] == 1
    assert store.save(memory) is memory
    assert area.read("ATLAS.TAP") == "NO TAPE\n"


SESSIONS, GAMES = 6, 40


def together(deed: Callable[[Store, int], None], area: Area) -> None:
    """Run the deed in several sessions at the same time."""

    def session(number: int) -> None:
        deed(Store(Area(area.folder)), number)

    with ThreadPoolExecutor(SESSIONS) as pool:
        list(pool.map(session, range(SESSIONS)))


@pytest.mark.source("BELL-TAPE")
def test_the_games_of_sessions_at_the_same_time_add_up(area: Area) -> None:
    def play(store: Store, number: int) -> None:
        memory = store.load()
        for game in range(GAMES):
            pits = (7, game % 6, number, 0, 0, 0)
            memory.learn(Known("M1", Entry(False, 3, (0,) * 5 + (9,), pits)))
            memory.learn(Played("LOST", ((3, number),)))
            memory = store.save(memory)

    together(play, area)
    memory = Store(area).load()
    assert memory.games["LOST"] == 240
    assert len(memory.parts["M1"]) == 36
    assert memory.parameters.counts == {(3, number): (0, 40) for number in range(6)}


@pytest.mark.source("BELL-TAPE")
def test_new_tapes_at_the_same_time_keep_every_old_one(area: Area) -> None:
    def play(store: Store, _: int) -> None:
        for _ in range(8):
            memory = store.load()
            memory.learn(Played("WON", ()))
            store.save(memory)
            store.new()

    together(play, area)
    names = area.names()
    assert names == [f"ATLAS.{number:03}" for number in range(1, 49)] + ["ATLAS.TAP"]
    tapes = [store.read(area.read(name)) for name in names]
    assert sum(memory.games["WON"] for memory in tapes) == 48


def test_a_tape_that_went_is_written_anew(area: Area) -> None:
    store = Store(area)
    memory = store.load()
    for _ in range(2):
        memory.learn(Played("WON", ()))
        memory = store.save(memory)
        area.remove("ATLAS.TAP")
    memory.learn(Played("WON", ()))
    store.save(memory)
    assert "GAMES WON 3 " in area.read("ATLAS.TAP")


@pytest.mark.source("BELL-CLAIM")
def test_what_the_machine_has_seen_before_is_not_announced_again(area: Area) -> None:
    """A win or a loss is announced once, even if it rests on parameters first."""
    won = Position(((1, 2, 0, 3, 0, 1), (0, 2, 0, 1, 0, 6)), (16, 4), MACHINE)
    lost = Position(((0, 0, 0, 0, 1, 0), (1, 0, 1, 0, 0, 9)), (6, 18), MACHINE)
    for position, before, told in (
        (won, 998, "I WILL WIN.\nI PLAY M1-M2-M1"),
        (won, 999, "I PLAY M1-M2-M1"),
        (lost, -998, "YOU CAN WIN WHATEVER I PLAY.\nI PLAY M5"),
        (lost, -999, "I PLAY M5"),
    ):
        tty = paper.Paper([])
        dialogue = Atlas(tty, area, lambda: 0.0)
        game = Course(Learner(Memory()))
        opening = game.learner.opening
        turn = game.learner.turns.of(opening)[0]
        game.steps.append(Step(opening, turn, before))
        dialogue.my_turn(game, position)
        assert tty.text.startswith(told)


class Beginner:
    """Plays by look-ahead alone, in place of the teacher."""

    def __init__(self, turns: Turns, _: Stop) -> None:
        self.minimax = MiniMax(turns)

    def plans(self, _: Position) -> bool:
        return True

    def turn(self, position: Position) -> tuple[int, ...]:
        m, p, mk, pk = self.minimax.turns.node(position)
        return self.minimax.choose(Node(p, m, pk, mk), lambda _: NO_KNOWLEDGE).turn.pits


def taught(area: Area, polls: int, seconds: float) -> paper.Paper:
    """Stop TEACH after some polls; the clock moves on at each look."""
    tty = paper.Paper(["TEACH", "Q"])
    tty.polls = polls
    clock = count(0.0, seconds)
    Atlas(tty, area, lambda: next(clock)).run()
    return tty


@pytest.mark.source("BELL-TAPE")
def test_what_is_learnt_is_on_the_tape_at_the_next_question(
    area: Area, monkeypatch: MonkeyPatch
) -> None:
    """After a game, and after TEACH was stopped."""
    monkeypatch.setattr("sail.programs.atlas.lesson.Teacher", Beginner)
    games: list[str] = []

    class Reading(paper.Paper):
        def ask(self, prompt: str = "") -> str:
            games.append(area.read(TAPE).split("\n")[1] if area.has(TAPE) else "")
            return super().ask(prompt)

    tty = Reading(["3", "Y", "R", "TEACH", "Q"])
    tty.polls = 60
    Atlas(tty, area, lambda: 0.0).run()
    assert tty.text.count(" ENTRIES\n") == 4 and "\nSTOPPED.\n" in tty.text
    assert tty.text.count(f"{says.GAME_HEAD}\n    1  ") == 1
    assert tty.text.count(says.GAME_HEAD) == 1
    assert games == [
        "", "", "",
        "GAMES WON 1 LOST 0 DRAWN 0 AGAIN 0",
        "GAMES WON 1 LOST 4 DRAWN 0 AGAIN 0",
    ]  # fmt: skip


@pytest.mark.source("BELL-TAPE")
def test_what_a_game_has_taught_is_kept_when_c_ends_it(area: Area) -> None:
    page = typed(area, "3", "Y", *LOSES[:-1], "^C")
    assert "YOU CAN WIN WHATEVER I PLAY." in page
    text = area.read("ATLAS.TAP")
    assert "\nGAMES WON 0 LOST 0 DRAWN 0 AGAIN 0\nREPLY M3-M2\nL 11 " in text
    assert text.endswith("\nEND 8\n")


class Counting(Area):
    """Counts how often a file is changed; the first times may fail."""

    changes = 0
    fails = 0

    def change(self, name: str, edit: Callable[[str | None], str | None]) -> None:
        self.changes += 1
        if self.changes <= self.fails:
            raise AreaError("THE DISK IS FULL.")
        super().change(name, edit)


def test_teach_writes_the_tape_when_20_seconds_have_passed(
    tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    """And once at the end.  The clock is read after each game, and each writing."""
    monkeypatch.setattr("sail.programs.atlas.lesson.Teacher", Beginner)
    for seconds, changes in (5.0, 3), (5.2, 4):
        area = Counting(str(tmp_path))
        taught(area, 184, seconds)
        games = store.read(area.read(TAPE)).games
        area.remove(TAPE)
        assert (games["WON"] + games["LOST"], area.changes) == (12, changes)


def test_on_slow_paper_teach_types_each_25th_game(
    area: Area, monkeypatch: MonkeyPatch
) -> None:
    """Slow paper takes more than a second for a row."""
    monkeypatch.setattr("sail.programs.atlas.lesson.Teacher", Beginner)
    for seconds, rows in (1.0, 27), (1.1, 2):
        text = taught(area, 370, seconds).text
        area.remove(TAPE)
        games = re.findall("(?m)^ +([0-9]+)  M.* ENTRIES$", text)
        assert len(games) == rows
        told = text.count("\nFROM NOW ON I TYPE EVERY 25TH GAME.\n   25  ")
        assert told == (rows == 2)


def test_teach_says_how_many_games_to_expect(area: Area) -> None:
    """Those of all replies, of what is not yet known, up to the one that is wanted."""
    rest = [reply for reply in REPLIES if reply not in ("M3-M2", "M6")]
    for text, keys, games in (
        (tape_of(), "TEACH", 1190),
        (tape_of(), "TEACH M3-M2", 140),
        (tape_of(), "TEACH M1", 526),
        (tape_of("M3-M2", value=LOSS), "TEACH M1", 386),
        (tape_of(*rest, value=LOSS), "TEACH", 147),
    ):
        area.write(TAPE, text)
        tty = paper.Paper([keys, "Q"])
        tty.polls = 1
        Atlas(tty, area, lambda: 0.0).run()
        told = re.findall(r"\nTHAT TAKES ABOUT (\d+) GAMES\.  \^C STOPS", tty.text)
        assert told == [str(games)]


def test_the_manual_and_readme_have_the_games_of_the_lesson() -> None:
    manual = Path(says.__file__).with_name("ATLAS.DOC").read_text("utf-8")
    table = re.findall(r"(?m)^  (M[-M1-6]*) +(\d+) +\d+$", manual)
    assert {reply: int(games) for reply, games in table} == LESSONS
    games = sum(LESSONS.values())
    readme = Path(__file__).parents[2] / "README.txt"
    assert f"in {games} games" in readme.read_text("utf-8")
    assert f"known to lose after {games} games" in " ".join(manual.split())


@pytest.mark.source("BELL-TAPE")
def test_what_was_learned_with_inferences_on_is_used_with_them_off(area: Area) -> None:
    """Tapes were written so by default once; they are read forever."""
    area.write(
        TAPE,
        "3-STONE KALAH, WHAT ATLAS KNOWS\n"
        "GAMES WON 0 LOST 1 DRAWN 0 AGAIN 0\n"
        "KALAHS 11 15  WON 0 LOST 1\n"
        "REPLY M3-M2\n"
        "L 11  0 1 0 0 2 0  1 1 0 0 6 1\n"
        "L 14+  X 1+ X X X X  1 2 1 1 0 1\n"
        "END 2\n",
    )
    game = ["3", "Y", *LOSES[:5], "Q"]
    page = typed(area, *game, "MEMORY", "Q")
    assert "I KNOW THAT M3-M1-M6 LOSES.  I TRY ANOTHER.\nI PLAY M3-M6.\n" in page
    assert "INFERENCES OFF.\n" in page
    part = store.read(area.read(TAPE)).parts["M3-M2"]
    m, p = pack((0, 9, 0, 0, 0, 0)), pack((1, 2, 1, 1, 0, 1))
    assert part.loser(m, p, 7) == LOSS  # 14 in the player's kalah


def test_memory_can_be_looked_at_in_a_game(area: Area) -> None:
    keys = ["3", "Y", "MEMORY", "M", "MEMORY M3-M2 1", "MEMORY M9", "2", "CONC", "Q"]
    area.write(TAPE, M3_M2)
    page = typed(area, *keys)
    assert page.count("REPLY  WINNERS  LOSERS\n") == 2
    assert "{MEMORY M3-M2 1}\nYOU ARE TO MOVE AND I LOSE:\n" in page
    assert "{MEMORY M9}\nM9 IS NOT A REPLY TO P2." in page
    assert "YOUR MOVE? {CONC}\nI WIN.\n" in page


def test_new_keeps_what_could_not_be_written_before(tmp_path: Path) -> None:
    area = Counting(str(tmp_path))
    area.fails = 1
    page = typed(area, "3", "N", "R", "NEW", "Y", "Q")
    assert page.count("THE DISK IS FULL.") == 1
    assert "GAMES WON 1 " in area.read("ATLAS.001")


def test_a_new_tape_is_blank_at_once_and_stays_so(area: Area) -> None:
    area.write(TAPE, M3_M2)
    put_old_tapes(998, area)
    page = typed(area, "MEMORY M3-M2 1", "NEW", "Y", "MEMORY M3-M2 1", "Q")
    before, after = page.split("THE TAPE IS BLANK.  THE OLD ONE IS ATLAS.999.")
    assert "YOU ARE TO MOVE AND I LOSE:" in before and "I LOSE:" not in after
    assert area.read("ATLAS.999") == M3_M2
    assert not len(store.read(area.read(TAPE)))


def test_a_full_memory_is_announced_once(area: Area, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr("sail.programs.atlas.lesson.Teacher", Beginner)
    area.write("ATLAS.TAP", full())
    tty = taught(area, 60, 0.0)
    assert tty.text.count(" ENTRIES\n") > 2
    assert tty.text.count("MY MEMORY OF M3-M2 IS FULL (1280).  I PLAY ON.\n") == 1


def test_rubbish_is_answered_in_one_line(area: Area) -> None:
    before = ["", "7", "0", "33", "TEACH 3", "MEMORY M9", "MEMORY M1 X", "NEW 1", "é"]
    before += ["MEMORY M1 99999", "TEACH M1 M2", "MEMORY M1 1 1"]
    switches = ["C MAYBE", "P OFF", "P", "I OFF", "I ON", "I OFF OFF", "MEMORY"]
    game = ["3", "X", "Y", "", "7", "P9", "P1-P1", "1", "1-", "21111", "I", "-", "q"]
    text = typed(area, *before, *switches, *game, "q")
    assert max(map(len, text.splitlines())) <= 72 + 2  # the braces of a key
    assert "\nINFERENCES ON.\n" in text
    assert "\nCHARACTERISTICS ON, PARAMETERS OFF, INFERENCES ON.\n" in text
    assert text.endswith("STONES A PIT, OR TEACH? {q}\n")


@pytest.mark.parametrize("digits", ["0" * 5000 + "4", "4" * 5000])
def test_long_numbers(area: Area, digits: str) -> None:
    zeros = digits[0] == "0"
    keys = [digits, *["Q"] * zeros, f"MEMORY M1 {digits}", "4", "Y", digits, "Q", "Q"]
    text = typed(area, *keys)
    if zeros:
        assert text.count("I LEARN ONLY FROM GAMES WITH 3 STONES") == 2
        assert "THERE IS NO PIT 0." in text
    else:
        assert "PIT 4 IS EMPTY.  NOTHING WAS PLAYED." in text
    assert "M1 HAS NO ENTRIES." in text
