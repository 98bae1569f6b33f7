"""Several games in one session: an abandoned game leaves nothing behind.

A player types at random and abandons games.  From then on paper and files must
be those of a new session in the same area.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sail.files.area import Area
from sail.programs.atlas import dialogue as atlas
from sail.programs.kalah import dialogue as kalah
from sail.programs.kalah import says
from sail.programs.russel import dialogue as russel
from sail.programs.silver import dialogue as silver
from sail.programs.solve import dialogue as solve
from tests import paper, samples


class Program(NamedTuple):
    """A program, and what its player types.

    begin: the question where a game begins, and lines that begin one.  leave: the
    question where a game is abandoned, and the lines that lead back.  answers:
    lines to choose from, by the beginning of the question.  own: what may depend on
    the session.
    """

    session: Callable[..., Any]
    begin: tuple[str, Sequence[str]]
    leave: tuple[str, Sequence[str]]
    answers: dict[str, Sequence[str]]
    own: str = "^$"


PITS = tuple("123456")
MOVES = (*PITS * 3, "36", "BACK", "REDO", "CONCEDE", "DRAW", "WIN", "SAVE X")
RUBBISH = ("?", "I,WIN", "A/B", "-1", ",", "^U")
SPECIAL = "SPECIAL,8 1 0 2 0 0 3,9 0 1 0 0 4 1"
MEMORY = ("3", "3", "3", "2", "MEMORY", "MEMORY OTHER")
KEYS = (*PITS * 2, " ", " ", "R", "R", "PB", "AL/", "DISPLAY 1")
PROGRAMS = {
    "KALAH": Program(
        partial(kalah.Session, game_time=lambda: "1972-10-06 14:03", clock=float),
        ("START WITH", ("2", "3", SPECIAL)),
        ("YOUR MOVE", ("QUIT", "SAVE", "Y")),
        {"WHAT": "CCB?", "DO YOU": "YN?", "YOUR MOVE": (*MOVES, *RUBBISH)}
        | {"PLEASE": ("", "", "SHOW", *RUBBISH), "ANOTHER": ("Y", "SAVE", "BACK", "?")},
        re.escape(f"{says.WHAT_CR_IS}\n"),
    ),
    "ATLAS": Program(
        atlas.Session, ("STONES", MEMORY), ("YOUR MOVE", ("QUIT",)),
        {"DO YOU": "YN", "YOUR MOVE": (*PITS * 9, "RESIGN")},
    ),
    "SILVER": Program(
        silver.Session, ("STONES", "123"), ("", ("Q",)),
        {"LOOK": "12", "": (*PITS, " ", "BACK", "", "?")},
    ),
    "RUSSEL": Program(
        russel.Session, ("#", ("ID/3,IP/1,ST", "ID/2,IP/2,ST,R")), ("#", ("PB",)),
        {"#": KEYS, "": ("",)},
    ),
    "SOLVE": Program(
        partial(solve.Session, clock=float), ("PITS", ("2", "3", "REVIEW CLUB")), ("GO ON", ("Q",)),
        {"STONES": "12Q", "CAPTURE": "YN", "GO ON": ("1", "2", "3", "BACK", "Q")}
        | {"HOW MANY": "1", "WALK FROM": "12Q"},
        "AT (LEAST|MOST) .*\n",
    ),
}  # fmt: skip
AKC = partial(PROGRAMS["KALAH"].session, with_asides=False)
PROGRAMS["AKC"] = PROGRAMS["KALAH"]._replace(session=AKC)
BEFORE, AFTER = 2, 2  # games up to the one that is abandoned, and after it


class Player(paper.Paper):
    """A player at random; after BEFORE games he calls `abandoned`.

    typed, since: what is typed from then on, and the length of the paper then.
    """

    def __init__(
        self, program: Program, rnd: random.Random, abandoned: Callable[[], object]
    ) -> None:
        super().__init__([])
        self.program = program
        self.rnd = rnd
        self.abandoned = abandoned
        self.games = 0
        self.turns = 0  # until the present game is abandoned
        self.typed: list[str] = []

    def ask(self, prompt: str = "") -> str:
        if not self.keys:
            self.keys = self.chosen(prompt)
        self.typed.append(self.keys[0])
        return super().ask(prompt)

    def chosen(self, prompt: str) -> list[str]:
        _, (home, first), (leave, lines), answers, _ = self.program
        asked = next(q for q in (*answers, home) if prompt.startswith(q))
        if prompt.startswith(home) and (home not in answers or self.turns <= 0):
            if self.games == BEFORE:
                self.abandoned()
                self.typed, self.since = [], len(self.text)
            self.games += 1
            self.turns = 4 if self.games == BEFORE else self.rnd.choice((5, 60))
            if self.games <= BEFORE + AFTER:
                return self.rnd.choice(first).split(",")
        if self.games > BEFORE + AFTER:
            return ["Q"]
        self.turns -= asked == leave
        if asked == leave and self.turns == 0:
            return list(lines)
        return [self.rnd.choice(answers[asked])]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", PROGRAMS)
def test_abandoned_games_leave_nothing(name: str, seed: int, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    here, copy = tmp_path / "here", tmp_path / "copy"
    here.mkdir()
    samples.put(here)
    (here / "KALAH.OUT").unlink()
    tty = Player(program, random.Random(seed), lambda: shutil.copytree(here, copy))
    program.session(tty, Area(str(here))).run()
    fresh = paper.leave(
        lambda new: program.session(new, Area(str(copy))).run(), tty.typed
    )
    pages = tty.text[tty.since :], fresh[fresh.index(program.begin[0]) :]
    one_session, new_session = (re.sub(program.own, "", page) for page in pages)
    assert one_session == new_session
    kept, new = ({at.name: at.read_bytes() for at in f.iterdir()} for f in (here, copy))
    assert kept == new
