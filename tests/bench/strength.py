"""Measure how often a level keeps the value, and the errors of its own values.

tests/labelled.txt has positions with the exact value of every move.  So has
tests/unseen.txt, to which nothing was ever fitted.  A move keeps the value if
none is better; its loss is the number of stones that it gives away.  Where the
search proved nothing, its error is the value that it found less the exact one.

All positions of unseen.txt at scale 1 give README's figures; the bench fails if one of
them no longer holds.

The level's clock counts the CPU seconds of this process, so other work on the
machine hardly weakens it.

tests/bench/label.py makes other files.  The errors in sail/engine/levels.py are those
on labelled.txt; for C and B, on positions that label.py made with --by, too.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import statistics
import sys
import time
from bisect import bisect
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sail.board import STANDARD_RULES, Position
from sail.engine.levels import LEVELS, Level
from sail.engine.search import Search
from sail.stop import Clock

ALL = ",".join(level.name for level in LEVELS.values() if not level.blunders)
TESTS = Path(__file__).parents[1]
# Bands of stones in play, each from one number to below the next, as in
# sail/engine/levels.py.
BANDS = (1, 13, 17, 21, 25, 26, 30, 34, 38, 43, 49)


class Labelled(NamedTuple):
    """A position and the values of its moves by pit."""

    position: Position
    values: dict[int, int]


def labelled(file: str | Path = "labelled.txt") -> list[Labelled]:
    """Return the positions of a file, by default in tests/."""
    found = []
    for line in (TESTS / file).read_text().splitlines():
        if line.startswith("#"):
            continue
        fields = line.split()
        own, other = tuple(map(int, fields[1:7])), tuple(map(int, fields[7:13]))
        pits = enumerate(fields[13:], 1)
        values = {pit: int(value) for pit, value in pits if value != "-"}
        found.append(Labelled(Position((own, other), rules=STANDARD_RULES), values))
    return found


def successors(case: Labelled) -> Iterator[tuple[Position, int]]:
    """Yield a position and those after its moves, and their values, kalahs left out."""
    position, values = case
    yield position, max(values.values())
    for pit, value in values.items():
        after = position.play(pit)
        if not after.over:
            again = after.mover == position.mover
            yield after, (value if again else -value) - after.lead


def promised() -> dict[str, int]:
    """Return how often README says that levels keep the value, in percent."""
    readme = " ".join((TESTS.parent / "README.txt").read_text("utf-8").split())
    finds = "finds a best move under perfect play "
    said = re.findall(rf"\b([A-Z]+) (?:{finds})?in ([0-9]+) %", readme)
    return {name: int(percent) for name, percent in said}


def chosen(names: str) -> list[Level]:
    """Return the levels with these names, which are separated by commas."""
    return [LEVELS[name] for name in names.upper().split(",")]


def clock_of(scale: float) -> Clock:
    """Return a clock of this process's CPU seconds, each counted as 1 / `scale`."""
    return lambda: time.process_time() / scale


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", default="labelled.txt", help="by default in tests/")
    parser.add_argument("--positions", type=int, default=40, help="0: all")
    parser.add_argument("--scale", type=float, default=0.1, help="of the seconds")
    parser.add_argument("--levels", default=ALL, type=chosen)
    options = parser.parse_args()
    every = labelled(options.file)
    if options.positions:
        every = random.Random(1).sample(every, options.positions)
    print(f"Moves that keep the value, {len(every)} positions of {options.file},")
    print(f"each level with {options.scale:g} times its seconds")
    print()
    print("level       keeps      mean loss")
    errors: dict[tuple[str, int], list[int]] = {}
    keeps: dict[str, float] = {}
    for level in options.levels:
        kept = lost = 0
        for position, values in every:
            found = Search().find(position, level.limit, clock_of(options.scale))
            best = max(values.values())
            kept += values[found.variation[0]] == best
            lost += best - values[found.variation[0]]
            if not found.value.proved:
                band = bisect(BANDS, position.in_play)
                error = found.value.likely - best
                errors.setdefault((level.name, band), []).append(error)
        count = len(every)
        keeps[level.name] = 100 * kept / count
        row = f"{level.name:11}{keeps[level.name]:5.1f} %{lost / count:13.3f}"
        print(row, flush=True)
    print()
    print("The error where nothing is proved: root of the mean square,")
    print("mean, 90th percentile without sign, cases")
    print("in play    " + "".join(f"{level.name:>22}" for level in options.levels))
    for band, (least, beyond) in enumerate(zip(BANDS, BANDS[1:]), 1):
        print(f"{least} to {beyond - 1}".ljust(11), end="")
        for level in options.levels:
            band_errors = errors.get((level.name, band), [])
            cell = "-"
            if band_errors:
                square = math.sqrt(statistics.mean(it**2 for it in band_errors))
                mean = statistics.mean(band_errors)
                sizes = sorted(map(abs, band_errors))
                ninth = sizes[math.ceil(0.9 * len(sizes)) - 1]
                cell = f"{square:.2f}{mean:+7.2f}{ninth:4}{len(sizes):5}"
            print(f"{cell:>22}", end="")
        print()
    broken = {k: v for k, v in promised().items() if keeps.get(k, v) < v}
    if (options.file, options.positions, options.scale) == ("unseen.txt", 0, 1):
        sys.exit(f"README says {broken}, in percent" if broken else 0)


if __name__ == "__main__":
    main()
