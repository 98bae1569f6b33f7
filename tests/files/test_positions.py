"""Special positions: typed numbers, and position files."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from sail.board import KALAH_RULES, Pits, Position, opening
from sail.engine.value import Finding, bounded, exactly
from sail.files import positions
from sail.files.positions import Entry
from sail.refusal import Refusal
from sail.typed import parse_number
from tests.errors import refused
from tests.positions import every_turn, placed, repeats
from tests.stand_ins import SHELF

NO_LINE = "{} IS NOT A LINE OF A POSITION."
COMES_FIRST = "A POSITION MUST COME FIRST."
MISSING = "B'S STONES ARE MISSING AFTER A'S."
JUDGED_SO = "WRITE STONES AND TURNS LIKE {} 6 A 3,6 B 4.".format
EXERCISE = "A 0 1 1 0\nB 0 1 0 1\nA TO MOVE\n"


def an_exercise(rnd: random.Random, entry: Entry, turns: Sequence[Pits]) -> Entry:
    """Return the entry with an exercise in which the first of these turns is right."""
    values = exactly(5), bounded(estimate=5, error=4), exactly(-5)
    judged = {turn: Finding(values[rnd.randint(1, 2)], turn) for turn in turns[1:]}
    if rnd.randint(0, 1):
        judged[turns[0]] = Finding(values[rnd.randint(0, 1)], turns[0])
        entry = entry._replace(theme=("THEME",), wrong_words=("TEXT",))
    return entry._replace(right=(turns[0],), findings=judged)


def test_write_and_read_are_opposites() -> None:
    rnd = random.Random(15000)
    for _ in range(300):
        pits = rnd.randint(1, 6)
        first, second = ([rnd.randint(0, 10) for _ in range(pits + 1)] for _ in "AB")
        first[1], second[-1] = 1, rnd.randint(1, 12)
        position = placed(first, second, rnd.randint(0, 1))
        written = Entry(position, ("ORIGIN", "", "X" * 70)[: rnd.randint(0, 3)])
        turns = [pits for pits, _ in every_turn(position) if len(pits) == 1]
        if turns and rnd.randint(0, 2):
            written = an_exercise(rnd, written, turns)
        read = positions.parse(positions.text_of(written), "X.POS")
        assert read == [written._replace(file="X.POS", number=1)]


@pytest.mark.parametrize(
    "typed, most, base, number",
    [
        ("0", 9, 10, None), ("1", 9, 10, 1), ("144", 144, 10, 144), ("145", 144, 10, None),
        ("", 9, 10, None), ("-1", 9, 10, None), ("1 2", 99, 10, None), ("\u0663", 9, 10, None),
        ("0" * 5000 + "7", 7, 10, 7), ("9" * 5000, 144, 10, None), ("9", 15, 10, 9),
        ("17", 15, 8, 15), ("20", 15, 8, None), ("8", 15, 8, None),
    ],
)  # fmt: skip
def test_a_typed_number(typed: str, most: int, base: int, number: int | None) -> None:
    assert parse_number(typed, most, base=base) == number
    assert parse_number("0", 0, least=0) == 0  # it may count stones


def test_no_comment_is_wider_than_the_paper() -> None:
    """Also that of a review, which names a long turn; its words are read back."""
    task = "PLAYING 1,2,1,3,1,2 PROBABLY COST YOU ABOUT 12 STONES.  FIND A BETTER TURN."
    text = positions.text_of(Entry(opening(1), (task, "")))
    assert len(task) > 72 >= max(map(len, text.splitlines()))
    first, *others = positions.parse(text, "X.POS")[0].comments
    assert " ".join([first, *others]).split() == task.split()


@pytest.mark.parametrize(
    "end", ["", "\n", "; SOLUTION\n", ";C TO MOVE\n", "RIGHT 1\n", "\nA 0 1\nB 0 1\n"]
)
def test_a_is_to_move_unless_a_line_says_otherwise(end: str) -> None:
    rows = "A 0 1 0\nB 0 1 0\n"
    found = positions.parse(rows + end, "X.POS")
    assert found[0].position.mover == 0 and len(found) == 1 + end.count("B")
    assert not found[0].comments
    assert positions.parse(rows + "\nB TO MOVE\n" + end, "X.POS")[0].position.mover
    one = positions.parse("A 0 1 0, B 0 1 0, A TO MOVE\nB TO MOVE\n" + end, "X.POS")[0]
    assert one.position.mover == 1


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "ENDS TOO EARLY, AFTER LINE 0."),
        ("A 0 1\n\n; B 0 1\n\n", f"LINE 4: {MISSING}"),
        ("A 0 1\nB 0 1\nA TO MOVE 1\n", f"LINE 3: {NO_LINE.format('A TO MOVE 1')}"),
        ("A 0 1\nB 0 1\nC TO MOVE\n", "LINE 3: A OR B MUST BE TO MOVE."),
        ("[0, 1, 0, 1]\n", "LINE 1: AN ARRAY.  TYPE A 0 6 6 6 6 6 6: KALAH, PITS 1-6."),
        ("A 5\n", "LINE 1: A NEEDS 2 TO 7 NUMBERS, NOT 1."),
        ("A 0 1 1 1 1 1 1 1\n", "LINE 1: A NEEDS 2 TO 7 NUMBERS, NOT 8."),
        ("A 0 0\nB 0 1\nA TO MOVE\n", "LINE 1: A NEEDS A STONE IN HIS PITS."),
        ("A 1 72\nB 0 72\nA TO MOVE", "LINE 2: AT MOST 144 STONES IN ALL."),
        (EXERCISE + "RIGHT 2 X\n", "LINE 4: X IS NOT A TURN LIKE 3,6."),
        (EXERCISE + "RIGHT 2 0\n", "LINE 4: 0: THERE IS NO PIT 0."),
        (EXERCISE + "RIGHT 1\n", "LINE 4: A 1 IS NOT A WHOLE TURN: A MOVES AGAIN."),
        (EXERCISE + "RIGHT 21\n", "LINE 4: 21: THE TURN ENDS WITH PIT 2; PIT 1 CANNOT FOLLOW."),
        (EXERCISE + "RIGHT\n", "LINE 4: RIGHT IS NOT A TURN LIKE 3,6."),
        (EXERCISE + "\n; 2\nRIGHT 2\n", "LINE 6: A COMMENT BELONGS BEFORE ITS POSITION."),
        (EXERCISE + "A 0 1\nRIGHT 2\n", f"LINE 5: {MISSING}"),
        ("SOLUTION 2\n" + EXERCISE, f"LINE 1: {COMES_FIRST}"),
        ("A 9 1\nB 0 1\nA TO MOVE\nRIGHT 1", "LINE 4: 1: THE GAME IS OVER."),
        (EXERCISE + "WRONG NO\n", "LINE 4: A LINE RIGHT MUST COME FIRST."),
        (EXERCISE + "RIGHT 2\nWRONG 1 A 3\n", "LINE 5: A 3: PIT 3 IS EMPTY."),
        (EXERCISE + "RIGHT 12\nWRONG -4 A 2 B 1,3 A 2\n", "LINE 5: A 2 B 1,3 A 2: PIT 2 IS EMPTY."),
        (EXERCISE + "RIGHT 2\nWRONG 999 A 1,2\n", "LINE 5: AT MOST 144 STONES IN ALL."),
        ("THEME X\n" + EXERCISE, f"LINE 1: {COMES_FIRST}"),
        (EXERCISE + "THEME X\n", "POSITION 1: A THEME NEEDS A LINE RIGHT, TOO."),
        *((EXERCISE + f"RIGHT 2\nWRONG {it}\n", f"LINE 5: {JUDGED_SO('WRONG')}") for it in ("1,2", "2 STONES?", "A 2 IS BAD")),
        ("4 4 4 4 4 4 0\n4 4 4 4 4 4 0\n", "LINE 2: THE KALAH COMES FIRST, LIKE 0 6 6 6 6 6 6."),
        ("A 0 1\nRIGHT 1\n", f"LINE 2: {MISSING}"),
    ],
)  # fmt: skip
def test_damaged_file(text: str, says: str) -> None:
    with refused(Refusal, f"X.POS {says}"):
        positions.parse(text, "X.POS")


def test_several_positions_and_right_turns() -> None:
    """A comment belongs to the position below it."""
    text = (
        "; ONE\n\nA 0 1\n; ROW\nB 0 1\nA TO MOVE\nSOLUTION 1 WINS.\n\nsolution more\n"
        "\n; TWO\nA 0 2\nB 0 1\nB TO MOVE\nA 0 3\nB 0 1\nA TO MOVE\n\n; END\n"
    )
    found = positions.parse(text, "X.POS")
    first, second, third = found
    assert first.comments == ("ONE", "ROW")
    assert first.solution == ("1 WINS.", "MORE")
    assert [it.position.rows[0] for it in found] == [(1,), (2,), (3,)]
    assert second == Entry(second.position, ("TWO",), file="X.POS", number=2)
    assert third == Entry(third.position, file="X.POS", number=3)
    with refused(Refusal, f"X.POS LINE 20: {MISSING}"):
        positions.parse(text + "A 0 1\n", "X.POS")
    one = f"{EXERCISE}right 12  2\nSOLUTION 2 IS SAFE.\n"
    text = f"{one}{EXERCISE}\nRIGHT 2\nRIGHT 12\n"
    first, second = positions.parse(text, "X.POS")
    assert (first.right, first.solution) == (((1, 2), (2,)), ("2 IS SAFE.",))
    assert (second.right, second.solution) == (((2,), (1, 2)), ())
    assert positions.text_of(first) == (
        "A  0   1 1 0\nB  0   1 0 1\nA TO MOVE\nRIGHT 1,2 2\nSOLUTION 2 IS SAFE.\n"
    )
    (first,) = positions.parse(
        f"{EXERCISE}RIGHT 12 2\nBEST -4 A 2 B 1,3 A 1\n", "X.POS"
    )
    assert first.right == ((2,), (1, 2)) and first.best  # that of BEST comes first
    # A person may leave out or add blanks, empty lines, capitals, zeros, the last line feed.
    text = ";FIRST\n\n  a 007,1 \n; NEXT \nB\t0 2\n\nb  to move\n; A TRY\n;\nEND"
    with refused(Refusal, f"X.POS LINE 10: {NO_LINE.format('END')}"):
        positions.parse(text, "X.POS")
    entry = positions.parse(text.replace("\nEND", ""), "X.POS")[0]
    assert entry.position == Position(((1,), (2,)), (7, 0), 1, KALAH_RULES)
    assert (entry.comments, entry.solution) == (("FIRST", "NEXT"), ())


JUDGED = """\
THEME THE END
RIGHT 1,2
BEST 3 A 1,2
WRONG -4 A 2 B 1,3 A 1
WRONG TWO STONES?
"""


def test_a_position_with_its_sixth_pits_empty_is_read_back() -> None:
    """Without letters it is taken for one of a program that writes the kalah last."""
    position = placed([4, 4, 4, 4, 4, 4, 0], [4, 4, 4, 4, 4, 4, 0])
    entry = Entry(position, file="X.POS", number=1)
    assert positions.parse(positions.text_of(entry), "X.POS") == [entry]


def test_a_study() -> None:
    """A line WRONG with a value and a play is about one turn; others are words."""
    (found,) = positions.parse(EXERCISE + JUDGED, "X.POS")
    best, worse = Finding(exactly(3), (1, 2)), Finding(exactly(-4), (2, 1, 3, 1))
    judged = {(1, 2): best, (2,): worse}
    assert found == Entry(
        *(found.position, (), ((1, 2),), judged, ("THE END",), ("TWO STONES?",)),
        file="X.POS",
        number=1,
    )
    assert positions.text_of(found).endswith(JUDGED)
    text = EXERCISE + JUDGED.replace("-4", "ABOUT -4 ERROR 2")
    (found,) = positions.parse(text, "X.POS")
    assert found.wrong[2,].value == bounded(estimate=-4, error=2)
    wrong = "\nWRONG ABOUT -4 ERROR 2 A 2 B 1,3 A 1\nWRONG TWO STONES?\n"
    assert positions.text_of(found).endswith(wrong)
    for error in ("", " ERROR 0"):  # not known, as no estimate is exact
        text = EXERCISE + JUDGED.replace("-4", f"ABOUT -4{error}")
        (found,) = positions.parse(text, "X.POS")
        assert found.wrong[2,].value == bounded(estimate=-4)


@pytest.mark.parametrize(
    "there, instead, line, says",
    [
        ("-4 A 2 B 1,3 A 1", "-4 A 1,2", 7, "1,2 IS RIGHT, OR NO WORSE THAN BEST."),
        ("-4 A 2", "3 A 2", 7, "2 IS RIGHT, OR NO WORSE THAN BEST."),
        ("WRONG TWO ", "RIGHT 2\n", 8, "2 IS RIGHT, OR NO WORSE THAN BEST."),
        ("WRONG TWO ", "BEST -4 A 1,2\n", 8, "1,2 IS JUDGED TWICE."),
        ("RIGHT 1,2\nBEST 3", "RIGHT 2 1,2\nBEST 3 A 2\nBEST 3", 7, "THERE IS A LINE BEST ALREADY."),
        ("WRONG TWO ", "WRONG -2 A 2\n", 8, "2 IS JUDGED TWICE."),
        ("BEST 3 A 1,2", "BEST 3 A 2", 6, "2 IS NOT ONE OF THE RIGHT TURNS."),
        ("BEST 3", "BEST PLAY", 6, JUDGED_SO("BEST")),
        ("A 2 B 1,3", "A 2 A 1,3", 7, "A 2 A 1,3 A 1: B IS TO MOVE."),
        ("A 2 B 1,3", "A 2 B 2", 7, "A 2 B 2 A 1: PIT 2 IS EMPTY."),
        ("RIGHT 1,2", "RIGHT 1", 5, "A 1 IS NOT A WHOLE TURN: A MOVES AGAIN."),
        ("RIGHT 1,2\n", "", 5, "A LINE RIGHT MUST COME FIRST."),
    ],
)  # fmt: skip
def test_an_exercise_that_contradicts_itself_is_refused(
    there: str, instead: str, line: int, says: str
) -> None:
    text = EXERCISE + JUDGED
    assert there in text
    with refused(Refusal, f"X.POS LINE {line}: {says}"):
        positions.parse(text.replace(there, instead), "X.POS")


SHIPPED = sorted(SHELF.glob("*.POS"))


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_shipped_positions(file: Path) -> None:
    text = file.read_text("ascii")
    found = positions.parse(text, file.name)
    assert "\n".join(map(positions.text_of, found)) == text
    for one in found:
        assert one.comments, "its origin is not told"
        assert not one.position.over


def shipped(name: str) -> Position:
    return positions.parse((SHELF / name).read_text(), name)[0].position


def test_shipped_positions_are_what_they_say() -> None:
    chain = shipped("CHAIN.POS")
    for pit in map(int, "44225416453342112131512161412131"):
        assert repeats(chain, pit)
        chain = chain.play(pit)
        assert not chain.over
    tchuka = shipped("TCHUKA.POS")
    moves = 0
    while not tchuka.over:
        tchuka = tchuka.play(next(pit for pit in tchuka.legal if repeats(tchuka, pit)))
        moves += 1
    assert moves == 17 and tchuka.score == (17, 18)
    assert shipped("RUN64.POS") == opening(2).play(2).play(4)
    assert shipped("BELL4.POS") == opening(3)._replace(mover=1).play(2).play(1).play(1)
