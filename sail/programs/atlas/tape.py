"""The tape: the memory as text and back, for people to read.

    3-STONE KALAH, WHAT ATLAS KNOWS
    GAMES WON 1 LOST 2 DRAWN 0 AGAIN 0
    KALAHS 17 9  WON 3 LOST 0
    REPLY M3-M2
    L 2  4 0 0 4 4 4  1 0 5 4 4 4
    W 16+  1 2 X X X X  X X X X X X
    END 2

An entry is W where the machine, to move, wins, or L where the player is to
move and the machine loses; then the machine's kalah, M1 to M6, P1 to P6.  X
is any number of stones and + stands for or more.
"""

from __future__ import annotations

import re

from sail.board import MOST_PITS
from sail.programs.atlas import says
from sail.programs.atlas.memory import (
    AGAIN,
    DRAWN,
    HALF,
    LOST,
    PARTS,
    STONES,
    WON,
    Entry,
    Memory,
)
from sail.refusal import Refusal

TITLE = "3-STONE KALAH, WHAT ATLAS KNOWS"
RESULTS = (WON, LOST, DRAWN, AGAIN)
GAMES = "GAMES " + " ".join(f"{result} {{}}" for result in RESULTS)
KALAHS = "KALAHS {} {}  WON {} LOST {}"
REPLY = "REPLY {}"
END = "END {}"
NUMBER = r"(0|[1-9][0-9]{0,8})"


class Damaged(Refusal):
    """One line that says where the tape is damaged."""


def write(memory: Memory) -> str:
    """The text of the tape."""
    games = (memory.games[result] for result in RESULTS)
    lines = [TITLE, GAMES.format(*games)]
    for kalahs, results in sorted(memory.parameters.counts.items()):
        lines.append(KALAHS.format(*kalahs, *results))
    for name, part in memory.parts.items():
        if part.entries:
            lines.append(REPLY.format(name))
            lines += map(str, part.entries)
    lines.append(END.format(len(memory)))
    return "\n".join(lines) + "\n"


def read(text: str, name: str) -> Memory:
    """The memory on the tape of that name.  Raises Damaged."""
    reader = Reader()
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        try:
            if number == 1:
                reader.title(line)
            elif number == 2:
                reader.games(line)
            elif number < len(lines) - 1:
                reader.line(line)
            elif number < len(lines):
                reader.end(line)
        except ValueError:
            raise Damaged(says.DAMAGED.format(name, number)) from None
    if len(lines) < 4 or lines[-1]:
        raise Damaged(says.DAMAGED.format(name, len(lines)))
    return reader.memory


class Reader:
    """Fills a memory, line by line.  Every method may raise ValueError."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.part = ""

    def title(self, line: str) -> None:
        expect(line == TITLE)

    def games(self, line: str) -> None:
        self.memory.games.update(dict(zip(RESULTS, numbers(GAMES, line))))

    def end(self, line: str) -> None:
        expect(line == END.format(len(self.memory)))

    def line(self, line: str) -> None:
        if line.startswith("KALAHS") and not self.part:
            self.kalahs(*numbers(KALAHS, line))
        elif line.startswith("REPLY"):
            part = line[len(REPLY.format("")) :]
            expect(part in PARTS and not self.memory.parts[part].entries)
            self.part = part
        else:
            entry = read_entry(line)
            part = self.part
            expect(bool(part) and entry not in self.memory.parts[part].entries)
            expect(self.memory.parts[part].add(entry))

    def kalahs(self, mk: int, pk: int, won: int, lost: int) -> None:
        counts = self.memory.parameters.counts
        expect((mk, pk) not in counts and mk + pk <= STONES)
        counts[mk, pk] = won, lost


def read_entry(line: str) -> Entry:
    """The entry of a line.  Raises ValueError."""
    kind, kalah, *pits = line.replace("+", "").split()
    counts = tuple(None if pit == "X" else int(pit) for pit in pits)
    entry = Entry(kind == "W", int(kalah), counts[:MOST_PITS], counts[MOST_PITS:])
    known = [count for count in counts if count is not None]
    rest = STONES - entry.kalah - sum(known)  # the player's kalah, and the x's
    expect(str(entry) == line and len(counts) == 2 * MOST_PITS)
    expect(entry.kalah <= HALF and rest >= 0 and any(entry.m))
    if entry.compressed:
        kept = [count for count in entry.m if count is not None]
        expect(entry.won and entry.m[: len(kept)] == tuple(kept))
        expect(sum(count is not None for count in entry.p) <= 1)
    else:
        expect(None not in entry.m and any(entry.p) and rest <= HALF)
    return entry


def numbers(form: str, line: str) -> list[int]:
    """The numbers that stand for {} in a line of that form.  Raises ValueError."""
    match = re.fullmatch(form.replace("{}", NUMBER), line)
    expect(match is not None)
    return [int(number) for number in match.groups()] if match else []


def expect(good: bool) -> None:
    """Raises ValueError unless it is good."""
    if not good:
        raise ValueError
