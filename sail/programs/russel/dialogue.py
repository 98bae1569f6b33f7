"""RUSSEL, the PDP-1 program of Stanford A.I. Memo 22, 1964: the typewriter.

Russell's program obeys single keys; here a line is a sequence of keys, obeyed
in order.  It plays single games: the memo's series of games up to a score of
forty is left out.
"""

from __future__ import annotations

import re
import time

from sail.board import MOST_PITS, PLAYERS, start
from sail.engine.limit import Clock
from sail.files import positions
from sail.files.area import Area
from sail.programs.russel import says
from sail.programs.russel.longlook import LongLookAhead, RusselGame
from sail.programs.russel.microflit import ADDRESSES, SYMBOL, Microflit
from sail.programs.russel.printout import Camera, Printout
from sail.programs.russel.words import Words
from sail.refusal import Refusal
from sail.stop import Stopped
from sail.talk.asking import Asker, Back, Command, Question
from sail.talk.choosing import special_position
from sail.teletype import Leave, Teletype

START = re.compile(r" *ST *(\+ *1)? *G? *")  # ST, ST+1; M22 has STG


def run(tty: Teletype, area: Area, clock: Clock = time.monotonic) -> None:
    """Listen to the typewriter until the user leaves (M22-TYPE)."""
    Typewriter(tty, area, clock).run()


