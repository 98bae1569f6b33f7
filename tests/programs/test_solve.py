"""SOLVE on paper, and the printed tables."""

from __future__ import annotations

import re
import shutil
import zlib
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from sail.board import ISK_RULES, STANDARD_RULES, Position, Rules, start
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.moves import MoveTable
from sail.files import values
from sail.files.area import Area, AreaError
from sail.files.seal import Damaged
from sail.programs.solve import databases, printed, says, tables, walk
from sail.programs.solve import dialogue as solve
from sail.programs.solve.tables import Tables
from sail.stop import Stop
from sail.teletype import EndOfInput
from tests import paper, samples
from tests.conftest import Pins
from tests.stand_ins import SAVES, Interrupted, Narrow, Stopping, standing_still

QUICK_GAMES = [
    (4, 1), (4, 2), (4, 3), (4, 4), (5, 1), (5, 2), (5, 3), (6, 1), (6, 2), (6, 3),
]  # fmt: skip


ROWS = MoveTable(3, 5, True)


def session(
    keys: list[str], folder: Path, kind: type[paper.Paper] = paper.Paper
) -> str:
    """The paper of a session in an area with the positions that are shipped."""
    folder.mkdir(exist_ok=True)
    for position in SAVES.glob("*.POS"):
        shutil.copy(position, folder)
    samples.put(folder)
    area = Area(str(folder))
    tty = kind(keys)
    with suppress(EndOfInput):
        solve.run(tty, area, standing_still)
    assert not tty.keys
    return tty.text


@pytest.mark.source("ISK-RULES", "ISK-T9", "ISK-T2", "ISK-T6", "ISK-DB")
@paper.each("*-solve-*.txt")
def test_transcript(file: Path, tmp_path: Path) -> None:
    kind = Stopping if file.stem == "ours-solve-stopped" else paper.Paper
    paper.compare(file, lambda keys: session(keys, tmp_path, kind))


def test_prove_answers_without_the_values_on_file(tmp_path: Path) -> None:
    text = session(["6", "4", "N", "PROVE", "PROVE", "Q", "Q"], tmp_path, Stopping)
    on_file, *proofs = text.split("{PROVE}")
    assert "VALUE 8: A WINS BY 8." in on_file
    for proof in proofs:
        assert proof.startswith("\nBUILDING ENDGAMES TO 18 STONES.\nSTOPPED.\n")
        assert "\nVALUE FROM -46 TO 48\n" in proof


def test_a_damaged_file_of_values_is_named_and_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(_: Position) -> None:
        raise Damaged("VALUES.TXT", 9)

    monkeypatch.setattr(values, "find", damaged)
    text = session(["6", "4", "N", "Q", "Q"], tmp_path, Stopping)
    assert text.count("\nVALUES.TXT IS DAMAGED AT LINE 9.\n") == 1
    assert "\nVALUE FROM -46 TO 48\n" in text


def test_a_walk_goes_on_from_the_values_on_file_with_proofs(tmp_path: Path) -> None:
    text = session(["6", "4", "N", "41", "1", "5", "ALL", "Q", "Q"], tmp_path, Stopping)
    assert text.count("THIS IS ON FILE.") == 3
    assert text.count("STOPPED.") == 2
    assert "{5}\n" in text


@pytest.mark.source("ISK-T9", "ISK-MTD")
@pytest.mark.parametrize("m, n", QUICK_GAMES)
def test_our_perfect_game_is_the_printed_one(m: int, n: int) -> None:
    game = start(n, m, ISK_RULES)
    solver = Tables(lambda: False, standing_still, 72).solver(m, n)
    assert tables.notation(game, solver.line(game))[0] == printed.GAMES[m, n][1]


@pytest.mark.source("ISK-T9", "ISK-T10")
def test_the_last_tables_are_typed_by_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printed, "GAMES", {(4, 1): (2, "32-32-1")})
    monkeypatch.setattr(printed, "RESULTS", {(1, 1): "D"})
    text = session(["t9", "t10", "q"], tmp_path)
    assert "{t9}\nTABLE 9. GAME VALUES" in text
    assert "6 OF 6 POSITIONS PROVED TO KEEP THE VALUE." in text
    assert "{t10}\nTABLE 10. SUMMARY" in text
    assert "\n  1 D\n" in text


