"""RUSSEL, the PDP-1 program of Stanford A.I. Memo 22, 1964: the typewriter."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from sail import special
from sail.area import Area, AreaError
from sail.board import MOST_PITS, PLAYERS, Position, start
from sail.programs.questions import Back, special_position
from sail.programs.russel import says
from sail.programs.russel.routines import READ_IN, Routines, Watch
from sail.refusal import Refusal
from sail.stop import Stopped
from sail.teletype import Teletype

SWITCHES_UP = {"SS3": 0, "SS4": 1, "SS5": 0, "SS6": 0}  # but for the board's
LAWS = ("IA", "IB", "ID", "IP")  # words that are instructions: LAW 5, LAW I 377
SYMBOL = re.compile(r" *([A-Z]+\d?(?:\+\d)?) *([/=])(.*)")
LAW_WORD, LAW_I_WORD = 0o700000, 0o710000
LEAST = {"IA": -0o7777, "IB": -0o7777, "ID": 2, "IP": 1, "Y": 1}
MOST = {
    **dict.fromkeys(("IA", "IB", "Y", "GM"), 0o7777),
    "ID": 0o77,
    "IP": special.MOST_STONES // (2 * MOST_PITS),
    **dict.fromkeys(("SOR", *SWITCHES_UP), 1),
}
MOST_WORD = 0o777777
LONGEST_PRINTED = 11  # characters of a variation (M22-LEAVES)
AT_ONCE = {"PHOTO": 0o10, "DISPLAY": 1}  # display lines, without a number
# The AC of the photographs' halts: 375001, 376002, 377003.
FIRST_HALT, NEXT_HALT, HALTS = 0o375000, 0o001000, 3
LONG_WORK = 3.0  # seconds, then each new best move at the root is typed,
SILENCE = 10.0  # and after so many seconds without a line one of any level


def run(tty: Teletype, area: Area, clock: Callable[[], float] = time.monotonic) -> None:
    """Listen to the typewriter until the user leaves (M22-TYPE)."""
    Typewriter(tty, area, clock).run()


class Typewriter(Watch):
    """The talk of one user with the program, and its printout."""

    def __init__(self, tty: Teletype, area: Area, clock: Callable[[], float]) -> None:
        self.tty = tty
        self.area = area
        self.clock = clock
        self.words: dict[str, int] = {**READ_IN, **SWITCHES_UP}
        self.program = Routines(self.words, self, start(self.words["IP"]))
        self.open = False  # the line of the paper has a label, and no end yet
        self.leaving = False

    def run(self) -> None:
        self.tty.type(says.TITLE)
        while not self.leaving:
            self.obey(self.tty.ask(says.LISTENS).upper())

    def obey(self, line: str) -> None:
        command, *rest = line.split() or [""]
        symbol = SYMBOL.fullmatch(line)
        if not set(line) - set(" R123456"):
            self.keys(line)
        elif symbol:
            self.microflit(symbol[1], symbol[2], symbol[3].strip())
        elif command in ("ST", "STG") and not rest:
            self.set_up(start(self.words["IP"]))
        elif command in ("ST+1", "ST+1G") and not rest:
            self.program.in_()
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
        for key in line:
            if key in " R" and typed:
                self.tty.type(typed)
                typed = ""
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
        if typed:
            self.tty.type(typed)
        if (self.program.board, self.program.second) != before:
            self.tell_board()

    def can_make(self, key: str) -> bool:
        program = self.program
        if key == " " or program.end_of_game:
            return False
        return bool(program.row(program.second)[int(key) - 1])

    def make(self, pits: str) -> str:
        """What is typed when these moves are made."""
        typed = ""
        for pit in pits:
            self.program.mv(int(pit))
            typed += pit + (says.TURN_DONE if self.program.end_of_turn else says.AGAIN)
        return typed

    def take_back(self) -> None:
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
            variation = self.program.analyse()[1]
        except Stopped:
            self.totals(self.program.best)
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
        """Print the board: kb b1 to b6, and below a6 to a1 ka."""
        a, b = self.program.row(0), self.program.row(1)
        ka, kb = self.program.kalahs
        width = len(str(max(*a, *b, ka, kb)))
        upper, lower = (
            " ".join(f"{count:>{width}}" for count in row)
            for row in ((kb, *b), (*reversed(a), ka))
        )
        self.tty.type(upper)
        self.tty.type(" " * (width + 1) + lower)

    # Microflit

    def microflit(self, symbol: str, mark: str, typed: str) -> None:
        """Type what a constant holds; put in what is typed after it."""
        if symbol not in self.words:
            self.tty.type(says.QUERY)
            return
        prompt = self.contents(symbol, octal=mark == "=")
        while True:
            typed = typed or self.tty.ask(prompt + " ").upper().strip()
            if typed == "=":
                prompt, typed = self.contents(symbol, octal=True), ""
                continue
            if typed:
                value = word(typed, symbol in LAWS)
                least, most = LEAST.get(symbol, 0), MOST.get(symbol, MOST_WORD)
                if value is None or not least <= value <= most:
                    self.tty.type(says.QUERY)
                else:
                    self.words[symbol] = value
            return

    def contents(self, symbol: str, octal: bool) -> str:
        value = self.words[symbol]
        if symbol not in LAWS:
            return says.OCTAL.format(value)
        if octal:
            return says.OCTAL.format(
                LAW_WORD + value if value >= 0 else LAW_I_WORD - value
            )
        return (says.LAW if value >= 0 else says.LAW_I).format(abs(value))

    # The board

    def set_up(self, position: Position) -> None:
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
        """Whether the line was PHOTO or DISPLAY; it is obeyed.

        number: the display line that is meant when none is typed.
        """
        command, *typed = line.split() or [""]
        if command not in AT_ONCE:
            return False
        lines = self.program.display.lines
        if typed:
            number = word("".join(typed), law=False)
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
        if self.open:
            self.tty.type()
        self.open = False
        self.tty.type(text)

    def move(self, label: str) -> None:
        self.label = label
        if not self.words["SS6"]:
            if self.open:
                self.tty.type()
            self.tty.type(says.MOVE.format(label), end="")
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

    def line_full(self) -> None:
        number = self.program.display.lines_begun
        accumulator = FIRST_HALT + NEXT_HALT * ((number - 1) % HALTS) + number
        self.line(says.HALT.format(accumulator))
        while True:
            answer = self.tty.ask().upper()
            if answer.strip() in ("", "T"):
                return
            if answer.strip() == "Q":
                raise Stopped
            if not self.show(answer, number):
                self.tty.type(says.HALTED_HELP)

    def better(self, dp: int, variation: str, value: int) -> None:
        now = self.clock()
        if now > (self.begun + LONG_WORK if dp == 1 else self.spoke + SILENCE):
            self.spoke = now
            self.line(says.VARIATION.format(variation.rstrip("-,"), value))

    def totals(self, variation: str) -> None:
        if not self.words["SS6"]:
            self.line(says.TOTALS.format(self.program.ef, self.program.p_ef))
            if variation:
                self.line(says.PRINCIPAL.format(variation.rstrip("-,")))

    def stop(self) -> bool:
        return self.tty.poll()


def word(typed: str, law: bool) -> int | None:
    """The number of an octal value; None for anything else.

    law: of the word LAW 5, LAW I 377 (or -377) too, or of its octal.
    """
    if re.fullmatch("[0-7]{1,6}", typed):
        value = int(typed, 8)
        if law and LAW_WORD <= value <= LAW_I_WORD + 0o7777:
            return value - LAW_WORD if value < LAW_I_WORD else LAW_I_WORD - value
        return value
    match = re.fullmatch(r"(?:LAW +)?(I +|-)?([0-7]{1,4})", typed)
    if not match or not law:
        return None
    return -int(match[2], 8) if match[1] else int(match[2], 8)
