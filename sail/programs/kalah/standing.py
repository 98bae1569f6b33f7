"""How the user stands: in this session, and by the games on file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from sail.engine.levels import LEVELS, STRONGEST
from sail.game import Ending, Game
from sail.programs.kalah import says

STREAK = 2  # wins or losses that end a streak: another level may be suggested
GRANDMASTER_GAMES = 3  # wins in a row at the top level
LAST = 10  # results listed one by one
GRANDMASTER_STONES = 4  # the fewest stones a pit in a game that counts


class Standing(NamedTuple):
    """The user's present streaks of wins or losses.

    level: of the last game.  streak: the wins in a row there, or losses as a negative
    number; a new one begins after STREAK of them.  top_wins: the ranked games won in
    a row (`_is_ranked`, AKC-10700): one not won ends them, and one won with advice does
    not count.
    """

    level: str = ""
    streak: int = 0
    top_wins: int = 0

    def after(self, game: Game) -> Standing:
        letter = _letter(game)
        won = letter in ("W", "A")
        sign = won - (letter == "L")
        goes_on = game.level == self.level and abs(self.streak) < STREAK
        streak = sign + (self.streak if goes_on and self.streak * sign > 0 else 0)
        top_wins = self.top_wins
        if _is_ranked(game) and letter != "A":
            top_wins = top_wins + 1 if won else 0
        return Standing(game.level, streak, top_wins)

    def lines(self, game: Game) -> list[str]:
        """Return the lines to type after `game`, which this standing already counts."""
        lines: list[str] = []
        rungs = self.streak // STREAK if self.streak % STREAK == 0 else 0
        if rungs and (level := next_level(game, rungs)):
            lines.append((says.WON_TWO if rungs > 0 else says.LOST_TWO).format(level))
        if self.top_wins >= GRANDMASTER_GAMES and _is_ranked(game):
            beaten, *rest = says.GRANDMASTER
            lines += [beaten.format(STRONGEST.name, self.top_wins), *rest]
        return lines


def _is_ranked(game: Game) -> bool:
    """Return whether a game counts toward a grandmaster ranking (AKC-10700).

    With fewer than GRANDMASTER_STONES a pit, anyone can win by rote.
    """
    stones = game.start.rows[0][0] if game.start.is_opening else 0
    return game.level == STRONGEST.name and stones >= GRANDMASTER_STONES


def _letter(game: Game) -> str:
    """Return W for a win, A for one with advice, L or D; "" if it does not count.

    One that QUIT or DAMMIT ended does not, nor one conceded before any move.
    """
    if not game.over or game.ending in (Ending.QUIT, Ending.DAMMIT):
        return ""
    if game.winner is None:
        return "D"
    if game.winner != game.user:
        return "L" if game.moves else ""
    return "A" if game.advised else "W"


def results(saved: Iterable[Game]) -> list[str]:
    """Return a line for each level: the games that count, the wins, the last ten."""
    played: dict[str, str] = defaultdict(str)
    for game in saved:
        played[game.level] += _letter(game)
    levels = ((name, played[name]) for name in LEVELS if played[name])
    return [
        says.LEVEL_RESULTS.format(
            name, len(letters), letters.count("W"), letters[-LAST:]
        )
        for name, letters in levels
    ]


def next_level(game: Game, rungs: int) -> str:
    """Return the level so many rungs above the game's, "" if there is none."""
    names = list(LEVELS)
    number = names.index(game.level) + rungs
    return names[number] if 0 <= number < len(names) else ""