@pytest.mark.source("ISK-T9")
def test_the_notation_is_that_of_the_paper() -> None:
    game = start(1, rules=ISK_RULES)
    pits = (1, 2, 1, 2, 3, 3, 4)
    assert tables.notation(game, pits) == ("54-54-3-3-2", "12-12-3-3-4")


def test_long_lines_are_folded_at_a_dash() -> None:
    lines = list(tables.folded("GAME " + "123-" * 40 + "4", 72, 5))
    assert all(len(line) <= 72 for line in lines)
    assert "".join(line.strip() for line in lines) == "GAME " + "123-" * 40 + "4"
    assert lines[0][-1] == "-"
    assert list(tables.folded("1-" * 36, 72, 5)) == ["1-" * 36]
    assert list(tables.folded("1-" * 36 + "2", 72, 5)) == [
        "1-" * 20,
        "     " + "1-" * 16 + "2",
    ]
    assert list(tables.folded("1" * 11, 8, 2)) == ["1" * 8, "  111"]


def told(area: Area, stones: int, rows: MoveTable = ROWS) -> list[str]:
    """The lines typed when so many stones are asked for, checked against ours."""
    tty = paper.Paper([])
    found = databases.load_or_build(area, rows, stones, tty)
    assert found
    assert found.values == endgame.build(rows, found.stones).values
    return [str(found.stones), *tty.text.splitlines()]


@pytest.mark.source("ISK-DB")
def test_a_database_is_kept_and_checked(tmp_path: Path) -> None:
    area = Area(str(tmp_path))
    building = "BUILDING ENDGAMES TO {} STONES."
    assert databases.load_or_build(area, ROWS, 0, paper.Paper([])) is None
    assert told(area, 6) == ["6", building.format(6)]
    assert [told(area, stones) for stones in (0, 5, 6)] == [["6"]] * 3
    assert told(area, 7) == ["7", building.format(7)]
    assert told(area, 0) == ["7"]
    contents = bytearray(area.read_bytes("END3E.DB"))
    contents[-3] ^= 9
    area.write_bytes("END3E.DB", bytes(contents))
    assert told(area, 6) == ["6", says.FOREIGN.format("END3E.DB"), building.format(6)]
    assert area.read_bytes("END3E.DB") == bytes(contents)
    area.remove("END3E.DB")
    (tmp_path / "END3E.DB").mkdir()
    assert told(area, 6)[:2] == ["6", building.format(6)]
    assert len(told(area, 6)) == 3


@pytest.mark.source("ISK-DB")
def test_a_database_that_cannot_be_read_is_told_and_stays(tmp_path: Path) -> None:
    class Unread(Area):
        def read_bytes(self, name: str, most: int = 0) -> bytes:
            raise AreaError(f"{name} CANNOT BE READ.")

    (tmp_path / "END3E.DB").write_text("KEPT")
    lines = ["6", "END3E.DB CANNOT BE READ.", "BUILDING ENDGAMES TO 6 STONES."]
    assert told(Unread(str(tmp_path)), 6) == lines
    assert (tmp_path / "END3E.DB").read_text() == "KEPT"


def test_a_database_that_came_meanwhile_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    area = Area(str(tmp_path))
    real = endgame.build
    theirs = databases.to_bytes(real(ROWS, 7))
    for meanwhile, line in ((theirs, []), (b"X", [says.FOREIGN.format("END3E.DB")])):

        def build(moves: MoveTable, stones: int, *stop: object) -> endgame.Database:
            area.write_bytes("END3E.DB", meanwhile)  # noqa: B023
            return real(moves, stones)

        with monkeypatch.context() as patch:
            patch.setattr(endgame, "build", build)
            tty = paper.Paper([])
            assert databases.load_or_build(area, ROWS, 6, tty)
        assert tty.text.splitlines() == ["BUILDING ENDGAMES TO 6 STONES.", *line]
        assert area.read_bytes("END3E.DB") == meanwhile
        area.remove("END3E.DB")


