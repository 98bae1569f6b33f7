"""A position in words is read alike wherever a person writes one."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from sail.board import ISK_RULES, STANDARD_RULES, Position
from sail.files import games, positions, seal
from sail.files.area import Area
from sail.files.positions import Entry
from sail.programs.solve import dialogue as solve
from sail.refusal import Refusal
from sail.talk.asking import Back
from sail.talk.choosing import ask_special_position
from tests.paper import asker_of
from tests.samples import WHOLE_GAME, put
from tests.stand_ins import LooksAway, Sheet

A, B = "0 1 2 3 4 5 6", "7 0 0 1 0 0 2"
PLACE = (((1, 2, 3, 4, 5, 6), (0, 0, 1, 0, 0, 2)), (0, 7))
BOTH = f"{A} {B}"
ROW = f"A {A}, B {B}"
FORMS = (
    *(ROW, f"A {A} B {B}", f"A {A}\nB {B}", f"{A}\n{B}", BOTH, f"A {BOTH}"),
    *(f"{A}\nB {B}", f"A {A}\n\n; B\nB {B}", f"a {A}, b {B}", "\ufeff" + ROW),
    *(ROW.replace(" ", blank) for blank in (",", "\t", "\u00a0")),
)
MOVERS = {"": 0, " A TO MOVE": 0, ", B TO MOVE": 1, "\nA TO MOVE": 0, "\nB to move": 1}
REFUSED = {
    f"A {A}": "B'S STONES ARE MISSING AFTER A'S.",
    f"A {A}\nX": "B'S STONES ARE MISSING AFTER A'S.",
    f"B {B}": "TYPE A'S STONES, LIKE A 0 6 6 6 6 6 6.",
    f"A {A}\nA {A}": "TYPE B'S STONES, LIKE B 0 6 6 6 6 6 6.",
    f"A {A}\nB 1 {B}": "A HAS 7 NUMBERS, BUT B HAS 8.",
    f"{A}\n6 STONES A PIT": "NOT A NUMBER OF STONES: STONES.",
    "0 1 2 SIX 4 5 6": "NOT A NUMBER OF STONES: SIX.",
    "0 1 2 3 4 5 1.5": "NOT A NUMBER OF STONES: 1.5.",
    "A 0 1 \u22122 3 4 5 6": "STONES CANNOT BE NEGATIVE: -2.",
    f"{ROW}\nC TO MOVE": "A OR B MUST BE TO MOVE.",
    f"A {A}, B 9 0 0 0 0 0 0": "B NEEDS A STONE IN HIS PITS.",
    f"{A} 0 0 0 0 0 0 144": "AT MOST 144 STONES IN ALL.",
}


def on_position_file(text: str, area: Area) -> Position:
    (Path(area.folder) / "T.POS").write_text(f"{text}\n", "utf-8")
    return positions.parse(area.read("T.POS"), "T.POS")[0].position


def on_game_file(text: str, area: Area) -> Position:
    (Path(area.folder) / "T.OUT").write_text(f"{text}\n", "utf-8")
    return games.parse_typed(area.read("T.OUT"), "T.OUT", ISK_RULES)[0].start


def answers(text: str) -> list[str]:
    """What the teletype makes of these lines: capitals, and a hyphen for a minus."""
    alike = str.maketrans("\u00a0\u2212\n", " -\n", "\ufeff")
    typed = text.upper().translate(alike).split("\n")
    return [line for line in typed if line and not line.startswith(";")]


def after_special(text: str, area: Area) -> Position:
    lines = answers(text)
    *rows, mover = lines if "TO MOVE" in lines[-1] and len(lines) > 1 else (*lines, "")
    tty = Sheet([f"{rows.pop()} {mover}", "Q", "Q"])
    tty.keys = [*rows, *tty.keys] if rows else tty.keys
    try:
        return ask_special_position(asker_of(tty, area), "").position
    except (Back, LooksAway):
        raise Refusal(tty.text) from None


def after_game(text: str, area: Area) -> Position:
    tty = Sheet(["GAME", "Y", *answers(text), "", "Q"])
    with suppress(LooksAway):
        solve.Session(tty, area).run()
    told = re.findall("YOUR PAPER LINE .*", tty.text)
    if told:
        raise Refusal(told[0])
    assert "THAT GAME HAS NO TURNS." in tty.text  # so it was read
    return on_game_file("\n".join(answers(text)), area)


READERS = (on_position_file, on_game_file, after_special, after_game)


@pytest.mark.parametrize("mover", MOVERS)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_everywhere(form: str, mover: str, area: Area) -> None:
    for read in READERS:
        found = read(form + mover, area)._replace(rules=STANDARD_RULES)
        assert found == Position(*PLACE, MOVERS[mover], STANDARD_RULES), read


def test_the_same_number_of_stones_may_be_named_once(area: Area) -> None:
    """And at most 144 in all."""
    for read, stones, form in product(READERS, (6, 12), ("STONES A PIT", "STONES")):
        found = read(f"{stones} {form}", area)
        assert (found.rows, found.kalahs) == (((stones,) * 6,) * 2, (0, 0))


@pytest.mark.parametrize("text", REFUSED)
def test_every_refusal_gives_the_same_reason(text: str, area: Area) -> None:
    for read in READERS:
        if read is after_special and "MISSING" in REFUSED[text] and "X" not in text:
            continue  # it asks for them
        with pytest.raises(Refusal) as refused:
            read(text, area)
        assert REFUSED[text] in str(refused.value), read


def test_a_game_is_named_by_its_number(area: Area) -> None:
    put(Path(area.folder))
    sheet = Sheet(["1"])
    assert ask_special_position(asker_of(sheet, area), f"{seal.KALAH_OUT} 1") == Entry(
        WHOLE_GAME.start
    )
    with pytest.raises(Refusal, match=r"^THERE IS NO GAME 3: KALAH.OUT HAS 2\.$"):
        ask_special_position(asker_of(sheet, area), f"{seal.KALAH_OUT} 3")
