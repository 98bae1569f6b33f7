"""Measure SOLVE and the search of KALAH, part by part.

    python3 -m tests.bench.solve PART ...

speed: what TOURNAMENT finds from the starts, and the searched positions a second.  A
position counts as searched when its moves are generated.
order: what enhanced transposition cut-offs save (ISK-ETC), and the history
heuristic (ISK-HISTORY).
times: 2, 3 and 4 stones a pit as in SOLVE.DOC; among them are the time of ISK-TIME
and four stones by the standard rule (JMC-1979.FOUR).

`order` takes minutes, `times` half an hour.  The seconds are CPU seconds of this
process.
"""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections import Counter
from itertools import product

from sail.board import ISK_RULES, STANDARD_RULES, opening
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.levels import STRONGEST
from sail.engine.search import Search
from sail.engine.value import FAR
from tests.bench.printed import GAMES


def peak_megabytes() -> int:
    """Return the most memory that the process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def speed() -> None:
    """Print what searches of the starts find and take."""
    print("stones    value   proved  seconds  positions  a second    MB")
    for stones in (1, 2, 3, 4, 6):
        begun, clock = time.process_time(), time.process_time
        game = opening(stones, rules=STANDARD_RULES)
        search = Search()
        value, _ = search.find(game, STRONGEST.limit, clock)
        seconds = clock() - begun
        proved = "yes" if value.proved else "no"
        line = f"{stones:6}{value.likely:+9}{proved:>9}{seconds:9.2f}{search.effort:11}"
        print(f"{line}{search.effort / seconds:10.0f}{peak_megabytes():6}", flush=True)


class WithoutETC(Solver):
    """A solver without enhanced transposition cut-offs.

    It looks at the bounds of a successor only when the search comes to it.
    cut: with the history heuristic, how many cut-offs each pit has made, which then
    decides between moves of equal rank; without it, None.
    """

    cut: Counter[int] | None = None

    def _bound(self, own: int, other: int, in_play: int, beta: int, plies: int) -> int:
        if not plies:
            return 0
        self.effort += 1
        ranked = []
        for pit, rest, facing, gain, again in self.moves.successors(own, other):
            rank = -10 * gain + (-FAR if again else self._penalty[facing])
            late = pit if self.cut is None else -self.cut[pit]
            mover, waiting = (rest, facing) if again else (facing, rest)
            ranked.append((rank, late, pit, mover, waiting, gain, again))
        best = -FAR
        for _, _, pit, mover, waiting, gain, again in sorted(ranked):
            stones = in_play - gain
            low, high = self._probe(mover, waiting, stones)
            if mover and waiting:
                low = max(low, self._sure_gain[mover] - stones)
            low, high = (low, high) if again else (-high, -low)
            low, high = gain + low, gain + high
            if low < beta <= high:
                near = beta - gain if again else gain - beta + 1
                value = self._bound(mover, waiting, stones, near, plies - 1)
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
        for name in "plain", "history", "as it is":
            kind = Solver if name == "as it is" else WithoutETC
            solver = kind(pits, 2 * pits * stones, ISK_RULES)
            if isinstance(solver, WithoutETC) and name == "history":
                solver.cut = Counter()
            if database:
                solver.database = endgame.build(solver.moves, database)
            begun = time.process_time()
            value = solver.value(opening(stones, pits, ISK_RULES))
            found = time.process_time() - begun, solver.effort
            base = base or found
            print(
                f"  {name:9} value {value}, effort {solver.effort:>11,},"
                f" {base[1] / found[1]:4.1f} times less; {found[0]:6.1f} s,"
                f" {base[0] / found[0]:4.1f} times",
                flush=True,
            )


def times() -> None:
    """Print what the games with 6 pits in SOLVE.DOC cost, beside ISK's values."""
    for stones, rules in product((2, 3, 4), (ISK_RULES, STANDARD_RULES)):
        by_paper = rules == ISK_RULES
        gc.collect()
        begun = time.process_time()
        game = opening(stones, rules=rules)
        solver = Solver(6, game.in_play, rules)
        if database := endgame.most_useful(6, game.in_play):
            solver.database = endgame.build(solver.moves, database)
        built = time.process_time()
        value = solver.value(game)
        seconds = time.process_time() - begun
        print(
            f"(6,{stones}) {'paper' if by_paper else 'standard':8} value {value:>3}"
            f" {GAMES[6, stones][0] if by_paper else '':>3}  effort {solver.effort:>10,}"
            f"  {seconds:7.2f} s, {built - begun:.2f} of it for endgames"
            f"  {peak_megabytes()} MB",
            flush=True,
        )


if __name__ == "__main__":
    for part in sys.argv[1:]:
        {"speed": speed, "order": order, "times": times}[part]()
