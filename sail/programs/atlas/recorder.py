"""Storing positions in a part of the memory, some of them compressed (BELL-IV.3)."""

from __future__ import annotations

from sail.board import MOST_PITS, Position
from sail.programs.atlas.learner import Learner
from sail.programs.atlas.memory import HALF, Characteristic, Entry, Known
from sail.programs.atlas.minimax import CLAIM, FEAR
from sail.programs.atlas.turns import MACHINE, PLAYER, Node

MOST_FORGOTTEN = 160  # the most entries dropped when a part is full


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
                    position = self.turns.position(node, MACHINE)
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
        """Forget some lost positions that come two turns after another one stored.

        The machine avoids the earlier one, so it reaches these positions only by
        other ways, if at all.  Those with the fewest stones in play go first,
        because they are soon learned again.  Characteristics stay, because each
        covers many positions.  Bell does not say what a full part does.
        """
        losers = {
            entry.node: entry.place
            for entry in self.part.entries.values()
            if isinstance(entry, Known) and not entry.won
        }
        behind = {
            after
            for node in losers
            for reply in self.turns.replies(node)
            if reply.own
            for answer in self.turns.of(node.after_reply(reply))
            if (after := node.after_reply(reply).after(answer)) in losers
        }
        fewest_in_play = sorted(behind, key=lambda node: -node.mk - node.pk)
        for node in fewest_in_play[:MOST_FORGOTTEN]:
            del self.part.entries[losers[node]]


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
