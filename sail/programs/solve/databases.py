"""Endgame databases in the area: which, where, and their upkeep."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

from sail.area import Area, AreaError
from sail.engine import endgame
from sail.engine.moves import MoveTable
from sail.programs.solve import says
from sail.stop import Stop

LEAST_IN_PLAY = 31  # of a position for which a database is built
LEAST_TO_LOAD = 21  # of one for which a file is read: with less the search is as quick
# With so many positions from here on, a database of so many is worth its
# building.  On 6 pits: 12 stones, 3 million positions, half a second; from 37
# stones in play on 16 stones, 30 million, six seconds; from 45 on 18 stones,
# 86 million, twelve to eighteen.
WORTH = ((6 * 10**11, 90 * 10**6), (72 * 10**9, 31 * 10**6), (0, 3 * 10**6))


def most_useful(pits: int, in_play: int) -> int:
    """The stones of the database that is worth building, 0 for none."""
    if in_play < LEAST_IN_PLAY:
        return 0
    ahead = comb(in_play + 2 * pits, 2 * pits)
    positions = next(worth for least, worth in WORTH if ahead >= least)
    return _within(positions, pits, min(in_play - 1, endgame.LARGEST))


def largest(pits: int) -> int:
    """The most stones of a database that is ever built for so many pits."""
    return _within(WORTH[0][1], pits, endgame.LARGEST)


def _within(positions: int, pits: int, stones: int) -> int:
    """The stones, or as many as make no more positions than that."""
    while endgame.size(pits, stones) > positions:
        stones -= 1
    return stones


def file_name(moves: MoveTable) -> str:
    """The name of the file for these pits and this capture rule."""
    return f"END{moves.pits}{'E' if moves.captures_empty else 'N'}.DB"


def get(
    area: Area,
    moves: MoveTable,
    stones: int,
    tell: Callable[[str], None],
    stop: Stop,
) -> endgame.Database | None:
    """The database on file, or a new one if that has fewer stones than asked.

    stones: 0 takes what is there, or None.  A new one is written to the area,
    unless the file there is damaged.  tell: is given lines to type.  Raises
    Stopped.
    """
    name = file_name(moves)
    keeps = False
    try:
        if area.has(name):
            database = endgame.from_bytes(area.read_bytes(name), moves)
            if database.index.stones >= stones:
                return database
        keeps = True
    except endgame.Foreign:
        tell(says.FOREIGN.format(name))
    except AreaError as error:
        tell(str(error))
    if not stones:
        return None
    tell(says.BUILDING.format(stones))
    database = endgame.build(moves, stones, stop)
    if keeps:
        try:
            area.write_bytes(name, endgame.to_bytes(database, moves))
        except AreaError as error:
            tell(str(error))
    return database
