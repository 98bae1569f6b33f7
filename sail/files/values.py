"""Values on file: proved values of openings, so that nobody has to prove them again.

VALUES.TXT is written for people to read.  Each line gives the turns that lead from
the start to a position, and the value of each of the mover's pits: the final
difference of stones under perfect play, positive if he wins.  A hyphen stands for an
empty pit, <9 for a value below 9, a period for one that is not on file.  The best
value is always on file.  A perfect game from there follows, indented; its positions are
known, too.

    KALAH(6,4), CAPTURE FROM EMPTY: Y
    START        4  -6  -2  10  -8 -14
      41-56-3-3-1513-5-2-1-...
    3-1          .   .   .  12   .   .

The first line is the seal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache, lru_cache
from typing import NamedTuple

from sail import HOUSE
from sail.board import ISK_RULES, STANDARD_RULES, Pits, Position, Row, Rules, opening
from sail.engine.exact import Solver
from sail.engine.value import Bounds
from sail.files import positions, tally
from sail.files.area import Area
from sail.game import LineOfPlay
from sail.refusal import Refusal

FILE = "VALUES.TXT"
# The files of exercises whose values are proved, unless ABOUT.
PROVED = f"STUDY{positions.EXTENSION}", tally.MISTAKES
_parsed = lru_cache(maxsize=len(PROVED))(positions.parse)
HEAD = re.compile(
    r"^KALAH\(([1-6]),([1-6])\), CAPTURE FROM EMPTY: ([YN])$", re.MULTILINE
)
ENTRY = re.compile(r"^(START|[1-6]+(?:-[1-6]+)*) +(.+)\n((?:  .+\n)+)", re.MULTILINE)


class FiledPosition(NamedTuple):
    """A position on file.

    turns: those from the start, like 41-2.  moves: what is known of the values of its
    moves, by pit; the best move's is always proved.  play: the pits of a perfect game.
    """

    turns: str
    position: Position
    moves: dict[int, Bounds]
    play: Pits


def find(position: Position) -> FiledPosition | None:
    """Return what is filed of a position, if anything.

    It has the same rules, except for the majority ending, and the same stones in
    the mover's pits and in the other player's.  Its kalahs and its mover's name may
    differ.  Nothing is found on a damaged file.
    """
    key = _key(position)
    with suppress(Refusal):
        return next((it for it in filed() if _key(it.position) == key), None)
    return None


def teach(solver: Solver) -> None:
    """Teach a solver the values on file.  Raises Refusal if the file is damaged."""
    for it in filed():
        begin = it.position
        if solver.fits(begin):
            for pit, bounds in it.moves.items():
                _learn(solver, begin, bounds, [begin.play(pit)])
            path = LineOfPlay(begin, it.play)
            _learn(solver, begin, max(it.moves.values()), path.positions)


def teach_exercises(solver: Solver, area: Area) -> None:
    """Teach a solver what the studies and the user's own mistakes have proved."""
    for file in PROVED:
        with suppress(Refusal):
            if area.is_typed(file):
                continue  # and nobody has proved it
            for entry in _parsed(area.read(file), file):
                begin, exercise = entry.position, entry.exercise
                if solver.fits(begin):
                    for turn, found in exercise.findings.items():
                        reached = LineOfPlay(begin, turn).positions
                        if turn not in exercise.right:
                            del reached[:-1]  # a wrong turn may begin right
                        bounds = Bounds(found.value.low, found.value.high)
                        _learn(solver, begin, bounds, reached)


def _learn(
    solver: Solver, begin: Position, bounds: Bounds, reached: Iterable[Position]
) -> None:
    """Teach a solver bounds of positions, for the player who moves in `begin`."""
    for position in reached:
        solver.learn(position, bounds.negated_if(begin.mover != position.mover))


def judging_solver(begin: Position, area: Area | None = None) -> Solver:
    """Return a solver for judging games from a position, taught what is on file.

    A damaged file teaches it nothing.
    """
    solver = Solver(begin.pits_a_side, begin.in_play, begin.rules)
    with suppress(Refusal):
        teach(solver)
    if area:
        teach_exercises(solver, area)
    return solver


@cache
def filed() -> list[FiledPosition]:
    """Return the positions of the shipped file.  Raises Refusal if it is damaged."""
    found: list[FiledPosition] = []
    _, *parts = HEAD.split(Area(str(HOUSE / "files")).read(FILE))
    for pits, stones, captures, part in zip(*[iter(parts)] * 4):
        rules = ISK_RULES if captures == "Y" else STANDARD_RULES
        for turns, values, game in ENTRY.findall(part):
            path = LineOfPlay(opening(int(stones), int(pits), rules))
            position = path.through(_pits(turns)).position
            moves: dict[int, Bounds] = {}
            for pit, word in enumerate(values.split(), 1):
                if word[0] == "<":
                    moves[pit] = Bounds(high=int(word[1:]) - 1)
                elif word not in "-.":
                    moves[pit] = Bounds(int(word), int(word))
            found.append(FiledPosition(turns, position, moves, _pits(game)))
    return found


def _key(position: Position) -> tuple[Row, Row, Rules]:
    own, other = position.rows[position.mover], position.rows[1 - position.mover]
    return own, other, position.rules.without_majority


def _pits(text: str) -> Pits:
    return tuple(int(char) for char in text if char.isdigit())
