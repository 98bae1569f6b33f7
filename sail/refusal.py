"""Refusals: errors that are typed to the user, as a line or a few.

The tree of all errors, with the module of each:

    BaseException
        Leave                     teletype      the program must end
            Run                   monitor.dot   another program is to run
            Logout                monitor.dot   the user leaves
    Exception
        EndOfInput                teletype      ^Z, or the end of a file
        Back                      talk.asking
        LineError                 line.ports    a sentence on standard error
        Hangup                    line.ports    the line may come back
        Refusal                   refusal       a line on the paper, or a few
            Stopped               stop          a ^C or a limit ends long work
            InUse                 files.area    another session has the file
            Damaged               files.seal
            BadGame               files.games
    ValueError
        IllegalMove               board         the pit cannot be played

The monitor and visitors survive any other error: they type NOT ENOUGH MEMORY FOR
or INTERNAL ERROR IN, and the program's name.  Elsewhere `main` of kalah.py reports
OSError, MemoryError and SystemError in a sentence, and anything else
is a bug, which ends the job with a traceback.
"""

from __future__ import annotations

OUT_OF_MEMORY = (MemoryError, SystemError)  # CPython raises either


class Refusal(Exception):
    """An error whose text is for the teletype: a line, or a few.

    args: the reason, perhaps followed by what became of the line that was refused.
    """

    def __str__(self) -> str:
        return "".join(self.args)


def system_words(error: OSError) -> str:
    """Return the system's words for an error, without its number and its file."""
    return str(error.strerror or error)


def plural(count: int) -> str:
    """Return the S of LINES, unless there is just one."""
    return "" if count == 1 else "S"


def sanitized(text: str, most: int = 20) -> str:
    """Return user input for a message: upper case, printable, cut after `most`."""
    text = "".join(char for char in text.upper() if char.isprintable())
    return text if len(text) <= most else text[:most] + "..."
