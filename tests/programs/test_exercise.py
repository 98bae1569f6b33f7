"""Exercises: LEARN, the positions of files, and TRY after a review."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from sail.board import KALAH_RULES, STANDARD_RULES, Pits, Position, opening
from sail.engine.exact import Solver
from sail.engine.judgement import Judge
from sail.engine.value import Finding, Value, bounded, exactly
from sail.files import positions, seal, tally
from sail.files.area import Area
from sail.game import Course, Game
from sail.programs.kalah import dialogue, says
from sail.programs.kalah.begin import Setup
from sail.programs.kalah.last import LastGame
from sail.programs.kalah.opponent import Opponent
from sail.programs.kalah.practice import Practice
from sail.programs.kalah.review import Review
from sail.programs.kalah.saving import Autosave, save_mistakes
from sail.programs.kalah.showing import how_it_ends
from sail.talk import choosing
from tests import paper
from tests.positions import every_turn, with_stones
from tests.stand_ins import NOTHING_FILED, NOW, SHELF, Stopping, standing_still

LESSONS = positions.parse((SHELF / "LEARN.POS").read_text("ascii"), "LEARN.POS")
RIGHT = ["3", "12", "3", "36", "5", "3", "121312"]  # of the lessons
SOLVE = [key for turn in RIGHT for key in (turn, "")]
NEW = "NEW TO KALAH?  TYPE LEARN, OR RULES.\n"
START = "START WITH 1,2,3,4,5 OR 6? "
MOVE = "YOUR MOVE PLEASE  →→→→→→→→"


def session(
    keys: Sequence[str], area: Area, live: bool = True, visitor: bool = False
) -> str:
    """Return the paper of a session that ends after these lines."""

    def run(tty: paper.Paper) -> None:
        tty.live = live
        seen = Area(area.folder, for_visitor=visitor)
        dialogue.Session(tty, seen, lambda: NOW, standing_still).run()

    return paper.play(run, list(keys))


def turns(position: Position) -> list[tuple[int, ...]]:
    """Return the turns that keep the value, by a solver without a database."""
    position = position._replace(rules=STANDARD_RULES)
    solver = Solver(position.pits_a_side, position.in_play, STANDARD_RULES)

    def keeping(here: Position) -> Iterator[tuple[int, ...]]:
        for pit in solver.keeping_pits(here):
            after = here.play(pit)
            if after.over or after.mover != position.mover:
                yield (pit,)
            else:
                yield from ((pit, *later) for later in keeping(after))

    return list(keeping(position))


def test_lessons_take_ten_minutes_and_have_one_right_turn(area: Area) -> None:
    """Seven lessons, then a line that says what to type for a game."""
    text = session(["LEARN", *SOLVE], area)
    learnt = text[text.index("{LEARN}") : text.rindex(START)]
    assert len(LESSONS) == 7 == learnt.count(" IS RIGHT.  ")
    assert learnt.endswith("\nNOW A GAME: TYPE 3, THEN L, THEN Y.\n")
    assert len(learnt.replace("\n", "\r\n")) <= 6_000
    for number, lesson in enumerate(LESSONS, 1):
        assert lesson.is_exercise and [*lesson.right] == turns(lesson.position)
        assert lesson.findings.keys() == dict(every_turn(lesson.position)).keys()
        assert len(lesson.comments) <= 3 and lesson.theme
        assert max(map(len, lesson.comments + lesson.solution)) <= 69
        assert lesson.comments[0].startswith(f"LESSON {number}: ")


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

A 20   0 2 0 0 0 1
B 20   0 0 0 0 0 1
A TO MOVE
RIGHT 26
SOLUTION THE TURN 26 WINS BY 4 STONES.  NO OTHER TURN WINS.
"""


