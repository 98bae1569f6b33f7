"""The statements of the sources, in tests/sources/KEY.txt, and their tests.

A row is one statement that can be checked:

    ID | state | the statement in our words

reproduced: a program does it, as its tests show.  impossible: no program can
do it, and a test shows why.  chosen: the source allows several readings, or
does not come out, and the row says which reading the program takes.  bench:
too long for a test, a script in tests/bench that names the ID prints it.
open: neither; the row says why.

A test that shows a statement has the mark `pytest.mark.source(ID)`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
TABLES = sorted((TESTS / "sources").glob("*.txt"))
KEYS = ["AKC", "APN", "BELL", "ISK", "JMC", "M22", "MON", "SAIL", "TTY"]
STATES = ("reproduced", "impossible", "chosen", "bench", "open")


def rows(table: Path) -> list[list[str]]:
    """Return the id, the state and the words of each statement of one source."""
    return [line.split(" | ", 2) for line in table.read_text("utf-8").splitlines()]


STATEMENTS = {id: state for table in TABLES for id, state, _ in rows(table)}
MARKED = {
    id
    for path in TESTS.rglob("test_*.py")
    for ids in re.findall(r"\bmark\.source\(([^)]+)\)", path.read_text("utf-8"))
    for id in re.findall('"(.+?)"', ids)
}


def test_each_source_has_a_table() -> None:
    assert [table.stem.upper() for table in TABLES] == KEYS


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_a_table_is_in_order(table: Path) -> None:
    key = table.stem.upper()
    for id, state, statement in rows(table):
        assert re.fullmatch(rf"{key}(-[A-Z0-9.]+)*", id), id
        assert state in STATES, id
        assert len(statement) > 10 and statement == statement.strip(), id
        assert [row[0] for row in rows(table)].count(id) == 1, id


def test_every_statement_has_a_test() -> None:
    untested = {id for id in STATEMENTS if STATEMENTS[id] in ("bench", "open")}
    assert STATEMENTS.keys() - untested <= MARKED
    assert MARKED <= STATEMENTS.keys()


def test_a_script_names_every_statement_in_the_bench() -> None:
    scripts = [path.read_text("utf-8") for path in (TESTS / "bench").glob("*.py")]
    named = re.findall(r"[A-Z0-9]+(?:-[A-Z0-9.]*[A-Z0-9])+", " ".join(scripts))
    bench = [id for id, state in STATEMENTS.items() if state == "bench"]
    assert [id for id in bench if id not in named] == []
