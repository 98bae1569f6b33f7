"""Who uses a serial port: UUCP lock files, and the open files of processes.

minicom, picocom and others write their process ID to /var/lock/LCK..NAME.  This job
needs none: TIOCEXCL keeps them off its port.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import suppress
from glob import iglob

from sail.files.disk import SAFE_FLAGS
from sail.line.ports import Hangup

FOLDER = "/var/lock"
DEVICES = "/dev/"
PROCESSES = "/proc"


def heed_lock(device: str) -> None:
    """Raise Hangup, from EBUSY, if another program may have locked the device."""
    name = os.path.realpath(device)
    if not name.startswith(DEVICES):
        return
    path = os.path.join(FOLDER, "LCK.." + name[len(DEVICES) :].replace("/", "_"))
    why = ""
    try:
        lock = os.open(path, os.O_RDONLY | SAFE_FLAGS)
        try:
            found = re.match(rb" *([0-9]{1,9})\b", os.read(lock, 20))
        finally:
            os.close(lock)
        if found and int(found[1]) not in (0, os.getpid()) and _runs(int(found[1])):
            why = f"{_program(found[1].decode())} has it, says {path}"
    except PermissionError:
        why = f"{path} is in the way and cannot be read"
    except OSError:  # there is no lock
        pass
    if why:
        raise Hangup(why) from OSError(errno.EBUSY, why)


def user_of(device: str) -> str:
    """Return the program that has the device open, as far as the system tells."""
    name = os.path.realpath(device)
    for link in iglob(f"{PROCESSES}/[0-9]*/fd/*"):
        with suppress(OSError):
            process = link.split("/")[-3]
            if os.readlink(link) == name and int(process) != os.getpid():
                return _program(process)
    return "another program"


def _program(process: str) -> str:
    """Return the name of a program, given its process ID."""
    with (
        suppress(OSError),
        open(f"{PROCESSES}/{process}/comm", errors="replace") as file,
    ):
        return f"{file.read().strip()} (process {process})"
    return "another program"


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # another user's process
    return True
