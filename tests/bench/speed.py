"""Measure the searched positions a second, and what a proof costs.

    python3 -m tests.bench.speed [--seconds 5] [--proofs]

A position counts as searched when its moves are generated.

--proofs: print instead the seconds, positions and memory that proofs take TOURNAMENT
from the starts with 1, 2 and 3 stones a pit.
"""

from __future__ import annotations

import argparse
import time

from sail.board import STANDARD_RULES, start
from sail.engine.levels import STRONGEST
from sail.engine.limit import Limit
from sail.engine.search import Finding, Search
from tests.bench.solve import peak_megabytes


def timed(stones: int, limit: Limit) -> tuple[Finding, float]:
    """Return what a new search finds in the start, and its CPU seconds."""
    began = time.process_time()
    found = Search().find(start(stones, rules=STANDARD_RULES), limit, time.process_time)
    return found, time.process_time() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--proofs", action="store_true")
    options = parser.parse_args()
    if options.proofs:
        print("stones    value   proved  seconds  positions    MB")
        for stones in (1, 2, 3):
            found, seconds = timed(stones, STRONGEST.limit)
            proved = "yes" if found.proved else "no"
            print(
                f"{stones:6}{found.value:+9}{proved:>9}{seconds:9.2f}"
                f"{found.effort:11}{peak_megabytes():6}"
            )
    else:
        print("stones    search")
        for stones in (6, 3, 4):
            found, seconds = timed(stones, Limit(seconds=options.seconds))
            print(f"{stones:6}{found.effort / seconds:10.0f}")


if __name__ == "__main__":
    main()
