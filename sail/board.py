"""The board: positions, sowing, capture, end and score.

Players 0 and 1 each have m pits and a kalah.  In KALAH player 0 is A, on
top, who moves first, and player 1 is B, below.  Pits are numbered as they are
typed: 1 to m, counted away from their owner's kalah.  Sowing runs down the
mover's pits to 1, into his kalah, down the opponent's pits from m to 1, and
round again; it skips the opponent's kalah.
"""

from __future__ import annotations

from typing import NamedTuple

PLAYERS = ("A", "B")
MOST_PITS = 6
MOST_OPENING = 6  # stones in each pit of an opening
MOST_STONES = 144  # of a position that is typed or on file
MOST_IN_ALL_PITS = MOST_STONES // (2 * MOST_PITS)  # if all pits hold the same

Row = tuple[int, ...]
Pits = tuple[int, ...]  # the numbers of pits; of moves, in their order


class IllegalMove(ValueError):
    """The pit cannot be played: it is empty, or there is none, or the game is over."""


class Rules(NamedTuple):
    """The rules about which the sources disagree.

    captures_empty: a last stone that falls into an empty pit of the mover
    goes to his kalah even when the pit opposite is empty (ISK-RULES).  If
    False, it then stays in its pit (AKC-02100, APN-3C, BELL-II).
    majority_ends: the game ends when a kalah holds more than half of all
    stones (AKC-05000).
    """

    captures_empty: bool
    majority_ends: bool

    @property
    def without_majority(self) -> Rules:
        """These rules for a game that no majority ends."""
        return self._replace(majority_ends=False)


KALAH_RULES = Rules(captures_empty=False, majority_ends=True)
STANDARD_RULES = Rules(captures_empty=False, majority_ends=False)
ISK_RULES = Rules(captures_empty=True, majority_ends=False)


class Sown(NamedTuple):
    """What a move does: the position after it, and what it captures.

    captured: the stones of the other player, 0 if none; the last stone, which goes with
    them, does not count.  captured_pit: where they lay, 0 if none.
    """

    after: Position
    captured: int
    captured_pit: int


class Position(NamedTuple):
    """A board and the player to move; immutable."""

    rows: tuple[Row, Row]  # rows[player][pit - 1] is a number of stones
    kalahs: tuple[int, int] = (0, 0)
    mover: int = 0
    rules: Rules = KALAH_RULES

    @property
    def pits_a_side(self) -> int:
        """The number of pits on each side."""
        return len(self.rows[0])

    @property
    def in_play(self) -> int:
        """The number of stones in the pits of both players."""
        return sum(self.rows[0]) + sum(self.rows[1])

    @property
    def stones(self) -> int:
        """The number of stones in pits and kalahs."""
        return self.in_play + sum(self.kalahs)

    @property
    def over(self) -> bool:
        """Whether the game has ended (AKC-05000).

        It ends when a row has no stones, whoever is to move.  With `majority_ends`
        it also ends when a kalah holds more than half of all stones.
        """
        return (
            not any(self.rows[0])
            or not any(self.rows[1])
            or (self.rules.majority_ends and self.has_majority)
        )

    @property
    def has_majority(self) -> bool:
        """Whether a kalah holds more than half of all stones."""
        return 2 * max(self.kalahs) > self.stones

    @property
    def ended_by_majority(self) -> bool:
        """Whether the game has ended with stones in both rows."""
        return self.over and all(map(any, self.rows))

    @property
    def without_majority(self) -> Position:
        """This position in a game that no majority ends."""
        return self._replace(rules=self.rules.without_majority)

    @property
    def is_opening(self) -> bool:
        """Whether A begins with 1 to MOST_OPENING stones in each of 6 pits a side."""
        by_kalah = self._replace(rules=KALAH_RULES)
        return any(by_kalah == opening(stones) for stones in range(1, MOST_OPENING + 1))

    @property
    def score(self) -> tuple[int, int]:
        """The number of stones that count for each player.

        Once a player has no stones in his pits, the other player keeps the
        stones in his own pits (AKC-05000).  Until then, and when a majority
        ends the game, only the kalahs count.
        """
        first, second = self.rows
        if any(first) and any(second):
            return self.kalahs
        return self.kalahs[0] + sum(first), self.kalahs[1] + sum(second)

    @property
    def lead(self) -> int:
        """The mover's score less the other player's."""
        score = self.score
        return score[self.mover] - score[1 - self.mover]

    @property
    def legal(self) -> Pits:
        """The pits that the mover can play, in ascending order; empty at the end."""
        if self.over:
            return ()
        return tuple(pit for pit, count in enumerate(self.rows[self.mover], 1) if count)

    def play(self, pit: int) -> Position:
        """Return the position after the mover plays `pit`.  Raises IllegalMove."""
        return self.sow(pit).after

    def sow(self, pit: int) -> Sown:
        """Return what playing `pit` does (AKC-01500, AKC-02100).

        The mover stays the same when the last stone falls into his kalah
        (AKC-02000), even if that ends the game.  A long sowing does not skip
        the pit that it started from (ISK-RULES).  At the end of the game the
        stones stay in their pits; `score` counts them.

        Raises IllegalMove.
        """
        m = self.pits_a_side
        own, other = self.rows[self.mover], self.rows[1 - self.mover]
        if not 1 <= pit <= m or not own[pit - 1] or self.over:
            raise IllegalMove(pit)
        holes = [*own[::-1], 0, *other[::-1]]  # in the order of sowing
        last = m - pit
        stones, holes[last] = holes[last], 0
        for _ in range(stones):
            last = (last + 1) % len(holes)
            holes[last] += 1
        opposite = 2 * m - last
        taken = 0
        if last < m and holes[last] == 1:
            taken = holes[opposite]
            if taken or self.rules.captures_empty:
                holes[m] += 1 + taken
                holes[last] = holes[opposite] = 0
        mine, yours = tuple(holes[m - 1 :: -1]), tuple(holes[:m:-1])
        a, b = self.kalahs
        after = Position(
            rows=(yours, mine) if self.mover else (mine, yours),
            kalahs=(a, b + holes[m]) if self.mover else (a + holes[m], b),
            mover=self.mover if last == m else 1 - self.mover,
            rules=self.rules,
        )
        return Sown(after, taken, last + 1 if taken else 0)


def opening(stones: int, pits: int = MOST_PITS, rules: Rules = KALAH_RULES) -> Position:
    """Return the opening position: `stones` in each pit, player 0 to move."""
    row = (stones,) * pits
    return Position((row, row), rules=rules)