def test_a_file_of_ones_own(area: Area) -> None:
    """Several right turns; B to move; positions without a task are left out."""
    area.write("MINE.POS", MINE)
    keys = ["SPECIAL MINE 1", "3", "5", "", "3", "1", "6", "", "SOLUTION"]
    text = session([*keys, "2", "6", "", "Q"], area)
    assert text.count("SAVE THEM.") == 1 and "NO EXERCISE" not in text
    capture = "IT CAPTURES 4 FROM YOUR PIT 5.  WITH BEST PLAY\nAFTER 3, YOU LOSE BY 4."
    thought = f"{MOVE}{{3}}\n{says.LET_ME_THINK}"
    assert f"{thought}\nAFTER YOUR 3 I PLAY 3: {capture}\n{says.HELPS}\n\n" in text
    assert "\n5 IS RIGHT.  5 SAVES THEM.\n" in text
    # The right turn, too, lets A capture in pit 6: that is no reason.
    loses = "AFTER YOUR 3 I PLAY 4,1,2.  WITH BEST PLAY AFTER 3, YOU LOSE BY 5."
    assert f"{thought}\n{loses}\n\n" in text
    right = text.partition("\n1,6 IS RIGHT.  IT MOVES AGAIN.")[2]
    assert "PLEASE TYPE <CR>{}\nYOU ARE PLAYER A, ON TOP." in right
    solution = "2,6 IS RIGHT.  THE TURN 26 WINS BY 4 STONES."
    assert f"{{SOLUTION}}\n{solution}" in text
    assert f"THAT WAS THE LAST EXERCISE OF MINE.\n{START}{{Q}}" in text
    assert tally.solved(area, "MINE.POS") == set()


def test_what_is_solved_at_the_first_try_is_noted(area: Area) -> None:
    """Of lessons, too."""
    keys = ["SPECIAL STUDY 7", "SOLUTION", "Q", "SPECIAL STUDY 7", "31214", "Q", "Q"]
    session(keys, area)
    assert not area.has(seal.KALAH_TAL)
    keys = ["LEARN", "5", *SOLVE[:4], "SOLUTION", *SOLVE[4:8], "BACK", "Q", "Q"]
    assert session(keys, area).count(says.NO_X) == 1
    assert area.read(seal.KALAH_TAL).splitlines()[1:] == ["LEARN 2 4"]
    session(["SPECIAL STUDY 7", "HINT", "1", "BACK", "31214", "Q", "Q"], area)
    assert area.read(seal.KALAH_TAL).splitlines()[1:] == ["LEARN 2 4", "STUDY 7"]
    text = session(["SPECIAL STUDY", "??", "Q", "Q"], area)
    assert "\n  6  STUDY 6" in text and "\n  7X STUDY 7" in text
    assert "FINDS IT.\nSOLVED: 1 OF 58.  RETURN TAKES 1.\nWHICH" in text


def test_an_empty_line_takes_the_next_unsolved_study(area: Area) -> None:
    for number in (1, 2, 5):
        tally.add(area, "STUDY.POS", number)
    text = session(["SPECIAL STUDY", "X", "?", "", "Q", "Q"], area)
    assert "TYPE 1 TO 58, RETURN FOR THE NEXT UNSOLVED, ? FOR A LIST, OR Q." in text
    assert "SOLVED: 3 OF 58.  RETURN TAKES 3.\n" in text
    assert "\nSTUDY 3, " in text.partition("58? {}")[2]
    for number in range(1, 59):
        tally.add(area, "STUDY.POS", number)
    assert "\nSTUDY 1, " in session(["SPECIAL STUDY", "", "Q", "Q"], area)


LISTED = """\
; PLAYING 1 COST YOU 8 STONES.  FIND A BETTER TURN.
A  8   3 0 0 0 1 0
B  8   3 0 0 0 1 0
A TO MOVE
RIGHT 5
BEST 6 A 5 B 1 A 5 B 5 A 4
WRONG -2 A 1 B 5 A 5
"""


def reviewed(area: Area, *then: str, live: bool = True, visitor: bool = False) -> str:
    """Return the paper of a game that costs 8 stones, reviewed."""
    position = "8 3 0 0 0 1 0 8 3 0 0 0 1 0"
    keys = [f"SPECIAL {position}", "C", "Y", "1", "5", "REVIEW", *(then or ["N"])]
    return session(keys, area, live, visitor)


