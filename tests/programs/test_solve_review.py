"""The review of a game on paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import chain, count, repeat
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from sail.board import ISK_RULES, STANDARD_RULES, Position, opening
from sail.engine.exact import Solver
from sail.engine.judgement import Judge, JudgedTurn
from sail.engine.value import Finding, Value, exactly
from sail.files import positions
from sail.files.area import Area
from sail.game import Ending, Game, Turn
from sail.programs.solve import dialogue, report
from sail.stop import never
from sail.teletype import EndOfInput
from tests import paper, samples
from tests.positions import minimax
from tests.samples import judged, played
from tests.stand_ins import SHELF, Guessing, found, standing_still

EVEN, AHEAD, BEHIND = exactly(0), exactly(4), exactly(-4)


def reviewed(game: Game, stop: Callable[[], bool] = never) -> list[str]:
    """The lines of a review below its heading, without how the game ended."""
    solver = Solver(6, game.start.in_play, STANDARD_RULES)
    judged_turns = judged(game, stop=stop, solver=solver)
    return list(report.lines(game, judged_turns))[3:-1]


def turn(
    number: int, before: Value, after: Value, lost: int = 0, *reply: int
) -> JudgedTurn:
    """That turn, of A if the number is odd: he played 36, and 2 was better.

    before, after: A's.
    """
    start = opening(3)._replace(mover=1 - number % 2)
    values = before.negated_if(start.mover != 0), after.negated_if(start.mover != 0)
    of = Turn(start, (3, 6), opening(3), 0, 0)
    found = Finding(values[0], (2,) if lost else (3, 6)), Finding(values[1], reply)
    return JudgedTurn(number, of, *found, lost)


def test_bounds_tell_more_than_an_estimate_when_8_stones_apart() -> None:
    values = (
        Value(-2, 6, 0, 2),
        Value(-3, 6, 0, 2),
        Value(-2, 8, 4, 2),
    )
    assert [*map(report.value_text, values)] == ["-2 TO 6", "0?", "4?"]


WON, LOST_ALL = Value(-9, 9, 6, 4), Value(-9, 9, -6, 4)
UNKNOWN = Value(-9, 9, 2, 4)


@pytest.mark.parametrize(
    "values, lines",
    [
        ([AHEAD, exactly(6)], ["THE WINNER NEVER CHANGED."]),
        ([AHEAD, UNKNOWN, AHEAD], ["NO CHANGE OF THE WINNER IS KNOWN."]),
        ([AHEAD, EVEN], ["TURN 1: A 3,6 TURNED HIS WIN INTO A DRAW."]),
        (
            [EVEN, EVEN, BEHIND, BEHIND, AHEAD],
            ["TURN 4: B 3,6 TURNED HIS WIN INTO A LOSS."],
        ),
        ([EVEN, WON], ["THE WINNER NEVER CHANGED."]),  # the estimate is wrong
        ([WON, BEHIND], ["TURN 1: A 3,6 TURNED HIS WIN INTO A LOSS, AS ESTIMATED."]),
        ([EVEN, LOST_ALL], ["TURN 1: A 3,6 TURNED HIS DRAW INTO A LOSS, AS ESTIMATED."]),
        ([AHEAD, UNKNOWN, BEHIND], ["NO CHANGE OF THE WINNER IS KNOWN."]),
    ],
)  # fmt: skip
def test_changes_of_the_winner_are_told(values: list[Value], lines: list[str]) -> None:
    pairs = enumerate(zip(values, values[1:]), 1)
    turns = [turn(number, before, after) for number, (before, after) in pairs]
    assert list(report.changes(turns)) == lines


def test_without_time_there_are_bounds_and_estimates(monkeypatch: MonkeyPatch) -> None:
    """A loss that may be an error is not told."""
    search = Guessing(found(-3, -72, 72), found(7, -2, 6, 2), found(25, -72, 72, 5))
    monkeypatch.setattr("sail.engine.judgement.Search", lambda _: search)
    assert reviewed(played("12", 6), stop=lambda: True) == [
        "  N   TURN         KALAHS     VALUE BEST         COST",
        "  1 A 1             1-0         24? 5             26?",
        "  2 B 2             1-1     -6 TO 2",
        "END                 1-1         -2?",
        "A FIGURE WITH ? IS AN ESTIMATE; NINE IN TEN ARE WITHIN 6 STONES.  TWO",
        "FIGURES ARE PROVED BOUNDS.  COSTS THAT MAY BE ERRORS ARE NOT LISTED.",
        "MORE MINUTES PROVE MORE.",
        "NO CHANGE OF THE WINNER IS KNOWN.",
    ]


def test_long_turns_go_on_in_the_next_line(monkeypatch: MonkeyPatch) -> None:
    search = Guessing(found(52, -60, 60), found(54, -72, 72, 4))
    monkeypatch.setattr("sail.engine.judgement.Search", lambda _: search)
    (chain,) = positions.parse((SHELF / "CHAIN.POS").read_text(), "CHAIN.POS")
    game = Game(chain.position, tuple(map(int, "44225416453342112131512161412131")))
    assert reviewed(game, stop=lambda: True)[:8] == [
        "  N   TURN         KALAHS     VALUE BEST         COST",
        "  1 A 4,4,2,2,5,4, 47-0         54?",
        "      1,6,4,5,3,3,",
        "      4,2,1,1,2,1,",
        "      3,1,5,1,2,1,",
        "      6,1,4,1,2,1,",
        "      3,1",
        "END                47-0         52?",
    ]


def test_stopped_on_paper(area: Area) -> None:
    """A ^C during the review; the value of the first turn is an estimate."""

    class Interrupted(paper.Paper):
        def poll(self) -> bool:
            return not self.keys[2:]

    samples.put(Path(area.folder))
    tty = Interrupted(["REVIEW", "1", "1", "Q", "Q"])
    dialogue.Session(tty, area, standing_still).run()
    assert "\nSTOPPED.\nEACH VALUE IS FOR A, BEFORE THE TURN" in tty.text
    assert re.search(r"\n  1 A 2,6           1-0 +-?[0-9]+\? ", tty.text)
    assert "\nEND                 9-15         -6\n" in tty.text


def test_long_work_is_told_of_every_ten_seconds(area: Area) -> None:
    """By a clock that strikes four seconds at every look."""
    samples.put(Path(area.folder))
    clock = map(float, count(0, 4)).__next__
    text = session(area, "REVIEW", "1", "9", "Q", "Q", clock=clock)
    told = re.findall("(?m)^STILL AT WORK AFTER ([0-9]+) SECONDS.$", text)
    seconds = [*map(int, told)]
    steps = [after - before for before, after in zip([0, *seconds], seconds)]
    assert steps and set(steps) <= {8, 12, 16, 20}


def test_the_solver_of_a_review(area: Area, monkeypatch: MonkeyPatch) -> None:
    """For games by the standard rule; three minutes."""
    asked = []

    def noting(judge: Judge, game: Game, seconds: float) -> list[JudgedTurn]:
        asked.append((game.start.stones, seconds, judge.solver.fits(opening(2))))
        raise EndOfInput

    monkeypatch.setattr(Judge, "judge_game", noting)
    samples.put(Path(area.folder))
    clock = chain([10.0], repeat(30.0)).__next__
    session(area, "REVIEW", "1", "3", clock=clock)
    assert asked == [(24, 180, True)]


PAPERS = "A 4,1 B 5,6 A 3 B 3 A 1,5,1,3 B 5 A 2 B 1 A 6,2,1 B 2"


session = partial(paper.typed, dialogue.Session, clock=standing_still)


def typed_game(area: Area, *lines: str, rule: str = "N") -> str:
    """Return the paper of a game of 4 stones that is typed, and not judged."""
    return session(area, "GAME", rule, "4 STONES A PIT", *lines, "", "Q", "Q")


@pytest.mark.source("ISK-RULES", "ISK-RULE")
def test_a_typed_game_is_read_by_the_rule_that_is_asked_for(area: Area) -> None:
    """SOLVE's own line of 6(4), as printed; from turn 13 on the kalahs differ."""
    first, third = f"PITS {PAPERS}", "B 5 A 3 B 4 A 6"
    line = "A 1,3,1,2,1,4 B 1,3 A 2 {}-12"
    for rule, kalahs, other in ("Y", 22, 21), ("N", 21, 22):
        second, wrong = line.format(kalahs), line.format(other)
        text = typed_game(area, first, second, third, rule=rule)
        assert "A 6}" in text and "YOUR PAPER" not in text
        text = typed_game(area, first, wrong, second, rule=rule)
        assert f"YOUR PAPER LINE 3: THE KALAHS ARE {kalahs}-12.\n" in text


