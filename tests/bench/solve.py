"""Measure SOLVE, part by part.

    python3 -m tests.bench.solve PART ...

order: what enhanced transposition cut-offs save (ISK-ETC), and the history
heuristic (ISK-HISTORY).
times: 2, 3 and 4 stones a pit as in SOLVE.DOC; among them are the time of ISK-TIME
and four stones by the standard rule (JMC-1979.FOUR).
values_y, values_n: prove the games with 6 pits in VALUES.TXT again, by the paper's rule
and by the standard one: first each position, then each move.
large: prove tests/large.txt again.

The first takes minutes, the second half an hour, the others hours.  The seconds are CPU
seconds of this process.
"""

from __future__ import annotations

import gc
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from operator import eq

from sail.board import ISK_RULES, STANDARD_RULES, Position, Rules, start
from sail.engine import endgame
from sail.engine.exact import FAR, Bounds, Solver
from sail.files import values
from tests.bench.printed import GAMES
from tests.bench.strength import labelled

NAMES = {True: "paper", False: "standard"}


def peak_megabytes() -> int:
    """Return the most memory that the process has had, 0 where that is unknown."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def solve(position: Position) -> tuple[int, int, float, float]:
    """Return the value, the effort, the seconds, and those of the endgames."""
    gc.collect()
    begun = time.process_time()
    stones = position.in_play
    solver = Solver(position.pits, stones, position.rules.captures_empty)
    database = endgame.most_useful(position.pits, stones)
    if database:
        solver.database = endgame.build(solver.moves, database)
    built = time.process_time()
    value = solver.value(position)
    return value, solver.effort, time.process_time() - begun, built - begun


def cell(pits: int, stones: int, rules: Rules) -> None:
    """Solve a start; print its value, the value that ISK prints, and the cost."""
    value, effort, seconds, building = solve(start(stones, pits, rules))
    printed = GAMES.get((pits, stones))
    known = printed[0] if printed and rules == ISK_RULES else ""
    print(
        f"({pits},{stones}) {NAMES[rules.captures_empty]:8} value {value:>3} {known!s:>3}"
        f"  effort {effort:>10,}  {seconds:7.2f} s, {building:.2f} of it for endgames"
        f"  {peak_megabytes()} MB",
        flush=True,
    )


class WithoutETC(Solver):
    """A solver without enhanced transposition cut-offs.

    It looks at the bounds of a successor only when the search comes to it.
    cut: with the history heuristic, how many cut-offs each pit has made, which then
    decides between moves of equal rank; without it, None.
    """

    cut: Counter[int] | None = None

    def _test(self, own: int, other: int, in_play: int, beta: int, plies: int) -> int:
        if not plies:
            return 0
        self.effort += 1
        ranked = []
        for pit, rest, facing, gain, again in self.moves.successors(own, other):
            rank = -10 * gain + (-FAR if again else self._repeats[facing])
            late = pit if self.cut is None else -self.cut[pit]
            mover, waiting = (rest, facing) if again else (facing, rest)
            ranked.append((rank, late, pit, mover, waiting, gain, again))
        best = -FAR
        for _, _, pit, mover, waiting, gain, again in sorted(ranked):
            stones = in_play - gain
            low, high = self._bounds(mover, waiting, stones)
            if mover and waiting:
                low = max(low, self._sure[mover] - stones)
            low, high = (
                (gain + low, gain + high) if again else (gain - high, gain - low)
            )
            if low < beta <= high:
                near = beta - gain if again else gain - beta + 1
                value = self._test(mover, waiting, stones, near, plies - 1)
                low = high = gain + value if again else gain - value
            best = max(best, high if high < beta else low)
            if best >= beta:
                if self.cut is not None:
                    self.cut[pit] += 1
                break
        self._remember(own << self.moves.width | other, in_play, best, beta)
        return best


def order() -> None:
    """Print what two of ISK's ways to make the tree smaller save here."""
    for pits, stones, database in ((4, 4, 0), (6, 3, 0), (6, 3, 12), (5, 4, 16)):
        print(f"({pits},{stones}) paper, endgames to {database}:")
        base: tuple[float, int] | None = None
        for name, kind in (
            ("plain", WithoutETC),
            ("history", WithoutETC),
            ("as it is", Solver),
        ):
            solver = kind(pits, 2 * pits * stones, True)
            if isinstance(solver, WithoutETC) and name == "history":
                solver.cut = Counter()
            if database:
                solver.database = endgame.build(solver.moves, database)
            begun = time.process_time()
            value = solver.value(start(stones, pits, ISK_RULES))
            found = time.process_time() - begun, solver.effort
            base = base or found
            print(
                f"  {name:9} value {value}, effort {solver.effort:>11,},"
                f" {base[1] / found[1]:4.1f} times less; {found[0]:6.1f} s,"
                f" {base[0] / found[0]:4.1f} times",
                flush=True,
            )


def times() -> None:
    """Print the games with 6 pits whose times are in SOLVE.DOC."""
    for stones in (2, 3, 4):
        for rules in (ISK_RULES, STANDARD_RULES):
            cell(6, stones, rules)


def prove_file(rules: Rules) -> None:
    """Prove the positions of VALUES.TXT again, the last first, then their moves.

    The proofs of the last positions help with those before them.
    """
    solver = Solver(6, 48, rules.captures_empty)
    solver.database = endgame.build(solver.moves, endgame.most_useful(6, 48))
    on_file = reversed(values.on_file())
    entries = [entry for entry in on_file if solver.fits(entry.position)]
    for turns, position, known, _ in entries:
        value = max(known.values())
        report(solver, turns, [value], [solver.prove(position, guess=value)])
    for turns, position, known, _ in entries:
        prove_moves(solver, turns, position, known)


def prove_moves(
    solver: Solver, name: str, position: Position, known: dict[int, int]
) -> None:
    proofs = [solver.prove_move(position, pit, known[pit]) for pit in known]
    report(solver, name, list(known.values()), proofs)


def report(
    solver: Solver, name: str, known: list[int], proofs: Iterable[Iterator[Bounds]]
) -> None:
    """Finish the proofs, and print how many of them prove what is known."""
    begun, effort = time.process_time(), solver.effort
    found = [list(proof)[-1].low for proof in proofs]
    print(
        f"{name:12} {sum(map(eq, found, known))} of {len(known)} proved again,"
        f" effort {solver.effort - effort:>11,}, {time.process_time() - begun:6.1f} s",
        flush=True,
    )


def values_y() -> None:
    prove_file(ISK_RULES)


def values_n() -> None:
    prove_file(STANDARD_RULES)


def large() -> None:
    """Prove the moves of tests/large.txt again.

    Each position gets a solver of its own: one for all would keep all proofs.
    """
    database: endgame.Database | None = None
    for number, (position, known) in enumerate(labelled("large.txt"), 1):
        solver = Solver(6, 48, False)
        database = database or endgame.build(solver.moves, endgame.most_useful(6, 48))
        solver.database = database
        prove_moves(solver, f"number {number}", position, known)


def main() -> None:
    print(platform.python_implementation(), platform.python_version())
    parts = {part.__name__: part for part in (order, times, values_y, values_n, large)}
    for name in sys.argv[1:]:
        parts[name]()


if __name__ == "__main__":
    main()
