"""What KALAH keeps in the area: games, positions, a count of wins."""

from __future__ import annotations

import re

from sail import special
from sail.area import Area, AreaError, BadName, printable
from sail.programs.kalah import record, says
from sail.programs.kalah.game import Game

OUT = "KALAH.OUT"  # the saved games
TMP = "KALAH.TMP"  # the game in progress, or the last one until it is saved
WON = "KALAH.WON"  # how many times running the top level was beaten
POSITION = ".POS"


class Files:
    """The files of one user.  Every method may raise AreaError.

    keeps: whether there is a game in progress to keep and to take up; a
    script that is played twice shall type the same twice.
    """

    def __init__(self, area: Area, keeps: bool) -> None:
        self._area = area
        self._keeps = keeps

    def left(self) -> Game | None:
        """The game that the last session left, if any.

        A damaged file is left alone from then on.
        """
        if not (self._keeps and self._area.has(TMP)):
            return None
        try:
            games = self._games(TMP)
        except AreaError:
            self._keeps = False
            raise
        return games[-1] if games else None

    def keep(self, game: Game) -> None:
        """Write down the game in progress; after a failure no more."""
        if self._keeps:
            try:
                self._area.write(TMP, record.write(game))
            except AreaError:
                self._keeps = False
                raise

    def drop(self) -> None:
        """Forget the game in progress."""
        if self._keeps:
            self._area.remove(TMP)

    def saved(self) -> list[Game]:
        """The saved games, oldest first (AKC-13700)."""
        return self._games(OUT)

    def save(self, game: Game) -> None:
        """Add a game to the saved ones, which must be undamaged."""
        there = self._area.has(OUT) and self._games(OUT)
        self._area.append(OUT, ("\n" if there else "") + record.write(game))

    def count_win(self, won: bool) -> int:
        """The number of wins running, with this game."""
        running = 0
        if self._area.has(WON):
            pattern = says.TIMES_RUNNING.format(r"(\d{1,9})") + "\n"
            match = re.fullmatch(pattern, self._area.read(WON))
            if not match:
                raise AreaError(says.NO_COUNT.format(WON))
            running = int(match[1])
        running = running + 1 if won else 0
        self._area.write(WON, says.TIMES_RUNNING.format(running) + "\n")
        return running

    def positions(self) -> list[str]:
        """The names of the special positions."""
        names = self._area.names()
        return [name[: -len(POSITION)] for name in names if name.endswith(POSITION)]

    def position(self, name: str) -> special.Special:
        """A special position.  Raises BadPosition for a damaged one."""
        file = position_file(name)
        return special.read(self._area.read(file), file)

    def save_position(self, name: str, position: special.Special) -> str:
        """The file that the position is now on; it must be a new one."""
        file = position_file(name)
        if self._area.has(file):
            raise AreaError(says.FILE_EXISTS.format(file))
        self._area.write(file, special.write(position))
        return file

    def _games(self, name: str) -> list[Game]:
        try:
            return record.read(self._area.read(name), name)
        except record.Damaged as error:
            raise AreaError(str(error)) from None


def position_file(name: str) -> str:
    """The file of a special position.  Raises BadName."""
    stem = name.removesuffix(POSITION)
    if not re.fullmatch("[A-Z0-9]{1,6}", stem):
        raise BadName(says.BAD_POSITION_NAME.format(printable(name)))
    return stem + POSITION
