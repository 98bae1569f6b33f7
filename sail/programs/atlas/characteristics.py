"""The fourth mechanism: characteristics of a won position (BELL-IV.4)."""

from __future__ import annotations

from sail.board import MOST_PITS
from sail.engine.moves import MoveTable
from sail.programs.atlas.memory import HALF, Entry
from sail.programs.atlas.turns import Node, Turn


def characteristic(rows: MoveTable, node: Node, turn: Turn) -> Entry | None:
    """The entry that keeps what this turn of the machine needs to win.

    That is every own pit up to the farthest that was changed, for what lies
    right of it may stop a sowing; the kalah as a minimum; and the captured
    pit as a minimum.  None unless the turn brings the machine more than half
    of the stones: a win by forced play, or by what is left at the end,
    depends on every pit.  BELL-CHAR.
    """
    own, other, kalah = node.m, node.p, node.mk
    farthest, captured = 0, -1
    for pit in turn.pits:
        if kalah > HALF:
            break
        before = own
        _, own, sown, gain, shift, emptied = next(
            move for move in rows[own] if move[0] == pit
        )
        changed = rows.unpack(own ^ before)
        farthest = max(farthest, *(n for n, bits in enumerate(changed, 1) if bits))
        other += sown
        kalah += gain
        taken = other >> shift & rows.mask if shift >= 0 else 0
        if taken:
            own, kalah = emptied, kalah + taken + 1
            captured = shift // rows.bits
    if kalah <= HALF:
        return None
    return Entry(
        True,
        max(0, node.mk - (kalah - HALF - 1)),
        (*rows.unpack(node.m)[:farthest], *[None] * (MOST_PITS - farthest)),
        tuple(
            count if place == captured else None
            for place, count in enumerate(rows.unpack(node.p))
        ),
    )
