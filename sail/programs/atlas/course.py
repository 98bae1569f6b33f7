"""The course of a game, and its back-track analysis (BELL-IV.3)."""

from __future__ import annotations

from typing import NamedTuple

from sail.board import Position
from sail.programs.atlas.learner import Learner, Recorder, notation
from sail.programs.atlas.memory import LOST, OTHER, PICKS, result
from sail.programs.atlas.minimax import CLAIM, FEAR, LOSS, NO_KNOWLEDGE, UNKNOWN
from sail.programs.atlas.turns import Node, PackedTurn

MOST_NODES = 100  # the most nodes that a back-track analysis examines


class Step(NamedTuple):
    """A turn of the machine, the position before it, and its value.

    rejected: the turn that looked best until the memory showed that it loses, or ().
    known: whether that turn surely loses; if not, only by the parameters.
    """

    node: Node
    turn: PackedTurn
    value: int
    rejected: tuple[int, ...] = ()
    known: bool = False


class Course:
    """The machine's turns in one game.  If it learns, the recorder stores what."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.recorder = Recorder(learner, OTHER)
        self.steps: list[Step] = []
        self.ended = False
        self._picks = learner.memory.games[PICKS]

    @property
    def part(self) -> str:
        """The part of the memory for this game's reply to P2."""
        return self.recorder.name

    def move(self, position: Position) -> Step:
        """Choose the machine's turn; learn if it sees that it wins or loses."""
        learner, minimax = self.learner, self.learner.minimax
        node = learner.turns.node(position)
        if max(node.mk, node.pk) > minimax.half:  # decided: nothing is left to learn
            return Step(node, learner.turns.of(node)[0], UNKNOWN)
        knows = learner.knowledge(node, self.part)
        turn, value = minimax.choose(node, knows)
        rejected: tuple[int, ...] = ()
        known = False
        if value <= FEAR:
            turn = self.pick(node)
        else:
            plain = minimax.choose(node, lambda _: NO_KNOWLEDGE).turn
            without = minimax.value_after(node, plain, knows(plain))
            if without <= FEAR:
                rejected, known = plain.pits, without == LOSS
        if learner.learns and value <= FEAR:
            if self.steps and self.steps[-1].value > FEAR:
                self.back_track(value)
        elif learner.learns and value >= CLAIM and node != learner.opening:
            self.recorder.add(node, value)
        if node == learner.opening:
            self.recorder = Recorder(learner, notation(turn.pits))
        self.steps.append(Step(node, turn, value, rejected, known))
        return self.steps[-1]

    def end(self, difference: int) -> None:
        """Learn, once, from a game that the machine has won by `difference` stones."""
        if self.ended or not self.learner.learns:
            return
        self.ended = True
        if difference < 0 and self.steps[-1].value > FEAR:
            self.back_track(LOSS)
        ending = result(difference)
        picks = self.new_picks() if ending == LOST else 0
        after = [step.node.after(step.turn) for step in self.steps]
        kalahs = [(node.mk, node.pk) for node in after]
        self.learner.memory.count(ending, kalahs, picks)

    # Where all turns lose

    def pick(self, node: Node) -> PackedTurn:
        """Return a turn when every turn loses.

        The number games[PICKS] is divided by the number of turns: the remainder picks
        this turn, and the quotient picks the next turns in the same way.  A lost
        game may raise the number (`new_picks`).  Adding 1 changes the first pick, and
        in time every sequence of turns is picked.
        """
        turns = self.ranked(node)
        self._picks, digit = divmod(self._picks, len(turns))
        return turns[digit]

    def new_picks(self) -> int:
        """Return what a lost game adds to games[PICKS].

        It depends only on the turns open to the machine at its first turn.  It is 1 if
        all of them counted as lost before this game, and 0 if one still does not.  If
        this game showed the last of them to lose, the result makes the next game begin
        with the turn that follows this game's first turn in `ranked`.
        """
        node, turn, value, *_ = self.steps[0]
        if value <= FEAR:
            return 1
        turns = self.ranked(node)
        if len(self.learner.lost(node, self.part)) < len(turns):
            return 0
        picks = self.learner.memory.games[PICKS]
        return (turns.index(turn) + 1 - picks) % len(turns)

    def ranked(self, node: Node) -> list[PackedTurn]:
        """Return the turns in a fixed order, the best at three plies first."""

        def estimate(turn: PackedTurn) -> int:
            return self.learner.minimax.value_after(node, turn, NO_KNOWLEDGE)

        return sorted(self.learner.turns.of(node), key=estimate, reverse=True)

    # Back-track analysis

    def back_track(self, value: int) -> None:
        """Learn why the last turn lost, and which turn lost the game.

        value: LOSS or FEAR.  The analysis goes back over the turns of the game and
        examines the alternatives to each, at most MOST_NODES nodes in all.  If all
        alternatives lose too, the turn before has lost as well.
        """
        minimax = self.learner.minimax
        budget = MOST_NODES
        for node, turn, *_ in reversed(self.steps):
            if value <= FEAR:
                self.recorder.add(node.after(turn), value)
            if node == self.learner.opening:
                return  # its alternatives, the other replies, have their own parts
            knows = self.learner.knowledge(node, self.part)
            value = minimax.choose(node, knows).value
            if FEAR < value < CLAIM:
                budget = self.examine(node, budget)
                value = minimax.choose(node, knows).value
            if value >= CLAIM:
                self.recorder.add(node, value)

    def examine(self, node: Node, budget: int) -> int:
        """Evaluate up to `budget` nodes after a turn and a reply; return the budget left."""
        turns, minimax = self.learner.turns, self.learner.minimax
        knows = self.learner.knowledge(node, self.part)
        known = knows(turns.of(node)[0])
        for turn in turns.of(node):
            after = node.after(turn)
            if not FEAR < minimax.value_after(node, turn, known) < CLAIM:
                continue
            # There is no reply if this turn ends the game (a draw, by its value).
            for reply in turns.replies(after) if after.m and after.p else ():
                deeper = after.after_reply(reply)
                m, p, mk, _ = deeper
                if not m or not p or known.winner(m, p, mk):
                    continue
                if not budget:
                    return 0
                budget -= 1
                value = minimax.choose(deeper, knows).value
                if value >= CLAIM:
                    self.recorder.add(deeper, value)
                elif value <= FEAR:
                    self.recorder.add(after, value)
                    break
        return budget
