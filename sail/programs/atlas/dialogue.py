"""ATLAS: Bell's Kalah program, which learns from the games that it loses."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from sail import special
from sail.area import Area
from sail.board import MOST_PITS, EmptyPit, GameOver, IllegalPit, Position, start
from sail.engine.limit import Clock
from sail.programs.atlas import report, says
from sail.programs.atlas.game import Game
from sail.programs.atlas.machine import Machine, notation
from sail.programs.atlas.memory import LOST, MOST_ENTRIES, PARTS, REPLIES, Memory
from sail.programs.atlas.minimax import CLAIM, FEAR, LOSS, UNKNOWN
from sail.programs.atlas.tape import TAPE, Store
from sail.programs.atlas.teacher import Course
from sail.programs.atlas.turns import MACHINE, PLAYER, played
from sail.programs.questions import QUIT, Back, ask, begins, special_position, yes
from sail.refusal import Refusal, printable
from sail.teletype import Teletype

LEARNS = 3  # stones a pit in the games that it learns from
MOST_A_PIT = 6
TURN = re.compile("P?[0-9](?:[-, ]*P?[0-9])*")
RESIGN = "RESIGN"
SWITCHES = ("CHARACTERISTICS", "PARAMETERS", "INFERENCES")  # flags of Machine


def run(tty: Teletype, area: Area, clock: Clock = time.monotonic) -> None:
    """Play games, and learn, until the user leaves."""
    Dialogue(tty, area, clock).run()


class Dialogue:
    """A session of ATLAS: its commands, its tape and its games."""

    def __init__(self, tty: Teletype, area: Area, clock: Clock) -> None:
        self.tty = tty
        self.area = area
        self.store = Store(area)
        self.machine = Machine(Memory())
        self.course = Course(tty, self.machine, self.save, clock)

    def run(self) -> None:
        self.tty.type(says.TITLE)
        self.take_memory(self.store.load)
        helps = says.STONES_HELP, says.STONES_MORE
        try:
            with suppress(Back):
                while True:
                    ask(self.tty, says.STONES, self.obey, *helps, back=(QUIT,))
        finally:
            self.save()

    def obey(self, line: str) -> bool | None:
        """Obey a command and return True, None if it is none.  Raises Refusal, Back."""
        command, *words = line.split() or [""]
        stones = special.number(command, MOST_A_PIT)
        switch = next((name for name in SWITCHES if begins(command, name)), None)
        if not words and stones:
            self.play(stones)
        elif begins(command, "SPECIAL"):
            self.play_from(" ".join(words))
        elif begins(command, "TEACH") and len(words) < 2:
            self.teach("".join(words))
        elif begins(command, "MEMORY") and len(words) < 3:
            self.tell_memory(*words)
        elif switch:
            self.set_switch(switch, words)
        elif begins(command, "NEW") and not words:
            self.new_tape()
        else:
            return None
        return True

    def set_switch(self, name: str, words: list[str]) -> None:
        """Set a switch of the machine if `words` is only ON or only OFF."""
        if words in (["ON"], ["OFF"]):
            setattr(self.machine, name.lower(), words == ["ON"])
            self.tty.type(says.SWITCHED.format(name, words[0]))
        else:
            self.tty.type(says.ON_OR_OFF.format(name, name))

    def teach(self, reply: str) -> None:
        """Teach the machine that all replies to P2 lose, or that `reply` does."""
        if reply and reply not in REPLIES:
            self.tty.type(says.NO_REPLY.format(printable(reply)))
        else:
            self.course.teach(reply)

    def tell_memory(self, part: str = "", number: str = "") -> None:
        """Type a summary of what the machine knows, or one position of a part."""
        if not part:
            self.tty.type(report.memory(self.machine))
        elif part not in PARTS:
            self.tty.type(says.NO_PART.format(printable(part)))
        else:
            entries = list(self.machine.memory.parts[part].entries)
            which = special.number(number or str(len(entries)), len(entries))
            if which:
                self.tty.type(report.entry(entries[which - 1]))
            elif entries:
                self.tty.type(says.NO_ENTRY.format(part, len(entries)))
            else:
                self.tty.type(says.NO_ENTRIES.format(part))

    # The tape

    def take_memory(self, memory: Callable[[], Memory]) -> None:
        """Take the memory from the tape, or type why that failed."""
        try:
            self.machine.memory = memory()
        except Refusal as error:
            self.tty.type(str(error))
            if not self.store.keeps:
                self.tty.type(says.SET_ASIDE)

    def save(self) -> None:
        """Write on the tape what was learned, or type why that failed."""
        self.take_memory(partial(self.store.save, self.machine.memory))

    def new_tape(self) -> None:
        """Set the tape aside and begin a blank one, if the user is sure."""
        self.save()
        if not self.area.has(TAPE):
            self.tty.type(says.NEW_NO_OLD)
        elif yes(self.tty, says.NEW_SURE):
            name = self.store.new()
            self.machine.memory = Memory()
            self.tty.type(says.NEW_DONE.format(name))

    # A game

    def play(self, stones: int) -> None:
        """Play one game.  Raises Back before it begins."""
        machine = self.machine
        if stones != LEARNS:
            self.tty.type(says.NOT_LEARNT)
            machine = Machine(Memory(), stones * 2 * MOST_PITS)
        mover = PLAYER if yes(self.tty, says.START, says.START_HELP) else MACHINE
        knew, lost = len(machine.memory), machine.memory.games[LOST]
        game = Game(machine)
        with suppress(Back):
            self.play_out(game, start(stones)._replace(mover=mover))
        taught = machine.memory.games[LOST] > lost
        self.save()  # adds the games of other sessions
        if len(machine.memory) != knew:
            self.tty.type(says.LEARNT.format(len(machine.memory)))
        if taught:
            self.tty.type(says.SEE_MEMORY.format(game.part))
        if game.recorder.full:
            self.tty.type(says.FULL.format(game.part, MOST_ENTRIES))

    def play_from(self, name: str) -> None:
        """Play from a special position: I am A.  Raises Refusal, Back."""
        position = special_position(self.tty, self.area, name).position
        self.tty.type(says.NOT_FROM_SPECIAL)
        machine = Machine(Memory(), position.stones)
        machine.learns = False
        with suppress(Back):
            self.play_out(Game(machine), position)

    def play_out(self, game: Game, position: Position) -> None:
        """Play to the end of the game.  Raises Back when the user quits."""
        help, more = says.YOUR_MOVE_HELP, says.YOUR_MOVE_MORE
        self.type_board(position)
        while not position.over:
            if position.mover == MACHINE:
                pits = self.my_turn(game, position)
            else:
                meaning = partial(self.your_turn, position)
                pits = ask(self.tty, says.YOUR_MOVE, meaning, help, more, back=(QUIT,))
                if not pits:
                    self.tty.type(says.I_WIN)
                    game.end(1)
                    return
            position = played(position, pits)[0]
            self.type_board(position)
        machine, player = position.score
        who = says.NOBODY_WINS
        if machine != player:
            who = says.I_WIN if machine > player else says.YOU_WIN
        self.tty.type(says.SCORE.format(machine, player) + who)
        game.end(machine - player)

    def my_turn(self, game: Game, position: Position) -> tuple[int, ...]:
        """Choose and type the machine's turn; return its pits."""
        before = game.steps[-1].value if game.steps else UNKNOWN
        move = game.move(position)
        if move.rejected:
            line = says.REJECTED if move.known else says.FEARED
            self.tty.type(line.format(notation(move.rejected)))
        if move.value >= CLAIM > before:
            self.tty.type(says.I_WILL_WIN)
        if move.value <= FEAR < before:
            sure = move.value == LOSS
            self.tty.type(says.I_SHALL_LOSE if sure else says.I_MAY_LOSE)
        pits = played(position, move.pits)[1]
        self.tty.type(says.I_PLAY.format(notation(pits)))
        return pits

    def your_turn(self, position: Position, answer: str) -> tuple[int, ...] | None:
        """Return the turn's pits, () to resign, None if neither.  Raises Refusal."""
        if begins(answer, RESIGN):
            return ()
        if not TURN.fullmatch(answer):
            return None
        pits = tuple(map(int, re.findall("[0-9]", answer)))
        for count, pit in enumerate(pits):
            problem = ""
            try:
                if count and position.mover != PLAYER:
                    raise GameOver
                position = position.play(pit)
            except IllegalPit:
                problem = says.NO_SUCH_PIT.format(pit)
            except EmptyPit:
                problem = says.PIT_IS_EMPTY.format(pit)
            except GameOver:
                ends = says.ENDS_GAME if position.over else says.ENDS_TURN
                problem = ends.format(pit, pits[count - 1])
            if problem:
                raise Refusal(problem + (says.NOTHING_PLAYED if count else ""))
        return pits

    def type_board(self, position: Position) -> None:
        self.tty.type(report.board(position.rows, position.kalahs))
