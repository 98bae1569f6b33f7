"""SOLVE on paper, and the printed tables."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from sail.area import Area
from sail.board import PAPER, STANDARD, Rules, start
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.moves import MoveTable
from sail.programs.solve import databases, printed, says, tables
from sail.programs.solve import dialogue as solve
from sail.programs.solve.tables import Tables
from sail.teletype import EndOfInput
from tests import paper
from tests.programs import games

SAVES = Path(__file__).parents[2] / "saves"
QUICK_GAMES = [(m, n) for m, n in printed.GAMES if n <= 3 or (m, n) == (4, 4)]


def standing_still() -> float:
    return 0.0


class Stopping(paper.Paper):
    """A ^C is typed as soon as any work begins."""

    def poll(self) -> bool:
        return True


def session(
    keys: list[str], folder: Path, kind: type[paper.Paper] = paper.Paper
) -> str:
    """The paper of a session in an area with the positions that are shipped."""
    folder.mkdir(exist_ok=True)
    for position in SAVES.glob("*.POS"):
        shutil.copy(position, folder)
    games.put(folder)
    area = Area(str(folder))
    tty = kind(keys)
    with suppress(EndOfInput):
        solve.run(tty, area, standing_still)
    assert not tty.keys
    return tty.text


@pytest.mark.source("ISK-RULES", "ISK-T9", "ISK-T2", "ISK-T6", "ISK-DB")
@pytest.mark.parametrize(
    "file", paper.transcripts("*-solve-*.txt"), ids=lambda path: path.stem
)
def test_transcript(file: Path, tmp_path: Path) -> None:
    text = file.read_text("utf-8")
    kind = Stopping if file.stem == "ours-solve-stopped" else paper.Paper
    assert session(paper.keys(text), tmp_path, kind) == text
    assert max(map(len, text.replace("{", "").splitlines())) <= 72


@pytest.mark.source("ISK-T9", "ISK-MTD")
@pytest.mark.parametrize("m, n", QUICK_GAMES)
def test_our_perfect_game_is_the_printed_one(m: int, n: int) -> None:
    game = start(n, m, PAPER)
    solver = Tables(lambda: False).solver(m, n)
    assert tables.notation(game, solver.line(game))[0] == printed.GAMES[m, n][1]


@pytest.mark.source("ISK-T9")
def test_the_notation_is_that_of_the_paper() -> None:
    game = start(1, rules=PAPER)
    pits = (1, 2, 1, 2, 3, 3, 4)
    assert tables.notation(game, pits) == ("54-54-3-3-2", "12-12-3-3-4")


def test_long_lines_are_folded_at_a_dash() -> None:
    lines = list(tables.folded("GAME " + "123-" * 40 + "4", 72, 5))
    assert all(len(line) <= 72 for line in lines)
    assert "".join(line.strip() for line in lines) == "GAME " + "123-" * 40 + "4"
    assert lines[0][-1] == "-"
    assert list(tables.folded("1-" * 36, 72, 5)) == ["1-" * 36]
    assert list(tables.folded("1-" * 36 + "2", 72, 5)) == ["1-" * 36, "     2"]


@pytest.mark.source("ISK-DB")
def test_a_database_is_kept_and_checked(tmp_path: Path) -> None:
    area = Area(str(tmp_path))
    rows = MoveTable(3, 5, True)
    told: list[str] = []

    def get(stones: int) -> endgame.Database:
        told.clear()
        found = databases.get(area, rows, stones, told.append, lambda: False)
        assert found
        return found

    assert databases.get(area, rows, 0, told.append, lambda: False) is None
    built = get(6)
    assert told == [says.BUILDING.format(6)]
    assert get(0).index.stones == 6
    assert told == []
    assert get(5).values == built.values
    assert told == []
    assert get(7).index.stones == 7
    assert told == [says.BUILDING.format(7)]
    contents = bytearray(area.read_bytes("END3E.DB"))
    contents[-3] ^= 9
    area.write_bytes("END3E.DB", bytes(contents))
    assert get(6).values == built.values
    assert told == [says.FOREIGN.format("END3E.DB"), says.BUILDING.format(6)]
    assert area.read_bytes("END3E.DB") == bytes(contents)
    area.remove("END3E.DB")
    (tmp_path / "END3E.DB").mkdir()
    assert get(6).values == built.values
    assert told[0] == says.BUILDING.format(6)
    assert len(told) == 2


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
    moves = MoveTable(2, 3, False)
    told: list[str] = []
    found = databases.get(area, moves, 3, told.append, lambda: False)
    assert told == []
    assert found
    one, two = moves.pack((1, 0)), moves.pack((0, 1))
    assert [found.value(own, other) for own in (one, two) for other in (one, two)] == [
        0,
        0,
        0,
        2,
    ]


@pytest.mark.source("ISK-DB")
def test_a_file_is_used_where_none_would_be_built(tmp_path: Path) -> None:
    """24 stones in play: the effort is 4678 without it."""
    area = Area(str(tmp_path))
    moves = MoveTable(4, 5, True)
    contents = endgame.to_bytes(endgame.build(moves, 10), moves)
    area.write_bytes("END4E.DB", contents)
    tty = paper.Paper(["4", "3", "Y", "Q"])
    solve.run(tty, area, standing_still)
    assert "BUILDING" not in tty.text
    effort = re.findall(r"AT (?:MOST|LEAST) 8, EFFORT ([0-9]+),", tty.text)
    assert 0 < int(effort[-1]) < 3000
    assert "\nVALUE 8\n" in tty.text


def test_a_large_file_serves_a_small_position(tmp_path: Path) -> None:
    """Rows have room for its stones, 40, though only 22 are in play."""
    area = Area(str(tmp_path))
    moves = MoveTable(2, 6, False)
    contents = endgame.to_bytes(endgame.build(moves, 40), moves)
    area.write_bytes("END2N.DB", contents)
    keys = ["2", "SPECIAL", "0 5 6", "0 4 7", "N", "Q"]
    without = session(keys, tmp_path / "without")
    tty = paper.Paper(keys)
    solve.run(tty, area, standing_still)
    value = re.findall("^VALUE.*|^MOVE.*", without, re.MULTILINE)
    assert len(value) == 3
    assert re.findall("^VALUE.*|^MOVE.*", tty.text, re.MULTILINE) == value
    assert "EFFORT" not in tty.text
    assert "DAMAGED" not in tty.text


def test_a_file_without_room_in_the_rows_is_foreign() -> None:
    wide, narrow = MoveTable(2, 6, False), MoveTable(2, 5, False)
    contents = endgame.to_bytes(endgame.build(wide, 40), wide)
    assert endgame.from_bytes(contents, wide).index.stones == 40
    with pytest.raises(endgame.Foreign):
        endgame.from_bytes(contents, narrow)


def test_the_largest_databases() -> None:
    assert [databases.largest(pits) for pits in range(1, 7)] == [48, 48, 48, 32, 22, 18]


def test_no_file_is_read_for_a_few_stones(tmp_path: Path) -> None:
    """20 stones in play on 5 pits, where the file is damaged."""
    for stones, told in ((19, False), (20, True)):
        games.put(tmp_path)
        row = f"0 {stones} 0 0 0 0"
        tty = paper.Paper(["5", "SPECIAL", "0 1 0 0 0 0", row, "N", "Q"])
        solve.run(tty, Area(str(tmp_path)), standing_still)
        assert ("END5N.DB IS DAMAGED OR FOREIGN" in tty.text) == told


def test_the_size_of_the_database() -> None:
    assert databases.most_useful(6, 30) == 0
    assert databases.most_useful(6, 31) == 12
    assert databases.most_useful(6, 36) == 12
    assert databases.most_useful(6, 37) == 16
    assert databases.most_useful(6, 44) == 16
    assert databases.most_useful(6, 45) == 18
    assert databases.most_useful(6, 48) == 18
    for pits in range(1, 7):
        for in_play in range(1, 145):
            stones = databases.most_useful(pits, in_play)
            assert endgame.size(pits, stones) < 90_000_000
            assert stones <= min(in_play, endgame.LARGEST)


def test_zeros_in_front_are_no_number_of_their_own(tmp_path: Path) -> None:
    """4301 digits are more than int() takes."""
    zeros = "0" * 4301
    keys = [zeros + "1", zeros + "2", "N", "REVIEW " + zeros, "9" * 4301, "REVIEW"]
    text = session([*keys, zeros + "1", zeros + "1", "Q"], tmp_path)
    assert "\nVALUE -2\n" in text
    assert f"{'0' * 20}... IS NOT A FILE NAME." in text
    assert "DECIDED IN TURN 1: A 26" in text


class Interrupted(paper.Paper):
    """A ^C after so many looks at the line."""

    def __init__(self, keys: list[str], polls: int) -> None:
        super().__init__(keys)
        self.polls = polls

    def ask(self, prompt: str = "") -> str:
        self.stopped = False
        return super().ask(prompt)

    def poll(self) -> bool:
        self.polls -= 1
        self.stopped |= self.polls == 0
        return self.stopped


def test_stopped_it_gives_bounds_and_knows_them_later(tmp_path: Path) -> None:
    tty = Interrupted(["4", "4", "Y", "4", "4", "Y", "Q"], 30)
    solve.run(tty, Area(str(tmp_path)), standing_still)
    assert not tty.keys
    _, finished = tty.text.split(says.STOPPED)
    assert "\nVALUE FROM " in finished
    assert "\nMOVE 4 VALUE FROM " in finished
    assert "\nVALUE 2\n" in finished
    assert "\nVALUE 2\n" not in finished.split("CAPTURE")[0]


@pytest.mark.parametrize("rules", [PAPER, STANDARD], ids=["paper", "standard"])
def test_the_moves_of_a_position(rules: Rules, tmp_path: Path) -> None:
    answer = "Y" if rules.captures_empty else "N"
    text = session(["3", "2", answer, "Q"], tmp_path)
    position = start(2, 3, rules)
    solver = Solver(3, 12, rules.captures_empty)
    assert says.VALUE.format(solver.value(position)) + "\n" in text
    for pit in position.legal:
        bounds = list(solver.prove_move(position, pit))[-1]
        assert says.MOVE.format(pit, bounds.low) + "\n" in text
