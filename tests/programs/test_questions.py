"""Questions that several programs ask: what is an answer, and what is not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sail.area import Area
from sail.programs import questions, russel, silver
from sail.programs.questions import Back
from tests import paper


def asked(*keys: str) -> tuple[bool | None, str]:
    """Return the answer to QUITE SURE?, None for going back, and the paper."""
    sheet = paper.Paper(list(keys))
    try:
        answer: bool | None = questions.yes(sheet, "QUITE SURE? ", "Y OR N.")
    except Back:
        answer = None
    assert not sheet.keys
    return answer, sheet.text


@pytest.mark.source("AKC-09400")
@pytest.mark.parametrize(
    "typed, answer",
    [
        ("Y", True), ("YE", True), ("  yes ", True),
        ("N", False), ("no", False),
        ("Q", None), ("QU", None), ("QUIT", None), ("B", None), ("BACK", None),
    ],
)  # fmt: skip
def test_the_beginning_of_a_word_is_enough(typed: str, answer: bool | None) -> None:
    assert asked(typed) == (answer, f"QUITE SURE? {{{typed}}}\n")


@pytest.mark.parametrize(
    "typed", ["", "YESS", "NOO", "NON", "YN", "Y N", "NOT", "QUITE", "BACKS", "?", "1"]
)
def test_what_is_more_than_a_word_is_no_answer(typed: str) -> None:
    told = f"QUITE SURE? {{{typed}}}\nY OR N.\nQUITE SURE? {{n}}\n"
    assert asked(typed, "n") == (False, told)


def test_only_who_asks_gets_all_the_help() -> None:
    def number(*keys: str) -> str:
        sheet = paper.Paper(list(keys))
        assert (
            questions.ask_number(sheet, "1 TO {}? ", "NOT 1 TO {}.", 12, ["A", "B"])
            == 3
        )
        return sheet.text

    for asking in ("?", "HELP", "help me"):
        assert number(asking, "3") == f"1 TO 12? {{{asking}}}\nA\nB\n1 TO 12? {{3}}\n"
    rules = "\n".join(questions.RULES_MORE)
    for asking in ("rules", "what are the rules?"):
        page = f"1 TO 12? {{{asking}}}\nA\nB\n{rules}\n1 TO 12? {{3}}\n"
        assert number(asking, "3") == page
    assert number("0", "13", "??", "03") == (
        "1 TO 12? {0}\nNOT 1 TO 12.\n1 TO 12? {13}\nNOT 1 TO 12.\n"
        "1 TO 12? {??}\nNOT 1 TO 12.\n1 TO 12? {03}\n"
    )


def test_the_rules_fit_on_a_screen() -> None:
    assert len(questions.RULES_MORE) <= 12
    assert max(map(len, questions.RULES_MORE)) <= 72


@pytest.mark.parametrize("run, keys", [(silver.run, ["3", "4"]), (russel.run, [])])
def test_help_and_rules_where_keys_are_typed(
    run: Callable[..., None], keys: list[str], tmp_path: Path
) -> None:
    def page(word: str) -> str:
        here = partial(run, area=Area(str(tmp_path)))
        return paper.leave(here, [*keys, word, "Q"])

    asked = page("?")
    assert "1 TO 6  " in asked and "TYPES IT.\n" in asked
    assert page("help") == asked.replace("{?}", "{help}")
    rules = "\n".join(questions.RULES_MORE)
    with_rules = asked.replace("TYPES IT.\n", f"TYPES IT.\n{rules}\n")
    assert page("RULES") == with_rules.replace("{?}", "{RULES}")
