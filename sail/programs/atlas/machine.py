"""The machine at play, and the back-track analysis (BELL-IV.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sail.board import Position, start
from sail.programs.atlas.characteristics import characteristic
from sail.programs.atlas.memory import (
    AGAIN,
    DRAWN,
    HALF,
    LOST,
    OTHER,
    REPLIES,
    STONES,
    WON,
    Entry,
    Known,
    Memory,
    Played,
    pack,
)
from sail.programs.atlas.minimax import (
    CLAIM,
    LOSS,
    NOTHING,
    WIN,
    Knowledge,
    MiniMax,
    no,
)
from sail.programs.atlas.turns import Node, Turn, Turns

MACHINE, PLAYER = 0, 1  # of sail.board; the machine is on top
OPENING = start(3)._replace(mover=PLAYER).play(2)  # P2, the winning one
NODES = 100  # of a region
FORGOTTEN = 160  # entries at once, when a part is full


class Step(NamedTuple):
    """A turn that the machine has played, where, and its value."""

    node: Node
    turn: Turn
    value: int


class Move(NamedTuple):
    """A turn of the machine; rejected is one that it knows to be lost instead."""

    pits: tuple[int, ...]
    value: int
    rejected: tuple[int, ...]


class Machine:
    """Plays games with so many stones, and learns from those of 3 a pit.

    characteristics, parameters: whether these compressions are on.
    full: the parts that had no room for something.
    """

    def __init__(self, memory: Memory, stones: int = STONES) -> None:
        self.memory = memory
        self.learns = stones == STONES
        self.characteristics = True
        self.parameters = True
        self.full: set[str] = set()
        self.turns = Turns(stones)
        self.minimax = MiniMax(self.turns)
        self.opening = self.turns.node(OPENING)
        self.begin()

    def begin(self) -> None:
        """Nothing; a new game begins."""
        self.steps: list[Step] = []
        self.part = OTHER
        self.full.clear()
        self._again = self.memory.games[AGAIN]

    def move(self, position: Position) -> Move:
        """The machine's turn; it learns when it sees that it wins or loses."""
        node = self.turns.node(position)
        knows = self.knowledge(node)
        turn, value = self.minimax.choose(node, knows)
        rejected: tuple[int, ...] = ()
        if value == LOSS:
            if self.steps and self.steps[-1].value != LOSS:
                self.back_track()
            turn = self.another_loser(node)
        else:
            plain = self.minimax.choose(node, lambda _: NOTHING).turn
            if self.minimax.value_after(node, plain, knows(plain)) == LOSS:
                rejected = plain.pits
            if value == WIN and node != self.opening:
                self.add_winner(node)
        if node == self.opening:
            self.part = notation(turn.pits)
        self.steps.append(Step(node, turn, value))
        return Move(turn.pits, value, rejected)

    def end(self, difference: int) -> None:
        """Nothing; the game has ended, it learns from it.

        difference: of the stones of machine and player.
        """
        if not self.learns or not self.steps:
            return
        if difference < 0 and self.steps[-1].value != LOSS:
            self.back_track()
        result = WON if difference > 0 else LOST if difference else DRAWN
        after = (node.after(turn) for node, turn, _ in self.steps)
        kalahs = tuple((node.mk, node.pk) for node in after)
        again = result == LOST and self.steps[0].value == LOSS
        self.memory.learn(Played(result, kalahs, again))

    def knowledge(self, node: Node) -> Callable[[Turn], Knowledge]:
        """What is known behind each turn: the replies to P2 have a part each."""
        if not self.learns:
            return lambda _: NOTHING
        claims = self.memory.parameters.claims if self.parameters else no

        def of(name: str) -> Knowledge:
            part = self.memory.parts[name]
            return Knowledge(part.is_loser, part.is_winner, claims)

        if node == self.opening:
            return lambda turn: of(notation(turn.pits))
        here = of(self.part)
        return lambda _: here

    def hopes(self, node: Node) -> list[Turn]:
        """The turns of the machine that it does not know to lose."""
        knows = self.knowledge(node)
        return [
            turn
            for turn in self.turns.of(node)
            if self.minimax.value_after(node, turn, knows(turn)) != LOSS
        ]

    def known_lost(self) -> list[str]:
        """The replies to the opening P2 that are known to lose."""
        hopes = [notation(turn.pits) for turn in self.hopes(self.opening)]
        return [reply for reply in REPLIES if reply not in hopes]

    def another_loser(self, node: Node) -> Turn:
        """A turn where all lose: the best looking first, each time another.

        The count of games lost like this, read as a number with a digit for
        each such position of a game, makes that no two of them are the same
        before all have been played.
        """
        turns = sorted(
            self.turns.of(node),
            key=lambda turn: -self.minimax.value_after(node, turn, NOTHING),
        )
        self._again, digit = divmod(self._again, len(turns))
        return turns[digit]

    # Back-track analysis

    def back_track(self) -> None:
        """Nothing; the last turn has lost: learn why, and since when.

        It goes back over the turns of the game as long as all alternatives,
        looked at more deeply, lose too.
        """
        if not self.learns:
            return
        for node, turn, _ in reversed(self.steps):
            self.add_loser(node.after(turn))
            if node == self.opening:
                return  # the other replies have parts of their own
            value = self.minimax.choose(node, self.knowledge(node)).value
            if LOSS < value < CLAIM:
                self.examine(node)
                value = self.minimax.choose(node, self.knowledge(node)).value
            if value == WIN:
                self.add_winner(node)
            if value != LOSS:
                return

    def examine(self, node: Node) -> None:
        """Nothing; the nodes of this region are evaluated, one turn deeper."""
        here = self.knowledge(node)
        knows = here(self.turns.of(node)[0])
        nodes = 0
        for turn in self.turns.of(node):
            after = node.after(turn)
            if self.minimax.value_after(node, turn, knows) in (WIN, LOSS):
                continue
            if not after.m or not after.p:
                continue  # a draw
            for reply in self.turns.replies(after):
                deeper = after.after_reply(reply)
                if not deeper.m or not deeper.p or knows.is_winner(*deeper[:3]):
                    continue
                if nodes == NODES:
                    return
                nodes += 1
                value = self.minimax.choose(deeper, here).value
                if value == WIN:
                    self.add_winner(deeper)
                elif value == LOSS:
                    self.add_loser(after)
                    break

    # The memory

    def add_winner(self, node: Node) -> None:
        """Nothing; the machine, to move, wins there."""
        if not self.learns or self.memory.parts[self.part].is_winner(*node[:3]):
            return
        entry = self.whole(node, won=True)
        if self.characteristics:
            for turn in self.turns.of(node):
                if node.mk + turn.gain > HALF:
                    entry = characteristic(self.turns.rows, node, turn) or entry
                    break
        self.add(entry)

    def add_loser(self, node: Node) -> None:
        """Nothing; the player, to move, wins there."""
        self.add(self.whole(node, won=False))

    def whole(self, node: Node, won: bool) -> Entry:
        """The entry that keeps every pit."""
        unpack = self.turns.rows.unpack
        return Entry(won, node.mk, unpack(node.m), unpack(node.p))

    def add(self, entry: Entry) -> None:
        if not self.memory.learn(Known(self.part, entry)):
            self.full.add(self.part)
            self.forget()
            self.memory.learn(Known(self.part, entry))

    def forget(self) -> None:
        """Nothing; some losers right behind another known loser are forgotten.

        The machine comes to them only by other ways, if at all.  Those with
        few stones in play go first, they are soon learnt again.
        """
        part = self.memory.parts[self.part]
        losers: dict[Node, Entry] = {}
        for entry in part.entries:
            if not entry.won:
                kalahs = entry.kalah, int(entry.player_kalah)
                losers[Node(pack(entry.m), pack(entry.p), *kalahs)] = entry
        behind = {
            after
            for node in losers
            for reply in self.turns.replies(node)
            for after in map(node.after_reply(reply).after, self.answers(node, reply))
            if after in losers
        }
        for node in sorted(behind, key=lambda node: -node.mk - node.pk)[:FORGOTTEN]:
            part.forget(losers[node])

    def answers(self, node: Node, reply: Turn) -> tuple[Turn, ...]:
        """The turns of the machine after that reply, none if it ends the game."""
        return (
            self.turns.of(node.after_reply(reply)) if reply.own and reply.other else ()
        )


def notation(pits: tuple[int, ...], side: str = "M") -> str:
    """A turn as it is typed, M3-M2."""
    return "-".join(f"{side}{pit}" for pit in pits)