def test_a_database_of_old_can_be_read(tmp_path: Path) -> None:
    """Byte by byte, as it was first written."""
    contents = (
        b"KALAH ENDGAMES 1\n"
        b"\x03\x02\x00"  # stones, pits, captures from empty
        b"\xc9bJ\xf2"  # check sum
        b"@@???@BAAC??ACAA"
    )
    area = Area(str(tmp_path))
    area.write_bytes("END2N.DB", contents)
    assert told(area, 3, MoveTable(2, 3, False)) == ["3"]


@pytest.mark.source("ISK-DB")
def test_a_file_is_used_where_none_would_be_built(tmp_path: Path, pinned: Pins) -> None:
    """24 stones in play: without it, the effort is much larger."""
    area = Area(str(tmp_path))
    moves = MoveTable(4, 5, True)
    contents = databases.to_bytes(endgame.build(moves, 10))
    area.write_bytes("END4E.DB", contents)
    tty = paper.Paper(["4", "3", "Y", "Q", "Q"])
    solve.run(tty, area, standing_still)
    assert "BUILDING" not in tty.text
    effort = re.findall(r"AT (?:MOST|LEAST) 8, EFFORT ([0-9]+),", tty.text)
    pinned("4 pits, 3 stones by END4E.DB effort", int(effort[-1]), 0.05)
    assert "\nVALUE 8: A WINS BY 8.\n" in tty.text


def test_a_large_file_serves_a_small_position(tmp_path: Path) -> None:
    """Rows have room for its stones, 40, though only 22 are in play."""
    area = Area(str(tmp_path))
    moves = MoveTable(2, 6, False)
    contents = databases.to_bytes(endgame.build(moves, 40))
    area.write_bytes("END2N.DB", contents)
    keys = ["2", "SPECIAL", "0 5 6", "0 4 7", "N", "Q", "Q"]
    without = session(keys, tmp_path / "without")
    tty = paper.Paper(keys)
    solve.run(tty, area, standing_still)
    value = re.findall("^VALUE.*|^MOVE.*", without, re.MULTILINE)
    assert len(value) == 3
    assert re.findall("^VALUE.*|^MOVE.*", tty.text, re.MULTILINE) == value
    assert "EFFORT" not in tty.text
    assert "DAMAGED" not in tty.text


def file_of(stones: int, values: bytes) -> bytes:
    """A file for 1 pit by the rule of the paper, whatever its values."""
    checksum = zlib.crc32(values).to_bytes(4, "big")
    return b"KALAH ENDGAMES 1\n" + bytes((stones, 1, 1)) + checksum + values


@pytest.mark.parametrize("stones, positions", [(2, 1), (48, 1128)])
def test_the_fewest_and_the_most_stones_of_a_file(stones: int, positions: int) -> None:
    rows = MoveTable(1, 6, True)
    found = databases.from_bytes(file_of(stones, bytes(positions)), rows)
    assert found and (found.stones, found.value(1, 1)) == (stones, -64)


WHOLE = databases.to_bytes(endgame.build(MoveTable(3, 3, True), 7))


@pytest.mark.parametrize(
    "contents, rows",
    [
        *((contents, (3, 3, True)) for contents in (b"", b"TEXT" * 99)),
        *((contents, (3, 3, True)) for contents in (WHOLE[:-1], WHOLE + b"\0")),
        (WHOLE[:-9] + bytes([WHOLE[-9] ^ 1]) + WHOLE[-8:], (3, 3, True)),  # damaged
        (WHOLE, (3, 3, False)),  # by another rule
        (WHOLE, (4, 3, True)),  # for other pits
        (WHOLE, (3, 2, True)),  # without room for its stones
        *(
            (file_of(stones, bytes(count)), (1, 6, True))
            for stones, count in ((0, 0), (1, 0), (49, 1176), (48, 1127), (48, 1129))
        ),
    ],
)
def test_a_file_that_is_damaged_or_foreign_is_refused(
    contents: bytes, rows: tuple[int, int, bool]
) -> None:
    assert databases.from_bytes(contents, MoveTable(*rows)) is None


def test_the_largest_databases() -> None:
    assert [databases.largest(pits) for pits in range(1, 7)] == [48, 48, 48, 32, 22, 18]


