"""Prove the studies in STUDY.POS, and tell which level finds each.

    python3 -m tests.bench.studies prove
    python3 -m tests.bench.studies find

A study is a position in which exactly one turn keeps the value.

prove: prove every turn of every study, and that the lines there are best play.  find:
print the first level that finds each, on a clock of CPU time; at the end comes what the
manual must say of the last grade.

The proofs are those of tests/bench/prove.c.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sail.board import STANDARD_RULES, Position
from sail.engine.levels import LEVEL
from sail.engine.limit import Limit
from sail.engine.search import Search
from sail.files.positions import Pits, Special, read_all
from tests.bench.prove import Prover, prover
from tests.bench.strength import TESTS
from tests.positions import every_turn

FILE = TESTS.parent / "saves" / "STUDY.POS"
ROOM = 17, 22  # stones in the endgame database, and bits of the table
FINDERS = ("LEVEL C", "LEVEL B", "LEVEL A", "MASTER", "TOURNAMENT", "NO LEVEL")
LAST = slice(36, 48)  # the studies of grade 4
NAMED = [LEVEL[name.rpartition(" ")[2]] for name in FINDERS[:-1]]


class Played(NamedTuple):
    """The position after a whole turn, and the stones that its player gains."""

    turn: Pits
    after: Position
    gain: int


def whole_turns(position: Position) -> dict[Pits, Played]:
    """Return all whole turns of the mover, in order."""
    mover, before = position.mover, position.kalahs[position.mover]
    return {
        turn: Played(turn, after, after.kalahs[mover] - before)
        for turn, after in sorted(every_turn(position))
    }


class Capture(NamedTuple):
    """The other player's pit that a turn captures, and its stones; 0, 0 if none."""

    pit: int
    stones: int


def capture(position: Position, turn: Pits) -> Capture:
    for pit in turn[:-1]:
        position = position.play(pit)
    pit, mover, cycle = turn[-1], position.mover, 2 * position.pits + 1
    sown = position.rows[mover][pit - 1]
    gain = position.play(pit).kalahs[mover] - position.kalahs[mover]
    gain -= (sown - pit + cycle) // cycle  # which was sown
    opposite = position.pits + 1 - (pit - sown) % cycle
    return Capture(opposite, gain - 1) if gain else Capture(0, 0)


class Values:
    """The values of positions under perfect play, each proved once."""

    def __init__(self, program: Prover) -> None:
        self.program = program
        self.known: dict[Position, int] = {}

    def value(self, position: Position, player: int) -> int:
        """Return the stones by which the player wins."""
        if not all(map(any, position.rows)):
            return position.score[player] - position.score[1 - player]
        if position not in self.known:
            found = self.program.prove("", position, complete=False).values
            (self.known[position],) = found.values()
        value = self.known[position]
        return value if player == position.mover else -value

    def of_turns(self, position: Position) -> dict[Pits, int]:
        mover = position.mover
        turns = whole_turns(position).values()
        return {one.turn: self.value(one.after, mover) for one in turns}


def line_of(special: Special) -> tuple[Pits, ...]:
    """Return the line of a study on file, the right turn first."""
    *_, line = special.solution[-1].removesuffix(".").split()
    return tuple(tuple(map(int, turn)) for turn in line.split("-"))


def is_best(values: Values, position: Position, line: Iterable[Pits]) -> bool:
    """Return whether every turn of the line keeps the value."""
    for turn in line:
        of_turns = values.of_turns(position)
        if of_turns[turn] < max(of_turns.values()):
            return False
        position = whole_turns(position)[turn].after
    return True


def prove() -> None:
    """Prove every turn of every study on file, and all lines; print the seconds.

    Those of the first study include the endgame database.
    """
    with prover(6, STANDARD_RULES, ROOM) as program:
        values = Values(program)
        for special in read_all(FILE.read_text(), FILE.name):
            begun, position = time.monotonic(), special.position
            of_turns, turns = values.of_turns(position), whole_turns(position)
            value, line = max(of_turns.values()), line_of(special)
            on_file = {wrong.turn: wrong.margin for wrong in special.refuted}
            assert {**on_file, line[0]: value} == of_turns, special.comments
            assert list(of_turns.values()).count(value) == 1
            assert special.right == line[:1] and is_best(values, position, line)
            for wrong in special.refuted:
                assert is_best(values, turns[wrong.turn].after, wrong.play)
            seconds = time.monotonic() - begun
            print(f"{special.comments[0]:50} {seconds:5.1f} s", flush=True)


def turn_of(limit: Limit, position: Position) -> tuple[int, ...]:
    """Return the turn that a search plays."""
    search = Search()
    mover = position.mover
    pits: list[int] = []
    while position.mover == mover and not position.over:
        pits.append(search.find(position, limit, time.process_time).pit)
        position = position.play(pits[-1])
    return tuple(pits)


def finder_of(position: Position, turn: tuple[int, ...]) -> int:
    """Return the number of the first level that plays this turn; see FINDERS."""
    for number, level in enumerate(NAMED):
        if turn_of(level.limit, position) == turn:
            return number
    return len(NAMED)


def find() -> None:
    """Print the title of every study, and "yes" or the first level that finds it now.

    At the end comes what the manual must say of the last grade.
    """
    text = (TESTS.parent / "saves" / "STUDY.POS").read_text()
    finders = []
    for study in read_all(text, "STUDY.POS"):
        position = study.position._replace(rules=STANDARD_RULES)
        finders.append(FINDERS[finder_of(position, study.right[0])])
        same = titled_finder(study) == finders[-1]
        print(f"{study.comments[0]:62} {'yes' if same else finders[-1]}", flush=True)
    print(last_grade(finders))


def titled_finder(study: Special) -> str:
    """Return the first level that finds a study, as its title says."""
    return study.comments[0].split(".  ")[1].removesuffix(" FINDS IT.")


def last_grade(finders: Sequence[str]) -> str:
    """Return the sentence of the manual on who finds studies 37 to 48."""
    found: dict[str, list[str]] = {name: [] for name in FINDERS[2:]}
    for number, name in list(enumerate(finders, 1))[LAST]:
        found[name].append(str(number))
    of = {
        name: " and ".join(", ".join(numbers).rsplit(", ", 1))
        for name, numbers in found.items()
    }
    return (
        f"In grade 4, A finds study {of['LEVEL A']}, MASTER also {of['MASTER']}, and"
        f" TOURNAMENT also {of['TOURNAMENT']}, if the machine is idle; no level finds"
        " the others."
    )


if __name__ == "__main__":
    {"prove": prove, "find": find}[sys.argv[1]]()
