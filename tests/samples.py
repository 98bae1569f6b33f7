"""Games for several tests: on file as literal texts, and judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sail.board import opening
from sail.engine.exact import Solver
from sail.engine.judgement import JudgedTurn
from sail.files import games
from sail.files.proved import judge_for
from sail.game import Game
from tests.stand_ins import NOTHING_FILED, NOW, standing_still

FILES = {
    "KALAH.OUT": """\
SAVED GAMES: 15 LINES, CHECK 10165551442
GAME OF 1972-10-06 14:03
2 STONES A PIT
LEVEL A, YOU STARTED
  1 A 26           1-0    2 B 1            1-1    3 A 4            1-1
  4 B 214          1-7    5 A 1            2-7    6 B 312         2-11
  7 A 2           6-11    8 B 5           6-11    9 A 312         8-11
 10 B 2           8-11   11 A 1           9-11
PLAYED TO THE END
A 9, B 15, KALAH WON

GAME OF 07-OCT-72  09:30
2 STONES A PIT
LEVEL C, KALAH STARTED
QUIT
A 0, B 0
""",
    "CLUB.OUT": """\
; as Ann wrote it down
GAME OF ANN AND BEN
A 20 0 0 1 2 0 0, B 17 0 2 0 1 1 0, B TO MOVE
b 24   02 A 3  022-21
Played to the end
A 22, B 22
""",
    "BAD.OUT": "3 STONES A PIT\n1 A 36  5-0\n2 B 7\n",
    "NONE.OUT": "",
}

# The questions of KALAH, and the lines that lead to each.
PROMPTS = {
    "START WITH": "", "WHAT LEVEL": "3", "DO YOU WISH": "3/C", "YOUR MOVE": "3/C/Y",
    "PLEASE TYPE": "3/C/Y/36", "ANOTHER GAME": "3/C/Y/QUIT",
    "FIRST PLAYER": "S", "SECOND PLAYER": "S/1 1 1 1 1 1 1",
    "WHICH GAME": "3/C/Y/QUIT/SAVE/Y/4/C/Y/QUIT/SAVE/Y/S KALAH.OUT",
    "BEFORE WHICH": "3/C/Y/3/QUIT/SAVE/Y/S KALAH.OUT",
}  # fmt: skip


WHOLE_GAME = games.SavedGames(FILES["KALAH.OUT"], "KALAH.OUT")[0]


def put(folder: Path) -> None:
    """Put the files into an area."""
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")


def played(pits: str, stones: int = 2) -> Game:
    """A game with that many stones a pit, played so far."""
    game = Game(opening(stones), (), "A", 0, NOW)
    for pit in map(int, pits):
        game = game.play(pit)
    return game


def judged(
    game: Game,
    seconds: float = 60,
    clock: Callable[[], float] = standing_still,
    stop: Callable[[], bool] = lambda: False,
    solver: Solver | None = None,
) -> list[JudgedTurn]:
    """Judge a whole game; every turn is judged once."""
    judge = judge_for(game.start, NOTHING_FILED, clock, stop)
    judge.solver = solver or judge.solver
    judged_turns = judge.judge_game(game, seconds)
    turns = range(1, len(game.turns) + 1)
    assert [turn.number for turn in judged_turns] == [*turns]
    return judged_turns
