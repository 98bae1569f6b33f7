"""Measures ATLAS: what it must keep to know that M3-M2 loses, and TEACH.

    python3 -m tests.bench.atlas [entries] [replies]

entries compares the memory without compression, with characteristics, and
with parameters too, with the paper's counts (BELL-V.2).  The parameters
come from games with visitors that are played first.  replies teaches all
ten replies and takes minutes.  Without a word both.
"""

from __future__ import annotations

import platform
import random
import sys
import time
from collections.abc import Callable

from sail.board import Position
from sail.programs.atlas.machine import MACHINE, OPENING, PLAYER, Machine
from sail.programs.atlas.memory import REPLIES, Memory
from sail.programs.atlas.parameters import FIG_6
from sail.programs.atlas.teacher import Teacher, played

VISITORS = 400  # games


def play(machine: Machine, player: Callable[[Position], tuple[int, ...]]) -> None:
    """A game from P2 on, from which the machine learns."""
    machine.begin()
    position = OPENING
    while not position.over:
        if position.mover == MACHINE:
            pits = machine.move(position).pits
        else:
            pits = player(position)
        position = played(position, pits)[0]
    machine.end(position.score[MACHINE] - position.score[PLAYER])


def teach(machine: Machine, until: str) -> int:
    """The games until that reply is known to lose."""
    teacher = Teacher(machine, lambda: False)
    games = 0
    while until not in machine.known_lost():
        play(machine, teacher.turn)
        games += 1
    return games


def visit(machine: Machine) -> None:
    """Games with visitors, who play anything."""
    chance = random.Random(1968)
    for _ in range(VISITORS):
        play(machine, lambda position: (chance.choice(position.legal),))


def entries() -> None:
    visited = Machine(Memory())
    visit(visited)
    limits = visited.memory.parameters.limits
    print(f"Parameters after {VISITORS} games with visitors, and those of Fig. 6:")
    print("  MK    " + "".join(f"{mk:>4}" for mk in FIG_6))
    print("  ours  " + "".join(f"{limits.get(mk, '-'):>4}" for mk in FIG_6))
    print("  paper " + "".join(f"{pk:>4}" for pk in FIG_6.values()))
    print("Entries that know that M3-M2 loses (paper: 400, 300, 150):")
    print("                     entries  winners  losers  games  seconds  paper")
    visitors = visited.memory.parameters.counts
    printed = {(mk, pk): (10_000, 0) for mk, pk in FIG_6.items()}
    none: dict[tuple[int, int], tuple[int, int]] = {}
    for name, characteristics, counts, paper in (
        ("plain", False, none, "400"),
        ("characteristics", True, none, "300"),
        ("parameters too", True, visitors, "150"),
        ("those of Fig. 6", True, printed, ""),
    ):
        memory = Memory()
        machine = Machine(memory)
        machine.characteristics, machine.parameters = characteristics, bool(counts)
        memory.parameters.counts.update(counts)
        begun = time.perf_counter()
        games = teach(machine, "M3-M2")
        seconds = time.perf_counter() - begun
        part = memory.parts["M3-M2"]
        print(
            f"  {name:18} {len(part):>7} {part.winners:>8} "
            f"{len(part) - part.winners:>7} {games:>6} {seconds:>8.1f} {paper:>6}",
            flush=True,
        )


def replies() -> None:
    machine = Machine(Memory())
    print("TEACH, reply by reply in the order that the machine tries them:")
    print("  reply  games  entries  full  seconds")
    begun = time.perf_counter()
    teacher = Teacher(machine, lambda: False)
    known: list[str] = []
    games = full = 0
    while len(known) < len(REPLIES):
        play(machine, teacher.turn)
        games += 1
        full += bool(machine.full)
        for reply in machine.known_lost():
            if reply not in known:
                known.append(reply)
                seconds = time.perf_counter() - begun
                count = len(machine.memory.parts[reply])
                line = f"  {reply:6} {games:>5} {count:>8} {full:>5} {seconds:>8.1f}"
                print(line, flush=True)
    print(f"All ten replies known to lose after {games} games.")


def main() -> None:
    print(platform.python_implementation(), platform.python_version())
    parts = {f.__name__: f for f in (entries, replies)}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
