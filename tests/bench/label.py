"""Makes positions with the exact value of every move, for strength.py.

Prints a file like tests/labelled.txt.  Random games of 3, 4, 5 and 6 stones a
pit in turn go on until 26 to 42 stones are in play, or one less than all.
SOLVE's solver then proves each move.  Positions with one move, or in
tests/labelled.txt, are left out.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

from sail.board import MOST_PITS, STANDARD, Position, start
from sail.engine import endgame
from sail.engine.exact import Solver
from tests.bench.strength import labelled

MOST_IN_PLAY = 42


def positions(seed: int) -> Iterator[tuple[int, Position]]:
    """Yield the stones a pit at the start, and a position with a choice, forever."""
    chance = random.Random(seed)
    met = {case.position.rows for case in labelled()}
    stones = 3
    while True:
        down_to = min(chance.randint(26, MOST_IN_PLAY), 2 * MOST_PITS * stones - 1)
        position = start(stones, rules=STANDARD)
        while position.in_play > down_to and not position.over:
            position = position.play(chance.choice(position.legal))
        rows = position.rows[position.mover], position.rows[1 - position.mover]
        if position.in_play < 26 or len(position.legal) < 2 or rows in met:
            continue
        met.add(rows)
        yield stones, Position(rows, rules=STANDARD)
        stones = 3 if stones == 6 else stones + 1


def values(position: Position, database: endgame.Database) -> Iterator[str]:
    """Yield the value of every pit, "-" where it has no stones.

    Each position gets a solver of its own: one for all would keep the proofs
    of all.
    """
    solver = Solver(MOST_PITS, MOST_IN_PLAY, False)
    solver.database = database
    for pit in range(1, MOST_PITS + 1):
        proofs = list(solver.prove_move(position, pit)) if pit in position.legal else []
        yield f"{proofs[-1].low:3}" if proofs else "  -"


def main() -> None:
    """Print the positions; how long each took goes to standard error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"# {options.positions} positions of tests/bench/label.py, with the exact")
    print(f"# value of every move, standard rules; seed {options.seed}.  Columns as")
    print("# in tests/labelled.txt.", flush=True)
    database = endgame.build(Solver(MOST_PITS, MOST_IN_PLAY, False).moves, 18)
    source = positions(options.seed)
    for number in range(1, options.positions + 1):
        stones, position = next(source)
        begun = time.process_time()
        rows = "  ".join(
            " ".join(f"{count:2}" for count in row) for row in position.rows
        )
        print(f"{stones}  {rows}", *values(position, database), flush=True)
        seconds = time.process_time() - begun
        print(
            f"{number}: {position.in_play} in play, {seconds:.1f} s",
            file=sys.stderr,
            flush=True,
        )


if __name__ == "__main__":
    main()
