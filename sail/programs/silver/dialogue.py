"""SILVER, Roland Silver's PDP-1 program: the typewriter (APN).

The note's operator hits single keys, a teletype sends lines: a line is a
sequence of keys, obeyed in order, and an empty one is the carriage return.
The row of moves is typed as the note punctuates it, a line for A's turn and
B's answer.  While the turn is open it is the prompt, so that the keys are
typed where the move will stand.  The tube showed the board whenever the
program was waiting; on paper it is typed after each line that moved.

A is the lower player.  Fig. 1 would show it, but is not in the scan; the + of
Fig. 3 has the lower player begin, A is the one who is named first and moves
in the examples, and 6A .. 1A, KA, counterclockwise, reads from left to right
below.  Russell's PDP-1 program has A below, too.

The rules are board.STANDARD.  The note ends a game when the player's row is
empty after his play, or when a player finds it empty.  As only a capture
empties the other row, and the turn passes with it, that is as soon as
either row is empty; no majority ends it (APN-3A).
"""

from __future__ import annotations

from contextlib import suppress

from sail import special
from sail.area import Area
from sail.board import MOST_PITS, PLAYERS, STANDARD, EmptyPit, Position, start
from sail.programs.questions import Back, ask, begins, start_position
from sail.programs.silver import says
from sail.programs.silver.analysis import select
from sail.refusal import printable
from sail.stop import Stopped
from sail.teletype import Teletype

STONES = 3  # a pit (APN-BOARD)
MOST_STONES = special.MOST_STONES // (2 * MOST_PITS)
LOOK_AHEAD = 4  # turns, until another number is set; ours
MOST_LOOK_AHEAD = 0o77
# Fig. 3 as scanned has only the left kalah; the right one stands as far out.
FIRST_PIT, KALAH, STEP = 11, 5, 4  # the columns where the counts end


def run(tty: Teletype, area: Area) -> None:
    """Play games until the user leaves."""
    Dialogue(tty, area).run()


class Dialogue:
    """The talk of one user with SILVER, down the page."""

    def __init__(self, tty: Teletype, area: Area) -> None:
        self.tty = tty
        self.area = area
        self.start = start(STONES, rules=STANDARD)
        self.look_ahead = LOOK_AHEAD
        self.position = self.start
        self.row = ""  # the moves since B's last turn ended

    def run(self) -> None:
        self.tty.type(says.TITLE)
        going = self.new_game()
        while going:
            going = self.obey(self.tty.ask(self.row).upper())

    # Before each game

    def new_game(self) -> bool:
        """Whether one is set up; if not the user went back."""
        try:
            position, look_ahead = self.questions()
        except Back:
            return False
        self.position = self.start = position
        self.look_ahead = look_ahead
        self.row = ""
        self.board()
        return True

    def questions(self) -> tuple[Position, int]:
        """The answers to the two questions.  Raises Back."""
        while True:
            position = self.first_position()
            with suppress(Back):
                return position, self.test_word()

    def first_position(self) -> Position:
        """The position to start with.  Raises Back."""

        def meaning(answer: str) -> Position | None:
            if not answer:
                return self.start
            stones = range(1, MOST_STONES + 1)
            found = start_position(self.tty, self.area, answer, stones, rules=STANDARD)
            return found.position if found else None

        return ask(
            self.tty,
            says.STONES,
            meaning,
            says.STONES_HELP.format(MOST_STONES, STONES),
        )

    def test_word(self) -> int:
        """The look-ahead in turns, typed as switches are, octal (APN-DEPTH).

        Raises Back.
        """

        def meaning(answer: str) -> int | None:
            if not answer:
                return self.look_ahead
            return special.number(answer, MOST_LOOK_AHEAD, base=8) or None

        return ask(
            self.tty, says.LOOK_AHEAD, meaning, says.LOOK_AHEAD_HELP.format(LOOK_AHEAD)
        )

    # The game

    def obey(self, line: str) -> bool:
        """Whether the user stays."""
        if line == "":
            if not self.new_game():
                self.board()
        elif begins(line.strip(), "QUIT"):
            return False
        elif line.strip() == "?":
            for text in says.KEYS_MORE:
                self.tty.type(text)
            self.board()
        elif self.position.over:
            self.tty.type(says.OVER_HELP)
        elif set(line) - set(" 123456"):
            self.tty.type(says.KEYS_HELP)
        else:
            self.keys(line)
        return True

    def keys(self, line: str) -> None:
        """Obey digits and blanks in order (APN-DIGIT, APN-SPACE).

        A digit that cannot be played is ignored, and so is what follows it,
        which was meant for another board.
        """
        before = self.position
        problem = ""
        for place, key in enumerate(line):
            try:
                self.make(self.select() if key == " " else int(key), before)
            except EmptyPit:
                problem = says.IGNORED.format(printable(line[place:].strip()), key)
            except Stopped:
                problem = says.STOPPED
            if problem or self.position.over:
                break
        moved = self.position != before
        if moved and self.row:
            self.tty.type()
        if problem:
            self.tty.type(problem)
        if self.position.over:
            self.row = ""
            self.tell_end()
        if moved:
            self.board()

    def select(self) -> int:
        return select(self.position, self.look_ahead, self.tty.poll)

    def make(self, pit: int, first: Position) -> None:
        """Play that pit and type it; first: the position before this line.

        A play that ends the game is no repeat play (APN-3A).  Raises
        EmptyPit.
        """
        position = self.position
        after = position.play(pit)
        if position.repeats(pit) and not after.over:
            mark = says.AGAIN
        else:
            mark = says.UPPER_DONE if position.mover else says.LOWER_DONE
        typed = f"{pit}{mark}"
        self.tty.type(self.row + typed if position is first else typed, end="")
        self.row = "" if mark == says.UPPER_DONE else self.row + typed
        self.position = after

    def tell_end(self) -> None:
        """Which player wins, then the score (APN-OVER)."""
        a, b = self.position.score
        how = says.NOBODY_WINS if a == b else says.WINS
        self.tty.type(how.format(PLAYERS[a < b]) + says.SCORE.format(a, b))

    def board(self) -> None:
        self.tty.type(picture(self.position))


def picture(position: Position) -> str:
    """The board: B's pits 1 to 6, the kalahs, B's and A's, A's pits 6 to 1.

    A + above or below the line of the kalahs tells the player to move; in a
    finished game there is none (APN-FIG3, APN-OVER).
    """
    a, b = position.rows
    far = FIRST_PIT + STEP * (MOST_PITS - 1) + FIRST_PIT - 2 * KALAH
    kalahs = f"{position.kalahs[1]:>{KALAH}}{position.kalahs[0]:>{far}}"
    middle = [kalahs]
    if not position.over:
        middle.insert(1 - position.mover, f"{says.TO_MOVE:>{KALAH}}")
    return "\n".join([_row(b), *middle, _row(a[::-1])])


def _row(counts: tuple[int, ...]) -> str:
    cells = "".join(f"{count:>{STEP}}" for count in counts)
    return " " * (FIRST_PIT - STEP) + cells
