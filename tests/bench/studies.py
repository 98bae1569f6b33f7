"""Mine studies: positions in which exactly one turn wins.

    python3 -m tests.bench.studies mine SEED SECONDS >> FOUND
    python3 -m tests.bench.studies choose FOUND > saves/STUDY.POS

Games from 3 to 6 stones a pit, begun by chance and gone on with by a weak
search, are broken off at every turn; the solver tells whether one turn wins and
no other does.  Then C, B, A, MASTER and TOURNAMENT try it, by CPU time.  What
is mined stands on a line: grade, stones a pit, A's kalah and pits, B's, the
turn, the stones that it wins by, and the effort of the proof.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator

from sail.board import STANDARD, Position, start
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.levels import LEVELS
from sail.engine.limit import Limit
from sail.engine.search import Search
from sail.stop import Stopped

ENDGAMES = 16  # stones
FEWEST, MOST = 18, 32  # stones in play
QUICK = Limit(effort=12_000)
NEAR = 8  # stones: a search that expects more or less is believed
TURN_EFFORT, VALUE_EFFORT = 150_000, 1_500_000


def games(draw: random.Random) -> Iterator[tuple[int, Position]]:
    """Yield the positions before the turns of games, and their stones a pit."""
    search = Search()
    while True:
        stones = draw.choice((3, 4, 5, 6))
        position = start(stones, rules=STANDARD)
        by_chance = draw.randrange(3, 10)
        before = 1
        while not position.over:
            if position.mover != before:
                yield stones, position
            before = position.mover
            by_chance -= 1
            if by_chance > 0 or draw.random() < 0.2:
                pit = draw.choice(position.legal)
            else:
                pit = search.find(position, Limit(effort=400)).pit
            position = position.play(pit)


def wins(solver: Solver, position: Position, pit: int) -> bool:
    """Return whether the mover wins with that pit.  Raises Stopped."""
    for low, high in solver.prove_move(position, pit, guess=2):
        if low > 0 or high <= 0:
            return low > 0
    raise AssertionError("not proved")


def only_win(solver: Solver, position: Position) -> tuple[int, ...]:
    """Return the only turn that wins; nothing if none or several win."""
    mover = position.mover
    pits: list[int] = []
    while position.mover == mover and not position.over:
        winning = [pit for pit in position.legal if wins(solver, position, pit)]
        if len(winning) != 1:
            return ()
        pits += winning
        position = position.play(winning[0])
    return tuple(pits)


def turn_of(limit: Limit, position: Position) -> tuple[int, ...]:
    """Return the turn that a search plays."""
    search = Search()
    mover = position.mover
    pits: list[int] = []
    while position.mover == mover and not position.over:
        pits.append(search.find(position, limit, time.process_time).pit)
        position = position.play(pits[-1])
    return tuple(pits)


def grade(position: Position, turn: tuple[int, ...]) -> int:
    """Return the number of the first level that finds the turn, 0 to 5."""
    for number, level in enumerate(LEVELS):
        if turn_of(level.limit, position) == turn:
            return number
    return len(LEVELS)


def mine(seed: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    draw = random.Random(seed)
    solver = Solver(6, 72, False)
    solver.database = endgame.build(solver.moves, ENDGAMES)
    search = Search()
    for stones, position in games(draw):
        if time.monotonic() > end:
            return
        if not FEWEST <= position.in_play <= MOST or len(position.legal) < 3:
            continue
        if abs(search.find(position, QUICK).value) > NEAR:
            continue
        try:
            before = solver.effort
            solver.most_effort = before + TURN_EFFORT
            turn = only_win(solver, position)
            effort = solver.effort - before
            if not turn:
                continue
            solver.most_effort = solver.effort + VALUE_EFFORT
            value = solver.value(position, 2)
        except Stopped:
            continue
        rows = position.rows[position.mover], position.rows[1 - position.mover]
        kalahs = position.kalahs[position.mover], position.kalahs[1 - position.mover]
        position = position._replace(rows=rows, kalahs=kalahs, mover=0)
        print(
            grade(position, turn),
            stones,
            *(",".join(map(str, (k, *row))) for k, row in zip(kalahs, rows)),
            "".join(map(str, turn)),
            value,
            effort,
            flush=True,
        )


if __name__ == "__main__":
    mine(int(sys.argv[2]), float(sys.argv[3]))
