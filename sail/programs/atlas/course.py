"""TEACH: games against the teacher until the machine rejects the replies."""

from __future__ import annotations

from collections.abc import Callable

from sail.board import Position
from sail.programs.atlas import says
from sail.programs.atlas.game import Game
from sail.programs.atlas.machine import OPENING, Machine
from sail.programs.atlas.memory import MOST_ENTRIES, REPLIES, result
from sail.programs.atlas.teacher import Teacher
from sail.programs.atlas.turns import MACHINE, PLAYER, played
from sail.stop import Stopped
from sail.teletype import Teletype

SAVE_EVERY = 20.0  # seconds of teaching between two writings of the tape


class Course:
    """The games of one machine against its teacher, and their lines on paper.

    save: writes the tape.  clock: seconds.
    """

    def __init__(
        self,
        tty: Teletype,
        machine: Machine,
        save: Callable[[], None],
        clock: Callable[[], float],
    ) -> None:
        self.tty = tty
        self.machine = machine
        self.save = save
        self.clock = clock
        self.teacher: Teacher | None = None

    def teach(self, only: str = "") -> None:
        """Play until the machine rejects all replies, or only that one.

        With parameters it also rejects replies that it only takes for lost.
        """
        machine = self.machine
        rejected = machine.taken_for_lost()
        new: list[str] = []
        full: set[str] = set()
        number, saved = 0, self.clock()
        try:
            while len(rejected) < len(REPLIES) and only not in rejected:
                number += 1
                game = self.play(number)
                if game.recorder.full and game.part not in full:
                    self.tty.type(says.FULL.format(game.part, MOST_ENTRIES))
                    full.add(game.part)
                before, rejected = rejected, machine.taken_for_lost()
                new = [reply for reply in rejected if reply not in before]
                self.tell_lost(new)
                if self.clock() - saved > SAVE_EVERY or new:
                    self.save()
                    saved = self.clock()
        except Stopped:
            self.tty.type(says.STOPPED)
        finally:
            self.save()
        if only in rejected and only not in new:
            self.tell_lost([only])
        elif len(rejected) == len(REPLIES):
            sure = len(machine.known_lost()) == len(REPLIES)
            self.tty.type(says.ALL_KNOWN if sure else says.ALL_TAKEN)

    def play(self, number: int) -> Game:
        """Play the game of that number against the teacher.  Raises Stopped."""
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
        game.end(position.score[MACHINE] - position.score[PLAYER])
        self.tell_game(number, game, position)
        return game

    def tell_game(self, number: int, game: Game, end: Position) -> None:
        entries = len(self.machine.memory.parts[game.part])
        machine, player = end.score
        ending = result(machine - player)
        self.tty.type(
            says.GAME.format(number, game.part, machine, player, ending, entries)
        )

    def tell_lost(self, replies: list[str]) -> None:
        known = self.machine.known_lost() if replies else []
        for reply in replies:
            self.tty.type((says.KNOWN if reply in known else says.TAKEN).format(reply))
