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

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).parent
TABLES = sorted((TESTS / "sources").glob("*.txt"))
KEYS = ["AKC", "APN", "BELL", "ISK", "JMC", "M22", "MON", "TTY"]
STATES = ("reproduced", "impossible", "chosen", "bench", "open")


class Row(NamedTuple):
    """One statement of a source."""

    id: str
    state: str
    statement: str


def rows(table: Path) -> list[Row]:
    """Return the statements of one source, from its table."""
    lines = table.read_text("utf-8").splitlines()
    return [Row(*line.split(" | ", 2)) for line in lines]


def marks(module: str) -> Iterator[str]:
    """Yield the ids with which the tests of a module are marked."""
    for test in ast.walk(ast.parse(module)):
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            for decorator in test.decorator_list:
                for node in ast.walk(decorator):
                    if isinstance(node, ast.Call) and _is_mark(node.func):
                        yield from map(ast.literal_eval, node.args)


def _is_mark(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and function.attr == "source"


def all_rows() -> list[Row]:
    return [row for table in TABLES for row in rows(table)]


@cache
def all_marks() -> set[str]:
    modules = TESTS.rglob("test_*.py")
    return {id for path in modules for id in marks(path.read_text("utf-8"))}


def test_marks_are_found() -> None:
    module = """
@pytest.mark.parametrize("n", [1])
@pytest.mark.source("A-1", "A-2")
def test_it(n): ...

@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.source("A-3"))])
def test_more(n): ...

@pytest.mark.source("A-4")
def no_test(): ...
"""
    assert list(marks(module)) == ["A-1", "A-2", "A-3"]


def test_each_source_has_a_table() -> None:
    assert [table.stem.upper() for table in TABLES] == KEYS


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_a_table_is_in_order(table: Path) -> None:
    key = table.stem.upper()
    for id, state, statement in rows(table):
        assert re.fullmatch(rf"{key}(-[A-Z0-9.]+)*", id), id
        assert state in STATES, id
        assert len(statement) > 10 and statement == statement.strip(), id


def test_no_id_stands_twice() -> None:
    count = Counter(row.id for row in all_rows())
    assert [id for id, times in count.items() if times > 1] == []


def test_every_statement_has_a_test() -> None:
    marked = all_marks()
    tested = [row.id for row in all_rows() if row.state not in ("bench", "open")]
    assert [id for id in tested if id not in marked] == []


def test_a_script_names_every_statement_in_the_bench() -> None:
    scripts = [path.read_text("utf-8") for path in (TESTS / "bench").glob("*.py")]
    named = re.findall(r"[A-Z0-9]+(?:-[A-Z0-9.]*[A-Z0-9])+", " ".join(scripts))
    assert [
        row.id for row in all_rows() if row.state == "bench" and row.id not in named
    ] == []


def test_every_mark_is_a_statement() -> None:
    assert sorted(all_marks() - {row.id for row in all_rows()}) == []
