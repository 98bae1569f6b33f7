"""The short look-ahead, OG, which orders the moves for the long one."""

from __future__ import annotations

from sail.board import Position
from sail.programs.russel import routines
from sail.programs.russel.words import TD, Words
from sail.stop import Stop, Stopped

SAP, SBT = -0o377, 0o377  # the limits of the short look-ahead
POSITIONS_A_LOOK = 128  # positions between two polls of the typewriter
DEPTH = 3  # the depth of the short look-ahead without option 1


class ShortLookAhead:
    """An alpha-beta search to the depth that `td` returns, with limits SAP and SBT.

    Its EV, gamma mode and PM serve the long look-ahead, too (M22-OP, 2 to 4), and
    `effort` counts the positions that both make.
    """

    def __init__(self, words: Words, stop: Stop) -> None:
        self.words = words
        self.stop = stop
        self.gamma = words["GM"] if words.option(2) else None
        self.postponing = words.option(3)
        self.bird_in_hand = words.option(4)
        self.effort = 0

    def mv(self, position: Position, pit: int) -> Position:
        """Make and count a move of a search.  Raises Stopped."""
        self.effort += 1
        if not self.effort % POSITIONS_A_LOOK and self.stop():
            raise Stopped
        return position.play(pit)

    def final(self, position: Position, at_bottom: bool) -> int | None:
        """Return the value of a position that ends the search, else None."""
        if routines.egc(position):
            return routines.score(position)
        return routines.ev(position, self.bird_in_hand) if at_bottom else None

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
        evaluation = routines.ev(position, self.bird_in_hand)
        if by_b:
            return alpha if evaluation <= alpha - self.gamma else None
        return beta if evaluation >= beta + self.gamma else None

    def pm(self, position: Position, pit: int, levels: int) -> bool:
        """Return whether the move can be made later with exactly the same effect.

        Option 3 skips moves that can be postponed (M22-PM): a single stone in pit
        1, whose move would end in the kalah, waits for the next turn of its side if
        that changes no value.  levels: from this position to the bottom of the search.
        """
        own, other = position.rows[position.mover], position.rows[1 - position.mover]
        if not self.postponing or pit != 1 or own[0] != 1:
            return False
        # Not if a pit of this row holds enough stones to reach pit 1.
        if any(count > number for number, count in enumerate(own[1:])):
            return False
        # Not if this side may run out of other moves.  Two filled pits besides are
        # enough in a search that reaches its next turn.  (If the opponent captures from
        # one, only the stone is left; its move ends the game with the same score.)  A
        # shorter search needs three, and EV must count the stone as home.
        filled = sum(map(bool, own[1:]))
        counted = position.in_play <= routines.FEW_STONES and not self.bird_in_hand
        if not ((filled >= 2 and levels >= 3) or (filled >= 3 and counted)):
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

    def og(self, position: Position, made: int) -> list[int]:
        """Return the legal pits, the best value first.

        made: the moves made since the position was set up.
        Among equal moves, ORD decides.  The depth counts from this position, as ID
        counts from the root, so the search may go below level ID.  Without a
        look-ahead (depth 0 or 1, option 6 or 7) the pits come in the order of
        their numbers, or in ORD's order if SOR is 1.
        """
        depth = self.td(position, made)
        pits = routines.ord(position)
        if depth < 2 or self.words.option(7 if position.mover else 6):
            return pits if self.words["SOR"] else sorted(pits)
        values = {pit: self.value(position, pit, depth - 1, SAP, SBT) for pit in pits}
        return sorted(pits, key=values.__getitem__, reverse=not position.mover)

    def td(self, position: Position, made: int) -> int:
        """Return the depth of the look-ahead from this position (M22-TD).

        An entry of TD holds a depth and a limit.  It applies while the stones in the
        kalahs, or with option 5 the moves made, are fewer than the limit.  The memo's
        list of constants has x00yyy, its initial values have x0yyy, like 50010.  A word
        of six digits is read in the first form.
        """
        if not self.words.option(1):
            return DEPTH
        reached = made if self.words.option(5) else sum(position.kalahs)
        for entry in TD:
            depth, until = self.words[entry] >> 12, self.words[entry] & 0o777
            if reached < until:
                return depth >> 3 if depth > 7 else depth
        return 0

    def sm(self, position: Position, levels: int, alpha: int, beta: int) -> int:
        """Return the value, within the limits, `levels` levels above the bottom."""
        for pit in routines.ord(position):
            if self.pm(position, pit, levels):
                continue
            value = self.value(position, pit, levels, alpha, beta)
            if position.mover:
                beta = max(alpha, min(beta, value))
            else:
                alpha = min(beta, max(alpha, value))
            if alpha == beta:
                break
        return beta if position.mover else alpha

    def value(
        self, position: Position, pit: int, levels: int, alpha: int, beta: int
    ) -> int:
        """Return the value of a move made `levels` levels above the bottom."""
        after = self.mv(position, pit)
        if after.mover != position.mover:
            levels -= 1
        value = self.final(after, not levels)
        if value is None:
            value = self.gamma_value(after, position.mover, alpha, beta)
        return self.sm(after, levels, alpha, beta) if value is None else value
