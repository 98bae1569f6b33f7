"""The five levels: what each may use for a move (AKC-10300).

The seconds are what a level may use at most; C, B and A are weaker because
they see less, never by chance, and on any machine of our days they stop at
their depth or effort long before the time.  A learner climbs by what he
sees:

C           its own turn and the answer: captures and repeat moves of both
            sides, and where each pit will end.  It falls for what needs a
            second turn of its own.
B           about 2,000 positions, some three turns of each side: it sets
            up repeat moves and small captures, and sees yours coming.
A           about 100,000 positions, five or six turns of each side, all of
            the game once some 20 stones are left.
MASTER      ten times as many: seven or eight turns of each side, and plays
            the last 25 stones without an error.
TOURNAMENT  all that 15 seconds hold.
"""

from __future__ import annotations

from typing import NamedTuple

from sail.search import Limit


class Level(NamedTuple):
    """A level: its name as it is typed, and where its search ends."""

    name: str
    limit: Limit


LEVELS = (
    Level("C", Limit(seconds=0.08, depth=2)),
    Level("B", Limit(seconds=0.25, effort=2_000)),
    Level("A", Limit(seconds=2.9, effort=100_000)),
    Level("MASTER", Limit(seconds=5.9, effort=1_000_000)),
    Level("TOURNAMENT", Limit(seconds=14.8)),
)
