"""How the user stands: in this session, and by the games on file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile

from sail.engine.levels import LEVELS, STRONGEST
from sail.game import Ending, Game
from sail.programs.kalah import says

STREAK = 2  # wins or losses that end a streak: another level may be suggested
GRANDMASTER_GAMES = 3  # wins in a row at the top level
MOST_REMEMBERED = 100  # games of a session; no streak need be longer
LAST = 10  # results listed one by one
GRANDMASTER_STONES = 4  # the fewest stones a pit in a game that counts


def lines_after(games: Sequence[Game]) -> list[str]:
    """Return the lines to type after the last of the games played in this session.

    They name another level after each STREAK wins or losses in a row at one, and praise
    GRANDMASTER_GAMES ranked wins in a row, of which one with advice does not count.
    """
    last, latest = games[-1], games[::-1]
    streak = _streak(map(_level_and_sign, latest), _level_and_sign(last))
    _, sign = _level_and_sign(last)
    lines: list[str] = []
    if sign and streak % STREAK == 0 and (level := next_level(last, sign)):
        lines.append((says.WON_TWO if sign > 0 else says.LOST_TWO).format(level))
    ranked = (_result_letter(game) for game in latest if _is_ranked(game))
    wins = _streak((letter for letter in ranked if letter != "A"), "W")
    if wins >= GRANDMASTER_GAMES and _is_ranked(last):
        beaten, *rest = says.GRANDMASTER
        lines += [beaten.format(STRONGEST.name, wins), *rest]
    return lines


def _streak(results: Iterable[object], result: object) -> int:
    """Return how many of the results are this one before the first that is not."""
    return len([*takewhile(lambda it: it == result, results)])


def _level_and_sign(game: Game) -> tuple[str, int]:
    """Return the game's level, and 1 for a win, -1 for a loss, else 0."""
    return game.level, {"W": 1, "A": 1, "L": -1}.get(_result_letter(game), 0)


def _is_ranked(game: Game) -> bool:
    """Return whether a game counts toward a grandmaster ranking (AKC-10700).

    With fewer than GRANDMASTER_STONES a pit, anyone can win by rote.
    """
    stones = game.start.rows[0][0] if game.start.is_opening else 0
    return game.level == STRONGEST.name and stones >= GRANDMASTER_STONES


def _result_letter(game: Game) -> str:
    """Return W for a win, A for one with advice, L or D; "" if it does not count.

    One that QUIT or DAMMIT ended does not, nor one conceded before any move.
    """
    if not game.over or game.ending in (Ending.QUIT, Ending.DAMMIT):
        return ""
    if game.winner is None:
        return "D"
    if game.winner != game.user:
        return "L" if game.pits else ""
    return "A" if game.advised else "W"


def results(saved: Iterable[Game]) -> list[str]:
    """Return a line for each level: the games that count, the wins, the last ten."""
    played: dict[str, str] = defaultdict(str)
    for game in saved:
        played[game.level] += _result_letter(game)
    levels = ((name, played[name]) for name in LEVELS if played[name])
    return [
        says.LEVEL_RESULTS.format(
            name, len(letters), letters.count("W"), letters[-LAST:]
        )
        for name, letters in levels
    ]


def next_level(game: Game, rungs: int) -> str | None:
    """Return the level so many rungs above the game's, None if there is none."""
    names = list(LEVELS)
    number = names.index(game.level) + rungs
    return names[number] if 0 <= number < len(names) else None
