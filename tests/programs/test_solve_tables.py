"""The tables of Solving Kalah: what is printed, and what is computed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import chain, count, islice, repeat
from zlib import crc32

import pytest
from pytest import MonkeyPatch

from sail.board import ISK_RULES, Position, start
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.moves import MoveTable
from sail.programs.solve import printed, says, tables, trees
from sail.programs.solve.graph import Graph, explore
from sail.programs.solve.tables import Tables
from sail.stop import Stop, Stopped, never

# The graphs that are made in a second; bench/solve.py makes the others.
QUICK_GRAPHS = [
    (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6),
    (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (2, 6),
    (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (5, 1),
]  # fmt: skip
QUICK_GAMES = [
    (4, 1), (4, 2), (4, 3), (4, 4), (5, 1), (5, 2), (5, 3), (6, 1), (6, 2),
]  # fmt: skip
AGREES = "NOTHING DIFFERS FROM WHAT IS PRINTED."
QUOTED = "Q: QUOTED, NOT RECOMPUTED."

Graphs = dict[tuple[int, int], Graph]


def at_once() -> bool:
    return True


def made(
    stop: Stop = never, clock: Callable[[], float] = lambda: 0.0, columns: int = 72
) -> Tables:
    return Tables(stop, clock, columns)


def kept_from_building(
    monkeypatch: MonkeyPatch,
) -> list[tuple[int, int, bool, int, int]]:
    """What is asked of endgame.build: pits, mask, rule, rows kept, stones."""
    built = []
    small = endgame.build(MoveTable(1, 3, True), 2)

    def build(moves: MoveTable, stones: int, stop: object) -> endgame.Database:
        kind = moves.pits, moves.mask, moves.captures_empty, moves.capacity
        built.append((*kind, stones))
        return small

    monkeypatch.setattr(endgame, "build", build)
    return built


@pytest.fixture(scope="module")
def graphs() -> Graphs:
    """The graphs of table 3 that are quickly made."""
    maker = made()
    assert list(maker.make_graphs(QUICK_GRAPHS)) == []
    assert sorted(maker.graphs) == QUICK_GRAPHS
    return maker.graphs


def with_graphs(name: str, graphs: Graphs) -> list[str]:
    """A table whose other graphs are stopped."""
    tables = made(at_once)
    tables.graphs.update(graphs)
    return list(tables.lines(name))


def differences(name: str, graphs: Graphs) -> list[str]:
    """What a table names as different: the other figures that it has are as printed."""
    return [line for line in with_graphs(name, graphs) if ", PRINTED" in line]


def test_no_printed_cell_is_lost_or_changed() -> None:
    """The sums were taken when the cells had been compared with the paper."""
    for cells, number, check in (
        (printed.LENGTHS, 30, 1896786162),
        (printed.WIDTHS, 30, 3818475058),
        (printed.STATES, 34, 104204943),
        (printed.NODES, 23, 3921568098),
        (printed.OCCUPIED, 23, 936855838),
        (printed.BRANCHING, 11, 1276306557),
        (printed.SHARES, 23, 4267234985),
        (printed.LAYERS, 7, 816184396),
        (printed.FUTILITY, 3, 1658920451),
        (printed.SIZES, 14, 357946932),
        (printed.GAMES, 17, 3448747035),
        (printed.RESULTS, 35, 1369029562),
    ):
        assert (len(cells), crc32(repr(cells).encode())) == (number, check)


@pytest.mark.source("ISK-T1")
def test_table_1_plays_a_hundred_games_a_cell() -> None:
    """2(1): A's row is empty after pits 1 and 2, or B's after three moves."""
    assert trees.measure(2, 1, 10, float, never) == (100, 2.0, 1.5)
    found = trees.measure(3, 1, 10, float, never)
    assert found[:2] == (100, 5.13)
    assert trees.measure(3, 1, 10, float, never) == found
    clock = iter([5.0, 6.0, 7.0, 14.9, 15.0, 16.0])
    assert trees.measure(2, 1, 10, lambda: next(clock), never)[0] == 4
    assert trees.measure(2, 1, 0, float, never)[0] == 1


@pytest.mark.source("ISK-T1")
def test_a_game_of_table_1() -> None:
    """The moves to choose from, and the rows that seven submoves come upon."""
    player = trees.Player(4, 2, random.Random(1))
    assert player.game(never) == [4, 4, 3, 2, 2, 2, 3, 2, 1, 2, 1]
    assert len(player.moves) == 119


@pytest.mark.source("ISK-T1")
def test_table_1_sets_ours_beside_what_is_printed(monkeypatch: MonkeyPatch) -> None:
    """A hundred games, or those begun in ten seconds."""
    monkeypatch.setattr(printed, "LENGTHS", {(2, 1): "3.00", (2, 4): "12.00"})
    clock = chain([5.0, 14.9, 15.0], repeat(15.0))
    slow = made(clock=lambda: next(clock))
    assert [line[:11] for line in slow.lines("T1")][4:6] == [
        "2 1      2 ",
        "2 4    100 ",
    ]
    assert list(made().lines("T1"))[3:7] == [
        "M N  GAMES      D     W      W^D   PRINTED D     W      W^D",
        "2 1    100   2.00  1.50   2.25E0        3.00  1.40   2.74E0",
        "2 4    100   3.00  1.67   4.63E0       12.00  1.47   1.02E2",
        "OFF BY 54 PERCENT IN D AND 10 IN W, ON THE AVERAGE.",
    ]


@pytest.mark.source("ISK-T1")
def test_table_1_quotes_what_is_printed(monkeypatch: MonkeyPatch) -> None:
    """Beside games that are not played here; the first line and the last."""
    trees_of = {m: (100, m, 2) for m in range(2, 7)}
    monkeypatch.setattr(tables, "measure", lambda m, *_: trees_of[m])
    lines = list(made().lines("T1"))
    assert [line[:3] + line[35:] for line in (lines[4], lines[33])] == [
        "2 1     3.00  1.40   2.74E0",
        "6 6    49.25  4.75  2.12E33",
    ]
    assert lines[34] == "OFF BY 72 PERCENT IN D AND 31 IN W, ON THE AVERAGE."


@pytest.mark.source("ISK-T3")
def test_table_3(graphs: Graphs) -> None:
    assert differences("T3", graphs) == [
        "2(5): OURS 48, PRINTED 58.",
        "2(1): OURS 3.2%, PRINTED 3.1%.",
        "2(5): OURS 0.0%, PRINTED 0.1%.",
        "2(6): OURS 1.0%, PRINTED 1.1%.",
    ]
    lines = with_graphs("T3", {**graphs, (3, 6): graphs[2, 5]})
    assert lines[-2:] == [
        "2(5): 58 IS NO MISPRINT, SEE TABLE 5: THEY HAVE TEN MORE DRAWS.",
        "3(6): THEIRS IS A SIXTH SMALLER; THEIR SHARES IN TABLE 5 ADD UP TO 90.",
    ]


@pytest.mark.source("ISK-T4")
def test_table_4(graphs: Graphs) -> None:
    """Eight figures of twelve exactly; 14 of 22 with all graphs."""
    lines = with_graphs("T4", graphs)
    assert [line for line in lines[3:-4] if "Q" not in line] == [
        "3  1  1.13+0.90         1.18+0.90  1.07+0.91",
        "3  2  1.35+0.85         1.36+0.85  1.32+0.87",
        "3  3  1.72+0.85         1.72+0.85  1.69+0.87",
        "4  1  1.28+0.94         1.29+0.96  1.23+0.95",
        "4  2  2.13+0.95         2.13+0.95  2.11+0.97",
        "5  1  1.63+0.96         1.63+0.96  1.59+0.98",
    ]
    agrees = "8 OF 12 FIGURES AS PRINTED, THE OTHERS OFF BY 0.05 AT MOST."
    assert lines[-4:] == [agrees, *says.T4_TRIED, QUOTED]


@pytest.mark.source("ISK-T4")
def test_nothing_is_quoted_in_a_table_that_is_complete(
    graphs: Graphs, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(printed, "BRANCHING", {(5, 1): "1.63+0.96"})
    assert with_graphs("T4", graphs)[2:] == [
        "5  1  1.63+0.96         1.63+0.96  1.59+0.98",
        "2 OF 2 FIGURES AS PRINTED, THE OTHERS OFF BY 0.00 AT MOST.",
        *says.T4_TRIED,
    ]


@pytest.mark.source("ISK-T5")
def test_table_5(graphs: Graphs) -> None:
    assert differences("T5", graphs) == [
        "2(1): OURS W38/38/25, PRINTED W38/38/24.",
        "2(5): OURS W92/8/0, PRINTED W76/7/17.",
    ]
    lines = with_graphs("T5", {**graphs, (3, 6): graphs[2, 5]})
    assert lines[-2:] == [
        "2(5): 76/7/17 IS 44/4/10 OF THEIR 58 NODES; OURS ARE 44/4/0 OF 48.",
        "3(6): 35/45/10 ADDS UP TO 90; THEIR GRAPH IS A SIXTH SMALLER.",
    ]
    assert graphs[2, 5].shares == [44, 4, 0]


def test_table_6_tells_what_differs(monkeypatch: MonkeyPatch) -> None:
    """The transcript has the table; here layers of a graph of our own."""
    monkeypatch.setattr(printed, "LAYERS", [["2/1/0"], ["1/6/0", "5/6/1"]])
    layers = {0: {0: [2, 1, 0]}, 1: {0: [1, 6, 0], 1: [5, 6, 2]}}
    tables = made()
    asked = []

    def graph(*which: int) -> Graph:
        asked.append(which)
        return Graph(0, 23, layers, 0, 0, 0)

    monkeypatch.setattr(tables, "graph", graph)
    assert list(tables.lines("T6"))[2:] == [
        "L(0)  2/1/0",
        "L(1)  1/6/0  5/6/2",
        "L(1), SOUTH 1: OURS 5/6/2, PRINTED 5/6/1.",
    ]
    assert asked == [(4, 3, 1)]


@pytest.mark.source("ISK-T3", "ISK-T6")
def test_a_graph_is_made_to_its_end_unless_a_layer_is_named(graphs: Graphs) -> None:
    assert sorted(graphs[2, 1].layers) == [0, 1, 2, 3, 4]
    assert sorted(made().graph(3, 2, 3).layers) == [0, 1, 2, 3]


@pytest.mark.source("ISK-T3")
def test_a_graph_in_the_making_can_be_stopped() -> None:
    """Every 4096 nodes; the graph of Kalah(3,3) has 24,936."""
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) == 9

    moves = MoveTable(3, 5, True)
    database = endgame.build(moves, 18)
    assert explore(moves, 3, database, stop).nodes == 24_936
    assert len(asked) == 6
    with pytest.raises(Stopped):
        explore(moves, 3, database, stop)
    assert len(asked) == 9


@pytest.mark.source("ISK-T7")
def test_table_7(monkeypatch: MonkeyPatch) -> None:
    """With one stone a pit in the place of three, which take seconds."""
    printed_here = {(True, 1): 6, (True, 4): 15, (False, 1): 38}
    monkeypatch.setattr(printed, "FUTILITY", printed_here)
    monkeypatch.setattr(tables, "FUTILITY_STONES", 1)
    assert list(made().lines("T7"))[2:] == [
        "YES             1       6%   17%          563         675",
        "YES             4      15%     Q",
        "NO              1      38%   17%          563         675",
        *says.T7_TRIED,
        QUOTED,
    ]


@pytest.mark.source("ISK-T7")
def test_table_7_computes_3_stones_a_pit_with_databases_and_without(
    monkeypatch: MonkeyPatch,
) -> None:
    tables = made()
    efforts = {
        (3, True, True): 79_999,
        (3, True, False): 100_000,
        (3, False, True): 1_250_000,
        (3, False, False): 2_000_000,
    }
    monkeypatch.setattr(tables, "effort", lambda *which: efforts[which])
    assert list(tables.lines("T7"))[2:5] == [
        "YES             3       6%   20%       79,999     100,000",
        "YES             4      15%     Q",
        "NO              3      38%   38%    1,250,000   2,000,000",
    ]


@pytest.mark.source("ISK-T7.LESS", "ISK-DB")
def test_databases_take_over_from_futility() -> None:
    """In Kalah(4,3) it saves less of the tree with a database than without."""
    saved = []
    for stones in (0, 8):
        efforts = []
        for futility in (True, False):
            solver = made().solver(4, 3, False, futility)
            if stones:
                solver.database = endgame.build(solver.moves, stones)
            solver.value(start(3, 4, ISK_RULES))
            efforts.append(solver.effort)
        saved.append(1 - efforts[0] / efforts[1])
    assert saved[0] > saved[1] > 0


@pytest.mark.source("ISK-SIZE", "ISK-DB", "ISK-DB.4")
def test_table_8(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_BYTES", 1_000_000)
    lines = list(made().lines("T8"))
    assert lines[2] == "      17     51,694,042        24.6       49"
    assert lines[15:] == [
        "      30 11,054,221,305        5271    10542",
        AGREES,
        "BUILT HERE, A BYTE A POSITION:",
        "      10        630,631                  0.6  0.0 SECONDS",
    ]
    monkeypatch.setattr(tables, "FIRST_BUILT", 2)
    monkeypatch.setattr(printed, "SIZES", {3: (280, "0.1")})
    ticks = count()
    ticking = made(clock=lambda: float(next(ticks)))
    assert list(ticking.lines("T8"))[2:] == [
        "       3            288         0.1        0",
        "3 COUNTERS: OURS 288, PRINTED 280.",
        "BUILT HERE, A BYTE A POSITION:",
        "       2             36                  0.0  1.0 SECONDS",
        "       3            288                  0.0  1.0 SECONDS",
    ]


@pytest.mark.source("ISK-SIZE")
def test_table_8_builds_no_more_than_800_million_bytes(
    monkeypatch: MonkeyPatch,
) -> None:
    """With 300,000 rows in memory at most, by the rule of the paper."""
    assert list(made(at_once).lines("T8"))[18:] == ["STOPPED."]
    built = kept_from_building(monkeypatch)
    list(made().lines("T8"))
    assert [stones for *_, stones in built] == [10, 17, 18, 19, 20, 21, 22]
    assert [kind for *kind, _ in built] == [
        [6, mask, True, 300_000] for mask in (15, 31, 31, 31, 31, 31, 31)
    ]


@pytest.mark.source("ISK-DB")
def test_the_endgames_of_a_cell(monkeypatch: MonkeyPatch) -> None:
    built = kept_from_building(monkeypatch)
    for m, n in ((6, 1), (6, 3), (4, 4)):
        made().solver(m, n)
    made().solver(6, 3, databases=False)
    assert built == [(6, 63, True, 120_000, 12), (4, 63, True, 120_000, 19)]


def test_a_cell_is_given_up_after_two_million_efforts() -> None:
    class Noting(Solver):
        def value(
            self, position: Position, guess: int | None = None, stop: Stop = never
        ) -> int:
            efforts = []
            for self.effort in (0, 2_000_000, 2_000_001):
                efforts += [self.effort] * stop()
            return min(efforts, default=0)

    for table, effort in ((made(), 2_000_001), (made(at_once), 0)):
        assert table.value(Noting(4, 24, True), start(3, 4, ISK_RULES)) == effort


@pytest.mark.source("ISK-T9.END", "ISK-T9.SCAN", "ISK-RULES")
@pytest.mark.parametrize("m, n", printed.GAMES)
def test_a_printed_game_ends_with_the_printed_value(m: int, n: int) -> None:
    value, game = printed.GAMES[m, n]
    end = tables.replay(m, n, game)[-1]
    if (m, n) == (4, 6):
        assert not end.over  # garbled in the scan
    else:
        assert end.over
        assert end.score[0] - end.score[1] == value


@pytest.mark.source("ISK-T9")
@pytest.mark.parametrize("m, n", QUICK_GAMES)
def test_every_position_of_a_printed_game_keeps_the_value(m: int, n: int) -> None:
    value, game = printed.GAMES[m, n]
    count = len(tables.replay(m, n, game))
    assert list(made().checked(m, n, value, game)) == [
        f"{count} OF {count} POSITIONS PROVED TO KEEP THE VALUE.",
        f"VALUE {value} OURS.",
    ]


@pytest.mark.source("ISK-T9")
def test_a_game_that_leaves_the_value_is_told() -> None:
    assert list(made().checked(4, 2, 6, "3-3-230-231-2-2")) == [
        "11 OF 11 POSITIONS PROVED TO KEEP THE VALUE.",
        "VALUE 6 OURS.",
    ]
    assert list(made().checked(4, 2, 6, "2-3")) == [
        "AS SCANNED THE GAME BREAKS OFF AFTER 1 MOVES.",
        "AS SCANNED NOT PERFECT: AFTER 1 MOVES THE VALUE IS 4.",
        "1 OF 2 POSITIONS PROVED TO KEEP THE VALUE.",
        "VALUE 6 OURS.",
    ]
    assert tables.INDENT + len(says.T9_LEFT.format(10, -10)) <= 72


@pytest.fixture
def little(monkeypatch: MonkeyPatch) -> None:
    """Little effort for a cell, and no databases."""
    monkeypatch.setattr(tables, "CELL_EFFORT", 3000)
    monkeypatch.setattr(tables, "most_useful", lambda pits, in_play: 0)


@pytest.mark.source("ISK-T9")
def test_each_position_of_a_printed_game_has_the_effort_of_a_cell(
    monkeypatch: MonkeyPatch,
) -> None:
    """Without databases these take 5929 at most, and 16436 together."""
    monkeypatch.setattr(tables, "CELL_EFFORT", 8000)
    monkeypatch.setattr(tables, "most_useful", lambda pits, in_play: 0)
    kept, whose = made().checked(5, 3, *printed.GAMES[5, 3])
    assert kept.startswith("27 OF 27 ") and whose.endswith(" OURS.")


@pytest.mark.parametrize("columns", range(44, 73))
def test_the_games_of_table_9_are_folded_well(columns: int) -> None:
    """After dashes, in as few lines as fit, and no line is left with a stub."""
    room = columns - tables.INDENT
    for (m, n), (value, game) in printed.GAMES.items():
        heading = f"{m}({n})  {value:>2} (W)  "
        lines = list(tables.folded(heading + game, columns, tables.INDENT))
        assert "".join(line.strip() for line in lines) == heading.strip() + "  " + game
        assert max(map(len, lines)) <= columns
        assert len(lines) <= -(-len(game) // (room - 9))
        assert all(line.endswith("-") for line in lines[:-1])
        assert len(lines) == 1 or len(lines[-1].strip()) > 8, lines


@pytest.mark.source("ISK-T9")
def test_table_9_on_narrow_paper(little: None, monkeypatch: MonkeyPatch) -> None:
    games = {cell: printed.GAMES[cell] for cell in ((4, 6), (5, 4))}
    monkeypatch.setattr(printed, "GAMES", games)
    narrow = made(columns=44)
    assert list(narrow.lines("T9"))[2:] == [
        "4(6)   0 (D)  1-0-2-3-1330-01-2-2-21-201-2-",
        "             23-3-23-230-32-32-12-1-0-32",
        "             AS SCANNED THE GAME BREAKS OFF",
        "             AFTER 16 MOVES.",
        "             0 OF 17 POSITIONS PROVED TO",
        "             KEEP THE VALUE.",
        "             VALUE QUOTED, NOT RECOMPUTED.",
        "5(4)  12 (W)  12-04-03-2-20-41-1-",
        "             42-32-3-2-40-0-1",
        "             10 OF 23 POSITIONS PROVED TO",
        "             KEEP THE VALUE.",
        "             VALUE QUOTED, NOT RECOMPUTED.",
    ]


@pytest.mark.source("ISK-T10", "ISK-T9.LAST", "ISK-66")
def test_table_10(little: None) -> None:
    """Of 35 values, 21 take so little effort."""
    table = "\n".join(made().lines("T10"))
    assert AGREES in table
    assert len(re.findall(r" [WLD]\b", table)) == 21
    assert len(re.findall(r" [WLD]Q", table)) == 14
    assert (6, 6) not in printed.GAMES


def test_long_work_is_told_of(little: None) -> None:
    """By a clock that strikes as it is looked at: what takes more than a second."""
    seconds = iter([0, 2, 4, 5, 10, 12, 20, 21, 30, 33])
    slow = made(clock=lambda: float(next(seconds)))
    assert list(slow.make_graphs([(2, 6)])) == ["KALAH(2,6): 2,482 NODES, 2 SECONDS"]
    assert list(slow.make_graphs([(2, 6), (1, 3)])) == []
    lines = slow.lines("T10")
    assert list(islice(lines, 2))[1] == "KALAH(1,1): D, 2 SECONDS"
    assert next(lines) == "KALAH(1,3): W, 3 SECONDS"


def test_a_cell_that_was_given_up_is_quoted(
    little: None, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(printed, "RESULTS", {(4, 4): "W"})
    seconds = iter([20.0, 22.5])
    slow = made(clock=lambda: next(seconds))
    lines = list(slow.lines("T10"))
    assert lines[1] == "KALAH(4,4): Q, 2 SECONDS"
    assert lines[3:] == ["  4       WQ", QUOTED]


@pytest.mark.source("ISK-T9.LAST")
def test_a_stopped_search_leaves_the_value_quoted() -> None:
    value, game = printed.GAMES[6, 5]
    assert list(made(at_once).checked(6, 5, value, game)) == [
        "0 OF 44 POSITIONS PROVED TO KEEP THE VALUE.",
        "VALUE QUOTED, NOT RECOMPUTED.",
    ]
