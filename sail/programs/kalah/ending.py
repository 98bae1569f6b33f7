"""After a game: its result, and the count of wins against the top level."""

from __future__ import annotations

from sail.area import Area
from sail.board import PLAYERS
from sail.engine.levels import LEVELS
from sail.programs import record
from sail.programs.game import Ending, Game
from sail.programs.kalah import files, says
from sail.programs.questions import attempt
from sail.teletype import Teletype

GRANDMASTER_GAMES = 3  # running, with
GRANDMASTER_STONES = 4  # a pit or more


def type_result(tty: Teletype, area: Area, game: Game) -> None:
    """Type how the game ended, the score, and who won by how much."""
    position = game.position
    a, b = map(sum, position.rows)
    if game.ending:
        how = says.ENDINGS[game.ending]
    elif a and b:
        leader = PLAYERS[position.kalahs[0] < position.kalahs[1]]
        how = says.ENDED_BY_MAJORITY.format(leader)
    elif a or b:
        how = says.ENDED_BY_EMPTY_ROW.format(PLAYERS[a > 0], PLAYERS[b > 0], a + b)
    else:
        how = says.ENDED_BY_EMPTY_ROWS
    tty.type(how)
    margin = abs(position.score[0] - position.score[1])
    if game.winner is None:
        who = says.NOBODY_WINS
    elif game.winner == game.human:
        who = says.YOU_WIN if game.ending else says.YOU_WIN_BY.format(margin)
    else:
        who = says.I_WIN if game.ending else says.I_WIN_BY.format(margin)
    tty.type(says.SCORE.format(*position.score) + who)
    lost = game.winner == 1 - game.human
    if lost and not attempt(tty, lambda: area.has(record.OUT)):
        tty.type(says.WHERE_LOST)
    for line in files.solution(area, game.start):
        tty.type(line)


def count(tty: Teletype, area: Area, game: Game) -> None:
    """Count a game against the top level; name a grandmaster (AKC-10700).

    With fewer stones a pit anyone can win by rote.
    """
    if (
        game.level != LEVELS[-1].name
        or not record.is_opening(game.start)
        or game.start.rows[0][0] < GRANDMASTER_STONES
    ):
        return
    won = game.winner == game.human and game.ending != Ending.DAMMIT
    running = attempt(tty, lambda: files.count_win(area, game, won))
    if running and running >= GRANDMASTER_GAMES:
        for line in says.GRANDMASTER:
            tty.type(line.format(running))
