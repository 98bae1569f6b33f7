"""SILVER, Roland Silver's PDP-1 program: the typewriter (APN).

The note's operator hits single keys; a teletype sends lines.  So a line is
a sequence of keys, obeyed in order, and an empty line is the carriage return.

A's turn and B's answer make one row of moves, punctuated as in the note.  The row
so far is the prompt, so the keys are typed where the moves belong.  The tube
always showed the board; here it is typed after each line that made a move.

Fig. 1 is not in the scan.  We take A to be the lower player, because in Fig. 3 the
+ shows that the lower player begins, and A begins in the note.

The rules are STANDARD_RULES.  The game ends when a play empties its player's row
(APN-3A).  It also ends when a capture empties the opponent's row, because the
opponent then cannot move.  A majority does not end it.
"""

from __future__ import annotations

from contextlib import suppress

from sail.board import MOST_PITS, PLAYERS, STANDARD_RULES, Position, start
from sail.files import positions
from sail.files.area import Area
from sail.files.placing import MOST_STONES
from sail.programs.silver import says
from sail.programs.silver.analysis import LookAhead
from sail.refusal import Refusal
from sail.stop import Stopped
from sail.talk.asking import GOES_BACK, Asker, Back, Command, Commands, go_back
from sail.talk.choosing import special_command
from sail.teletype import Teletype
from sail.typed import parse_number

STONES = 3  # in each pit (APN-BOARD)
MOST_A_PIT = MOST_STONES // (2 * MOST_PITS)
DEPTH = 4  # turns; ours
MOST_DEPTH = 0o77


def run(tty: Teletype, area: Area) -> None:
    """Play games until the user leaves."""
    Silver(tty, area).run()


