"""Who uses a serial port: UUCP lock files, and the open files of processes.

minicom, picocom and others write their process ID to /var/lock/LCK..NAME.  This job
needs none: TIOCEXCL keeps them off its port.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import suppress

from sail.files.disk import SAFE_FLAGS
from sail.line.ports import Hangup

FOLDER = "/var/lock"
DEVICES = "/dev/"
PROCESSES = "/proc"
ANOTHER = "another program"


def heed_lock(device: str) -> None:
    """Raise Hangup if another program may have locked the device."""
    name = os.path.realpath(device)
    if not name.startswith(DEVICES):
        return
    path = os.path.join(FOLDER, "LCK.." + name[len(DEVICES) :].replace("/", "_"))
    try:
        found = re.match(r" *([0-9]{1,9})\b", system_file(path))
    except PermissionError as error:
        raise Hangup(f"{path} is in the way and cannot be read") from error
    except OSError:
        return  # there is no lock
    runs = found and os.path.isdir(os.path.join(PROCESSES, found[1]))
    if found and runs and int(found[1]) != os.getpid():
        why = f"{_program(found[1])} has it, says {path}"
        raise Hangup(why) from OSError(errno.EBUSY, why)


def user_of(device: str) -> str:
    """Return the program that has the device open, as far as the system tells."""
    name = os.path.realpath(device)
    with suppress(OSError):
        for process in filter(str.isdigit, os.listdir(PROCESSES)):
            files = os.path.join(PROCESSES, process, "fd")
            with suppress(OSError):  # another user's process, or one that has ended
                for file in os.listdir(files) if int(process) != os.getpid() else ():
                    if os.path.realpath(os.path.join(files, file)) == name:
                        return _program(process)
    return ANOTHER


def system_file(path: str) -> str:
    """Return the first words of a file of the system.  Raises OSError."""
    file = os.open(path, os.O_RDONLY | SAFE_FLAGS)
    try:
        return os.read(file, 20).decode(errors="replace")
    finally:
        os.close(file)


def _program(process: str) -> str:
    """Return the name of a program, given its process ID."""
    with suppress(OSError):
        name = system_file(os.path.join(PROCESSES, process, "comm")).strip()
        return f"{name} (process {process})"
    return ANOTHER
