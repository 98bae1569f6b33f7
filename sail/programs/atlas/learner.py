"""The machine in a game: it looks ahead, judges by its memory, and stores in it.

The look-ahead is the second mechanism, mini-max on Mk - Pk at three plies (BELL-IV.2);
the memory is the third, and what is stored in it comes from a back-track analysis of
the course of the game (BELL-IV.3).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from sail.board import MOST_PITS, Pits, Position, opening
from sail.game import Course
from sail.programs.atlas.memory import (
    DRAWN,
    HALF_STONES,
    LOSS,
    LOST,
    OTHER,
    PSEUDO_LOSS,
    PSEUDO_WIN,
    UNKNOWN,
    WIN,
    WON,
    Memory,
    Record,
    Table,
)
from sail.programs.atlas.turns import (
    MACHINE,
    MOVES,
    PLAYER,
    Node,
    PackedTurn,
    node_of,
)

MOST_NODES = 100  # the most nodes that a back-track analysis examines
# The player wins from here; the machine is to move.
AFTER_P2 = opening(3)._replace(mover=PLAYER).play(2)
NODE_AFTER_P2 = node_of(AFTER_P2)


class Choice(NamedTuple):
    """A turn that the machine chose, the position before it, and its value."""

    node: Node
    turn: PackedTurn
    value: int


class Learner:
    """The machine in one game, from which it may learn.

    table: that of the memory for this game's reply to P2.
    learns: whether the machine may still learn from this game.
    """

    def __init__(self, memory: Memory, learns: bool = True) -> None:
        self.memory = memory
        self.table = memory.tables[OTHER]
        self.learns = learns
        self.choices: list[Choice] = []
        self._pick_number = memory.hopeless_games

    def choose(self, position: Position) -> Choice:
        """Choose the machine's turn; learn if it sees that it wins or loses."""
        node = node_of(position)
        if node.decided:  # nothing is left to learn
            return Choice(node, node.turns()[0], UNKNOWN)
        choice = self.best(node)
        value = choice.value
        if value <= PSEUDO_LOSS:
            choice = choice._replace(turn=self.pick(node))
            if self.learns:
                self._back_track(value)
        elif self.learns and value >= PSEUDO_WIN and node != NODE_AFTER_P2:
            self.remember(node, value)
        self.table = self._table_after(node, choice.turn)
        self.choices.append(choice)
        return choice

    def plain_choice(self, node: Node) -> Choice:
        """Return what looks best without the memory, with its value by the memory."""
        plain = Learner(Memory()).best(node).turn
        return Choice(node, plain, self.value_after(node, plain))

    def end(self, position: Position) -> str:
        """Learn, once, from a game; return its result: WON, LOST or DRAWN.

        position: the last; unless it is decided, the player has resigned.
        """
        node = node_of(position)
        machine, player = node.score if node.decided else (1, 0)
        result = WON if machine > player else LOST if machine < player else DRAWN
        if not self.learns:
            return result
        self.learns = False
        if result == LOST:
            self._back_track(LOSS)
        after = [choice.node.after(choice.turn) for choice in self.choices]
        self.memory.count(result, [(node.mk, node.pk) for node in after])
        if result == LOST and self.best(self.choices[0].node).value <= PSEUDO_LOSS:
            self.memory.hopeless_games += 1
        return result

    # The look-ahead

    def best(self, node: Node) -> Choice:
        """Return the first turn with the best value, or the first that wins."""
        turns = node.turns()
        best = Choice(node, turns[0], LOSS)
        for turn in turns:
            value = self.value_after(node, turn, best.value)
            if value > best.value:
                best = Choice(node, turn, value)
            if best.value >= PSEUDO_WIN:
                break
        return best

    def value_after(self, node: Node, turn: PackedTurn, limit: int = LOSS) -> int:
        """Return the value of a turn of the machine, or a bound at or below the limit.

        A pseudo-win is believed; the replies to it are not examined (BELL-PARAM).
        """
        return self._minimax(node.after(turn), self._table_after(node, turn), 2, limit)

    def _table_after(self, node: Node, turn: PackedTurn) -> Table:
        """Return the table for the game after a turn: each reply to P2 has its own."""
        if node == NODE_AFTER_P2:
            return self.memory.tables[machine_turn(turn.pits)]
        return self.table

    def _minimax(self, node: Node, table: Table, plies: int, limit: int) -> int:
        """Return the value, or a bound that is as good for the mover as the limit."""
        value = self._known_value(node, table)
        if value is not None:
            return value
        if not plies:
            return node.mk - node.pk
        best, better_of = (WIN, min) if node.mover == PLAYER else (LOSS, max)
        for turn in node.turns():
            value = self._minimax(node.after(turn), table, plies - 1, best)
            best = better_of(best, value)
            if best == better_of(best, limit):
                break
        return best

    def _known_value(self, node: Node, table: Table) -> int | None:
        """Return the value of a position, None if it takes a search."""
        mk, pk = node.mk, node.pk
        if node.decided:
            machine, player = node.score
            return WIN if machine > player else LOSS if machine < player else 0
        if known := table.value_of(node):
            return known
        if node.mover == MACHINE:
            return PSEUDO_LOSS if table.parameters.claims(pk, mk) else None
        return PSEUDO_WIN if table.parameters.claims(mk, pk) else None

    # Where all turns lose

    def pick(self, node: Node) -> PackedTurn:
        """Return a turn when every turn loses, the best at three plies first.

        Memory.hopeless_games counts the lost games in which all first turns lose, as it
        now knows.  Divided by the number of turns, the count leaves a remainder that
        picks this turn; the quotient picks the next turns in the same way.  So such
        games differ in their first turns, and in time each sequence of turns is picked.
        """
        estimate = partial(Learner(Memory()).value_after, node)
        turns = sorted(node.turns(), key=estimate, reverse=True)
        self._pick_number, remainder = divmod(self._pick_number, len(turns))
        return turns[remainder]

    # Back-track analysis

    def _back_track(self, value: int) -> None:
        """Learn why the last turn lost, and which turn lost the game.

        value: LOSS or PSEUDO_LOSS.  The analysis goes back over the turns of the game
        and examines the alternatives to each, at most MOST_NODES nodes in all.  If all
        alternatives lose too, the turn before has lost as well.
        """
        if self.choices and self.choices[-1].value <= PSEUDO_LOSS:
            return  # it has been analyzed
        nodes_left = MOST_NODES
        for node, turn, _ in reversed(self.choices):
            if value <= PSEUDO_LOSS:
                self.remember(node.after(turn), value)
            if node == NODE_AFTER_P2:
                return  # its alternatives, the other replies, have their own tables
            value = self.best(node).value
            if PSEUDO_LOSS < value < PSEUDO_WIN:
                nodes_left = self.examine(node, nodes_left)
                value = self.best(node).value
            if value >= PSEUDO_WIN:
                self.remember(node, value)

    def examine(self, node: Node, nodes_left: int) -> int:
        """Evaluate up to so many nodes after a turn and a reply; return the rest."""
        for turn in node.turns():
            after = node.after(turn)
            value = self.value_after(node, turn)
            if not PSEUDO_LOSS < value < PSEUDO_WIN:
                continue
            for reply in after.turns():
                deeper = after.after(reply)
                if deeper.over or self.table.value_of(deeper):
                    continue
                if not nodes_left:
                    return 0
                nodes_left -= 1
                value = self.best(deeper).value
                if value >= PSEUDO_WIN:
                    self.remember(deeper, value)
                elif value <= PSEUDO_LOSS:
                    self.remember(after, value)
                    break
        return nodes_left

    def remember(self, node: Node, value: int) -> None:
        """Store a position, unless its value is known.  value: as in a Record."""
        table = self.table
        if abs(table.value_of(node)) >= abs(value):
            return
        turns = node.turns() if value > 0 and self.memory.compresses else ()
        crushing = [turn.pits for turn in turns if node.mk + turn.gain > HALF_STONES]
        if crushing:
            table.add(characteristic(node, crushing[0]))
        else:
            table.add(Record(value, node.m, node.p, node.mk))


