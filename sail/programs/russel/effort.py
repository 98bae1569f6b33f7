"""What an analysis uses up: positions, the effort, and words of free storage."""

from __future__ import annotations

from sail.programs.russel.board import Board
from sail.programs.russel.words import FREE_STORAGE, Words
from sail.stop import Stop, Stopped

WORDS_OF_A_SEARCH = 3  # alpha, beta, and the order of the moves
POLL_EFFORT = 128  # positions between two looks at the typewriter


class OutOfFreeStorage(Stopped):
    """CER: the push-down list has used up free storage (M22-CER)."""


class Effort:
    """The count of positions, and the free storage that is in use.

    MFS lays out free storage from FREE_STORAGE to BPV.  A move on the
    push-down list takes one word.  A position that is being searched takes
    three, and one for each move of its principal variation.

    positions: examined so far.
    search_words: in use for the positions that are being searched.
    """

    def __init__(self, words: Words, stop: Stop) -> None:
        self.free_words = words["BPV"] - FREE_STORAGE + 1
        self.stop = stop
        self.positions = 0
        self.search_words = 0

    def mv(self, board: Board, pit: int) -> Board:
        """Make a move of the search and count the position after it.

        Raises OutOfFreeStorage, Stopped.
        """
        if board.moves + self.search_words >= self.free_words:
            raise OutOfFreeStorage
        self.positions += 1
        if not self.positions % POLL_EFFORT and self.stop():
            raise Stopped
        return board.mv(pit)
