"""Measures the cost of a proof: time, searched positions, memory.

The first table has the starts with 1, 2 and 3 stones a pit, the second one
positions of random games by the stones in play.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time

from sail.board import STANDARD, Position, start
from sail.engine.levels import LEVELS
from sail.engine.search import Search
from tests.positions import random_game


def positions(stones: int, count: int) -> list[Position]:
    """Return `count` positions with a choice of moves and `stones` in play."""
    chance = random.Random(1)
    found: list[Position] = []
    while len(found) < count:
        begin = start(chance.choice([3, 4, 5, 6]), rules=STANDARD)
        game = [p for p in random_game(chance, begin) if p.in_play == stones]
        found += [position for position in game[:1] if len(position.legal) > 1]
    return found


def memory() -> float:
    """Return the most memory used so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=21, help="of each kind")
    options = parser.parse_args()
    limit = LEVELS[-1].limit
    print(f"Proofs by {LEVELS[-1].name} from the first move, endgames to")
    print(
        f"{limit.endgames} stones built by the first that has more; {limit.seconds:g} s each"
    )
    print()
    print("stones    value   proved  seconds  positions    MB")
    for stones in (1, 2, 3):
        began = time.perf_counter()
        found = Search().find(start(stones, rules=STANDARD), limit)
        seconds = time.perf_counter() - began
        print(
            f"{stones:6}{found.value:+9}{'yes' if found.proved else 'no':>9}"
            f"{seconds:9.2f}{found.effort:11}{memory():6.0f}"
        )
    print()
    print(f"Proofs of {options.positions} positions of random games each")
    print()
    print("in play  proved   median s    worst s   median positions    MB")
    for stones in (12, 16, 20, 24):
        spent, efforts, proved = [], [], 0
        for position in positions(stones, options.positions):
            search = Search()
            began = time.perf_counter()
            found = search.find(position, limit)
            spent.append(time.perf_counter() - began)
            efforts.append(found.effort)
            proved += found.proved
        print(
            f"{stones:7}{100 * proved / len(spent):7.0f}%{statistics.median(spent):11.3f}"
            f"{max(spent):11.3f}{statistics.median(efforts):19.0f}{memory():6.0f}"
        )


if __name__ == "__main__":
    main()
