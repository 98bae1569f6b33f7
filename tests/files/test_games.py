"""KALAH.OUT and typed games: what is written is read back, damage is found."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import cycle
from typing import Any

import pytest
from pytest import MonkeyPatch

from sail.board import ISK_RULES, STANDARD_RULES, opening
from sail.files import games, seal
from sail.files.area import Area
from sail.files.seal import Damaged
from sail.game import Ending, Game, Turn
from sail.monitor import filing
from sail.programs.kalah import dialogue as kalah
from sail.programs.solve import dialogue as solve
from sail.refusal import Refusal
from sail.stop import Stopped
from tests import paper
from tests.errors import refused
from tests.positions import placed

WE_WRITE = "WE WRITE A 4,1 B 5, NOT"
NO_LINE = ": THIS IS NOT A LINE OF A GAME, LIKE A 4,1 B 5."
ENDS = "THE TURN ENDS WITH PIT {}; PIT {} CANNOT FOLLOW."
AGAIN = "{} IS NOT A WHOLE TURN: A MOVES AGAIN."
NO_START = "{}: FIRST TYPE THE START, LIKE 6 STONES A PIT."
EXAMPLE = """\
GAME OF 06-OCT-72  14:03
3 STONES A PIT
LEVEL A, YOU STARTED
  1 A 3,6           5-0    2 B 1            5-1    3 A 4,5,6         11-1
