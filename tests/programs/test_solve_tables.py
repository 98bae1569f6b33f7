"""Solving Kalah: the tables that are quickly recomputed, and what its text says."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from pytest import MonkeyPatch

from sail.board import ISK_RULES, Position, opening
from sail.engine import endgame, exact
from sail.engine.exact import Solver
from sail.files import proved
from sail.talk import manuals
from tests.bench import graphs, printed, tables
from tests.conftest import Pins
from tests.positions import minimax, random_game, with_stones

# The graphs that are made in a second; the bench makes the others.
QUICK_GRAPHS = [
    (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6),
    (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (2, 6),
    (3, 1), (3, 2), (3, 3), (4, 1), (5, 1),
]  # fmt: skip
QUICK_RESULTS = [*QUICK_GRAPHS, (3, 4), (4, 2), (4, 3), (6, 1)]


def test_no_printed_cell_is_lost_or_changed(pinned: Pins) -> None:
    """The sums were taken when the cells had been compared with the paper."""
    tables = [cells for name, cells in vars(printed).items() if name.isupper()]
    sums = [crc32(repr(cells).encode()) for cells in tables]
    pinned("the printed cells of Solving Kalah", [len(tables), *sums])


@pytest.mark.source("ISK-T1")
def test_table_1_plays_a_hundred_games_a_cell() -> None:
    """2(1): A's row is empty after pits 1 and 2, or B's after three moves."""
    assert graphs.measure(2, 1) == (2.0, 1.5)
    assert graphs.measure(3, 1) == (5.13, 2.0)
    player = graphs.Player(4, 2, random.Random(1))
    assert player.game() == [4, 4, 3, 2, 2, 2, 3, 2, 1, 2, 1]
    assert len(player.moves) == 119


@pytest.mark.source("ISK-T2")
def test_table_2() -> None:
    ours = {cell: tables.positions(*cell) for cell in printed.STATES}
    differ = [it for it in ours.items() if it[1] != printed.STATES[it[0]]]
    assert differ == [((2, 5), "106,260"), ((5, 4), "9.53E10")]


@pytest.mark.source("ISK-T3", "ISK-T5")
def test_tables_3_and_5() -> None:
    ours, theirs = {}, {}
    for it in QUICK_GRAPHS:
        nodes = f"{tables.graph(*it).nodes:,}"
        ours[it] = nodes, tables.occupied(*it), tables.shares(*it)
        theirs[it] = printed.NODES[it], printed.OCCUPIED[it], printed.SHARES[it]
    differ = {it: {*ours[it]} - {*theirs[it]} for it in ours if ours[it] != theirs[it]}
    assert differ == {
        (2, 1): {"3.2%", "W38/38/25"}, (2, 5): {"48", "0.0%", "W92/8/0"}, (2, 6): {"1.0%"},
    }  # fmt: skip
    assert tables.graph(2, 5).shares == [44, 4, 0]


@pytest.mark.source("ISK-94", "ISK-MISC")
def test_94_percent_of_the_states_are_not_reached() -> None:
    there = [(it, tables.graph(*it).nodes / tables.states(*it)) for it in QUICK_GRAPHS]
    assert [cell for cell, share in there if share > 0.0605] == [(1, 1)]
    # In five cells the value is not that of most nodes; the paper has (4,3) and (6,1), too.
    made = ((cell, tables.graph(*cell)) for cell in QUICK_GRAPHS)
    differ = [cell for cell, it in made if it.shares[it.root] < max(it.shares)]
    assert differ == [(2, 3), (3, 2), (5, 1)]


@pytest.mark.source("ISK-T4")
def test_table_4() -> None:
    """Seven figures of ten exactly; 15 of 22 with all graphs."""
    cells = [cell for cell in printed.BRANCHING if cell in QUICK_GRAPHS]
    assert {cell: tables.branching(*cell) for cell in cells} == {
        (3, 1): "1.15+0.90", (3, 2): "1.36+0.85", (3, 3): "1.72+0.84",
        (4, 1): "1.29+0.94", (5, 1): "1.63+0.96",
    }  # fmt: skip


@pytest.mark.source("ISK-T3", "ISK-T6", "ISK-T6.ODD")
def test_the_layers_of_table_6() -> None:
    """Kalah(3,2)'s are as minimax finds them; .ci/run has the bench make Kalah(4,3)'s.

    There, in S(5,0), South has captured five stones, North none, and loses; in S(4,2),
    too, most nodes are lost.
    """
    waiting, nodes = {opening(2, 3, ISK_RULES)}, set()
    while waiting:
        nodes.add(node := waiting.pop())
        if max(node.kalahs) <= 6:
            waiting |= {node.play(pit) for pit in node.legal} - nodes
    layers: dict[int, dict[int, list[int]]] = {layer: {} for layer in range(13)}
    for node in nodes:
        value = -minimax(node) if node.mover else minimax(node)
        layer = layers[sum(node.kalahs)].setdefault(node.kalahs[0], [0, 0, 0])
        layer[graphs.result(value)] += 1
    assert tables.graph(3, 2).layers == layers
    assert printed.LAYERS[5][5] == "0/4/0"
    assert printed.LAYERS[6][4].startswith("6500/10341/")


@pytest.mark.source("ISK-T7", "ISK-T7.LESS", "ISK-DB")
def test_futility_saves_less_with_databases() -> None:
    """In Kalah(4,3); the bench has the games of table 7."""
    saved = []
    for stones in (0, 8):
        pruned, whole = (tables.effort(4, 3, stones, it) for it in (True, False))
        saved.append(1 - pruned / whole)
    assert saved[0] > saved[1] > 0


@pytest.mark.source("ISK-SIZE", "ISK-SIZE.MB", "ISK-DB.4", "ISK-TIME.MB")
def test_table_8() -> None:
    """Half a byte a position; some megabytes are rounded, some cut off.

    The 107 MB of the text are a database of 20 stones.
    """
    for stones, (positions, megabytes) in printed.SIZES.items():
        assert endgame.size(6, stones) == positions
        last = 0.1 if "." in megabytes else 1
        assert abs(positions / 2 / 2**20 - float(megabytes)) < last
    assert int(endgame.size(6, 20) / 2 / 2**20) == 107


@pytest.mark.source("ISK-T9.END", "ISK-T9.SCAN", "ISK-RULES", "ISK-SOUTH")
@pytest.mark.parametrize("m, n", printed.GAMES)
def test_a_printed_game_ends_with_the_printed_value(m: int, n: int) -> None:
    value, game = printed.GAMES[m, n]
    end = tables.replay(m, n, game)[-1]
    if (m, n) == (4, 6):
        assert not end.over  # garbled in the scan
    else:
        assert end.over
        assert end.score[0] - end.score[1] == value


@pytest.mark.source("ISK-T9", "ISK-65", "ISK-VALUES")
@pytest.mark.parametrize("m, n", [(5, 5), (5, 6), (6, 4)])
def test_a_printed_game_keeps_the_value_while_it_is_on_file(m: int, n: int) -> None:
    value, game = printed.GAMES[m, n]
    known = [proved.filed(position) for position in tables.replay(m, n, game)]
    on_file = [filed for filed in known if filed]
    assert len(on_file) > 2
    for filed in on_file:
        best = max(filed.move_values.values()).low
        assert value == (best if filed.position.mover == 0 else -best), filed.turns


@pytest.mark.source("ISK-T9")
def test_a_game_that_leaves_the_value() -> None:
    course = tables.replay(4, 2, "2-3")
    assert len(course) == 2  # the first move is a repeat move
    assert tables.played_values(Solver(4, 16, ISK_RULES), course) == [6, 4]


@pytest.mark.source("ISK-T10", "ISK-65", "ISK-66")
def test_table_10() -> None:
    for cell in QUICK_RESULTS:
        assert tables.winner(*cell) == printed.RESULTS[cell]
    assert (6, 6) not in {**printed.GAMES, **printed.RESULTS}


@pytest.mark.source("ISK-GUESS")
@pytest.mark.parametrize("m, n", [(4, 3), (5, 2), (6, 2)])
def test_without_deepening_a_right_guess_is_faster(m: int, n: int) -> None:
    efforts = []
    for guess in (None, printed.GAMES[m, n][0]):
        solver = Solver(m, 2 * m * n, ISK_RULES)
        assert solver.value(opening(n, m, ISK_RULES), guess) == printed.GAMES[m, n][0]
        efforts.append(solver.effort)
    assert efforts[1] < efforts[0]


def cells_of(pattern: str, cell: str) -> list[list[Any]]:
    """Return the first number of each line of a table of the manual, and its cells."""
    lines = re.findall(rf"(?m)^ +([1-6]){pattern}$", manuals.find("SOLVE TABLES"))
    assert len(lines) == 6
    return [[int(number), *re.findall(cell, cells)] for number, cells in lines]


@pytest.mark.source("ISK-T9", "ISK-T9.REST", "ISK-65", "ISK-T10")
def test_the_manual_has_tables_9_and_10_and_the_times_of_the_bench() -> None:
    bench = Path(tables.__file__).with_name("TABLES.txt").read_text("utf-8")
    line = r"(?m)^\((\d),(\d)\) .* positions .*?([0-9.]+)(?: s$| CPU)"
    times = re.findall(line, bench)
    seconds = {(int(m), int(n)): float(time) for m, n, time in times}
    told = {
        (pits, stones): (int(value), time)
        for stones, *cells in cells_of("  ( .*[0-9].*)", r"(\d+) +(\d[\d.]*)")
        for pits, (value, time) in enumerate(cells, 4)
    }
    for cell, (value, _) in printed.GAMES.items():
        time = f"{seconds[cell]:.{seconds[cell] < 10:d}f}"
        assert told.pop(cell) == (value, time)
    results = {}
    for pits, *cells in cells_of(" pits? +([WDL ]+)", "[WDL]"):
        results.update({(pits, at): result for at, result in enumerate(cells, 1)})
    assert results == printed.RESULTS and not told


@pytest.mark.source("ISK-UNIQUE", "ISK-LAYERS")
def test_no_position_comes_twice_in_a_game() -> None:
    """A move stays in its subgraph or leads to a later layer."""
    chance = random.Random(2000)
    for _ in range(100):
        played = [*random_game(chance, with_stones(chance, 24, 4, ISK_RULES))]
        assert len({*played}) == len(played)
        layers = [(sum(it.kalahs), it.kalahs) for it in played]
        for (layer, kalahs), (later, after) in zip(layers, layers[1:]):
            assert after == kalahs or later > layer


@pytest.mark.source("ISK-ACTIVE")
def test_what_is_captured_changes_the_value_by_itself_and_no_more() -> None:
    chance = random.Random(24)
    solver = Solver(3, 40, ISK_RULES)
    for _ in range(50):
        position = with_stones(chance, 12, 3, ISK_RULES)._replace(mover=0)
        lead = position.kalahs[0] - position.kalahs[1]
        bare = position._replace(kalahs=(0, 0))
        assert solver.value(position) == lead + solver.value(bare)


@pytest.mark.source("ISK-HASH")
def test_a_pit_of_32_stones_is_remembered_like_any_other() -> None:
    solver = Solver(2, 40, ISK_RULES)
    position = with_stones(random.Random(32), 4, 2, ISK_RULES)
    crowded = position._replace(rows=((36, 1), (1, 1)), mover=0)
    value = solver.value(crowded)
    effort = solver.effort
    assert effort > 1 and solver.value(crowded) == value
    assert solver.effort - effort < effort


@pytest.mark.source("ISK-T1.ONE")
def test_a_game_with_one_pit_a_side_has_no_choice() -> None:
    for stones in range(1, 7):
        for position in random_game(random.Random(1), opening(stones, 1, ISK_RULES)):
            assert position.legal == (1,)


@pytest.mark.source("ISK-T1.SIZE", "ISK-64")
def test_the_sizes_of_trees_and_graphs_that_the_text_tells() -> None:
    """A tree's is the power of what is printed, W^D."""
    for stones, tree, states in (4, 6e18, 1.3e13), (6, 2e33, 1.5e15):
        width, length = printed.WIDTHS[6, stones], printed.LENGTHS[6, stones]
        assert float(width) ** float(length) == pytest.approx(tree, 0.1)
        assert tables.states(6, stones) == pytest.approx(states, 0.02)
    # The graph of 6(4) is too large to be counted, at the least share in Table 3.
    least = min(float(share[:-1]) for share in printed.OCCUPIED.values())
    assert least / 100 * tables.states(6, 4) > 13e9


@pytest.mark.source("ISK-EVAL")
def test_the_estimate_is_the_difference_of_the_kalahs(monkeypatch: MonkeyPatch) -> None:
    """Searches of so few plies, without futility, find what a minimax finds."""

    def worth(position: Position, plies: int) -> int:
        if position.over or not plies:
            return position.kalahs[0] - position.kalahs[1]
        values = [worth(position.play(pit), plies - 1) for pit in position.legal]
        return min(values) if position.mover else max(values)

    chance = random.Random(9)
    for plies in [1, 2] * 30:
        monkeypatch.setattr(exact, "GUESSES", (plies,))
        begin = with_stones(chance, 24, 4, ISK_RULES)._replace(mover=0, kalahs=(0, 0))
        solver = Solver(4, 24, ISK_RULES, futility=False)
        own, other = solver.moves.packed(begin)
        assert solver._guess(own, other, 24) == worth(begin, plies)
