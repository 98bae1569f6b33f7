"""What both look-aheads ask of a position: its value, and which move can wait."""

from __future__ import annotations

from sail.board import MOST_PITS
from sail.programs.russel.board import FEW_STONES, Board
from sail.programs.russel.words import Words


class Judgement:
    """EV, gamma mode and PM, under options 2 to 4 (M22-OP)."""

    def __init__(self, words: Words) -> None:
        self.gamma = words["GM"] if words.option(2) else None
        self.postponing = words.option(3)
        self.bird_in_hand = words.option(4)
        self.loose = bool(words["PM"])

    def final(self, board: Board, at_bottom: bool) -> int | None:
        """Return the value of a position that ends the search, else None."""
        if board.end_of_game:
            return board.score
        return board.ev(self.bird_in_hand) if at_bottom else None

    def gamma_value(
        self, board: Board, second: int, alpha: int, beta: int
    ) -> int | None:
        """Return the limit that the board as it stands has passed, else None.

        Gamma mode trusts EV.  A move of that side whose estimate is gamma
        past the limit that would end the search there (beta for a, alpha for
        b) is not looked into.  This holds only while alpha < 0 < beta, so
        never in a proof.  M22-GAMMA.
        """
        if self.gamma is None or not alpha < 0 < beta:
            return None
        estimate = board.ev(self.bird_in_hand)
        if second:
            return alpha if estimate <= alpha - self.gamma else None
        return beta if estimate >= beta + self.gamma else None

    def pm(self, board: Board, pit: int, levels: int) -> bool:
        """Return whether the move can be made later with exactly the same effect.

        levels: from the board to the bottom of the search.

        Option 3 leaves such a move out (M22-PM): the other moves lead to
        whatever it leads to.  Only a single stone in pit 1 qualifies.  It
        goes home, and its side moves again; a move from any other pit
        changes the pits in front of it, and so what can follow.

        The rule is strict: it changes no value.  The stone can be moved in
        the next turn instead, with the same effect, if

        - no move touches it until then.  No pit of its row reaches pit 1,
          and no pit of the opponent gets enough stones in one turn to come
          round to it.  (Each repeat move over a pit takes its number of
          stones, and one more, from the pits behind it.)
        - the game cannot end differently meanwhile.  The stone and the best
          capture make no majority.  The row does not become empty, unless
          the opponent captures; then the stone's move ends the game anyhow.
        - the next turn lies above the bottom of the search; or EV counts
          the stone as home in any case, and the row cannot become empty.

        The memo says that this saves a considerable amount of time; the
        strict rule saves 0 to 5 percent of the positions.  With PM 1 the rule
        is loose: a single stone in pit 1 waits as long as there is any other
        move.  That saves more but changes values: the stone may be lost, or
        still lie there at the bottom.  tests/bench/russel.py measures both.
        The note on the printed run, "same for 200,225 in this instance",
        speaks for the strict rule if it means OP: with option 3 on, in 225,
        it leaves the whole run as printed.  The loose rule does not.
        """
        if not self.postponing or pit != 1:
            return False
        first = 7 if board.second else 0
        own = board.places[first : first + MOST_PITS]
        if own[5] != 1:
            return False
        if self.loose:
            return any(own[:5])
        if any(count > 4 - hole for hole, count in enumerate(own[:5])):
            return False
        other = board.places[7 - first : 7 - first + MOST_PITS]
        filled = sum(map(bool, own[:5]))
        counted = sum(own) + sum(other) <= FEW_STONES and not self.bird_in_hand
        if not ((filled >= 2 and levels >= 3) or (filled >= 3 and counted)):
            return False
        if 2 * (board.places[first + 6] + 2 + max(other)) > sum(board.places):
            return False
        behind = 0
        for hole, count in enumerate(other):
            number = MOST_PITS - hole
            if count + behind // (number + 1) > number + 5:
                return False
            behind += count
        return True