CONCEDED
A 11, B 1, KALAH WON
"""


def random_game(rnd: random.Random) -> Game:
    """Return a game from any start, of any length, ended in any way."""
    begin = opening(rnd.randint(1, 6))
    if rnd.random() < 0.5:
        a, b = (rnd.choices((0, 1, 2, 3, rnd.randint(0, 30)), k=7) for _ in "AB")
        with suppress(Refusal):
            begin = placed(a, b, rnd.randint(0, 1))
    level = rnd.choice(("C", "B", "A", "MASTER", "TOURNAMENT"))
    game = Game(begin, (), level, rnd.randint(0, 1), games.game_time())
    for _ in range(rnd.choice((0, 3, 30, 300))):
        if not begin.over:
            pit = rnd.choice(begin.legal)
            begin = begin.play(pit)
            game = replace(game, pits=(*game.pits, pit))
    ending = rnd.choice((None, *Ending))
    game = replace(game, advised=rnd.random() < 0.5)
    return game if game.over or not ending else replace(game, ending=ending)


def test_the_minute_of_a_game_has_the_form_of_daytime(monkeypatch: MonkeyPatch) -> None:
    """Whatever the locale; the century is not told, so that 2072 looks like 1972."""
    before = datetime.now().replace(second=0, microsecond=0)
    minute = datetime.strptime(games.timestamp(), "%d-%b-%y  %H:%M")
    assert before <= minute <= datetime.now()  # the local time

    def written(*numbers: int) -> str:
        return games.timestamp(time.mktime(time.struct_time((*numbers, 0, 0, 0, -1))))

    year = [written(1972, month, 6, 9, 3) for month in range(1, 13)]
    months = re.findall("...", "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC")
    assert year == [f"06-{month}-72  09:03" for month in months]
    assert written(2000, 2, 29, 23, 59) == "29-FEB-00  23:59"
    for when in (*year, "29-FEB-00  23:59"):
        game = Game(opening(3), (), "A", 0, when)
        assert [*games.SavedGames(games.text_of(game), "KALAH.OUT")] == [game]
    # Games of one minute differ by a ten-thousandth of a second; lists show the minute.
    begun = []
    for seconds in (1000.41, 1000.42, 1001.41):
        monkeypatch.setattr("time.time", lambda now=seconds: now)
        begun.append(games.game_time())
    assert len({*begun}) == 3 and begun[0].endswith(":40.4100")
    game = Game(opening(3), (3,), "C", 0, begun[0])
    assert games.summary(game).startswith(f"{begun[0][:16]}  3 STONES")


def test_write_and_read_are_opposites() -> None:
    rnd = random.Random(13700)
    chosen = [random_game(rnd) for _ in range(60)]
    for game in chosen:
        text = games.text_of(game)
        assert [*games.SavedGames(text, "KALAH.OUT")] == [game]
        assert max(map(len, text.splitlines())) <= 72
        assert len(text.splitlines()) <= 60  # a page
        (read,) = typed(text)
        assert replace(read, start=game.start) == game
    together = "\n".join(map(games.text_of, chosen))
    assert [*games.SavedGames(together, "KALAH.OUT")] == chosen
    assert [*games.SavedGames("", "KALAH.OUT")] == []


def test_openings() -> None:
    """1 to 6 stones a pit, under any rules; A to move, nothing in the kalahs."""
    assert [n for n in range(9) if opening(n).is_opening] == [1, 2, 3, 4, 5, 6]
    assert opening(3, rules=ISK_RULES).is_opening
    assert not opening(3)._replace(mover=1).is_opening
    assert not opening(3)._replace(kalahs=(0, 1)).is_opening
    assert not opening(3, 5).is_opening


def test_the_lines_of_turns() -> None:
    """Three to a line, fewer where they are long."""
    start = opening(3)
    short = Turn(start, (3, 6), start._replace(kalahs=(47, 0)), 0, 0)
    turns = [
        *[short] * 4, short._replace(pits=(1, 2) * 16), *[short] * 2,
        short._replace(before=start._replace(mover=1), pits=(1,) * 40), short,
    ]  # fmt: skip
    assert games.turn_lines(turns) == [
        "  1 A 3,6         47-0    2 A 3,6         47-0    3 A 3,6         47-0",
        "  4 A 3,6         47-0",
        "  5 A 1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,",
        "2   47-0                  6 A 3,6         47-0    7 A 3,6         47-0",
        "  8 B 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,",
        "1,1,1,1,1,1,1   47-0      9 A 3,6         47-0",
    ]
    fits, parts = (short._replace(pits=(2,) * length) for length in (6, 7))
    assert games.turn_lines([short, short, fits, short, short, parts]) == [
        "  1 A 3,6         47-0    2 A 3,6         47-0    3 A 2,2,2,2,2,2   47-0",
        "  4 A 3,6         47-0    5 A 3,6         47-0",
        "  6 A 2,2,2,2,2,2,2   47-0",
    ]
    assert games.turn_lines([]) == []
    # Narrow paper has fewer.
    (game,) = games.SavedGames(EXAMPLE, "X")
    for columns, lines in ((70, 1), (69, 2), (46, 2), (45, 3)):
        text = games.text_of(game, columns)
        assert [*games.SavedGames(text, "X")] == [game]
        assert len(text.splitlines()) == len(EXAMPLE.splitlines()) - 1 + lines
        assert max(map(len, text.splitlines())) <= columns


def test_a_seal_alone_does_not_make_a_game() -> None:
    for right, wrong, line in (
        *(("3 STONES", "99 STONES", 2), ("A 3,6", "A 3,7", 4), ("A 3,6", "A 6,3", 4)),
        *(("5-1", "5-2", 4), ("A 11,", "A 12,", 6)),
    ):
        text = f"{EXAMPLE}\n{EXAMPLE.replace(right, wrong)}"
        saved = games.SavedGames(seal.sealed("KALAH.OUT", text), "KALAH.OUT")
        with refused(Damaged, str(Damaged("KALAH.OUT", 8 + line))):
            saved[1]


def typed(text: str) -> list[Game]:
    return games.parse_typed(text, "CLUB.OUT", STANDARD_RULES)


BEGUN = "3 STONES A PIT\nA 3,6\nB 1\n"
ANN = "GAME OF ANN\nA 0 0 1 1, B 3 1 0 1, B TO MOVE\nLEVEL C, YOU STARTED\nQUIT\n"
PLAIN = ("", "", 0, None, "361")


@pytest.mark.parametrize(
    "text, found",
    [
        ("3 Stones a pit\n1 a 36 2 B 1\n", [PLAIN]),
        # What cannot be the score of a game that goes on may be turns.
        ("6 STONES A PIT\nA 4, B 5\n", [("", "", 0, None, "45")]),
        # The level may say who started before the line of the mover.
        ("6 STONES A PIT\nLEVEL A, KALAH STARTED\nB TO MOVE\n", [("", "A", 0, None, "")]),
        # A heading keeps no control characters.
        ("GAME OF A\x1b[2JNN\n3 STONES A PIT\nA 3\n", [("A[2JNN", "", 0, None, "3")]),
        # What is left out is not taken from the game before.
        (f"{ANN}2 STONES A PIT\nA 3\n", [("ANN", "C", 1, Ending.QUIT, ""), ("", "", 0, None, "3")]),
        # The level may stand after the turns, and says who started from the first position.
        ("3 STONES A PIT\nA 2\nLEVEL B, YOU STARTED\nB 1\n", [("", "B", 0, None, "21")]),
        ("3 STONES A PIT\nA 2\nLEVEL B, KALAH STARTED\nB 1\n", [("", "B", 1, None, "21")]),
        # A row of stones in a game may be a turn, but not where a start is due.
        ("A 0,1,2,3\nB 0,2,2,2\nA 1,2,1\n", [("", "", 0, None, "121")]),
        (f"{BEGUN}A 1,1,1,0\nB 0,1,1,1\n", [PLAIN, ("", "", 0, None, "")]),
        (f"GAME OF ANN\n{BEGUN}GAME OF BEN\n0 1 0\n0 1 1\n1\n", [("ANN", *PLAIN[1:]), ("BEN", "", 0, None, "1")]),
        # A comma after a row of stones does not continue a turn, one after a pit does.
        ("3 6 6 6 6 6 6,\n3 6 6 6 6 6 6\nA 1\n", [("", "", 0, None, "1")]),
        *((f"3 STONES A PIT\n{lines}\n", [PLAIN]) for lines in ("A 3,\n6\nB 1", "3,\n6\n1", "1 A 3,6,\n2 B 1,", "A 3,\n6 B 1")),
        # Nor is a turn with its kalahs taken for stones, when its number is left out.
        *((f"{BEGUN.replace('A 3,6', turn)}A 4,5,6  11-1", [("", "", 0, None, "361456")]) for turn in
          ("A 3,6  5-0", "A 3,6,  5-0", "A 3,6 5-0,", "1 A 3, 6, 5-0,", "A 36 5-0", "1 A 3,6  5-0", "A 3,6 005-0")),
        # Turns may stand without players, as SOLVE types them, and as they are said.
        *((f"4 STONES A PIT\n{lines}\nB 3\n", [("", "", 0, None, "415653")]) for lines in
          ("41-56-5", "41 56 5", "41, 56, 5", "4-1-56-5", "PITS 41-56-\n     5", "41\n56 5-", "PITS 41,56,\nPITS 5", "41,\n56,\n5")),
        # Or as SOLVE takes them at GO ON WITH PIT; a pit is no number of a turn.
        *((f"4 STONES A PIT\n{turns}\nA 5\nB 3\n", [("", "", 0, None, "415653")]) for turns in
          ("A 4,1 5 6", "A 41 B 5 6", "A 4 1 B 5,6", "A 4, 1 2 B 5-6", "A 4-1 2-0 2 B 56", "41-5 B 6", "1 A 4 2 A 1 B P5-P6")),
        # Seven words are stones; so are those that are no pits, and any after the end.
        (f"{BEGUN}A 1 2 3 4 5 6 1, B 1 1 1 1 1 1 1\n6\n", [PLAIN, ("", "", 0, None, "6")]),
        (f"{BEGUN}A 1 2 7 1, B 1 1 1 1\n3\n", [PLAIN, ("", "", 0, None, "3")]),
        (f"{BEGUN}QUIT\nA 1 2 3 1, B 1 1 1 1\n3\n", [("", "", 0, Ending.QUIT, "361"), ("", "", 0, None, "3")]),
    ],
)  # fmt: skip
def test_a_typed_game_needs_no_more_than_its_start_and_turns(
    text: str, found: list[tuple[object, ...]]
) -> None:
    assert found == [
        (it.heading, it.level, it.user, it.ending, "".join(map(str, it.pits)))
        for it in typed(text)
    ]


def test_the_example_in_the_module_is_a_typed_game() -> None:
    assert games.__doc__
    example = games.__doc__.rpartition("goes on:\n\n")[2]
    game = typed("\n".join(line.strip() for line in example.splitlines()))[0]
    assert (game.heading, game.pits) == ("ANN AND BEN", (6, 1, 2, 4, 1, 5))


def test_a_slip_in_a_typed_game_is_told_with_its_line() -> None:
    for right, wrong, complaint in (
        ("GAME OF", "GAME AT", NO_START.format(1)),
        ("3 STONES", "99 STONES", "2: AT MOST 144 STONES IN ALL."),
        ("3 STONES A", "3 STONES", NO_START.format(2)),
        ("3 STONES A PIT\nLEVEL A", "LEVEL C", NO_START.format(2)),
        ("A 3,6 ", "A 3,7 ", "4: A 3,7: THERE IS NO PIT 7."),
        ("A 3,6 ", "A 3,3 ", "4: A 3,3: PIT 3 IS EMPTY."),
        ("A 3,6 ", "B 3,6 ", "4: B 3,6: A IS TO MOVE."),
        ("A 3,6           5-0", "A 3", f"4: B 1: {AGAIN.format('A 3')}"),
        ("3 STONES A PIT", "A 3,6 B 1,2", NO_START.format(2)),
        ("A 3,6 ", "A 6,3 ", f"4: A 6,3: {ENDS.format(6, 3)}"),
        ("1 A 3,6 ", "A 6,3 ", f"4: A 6,3: {ENDS.format(6, 3)}"),
        ("1 A 3,6 ", "A 6 3 ", "4: THE KALAHS ARE 0-1."),
        ("A 3,6 ", "A 3 1-0 6 ", "4" + NO_LINE),
        ("A 3,6 ", "A 3 ", "4: THE KALAHS ARE 1-0."),
        ("A 4,5,6 ", "A 4,6,1 ", f"4: A 4,6,1: {ENDS.format(6, 1)}"),
        ("5-1", "005-2", "4: THE KALAHS ARE 5-1."),
        ("A 11,", "A 12,", "6: THE SCORE IS A 11, B 1."),
        ("A 3,6 ", "A 3+ ", "4" + NO_LINE),
        ("A 3,6 ", "3 9 12 0 ", f"4: {WE_WRITE} HOLES COUNTED FROM 0."),
        ("A 3,6 ", "C F2 ", f"4: {WE_WRITE} LETTERS FOR PITS."),
        ("   2 B 1", "PITS B 1", "4" + NO_LINE),
        ("CONCEDED", "CONCEDED.", "5" + NO_LINE),
        ("CONCEDED", "SCORE: A 2, B 0.", "5" + NO_LINE),
        *(("CONCEDED", line, "5" + NO_LINE) for line in ("----", ", 4")),
        ("CONCEDED", "-4", "5: TYPE THE LINE PITS, NOT HOLES COUNTED FROM 0."),
        ("CONCEDED", "C TO MOVE", "5: A OR B MUST BE TO MOVE."),
        ("CONCEDED", "A 1 2 7\nA 1", "6: TYPE B'S STONES, LIKE B 0 6 6 6 6 6 6."),
        ("CONCEDED", "B 6\nA 1,2 3 4", f"6: A 1,2 3 4: {ENDS.format(1, 2)}"),
        ("3 STONES A PIT", "A: 0 3 3 3 3 3 3", NO_START.format(2)),
        ("CONCEDED", "\u0661 A 3,6", "5" + NO_LINE),
        ("CONCEDED", "QUIT\n3 STONES\u2028A PIT\nA 7", "7: A 7: THERE IS NO PIT 7."),
    ):
        assert EXAMPLE.replace(right, wrong) != EXAMPLE
        with refused(seal.BadLine, f"CLUB.OUT LINE {complaint}"):
            typed(EXAMPLE.replace(right, wrong))
    ann, ended = "GAME OF ANN\n4 STONES A PIT\n", "A 0 1 0, B 3 0 1\nA 1\n"
    for text, complaint in (
        (f"{ann}415-6\n", f"3: 415-6: {ENDS.format(1, 5)}"),
        (f"{ann}41-5-5\n", "3: 41-5-5: PIT 5 IS EMPTY."),
        (f"{ann}41-56-7\n", "3: 41-56-7: THERE IS NO PIT 7."),
        (f"{ann}41-56 4-1\n", "3: 41-56 4-1: PIT 4 IS EMPTY."),
        *((f"{ended}{a}\n", f"3: {a}: THE GAME IS OVER.") for a in ("B 1", "A 4", "4-1")),
        *((f"{ann}A 4\nDRAW\nA 1, B 0\n{a}\n", f"6: {a}: THE GAME ENDED WITH DRAW.")
          for a in ("A 1", "1-5", "DRAW", "QUIT")),
        # They would otherwise be added to the game before.
        (f"{ann}A 1\nGAME OF BEN\nB 1\n", NO_START.format(5)),
    ):  # fmt: skip
        with refused(seal.BadLine, f"CLUB.OUT LINE {complaint}"):
            typed(text)


def test_of_two_people_nobody_is_the_user() -> None:
    """Nor does a file say which of them conceded."""
    start = "GAME OF ANN AND BEN\nA 30 1 0 0 0 0 0, B 40 0 0 0 0 0 1, A TO MOVE\n"
    for moves, score in (("A 1\n", "A 31, B 41, B WON"), ("CONCEDED\n", "A 30, B 40")):
        assert games.summary(typed(start + moves)[0]).endswith(f"SPECIAL, {score}")


def test_numbers_of_any_length_are_read() -> None:
    zeros = "0" * 5000
    start = f"A {zeros} 1 0 0 0 0 1, B {zeros}3 1 0 0 0 0 1, A TO MOVE\n"
    assert typed(start + f"{zeros} A 1 {zeros}1-3\n")[0].start.kalahs == (0, 3)
    with refused(seal.BadLine, "CLUB.OUT LINE 1: AT MOST 144 STONES IN ALL."):
        typed(start.replace("B ", "B 1"))


@pytest.mark.parametrize("line, at", [("A 1\n", 3), ("A 1 ", 2), ("+", 2), ("1", 2)])
def test_a_huge_typed_text_is_read_or_refused_at_once(line: str, at: int) -> None:
    """The refusal names the first line that is wrong; empty lines are read."""
    text = "3 STONES A PIT\n"
    for empty in (" " * (1 << 16), ";\n" * (1 << 15)):
        assert len(typed(text + empty)) == 1
    with pytest.raises(seal.BadLine, match=f"^CLUB.OUT LINE {at}:"):
        typed(text + line * ((1 << 16) // len(line)))


@pytest.mark.parametrize("when", ["06-OCT-72  14:03", "06-OCT-72  14:03:41.0625"])
def test_what_was_written_is_read_for_ever(when: str) -> None:
    """The texts are literal, so that old files stay readable."""
    won = {"CONCEDED": ", KALAH WON", "WIN": ", YOU WON", "DAMMIT": ", YOU WON"}
    endings = cycle([*won, "DRAW", "QUIT", "IN PROGRESS"])
    levels = "L F E D C CITY B A MASTER TOURNAMENT"
    for level, ending in zip(levels.split(), endings):
        body = f"""\
