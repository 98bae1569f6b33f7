"""Measures ATLAS: what it must keep to know that M3-M2 loses, and TEACH.

    python3 -m tests.bench.atlas [entries] [replies]

entries compares the memory without compression, with characteristics, and
with parameters too, with the paper's counts (BELL-V.2), in both readings:
what the text says, and what is inferred besides.  Parameters are those of
Fig. 6, and those of games with visitors that are played first; games go on
extending these, but not those.  With parameters the machine takes M3-M2 for
lost, and does not know it.  replies teaches all ten replies and takes
minutes.  Without a word both.
"""

from __future__ import annotations

import platform
import random
import sys
import time
from collections.abc import Callable, Mapping

from sail.board import Position
from sail.programs.atlas.machine import OPENING, Machine
from sail.programs.atlas.memory import REPLIES, Memory
from sail.programs.atlas.parameters import FIG_6, Parameters
from sail.programs.atlas.teacher import Teacher, played
from sail.programs.atlas.turns import MACHINE, PLAYER
from sail.stop import never

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
    """The games until that reply is rejected."""
    teacher = Teacher(machine, never)
    games = 0
    while until not in machine.taken_for_lost():
        play(machine, teacher.turn)
        games += 1
    return games


def visit(machine: Machine) -> None:
    """Games with visitors, who play anything."""
    chance = random.Random(1968)
    for _ in range(VISITORS):
        play(machine, lambda position: (chance.choice(position.legal),))


class Printed(Parameters):
    """The table of Fig. 6, whatever is counted."""

    @property
    def limits(self) -> Mapping[int, int]:
        return FIG_6


def of_visitors() -> Parameters:
    """The parameters after games with visitors."""
    visited = Machine(Memory())
    visit(visited)
    return visited.memory.parameters


def entries() -> None:
    limits = of_visitors().limits
    print(f"Parameters after {VISITORS} games with visitors, and those of Fig. 6:")
    print("  MK    " + "".join(f"{mk:>4}" for mk in FIG_6))
    print("  ours  " + "".join(f"{limits.get(mk, '-'):>4}" for mk in FIG_6))
    print("  paper " + "".join(f"{pk:>4}" for pk in FIG_6.values()))
    for inferences in (False, True):
        print("Inferences on:" if inferences else "As the text says:")
        print("                  entries winners losers pseudo games seconds paper")
        for name, characteristics, parameters, paper in (
            ("plain", False, Parameters(), "400"),
            ("characteristics", True, Parameters(), "300"),
            ("and Fig. 6", True, Printed(), "150"),
            ("and visitors'", True, of_visitors(), ""),
        ):
            memory = Memory()
            memory.parameters = parameters
            machine = Machine(memory)
            machine.characteristics = characteristics
            machine.parameters = bool(parameters.limits)
            machine.inferences = inferences
            begun = time.process_time()
            games = teach(machine, "M3-M2")
            seconds = time.process_time() - begun
            part = memory.parts["M3-M2"]
            pseudo = sum(entry.pseudo for entry in part.entries)
            losers = len(part) - part.winners
            print(
                f"  {name:15} {len(part):>7} {part.winners:>7} {losers:>6} "
                f"{pseudo:>6} {games:>5} {seconds:>7.1f} {paper:>5}",
                flush=True,
            )


def replies() -> None:
    machine = Machine(Memory())
    print("TEACH, reply by reply in the order that the machine tries them:")
    print("  reply  games  entries  full  seconds")
    begun = time.process_time()
    teacher = Teacher(machine, never)
    known: list[str] = []
    games = full = 0
    while len(known) < len(REPLIES):
        play(machine, teacher.turn)
        games += 1
        full += bool(machine.full)
        for reply in machine.known_lost():
            if reply not in known:
                known.append(reply)
                seconds = time.process_time() - begun
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
