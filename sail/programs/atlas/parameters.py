"""The fourth mechanism: parameters, kalahs nearly as good as a win (BELL-IV.4).

They are not sound: the machine may claim a win by them, and lose.
"""

from __future__ import annotations

from collections.abc import Mapping

SHARE = 0.9  # of the positions that must have been won
FIRST = 10  # the least Mk of the table
FEWEST = 10  # positions, since with fewer nine tenths say nothing
FIG_6 = {
    19: 18, 18: 18, 17: 9, 16: 4, 15: 2, 14: 2, 13: 1, 12: 1, 11: 0, 10: 0,
}  # fmt: skip


class Parameters:
    """How often games were won from given kalahs.

    counts[mk, pk] are the positions of won and of lost games; a draw counts
    as won, which is the error of Bell's program.
    """

    def __init__(self) -> None:
        self.counts: dict[tuple[int, int], tuple[int, int]] = {}
        self._limits: Mapping[int, int] | None = None

    def count(self, mk: int, pk: int, won: bool) -> None:
        """Nothing; a position of a finished game is counted."""
        wins, losses = self.counts.get((mk, pk), (0, 0))
        self.counts[mk, pk] = (wins + won, losses + (not won))
        self._limits = None

    @property
    def limits(self) -> Mapping[int, int]:
        """The parameters: for a kalah of the machine the greatest of the player.

        Of the recorded positions with that Mk and at most that Pk, FEWEST or
        more, a SHARE was won.  Without such a Pk the Mk is left out.
        """
        if self._limits is None:
            self._limits = self._calculated()
        return self._limits

    def _calculated(self) -> Mapping[int, int]:
        sums: dict[int, tuple[int, int]] = {}
        limits: dict[int, int] = {}
        for (mk, pk), (won, lost) in sorted(self.counts.items()):
            wins, losses = sums.get(mk, (0, 0))
            wins, losses = sums[mk] = wins + won, losses + lost
            if mk < FIRST:
                continue
            if wins + losses >= FEWEST and wins >= SHARE * (wins + losses):
                limits[mk] = pk
        return limits

    def claims(self, mk: int, pk: int) -> bool:
        """Whether kalahs like these count as won."""
        return pk <= self.limits.get(mk, -1)
