"""KALAH's files: the game in progress, saved games, and what exercises leave."""

from __future__ import annotations

from collections.abc import Sequence

from sail.files import games, positions, seal, tally
from sail.files.area import Area, InUse
from sail.files.positions import Entry
from sail.game import Game
from sail.programs.kalah import says
from sail.refusal import Refusal
from sail.talk.asking import Asker

MOST_ON_FILE = 50


def writes_unasked(asker: Asker) -> bool:
    """Return whether this session writes files unasked: no script's, no visitor's."""
    return asker.tty.live and not asker.area.for_visitor


class Autosave:
    """The game on KALAH.TMP, for the next session to continue.

    A session holds the file for the whole game, so that no other session writes it.
    If another session holds it, or if `load` cannot read it, this session reports
    that and writes nothing more.  After any other failure `write` tries again.

    on: whether to use the file at all.
    """

    def __init__(self, area: Area, on: bool) -> None:
        self._area = area
        self.on = on
        self._game: Game | None = None  # the game on file, as far as is known
        self._failed = False  # whether the last write failed and was reported

    @property
    def in_progress(self) -> bool:
        """Whether an unfinished game is on file in its present state."""
        game = self._game
        return self.on and game is not None and not game.over and not self._failed

    def load(self) -> Game | None:
        """Return the game on file; hold one that is going on.  Raises Refusal."""
        if not self.on:
            return None
        try:
            self._area.hold(seal.KALAH_TMP)
        except InUse:
            raise self._giving_up(says.ANOTHER_SESSION) from None
        except Refusal:
            pass  # `write` will report that nothing can be written
        try:
            self._game = self._read()
        except Refusal as error:
            raise self._giving_up(error) from None
        if not self._game or self._game.over:
            self.close()
        return self._game

    def write(self, game: Game) -> None:
        """Write the game, unless it is on file already.

        Raises Refusal if that fails, but not again until a write has succeeded.
        """
        if not self.on or game == self._game:
            return
        try:
            if self._area.hold(seal.KALAH_TMP, make_folder=True):
                self._expect_no_other()
            self._area.write(seal.KALAH_TMP, games.text_of(game))
        except InUse:
            raise self._giving_up(says.ANOTHER_SESSION) from None
        except Refusal:
            if not self._failed:
                self._failed = True
                raise
        else:
            self._failed = False
            self._game = game
            if game.over:
                self.close()

    def close(self) -> None:
        """Let other sessions use the file."""
        self._area.release(seal.KALAH_TMP)

    def turn_off(self) -> None:
        """Leave the file as it is, and to other sessions, from now on."""
        self.close()
        self.on = False

    def _giving_up(self, reason: object) -> Refusal:
        """Stop using the file; return the error to raise."""
        self.turn_off()
        return Refusal(says.NOT_KEPT.format(reason))

    def _expect_no_other(self) -> None:
        """Raise InUse if another session's game is on file."""
        try:
            on_file = self._read()
        except Refusal:
            self.close()
            raise
        if on_file and not on_file.over and on_file != self._game:
            raise InUse

    def _read(self) -> Game | None:
        saved = games.saved_games(self._area, seal.KALAH_TMP, missing="")
        return saved[-1] if saved else None


def save_game(area: Area, game: Game) -> None:
    """Add a game to KALAH.OUT.

    Raises Refusal, and adds nothing, if it is there or if the file is damaged.
    """
    text = games.text_of(game)

    def add(saved: str) -> str:
        if f"\n{text}\n" in f"{saved}\n":
            raise Refusal(says.ALREADY_SAVED)
        return f"{saved}\n{text}" if saved else text

    area.change(seal.KALAH_OUT, add)


def save_mistakes(area: Area, entries: Sequence[Entry]) -> None:
    """Put exercises, the turns that a review listed, before those on MISTAK.POS.

    The first MOST_ON_FILE stay; those that are solved come last.  Raises Refusal, and
    writes nothing, if the file is damaged.
    """
    exercises = [entry for entry in entries if entry.is_exercise]
    new = [entry.position for entry in exercises]

    def add(text: str) -> str:
        on_file = positions.parse(text, seal.MISTAK_POS) if text else []
        kept = [*exercises, *(old for old in on_file if old.position not in new)]
        kept.sort(key=lambda entry: entry.solved)
        return "\n".join(map(positions.text_of, kept[:MOST_ON_FILE]))

    if exercises:
        area.change(seal.MISTAK_POS, add)


def note_solved(area: Area, entry: Entry) -> None:
    """Note that an exercise on file was solved at the first try.  Raises Refusal."""
    if entry.file == seal.MISTAK_POS:
        save_mistakes(area, [entry._replace(solved=True)])
    else:
        tally.add(area, entry.file, entry.number)


def has_game(area: Area) -> bool:
    """Return whether a game is on file.  Raises Refusal."""
    return area.has(seal.KALAH_TMP) or area.has(seal.KALAH_OUT)
