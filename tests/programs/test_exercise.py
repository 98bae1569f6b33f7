"""Exercises: LEARN, the positions of files, and TRY after a review."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, repeat
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from sail.board import STANDARD_RULES, Position, start
from sail.engine.exact import Solver
from sail.engine.judgement import Judged
from sail.engine.value import Expected, Value
from sail.files import positions, seal, tally
from sail.files.area import Area, GuestArea
from sail.game import LineOfPlay, Turn
from sail.programs.kalah import dialogue, faults, says
from sail.programs.kalah.exercise import Exercise
from sail.programs.kalah.showing import result
from sail.programs.kalah.verdicts import judge_of, verdict_of_file
from sail.talk.asking import Asker, Back
from tests import paper

SHELF = Path(__file__).parents[2] / "saves" / "shelf"
LESSONS = positions.read_all((SHELF / "LEARN.POS").read_text("ascii"), "LEARN.POS")
RIGHT = ["3", "12", "3", "36", "5", "3", "121312"]  # of the lessons
NOW = "22-NOV-72  14:05"
NEW = "NEW TO KALAH?  TYPE LEARN, OR RULES.\n"
START = "START WITH 1,2,3,4,5 OR 6? "
MOVE = "YOUR MOVE PLEASE  →→→→→→→→"


@pytest.fixture
def area(tmp_path: Path) -> Area:
    return Area(str(tmp_path))


def session(
    keys: Sequence[str], area: Area, live: bool = True, visitor: bool = False
) -> str:
    """Return the paper of a session that ends after these lines."""

    def run(tty: paper.Paper) -> None:
        tty.live = live
        seen = GuestArea(area, "KALAH.OUT") if visitor else area
        dialogue.run(tty, seen, lambda: NOW, lambda: 0.0)

    return paper.play(run, list(keys))


def turns(position: Position) -> list[tuple[int, ...]]:
    """Return the turns that keep the value, by a solver without a database."""
    solver = Solver(position.pits, position.in_play, captures_empty=False)
    return list(solver.keeping_turns(position._replace(rules=STANDARD_RULES)))


@pytest.mark.parametrize("number", range(1, 8))
def test_only_the_right_turn_of_a_lesson_keeps_the_value(number: int) -> None:
    lesson = LESSONS[number - 1]
    assert [*lesson.right] == turns(lesson.position)
    assert len(lesson.comments) <= 3
    assert max(map(len, lesson.comments + lesson.solution)) <= 69
    assert lesson.comments[0].startswith(f"LESSON {number}: ")


def test_the_lessons_take_ten_minutes_at_110_baud(area: Area) -> None:
    """Seven lessons, then a line that says what to type for a game."""
    text = session(["LEARN", *RIGHT], area)
    learnt = text[text.index("{LEARN}") : text.rindex(START)]
    assert len(LESSONS) == 7 == learnt.count("\nRIGHT.  ")
    assert learnt.endswith("\nNOW A GAME: TYPE 3, THEN L, THEN Y.\n")
    assert len(learnt.replace("\n", "\r\n")) <= 6_000


MINE = """\
; SAVE THEM.
A  0   0 1 2 0 4 0
B  0   0 0 1 0 2 0
A TO MOVE
RIGHT 5
SOLUTION 5 SAVES THEM.

; NO EXERCISE
A  1   1 0 0 0 0 0
B  0   1 0 0 0 0 0
A TO MOVE

; B CAPTURES.
A  0   0 0 0 4 1 0
B  0   1 0 2 0 0 1
B TO MOVE
RIGHT 6 16

