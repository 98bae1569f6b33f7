"""The statements of the sources, which HELP SOURCES types, and their tests.

A test that shows a statement has the mark `pytest.mark.source(ID)`, and a script in
tests/bench names the ID.  HELP SOURCES says what the states mean.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from sail.refusal import Refusal
from sail.talk import manuals

TESTS = Path(__file__).parent
ROOT = TESTS.parent
KEYS = ["AKC", "APN", "BELL", "ISK", "JMC", "M22", "MON", "SAIL", "TTY"]
STATES = ("reproduced", "impossible", "chosen", "bench", "told", "open")
CITED = re.compile(rf"\b(?:{'|'.join(KEYS)})-[A-Z0-9.-]*[A-Z0-9]")


def rows(key: str) -> list[list[str]]:
    """Return the ID, the state and the words of each statement, as HELP types them."""
    statements = "\n" + manuals.read(key).partition("\n\n")[2]
    return [
        re.split(", |: ", it, maxsplit=2) for it in re.split(r"\n(?! )", statements)[1:]
    ]


STATEMENTS = {id: state for key in KEYS for id, state, _ in rows(key)}
MARKED = {
    id
    for path in TESTS.rglob("test_*.py")
    for ids in re.findall(r"\bmark\.source\(([^)]+)\)", path.read_text("utf-8"))
    for id in re.findall('"(.+?)"', ids)
}


def test_each_source_has_a_table() -> None:
    assert [*manuals.STATEMENTS] == KEYS
    assert len(STATEMENTS) > 370


@pytest.mark.parametrize("key", KEYS)
def test_a_table_is_in_order(key: str) -> None:
    text = manuals.read(key)
    assert max(map(len, text.splitlines())) <= 72
    for id, state, statement in rows(key):
        assert re.fullmatch(rf"{key}(-[A-Z0-9.]+)+", id), id
        assert state in STATES, id
        assert len(statement) > 10 and statement[-1] in ".?", id
        assert [row[0] for row in rows(key)].count(id) == 1, id


@pytest.mark.parametrize("key", KEYS)
def test_help_types_the_statements(key: str) -> None:
    whole = manuals.find(key.lower())
    sources = manuals.find("SOURCES")
    for id, state, words in rows(key):
        statement = manuals.find(id)
        assert statement == f"{id}, {state}: {words}" == manuals.find(id, "KALAH")
        assert f"\n{statement}\n" in f"{whole}\n"
    heading = re.search(rf"^{key}: (.+\n)+    \d.*$", sources, re.MULTILINE)
    assert heading and heading[0] in whole
    counts = {
        state: int(count)
        for count, state in re.findall(
            r"(\d+) ([a-z]+),? ?", heading[0].splitlines()[-1]
        )
    }
    assert counts == Counter(state for _, state, _ in rows(key))
    assert manuals.find(f"SOURCES {key}") == whole


@pytest.mark.parametrize(
    "words, refusal",
    [
        ("M22-G", "SEVERAL PARTS OF M22 BEGIN WITH M22-G."),
        ("AKC-99999", "AKC-99999 IS NO PART OF AKC: HELP AKC LISTS THEM."),
        (
            "XYZ-1",
            f"NO SUCH MANUAL; TRY {', '.join(sorted(manuals.MANUALS))}.",
        ),
    ],
)
def test_help_refuses_what_is_no_statement(words: str, refusal: str) -> None:
    with pytest.raises(Refusal, match=re.escape(refusal)):
        manuals.find(words)
    assert len(refusal) <= 72


TOLD = {  # by HELP and these words, which no program shows
    "AKC-EXT": ("KALAH SOURCES", "AKC is probably the programmer name of"),
    "AKC-TITLE": ("AKC-TITLE", "is the title of Russell's memo of 1964"),
    "APN-COPYRIGHT": ("APN-COPYRIGHT", "Kalah Game Company, Holbrook"),
    "APN-EAST": ("APN-EAST", "thousands of years ago in the Near East"),
    "BELL-FIGURES": ("ATLAS GAME OF FIG", "Our text lacks the boards"),
    "BELL-M1": ("ATLAS WHAT IT LEARNED", "We infer that it was M1"),
    "BELL-WHIST": ("BELL-WHIST", 'solo whist, "has been started"'),
    "M22-PDP": ("RUSSEL SOURCES", "the PDP-1 is our inference"),
    "M22-MARKS": ("M22-MARKS", r"explain \O\D\I\N and E,F"),
    "ISK-TALES": ("ISK-TALES", "introduced in the 1950s by W. J. Champion's firm"),
}


@pytest.mark.source(
    "AKC-EXT", "AKC-TITLE", "APN-COPYRIGHT", "APN-EAST", "BELL-FIGURES", "BELL-M1",
    "BELL-WHIST", "M22-PDP", "M22-MARKS", "ISK-TALES",
)  # fmt: skip
@pytest.mark.parametrize("id", TOLD)
def test_what_no_program_shows_is_told(id: str) -> None:
    words, told = TOLD[id]
    assert told in " ".join(manuals.find(words).split())


def test_every_key_that_the_code_cites_can_be_asked_for() -> None:
    files = [ROOT / "kalah.py", *(ROOT / "sail").rglob("*.py")]
    cited = {id for file in files for id in CITED.findall(file.read_text("utf-8"))}
    assert len(cited) > 50
    unknown = cited - STATEMENTS.keys()
    assert not unknown, "write these statements in sail/sources, or mend their keys"


def test_every_statement_has_a_test() -> None:
    untested = {id for id in STATEMENTS if STATEMENTS[id] in ("bench", "told", "open")}
    missing = STATEMENTS.keys() - untested - MARKED
    assert not missing, "mark a test that shows it: @pytest.mark.source(...)"
    assert not MARKED - STATEMENTS.keys(), "these marks name no statement"


def test_a_script_names_every_statement_in_the_bench() -> None:
    scripts = [path.read_text("utf-8") for path in (TESTS / "bench").glob("*.py")]
    named = re.findall(r"[A-Z0-9]+(?:-[A-Z0-9.]*[A-Z0-9])+", " ".join(scripts))
    bench = [id for id, state in STATEMENTS.items() if state == "bench"]
    missing = [id for id in bench if id not in named]
    assert not missing, "name these statements in the script of tests/bench"
