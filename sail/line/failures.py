"""What the errors of a line mean: in our words, and whether they may pass."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from sail.line.ports import Hangup, termios

# What an open line raises: termios.error, and OSError, from which pyserial's derive.
FAILURES = (OSError, termios.error) if termios else (OSError,)

# The errors of a line until its device, its permissions or its server are there.
TRANSIENT = (
    *(errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EACCES, errno.EPERM),
    *(errno.EBUSY, errno.EAGAIN),
    *(errno.ECONNREFUSED, errno.ECONNRESET, errno.EHOSTUNREACH, errno.ENETUNREACH),
)
# Where pyserial has no number for it:
TRANSIENT_WORDS = re.compile("FileNotFoundError|timed out|no ports found")

REFUSED = "the server refuses these settings; try others with --baud and --bits"
# Words in pyserial's errors, and ours for each.
ERRORS = {
    "does not accept parameter|rejected value": REFUSED,
    "does not seem to support": "the server does not speak RFC 2217",
    "'int' and 'NoneType'": "it lacks a port, as in socket://HOST:23",
    "Permission denied": "Permission denied (see HELP LINE IN ONE COMMAND)",
}


@contextmanager
def as_hangup() -> Iterator[None]:
    """Turn the errors of a line into a Hangup that says why."""
    try:
        yield
    except FAILURES as error:
        raise Hangup(reason(error)) from error


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__ or error.__context__


def is_transient(error: Exception) -> bool:
    """Return whether an error may be gone at another attempt."""
    return any(
        getattr(cause, "errno", 0) in TRANSIENT or TRANSIENT_WORDS.search(str(cause))
        for cause in _causes(error)
    )


def reason(error: Exception) -> str:
    """Return the cause of an error, in the system's words or in ours."""
    text = str(error)
    for theirs, ours in ERRORS.items():
        if re.search(theirs, text):
            return ours
    if windows := re.search(r"Error\([0-9]+, (['\"])(.*?)\.?\1", text):
        return windows[2]
    for cause in _causes(error):
        if len(cause.args) > 1 and isinstance(cause.args[0], int):
            number, words = cause.args[:2]
            return os.strerror(number) if number > 0 else str(words)
        if isinstance(cause, (LookupError, TypeError, AttributeError, re.error)):
            text = "pyserial does not know such a name"
        elif not isinstance(cause, (OSError, ValueError)):
            text = f"pyserial failed: {cause}"
    return text
