"""The game that RUSSEL plays, and the long look-ahead, MM, which analyzes it.

Values are from a's side: a maximizes, b minimizes.  A level of the tree is a
turn: the root is level 1, a move that ends in the kalah stays on its level, and
positions at level ID are evaluated (M22-DEPTH).  A variation is kept as the text
to print: the pits, with a dash or a comma after each turn.  The names of two letters
are the memo's (HELP RUSSEL CONSTANTS).
"""

from __future__ import annotations

from sail.board import Position
from sail.programs.russel.display import Display
from sail.programs.russel.shortlook import ShortLookAhead
from sail.programs.russel.words import READ_IN, Words
from sail.stop import Stop, never


class LongLookAhead:
    """One analysis of a position: its limits, efforts and display; it prints nothing.

    made: the moves made since the position was set up.  al, bt: alpha and beta at the
    root.  A finished analysis stores the value in al if a is to move, in bt if b is.
    dp: the level whose positions are evaluated.
    """

    def __init__(
        self, words: Words, position: Position, stop: Stop = never, made: int = 0
    ) -> None:
        self.words = words
        self.position = position
        self.made = made
        self.al, self.bt, self.dp = words["IA"], words["IB"], words["ID"]
        self.displaying = not words.option(9)
        self.halting = self.displaying and words.option(8)
        self.short = ShortLookAhead(words, stop)
        self.display = Display()
        self.long_effort = self.leaves = 0

    def run(self) -> tuple[int, str]:
        """Return the value and the principal variation.  Raises Stopped."""
        if self.halting:
            self.photo_halt()
        value, variation = self.mm(self.position, 1, self.al, self.bt, "")
        if self.position.mover:
            self.bt = value
        else:
            self.al = value
        return value, variation

    def mm(
        self, position: Position, level: int, alpha: int, beta: int, past: str
    ) -> tuple[int, str]:
        """Return the value, kept within the limits, and the variation that leads to it.

        A value outside is replaced by the nearer limit (M22-ALPHABETA).  The
        first move stays the best until another is better.  past: the
        variation that leads to the position; the variation returned begins with it.
        """
        by_b = position.mover
        best = ""
        made = self.made + sum(map(str.isdigit, past))
        for pit in self.short.og(position, made):
            if self.short.pm(position, pit, self.dp - level):
                continue
            value, variation = self.search(position, pit, level, alpha, beta, past)
            if not best or (value < beta if by_b else value > alpha):
                best = variation
            if by_b:
                beta = min(beta, value)
            else:
                alpha = max(alpha, value)
            if alpha == beta:
                break
        return (beta if by_b else alpha), best

    def search(
        self, position: Position, pit: int, level: int, alpha: int, beta: int, past: str
    ) -> tuple[int, str]:
        """Search a move; return its value, within the limits, and its variation."""
        after = self.short.mv(position, pit)
        self.long_effort += 1
        end_of_turn = after.mover != position.mover
        below = level + 1 if end_of_turn else level
        variation = past + str(pit)
        if end_of_turn:
            variation += "-" if position.mover == self.position.mover else ","
        value = self.short.final(after, below == self.dp)
        turn_done = end_of_turn or value is not None  # the game is over
        if level == 1 and turn_done:
            self.move(variation)
        if self.displaying:
            self.display.levels.append(below)
        if value is None:
            value = self.short.gamma_value(after, position.mover, alpha, beta)
        else:
            self.leaves += 1
            marked = self.displaying and not self.leaves % self.words["Y"]
            self.leaf(variation, value, self.display.mark() if marked else "")
            value = max(alpha, min(beta, value))
        # The program halts for a photograph when the last position of a display
        # line has been evaluated, before anything below that position is searched.
        if self.halting and self.display.line_full:
            self.photo_halt()
        replied = level == 2 or (level == 1 and value is not None)
        if value is None:
            value, variation = self.mm(after, below, alpha, beta, variation)
        if turn_done and replied:
            self.reply(variation, value)
        return value, variation

    # What a subclass may print

    def move(self, variation: str) -> None:
        """A turn of the first level is made, and any search below it begins."""

    def reply(self, variation: str, value: int) -> None:
        """A reply is done, or a turn of the first level with no search below it."""

    def leaf(self, variation: str, value: int, marker: str) -> None:
        """A position is evaluated.  marker: its marker, like P1M1, or ""."""

    def photo_halt(self) -> None:
        """Option 8 halts the analysis, at its start or after a display line."""


class RusselGame:
    """A position that can be set up, played on and analyzed, by the memo's routines.

    pdl: the push-down list, the positions before each move.  analysis: the last one,
    which holds the values that IN initializes.
    """

    def __init__(self, position: Position) -> None:
        self.words = Words(READ_IN)
        self.su(position)

    def su(self, position: Position) -> None:
        """Set up a position, and empty the push-down list."""
        self.replace(position)
        self.in_()

    def in_(self) -> None:
        """Initialize all values except the position and the push-down list."""
        self.analysis = LongLookAhead(self.words, self.position)

    def replace(self, position: Position) -> None:
        """Replace the position.  No earlier move can be taken back."""
        self.position = position
        self.pdl: list[Position] = []

    def mv(self, pit: int) -> None:
        """Make the move of `pit`, which must hold stones."""
        self.pdl.append(self.position)
        self.position = self.position.play(pit)

    def rv(self) -> None:
        """Take back the last move; if there is none, let the other player begin."""
        if self.pdl:
            self.position = self.pdl.pop()
        else:
            self.position = self.position._replace(mover=1 - self.position.mover)
