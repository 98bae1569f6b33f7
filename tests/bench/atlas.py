"""What ATLAS must keep to know that M3-M2 loses.

    python3 -m tests.bench.atlas

Compares the memory without compression, with characteristics, and with
parameters too, with the paper's counts (BELL-V.2.COUNTS), in both readings: what
the text says, and what is inferred besides.  The parameters are those of Fig. 6,
and those of games with visitors that are played first (BELL-FIG6); the games of
the lesson extend the latter.  With parameters the machine only takes M3-M2 for lost.  The
games of all ten replies are counted by TEACH itself.
"""

from __future__ import annotations

import platform
import random
import time
from collections.abc import Callable, Mapping

from sail.board import Position
from sail.programs.atlas.game import Game
from sail.programs.atlas.machine import OPENING, Machine
from sail.programs.atlas.memory import Memory
from sail.programs.atlas.parameters import FIG_6, Parameters
from sail.programs.atlas.teacher import Teacher
from sail.programs.atlas.turns import MACHINE, PLAYER, played
from sail.stop import never

VISITORS = 400  # games


def play(machine: Machine, player: Callable[[Position, str], tuple[int, ...]]) -> None:
    """Play a game from P2 on, from which the machine learns."""
    game, position = Game(machine), OPENING
    while not position.over:
        if position.mover == MACHINE:
            pits = game.move(position).pits
        else:
            pits = player(position, game.part)
        position = played(position, pits)[0]
    game.end(position.score[MACHINE] - position.score[PLAYER])


class Printed(Parameters):
    """The table of Fig. 6, whatever is counted."""

    @property
    def limits(self) -> Mapping[int, int]:
        return FIG_6


def of_visitors() -> Parameters:
    """Return the parameters after games with visitors, who play anything."""
    machine, chance = Machine(Memory()), random.Random(1968)
    for _ in range(VISITORS):
        play(machine, lambda position, _: (chance.choice(position.legal),))
    return machine.memory.parameters


def main() -> None:
    print(platform.python_implementation(), platform.python_version())
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
            teacher, games = Teacher(machine, never), 0
            while "M3-M2" not in machine.lost():
                play(machine, teacher.turn)
                games += 1
            seconds = time.process_time() - begun
            part = memory.parts["M3-M2"]
            pseudo = sum(entry.pseudo for entry in part.entries)
            losers = len(part) - part.winners
            print(
                f"  {name:15} {len(part):>7} {part.winners:>7} {losers:>6} "
                f"{pseudo:>6} {games:>5} {seconds:>7.1f} {paper:>5}",
                flush=True,
            )


if __name__ == "__main__":
    main()
