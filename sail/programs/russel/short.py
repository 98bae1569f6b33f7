"""The short look-ahead of RUSSEL, which orders the moves: OG, TD and SM (M22-OG)."""

from __future__ import annotations

from sail.programs.russel.board import Board
from sail.programs.russel.effort import WORDS_OF_A_SEARCH, Effort
from sail.programs.russel.judgement import Judgement
from sail.programs.russel.words import Words

DEPTH = 3  # without option 1


class ShortLookAhead:
    """An alpha-beta search to the depth that TD gives, between SAP and SBT."""

    def __init__(self, words: Words, judgement: Judgement, effort: Effort) -> None:
        self.words = words
        self.judgement = judgement
        self.effort = effort

    def og(self, board: Board) -> list[int]:
        """Return the legal pits, those of the best values first.

        Of equal moves the one that ORD prefers comes first.  The depth
        counts from here, as ID does from the root, and may lead below ID.
        Without a look-ahead (depth 0 or 1, options 6 and 7) the order is
        that of the pits, or ORD's if SOR is 1.
        """
        depth = self.td(board)
        if depth < 2 or self.words.option(7 if board.second else 6):
            return board.ord() if self.words["SOR"] else board.legal
        sap, sbt = self.words["SAP"], self.words["SBT"]
        pits = board.ord()
        values = {pit: self.value(board, pit, depth - 1, sap, sbt) for pit in pits}
        return sorted(pits, key=values.__getitem__, reverse=not board.second)

    def td(self, board: Board) -> int:
        """Return the depth of the look-ahead from this board (M22-TD).

        An entry of TD holds a depth and the number of moves or stones until
        which it counts.  The memo's list of constants has x00yyy, its initial
        values x0yyy, as in 50010; a word of six digits is read the first way.
        """
        if not self.words.option(1):
            return DEPTH
        reached = board.moves if self.words.option(5) else sum(board.kalahs)
        for entry in ("TD", "TD+1", "TD+2", "TD+3"):
            depth, until = self.words[entry] >> 12, self.words[entry] & 0o777
            if reached < until:
                return depth >> 3 if depth > 7 else depth
        return 0

    def sm(self, board: Board, levels: int, alpha: int, beta: int) -> int:
        """Return the value within the limits, so many levels above the bottom."""
        self.effort.search_words += WORDS_OF_A_SEARCH
        for pit in board.ord():
            if self.judgement.pm(board, pit, levels):
                continue
            value = self.value(board, pit, levels, alpha, beta)
            if board.second:
                if value <= alpha:
                    beta = alpha
                    break
                beta = min(beta, value)
            else:
                if value >= beta:
                    alpha = beta
                    break
                alpha = max(alpha, value)
        self.effort.search_words -= WORDS_OF_A_SEARCH
        return beta if board.second else alpha

    def value(self, board: Board, pit: int, levels: int, alpha: int, beta: int) -> int:
        """Return the value of a move, so many levels above the bottom."""
        after = self.effort.mv(board, pit)
        levels -= after.end_of_turn
        value = self.judgement.final(after, not levels)
        if value is None:
            value = self.judgement.gamma_value(after, board.second, alpha, beta)
        return self.sm(after, levels, alpha, beta) if value is None else value
