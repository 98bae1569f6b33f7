"""The statements of the sources, which HELP SOURCES types, and their tests.

A test that shows a statement has the mark `pytest.mark.source(ID)`, and a script in
tests/bench names the ID.  HELP SOURCES says what the states mean.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
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
MARKS = re.compile(r"\bmark\.source\(([^)]+)\)")
CALLS = [MARKS.findall(path.read_text("utf-8")) for path in TESTS.rglob("test_*.py")]
MARKED = {*re.findall('"(.+?)"', " ".join(chain(*CALLS)))}


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
    counts = Counter(state for _, state, _ in rows(key))
    told = re.findall(r"(\d+) ([a-z]+)", heading[0].splitlines()[-1])
    assert {state: int(count) for count, state in told} == counts
    assert manuals.find(f"SOURCES {key}") == whole


def test_help_refuses_what_is_no_statement() -> None:
    names = ", ".join(sorted(manuals.MANUALS))
    for words, refusal in (
        ("M22-G", "SEVERAL PARTS OF M22 BEGIN WITH M22-G."),
        ("AKC-99999", "AKC-99999 IS NOT A PART OF AKC: HELP AKC LISTS THEM."),
        ("XYZ-1", f"NO SUCH MANUAL; TRY {names}."),
    ):
        with pytest.raises(Refusal, match=re.escape(refusal)):
            manuals.find(words)
        assert len(refusal) <= 72


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
