"""Endgame databases: the sizes that pay, and the files in the area."""

from __future__ import annotations

import zlib
from math import comb

from sail.engine import endgame
from sail.engine.endgame import Database
from sail.engine.moves import MoveTable
from sail.files.area import Area, AreaError
from sail.programs.solve import says
from sail.stop import Stop, never
from sail.talk.asking import attempt
from sail.teletype import Teletype

LEAST_IN_PLAY = 31  # stones; with fewer, no database is saved on file
LEAST_TO_LOAD = 21  # stones; with fewer, the search is as fast without the file
# Pairs (least, most).  Count the positions with as many stones in play as the one to
# solve, or fewer: if they are at least `least`, the largest database with at most
# `most` positions pays.  So 6 pits get one of 12 stones (3 million positions, half a
# second); from 37 stones in play, one of 16 (30 million, 6 s); from 45 stones in play,
# one of 18 (86 million, 20 s).
WORTH = ((6 * 10**11, 90 * 10**6), (72 * 10**9, 31 * 10**6), (0, 3 * 10**6))
# With QUICK_FROM[pits] stones in play or more, but fewer than LEAST_IN_PLAY, a database
# is built without a message and not saved.  For the first question it has at most
# QUICK_POSITIONS (on 6 pits 10 stones, 0.2 s), which halves the time of the answer.
# One of 12 stones halves it once more, but pays only if another question follows.
QUICK_FROM = {5: 28, 6: 25}
QUICK_POSITIONS = 650_000
MAGIC = b"KALAH ENDGAMES 1\n"


def most_useful(pits: int, in_play: int) -> int:
    """Return the stones of the database that is worth building and saving, or 0."""
    if in_play < LEAST_IN_PLAY:
        return 0
    ahead = comb(in_play + 2 * pits, 2 * pits)
    most = next(most for least, most in WORTH if ahead >= least)
    return _within(most, pits, min(in_play - 1, endgame.LARGEST))


def quick(pits: int, in_play: int, first: bool) -> int:
    """Return the stones of the database that is worth building but not saving, or 0.

    first: whether the solver has done no work yet.
    """
    if not QUICK_FROM.get(pits, LEAST_IN_PLAY) <= in_play < LEAST_IN_PLAY:
        return 0
    return _within(QUICK_POSITIONS if first else WORTH[-1][1], pits, in_play - 1)


def largest(pits: int) -> int:
    """Return the stones of the largest database that is ever saved for `pits` pits."""
    return _within(WORTH[0][1], pits, endgame.LARGEST)


def _within(positions: int, pits: int, stones: int) -> int:
    """Return the largest count up to `stones` with at most `positions` positions."""
    while endgame.size(pits, stones) > positions:
        stones -= 1
    return stones


def file_name(moves: MoveTable) -> str:
    """Return the name of the file for these pits and this capture rule."""
    return f"END{moves.pits}{'E' if moves.captures_empty else 'N'}.DB"


def load_or_build(
    area: Area, moves: MoveTable, stones: int, tty: Teletype, stop: Stop = never
) -> Database | None:
    """Return a database of at least `stones` stones, from the file or newly built.

    If `stones` is 0, nothing is built: return the database on file, or None.  A new
    database is saved unless the file is damaged or foreign.  Raises Stopped.
    """
    replaceable = False
    try:
        on_file = _on_file(area, moves)
        if on_file and on_file.stones >= stones:
            return on_file
        replaceable = True
    except AreaError as error:
        tty.type(str(error))
    if not stones:
        return None
    tty.type(says.BUILDING.format(stones))
    database = endgame.build(moves, stones, stop)

    def save() -> None:
        # Another session may have saved a database during the build.
        on_file = _on_file(area, moves)
        if not on_file or on_file.stones < stones:
            area.write_bytes(file_name(moves), to_bytes(database))

    if replaceable:
        attempt(tty, save)
    return database


def _on_file(area: Area, moves: MoveTable) -> Database | None:
    """Return the database on file, or None if there is none.  Raises AreaError."""
    name = file_name(moves)
    if not area.has(name):
        return None
    database = from_bytes(area.read_bytes(name), moves)
    if not database:
        raise AreaError(says.FOREIGN.format(name))
    return database


def to_bytes(database: Database) -> bytes:
    """Return the contents of the file: a heading, a checksum, and the values."""
    head = _head(database.moves, database.stones)
    return head + zlib.crc32(database.values).to_bytes(4, "big") + database.values


def from_bytes(contents: bytes, moves: MoveTable) -> Database | None:
    """Return the database that `to_bytes` wrote, None if it cannot be used.

    The contents must be whole and undamaged, the pits and the capture rule those
    of `moves`, and a pit of `moves` must be able to hold all the stones.
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
        return None
    return Database(moves, stones, values)


def _head(moves: MoveTable, stones: int) -> bytes:
    return MAGIC + bytes((stones, moves.pits, moves.captures_empty))
