"""Make positions with the exact value of every move, for strength and fit.

Prints a file like tests/labelled.txt.  Random games of 3, 4, 5 and 6 stones a
pit in turn go on until 26 to 42 stones are in play, or one less than all.
SOLVE's solver then proves each move.  Positions with only one move,
or in tests/labelled.txt, are left out.

    python3 -m tests.bench.label --positions 200 --seed 1972
    python3 -m tests.bench.label --positions 405 --least 8 --most 36 --by search
    python3 -m tests.bench.label --positions 300 --least 12 --most 36 --by learners
    python3 -m tests.bench.label --positions 4000 --least 8 --most 26

The first made tests/unseen.txt.  The second and the third make positions like those
by which the errors of C and B were measured, the last positions to fit the weights to.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from itertools import islice
from math import inf

from sail.board import MOST_PITS, STANDARD_RULES, Position, opening
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.levels import LEVELS, Limit
from sail.engine.search import Search
from tests.bench.ladder import greedy, takes
from tests.bench.strength import labelled

PLAYED = Limit(depth=2)  # the search that plays against itself
TEACHER = LEVELS["C"].limit._replace(seconds=inf)


def positions(
    chance: random.Random, least: int, most: int, pit: Callable[[Position], int]
) -> Iterator[tuple[int, Position]]:
    """Yield the stones a pit at the start, and a position with a choice, forever.

    least, most: the stones in play.  pit: chooses the moves of the games.
    """
    met = {case.position.rows for case in labelled()}
    stones = 3
    while True:
        down_to = min(chance.randint(least, most), 2 * MOST_PITS * stones - 1)
        position = opening(stones, rules=STANDARD_RULES)
        while position.in_play > down_to and not position.over:
            position = position.play(pit(position))
        rows = position.rows[position.mover], position.rows[1 - position.mover]
        if position.in_play < least or len(position.legal) < 2 or rows in met:
            continue
        met.add(rows)
        yield stones, Position(rows, rules=STANDARD_RULES)
        stones = 3 if stones == 6 else stones + 1


def played(chance: random.Random) -> Callable[[Position], int]:
    """Return a function that picks pits: at random in the opening, else by search."""
    search = Search()

    def pit(position: Position) -> int:
        if chance.random() < position.in_play / position.stones - 0.5:
            return chance.choice(position.legal)
        return search.find(position, PLAYED).variation[0]

    return pit


def learned(chance: random.Random) -> Callable[[Position], int]:
    """Return a function that picks pits as in games of learners.

    Player 0 is one of the ladder's players, who know no search, in each game another;
    player 1 is level C, a third of whose moves are random.
    """
    search, players = Search(), (takes(0.6), takes(0.9), greedy)
    player = players[0]

    def pit(position: Position) -> int:
        nonlocal player
        if position.in_play == position.stones:
            player = chance.choice(players)
        if position.mover == 0:
            return player(position, chance)
        if chance.random() < 1 / 3:
            return chance.choice(position.legal)
        return search.find(position, TEACHER).variation[0]

    return pit


def values(position: Position, database: endgame.Database) -> Iterator[str]:
    """Yield the value of every pit, "-" where it has no stones.

    Each position gets a solver of its own: one for all would keep the proofs
    of all.
    """
    solver = Solver(MOST_PITS, database.moves.mask, STANDARD_RULES)
    solver.database = database
    for pit in range(1, MOST_PITS + 1):
        proofs = list(solver.prove_move(position, pit)) if pit in position.legal else []
        yield f"{proofs[-1].low:3}" if proofs else "  -"


BY = {
    "chance": lambda chance: lambda position: chance.choice(position.legal),
    "search": played,
    "learners": learned,
}


def main() -> None:
    """Print the positions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=int, default=26, help="stones in play")
    parser.add_argument("--most", type=int, default=42, help="stones in play")
    parser.add_argument("--by", choices=BY, default="chance", help="the players")
    options = parser.parse_args()
    print(f"# {options.positions} positions of tests/bench/label.py, with the exact")
    print(f"# value of every move, standard rules; seed {options.seed}.  Columns as")
    print("# in tests/labelled.txt.", flush=True)
    stones = endgame.most_useful(MOST_PITS, max(options.most, 31))
    moves = Solver(MOST_PITS, options.most, STANDARD_RULES).moves
    database = endgame.build(moves, stones)
    chance = random.Random(options.seed)
    source = positions(chance, options.least, options.most, BY[options.by](chance))
    for stones, position in islice(source, options.positions):
        a, b = (" ".join(f"{count:2}" for count in row) for row in position.rows)
        print(f"{stones}  {a}  {b}", *values(position, database), flush=True)


if __name__ == "__main__":
    main()