def test_what_a_review_lists_is_an_exercise_today_and_tomorrow(area: Area) -> None:
    """TRY and SPECIAL MISTAK read one exercise, and say the same, without a search."""
    page = reviewed(area, "TRY", "HINT", *(tries := ["1", "SOLUTION", "5"]), "", "N")
    assert area.read("MISTAK.POS") == seal.sealed("MISTAK.POS", LISTED)
    today = page.partition("{HINT}")[2].partition("\nPLEASE TYPE <CR>")[0]
    keys = ["SPECIAL MISTAK", "SAVE CLUB", "HINT", *tries, "", "SPECIAL CLUB"]
    text = session([*keys, "Q", "Q"], area)
    tomorrow = text.partition("{HINT}")[2].partition("\nPLEASE TYPE <CR>")[0]
    tomorrow = tomorrow.replace(f"{says.NOTATION}\n", "")  # which REVIEW has said
    assert today == tomorrow and says.LET_ME_THINK not in text
    best = "BEST PLAY BEGINS A 5 B 1 A 5 B 5 A 4: YOU WIN BY 6."
    assert today.count(f"\n5 IS RIGHT.  {best}") == 2
    assert "YOU WIN BY 6." in " ".join(today.split())
    assert "THAT WAS THE LAST EXERCISE OF MISTAK.\n" in text
    assert "{SPECIAL CLUB}\nYOU ARE PLAYER A, ON TOP." in text
    assert not area.has(seal.KALAH_TAL)


def test_mistakes_that_are_solved_are_marked_and_come_last(area: Area) -> None:
    """By TRY, too, but not by a second try."""
    reviewed(area)
    second = LISTED.replace("  8 ", "  9 ")
    area.write("MISTAK.POS", f"{second}\n{LISTED}")
    listing = ["SPECIAL MISTAK", "", "1", "5", "Q", "SPECIAL MISTAK", "Q", "Q"]
    text = session(listing, area)
    assert text.count("SOLVED: 0 OF 2.  RETURN TAKES 1.") == 2
    assert says.NO_X in text and "SOLVED\n" not in area.read("MISTAK.POS")
    text = session(["SPECIAL MISTAK", "", "5", "Q", "SPECIAL MISTAK", "Q", "Q"], area)
    assert says.NO_X not in text
    assert "\n  2X PLAYING 1 " in text and "SOLVED: 1 OF 2." in text
    marked = seal.sealed("MISTAK.POS", f"{LISTED}\n{second}SOLVED\n")
    assert area.read("MISTAK.POS") == marked
    reviewed(area, "TRY", "5", "", "N")
    assert area.read("MISTAK.POS").count("\nSOLVED\n") == 2
    session(["SPECIAL MISTAK 1", "SAVE MINE", "Q", "Q"], area)
    assert "SOLVED" not in area.read("MINE.POS")


def test_a_damaged_file_of_turns_costs_no_game(area: Area) -> None:
    damaged = seal.sealed("MISTAK.POS", LISTED).replace("RIGHT 5", "RIGHT 1")
    Path(area.folder, "MISTAK.POS").write_text(damaged)
    told = "MISTAK.POS IS DAMAGED: A LINE WAS CHANGED.  SEE HELP KALAH FILES.\n"
    assert reviewed(area).count(f"\n{told}") == 1
    assert area.read("MISTAK.POS", sealed=False) == damaged
    assert f"{{SPECIAL MISTAK}}\n{told}" in session(["SPECIAL MISTAK", "Q"], area)
    keys = ["SPECIAL STUDY 7", "31214", "Q", "SPECIAL STUDY", "Q", "3", "C", "Y", "^D"]
    Path(area.folder, seal.KALAH_TAL).write_text("X")
    page = session(keys[:-1], area)
    told = "KALAH.TAL IS DAMAGED: LINE 1 IS WRONG.  SEE HELP KALAH FILES."
    assert page.count(told) == 2 and area.has("KALAH.TMP")


def test_a_second_review_does_not_judge_again(area: Area) -> None:
    """But it does if a ^C cut the first one short."""
    page = reviewed(area, "REVIEW", "REVIEW", "N")
    assert page.count("EXERCISE 1:") == 3
    assert page.count(says.REVIEWING) == 1
    game = Game(opening(3), (1, 2), "C", 0, NOW)
    asker = paper.asker_of(tty := Stopping([]), area)
    last = LastGame(Setup(asker, Autosave(asker.area, on=False), str), game)
    last.review("")
    last.review("")
    assert tty.text.count(says.REVIEWING) == 2


