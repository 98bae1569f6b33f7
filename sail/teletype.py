"""The interface between programs and the teletype.

`sail.line.station` implements it; tests have implementations of their own.
"""

from __future__ import annotations

from typing import Protocol


class EndOfInput(Exception):
    """The input has ended: ^Z, or the end of a file."""


class Leave(BaseException):
    """The program must end: it cleans up in `finally` and does not catch this."""


class Teletype(Protocol):
    """A teletype as a program sees it: a keyboard and paper.

    live: True if a person types, False if the input is a file.
    visitor: True if a stranger types, who uses none of the owner's files.
    """

    live: bool
    visitor: bool

    @property
    def width(self) -> int:
        """The number of columns on the paper."""

    @property
    def has_tape(self) -> bool:
        """Whether the machine punches paper tape."""

    def punch(self, text: str, name: str, title: str = "") -> bool:
        """Punch a text on paper tape; return False if that ended early.

        name: what the text is, for a Refusal.  title: letters, figures, blanks, `.`
        and `-` to be read on the tape itself.  Raises Refusal.
        """

    def type(self, text: str = "", end: str = "\n") -> None:
        """Type the text.

        Programs may use ↑ ← → ↓ and lower case; the line replaces
        characters that the machine lacks.
        """

    def ring(self) -> None:
        """Ring the bell, if the owner of the machine wants that."""

    def ask(self, prompt: str = "") -> str:
        """Type the prompt; return the line typed in answer, without its end.

        Raises EndOfInput at the end of the input, Leave when the program
        must end.
        """

    def poll(self) -> bool:
        """Attend to the line; return True if the work must end early.

        The result is True from a ^C until the next request for input.
        Programs may call it often.  Raises Leave when the program must end,
        and MemoryError when memory runs short.
        """

    def pause(self) -> None:
        """Stop the program here, as a ^C does at a request for input.

        For a program that should not go on by itself after a ^C.  Raises
        Leave when the program must end.
        """
