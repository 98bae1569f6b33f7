"""What option 3 and the short look-ahead of RUSSEL save, in effort.

    python3 -m tests.bench.russel
    python3 -m tests.bench.russel ENDINGS
    python3 -m tests.bench.russel THREE

E counts all positions, P those of the long search.  Option 3 is off, or on
with the strict rule or the loose one (PM 1).  The last column is the share
of the time that went into the short look-ahead, which Memo 22 puts at 90
percent for the most efficient setting of a long analysis.

With ENDINGS: both rules on random endings, and how many values change.

With THREE: the proof, in some minutes, that three stones a pit are won with
pit 2; that takes ID 31 octal, and 30 is not enough.
"""

from __future__ import annotations

import random
import sys
from time import process_time

from sail.board import STANDARD, Position, start
from sail.programs.russel.routines import READ_IN, Routines, Watch
from tests.positions import random_game

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
ROW = "{:<15}{:<7}{:>11}{:>10}{:>8}{:>8}{:>11}"
OPTION_3 = 0o4
RULES = (("", 0, 0), ("STRICT", OPTION_3, 0), ("LOOSE", OPTION_3, 1))
SEED, ENDINGS = 22, 20


class Timed(Routines):
    """RUSSEL with a watch at its short look-ahead."""

    short_seconds = 0.0

    def og(self, level: int) -> int:
        begun = process_time()
        word = super().og(level)
        self.short_seconds += process_time() - begun
        return word


class Replies(Watch):
    """Types the rows of an analysis as they come."""

    def reply(self, variation: str, effort: int, long_effort: int, value: int) -> None:
        print(f"{variation[:50]:<51}E{effort} V{value}", flush=True)


def compare() -> None:
    """Print the table."""
    for title, position, words in ANALYSES:
        print(title)
        print(ROW.format("ORDER", "3", "E", "P", "V", "SECONDS", "IN SHORT"))
        for order, settings in ORDERS:
            for rule, option_3, pm in RULES:
                all_words = {**READ_IN, **words, **settings, "PM": pm}
                all_words["OP"] |= option_3
                program = Timed(all_words, Watch(), position)
                begun = process_time()
                value = program.analyse()[0]
                seconds = process_time() - begun
                print(
                    ROW.format(
                        order,
                        rule,
                        program.ef,
                        program.p_ef,
                        value,
                        f"{seconds:.2f}",
                        f"{program.short_seconds / seconds:.0%}",
                    ),
                    flush=True,
                )
        print()


def endings() -> None:
    """Print what both rules save on random endings, at ID 10 octal."""
    chance = random.Random(SEED)
    print(f"{'STONES':<10}" + "".join(f"{rule or 'E':>10}" for rule, _, _ in RULES))
    for stones, first in ((12, start(2)), (17, start(3)), (24, start(4))):
        efforts = [0, 0, 0]
        changed = [0, 0, 0]
        for position in (ending(chance, first, stones) for _ in range(ENDINGS)):
            values = []
            for number, (_, op, pm) in enumerate(RULES):
                words = {**READ_IN, "ID": 0o10, "OP": op, "PM": pm}
                program = Routines(words, Watch(), position)
                values.append(program.analyse()[0])
                efforts[number] += program.ef
                changed[number] += values[number] != values[0]
        saved = [f"{1 - effort / efforts[0]:.0%}" for effort in efforts[1:]]
        print(f"{stones:<10}{efforts[0]:>10}" + "".join(f"{s:>10}" for s in saved))
        print(f"{'  CHANGED':<20}" + "".join(f"{n:>10}" for n in changed[1:]))


def ending(chance: random.Random, first: Position, stones: int) -> Position:
    """A position with at most that many stones in play, in a random game."""
    while True:
        for position in random_game(chance, first._replace(rules=STANDARD)):
            program = Routines(READ_IN, Watch(), position)
            if position.in_play <= stones and not program.end_of_game:
                return position


def three() -> None:
    """Print both analyses of three stones a pit after pit 2, b to move."""
    for depth in (0o30, 0o31):
        words = {**READ_IN, **PROOF, "OP": 0o5, "TD": 0o777, "SOR": 1, "ID": depth - 1}
        program = Routines(words, Replies(), start(3).play(2))
        begun = process_time()
        value = program.analyse()[0]
        print(
            f"ID {depth:o} FROM THE START: V{value} E{program.ef}"
            f" {process_time() - begun:.0f} SECONDS",
            flush=True,
        )


if __name__ == "__main__":
    {"THREE": three, "ENDINGS": endings}.get("".join(sys.argv[1:]), compare)()