class Typewriter:
    """One user's session with the program."""

    def __init__(self, tty: Teletype, area: Area, clock: Clock) -> None:
        self.tty = tty
        self.area = area
        self.clock = clock
        self.words = Words()
        self.game = RusselGame(self.words, start(self.words["IP"]))
        self.microflit = Microflit(self.words, self.game)
        self.camera = Camera(tty, area)
        self.asker = Asker(tty, "RUSSEL", says.RULES)
        self.commands = (
            Command("SU", says.SU_HELP, self.set_up, "NAME", whole=True, first=True),
            Command("SPECIAL", "", self.set_up, "NAME", whole=True),
            Command("PB", "PRINTS THE BOARD", self.pb, whole=True),
            Command("DISPLAY", says.DISPLAY_HELP, self.display, "N", whole=True),
            Command("PHOTO", says.PHOTO_HELP, self.photo, "N", whole=True),
            Command("Q", "LEAVES;  ^C STOPS AN ANALYSIS", None, whole=True, first=True),
        )

    def run(self) -> None:
        self.tty.type(says.TITLE)
        self.tty.type(says.FIRST)
        asks = Question(says.LISTENS, "", says.KEYS_MORE, (), says.WORDS_MORE, raw=True)
        try:
            while True:
                self.asker.ask(asks, self.commands, self.obey)
        except Back:
            return
        except Leave:
            self.tell_what_is_lost()
            raise

    def tell_what_is_lost(self) -> None:
        """Type the line that sets up this board, unless it is still the first one."""
        board = self.game.board
        if board.places != RusselGame(self.words, start(self.words["IP"])).board.places:
            stones = (board.kalahs[0], *board.row(0), board.kalahs[1], *board.row(1))
            line = says.SET_UP.format("".join(f" {count}" for count in stones))
            self.tty.type(says.GONE)
            self.tty.type(line + (says.THEN_R if board.second else ""))

    def obey(self, line: str) -> bool:
        """Obey a line of keys and return True.

        Raises Refusal, with an X under each wrong key.
        """
        symbol = SYMBOL.fullmatch(line)
        started = START.fullmatch(line)
        if not set(line) - set(" R123456"):
            self.obey_keys(line)
        elif symbol:
            self.open_word(symbol)
        elif started and started[1]:
            self.game.in_()
        elif started:
            self.game.su(start(self.words["IP"]))
            self.tell_board()
        elif line.strip().endswith(".POS"):
            self.set_up(line.strip())
        else:  # an x under each character refused (M22-TYPE)
            marks = "".join(" " if key in " R123456" else says.REFUSED for key in line)
            most = self.tty.width - len(says.LISTENS + says.REFUSED_HELP) - 1
            indent = " " * len(says.LISTENS)
            raise Refusal(indent + marks[:most] + says.REFUSED_HELP)
        return True

    # Typewriter control (M22-TYPE)

    def obey_keys(self, line: str) -> None:
        """Obey the keys in order, up to the first that is refused."""
        before = self.game.board.places, self.game.board.second
        typed = ""
        for key in line:
            if key in " R" and typed:
                self.tty.type(typed)
                typed = ""
            over = self.game.board.end_of_game
            if key == "R":
                at_start = not self.game.pdl
                self.game.rv()
                if at_start:
                    self.tell_who_begins()
            elif key == " " and not over:
                typed = self.machine_moves()
                if not typed:
                    break
            elif not over and int(key) in self.game.board.legal:
                typed += self.make(key)
            else:
                typed += says.REFUSED
                break
        if typed:
            self.tty.type(typed)
        if (self.game.board.places, self.game.board.second) != before:
            self.tell_board()

    def make(self, pits: str) -> str:
        """Make these moves; return the text to type."""
        typed = ""
        for pit in pits:
            self.game.mv(int(pit))
            end_of_turn = self.game.board.end_of_turn
            typed += pit + (says.TURN_DONE if end_of_turn else says.AGAIN)
        return typed

    def tell_who_begins(self) -> None:
        self.tty.type(says.BEGINS.format(PLAYERS[self.game.board.second]))

    def machine_moves(self) -> str:
        """Let the machine move; return the text to type, "" if it did not move."""
        if self.words["IA"] >= self.words["IB"]:
            self.tty.type(says.LIMITS)
            return ""
        printout = Printout(self.tty, self.words, self.show, self.clock)
        analysis = LongLookAhead(self.words, self.game.board, printout, self.tty.poll)
        self.game.analysis = analysis
        trouble = None
        try:
            variation = analysis.run()[1]
        except Stopped as stopped:
            variation, trouble = analysis.best, stopped
        printout.totals(analysis.effort.positions, analysis.long_effort, variation)
        if trouble:
            printout.line(says.STOPPED)
            return ""
        return self.make(re.split("[-,]", variation)[0])

    def tell_board(self) -> None:
        """Print the board if switch SS4 is on; type the score if the game is over."""
        if self.words["SS4"]:
            self.pb()
        if self.game.board.end_of_game:
            self.tty.type(says.END.format(*self.game.board.sides))

    def pb(self, _: str = "") -> None:
        """Print the board: kb b1 to b6 above a6 to a1 ka.

        After the last move of a game it agrees with the score: each player's
        kalah holds all stones of his side.
        """
        board = self.game.board
        a, b = board.row(0), board.row(1)
        ka, kb = board.kalahs
        if board.end_of_game and board.moves:
            a = b = [0] * MOST_PITS
            ka, kb = board.sides
        width = len(str(max(*a, *b, ka, kb)))
        for indent, row in (0, (kb, *b)), (width + 1, (*reversed(a), ka)):
            counts = " ".join(f"{count:>{width}}" for count in row)
            self.tty.type(" " * indent + counts)

    # Microflit

    def open_word(self, symbol: re.Match[str]) -> None:
        """Type the contents of a word; store the value that is typed after them."""
        name, sign, digits, mark, typed = symbol.groups()
        typed = typed.strip()
        offset = int((sign or "") + (digits or "0"), 8)
        if name in ADDRESSES and mark == "=" and not typed:
            self.tty.type(says.OCTAL.format(ADDRESSES[name][0] + offset))
            return
        try:
            name = self.microflit.locate(name, offset)
            if mark == "=":
                held = self.microflit.octal(name)
            else:
                held = self.microflit.symbolic(name)
            typed = typed or self.value_after(held)
            while typed == "=":
                typed = self.value_after(self.microflit.octal(name))
            if typed:
                self.microflit.put(name, typed)
                if name in ("IA", "IB") and self.words["IA"] >= self.words["IB"]:
                    self.tty.type(says.LIMITS)
        except Refusal as error:
            self.tty.type(str(error))

    def value_after(self, held: str) -> str:
        """Type the contents; return what the user adds: a value, =, or nothing."""
        return self.tty.ask(held + " ").upper().strip()

    def set_up(self, typed: str) -> None:
        """Set up the board from 14 numbers, a file name, or questions (AKC-15000)."""
        if typed and re.fullmatch(r"[-0-9, ]*", typed):
            counts = positions.parse_stones(typed)
            if len(counts) != 2 * (MOST_PITS + 1):
                raise positions.BadPosition(says.FOURTEEN_NUMBERS)
            position = positions.build(counts[:7], counts[7:])
        else:
            position = special_position(self.asker, self.area, typed).position
        self.game.su(position)
        self.tell_board()
        if position.mover:
            self.tell_who_begins()

    def display(self, number: str) -> None:
        """Type a line of the display, whose number is typed in octal."""
        self.show(f"DISPLAY {number}")

    def photo(self, number: str) -> None:
        """Photograph a line of the display."""
        self.show(f"PHOTO {number}")

    def show(self, line: str, number: int | None = None) -> bool:
        """Obey PHOTO or DISPLAY; return False if the line is neither."""
        return self.camera.obey(line, self.game.analysis.display, number)
