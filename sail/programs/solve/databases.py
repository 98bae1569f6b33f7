"""Endgame databases: how large, and their files in the area."""

from __future__ import annotations

import zlib
from math import comb

from sail.area import Area, AreaError
from sail.engine import endgame
from sail.engine.endgame import Database
from sail.engine.moves import MoveTable
from sail.programs.questions import attempt
from sail.programs.solve import says
from sail.teletype import Teletype

LEAST_IN_PLAY = 31  # of a position for which a database is built and kept
LEAST_TO_LOAD = 21  # of one for which a file is read: with less the search is as quick
# With so many positions from here on, a database of so many is worth its
# building.  On 6 pits: 12 stones, 3 million positions, half a second; from 37
# stones in play on 16 stones, 30 million, six seconds; from 45 on 18 stones,
# 86 million, twelve to eighteen.
WORTH = ((6 * 10**11, 90 * 10**6), (72 * 10**9, 31 * 10**6), (0, 3 * 10**6))
# For a smaller position a database is built without a word and not kept: by
# pits, the least stones in play.  For the first question it has few positions
# (on 6 pits to 10 stones, 0.2 seconds), which halves the time of the answer;
# 12 stones halve it once more, but pay only if there is another question.
QUICK_FROM = {5: 28, 6: 25}
QUICK_POSITIONS = 650_000
MAGIC = b"KALAH ENDGAMES 1\n"


class Foreign(ValueError):
    """The bytes are not those of the wanted database."""


def most_useful(pits: int, in_play: int) -> int:
    """Return the stones of the database worth building and keeping, or 0."""
    if in_play < LEAST_IN_PLAY:
        return 0
    ahead = comb(in_play + 2 * pits, 2 * pits)
    positions = next(worth for least, worth in WORTH if ahead >= least)
    return _within(positions, pits, min(in_play - 1, endgame.LARGEST))


def quick(pits: int, in_play: int, first: bool) -> int:
    """Return the stones of the database worth building but not keeping, or 0.

    first: whether nobody has asked about positions of this kind before.
    """
    if not QUICK_FROM.get(pits, LEAST_IN_PLAY) <= in_play < LEAST_IN_PLAY:
        return 0
    return _within(QUICK_POSITIONS if first else WORTH[-1][1], pits, in_play - 1)


def largest(pits: int) -> int:
    """Return the most stones of a database that is ever built for so many pits."""
    return _within(WORTH[0][1], pits, endgame.LARGEST)


def _within(positions: int, pits: int, stones: int) -> int:
    """Return the stones, or as many as make no more positions than that."""
    while endgame.size(pits, stones) > positions:
        stones -= 1
    return stones


def file_name(moves: MoveTable) -> str:
    """Return the name of the file for these pits and this capture rule."""
    return f"END{moves.pits}{'E' if moves.captures_empty else 'N'}.DB"


def get(area: Area, moves: MoveTable, stones: int, tty: Teletype) -> Database | None:
    """Return the database on file, or build one if that has fewer stones than asked.

    stones: 0 takes what is on file, or None.  A new database is written to the
    area, unless the file there is damaged.  Raises Stopped.
    """
    keeps = False
    try:
        there = _on_file(area, moves)
        if there and there.stones >= stones:
            return there
        keeps = True
    except AreaError as error:
        tty.type(str(error))
    if not stones:
        return None
    tty.type(says.BUILDING.format(stones))
    database = endgame.build(moves, stones, tty.poll)

    def keep() -> None:
        # Another session may have kept one while this one was built.
        there = _on_file(area, moves)
        if not there or there.stones < stones:
            area.write_bytes(file_name(moves), to_bytes(database))

    if keeps:
        attempt(tty, keep)
    return database


def _on_file(area: Area, moves: MoveTable) -> Database | None:
    """Return the database on file, if there is one.  Raises AreaError."""
    name = file_name(moves)
    try:
        return from_bytes(area.read_bytes(name), moves) if area.has(name) else None
    except Foreign:
        raise AreaError(says.FOREIGN.format(name)) from None


def to_bytes(database: Database) -> bytes:
    """Return the contents of a file: a heading, a checksum, the values."""
    head = _head(database.moves, database.stones)
    return head + zlib.crc32(database.values).to_bytes(4, "big") + database.values


def from_bytes(contents: bytes, moves: MoveTable) -> Database:
    """Return the database that `to_bytes` wrote.

    Raises Foreign unless it is whole, undamaged, for these pits and this
    capture rule, and a pit of `moves` has room for all its stones.
    """
    stones = int.from_bytes(contents[len(MAGIC) : len(MAGIC) + 1], "big")
    head = _head(moves, stones)
    checksum, values = contents[len(head) : len(head) + 4], contents[len(head) + 4 :]
    if (
        not contents.startswith(head)
        or not 2 <= stones <= min(endgame.LARGEST, moves.mask)
        or len(values) != endgame.size(moves.pits, stones)
        or checksum != zlib.crc32(values).to_bytes(4, "big")
    ):
        raise Foreign
    return Database(moves, stones, values)


def _head(moves: MoveTable, stones: int) -> bytes:
    return MAGIC + bytes((stones, moves.pits, moves.captures_empty))
