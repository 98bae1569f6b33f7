"""The area: the folder where a user's files live.

Only this module writes files there.  A name has at most six letters or digits,
and may have an extension of at most three, as on the PDP-6 and PDP-10.  Case
does not matter.  Other entries in the folder are ignored, and links are not
followed.

A file is replaced, never changed in place: a reader always gets either the
whole old file or the whole new one.  .KALAH.OUT.NEW exists while KALAH.OUT is
written, .KALAH.OUT.LCK while it is locked, and .KALAH.TMP.USE while a session
has claimed KALAH.TMP.  A killed process may leave these files behind; they do
no harm.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from sail.refusal import Refusal, sanitized

NAME = re.compile(r"[A-Z0-9]{1,6}(\.[A-Z0-9]{1,3})?")
MOST_BYTES = 16 << 20  # in a file: room for 20,000 games
LOCK_PATIENCE = 10.0  # seconds that a write waits for another write to end
CLAIM_PATIENCE = 1.0  # seconds that `hold` waits for another session to end
NAP = 0.002  # seconds between two attempts to lock

# If somebody puts a link or a pipe in the place of a file, these flags keep `open`
# from following the link and from waiting for the pipe.  (O_BINARY is for Windows.)
SAFE_FLAGS = sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
)


class AreaError(Refusal):
    """A file or the area cannot be used."""


class InUse(AreaError):
    """Another process has locked the file."""


class Area:
    """The files of one folder.

    shelf: a second folder, read-only, where `look_up` finds files that this
    folder lacks.  Any method may raise AreaError, and so may the constructor.
    guest: whether a stranger plays, who leaves saved games there and nothing else.
    """

    def __init__(self, folder: str, shelf: str | None = None) -> None:
        self.guest = False
        self._shelf = shelf
        self._claims: dict[str, int | None] = {}  # lock descriptors, by file name
        if not folder:
            raise AreaError("The area has no name: choose a folder with --area.")
        try:
            self.folder = parent = os.path.abspath(folder)
            if not os.path.isdir(folder):
                os.makedirs(folder, exist_ok=True)
                while parent != os.path.dirname(parent):
                    parent = os.path.dirname(parent)
                    _flush_folder(parent)
        except OSError as error:
            why = error.strerror or error
            raise AreaError(f"Cannot make the area {folder}: {why}.") from None
        if not os.access(self.folder, os.R_OK | os.X_OK):
            raise AreaError(
                f"Cannot read the area {folder}: choose another with --area."
            )

    def names(self) -> list[str]:
        """Return the sorted names of all files in the area; [] if it is gone."""
        return sorted(_names(self.folder))

    def within_reach(self) -> list[str]:
        """Return the sorted names of the files that `look_up` can read."""
        return sorted(_names(self.folder) | _names(self._shelf or self.folder))

    def look_up(self, name: str) -> str:
        """Return the text of a file in this folder, or else on the shelf."""
        folder = self.folder if self.has(name) else self._shelf or self.folder
        return _text(self._path(name, folder), name)

    def has(self, name: str) -> bool:
        """Return whether the area has the file."""
        with _reported("READ", name):
            return _is_plain(self._path(name))

    def read(self, name: str) -> str:
        """Return the text of a UTF-8 file, with CR LF changed to a line feed."""
        return _text(self._path(name), name)

    def write(self, name: str, text: str) -> None:
        """Write a text, whole or not at all."""
        self._write(name, text.encode)

    def create(self, name: str, text: str) -> None:
        """Write a text, whole or not at all; raise AreaError if the file exists."""

        def new() -> bytes:
            if self.has(name):
                raise AreaError(f"{name.upper()} ALREADY EXISTS.")
            return text.encode()

        self._write(name, new)

    def change(self, name: str, edit: Callable[[str | None], str | None]) -> None:
        """Replace the text of a file with what `edit` returns for it.

        `edit` gets the text, or None if there is no file.  If it returns None, the
        file is removed; if it raises an exception, the file stays as it is.  No other
        process writes the file meanwhile.
        """

        def changed() -> bytes | None:
            exists = _mode(self._path(name)) is not None
            text = edit(self.read(name) if exists else None)
            return None if text is None else text.encode()

        self._write(name, changed)

    def put_aside(self, name: str, names: Iterable[str], text: str) -> str:
        """Rename a file and write the text in its place; return the new name.

        The new name is the first of `names` that no file has.  No other process can
        write the file meanwhile.  If iterating `names` raises, the file stays.
        """
        new_name = ""

        def put() -> bytes:
            nonlocal new_name
            for candidate in names:
                with suppress(FileExistsError):
                    _link(self._path(name), self._path(candidate))
                    new_name = candidate
                    return text.encode()
            raise AreaError(f"CANNOT KEEP THE OLD {name.upper()}: NO NAME IS FREE.")

        if not self.has(name):
            raise AreaError(f"{name.upper()} NOT FOUND.")
        try:
            self._write(name, put)
        except AreaError:
            if new_name:
                self.remove(new_name)
            raise
        return new_name

    def hold(self, name: str) -> None:
        """Claim a file until `release`; this stops only other claims.  Raises InUse."""
        with _reported("WRITE", name):
            self._claims[name] = _lock(_beside(self._path(name), "USE"), CLAIM_PATIENCE)

    def release(self, name: str) -> None:
        """Give up the claim on a file, if there is one."""
        if name in self._claims:
            _unlock(_beside(self._path(name), "USE"), self._claims.pop(name))

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        path = self._path(name)
        with _reported("REMOVE", name), suppress(FileNotFoundError):
            if _is_plain(path):
                os.remove(path)

    def _write(self, name: str, make: Callable[[], bytes | None]) -> None:
        lock = _beside(self._path(name), "LCK")
        with _reported("WRITE", name):
            descriptor = _lock(lock, LOCK_PATIENCE)
            try:
                contents = make()
                path = self._path(name)
                if contents is not None:
                    # A longer file could be written but not read back.
                    if len(contents) > MOST_BYTES:
                        raise AreaError(f"CANNOT WRITE {name.upper()}: IT IS FULL.")
                    _replace(path, contents)
                elif _is_plain(path):
                    os.remove(path)
            finally:
                _unlock(lock, descriptor)

    def _path(self, name: str, folder: str = "") -> str:
        """Return the path of a file, or the path where it would be made.

        If several names on disk differ only in case, only upper case will do.
        """
        folder = folder or self.folder
        wanted = name.upper()
        if not NAME.fullmatch(wanted):
            raise AreaError(f"{sanitized(name)} IS NOT A FILE NAME.")
        path = os.path.join(folder, wanted)
        if os.path.lexists(path):
            return path
        fits = [entry for entry in _entries(folder) if entry.upper() == wanted]
        if len(fits) > 1:
            raise AreaError(f"{wanted} IS THE NAME OF SEVERAL FILES.")
        return os.path.join(folder, fits[0]) if fits else path


def _beside(path: str, what: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name.upper()}.{what}")


def _names(folder: str) -> set[str]:
    return set(filter(NAME.fullmatch, map(str.upper, _entries(folder))))


def _entries(folder: str) -> list[str]:
    """Return the names of the plain files in a folder; [] if it is gone."""
    with suppress(OSError), os.scandir(folder) as entries:
        return [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
    return []


def _contents(path: str, name: str) -> bytes:
    with _reported("READ", name):
        contents = _read(path, MOST_BYTES + 1) if _is_plain(path) else None
    if contents is None:
        raise AreaError(f"{name.upper()} NOT FOUND.")
    if len(contents) > MOST_BYTES:
        raise AreaError(f"{name.upper()} IS TOO LARGE.")
    return contents


def _text(path: str, name: str) -> str:
    try:
        text = _contents(path, name).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise AreaError(f"{name.upper()} LINE {line} IS NOT TEXT.") from None
    return text.replace("\r\n", "\n")


def _read(path: str, most: int) -> bytes | None:
    """Return up to `most` bytes of a file; None if it is no longer a plain file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | SAFE_FLAGS)
    except OSError:
        if _is_plain(path):
            raise
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        contents = bytearray()
        most = min(status.st_size, most)
        while piece := os.read(descriptor, most - len(contents)):
            contents += piece
        return bytes(contents)
    finally:
        os.close(descriptor)


