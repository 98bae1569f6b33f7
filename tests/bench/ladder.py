"""Play the ladder: simulated players against its rungs, and level against level.

There are four players.  The first takes six of ten repeat moves that he is offered,
and otherwise plays at random; the second takes nine of ten; the third is greedy: he
takes a repeat move if there is one, else the biggest gain.  The fourth is careful: he
misses one best move in ten, and then plays at random; the best move is the one that a
search of 2,000 positions finds.  They begin every game.  A draw is no win.

Level against level, the games have 3 to 6 stones a pit, and the first turn of each
player is random.  Every opening is played twice, with each level as the first player.
A draw counts half.  The clock counts the CPU seconds of this process.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable

from sail.board import KALAH_RULES, Position, start
from sail.engine.levels import LEVEL, Level
from sail.engine.limit import Limit
from sail.engine.search import Search
from sail.game import Game
from sail.programs.kalah.opponent import Opponent
from tests.bench.strength import chosen, scaled
from tests.paper import Paper

Player = Callable[[Position, random.Random], int]


def takes(share: float) -> Player:
    """Return a player who takes this share of the repeat moves that he is offered."""

    def play(position: Position, chance: random.Random) -> int:
        repeats = [pit for pit in position.legal if position.repeats(pit)]
        if repeats and chance.random() < share:
            return chance.choice(repeats)
        return chance.choice(position.legal)

    return play


def greedy(position: Position, chance: random.Random) -> int:
    """Return a repeat move if there is one, else a move with the biggest gain."""
    repeats = [pit for pit in position.legal if position.repeats(pit)]
    gain = {pit: position.play(pit).kalahs[position.mover] for pit in position.legal}
    best = [pit for pit in gain if gain[pit] == max(gain.values())]
    return chance.choice(repeats or best)


def careful(position: Position, chance: random.Random) -> int:
    """Return the move that a short search finds, or, one time in ten, any move."""
    if chance.random() < 0.1:
        return chance.choice(position.legal)
    return CAREFUL.find(position, Limit(effort=2_000), lot=f"{chance.random()}").pit


CAREFUL = Search()
PLAYERS = {
    "six of ten": takes(0.6),
    "nine of ten": takes(0.9),
    "greedy": greedy,
    "careful": careful,
}


def wins(player: Player, stones: int, level: Level, scale: float, games: int) -> int:
    """Return how many of these games the player wins, as player 0."""
    chance, won = random.Random(1972), 0
    limit = scaled(level.limit, scale)
    opponent = Opponent(Paper([]), lambda: 0.0)
    for number in range(games):
        game = Game(start(stones), (), level.name, 0, f"GAME {number}")
        while not game.over:
            if game.position.mover == 0:
                game = game.play(player(game.position, chance))
            elif level.by_lot:
                game = game.play(next(opponent.turn(game)))
            else:
                found = Search().find(game.position, limit, time.process_time)
                game = game.play(found.pit)
        won += game.winner == 0
    return won


def opening(chance: random.Random) -> Position:
    """Return an unfinished game after one random turn of each player."""
    while True:
        position = start(chance.choice([3, 4, 5, 6]), rules=KALAH_RULES)
        for player in (0, 1):
            while not position.over and position.mover == player:
                position = position.play(chance.choice(position.legal))
        if not position.over:
            return position


def play(position: Position, levels: tuple[Level, Level], scale: float) -> float:
    """Return 1, 1/2 or 0 points for player 0; every move has a new search."""
    limits = [scaled(level.limit, scale) for level in levels]
    while not position.over:
        found = Search().find(position, limits[position.mover], time.process_time)
        position = position.play(found.pit)
    first, second = position.score
    return (1 + (first > second) - (first < second)) / 2


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="of each pair")
    parser.add_argument("--scale", type=float, default=0.02, help="of the budget")
    names = ",".join(LEVEL)
    parser.add_argument("--levels", default=names, type=chosen)
    options = parser.parse_args()
    levels = options.levels
    games, scale = options.games, options.scale
    print(f"{games} games each; A and above with {scale:g} times their seconds")
    print()
    print("Wins in a hundred of players who begin every game")
    print("level     stones" + "".join(f"{name:>13}" for name in PLAYERS))
    for level in levels:
        for stones in (3, 4, 6):
            shares = (
                100 * wins(player, stones, level, scale, games) / games
                for player in PLAYERS.values()
            )
            cells = "".join(f"{share:13.0f}" for share in shares)
            print(f"{level.name:10}{stones:6}{cells}", flush=True)
    print()
    print("pair                      points   in a hundred    seconds")
    thinking = [level for level in levels if not level.blunders]
    for lower, upper in zip(thinking, thinking[1:]):
        chance = random.Random(1)
        points: list[float] = []
        began = time.process_time()
        while len(points) < games:
            position = opening(chance)
            points.append(play(position, (upper, lower), scale))
            points.append(1 - play(position, (lower, upper), scale))
        share = 100 * statistics.mean(points)
        error = 100 * statistics.pstdev(points) / math.sqrt(len(points))
        pair = f"{upper.name} - {lower.name}"
        print(
            f"{pair:22}{sum(points):10.1f}{share:9.1f} +-{error:4.1f}"
            f"{time.process_time() - began:11.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
