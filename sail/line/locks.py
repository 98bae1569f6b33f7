"""UUCP lock files, which keep two programs from using one serial port.

minicom, picocom and others write their process ID to /var/lock/LCK..NAME, and
do not open a port whose lock file belongs to a running process.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress

from sail.files.disk import SAFE_FLAGS
from sail.line.ports import Hangup

FOLDER = "/var/lock"
DEVICES = "/dev/"


class Lock:
    """The lock file of a device, if the system has FOLDER.

    Raises Hangup, whose text says why, if another program may have the device.
    """

    def __init__(self, device: str) -> None:
        self._path = ""
        name = os.path.realpath(device)
        if not name.startswith(DEVICES):
            return
        path = os.path.join(FOLDER, "LCK.." + name[len(DEVICES) :].replace("/", "_"))
        with suppress(OSError):  # no such folder, or no permission
            try:
                self._make(path)
            except FileExistsError:
                if _holder_lives(path):
                    raise Hangup(f"another program has it, says {path}") from None
                os.remove(path)
                self._make(path)

    def _make(self, path: str) -> None:
        lock = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        self._path = path
        with os.fdopen(lock, "w") as file:
            os.fchmod(lock, 0o644)  # others must be able to read it
            file.write(f"{os.getpid():10}\n")

    def release(self) -> None:
        """Remove the lock file, if there is one."""
        if self._path:
            with suppress(OSError):
                os.remove(self._path)
        self._path = ""


def _holder_lives(path: str) -> bool:
    """Return whether another process, still running, has the lock.  Raises Hangup."""
    try:
        lock = os.open(path, os.O_RDONLY | SAFE_FLAGS)
        try:
            found = re.match(rb" *([0-9]{1,9})\b", os.read(lock, 20))
        finally:
            os.close(lock)
    except PermissionError:
        raise Hangup(f"{path} is in the way and cannot be read") from None
    except OSError:
        return False
    if not found or int(found[1]) in (0, os.getpid()):
        return False
    try:
        os.kill(int(found[1]), 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # another user's process
    return True