def _replace(path: str, contents: bytes) -> None:
    """Write a new file and rename it over the old one, if any.  Raises OSError."""
    mode = _mode(path)
    fresh = _beside(path, "NEW")
    with suppress(FileNotFoundError):
        os.remove(fresh)
    _create(fresh, contents, mode)
    try:
        if mode is not None or not _try_link(fresh, path):
            os.replace(fresh, path)
    finally:
        with suppress(OSError):
            os.remove(fresh)
    _flush_folder(os.path.dirname(path))


def _try_link(path: str, name: str) -> bool:
    """Link the file; return False if the disk has no links.  Raises FileExistsError."""
    try:
        os.link(path, name)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def _link(path: str, name: str) -> None:
    """Give a file a second name.  Raises FileExistsError, OSError."""
    if not _try_link(path, name):
        contents = _read(path, MOST_BYTES)
        if contents is None:
            raise OSError("not a plain file")
        _create(name, contents, _mode(path))
    _flush_folder(os.path.dirname(path))


def _create(path: str, contents: bytes, mode: int | None) -> None:
    """Make a new file, whole or not at all.  Raises FileExistsError, OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFE_FLAGS, 0o666)
    try:
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
    except BaseException:
        with suppress(OSError):
            os.remove(path)
        raise


def _mode(path: str) -> int | None:
    """Return a file's mode, or None if there is no file.

    Raises OSError unless the file is plain and writable.
    """
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise OSError("not a plain file")
    if not os.access(path, os.W_OK):
        raise PermissionError("permission denied")
    return stat.S_IMODE(status.st_mode)


def _flush_folder(folder: str) -> None:
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _lock(path: str, patience: float) -> int | None:
    """Make and lock the file; return its descriptor, or None on Windows.

    The lock ends with the process.  In some network folders nothing is locked.
    Raises OSError, or InUse if another process keeps it for `patience` seconds.
    """
    if sys.platform == "win32":
        return None
    until = time.monotonic() + patience
    while True:
        descriptor = _open_lock(path)
        taken = False
        try:
            if _try_lock(descriptor):
                with suppress(FileNotFoundError):  # its last holder removed it
                    taken = os.path.samestat(os.fstat(descriptor), os.lstat(path))
            elif time.monotonic() >= until:
                raise InUse
            else:
                time.sleep(NAP)
        finally:
            if not taken:
                _close(descriptor)
        if taken:
            return descriptor


def _unlock(path: str, descriptor: int | None) -> None:
    if descriptor is not None:
        with suppress(OSError):
            os.remove(path)
        _close(descriptor)


def _close(descriptor: int) -> None:
    with suppress(OSError):
        os.close(descriptor)


def _open_lock(path: str) -> int:
    """Open the lock file, creating it if necessary; return its descriptor."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | SAFE_FLAGS, 0o666)
    except PermissionError:  # another user's file; reading is enough to lock it
        with suppress(OSError):
            return os.open(path, os.O_RDONLY | SAFE_FLAGS)
        raise


def _try_lock(descriptor: int) -> bool:
    """Lock the file; return False if another process has locked it."""
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # the folder does not support locks
    return True


@contextmanager
def _reported(verb: str, name: str) -> Iterator[None]:
    """Turn an OSError into an AreaError: CANNOT <verb> <name>, and why."""
    try:
        yield
    except InUse:
        why = f"CANNOT {verb} {name.upper()}: ANOTHER SESSION IS USING IT."
        raise InUse(why) from None
    except OSError as error:
        why = str(error.strerror or error).upper()
        raise AreaError(f"CANNOT {verb} {name.upper()}: {why}.") from None


def _is_plain(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
