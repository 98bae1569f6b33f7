"""Refusals: errors that are typed as a line or a few.

The tree of all errors, with the module of each:

    BaseException
        Leave                     teletype      the program must end
            Run                   monitor.dot   another program is to run
            Logout                monitor.dot   the user leaves
    Exception
        EndOfInput                teletype      ^Z, or the end of a file
        Back                      talk.asking
        LineError                 line.ports    a sentence on standard error
        Hangup                    line.ports    the line may come back, or is one loop
        Refusal                   refusal       a line or a few on the paper
            Stopped               stop          a ^C or a limit ends long work
            InUse                 files.area    another session has the file
            Damaged               files.seal
            BadLine               files.seal
        ValueError
            IllegalMove           board         the pit cannot be played

The monitor and visitors survive any other error: they type NOT ENOUGH MEMORY FOR
or INTERNAL ERROR IN, and the program's name.  Elsewhere `main` of kalah.py reports
OSError, MemoryError and SystemError in a sentence, and anything else
is a bug, which ends the job with a traceback.
"""

from __future__ import annotations

OUT_OF_MEMORY = (MemoryError, SystemError)  # CPython raises either


class Refusal(Exception):
    """An error that is typed as a line or a few."""


def system_words(error: OSError) -> str:
    """Return the system's words for an error, without its number and its file."""
    return str(error.strerror or error)