def test_the_games_of_a_file_are_judged_by_the_rule_asked_for(area: Area) -> None:
    """The start of the last game has empty pits; Q at WHICH GAME asks for the rule."""
    area.write("CLUB.OUT", "4 STONES A PIT\nA 4,1\nA 9 0 1 0 1, B 2 1 1 1 0\nA 2 B 3\n")
    for answer, rules in ("Y", ISK_RULES), ("N", STANDARD_RULES):
        page = session(area, "REVIEW CLUB", "?", answer, "Q", answer, "2", "", "Q", "Q")
        assert page.count("CAPTURE FROM EMPTY? ") == 3
        last = Position(((0, 1, 0, 1), (1, 1, 1, 0)), (9, 2), 0, rules)
        positions = Game(last, (2, 3)).positions
        for turn, position in zip(("  1 A 2", "  2 B 3", "END"), positions):
            line = re.search(rf"\n{turn} +\d+-\d+ +(\d+)", page)
            side = -1 if position.mover else 1
            assert line and int(line[1]) == side * minimax(position)


@pytest.mark.parametrize("line", ["GAME 25-10-3-3", "25-10-3-3", "-0-54-1-3"])
def test_the_papers_holes_are_refused_and_pits_named(line: str, area: Area) -> None:
    text = typed_game(area, line, PAPERS)
    told = "YOUR PAPER LINE 2: TYPE THE LINE PITS, NOT HOLES COUNTED FROM 0."
    assert f"{{{line}}}\n{told}\n" in text


