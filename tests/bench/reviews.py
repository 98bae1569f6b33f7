"""Compare REVIEW and TRY with exact values, in games that learners lost to L and C.

    python3 -m tests.bench.reviews STONES [--games N] [--pace P]

The players of tests.bench.ladder play the games, with 3 or 4 stones a pit.  REVIEW
judges each, as KALAH does.  Then TRY judges some turns in the positions listed.
prove.c proves the value of every turn (see tests.bench.prove).  A turn that is called
right is wrong if it loses a stone.  The worst turn is the one that cost most.  ADVISE
is asked about the same positions; its doubt should cover the value.

pace: the seconds of the clock for each CPU second of this process; above 1, REVIEW and
TRY have less time than a user gives them.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Iterator
from math import ceil

from sail.board import STANDARD_RULES, Pits, Position, opening
from sail.files.positions import Entry
from sail.files.proved import judge_for
from sail.game import Game, format_turn
from sail.programs.kalah.opponent import Opponent
from sail.programs.kalah.practice import Practice
from sail.programs.kalah.review import Review
from sail.stop import Clock, never
from tests.bench.ladder import PLAYERS, played
from tests.bench.prove import Prover, prover
from tests.paper import Paper, asker_of
from tests.positions import every_turn
from tests.sentences import Checker
from tests.stand_ins import NOTHING_FILED, standing_still

ROOM = 16, 21  # of the endgame database and the table of prove.c
PLAYED = "LC"
ADVISERS = "CBA"  # MASTER and TOURNAMENT err less than A
ON_FILE = judge_for(opening(4), NOTHING_FILED, standing_still, never).solver
MOST_TRIED = 8  # turns a position


def lost(stones: int) -> Iterator[Game]:
    """Yield games that learners, as player 0, lost."""
    chance = random.Random(1972)
    while True:
        for level in PLAYED:
            for player in PLAYERS.values():
                game = Game(opening(stones), (), level, 0, f"GAME {chance.random()}")
                game = played(player, game, chance, time.process_time)
                if game.winner == 1:
                    yield game


def value(program: Prover, position: Position) -> int:
    """Return player 0's stones less player 1's at the end, proved."""
    position = position._replace(rules=STANDARD_RULES)
    known = ON_FILE.known_value(position)
    if known.proved:
        return -known.low if position.mover else known.low
    return program.value(position, 0)


def costs(program: Prover, game: Game) -> dict[int, int]:
    """Return how many stones each of player 0's turns cost, by its number from 1."""
    before = [game.start, *(turn.after for turn in game.turns)]
    values = [value(program, position) for position in before]
    turns = enumerate(zip(game.turns, values, values[1:]), 1)
    return {at: was - now for at, (turn, was, now) in turns if turn.player == 0}


def tried(
    program: Prover, entry: Entry, clock: Clock
) -> Iterator[tuple[Pits, bool, str, int]]:
    """Yield some turns, whether each is called right, the text, and what it costs.

    The cost is 0 if the turn is not called right.
    """
    practice = Practice(asker_of(Paper([]), clock=clock), entry, set())
    turns = list(every_turn(entry.position))
    chance = random.Random(len(turns))
    for turn, after in chance.sample(turns, min(MOST_TRIED, len(turns))):
        right, text = practice.verdict(turn)
        position = entry.position
        loses = 0
        if right:
            loses = value(program, position) - value(program, after)
        yield turn, bool(right), text, loses


def advised(program: Prover, position: Position, clock: Clock) -> Iterator[bool]:
    """Yield, for each advising level, whether its doubt covers player 0's value."""
    for level in ADVISERS:
        opponent = Opponent(asker_of(Paper([]), clock=clock))
        game = Game(position, (), level, 0)
        found = (opponent.quick_proof(game) or opponent.advice(game)).value
        off = abs(found.likely - value(program, position))
        yield off <= (0 if found.proved else 2 * ceil(found.error / 2))


def tells(text: str) -> bool:
    """Return whether the text on a mistake tells it apart from the right turn."""
    reasons = "A BETTER TURN ", "INSTEAD YOU COULD BE", ": IT CAPTURES"
    return any(reason in text for reason in reasons)


def main() -> None:
    """Print a line a game, and what was called right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stones", type=int, choices=[3, 4])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--pace", type=float, default=1)
    options = parser.parse_args()
    print("lost by  turns  listed: turns        worst (cost)")
    hits = reasons = mistakes = sentences = right = 0
    covered: list[bool] = []

    def clock() -> float:
        return float(options.pace) * time.process_time()

    with prover(6, STANDARD_RULES, ROOM) as program:
        for game, _ in zip(lost(options.stones), range(options.games)):
            paper = Paper([])
            review = Review(asker_of(paper, clock=clock), game)
            review.type()
            texts = re.findall(r"(?s)PLAYING .*?(?=EXERCISE|TYPE TRY)", paper.text)
            cost = costs(program, game)
            most = max(cost.values())
            worst = [number for number in cost if cost[number] == most]
            numbers = [int(it) for it in re.findall("BEFORE TURN (.*)\n", paper.text)]
            hit = not most or not {*numbers}.isdisjoint(worst)
            hits += hit
            first, second = game.position.score
            print(
                f"{second - first:7}{len(cost):7}  {' '.join(map(str, numbers)):21}"
                f"{', '.join(map(str, worst))} ({most}){'' if hit else '  not listed'}",
                flush=True,
            )
            for entry, text in zip(review.entries, reversed(texts)):
                covered += advised(program, entry.position, clock)
                if not entry.right:
                    continue
                better = format_turn(entry.right[0])
                checker = Checker(entry.position, better)
                checker.check(text)
                mistakes += 1
                reasons += tells(" ".join(text.split()))
                for turn, is_right, verdict, loses in tried(program, entry, clock):
                    checker.better = format_turn(turn) if is_right else better
                    checker.check(verdict)
                    right += is_right
                    if loses:
                        print("   wrong", entry.position, verdict, loses)
                sentences += checker.checked
    print(f"{sentences} sentences say why; all of them are true")
    print(f"{reasons} of {mistakes} mistakes are told apart from a better turn")
    print(f"{right} turns were called right")
    print(f"{sum(covered)} of {len(covered)} advices are true within their doubt")
    print(f"the worst is listed in {hits} of {options.games}")


if __name__ == "__main__":
    main()
