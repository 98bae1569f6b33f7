"""The tape: the memory as text that people can read, and back.

    3-STONE KALAH, WHAT ATLAS KNOWS
    GAMES WON 1 LOST 2 DRAWN 0 AGAIN 0
    KALAHS 17 9  WON 3 LOST 0
    REPLY M3-M2
    L 2  4 0 0 4 4 4  1 0 5 4 4 4
    W 16+  1 2 X X X X  X X X X X X
    PL 9  1 0 2 0 0 1  0 4 0 1 0 1
    END 3

An entry begins with W where the machine, to move, wins, or with L where the
player is to move and the machine loses.  The machine's kalah, M1 to M6 and P1
to P6 follow.  X is any number of stones and + stands for "or more"; where there
are x's the kalah is the winner's.  PW and PL rest on parameters: pseudo-winning,
pseudo-losing.
"""

from __future__ import annotations

import re

from sail.board import MOST_PITS
from sail.programs.atlas import says
from sail.programs.atlas.memory import (
    DRAWN,
    HALF,
    LOST,
    PARTS,
    PICKS,
    STONES,
    WON,
    Entry,
    Memory,
)
from sail.refusal import Refusal

TITLE = "3-STONE KALAH, WHAT ATLAS KNOWS"
RESULTS = (WON, LOST, DRAWN, PICKS)
GAMES = "GAMES " + " ".join(f"{result} {{}}" for result in RESULTS)
KALAHS = "KALAHS {} {}  WON {} LOST {}"
REPLY = "REPLY {}"
END = "END {}"
NUMBER = r"(0|[1-9][0-9]{0,8})"
MOST_COUNT = 999_999_999  # that NUMBER reads; a greater count is written as this
ENTRY = re.compile(r"(P?)([WL]) ([0-9]{1,2})\+?((?:  ?(?:[0-9]{1,2}\+?|X)){12})")


class Damaged(Refusal):
    """One line that names the damaged line of the tape."""


def write(memory: Memory) -> str:
    """Return the text of the tape."""
    games = (min(memory.games[result], MOST_COUNT) for result in RESULTS)
    lines = [TITLE, GAMES.format(*games)]
    for kalahs, results in sorted(memory.parameters.counts.items()):
        won, lost = (min(count, MOST_COUNT) for count in results)
        lines.append(KALAHS.format(*kalahs, won, lost))
    for name, part in memory.parts.items():
        if part.entries:
            lines.append(REPLY.format(name))
            lines += map(str, part.entries)
    lines.append(END.format(len(memory)))
    return "\n".join(lines) + "\n"


def read(text: str, name: str) -> Memory:
    """Return the memory on the tape of that name.  Raises Damaged."""
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
            expect(bool(self.part))
            known = self.memory.parts[self.part]
            before = len(known)
            known.add(read_entry(line))
            expect(len(known) == before + 1)

    def kalahs(self, mk: int, pk: int, won: int, lost: int) -> None:
        counts = self.memory.parameters.counts
        expect((mk, pk) not in counts and mk + pk <= STONES)
        counts[mk, pk] = won, lost


def read_entry(line: str) -> Entry:
    """Return the entry of a line.  Raises ValueError."""
    match = ENTRY.fullmatch(line)
    if not match:
        raise ValueError
    pseudo, kind, kalah, pits = match.groups()
    counts = [None if pit == "X" else int(pit) for pit in pits.replace("+", "").split()]
    m, p = tuple(counts[:MOST_PITS]), tuple(counts[MOST_PITS:])
    entry = Entry(kind == "W", int(kalah), m, p, bool(pseudo))
    own, other = (m, p) if entry.won else (p, m)
    expect(str(entry) == line)
    expect(entry.kalah <= HALF and entry.rest >= 0 and any(own))
    if entry.compressed:
        kept = [count for count in own if count is not None]
        expect(not entry.pseudo and own[: len(kept)] == tuple(kept))
        expect(sum(count is not None for count in other) <= 1)
    else:
        expect(any(other) and entry.rest <= HALF)
    return entry


def numbers(form: str, line: str) -> list[int]:
    """Return the numbers in place of {} in a line of that form.  Raises ValueError."""
    match = re.fullmatch(form.replace("{}", NUMBER), line)
    expect(match is not None)
    return [int(number) for number in match.groups()] if match else []


def expect(condition: bool) -> None:
    """Raise ValueError unless the condition holds."""
    if not condition:
        raise ValueError
