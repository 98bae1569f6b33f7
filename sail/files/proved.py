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
from sail.engine.judgement import Judge
from sail.engine.value import Value, bounded, exactly
from sail.files import positions, seal
from sail.files.area import Area
from sail.game import Course
from sail.refusal import Refusal
from sail.stop import Clock, Stop

# The files of exercises whose values are proved, unless ABOUT.
PROVED_FILES = positions.STUDY_POS, seal.MISTAK_POS
_parse_once = lru_cache(maxsize=len(PROVED_FILES))(positions.parse)
HEAD = re.compile(
    r"^KALAH\(([1-6]),([1-6])\), CAPTURE FROM EMPTY: ([YN])$", re.MULTILINE
)
FILED = re.compile(r"^(START|[1-6]+(?:-[1-6]+)*) +(.+)\n((?:  .+\n)+)", re.MULTILINE)


class FiledPosition(NamedTuple):
    """A position on file.

    turns: those from the start, like 41-2.  move_values: the values of its moves, by
    pit; the best is always proved.  variation: the pits of a perfect game.
    """

    turns: str
    position: Position
    move_values: dict[int, Value]
    variation: Pits


def filed(position: Position) -> FiledPosition | None:
    """Return what is filed of a position, if anything.

    It has the same rules, except for the majority ending, and the same stones in
    the mover's pits and in the other player's.  Its kalahs and its mover's name may
    differ.  Nothing is found on a damaged file.
    """
    key = _key(position)
    with suppress(Refusal):
        return next((it for it in all_filed() if _key(it.position) == key), None)
    return None


def teach(solver: Solver) -> None:
    """Teach a solver the values on file.  Raises Refusal if the file is damaged."""
    for on_file in all_filed():
        start = on_file.position
        if solver.fits(start):
            for pit, value in on_file.move_values.items():
                _learn(solver, start, value, [start.play(pit)])
            course = Course(start, on_file.variation)
            _learn(solver, start, max(on_file.move_values.values()), course.positions)


def _teach_exercises(solver: Solver, area: Area) -> None:
    """Teach a solver what the studies and the user's own mistakes have proved."""
    for file in PROVED_FILES:
        with suppress(Refusal):
            if area.may_be_typed(file):
                continue  # and nobody has proved it
            for entry in _parse_once(area.read(file), file):
                start = entry.position
                if solver.fits(start):
                    for turn, finding in entry.findings.items():
                        reached = Course(start, turn).positions
                        if turn not in entry.right:
                            del reached[:-1]  # a wrong turn may begin right
                        _learn(solver, start, finding.value, reached)


def _learn(
    solver: Solver, start: Position, proved: Value, reached: Iterable[Position]
) -> None:
    """Teach a solver a value of positions, for the player who moves in `start`."""
    for position in reached:
        solver.learn(position, proved.negated_if(start.mover != position.mover))


def judge_for(start: Position, area: Area, clock: Clock, stop: Stop) -> Judge:
    """Return a judge of the games from a position, who knows what is on file.

    A damaged file teaches him nothing.
    """
    solver = Solver(start.pits_a_side, start.in_play, start.rules)
    with suppress(Refusal):
        teach(solver)
    _teach_exercises(solver, area)
    return Judge(clock, stop, solver)


@cache
def all_filed() -> list[FiledPosition]:
    """Return all positions on file.  Raises Refusal if it is damaged."""
    found: list[FiledPosition] = []
    _, *parts = HEAD.split(Area(str(HOUSE / "files")).read(seal.VALUES_TXT))
    for pits, stones, captures, lines in zip(*[iter(parts)] * 4):
        rules = ISK_RULES if captures == "Y" else STANDARD_RULES
        for turns, values, game in FILED.findall(lines):
            course = Course(opening(int(stones), int(pits), rules))
            position = course.through(_pits(turns)).position
            move_values: dict[int, Value] = {}
            for pit, word in enumerate(values.split(), 1):
                if word[0] == "<":
                    move_values[pit] = bounded(high=int(word[1:]) - 1)
                elif word not in "-.":
                    move_values[pit] = exactly(int(word))
            found.append(FiledPosition(turns, position, move_values, _pits(game)))
    return found


def _key(position: Position) -> tuple[Row, Row, Rules]:
    own, other = position.rows[position.mover], position.rows[1 - position.mover]
    return own, other, position.rules.without_majority


def _pits(text: str) -> Pits:
    return tuple(int(char) for char in text if char.isdigit())