def test_no_file_is_read_for_a_few_stones(tmp_path: Path) -> None:
    """20 stones in play on 5 pits, where the file is damaged."""
    for stones, told in ((19, False), (20, True)):
        samples.put(tmp_path)
        row = f"0 {stones} 0 0 0 0"
        tty = paper.Paper(["5", "SPECIAL", "0 1 0 0 0 0", row, "N", "Q", "Q"])
        solve.run(tty, Area(str(tmp_path)), standing_still)
        assert ("END5N.DB IS DAMAGED OR FOREIGN" in tty.text) == told


def test_the_size_of_the_database() -> None:
    """From so many stones in play on a database of so many is built.

    It is worth so many positions if there are so many ahead.
    """
    assert databases.WORTH == (
        (600_000_000_000, 90_000_000),
        (72_000_000_000, 31_000_000),
        (0, 3_000_000),
    )
    steps: dict[int, list[tuple[int, int]]] = {}
    for pits in range(1, 7):
        before = 0
        steps[pits] = []
        for in_play in range(145):
            stones = databases.most_useful(pits, in_play)
            if stones != before:
                steps[pits].append((in_play, stones))
            before = stones
    each = [(in_play, in_play - 1) for in_play in range(31, 50)]
    assert steps == {
        1: each,
        2: each,
        3: each[:3],
        4: [(31, 19), (82, 28), (108, 32)],
        5: [(31, 14), (50, 20), (63, 22)],
        6: [(31, 12), (37, 16), (45, 18)],
    }


def test_zeros_in_front_are_no_number_of_their_own(tmp_path: Path) -> None:
    """4301 digits are more than int() takes."""
    zeros = "0" * 4301
    keys = [zeros + "1", zeros + "2", "N", "Q", "REVIEW " + zeros, "9" * 4301, "REVIEW"]
    keys += [zeros + "1", zeros + "1", "WALK " + zeros + "1", "Q", "Q", "Q"]
    text = session(keys, tmp_path)
    assert "\nVALUE -2: B WINS BY 2.\n" in text
    assert f"{'0' * 20}... IS NOT A FILE NAME." in text
    assert "\nTURN 1: A 26 LOST 22." in text


@pytest.mark.parametrize(
    "row, polls, texts",
    [
        (
            "0 3 3 3 3",
            13,
            (
                """\
AT LEAST 6, EFFORT 2887, 0.0 SECONDS
AT MOST 6, EFFORT 10714, 0.0 SECONDS
VALUE 6: A WINS BY 6.
MOVE 1 VALUE -2
STOPPED.
VALUE 6
MOVE 1 VALUE -2
MOVE 2 VALUE FROM -22 TO 4
MOVE 3 VALUE 6
MOVE 4 VALUE FROM -24 TO 4
""",
                "VALUE 6: A WINS BY 6.\nMOVE 1 VALUE -2\nMOVE 2 VALUE 2\nMOVE 3 VALUE 6\n",
            ),
        ),
        (
            "0 4 3 3 3",
            10,
            (
                """\
AT MOST 0, EFFORT 16653, 0.0 SECONDS
STOPPED.
VALUE FROM -24 TO 0
MOVE 1 VALUE FROM -24 TO 0
MOVE 2 VALUE FROM -24 TO 0
MOVE 3 VALUE FROM -24 TO 0
MOVE 4 VALUE FROM -26 TO 0
""",
                "AT LEAST 0, EFFORT 5185, 0.0 SECONDS\nVALUE 0: A DRAW.\nMOVE 1 VALUE -8\n",
            ),
        ),
    ],
)
def test_stopped_it_tells_what_it_knows_and_goes_on_from_there(
    row: str, polls: int, texts: tuple[str, str], tmp_path: Path
) -> None:
    """With the value come the moves that keep it; the effort is that of the question."""
    keys = ["4", "SPECIAL", row, row, "N", "Q"]
    tty = Interrupted([*keys, *keys, "Q"], polls)
    solve.run(tty, Area(str(tmp_path)), standing_still)
    assert not tty.keys
    for typed, text in zip(tty.text.split("CAPTURE FROM EMPTY? {N}\n")[1:], texts):
        assert typed.startswith(text)
    assert tty.text.count("STOPPED.") == 1


def test_a_forced_end_is_known_without_work(tmp_path: Path) -> None:
    """The only move ends the game; the work is stopped before it begins."""
    keys = ["6", "SPECIAL", "0 1 0 0 0 0 0", "0 30 0 0 0 0 0", "N", "Q", "Q"]
    text = session(keys, tmp_path, Stopping)
    assert "STOPPED.\nVALUE -29\nMOVE 1 VALUE -29\nGO ON" in text


