"""TEACH: games against an optimal opponent, who uses exact search (BELL-LOST)."""

from __future__ import annotations

from collections.abc import Callable

from sail.board import Position
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.limit import Clock
from sail.programs.atlas import says
from sail.programs.atlas.game import Game
from sail.programs.atlas.machine import OPENING, Machine
from sail.programs.atlas.memory import HALF, MOST_ENTRIES, REPLIES, STONES, result
from sail.programs.atlas.minimax import LOSS, NOTHING
from sail.programs.atlas.turns import MACHINE, PLAYER, Node, Turn, played
from sail.stop import Stop, Stopped
from sail.teletype import Teletype

WAYS, ENOUGH = 8, 8  # winning turns to compare; the margin that needs no closer proof
CROWDED = 32  # stones in play; with more, a proof takes seconds
CROWDED_WAYS, CROWDED_ENOUGH = 2, 1  # WAYS and ENOUGH with more than CROWDED
WIDTH = 3  # likely turns that are examined further ahead
MANY = 20  # the most hopes counted after any answer
ENDGAMES = 12  # stones in the database; a game then costs less than building it
SAVE_EVERY = 20.0  # seconds of teaching between two writings of the tape


class Teacher:
    """Wins every game that the player to move can win.

    Of the winning turns it takes one that wins soon by a large margin and leaves
    the machine few hopes to refute: Bell played "the program through moves it had
    still not analysed" (BELL-OFFLINE).  The weights, found by trial, save games.
    """

    def __init__(self, machine: Machine, stop: Stop) -> None:
        self.machine = machine
        self.solver = Solver(6, STONES, captures_empty=False)
        self.stop = stop
        # The choice for a position never changes, so that what the machine has
        # learned from it stays useful.
        self._chosen: dict[Node, tuple[int, ...]] = {}
        self._likely: dict[Node, list[Turn]] = {}

    def turn(self, position: Position, part: str) -> tuple[int, ...]:
        """Return the pits of the player's turn in a game of `part`.  Raises Stopped."""
        node = self.machine.turns.node(position)
        if node not in self._chosen:
            self._chosen[node] = self.best(position, node, part)
        return self._chosen[node]

    def best(self, position: Position, node: Node, part: str) -> tuple[int, ...]:
        """Find the pits of a turn of the player.  Raises Stopped."""
        if not self.solver.database:
            self.solver.database = endgame.build(self.solver.moves, ENDGAMES, self.stop)
        ways: list[tuple[int, tuple[int, ...]]] = []
        for turn in self.likely(node):
            after, pits = played(position, turn.pits)
            value = self.value(after)
            if value >= 0:
                continue
            if after.over:
                return pits
            ways.append((self.cost(node.after_reply(turn), part, value), pits))
            if len(ways) == (WAYS if position.in_play <= CROWDED else CROWDED_WAYS):
                break
        return min(ways)[1] if ways else (self.solver.best(position, self.stop),)

    def cost(self, node: Node, part: str, value: int) -> int:
        """Return the cost of a turn that leads to this node, which has this value."""
        return 2 * value + 8 * self.lessons(node, part) - node.mk - 3 * node.pk

    def lessons(self, node: Node, part: str) -> int:
        """Estimate the number of lessons until the machine knows that it loses here.

        It takes one for each turn that still gives the machine hope, and one for
        each hope that the player's best answer then leaves it.
        """
        hopes = self.hopes(node, part)
        return sum(1 + self.fewest_hopes(node.after(hope), part) for hope in hopes)

    def fewest_hopes(self, node: Node, part: str) -> int:
        """Return the fewest hopes that a likely turn of the player leaves."""
        fewest = MANY
        for turn in self.likely(node)[:WIDTH] if node.m and node.p else ():
            deeper = node.after_reply(turn)
            if deeper.pk > HALF:
                return 0
            if deeper.m and deeper.p:
                fewest = min(fewest, len(self.hopes(deeper, part)))
            if not fewest:
                break
        return fewest

    def hopes(self, node: Node, part: str) -> list[Turn]:
        """Return the turns that the machine does not take for lost.  Raises Stopped."""
        if self.stop():
            raise Stopped
        return self.machine.hopes(node, part)

    def likely(self, node: Node) -> list[Turn]:
        """Return the player's turns; those that look best at three plies come first."""

        def estimate(turn: Turn) -> int:
            after = node.after_reply(turn)
            if after.pk > HALF or not after.m or not after.p:
                return LOSS
            return self.machine.minimax.choose(after, lambda _: NOTHING).value

        if node not in self._likely:
            turns = self.machine.turns.replies(node)
            self._likely[node] = sorted(turns, key=estimate)
        return self._likely[node]

    def value(self, position: Position) -> int:
        """Return the machine's value, or a sufficient upper bound.  Raises Stopped."""
        if position.over:
            return position.score[MACHINE] - position.score[PLAYER]
        enough = ENOUGH if position.in_play <= CROWDED else CROWDED_ENOUGH
        bounds = self.solver.known(position)
        further = self.solver.prove(position, guess=-2, stop=self.stop)
        while not (bounds.proved or bounds.low >= 0 or bounds.high <= -enough):
            bounds = next(further)
        return bounds.high


class Course:
    """The games of a machine against its teacher.  save: writes the tape."""

    def __init__(
        self, tty: Teletype, machine: Machine, save: Callable[[], None], clock: Clock
    ) -> None:
        self.tty = tty
        self.machine = machine
        self.save = save
        self.clock = clock
        self.teacher: Teacher | None = None

    def teach(self, only: str = "") -> None:
        """Play until all replies, or the one in `only`, are lost; see Machine.lost."""
        rejected = self.machine.lost()
        if only in rejected:
            self.tell_lost([only])
            return
        full: set[str] = set()
        number, saved = 0, self.clock()
        try:
            while len(rejected) < len(REPLIES) and only not in rejected:
                number += 1
                game = self.play(number)
                if game.recorder.full and game.part not in full:
                    self.tty.type(says.FULL.format(game.part, MOST_ENTRIES))
                    full.add(game.part)
                before, rejected = rejected, self.machine.lost()
                new = [reply for reply in rejected if reply not in before]
                self.tell_lost(new)
                if self.clock() - saved > SAVE_EVERY or new:
                    self.save()
                    saved = self.clock()
        except Stopped:
            self.tty.type(says.STOPPED)
        finally:
            self.save()
        if len(rejected) == len(REPLIES):
            sure = self.machine.lost(surely=True) == rejected
            self.tty.type(says.ALL_KNOWN if sure else says.ALL_TAKEN)

    def play(self, number: int) -> Game:
        """Play game number `number` against the teacher.  Raises Stopped."""
        if not self.teacher:
            self.tty.type(says.PREPARES)
            self.teacher = Teacher(self.machine, self.tty.poll)
        game, position = Game(self.machine), OPENING
        while not position.over:
            if position.mover == MACHINE:
                pits = game.move(position).pits
            else:
                pits = self.teacher.turn(position, game.part)
            position = played(position, pits)[0]
            if self.tty.poll():
                raise Stopped
        machine, player = position.score
        game.end(machine - player)
        entries = len(self.machine.memory.parts[game.part])
        ending = result(machine - player)
        if number == 1:
            self.tty.type(says.GAME_HEAD)
        self.tty.type(
            says.GAME.format(number, game.part, machine, player, ending, entries)
        )
        return game

    def tell_lost(self, replies: list[str]) -> None:
        known = self.machine.lost(surely=True) if replies else []
        for reply in replies:
            self.tty.type((says.KNOWN if reply in known else says.TAKEN).format(reply))