def test_a_turn_without_a_better_one_is_not_offered(monkeypatch: MonkeyPatch) -> None:
    """A value is proved, but there was no time to find the turn that keeps it."""
    game = Game(STUDY.position, (6,), "C", 0, NOW)
    review = Review(paper.asker_of(paper.Paper([])), game)
    worst = review.mistakes[0]
    mistake = worst._replace(best=worst.best._replace(variation=()))
    monkeypatch.setattr(review.judge, "judge_position", lambda *_, **__: Finding(EXACT))
    listed = review.entry_of(mistake)
    assert not listed.right
    assert listed.comments[0].startswith("PLAYING 6 COST YOU ")
    told = "PLAYING 6 COST YOU 14 STONES AND TURNED A WIN INTO A LOSS."
    assert review.reasons(listed, mistake) == told


def test_no_two_contradict_one_another_on_ten_boards(area: Area) -> None:
    """ADVISE, REVIEW, TRY and MISTAK say what SOLVE's solver proves."""
    chance, asked, asker = random.Random(1972), 0, paper.asker_of(paper.Paper([]), area)
    for stones in range(7, 17):
        position = with_stones(chance, stones, rules=KALAH_RULES)
        best = turns(position)
        advice = Opponent(asker).quick_proof(Game(position))
        assert advice and advice.variation in best
        wrong = next((it for it, _ in every_turn(position) if it not in best), ())
        game = Game(position, wrong, "C", position.mover, NOW)
        listed = Review(asker, game).entries
        save_mistakes(area, listed)
        for entry, again in zip(listed, choosing.read_positions(area, "MISTAK")):
            today, tomorrow = (asked_of(it, area) for it in (entry, again))
            for turn, _ in itertools.islice(every_turn(position), 4):
                # A majority may end a turn.
                right = any(it[: len(turn)] == turn for it in best)
                assert today.verdict(turn) == tomorrow.verdict(turn)
                assert today.verdict(turn)[0] == right
                asked += 1
            found = today.exercise.best
            assert found and found.value == advice.value
    assert asked > 20


def asked_of(entry: positions.Entry, area: Area) -> Practice:
    """Return the practice of an exercise, with what is proved on file."""
    return Practice(paper.asker_of(paper.Paper([]), area), entry, set())


def test_try_takes_the_next_turn(area: Area) -> None:
    """After the last one, the first again; a number takes that turn."""
    keys = ["2", "C", "Y", "24", "", "3", "1", "", "4", "2", "5"]
    page = session([*keys, "REVIEW", *["TRY", "Q"] * 2, "TRY 1", "Q", "TRY", "Q"], area)
    listed = re.findall("(?m)^EXERCISE [1-3]: ", page)
    assert len(listed) >= 2
    tasks = re.findall("(?m)^PLAYING .* FIND A BETTER TURN", page)
    assert tasks[0] != tasks[1] and tasks[2:] == tasks[:2]


def test_only_an_owner_at_a_terminal_keeps_what_is_solved_or_listed(area: Area) -> None:
    keys = ["SPECIAL STUDY 7", "31214", "Q", "SPECIAL STUDY", "??", "Q", "Q"]
    pages = [session(keys, area, live=False), session(keys, area, visitor=True)]
    assert all("SOLVED: 0 OF 58." in text and NEW not in text for text in pages)
    assert area.names() == []
    assert "SOLVED: 1 OF 58." in session(keys, area)
    assert area.names() == [seal.KALAH_TAL]
    assert "SOLVED: 0 OF 58." in session(keys[-4:], area, visitor=True)
    for live, visitor in ((False, False), (True, True)):
        assert "COST YOU 8" in reviewed(area, live=live, visitor=visitor)
        assert not area.has("MISTAK.POS")
    reviewed(area)
    assert area.has("MISTAK.POS")


def test_play_in_mid_turn_takes_back_its_moves(area: Area) -> None:
    """Also if the user then goes back to the exercise: the last board is true."""
    page = session(["LEARN 4", "3", "PLAY", "Q", "SHOW", "36", "Q", "Q"], area)
    boards = re.findall("(?m)^ +[0-9]+( +[0-9]+){5}\n +([0-9]+) +[0-9]+$", page)
    assert [kalah for _, kalah in boards] == ["0", "1", "0", "0", "6"]
    assert "3,6 IS RIGHT" in page


