"""The interface between programs and the teletype.

`sail.line.station` implements it; tests have implementations of their own.
"""

from __future__ import annotations

from typing import Protocol

from sail.settings import Settings

COLUMNS = 72  # of a 33's paper, and of a file, but for a turn that is longer


class EndOfInput(Exception):
    """The input has ended: ^Z, or the end of a file."""


class Leave(BaseException):
    """The program must end: it cleans up in `finally` and does not catch this."""


class Teletype(Protocol):
    """A teletype as a program sees it: a keyboard and paper.

    A program that pauses waits until CONTINUE.  Leave is raised if that never comes.
    """

    live: bool  # whether a person types here; False for a file or a pipe

    @property
    def settings(self) -> Settings:
        """The machine's settings, as its user has set them."""

    def punch(self, text: str, name: str, title: str = "") -> None:
        """Punch a text on paper tape.

        name: what a refusal calls the text.  title: letters, figures, blanks, `.` and
        `-`, punched first in shapes that a person can read.  Raises Refusal for a
        character that the tape's code lacks, and if a ^C or a hangup cuts it short.
        """

    def type(self, text: str = "", end: str = "\n") -> None:
        """Type the text.  Characters that the machine lacks are replaced.

        Programs may use ↑ ← → ↓ and lower case.
        """

    def ring(self) -> None:
        """Ring the bell, if the setting BELL is on."""

    def ask(self, prompt: str = "") -> str:
        """Type the prompt; return the line typed in answer, without its end.

        Raises EndOfInput, Leave.
        """

    def in_figures(self, typed: str) -> str:
        """Return the digits on these keys; "" if one has none, or if all are typed."""

    def doubt(self) -> None:
        """Note that the last line made no sense: perhaps nobody is there.

        Call it before the answer to such a line.  On a line to a machine these answers,
        and echoes, get little paper until lines come that are not doubted.
        """

    def poll(self) -> bool:
        """Attend to the line; return True if the work must end early.

        The result is True from a ^C until the next `ask` or `pause`.  After a second ^C
        this pauses.  Long work calls it often.  Raises Leave.
        """

    def pause(self) -> None:
        """Wait for CONTINUE, as after a ^C in `ask`.  Raises Leave.

        Call it where a program should not go on by itself after a ^C.
        """
