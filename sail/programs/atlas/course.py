"""The course of a game, and its back-track analysis (BELL-IV.3)."""

from __future__ import annotations

from sail.board import Position
from sail.programs.atlas.learner import NODE_AFTER_P2, Choice, Learner, notation
from sail.programs.atlas.memory import (
    DRAWN,
    LOSS,
    LOST,
    OTHER,
    PSEUDO_LOSS,
    PSEUDO_WIN,
    UNKNOWN,
    WON,
)
from sail.programs.atlas.turns import Node, PackedTurn, decided, node_of

MOST_NODES = 100  # the most nodes that a back-track analysis examines


class Course:
    """The machine's turns in one game, from which it may learn.

    part: that of the memory for this game's reply to P2.
    learns: whether the machine may still learn from this game.
    """

    def __init__(self, learner: Learner, learns: bool = True) -> None:
        self.learner = learner
        self.learns = learns
        self.part = learner.memory.parts[OTHER]
        self.choices: list[Choice] = []
        self._picks = learner.memory.picks

    def choose(self, position: Position) -> Choice:
        """Choose the machine's turn; learn if it sees that it wins or loses."""
        learner, node = self.learner, node_of(position)
        if decided(position):  # nothing is left to learn
            return Choice(node, node.turns()[0], UNKNOWN)
        choice = learner.choose(node, self.part)
        value = choice.value
        if value <= PSEUDO_LOSS:
            choice = choice._replace(turn=self.pick(node))
            if self.learns:
                self.back_track(value)
        elif self.learns and value >= PSEUDO_WIN and node != NODE_AFTER_P2:
            learner.record(self.part, node, value)
        if node == NODE_AFTER_P2:
            self.part = learner.memory.parts[notation(choice.turn.pits)]
        self.choices.append(choice)
        return choice

    def plain_choice(self, node: Node) -> Choice:
        """Return what looks best without the memory, with its value by the memory."""
        plain = self.learner.choose(node, None).turn
        return Choice(node, plain, self.learner.value_after(node, plain, self.part))

    def end(self, position: Position) -> str:
        """Learn, once, from a game; return its ending: WON, LOST or DRAWN.

        position: the last; unless it is decided, the player has resigned.
        """
        machine, player = position.score if decided(position) else (1, 0)
        ending = WON if machine > player else LOST if machine < player else DRAWN
        if not self.learns:
            return ending
        self.learns = False
        if ending == LOST:
            self.back_track(LOSS)
        memory = self.learner.memory
        after = [choice.node.after(choice.turn) for choice in self.choices]
        memory.count(ending, [(node.mk, node.pk) for node in after])
        if ending == LOST and self.value(self.choices[0].node) <= PSEUDO_LOSS:
            memory.picks += 1
        return ending

    def value(self, node: Node) -> int:
        """Return the value of a position with the machine to move, by what it knows."""
        return self.learner.choose(node, self.part).value

    # Where all turns lose

    def pick(self, node: Node) -> PackedTurn:
        """Return a turn when every turn loses, the best at three plies first.

        Memory.picks counts the lost games in which all first turns lose, as it now
        knows.  Divided by the number of turns, the count leaves a remainder that picks
        this turn; the quotient picks the next turns in the same way.  So such games
        differ in their first turns, and in time every sequence of turns is picked.
        """
        estimate = lambda turn: self.learner.value_after(node, turn, None)
        turns = sorted(node.turns(), key=estimate, reverse=True)
        self._picks, remainder = divmod(self._picks, len(turns))
        return turns[remainder]

    # Back-track analysis

    def back_track(self, value: int) -> None:
        """Learn why the last turn lost, and which turn lost the game.

        value: LOSS or PSEUDO_LOSS.  The analysis goes back over the turns of the game
        and examines the alternatives to each, at most MOST_NODES nodes in all.  If all
        alternatives lose too, the turn before has lost as well.
        """
        if self.choices and self.choices[-1].value <= PSEUDO_LOSS:
            return  # it has been analyzed
        budget = MOST_NODES
        for node, turn, _ in reversed(self.choices):
            if value <= PSEUDO_LOSS:
                self.learner.record(self.part, node.after(turn), value)
            if node == NODE_AFTER_P2:
                return  # its alternatives, the other replies, have their own parts
            value = self.value(node)
            if PSEUDO_LOSS < value < PSEUDO_WIN:
                budget = self.examine(node, budget)
                value = self.value(node)
            if value >= PSEUDO_WIN:
                self.learner.record(self.part, node, value)

    def examine(self, node: Node, budget: int) -> int:
        """Evaluate up to `budget` nodes after a turn and a reply; return the rest."""
        for turn in node.turns():
            after = node.after(turn)
            value = self.learner.value_after(node, turn, self.part)
            if not PSEUDO_LOSS < value < PSEUDO_WIN:
                continue
            for reply in after.turns():
                deeper = after.after(reply)
                if deeper.over or self.part.value_of(deeper):
                    continue
                if not budget:
                    return 0
                budget -= 1
                value = self.value(deeper)
                if value >= PSEUDO_WIN:
                    self.learner.record(self.part, deeper, value)
                elif value <= PSEUDO_LOSS:
                    self.learner.record(self.part, after, value)
                    break
        return budget
