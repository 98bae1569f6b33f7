"""Measure the effort that option 3 and the short look-ahead of RUSSEL save.

    python3 -m tests.bench.russel
    python3 -m tests.bench.russel THREE

E counts all positions, P those of the long look-ahead.  Option 3 is off, or
on with RUSSEL's strict rule or with a loose one.  The last column is the share
of the short look-ahead, which Memo 22 puts at 90 percent for the most
efficient setting of a long analysis.

THREE proves in some minutes that pit 2 wins with three stones a pit; that takes
an ID of 31, octal, and 30 is not enough.  Its effort is counted beyond a word of
the PDP-1 (M22-DI).
"""

from __future__ import annotations

import sys
from unittest.mock import patch

from sail.board import Position, opening
from sail.programs.russel.analysis import Analysis
from sail.programs.russel.words import READ_IN, Words

PROOF = {"IA": 0o145, "IB": 0o146}
ENDING = Position(((1, 0, 1, 2, 2, 3), (1, 0, 0, 2, 3, 2)), (14, 15))
ANALYSES = (
    ("TWO STONES, ID 15, A PROOF", opening(2), {**PROOF, "ID": 0o15}),
    ("TWO STONES, ID 14, NO PROOF YET", opening(2), {**PROOF, "ID": 0o14}),
    ("THREE STONES, ID 7, WIDE LIMITS", opening(3), {"ID": 7}),
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
LINE = "{:<15}{:<7}{:>11}{:>10}{:>8}{:>11}"


def loose(self: Analysis, position: Position, pit: int, plies: int) -> bool:
    """Put off one stone in pit 1 while its side has any other move (M22-PM)."""
    row = position.rows[position.mover]
    return self.postponing and pit == 1 == row[0] and any(row[1:])


RULES = (
    ("", 0o0, Analysis.pm),
    ("STRICT", 0o4, Analysis.pm),
    ("LOOSE", 0o4, loose),
)


def analyzed(position: Position, **words: int) -> tuple[int, int, int]:
    """Return the effort, that of the long look-ahead, and the value."""
    analysis = Analysis(Words(READ_IN, **words), position)
    value = analysis.run()[0]
    return analysis.ef, analysis.long_ef, value


def compare() -> None:
    """Print the table."""
    for title, position, words in ANALYSES:
        print(title)
        print(LINE.format("ORDER", "3", "E", "P", "V", "IN SHORT"))
        for order, settings in ORDERS:
            for rule, option_3, pm in RULES:
                op = settings["OP"] | option_3
                all_words = {**words, **settings, "OP": op}
                with patch.object(Analysis, "pm", pm):
                    e, p, value = analyzed(position, **all_words)
                line = LINE.format(order, rule, e, p, value, f"{1 - p / e:.0%}")
                print(line, flush=True)
        print()


def three() -> None:
    """Print both analyses of three stones a pit after pit 2, b to move."""
    for depth in (0o30, 0o31):
        words = {**PROOF, "OP": 0o5, "TD": 0o777, "SOR": 1, "ID": depth - 1}
        e, _, value = analyzed(opening(3).play(2), **words)
        print(f"ID {depth:o} FROM THE START: V{value} E{e}", flush=True)


if __name__ == "__main__":
    (three if sys.argv[1:] == ["THREE"] else compare)()
