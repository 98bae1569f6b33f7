"""Measure the searched positions a second, and what a proof costs.

    python3 -m tests.bench.speed [--proofs] [--level TOURNAMENT]

A position counts as searched when its moves are generated.  The search and plain
alpha-beta run one after the other, so their ratio depends little on the machine.

--proofs: print instead the seconds, positions and memory that proofs take the level
from the starts with 1, 2 and 3 stones a pit.
"""

from __future__ import annotations

import argparse
import platform
import resource
import time

from sail.board import STANDARD_RULES, Position, start
from sail.engine.levels import LEVELS, Level
from sail.engine.limit import Limit
from sail.engine.search import Search
from tests.bench.strength import chosen


class PlainAlphaBeta:
    """Plain alpha-beta, which estimates by the stones in the kalahs."""

    def __init__(self) -> None:
        self.effort = 0

    def value(self, position: Position, plies: int, alpha: int, beta: int) -> int:
        """Return the value for the mover, kalahs included."""
        if position.over or plies == 0:
            first, second = position.score
            return second - first if position.mover else first - second
        self.effort += 1
        for pit in position.legal:
            after = position.play(pit)
            if after.mover == position.mover:
                value = self.value(after, plies, alpha, beta)
            else:
                value = -self.value(after, plies - 1, -beta, -alpha)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return alpha


def plain_speed(stones: int, seconds: float) -> float:
    """Return the searched positions a second of the plain search."""
    plain = PlainAlphaBeta()
    began = time.process_time()
    plies = 1
    while time.process_time() - began < seconds:
        plain.value(start(stones, rules=STANDARD_RULES), plies, -100, 100)
        plies += 1
    return plain.effort / (time.process_time() - began)


def speed(stones: int, seconds: float) -> float:
    """Return the searched positions a second of a new search."""
    began = time.process_time()
    found = Search().find(
        start(stones, rules=STANDARD_RULES), Limit(seconds=seconds), time.process_time
    )
    return found.effort / (time.process_time() - began)


def speeds(seconds: float, repeat: int) -> None:
    """Print the table of speeds, each the best of `repeat`."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"Searched positions a second, {python},")
    print(f"{seconds:g} s, the best of {repeat}")
    print()
    print("stones     plain    search    ratio")
    for stones in (6, 3, 4):
        plain = max(plain_speed(stones, 1.0) for _ in range(repeat))
        searched = max(speed(stones, seconds) for _ in range(repeat))
        print(f"{stones:6}{plain:10.0f}{searched:10.0f}{searched / plain:9.1f}")


def memory() -> float:
    """Return the most memory used so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def proofs(level: Level) -> None:
    """Print the table of proofs."""
    limit = level.limit
    print(f"Proofs by {level.name} from the first move, {limit.seconds:g} s each")
    print()
    print("stones    value   proved  seconds  positions    MB")
    for stones in (1, 2, 3):
        began = time.process_time()
        found = Search().find(
            start(stones, rules=STANDARD_RULES), limit, time.process_time
        )
        seconds = time.process_time() - began
        print(
            f"{stones:6}{found.value:+9}{'yes' if found.proved else 'no':>9}"
            f"{seconds:9.2f}{found.effort:11}{memory():6.0f}"
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--repeat", type=int, default=3, help="take the best")
    parser.add_argument("--proofs", action="store_true")
    parser.add_argument("--level", type=chosen, default=LEVELS[-1:])
    options = parser.parse_args()
    if options.proofs:
        proofs(options.level[0])
    else:
        speeds(options.seconds, options.repeat)


if __name__ == "__main__":
    main()
