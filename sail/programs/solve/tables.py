"""The tables of Solving Kalah, recomputed and set beside the printed ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from math import comb
from statistics import fmean
from textwrap import wrap
from typing import Callable

from sail.board import ISK_RULES, Position, start
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.limit import Clock
from sail.engine.moves import MoveTable, bits_for
from sail.programs.solve import printed, says
from sail.programs.solve.databases import most_useful
from sail.programs.solve.graph import Graph, explore, result
from sail.programs.solve.printed import Cell
from sail.programs.solve.trees import measure
from sail.stop import Stop, Stopped

LONG_SECONDS = 1.0  # work that takes longer is reported in a line
MOST_BYTES = 800_000_000  # table 8 builds no larger database, so it needs under 1 GB
MOST_ROWS = 300_000  # in a MoveTable; the largest database has nearly as many
FIRST_BUILT = 10  # stones in the smallest database that table 8 builds
CELL_EFFORT = 2_000_000  # the most for one position; then the value is quoted
INDENT = 13  # columns to the left of the games in table 9
GAMES_SECONDS = 10.0  # the time for the games of one cell of table 1
FUTILITY_STONES = 3  # in each pit, for table 7; with more, a search takes minutes
LETTERS = "WLD"
QUOTED = "Q"  # marks a figure that is not recomputed
NAMES = ("T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10")


class Tables:
    """The tables, each a generator of the lines to type.

    Figures that would take too long are quoted from the paper: they are marked Q, or in
    table 9 with words.  A table that is stopped ends there; but tables 3, 4, 5, 9 and 10
    quote the figures not yet computed.
    """

    def __init__(self, stop: Stop, clock: Clock, columns: int) -> None:
        self.stop = stop
        self.clock = clock
        self.columns = columns
        self.graphs: dict[Cell, Graph] = {}

    def lines(self, name: str) -> Iterator[str]:
        """Yield the lines of the table `name`, one of NAMES."""
        table: Callable[[], Iterator[str]] = getattr(self, name.lower())
        try:
            yield getattr(says, name)
            yield from table()
        except Stopped:
            yield says.STOPPED

    def t1(self) -> Iterator[str]:
        """Yield the sizes of the game trees, from games played now (ISK-T1)."""
        yield from says.T1_OURS
        yield says.T1_HEAD
        off_length, off_width = [], []
        for (m, n), length in printed.LENGTHS.items():
            width = printed.WIDTHS[m, n]
            games, d, w = measure(m, n, GAMES_SECONDS, self.clock, self.stop)
            off_length.append(abs(d / float(length) - 1))
            off_width.append(abs(w / float(width) - 1))
            theirs = length, width, _power(float(width) ** float(length))
            yield says.T1_LINE.format(m, n, games, d, w, _power(w**d), *theirs)
        yield says.T1_DIFFERS.format(100 * fmean(off_length), 100 * fmean(off_width))
        yield from says.T1_TRIED

    def t2(self) -> Iterator[str]:
        """Yield the numbers of positions (ISK-T2)."""
        ours = {}
        for m, n in product(range(1, 7), repeat=2):
            number = states(m, n)
            ours[m, n] = f"{number:,}" if number < 1e9 else _power(number)
        yield from grid(ours, printed.STATES)
        yield says.T2_NOTE

    def t3(self) -> Iterator[str]:
        """Yield the sizes of the game graphs (ISK-T3)."""
        yield from self.make_graphs(printed.NODES)
        sizes, shares = {}, {}
        for (m, n), graph in self.graphs.items():
            sizes[m, n] = f"{graph.nodes:,}"
            percent = 100 * graph.nodes / states(m, n)
            shares[m, n] = f"{percent:.0f}%" if percent > 9.5 else f"{percent:.1f}%"
        yield from grid(sizes, printed.NODES)
        yield from grid(shares, printed.OCCUPIED)
        yield from (says.T3_NOTES[cell] for cell in says.T3_NOTES if cell in sizes)

    def t4(self) -> Iterator[str]:
        """Yield the branching factors in the game graphs (ISK-T4).

        The nodes where South's kalah has the majority are left out: of all ways tried,
        this comes closest to the paper.
        """
        yield from self.make_graphs(printed.BRANCHING)
        yield says.T4_HEAD
        off = []
        for (m, n), theirs in printed.BRANCHING.items():
            graph = self.graphs.get((m, n))
            ours, of_all = QUOTED, ""
            if graph:
                ours = _pair(graph.branching(graph.nodes - graph.majorities))
                of_all = _pair(graph.branching(graph.nodes))
                pairs = zip(ours.split("+"), theirs.split("+"))
                off += [abs(float(our) - float(their)) for our, their in pairs]
            yield f"{m}  {n}  {ours:<16}  {theirs}  {of_all}".rstrip()
        if off:
            exact = sum(difference < 0.005 for difference in off)
            yield says.T4_AGREES.format(exact, len(off), max(off))
            yield from says.T4_TRIED
        if len(off) < 2 * len(printed.BRANCHING):
            yield says.QUOTED

    def t5(self) -> Iterator[str]:
        """Yield who wins each game, and the shares of its nodes (ISK-T5)."""
        yield from self.make_graphs(printed.SHARES)
        ours = {}
        for (m, n), graph in self.graphs.items():
            percents = (f"{100 * nodes / graph.nodes:.0f}" for nodes in graph.shares)
            ours[m, n] = LETTERS[graph.root] + "/".join(percents)
        yield from grid(ours, printed.SHARES)
        yield from (says.T5_NOTES[cell] for cell in says.T5_NOTES if cell in ours)

    def t6(self) -> Iterator[str]:
        """Yield the first layers of one game graph (ISK-T6)."""
        yield says.T6_HEAD
        graph = self.graph(4, 3, len(printed.LAYERS) - 1)
        differences = []
        for layer, theirs in enumerate(printed.LAYERS):
            found = graph.layers[layer]
            cells = ["/".join(map(str, found[south])) for south in range(layer + 1)]
            differences += [
                says.T6_DIFFERS.format(layer, south, cell, other)
                for south, (cell, other) in enumerate(zip(cells, theirs))
                if cell != other
            ]
            line = f"L({layer})  " + "  ".join(cells)
            yield from wrap(line, self.columns, subsequent_indent=" " * 6)
        yield from differences or [says.AGREES]

    def t7(self) -> Iterator[str]:
        """Yield what futility pruning saves (ISK-T7)."""
        yield says.T7_HEAD
        for (databases, n), percent in printed.FUTILITY.items():
            words = says.T7_WITH if databases else says.T7_WITHOUT, n, percent
            if n != FUTILITY_STONES:
                yield says.T7_LINE.format(*words, QUOTED, "", "").rstrip()
                continue
            pruned, whole = (
                self.effort(n, databases, futility) for futility in (True, False)
            )
            saved = f"{100 * (1 - pruned / whole):.0f}%"
            yield says.T7_LINE.format(*words, saved, f"{pruned:,}", f"{whole:,}")
        yield from says.T7_TRIED
        yield says.QUOTED

    def effort(self, n: int, databases: bool, futility: bool) -> int:
        """Return the effort for Kalah(6,n).  Raises Stopped."""
        solver = self.solver(6, n, databases, futility)
        self.value(solver, start(n, 6, ISK_RULES))
        return solver.effort

    def t8(self) -> Iterator[str]:
        """Yield the sizes of databases, then build some of them (ISK-SIZE)."""
        yield says.T8_HEAD
        differences = []
        for stones, (positions, megabytes) in printed.SIZES.items():
            ours = endgame.size(6, stones)
            yield f"{stones:>8} {ours:>14,} {megabytes:>11} {ours / 2**20:>8.0f}"
            if ours != positions:
                differences.append(says.T8_DIFFERS.format(stones, ours, positions))
        yield from differences or [says.AGREES]
        yield says.T8_BUILD
        for stones in (FIRST_BUILT, *printed.SIZES):
            if endgame.size(6, stones) > MOST_BYTES:
                return
            begun = self.clock()
            moves = MoveTable(6, bits_for(stones), True, capacity=MOST_ROWS)
            size = endgame.build(moves, stones, self.stop).size
            seconds = self.clock() - begun
            yield says.T8_BUILT.format(stones, size, size / 2**20, seconds)

    def t9(self) -> Iterator[str]:
        """Yield the printed games, each with a check of it (ISK-T9)."""
        yield says.T9_HEAD
        for (m, n), (value, game) in printed.GAMES.items():
            letter = LETTERS[result(value)]
            yield from folded(
                f"{m}({n})  {value:>2} ({letter})  {game}", self.columns, INDENT
            )
            for line in self.checked(m, n, value, game):
                line = " " * INDENT + line
                yield from wrap(line, self.columns, subsequent_indent=" " * INDENT)

    def checked(self, m: int, n: int, value: int, game: str) -> Iterator[str]:
        """Yield what a solver finds about the positions of a printed game."""
        positions = replay(m, n, game)
        kept, found, fault = 0, None, ""
        with suppress(Stopped):
            solver = self.solver(m, n)
            for moves, position in reversed(list(enumerate(positions))):
                found = None
                solver.effort = 0
                side = -1 if position.mover else 1
                found = side * self.value(solver, position, side * value)
                kept += found == value
                if found != value:
                    fault = says.T9_LEFT.format(moves, found)
        if not positions[-1].over:
            yield says.T9_BREAKS.format(len(positions) - 1)
        if fault:
            yield fault
        yield says.T9_KEPT.format(kept, len(positions))
        yield says.T9_QUOTED if found is None else says.T9_OURS.format(found)

    def t10(self) -> Iterator[str]:
        """Yield who wins each game (ISK-T10)."""
        ours = {}
        for m, n in printed.RESULTS:
            begun = self.clock()
            with suppress(Stopped):
                value = self.value(self.solver(m, n), start(n, m, ISK_RULES))
                ours[m, n] = LETTERS[result(value)]
            seconds = self.clock() - begun
            if seconds > LONG_SECONDS:
                yield says.T10_PROGRESS.format(m, n, ours.get((m, n), QUOTED), seconds)
        yield from grid(ours, printed.RESULTS)

    def solver(
        self, m: int, n: int, databases: bool = True, futility: bool = True
    ) -> Solver:
        """Return a solver for Kalah(m,n).  Raises Stopped.

        databases: whether it gets a database, if one pays.
        """
        in_play = 2 * m * n
        solver = Solver(m, in_play, True, futility)
        stones = most_useful(m, in_play)
        if stones and databases:
            solver.database = endgame.build(solver.moves, stones, self.stop)
        return solver

    def value(
        self, solver: Solver, position: Position, guess: int | None = None
    ) -> int:
        """Return the value of a position.  Raises Stopped after a ^C or CELL_EFFORT."""
        return solver.value(
            position, guess, lambda: self.stop() or solver.effort > CELL_EFFORT
        )

    def make_graphs(self, cells: Iterable[Cell]) -> Iterator[str]:
        """Make the graphs of these games; yield a line for each that takes long."""
        for m, n in cells:
            if (m, n) in self.graphs:
                continue
            begun = self.clock()
            try:
                graph = self.graphs[m, n] = self.graph(m, n)
            except Stopped:
                yield says.STOPPED
                return
            seconds = self.clock() - begun
            if seconds > LONG_SECONDS:
                yield says.PROGRESS.format(m, n, graph.nodes, seconds)

    def graph(self, m: int, n: int, last: int | None = None) -> Graph:
        """Return the graph of Kalah(m,n) up to layer `last`.  Raises Stopped."""
        stones = 2 * m * n
        moves = MoveTable(m, bits_for(stones), True)
        database = endgame.build(moves, stones, self.stop)
        return explore(moves, n, database, self.stop, last)


def states(m: int, n: int) -> int:
    """Return the number of positions of Kalah(m,n), with kalahs and mover (ISK-T2)."""
    return 2 * comb(2 * m * n + 2 * m + 1, 2 * m + 1)


def replay(m: int, n: int, game: str) -> list[Position]:
    """Return the positions of a printed game, up to its end or first misplaced dash."""
    positions = [start(n, m, ISK_RULES)]
    for turn, holes in enumerate(game.split("-")):
        for hole in holes:
            position = positions[-1]
            if position.over or position.mover != turn % 2:
                return positions
            positions.append(position.play(m - int(hole)))
    return positions


def notation(position: Position, pits: Iterable[int]) -> tuple[str, str]:
    """Return a game in the notation of the paper (ISK-T9), and in pit numbers."""
    holes = numbers = ""
    for pit in pits:
        after = position.play(pit)
        dash = "-" if after.mover != position.mover and not after.over else ""
        holes += f"{position.pits - pit}{dash}"
        numbers += f"{pit}{dash}"
        position = after
    return holes, numbers


def folded(line: str, columns: int, indent: int) -> Iterator[str]:
    """Yield the line in pieces of about the same length that fit, cut after dashes."""
    while len(line) > columns:
        rest = len(line) - indent
        pieces = -(-rest // (columns - indent))
        cut = line.find("-", indent + rest // pieces, columns) + 1
        cut = cut or line.rfind("-", 0, columns) + 1 or columns
        yield line[:cut]
        line = " " * indent + line[cut:]
    yield line


def grid(ours: dict[Cell, str], theirs: dict[Cell, str]) -> Iterator[str]:
    """Yield the lines of a table with m down and n across, then the differences.

    A cell missing from `ours` is quoted if it is in `theirs`.
    """
    rows = sorted({m for m, _ in theirs})
    lines = [[f"{head:>3}"] for head in (says.COLUMNS, *rows)]
    for n in range(1, 7):
        column = [str(n)]
        for m in rows:
            quoted = theirs[m, n] + QUOTED if (m, n) in theirs else ""
            column.append(ours.get((m, n), quoted))
        width = max(map(len, column)) + 1
        for line, text in zip(lines, column):
            line.append(f"{text:>{width}}")
    yield from ("".join(line).rstrip() for line in lines)
    differences = [
        says.DIFFERS.format(m, n, cell, theirs[m, n])
        for (m, n), cell in sorted(ours.items())
        if (m, n) in theirs and cell != theirs[m, n]
    ]
    yield from differences or ([says.AGREES] if ours else [])
    if theirs.keys() - ours.keys():
        yield says.QUOTED


def _power(number: float) -> str:
    """Return the number with a power of ten, like 1.31E13."""
    return f"{number:.2E}".replace("E+0", "E").replace("E+", "E")


def _pair(pair: tuple[float, float]) -> str:
    return "{:.2f}+{:.2f}".format(*pair)