GAME OF {when}
A 3 0 0 0 0 0 1, B 3 1 0 0 0 0 1, B TO MOVE
LEVEL {level}, KALAH STARTED
  1 B 1,6           3-4
{ending}
A 3, B 4{won.get(ending, "")}
"""
        (game,) = games.SavedGames(body, "KALAH.OUT")
        found = game.level, game.user, game.heading, game.pits
        assert found == (level, 0, when, (1, 6))


def test_a_turn_goes_on_after_a_comma() -> None:
    text = EXAMPLE.replace("A 3,6 ", "A 3,\n6 ")
    (game,), (read,) = games.SavedGames(text, "KALAH.OUT"), typed(text)
    assert game.pits == read.pits == (3, 6, 1, 4, 5, 6)


TYPED = partial(games.parse_typed, rules=STANDARD_RULES)


@pytest.mark.parametrize("read", [games.SavedGames, filing.expect_readable, TYPED])
def test_reading_ends_when_it_is_stopped(read: Callable[..., Any]) -> None:
    text = seal.sealed("KALAH.OUT", "\n".join([EXAMPLE] * 20))
    polls = iter([False] * 99 + [True]).__next__
    with pytest.raises(Stopped, match=r"^STOPPED\.$"):
        list(read(text, "KALAH.OUT", stop=polls) or ())


def test_only_the_game_that_is_chosen_is_read(area: Area) -> None:
    """The second is under the seal, but is not a game; the list ends there."""
    wrong = EXAMPLE.replace("A 3,6", "A 6,3")
    area.write("KALAH.OUT", f"{EXAMPLE}\n{wrong}\n{EXAMPLE}")
    keys = ["S KALAH.OUT", "?", "3", "1", "Q", "S KALAH.OUT", "2", "Q"]
    text = paper.leave(lambda tty: kalah.Session(tty, area).run(), keys)
    told = f"\n{Damaged('KALAH.OUT', 12)}\n"
    assert "  3  06-OCT-72  14:03  3 STONES, LEVEL A, A 11, B 1" in text
    assert text.count("{2}" + told) == 1 < text.count(told + "WHICH GAME")


@pytest.mark.parametrize(
    "session, keys",
    [
        *((kalah.Session, ["S KALAH.OUT"]), (kalah.Session, ["RESULTS"])),
        *((solve.Session, ["REVIEW"]), (solve.Session, ["REVIEW CLUB", "N"])),
    ],
)  # fmt: skip
def test_a_file_of_games_can_be_stopped(
    session: Callable[..., Any], keys: list[str], area: Area
) -> None:
    for name in ("KALAH.OUT", "CLUB.OUT"):
        area.write(name, f"{EXAMPLE}\n{EXAMPLE}")
    tty = paper.Paper([*keys, "Q"])
    tty.polls = 1
    session(tty, area).run()
    assert f"{{{keys[-1]}}}\nSTOPPED.\n" in tty.text and not tty.keys


OPENING = "GAME OF 06-OCT-72  14:03\n3 STONES A PIT\n"
HOSTILE = {  # a beginning, and a text that is repeated after it
    "line feeds": ("", "\n"),
    "line feeds after games": (EXAMPLE, "\n"),
    "line feeds after a seal": (seal.sealed("KALAH.OUT", EXAMPLE), "\n"),
    "turns that are cut": (OPENING, "A 1+\n"),
    "one line": (OPENING, "A 1 "),
    "one word": (OPENING, "A"),
}


@pytest.mark.parametrize("opening, text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_takes_no_more_than_real_games(opening: str, text: str) -> None:
    """It is refused early, and no list is made of its lines."""
    tracemalloc = pytest.importorskip("tracemalloc")
    text = opening + text * ((1 << 20) // len(text))
    tracemalloc.start()
    try:
        with pytest.raises(Damaged):
            seal.verified("KALAH.OUT", text)
        assert tracemalloc.get_traced_memory()[1] < 5 << 20
    finally:
        tracemalloc.stop()
