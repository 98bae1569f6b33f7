"""Prove the studies in STUDY.POS, and tell which level finds each.

    python3 -m tests.bench.studies prove
    python3 -m tests.bench.studies find

A study is a position in which exactly one turn keeps the value.

prove: prove every turn of every study, and that the lines there are best play; that
takes four minutes.  At the end comes the checksum of what was proved, for the test.
find: print the first level that finds each, on a clock of CPU time; at the end comes what the
manual must say of the last grade.

The proofs are those of tests/bench/prove.c.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from zlib import crc32

from sail.board import STANDARD_RULES, Pits, Position
from sail.engine.levels import LEVELS
from sail.engine.search import Search
from sail.engine.value import Finding
from sail.files.positions import Entry, parse
from sail.game import Course, Turn
from tests.bench.prove import Prover, prover
from tests.positions import every_turn
from tests.stand_ins import SHELF

TEXT = (SHELF / "STUDY.POS").read_text()
STUDIES = parse(TEXT, "STUDY.POS")
ROOM = 17, 22  # stones in the endgame database, and bits of the table
FINDERS = ("LEVEL C", "LEVEL B", "LEVEL A", "MASTER", "TOURNAMENT")
LAST = range(36, 48)  # the places of the studies of grade 4


def values_of(program: Prover, position: Position) -> dict[Pits, int]:
    """Return the stones by which the mover wins after each of his turns."""
    mover = position.mover
    return {turn: program.value(after, mover) for turn, after in every_turn(position)}


def best_of(study: Entry) -> Finding:
    """Return the value and the best play of a study."""
    assert study.best
    return study.best


def is_best(program: Prover, position: Position, line: Iterable[Turn]) -> bool:
    """Return whether every turn of the line keeps the value."""
    for turn in line:
        values = values_of(program, position)
        if values[turn.pits] < max(values.values()):
            return False
        position = turn.after
    return True


def checksum() -> str:
    """Return a checksum of the positions, and of what is said of their turns."""
    lines = [line for line in TEXT.split("\n") if not line.startswith((";", "THEME"))]
    return f"{crc32(repr(lines).encode()):08x}"


def prove() -> None:
    """Prove every turn of every study on file, and all lines."""
    with prover(6, STANDARD_RULES, ROOM) as program:
        for study in STUDIES:
            best, position = best_of(study), study.position
            values = values_of(program, position)
            on_file = {turn: it.value.likely for turn, it in study.wrong.items()}
            (right,) = study.right
            assert {**on_file, right: best.value.likely} == values, study.comments
            assert max(on_file.values()) < best.value.likely
            for judged in (best, *study.wrong.values()):
                first, *later = Course(position).through(judged.variation).turns
                assert is_best(program, first.after, later), judged
            print(study.comments[0], flush=True)
    print(checksum())


def finder_of(study: Entry) -> str:
    """Return the first level that plays the right turn."""
    for name in FINDERS:
        limit, search = LEVELS[name.split()[-1]].limit, Search()
        position = study.position._replace(rules=STANDARD_RULES)
        for pit in study.right[0]:
            if search.find(position, limit, time.process_time).variation[0] != pit:
                break
            position = position.play(pit)
        else:
            return name
    return "NO LEVEL"


def find() -> None:
    """Print each study's title, and "yes" or the first level that finds it now."""
    finders = []
    for study in STUDIES:
        finders.append(finder_of(study))
        same = titled_finder(study) == finders[-1]
        print(f"{study.comments[0]:62} {'yes' if same else finders[-1]}", flush=True)
    print(last_grade(finders))


def titled_finder(study: Entry) -> str:
    """Return the first level that finds a study, as its title says."""
    return study.comments[0].split(".  ")[1].removesuffix(" FINDS IT.")


def last_grade(finders: Sequence[str]) -> str:
    """Return the sentence of the manual on who finds studies 37 to 48."""

    def found(by: str) -> str:
        numbers = [f"{at + 1}" for at in LAST if finders[at] == by]
        return " and ".join(", ".join(numbers).rsplit(", ", 1))

    return (
        f"In grade 4, A finds study {found('LEVEL A')}, MASTER also {found('MASTER')},"
        f" and TOURNAMENT also {found('TOURNAMENT')}, if the machine is idle; no level"
        " finds the others."
    )


if __name__ == "__main__":
    {"prove": prove, "find": find}[sys.argv[1]]()
