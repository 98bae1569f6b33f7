"""RUSSEL, the PDP-1 program of Stanford A.I. Memo 22, 1964: the typewriter.

Russell's program obeys single keys; here a line is a sequence of keys, obeyed
in order.  It plays single games: in a series, up to a score of forty, the players
add up the scores.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import NoReturn

from sail.board import PLAYERS, opening
from sail.files.area import Area
from sail.programs.russel import microflit, says
from sail.programs.russel.analysis import RusselGame
from sail.programs.russel.microflit import SYMBOL, parse_octal
from sail.programs.russel.printout import Printout
from sail.programs.russel.routines import egc, stones_by_side
from sail.programs.russel.words import READ_IN
from sail.refusal import Refusal
from sail.stop import Stopped
from sail.talk.asking import Asker, Back, Command, Commands, attempt
from sail.talk.choosing import ask_special_position
from sail.teletype import Teletype

PLAYING = " R123456"  # the keys that take or make moves
START = re.compile(r" *ST *(\+ *1)? *G? *")  # ST, ST+1; M22 has STG
GO_ON = re.compile(r"(T *(, *[0-7]+)?)?")  # T, or T and an address (M22-T)


class Session:
    """One user's session with RUSSEL.  game: the board, the words, the analysis."""

    def __init__(self, tty: Teletype, area: Area) -> None:
        self.tty = tty
        self.game = RusselGame(opening(READ_IN["IP"]))
        self.asker = Asker(tty, area, "RUSSEL", says.RULES)
        self.display_command: Command[NoReturn] = Command(
            "DISPLAY", "TYPES DISPLAY LINE N", self._type_display, "N", in_full=True
        )

    def run(self) -> None:
        """Listen to the typewriter until the user leaves (M22-TYPE)."""
        self.asker.type_lines([says.TITLE, says.FIRST])
        commands: Commands[str] = (
            Command(
                "SU",
                "SETS UP NAME.POS, OR 14 NUMBERS THAT YOU TYPE",
                self._su,
                "NAME",
                short=True,
                in_full=True,
                alias="SPECIAL",
            ),
            Command("PB", "PRINTS THE BOARD", self._pb, in_full=True),
            self.display_command,
            Command("Q", "LEAVES;  ^C STOPS AN ANALYSIS", short=True, alias="QUIT"),
        )
        with suppress(Back):
            while True:
                line = self.asker.ask(says.KEYS, commands, lambda line: line)
                attempt(self.tty, partial(self.obey, line))

    def obey(self, line: str) -> None:
        """Obey a line of keys.  Raises Refusal, with an X under each wrong key."""
        if not set(line) - set(PLAYING):
            self._obey_keys(line)
        elif symbol := SYMBOL.fullmatch(line):
            self._open_word(symbol)
        elif not (started := START.fullmatch(line)):
            self.tty.doubt()
            # An x under each character refused (M22-TYPE).
            refused = "".join(" " if key in PLAYING else says.REFUSED for key in line)
            taken = len(says.KEYS.prompt + says.REFUSED_HELP) + 1
            most = self.tty.settings.width - taken
            raise Refusal(" " + refused[:most] + says.REFUSED_HELP)
        elif started[1]:
            self.game.in_()
        else:
            self.game.su(opening(self.game.words["IP"]))
            self._type_board()

    # Typewriter control (M22-TYPE)

    def _obey_keys(self, line: str) -> None:
        """Obey the keys in order, up to the first that is refused."""
        before = self.game.position
        text = ""
        for key in line:
            if key in " R" and text:
                self.tty.type(text)
                text = ""
            over = egc(self.game.position)
            if key == "R":
                at_start = not self.game.pdl
                self.game.rv()
                if at_start:
                    self._type_who_begins()
            elif key == " " and not over:
                text = self._machine_moves()
                if not text:
                    break
            elif not over and int(key) in self.game.position.legal:
                text += self._make(key)
            else:
                text += says.REFUSED
                break
        if text:
            self.tty.type(text)
        if self.game.position != before:
            self._type_board()

    def _make(self, pits: str) -> str:
        """Make these moves; return the text to type."""
        text = ""
        for pit in pits:
            mover = self.game.position.mover
            self.game.mv(int(pit))
            repeats = self.game.position.mover == mover
            text += pit + (says.REPEATS if repeats else says.TURN_DONE)
        return text

    def _type_who_begins(self) -> None:
        self.tty.type(says.BEGINS.format(PLAYERS[self.game.position.mover]))

    def _machine_moves(self) -> str:
        """Let the program move; return the text to type, "" if it did not move."""
        if self.game.words["IA"] >= self.game.words["IB"]:
            self.tty.type(says.NO_ROOM)
            return ""
        self.game.analysis = analysis = Printout(self.tty, self.game, self._wait)
        try:
            _, variation = analysis.run()
        except Stopped:
            analysis.type_line(says.NOTHING_MOVED)
            return ""
        analysis.totals(variation)
        return self._make(re.split("[-,]", variation)[0])

    def _wait(self) -> None:
        """Wait until the user goes on after a halt.  Raises Stopped (M22-PHOTO)."""
        commands: Commands[object] = (
            self.display_command,
            Command("Q", "STOPS", short=True, alias="QUIT"),
        )
        try:
            self.asker.ask(says.HALTED, commands, GO_ON.fullmatch)
        except Back:
            raise Stopped from None

    def _type_board(self) -> None:
        """Print the board if switch SS4 is on; type the score if the game is over."""
        if self.game.words["SS4"]:
            self._pb()
        if egc(self.game.position):
            self.tty.type(says.END.format(*stones_by_side(self.game.position)))

    def _pb(self, _: str = "") -> None:
        """Print the board: kb b1 to b6 above a6 to a1 ka."""
        (a, b), (ka, kb) = self.game.position.rows, self.game.position.kalahs
        width = len(str(max(*a, *b, ka, kb)))
        for indent, holes in (0, (kb, *b)), (width + 1, (*a[::-1], ka)):
            counts = " ".join(f"{count:>{width}}" for count in holes)
            self.tty.type(" " * indent + counts)

    def _open_word(self, symbol: re.Match[str]) -> None:
        """Type the contents of a word and store the value that is typed after them.

        The value may be typed with the symbol, too.  Raises Refusal.
        """
        first, sign, digits, key, typed = symbol.groups()
        offset = int((sign or "") + (digits or "0"), 8)
        name = microflit.locate(self.game, first, offset)
        if not name:
            self.tty.doubt()
            raise Refusal(says.NO_SYMBOL)
        typed = typed.strip() or key
        with suppress(Back):
            while typed in ("/", "="):
                show = microflit.octal if typed == "=" else microflit.symbolic
                question = says.VALUE._replace(prompt=show(self.game, name) + " ")
                typed = self.asker.ask(question, meaning=lambda line: line)
            if typed:
                microflit.set_word(self.game, name, typed)

    def _su(self, typed: str) -> None:
        """Set up the board from 14 numbers, a file name, or questions (AKC-15000)."""
        entry = ask_special_position(self.asker, typed)
        self.asker.type_lines(entry.comments)
        self.game.su(entry.position)
        self._type_board()
        if entry.position.mover:
            self._type_who_begins()

    def _type_display(self, typed: str) -> None:
        """Type the display line of this number, else the last one.  Raises Refusal."""
        display = self.game.analysis.display
        number = parse_octal(typed) if typed else display.last_line
        if not display.plies:
            raise Refusal(says.NO_DISPLAY)
        if number is None or not 1 <= number <= display.last_line:
            raise Refusal(says.WHICH_LINE.format(display.last_line))
        self.asker.type_lines(display.strips(number, self.tty.settings.width))