def test_lessons_go_on_where_they_were_left(area: Area) -> None:
    lesson = "LESSON {}: ".format
    session(["LEARN", *SOLVE[:4], "Q", "Q"], area)
    keys = ["LEARN", "3", "", "Q", "LEARN 7", RIGHT[6], "", "LEARN", "Q", "Q"]
    text = session(keys, area)
    begun = [text.index(lesson(number)) for number in (3, 4, 7)]
    assert begun == sorted(begun) and lesson(1) not in text
    assert text.rindex(lesson(4)) > begun[-1]  # 4 to 6 are left
    assert "THERE IS NO POSITION 8: LEARN.POS HAS 7." in session(["LEARN 8", "Q"], area)
    for number in range(1, 8):
        tally.add(area, "LEARN.POS", number)
    assert lesson(1) in session(["LEARN", "Q", "Q"], area)
    area.write("LEARN.POS", "A 0 3 3\nB 0 3 3\n")  # a game of KALAH has six pits
    assert "LEARN.POS HAS 2 PITS A SIDE." in session(["LEARN", "Q"], area)


WORSE = """\
; B CAPTURES.
A  3   0 0 2 2 6 2
B  3   0 1 2 3 2 5
A TO MOVE
RIGHT 3
RIGHT 4
"""


def test_what_a_person_calls_right_is_checked(area: Area) -> None:
    """As far as a proof is quick; a turn that is as good as RIGHT is right, too."""
    area.write("BAD.POS", WORSE)
    told = "{SPECIAL BAD}\nBAD.POS POSITION 1: 3 IS BETTER THAN 4.\nSTART"
    assert told in session(["SPECIAL BAD", "Q"], area)
    good = WORSE.replace("RIGHT 4\n", "")
    area.write("GOOD.POS", f"{good}\n{WORSE}")
    text = session(["SPECIAL GOOD 1", "3", "", "Q"], area)
    assert "\n3 IS RIGHT.  " in text  # the next one is checked when it is set up
    assert "{}\nGOOD.POS POSITION 2: 3 IS BETTER THAN 4.\nSTART" in text
    area.write("FOUR.POS", "A 0 4 4 4 4 4 4\nB 0 4 4 4 4 4 4\nRIGHT 2\n")
    assert "FOUR.POS POSITION 1: 4,1 IS BETTER THAN " in session(
        ["SPECIAL FOUR", "Q"], area
    )
    rows = "A 8 3 0 0 0 1 0\nB 8 3 0 0 0 1 0\nRIGHT 5\nBEST 6 A 5 B 5\nWRONG -2 A 1\n"
    area.write("WORTH.POS", rows.replace("BEST 6", "BEST 4"))
    told = "WORTH.POS POSITION 1: 5 IS WORTH 6."
    assert told in session(["SPECIAL WORTH", "Q"], area)
    equal = "A 0 2 0 2 0 0 2\nB 0 2 0 1 0 0 2\nRIGHT 1\n"  # 6 is as good
    area.write("ABOUT.POS", f"{equal}BEST ABOUT 9 A 1 B 6\n")
    text = session(["SPECIAL ABOUT", "6", "SOLUTION", "Q", "Q"], area)
    assert "\n6 IS RIGHT.  " in text and "YOU WIN BY ABOUT" not in text
    area.write("ABOUT.POS", f"{equal}BEST 3 A 1 B 3\n")  # a reply that loses four more
    assert "BEGINS A 1 B 6" in session(["SPECIAL ABOUT", "SOLUTION", "Q", "Q"], area)
    area.write("ABOUT.POS", f"{equal}WRONG ABOUT 1 A 6 B 6\n")
    told = "ABOUT.POS POSITION 1: 6 IS WORTH 3."
    assert told in session(["SPECIAL ABOUT", "Q"], area)
    area.write("WRONG.POS", rows.replace("-2", "-4"))
    told = "WRONG.POS POSITION 1: 1 IS WORTH -2."
    assert told in session(["SPECIAL WRONG", "Q"], area)
    area.write("FIRST.POS", MINE.replace("RIGHT 6 16", "RIGHT 6"))
    assert "\n1,6 IS RIGHT.  " in session(["SPECIAL FIRST 3", "16", "Q", "Q"], area)


