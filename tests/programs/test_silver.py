"""SILVER: its transcripts, ^C, and the note's rules and minimax, written anew."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from sail.board import STANDARD_RULES, Position, opening
from sail.files import positions
from sail.files.area import Area
from sail.programs.russel.analysis import Analysis
from sail.programs.russel.words import READ_IN, Words
from sail.programs.silver import says
from sail.programs.silver.dialogue import Session, picture
from sail.programs.silver.lookahead import LookAhead, utility
from sail.stop import Stopped, never
from sail.talk import manuals
from sail.teletype import EndOfInput
from tests import paper
from tests.positions import repeats, with_counts
from tests.stand_ins import SHELF

# The text of the note gives A's pits of Fig. 2 and B's 2 and 5; the others, and
# the kalahs, are ours.
(SHIPPED,) = positions.parse((SHELF / "FIG2.POS").read_text(), "FIG2.POS")
FIG_2 = SHIPPED.position._replace(rules=STANDARD_RULES)


def typed(area: Area, *keys: str) -> str:
    """The paper when these lines are typed."""
    area.write("FIVE.POS", "A 0 1 1 1 1 1\nB 0 1 1 1 1 1\nA TO MOVE\n")
    area.write("BAD.POS", "A 0 1 1\nB TO MOVE\n")
    return paper.typed(Session, area, *keys)


@pytest.mark.source(
    "APN-BOARD", "APN-WAIT", "APN-DISPLAY", "APN-DIGIT", "APN-IGNORED", "APN-PUNCT",
    "APN-PUNCT.B", "APN-PUNCT.C", "APN-OVER", "APN-OVER.SCORE", "APN-AGAIN",
    "APN-WINNER", "APN-END", "APN-FIG2", "APN-EX1", "APN-EX2", "APN-EX3", "APN-EX4",
    "APN-EX5", "APN-CR", "APN-DEPTH", "APN-FIG1", "APN-ROWS", "APN-PLUS", "APN-PLUS.B",
    "APN-CHOICES",
)  # fmt: skip
@paper.each("*-silver-*.txt")
def test_transcript(file: Path, area: Area) -> None:
    paper.compare(file, lambda keys: typed(area, *keys))


@pytest.mark.source("APN-SPACE", "APN-VANISH")
def test_the_machine_types_its_move_below_a_board_that_stays(area: Area) -> None:
    thinking: list[str] = []

    class Watched(paper.Paper):
        def poll(self) -> bool:
            thinking.append(self.text)
            return False

    tty = Watched(["", "1", " ", "Q", "Q"])
    Session(tty, area).run()
    (shown,) = set(thinking)
    assert shown.endswith("    +\n          3   3   3   3   3   3\n{ }\n")
    assert tty.text.startswith(f"{shown}3.\n          3   3   3   3   3   3\n")


@pytest.mark.source("APN-ALL")
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_v_types_what_the_table_in_the_manual_has(depth: int, area: Area) -> None:
    table = manuals.find("SILVER EVERY MOVE")
    lines = re.findall("(?m)^  (value|final|alpha-beta) +([0-9 ]+)$", table)
    value, final, leaves = (int(cells.split()[depth - 1]) for _, cells in lines)
    page = typed(area, "3", str(depth), " ", "v", "Q")
    told = f"VALUE {value}, KALAH A LESS KALAH B.  {final} FINAL POSITIONS, "
    assert told in page
    # RUSSEL's option 4 gives its alpha-beta the values of the note.
    words = Words(READ_IN, OP=0o31, TD=0o777, ID=depth + 1)
    alpha_beta = Analysis(words, opening(3))
    assert (alpha_beta.run()[0], alpha_beta.leaves) == (value, leaves)


@pytest.mark.source("APN-DEPTH", "APN-TESTWORD")
def test_the_look_ahead_is_octal(area: Area) -> None:
    for word, turns in ("1", 1), ("10", 8), ("0010", 8), ("77", 63), ("", 4):
        dialogue = Session(paper.Paper(["", word, "Q", "Q"]), area)
        dialogue.run()
        assert dialogue.depth == turns


# A capture that empties A's pits ends the game; a majority does not.
TOLD = (
    Position(((0, 1, 0, 0, 0, 0), (2, 0, 0, 0, 0, 3)), (9, 9), 0, STANDARD_RULES),
    Position(((0, 1, 0, 0, 0, 1), (2, 0, 0, 0, 0, 3)), (29, 0), 0, STANDARD_RULES),
)


KALAHS = (6, 13)  # in the list of the note's holes: 6A .. 1A, KA, 6B .. 1B, KB
ROWS = (range(6), range(7, 13))


class Told:
    """A position, its moves and its end again, word for word as in the note."""

    def __init__(self, holes: list[int], player: int, over: bool = False) -> None:
        self.holes = holes
        self.player = player
        self.over = over or not any(holes[pit] for pit in ROWS[player])

    def moves(self) -> dict[int, Told]:
        """Return the positions that the moves lead to, by the number of the pit."""
        row = ROWS[self.player]
        pits = zip((6, 5, 4, 3, 2, 1), row)
        return {name: self.move(pit) for name, pit in pits if self.holes[pit]}

    def move(self, hole: int) -> Told:
        player = self.player
        holes = self.holes[:]
        stones, holes[hole] = holes[hole], 0
        while stones:
            hole = (hole + 1) % 14
            if hole != KALAHS[1 - player]:
                holes[hole] += 1
                stones -= 1
        opposite = 12 - hole
        if hole in ROWS[player] and holes[hole] == 1 and holes[opposite]:
            holes[KALAHS[player]] += 1 + holes[opposite]
            holes[hole] = holes[opposite] = 0
        if not any(holes[pit] for pit in ROWS[player]):  # a
            return Told(holes, player, over=True)
        return Told(holes, player if hole == KALAHS[player] else 1 - player)  # b, d

    def utility(self) -> int:
        difference = self.holes[KALAHS[0]] - self.holes[KALAHS[1]]
        if self.over:
            for sign, row in zip((1, -1), ROWS):
                difference += sign * sum(self.holes[pit] for pit in row)
        return difference

    def value(self, ply: int, depth: int) -> int:
        if self.over or ply == depth:
            return self.utility()
        after = self.moves().values()
        values = [it.value(ply + (it.player != self.player), depth) for it in after]
        return min(values) if self.player else max(values)


def told(position: Position) -> Told:
    a, b = position.rows
    ka, kb = position.kalahs
    return Told([*reversed(a), ka, *reversed(b), kb], position.mover)


def some_position(chance: random.Random) -> Position:
    """A game going on, some of its pits empty and some overfull."""
    while (position := with_counts(chance, (0, 0, 1, 2, 3, 6, 13))).over:
        pass
    return position


@pytest.mark.source(
    "APN-1", "APN-2", "APN-3A", "APN-3A.CAPTURE", "APN-3A.MAJORITY", "APN-3B", "APN-3C", "APN-3D", "APN-ORDER", "APN-END",
    "APN-STONES", "APN-KALAHS", "APN-UTILITY", "APN-UTILITY.B",
)  # fmt: skip
def test_games_go_and_end_as_the_note_says() -> None:
    """No position with an empty row is one that the note would go on from."""
    assert TOLD[0].play(2).over and not TOLD[1].over
    chance = random.Random(1)
    ends = set()
    for position in (*TOLD, *(some_position(chance) for _ in range(120))):
        note = told(position)
        while not position.over:
            assert tuple(sorted(note.moves())) == position.legal
            pit = chance.choice(position.legal)
            into_kalah = repeats(position, pit)
            before = position
            position, note = position.play(pit), note.moves()[pit]
            assert note.holes == told(position).holes
            assert note.over == position.over
            assert note.over or note.player == position.mover
            assert utility(position) == note.utility()
            assert position.stones == before.stones
            assert all(now >= was for now, was in zip(position.kalahs, before.kalahs))
        ends.add((into_kalah, any(position.rows[0])))
    assert len(ends) == 4


@pytest.mark.source(
    "APN-FIXED", "APN-VALUE", "APN-VALUE.2", "APN-VALUE.3", "APN-MAX",
    "APN-SELECT", "APN-SELECT.TIES",
)  # fmt: skip
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_minimax(depth: int) -> None:
    chance = random.Random(depth)
    for _ in range(40 // depth**2):
        position = some_position(chance)
        note = told(position)
        expected = note.value(0, depth)
        value, pit = LookAhead(depth, never).run(position)
        best = min(
            pit
            for pit, after in note.moves().items()
            if after.value(int(after.player != position.mover), depth) == expected
        )
        assert (value, pit) == (expected, best)


def test_the_deepest_search_fits_and_stops() -> None:
    polls = iter([False] * 20_000 + [True])
    with pytest.raises(Stopped):
        LookAhead(0o77, polls.__next__).run(opening(12, rules=STANDARD_RULES))


@pytest.mark.parametrize("keys", [["24 "], ["2", "4 "], ["2", "4", " "]])
def test_a_stopped_search_leaves_the_game(keys: list[str], area: Area) -> None:
    """The moves and the board are typed if the line has made a move before."""
    tty = paper.Paper(["3", "77", *keys, "1", "q", "q"])
    tty.polls = 500
    Session(tty, area).run()
    moved = opening(3, rules=STANDARD_RULES).play(2).play(4)
    moves, board = ("2,4\n", f"{picture(moved)}\n") if keys[-1] != " " else ("", "")
    assert tty.text.endswith(
        f"{{{keys[-1]}}}\n{moves}STOPPED.\n{board}"
        f"{{1}}\n1,\n{picture(moved.play(1))}\n1,{{q}}\n{says.STONES.prompt}{{q}}\n"
    )


def test_letters_for_which_figures_were_meant_play_nothing(area: Area) -> None:
    """At five plies W is over 2."""

    class FiveLevels(paper.Paper):
        def in_figures(self, typed: str) -> str:
            return typed.replace("W", "2")

    tty = FiveLevels(["3", "", "W", "", "Q", "Q"])
    Session(tty, area).run()
    refused, figures, again = tty.text.partition("PRESS FIGS FIRST: THEN W IS 2.\n")
    board = picture(opening(3, rules=STANDARD_RULES))
    assert figures and refused.count(board) == again.count(board) == 1
    assert "2," not in tty.text


def test_rubbish_changes_nothing(area: Area) -> None:
    chance = random.Random(3)
    letters = "1234567890 +-,.;:!XYZqé→\t\x00{}"
    sizes = [chance.randint(0, 30) for _ in range(500)]
    lines = ["".join(chance.choices(letters, k=size)) + "Z" for size in sizes]
    tty = paper.Paper(["", "", "24", *lines])
    with pytest.raises(EndOfInput):
        Session(tty, area).run()
    asked = tty.text.partition(f"{{{lines[0]}}}")[0].rpartition("\n")[2]
    help = "TYPE PITS 1-6, SPACES, BACK, V, ? OR Q; RETURN ALONE STARTS OVER.\n"
    pages = [f"{asked}{{{line}}}\n{help}" for line in lines]
    assert tty.text.endswith("".join(pages) + asked)
