"""ATLAS: Bell's Kalah program, which learns from the games that it loses."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial

from sail import special
from sail.area import Area, AreaError
from sail.board import EmptyPit, GameOver, IllegalPit, Position, start
from sail.programs.atlas import says
from sail.programs.atlas.machine import OPENING, Machine, notation
from sail.programs.atlas.memory import (
    DRAWN,
    LOST,
    MOST_ENTRIES,
    PARTS,
    REPLIES,
    WON,
    Entry,
    Memory,
    result,
)
from sail.programs.atlas.minimax import CLAIM, FEAR, LOSS, UNKNOWN
from sail.programs.atlas.parameters import FIG_6
from sail.programs.atlas.store import TAPE, Store
from sail.programs.atlas.tape import Damaged
from sail.programs.atlas.teacher import Teacher, played
from sail.programs.atlas.turns import MACHINE, PLAYER
from sail.programs.picture import counts, row
from sail.programs.questions import QUIT, Back, ask, begins, yes
from sail.refusal import Refusal, printable
from sail.stop import Stopped
from sail.teletype import Teletype

LEARNS = 3  # stones a pit
MOST_A_PIT = 6  # a pit
PITS = 6
TURN = re.compile("P?[0-9](?:[-, ]*P?[0-9])*")
RESIGN = "RESIGN"
SAVE_EVERY = 20.0  # seconds of teaching between two writings of the tape


def run(tty: Teletype, area: Area, clock: Callable[[], float] = time.monotonic) -> None:
    """Play games, and learn, until the user leaves."""
    Dialogue(tty, area, clock).run()


class BadTurn(Refusal):
    """Why the pits that were typed are no turn."""


class Dialogue:
    """The talk of one user with ATLAS, down the page."""

    def __init__(self, tty: Teletype, area: Area, clock: Callable[[], float]) -> None:
        self.tty = tty
        self.clock = clock
        self.area = area
        self.store = Store(area)
        self.machine = Machine(Memory())
        self.teacher: Teacher | None = None

    def run(self) -> None:
        self.tty.type(says.TITLE)
        try:
            self.machine.memory = self.store.load()
        except (AreaError, Damaged) as error:
            self.set_aside(error)
        help, more = says.STONES_HELP, says.STONES_MORE
        try:
            with suppress(Back):
                while True:
                    ask(self.tty, says.STONES, self.obey, help, more, back=(QUIT,))
        finally:
            self.save()

    def obey(self, line: str) -> bool | None:
        """True once the command is obeyed, None if there is no such command.

        Raises Back from a question of its own, and AreaError.
        """
        command, *words = line.split() or [""]
        stones = special.number(command, MOST_A_PIT)
        if not words and stones:
            self.play(stones)
        elif begins(command, "TEACH") and len(words) < 2:
            self.teach(*words)
        elif begins(command, "MEMORY") and len(words) < 3:
            self.tell_memory(*words)
        elif begins(command, "CHARACTERISTICS"):
            self.machine.characteristics = self.switched(
                "CHARACTERISTICS", words, self.machine.characteristics
            )
        elif begins(command, "PARAMETERS"):
            self.machine.parameters = self.switched(
                "PARAMETERS", words, self.machine.parameters
            )
        elif begins(command, "INFERENCES"):
            self.machine.inferences = self.switched(
                "INFERENCES", words, self.machine.inferences
            )
        elif begins(command, "NEW") and not words:
            self.new_tape()
        else:
            return None
        return True

    def lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.tty.type(line)

    def switched(self, name: str, words: list[str], was: bool) -> bool:
        """Whether that is on now."""
        if words in (["ON"], ["OFF"]):
            self.tty.type(says.SWITCHED.format(name, words[0]))
            return words == ["ON"]
        self.tty.type(says.ON_OR_OFF.format(name, name))
        return was

    # The tape

    def set_aside(self, error: Exception) -> None:
        self.tty.type(str(error))
        if not self.store.keeps:
            self.tty.type(says.SET_ASIDE)

    def save(self) -> None:
        try:
            self.machine.memory = self.store.save(self.machine.memory)
        except (AreaError, Damaged) as error:
            self.set_aside(error)

    def new_tape(self) -> None:
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
            machine = Machine(Memory(), stones * 2 * PITS)
        mover = PLAYER if yes(self.tty, says.START, says.START_HELP) else MACHINE
        knew = len(machine.memory)
        machine.begin()
        with suppress(Back):
            self.game(machine, start(stones)._replace(mover=mover))
        self.save()
        if len(machine.memory) != knew:
            self.tty.type(says.LEARNT.format(len(machine.memory)))
        self.tell_full(machine)

    def game(self, machine: Machine, position: Position) -> None:
        """Play to the end of the game.  Raises Back when the user quits."""
        value = UNKNOWN
        self.board(position)
        while not position.over:
            if position.mover == MACHINE:
                position, value = self.my_turn(machine, position, value)
                continue
            pits = ask(
                self.tty,
                says.YOUR_MOVE,
                partial(self.your_turn, position),
                says.YOUR_MOVE_HELP,
                says.YOUR_MOVE_MORE,
                back=(QUIT,),
            )
            if not pits:
                self.tty.type(says.I_WIN)
                machine.end(1)
                return
            position = played(position, pits)[0]
            self.board(position)
        self.tell_end(position)
        machine.end(position.score[MACHINE] - position.score[PLAYER])

    def my_turn(
        self, machine: Machine, position: Position, before: int
    ) -> tuple[Position, int]:
        """The position after the machine's turn, and what it thinks of it."""
        move = machine.move(position)
        position, pits = played(position, move.pits)
        if move.rejected:
            line = says.REJECTED if move.known else says.FEARED
            self.tty.type(line.format(notation(move.rejected)))
        if move.value >= CLAIM > before:
            self.tty.type(says.I_WILL_WIN)
        if move.value <= FEAR < before:
            sure = move.value == LOSS
            self.tty.type(says.I_SHALL_LOSE if sure else says.I_MAY_LOSE)
        self.tty.type(says.I_PLAY.format(notation(pits)))
        self.board(position)
        return position, move.value

    def your_turn(self, position: Position, answer: str) -> tuple[int, ...] | None:
        """The pits of the user's turn, none if he resigns; None if it is no turn.

        Raises BadTurn if one of the pits cannot be played.
        """
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
                problem = says.CANNOT_FOLLOW.format(pit, pits[count - 1])
            if problem:
                raise BadTurn(problem + (says.NOTHING_PLAYED if count else ""))
        return pits

    def board(self, position: Position) -> None:
        self.picture(position.rows, position.kalahs)

    def picture(
        self,
        rows: tuple[Iterable[object], Iterable[object]],
        kalahs: tuple[object, object],
    ) -> None:
        """Type the board, the machine on top (BELL-III)."""
        numbers = range(1, PITS + 1)
        self.tty.type()
        self.tty.type(row(f"M{pit}" for pit in numbers))
        self.lines(counts([list(cells) for cells in rows], kalahs))
        self.tty.type(row(f"P{pit}" for pit in reversed(numbers)))
        self.tty.type()

    def tell_end(self, position: Position) -> None:
        machine, player = position.score
        who = says.NOBODY_WINS
        if machine != player:
            who = says.I_WIN if machine > player else says.YOU_WIN
        self.tty.type(says.SCORE.format(machine, player) + who)

    def tell_full(self, machine: Machine) -> None:
        for part in sorted(machine.full):
            self.tty.type(says.FULL.format(part, MOST_ENTRIES))

    # TEACH

    def teach(self, reply: str = "") -> None:
        """Play games against the teacher until the machine rejects the replies.

        reply: only that one.  With parameters it rejects what it only takes
        for lost, too.
        """
        if reply and reply not in REPLIES:
            self.tty.type(says.NO_REPLY.format(printable(reply)))
            return
        machine = self.machine
        rejected = machine.taken_for_lost()
        told: list[str] = []
        full: set[str] = set()
        number, kept = 0, self.clock()
        try:
            while len(rejected) < len(REPLIES) and reply not in rejected:
                number += 1
                self.tell_game(number, self.taught_game())
                if machine.full - full:
                    self.tell_full(machine)
                    full |= machine.full
                before, rejected = rejected, machine.taken_for_lost()
                told = [name for name in rejected if name not in before]
                self.tell_lost(told)
                if self.clock() - kept > SAVE_EVERY or told:
                    self.save()
                    kept = self.clock()
        except Stopped:
            self.tty.type(says.STOPPED)
        finally:
            self.save()
        if reply in rejected and reply not in told:
            self.tell_lost([reply])
        elif len(rejected) == len(REPLIES):
            sure = len(machine.known_lost()) == len(REPLIES)
            self.tty.type(says.ALL_KNOWN if sure else says.ALL_TAKEN)

    def taught_game(self) -> Position:
        """The end of a game against the teacher.  Raises Stopped."""
        if not self.teacher:
            self.tty.type(says.PREPARES)
            self.teacher = Teacher(self.machine, self.tty.poll)
        self.machine.begin()
        position = OPENING
        while not position.over:
            if position.mover == MACHINE:
                pits = self.machine.move(position).pits
            else:
                pits = self.teacher.turn(position)
            position = played(position, pits)[0]
            if self.tty.poll():
                raise Stopped
        self.machine.end(position.score[MACHINE] - position.score[PLAYER])
        return position

    def tell_game(self, number: int, end: Position) -> None:
        part = self.machine.part
        entries = len(self.machine.memory.parts[part])
        machine, player = end.score
        ending = result(machine - player)
        line = says.GAME.format(number, part, machine, player, ending, entries)
        self.tty.type(line)

    def tell_lost(self, replies: list[str]) -> None:
        known = self.machine.known_lost() if replies else []
        for reply in replies:
            line = says.KNOWN if reply in known else says.TAKEN
            self.tty.type(line.format(reply))

    # MEMORY

    def tell_memory(self, part: str = "", number: str = "") -> None:
        """Type what the machine knows: all, or one position of a part."""
        if not part:
            self.tell_all()
        elif part not in PARTS:
            self.tty.type(says.NO_REPLY.format(printable(part)))
        else:
            entries = list(self.machine.memory.parts[part].entries)
            which = special.number(number or str(len(entries)), len(entries))
            if which:
                self.tell_entry(entries[which - 1])
            elif entries:
                self.tty.type(says.NO_ENTRY.format(part, len(entries)))
            else:
                self.tty.type(says.NO_ENTRIES.format(part))

    def tell_all(self) -> None:
        machine, memory = self.machine, self.machine.memory
        known, taken = machine.known_lost(), machine.taken_for_lost()
        compressed: Entry | None = None
        self.tty.type(says.MEMORY_HEAD)
        for name, part in memory.parts.items():
            losers = len(part) - part.winners
            line = says.MEMORY_PART.format(name, part.winners, losers)
            if name in taken:
                line += says.LOSES if name in known else says.MAY_LOSE
            self.tty.type(line)
            for entry in part.entries:
                compressed = entry if entry.compressed else compressed
        winners = sum(part.winners for part in memory.parts.values())
        self.tty.type(says.MEMORY_PART.format(says.ALL, winners, len(memory) - winners))
        games = (memory.games[ending] for ending in (WON, LOST, DRAWN))
        self.tty.type(says.GAMES.format(*games))
        switches = machine.characteristics, machine.parameters, machine.inferences
        words = ("ON" if on else "OFF" for on in switches)
        self.tty.type(says.SWITCHES.format(*words))
        self.tty.type(says.PARAMETERS_HEAD)
        limits = memory.parameters.limits
        for kalah in sorted({*limits, *FIG_6}, reverse=True):
            cells = (table.get(kalah, says.NONE) for table in (limits, FIG_6))
            self.tty.type(says.PARAMETERS_ROW.format(kalah, *cells))
        if compressed:
            self.tell_entry(compressed)

    def tell_entry(self, entry: Entry) -> None:
        """Type a position with its x's (BELL-CHAR)."""
        if entry.pseudo:
            head = says.PSEUDO_WINNER if entry.won else says.PSEUDO_LOSER
        else:
            head = says.WINNER if entry.won else says.LOSER
        self.tty.type(head)
        if entry.compressed:
            self.tty.type(says.COMPRESSED)
        self.picture(entry.rows, entry.kalahs)