def test_words_never_replace_a_judgement(area: Area) -> None:
    """A turn as good as RIGHT is right.  What takes long to prove is the file's word."""
    rows = "A 9 1 0 0 0 4 0\nB 5 0 0 1 0 0 4\nB TO MOVE\n"
    area.write("CLASS7.POS", f"{rows}RIGHT 3\nWRONG NO\n")
    text = session(["SPECIAL CLASS7", "6", "Q", "Q"], area)
    assert "\n6 IS RIGHT.  IT CAPTURES 4 FROM MY PIT 5." in text
    area.write("CLASS1.POS", "A 5 4 4 0 4 4 1\nB 1 3 3 3 0 3 3\nRIGHT 6\n")
    text = session(["SPECIAL CLASS1", "SOLUTION", "6", "Q", "Q"], area)
    assert text.count("\n6 IS RIGHT IF THE FILE IS; I HAVE NO PROOF.\n") == 2
    area.write("BOLD.POS", "6 STONES A PIT\nRIGHT 1\nBEST 20 A 1\nWRONG -20 A 2\n")
    text = session(["SPECIAL BOLD", "SOLUTION", "SAVE COPY", "Q", "Q"], area)
    assert (
        "\n1 IS RIGHT IF THE FILE IS; I HAVE NO PROOF.\n" in text and "20" not in text
    )
    assert "BEST 20 A 1\nWRONG -20 A 2\n" in area.read("COPY.POS")


def test_a_right_turn_has_one_sentence(area: Area) -> None:
    """Whatever has been asked or tried before, and for HINT without the pit."""
    area.write("SAVES.POS", MINE.partition("SOLUTION")[0])
    tries = ["HINT", "SOLUTION", "3", "SOLUTION", "2", "SOLUTION", "5"]
    text = session(["SPECIAL SAVES", *tries, "Q", "Q"], area)
    assert "\nA BETTER TURN SAVES THE 4 IN YOUR PIT 5.\n" in text
    said = re.findall(
        "(?s)\n5 IS RIGHT.  IT SAVES THE 4 IN YOUR PIT 5.  .*?BY 4[.]", text
    )
    assert len(said) == 4 and len({*said}) == 1


def test_a_teacher_s_sheet(area: Area) -> None:
    """All boards of a file or one, without what is right; files that are not read."""
    area.write("MINE.POS", MINE)
    for name in ("CLASS12.POS", "Mine.pos.txt"):
        Path(area.folder, name).write_text(MINE)
    text = session(["PRINT MINE", "PRINT MINE 3", "PRINT MINE 5", "Q"], area)
    assert [text.count(f"\n{number}.\n") for number in range(1, 6)] == [1, 1, 2, 1, 0]
    assert "5 SAVES" not in text and "POSITION 5: MINE.POS HAS 4." in text
    text = session(["SPECIAL ?", "Q"], area)
    for name in ("CLASS12.POS", "MINE.POS.TXT"):
        assert f"{name} IS NOT READ: NAME IT LIKE CLASS1.POS.\n" in text
    assert "IS NOT READ" not in session(["SPECIAL ?", "Q"], area, visitor=True)


def test_advice_uses_what_a_review_proved(area: Area, monkeypatch: MonkeyPatch) -> None:
    """A proof on MISTAK.POS; without it, the level's search expects something."""
    monkeypatch.setattr("sail.engine.judgement.PROOF_EFFORT", 0)
    begin, keys = "14 4 2 4 3 3 4 9 3 5 2 4 5 3", ["C", "Y", "ADVISE", "QUIT", "N"]
    told = session([f"SPECIAL {begin}", *keys], area)
    assert re.search("LEVEL B WOULD PLAY .*, GIVE OR TAKE [468].\n", told)
    rows = "A 14   4 2 4 3 3 4\nB  9   3 5 2 4 5 3\nA TO MOVE\n"
    mistake = f"{rows}RIGHT 4\nBEST 5 A 4\n"
    area.write("MISTAK.POS", f"{mistake}WRONG -7 A 1\n")
    assert "NOTHING IS BETTER THAN 4: YOU WIN BY 5.\n" in session(
        [f"SPECIAL {begin}", *keys], area
    )


