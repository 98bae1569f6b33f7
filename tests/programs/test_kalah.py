"""KALAH on paper: the transcripts, and what they cannot show."""

from __future__ import annotations

import itertools
import random
import re
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from pytest import MonkeyPatch

from sail.board import Position, opening
from sail.engine.levels import LEVELS
from sail.engine.search import Search
from sail.engine.value import Finding
from sail.files import games, positions, seal
from sail.files.area import Area
from sail.files.seal import sealed
from sail.game import Course, Game
from sail.programs.kalah import dialogue as kalah
from sail.programs.kalah import says
from sail.programs.kalah.opponent import Opponent
from sail.programs.kalah.play import GameInProgress
from sail.programs.kalah.review import Review
from sail.programs.kalah.saving import Autosave
from sail.programs.kalah.showing import type_state
from sail.talk import manuals
from sail.teletype import EndOfInput, Leave
from tests import paper
from tests.positions import placed
from tests.stand_ins import (
    NOW,
    LooksAway,
    Paused,
    Scripted,
    Sheet,
    Stopping,
    standing_still,
)


def play(run: Callable[[paper.Paper], None], keys: list[str]) -> str:
    """Return the paper of a program that waits at a question after these lines."""
    sheet = Sheet(keys)
    with suppress(LooksAway, EndOfInput, Leave):
        run(sheet)
    assert not sheet.keys, f"never asked for: {sheet.keys}\n{sheet.text}"
    return sheet.text


@pytest.fixture(autouse=True)
def no_newcomer(monkeypatch: MonkeyPatch) -> None:
    """Let it be as if a game were on file."""
    monkeypatch.setattr("sail.programs.kalah.saving.has_game", lambda area: True)


def run_in(area: Area) -> Callable[[paper.Paper], None]:
    """Return the program in this area; every game has the same minute."""
    return lambda tty: kalah.Session(tty, area, lambda: NOW, standing_still).run()


def game(keys: list[str], area: Area) -> str:
    """Return the paper of a session."""
    return play(run_in(area), keys)


def leave(keys: list[str], area: Area) -> str:
    """Return the paper of a session that ends by itself."""
    return paper.leave(run_in(area), keys)


def against(search: Scripted, keys: list[str], area: Area) -> str:
    """Return the paper of a session with that search."""
    return play(lambda tty: talk(tty, area, search), keys)


def talk(
    tty: paper.Paper,
    area: Area,
    search: Scripted,
    hour: int = 14,
    with_asides: bool = True,
) -> None:
    """Run a session with that search; each game has a minute of its own."""
    when = (f"06-OCT-72  {hour:02}:{minute:02}" for minute in itertools.count(3))
    dialogue = kalah.Session(tty, area, when.__next__, standing_still, with_asides)
    with patch("sail.programs.kalah.opponent.Search", lambda: search):
        dialogue.run()


def sessions(keys: list[str], area: Area, low: int = -99) -> str:
    """Return the paper of one session after the other, until the keys are used."""
    sheet = Sheet(keys)
    hour = 10
    while sheet.keys:
        with suppress(Leave, EndOfInput, LooksAway):
            talk(sheet, area, Scripted(low=low), hour)
        hour += 1
    return sheet.text


@pytest.mark.source(
    "AKC-02700", "AKC-05000", "AKC-05900", "AKC-06000", "AKC-06400", "AKC-09400", "AKC-09800",
    "AKC-09900", "AKC-10300", "AKC-10700", "AKC-10900", "AKC-11100", "AKC-11200", "AKC-11900",
    "AKC-12000", "AKC-12100", "AKC-12200", "AKC-12400", "AKC-12500", "AKC-12600",
    "AKC-12800", "AKC-12900", "AKC-13000", "AKC-13100", "AKC-13400", "AKC-13700", "AKC-14000", "AKC-14200",
    "AKC-15000", "AKC-15500",
)  # fmt: skip
@paper.each("*-kalah-*.txt")
def test_transcript(file: Path, area: Area) -> None:
    """talk: commands and answers; the computer plays the lowest pit.

    sessions: what one session leaves and the next one takes up.
    punch, visitor: the owner and a visitor at a machine with a punch.
    game: against the real search, one to each kind of end, and the first moves
    of the manual's example, with an answer of level C.
    """
    kind = file.stem.split("-")[2]
    if kind == "game":
        paper.compare(file, lambda keys: game(keys, area))
    elif kind in ("punch", "visitor"):
        visitor = kind == "visitor"
        paper.compare(file, lambda keys: punching(keys, area, visitor).text)
    elif kind == "sessions":
        low = 1 if "grandmaster" in file.stem else -99
        paper.compare(file, lambda keys: sessions(keys, area, low))
    else:
        paper.compare(file, lambda keys: against(Scripted(), keys, area))


