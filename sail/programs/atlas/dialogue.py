"""ATLAS: Bell's Kalah program, which learns from the games that it loses."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from sail.area import Area, AreaError
from sail.board import EmptyPit, GameOver, IllegalPit, Position, start
from sail.programs.atlas import says
from sail.programs.atlas.machine import MACHINE, OPENING, PLAYER, Machine, notation
from sail.programs.atlas.memory import (
    DRAWN,
    LOST,
    MOST_ENTRIES,
    PARTS,
    REPLIES,
    WON,
    Entry,
    Memory,
)
from sail.programs.atlas.minimax import CLAIM, LOSS
from sail.programs.atlas.parameters import FIG_6
from sail.programs.atlas.store import TAPE, Store
from sail.programs.atlas.tape import Damaged
from sail.programs.atlas.teacher import Teacher, played
from sail.programs.picture import counts, row
from sail.programs.questions import Back, begins, yes
from sail.refusal import printable
from sail.stop import Stopped
from sail.teletype import Teletype

LEARNS = "3"  # stones a pit
PITS = 6
TURN = re.compile(r"P?\d(?:[-, ]*P?\d)*")
KEEP = 20.0  # seconds of teaching between two writings of the tape


def run(tty: Teletype, area: Area, clock: Callable[[], float] = time.monotonic) -> None:
    """Play games, and learn, until the user leaves."""
    Dialogue(tty, area, clock).run()


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
        try:
            staying = True
            while staying:
                with suppress(Back):
                    staying = self.obey(self.tty.ask(says.STONES))
        finally:
            self.save()

    def obey(self, line: str) -> bool:
        """Whether the user stays.  Raises Back from a question of its own."""
        command, *words = line.upper().split() or [""]
        if not words and command in tuple("123456"):
            self.play(command)
        elif begins(command, "TEACH") and len(words) < 2:
            self.teach(*words)
        elif begins(command, "MEMORY") and len(words) < 3:
            self.tell_memory(words)
        elif begins(command, "CHARACTERISTICS") and len(words) < 2:
            self.machine.characteristics = self.switched(
                "CHARACTERISTICS", words, self.machine.characteristics
            )
        elif begins(command, "PARAMETERS") and len(words) < 2:
            self.machine.parameters = self.switched(
                "PARAMETERS", words, self.machine.parameters
            )
        elif begins(command, "NEW") and not words:
            self.new_tape()
        elif begins(command, "QUIT") and not words:
            return False
        else:
            self.lines(says.STONES_MORE if command == "?" else [says.STONES_HELP])
        return True

    def lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.tty.type(line)

    def switched(self, name: str, words: list[str], was: bool) -> bool:
        """Whether the compression is on now."""
        for on, word in says.ON_OFF.items():
            if words == [word]:
                self.tty.type(says.SWITCHED.format(name, word))
                return on
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
            try:
                name = self.store.new()
            except AreaError as error:
                self.tty.type(str(error))
                return
            self.machine.memory = Memory()
            self.tty.type(says.NEW_DONE.format(name))

    # A game

    def play(self, stones: str) -> None:
        """Play one game.  Raises Back before it begins."""
        if stones == LEARNS:
            machine = self.machine
        else:
            self.tty.type(says.NOT_LEARNT)
            machine = Machine(Memory(), int(stones) * 2 * PITS)
        starts = yes(self.tty, says.START)
        mover = PLAYER if starts else MACHINE
        position: Position | None = start(int(stones))._replace(mover=mover)
        assert position
        knew = len(machine.memory)
        machine.begin()
        value = 0
        self.board(position)
        while not position.over:
            if position.mover == MACHINE:
                position, value = self.my_turn(machine, position, value)
                continue
            answer = self.tty.ask(says.YOUR_MOVE).strip().upper()
            if TURN.fullmatch(answer):
                position = self.your_turn(position, re.findall(r"\d", answer))
            elif begins(answer, "RESIGN"):
                machine.end(1)
                self.tty.type(says.I_WIN)
                break
            elif begins(answer, "QUIT"):
                break
            else:
                more = says.YOUR_MOVE_MORE if answer == "?" else [says.YOUR_MOVE_HELP]
                self.lines(more)
        else:
            self.tell_end(position)
            machine.end(position.score[MACHINE] - position.score[PLAYER])
        self.save()
        if len(machine.memory) != knew:
            self.tty.type(says.LEARNT.format(len(machine.memory)))
        self.tell_full()

    def my_turn(
        self, machine: Machine, position: Position, before: int
    ) -> tuple[Position, int]:
        """The position after the machine's turn, and what it thinks of it."""
        move = machine.move(position)
        position, pits = played(position, move.pits)
        if move.rejected:
            self.tty.type(says.REJECTED.format(notation(move.rejected)))
        if move.value >= CLAIM > before:
            self.tty.type(says.I_WILL_WIN)
        if move.value == LOSS < before:
            self.tty.type(says.I_SHALL_LOSE)
        self.tty.type(says.I_PLAY.format(notation(pits)))
        self.board(position)
        return position, move.value

    def your_turn(self, position: Position, pits: list[str]) -> Position:
        """The position after these pits, or as it was if one cannot be played."""
        after = position
        for count, pit in enumerate(pits):
            problem = ""
            try:
                if count and after.mover != PLAYER:
                    raise GameOver
                after = after.play(int(pit))
            except IllegalPit:
                problem = says.NO_SUCH_PIT.format(pit)
            except EmptyPit:
                problem = says.PIT_IS_EMPTY.format(pit)
            except GameOver:
                problem = says.CANNOT_FOLLOW.format(pit, pits[count - 1])
            if problem:
                self.tty.type(problem + (says.NOTHING_PLAYED if count else ""))
                return position
        self.board(after)
        return after

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

    def tell_full(self) -> None:
        for part in sorted(self.machine.full):
            self.tty.type(says.FULL.format(part, MOST_ENTRIES))

    # TEACH

    def teach(self, reply: str = "") -> None:
        """Games against the teacher until the replies are known to lose."""
        if reply and reply not in REPLIES:
            self.tty.type(says.NO_REPLY.format(printable(reply)))
            return
        machine = self.machine
        if not self.teacher:
            self.tty.type(says.PREPARES)
            self.teacher = Teacher(machine, self.tty.poll)
        known = machine.known_lost()
        full: set[str] = set()
        number, kept = 0, self.clock()
        try:
            while len(known) < len(REPLIES) and reply not in known:
                number += 1
                machine.begin()
                score = self.taught_game()
                result = says.RESULTS[(score[0] > score[1]) - (score[0] < score[1])]
                entries = len(machine.memory.parts[machine.part])
                self.tty.type(
                    says.GAME.format(number, machine.part, *score, result, entries)
                )
                if machine.full - full:
                    self.tell_full()
                    full |= machine.full
                before, known = known, machine.known_lost()
                for name in known:
                    if name not in before:
                        self.tty.type(says.KNOWN.format(name))
                if self.clock() - kept > KEEP or known != before:
                    self.save()
                    kept = self.clock()
        except Stopped:
            self.tty.type(says.STOPPED)
        finally:
            self.save()
        if len(known) == len(REPLIES):
            self.tty.type(says.ALL_KNOWN)
        elif reply in known and not number:
            self.tty.type(says.KNOWN.format(reply))

    def taught_game(self) -> tuple[int, int]:
        """The score of a game against the teacher.  Raises Stopped."""
        assert self.teacher
        position = OPENING
        while not position.over:
            if position.mover == MACHINE:
                pits = self.machine.move(position).pits
            else:
                pits = self.teacher.turn(position)
            position = played(position, pits)[0]
            if self.tty.poll():
                raise Stopped
        machine, player = position.score
        self.machine.end(machine - player)
        return machine, player

    # MEMORY

    def tell_memory(self, words: list[str]) -> None:
        """What it knows: all, or one position."""
        if not words:
            self.tell_all()
            return
        part = words[0]
        if part not in PARTS:
            self.tty.type(says.NO_REPLY.format(printable(part)))
            return
        entries = list(self.machine.memory.parts[part].entries)
        number = words[1] if len(words) > 1 else str(len(entries))
        if not (number.isascii() and number.isdigit() and len(number) < 5):
            number = "0"
        if 1 <= int(number) <= len(entries):
            self.tell_entry(entries[int(number) - 1])
        else:
            self.tty.type(says.NO_ENTRY.format(part, len(entries)))

    def tell_all(self) -> None:
        machine, memory = self.machine, self.machine.memory
        known = machine.known_lost()
        compressed: Entry | None = None
        self.tty.type(says.MEMORY_HEAD)
        for name, part in memory.parts.items():
            losers = len(part) - part.winners
            line = says.MEMORY_PART.format(name, part.winners, losers)
            self.tty.type(line + (says.LOSES if name in known else ""))
            for entry in part.entries:
                compressed = entry if entry.compressed else compressed
        winners = sum(part.winners for part in memory.parts.values())
        self.tty.type(says.MEMORY_PART.format(says.ALL, winners, len(memory) - winners))
        games = (memory.games[result] for result in (WON, LOST, DRAWN))
        self.tty.type(says.GAMES.format(*games))
        switches = (machine.characteristics, machine.parameters)
        self.tty.type(says.SWITCHES.format(*(says.ON_OFF[on] for on in switches)))
        self.tty.type(says.PARAMETERS_HEAD)
        limits = memory.parameters.limits
        for kalah in sorted({*limits, *FIG_6}, reverse=True):
            cells = (table.get(kalah, says.NONE) for table in (limits, FIG_6))
            self.tty.type(says.PARAMETERS_ROW.format(kalah, *cells))
        if compressed:
            self.tell_entry(compressed)

    def tell_entry(self, entry: Entry) -> None:
        """Type a position with its x's (BELL-CHAR)."""
        self.tty.type(says.WINNER if entry.won else says.LOSER)
        plus = "+" if entry.compressed else ""
        self.picture(
            (
                ["X" if n is None else n for n in entry.m],
                ["X" if n is None else f"{n}{plus}" for n in entry.p],
            ),
            (f"{entry.kalah}{plus}", entry.player_kalah),
        )
