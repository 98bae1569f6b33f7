"""The fourth mechanism: parameters (BELL-IV.4).

Kalahs from which games were nearly always won are as good as a win, for the
player as well as the machine.  This is not sound: the machine may claim a win
and lose.
"""

from __future__ import annotations

from collections.abc import Mapping

SHARE = 0.9  # the least share of the positions that must have been won
FIRST = 10  # the lowest Mk in the table
FEWEST = 10  # the fewest positions that prove anything
FIG_6 = {
    19: 18, 18: 18, 17: 9, 16: 4, 15: 2, 14: 2, 13: 1, 12: 1, 11: 0, 10: 0,
}  # fmt: skip


class Parameters:
    """The results of games, by the kalahs that occurred in them.

    counts[mk, pk]: the number of positions in won and in lost games.  A draw
    counts as won, an error of Bell's program that is kept here.
    """

    def __init__(self) -> None:
        self.counts: dict[tuple[int, int], tuple[int, int]] = {}
        self._limits: dict[int, int] | None = None

    def count(self, mk: int, pk: int, won: bool) -> None:
        """Count a position with these kalahs in a game that was won or lost."""
        wins, losses = self.counts.get((mk, pk), (0, 0))
        self.counts[mk, pk] = (wins + won, losses + (not won))
        self._limits = None

    @property
    def limits(self) -> Mapping[int, int]:
        """Return the parameters: the greatest Pk at which each Mk is as good as a win.

        At least FEWEST positions with this Mk and at most this Pk were counted,
        and at least SHARE of them were won.  An Mk with no limit is omitted.
        """
        if self._limits is not None:
            return self._limits
        sums: dict[int, tuple[int, int]] = {}
        self._limits = limits = {}
        for (mk, pk), (won, lost) in sorted(self.counts.items()):
            wins, losses = sums.get(mk, (0, 0))
            wins, losses = sums[mk] = wins + won, losses + lost
            enough = mk >= FIRST and wins + losses >= FEWEST
            if enough and wins >= SHARE * (wins + losses):
                limits[mk] = pk
        return limits

    def claims(self, mk: int, pk: int) -> bool:
        """Return whether two kalahs are as good as a win for the owner of the first."""
        return pk <= self.limits.get(mk, -1)
