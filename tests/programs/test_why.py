"""The sentences that say why a turn is good or bad, replayed by a checker."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest

from sail.board import KALAH_RULES, Pits, Position
from sail.files import positions
from sail.game import Game, format_turn
from sail.programs.kalah import why
from sail.programs.kalah.practice import Practice
from sail.programs.kalah.review import Review
from tests.paper import Paper, asker_of
from tests.positions import every_turn, placed, with_stones
from tests.sentences import Checker
from tests.stand_ins import SHELF, standing_still


def at(a: str, b: str) -> Position:
    """Return the position with these stones, kalah first; A is to move."""
    return placed([*map(int, a.split())], [*map(int, b.split())])


def test_a_majority_ends_a_line_and_wins_at_once() -> None:
    """Its value counts on pit 2, but pit 1 wins at once."""
    turns = why.first_turns(at("12  1 2 0 0 0 1", "6  0 0 0 0 0 3"), (1, 2))
    assert [turn.pits for turn in turns] == [(1,)]
    # To the last stone this would have won by 10 less, but nobody plays on.
    position = at("26  1 1 1 3 1 6", "21  4 0 4 1 2 1")
    game = Game(position, (1, 6, 1, 2, 1, 4, 1, 3, 1, 2, 1))
    assert game.over and game.winner == 0
    assert not Review(asker_of(Paper([])), game).entries


@pytest.mark.parametrize(
    "a, b, better, says",
    [
        ("3 0 0 0 1 0", "2 0 1 1 1 0", "5", "CAPTURES 1 FROM MY PIT 3"),
        (*("1 2 0 0 0 1", "2 1 0 1 2 0", "1,2,1,6"), "CAPTURES 1 FROM MY PIT 2 AND ENDS THE GAME; I KEEP 5"),
        (*("0 0 3 0 0 1", "0 1 1 1 0 3", "3,1,2"), "CAPTURES 3 FROM MY PIT 6 AND ENDS THE GAME"),
        ("0 1 2 0 4 0", "0 0 1 0 2 0", "5", "SAVES THE 4 IN YOUR PIT 5"),
        ("0 0 3 0 2 0", "0 2 2 0 0 1", "3,2", "MOVES AGAIN"),
        ("1 2 0 0 1 0", "0 1 0 1 0 4", "1,2,5", "MOVES AGAIN TWICE"),
        ("1 2 1 0 0 0", "2 1 1 0 0 0", "1,2,1,3", "MOVES AGAIN 3 TIMES"),
        ("0 1 1 2 1 2", "1 1 0 2 4 1", "3", "THREATENS 4 IN MY PIT 5"),
        ("1 0 0 0 1 1", "0 0 0 1 1 0", "5", "THREATENS 1 IN MY PIT 4"),
    ],
)  # fmt: skip
def test_the_merit_of_a_turn(a: str, b: str, better: str, says: str) -> None:
    """In every form that it has; the checker agrees, and sees a wrong number or pit."""
    position = at(f"0  {a}", f"0  {b}")
    merit = why.merit(position, pits(better))
    assert merit == (f"IT {says}." if says else "")
    checker = Checker(position, better)
    checker.check(merit)
    for number in re.findall("[0-9]", says):
        with pytest.raises(AssertionError):
            checker.check(f"IT {says.replace(number, str(int(number) + 1))}.")


def pits(turns: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall("[1-6]", turns)))


def test_a_capture_that_the_right_turn_allows_too_is_no_reason() -> None:
    """The lines go on until they differ."""
    position = at("8 0 0 1 4 0 0", "8 5 0 2 5 2 1")._replace(mover=1)
    for wrong, right in product(position.legal, repeat=2):
        lines = [(turn, *replied(position, turn)) for turn in (wrong, right)]
        reason = why.harm_of_reply(*(why.first_turns(position, play) for play in lines))
        assert wrong != right or not reason
        if reason:
            text = f"AFTER YOUR {wrong} I PLAY {lines[0][1]}: {reason}"
            Checker(position, f"{right}").check(text)


def replied(position: Position, pit: int) -> tuple[int, ...]:
    """Return a reply of one pit that ends the turn, () if the mover moves again."""
    after = position.play(pit)
    pits = after.legal if after.mover != position.mover else ()
    return tuple([it for it in pits if after.play(it).mover != after.mover][:1])


def compared(position: Position, *plays: Pits) -> str:
    return why.comparison(*(why.first_turns(position, play) for play in plays))


def test_lines_are_compared_where_they_differ_most() -> None:
    """And to the end, where one has ended."""
    position = at("19  1 0 4 1 0 8", "21  0 0 1 0 2 3")
    wrong, right = pits("1,4 5 3 3"), pits("1,3 5 1,6 6 1,2,1,3")
    stands = "A 1,4 B 5 A 3 B 3, YOU ARE 9 BEHIND"
    told = f"AFTER {stands}; INSTEAD YOU COULD BE 2 AHEAD."
    assert compared(position, wrong, right) == told
    Checker(position, "1,3").check(told)
    with pytest.raises(AssertionError):
        Checker(position, "1,3").check(told.replace("9", "8"))
    assert not compared(position, right, wrong)
    ended = at("0  0 1 0 1 0 0", "0  0 0 0 1 0 0")
    told = "AFTER A 2 B 4, YOU ARE 1 BEHIND; INSTEAD YOU COULD BE 3 AHEAD."
    assert compared(ended, (2, 4), (4,)) == told


def test_a_majority_ends_a_better_turn() -> None:
    """Its value counts on pit 2, too, but pit 1 ends the game."""
    position = at("12  1 2 0 0 3 1", "4  0 0 0 0 0 1")
    tty = Paper([])
    review = Review(asker_of(tty), Game(position, (5,)))
    review.type()
    (entry,) = review.entries
    assert entry.right == ((1,),)
    # A review does not name it: that is what TRY asks.
    assert "A BETTER TURN ENDS THE GAME." in " ".join(tty.text.split())


def sentences_of(entry: positions.Entry) -> int:
    """Check what an exercise says of each turn, and its solution; count the reasons."""
    entry = entry._replace(file="STUDY.POS", number=1)
    practice = Practice(asker_of(Paper([]), clock=standing_still), entry, set())
    right = format_turn(entry.right[0])
    checker = Checker(entry.position, right)
    checker.check(practice.why_right(*entry.right))
    for turn, _ in every_turn(entry.position):
        found, text = practice.verdict(turn)
        Checker(entry.position, format_turn(turn) if found else right).check(text)
        checker.checked += "AFTER" in text or "IT " in text
    return checker.checked


def sentences_of_games(games: int) -> int:
    """Check reviews of random endings of 16 stones, and their exercises."""
    chance, checked = random.Random(1972), 0
    for _ in range(games):
        game = Game(with_stones(chance, 16, rules=KALAH_RULES), (), "C", 0, "")
        while not game.over:
            game = game.play(chance.choice(game.position.legal))
        asker = asker_of(Paper([]))
        for entry in Review(asker, game).entries:
            checked += sentences_of(entry)
    return checked


def test_every_sentence_is_true_on_the_board() -> None:
    studies = positions.parse((SHELF / "STUDY.POS").read_text(), "")
    assert sum(map(sentences_of, studies[::7])) > 50
    assert sentences_of_games(2) > 30
