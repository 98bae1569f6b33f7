"""The game graphs and the game trees that Solving Kalah measures.

A graph has every position that play can reach (ISK-T3).  ISK's nodes are boards with
kalahs and mover.  A node has no successors if a kalah holds more than half of the
stones, or if the game is over there.  The board of a finished game stays as it is: the
remaining stones are not collected, and if the last move was a repeat move, the same
player is to move.

A tree is measured by play (ISK-T1).  Two players look seven plies ahead by plain
alpha-beta, and choose at random among the moves with the best value.  ISK leaves open
what a ply is and how a game that ends within the seven is judged.  Here a ply is a
submove, and the player who has stones left keeps them.
"""

from __future__ import annotations

import random
from math import sqrt
from typing import NamedTuple

from sail.board import ISK_RULES
from sail.engine import endgame
from sail.engine.moves import MoveTable, Successor, bits_for

# The mover's row, the other row, the stones in South's kalah, whether South moves.
Node = tuple[int, int, int, bool]
Shares = list[int]  # counts of the nodes that South wins, loses and draws

WIN, LOSS, DRAW = 0, 1, 2
PLIES = 7
GAMES = 100
FAR = 1000  # beyond any value


def result(value: int) -> int:
    """Return WIN, LOSS or DRAW for a final difference."""
    return WIN if value > 0 else LOSS if value < 0 else DRAW


class Graph(NamedTuple):
    """The figures of a game graph that the tables need.

    root: the result for South, who starts.  nodes: their number.  layers[captured
    stones][stones in South's kalah]: how many nodes South wins, loses and draws.
    left_out: the number of nodes where South's kalah has the majority or both rows are
    empty.  moves, squares: the sums of the branching factors and of their squares.
    """

    root: int
    nodes: int
    layers: dict[int, dict[int, Shares]]
    left_out: int
    moves: int
    squares: int

    def branching(self, nodes: int) -> str:
        """Return mean and deviation of the branching factor over `nodes` nodes."""
        mean = self.moves / nodes
        return f"{mean:.2f}+{sqrt(self.squares / nodes - mean * mean):.2f}"

    @property
    def shares(self) -> Shares:
        """How many nodes South wins, loses and draws (ISK-T5)."""
        cells = [cell for layer in self.layers.values() for cell in layer.values()]
        return [sum(cell[result] for cell in cells) for result in (WIN, LOSS, DRAW)]


def explore(pits: int, stones: int) -> Graph:
    """Return the graph of Kalah(pits,stones).

    Captured stones never come back, so the nodes are made layer by layer, by the number
    of captured stones, and a finished layer is dropped.
    """
    all_stones = 2 * pits * stones
    moves_of = MoveTable(pits, bits_for(all_stones), ISK_RULES)
    database = endgame.build(moves_of, all_stones)
    half = all_stones / 2
    row = moves_of.pack((stones,) * pits)
    open_layers: dict[int, set[Node]] = {0: {(row, row, 0, True)}}
    layers: dict[int, dict[int, Shares]] = {}
    nodes = left_out = moves = squares = 0
    for captured in range(all_stones + 1):
        seen = open_layers.pop(captured, set())
        layer = layers[captured] = {}
        waiting = list(seen)
        while waiting:
            own, other, south, to_move = waiting.pop()
            nodes += 1
            north = captured - south
            left_out += south > half or not (own or other)
            cell = layer.setdefault(south, [0, 0, 0])
            if south > half or north > half:
                cell[WIN if south > half else LOSS] += 1
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
            for _, rest, facing, gain, repeats in successors:
                after = south + gain if to_move else south
                if repeats:
                    node = rest, facing, after, to_move
                else:
                    node = facing, rest, after, not to_move
                if gain:
                    open_layers.setdefault(captured + gain, set()).add(node)
                elif node not in seen:
                    seen.add(node)
                    waiting.append(node)
    root = result(database.value(row, row))
    return Graph(root, nodes, layers, left_out, moves, squares)


def measure(pits: int, stones: int) -> tuple[float, float]:
    """Play GAMES games, every time the same.

    Return the mean numbers of submoves in a game and of legal moves at a submove.
    """
    player = Player(pits, stones, random.Random(f"{pits},{stones}"))
    games = [player.game() for _ in range(GAMES)]
    length = sum(map(len, games))
    return length / GAMES, sum(map(sum, games)) / length


class Player:
    """Plays both sides of Kalah(pits,stones) by ISK's capture rule."""

    def __init__(self, pits: int, stones: int, chance: random.Random) -> None:
        self.stones = 2 * pits * stones
        self.moves = MoveTable(pits, bits_for(self.stones), ISK_RULES)
        self.row = self.moves.pack((stones,) * pits)
        self.chance = chance

    def game(self) -> list[int]:
        """Play a game; return the number of legal moves at each submove."""
        own = other = self.row
        in_play = self.stones
        choices = []
        while own and other:
            choices.append(len(self.moves[own]))
            _, rest, facing, gain, repeats = self.choice(own, other, in_play)
            in_play -= gain
            own, other = (rest, facing) if repeats else (facing, rest)
        return choices

    def choice(self, own: int, other: int, in_play: int) -> Successor:
        """Return the result of a move chosen at random from the best."""
        most = -FAR
        best: list[Successor] = []
        for after in self.moves.successors(own, other):
            # Alpha is one below the best so far, so that ties are recognized.
            value = self.value_after(after, in_play, PLIES - 1, most - 1, FAR)
            if value > most:
                most, best = value, []
            if value == most:
                best.append(after)
        return self.chance.choice(best)

    def value_after(
        self, after: Successor, in_play: int, plies: int, alpha: int, beta: int
    ) -> int:
        """Return the value of a move, with `plies` plies to follow."""
        _, rest, facing, gain, repeats = after
        in_play -= gain
        if not rest:
            return gain - in_play
        if not facing:
            return gain + in_play
        if repeats:
            low, high = alpha - gain, beta - gain
            return gain + self.value(rest, facing, in_play, plies, low, high)
        low, high = gain - beta, gain - alpha
        return gain - self.value(facing, rest, in_play, plies, low, high)

    def value(
        self, own: int, other: int, in_play: int, plies: int, alpha: int, beta: int
    ) -> int:
        """Return, by alpha-beta, the mover's gain from here less the opponent's."""
        if not plies:
            return 0
        best = -FAR
        for after in self.moves.successors(own, other):
            value = self.value_after(after, in_play, plies - 1, max(alpha, best), beta)
            best = max(best, value)
            if best >= beta:
                break
        return best
