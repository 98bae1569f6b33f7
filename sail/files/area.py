"""The area: the folder where a user's files live.

A name has at most six letters or digits, and may have an extension of at most
three, as on the PDP-6 and PDP-10; it is given in capitals, and on the disk its case
does not matter.  Other entries in the folder are not read, and links not followed.

A file is replaced, never changed in place: a reader always gets either the
whole old file or the whole new one.  Files of the program's own are sealed as they are
written, and verified as they are read.  A session locks a file while it writes it;
`hold` keeps the lock.  .KALAH.OUT.NEW exists while KALAH.OUT is written, and
.KALAH.OUT.LCK while it is locked.  A killed process may leave these files behind;
they do no harm.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from sail import HOUSE
from sail.files import disk, seal
from sail.refusal import Refusal, system_words
from sail.typed import sanitized

NAME = re.compile(r"[A-Z0-9]{1,6}(\.[A-Z0-9]{1,3})?")
MISNAMED = re.compile(r"[^.]{7,}\.POS|[^.]+\.POS\.TXT", re.IGNORECASE)
# The bytes that a file may have, by its name or its extension.
MOST_BYTES = {
    seal.KALAH_OUT: 16 << 20,
    "POS": 64 << 10,
    "TAL": 64 << 10,
    "TMP": 64 << 10,
}
MOST_IN_OTHERS = 1 << 20
SHELF = str(HOUSE.parent / "saves" / "shelf")  # what comes with KALAH
BYTE_ORDER_MARK = "\ufeff"
IN_USE = "CANNOT {} {}: ANOTHER SESSION IS USING IT."
NOT_FOUND = "{} NOT FOUND."
LOCK_WAIT = 10.0  # seconds that a write waits for another write to end
HOLD_WAIT = 1.0  # seconds that `hold` waits for another session to end


class InUse(Refusal):
    """Another process has locked the file."""


class Area:
    """The files of one folder.

    It is made before the first file is written.  What reads, writes or looks for a file
    may raise Refusal, and so may the constructor.
    shelf: a second folder, read-only, where `read` finds files that this folder
    lacks: by default what comes with KALAH.
    for_visitor: whether its user sees and writes no file of the folder but KALAH.OUT.
    """

    def __init__(
        self, folder: str, shelf: str = SHELF, for_visitor: bool = False
    ) -> None:
        self._shelf = shelf
        self.for_visitor = for_visitor
        self._held: dict[str, disk.Lock] = {}  # by file name
        if not folder:
            raise Refusal("The area has no name: choose a folder with --area.")
        try:
            self.folder = os.path.abspath(folder)
            disk.expect_folder(self.folder)
        except PermissionError:
            raise Refusal(
                f"Cannot read the area {folder}: choose another with --area."
            ) from None
        except OSError as error:
            why = system_words(error)
            raise Refusal(f"Cannot use the area {folder}: {why}.") from None

    def _allows(self, name: str) -> bool:
        """Return whether this user may read and write the file in this folder."""
        return name == seal.KALAH_OUT or not self.for_visitor

    def names(self, with_shelf: bool = False) -> list[str]:
        """Return the sorted names of all files here, and perhaps of those there."""
        there = _names(self._shelf) if with_shelf else set()
        return sorted({*filter(self._allows, _names(self.folder)), *there})

    def may_be_typed(self, name: str) -> bool:
        """Return whether the file is here and a person may have typed it."""
        return name in self.names() and name not in seal.TITLES

    def misnamed(self) -> list[str]:
        """Return the names of files that look like a position's, but are not read."""
        misnamed = filter(MISNAMED.fullmatch, disk.names(self.folder))
        return sorted(filter(self._allows, misnamed))

    def has(self, name: str, with_shelf: bool = False) -> bool:
        """Return whether this file, or something else in its place, is here.

        with_shelf: whether it may be on the shelf, too.
        """
        with _reported("READ", name):
            here = self._allows(name) and disk.exists(self._path(name))
        return here or (with_shelf and name in _names(self._shelf))

    def read(self, name: str, missing: str | None = None, sealed: bool = True) -> str:
        """Return the text of a file in this folder, or else on the shelf.

        CR LF and CR become a line feed, and the mark that some editors put before a
        text is left out.
        missing: what to return if there is no file, instead of raising Refusal.
        sealed: whether to raise Damaged unless the text is under the file's seal.
        """
        folder = self.folder if self.has(name) else self._shelf
        with _reported("READ", name):
            try:
                contents = disk.read(self._path(name, folder), _most_bytes(name))
            except FileNotFoundError:
                if missing is None:
                    raise Refusal(NOT_FOUND.format(name)) from None
                return missing
        if contents is None:
            raise Refusal(f"{name} IS TOO LARGE.")
        try:
            text = contents.decode().replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as error:
            line = contents[: error.start].count(b"\n") + 1
            raise Refusal(f"{name} LINE {line} IS NOT TEXT.") from None
        text = text.removeprefix(BYTE_ORDER_MARK)
        return seal.verified(name, text) if sealed else text

    def write(self, name: str, text: str, new: bool = False) -> None:
        """Write a text, whole or not at all.  new: only if there is no such file."""
        with self._holding(name, writes=True):
            if new:
                self.expect_new(name)
            contents = seal.sealed(name, text).encode()
            if len(contents) > _most_bytes(name):
                raise Refusal(f"CANNOT WRITE {name}: IT IS FULL.")
            disk.replace(self._path(name), contents)

    def change(self, name: str, edit: Callable[[str], str]) -> None:
        """Replace the text of a file with what `edit` returns for it.

        `edit` gets the text, "" if there is no file.  If it raises an exception, the
        file stays as it is.  No other session writes the file meanwhile.
        """
        with self._holding(name, writes=True):
            exists = disk.writable_mode(self._path(name)) is not None
            self.write(name, edit(self.read(name) if exists else ""))

    def expect_own(self, name: str) -> None:
        """Raise Refusal unless the file is here, plain, and the user's own."""
        if self.has(name, with_shelf=True) and not self.has(name):
            raise Refusal(f"{name} CAME WITH KALAH: IT STAYS.")
        self._expect_allowed(name)
        with _reported("CHANGE", name):
            if disk.writable_mode(self._path(name)) is None:
                raise Refusal(NOT_FOUND.format(name))

    def delete(self, name: str) -> None:
        """Delete a file of the user's own that no session is using."""
        with self._holding(name):
            self.expect_own(name)
            disk.remove(self._path(name))

    def rename(self, name: str, new_name: str) -> None:
        """Give a file of the user's own a name that is new here and on the shelf."""
        with self._holding(name, new_name):
            self.expect_own(name)
            self.expect_new(new_name)
            disk.rename(self._path(name), self._path(new_name))

    def expect_new(self, name: str) -> None:
        """Raise Refusal if the file exists here or on the shelf."""
        if self.has(name, with_shelf=True):
            raise Refusal(f"{name} ALREADY EXISTS.  TYPE ANOTHER NAME.")

    def _expect_allowed(self, name: str) -> None:
        if not self._allows(name):
            raise Refusal(f"VISITORS CANNOT WRITE {name}.")

    @contextmanager
    def _holding(self, *names: str, writes: bool = False) -> Iterator[None]:
        """Hold these files; if one is held already, let that do if `writes`.

        Else raise InUse: a session uses it, even if it is this one.
        """
        wait = LOCK_WAIT if writes else HOLD_WAIT
        with ExitStack() as held, _reported("WRITE" if writes else "CHANGE", names[0]):
            for name in dict.fromkeys(names):
                if self.hold(name, make_folder=writes, wait=wait):
                    held.callback(self.release, name)
                elif not writes:
                    raise InUse(f"{name} IS IN USE BY THE PROGRAM THAT ^C STOPPED.")
            yield

    def hold(
        self, name: str, make_folder: bool = False, wait: float = HOLD_WAIT
    ) -> bool:
        """Keep other sessions from writing a file until `release`.  Raises InUse.

        Return False if it was held already.  make_folder: whether to make the folder
        if there is none; else nothing is held, and the result is True.  wait: seconds
        before InUse.
        """
        if name in self._held:
            return False
        self._expect_allowed(name)
        with _reported("WRITE", name):
            if make_folder:
                disk.make_folder(self.folder)
            if os.path.isdir(self.folder):
                self._held[name] = disk.Lock(self._path(name), wait)
        return True

    def release(self, name: str) -> None:
        """Let other sessions write a file, if it is held."""
        if name in self._held:
            self._held.pop(name).close()

    def _path(self, name: str, folder: str = "") -> str:
        """Return the path of a file, or the path where it would be made.

        If several names on disk differ only in case, only upper case will do.
        """
        folder = folder or self.folder
        if not NAME.fullmatch(name):
            why = "AT MOST 6 LETTERS OR DIGITS"
            if NAME.fullmatch(name.partition(".")[0]):
                why = "AT MOST 3 LETTERS OR DIGITS AFTER A PERIOD"
            raise Refusal(f"{sanitized(name)} IS NOT A NAME: {why}.")
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            return path
        names = disk.names(folder, plain=False)
        fits = [on_disk for on_disk in names if on_disk.upper() == name]
        if len(fits) > 1:
            raise Refusal(f"{name} IS THE NAME OF SEVERAL FILES.")
        return os.path.join(folder, fits[0]) if fits else path


def with_extension(name: str, extension: str) -> str:
    """Return the name of a file; without an extension, it gets this one."""
    return name if "." in name else name + extension


def _names(folder: str) -> set[str]:
    return set(filter(NAME.fullmatch, map(str.upper, disk.names(folder))))


def _most_bytes(name: str) -> int:
    extension = name.partition(".")[2]
    return MOST_BYTES.get(name, MOST_BYTES.get(extension, MOST_IN_OTHERS))


@contextmanager
def _reported(verb: str, name: str) -> Iterator[None]:
    """Turn an OSError into a Refusal: CANNOT <verb> <name>, and why."""
    try:
        yield
    except BlockingIOError:
        raise InUse(IN_USE.format(verb, name)) from None
    except OSError as error:
        why = system_words(error).upper()
        raise Refusal(f"CANNOT {verb} {name}: {why}.") from None
