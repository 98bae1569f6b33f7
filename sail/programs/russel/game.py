"""The game that RUSSEL plays: the board, the push-down list, the last analysis."""

from __future__ import annotations

from sail.board import Position
from sail.programs.russel.analysis import Analysis, Watch
from sail.programs.russel.board import Board
from sail.programs.russel.lookahead import OutOfFreeStorage
from sail.programs.russel.words import Words


class Game:
    """A board that can be set up, played on and analyzed.

    pdl: the push-down list, the boards before each move made.
    analysis: the last one; it holds the values that IN initializes.
    """

    def __init__(self, words: Words, position: Position) -> None:
        self.words = words
        self.su(position)

    def su(self, position: Position) -> None:
        """Set up the board, and empty the push-down list."""
        self.board = Board.of(position)
        self.pdl: list[Board] = []
        self.in_()

    def in_(self) -> None:
        """Initialize all values except board and push-down list."""
        self.analysis = Analysis(self.words, self.board, Watch())

    def put(self, place: int, stones: int) -> None:
        """Put that many stones into a place of the board.

        This empties the push-down list: no earlier move can be taken back.
        """
        places = self.board.places
        places = [*places[:place], stones, *places[place + 1 :]]
        self.board = Board(places, self.board.second)
        self.pdl = []

    def mv(self, pit: int) -> None:
        """Make the move of that pit, which must hold stones.

        Raises OutOfFreeStorage.
        """
        if len(self.pdl) >= self.analysis.effort.free_words:
            raise OutOfFreeStorage
        self.pdl.append(self.board)
        self.board = self.board.mv(pit)

    def rv(self) -> None:
        """Take back the last move; before the first, let the other player begin."""
        if self.pdl:
            self.board = self.pdl.pop()
        else:
            self.board = Board(self.board.places, 1 - self.board.second)
