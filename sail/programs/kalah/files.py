"""What KALAH keeps in the area: games, positions, a count of wins."""

from __future__ import annotations

import re

from sail import special
from sail.area import Area, AreaError, InUse
from sail.programs import record
from sail.programs.game import Game
from sail.programs.kalah import says
from sail.programs.questions import POSITION, position_file
from sail.refusal import Refusal

TMP = "KALAH.TMP"  # the game in progress, or the last one until it is saved
WON = "KALAH.WON"  # how many times running the top level was beaten
MOST_WINS = 999_999_999
REMEMBERED = 5  # games that are counted already, by their check sums


class Files:
    """The files of one user.  Every method may raise Refusal.

    keeps: whether there is a game in progress to keep and to take up; a
    script that is played twice shall type the same twice.  `close` ends it.
    """

    def __init__(self, area: Area, keeps: bool) -> None:
        self._area = area
        self._keeps = keeps
        self._kept: Game | None = None  # what this session knows to be on TMP
        self._left: Game | None = None  # the game of an earlier session
        self._holds = False  # TMP, while a game is in progress
        self._told = False  # that the game in progress cannot be kept

    @property
    def keeps_game(self) -> bool:
        """Whether a game that is not over is kept, as it stands now."""
        return self._kept is not None and not self._kept.over and not self._told

    def left(self) -> Game | None:
        """The game that the last session left, if any.

        If another session keeps its own, or the file is damaged, this one
        keeps none from then on.
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
            self._kept = self._left = self._last()
        except Refusal as error:
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
        except Refusal:
            if not self._told:
                self._told = True
                raise
        else:
            self._told = False
            self._kept = game
            if game.over:
                self.close()

    def drop(self, game: Game) -> None:
        """Forget the kept game if it still is this one, and of this session."""
        text = record.write(game)
        if self._keeps and game == self._kept:
            self._area.change(TMP, lambda kept: None if kept == text else kept)
            self._kept = None
            self.close()

    def close(self) -> None:
        """Let another session keep its game."""
        if self._holds:
            self._holds = False
            self._area.release(TMP)

    def none_saved(self) -> bool:
        """Whether no game was ever saved."""
        return not self._area.has(record.OUT)

    def save(self, game: Game) -> bool:
        """Whether the game had to be added to the saved ones.

        They must be undamaged.  A game that an earlier session left may be
        there already: it was killed before it could forget it.
        """
        text = record.write(game)
        added: bool

        def add(saved: str | None) -> str:
            nonlocal added
            if not saved:
                added = True
                return text
            if not record.is_whole(saved):
                record.read(saved, record.OUT)
            left = game == self._left
            added = not left or f"\n\n{text}\n" not in f"\n\n{saved}\n"
            return f"{saved}\n{text}" if added else saved

        self._area.change(record.OUT, add)
        return added

    def count_win(self, game: Game, won: bool) -> int:
        """The number of wins running, with this game; 0 if it counted before."""
        check = record.write(game).split()[-1]
        running: int
        counts: bool

        def count(text: str | None) -> str:
            nonlocal running, counts
            running = 0
            counted: list[str] = []
            if text is not None:
                match = WINS.fullmatch(text)
                if not match:
                    raise AreaError(says.NO_COUNT.format(WON))
                running = int(match[1])
                counted = (match[2] or "").split()
            counts = check not in counted
            if counts:
                running = min(running + 1, MOST_WINS) if won else 0
                counted = [*counted, check][-REMEMBERED:]
            times = says.TIMES_RUNNING.format(running)
            return f"{times}\n{says.COUNTED.format(' '.join(counted))}\n"

        self._area.change(WON, count)
        return running if counts else 0

    def positions(self) -> list[str]:
        """The names of the special positions."""
        names = self._area.within_reach()
        return [name.removesuffix(POSITION) for name in names if POSITION in name]

    def save_position(self, name: str, position: special.Special) -> str:
        """The file that the position is now on; it must be a new one."""
        file = position_file(name)
        if file in self._area.within_reach():
            raise AreaError(says.FILE_EXISTS.format(file))

        def make(text: str | None) -> str:
            if text is not None:
                raise AreaError(says.FILE_EXISTS.format(file))
            return special.write(position)

        self._area.change(file, make)
        return file

    def _hold(self) -> None:
        """Make TMP this session's own.  Raises InUse, AreaError."""
        self._area.hold(TMP)
        self._holds = True

    def _take(self) -> None:
        """Hold TMP, in which another session must not have left a game."""
        if not self._holds:
            self._hold()
            try:
                last = self._last()
            except Refusal:
                self.close()
                raise
            if last and not last.over and last != self._kept:
                raise InUse

    def _another_session(self) -> AreaError:
        self.close()
        self._keeps = False
        return AreaError(says.NOT_KEPT.format(says.ANOTHER_SESSION))

    def _last(self) -> Game | None:
        games = record.read(self._area.read(TMP), TMP) if self._area.has(TMP) else []
        return games[-1] if games else None


WINS = re.compile(
    says.TIMES_RUNNING.format("([0-9]{1,9})")
    + "\n(?:"
    + says.COUNTED.format(f"([0-7]{{11}}(?: [0-7]{{11}}){{,{REMEMBERED - 1}}})")
    + "\n)?"
)
