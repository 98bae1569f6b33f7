"""Measures the searched positions a second, and those of plain alpha-beta.

A position counts as searched when its moves are generated.  The two searches
run one after the other, so the ratio depends little on the machine.
"""

from __future__ import annotations

import argparse
import platform
import time

from sail.board import STANDARD, Position, start
from sail.engine.limit import Limit
from sail.engine.search import Search


class Plain:
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
    plain = Plain()
    began = time.process_time()
    plies = 1
    while time.process_time() - began < seconds:
        plain.value(start(stones, rules=STANDARD), plies, -100, 100)
        plies += 1
    return plain.effort / (time.process_time() - began)


def speed(stones: int, seconds: float) -> float:
    """Return the searched positions a second of a new search."""
    began = time.process_time()
    found = Search().find(
        start(stones, rules=STANDARD), Limit(seconds=seconds), time.process_time
    )
    return found.effort / (time.process_time() - began)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--repeat", type=int, default=3, help="take the best")
    options = parser.parse_args()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"Searched positions a second, {python},")
    print(f"{options.seconds:g} s, the best of {options.repeat}")
    print()
    print("stones     plain    search    ratio")
    for stones in (6, 3, 4):
        plain = max(plain_speed(stones, 1.0) for _ in range(options.repeat))
        fresh = max(speed(stones, options.seconds) for _ in range(options.repeat))
        print(f"{stones:6}{plain:10.0f}{fresh:10.0f}{fresh / plain:9.1f}")


if __name__ == "__main__":
    main()