class Silver:
    """One user's session with SILVER.

    start, depth: the first position of this game, and its look-ahead in turns.
    position, row: the position now, and the moves since B's last turn ended.
    before: what BACK brings back, a position and a row each.
    look_ahead: the last one of this game.
    """

    def __init__(self, tty: Teletype, area: Area) -> None:
        self.tty = tty
        self.area = area
        self.asker = Asker(tty, "SILVER", says.RULES)
        self.start = start(STONES, rules=STANDARD_RULES)
        self.depth = DEPTH
        self.position = self.start
        self.row = ""
        self.before: list[tuple[Position, str]] = []
        self.look_ahead: LookAhead | None = None

    def run(self) -> None:
        commands: Commands[bool] = (
            Command("BACK", "TAKES BACK THE LAST TURN, OR AN EMPTY LINE", self.back),
            Command("VALUE", says.VALUE_HELP, self.tell_value),
            Command("NEW", says.NEW_HELP, self.new),
            Command("QUIT", "LEAVES SILVER;  ^C STOPS A SEARCH", go_back, first=True),
        )
        self.tty.type(says.TITLE)
        with suppress(Back):
            self.new_game()
            while True:
                keys = says.KEYS._replace(prompt=self.row)
                self.asker.ask(keys, commands, self.obey_line)

    # Before each game

    def new_game(self) -> None:
        """Ask for a game and its look-ahead, in octal; begin it.  Raises Back.

        Back at the look-ahead leads to the question for the stones (APN-DEPTH).
        """

        def special(found: positions.Entry) -> Position:
            return found.position._replace(rules=STANDARD_RULES)

        def opening(answer: str) -> Position | None:
            stones = parse_number(answer, MOST_A_PIT)
            if not stones:
                return None if answer else self.start
            return start(stones, rules=STANDARD_RULES)

        def depth(answer: str) -> int | None:
            if not answer:
                return self.depth
            return parse_number(answer, MOST_DEPTH, base=8)

        commands = (special_command(self.asker, self.area, special), *GOES_BACK)
        while True:
            begin = self.asker.ask(says.STONES, commands, opening)
            with suppress(Back):
                self.depth = self.asker.ask(says.LOOK_AHEAD, meaning=depth)
                break
        self.start, self.before, self.look_ahead = begin, [], None
        self.restart()

    def restart(self) -> None:
        """Begin the game anew, with the same stones and look-ahead (APN-CR)."""
        self.position, self.row = self.start, ""
        self.type_board()

    # The game

    def back(self, _: str) -> bool:
        """Take back the last turn, or an empty line that wiped out a game."""
        if not self.before:
            raise Refusal(says.NO_TURN)
        self.position, self.row = self.before.pop()
        self.type_board()
        return True

    def tell_value(self, _: str) -> None:
        """Type what the last look-ahead found, and how many positions it saw."""
        seen = self.look_ahead
        if not seen:
            raise Refusal(says.NO_LOOK_AHEAD)
        self.tty.type(says.SEEN.format(seen.best, seen.finals, seen.moves))

    def new(self, _: str) -> bool:
        """Ask for another game; type the board of this one if the user goes back."""
        try:
            self.new_game()
        except Back:
            self.type_board()
        return True

    def obey_line(self, line: str) -> bool | None:
        """Obey a line of keys, or start over at an empty one, else return None."""
        if line == "":
            if self.position != self.start:
                self.before.append((self.position, self.row))
            self.restart()
        elif self.position.over:
            raise Refusal(says.OVER_HELP)
        elif set(line) - set(" 123456"):
            return None
        else:
            self.obey_keys(line)
        return True

    def obey_keys(self, line: str) -> None:
        """Obey digits and blanks in order (APN-DIGIT, APN-SPACE)."""
        before = self.position
        stopped = False
        try:
            for key in line:
                if key in map(str, self.position.legal):
                    self.make(int(key), before)
                elif key == " " and not self.position.over:
                    self.make(self.select(), before)
        except Stopped:
            stopped = True
        moved = self.position != before
        if moved and self.row:
            self.tty.type()
        if stopped:
            self.tty.type(says.STOPPED)
        if self.position.over:  # then the winner and the score (APN-OVER)
            self.row = ""
            a, b = self.position.score
            wins = says.WINS.format(PLAYERS[0 if a > b else 1])
            who = says.NOBODY_WINS if a == b else wins
            self.tty.type(who + says.SCORE.format(a, b))
        if moved:
            self.type_board()

    def select(self) -> int:
        """Return the pit that the machine plays.  Raises Stopped."""
        look_ahead = LookAhead(self.depth, self.tty.poll)
        pit = look_ahead.select(self.position)
        self.look_ahead = look_ahead
        return pit

    def make(self, pit: int, first: Position) -> None:
        """Play `pit` and type it.

        first: the position before the typed line.  A play that ends the game
        is not a repeat play (APN-3A).
        """
        position = self.position
        after = position.play(pit)
        if not self.row.endswith(says.AGAIN):  # a turn begins
            self.before.append((position, self.row))
        if position.repeats(pit) and not after.over:
            mark = says.AGAIN
        else:
            mark = says.UPPER_DONE if position.mover else says.LOWER_DONE
        typed = f"{pit}{mark}"
        self.tty.type(self.row + typed if position is first else typed, end="")
        self.row = "" if mark == says.UPPER_DONE else self.row + typed
        self.position = after

    def type_board(self) -> None:
        self.tty.type(picture(self.position))


def picture(position: Position) -> str:
    """Return the board as text: B's pits 1 to 6, the kalahs, A's pits 6 to 1.

    A + above or below the line of the kalahs marks the player to move.  A
    finished game has no +, and all its stones are shown in the kalahs, as the
    score counts them (APN-FIG3, APN-OVER).
    """
    (a, b), kalahs = position.rows, position.kalahs
    if position.over:
        a = b = (0,) * MOST_PITS
        kalahs = position.score
    middle = [says.KALAHS.format(kalahs[1], kalahs[0])]
    if not position.over:
        middle.insert(1 - position.mover, says.TO_MOVE)
    return "\n".join([says.PITS.format(*b), *middle, says.PITS.format(*a[::-1])])
