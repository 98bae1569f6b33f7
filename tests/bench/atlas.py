"""Count what ATLAS must keep to know that M3-M2 loses, and that all ten replies do.

    python3 -m tests.bench.atlas

The first table has the entries for M3-M2 beside the paper's counts (BELL-V.2.COUNTS):
without compression, with characteristics, and with the parameters of Fig. 6 too, by
which the machine only takes M3-M2 for lost.  Above it stand the parameters after games
with random visitors (BELL-FIG6).

The second table is TEACH to its end, from a blank tape, with the switches as they are
at first (BELL-ALL): for each reply its games, its entries when it was known to lose, and
the most entries before that.  It takes some minutes.  ATLAS.DOC repeats its games.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from sail.board import Pits, Position
from sail.programs.atlas.learner import AFTER_P2, Learner, losing_replies
from sail.programs.atlas.memory import FIG_6, REPLIES, Memory
from sail.programs.atlas.teacher import Teacher
from sail.programs.atlas.turns import MACHINE, PLAYER
from sail.stop import never
from tests.positions import played

VISITORS = 400  # games


class Played(NamedTuple):
    """A game: movers and pits, by how much the machine won, the table that learned."""

    turns: list[tuple[int, Pits]]
    difference: int
    table: str


def play(
    memory: Memory, player: Callable[[Position], Pits], position: Position = AFTER_P2
) -> Played:
    """Play a game from which the machine learns."""
    learner = Learner(memory)
    turns: list[tuple[int, Pits]] = []
    while not position.over:
        mover = position.mover
        machine = mover == MACHINE
        pits = learner.choose(position).turn.pits if machine else player(position)
        position, pits = played(position, pits)
        turns.append((mover, pits))
    difference = position.score[MACHINE] - position.score[PLAYER]
    learner.end(position)
    return Played(turns, difference, learner.table.name)


def memory_with(limits: Mapping[int, int]) -> Memory:
    """Return a memory with these parameters, whatever games are counted."""
    memory = Memory()
    for mk, pk in limits.items():
        if pk >= 0:
            memory.parameters.counts[mk, pk] = 9000, 0
        memory.parameters.counts[mk, pk + 1] = 0, 9000
    return memory


def main() -> None:
    memory, chance = Memory(), random.Random(1968)
    for _ in range(VISITORS):
        play(memory, lambda position: (chance.choice(position.legal),))
    limits = memory.parameters.pairs
    print(f"Parameters after {VISITORS} games with visitors, and those of Fig. 6:")
    print("  MK    " + "".join(f"{mk:>4}" for mk in FIG_6))
    print("  ours  " + "".join(f"{limits.get(mk, '-'):>4}" for mk in FIG_6))
    print("  paper " + "".join(f"{pk:>4}" for pk in FIG_6.values()))
    print("                  entries winners games paper")
    for name, characteristics, parameters, paper in (
        *(("plain", False, False, 400), ("characteristics", True, False, 300)),
        ("and Fig. 6", True, True, 150),
    ):
        memory = memory_with(FIG_6)
        memory.parameters.on = parameters
        memory.compresses = characteristics
        teacher, games = Teacher(never), 0
        while "M3-M2" not in losing_replies(memory):
            play(memory, teacher.winning_turn)
            games += 1
        table = memory.tables["M3-M2"]
        line = f"  {name:15} {len(table):>7} {table.winners:>7} {games:>5} {paper:>5}"
        print(line, flush=True)
    teach()


def teach() -> None:
    """Print the games and the entries that each of the ten replies takes."""
    memory = Memory()
    teacher = Teacher(never)
    print("All ten replies:")
    print("  reply games entries most seconds")
    begun = time.process_time()
    lost: dict[str, int] = {}
    games = most = 0
    while len(lost) < len(REPLIES):
        table = memory.tables[play(memory, teacher.winning_turn).table]
        games += 1
        most = max(most, len(table))
        known = losing_replies(memory)
        for reply in known:
            if reply not in lost:
                seconds = time.process_time() - begun
                line = (
                    f"  {reply:5} {games:>5} {len(table):>7} {most:>4} {seconds:>7.1f}"
                )
                print(line, flush=True)
                begun, games, most = time.process_time(), 0, 0
        lost = known


if __name__ == "__main__":
    main()