@pytest.mark.parametrize("name", ["KALAH.OUT", "KALAH.TMP"])
def test_newcomers_are_told_where_to_begin(name: str, area: Area) -> None:
    """Until a game is on file."""
    assert session(["Q"], area) == f"{NEW}{START}{{Q}}\n"
    keys = ["1", "C", "Y", "1", *(["QUIT", "SAVE", "N"] if "OUT" in name else ["^C"])]
    assert session(keys, area).startswith(NEW)
    assert area.has(name) and NEW not in session(["Q"], area)


STUDY = positions.parse((SHELF / "STUDY.POS").read_text(), "")[15]
EXACT, ABOUT = exactly(6), bounded(estimate=6, error=2)  # of the position


def study(value: Value | None, ticks: Sequence[float] = (0.0,)) -> Practice:
    """Return the practice of study 16, where a review listed 6 and found 4 right.

    value: of the position.  None: a person wrote only that 4 is right.
    """
    exercise = STUDY._replace(
        right=((4,),), findings={}, file=seal.MISTAK_POS, number=1
    )
    if value:
        wrong = Finding(exactly(-8), (6, 1, 3))
        judged: dict[Pits, Finding] = {(4,): Finding(value, (4,)), (6,): wrong}
        exercise = exercise._replace(findings=judged)
    seconds = iter(ticks)

    def clock() -> float:
        return next(seconds, ticks[-1])

    asker = paper.asker_of(paper.Paper([]), NOTHING_FILED, clock=clock)
    return Practice(asker, exercise, set())


@pytest.mark.parametrize(
    "turn, value, right, begins, ends",
    [
        (4, EXACT, True, "4 IS RIGHT.  ", "BEST PLAY BEGINS A 4: YOU WIN BY 6."),
        (4, ABOUT, True, "I SEE NOTHING BETTER THAN 4.  ", "ABOUT 6, GIVE OR TAKE 2."),
        (4, None, True, "4 IS RIGHT IF THE FILE IS; I HAVE NO PROOF.", ""),
        (6, EXACT, False, "AFTER YOUR 6 I PLAY 1,3: IT CAPTURES 2", "YOU LOSE BY 8."),
        *((3, it, False, "AFTER ", "AFTER 3, YOU LOSE BY 6.") for it in (EXACT, ABOUT, None)),
        (3, exactly(-6), True, "3 IS RIGHT.  ", ": YOU LOSE BY 6."),
    ],
)  # fmt: skip
def test_every_turn_that_keeps_the_value_is_right(
    turn: int, value: Value | None, right: bool, begins: str, ends: str
) -> None:
    found = study(value)
    is_right, text = found.verdict((turn,))
    assert is_right == right and text.startswith(begins) and text.endswith(ends)


def test_a_turn_is_judged_once(monkeypatch: MonkeyPatch) -> None:
    """And one that the exercise names, never."""
    found = study(EXACT)
    with monkeypatch.context() as never_judged:
        never_judged.setattr(Judge, "judge_turn", pytest.fail)
        assert found.verdict((4,))[0] and not found.verdict((6,))[0]
    verdict = found.verdict((3,))
    monkeypatch.setattr(Judge, "judge_turn", pytest.fail)
    assert found.verdict((3,)) == verdict


def test_an_estimate_says_so() -> None:
    values = {
        exactly(4): "YOU WIN BY 4",
        exactly(-3): "YOU LOSE BY 3",
        exactly(0): "IT IS A DRAW",
        Value(-9, 9, 4, 2): "YOU WIN BY ABOUT 4, GIVE OR TAKE 2",
        Value(-9, 9, -4, 4): "YOU LOSE BY ABOUT 4, GIVE OR TAKE 4",
        Value(-9, 9, 0, 2): "IT IS ABOUT EVEN, GIVE OR TAKE 2",
        bounded(estimate=6): "YOU WIN BY ABOUT 6",
    }
    assert {value: how_it_ends(value) for value in values} == values


