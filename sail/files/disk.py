"""The disk: files that are read and written whole, and locks.

A function that gets the path of a file may raise OSError.  No link is followed.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from contextlib import suppress

if sys.platform != "win32":
    import fcntl

NOT_PLAIN = "not a plain file"
LOCK_EVERY = 0.002  # seconds between two attempts to lock

# If somebody puts a link or a pipe in the place of a file, these flags keep `open`
# from following the link and from waiting for the pipe.  (O_BINARY is for Windows.)
SAFE_FLAGS = sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
)


def make_folder(folder: str) -> None:
    """Make a folder, and those above it, if there is none.  Raises OSError."""
    if not os.path.isdir(folder):
        os.makedirs(folder, exist_ok=True)
        while folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
            _flush(folder)


def expect_folder(folder: str) -> None:
    """Raise OSError if there cannot be such a folder, or if it cannot be read."""
    with suppress(FileNotFoundError), os.scandir(folder):
        pass


def names(folder: str, plain: bool = True) -> list[str]:
    """Return the names of a folder's plain files, or of all in it; [] if it is gone."""
    with suppress(OSError), os.scandir(folder) as entries:
        return [
            entry.name
            for entry in entries
            if not plain or entry.is_file(follow_symlinks=False)
        ]
    return []


def exists(path: str) -> bool:
    """Return whether anything has this name: a file, a folder, a link, a pipe."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def writable_mode(path: str) -> int | None:
    """Return the mode of a file that is to be written, or None if there is no file.

    Raises OSError unless the file is plain and writable.
    """
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise OSError(NOT_PLAIN)
    if not os.access(path, os.W_OK):
        raise PermissionError("permission denied")
    return stat.S_IMODE(status.st_mode)


def read(path: str, most: int) -> bytes | None:
    """Return the contents of a file; None if it has more than `most` bytes.

    Raises FileNotFoundError if there is no file, and OSError unless it is plain.
    """
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(NOT_PLAIN)
    descriptor = os.open(path, os.O_RDONLY | SAFE_FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(NOT_PLAIN)
        if status.st_size > most:
            return None
        contents = bytearray()
        while piece := os.read(descriptor, status.st_size - len(contents)):
            contents += piece
        return bytes(contents)
    finally:
        os.close(descriptor)


def replace(path: str, contents: bytes) -> None:
    """Write a file, whole or not at all; an old one keeps its mode."""
    mode, fresh = writable_mode(path), _beside(path, "NEW")
    remove(fresh)
    try:
        _create(fresh, contents, mode)
        if mode is not None or not _link(fresh, path):
            os.replace(fresh, path)
    finally:
        with suppress(OSError):
            os.remove(fresh)
    _flush(os.path.dirname(path))


def remove(path: str) -> None:
    """Remove a file, if there is one."""
    with suppress(FileNotFoundError):
        os.remove(path)


def rename(path: str, new_path: str) -> None:
    os.replace(path, new_path)
    _flush(os.path.dirname(path))


def _beside(path: str, suffix: str) -> str:
    """Return the path of .KALAH.OUT.NEW or .KALAH.OUT.LCK, for KALAH.OUT."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name.upper()}.{suffix}")


def _create(path: str, contents: bytes, mode: int | None) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFE_FLAGS, 0o666)
    try:
        unwritten = memoryview(contents)
        while unwritten:
            unwritten = unwritten[os.write(descriptor, unwritten) :]
        # Not os.chmod, because another file may have this name by now.
        # Windows has no modes.
        if mode is not None and sys.platform != "win32":
            os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _link(path: str, name: str) -> bool:
    """Link the file, which replaces no other; return False if the disk has no links."""
    try:
        os.link(path, name)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def _flush(folder: str) -> None:
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class Lock:
    """The lock of a file: a process has it until `close`, or until the process ends.

    On Windows, and in some network folders, nothing is locked.  The constructor raises
    BlockingIOError if another process keeps the lock for `wait` seconds.
    """

    def __init__(self, path: str, wait: float) -> None:
        self._path = path = _beside(path, "LCK")
        self._descriptor = -1
        deadline = time.monotonic() + wait
        while sys.platform != "win32" and self._descriptor < 0:
            descriptor = _open(path)
            try:
                if _lock(descriptor):
                    with suppress(FileNotFoundError):  # its last holder removed it
                        if os.path.samestat(os.fstat(descriptor), os.lstat(path)):
                            self._descriptor = descriptor
                elif time.monotonic() >= deadline:
                    raise BlockingIOError
                else:
                    time.sleep(LOCK_EVERY)
            finally:
                if self._descriptor < 0:
                    _close(descriptor)

    def close(self) -> None:
        """Unlock and remove the lock file."""
        if self._descriptor >= 0:
            with suppress(OSError):
                os.remove(self._path)
            _close(self._descriptor)


def _open(path: str) -> int:
    """Open the lock file, creating it if necessary; return its descriptor."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | SAFE_FLAGS, 0o666)
    except PermissionError:  # another user's file; reading is enough to lock it
        with suppress(OSError):
            return os.open(path, os.O_RDONLY | SAFE_FLAGS)
        raise


def _lock(descriptor: int) -> bool:
    """Lock the file and return True; return False if another process has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # the folder does not support locks
    return True


def _close(descriptor: int) -> None:
    with suppress(OSError):
        os.close(descriptor)
