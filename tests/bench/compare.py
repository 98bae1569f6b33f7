"""Compare two versions of the engine in pairs: better, worse, or cannot tell.

    python3 -m tests.bench.compare [REVISION] [--positions N]

The working tree is compared with a git revision (HEAD if none is given), each in a
process of its own, and only one works at a time.  Both get equal CPU time: their
efforts are in proportion to the positions that each has searched a second so far.

Both estimate the positions of tests/labelled.txt, whose values are known, and those
after each of their moves.  Then both choose a move in each position, with several
efforts.  So there are two differences, each with an interval that covers the true mean
99 times in 100.  The version is worse if one of them is surely a loss and none is
surely a gain, and better the other way round.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE, Popen

from sail.board import Position
from tests.bench.strength import TESTS, Labelled, labelled, successors

EFFORTS = (200, 1_000, 5_000)  # of the older version, in each labelled position
SURE = 2.6  # standard errors
WORKER = """
import json, sys, time
from sail.board import STANDARD_RULES, Position
from sail.engine.search import Limit, Search
for line in sys.stdin:
    boards, effort = json.loads(line)
    search, found, begun = Search(), [], time.process_time()
    for own, other in boards:
        position = Position((tuple(own), tuple(other)), rules=STANDARD_RULES)
        it = search.find(position, Limit(effort=effort))
        found.append((it[1][0], getattr(it.value, "likely", it.value)))
    seconds = time.process_time() - begun
    print(json.dumps([found, search.effort, seconds]), flush=True)
"""


class Version:
    """A version of the engine, at work in a process of its own.

    effort, seconds: all that it has searched, and the CPU seconds that this took.
    """

    def __init__(self, folder: str | Path) -> None:
        command = [sys.executable, "-c", WORKER]
        self.process = Popen(command, cwd=folder, stdin=PIPE, stdout=PIPE, text=True)
        self.effort, self.seconds = 0, 0.0

    def find(self, positions: Sequence[Position], effort: int) -> list[tuple[int, int]]:
        """Return the pit and the value, kalahs left out, that a search finds for each.

        With an effort of 0, the value is the evaluation.
        """
        boards = [(at.rows[at.mover], at.rows[1 - at.mover]) for at in positions]
        assert self.process.stdin and self.process.stdout
        print(json.dumps((boards, effort)), file=self.process.stdin, flush=True)
        found, searched, seconds = json.loads(self.process.stdout.readline())
        if effort:
            self.effort += searched
            self.seconds += seconds
        return [(pit, value) for pit, value in found]

    @property
    def speed(self) -> float:
        """The positions searched a second; 1 before the first."""
        return self.effort / self.seconds if self.seconds else 1.0


def squares(version: Version, cases: Sequence[Labelled]) -> list[float]:
    """Return the mean square error of the estimates, by labelled position.

    Each mean is that of the position and the positions after its moves.
    """
    found = []
    for case in cases:
        known = list(successors(case))
        estimates = version.find([position for position, _ in known], 0)
        errors = (seen - value for (_, seen), (_, value) in zip(estimates, known))
        found.append(statistics.mean(error**2 for error in errors))
    return found


def losses(
    new: Version, old: Version, cases: Sequence[Labelled]
) -> tuple[list[int], list[int]]:
    """Return the stones that each loses in each labelled position with each effort."""
    lost: tuple[list[int], list[int]] = [], []
    for position, values in cases:
        for effort in EFFORTS:
            efforts = round(effort * new.speed / old.speed), effort
            for each, version, most in zip(lost, (new, old), efforts):
                ((pit, _),) = version.find([position], most)
                each.append(max(values.values()) - values[pit])
    return lost


def interval(new: Sequence[float], old: Sequence[float]) -> tuple[float, float]:
    """Return the mean of the differences, and half the width of its interval."""
    numbers = [a - b for a, b in zip(new, old)]
    error = statistics.stdev(numbers) / math.sqrt(len(numbers))
    return statistics.mean(numbers), SURE * error


def main() -> None:
    """Print the differences and the verdict."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--positions", type=int, help="by default all 240")
    options = parser.parse_args()
    revision, cases = options.revision, labelled()[: options.positions]
    with tempfile.TemporaryDirectory() as folder:
        packed = ["git", "archive", revision, "sail"]
        archive = subprocess.check_output(packed, cwd=TESTS.parent)
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        new, old = Version(TESTS.parent), Version(folder)
        print(f"The working tree against {revision}, at equal CPU time")
        estimates = interval(squares(new, cases), squares(old, cases))
        moves = interval(*losses(new, old, cases))
        print(f"searches {new.speed:,.0f} positions a second, and {old.speed:,.0f}")
        for version in (new, old):
            version.process.communicate()
    verdicts = set()
    for what, (more, off) in (("square error", estimates), ("loss a move", moves)):
        print(f"{what:12} {more:+.3f}, +- {off:.3f}")
        verdicts.add((more < -off) - (more > off))
    verdicts -= {0}
    found = verdicts.pop() if len(verdicts) == 1 else 0
    print("verdict:", {1: "better", -1: "worse", 0: "cannot tell"}[found])


if __name__ == "__main__":
    main()
