"""UUCP lock files, which say that a program uses a serial port.

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
    process = os.path.join(PROCESSES, found[1]) if found else ""
    if found and os.path.isdir(process) and int(found[1]) != os.getpid():
        program = ANOTHER
        with suppress(OSError):
            name = system_file(os.path.join(process, "comm")).strip()
            program = f"{name} (process {found[1]})"
        why = f"{program} has it, says {path}"
        raise Hangup(why) from OSError(errno.EBUSY, why)


def system_file(path: str) -> str:
    """Return the first words of a file of the system.  Raises OSError."""
    file = os.open(path, os.O_RDONLY | SAFE_FLAGS)
    try:
        return os.read(file, 20).decode(errors="replace")
    finally:
        os.close(file)