; AS SOLUTIONS WERE WRITTEN UNTIL 2026
A 20   0 2 0 0 0 1
B 20   0 0 0 0 0 1
A TO MOVE
RIGHT 26
; THE TURN 26 WINS BY 4 STONES.  NO OTHER TURN WINS.
"""


def test_a_file_of_ones_own(area: Area) -> None:
    """Several right turns; B to move; positions without a task are left out."""
    area.write("MINE.POS", MINE)
    keys = ["SPECIAL MINE 1", "3", "5", "", "3", "1", "6", "", "SOLUTION"]
    text = session([*keys, "2", "6", "", "Q"], area)
    assert text.count("SAVE THEM.") == 1 and "NO EXERCISE" not in text
    capture = "IT CAPTURES 4 FROM YOUR PIT 5.  YOU LOSE BY 4."
    assert f"{MOVE}{{3}}\nYOUR 3 LETS ME PLAY 3: {capture}\n\n" in text
    assert "RIGHT.  5 SAVES THEM.\nPLEASE TYPE <CR>{}\nYOU ARE PLAYER B, BELOW." in text
    capture = "IT CAPTURES 1 FROM YOUR PIT 6.  YOU LOSE BY 5."
    assert f"{MOVE}{{3}}\nYOUR 3 LETS ME PLAY 412: {capture}\n\n" in text
    assert "\nRIGHT.\nPLEASE TYPE <CR>{}\nYOU ARE PLAYER A, ON TOP." in text
    assert "{SOLUTION}\n26 IS RIGHT.  THE TURN 26 WINS BY 4 STONES.  NO OTHER" in text
    assert f"THAT WAS THE LAST EXERCISE OF MINE.\n{START}{{Q}}" in text
    assert tally.solved(area, "MINE") == set()


def test_what_is_solved_at_the_first_try_is_noted(area: Area) -> None:
    session(["LEARN", "5", "3", "12", "SOLUTION", "3", "36", "BACK", "Q", "Q"], area)
    assert area.read(tally.TALLY).splitlines()[1:-1] == ["LEARN 2 4"]
    session(["SPECIAL STUDY 7", "HINT", "1", "BACK", "31214", "Q", "Q"], area)
    assert area.read(tally.TALLY).splitlines()[1:-1] == ["LEARN 2 4", "STUDY 7"]
    text = session(["SPECIAL STUDY", "??", "Q", "Q"], area)
    assert "\n  6  STUDY 6" in text and "\n  7X STUDY 7" in text
    assert (
        "FINDS IT.\nSOLVED: 1 OF 58.  A CARRIAGE RETURN TAKES 1.\nWHICH POSITION"
        in text
    )


def test_an_empty_line_takes_the_next_unsolved_study(area: Area) -> None:
    for number in (1, 2, 5):
        tally.add(area, "STUDY", number)
    keys = ["SPECIAL STUDY", "X", "?", "", "Q", "Q"]
    text = session(keys, area)
    assert "TYPE 1 TO 58, RETURN FOR THE NEXT UNSOLVED, ? FOR A LIST, OR Q." in text
    assert "SOLVED: 3 OF 58.  A CARRIAGE RETURN TAKES 3.\n" in text
    assert "\nSTUDY 3, " in text.partition("58? {}")[2]
    for number in range(1, 59):
        tally.add(area, "STUDY", number)
    assert "\nSTUDY 1, " in session(["SPECIAL STUDY", "", "Q", "Q"], area)


def test_a_turn_that_was_not_finished_is_saved(area: Area) -> None:
    """A game may end in the middle of the turn to better."""
    special = positions.Entry(start(3), ("TASK",), right=((3, 6),), played=(3,))
    asker = Asker(paper.Paper(["SAVE MINE", "Q"]), "KALAH", ())
    with pytest.raises(Back):
        Exercise(asker, special, lambda *_: (False, "")).run(area)
    assert positions.read_all(area.read("MINE.POS"), "MINE.POS") == [special]


def test_without_a_right_turn_there_is_no_solution(area: Area) -> None:
    special = positions.Entry(start(3), ("TASK",))
    tty = paper.Paper(["HINT", "SOLUTION", "Q"])
    with pytest.raises(Back):
        Exercise(Asker(tty, "KALAH", ()), special, lambda *_: (False, "")).run(area)
    assert tty.text.count(says.NO_SOLUTION) == 2


LISTED = """\
; PLAYING 1 COST YOU 8 STONES.  FIND A BETTER TURN.
A  8   3 0 0 0 1 0
B  8   3 0 0 0 1 0
A TO MOVE
RIGHT 5
PLAYED 1
"""


def reviewed(area: Area, live: bool = True, visitor: bool = False) -> str:
    """Return the paper of a game that costs 8 stones, reviewed."""
    position = "8 3 0 0 0 1 0 8 3 0 0 0 1 0"
    keys = [f"SPECIAL {position}", "C", "Y", "1", "5", "REVIEW", "N"]
    return session(keys, area, live, visitor)


def test_what_a_review_lists_is_an_exercise_tomorrow(area: Area) -> None:
    """With the verdict of TRY, even if the file has a wrong turn for right."""
    assert "PLAYING 1 COST YOU 8 STONES" in reviewed(area)
    assert area.read("MISTAK.POS") == seal.sealed(LISTED)
    keys = ["SPECIAL MISTAK", "1", "SAVE CLUB", "SOLUTION", "5", "", "SPECIAL CLUB"]
    text = session([*keys, "Q", "Q"], area)
    assert f"SOW LEFT.\n{says.LET_ME_THINK}\n" in text
    assert "{1}\nYOUR 1 LETS ME PLAY 5: THEN YOUR 5 CAPTURES 1" in text
    assert "{SOLUTION}\n5 IS RIGHT.\n" in text
    right = "RIGHT.  NOTHING IS BETTER.  BEST PLAY TO THE LAST STONE: YOU WIN BY 6.\n"
    assert (
        f"{right}PLEASE TYPE <CR>{{}}\nTHAT WAS THE LAST EXERCISE OF MISTAK.\n" in text
    )
    assert "{SPECIAL CLUB}\nYOU ARE PLAYER A, ON TOP." in text
    session(["SPECIAL MISTAK", "5", "", "Q"], area)
    assert not area.has(tally.TALLY)
    area.change("MISTAK.POS", lambda _: None)
    area.write("MISTAK.POS", LISTED.replace("RIGHT 5", "RIGHT 1"))
    text = session(["SPECIAL MISTAK", "1", "5", "", "Q"], area)
    assert (
        "{1}\nYOUR 1 LETS ME PLAY 5: THEN YOUR 5 CAPTURES 1" in text and right in text
    )


def test_only_its_owner_at_a_terminal_keeps_what_a_review_lists(area: Area) -> None:
    for live, visitor in ((False, False), (True, True)):
        assert "COST YOU 8" in reviewed(area, live, visitor)
        assert not area.has("MISTAK.POS")
    reviewed(area)
    assert area.has("MISTAK.POS")


def test_a_damaged_file_of_turns_costs_no_game(area: Area) -> None:
    damaged = seal.sealed(LISTED).replace("RIGHT 5", "RIGHT 1")
    area.write("MISTAK.POS", damaged)
    told = "MISTAK.POS IS DAMAGED AT LINE 7.\n"
    assert f"\n{told}ANOTHER GAME? {{N}}" in reviewed(area)
    assert area.read("MISTAK.POS") == damaged
    assert f"{{SPECIAL MISTAK}}\n{told}" in session(["SPECIAL MISTAK", "Q"], area)
    keys = ["SPECIAL STUDY 7", "31214", "Q", "SPECIAL STUDY", "Q", "3", "C", "Y", "^D"]
    area.write(tally.TALLY, "X")
    page = session(keys[:-1], area)
    assert page.count("KALAH.TAL IS DAMAGED AT LINE 1.") == 2 and area.has("KALAH.TMP")


def test_try_takes_the_next_turn(area: Area) -> None:
    """After the last one, the first again; a number takes that turn."""
    keys = ["2", "C", "Y", "26", "", "4", "1", "", "2"]
    page = session([*keys, "REVIEW", *["TRY", "Q"] * 2, "TRY 1", "Q", "TRY", "Q"], area)
    listed = re.findall("(?m)^TRY [1-3]\\.", page)
    assert len(listed) >= 2
    tasks = re.findall("(?m)^PLAYING .* FIND A BETTER TURN", page)
    assert tasks[0] != tasks[1] and tasks[2:] == tasks[:2]


def test_visitors_leave_no_tally_and_see_none(area: Area) -> None:
    keys = ["SPECIAL STUDY 7", "31214", "Q", "SPECIAL STUDY", "??", "Q", "Q"]
    text = session(keys, area, visitor=True)
    assert "SOLVED: 0 OF 58." in text and area.names() == []
    assert "SOLVED: 1 OF 58." in session(keys, area)
    assert area.names() == [tally.TALLY]
    assert "SOLVED: 0 OF 58." in session(keys[-4:], area, visitor=True)


def test_a_pipe_gets_the_same_paper(tmp_path: Path) -> None:
    keys = ["LEARN", "2", "5", *RIGHT[:3], "SHOW", "SOLUTION", "Q", "Q"]
    pages = []
    for live in (True, False):
        area = Area(str(tmp_path / str(live)))
        text = session(keys, area, live)
        pages.append(text.replace(NEW, ""))
        assert (NEW in text) == live
        assert tally.solved(area, "LEARN") == ({2, 3} if live else set())
    assert pages[0] == pages[1]


@pytest.mark.parametrize("name", ["KALAH.OUT", "KALAH.TMP"])
def test_newcomers_are_told_where_to_begin(name: str, area: Area) -> None:
    """Until a game is on file."""
    assert session(["Q"], area) == f"{NEW}{START}{{Q}}\n"
    keys = ["1", "C", "Y", "1", *(["QUIT", "SAVE", "N"] if "OUT" in name else ["^C"])]
    assert session(keys, area).startswith(NEW)
    assert area.has(name) and NEW not in session(["Q"], area)


STUDY = positions.read_all((SHELF / "STUDY.POS").read_text(), "")[15]
PLAYED = positions.Entry(STUDY.position, right=((4,),), played=(6,))


def listed(value: Value) -> faults.Fault:
    """Return turn 6 of study 16 as a review lists it.

    value: of the position before it.  After it the user loses by 8.
    """
    position = STUDY.position
    played = Turn(0, (6,), position.play(6))
    after = Value(-8, -8, -8)
    return faults.Fault(
        PLAYED, Judged(1, played, value, after, 6, (4,), (1, 3)), (1, 3)
    )


def judged(turn: str, value: Value | None, ticks: Sequence[float]) -> tuple[bool, str]:
    """Return the verdict on a turn in study 16.

    A review had listed 6 there, with this value.  With None, the exercise is of a file.
    """
    seconds = iter(ticks)
    tty = paper.Paper([])
    judge = judge_of(STUDY.position, lambda: next(seconds, ticks[-1]), tty.poll)
    if value:
        verdict = listed(value).exercise(Asker(tty, "KALAH", ()), judge).verdict
    else:
        verdict = verdict_of_file(STUDY._replace(refuted=()), judge)
    line = LineOfPlay(STUDY.position, tuple(map(int, turn)))
    return verdict(line.moves, line.position)


EXACT, ABOUT = Value(6, 6, 6), Value(-20, 20, 6, 2)


BEST = "RIGHT.  NOTHING IS BETTER.  BEST PLAY TO THE LAST STONE: YOU"
LETS_ME = "YOUR 3 LETS ME PLAY 13: IT CAPTURES 1 FROM YOUR PIT 5."
AT_MOST = "LETS ME CAPTURE AT MOST 1."  # after 6 the reply captures 2


@pytest.mark.parametrize(
    "turn, value, right, line",
    [
        ("4", EXACT, True, f"{BEST} WIN BY 6.  4 {AT_MOST}"),
        ("3", EXACT, False, f"{LETS_ME}  YOU LOSE BY 6."),
        (
            *("6", EXACT, False),
            "YOUR 6 LETS ME PLAY 13: IT CAPTURES 2 FROM YOUR PIT 5.  YOU LOSE BY 8.",
        ),
        ("3", Value(-6, -6, -6), True, f"{BEST} LOSE BY 6.  3 {AT_MOST}"),
        (
            *("4", ABOUT, True),
            f"I SEE NOTHING BETTER: YOU WIN BY ABOUT 6.  4 {AT_MOST}",
        ),
        ("3", ABOUT, False, f"{LETS_ME}  YOU LOSE BY 6."),
    ],
)
def test_every_turn_that_keeps_the_value_is_right(
    turn: str, value: Value, right: bool, line: str
) -> None:
    assert judged(turn, value, [0.0]) == (right, line)


@pytest.mark.parametrize(
    "value, says",
    [
        (Value(4, 4, 4), "YOU WIN BY 4"),
        (Value(-3, -3, -3), "YOU LOSE BY 3"),
        (Value(0, 0, 0), "IT IS A DRAW"),
        (Value(-9, 9, 4, 2), "YOU WIN BY ABOUT 4"),
        (Value(-9, 9, -4, 2), "YOU LOSE BY ABOUT 4"),
        (Value(-9, 9, 0, 2), "IT IS ABOUT EVEN"),
    ],
)
def test_an_estimate_says_so(value: Value, says: str) -> None:
    assert result(value.likely, value.proved) == says


def test_without_time_for_a_proof() -> None:
    """A verdict on an estimate says so; a file's turn is only said to be wrong."""
    late = [0.0, 0.0, *[99.0] * 9]
    right, line = judged("3", EXACT, late)
    assert not right and line.startswith("AS FAR AS I SEE, YOUR 3 LETS ME PLAY ")
    assert "YOU LOSE BY ABOUT " in line or "YOU WIN BY ABOUT " in line
    assert judged("3", None, late) == (False, "THE FILE CALLS ANOTHER TURN RIGHT.")


