"""The fourth mechanism, first half: characteristics of a won position (BELL-IV.4)."""

from __future__ import annotations

from sail.board import Position
from sail.programs.atlas.memory import HALF, Entry, Pits
from sail.programs.atlas.turns import PLAYER


def characteristic(position: Position, pits: tuple[int, ...]) -> Entry:
    """Return the entry that keeps what the mover needs for his crushing turn.

    pits: of a turn that brings him more than half of the stones.  (A win by
    forced play, or by the stones outstanding at the end, needs every pit.)

    He needs every pit of his row from the kalah up to the farthest pit that
    changed, even if it changed back, because a stone in it could stop a sowing;
    and the least that his kalah and a captured pit must hold.  BELL-CHAR.
    """
    mover = position.mover
    before, farthest = position, 0
    captured: int | None = None
    for pit in pits:
        after = before.play(pit)
        own, other = before.rows[mover], before.rows[1 - mover]
        changed = [n != was for n, was in zip(after.rows[mover], own)]
        farthest = max(farthest, *(n for n, has in enumerate(changed, 1) if has))
        for place, (n, was) in enumerate(zip(after.rows[1 - mover], other)):
            if n < was:
                captured = place
        before = after
        if after.kalahs[mover] > HALF:
            break
    spare = before.kalahs[mover] - HALF - 1
    own, other = position.rows[mover], position.rows[1 - mover]
    kept: Pits = tuple(n if place < farthest else None for place, n in enumerate(own))
    least: Pits = tuple(
        n if place == captured else None for place, n in enumerate(other)
    )
    kalah = max(0, position.kalahs[mover] - spare)
    if mover == PLAYER:
        return Entry(False, kalah, least, kept)
    return Entry(True, kalah, kept, least)