def test_without_time_for_a_proof(monkeypatch: MonkeyPatch) -> None:
    """A verdict on an estimate says so; a file's turn is only said to be wrong."""
    late = [0.0, 0.0, *[99.0] * 9]
    found = study(EXACT, late)
    right, text = found.verdict((3,))
    assert right is False and text.startswith("AFTER ") and ", GIVE OR TAKE " in text
    found = study(None)
    monkeypatch.setattr(Judge, "judge_turn", lambda *it: Finding(ABOUT, it[2]))
    assert found.verdict((3,)) == (None, says.CANNOT_TELL.format(3))


@pytest.mark.parametrize(
    "value, right",
    [
        (Value(-20, 20, 2, 2), None), (Value(-20, 20, 1, 2), False),
        (exactly(2), False), (exactly(4), None), (exactly(8), None),
        (Value(-20, 4, 2, 8), None), (Value(-20, 3, 2, 8), False),
    ],
)  # fmt: skip
def test_errors_that_overlap_tell_nothing(
    value: Value, right: bool | None, monkeypatch: MonkeyPatch
) -> None:
    """The review expects 6, with an error of 2."""
    found = study(ABOUT)
    monkeypatch.setattr(Judge, "judge_turn", lambda *_: Finding(value, (3, 1, 3)))
    is_right, text = found.verdict((3,))
    unknown = "I CANNOT TELL WHETHER 3 IS BEST.  TRY ANOTHER."
    assert is_right is right and (text == unknown) == (right is None)


def test_a_wrong_turn_in_a_lesson_gets_the_lesson_s_own_hint(area: Area) -> None:
    """In words that the lessons so far have taught, and without the right turn."""
    for at, wrong in enumerate(["5", "6", "5", "6", "2", "5", "1312"]):
        text = session(["LEARN", *SOLVE[: 2 * at], wrong, "SOLUTION"], area)
        hint = text.rpartition(f"{MOVE}{{{wrong}}}\n")[2].partition("\n\n")[0]
        assert hint.split() == " ".join([*LESSONS[at].wrong_words, says.HELPS]).split()
        assert hint and "LOSE" not in hint
        assert f"{','.join(RIGHT[at])} IS RIGHT." in text
        area.write(seal.KALAH_TAL, "")


def test_a_hint_looks_at_the_board(area: Area) -> None:
    """In a turn it names the next pit, or says that BACK must come first."""
    keys = ["SPECIAL STUDY 2", *["HINT"] * 2, "1", "HINT", "3", "", "BYE", "EXIT"]
    text = session(keys, area)
    assert "{HINT}\nCOUNTING THE END.\n" in text
    assert text.index("BEGIN WITH PIT 1.") < text.index("GO ON WITH PIT 3.")
    assert not tally.solved(area, "STUDY.POS")
    keys = ["LEARN", "3", "", "1", "HINT", "HINT", "Q", "Q"]
    text = session(keys, area)
    assert text.count("GO ON WITH PIT 2.") == 2
    area.write("TWO.POS", TWO)
    text = session(["SPECIAL TWO", "HINT", "2", "HINT", "BACK", "HINT", "Q", "Q"], area)
    back = text.index("NO RIGHT TURN BEGINS SO.  TYPE BACK.")
    assert text.index("A BETTER TURN ") < back < text.index("BEGIN WITH PIT 1.")
    session(["SPECIAL TWO", "HINT", "2", "HINT", "BACK", "1216", "", "Q"], area)
    assert tally.solved(area, "TWO.POS") == {1}  # no pit was shown


TWO = """\
A  0   1 2 0 0 0 2
B  0   1 5 0 0 0 1
A TO MOVE
RIGHT 1,2,1,6
"""


def test_what_follows_a_proved_value_is_proved_too() -> None:
    """A turn that only seems best would make best play of a proved value false."""
    solver = Solver(6, 48, STANDARD_RULES)
    judge = Judge(standing_still, lambda: True, solver)  # stopped: it estimates
    course = Course(opening(4), (1,))
    guessed = judge.with_best_play(course, Value(-48, 48, 6, 8))
    assert len(guessed.variation) > 1
    assert judge.with_best_play(course, exactly(6)) == Finding(exactly(6), (1,))
