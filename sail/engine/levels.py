"""The five levels: what each may use for a move (AKC-10300), and its error.

A, MASTER and TOURNAMENT think as long as the manual says, about 3, 6 and 15
seconds; a little less stands here, for what comes after a search.  Time is
their only limit, and they know by heart the endings with up to 10, 12 and 14
stones in play.  C and B answer at once and are a learner's ladder: they are
weaker because they see less, never by chance.  Their seconds matter on slow
machines only.

C           its own turn, the answer and its next turn: captures and repeat
            moves of both sides.  It falls for what takes longer to prepare.
B           12,000 positions, three or four turns of each side: it sets up
            repeat moves and captures, and sees yours coming.
"""

from __future__ import annotations

from typing import NamedTuple

from sail.engine.limit import Limit

# How far the value that a level finds is from the value, in stones: the root of
# the mean square with so many stones in play or fewer.  Measured in November
# 2026 on the 240 positions of tests/labelled.txt (tests/bench/strength.py) and,
# for C and B, on 405 positions of games that the search played against itself,
# with 8 to 36 stones in play.  MASTER and TOURNAMENT, which think longer than A,
# are taken to err as much.  With more than 42 in play hardly any value is known,
# so the error is taken to be large; in the one case that is known, the first
# position with 4 stones a pit, worth +8, A finds +9 or +10.
Errors = tuple[tuple[int, float], ...]
C_ERRORS: Errors = ((12, 2.2), (16, 2.5), (20, 3.7), (42, 4.5))
B_ERRORS: Errors = ((16, 0.0), (20, 1.0), (24, 1.6), (42, 2.6))
A_ERRORS: Errors = ((25, 0.0), (33, 0.5), (37, 0.7), (42, 0.9))
UNKNOWN_ERROR = 4.5  # with more stones in play


class Level(NamedTuple):
    """A level: its name as it is typed, where its search ends, how it errs."""

    name: str
    limit: Limit
    errors: Errors

    def error(self, in_play: int) -> float:
        """The stones by which its search errs with so many in play.

        Two thirds of its values are as near as that, nine in ten within one
        and a half of it: a level that sees more than that expects to win by
        clearly more than the error.
        """
        return next(
            (error for most, error in self.errors if in_play <= most), UNKNOWN_ERROR
        )


LEVELS = (
    Level("C", Limit(seconds=0.08, depth=3), C_ERRORS),
    Level("B", Limit(seconds=0.25, effort=12_000), B_ERRORS),
    Level("A", Limit(seconds=2.9, endgames=10), A_ERRORS),
    Level("MASTER", Limit(seconds=5.85, endgames=12), A_ERRORS),
    Level("TOURNAMENT", Limit(seconds=14.75, endgames=14), A_ERRORS),
)
