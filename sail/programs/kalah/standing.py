"""How the user stands in this session: on the ladder, and against the top level."""

from __future__ import annotations

from typing import NamedTuple

from sail.board import start
from sail.engine.levels import LADDER, STRONGEST, Rung
from sail.files.games import is_opening
from sail.game import Ending, Game
from sail.programs.kalah import says

IN_A_ROW = 2  # wins or losses that end a streak: another rung may be suggested
GRANDMASTER_GAMES = 3  # wins in a row at the top level
GRANDMASTER_STONES = 4  # the fewest stones a pit in a game that counts


class Standing(NamedTuple):
    """The user's present streaks of wins or losses.

    rung: of the last game, if it was on the ladder.  streak: the wins in a row there,
    or losses as a negative number; a new one begins after IN_A_ROW of them.
    top_wins: the wins in a row at the top level (AKC-10700).
    """

    rung: Rung | None = None
    streak: int = 0
    top_wins: int = 0

    def after(self, game: Game) -> Standing:
        """Return the standing after this game."""
        rung = rung_of(game)
        won = game.winner == game.human and game.ending != Ending.DAMMIT
        lost = game.winner == 1 - game.human
        streak = self.streak if rung == self.rung and abs(self.streak) < IN_A_ROW else 0
        if won:
            streak = max(0, streak) + 1
        elif lost:
            streak = min(0, streak) - 1
        else:
            streak = 0
        top_wins = self.top_wins
        if counts(game) and not (won and game.advised):
            top_wins = top_wins + 1 if won else 0
        return Standing(rung, streak, top_wins)

    def lines(self, game: Game) -> list[str]:
        """Return the lines to type after `game`, which this standing already counts."""
        found: list[str] = []
        if self.rung and abs(self.streak) == IN_A_ROW:
            number = LADDER.index(self.rung) + (1 if self.streak > 0 else -1)
            if 0 <= number < len(LADDER):
                how = says.WON_TWO if self.streak > 0 else says.LOST_TWO
                found.append(how.format(way_to(LADDER[number], game)))
        if self.top_wins >= GRANDMASTER_GAMES and counts(game):
            first, *more = says.GRANDMASTER
            found += [first.format(STRONGEST.name, self.top_wins), *more]
        return found


def counts(game: Game) -> bool:
    """Return whether a game counts toward a grandmaster ranking (AKC-10700).

    With fewer than GRANDMASTER_STONES a pit, anyone can win by rote.
    """
    first = game.start
    stones = first.rows[0][0] if is_opening(first) else 0
    return game.level == STRONGEST.name and stones >= GRANDMASTER_STONES


def rung_of(game: Game) -> Rung | None:
    """Return the rung of the ladder that a game was on, if any."""
    human, machine = game.start.kalahs[game.human], game.start.kalahs[1 - game.human]
    rung = Rung(game.level, human - machine)
    with_odds = rung.odds and not machine and game.start.rows == start(4).rows
    return rung if rung in LADDER and (with_odds or is_opening(game.start)) else None


def way_to(rung: Rung, game: Game) -> str:
    """Return what to type for this rung, with as many stones as `game` if possible."""
    if rung.odds:
        return says.TYPE_ODDS.format(rung.odds, rung.level)
    return says.TYPE_LEVEL.format(game.start.rows[0][0], rung.level)
