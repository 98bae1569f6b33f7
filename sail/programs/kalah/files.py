"""What KALAH keeps in the area: games, positions, a count of wins."""

from __future__ import annotations

import re
from contextlib import suppress

from sail import special
from sail.area import Area, AreaError, InUse
from sail.programs import record
from sail.programs.game import Game
from sail.programs.kalah import says
from sail.programs.questions import POSITION, position_file

TMP = "KALAH.TMP"  # the game in progress, or the last one until it is saved
WON = "KALAH.WON"  # how many times running the top level was beaten


class Files:
    """The files of one user.  Every method may raise AreaError.

    keeps: whether there is a game in progress to keep and to take up; a
    script that is played twice shall type the same twice.  `close` ends it.
    """

    def __init__(self, area: Area, keeps: bool) -> None:
        self._area = area
        self._keeps = keeps
        self._kept: Game | None = None  # what is on TMP
        self._holds = False  # TMP, while a game is in progress
        self._told = False  # that the game in progress cannot be kept

    def left(self) -> Game | None:
        """The game that the last session left, if any.

        None is kept from then on if another session keeps its own, or the
        file is damaged.
        """
        if not self._keeps:
            return None
        try:
            self._hold()
        except InUse:
            raise self._another_session() from None
        except AreaError:
            pass  # nothing can be written: `keep` will tell
        try:
            self._kept = self._last()
        except AreaError as error:
            self.close()
            self._keeps = False
            raise AreaError(says.NOT_KEPT.format(error)) from None
        if not self._kept or self._kept.over:
            self.close()
        return self._kept

    def keep(self, game: Game) -> None:
        """Write down the game in progress, unless it was done already.

        A failure is told once, until it could be done again.
        """
        if not self._keeps or game == self._kept:
            return
        try:
            self._take()
            self._area.write(TMP, record.write(game))
        except InUse:
            raise self._another_session() from None
        except AreaError:
            if not self._told:
                self._told = True
                raise
        else:
            self._told = False
            self._kept = game
            if game.over:
                self.close()

    def drop(self, game: Game) -> None:
        """Forget the game in progress, if it is this one."""
        if self._keeps and game == self._kept:
            with suppress(InUse):
                self._take()
                self._area.remove(TMP)
                self._kept = None
            self.close()

    def close(self) -> None:
        """Let another session keep its game."""
        if self._holds:
            self._holds = False
            self._area.release(TMP)

    def save(self, game: Game) -> None:
        """Add a game to the saved ones, which must be undamaged."""

        def add(saved: str | None) -> str:
            if not saved:
                return record.write(game)
            if not record.is_whole(saved):
                _read(saved, record.OUT)
            return saved + "\n" + record.write(game)

        self._area.change(record.OUT, add)

    def count_win(self, won: bool) -> int:
        """The number of wins running, with this game."""
        running = 0

        def count(text: str | None) -> str:
            nonlocal running
            if text is not None:
                pattern = says.TIMES_RUNNING.format(r"(\d{1,9})") + "\n"
                match = re.fullmatch(pattern, text, re.ASCII)
                if not match:
                    raise AreaError(says.NO_COUNT.format(WON))
                running = int(match[1])
            running = running + 1 if won else 0
            return says.TIMES_RUNNING.format(running) + "\n"

        self._area.change(WON, count)
        return running

    def positions(self) -> list[str]:
        """The names of the special positions."""
        names = self._area.names()
        return [name[: -len(POSITION)] for name in names if name.endswith(POSITION)]

    def save_position(self, name: str, position: special.Special) -> str:
        """The file that the position is now on; it must be a new one.

        Raises BadPosition for what is not a name.
        """
        file = position_file(name)

        def make(text: str | None) -> str:
            if text is not None:
                raise AreaError(says.FILE_EXISTS.format(file))
            return special.write(position)

        self._area.change(file, make)
        return file

    def _hold(self) -> None:
        """Nothing; TMP is this session's own.  Raises InUse, AreaError."""
        self._area.hold(TMP)
        self._holds = True

    def _take(self) -> None:
        """Hold TMP, in which another session must not have left a game."""
        if not self._holds:
            self._hold()
            try:
                last = self._last()
            except AreaError:
                self.close()
                raise
            if last and not last.over and last != self._kept:
                raise InUse

    def _another_session(self) -> AreaError:
        self.close()
        self._keeps = False
        return AreaError(says.NOT_KEPT.format(says.ANOTHER_SESSION))

    def _last(self) -> Game | None:
        games = _read(self._area.read(TMP), TMP) if self._area.has(TMP) else []
        return games[-1] if games else None


def _read(text: str, name: str) -> list[Game]:
    try:
        return record.read(text, name)
    except record.Damaged as error:
        raise AreaError(str(error)) from None
