"""The five levels: what each may use for a move (AKC-10300), and its error.

A, MASTER and TOURNAMENT think for as long as the manual says, about 3, 6 and 15
seconds; their limits are a little shorter, to leave time for the work after a
search.  C and B answer at once.  They are opponents for learners, weaker because
they see less, never by chance; their time limits matter only on slow machines.

C sees its turn, the answer and its next turn, with the captures and repeat moves
of both sides, but nothing that takes longer to prepare.  B searches three or four
turns of each side: it prepares repeat moves and captures, and sees the opponent's.
"""

from __future__ import annotations

from typing import NamedTuple

from sail.engine.limit import Limit

# The error of a level, as pairs: the most stones in play, and the root mean square
# error in stones.  Measured in November 2026 on the 240 positions of
# tests/labelled.txt (tests/bench/strength.py) and, for C and B, on 405 positions
# with 8 to 36 stones from games of the search against itself.  MASTER and TOURNAMENT
# think longer than A, but are given its error.  With more than 42 stones in play few
# exact values are known, so a large error is assumed.  One is known: the start with
# 4 stones a pit is +8, where A finds +9 or +10.
Errors = tuple[tuple[int, float], ...]
C_ERRORS: Errors = ((12, 2.2), (16, 2.5), (20, 3.7), (42, 4.5))
B_ERRORS: Errors = ((16, 0.0), (20, 1.0), (24, 1.6), (42, 2.6))
A_ERRORS: Errors = ((25, 0.0), (33, 0.5), (37, 0.7), (42, 0.9))
UNKNOWN_ERROR = 4.5  # stones; for more stones in play than the pairs cover


class Level(NamedTuple):
    """A level: the name to type, the limit of its search, its errors."""

    name: str
    limit: Limit
    errors: Errors

    def doubt(self, in_play: int) -> float:
        """Return the 90th-percentile error, in stones, of this level's values.

        That is one and a half times the root mean square error.
        """
        errors = (error for most, error in self.errors if in_play <= most)
        return 1.5 * next(errors, UNKNOWN_ERROR)


LEVELS = (
    Level("C", Limit(seconds=0.08, depth=3), C_ERRORS),
    Level("B", Limit(seconds=0.25, effort=12_000), B_ERRORS),
    Level("A", Limit(seconds=2.8, endgames=10), A_ERRORS),
    Level("MASTER", Limit(seconds=5.8, endgames=12), A_ERRORS),
    Level("TOURNAMENT", Limit(seconds=14.75, endgames=14), A_ERRORS),
)
