"""Measure SOLVE: figures, files, endgames, cells, graphs, big, times.

big: the values of ISK-T9.REST.  times: what SOLVE.DOC says of 2, 3 and 4 stones
a pit, the last by the standard rule, too (JMC-1979.FOUR).

    python3 -m tests.bench.solve [WORD ...]

Without a word the first four run; the others take minutes.  The seconds are those
of this process, so other work on the machine hardly counts.
"""

from __future__ import annotations

import gc
import platform
import random
import statistics
import sys
import time

from sail.board import PAPER, STANDARD, Position, Rules, start
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.moves import MoveTable, bits_for
from sail.programs.solve.databases import most_useful
from sail.programs.solve.printed import GAMES
from sail.programs.solve.tables import Tables
from tests.bench.strength import labelled

NAMES = {True: "paper", False: "standard"}
IN_PLAY = 36  # stones, of the positions of the middle game


def peak_megabytes() -> int:
    """Return the most memory that the process has had, 0 where that is unknown."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def solve(
    position: Position, database: int | None = None
) -> tuple[int, int, float, float]:
    """Return the value, the effort, the seconds, and those of the endgames.

    database: its stones, by default those that SOLVE takes.
    """
    gc.collect()
    begun = time.process_time()
    stones = position.in_play
    solver = Solver(position.pits, stones, position.rules.captures_empty)
    if database is None:
        database = most_useful(position.pits, stones)
    if database:
        solver.database = endgame.build(solver.moves, database)
    built = time.process_time()
    value = solver.value(position)
    return value, solver.effort, time.process_time() - begun, built - begun


def cell(pits: int, stones: int, rules: Rules) -> None:
    value, effort, seconds, building = solve(start(stones, pits, rules))
    printed = GAMES.get((pits, stones))
    known = printed[0] if printed and rules == PAPER else ""
    print(
        f"({pits},{stones}) {NAMES[rules.captures_empty]:8} value {value:>3} {known!s:>3}"
        f"  effort {effort:>10,}  {seconds:7.2f} s, {building:.2f} of it for endgames"
        f"  {peak_megabytes()} MB",
        flush=True,
    )


def figures() -> None:
    for rules in (PAPER, STANDARD):
        for stones in (1, 2, 3):
            cell(6, stones, rules)
    for stones in (0, 16):
        _, effort, seconds, _ = solve(start(3, rules=PAPER), stones)
        print(f"(6,3) paper, endgames to {stones}: effort {effort:,}, {seconds:.2f} s")
    for rules in (PAPER, STANDARD):
        draw = random.Random(1)
        times = []
        for _ in range(200):
            pits = [0] * 12
            while not (any(pits[:6]) and any(pits[6:])):
                pits = [0] * 12
                for _ in range(draw.randrange(2, 21)):
                    pits[draw.randrange(12)] += 1
            position = Position((tuple(pits[:6]), tuple(pits[6:])), rules=rules)
            times.append(solve(position)[2] * 1000)
        print(
            f"200 positions to 20 stones, {NAMES[rules.captures_empty]}: "
            f"median {statistics.median(times):.1f} ms, most {max(times):.0f} ms"
        )


def middle(least: int, most: int, count: int) -> list[Position]:
    """Return `count` positions of tests/labelled.txt with so many stones in play."""
    found = [known.position for known in labelled()]
    fitting = [position for position in found if least <= position.in_play <= most]
    return random.Random(3).sample(fitting, count)


def efforts(positions: list[Position], database: endgame.Database | None) -> list[int]:
    """Return the effort that each of the positions takes alone."""
    found = []
    for position in positions:
        solver = Solver(6, IN_PLAY, False)
        solver.database = database
        solver.value(position)
        found.append(solver.effort)
    return found


def compare(name: str, found: list[int], base: list[int]) -> None:
    fewer = sum(mine < theirs for mine, theirs in zip(found, base))
    print(
        f"  {name:28} effort {sum(found):>10,}  {sum(found) / sum(base):5.2f} times,"
        f" less in {fewer} of {len(base)}",
        flush=True,
    )


def files() -> None:
    """What a database saves below 31 stones."""
    positions = middle(26, 30, 24)
    moves = MoveTable(6, bits_for(IN_PLAY), False)
    base = efforts(positions, None)
    print("A database, 24 positions of 26 to 30 stones, standard rule:")
    compare("none", base, base)
    for stones in (10, 12, 14, 16):
        found = efforts(positions, endgame.build(moves, stones))
        compare(f"to {stones} stones", found, base)


def graphs() -> None:
    """Tables 3, 4 and 5 whole: the graph of Kalah(4,3) takes a minute."""
    tables = Tables(lambda: False)
    for name in ("T3", "T4", "T5"):
        for line in tables.lines(name):
            print(line, flush=True)


def endgames() -> None:
    """Cost and use of databases, for 6 pits."""
    for stones in (8, 10, 12, 13, 14, 16):
        for captures_empty in (True, False):
            begun = time.process_time()
            endgame.build(MoveTable(6, 6, captures_empty), stones)
            seconds = time.process_time() - begun
            size = endgame.size(6, stones)
            line = f"to {stones}: {size:>11,} positions, {seconds:6.2f} s"
            rules = PAPER if captures_empty else STANDARD
            if stones <= 14:
                _, effort, whole, building = solve(start(3, rules=rules), stones)
                line += f"; (6,3) effort {effort:>9,}, {whole - building:.2f} s"
            print(f"{NAMES[captures_empty]:8} {line}", flush=True)


def cells() -> None:
    for pits, stones in GAMES:
        if pits < 6 and stones <= 3 or (pits, stones) == (4, 4):
            cell(pits, stones, PAPER)


def big() -> None:
    for pits, stones, rules in (
        (5, 4, PAPER),
        (4, 5, PAPER),
        (4, 6, PAPER),
        (5, 5, PAPER),
    ):
        cell(pits, stones, rules)
    solver = Solver(6, 36, False)
    solver.database = endgame.build(solver.moves, 12)
    game = start(3, rules=STANDARD)
    moves = [list(solver.prove_move(game, pit))[-1].low for pit in game.legal]
    print("(6,3) standard, the moves (0, +2, -2, -10, -16, -14):", moves)
    # The tests have the nine other replies (BELL-LOST).
    value = solver.value(game.play(2).play(3).play(4))
    print("(6,3) standard, A wins after 2, 34 by 6:", value)


def times() -> None:
    for stones in (2, 3, 4):
        for rules in (PAPER, STANDARD):
            cell(6, stones, rules)


def main() -> None:
    print(platform.python_implementation(), platform.python_version())
    first = (figures, files, endgames, cells)
    parts = {part.__name__: part for part in (*first, graphs, big, times)}
    for name in sys.argv[1:] or [part.__name__ for part in first]:
        parts[name]()


if __name__ == "__main__":
    main()
