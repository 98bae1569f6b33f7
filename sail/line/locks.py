"""UUCP lock files, by which other programs say that they use a serial port.

minicom, picocom and others write their process ID to /var/lock/LCK..NAME.  This job
needs none: TIOCEXCL keeps them off its port.
"""

from __future__ import annotations

import os
import re

from sail.files.disk import SAFE_FLAGS
from sail.line.ports import Hangup

FOLDER = "/var/lock"
DEVICES = "/dev/"


def heed_lock(device: str) -> None:
    """Raise Hangup, whose text says why, if another program may have the device."""
    name = os.path.realpath(device)
    if not name.startswith(DEVICES):
        return
    path = os.path.join(FOLDER, "LCK.." + name[len(DEVICES) :].replace("/", "_"))
    try:
        lock = os.open(path, os.O_RDONLY | SAFE_FLAGS)
        try:
            found = re.match(rb" *([0-9]{1,9})\b", os.read(lock, 20))
        finally:
            os.close(lock)
    except PermissionError:
        raise Hangup(f"{path} is in the way and cannot be read") from None
    except OSError:  # there is no lock
        return
    if found and int(found[1]) not in (0, os.getpid()) and _runs(int(found[1])):
        raise Hangup(f"another program has it, says {path}")


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # another user's process
    return True
