"""The commands at the dot that work on files."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import partial

from sail.board import ISK_RULES, STANDARD_RULES
from sail.files import games, positions, seal
from sail.files.area import NOT_FOUND, with_extension
from sail.line.station import Station
from sail.refusal import Refusal
from sail.stop import Stop, Stopped
from sail.talk import manuals
from sail.talk.asking import Asker, Back, Command, Commands, Question, attempt
from sail.teletype import EndOfInput
from sail.typed import plural, sanitized

NOT_HERE = "{} IS NOT ON THIS MACHINE."
NAME_WIDTH = 12  # columns for each file name


class FileCommands:
    """The files of the area, as the user lists, types, deletes and punches them."""

    def __init__(self, tty: Station, asker: Asker) -> None:
        self.tty = tty
        self.asker = asker
        self.area = asker.area
        each = self._each
        self.commands: Commands[None] = (
            Command("DIRECTORY", "LISTS YOUR FILES", self._list, "POS", short=True),
            Command("TYPE", "TYPES ONE OF THEM", each(self._type), "FILE", short=True),
            Command("READ", "TYPES A WHOLE MANUAL", each(self._type_manual), "NAME"),
            Command("DELETE", "DELETES A FILE OF YOURS", each(self._delete), "FILE"),
            Command("RENAME", "RENAMES ONE: RENAME OLD NEW", self._rename, "FILE"),
            Command("PUNCH", "PUNCHES A FILE ON PAPER TAPE", each(self._punch), "FILE"),
            Command(
                "PTR", "READS A TAPE INTO A NEW FILE", each(self._read_tape), "FILE"
            ),
        )

    def _each(self, action: Callable[[str], None]) -> Callable[[str], None]:
        """Return the function of a command that does this for each name typed."""

        def obey(names: str) -> None:
            if not names:
                raise Refusal("TYPE A NAME AFTER THAT WORD.")
            *others, last = names.split()
            for name in others:
                attempt(self.tty, partial(action, name))
            action(last)  # what it refuses, the monitor types

        return obey

    def _list(self, typed: str) -> None:
        """List the files with these names or patterns; without any, the user's own."""
        wanted = typed.split()
        files = self.area.names(with_shelf=bool(wanted))
        matching = {name: _matching(name, files) for name in wanted or ["*"]}
        names = sorted(set().union(*matching.values()))
        a_line = self.tty.settings.width // NAME_WIDTH
        for first in range(0, len(names), a_line):
            line = names[first : first + a_line]
            self.tty.type("".join(name.ljust(NAME_WIDTH) for name in line).rstrip())
        for name in wanted:
            if not matching[name]:
                form = NOT_HERE if "[" in name else NOT_FOUND
                self.tty.type(form.format(sanitized(name)))
        if not (names or wanted):
            self.tty.type("NO FILES")

    def _type(self, name: str) -> None:
        manual = name.removesuffix(".DOC")
        if manual != name and manual in manuals.MANUALS and not self.area.has(name):
            raise Refusal(f"{name} IS A MANUAL: TYPE HELP {manual}.")
        text = self.area.read(self._full_name(name), sealed=False)
        self.tty.type(text, end="" if text.endswith("\n") else "\n")

    def _type_manual(self, name: str) -> None:
        self._expect_here(name)
        self.tty.type(manuals.find(f"{name} ALL"))

    def _punch(self, name: str) -> None:
        name = self._full_name(name)
        self.tty.punch(self.area.read(name, sealed=False), name)

    def _read_tape(self, name: str) -> None:
        """Read a tape into a new file; without an extension, a position's."""
        name = with_extension(name, positions.POS)
        self.area.expect_new(name)
        text = self.tty.read_tape()
        expect_readable(text, name, self.tty.poll)
        self.area.write(name, text, new=True)
        count = len(text.splitlines())
        self.tty.type(f"{name} HAS {count} LINE{plural(count)}.")

    def _delete(self, name: str) -> None:
        name = self._full_name(name)
        self.area.expect_own(name)
        if self._ask_whether(f"DELETE {name}? ", "DELETES IT"):
            self.area.delete(name)

    def _rename(self, names: str) -> None:
        """Rename a file; a new name without an extension gets the old one's."""
        if len(names.split()) != 2:
            raise Refusal("TYPE TWO NAMES: RENAME OLD NEW.")
        old, new = names.split()
        old = self._full_name(old)
        new = with_extension(new, "".join(old.partition(".")[1:]))
        self.area.expect_own(old)
        self.area.expect_new(new)
        if new in seal.TITLES:
            seal.verified(new, self.area.read(old, sealed=False))
        if self._ask_whether(f"RENAME {old} TO {new}? ", "RENAMES IT"):
            self.area.rename(old, new)

    def _ask_whether(self, prompt: str, yes: str) -> bool:
        """Ask whether to do it; a ^C, a ^Z and QUIT mean NO."""
        question = Question(prompt, otherwise="TYPE Y, N OR Q.")
        try:
            leave: Command[bool] = Command("QUIT", "LEAVES IT, TOO", short=True)
            return self.asker.ask_yes(question, yes, "LEAVES IT AS IT IS", leave)
        except (Back, EndOfInput, Stopped):
            return False

    def _full_name(self, name: str) -> str:
        """Return FIG2.POS for FIG2 if only FIG2.POS exists, else the name unchanged.

        Raises Refusal for what is not here.
        """
        self._expect_here(name)
        position = with_extension(name, positions.POS)
        known = self.area.has(name) or not self.area.has(position, with_shelf=True)
        return name if known else position

    def _expect_here(self, name: str) -> None:
        """Raise Refusal for NAME[PRJ,PRG], and for the manual of 1972."""
        if name.startswith("KALAH.AKC") and name not in self.area.names():  # AKC
            manual = "THE MANUAL OF 1972 IS NOT HERE."
            raise Refusal(f"{manual}  SAILDART.ORG KEEPS THE LAB'S TAPES.")
        if "[" in name:
            raise Refusal(NOT_HERE.format(sanitized(name)))


def expect_readable(text: str, name: str, stop: Stop) -> None:
    """Raise a Refusal if the text is not what its name promises, or if stopped."""
    seal.verified(name, text)
    if name.endswith(positions.POS):
        positions.parse(text, name)
    elif name in (seal.KALAH_OUT, seal.KALAH_TMP):
        list(games.SavedGames(text, name, stop))
    elif name.endswith(games.OUT):
        with suppress(seal.BadLine):
            games.parse_typed(text, name, ISK_RULES, stop)
            return
        games.parse_typed(text, name, STANDARD_RULES, stop)


def _matching(wanted: str, names: list[str]) -> list[str]:
    """Return the names that match a name, one of its halves, or a pattern."""
    globs = () if "[" in wanted else (wanted, f"{wanted}.*", f"*.{wanted}")
    return [name for name in names if any(fnmatchcase(name, glob) for glob in globs)]
