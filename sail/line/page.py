"""What a line that has hung up missed: the text since the last answer, and a board.

Pure: it knows nothing of lines.
"""

from __future__ import annotations

PAGE = 12  # rows of text since the last answer, typed again after a hangup
BOARD = 3  # rows of the shortest text that is typed again even after an answer


class Page:
    """The last texts typed, of which the first may be half a line."""

    def __init__(self) -> None:
        self.board = ""  # the last text of several rows
        self._texts: list[str] = []

    def add(self, text: str, width: int) -> None:
        """Add a text; older texts, such as boards, leave the page whole."""
        texts = self._texts
        if texts and not texts[-1].endswith("\n"):
            text = texts.pop() + text
        lines = text[-PAGE * width :].splitlines(True)
        texts.append("".join(lines[-PAGE:]))
        if BOARD <= len(lines) <= PAGE:
            self.board = texts[-1]
        while "".join(texts).count("\n") > PAGE:
            del texts[0]

    def clear(self) -> None:
        """Note an answer: only the board is still of interest."""
        self._texts.clear()

    @property
    def text(self) -> str:
        """The board, unless it is on the page, and the page."""
        board = "" if self.board in self._texts else self.board
        return "".join([board, *self._texts])
