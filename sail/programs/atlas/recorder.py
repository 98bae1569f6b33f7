"""Storing positions in a part of the memory, some of them compressed (BELL-IV.3)."""

from __future__ import annotations

from sail.board import MOST_PITS, Position
from sail.programs.atlas.learner import Learner
from sail.programs.atlas.memory import HALF, Entry, Known, pack
from sail.programs.atlas.minimax import CLAIM, FEAR, LOSS
from sail.programs.atlas.turns import MACHINE, PLAYER, Node, PackedTurn

MOST_FORGOTTEN = 160  # the most entries dropped when a part is full


class Recorder:
    """Stores what a game teaches in one part.  full: whether an entry found no room."""

    def __init__(self, learner: Learner, part: str) -> None:
        self.learner = learner
        self.turns = learner.turns
        self.part = part
        self.full = False

    def add(self, node: Node, value: int) -> None:
        """Store a position, unless the part knows its value.

        With `characteristics` on, a win by a turn that brings the majority is
        compressed; such a win of the player only if `inferences` is on as well.

        value: WIN or CLAIM if the machine is to move and wins, LOSS or FEAR if the
        player is to move and wins.
        """
        learner, (m, p, mk, _) = self.learner, node
        part, won = learner.memory.parts[self.part], value > 0
        known = part.winner(m, p, mk) if won else part.loser(m, p, mk)
        if abs(known) >= abs(value):
            return
        mover = MACHINE if won else PLAYER
        compresses = learner.characteristics and (won or learner.inferences)
        crushing = self.crushing(node, mover) if compresses else None
        if crushing:
            entry = characteristic(self.turns.position(node, mover), crushing.pits)
        else:
            unpack, pseudo = self.turns.moves.unpack, value in (CLAIM, FEAR)
            entry = Entry(won, mk, unpack(m), unpack(p), pseudo)
        self.store(entry)

    def add_end(self, node: Node) -> None:
        """Store the position if the player's next turn can win a majority."""
        if node.m and self.crushing(node, PLAYER):
            self.add(node, LOSS)

    def crushing(self, node: Node, mover: int) -> PackedTurn | None:
        """Return the mover's first turn that brings him the majority, if any."""
        if mover == MACHINE:
            turns, kalah = self.turns.of(node), node.mk
        else:
            turns, kalah = self.turns.replies(node), node.pk
        return next((turn for turn in turns if kalah + turn.gain > HALF), None)

    def store(self, entry: Entry) -> None:
        """Store an entry; if the part is full, make room for it, once a game."""
        fact = Known(self.part, entry)
        if not self.learner.memory.learn(fact) and not self.full:
            self.full = True
            self.forget()
            self.learner.memory.learn(fact)

    def forget(self) -> None:
        """Forget some lost positions that come two turns after another one stored.

        The machine avoids the earlier one, so it reaches these positions only by
        other ways, if at all.  Those with the fewest stones in play go first,
        because they are soon learned again.  Entries with x's stay, because each
        covers many positions.  Bell does not say what a full part does.
        """
        part = self.learner.memory.parts[self.part]
        losers = {
            Node(pack(entry.m), pack(entry.p), entry.kalah, entry.rest): entry
            for entry in part.entries
            if not entry.won and not entry.compressed
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
            part.forget(losers[node])


def characteristic(position: Position, pits: tuple[int, ...]) -> Entry:
    """Return the entry that keeps what the mover needs for his crushing turn.

    pits: a turn that brings him more than half of the stones.  (Other
    wins are not compressed: they may depend on every pit.)

    The entry keeps every pit of his row from the kalah to the farthest pit that he
    plays or sows into.  It also keeps the least that his kalah and a captured pit
    must hold.  BELL-CHAR.
    """
    mover = position.mover
    before, farthest, captured = position, 0, -1
    for pit in pits:
        after = before.play(pit)
        own, other = before.rows[mover], before.rows[1 - mover]
        goes_round = own[pit - 1] > pit + MOST_PITS
        farthest = max(farthest, MOST_PITS if goes_round else pit)
        for place, (n, was) in enumerate(zip(after.rows[1 - mover], other)):
            if n < was:
                captured = place
        before = after
        if after.kalahs[mover] > HALF:
            break
    spare = before.kalahs[mover] - HALF - 1
    own, other = position.rows[mover], position.rows[1 - mover]
    kept = tuple(n if place < farthest else None for place, n in enumerate(own))
    least = tuple(n if place == captured else None for place, n in enumerate(other))
    kalah = max(0, position.kalahs[mover] - spare)
    if mover == PLAYER:
        return Entry(False, kalah, least, kept)
    return Entry(True, kalah, kept, least)