@pytest.mark.parametrize("pits, most", [(4, 144), (5, 88), (6, 60)])
def test_what_is_too_large_to_finish(pits: int, most: int, tmp_path: Path) -> None:
    """As many positions as Kalah(6,5) has can be asked about."""
    rest = " 0" * (pits - 1)
    keys = [str(pits)]
    for in_play in (most + 1, most):
        if in_play <= 144:
            keys += ["SPECIAL", f"0 1{rest}", f"0 {in_play - 1}{rest}"]
    keys += ["N", "Q"]
    text = session(keys, tmp_path, Stopping)
    refused = f"TOO LARGE TO FINISH: {most + 1} STONES ON {pits} PITS A SIDE."
    assert (refused in text) == (most < 144)
    assert text.count("TOO LARGE") == (most < 144)
    assert f"VALUE {2 - most}\n" in text


def test_each_bound_has_its_time_and_long_games_are_folded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock strikes at every look."""
    monkeypatch.setattr(walk, "OTHERS_SECONDS", 1000.0)
    monkeypatch.setattr(walk, "SILENCE", 1000.0)
    ticks = count()
    tty = Narrow(["4", "3", "Y", "Q", "4", "1", "Y", "Q", "Q"])
    solve.run(tty, Area(str(tmp_path)), lambda: float(next(ticks)))
    _, first, second = tty.text.split("CAPTURE FROM EMPTY? {Y}\n")
    assert first.startswith(
        """\
AT LEAST 6, EFFORT 1047, 1.0 SECONDS
AT LEAST 8, EFFORT 1294, 2.0 SECONDS
AT MOST 8, EFFORT 4678, 5.0 SECONDS
VALUE 8: A WINS BY 8.
MOVE 1 VALUE -4
MOVE 2 VALUE 0
MOVE 3 VALUE 8
MOVE 4 VALUE -8
GAME 13-1-032-2-3-
     0-1320-3-0-2
PITS 31-3-412-2-1-
     4-3124-1-4-2
