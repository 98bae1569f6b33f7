"""The third mechanism, first half: the memory (BELL-IV.3).

It has a part for each of the ten replies to the opening P2, and one for all
other games.  What is learnt comes as facts, so that it can be learnt again
by the memory of another session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, Optional, Union

from sail.board import MOST_PITS
from sail.engine.moves import bits_for
from sail.programs.atlas.parameters import Parameters

Pits = tuple[Optional[int], ...]

STONES = 36  # of the games that are remembered
HALF = STONES // 2
BITS = bits_for(STONES)
WIDTH = BITS * MOST_PITS
MASK = (1 << BITS) - 1
MOST_ENTRIES = 1280  # in a part (BELL-TAPE)
REPLIES = (
    "M1", "M2", "M3-M1", "M3-M2", "M3-M4", "M3-M5", "M3-M6", "M4", "M5", "M6",
)  # fmt: skip
OTHER = "OTHER"
PARTS = (*REPLIES, OTHER)
WON, LOST, DRAWN = "WON", "LOST", "DRAWN"
AGAIN = "AGAIN"  # lost from a first position that was known to be lost


class Entry(NamedTuple):
    """A position with a definite outcome.

    won: the machine, to move, surely wins; otherwise the player is to move
    and the machine surely loses.  m[pit - 1] and p[pit - 1] are the stones
    of machine and player, None for an x.  With x's the kalah is the least
    that the machine must have, and what is left in p the least of that pit.
    """

    won: bool
    kalah: int
    m: Pits
    p: Pits

    @property
    def compressed(self) -> bool:
        """Whether it has x's."""
        return None in self.p

    @property
    def player_kalah(self) -> str:
        """The player's kalah, an X where there are x's."""
        if self.compressed:
            return "X"
        return str(STONES - self.kalah - sum(n or 0 for n in (*self.m, *self.p)))

    def __str__(self) -> str:
        """The entry as it stands on the tape: kalah, M1 to M6, P1 to P6."""
        plus = "+" if self.compressed else ""
        pits = [
            " ".join("X" if n is None else f"{n}{mark}" for n in row)
            for row, mark in ((self.m, ""), (self.p, plus))
        ]
        return f"{'W' if self.won else 'L'} {self.kalah}{plus}  {'  '.join(pits)}"


class Known(NamedTuple):
    """A fact: that entry belongs to that part."""

    part: str
    entry: Entry


class Played(NamedTuple):
    """A fact: a game that was WON, LOST or DRAWN.

    kalahs: Mk and Pk after each turn of the machine.  again: whether it
    began at a position that was known to be lost.
    """

    result: str
    kalahs: tuple[tuple[int, int], ...]
    again: bool


Fact = Union[Known, Played]


class Part:
    """What is known of one reply."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: dict[Entry, None] = {}
        self._winners: set[int] = set()
        self._losers: set[int] = set()
        self._shapes: dict[tuple[int, int], dict[int, list[tuple[int, int]]]] = {}
        for entry in entries:
            self.add(entry)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def full(self) -> bool:
        """Whether there is room for no more."""
        return len(self.entries) >= MOST_ENTRIES

    @property
    def winners(self) -> int:
        """The number of positions known to be won."""
        return sum(entry.won for entry in self.entries)

    def add(self, entry: Entry) -> bool:
        """Whether the entry is in the memory now; a full one takes no more."""
        if entry in self.entries:
            return True
        if self.full:
            return False
        self.entries[entry] = None
        if not entry.compressed:
            known = self._winners if entry.won else self._losers
            known.add(key(pack(entry.m), pack(entry.p), entry.kalah))
        else:
            mask = sum(
                MASK << pit * BITS for pit, n in enumerate(entry.m) if n is not None
            )
            captured = [(pit, n) for pit, n in enumerate(entry.p) if n is not None]
            pit, least = captured[0] if captured else (0, 0)
            shape = self._shapes.setdefault((mask, pit * BITS), {})
            shape.setdefault(pack(entry.m), []).append((entry.kalah, least))
        return True

    def forget(self, entry: Entry) -> None:
        """Nothing; a whole entry is no more in the memory."""
        del self.entries[entry]
        known = self._winners if entry.won else self._losers
        known.discard(key(pack(entry.m), pack(entry.p), entry.kalah))

    def is_loser(self, m: int, p: int, mk: int) -> bool:
        """Whether the machine is known to lose there, the player to move."""
        return key(m, p, mk) in self._losers

    def is_winner(self, m: int, p: int, mk: int) -> bool:
        """Whether the machine is known to win there, itself to move."""
        if key(m, p, mk) in self._winners:
            return True
        for (mask, shift), shape in self._shapes.items():
            for kalah, least in shape.get(m & mask, ()):
                if mk >= kalah and p >> shift & MASK >= least:
                    return True
        return False


class Memory:
    """All that the machine has learnt.

    news: the facts since the memory was last written on the tape.
    """

    def __init__(self) -> None:
        self.parts = {name: Part() for name in PARTS}
        self.parameters = Parameters()
        self.games: Counter[str] = Counter()
        self.news: list[Fact] = []

    def __len__(self) -> int:
        return sum(map(len, self.parts.values()))

    def learn(self, fact: Fact) -> bool:
        """Whether there was room for the fact."""
        if isinstance(fact, Known):
            if not self.parts[fact.part].add(fact.entry):
                return False
        else:
            self.games[fact.result] += 1
            self.games[AGAIN] += fact.again
            for kalahs in fact.kalahs:
                self.parameters.count(*kalahs, fact.result != LOST)
        self.news.append(fact)
        return True


def key(m: int, p: int, mk: int) -> int:
    """One int for two packed rows and a kalah."""
    return (m << WIDTH | p) << BITS | mk


def pack(pits: Pits) -> int:
    """The packed row; an x has no stones."""
    packed = 0
    for count in reversed(pits):
        packed = packed << BITS | (count or 0)
    return packed
