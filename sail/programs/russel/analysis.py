"""The game that RUSSEL plays, and its analysis by two look-aheads.

The long look-ahead, MM, analyzes the position; the short one, OG, orders its moves.
Values are from a's side: a maximizes, b minimizes.  A ply is a turn: the
root is ply 1, a move that ends in the kalah stays on its ply, and positions at ply ID
are evaluated (M22-DEPTH).  A variation is kept as the text to print: the pits, with a
dash or a comma after each turn.  The names of two letters are the memo's (HELP RUSSEL
CONSTANTS).
"""

from __future__ import annotations

from sail.board import Position
from sail.programs.russel import routines
from sail.programs.russel.display import Display
from sail.programs.russel.words import READ_IN, TD, Words
from sail.stop import Stop, check_stop, never

SAP, SBT = -0o377, 0o377  # the limits of the short look-ahead
MOVES_A_CHECK = 128  # between two of the Stop; 10 ms, as a move here makes a Position
SHORT_DEPTH = 3  # the depth of the short look-ahead without option 1


class Analysis:
    """One analysis of a position: its limits, counts and display; it prints nothing.

    made: the moves made since the position was set up.  al, bt: alpha and beta at the
    root.  A finished analysis stores the value in al if a is to move, in bt if b is.
    dp: the ply whose positions are evaluated.  few_stones: for EV, 0 by option 4.
    ef: the moves that both look-aheads have made; long_ef: those of the long one.
    """

    def __init__(
        self, words: Words, position: Position, stop: Stop = never, made: int = 0
    ) -> None:
        self.words = words
        self.position = position
        self.stop = stop
        self.made = made
        self.al, self.bt, self.dp = words["IA"], words["IB"], words["ID"]
        self.gamma = words["GM"] if words.option(2) else None
        self.postponing = words.option(3)
        self.few_stones = 0 if words.option(4) else routines.FEW_STONES
        self.displaying = not words.option(9)
        self.halting = self.displaying and words.option(8)
        self.display = Display()
        self.ef = self.long_ef = self.leaves = 0

    def run(self) -> tuple[int, str]:
        """Return the value and the principal variation.  Raises Stopped."""
        if self.halting:
            self.on_halt()
        value, variation = self.mm(self.position, 1, self.al, self.bt, "")
        if self.position.mover:
            self.bt = value
        else:
            self.al = value
        return value, variation

    # What both look-aheads do

    def mv(self, position: Position, pit: int) -> Position:
        """Make and count a move of a search.  Raises Stopped."""
        self.ef += 1
        if not self.ef % MOVES_A_CHECK:
            check_stop(self.stop)
        return position.play(pit)

    def final(self, position: Position, at_bottom: bool) -> int | None:
        """Return the value of a position that ends the search, else None."""
        if routines.egc(position):
            return routines.final_score(position)
        return routines.ev(position, self.few_stones) if at_bottom else None

    def gamma_value(
        self, position: Position, by_b: int, alpha: int, beta: int
    ) -> int | None:
        """Return the limit that the evaluation passes by at least gamma, else None.

        by_b: whether b made the move.  Gamma mode trusts EV: a move is not
        searched if its evaluation is at least gamma past the limit that would end
        the search there (beta for a, alpha for b).  It applies only while
        alpha < 0 < beta, so never in a proof, where both limits are on one side of 0
        (M22-GAMMA).
        """
        if self.gamma is None or not alpha < 0 < beta:
            return None
        evaluation = routines.ev(position, self.few_stones)
        if by_b:
            return alpha if evaluation <= alpha - self.gamma else None
        return beta if evaluation >= beta + self.gamma else None

    def pm(self, position: Position, pit: int, plies: int) -> bool:
        """Return whether the move can be made later with exactly the same effect.

        Option 3 skips moves that can be postponed (M22-PM): a single stone in pit
        1, whose move would end in the kalah, waits for its owner's next turn if
        that changes no value.  plies: from this position to the bottom of the search.
        """
        own, other = position.rows[position.mover], position.rows[1 - position.mover]
        if not self.postponing or pit != 1 or own[0] != 1:
            return False
        # Not if a pit of this row holds enough stones to reach pit 1.
        if any(count > number for number, count in enumerate(own[1:])):
            return False
        # Not if this player may run out of other moves.  Two filled pits besides are
        # enough in a search that reaches his next turn.  (If the opponent captures from
        # one, only the stone is left; its move ends the game with the same score.)  A
        # shorter search needs three, and EV must count the stone as home.
        filled = sum(map(bool, own[1:]))
        counted = position.in_play <= self.few_stones
        if not ((filled >= 2 and plies >= 3) or (filled >= 3 and counted)):
            return False
        # Not if the stone and the best capture together would make a majority.
        if 2 * (position.kalahs[position.mover] + 2 + max(other)) > position.stones:
            return False
        # Not if the opponent can collect enough stones in a pit to reach the stone.
        # (In one turn, pit n gains one stone from each repeat move of a pit farther
        # from the kalah, and such a move uses up at least n + 1 stones.)
        return all(
            count + sum(other[number:]) // (number + 1) <= number + 5
            for number, count in enumerate(other, 1)
        )

    # The short look-ahead: alpha-beta to the depth that `td` returns

    def og(self, position: Position, made: int) -> list[int]:
        """Return the legal pits, the best value first.

        made: the moves made since the position was set up.
        Among equal moves, ORD decides.  The depth counts from this position, as ID
        counts from the root, so the search may go below ply ID.  Without a
        look-ahead (depth 0 or 1, option 6 or 7) the pits come in the order of
        their numbers, or in ORD's order if SOR is 1.
        """
        depth = self.td(position, made)
        pits = routines.ord(position)
        if depth < 2 or self.words.option(7 if position.mover else 6):
            return pits if self.words["SOR"] else sorted(pits)
        return sorted(
            pits,
            key=lambda pit: self._short_search(position, pit, depth - 1, SAP, SBT),
            reverse=not position.mover,
        )

    def td(self, position: Position, made: int) -> int:
        """Return the depth of the look-ahead from this position (M22-TD).

        A word of TD holds a depth and a number.  It applies while the stones in the
        kalahs, or with option 5 the moves made, are fewer than the number.  The memo's
        list of constants has x00yyy, its initial values have x0yyy, like 50010.  A word
        of six digits is read in the first form.
        """
        if not self.words.option(1):
            return SHORT_DEPTH
        reached = made if self.words.option(5) else sum(position.kalahs)
        for symbol in TD:
            depth, until = self.words[symbol] >> 12, self.words[symbol] & 0o777
            if reached < until:
                return depth >> 3 if depth > 7 else depth
        return 0

    def _sm(self, position: Position, plies: int, alpha: int, beta: int) -> int:
        """Return the value, within the limits, `plies` plies above the bottom."""
        for pit in routines.ord(position):
            if self.pm(position, pit, plies):
                continue
            value = self._short_search(position, pit, plies, alpha, beta)
            if position.mover:
                beta = max(alpha, min(beta, value))
            else:
                alpha = min(beta, max(alpha, value))
            if alpha == beta:
                break
        return beta if position.mover else alpha

    def _short_search(
        self, position: Position, pit: int, plies: int, alpha: int, beta: int
    ) -> int:
        """Search a move made `plies` plies above the bottom; return its value."""
        after = self.mv(position, pit)
        if after.mover != position.mover:
            plies -= 1
        value = self.final(after, not plies)
        if value is None:
            value = self.gamma_value(after, position.mover, alpha, beta)
        return self._sm(after, plies, alpha, beta) if value is None else value

    # The long look-ahead

    def mm(
        self, position: Position, ply: int, alpha: int, beta: int, past: str
    ) -> tuple[int, str]:
        """Return the value, kept within the limits, and the variation that leads to it.

        A value outside is replaced by the nearer limit (M22-ALPHABETA).  The
        first move stays the best until another is better.  past: the
        variation that leads to the position; the variation returned begins with it.
        """
        by_b = position.mover
        best = ""
        made = self.made + sum(map(str.isdigit, past))
        for pit in self.og(position, made):
            if self.pm(position, pit, self.dp - ply):
                continue
            value, variation = self.long_search(position, pit, ply, alpha, beta, past)
            if not best or (value < beta if by_b else value > alpha):
                best = variation
            if by_b:
                beta = min(beta, value)
            else:
                alpha = max(alpha, value)
            if alpha == beta:
                break
        return (beta if by_b else alpha), best

    def long_search(
        self, position: Position, pit: int, ply: int, alpha: int, beta: int, past: str
    ) -> tuple[int, str]:
        """Search a move; return its value, within the limits, and its variation."""
        after = self.mv(position, pit)
        self.long_ef += 1
        end_of_turn = after.mover != position.mover
        below = ply + 1 if end_of_turn else ply
        variation = past + str(pit)
        if end_of_turn:
            variation += "-" if position.mover == self.position.mover else ","
        value = self.final(after, below == self.dp)
        turn_done = end_of_turn or value is not None  # the game is over
        if ply == 1 and turn_done:
            self.on_move(variation)
        if self.displaying:
            self.display.plies.append(below)
        if value is None:
            value = self.gamma_value(after, position.mover, alpha, beta)
        else:
            self.leaves += 1
            marked = self.displaying and not self.leaves % self.words["Y"]
            self.on_leaf(variation, value, self.display.mark() if marked else "")
            value = max(alpha, min(beta, value))
        # The program halts for a photograph when the last position of a display
        # line has been evaluated, before anything below that position is searched.
        if self.halting and self.display.line_full:
            self.on_halt()
        replied = ply == 2 or (ply == 1 and value is not None)
        if value is None:
            value, variation = self.mm(after, below, alpha, beta, variation)
        if turn_done and replied:
            self.on_reply(variation, value)
        return value, variation

    # What a subclass may print

    def on_move(self, variation: str) -> None:
        """A turn of the first ply is made, and any search below it begins."""

    def on_reply(self, variation: str, value: int) -> None:
        """A reply is done, or a turn of the first ply with no search below it."""

    def on_leaf(self, variation: str, value: int, marker: str) -> None:
        """A position is evaluated.  marker: its marker, like P1M1, or ""."""

    def on_halt(self) -> None:
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
        self.set_position(position)
        self.in_()

    def in_(self) -> None:
        """Initialize all values except the position and the push-down list."""
        self.analysis = Analysis(self.words, self.position)

    def set_position(self, position: Position) -> None:
        """Set the position.  No earlier move can be taken back."""
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