"""
    )
    assert second.startswith("AT LEAST 2, EFFORT 74, 1.0 SECONDS\n")


EVEN = ["4", "SPECIAL", "0 4 3 3 3", "0 4 3 3 3", "N"]
BOUNDED = """\
VALUE 0: A DRAW.
MOVE 1 AT MOST -4
MOVE 2 VALUE -8
MOVE 3 VALUE 0
MOVE 4 AT MOST -2
GAME 10-13-1-0-2-0-3-31-2-32-1-30
PITS 34-31-3-4-2-4-1-13-2-12-3-14
GO ON WITH PIT, ALL VALUES, BACK, OR Q? {"""


def test_all_values_are_proved_only_if_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no time for the moves; the proof of the value tells bounds."""
    monkeypatch.setattr(walk, "OTHERS_SECONDS", -1.0)
    text = session([*EVEN, "all values", "3", "all", "Q", "Q"], tmp_path)
    assert (
        BOUNDED
        + """\
all values}
MOVE 1 VALUE -8
MOVE 2 VALUE -8
MOVE 3 VALUE 0
MOVE 4 VALUE -4
GO ON WITH PIT, ALL VALUES, BACK, OR Q? {3}
"""
    ) in text


def test_long_work_types_a_line_every_ten_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock strikes at every look; a ^C keeps what is known."""
    monkeypatch.setattr(walk, "OTHERS_SECONDS", -1.0)
    ticks = count()
    tty = Interrupted([*EVEN, "A", "Q", "Q"], 25)
    solve.run(tty, Area(str(tmp_path)), lambda: float(next(ticks)))
    value, moves = tty.text.split("Q? {A}\n")
    seconds = [int(line) for line in re.findall("AFTER ([0-9]+) SEC", value)]
    assert seconds[0] <= 10
    assert all(10 >= later - sooner for sooner, later in zip(seconds, seconds[1:]))
    assert "\nSTOPPED.\nVALUE 0\nMOVE 1 VALUE" in moves
    assert "\nMOVE 3 VALUE 0\nMOVE 4 VALUE FROM" in moves
    assert "\nGO ON WITH PIT, ALL VALUES, BACK, OR Q? {Q}\n" in moves


def test_a_review_frees_the_memory_for_its_own_work(tmp_path: Path) -> None:
    """What was proved before is proved again."""
    keys = ["3", "2", "N", "Q"]
    text = session([*keys, "REVIEW", "1", "1", "Q", *keys, "Q"], tmp_path)
    assert text.count("AT MOST 4, EFFORT 176, 0.0 SECONDS") == 2


@pytest.mark.source("ISK-DB")
def test_a_small_database_is_built_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A larger one for the second question; the third needs none."""
    built = []
    build = endgame.build

    def noted(moves: MoveTable, stones: int, stop: Stop) -> endgame.Database:
        built.append(stones)
        return build(moves, stones, stop)

    monkeypatch.setattr(endgame, "build", noted)
    question = ["6", "SPECIAL", "0 0 1 0 0 0 0", "0 24 0 0 0 0 0", "N", "Q"]
    other = ["6", "SPECIAL", "0 0 1 0 0 0 0", "0 29 0 0 0 0 0", "N", "Q"]
    text = session([*question, *other, *question, "Q"], tmp_path)
    assert built == [10, 12]
    assert "BUILDING" not in text
    assert not list(tmp_path.glob("END6*.DB"))


def test_the_size_of_the_small_database() -> None:
    """For the first question, and for those that follow."""
    cells = {(6, 24), (6, 25), (6, 30), (6, 31), (5, 27), (5, 28), (5, 30), (4, 30)}
    found = {
        cell: tuple(databases.quick(*cell, first) for first in (True, False))
        for cell in cells
    }
    assert {cell: both for cell, both in found.items() if any(both)} == {
        (6, 25): (10, 12), (6, 30): (10, 12), (5, 28): (12, 14), (5, 30): (12, 14),
    }  # fmt: skip


@pytest.mark.parametrize("stones, reads", [(27, False), (28, True)])
def test_endgames_on_file_are_read_for_a_review_from_31_stones_on(
    stones: int, reads: bool, tmp_path: Path
) -> None:
    (tmp_path / "END6N.DB").write_text("DAMAGED")
    (tmp_path / "BIG.OUT").write_text(
        f"A 0 0 0 1 2 0 0, B 0 {stones} 0 0 0 0 0, A TO MOVE\n1 A 3 0-0\n"
    )

    class Late(paper.Paper):
        def poll(self) -> bool:
            return "WORKING" in self.text

    text = session(["REVIEW BIG", "", "Q"], tmp_path, Late)
    assert ("END6N.DB IS DAMAGED OR FOREIGN" in text) == reads
    assert "BUILDING" not in text
    assert "\nSTOPPED.\nVALUE BEFORE THE TURN: A'S" in text


def test_what_minutes_buy_is_told_where_one_is_too_few(tmp_path: Path) -> None:
    """By the stones in play before the turns: 36, 35 and so on."""
    (tmp_path / "LONG.OUT").write_text("3 STONES A PIT\nA 36 B 1 A 41 B 2 A 54\n")
    text = session(["REVIEW LONG", "Q", "Q"], tmp_path)
    assert "\nOF 5 TURNS ONE MINUTE PROVES ABOUT 3, TEN PROVE ABOUT 5.\n" in text
    samples.put(tmp_path)
    assert "ONE MINUTE" not in session(["REVIEW CLUB", "Q", "Q"], tmp_path)
    assert "59940 SECONDS" in session(["REVIEW CLUB", "999", "Q", "Q"], tmp_path)


@pytest.mark.parametrize(
    "rules", [ISK_RULES, STANDARD_RULES], ids=["paper", "standard"]
)
def test_the_moves_of_a_position(rules: Rules, tmp_path: Path) -> None:
    answer = "Y" if rules.captures_empty else "N"
    text = session(["3", "2", answer, "Q"], tmp_path)
    position = start(2, 3, rules)
    solver = Solver(3, 12, rules.captures_empty)
    assert says.VALUE.format(solver.value(position)) + "\n" in text
    for pit in position.legal:
        bounds = list(solver.prove_move(position, pit))[-1]
        assert f"MOVE {pit} VALUE {bounds.low}\n" in text
