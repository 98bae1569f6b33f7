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

    width: the columns of its paper.  live: a person types, not a file.
    """

    width: int
    live: bool

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

        True once a ^C was typed, until the next request for input.  Made to
        be called often.  Raises Leave when the program is to be left.
        """

    def pause(self) -> None:
        """Stop here as at a request for input, for a program that after a
        ^C would rather not go on.  Raises Leave when it is to be left.
        """
