"""SILVER, Roland Silver's PDP-1 program: the typewriter (APN).

The note's operator hits single keys; a teletype sends lines.  So a line is
a sequence of keys, obeyed in order, and an empty line is the carriage return.

A's turn and B's reply make one line of moves, punctuated as in the note.  Its moves
so far are the prompt, so the keys are typed where the moves belong.  The tube always
showed the board; here it is typed after each line that made a move.

Fig. 1 is not in the scan.  We take A to be the lower player, because in Fig. 3 the
+ shows that the lower player begins, and A begins in the note.

The rules are STANDARD_RULES.  The game ends when a move empties its mover's row
(APN-3A).  It also ends when a capture empties the opponent's row, because the
opponent then cannot move.  A majority does not end it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NoReturn

from sail.board import (
    MOST_IN_ALL_PITS,
    MOST_PITS,
    PLAYERS,
    STANDARD_RULES,
    Position,
    opening,
)
from sail.files.area import Area
from sail.files.positions import Entry
from sail.game import Course
from sail.programs.silver import says
from sail.programs.silver.lookahead import LookAhead
from sail.refusal import Refusal
from sail.stop import STOPPED, Stopped
from sail.talk.asking import Asker, Back, Command, Commands, answering, attempt
from sail.talk.choosing import special_command
from sail.teletype import Teletype
from sail.typed import parse_number

STONES_A_PIT = 3  # at first (APN-BOARD)
DEPTH = 4  # turns; ours
MOST_DEPTH = 0o77


class Session:
    """One user's session with SILVER.

    course: this game.  depth: its look-ahead in turns.
    value_line: what VALUE types, about the last look-ahead from this start.
    """

    def __init__(self, tty: Teletype, area: Area) -> None:
        self.tty = tty
        self.asker = Asker(tty, area, "SILVER", says.RULES)
        self.course = Course(opening(STONES_A_PIT, rules=STANDARD_RULES))
        self.depth = DEPTH
        self.value_line = says.NO_LOOK_AHEAD

    def run(self) -> None:
        """Play games until the user leaves."""
        commands: Commands[Callable[[], None]] = (
            Command("BACK", "TAKES BACK THE LAST TURN", answering(self._back)),
            Command(
                "VALUE",
                "TYPES THE VALUE THAT THE LAST SPACE FOUND",
                lambda _: self.tty.type(self.value_line),
            ),
            Command(
                "QUIT", "GOES BACK TO STONES A PIT;  ^C STOPS A SEARCH", short=True
            ),
        )
        self.tty.type(says.TITLE)
        with suppress(Back):
            while True:
                self._new_game()
                with suppress(Back):
                    while True:
                        question = says.KEYS._replace(prompt=self._prompt)
                        act = self.asker.ask(question, commands, self._keys)
                        attempt(self.tty, act)

    def _new_game(self) -> None:
        """Ask for a game and its look-ahead, in octal; begin it.  Raises Back.

        Back at the look-ahead leads to the question for the stones (APN-DEPTH).
        """

        def special(entry: Entry) -> Position:
            self.asker.type_lines(entry.comments)
            return entry.position

        def stones(answer: str) -> Position | None:
            stones = parse_number(answer, MOST_IN_ALL_PITS)
            return opening(stones, rules=STANDARD_RULES) if stones else None

        leave: Command[NoReturn] = Command("QUIT", "LEAVES SILVER", short=True)
        commands = special_command(self.asker, special, STANDARD_RULES), leave
        while True:
            start = self.asker.ask(says.STONES, commands, stones, self.course.start)
            with suppress(Back):
                self.depth = self.asker.ask(
                    says.LOOK_AHEAD,
                    meaning=partial(parse_number, most=MOST_DEPTH, base=8),
                    empty=self.depth,
                )
                break
        self.value_line = says.NO_LOOK_AHEAD
        self._go_to(Course(start))

    def _go_to(self, course: Course) -> None:
        """Make this the present game, and type its board."""
        self.course = course
        self.tty.type(picture(course.position))

    @property
    def _prompt(self) -> str:
        """The moves since B's last turn ended; "" after the game."""
        positions = self.course.positions
        if positions[-1].over:
            return ""
        moves = map(_punctuated, positions, self.course.pits, positions[1:])
        return "".join(moves).rpartition(says.UPPER_DONE)[2]

    def _back(self) -> None:
        if not self.course.pits:
            raise Refusal(says.NO_TURN)
        self._go_to(self.course.shortened(len(self.course.turns[-1].pits)))

    def _keys(self, line: str) -> Callable[[], None] | None:
        """Return what obeys a line of keys, None if it is none.  Raises Refusal."""
        if line and self.course.position.over:
            raise Refusal(says.OVER)
        return None if set(line) - set(" 123456") else partial(self.obey, line)

    def obey(self, line: str) -> None:
        """Obey keys in order (APN-DIGIT, APN-SPACE); at no key start over (APN-CR)."""
        if not line:
            return self._go_to(Course(self.course.start))
        text, stopped = "", False
        try:
            for key in line:
                position = self.course.position
                if key in map(str, position.legal):
                    pit = int(key)
                elif key == " " and not position.over:
                    search = LookAhead(self.depth, self.tty.poll)
                    value, pit = search.run(position)
                    self.value_line = says.VALUE_LINE.format(
                        value, search.finals, search.generated
                    )
                else:
                    continue
                before = "" if text else self._prompt
                self.course = self.course.play(pit)
                text = _punctuated(position, pit, self.course.position)
                self.tty.type(before + text, end="")
        except Stopped:
            stopped = True
        if text and not text.endswith(says.UPPER_DONE):
            self.tty.type()
        if stopped:
            self.tty.type(STOPPED)
        position = self.course.position
        if position.over:  # then the winner and the score (APN-OVER)
            a, b = position.score
            who = says.NOBODY_WINS if a == b else says.WINS.format(PLAYERS[a < b])
            self.tty.type(who + says.SCORE.format(a, b))
        if text:
            self._go_to(self.course)


def _punctuated(before: Position, pit: int, after: Position) -> str:
    """Return the text of a move, with its mark (APN-PUNCT).

    A move that ends the game is not a repeat move (APN-3A).
    """
    if after.mover == before.mover and not after.over:
        return f"{pit}{says.REPEATS}"
    return f"{pit}{says.UPPER_DONE if before.mover else says.LOWER_DONE}"


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
