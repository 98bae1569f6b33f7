"""Endgame databases in the area: which, where, and their upkeep."""

from __future__ import annotations

from typing import Callable

from sail import endgame
from sail.area import Area, AreaError
from sail.programs.solve import says
from sail.rows import Rows

# From so many stones in play on, a database of so many positions is worth its
# building.  Measured on 6 pits: 12 stones, 3 million positions, take half a
# second, 16 stones, 30 million, five, 18 stones, 86 million, twelve.
WORTH = ((0, 0), (31, 3_000_000), (41, 31_000_000), (45, 90_000_000))


def most_useful(pits: int, in_play: int) -> int:
    """The stones of the database that helps most, 0 for none."""
    positions = max(worth for least, worth in WORTH if in_play >= least)
    stones = 0
    while stones < min(in_play - 1, endgame.MOST_STONES) and (
        endgame.size(pits, stones + 1) <= positions
    ):
        stones += 1
    return stones if positions else 0


def file_name(rows: Rows) -> str:
    """The name of the file for these pits and this capture rule."""
    return f"END{rows.pits}{'EN'[not rows.captures_empty]}.DB"


def get(
    area: Area,
    rows: Rows,
    stones: int,
    tell: Callable[[str], None],
    tick: Callable[[int], None],
) -> endgame.Database:
    """A database of at least so many stones, from its file or built and kept.

    tell is given lines to type; what tick raises ends the building.
    """
    name = file_name(rows)
    try:
        if area.has(name):
            database = endgame.from_bytes(area.read_bytes(name), rows)
            if database.index.stones >= stones:
                return database
    except endgame.Foreign:
        tell(says.REBUILT.format(name))
    except AreaError as error:
        tell(str(error))
    tell(says.BUILDING.format(stones))
    database = endgame.build(rows, stones, tick)
    try:
        area.write_bytes(name, endgame.to_bytes(database, rows))
    except AreaError as error:
        tell(str(error))
    return database
