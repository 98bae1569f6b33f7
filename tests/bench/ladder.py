"""Plays each of the levels named against the one named before it.

The games have 3 to 6 stones a pit, and the first turn of each player is
random.  Every opening is played twice, with each level as the first player.  A
draw counts half.  The clock counts the CPU seconds of this process.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time

from sail.board import KALAH, Position, start
from sail.engine.limit import Limit
from sail.engine.search import Search
from tests.bench.strength import ALL, chosen, scaled


def opening(chance: random.Random) -> Position:
    """Return an unfinished game after one random turn of each player."""
    while True:
        position = start(chance.choice([3, 4, 5, 6]), rules=KALAH)
        for player in (0, 1):
            while not position.over and position.mover == player:
                position = position.play(chance.choice(position.legal))
        if not position.over:
            return position


def play(position: Position, limits: tuple[Limit, Limit]) -> float:
    """Return 1, 1/2 or 0 points for player 0; every move has a new search."""
    while not position.over:
        found = Search().find(position, limits[position.mover], time.process_time)
        position = position.play(found.pit)
    first, second = position.score
    return (1 + (first > second) - (first < second)) / 2


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="of each pair")
    parser.add_argument("--scale", type=float, default=0.02, help="of the budget")
    parser.add_argument("--levels", default=ALL, type=chosen)
    options = parser.parse_args()
    print(f"{options.games} games a pair, 3 to 6 stones, random first two turns,")
    print(f"each level with {options.scale:g} times its seconds and effort")
    print()
    print("pair                      points   in a hundred    seconds")
    for lower, upper in zip(options.levels, options.levels[1:]):
        limits = [scaled(level.limit, options.scale) for level in (lower, upper)]
        chance = random.Random(1)
        points: list[float] = []
        began = time.process_time()
        while len(points) < options.games:
            position = opening(chance)
            points.append(play(position, (limits[1], limits[0])))
            points.append(1 - play(position, (limits[0], limits[1])))
        share = 100 * statistics.mean(points)
        error = 100 * statistics.pstdev(points) / math.sqrt(len(points))
        pair = f"{upper.name} - {lower.name}"
        print(
            f"{pair:22}{sum(points):10.1f}{share:9.1f} +-{error:4.1f}"
            f"{time.process_time() - began:11.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
