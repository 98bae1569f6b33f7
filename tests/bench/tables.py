"""Recompute the tables of Solving Kalah, and set ours beside the printed ones.

    python3 -m tests.bench.tables [T1 ... T10]

A line is a game, (m,n) with m pits a side and n stones a pit: our figure, the printed
one, and `differs` where they differ.  Small games come first; the last three of T9 and
T10 take hours, so end the work with ^C.  What comes out stands in SOLVE.DOC and in
sail/sources/ISK.TXT.

T1: turns as plies, stones left uncollected, and the last board counted were tried;
none gives 3.00 and 1.40 for (2,1).  T3: a node of (3,6) that is not expanded once a
kalah holds more than 14 to 17 stones was tried; none gives the printed 1,255,339.  T4:
the nodes are left out where South's kalah has more than half or both rows are empty;
the last column is over all nodes.  T6: at the end come the layers in which most nodes
of a subgraph are lost for the player who has captured more (ISK-T6.10).  T7: the paper
has databases of up to 20 stones.  T8: ours keep a byte a position, theirs half a byte.
T9, T10: ISK-T9.REST, ISK-65.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from math import comb
from statistics import fmean

from sail.board import ISK_RULES, Position, opening
from sail.engine import endgame
from sail.engine.endgame import Database
from sail.engine.exact import Solver
from sail.engine.moves import MoveTable
from tests.bench import printed
from tests.bench.graphs import explore, measure, result
from tests.bench.printed import Cell

LETTERS = "WLD"
HOURS = {(5, 5), (5, 6), (6, 5)}  # the games that take so long, in T9 and T10


def states(m: int, n: int) -> int:
    """Return the number of positions of Kalah(m,n), with kalahs and mover (ISK-T2)."""
    return 2 * comb(2 * m * n + 2 * m + 1, 2 * m + 1)


def by_size(cells: Mapping[Cell, object]) -> list[Cell]:
    return sorted(cells, key=lambda cell: (cell in HOURS, states(*cell)))


def compare(theirs: Mapping[Cell, str], ours: Callable[[int, int], str]) -> None:
    """Print our figure for each game, and the printed one."""
    for cell in by_size(theirs):
        show(f"({cell[0]},{cell[1]})", ours(*cell), theirs[cell])


def show(name: str, mine: str, theirs: str, more: str = "") -> None:
    differs = "" if mine == theirs else "differs"
    print(f"{name:8} {mine:>18} {theirs:>18}  {differs:8}{more}".rstrip(), flush=True)


graph = cache(explore)


@cache
def endgames(m: int, bits: int, stones: int) -> Database:
    """Return the database of up to `stones` stones, for the games with those bits."""
    return endgame.build(MoveTable(m, bits, ISK_RULES), stones)


def solver(
    m: int, n: int, database: int | None = None, futility: bool = True
) -> Solver:
    """Return a solver for Kalah(m,n).

    database: the most stones in it, 0 for none; by default what SOLVE takes.
    """
    found = Solver(m, 2 * m * n, ISK_RULES, futility)
    if database is None:
        database = endgame.most_useful(m, 2 * m * n)
    if database:
        found.database = endgames(m, found.moves.bits, database)
    return found


def t1() -> None:
    """Print the sizes of the game trees, W^D, from games played now (ISK-T1)."""
    off_length, off_width = [], []
    for cell in by_size(printed.LENGTHS):
        length, width = printed.LENGTHS[cell], printed.WIDTHS[cell]
        d, w = measure(*cell)
        off_length.append(100 * abs(d / float(length) - 1))
        off_width.append(100 * abs(w / float(width) - 1))
        size = _power(float(width) ** float(length))
        mine, theirs = f"{w:.2f}^{d:.2f} {_power(w**d)}", f"{width}^{length} {size}"
        show(f"({cell[0]},{cell[1]})", mine, theirs)
    print(f"off by {fmean(off_length):.0f} % in D and {fmean(off_width):.0f} % in W")


def t2() -> None:
    """Print the numbers of positions (ISK-T2)."""
    compare(printed.STATES, positions)


def positions(m: int, n: int) -> str:
    number = states(m, n)
    return f"{number:,}" if number < 1e9 else _power(number)


def t3() -> None:
    """Print the sizes of the game graphs, as shares of all positions, too (ISK-T3)."""
    compare(printed.NODES, lambda m, n: f"{graph(m, n).nodes:,}")
    compare(printed.OCCUPIED, occupied)


def occupied(m: int, n: int) -> str:
    percent = 100 * graph(m, n).nodes / states(m, n)
    return f"{percent:.0f}%" if percent > 9.5 else f"{percent:.1f}%"


def t4() -> None:
    """Print the branching factors in the game graphs (ISK-T4)."""
    for m, n in by_size(printed.BRANCHING):
        of_all = graph(m, n).branching(graph(m, n).nodes)
        show(f"({m},{n})", branching(m, n), printed.BRANCHING[m, n], of_all)


def branching(m: int, n: int) -> str:
    return graph(m, n).branching(graph(m, n).nodes - graph(m, n).left_out)


def t5() -> None:
    """Print who wins each game, and the shares of its nodes (ISK-T5)."""
    compare(printed.SHARES, shares)


def shares(m: int, n: int) -> str:
    of = graph(m, n)
    percents = (f"{100 * nodes / of.nodes:.0f}" for nodes in of.shares)
    return LETTERS[of.root] + "/".join(percents)


def t6() -> None:
    """Print the first layers of Kalah(4,3)'s graph, by captured stones (ISK-T6)."""
    layers = graph(4, 3).layers
    for layer, row in enumerate(printed.LAYERS):
        for south, theirs in enumerate(row):
            mine = "/".join(map(str, layers[layer][south]))
            show(f"L({layer}) {south}", mine, theirs)
            assert mine == theirs
    misleading = [
        captured
        for captured, cells in layers.items()
        for south, (won, lost, _) in cells.items()
        if (won - lost) * (2 * south - captured) < 0
    ]
    print("layers where the captured stones mislead:", *dict.fromkeys(misleading))
    assert {*misleading} == {1, *range(4, 11)}


