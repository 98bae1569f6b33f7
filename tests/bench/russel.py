"""What option 3 and the short look-ahead of RUSSEL save, in effort.

    python3 -m tests.bench.russel
    python3 -m tests.bench.russel THREE

E counts all positions, P those of the long search.  The last column is the
share of the time that went into the short look-ahead, which Memo 22 puts at
90 percent for the most efficient setting of a long analysis.

With THREE: the proof, in some minutes, that three stones a pit are won with
pit 2; that takes ID 31 octal, and 30 is not enough.
"""

from __future__ import annotations

import sys
from time import perf_counter

from sail.board import STANDARD, Position, start
from sail.programs.russel.routines import READ_IN, Routines, Watch

PROOF = {"IA": 0o145, "IB": 0o146}
ENDING = Position(((1, 0, 1, 2, 2, 3), (1, 0, 0, 2, 3, 2)), (14, 15), 0, STANDARD)
ANALYSES = (
    ("TWO STONES, ID 15, A PROOF", start(2), {**PROOF, "ID": 0o15}),
    ("TWO STONES, ID 14, NO PROOF YET", start(2), {**PROOF, "ID": 0o14}),
    ("THREE STONES, ID 7, WIDE LIMITS", start(3), {"ID": 7}),
    ("AN ENDING OF 17 STONES, ID 13, WIDE LIMITS", ENDING, {"ID": 0o13}),
)
ORDERS = (
    ("654321", {"OP": 0o1, "TD": 0o777}),
    ("ORD", {"OP": 0o1, "TD": 0o777, "SOR": 1}),
    ("DEPTH 2", {"OP": 0o1, "TD": 0o20777}),
    ("DEPTH 3", {"OP": 0o0}),
    ("DEPTH 4", {"OP": 0o1, "TD": 0o40777}),
    ("DEPTH 5, 3, 2", {"OP": 0o1}),
)
ROW = "{:<15}{:>3}{:>11}{:>10}{:>8}{:>8}{:>11}"
OPTION_3 = 0o4


class Timed(Routines):
    """RUSSEL with a watch at its short look-ahead."""

    short_seconds = 0.0

    def og(self, dp: int) -> int:
        begun = perf_counter()
        word = super().og(dp)
        self.short_seconds += perf_counter() - begun
        return word


class MoveTable(Watch):
    """Types the rows of an analysis as they come."""

    def reply(self, variation: str, effort: int, long_effort: int, value: int) -> None:
        print(f"{variation[:50]:<51}E{effort} V{value}", flush=True)


def compare() -> None:
    """Print the table."""
    for title, position, words in ANALYSES:
        print(title)
        print(ROW.format("ORDER", "3", "E", "P", "V", "SECONDS", "IN SHORT"))
        for order, settings in ORDERS:
            for option_3 in (0, OPTION_3):
                program = Timed({**READ_IN, **words, **settings}, Watch(), position)
                program.words["OP"] |= option_3
                begun = perf_counter()
                value = program.analyse()[0]
                seconds = perf_counter() - begun
                print(
                    ROW.format(
                        order,
                        "ON" if option_3 else "",
                        program.ef,
                        program.p_ef,
                        value,
                        f"{seconds:.2f}",
                        f"{program.short_seconds / seconds:.0%}",
                    ),
                    flush=True,
                )
        print()


def three() -> None:
    """Print both analyses of three stones a pit after pit 2, b to move."""
    for depth in (0o30, 0o31):
        words = {**READ_IN, **PROOF, "OP": 0o5, "TD": 0o777, "SOR": 1, "ID": depth - 1}
        program = Routines(words, MoveTable(), start(3).play(2))
        begun = perf_counter()
        value = program.analyse()[0]
        print(
            f"ID {depth:o} FROM THE START: V{value} E{program.ef}"
            f" {perf_counter() - begun:.0f} SECONDS",
            flush=True,
        )


if __name__ == "__main__":
    three() if sys.argv[1:] == ["THREE"] else compare()
