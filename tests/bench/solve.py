"""Measures SOLVE: figures, ablation, order, files, endgames, cells, graphs, big.

    python3 -m tests.bench.solve [WORD ...]

Without a word the first six; the others take minutes.  Run it with PyPy, too.
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
from sail.engine.exact import Methods, Order, Solver
from sail.engine.moves import MoveTable, bits_for
from sail.programs.solve.databases import most_useful
from sail.programs.solve.printed import GAMES
from sail.programs.solve.tables import Tables
from tests.bench.strength import labelled

NAMES = {True: "paper", False: "standard"}
IN_PLAY = 36  # stones, of the positions of the middle game


def peak_megabytes() -> int:
    """The most memory that the process has had, 0 where it is not told."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def solve(
    position: Position,
    methods: Methods | None = None,
    database: int | None = None,
    guess: int | None = None,
) -> tuple[int, int, float, float]:
    """The value, the effort, the seconds, those to build the endgames of it.

    database: its stones, by default those that SOLVE takes.
    """
    gc.collect()
    begun = time.perf_counter()
    captures_empty = position.rules.captures_empty
    stones = position.in_play
    solver = Solver(position.pits, stones, captures_empty, methods or Methods())
    if database is None:
        database = most_useful(position.pits, stones)
    if database:
        solver.database = endgame.build(solver.moves, database)
    built = time.perf_counter()
    value = solver.value(position, guess)
    return value, solver.effort, time.perf_counter() - begun, built - begun


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
        _, effort, seconds, _ = solve(start(3, rules=PAPER), database=stones)
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


def ablation() -> None:
    """Each method left out, with the value to show that nothing is lost."""
    whole = Methods()
    rows: list[tuple[str, Methods, int]] = [
        ("everything", whole, 12),
        ("no databases", whole, 0),
        ("plain window", whole._replace(null_window=False), 12),
        ("no deepening", whole._replace(deepening=()), 12),
        ("deepening to 30", whole._replace(deepening=tuple(range(3, 31, 3))), 12),
        ("suggestion first", whole._replace(suggestion=True), 12),
        ("the paper's order", whole._replace(order=Order.PAPER, suggestion=True), 12),
        ("right to left", whole._replace(order=Order.PIT), 12),
        ("no futility", whole._replace(futility=False), 12),
        ("no look-ahead", whole._replace(look_ahead=False), 12),
        ("no futility, no databases", whole._replace(futility=False), 0),
        ("no look-ahead, no databases", whole._replace(look_ahead=False), 0),
    ]
    small = [
        ("everything", whole, 0),
        ("no table", whole._replace(table=False), 0),
        ("nothing", Methods(False, (), Order.PIT, False, False, False, False), 0),
    ]
    for pits, stones, table in ((6, 3, rows), (4, 3, small)):
        print(f"Ablation, Kalah({pits},{stones}), the paper's rule:")
        for name, methods, database in table:
            value, effort, seconds, _ = solve(
                start(stones, pits, PAPER), methods, database
            )
            print(
                f"  {name:28} value {value}  effort {effort:>10,}  {seconds:7.2f} s",
                flush=True,
            )


def middle(least: int, most: int, count: int) -> list[Position]:
    """So many positions of tests/labelled.txt with so many stones in play."""
    found = [known.position for known in labelled()]
    fitting = [node for node in found if least <= node.in_play <= most]
    return random.Random(3).sample(fitting, count)


def efforts(
    positions: list[Position], methods: Methods, database: endgame.Database | None
) -> list[int]:
    """What each of the positions costs alone."""
    found = []
    for position in positions:
        solver = Solver(6, IN_PLAY, False, methods)
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


def order() -> None:
    """The paper's order of moves beside ours, in the middle game."""
    positions = middle(26, 32, 40)
    moves = MoveTable(6, bits_for(IN_PLAY), False)
    database = endgame.build(moves, 12)
    base = efforts(positions, Methods(), database)
    print("Order of moves, 40 positions of 26 to 32 stones, standard rule:")
    for name, methods in (
        ("ours", Methods()),
        ("ours, suggestion first", Methods(suggestion=True)),
        ("the paper's", Methods(order=Order.PAPER, suggestion=True)),
        ("the paper's, no suggestion", Methods(order=Order.PAPER)),
    ):
        compare(name, efforts(positions, methods, database), base)


def files() -> None:
    """What a database that is there already saves below 31 stones."""
    positions = middle(26, 30, 24)
    moves = MoveTable(6, bits_for(IN_PLAY), False)
    base = efforts(positions, Methods(), None)
    print("A file that exists, 24 positions of 26 to 30 stones, standard rule:")
    compare("none", base, base)
    for stones in (12, 14, 16):
        compare(
            f"to {stones} stones",
            efforts(positions, Methods(), endgame.build(moves, stones)),
            base,
        )


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
            begun = time.perf_counter()
            endgame.build(MoveTable(6, 6, captures_empty), stones)
            seconds = time.perf_counter() - begun
            size = endgame.size(6, stones)
            line = f"to {stones}: {size:>11,} positions, {seconds:6.2f} s"
            rules = PAPER if captures_empty else STANDARD
            if stones <= 14:
                _, effort, whole, building = solve(start(3, rules=rules), None, stones)
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
        (6, 4, PAPER),
        (5, 5, PAPER),
        (6, 4, STANDARD),
    ):
        cell(pits, stones, rules)
    solver = Solver(6, 36, False)
    solver.database = endgame.build(solver.moves, 12)
    game = start(3, rules=STANDARD)
    moves = [list(solver.prove_move(game, pit))[-1].low for pit in game.legal]
    print("(6,3) standard, the moves (0, +2, -2, -10, -16, -14):", moves)


def main() -> None:
    print(platform.python_implementation(), platform.python_version())
    first = (figures, ablation, order, files, endgames, cells)
    parts = {part.__name__: part for part in (*first, graphs, big)}
    for name in sys.argv[1:] or [part.__name__ for part in first]:
        parts[name]()


if __name__ == "__main__":
    main()
