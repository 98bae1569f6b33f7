"""Compare two versions of the engine in pairs: better, worse, or cannot tell.

    python3 -m tests.bench.compare [VERSION] [--minutes 4]

VERSION is a git revision (HEAD if none is given) or the folder of a checkout.  The
working tree is compared with it, each in a process of its own, and only one works
at a time.  Both get equal CPU time: their efforts are in proportion to the positions
that each has searched a second so far.

Both estimate the positions of tests/labelled.txt, whose values are known, and those
after each of their moves.  Both choose a move in each position.  Then they play each
other from random openings, each opening twice, until both have used the minutes of
CPU time.  So there are three differences, each with an interval that covers the true
mean 99 times in 100.  The version is worse if one of them is surely a loss and none
is surely a gain, and better the other way round.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from sail.board import Position
from tests.bench.ladder import opening
from tests.bench.strength import TESTS, labelled, successors

EFFORTS = (200, 1_000, 5_000)  # of the older version, in each labelled position
GAME_EFFORT = 1_000  # of the older version, for a move of a game
SURE = 2.6  # standard errors
WORKER = """
import json, sys, time
from sail.board import Position, Rules
from sail.engine.limit import Limit
from sail.engine.search import Search
rules = Rules(captures_empty=False, majority_ends=False)
for line in sys.stdin:
    own, other, effort = json.loads(line)
    if effort is None:
        search = Search()
        continue
    begun = time.process_time()
    position = Position((tuple(own), tuple(other)), rules=rules)
    found = search.find(position, Limit(effort=effort))
    spent = time.process_time() - begun
    print(json.dumps([found.pit, found.value, found.effort, spent]), flush=True)
"""


class Version:
    """A version of the engine, at work in a process of its own.

    effort, seconds: all that it has searched, and the CPU seconds that this took.
    """

    def __init__(self, folder: str | Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.effort, self.seconds = 1, 0.0

    def forget(self) -> None:
        """Begin with empty tables."""
        self._send((), (), None)

    def find(self, position: Position, effort: int) -> tuple[int, int]:
        """Return the pit and the value, kalahs left out, that a search finds.

        With an effort of 0, the value is the estimate.
        """
        mover = position.mover
        self._send(position.rows[mover], position.rows[1 - mover], effort)
        assert self._process.stdout
        answer = json.loads(self._process.stdout.readline())
        pit, value, searched, seconds = answer
        if effort:
            self.effort += searched
            self.seconds += seconds
        return pit, value

    def end(self) -> None:
        """End the process."""
        self._process.communicate()

    def _send(
        self, own: Sequence[int], other: Sequence[int], effort: int | None
    ) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps((own, other, effort)) + "\n")
        self._process.stdin.flush()


class Pair:
    """The version in the working tree and the one it is compared with."""

    def __init__(self, new: Version, old: Version) -> None:
        self.versions = new, old

    def efforts(self, effort: int) -> tuple[int, int]:
        """Return what each may search for the CPU time of `effort` by the older."""
        new, old = self.versions
        if not new.seconds or not old.seconds:
            return effort, effort
        ratio = (new.effort / new.seconds) / (old.effort / old.seconds)
        return round(effort * ratio), effort

    def errors(self) -> list[list[float]]:
        """Return the mean square error of each version's estimates, by position.

        Each mean is that of a labelled position and the positions after its moves.
        """
        found: list[list[float]] = [[], []]
        for version in self.versions:
            version.forget()
        for case in labelled():
            known = list(successors(case))
            for squares, version in zip(found, self.versions):
                wrong = [version.find(at, 0)[1] - value for at, value in known]
                squares.append(statistics.mean(error**2 for error in wrong))
        return found

    def losses(self) -> list[list[float]]:
        """Return the stones that each loses in each position with each effort."""
        found: list[list[float]] = [[], []]
        for position, values in labelled():
            for effort in EFFORTS:
                efforts = self.efforts(effort)
                for losses, version, most in zip(found, self.versions, efforts):
                    version.forget()
                    pit, _ = version.find(position, most)
                    losses.append(max(values.values()) - values[pit])
        return found

    def points(self, begin: Position) -> float:
        """Return the points of the new version in two games, from 0 to 1."""
        points = 0
        for new in (0, 1):
            position = begin
            efforts = self.efforts(GAME_EFFORT)
            for version in self.versions:
                version.forget()
            while not position.over:
                at = int(position.mover != new)
                pit = position.legal[0]
                if len(position.legal) > 1:
                    pit, _ = self.versions[at].find(position, efforts[at])
                position = position.play(pit)
            ahead = position.score[new] - position.score[1 - new]
            points += 1 + (ahead > 0) - (ahead < 0)
        return points / 4


def interval(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and half the width of its interval."""
    error = statistics.stdev(numbers) / math.sqrt(len(numbers))
    return statistics.mean(numbers), SURE * error


def checkout(version: str, folder: str) -> Path:
    """Return the folder of a version; a git revision is unpacked into `folder`."""
    if Path(version).is_dir():
        return Path(version)
    packed = subprocess.run(
        ["git", "archive", version, "sail"],
        cwd=TESTS.parent,
        check=True,
        stdout=subprocess.PIPE,
    )
    subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
    return Path(folder)


def main() -> None:
    """Print the three differences and the verdict."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", nargs="?", default="HEAD")
    parser.add_argument("--minutes", type=float, default=4.0)
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        new = Version(TESTS.parent)
        stack.callback(new.end)
        old = Version(checkout(options.version, folder))
        stack.callback(old.end)
        pair = Pair(new, old)
        print(f"The working tree against {options.version}, at equal CPU time")
        errors = pair.errors()
        worse, error_off = interval([a - b for a, b in zip(*errors)])
        roots = [math.sqrt(statistics.mean(squares)) for squares in errors]
        print("estimates err by {:.3f} stones, and {:.3f};".format(*roots), end=" ")
        print(f"squares {worse:+.3f}, +- {error_off:.3f}", flush=True)
        losses = pair.losses()
        for name, of in zip(("new", "old"), losses):
            kept = 100 * of.count(0) / len(of)
            print(f"{name}: keeps the value in {kept:.1f} %, loses", end=" ")
            print(f"{statistics.mean(of):.3f} stones a move")
        lost, lost_off = interval([a - b for a, b in zip(*losses)])
        print(f"loses {lost:+.3f} stones more, +- {lost_off:.3f}", flush=True)
        chance = random.Random(1)
        points: list[float] = []
        while new.seconds + old.seconds < 60 * options.minutes or len(points) < 2:
            points.append(pair.points(opening(chance)))
        share, share_off = interval(points)
        print(f"wins {100 * share:.1f} % of {2 * len(points)} games", end="")
        print(f", +- {100 * share_off:.1f}")
        rates = [version.effort / version.seconds for version in (new, old)]
        print("searches {:,.0f} positions a second, and {:,.0f}".format(*rates))
    verdicts = {
        (gain > off) - (gain < -off)
        for gain, off in (
            (-worse, error_off),
            (-lost, lost_off),
            (share - 0.5, share_off),
        )
    } - {0}
    found = verdicts.pop() if len(verdicts) == 1 else 0
    print("verdict:", {1: "better", -1: "worse", 0: "cannot tell"}[found])


if __name__ == "__main__":
    main()
