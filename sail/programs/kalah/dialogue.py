"""A session of KALAH: game after game, and the questions between them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from sail.files import games
from sail.files.area import Area
from sail.game import Ending, Game
from sail.programs.kalah import saving, says, standing
from sail.programs.kalah.begin import Setup
from sail.programs.kalah.last import NO_GAME, LastGame
from sail.programs.kalah.play import GameInProgress
from sail.programs.kalah.showing import type_result, type_state
from sail.stop import Clock
from sail.talk.asking import Asker, Back, Command, Commands, answering, attempt
from sail.teletype import Teletype


class Session:
    """One user's session.

    with_asides: False to type only the manual's lines, unless the user asks for others.
    """

    def __init__(
        self,
        tty: Teletype,
        area: Area,
        game_time: Callable[[], str] = games.game_time,
        clock: Clock = time.monotonic,
        with_asides: bool = True,
    ) -> None:
        self.tty = tty
        self.asker = Asker(tty, area, "KALAH", says.RULES, with_asides, clock)
        self.autosave = saving.Autosave(area, saving.writes_unasked(self.asker))
        self.setup = Setup(self.asker, self.autosave, game_time)
        self.played: deque[Game] = deque(maxlen=standing.MOST_REMEMBERED)

    def run(self) -> None:
        """Play games until the user leaves (AKC-09200)."""
        try:
            game = self._first_game()
            while True:
                game = GameInProgress(self.asker, self.autosave, game).run()
                self._type_ending(game)
                game = self._ask_another_game(game)
        except Back:
            return
        finally:
            self.autosave.close()
            if self.autosave.in_progress:
                self.asker.aside(says.GAME_IS_KEPT)

    def _first_game(self) -> Game:
        """Return the last session's game if it goes on, else a new one."""
        game = attempt(self.tty, self.autosave.load) or NO_GAME
        last = LastGame(self.setup, game)
        if not game.over:
            if not self.asker.with_asides:  # it stays on file until KALAH asks about it
                self.autosave.turn_off()
            elif self._ask_to_go_on(last):
                return self.setup.type_board(self.setup.take_up(game))
        area = self.asker.area
        if self.autosave.on and attempt(self.tty, lambda: not saving.has_game(area)):
            self.asker.aside(says.NEW_TO_KALAH)
            self.setup.newcomer = self.asker.with_asides
        return self.setup.ask(last.start_commands)

    def _ask_to_go_on(self, last: LastGame) -> bool:
        """Ask whether the last session's game goes on.  Raises Back."""

        def show(_: str) -> None:
            self.tty.type(says.YOU_ARE[last.game.user])
            type_state(self.tty, last.game)

        return self.asker.ask_yes(
            says.CONTINUE_GAME,
            "GOES ON WITH THE GAME YOU LEFT",
            "STARTS ANOTHER; THIS ONE IS LOST UNLESS YOU SAVE IT",
            Command("SHOW", "SHOWS THE BOARD", show, short=True),
            Command("SAVE", "SAVES THE GAME ON KALAH.OUT", last.save, short=True),
            Command("QUIT", "LEAVES KALAH; THE GAME IS STILL KEPT", short=True),
        )

    def _type_ending(self, game: Game) -> None:
        """Type how the game ended, and what the user may type about it."""
        self.tty.ring()
        if not self.asker.with_asides:
            return
        type_result(self.tty, game)
        if game.winner != game.user and game.ending != Ending.QUIT and game.pits:
            self.tty.type(says.WHERE_LOST)
        self.asker.type_lines(standing.lines_after([*self.played, game]))
        if game.ending:
            self.tty.type(says.BACK_GOES_ON)

    def _ask_another_game(self, game: Game) -> Game:
        """Ask whether to play another game, and return it (AKC-14000).

        BACK returns this one without the command that ended it.  Raises Back to leave.
        """
        last = LastGame(self.setup, game)
        asker = self.asker
        if last.can_be_punched and asker.area.for_visitor and asker.with_asides:
            with suppress(Back):
                attempt(self.tty, partial(last.tape, ""))
        commands: Commands[bool | Game] = (
            Command("YES", "ASKS WHAT TO START WITH", answering(True), short=True),
            Command("NO", "LEAVES KALAH", short=True),
            Command("QUIT", "LEAVES KALAH, TOO"),
            *last.end_commands,
            *(replace(command, short=False) for command in self.setup.commands),
        )
        answer = self.asker.ask(says.ANOTHER_GAME, commands)
        if not isinstance(answer, Game):
            answer = self.setup.ask(last.start_commands)
        if answer != replace(game, ending=None):
            self.played.append(game)
        return answer
