"""Game graphs: every position that play can reach (ISK-T3).

ISK's nodes are boards with kalahs and mover.  A node has no successors if a
kalah holds more than half of the stones, or if the game is over there.  The
board of a finished game stays as it is: the remaining stones are not collected,
and if the last move was a repeat move, the same player is to move.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from sail.engine.endgame import Database
from sail.engine.moves import MoveTable
from sail.stop import Stop, Stopped

# The mover's row, the other row, the stones in South's kalah, whether South moves.
Node = tuple[int, int, int, bool]
Shares = list[int]  # counts of the nodes that South wins, loses and draws

WIN, LOSS, DRAW = 0, 1, 2


def result(value: int) -> int:
    """Return WIN, LOSS or DRAW for a final difference."""
    return WIN if value > 0 else LOSS if value < 0 else DRAW


class Graph(NamedTuple):
    """The figures of a game graph that the tables need.

    root: the result for South, who starts.  nodes: their number.  layers[captured
    stones][stones in South's kalah]: how many nodes South wins, loses and draws.
    majorities: the number of nodes where South's kalah has the majority.  moves,
    squares: the sums of the branching factors and of their squares.
    """

    root: int
    nodes: int
    layers: dict[int, dict[int, Shares]]
    majorities: int
    moves: int
    squares: int

    def branching(self, nodes: int) -> tuple[float, float]:
        """Return mean and deviation of the branching factor over `nodes` nodes."""
        mean = self.moves / nodes
        return mean, sqrt(self.squares / nodes - mean * mean)

    @property
    def shares(self) -> Shares:
        """How many nodes South wins, loses and draws (ISK-T5)."""
        cells = [cell for layer in self.layers.values() for cell in layer.values()]
        return [sum(cell[result] for cell in cells) for result in (WIN, LOSS, DRAW)]


def explore(
    moves_of: MoveTable,
    stones: int,
    database: Database,
    stop: Stop,
    last: int | None = None,
) -> Graph:
    """Return the graph of the game with `stones` stones in every pit.

    moves_of: moves by ISK's capture rule.  database: of all positions with up to as
    many stones as the game has.  last: the last layer wanted; None for all.  Captured
    stones never come back, so the nodes are made layer by layer, by the number of
    captured stones, and a finished layer is dropped.  Raises Stopped.
    """
    all_stones = 2 * moves_of.pits * stones
    half = all_stones / 2
    row = moves_of.pack((stones,) * moves_of.pits)
    open_layers: dict[int, set[Node]] = {0: {(row, row, 0, True)}}
    layers: dict[int, dict[int, Shares]] = {}
    nodes = majorities = moves = squares = 0
    for captured in range(all_stones + 1 if last is None else last + 1):
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
                majorities += south > half
                continue
            if own and other:
                ahead = database.value(own, other)
            else:
                ahead = (all_stones - captured) * (1 if own else -1)
            final = south - north + (ahead if to_move else -ahead)
            cell[result(final)] += 1
            if not (own and other):
                continue
            successors = list(moves_of.successors(own, other))
            moves += len(successors)
            squares += len(successors) ** 2
            for _, rest, facing, gain, again in successors:
                after = south + gain if to_move else south
                if again:
                    node = rest, facing, after, to_move
                else:
                    node = facing, rest, after, not to_move
                if gain:
                    open_layers.setdefault(captured + gain, set()).add(node)
                elif node not in seen:
                    seen.add(node)
                    waiting.append(node)
    root = result(database.value(row, row))
    return Graph(root, nodes, layers, majorities, moves, squares)
