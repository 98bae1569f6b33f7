"""How often a level keeps the value, on positions with known values.

tests/labelled.txt has the exact value of every move.  A move keeps the
value if none is better; its loss is the stones that it gives away.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import NamedTuple

from sail.board import STANDARD, Position
from sail.engine.levels import LEVELS
from sail.engine.limit import Limit
from sail.engine.search import Search

LABELLED = Path(__file__).parents[1] / "labelled.txt"


class Labelled(NamedTuple):
    """A position and the values of its moves by pit."""

    position: Position
    values: dict[int, int]


def labelled() -> list[Labelled]:
    """The positions of tests/labelled.txt."""
    found = []
    for line in LABELLED.read_text().splitlines():
        if line.startswith("#"):
            continue
        fields = line.split()
        own, other = tuple(map(int, fields[1:7])), tuple(map(int, fields[7:13]))
        values = {
            pit: int(value) for pit, value in enumerate(fields[13:], 1) if value != "-"
        }
        found.append(Labelled(Position((own, other), rules=STANDARD), values))
    return found


def scaled(limit: Limit, scale: float) -> Limit:
    """The limit with so many times the seconds and the effort."""
    return limit._replace(
        seconds=None if limit.seconds is None else limit.seconds * scale,
        effort=None if limit.effort is None else round(limit.effort * scale),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=40, help="0: all")
    parser.add_argument("--scale", type=float, default=0.1, help="of the budget")
    parser.add_argument("--levels", default="C,B,A,MASTER,TOURNAMENT")
    options = parser.parse_args()
    every = labelled()
    if options.positions:
        every = random.Random(1).sample(every, options.positions)
    print(f"Moves that keep the value, {len(every)} positions of 26 to 42 stones")
    print(f"in play, each level with {options.scale:g} times its seconds and effort")
    print()
    print("level       keeps      mean loss   proved   seconds a move")
    share = loss = 0.0
    for level in LEVELS:
        if level.name not in options.levels.split(","):
            continue
        kept = lost = proved = 0
        began = time.perf_counter()
        for position, values in every:
            found = Search().find(position, scaled(level.limit, options.scale))
            worse = max(values.values()) - values[found.pit]
            kept += not worse
            lost += worse
            proved += found.proved
        seconds = (time.perf_counter() - began) / len(every)
        share, loss = 100 * kept / len(every), lost / len(every)
        print(
            f"{level.name:11}{share:5.1f} %{loss:13.3f}"
            f"{100 * proved / len(every):8.0f}%{seconds:14.2f}",
            flush=True,
        )
    print()
    print(f"The last keeps {share:.1f} % and loses {loss:.3f} stones a move.")


if __name__ == "__main__":
    main()
