"""The sentences that say why a turn is good or bad, replayed by a checker."""

from __future__ import annotations

import random
import re

import pytest

from sail.board import Position, start
from sail.files import placing, positions
from sail.game import Game, LineOfPlay, format_turn
from sail.programs.kalah import why
from sail.programs.kalah.faults import correction, type_review
from sail.programs.kalah.verdicts import judge_of, verdict_of_file
from sail.stop import never
from sail.talk.asking import Asker
from tests.paper import Paper
from tests.positions import every_turn
from tests.sentences import Checker
from tests.stand_ins import SHELF, standing_still


def at(a: str, b: str) -> Position:
    """Return the position with these stones, kalah first; A is to move."""
    return placing.build([*map(int, a.split())], [*map(int, b.split())])


@pytest.mark.parametrize(
    "a, b, pits, done",
    [
        ("0  0 1 2 0 4 0", "0  0 0 1 0 2 0", "5", why.Deed(0)),
        ("0  1 2 0 0 1 0", "0  1 1 1 1 1 1", "121", why.Deed(2)),
        ("0  0 0 0 0 1 1", "0  1 1 5 1 1 1", "5", why.Deed(0, 5, 3)),
        ("0  0 0 0 0 13 1", "0  1 1 1 1 1 1", "5", why.Deed(0, 2, 2)),
        ("0  1 0 0 0 0 0", "0  1 1 1 1 1 1", "1", why.Deed(0, 0, 0, True, -6)),
        ("0  0 0 0 0 1 9", "0  0 0 5 0 0 0", "5", why.Deed(0, 5, 3, True, 9)),
        ("9  0 0 0 0 1 1", "2  1 1 5 1 1 1", "5", why.Deed(0, 5, 3, True)),
    ],
)
def test_what_a_turn_does(a: str, b: str, pits: str, done: why.Deed) -> None:
    """As moves after the first, stones, their pit, the end, and what is kept."""
    assert why.deed(at(a, b), tuple(map(int, pits))) == done


def test_a_majority_ends_a_line() -> None:
    """Its value counts on pit 2, but pit 1 wins at once."""
    turns = why.turns_of(at("12  1 2 0 0 0 1", "6  0 0 0 0 0 3"), (1, 2))
    assert [turn.pits for turn in turns] == [(1,)]


@pytest.mark.parametrize(
    "a, b, better, played, reply, says",
    [
        ("3 0 0 0 1 0", "2 0 1 1 1 0", "5", "1", "3", "CAPTURES 1 FROM MY PIT 3"),
        (
            *("1 2 0 0 0 1", "2 1 0 1 2 0", "1216", "126", "1"),
            "CAPTURES 1 FROM MY PIT 2 AND ENDS THE GAME; I KEEP 5",
        ),
        (
            *("0 0 3 0 0 1", "0 1 1 1 0 3", "312", "36", "4"),
            "CAPTURES 3 FROM MY PIT 6 AND ENDS THE GAME",
        ),
        ("0 1 2 0 4 0", "0 0 1 0 2 0", "5", "3", "3", "SAVES THE 4 IN YOUR PIT 5"),
        ("1 1 1 1 1 0", "1 0 0 2 1 0", "15", "3", "5", "LEAVES ME NOTHING TO CAPTURE"),
        ("1 1 1 0 1 3", "0 0 1 0 0 0", "3", "6", "3", "LETS ME CAPTURE AT MOST 1"),
        ("0 0 3 0 2 0", "0 2 2 0 0 1", "32", "5", "6", "MOVES AGAIN"),
        ("1 2 0 0 1 0", "0 1 0 1 0 4", "125", "5", "6", "MOVES AGAIN TWICE"),
        ("1 2 1 0 0 0", "2 1 1 0 0 0", "1213", "13", "2", "MOVES AGAIN 3 TIMES"),
        ("3 0 1 0 0 1", "0 0 1 0 0 1", "6", "1", "5", "SAVES THE 1 IN YOUR PIT 3"),
        ("0 0 1 0 0 1", "0 1 0 0 1 0", "6", "3", "2", ""),
        ("0 1 2 0 4 0", "0 0 1 0 2 0", "3", "3", "3", ""),
    ],
)
def test_the_merit_of_a_better_turn(
    a: str, b: str, better: str, played: str, reply: str, says: str
) -> None:
    """In every form that it has; the checker agrees, and sees a wrong number or pit."""
    position = at(f"0  {a}", f"0  {b}")
    turn, other, its_reply = (tuple(map(int, it)) for it in (better, played, reply))
    merit = f"{better} {says}." if says else ""
    assert why.merit(position, turn, other, its_reply) == merit
    checker = Checker(position, better, played, reply)
    checker.check(merit)
    for number in re.findall("[0-9]", says):
        with pytest.raises(AssertionError):
            checker.check(f"{better} {says.replace(number, str(int(number) + 1))}.")


