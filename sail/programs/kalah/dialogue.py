"""KALAH's talk with one user, down the page."""

from __future__ import annotations

import time
from collections.abc import Callable

from sail.area import Area
from sail.programs.game import Game
from sail.programs.kalah import ending, files, says
from sail.programs.kalah.opponent import Opponent
from sail.programs.kalah.play import Play
from sail.programs.kalah.setup import Start, continue_game, new_game
from sail.programs.questions import QUIT, Back, Command, agrees, ask, attempt
from sail.teletype import Leave, Teletype


def local_minute() -> str:
    """Return the local time as 1972-10-06 14:03."""
    return time.strftime("%Y-%m-%d %H:%M")


def run(
    tty: Teletype,
    area: Area,
    now: Callable[[], str] = local_minute,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Play games until the user leaves (AKC-09200)."""
    Dialogue(tty, area, now, clock).run()


class Dialogue:
    """A session of one user: game after game, and SAVE between them."""

    def __init__(
        self,
        tty: Teletype,
        area: Area,
        now: Callable[[], str],
        clock: Callable[[], float],
    ) -> None:
        self.tty = tty
        self.area = area
        self.now = now
        # A script that is played twice is to type the same twice.
        self.autosave = files.Autosave(area, on=tty.live)
        self.opponent = Opponent(tty, clock)
        self.last: Game | None = None  # the game just played
        self.saved = False  # whether that may be on KALAH.OUT already

    def run(self) -> None:
        try:
            start = self.continued() or self.new_game()
            while True:
                play = Play(self.tty, self.area, self.autosave, self.opponent)
                self.last = play.run(start.game, start.shown)
                self.saved = False
                ending.type_result(self.tty, self.area, self.last)
                for line in start.solution:
                    self.tty.type(line)
                ending.count(self.tty, self.area, self.last)
                if not self.another_game():
                    return
                start = self.new_game()
        except Back:
            return
        except Leave:
            if self.autosave.in_progress:
                self.tty.type(says.GAME_IS_KEPT)
            raise
        finally:
            self.autosave.close()

    def continued(self) -> Start | None:
        """Return the last session's game if the user continues it.

        Raises Back to leave.
        """
        game = self.last = attempt(self.tty, self.autosave.load)
        self.saved = True  # that session may have been killed just after it saved
        if not game:
            return None
        if game.over:
            ending.count(self.tty, self.area, game)  # or just before it counted
            return None
        return Start(game) if continue_game(self.tty, game, self.save) else None

    def new_game(self) -> Start:
        return new_game(self.tty, self.area, self.now, self.save)

    def another_game(self) -> bool:
        """Ask whether to play another game (AKC-14000).  Raises Back to leave."""
        save = Command("SAVE", self.save)
        prompt, help = says.ANOTHER_GAME, says.ANOTHER_GAME_HELP
        return ask(self.tty, prompt, agrees, help, [save], [QUIT])

    def save(self) -> None:
        """Add the game just played to KALAH.OUT (AKC-13700).  Raises Refusal."""
        game = self.last
        if not game:
            self.tty.type(says.NO_GAME_TO_SAVE)
            return
        added = files.save_game(self.area, game, once=self.saved)
        self.saved = True
        attempt(self.tty, lambda: self.autosave.delete(game))
        self.tty.type(says.GAME_SAVED if added else says.ALREADY_SAVED)