def losing_replies(memory: Memory) -> dict[str, int]:
    """Return the replies to P2 that lose, and for each LOSS or PSEUDO_LOSS."""
    learner = Learner(memory)
    values = {
        machine_turn(turn.pits): learner.value_after(NODE_AFTER_P2, turn)
        for turn in NODE_AFTER_P2.turns()
    }
    return {reply: value for reply, value in values.items() if value <= PSEUDO_LOSS}


def machine_turn(pits: Pits) -> str:
    """Return a turn of the machine in the form M3-M2."""
    return "-".join(f"M{pit}" for pit in pits)


def characteristic(node: Node, pits: Pits) -> Record:
    """Return the characteristic of a position for the machine's crushing turn.

    pits: a turn that brings it more than half of the stones.  (Other wins are not
    compressed: they may depend on every pit.)

    Every pit of its row is kept from the kalah to the farthest pit that it plays or
    sows into, and the least that its kalah and a captured pit must hold.  BELL-CHAR.
    """
    own, other = MOVES.unpack(node.m), MOVES.unpack(node.p)
    before = Position((own, other), (node.mk, node.pk), MACHINE)
    course = Course(before).through(pits)  # up to a majority
    farthest = 0
    for position, pit in zip(course.positions, course.pits):
        goes_round = position.rows[MACHINE][pit - 1] > pit + MOST_PITS
        farthest = max(farthest, MOST_PITS if goes_round else pit)
    after, _, captured_pit = course.sown[-1]
    spare = after.kalahs[MACHINE] - HALF_STONES - 1
    least = max(0, node.mk - spare)
    must = tuple(n if pit == captured_pit else 0 for pit, n in enumerate(other, 1))
    m, p = MOVES.pack(own[:farthest]), MOVES.pack(must)
    return Record(WIN, m, p, least, farthest, captured_pit)
