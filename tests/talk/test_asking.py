"""Asking: what is an answer, what is a command, and how much help is typed."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from sail.board import opening
from sail.files import games
from sail.files.area import Area
from sail.game import Game
from sail.monitor import registry
from sail.programs.kalah import dialogue as kalah
from sail.talk import manuals
from sail.talk.asking import (
    Back,
    Command,
    Question,
    answering,
    command_meant,
    help_text,
)
from sail.talk.choosing import ask_saved_game
from tests import paper, samples
from tests.stand_ins import LooksAway, Sheet, standing_still

RULES = ("FIRST RULE", "SECOND RULE")
QUITE_SURE, SURE = Question("QUITE SURE? ", "Y OR N."), Question("SURE? ", "Y OR N.")


def asked(*keys: str) -> tuple[bool | None, str]:
    """Return the answer to QUITE SURE?, None for going back, and the paper."""
    sheet = paper.Paper(list(keys))
    try:
        asker = paper.asker_of(sheet, rules=RULES)
        answer: bool | None = asker.ask_yes(QUITE_SURE, "IS SURE", "IS NOT")
    except Back:
        answer = None
    assert not sheet.keys
    return answer, sheet.text


@pytest.mark.source("AKC-09400")
def test_the_beginning_of_a_word_is_enough() -> None:
    words = {True: "Y|YE|  yes ", False: "N|no", None: "Q|QU|QUIT|BACK"}
    for answer, all_typed in words.items():
        for typed in all_typed.split("|"):
            assert asked(typed) == (answer, f"QUITE SURE? {{{typed}}}\n")


@pytest.mark.parametrize(
    "typed", ["", "YESS", "NOO", "NON", "YN", "Y N", "NOT", "QUITE", "B", "BACKS", "1"]
)
def test_what_is_more_than_a_word_is_no_answer(typed: str) -> None:
    told = f"QUITE SURE? {{{typed}}}\nY OR N.\nQUITE SURE? {{n}}\n"
    assert asked(typed, "n") == (False, told)


def number(*keys: str, most: int = 30) -> str:
    """Return the paper of a question for a number; the answer is 3."""
    sheet = paper.Paper(list(keys))
    lines = [f"{n:>3}  LINE" for n in range(1, most + 1)]
    asker = paper.asker_of(sheet, rules=RULES)
    question = Question("1 TO {}? ", "NOT 1 TO {}.")
    assert asker.ask_number(question, most, lambda: lines) == 3
    return sheet.text


def test_a_list_of_24_lines_stands_before_its_question() -> None:
    """A longer one is typed by two question marks."""
    assert number("3", most=24).count("LINE\n") == 24
    assert number("3", most=25).count("LINE\n") == 0
    few = "".join(f"{n:>3}  LINE\n" for n in range(1, 5))
    few += "?? LISTS MORE.  Q GOES BACK.\n"
    assert number("?", "3") == f"1 TO 30? {{?}}\n{few}1 TO 30? {{3}}\n"
    assert number("??", "3").count("LINE\n") == 30
    # A stop ends the list: the 24 games that are fetched before the question are not typed.
    sheet = Sheet(["??"])
    sheet.polls = 24 + 3
    asker = paper.asker_of(sheet, rules=RULES)
    with suppress(LooksAway):
        ask_saved_game(asker, [Game(opening(3))] * 30, "X.OUT", Game.back)
    listed = sheet.text.partition("{??}\n")[2].splitlines()
    assert [line[:4] for line in listed] == ["X.OU", " 30 ", " 29 ", "STOP", "WHIC"]


QUIT_HELP = "QUIT  GOES BACK TO THE QUESTION BEFORE; SO DOES BACK"


def test_rules_and_parts_of_the_manual_at_any_question() -> None:
    for typed in ("rules", "what are the rules?", "help rules of kalah"):
        page = f"1 TO 30? {{{typed}}}\nFIRST RULE\nSECOND RULE\n1 TO 30? {{3}}\n"
        assert number(typed, "3") == page
    for typed, text in (
        ("HELP PLAYING", manuals.find("KALAH PLAYING")),
        ("help kalah", manuals.find("KALAH")),
        ("HELP LINE PAPER", manuals.find("LINE PAPER")),
        *((f"HELP {word}", QUIT_HELP) for word in ("QUIT", "QUI", "BACK")),
        ("HELP LIN PAPER", manuals.find("LINE PAPER")),  # an abbreviation
    ):
        page = f"1 TO 30? {{{typed}}}\n{text}\n1 TO 30? {{3}}\n"
        assert text and number(typed, "3") == page


def test_an_answer_may_have_rules_and_help_among_its_words() -> None:
    for typed in ("GAME OF RULES AND BEN", "; NO HELP WANTED"):
        asker = paper.asker_of(paper.Paper([typed]), rules=RULES)
        assert asker.ask(SURE, meaning=lambda answer: answer) == typed


def test_help_takes_a_command_of_several_words() -> None:
    command: Command[int] = Command("I WIN, DAMMIT", "WINS", answering(1), in_full=True)
    for typed in ("I WIN, DAMMIT", "I WIN DAMMIT"):
        assert help_text(typed, [command], "KALAH") == "I WIN, DAMMIT  WINS"


def test_a_wrong_answer_gets_help_and_is_doubted() -> None:
    """But not a call for help."""
    sheet = paper.Paper(["X", "", "?", "X", "N"])
    asker = paper.asker_of(sheet, rules=RULES)
    assert not asker.ask_yes(SURE, "IS SURE", "IS NOT")
    assert sheet.text.count("Y OR N.\n") == sheet.doubted == 3


COMMANDS = (
    Command("SHOW", "", answering(1)),
    Command("SAVE", "", answering(2), "NAME"),
    Command("I WIN, DAMMIT", "", answering(3), in_full=True),
    Command("RUN", "", answering(4), alias="RX"),
    Command("R", "", answering(4)),
)


def test_which_command_is_meant() -> None:
    """One that is typed in full; else the first, or none if it must fit alone."""
    for typed, word in (
        ("S", "SHOW"), ("SA", "SAVE"), ("SAVE X 7", "SAVE"), ("I WIN DAMMIT!", "I WIN, DAMMIT"),
        ("IWINDAMMIT", "I WIN, DAMMIT"), ("R", "R"), ("RU", "RUN"), ("RX", "RUN"),
    ):  # fmt: skip
        command, rest = command_meant(COMMANDS, typed)
        assert command and command.word == word
        assert rest == ("X 7" if "7" in typed else "")
        alone, _ = command_meant(COMMANDS, typed, unique=True)
        assert alone is (None if typed == "S" else command)
    for typed in ("", "I", "I WIN, DAMMI", "SHOW X", "SHOWS", "X"):
        assert command_meant(COMMANDS, typed)[0] is None


@pytest.mark.parametrize(
    "count, before, after", [(23, 23, 23), (24, 0, 24), (-24, 10, 10), (-9, 9, 9)]
)
def test_the_list_of_saved_games_begins_with_the_last(
    count: int, before: int, after: int, area: Area
) -> None:
    """A list of 24 lines stands before the question; strangers see the last ten."""
    count, visitor = abs(count), count < 0
    when = [f"{day:02}-OCT-72  14:03" for day in range(1, count + 1)]
    days = [games.text_of(Game(opening(3), (), "C", 0, day)) for day in when]
    area.write("KALAH.OUT", "\n".join(days))
    sheet = Sheet(["S KALAH.OUT", "??"])
    area = Area(area.folder, for_visitor=visitor)
    with suppress(LooksAway):
        kalah.Session(sheet, area, clock=standing_still).run()
    pages = sheet.text.split("{??}")
    listed = [re.findall("(?m)^ +([0-9]+)  [0-9]+-OCT", page) for page in pages]
    assert [len(page) for page in listed] == [before, after]
    assert listed[1] == [str(n) for n in range(count, count - after, -1)]
    assert f"KALAH.OUT HAS {count} GAMES, THE LATEST FIRST.\n" in sheet.text


@pytest.mark.parametrize("program", sorted({*registry.PROGRAMS} - {"AKC"}))
def test_the_rules_fit_on_a_screen(program: str) -> None:
    says = import_module(f"sail.programs.{program.lower()}.says")
    assert len(says.RULES) <= 12
    assert max(map(len, says.RULES)) <= 72


# The questions of a program: what each begins with, and the lines that lead there.
# Of a program that is not here, the first question is tried.
QUESTIONS = {
    "KALAH": {
        **samples.PROMPTS,
        "YOUR MOVE PLEASE": "LEARN",
        "WHICH POSITION": "S STUDY",
        "WHICH GAME": "S KALAH.OUT",
        "BEFORE WHICH": "S KALAH.OUT/1",
    },
    "AKC": {"PLEASE TYPE": "3/C/Y/36"},
    "RUSSEL": {"#": "", "700005": "ID="},
    "SILVER": {"STONES": "", "LOOK-AHEAD": "3", "{?}": "3/4"},
    "ATLAS": {"STONES": "", "DO YOU WISH": "3", "YOUR MOVE": "3/Y"},
    "SOLVE": {
        "PITS": "", "STONES": "6", "CAPTURE": "3/2", "GO ON": "3/1/N", "LINE": "GAME/N",
        "HOW MANY": "REVIEW CLUB/Y", "WALK FROM": "REVIEW CLUB/Y/1",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    "program, question",
    [(name, it) for name in registry.PROGRAMS for it in QUESTIONS.get(name, [""])],
)
def test_help_fits(program: str, question: str, tmp_path: Path) -> None:
    """A question mark types at most 8 lines and 420 characters, as wide as paper.

    A line that is no answer is tried in figures, which types nothing but PRESS FIGS.
    """
    samples.put(tmp_path)
    way = question and QUESTIONS[program][question]
    keys = way.split("/") if way else []
    session = registry.load(program)
    timed = "clock" in signature(session).parameters
    clock = {"clock": standing_still} if timed else {}

    def typed(*more: str, figures: str = "") -> str:
        sheet = Sheet([*keys, *more])
        sheet.live = False  # no game is kept
        sheet.in_figures = lambda typed: figures  # type: ignore[method-assign]
        with suppress(LooksAway):
            session(sheet, Area(str(tmp_path)), **clock).run()
        assert not sheet.keys
        return sheet.text

    before = typed()
    assert f"\n{before}{{?}}".rpartition("\n")[2].startswith(question)
    few, everything = (typed(marks)[len(before) :] for marks in ("?", "??"))
    help = few.partition("\n")[2].rpartition("\n")[0] + "\n"
    assert 1 < help.count("\n") <= 8
    assert len(help) <= 420
    assert max(map(len, (few + everything).splitlines())) <= 72
    tried = typed("ZZ", figures="6")
    assert tried.replace("PRESS FIGS FIRST: THEN ZZ IS 6.\n", "") == typed("ZZ")
