"""RUSSEL, the PDP-1 program of Stanford A.I. Memo 22, 1964: the typewriter.

Russell's program hits on single keys; here a line is a sequence of them,
obeyed in order.  It knows single games: the memo's series of games up to a
score of forty is not kept, and nothing is carried from one game to the next.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from sail import special
from sail.area import Area, AreaError
from sail.board import MOST_PITS, PLAYERS, Position, start
from sail.programs.questions import Back, special_position
from sail.programs.russel import says
from sail.programs.russel.microflit import (
    ADDRESSES,
    SWITCHES,
    SYMBOL,
    BadWord,
    Microflit,
    address,
)
from sail.programs.russel.routines import READ_IN, OutOfFreeStorage, Routines, Watch
from sail.refusal import Refusal
from sail.stop import Stopped
from sail.teletype import Teletype

BOARD_SWITCH = "SS4"  # the only one that is up at first
LONGEST_PRINTED = 11  # characters of a variation (M22-LEAVES)
AT_ONCE = {"PHOTO": 0o10, "DISPLAY": 1}  # display lines, without a number
# The AC at the halts: 377000 before the analysis, then 375001, 376002, 377003.
FIRST_HALT, NEXT_HALT, HALTS = 0o375000, 0o001000, 3
START = re.compile(r" *ST *(\+ *1)? *G? *")  # ST, ST+1; the print has STG
GO_ON = re.compile(r" *(T *(, *[0-7]+ *)?)?")  # T, and T, 1632 once in the print
LONG_WORK = 3.0  # seconds, then each new best move at the root is typed,
SILENCE = 10.0  # and after so many seconds without a line one of any level


def run(tty: Teletype, area: Area, clock: Callable[[], float] = time.monotonic) -> None:
    """Listen to the typewriter until the user leaves (M22-TYPE)."""
    Typewriter(tty, area, clock).run()


class Typewriter(Watch):
    """The talk of one user with the program, and its printout."""

    label: str  # the move of the first level that is being searched
    begun: float  # when the analysis began, in seconds, and
    spoke: float  # when its last line was typed

    def __init__(self, tty: Teletype, area: Area, clock: Callable[[], float]) -> None:
        self.tty = tty
        self.area = area
        self.clock = clock
        self.words = {**READ_IN, **dict.fromkeys(SWITCHES, 0), BOARD_SWITCH: 1}
        self.program = Routines(self.words, self, start(self.words["IP"]))
        self.microflit = Microflit(self.words, self.program)
        self.open = False  # the label stands on the paper, its line has no end
        self.leaving = False

    def run(self) -> None:
        """Listen until the user leaves."""
        self.tty.type(says.TITLE)
        while not self.leaving:
            self.obey(self.tty.ask(says.LISTENS).upper())

    def obey(self, line: str) -> None:
        """Do what a typed line says, or refuse it."""
        command, *rest = line.split() or [""]
        symbol = SYMBOL.fullmatch(line)
        started = START.fullmatch(line)
        if not set(line) - set(" R123456"):
            self.keys(line)
        elif symbol:
            self.word(symbol)
        elif started and started[1]:
            self.program.in_()
        elif started:
            self.set_up(start(self.words["IP"]))
        elif command == "SU":
            self.special_position(" ".join(rest))
        elif command.endswith(".POS") and not rest:
            self.special_position(command)
        elif command == "PB" and not rest:
            self.pb()
        elif self.show(line):
            pass
        elif command == "?" and not rest:
            for text in says.HELP:
                self.tty.type(text)
        elif command == "Q" and not rest:
            self.leaving = True
        else:
            self.refuse(line)

    # Typewriter control (M22-TYPE)

    def keys(self, line: str) -> None:
        """Obey the characters in order, up to one that is refused."""
        before = self.program.board, self.program.second
        typed = ""
        trouble = ""
        for key in line:
            if key in " R" and typed:
                self.tty.type(typed)
                typed = ""
            try:
                if key == "R":
                    self.take_back()
                elif key == " " and not self.program.end_of_game:
                    typed = self.machine_moves()
                    if not typed:
                        break
                elif self.can_make(key):
                    typed += self.make(key)
                else:
                    typed += says.REFUSED
                    break
            except OutOfFreeStorage:
                trouble = says.OUT_OF_FREE_STORAGE
                break
        for text in (typed, trouble):
            if text:
                self.tty.type(text)
        if (self.program.board, self.program.second) != before:
            self.tell_board()

    def can_make(self, key: str) -> bool:
        """Whether the key is a pit that can be played."""
        program = self.program
        if program.end_of_game:
            return False
        return bool(program.row(program.second)[int(key) - 1])

    def make(self, pits: str) -> str:
        """What is typed when these moves are made.  Raises OutOfFreeStorage."""
        typed = ""
        for pit in pits:
            self.program.mv(int(pit))
            typed += pit + (says.TURN_DONE if self.program.end_of_turn else says.AGAIN)
        return typed

    def take_back(self) -> None:
        """Take back the last move; at the beginning the other player begins."""
        if self.program.pdl:
            self.program.rv()
        else:
            self.program.second ^= 1
            self.tty.type(says.BEGINS.format(PLAYERS[self.program.second]))

    def machine_moves(self) -> str:
        """What is typed when the machine has moved; empty if it did not."""
        if self.words["IA"] >= self.words["IB"]:
            self.tty.type(says.LIMITS)
            return ""
        self.begun = self.spoke = self.clock()
        try:
            variation = self.program.analyse(self.tty.poll)[1]
        except Stopped as stopped:
            self.totals(self.program.best)
            if isinstance(stopped, OutOfFreeStorage):
                self.line(says.OUT_OF_FREE_STORAGE)
            self.line(says.STOPPED)
            return ""
        self.totals(variation)
        return self.make(re.split("[-,]", variation)[0])

    def refuse(self, line: str) -> None:
        """Type an x where a character is refused (M22-TYPE)."""
        marks = (" " if key in " R123456" else says.REFUSED for key in line)
        self.tty.type((" " * len(says.LISTENS) + "".join(marks))[: self.tty.width - 1])

    def tell_board(self) -> None:
        """Print the board if the switch is on; tell the end of the game."""
        if self.words["SS4"]:
            self.pb()
        if self.program.end_of_game:
            self.tty.type(says.END.format(*self.program.sides))

    def pb(self) -> None:
        """Print the board: kb b1 to b6, and below a6 to a1 ka.

        After the last move of a game it shows what the score says: each
        player has brought home what lies on his side.
        """
        program = self.program
        a, b = program.row(0), program.row(1)
        ka, kb = program.kalahs
        if program.end_of_game and program.pdl:
            a = b = [0] * MOST_PITS
            ka, kb = program.sides
        width = len(str(max(*a, *b, ka, kb)))
        upper, lower = (
            " ".join(f"{count:>{width}}" for count in row)
            for row in ((kb, *b), (*reversed(a), ka))
        )
        self.tty.type(upper)
        self.tty.type(" " * (width + 1) + lower)

    # Microflit

    def word(self, symbol: re.Match[str]) -> None:
        """Type what a word holds; put in what is typed after it."""
        name, sign, digits, mark, typed = symbol.groups()
        typed = typed.strip()
        offset = int((sign or "") + (digits or "0"), 8)
        if name in ADDRESSES and mark == "=" and not typed:
            self.tty.type(says.OCTAL.format(ADDRESSES[name][0] + offset))
            return
        try:
            name = self.microflit.find(name, offset)
            if mark == "=":
                held = self.microflit.octal(name)
            else:
                held = self.microflit.typed(name)
            typed = typed or self.value_after(held)
            while typed == "=":
                typed = self.value_after(self.microflit.octal(name))
            if typed:
                self.microflit.put(name, typed)
        except BadWord as error:
            self.tty.type(str(error))

    def value_after(self, held: str) -> str:
        """What is typed after the word: a value, =, or nothing."""
        return self.tty.ask(held + " ").upper().strip()

    # The board

    def set_up(self, position: Position) -> None:
        """Set up a board, and print it."""
        self.program.su(position)
        self.tell_board()

    def special_position(self, typed: str) -> None:
        """Set up the board of 14 typed numbers or of a name (AKC-15000).

        With neither the numbers are asked for.
        """
        try:
            if typed and re.fullmatch(r"[-0-9, ]*", typed):
                counts = special.numbers(typed)
                if len(counts) != 2 * (MOST_PITS + 1):
                    raise special.BadPosition(says.FOURTEEN_NUMBERS)
                position = special.build(counts[:7], counts[7:])
            else:
                position = special_position(self.tty, self.area, typed).position
        except Back:
            return
        except Refusal as error:
            self.tty.type(str(error))
            return
        self.set_up(position)
        if position.mover:
            self.tty.type(says.BEGINS.format(PLAYERS[position.mover]))

    # The display

    def show(self, line: str, number: int | None = None) -> bool:
        """Obey the line if it is PHOTO or DISPLAY, and return whether it was.

        number: the display line that is meant when none is typed.
        """
        command, *typed = line.split() or [""]
        if command not in AT_ONCE:
            return False
        lines = self.program.display.lines
        if typed:
            number = address(" ".join(typed))
        if typed and number is None:
            self.tty.type(says.QUERY)
        elif not lines:
            self.tty.type(says.NO_DISPLAY)
        elif number is not None and not 1 <= number <= lines:
            self.tty.type(says.NO_SUCH_LINE.format(number, lines))
        elif number is None and lines > AT_ONCE[command]:
            self.tty.type(says.MANY_LINES.format(lines, command))
        else:
            for shown in [number] if number else range(1, lines + 1):
                self.show_line(command, shown)
        return True

    def show_line(self, how: str, number: int) -> None:
        """DISPLAY: type that display line.  PHOTO: put it on a file."""
        display = self.program.display
        if how == "DISPLAY":
            for row in display.strips(number, self.tty.width):
                self.tty.type(row)
            return
        digits = f"{number:o}"
        name = "PHOTO"[: 6 - len(digits)] + digits + ".SVG"
        try:
            self.area.write(name, display.svg(number))
        except AreaError as error:
            self.tty.type(str(error))
        else:
            self.tty.type(name)

    # The printout of an analysis

    def line(self, text: str) -> None:
        """Type a line of its own."""
        if self.open:
            self.tty.type()
        self.open = False
        self.tty.type(text)

    def move(self, variation: str) -> None:
        self.label = variation
        if not self.words["SS6"]:
            if self.open:
                self.tty.type()
            self.tty.type(says.MOVE.format(variation), end="")
            self.open = True

    def reply(self, variation: str, effort: int, long_effort: int, value: int) -> None:
        if self.words["SS6"]:
            return
        rest = variation[len(self.label) :].rstrip("-,")
        row = says.REPLY.format(rest) if rest else ""
        row += says.EFFORT.format(effort, long_effort, value)
        self.spoke = self.clock()
        self.tty.type(" " + row if self.open else row)
        self.open = False

    def leaf(self, variation: str, value: int, marker: str) -> None:
        at_marker = marker and self.words["SS5"]
        if at_marker or self.words["SS3"]:
            printed = says.VARIATION.format(variation[:LONGEST_PRINTED], value)
            self.line(says.AT_MARKER.format(marker) + printed if at_marker else printed)

    def photo_halt(self, line: int) -> None:
        accumulator = FIRST_HALT + NEXT_HALT * ((line - 1) % HALTS) + line
        self.line(says.HALT.format(accumulator))
        halted = self.clock()
        self.wait_for_t(line)
        waited = self.clock() - halted
        self.begun += waited
        self.spoke += waited

    def wait_for_t(self, line: int) -> None:
        """Return when the halt is to be left.  Raises Stopped."""
        while True:
            answer = self.tty.ask().upper()
            if GO_ON.fullmatch(answer):
                return
            if answer.strip() == "Q":
                raise Stopped
            if not self.show(answer, line):
                self.tty.type(says.HALTED_HELP)

    def better(self, level: int, variation: str, value: int) -> None:
        now = self.clock()
        if now > (self.begun + LONG_WORK if level == 1 else self.spoke + SILENCE):
            self.spoke = now
            self.line(says.VARIATION.format(variation.rstrip("-,"), value))

    def totals(self, variation: str) -> None:
        """Type te, tp and pv (M22-TOTALS)."""
        if not self.words["SS6"]:
            self.line(says.TOTALS.format(self.program.ef, self.program.p_ef))
            if variation:
                self.line(says.PRINCIPAL.format(variation.rstrip("-,")))
