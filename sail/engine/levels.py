"""The five levels: what each may use for a move (AKC-10300).

The seconds are what a level may use at most; all but TOURNAMENT are weaker as
they see less, never by chance, and on any machine of our days they stop at
their depth or effort long before the time.  A learner climbs by what he
sees:

C           its own turn, the answer and its next turn: captures and repeat
            moves of both sides.  It falls for what takes longer to prepare.
B           2,000 positions, three turns of each side: it sets up repeat
            moves and captures, and sees yours coming.
A           12,000 positions, four turns of each side; it plays to the end
            without an error once some 16 stones are left.
MASTER      150,000 positions, five or six turns of each side; without an
            error from about 24 stones on.
TOURNAMENT  all that 15 seconds hold, and every ending with up to 14
            stones by heart.
"""

from __future__ import annotations

from typing import NamedTuple

from sail.engine.limit import Limit


class Level(NamedTuple):
    """A level: its name as it is typed, and where its search ends."""

    name: str
    limit: Limit


LEVELS = (
    Level("C", Limit(seconds=0.08, depth=3)),
    Level("B", Limit(seconds=0.25, effort=2_000)),
    Level("A", Limit(seconds=2.9, effort=12_000)),
    Level("MASTER", Limit(seconds=5.9, effort=150_000)),
    Level("TOURNAMENT", Limit(seconds=14.8, endgames=14)),
)