def test_how_the_game_ended() -> None:
    """By the rules of a review a majority is no end, but nobody left the game."""
    most = opening(3, rules=STANDARD_RULES)._replace(kalahs=(40, 0))
    for begin, ending, value, told in (
        (most, None, AHEAD, "A KALAH HELD MORE THAN HALF.  A WAS WINNING BY 4."),
        (opening(3), Ending.CONCEDED, AHEAD, "THE GAME WAS CONCEDED.  A WAS WINNING BY 4."),
        (opening(3), Ending.QUIT, LOST_ALL, "QUIT ENDED THE GAME.  B WAS WINNING BY 6, AS ESTIMATED."),
        (opening(3), Ending.DRAW, EVEN, "A DRAW WAS AGREED.  IT WAS A DRAW."),
        (opening(3), None, Value(-9, 9, 1, 2), "THE GAME WAS NOT PLAYED OUT."),
    ):  # fmt: skip
        assert report.end_sentence(Game(begin, (3,), "C", 0, "", ending), value) == told


@pytest.mark.source("ISK-66")
def test_what_is_known_of_6_6_is_told(area: Area) -> None:
    text = " ".join(session(area, "6", "6", "Q", "Q").upper().split())
    assert "MARK RAWLINGS, OCTOBER 2015" in text and "NOT PROVED HERE" in text
    assert text.count("TOO LARGE TO FINISH: 72 STONES") == 1


def test_a_game_with_fewer_pits_is_judged_on_its_own_board(area: Area) -> None:
    """Its values are those of the walk from its first turn."""
    keys = ["GAME", "N", "A 0 3 3 3, B 0 3 3 3", "A 2", "", "", "1", "Q", "Q", "Q"]
    text = session(area, *keys)
    assert re.search(r"\n  1 A 2 +1-0 +2", text)
    assert "VALUE 2 FOR A: A WINS BY 2." in text