def akc(keys: list[str], area: Area) -> str:
    """Return the paper of AKC against the lowest pit."""
    return play(lambda tty: talk(tty, area, Scripted(), with_asides=False), keys)


@pytest.mark.source("AKC-10900", "AKC-CR", "AKC-ALONE")
@paper.each("ours-akc-*.txt")
def test_akc_types_only_lines_of_1972(file: Path, area: Area) -> None:
    """Word for word; in one game the last of several steps ends it."""
    paper.compare(file, lambda keys: akc(keys, area))
    questions = (
        "START WITH 1,2,3,4,5 OR 6? ", "WHAT LEVEL C,B,A, MASTER OR TOURNAMENT? ",
        "DO YOU WISH TO START? ", "YOUR MOVE PLEASE  →→→→→→→→", "PLEASE TYPE <CR>", "ANOTHER GAME? ",
    )  # fmt: skip
    prompts = "|".join(map(re.escape, questions))
    line = re.compile(rf"({prompts})\{{.*\}}|MOVE FROM PIT [1-6]|[ 0-9↓↑]*")
    typed = file.read_text("utf-8").splitlines()
    ours = [it for it in typed if not line.fullmatch(it)]
    assert not ours, "AKC must not type these lines: they are not of 1972"


def test_akc_keeps_its_game_for_kalah_and_replaces_no_game(area: Area) -> None:
    """It answers a command; ? lists what is ours, too, but no level and no move."""
    keys = ["?", "??", "3", "X", "C", "Y", "BACK", "QUIT", "?", "??", "SAVE", "N"]
    told = akc(keys, area)
    answers = "TYPE A LEVEL", says.NOTHING_TO_TAKE_BACK, says.GAME_SAVED
    assert all(line in told for line in answers)
    lists = [it.partition("\n{")[0] for it in re.split(r"{\?+}\n", told)[1:]]
    assert "LEARN N  " in lists[0] and "SPECIAL STUDY" in lists[0]
    assert "REVIEW" in lists[2] and "HARDER" in lists[2]
    begin = ["3", "C", "Y", "36"]
    left = akc(begin, area)
    kept = area.read("KALAH.TMP")
    assert "A 3,6" in kept
    again = akc([*begin, "^C"], area)
    assert again == left + "{^C}\n"
    assert area.read("KALAH.TMP") == kept
    assert "CONTINUE YOUR GAME? " in against(Scripted(), ["Y"], area)