def t7() -> None:
    """Print what futility pruning saves with several databases (ISK-T7)."""
    for n, database in ((3, 0), (3, 12), (3, 16), (3, 20), (4, 20)):
        pruned, whole = (effort(6, n, database, futility) for futility in (True, False))
        saved = f"{100 * (1 - pruned / whole):.0f}%"
        theirs = f"{printed.FUTILITY[database > 0, n]}%"
        show(f"(6,{n}) {database}", saved, theirs, f"{pruned:,} of {whole:,}")


def effort(m: int, n: int, database: int, futility: bool) -> int:
    """Return the effort that Kalah(m,n) takes."""
    of = solver(m, n, database, futility)
    of.value(opening(n, m, ISK_RULES))
    return of.effort


def t8() -> None:
    """Print the sizes of databases, and the megabytes of ours (ISK-SIZE)."""
    for stones, (number, megabytes) in printed.SIZES.items():
        size = endgame.size(6, stones)
        more = f"{megabytes} MB printed, ours {size / 2**20:.0f}"
        show(f"{stones}", f"{size:,}", f"{number:,}", more)


def t9() -> None:
    """Print the value of each printed game, how much of it is perfect, and the time.

    The CPU seconds are those of the value and of every position of the game (ISK-T9).
    """
    for m, n in by_size(printed.GAMES):
        begun = time.process_time()
        value, game = printed.GAMES[m, n]
        path = replay(m, n, game)
        kept = "" if path[-1].over else "breaks off; "
        values = played_values(solver(m, n), path)
        kept += f"{values.count(value)} of {len(path)} positions keep it, "
        kept += f"{time.process_time() - begun:.2f} s"
        show(f"({m},{n})", str(values[0]), str(value), kept)


def played_values(of: Solver, path: list[Position]) -> list[int]:
    """Return South's value of each position of a game; the last is proved first."""
    values: list[int] = []
    guess: int | None = None
    for position in reversed(path):
        side = -1 if position.mover else 1
        guess = side * of.value(position, None if guess is None else side * guess)
        values.insert(0, guess)
    return values


def replay(m: int, n: int, game: str) -> list[Position]:
    """Return the positions of a printed game, up to its end or first misplaced dash."""
    found = [opening(n, m, ISK_RULES)]
    for turn, holes in enumerate(game.split("-")):
        for hole in holes:
            position = found[-1]
            if position.over or position.mover != turn % 2:
                return found
            found.append(position.play(m - int(hole)))
    return found


def t10() -> None:
    """Print who wins each game (ISK-T10)."""
    compare(printed.RESULTS, winner)


def winner(m: int, n: int) -> str:
    return LETTERS[result(solver(m, n).value(opening(n, m, ISK_RULES)))]


def _power(number: float) -> str:
    """Return the number with a power of ten, like 1.31E13."""
    return f"{number:.2E}".replace("E+0", "E").replace("E+", "E")


def main() -> None:
    all_tables = t1, t2, t3, t4, t5, t6, t7, t8, t9, t10
    tables = {table.__name__.upper(): table for table in all_tables}
    for name in sys.argv[1:] or tables:
        begun = time.process_time()
        print(name, *(tables[name].__doc__ or "").splitlines()[:1], sep="  ")
        tables[name]()
        print(f"{time.process_time() - begun:.0f} s")


if __name__ == "__main__":
    main()
