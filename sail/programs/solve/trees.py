"""Game trees, measured by play (ISK-T1).

Two players look seven plies ahead by plain alpha-beta, and choose at random
among the moves with the best value.  ISK leaves open what a ply is and how a
game that ends within the seven is judged.  Here a ply is a submove, and the
player who has stones left keeps them.
"""

from __future__ import annotations

import random

from sail.engine.limit import Clock
from sail.engine.moves import After, MoveTable, bits_for
from sail.stop import Stop, Stopped

PLIES = 7
GAMES = 100
FAR = 1000  # beyond any value


def measure(
    pits: int, stones: int, seconds: float, clock: Clock, stop: Stop
) -> tuple[int, float, float]:
    """Play GAMES games, or as many as begin within `seconds`.

    Return their number, and the mean numbers of submoves in a game and of legal moves
    at a submove.  Every run plays the same games, as far as time allows.
    Raises Stopped.
    """
    player = Player(pits, stones, random.Random(f"{pits},{stones}"))
    begun = clock()
    games = length = moves = 0
    while games < GAMES and (not games or clock() - begun < seconds):
        choices = player.game(stop)
        games += 1
        length += len(choices)
        moves += sum(choices)
    return games, length / games, moves / length


class Player:
    """Plays both sides of Kalah(pits,stones) by ISK's capture rule."""

    def __init__(self, pits: int, stones: int, chance: random.Random) -> None:
        self.stones = 2 * pits * stones
        self.moves = MoveTable(pits, bits_for(self.stones), True)
        self.row = self.moves.pack((stones,) * pits)
        self.chance = chance

    def game(self, stop: Stop) -> list[int]:
        """Play a game; return the number of legal moves at each submove."""
        own = other = self.row
        in_play = self.stones
        choices = []
        while own and other:
            if stop():
                raise Stopped
            choices.append(len(self.moves[own]))
            _, rest, facing, gain, again = self.choice(own, other, in_play)
            in_play -= gain
            own, other = (rest, facing) if again else (facing, rest)
        return choices

    def choice(self, own: int, other: int, in_play: int) -> After:
        """Return the result of a move chosen at random from the best."""
        most = -FAR
        best: list[After] = []
        for after in self.moves.successors(own, other):
            # Alpha is one below the best so far, so that ties are recognized.
            value = self.value_after(after, in_play, PLIES - 1, most - 1, FAR)
            if value > most:
                most, best = value, []
            if value == most:
                best.append(after)
        return self.chance.choice(best)

    def value_after(
        self, after: After, in_play: int, plies: int, alpha: int, beta: int
    ) -> int:
        """Return the value of a move, with `plies` plies to follow."""
        _, rest, facing, gain, again = after
        in_play -= gain
        if not rest:
            return gain - in_play
        if not facing:
            return gain + in_play
        if again:
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
