"""Play the ladder: simulated players, who begin every game, against its rungs.

There are four players.  The first takes six of ten repeat moves that he is offered,
and otherwise plays at random; the second takes nine of ten; the third is greedy: he
takes a repeat move if there is one, else the biggest gain.  The fourth is careful: he
misses one best move in ten, and then plays at random; the best move is the one that a
search of 2,000 positions finds.  A draw is no win.

With --rungs, each level plays against the one before it, and both begin as often.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from dataclasses import replace

from sail.board import Position, opening
from sail.engine.levels import LEVELS, Level, Limit
from sail.engine.search import Search
from sail.game import Game
from sail.programs.kalah.opponent import Opponent
from sail.stop import Clock
from tests.bench.strength import chosen, clock_of
from tests.paper import Paper, asker_of
from tests.positions import repeats

Player = Callable[[Position, random.Random], int]


def takes(share: float) -> Player:
    """Return a player who takes this share of the repeat moves that he is offered."""

    def play(position: Position, chance: random.Random) -> int:
        again = [pit for pit in position.legal if repeats(position, pit)]
        if again and chance.random() < share:
            return chance.choice(again)
        return chance.choice(position.legal)

    return play


def greedy(position: Position, chance: random.Random) -> int:
    """Return a repeat move if there is one, else a move with the biggest gain."""
    again = [pit for pit in position.legal if repeats(position, pit)]
    gain = {pit: position.play(pit).kalahs[position.mover] for pit in position.legal}
    best = [pit for pit in gain if gain[pit] == max(gain.values())]
    return chance.choice(again or best)


def careful(position: Position, chance: random.Random) -> int:
    """Return the move that a short search finds, or, one time in ten, any move."""
    if chance.random() < 0.1:
        return chance.choice(position.legal)
    found = CAREFUL.find(position, Limit(effort=2_000), seed=f"{chance.random()}")
    return found.variation[0]


CAREFUL = Search()
PLAYERS = {"six of ten": takes(0.6), "nine of ten": takes(0.9)}
PLAYERS.update(greedy=greedy, careful=careful)


def played(player: Player, game: Game, chance: random.Random, clock: Clock) -> Game:
    """Return the game after the player, as player 0, has played it to its end."""
    opponent = Opponent(asker_of(Paper([]), clock=clock))
    while not game.over:
        if game.position.mover == 0:
            game = game.play(player(game.position, chance))
        else:
            game = game.play(next(opponent.pits_of_turn(game)))
    return game


def between(low: Level, high: Level, stones: int, number: int, clock: Clock) -> int:
    """Play a game of two levels; return 1 if the higher one wins, -1 if it loses."""
    asker = asker_of(Paper([]), clock=clock)
    opponents = {level.name: Opponent(asker) for level in (low, high)}
    user = number % 2  # the lower level
    game = Game(opening(stones), (), high.name, user, f"GAME {number}")
    while not game.over:
        name = low.name if game.position.mover == user else high.name
        game = game.play(next(opponents[name].pits_of_turn(replace(game, level=name))))
    return 0 if game.winner is None else -1 if game.winner == user else 1


def rungs(levels: list[Level], count: int, scale: float) -> None:
    """Print the games that each level wins, loses and draws against the one before."""
    print("levels          stones  wins  losses  draws")
    for low, high in zip(levels, levels[1:]):
        clock = clock_of(1 if high.ties_by_chance else scale)
        for stones in (3, 4, 6):
            ends = [between(low, high, stones, it, clock) for it in range(count)]
            won, lost, drawn = map(ends.count, (1, -1, 0))
            names = f"{high.name} to {low.name}"
            print(f"{names:16}{stones:6}{won:6}{lost:8}{drawn:7}", flush=True)


def main() -> None:
    """Print how many of their games the players win."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="of each cell")
    parser.add_argument("--scale", type=float, default=0.02, help="of the seconds")
    parser.add_argument("--levels", default=",".join(LEVELS), type=chosen)
    parser.add_argument("--rungs", action="store_true", help="level against level")
    options = parser.parse_args()
    count, scale = options.games, options.scale
    print(f"{count} games each; A and above with {scale:g} times their seconds")
    print()
    if options.rungs:
        rungs(options.levels, count, scale)
        return
    print("Wins in a hundred of players who begin every game")
    print("level     stones" + "".join(f"{name:>13}" for name in PLAYERS))
    for level in options.levels:
        clock = clock_of(1 if level.ties_by_chance else scale)
        for stones in (3, 4, 6):
            print(f"{level.name:10}{stones:6}", end="")
            for player in PLAYERS.values():
                chance, won = random.Random(1972), 0
                for number in range(count):
                    game = Game(opening(stones), (), level.name, 0, f"GAME {number}")
                    won += played(player, game, chance, clock).winner == 0
                print(f"{100 * won / count:13.0f}", end="", flush=True)
            print()


if __name__ == "__main__":
    main()