@pytest.mark.parametrize(
    "a, b, line, says",
    [
        ("1 1 1 2 1 1", "0 1 0 0 1 1", "2125", "IT CAPTURES 1 FROM YOUR PIT 6."),
        (
            *("0 0 0 1 0 3", "0 2 1 0 0 1", "216655342121"),
            "AFTER YOUR 6 MY 5 CAPTURES 1 FROM YOUR PIT 3.",
        ),
        ("1 0 0 0 0 0", "2 0 2 2 0 1", "41", "THEN YOUR 1 ENDS THE GAME; I KEEP 7."),
        ("1 0 0 1 2 0", "1 1 1 1 0 0", "14142313212151", "IT MOVES AGAIN."),
        ("2 1 1 1 2 0", "0 1 1 0 0 0", "25132241", "AFTER YOUR 5 MY 13 MOVES AGAIN."),
        ("1 1 0 0 1 0", "3 1 2 2 0 0", "2154221", ""),
    ],
)
def test_what_a_line_brings(a: str, b: str, line: str, says: str) -> None:
    """B, the program, begins it, and both play their best."""
    position = at(f"0  {a}", f"0  {b}")._replace(mover=1)
    pits = tuple(map(int, line))
    assert why.happens(position, pits, 0) == says
    again = "AGAIN" not in says
    assert why.happens(position, pits, 0, again=False) == says * again


def test_a_majority_ends_a_better_turn() -> None:
    """Its value counts on pit 2, too, but pit 1 ends the game."""
    position = at("12  1 2 0 0 3 1", "4  0 0 0 0 0 1")
    game = Game(position, (5,))
    (fault,) = type_review(Asker(Paper([]), "KALAH", ()), game, standing_still)
    assert fault.judged.best[:2] == (1, 2)
    assert fault.entry.right == ((1,),)
    assert fault.merit((1,)) == "1 ENDS THE GAME."
    # A review does not name it: that is what TRY asks.
    assert fault.text().endswith("  A BETTER TURN ENDS THE GAME.")


def test_a_turn_that_won_at_once_is_no_fault() -> None:
    """To the last stone it would have won by 10 less, but nobody plays on."""
    position = at("26  1 1 1 3 1 6", "21  4 0 4 1 2 1")
    game = Game(position, (1, 6, 1, 2, 1, 4, 1, 3, 1, 2, 1))
    assert game.over and game.winner == 0
    assert not type_review(Asker(Paper([]), "KALAH", ()), game, standing_still)


def sentences_of_studies() -> int:
    """Check what is said to each wrong turn whose refutation is on file."""
    checked, studies = 0, positions.read_all((SHELF / "STUDY.POS").read_text(), "")
    unused = judge_of(studies[0].position, standing_still, never)
    for study in studies:
        verdict = verdict_of_file(study, unused)
        checker = Checker(study.position)
        for turn, *_ in study.refuted:
            after = LineOfPlay(study.position, turn).position
            checker.check(verdict(turn, after)[1])
        checked += checker.checked
    return checked


def sentences_of_games(games: int) -> int:
    """Check reviews of random games with 2 stones a pit, and TRY after them."""
    chance, checked = random.Random(1972), 0
    for _ in range(games):
        game = Game(start(2), (), "C", 0, "")
        while not game.over:
            game = game.play(chance.choice(game.position.legal))
        asker = Asker(Paper([]), "KALAH", ())
        for fault in type_review(asker, game, standing_still):
            checker = Checker(
                fault.entry.position, *map(format_turn, fault.entry.right)
            )
            checker.check(fault.text())
            exercise = correction(asker, standing_still, fault.entry, fault)
            checker.check(" ".join(exercise.entry.solution))
            for pits, after in every_turn(fault.entry.position):
                checker.check(exercise.verdict(pits, after)[1])
            checked += checker.checked
    return checked


def test_every_sentence_is_true_on_the_board() -> None:
    """500 sentences and more: python3 -m tests.bench.reviews."""
    assert sentences_of_studies() > 200
    assert sentences_of_games(1) > 20
