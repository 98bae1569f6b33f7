"""The machine at play, and the back-track analysis (BELL-IV.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sail.board import Position, start
from sail.programs.atlas.characteristics import characteristic
from sail.programs.atlas.memory import (
    HALF,
    LOST,
    OTHER,
    PICKS,
    REPLIES,
    STONES,
    Entry,
    Known,
    Memory,
    Played,
    pack,
    result,
)
from sail.programs.atlas.minimax import (
    CLAIM,
    FEAR,
    LOSS,
    NOTHING,
    Knowledge,
    MiniMax,
    no,
)
from sail.programs.atlas.turns import MACHINE, PLAYER, Node, Turn, Turns

OPENING = start(3)._replace(mover=PLAYER).play(2)  # P2, the winning one
NODES = 100  # of a back-track analysis
FORGOTTEN = 160  # entries at once, when a part is full


class Step(NamedTuple):
    """A turn that the machine has played, where, and its value."""

    node: Node
    turn: Turn
    value: int


class Move(NamedTuple):
    """A turn of the machine and its value.

    rejected: the turn that looked better until the memory was asked, if any;
    known: whether that one is known to lose, or only taken for lost.
    """

    pits: tuple[int, ...]
    value: int
    rejected: tuple[int, ...]
    known: bool


class Machine:
    """Plays games with so many stones, and learns from those of 3 a pit.

    characteristics, parameters: whether these compressions are on.
    inferences: whether three things are done that Bell's text does not say;
    they are inferred from it and from his counts (BELL-V.2).  The position
    that ends a lost game is stored, too ("can assess that losing position
    from its memory").  A position that the player wins in one turn is
    compressed like one that the machine wins (Fig. 4: "X is recorded in the
    memory as a winner and the machine will prevent the opponent having it").
    And where a whole region proves lost, only the position that the score
    backs up to is kept ("rote learning with associated back-up scores").
    tests/bench/atlas.py counts the entries with and without.
    full: the parts that had no room for something in this game.
    """

    def __init__(self, memory: Memory, stones: int = STONES) -> None:
        self.memory = memory
        self.learns = stones == STONES
        self.characteristics = True
        self.parameters = True
        self.inferences = True
        self.full: set[str] = set()
        self.turns = Turns(stones)
        self.minimax = MiniMax(self.turns)
        self.opening = self.turns.node(OPENING)
        self.begin()

    def begin(self) -> None:
        """Begin a new game."""
        self.steps: list[Step] = []
        self.part = OTHER
        self.full.clear()
        self._picks = self.memory.games[PICKS]

    def move(self, position: Position) -> Move:
        """The machine's turn; it learns when it sees that it wins or loses."""
        node = self.turns.node(position)
        knows = self.knowledge(node)
        turn, value = self.minimax.choose(node, knows)
        rejected: tuple[int, ...] = ()
        known = False
        if value <= FEAR:
            if self.steps and self.steps[-1].value > FEAR:
                self.back_track(value)
            turn = self.another_loser(node)
            if self.inferences:
                self.add_end(node.after(turn))
        else:
            plain = self.minimax.choose(node, lambda _: NOTHING).turn
            without = self.minimax.value_after(node, plain, knows(plain))
            if without <= FEAR:
                rejected, known = plain.pits, without == LOSS
            if value >= CLAIM and node != self.opening:
                self.add_winner(node, value)
        if node == self.opening:
            self.part = notation(turn.pits)
        self.steps.append(Step(node, turn, value))
        return Move(turn.pits, value, rejected, known)

    def end(self, difference: int) -> None:
        """Learn from a game that has ended.

        difference: the machine's stones less the player's.
        """
        if not self.learns or not self.steps:
            return
        if difference < 0 and self.steps[-1].value > FEAR:
            self.back_track(LOSS)
        ending = result(difference)
        after = (node.after(turn) for node, turn, _ in self.steps)
        kalahs = tuple((node.mk, node.pk) for node in after)
        picks = self.count_on() if ending == LOST else 0
        self.memory.learn(Played(ending, kalahs, picks))

    def count_on(self) -> int:
        """How far the number that picks among losers moves after a lost game.

        If it is this game that showed its first position to be lost, then the
        number moves to the loser after the one that was played.
        """
        node, turn, value = self.steps[0]
        if value <= FEAR:
            return 1
        if self.hopes(node):
            return 0
        turns = self.losers(node)
        return (turns.index(turn) + 1 - self.memory.games[PICKS]) % len(turns)

    def knowledge(
        self, node: Node, parameters: bool | None = None
    ) -> Callable[[Turn], Knowledge]:
        """What is known behind each turn: the replies to P2 have a part each.

        parameters: whether to believe them; without it, if they are on.
        """
        if not self.learns:
            return lambda _: NOTHING
        believes = self.parameters if parameters is None else parameters

        def of(name: str) -> Knowledge:
            part = self.memory.parts[name]
            if believes:
                claims = self.memory.parameters.claims
                return Knowledge(part.loser, part.winner, claims)
            return Knowledge(part.sure_loser, part.sure_winner, no)

        if node == self.opening:
            return lambda turn: of(notation(turn.pits))
        here = of(self.part)
        return lambda _: here

    def hopes(self, node: Node, parameters: bool | None = None) -> list[Turn]:
        """The turns of the machine that it does not take for lost."""
        knows = self.knowledge(node, parameters)
        return [
            turn
            for turn in self.turns.of(node)
            if self.minimax.value_after(node, turn, knows(turn)) > FEAR
        ]

    def known_lost(self) -> list[str]:
        """The replies to P2 that are known to lose, whatever the parameters."""
        return self._all_but(self.hopes(self.opening, parameters=False))

    def taken_for_lost(self) -> list[str]:
        """The replies to P2 that it rejects: known to lose, or pseudo-losing."""
        return self._all_but(self.hopes(self.opening))

    def _all_but(self, hopes: list[Turn]) -> list[str]:
        names = [notation(turn.pits) for turn in hopes]
        return [reply for reply in REPLIES if reply not in names]

    def another_loser(self, node: Node) -> Turn:
        """A turn where all lose, each time another.

        What picks it is a number that counts up with each game that began at
        a lost position.  It has a digit for each such position of the game,
        so that no two games are the same before all were played.
        """
        turns = self.losers(node)
        self._picks, digit = divmod(self._picks, len(turns))
        return turns[digit]

    def losers(self, node: Node) -> list[Turn]:
        """The turns in an order that stays: those that look best first."""

        def estimate(turn: Turn) -> int:
            return self.minimax.value_after(node, turn, NOTHING)

        return sorted(self.turns.of(node), key=estimate, reverse=True)

    # Back-track analysis

    def back_track(self, value: int) -> None:
        """Learn why the last turn has lost, and since when.

        value: LOSS or FEAR.  The analysis goes back over the turns of the
        game and looks at the alternatives to each, until it has evaluated
        NODES nodes.  As long as they lose too, the turn before has lost.
        """
        if not self.learns:
            return
        left = NODES
        for number, (node, turn, _) in reversed(list(enumerate(self.steps))):
            if value <= FEAR:
                self.add_loser(node.after(turn), value)
            if node == self.opening:
                return  # the other replies have parts of their own
            value = self.minimax.choose(node, self.knowledge(node)).value
            if FEAR < value < CLAIM:
                since = len(self.memory.news)
                left = self.examine(node, left)
                value = self.minimax.choose(node, self.knowledge(node)).value
                if value <= FEAR and number and self.inferences:
                    self.memory.unlearn_losers(since)
            if value >= CLAIM:
                self.add_winner(node, value)

    def examine(self, node: Node, left: int) -> int:
        """Evaluate so many nodes of this region, one turn deeper; how many are left."""
        here = self.knowledge(node)
        knows = here(self.turns.of(node)[0])
        for turn in self.turns.of(node):
            after = node.after(turn)
            if not FEAR < self.minimax.value_after(node, turn, knows) < CLAIM:
                continue
            if not after.m or not after.p:
                continue  # a draw
            for reply in self.turns.replies(after):
                deeper = after.after_reply(reply)
                if not deeper.m or not deeper.p or knows.winner(*deeper[:3]):
                    continue
                if not left:
                    return 0
                left -= 1
                value = self.minimax.choose(deeper, here).value
                if value >= CLAIM:
                    self.add_winner(deeper, value)
                elif value <= FEAR:
                    self.add_loser(after, value)
                    break
        return left

    # The memory

    def add_winner(self, node: Node, value: int) -> None:
        """Store a position that the machine, to move, wins.

        value: WIN, or CLAIM where that rests on parameters.
        """
        part = self.memory.parts[self.part]
        if not self.learns or part.winner(*node[:3]) >= value:
            return
        crushing = self.crushing(self.turns.of(node), node.mk)
        entry = self.whole(node, won=True, pseudo=value == CLAIM)
        if self.characteristics and crushing:
            position = self.turns.position(node, MACHINE)
            entry = characteristic(position, crushing.pits)
        self.add(entry)

    def add_loser(self, node: Node, value: int) -> None:
        """Store a position that the player, to move, wins.

        value: LOSS, or FEAR where that rests on parameters.
        """
        part = self.memory.parts[self.part]
        if not self.learns or part.loser(*node[:3]) <= value:
            return
        crushing = self.crushing(self.turns.replies(node), node.pk)
        entry = self.whole(node, won=False, pseudo=value == FEAR)
        if self.inferences and self.characteristics and crushing:
            position = self.turns.position(node, PLAYER)
            entry = characteristic(position, crushing.pits)
        self.add(entry)

    def add_end(self, node: Node) -> None:
        """Store the end of a lost game, if the player's next turn ends it."""
        if node.m and self.crushing(self.turns.replies(node), node.pk):
            self.add_loser(node, LOSS)

    def crushing(self, turns: tuple[Turn, ...], kalah: int) -> Turn | None:
        """The first turn that brings more than half of the stones, if any."""
        ways = (turn for turn in turns if kalah + turn.gain > HALF)
        return next(ways, None)

    def whole(self, node: Node, won: bool, pseudo: bool = False) -> Entry:
        """The entry that keeps every pit."""
        unpack = self.turns.moves.unpack
        return Entry(won, node.mk, unpack(node.m), unpack(node.p), pseudo)

    def add(self, entry: Entry) -> None:
        """Store an entry; where there is no room, others go, once a game."""
        fact = Known(self.part, entry)
        if not self.memory.learn(fact) and self.part not in self.full:
            self.full.add(self.part)
            self.forget()
            self.memory.learn(fact)

    def forget(self) -> None:
        """Forget some losers that lie right behind another known loser.

        The machine comes to them only by other ways, if at all.  Those with
        few stones in play go first, they are soon learnt again.  An entry
        with x's stays, it stands for many.
        """
        part = self.memory.parts[self.part]
        losers: dict[Node, Entry] = {}
        for entry in part.entries:
            if not entry.won and not entry.compressed:
                kalahs = entry.kalah, entry.rest
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
        return self.turns.of(node.after_reply(reply)) if reply.own else ()


def notation(pits: tuple[int, ...], side: str = "M") -> str:
    """A turn as it is typed, M3-M2."""
    return "-".join(f"{side}{pit}" for pit in pits)
