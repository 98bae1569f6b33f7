"""What is found of a position: its value, proved or likely, and its variation.

The engine ignores the majority ending (AKC-05000): the winner stays the same, but the
margin may differ.  Inside `endgame`, `search` and `exact` a value leaves the kalahs
out: it counts the stones still to come to the mover, less those still to come to the
other player.  Captured stones never come back (ISK-DB), so one such value serves all
positions that differ only in their kalahs.
"""

from __future__ import annotations

from typing import NamedTuple

from sail.board import Pits

OUTCOMES = {1: "WIN", 0: "DRAW", -1: "LOSS"}  # in words
FAR = 1 << 20  # beyond any value, even if it is scaled by evaluation.UNIT


class Value(NamedTuple):
    """A player's stones at the end less the other's, under perfect play.

    The player is the mover, or made the turn in question, unless a name or a docstring
    says who else.

    low, high: the proved bounds.  likely: the value, or an estimate within them.
    error: the 90th-percentile error of the estimate, by the effort of its search; 0 if
    the value is proved, FAR if nobody knows it, or nothing is estimated.
    likely_low, likely_high: the bounds, or the estimate with its error, if closer.
    """

    low: int
    high: int
    likely: int
    error: int

    @property
    def proved(self) -> bool:
        return self.low == self.high

    @property
    def likely_low(self) -> int:
        return max(self.low, self.likely - self.error)

    @property
    def likely_high(self) -> int:
        return min(self.high, self.likely + self.error)

    @property
    def outcome(self) -> int | None:
        """1 for a win, -1 for a loss, 0 for a draw, None if that is not known.

        A draw must be proved; a win must be proved or exceed the error.
        """
        known = self.proved or self.likely_low > 0 or self.likely_high < 0
        return sign(self.likely) if known else None

    @property
    def outcome_is_proved(self) -> bool:
        """Whether it is certain who wins, or that it is a draw."""
        return sign(self.low) == sign(self.high)

    def negated_if(self, opponents: bool) -> Value:
        """Return this value, or if `opponents`, the opponent's."""
        negated = Value(-self.high, -self.low, -self.likely, self.error)
        return negated if opponents else self


class Finding(NamedTuple):
    """What is found of a position, or of a turn there.

    value: the mover's, before or after the turn.  variation: how best play begins, or
    the turn and best play after it.  A Search has its principal variation, which may
    end within a turn; `judge_position` and `quick_proof` of a Judge, and advice, have
    one turn, or the rest of one, and () if none is known.
    """

    value: Value
    variation: Pits = ()


def exactly(value: int) -> Value:
    return bounded(value, value)


def bounded(
    low: int = -FAR, high: int = FAR, estimate: int = 0, error: int = FAR
) -> Value:
    """Return a value with these proved bounds; an estimate is moved within them."""
    likely = max(low, min(high, estimate))
    return Value(low, high, likely, 0 if low == high else error)


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def of_parity(value: int, stones: int) -> int:
    """Return an estimate, rounded toward zero to a possible final difference.

    That is even if the number of stones is even, and odd if it is odd.  With an odd
    number of stones, 0 becomes 1.
    """
    wrong = (value - stones) % 2
    return value - wrong if value > 0 else value + wrong
