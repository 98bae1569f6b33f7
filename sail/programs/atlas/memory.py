"""The third mechanism: the memory (BELL-IV.3).

It has a part for each of the ten replies to the opening P2, and one for all
other games.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, Optional, Union

from sail.board import MOST_PITS
from sail.engine.moves import bits_for
from sail.programs.atlas.minimax import CLAIM, FEAR, LOSS, UNKNOWN, WIN
from sail.programs.atlas.parameters import Parameters

Pits = tuple[Optional[int], ...]

ALL_STONES = 36  # the number in each game that is remembered
HALF = ALL_STONES // 2
BITS = bits_for(ALL_STONES)
WIDTH = BITS * MOST_PITS
MASK = (1 << BITS) - 1
MOST_ENTRIES = 1280  # the most entries in a part (BELL-TAPE)
REPLIES = (
    "M1", "M2", "M3-M1", "M3-M2", "M3-M4", "M3-M5", "M3-M6", "M4", "M5", "M6",
)  # fmt: skip
OTHER = "OTHER"
PARTS = (*REPLIES, OTHER)
WON, LOST, DRAWN = "WON", "LOST", "DRAWN"
PICKS = "AGAIN"  # the number that picks a turn when every turn loses (AtlasGame.pick)
COUNTED = (WON, LOST, DRAWN, PICKS)  # in the order of the tape


class Entry(NamedTuple):
    """A position with a definite outcome.

    won: whether the machine is to move and wins; if not, the player is to move
    and the machine loses.  m[pit - 1] and p[pit - 1] are the stones of machine
    and player, None for an x: any number.  kalah: the machine's.  In an entry with
    x's, kalah is instead the least that the winner's kalah must hold, and the number
    for a pit of the loser is the least that this pit must hold.  pseudo: whether the
    outcome rests on parameters.
    """

    won: bool
    kalah: int
    m: Pits
    p: Pits
    pseudo: bool = False

    @property
    def compressed(self) -> bool:
        """Return whether the entry has x's."""
        return None in (*self.m, *self.p)

    @property
    def rest(self) -> int:
        """Return the stones not in the entry: without x's, the player's kalah."""
        return ALL_STONES - self.kalah - sum(n or 0 for n in (*self.m, *self.p))

    @property
    def kalahs(self) -> tuple[str, str]:
        """Return machine's and player's kalah; with x's, only the winner's minimum."""
        if not self.compressed:
            return str(self.kalah), str(self.rest)
        least = f"{self.kalah}+"
        return (least, "X") if self.won else ("X", least)

    @property
    def rows(self) -> tuple[list[str], list[str]]:
        """Return the pits of machine and player, from 1 up; + means "or more"."""
        plus = "+" if self.compressed else ""
        rows = (self.m, "" if self.won else plus), (self.p, plus if self.won else "")
        m, p = (["X" if n is None else f"{n}{mark}" for n in row] for row, mark in rows)
        return m, p

    def __str__(self) -> str:
        """Return the entry as written on the tape: kalah, M1 to M6, P1 to P6."""
        kind = ("P" if self.pseudo else "") + ("W" if self.won else "L")
        plus = "+" if self.compressed else ""
        return "  ".join([f"{kind} {self.kalah}{plus}", *map(" ".join, self.rows)])


class Known(NamedTuple):
    """The fact that an entry belongs to a part."""

    part: str
    entry: Entry


class Played(NamedTuple):
    """The fact that a game was WON, LOST or DRAWN."""

    result: str
    kalahs: tuple[tuple[int, int], ...]  # Mk and Pk after each turn of the machine
    picks: int = 0  # see AtlasGame.new_picks


Fact = Union[Known, Played]


class Shape(NamedTuple):
    """The pits kept in an entry with x's.  mask: the winner's, as bits of his row."""

    mask: int
    shift: int  # of the captured pit in the loser's row


class Least(NamedTuple):
    """The least stones that an entry with x's asks for."""

    kalah: int  # the winner's
    captured: int


# The entries with x's that one side wins: by shape, then by the winner's kept pits.
Shapes = dict[Shape, dict[int, list[Least]]]


