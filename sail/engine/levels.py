"""The levels: what each may use for a move (AKC-10300), and all else about it.

A, MASTER and TOURNAMENT think for as long as the manual says, about 3, 6 and 15
seconds; their limits are a little shorter, to leave time for the work after a
search.  C and B answer at once, and are weaker because they see less; their time
limits matter only on slow machines.  L, ours, is for learners: it sees only its own
turn, and plays half of its moves by chance.

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
# think longer than A and err less; for them, A's errors stand.  With more than 42 stones in play few
# exact values are known, so a large error is assumed.  One is known: the start with
# 4 stones a pit is +8, where A finds +9 or +10.
Errors = tuple[tuple[int, float], ...]
C_ERRORS: Errors = ((12, 2.2), (16, 2.5), (20, 3.7), (42, 4.5))
B_ERRORS: Errors = ((16, 0.0), (20, 1.0), (24, 1.6), (42, 2.6))
A_ERRORS: Errors = ((25, 0.0), (33, 0.5), (37, 0.7), (42, 0.9))
UNKNOWN_ERROR = 4.5  # stones; for more stones in play than the pairs cover


class Level(NamedTuple):
    """A level, complete: whatever sail, its manuals and benches say about it is here.

    name: as it is typed.  limit: of its search.  errors: of the search's values.
    help: what a user should know first.  draws: the level as which it judges draws
    and claims, and gives advice if it blunders; "" if it does so itself.  blunders:
    the share of its moves that are replaced by random ones.  beginners: whether
    they are pointed to it.  standard: whether an empty line means it (AKC-10300).
    """

    name: str
    limit: Limit
    errors: Errors
    help: str
    draws: str = ""
    blunders: float = 0.0
    beginners: bool = False
    standard: bool = False

    def doubt(self, in_play: int) -> float:
        """Return the 90th-percentile error, in stones, of this level's values.

        That is one and a half times the root mean square error.
        """
        errors = (error for most, error in self.errors if in_play <= most)
        return 1.5 * next(errors, UNKNOWN_ERROR)

    @property
    def judge(self) -> Level:
        """The level that judges draws and claims for this one."""
        return LEVEL[self.draws or self.name]


LEVELS = (  # from the weakest to the strongest
    Level(
        "L",
        Limit(depth=1),
        C_ERRORS,
        help="A LEARNER LIKE YOU: EVERY OTHER MOVE IS BY CHANCE",
        draws="B",
        blunders=0.5,
        beginners=True,
    ),
    Level(
        "C",
        Limit(seconds=0.08, depth=3),
        C_ERRORS,
        help="SEES YOUR REPLY; ANSWERS AT ONCE",
        draws="B",
    ),
    Level(
        "B",
        Limit(seconds=0.25, effort=12_000),
        B_ERRORS,
        help="SEES FURTHER, AND ANSWERS ALMOST AT ONCE",
    ),
    Level(
        "A",
        Limit(seconds=2.8, endgames=10),
        A_ERRORS,
        help="THE STANDARD: ABOUT 3 SECONDS A MOVE",
        standard=True,
    ),
    Level(
        "MASTER",
        Limit(seconds=5.8, endgames=12),
        A_ERRORS,
        help="ABOUT 6 SECONDS A MOVE",
    ),
    Level(
        "TOURNAMENT",
        Limit(seconds=14.75, endgames=14),
        A_ERRORS,
        help="ABOUT 15 SECONDS A MOVE",
    ),
)
LEVEL = {level.name: level for level in LEVELS}
BEGINNERS = next(level for level in LEVELS if level.beginners)
STANDARD = next(level for level in LEVELS if level.standard)
STRONGEST = LEVELS[-1]


def thinking(seconds: float) -> Level:
    """Return the strongest level that thinks no longer than this."""
    fits = [level for level in LEVELS if (level.limit.seconds or 0.0) <= seconds]
    return fits[-1]


class Rung(NamedTuple):
    """A rung of the ladder: a level, perhaps with odds.

    odds: how many stones more are in the user's kalah, with four stones a pit, as in
    ODDS6.POS and ODDS12.POS.
    """

    level: str
    odds: int = 0


LADDER = (
    Rung("L"),
    Rung("C", 12),
    Rung("C", 6),
    Rung("C"),
    Rung("B"),
    Rung("A"),
    Rung("MASTER"),
    Rung("TOURNAMENT"),
)
