"""The third mechanism, the memory, and the fourth, parameters (BELL-IV.3, BELL-IV.4).

It has a table for each of the ten replies to the opening P2, and one for all other
games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sail.board import MOST_PITS
from sail.programs.atlas.turns import MACHINE, MOVES, Node, stones_in

# Values beyond any difference of kalahs, good for the machine if positive.
WIN = 1000  # the machine has won, or knows how to
PSEUDO_WIN = 999  # as good as won by the parameters (Bell's Fig. 6)
PSEUDO_LOSS = -999  # as good as lost by the parameters
LOSS = -1000
UNKNOWN = 0  # nothing is known
KINDS = {WIN: "W", PSEUDO_WIN: "PW", LOSS: "L", PSEUDO_LOSS: "PL"}  # of records

ALL_STONES = 36  # the number in each game that is remembered
HALF_STONES = ALL_STONES // 2
MOST_RECORDS = 1280  # the most records in a table (BELL-TAPE)
MOST_FORGOTTEN = 160  # the most records dropped when a table is full
REPLIES = (
    "M1", "M2", "M3-M1", "M3-M2", "M3-M4", "M3-M5", "M3-M6", "M4", "M5", "M6",
)  # fmt: skip
OTHER = "OTHER"
RESULTS = WON, LOST, DRAWN = "WON", "LOST", "DRAWN"
ANY = "X"  # any number of stones in a pit
LEAST_SHARE = 0.9  # the least share of the positions that must have been won
LEAST_MK = 10  # the lowest Mk among the parameters
FEWEST_POSITIONS = 10  # the fewest positions that make a parameter
FIG_6 = {
    19: 18, 18: 18, 17: 9, 16: 4, 15: 2, 14: 2, 13: 1, 12: 1, 11: 0, 10: 0,
}  # fmt: skip

Cells = Sequence[object]
Key = tuple[int, ...]


class Record(NamedTuple):
    """A position that the machine knows, or a characteristic: what a turn needs of it.

    value: WIN or PSEUDO_WIN if the machine is to move, else LOSS or PSEUDO_LOSS.
    m, p: packed rows.  mk: the stones in the machine's kalah.

    pits_kept: of a characteristic, how many of M1 to M6 count; 0 for a whole position.
    captured_pit: the player's pit that must hold at least what it holds in p, 0 if none
    must.  Other pits may hold any number of stones, and the kalah more (BELL-CHAR).
    """

    value: int
    m: int
    p: int
    mk: int
    pits_kept: int = 0
    captured_pit: int = 0

    @property
    def won(self) -> bool:
        return self.value > 0

    @property
    def key(self) -> Key:
        """What tells the record from others in its table."""
        return self.won, *self[1:]

    @property
    def rows(self) -> tuple[Cells, Cells]:
        """The pits of machine and player from 1 up, as they are typed."""
        own, other = MOVES.unpack(self.m), MOVES.unpack(self.p)
        if not self.pits_kept:
            return own, other
        pits = enumerate(other, 1)
        must = [f"{n}+" if pit == self.captured_pit else ANY for pit, n in pits]
        return [*own[: self.pits_kept], *ANY * (MOST_PITS - self.pits_kept)], must

    @property
    def kalahs(self) -> tuple[object, object]:
        """The kalahs of machine and player, as they are typed."""
        if self.pits_kept:
            return f"{self.mk}+", ANY
        return self.mk, ALL_STONES - self.mk - stones_in(self.m) - stones_in(self.p)


class Parameters:
    """The fourth mechanism: kalahs as good as a win for their owner (BELL-IV.4).

    Games were nearly always won from them.  That is not sound: the machine may claim a
    win and lose.  counts[mk, pk]: the number of positions in won and in lost games.  A
    draw counts as won, an error of Bell's program that is kept here.  on: whether
    outcomes that rest on parameters count.
    """

    def __init__(self) -> None:
        self.on = True
        self.counts: dict[tuple[int, int], tuple[int, int]] = {}
        self._pairs: dict[int, int] | None = None

    def count(self, mk: int, pk: int, won: bool) -> None:
        """Count a position with these kalahs in a game that was won or lost."""
        wins, losses = self.counts.get((mk, pk), (0, 0))
        self.counts[mk, pk] = (wins + 1, losses) if won else (wins, losses + 1)
        self._pairs = None

    @property
    def pairs(self) -> Mapping[int, int]:
        """The parameters: by Mk, the greatest Pk at which it is as good as a win.

        At least FEWEST_POSITIONS with this Mk and at most this Pk were counted,
        and at least LEAST_SHARE of them were won.  An Mk without such a Pk is omitted.
        """
        if self._pairs is not None:
            return self._pairs
        sums: dict[int, tuple[int, int]] = {}
        self._pairs = pairs = {}
        for (mk, pk), (won, lost) in sorted(self.counts.items()):
            wins, losses = sums.get(mk, (0, 0))
            wins, losses = sums[mk] = wins + won, losses + lost
            enough = mk >= LEAST_MK and wins + losses >= FEWEST_POSITIONS
            if enough and wins >= LEAST_SHARE * (wins + losses):
                pairs[mk] = pk
        return pairs

    def claims(self, mk: int, pk: int) -> bool:
        """Return whether two kalahs are as good as a win for the owner of the first."""
        return self.on and pk <= self.pairs.get(mk, -1)


class Table:
    """The table of the memory for one reply, or for all other games.

    records: by key, the last one last.  full: whether a record has
    found no room until others were forgotten.
    """

    def __init__(self, name: str, parameters: Parameters) -> None:
        self.name = name
        self.parameters = parameters
        self.records: dict[Key, Record] = {}
        self.full = False
        # The characteristics.  The first key has the kept pits, as bits of the
        # machine's row, and the shift of the captured pit in the other row.  The second
        # key is the kept pits, packed.  A value is the least in the kalah and in the
        # captured pit.
        self._shapes: dict[tuple[int, int], dict[int, list[tuple[int, int]]]] = {}

    def __len__(self) -> int:
        return len(self.records)

    @property
    def winners(self) -> int:
        """The number of records that the machine wins."""
        return sum(record.won for record in self.records.values())

    def add(self, record: Record) -> None:
        """Add the record; in a full table, only if `_make_room` can.

        A sure record replaces one that rests on parameters, never the reverse.
        """
        old = self.records.get(record.key)
        if old and abs(old.value) >= abs(record.value):
            return
        self.records.pop(record.key, None)
        if len(self) >= MOST_RECORDS:
            self.full = True
            self._make_room()
        if len(self) >= MOST_RECORDS:
            return
        self.records[record.key] = record
        if record.pits_kept:
            mask = (1 << MOVES.bits * record.pits_kept) - 1
            shift = max(0, record.captured_pit - 1) * MOVES.bits
            shape = self._shapes.setdefault((mask, shift), {})
            shape.setdefault(record.m, []).append((record.mk, record.p >> shift))

    def _make_room(self) -> None:
        """Forget the lost positions with the fewest stones in play.

        Games seldom reach them, and they are soon learned again.  Characteristics
        stay, because each covers many positions.  Bell does not say what a full table
        does.
        """
        losers = [record for record in self.records.values() if not record.won]
        losers.sort(key=lambda record: stones_in(record.m) + stones_in(record.p))
        for record in losers[:MOST_FORGOTTEN]:
            del self.records[record.key]

    def value_of(self, node: Node) -> int:
        """Return a position's value, as in a Record, or UNKNOWN."""
        won = node.mover == MACHINE
        record = self.records.get((won, node.m, node.p, node.mk, 0, 0))
        value = record.value if record else UNKNOWN
        if won and value != WIN and self._fits(node):
            return WIN
        return value if abs(value) == WIN or self.parameters.on else UNKNOWN

    def _fits(self, node: Node) -> bool:
        """Return whether the machine, to move, wins by a characteristic."""
        for (mask, shift), shape in self._shapes.items():
            for least, capture in shape.get(node.m & mask, ()):
                if node.mk >= least and node.p >> shift & MOVES.mask >= capture:
                    return True
        return False


class Memory:
    """All that the machine knows.

    compresses: whether it keeps of a win in one turn only its characteristic.  games:
    their number, by their result.  hopeless_games: how many lost games had only losing
    first turns, as is now known; it picks a turn when every turn loses (Learner.pick).
    """

    def __init__(self) -> None:
        self.compresses = True
        self.parameters = Parameters()
        self.tables = {name: Table(name, self.parameters) for name in (*REPLIES, OTHER)}
        self.games: Counter[str] = Counter()
        self.hopeless_games = 0

    def __len__(self) -> int:
        return sum(map(len, self.tables.values()))

    def count(self, result: str, kalahs: Iterable[tuple[int, int]]) -> None:
        """Count a game that was WON, LOST or DRAWN.

        kalahs: Mk and Pk after each turn of the machine.
        """
        self.games[result] += 1
        for mk, pk in kalahs:
            self.parameters.count(mk, pk, result != LOST)