class Part:
    """The part of the memory for one reply."""

    def __init__(self) -> None:
        self.entries: dict[Entry, None] = {}
        self._winners: dict[int, int] = {}
        self._losers: dict[int, int] = {}
        self._wins: Shapes = {}
        self._threats: Shapes = {}

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def winners(self) -> int:
        """Return the number of positions known to be won."""
        return sum(entry.won for entry in self.entries)

    def add(self, entry: Entry) -> bool:
        """Add the entry; return False if there is no room for it.

        A sure entry replaces one that rests on parameters, never the reverse.
        """
        if entry in self.entries or entry._replace(pseudo=False) in self.entries:
            return True
        self.forget(entry._replace(pseudo=True))
        if len(self.entries) >= MOST_ENTRIES:
            return False
        self.entries[entry] = None
        if not entry.compressed:
            outcomes, place, outcome = self._whole(entry)
            outcomes[place] = outcome
            return True
        own, other, shapes = entry.m, entry.p, self._wins
        if not entry.won:
            own, other, shapes = entry.p, entry.m, self._threats
        mask = sum(MASK << pit * BITS for pit, n in enumerate(own) if n is not None)
        captured = ((pit, n) for pit, n in enumerate(other) if n is not None)
        pit, least = next(captured, (0, 0))
        shape = shapes.setdefault(Shape(mask, pit * BITS), {})
        shape.setdefault(pack(own), []).append(Least(entry.kalah, least))
        return True

    def forget(self, entry: Entry) -> None:
        """Drop an entry without x's, if the part has it."""
        if entry in self.entries and not entry.compressed:
            del self.entries[entry]
            outcomes, place, _ = self._whole(entry)
            del outcomes[place]

    def loser(self, m: int, p: int, mk: int) -> int:
        """Return what is known with the player to move: LOSS, FEAR or UNKNOWN."""
        known = self._losers.get(key(m, p, mk), UNKNOWN)
        if known == LOSS or not self._threats:
            return known
        pk = ALL_STONES - mk - stones_in(m) - stones_in(p)
        return LOSS if matches(self._threats, p, m, pk) else known

    def winner(self, m: int, p: int, mk: int) -> int:
        """Return what is known with the machine to move: WIN, CLAIM or UNKNOWN."""
        known = self._winners.get(key(m, p, mk), UNKNOWN)
        return WIN if known == WIN or matches(self._wins, m, p, mk) else known

    def _whole(self, entry: Entry) -> tuple[dict[int, int], int, int]:
        """Return the table of an entry without x's, its key and its outcome."""
        place = key(pack(entry.m), pack(entry.p), entry.kalah)
        if entry.won:
            return self._winners, place, CLAIM if entry.pseudo else WIN
        return self._losers, place, FEAR if entry.pseudo else LOSS


class Memory:
    """All that the machine knows.  news: the facts that are not yet on the tape."""

    def __init__(self) -> None:
        self.parts = {name: Part() for name in PARTS}
        self.parameters = Parameters()
        self.games: Counter[str] = Counter()
        self.news: list[Fact] = []

    def __len__(self) -> int:
        return sum(map(len, self.parts.values()))

    def learn(self, fact: Fact) -> bool:
        """Learn a fact; return False if there is no room for it."""
        if isinstance(fact, Known):
            if not self.parts[fact.part].add(fact.entry):
                return False
        else:
            self.games[fact.result] += 1
            self.games[PICKS] += fact.picks
            for kalahs in fact.kalahs:
                self.parameters.count(*kalahs, fact.result != LOST)
        self.news.append(fact)
        return True

    def unlearn_losers(self, since: int) -> None:
        """Drop the losers without x's that are in `news` from index `since` on."""
        kept = self.news[:since]
        for fact in self.news[since:]:
            if isinstance(fact, Played) or fact.entry.won or fact.entry.compressed:
                kept.append(fact)
            else:
                self.parts[fact.part].forget(fact.entry)
        self.news = kept


def result(difference: int) -> str:
    """Return how a game ended; a positive difference is good for the machine."""
    return WON if difference > 0 else LOST if difference else DRAWN


def matches(shapes: Shapes, own: int, other: int, kalah: int) -> bool:
    """Return whether the owner of the first row, to move, wins by one of the shapes."""
    for (mask, shift), shape in shapes.items():
        for least_kalah, least in shape.get(own & mask, ()):
            if kalah >= least_kalah and (other >> shift) & MASK >= least:
                return True
    return False


def key(m: int, p: int, mk: int) -> int:
    """Return a number that stands for the position, whoever is to move."""
    return (m << WIDTH | p) << BITS | mk


def pack(pits: Pits) -> int:
    """Return the packed row; an x counts as no stones."""
    packed = 0
    for count in reversed(pits):
        packed = packed << BITS | (count or 0)
    return packed


def stones_in(row: int) -> int:
    """Return the number of stones in a packed row.

    The row is a number to the base MASK + 1, so its digits add up to row % MASK: their
    sum is less than MASK.
    """
    return row % MASK