def test_newcomers_do_not_begin_at_a(area: Area, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr("sail.programs.kalah.saving.has_game", lambda area: False)
    keys = ["3", "", "L", "Y", "QUIT", "Y", "3", "", "Q", "Q", "Q"]
    first, second = against(Scripted(), keys, area).split("TOURNAMENT? {}\n")[1:]
    assert first.startswith(says.FIRST_LEVEL)
    assert second.startswith("DO YOU WISH TO START? ")


@pytest.mark.source("AKC-12600", "AKC-12800")
@pytest.mark.parametrize(
    "found, command, answer",
    [
        *(((-9, -1, 0), "DRAW", says.NO_DRAW), ((-9, 0, 0), "DRAW", "ALL RIGHT, A DRAW.")),
        *(((-9, 9, 0), "DRAW", "ALL RIGHT, A DRAW."), ((-9, 1, -40), "DRAW", says.NO_DRAW_EXPECTED)),
        *(((0, 9, 0), "WIN", says.NO_WIN), ((-9, 99, 40), "WIN", says.NO_WIN)),
        ((1, 9, 0), "WIN", "I SEE, YOU WIN."),
    ],
)  # fmt: skip
def test_draw_and_win_ask_for_a_proof(
    found: tuple[int, int, int], command: str, answer: str, area: Area
) -> None:
    """Of the bounds of the value, and of the value that is expected."""
    search = Scripted(low=found[0], high=found[1], value=found[2])
    page = against(search, ["3", "A", "Y", "1", command], area)
    asked = f"{says.YOUR_MOVE.prompt}{{{command}}}\n{says.LET_ME_THINK}\n"
    assert f"{asked}{answer}\n" in page


@pytest.mark.source("AKC-10300")
def test_the_searches_of_a_turn_share_the_time_of_the_level() -> None:
    """What one search saw of the turn is played, so the next is of a later submove.

    When the time is used up, each later search has a twentieth of a second.  The user
    reads each submove for as long as he likes.
    """
    now = [0.0]
    costs = [1, 1, 100, 1, 1]

    class Slow(Scripted):
        def find(self, *arguments: Any, **named: Any) -> Finding:
            now[0] += costs.pop(0)
            return super().find(*arguments, **named)

    opponent = Opponent(paper.asker_of(paper.Paper([]), clock=lambda: now[0]))
    opponent.search = search = Slow("12", 1, 3, 1, 6)
    position = placed([0, 1, 2, 3, 0, 0, 1], [0, 3, 3, 3, 3, 3, 3])
    played = []
    for pit in opponent.pits_of_turn(Game(position, (), "TOURNAMENT", 1, NOW)):
        played.append(pit)
        now[0] += 100
    assert played == [1, 2, 1, 3, 1, 6]
    given = [seconds for seconds, _ in search.asked]
    seconds = LEVELS["TOURNAMENT"].limit.seconds
    assert seconds
    assert given == pytest.approx([seconds, seconds - 1, seconds - 2, 0.05, 0.05])


@pytest.mark.source("AKC-10300")
def test_a_move_without_an_alternative_takes_no_time() -> None:
    forced = Position(((0, 0, 2, 0, 0, 0), (4,) * 6))
    for level in LEVELS.values():
        opponent = Opponent(paper.asker_of(paper.Paper([])))
        opponent.search = search = Scripted()
        assert [*opponent.pits_of_turn(Game(forced, (), level.name, 1, NOW))] == [3]
        assert not search.asked


@pytest.mark.source("AKC-10300", "AKC-TIME")
@pytest.mark.parametrize("name, seconds", [("A", 3), ("MASTER", 6), ("TOURNAMENT", 15)])
def test_a_turn_takes_the_time_that_the_manual_gives(name: str, seconds: int) -> None:
    """On a clock that is read thirty times in them."""
    told = " ".join(manuals.find("KALAH QUESTIONS").split())
    assert re.search(rf" {name} [a-z :]*about {seconds} seconds", told)
    ticks = itertools.count()

    def clock() -> float:
        return next(ticks) * seconds / 30

    opponent = Opponent(paper.asker_of(paper.Paper([]), clock=clock))
    list(opponent.pits_of_turn(Game(opening(6), (), name, 1, NOW)))
    assert next(ticks) == pytest.approx(30, rel=0.1)


def test_a_review_takes_about_twenty_seconds() -> None:
    """On a clock that goes on by a third of a second whenever it is read."""
    ticks = itertools.count()
    played = Game(opening(6), (6, 5, 6, 4, 2), "C", 0, NOW)
    Review(paper.asker_of(paper.Paper([]), clock=lambda: next(ticks) / 3), played)
    assert next(ticks) / 3 == pytest.approx(20, rel=0.1)


def test_a_review_names_the_three_worst_turns() -> None:
    tty = paper.Paper([])
    played = Game(opening(2), tuple(map(int, "261425564316244155")), "C", 0, NOW)
    Review(paper.asker_of(tty), played).type()
    costs = re.findall("COST YOU ([0-9]+) STONES", " ".join(tty.text.split()))
    assert costs == ["8", "12", "22"]  # and not the next, 8 and 4
    # Cut short, it counts the turns that it could judge.
    tty = Stopping([])
    Review(paper.asker_of(tty), Game(opening(6), (6,))).type()
    assert "I COULD NOT JUDGE TURN 1.\n" in tty.text


def test_advice_ends_where_a_majority_ends_the_game(area: Area) -> None:
    """The proof goes on, with 1,2: the winner is the same, but the turn is over."""
    keys = ["SPECIAL 6 1 1 0 0 0 0 2 0 0 1 1 0 0", "C", "Y", "ADVISE", "1"]
    told = against(Scripted(), keys, area)
    assert " BETTER THAN 1: YOU WIN BY " in told and "MORE THAN HALF" in told


def test_advice_expects_a_margin_that_36_stones_can_end_with() -> None:
    """And with 37 stones an odd one."""
    opponent = Opponent(paper.asker_of(paper.Paper([])))
    even = Game(opening(3), (), "B", 0, NOW)
    odd = replace(even, start=opening(3)._replace(kalahs=(1, 0)))
    for value, told in (3, 2), (-3, -2), (4, 4), (0, 0), (-1, 0):
        opponent.search = Scripted(value=value)
        found, pits, *_ = opponent.advice(even)
        assert (found.likely, found.error, pits) == (told, 6, (1,))
        assert opponent.advice(odd).value.likely % 2


@pytest.fixture
def no_proof(monkeypatch: MonkeyPatch) -> None:
    """Have no time for the proof of an advice."""
    monkeypatch.setattr("sail.engine.judgement.PROOF_EFFORT", 0)


ENDS = {
    "W": ["WIN"], "L": ["1", "CONCEDE"], "N": ["CONCEDE"], "Q": ["QUIT"],
    "D": ["I WIN, DAMMIT"], "A": ["ADVISE", "WIN", "SAVE"], "C": ["ADVISE", "CONCEDE"],
    "B": ["WIN", "BACK", "4", "WIN"],
}  # fmt: skip


def row(games: str, area: Area) -> str:
    """Return the paper of games such as 4TW: stones a pit or S, the level, the end."""
    keys: list[str] = []
    for stones, level, end in map(list, games.split()):
        begin = stones.replace("S", "SPECIAL FIG2")
        keys += [begin, level, "Y", *ENDS[end], "Y"]
    return against(Scripted(low=1), keys, area)


@pytest.mark.source("AKC-10700")
@pytest.mark.usefixtures("no_proof")
@pytest.mark.parametrize(
    "games, beaten, named",
    [
        ("4TW 4TW 4TW 4TW", 2, 0), ("4TW 4TW 4TD 4TW 4TW", 0, 0), ("4TW 4TW 4TQ 4TW 4TW", 0, 0),
        ("4TW 4TW 4TA 4TW", 1, 0), ("4TW 4TW 4TC 4TW", 0, 0), ("4TB 4TB", 0, 0),
        ("3TW 3TW 3TW", 0, 0), ("STW STW STW", 0, 0), ("3CL", 0, 0),
        ("3CL 3CL", 0, 1), ("3CL 3CL 3CL", 0, 1), ("3CL 3CL 3CL 3CL", 0, 2),
        ("3CL 3CW 3CL", 0, 0), ("3CL 3CQ 3CL", 0, 0), ("3CL 3CD 3CL", 0, 0),
        ("3CW 3CW", 0, 1), ("3CL 3BL 3CL", 0, 0), ("3CL SCL", 0, 1), ("3CD 3CD", 0, 0), ("3CL 3CN", 0, 0),
    ],
)  # fmt: skip
def test_a_grandmaster_wins_three_games_and_two_name_another_level(
    games: str, beaten: int, named: int, area: Area
) -> None:
    """A game won with advice neither counts nor ends the row."""
    page = row(games, area)
    assert page.count("YOU HAVE BEATEN THE TOURNAMENT LEVEL ") == beaten
    assert page.count("LOSSES IN A ROW.") + page.count("WINS IN A ROW.") == named
    saved = area.read("KALAH.OUT") if area.has("KALAH.OUT") else ""
    assert ("YOU STARTED, WITH ADVICE\n" in saved) == ("A" in games)


@pytest.mark.parametrize("level", LEVELS)
def test_two_games_running_name_the_next_level(level: str, area: Area) -> None:
    """HARDER, EASIER and SAME name the level, play the same stones, and ask nothing."""
    names = list(LEVELS)
    for word, end, step in (("HARDER", "WIN", 1), ("EASIER", "CONCEDE", -1)):
        there = names.index(level) + step
        exists = 0 <= there < len(names)
        typed = ["SPECIAL AKC2", level, "N", end, "SAME", end, f"HELP {word}", word]
        typed += ["QUIT", "SAVE"] if exists else ["SAVE"]
        page = against(Scripted(low=1), typed, area)
        assert f"{word}  SAME GAME, ONE LEVEL " in page
        last = games.SavedGames(area.read("KALAH.OUT") or "", "KALAH.OUT")[-1]
        assert (last.level, last.user) == (names[there] if exists else level, 0)
        assert last.start.rows[0] == (4, 4, 0, 4, 4, 0)
        told = f"TYPE {word} FOR THE SAME GAME AT LEVEL {last.level}.\n"
        assert (told in page) == exists
        for typed_word, name in [("SAME", level)] + exists * [(word, last.level)]:
            assert f"{{{typed_word}}}\nTHE SAME GAME AT LEVEL {name}.\n" in page
        assert (f"THERE IS NO {word} LEVEL." in page) != exists
        assert page.count("WHAT LEVEL") == page.count("DO YOU WISH TO START") == 1
        area.delete("KALAH.OUT")


def test_the_learner_plays_half_of_its_moves_by_chance() -> None:
    """The same game has the same answers; games of another minute have others."""
    opponent = Opponent(paper.asker_of(paper.Paper([])))

    def first_turn(when: str) -> list[int]:
        return [
            pit for pit in opponent.pits_of_turn(Game(opening(4), (1,), "L", 0, when))
        ]

    minutes = [f"06-OCT-72  14:{minute:02}" for minute in range(60)]
    turns = [first_turn(when) for when in minutes]
    assert turns == [first_turn(when) for when in minutes]
    begun = [turn[0] for turn in turns]
    assert set(begun) == {1, 2, 3, 4, 5, 6}
    assert 25 <= begun.count(1) <= 48  # the search finds 1, and chance does sometimes
    # Advice is B's, and leaves nothing to chance.
    assert LEVELS["L"].referee is LEVELS["B"]
    opponent.search = Scripted()
    games = [Game(opening(6), (), "L", 0, when) for when in minutes]
    assert {opponent.advice(it).variation for it in games} == {(1,)}


@pytest.mark.parametrize("stones", [3, 4, 5, 6])
def test_a_level_opens_in_several_ways(stones: int) -> None:
    """But from a position that somebody set up it plays the best that it sees."""
    opponent = Opponent(paper.asker_of(paper.Paper([])))
    opened = Game(opening(stones), (), "C", 1)
    set_up = Game(opened.start._replace(kalahs=(1, 0)), (), "C", 1)
    ways = []
    for game in (opened, set_up):
        games = [replace(game, heading=f"{minute}") for minute in range(30)]
        ways.append({tuple(opponent.pits_of_turn(it)) for it in games})
    assert len(ways[0]) > 1 and len({turn[0] for turn in ways[1]}) == 1


def punching(
    keys: list[str], area: Area, visitor: bool, with_asides: bool = True
) -> Sheet:
    """Return the sheet of a session at a machine with a punch."""
    sheet = Sheet(keys)
    sheet.settings = sheet.settings._replace(tape=True)
    area = Area(area.folder, for_visitor=visitor)
    with suppress(LooksAway):
        talk(sheet, area, Scripted(3, 6), with_asides=with_asides)
    assert not sheet.keys
    return sheet


@pytest.mark.parametrize("title", ["Ada", "A. B. C-3", "NOAH", "Q.", "X" * 20])
def test_a_game_goes_on_tape(title: str, area: Area) -> None:
    sheet = punching(["3", "C", "Y", "6", "", "QUIT", "T", title, "SAVE"], area, False)
    (game,) = games.saved_games(area, seal.KALAH_OUT)
    assert sheet.tapes == [(title.upper(), sealed(seal.KALAH_OUT, games.text_of(game)))]


@pytest.mark.parametrize("answer", ["", "n", "NO", "Quit", "q"])
def test_a_visitor_may_do_without_a_tape(answer: str, area: Area) -> None:
    sheet = punching(["3", "C", "Y", "6", "", "QUIT", answer, "SAVE", "N"], area, True)
    assert not sheet.tapes and sheet.text.count(says.TAPE.prompt) == 1
    keys = ["3", "C", "Y", "6", "", "", "QUIT", "N"]  # AKC asks only what it did
    assert says.TAPE.prompt not in punching(keys, area, True, with_asides=False).text


def test_the_bell_rings_for_a_turn_and_for_the_end(area: Area) -> None:
    talked = ["3", "C", "Y", "1", "", "?", "SHOW", "9", "2", "", "QUIT", "BACK"]
    for keys, rings in (talked, 3), (["3", "C", "Y", "1", "QUIT"], 1):
        sheet = Sheet(keys)
        with pytest.raises(LooksAway):
            talk(sheet, area, Scripted("36", "1"))
        assert sheet.rings == rings
        area.delete("KALAH.TMP")


def test_a_script_neither_takes_up_a_game_nor_leaves_one(area: Area) -> None:
    game(["3", "C", "Y", "3", "^C"], area)
    kept = area.read("KALAH.TMP")

    def run(tty: paper.Paper) -> None:
        tty.live = False
        run_in(area)(tty)

    first = play(run, ["4", "C", "Y", "2"])
    assert first == play(run, ["4", "C", "Y", "2"])
    assert area.read("KALAH.TMP") == kept


def test_back_returns_exactly_the_earlier_node() -> None:
    rnd = random.Random(12100)
    for _ in range(20):
        played = Game(opening(rnd.randint(1, 4)), (), "C", rnd.randint(0, 1), NOW)
        mine: list[Game] = []
        while not played.position.over:
            if played.position.mover == played.user:
                mine += [played] * (not played.submoves)
                here = mine[-2] if len(mine) > 1 else mine[0]
                assert played.back() == (None if here == played else here)
                assert played.redo() == mine[-1]
            played = played.play(rnd.choice(played.position.legal))


@pytest.mark.source("AKC-12600")
@pytest.mark.parametrize(
    "level, stones, doubt",
    [  # with 46, 34 and 22 stones in play; C judges as B does
        *(("C", 4, 8), ("B", 3, 6), ("B", 2, 4)),
        *(("A", 6, 8), ("A", 3, 2), ("TOURNAMENT", 4, 8)),
    ],
)
def test_a_draw_is_refused_by_judgement(level: str, stones: int, doubt: int) -> None:
    """The computer need not have proved that it wins, if it expects to by far."""
    opponent = Opponent(paper.asker_of(paper.Paper([])))
    for value in (doubt, -doubt, -doubt - 1):
        opponent.search = Scripted(value=value)
        outlook = opponent.outlook(Game(opening(stones), (1, 1), level, 0, NOW))
        assert (outlook.likely_high < 0) == (value < -doubt) and outlook.high > 0


@pytest.mark.source("AKC-12600", "AKC-12800")
def test_a_forced_end_is_seen_without_a_search_or_doubt() -> None:
    """A ends the game with 9 stones; B keeps the last one and has 8 to 10."""
    opponent = Opponent(paper.asker_of(paper.Paper([])))
    for theirs, value in ((7, 1), (8, 0), (9, -1)):
        begin = Position(((1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1)), (8, theirs))
        for user, seen in ((0, value), (1, -value)):
            outlook = opponent.outlook(Game(begin, (), "C", user, NOW))
            assert outlook.low == outlook.likely == outlook.high == seen


def test_nobody_is_to_move_in_a_game_that_is_over() -> None:
    """At PLEASE TYPE <CR>, in AKC, SHOW may come after the last move."""
    board = Position(((1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 2)), (1, 0))
    for course, typed in ((Course(board), True), (Course(board, (1,)), False)):
        sheet = Sheet([])
        type_state(sheet, course)
        assert ("A TO MOVE" in sheet.text) == typed


def test_a_search_goes_with_its_game(area: Area, monkeypatch: MonkeyPatch) -> None:
    """Its tables may be large, and the next program may want the memory."""
    made: list[weakref.ref[Search]] = []

    class Noted(Scripted):
        def __init__(self) -> None:
            super().__init__()
            made.append(weakref.ref(self))

    monkeypatch.setattr("sail.programs.kalah.opponent.Search", Noted)
    game(["2", "C", "Y", "1", "DRAW", "Y", "3", "C", "N", "QUIT", "N"], area)
    assert [search() for search in made] == [None, None]


@pytest.mark.source("AKC-15000")
def test_positions_of_the_area_come_first_in_any_case(area: Area) -> None:
    Path(area.folder, "akc1.pos").write_text("A 0 2 2\nB 0 2 2\nA TO MOVE\n")
    area.write("BAD.POS", "A 0 2 2\n")
    page = game(["SPECIAL Akc1", "SPECIAL ?", "Q"], area)
    assert "AKC1.POS HAS 2 PITS A SIDE." in page and "\nBAD     BAD.POS " in page
    assert {"AKC1", "CHAIN", "FIG2"} <= {*page.split()}


def test_a_position_of_a_long_game_is_saved_with_all_of_it(area: Area) -> None:
    rnd = random.Random(3)
    played = Game(opening(6), (), "C", 0, NOW)
    while len(played.pits) < 60:
        played = played.play(rnd.choice(played.position.legal))
    tty = paper.Paper([])
    asker, unsaved = paper.asker_of(tty, area), Autosave(area, on=False)
    GameInProgress(asker, unsaved, played).save("LONG")
    text = area.read("LONG.POS")
    assert max(map(len, text.splitlines())) <= 72
    comments = positions.parse(text, "LONG.POS")[0].comments
    assert comments[0] == "FROM A GAME AT LEVEL C, 06-OCT-72  14:03"
    assert len(comments) > 3
    assert " ".join(comments[1:]) == games.on_one_line(played)


TEXT = """\
GAME OF 06-OCT-72  14:03
3 STONES A PIT
LEVEL C, YOU STARTED
  1 A 3            1-0
IN PROGRESS
A 1, B 0
"""


@pytest.mark.source("AKC-14700")
def test_the_texts_of_the_files(area: Area) -> None:
    game(["3", "C", "Y", "3", "^C"], area)
    assert area.read("KALAH.TMP") == sealed("KALAH.TMP", TEXT)
    game(["Y", "QUIT", "SAVE", "N"], area)
    ended = TEXT.replace("IN PROGRESS", "QUIT")
    for name in ("KALAH.TMP", "KALAH.OUT"):
        assert area.read(name) == sealed(name, ended)


@pytest.mark.source("AKC-10900")
def test_a_search_that_was_stopped_is_made_anew(area: Area) -> None:
    """The finding of a stopped search is not played."""
    tty = Paused(["4", "A", "N", "QUIT", "N"])
    search = Scripted(6, 2)
    talk(tty, area, search)
    assert tty.pauses == 1 and [stopped for _, stopped in search.asked] == [True, False]
    assert "I MOVE FROM PIT 2\n" in tty.text
    assert "I MOVE FROM PIT 6\n" not in tty.text


def test_a_game_is_saved_once(area: Area) -> None:
    """In this session or the next; one that began at the same time is another."""
    for number in range(1, 4):
        page = leave([f"{number}", "C", "Y", "QUIT", "SAVE", "SAVE", "N"], area)
        assert page.count(says.GAME_SAVED) == page.count(says.ALREADY_SAVED) == 1
    assert says.ALREADY_SAVED in leave(["SAVE", "Q"], area)
    assert len([*games.SavedGames(area.read("KALAH.OUT"), "")]) == 3
