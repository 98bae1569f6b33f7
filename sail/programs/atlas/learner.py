"""The machine as a learner: how it judges by its memory, and stores in it (BELL-IV.3)."""

from __future__ import annotations

from collections.abc import Callable

from sail.board import MOST_PITS, Position, start
from sail.programs.atlas.memory import (
    ALL_STONES,
    HALF,
    OTHER,
    Characteristic,
    Entry,
    Known,
    Memory,
)
from sail.programs.atlas.minimax import CLAIM, FEAR, Knowledge, MiniMax
from sail.programs.atlas.turns import MACHINE, PLAYER, Node, PackedTurn, Turns

MOST_FORGOTTEN = 160  # the most entries dropped when a part is full

# The position after P2, with which the player wins.
OPENING = start(3)._replace(mover=PLAYER).play(2)


class Learner:
    """A memory, the look-ahead, and the switches; each Course plays with them.

    stones: the number in each game.  learns: whether games are remembered, which
    those of 3 a pit are.  characteristics: whether new entries of wins in one turn
    are compressed.  parameters: whether outcomes that rest on parameters count.
    """

    def __init__(self, memory: Memory, stones: int = ALL_STONES) -> None:
        self.memory = memory
        self.learns = stones == ALL_STONES
        self.characteristics = True
        self.parameters = True
        self.turns = Turns(stones)
        self.minimax = MiniMax(self.turns)
        self.opening = self.turns.node(OPENING)

    def knowledge(self, node: Node, part: str) -> Callable[[PackedTurn], Knowledge]:
        """Return a function of a turn, which returns the knowledge to judge it by.

        part: that of this game; but after P2, each reply is judged by its own part.
        """

        def of(name: str) -> Knowledge:
            part, claims = self.memory.parts[name], self.memory.parameters.claims
            known = Knowledge(part.loser, part.winner, claims)
            return known if self.parameters else known.surely()

        if node == self.opening:
            return lambda turn: of(notation(turn.pits))
        here = of(part)
        return lambda _: here

    def lost(self, node: Node, part: str) -> dict[tuple[int, ...], int]:
        """Return the turns that count as lost, and for each LOSS or FEAR.

        part: see `knowledge`.
        """
        knows = self.knowledge(node, part)
        values = {
            turn.pits: self.minimax.value_after(node, turn, knows(turn))
            for turn in self.turns.of(node)
        }
        return {pits: value for pits, value in values.items() if value <= FEAR}

    def rejected(self) -> dict[str, int]:
        """Return the replies to P2 that count as lost, and for each LOSS or FEAR."""
        lost = self.lost(self.opening, OTHER)
        return {notation(pits): value for pits, value in lost.items()}


def notation(pits: tuple[int, ...]) -> str:
    """Return a turn of the machine in the form M3-M2."""
    return "-".join(f"M{pit}" for pit in pits)


class Recorder:
    """Stores what a game teaches in one part.  full: whether an entry found no room."""

    def __init__(self, learner: Learner, part: str) -> None:
        self.learner = learner
        self.turns = learner.turns
        self.name = part
        self.part = learner.memory.parts[part]
        self.full = False

    def add(self, node: Node, value: int) -> None:
        """Store a position, unless the part knows its value.

        With `characteristics` on, a win by a turn that brings the majority is
        compressed.

        value: WIN or CLAIM if the machine is to move and wins, LOSS or FEAR if the
        player is to move and wins.
        """
        m, p, mk, _ = node
        won = value > 0
        known = self.part.winner(m, p, mk) if won else self.part.loser(m, p, mk)
        if abs(known) >= abs(value):
            return
        if won and self.learner.characteristics:
            for turn in self.turns.of(node):
                if mk + turn.gain > HALF:
                    position = self.turns.position(node)
                    self.keep(characteristic(position, turn.pits))
                    return
        self.keep(Known(won, node, value in (CLAIM, FEAR)))

    def keep(self, entry: Entry) -> None:
        """Store an entry; if the part is full, make room for it, once a game."""
        if not self.part.add(entry) and not self.full:
            self.full = True
            self.forget()
            self.part.add(entry)

    def forget(self) -> None:
        """Forget the lost positions with the fewest stones in play.

        Games seldom reach them, and they are soon learned again.  Characteristics
        stay, because each covers many positions.  Bell does not say what a full part
        does.
        """
        losers = [
            entry
            for entry in self.part.entries.values()
            if isinstance(entry, Known) and not entry.won
        ]
        losers.sort(key=lambda entry: -entry.node.mk - entry.node.pk)
        for entry in losers[:MOST_FORGOTTEN]:
            del self.part.entries[entry.place]


def characteristic(position: Position, pits: tuple[int, ...]) -> Characteristic:
    """Return what the machine needs of a position for its crushing turn.

    pits: a turn that brings it more than half of the stones.  (Other wins are not
    compressed: they may depend on every pit.)

    Every pit of its row is kept from the kalah to the farthest pit that it plays or
    sows into, and the least that its kalah and a captured pit must hold.  BELL-CHAR.
    """
    before, farthest, captured = position, 0, 0
    for pit in pits:
        after = before.play(pit)
        goes_round = before.rows[MACHINE][pit - 1] > pit + MOST_PITS
        farthest = max(farthest, MOST_PITS if goes_round else pit)
        rows = zip(after.rows[PLAYER], before.rows[PLAYER])
        for number, (n, was) in enumerate(rows, 1):
            if n < was:
                captured = number
        before = after
        if after.kalahs[MACHINE] > HALF:
            break
    spare = before.kalahs[MACHINE] - HALF - 1
    own, other = position.rows
    least = max(0, position.kalahs[MACHINE] - spare)
    capture = other[captured - 1] if captured else 0
    return Characteristic(True, own[:farthest], least, captured, capture)
