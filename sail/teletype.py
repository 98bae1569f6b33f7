"""A teletype as a program sees it: paper and keyboard, nothing of the line.

`sail.line.station` implements it; tests bring their own.
"""

from __future__ import annotations

from typing import Protocol


class EndOfInput(Exception):
    """The input has ended: ^Z, or the end of a file."""


class Leave(BaseException):
    """The program must end: it lets this pass, and cleans up in `finally`."""


class Teletype(Protocol):
    """The interface of a teletype.

    live: a person types, not a file.
    """

    live: bool

    @property
    def width(self) -> int:
        """The columns of its paper."""

    def type(self, text: str = "", end: str = "\n") -> None:
        """Type the text.

        Programs type ↑ ← → ↓ and lower case freely; the line substitutes
        what the machine lacks.
        """

    def ask(self, prompt: str = "") -> str:
        """Return the line typed in answer to the prompt, without its end.

        Raises EndOfInput at the end of the input, Leave when the program
        must end.
        """

    def poll(self) -> bool:
        """Attend to the line; return True if the work must end early.

        True once a ^C was typed, until the next request for input.  It may
        be called often.  Raises Leave when the program must end, and
        MemoryError when memory runs short.
        """

    def pause(self) -> None:
        """Stop the program here as at a request for input.

        For a program that would rather not go on after a ^C.  Raises Leave
        when it must end.
        """
