"""The value of a position: what is proved of it, what is likely, and the error."""

from __future__ import annotations

from typing import NamedTuple


class Value(NamedTuple):
    """A's stones less B's at the end under perfect play; `turned` gives a player's.

    low, high: proved bounds, both inclusive.  likely: the value, or an estimate.
    error: the 90th-percentile error of such an estimate; 0 for a proved value.
    least, most: the bounds, or what is left of the estimate after its error.
    """

    low: int
    high: int
    likely: int
    error: float = 0

    @property
    def proved(self) -> bool:
        return self.low == self.high

    @property
    def least(self) -> float:
        return max(self.low, self.likely - self.error)

    @property
    def most(self) -> float:
        return min(self.high, self.likely + self.error)

    @property
    def outcome(self) -> int | None:
        """Return 1 if A wins, -1 if B wins, 0 for a draw, None if that is not known.

        A draw must be proved; a win must be proved or exceed the error.
        """
        known = self.proved or self.least > 0 or self.most < 0
        return sign(self.likely) if known else None

    @property
    def outcome_is_proved(self) -> bool:
        """Return whether it is certain who wins, or that it is a draw."""
        return sign(self.low) == sign(self.high)

    def turned(self, player: int) -> Value:
        """Convert A's value to this player's, or back: for B (1), reverse its sign."""
        low, high, likely, error = self
        return Value(-high, -low, -likely, error) if player else self


class Expected(NamedTuple):
    """A value, and the play that brings it; () if none is known."""

    value: Value
    play: tuple[int, ...] = ()


def sign(number: int) -> int:
    return (number > 0) - (number < 0)
