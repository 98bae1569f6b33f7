"""Compare REVIEW's list with the turns that cost most, in games lost at level A.

Level C, a fifth of whose moves are random, plays against A until enough games of six
stones a pit are lost by 20 stones or more.  REVIEW judges them as KALAH does.  Then every
position is searched for much longer, from the end of a game to its start; the turn
after which that value fell most is the worst.  The clock counts the CPU seconds of
this process.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

from sail.board import Position, start
from sail.engine.judgement import Judge, Judged, review
from sail.engine.levels import STRONGEST
from sail.engine.limit import Limit
from sail.engine.search import Search
from sail.files.values import judging_solver
from sail.game import Game, format_turn
from sail.programs.kalah.faults import MOST_FAULTS, SECONDS
from sail.programs.kalah.opponent import Opponent
from sail.stop import never
from tests.paper import Paper

STONES = 6
LOST_BY = 20
RANDOM = 0.2  # of the loser's moves


def lost(chance: random.Random) -> Iterator[Game]:
    """Yield games that level C, as player 0, lost to A by LOST_BY or more."""
    while True:
        sides = [Opponent(Paper([]), time.process_time) for _ in range(2)]
        game = Game(start(STONES), (), "A", 0, "")
        while not game.over:
            mover = game.position.mover
            if mover == 0 and chance.random() < RANDOM:
                game = game.play(chance.choice(game.position.legal))
            else:
                level = "CA"[mover]
                pit = next(sides[mover].turn(game._replace(level=level)))
                game = game.play(pit)
        first, second = game.position.score
        if second - first >= LOST_BY:
            yield game


def falls(game: Game, seconds: float) -> list[int]:
    """Return how many stones each of player 0's turns cost, by long searches."""
    limit = Limit(seconds=seconds, endgames=STRONGEST.limit.endgames)
    search = Search()
    nodes = [game.start, *(turn.after for turn in game.turns)]
    values: list[int] = []
    for node in reversed(nodes):
        values.insert(0, value(node, search, limit))
    own = [number for number, turn in enumerate(game.turns) if turn.player == 0]
    return [values[number] - values[number + 1] for number in own]


def value(node: Position, search: Search, limit: Limit) -> int:
    """Return player 0's stones less player 1's at the end, by this search."""
    while len(node.legal) == 1:
        node = node.play(node.legal[0])
    if node.over:
        return node.score[0] - node.score[1]
    found = search.find(node, limit, time.process_time)
    return found.value if node.mover == 0 else -found.value


def listed(game: Game) -> tuple[list[Judged], list[Judged]]:
    """Return player 0's turns as judged, and those that REVIEW lists."""
    solver = judging_solver(game.start.in_play)
    judgement = review(game, Judge(time.process_time, never, SECONDS, solver))
    own = [turn for turn in judgement.judged if turn.turn.player == 0]
    return own, judgement.faults(0)[:MOST_FAULTS]


def main() -> None:
    """Print a line a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60, help="of a long search")
    options = parser.parse_args()
    print(f"lost by  turns  listed: turn (stones)  worst by {options.seconds:g} s")
    hits = 0
    games = lost(random.Random(1972))
    for _ in range(options.games):
        game = next(games)
        own, faults = listed(game)
        fell = falls(game, options.seconds)
        worst = [number for number, cost in enumerate(fell) if cost == max(fell)]
        places = [own.index(fault) for fault in faults]
        hit = any(number in places for number in worst)
        hits += hit
        row = " ".join(
            f"{place + 1} {format_turn(fault.turn.pits)} ({fault.lost})"
            for place, fault in zip(places, faults)
        )
        numbers = ", ".join(str(number + 1) for number in worst)
        first, second = game.position.score
        print(
            f"{second - first:7}{len(own):7}  {row:32}{numbers} ({max(fell)})"
            f"{'' if hit else '  not listed'}",
            flush=True,
        )
    print(f"{hits} of {options.games}")


if __name__ == "__main__":
    main()
