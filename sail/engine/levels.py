"""The levels of play: what each may use for a move (AKC-10300); how far searches err.

A, MASTER and TOURNAMENT think for as long as the manual says, about 3, 6 and 15
seconds; their limits are a little shorter, to leave time for the work after a
search.  C and B answer at once, and are weaker because they see less; their time
limits matter only on slow machines.  The levels with `blunders` are ours.  L, F, E and
D are for learners: L sees only its own turn, the others see what C sees.  CITY, between
C and B, sees what B sees.

C sees its turn, the answer and its next turn, with the captures and repeat moves
of both sides, but it plans no further.  B searches three or four turns of each side:
it prepares repeat moves and captures, and sees those that the opponent prepares.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

Errors = tuple[tuple[float, int], ...]  # up to how many stones in play, and the error
# The 90th-percentile errors of a search's estimates, in stones, from how much effort
# on.  Seconds would not do: on a busy machine a search examines little in its time.
# Measured in November 2026 on the 240 positions of tests/labelled.txt
# (tests/bench/strength.py) and, for C and B, on 405 positions with 8 to 36 stones from
# games of the search against itself and 286 from games of simulated learners.  Each
# number is the largest that these sets give, or one and a half times their root mean
# square if that is larger, rounded up to an even number, as values differ by twos, and
# 2 at least.  With more than 42 stones in play few exact values are known, so a large
# error is assumed.  One is known: the start with 4 stones a pit is +8, where A finds
# +9 or +10.
B_EFFORT = 12_000
ERRORS_BY_EFFORT: tuple[tuple[int, Errors], ...] = (
    (400_000, ((42, 2), (inf, 8))),  # A, and those above it, which err less
    (B_EFFORT, ((20, 2), (24, 4), (42, 6), (inf, 8))),  # B
    (0, ((16, 6), (inf, 8))),  # C
)


def error_at(in_play: int, errors: Errors) -> int:
    """Return the error with so many stones in play."""
    return next(error for most, error in errors if in_play <= most)


def error_of(effort: float, in_play: int) -> int:
    """Return the 90th-percentile error of a search's estimate, in stones."""
    errors = next(errors for least, errors in ERRORS_BY_EFFORT if effort >= least)
    return error_at(in_play, errors)


class Limit(NamedTuple):
    """The limits of a search; it ends at the first one reached, or at a proof.

    depth: plies, at least 1.  effort: positions whose moves are generated.
    endgame_stones: the most in play of an endgame database; 14 take about two seconds.
    """

    seconds: float = inf
    depth: int | None = None
    effort: float = inf
    endgame_stones: int = 0


class Level(NamedTuple):
    """A level, with all facts about it that the programs and benches use.

    name: as it is typed.  limit: of its search.  blunders: the share of its moves that
    are replaced by random ones.
    """

    name: str
    limit: Limit
    blunders: float = 0.0

    @property
    def ties_by_chance(self) -> bool:
        """Whether chance decides between equal moves: not where time is the limit."""
        return bool(self.limit.depth) or self.limit.effort < inf

    @property
    def referee(self) -> Level:
        """The level that decides on draws and claims for this one, and advises."""
        return LEVELS["B"] if self.ties_by_chance else self


C_LIMIT = Limit(seconds=0.08, depth=3)
B_LIMIT = Limit(seconds=0.25, effort=B_EFFORT)
# The shares of blunders are set by tests/bench/ladder.py: from each level to the next
# the simulated players should win two fifths as often or more, while they win 10 games
# in 100.
LEVELS = {  # the ladder, from weakest to strongest; games on file name them
    level.name: level
    for level in (
        Level("L", Limit(depth=1), blunders=0.5),
        Level("F", C_LIMIT, blunders=0.28),
        Level("E", C_LIMIT, blunders=0.16),
        Level("D", C_LIMIT, blunders=0.07),
        Level("C", C_LIMIT),
        Level("CITY", B_LIMIT, blunders=0.03),
        Level("B", B_LIMIT),
        Level("A", Limit(seconds=2.8, endgame_stones=10)),
        Level("MASTER", Limit(seconds=5.8, endgame_stones=12)),
        Level("TOURNAMENT", Limit(seconds=14.75, endgame_stones=14)),
    )
}
EASIEST = LEVELS["L"]  # recommended to beginners
DEFAULT_LEVEL = LEVELS["A"]  # an empty line means it (AKC-10300)
STRONGEST = LEVELS["TOURNAMENT"]
