"""The area: the folder where a user's files live.

The only module that writes.  Names are upper case with at most six
letters or digits, a dot and at most three, as on the PDP-6 and PDP-10;
whatever else lies in the folder is not seen, nor is a link.
"""

from __future__ import annotations

import os
import re

NAME = re.compile(r"[A-Z0-9]{1,6}(\.[A-Z0-9]{1,3})?")


class AreaError(Exception):
    """One sentence, fit to be typed, about a file or the area."""


class BadName(AreaError):
    """The name is not of the form of a file in an area."""


class FileMissing(AreaError):
    """The area has no such file."""


class Area:
    """The files of one folder.

    Raises AreaError when the folder cannot be made or written.
    """

    def __init__(self, folder: str) -> None:
        self.folder = os.path.abspath(folder)
        try:
            os.makedirs(self.folder, exist_ok=True)
        except OSError as error:
            raise AreaError(f"Cannot make the area {folder}: {_reason(error)}.")
        if not os.access(self.folder, os.R_OK | os.W_OK | os.X_OK):
            raise AreaError(
                f"Cannot write in the area {folder}: choose another with --area."
            )

    def names(self) -> list[str]:
        """The names of all files in the area, sorted; none if it has gone."""
        try:
            found = os.listdir(self.folder)
        except OSError:
            return []
        return sorted(
            name
            for name in found
            if NAME.fullmatch(name) and _is_plain(os.path.join(self.folder, name))
        )

    def has(self, name: str) -> bool:
        """Whether the area has that file.  Raises BadName."""
        return _is_plain(self._path(name))

    def read_bytes(self, name: str) -> bytes:
        """The contents of a file.  Raises BadName, FileMissing, AreaError."""
        path = self._path(name)
        if not _is_plain(path):
            raise FileMissing(f"{name.upper()} NOT FOUND.")
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError as error:
            raise AreaError(f"CANNOT READ {name.upper()}: {_reason(error).upper()}.")

    def read(self, name: str) -> str:
        """The text of a file.

        Raises BadName, FileMissing, and AreaError when it is not text.
        """
        try:
            text = self.read_bytes(name).decode("utf-8")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise AreaError(f"{name.upper()} LINE {line} IS NOT TEXT.")
        return text.replace("\r\n", "\n")

    def write_bytes(self, name: str, contents: bytes) -> None:
        """Write a file whole or not at all.  Raises BadName, AreaError."""
        path = self._path(name)
        fresh = f"{path}.{os.getpid()}"  # not a name of the area, so never seen
        try:
            try:
                with open(fresh, "wb") as file:
                    file.write(contents)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(fresh, path)
            finally:
                if os.path.lexists(fresh):
                    os.remove(fresh)
        except OSError as error:
            raise AreaError(f"CANNOT WRITE {name.upper()}: {_reason(error).upper()}.")

    def write(self, name: str, text: str) -> None:
        """Write a text whole or not at all.  Raises BadName, AreaError."""
        self.write_bytes(name, text.encode("utf-8"))

    def append(self, name: str, text: str) -> None:
        """Add to the end of a text, or make it.

        What stood there stays even when the disk is full.
        Raises BadName, AreaError.
        """
        path = self._path(name)
        try:
            with open(path, "ab") as file:
                size = file.seek(0, os.SEEK_END)
                try:
                    file.write(text.encode("utf-8"))
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    os.truncate(path, size)
                    raise
        except OSError as error:
            raise AreaError(f"CANNOT WRITE {name.upper()}: {_reason(error).upper()}.")

    def remove(self, name: str) -> None:
        """Remove a file if it is there.  Raises BadName, AreaError."""
        try:
            os.remove(self._path(name))
        except FileNotFoundError:
            pass
        except OSError as error:
            raise AreaError(f"CANNOT REMOVE {name.upper()}: {_reason(error).upper()}.")

    def _path(self, name: str) -> str:
        if not NAME.fullmatch(name.upper()):
            raise BadName(f"{printable(name)} IS NOT A FILE NAME.")
        return os.path.join(self.folder, name.upper())


def printable(text: str) -> str:
    """What was typed as it can be typed back: cut, upper case, no controls."""
    kept = "".join(c for c in text.upper() if c.isprintable())
    return kept if len(kept) <= 20 else kept[:20] + "..."


def _is_plain(path: str) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