@pytest.mark.parametrize(
    "value, right",
    [
        (Value(-20, 20, 3, 2), None),
        (Value(-20, 20, 2, 2), None),
        (Value(-20, 20, 1, 2), False),
        (Value(2, 2, 2), False),
        (Value(4, 4, 4), None),
        (Value(8, 8, 8), None),
        (Value(-20, 4, 2, 8), None),
        (Value(-20, 3, 2, 8), False),
        (Value(20, 20, 20), True),
    ],
)
def test_errors_that_overlap_tell_nothing(
    value: Value, right: bool | None, monkeypatch: MonkeyPatch
) -> None:
    """The review expects 6, with an error of 2, and 20 at most."""
    monkeypatch.setattr(faults, "outcome", lambda *_: Expected(value, (1, 3)))
    found, line = judged("3", ABOUT, [0.0])
    assert found == bool(right)
    assert line.startswith("WHETHER 3 IS AS GOOD AS ANY I CANNOT TELL.") == (
        right is None
    )


@pytest.mark.parametrize(
    "value, later, says",
    [
        (Value(-20, 20, 18, 2), 99.0, "I SEE NOTHING BETTER: YOU WIN BY ABOUT 18."),
        (Value(-20, 20, 18, 2), 0.0, f"{BEST} WIN BY 6."),
        (None, 99.0, "I SEE NOTHING BETTER: "),
    ],
)
def test_only_a_proof_replaces_an_estimate_of_the_review(
    value: Value | None, later: float, says: str
) -> None:
    """A turn that an earlier session listed has none."""
    ticks = chain([0.0, 0.0], repeat(later))
    fault = listed(value) if value else None
    asker = Asker(paper.Paper([]), "KALAH", ())
    exercise = faults.correction(asker, ticks.__next__, PLAYED, fault)
    assert exercise.verdict((4,), STUDY.position.play(4))[1].startswith(says)


def test_the_turn_played_is_wrong_and_the_one_found_is_right() -> None:
    """Even if their values as estimated are close."""
    close = Value(-20, 20, -7, 2)
    assert judged("4", close, [0.0])[0]
    assert not judged("6", close, [0.0])[0]


@pytest.mark.parametrize(
    "number, wrong", [*enumerate(["5", "6", "5", "6", "2", "5", "1312"], 1)]
)
def test_a_wrong_turn_in_a_lesson_gets_the_lesson_s_own_hint(
    number: int, wrong: str, area: Area
) -> None:
    """In words that the lessons so far have taught, and without the right turn."""
    lesson = LESSONS[number - 1]
    text = session(["LEARN", *RIGHT[: number - 1], wrong, "SOLUTION"], area)
    hint = text.rpartition(f"{MOVE}{{{wrong}}}\n")[2].partition("\n\n")[0]
    assert hint.split() == " ".join(lesson.wrong).split()
    assert hint and "LOSE" not in hint and f"{RIGHT[number - 1]} IS RIGHT." in text
