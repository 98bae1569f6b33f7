"""Game graphs: every position that play can reach (ISK-T3).

The paper's nodes are boards with kalahs and mover.  No moves are made from
a node where a kalah has more than half of the stones, nor from a finished
one, which is kept as it stands: stones not collected, and the mover
unchanged after a repeat move.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from sail.engine.endgame import Database
from sail.engine.moves import MoveTable
from sail.stop import Stop, Stopped

# own row, other row, stones in the kalah of South, whether South moves
Node = tuple[int, int, int, bool]
Shares = list[int]  # nodes that South wins, loses, draws

WIN, LOSS, DRAW = 0, 1, 2


def result(value: int) -> int:
    """WIN, LOSS or DRAW for a final difference."""
    return WIN if value > 0 else LOSS if value < 0 else DRAW


class Graph(NamedTuple):
    """A game graph, as the tables need it.

    layers[captured stones][stones in South's kalah]: nodes that South, who
    starts, wins, loses and draws; root: the result of the start.  settled: the
    nodes where South's kalah has the majority.  moves and squares: the sums
    of the branching factors and of their squares.
    """

    root: int
    nodes: int
    layers: dict[int, dict[int, Shares]]
    settled: int
    moves: int
    squares: int

    def branching(self, nodes: int) -> tuple[float, float]:
        """Return the mean of the branching factor of so many nodes, its deviation."""
        mean = self.moves / nodes
        return mean, sqrt(self.squares / nodes - mean * mean)

    @property
    def shares(self) -> Shares:
        """The nodes that South wins, loses and draws (ISK-T5)."""
        cells = [cell for layer in self.layers.values() for cell in layer.values()]
        return [sum(cell[result] for cell in cells) for result in (WIN, LOSS, DRAW)]


def explore(
    moves_of: MoveTable,
    stones: int,
    database: Database,
    stop: Stop,
    last: int | None = None,
) -> Graph:
    """Return the graph of the game with that many stones in every pit.

    moves_of: by the rule of the paper.  database: endgames with as many
    stones as the game.  Captured stones never come back, so the nodes are
    made layer by layer, in the order of captured stones, and each layer is
    dropped once it is done.  last: the last layer wanted.  Raises Stopped.
    """
    everything = 2 * moves_of.pits * stones
    half = everything / 2
    row = moves_of.pack((stones,) * moves_of.pits)
    open_layers: dict[int, set[Node]] = {0: {(row, row, 0, True)}}
    layers: dict[int, dict[int, Shares]] = {}
    nodes = settled = moves = squares = 0
    for captured in range(everything + 1 if last is None else last + 1):
        seen = open_layers.pop(captured, set())
        layer = layers[captured] = {}
        waiting = list(seen)
        while waiting:
            own, other, south, to_move = waiting.pop()
            nodes += 1
            if not nodes % 4096 and stop():
                raise Stopped
            north = captured - south
            cell = layer.setdefault(south, [0, 0, 0])
            if south > half or north > half:
                cell[WIN if south > half else LOSS] += 1
                settled += south > half
                continue
            if own and other:
                ahead = database.value(own, other)
            else:
                ahead = (everything - captured) * (1 if own else -1)
            final = south - north + (ahead if to_move else -ahead)
            cell[result(final)] += 1
            if not (own and other):
                continue
            successors = list(moves_of.successors(own, other))
            moves += len(successors)
            squares += len(successors) ** 2
            for _, left, yours, gain, again in successors:
                after = south + gain if to_move else south
                if again:
                    node = left, yours, after, to_move
                else:
                    node = yours, left, after, not to_move
                if gain:
                    open_layers.setdefault(captured + gain, set()).add(node)
                elif node not in seen:
                    seen.add(node)
                    waiting.append(node)
    root = result(database.value(row, row))
    return Graph(root, nodes, layers, settled, moves, squares)
