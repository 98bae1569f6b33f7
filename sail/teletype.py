"""What a program sees of a teletype: paper and keyboard, nothing of the line.

`sail.line.station` is the real one; tests bring their own.
"""

from __future__ import annotations

from typing import Protocol


class EndOfInput(Exception):
    """There is nothing more to read: ^Z, or the end of a file."""


class Leave(BaseException):
    """The program is left: it lets this pass, tidying up in `finally`."""


class Teletype(Protocol):
    """A teletype as programs see it.

    live: a person types, not a file.
    """

    live: bool

    @property
    def width(self) -> int:
        """The columns of its paper."""

    def type(self, text: str = "", end: str = "\n") -> None:
        """Type the text.

        Programs type ↑ ← → ↓ and lower case freely; the machine types what
        it has instead.
        """

    def ask(self, prompt: str = "") -> str:
        """The line that is typed in answer to the prompt, without its end.

        Raises EndOfInput at the end of the input, Leave when the program is
        to be left.
        """

    def poll(self) -> bool:
        """Whether the work in hand shall end now, with what it has.

        True once a ^C was typed, until the next request for input.  It may
        be called often.  Raises Leave when the program is to be left.
        """

    def pause(self) -> None:
        """Stop the program here as at a request for input.

        For a program that after a ^C would rather not go on.  Raises Leave
        when it is to be left.
        """
