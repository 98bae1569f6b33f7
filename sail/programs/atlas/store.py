"""The tape in the area: the memory as text that people can read (BELL-TAPE).

    3-STONE KALAH, WHAT ATLAS KNOWS
    GAMES WON 1 LOST 2 DRAWN 0 AGAIN 0
    KALAHS 17 9  WON 3 LOST 0
    REPLY M3-M2
    L 2  4 0 0 4 4 4  1 0 5 4 4 4
    W 16+  1 2 X X X X  X X X X X X
    PL 9  1 0 2 0 0 1  0 4 0 1 0 1
    END 3

A KALAHS line gives Mk and Pk, and the number of positions with them in won and in
lost games.  AGAIN is the number that picks a turn when every turn loses.  END gives
the number of entries.

An entry begins with W if the machine is to move and wins, or with L if the
player is to move and the machine loses.  The machine's kalah, M1 to M6 and P1
to P6 follow.  X means any number of stones and + means "or more"; if there are
x's, the kalah is the winner's.  PW and PL, pseudo-winning and pseudo-losing,
rest on parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sail.board import MOST_PITS
from sail.files.area import Area, AreaError
from sail.programs.atlas import says
from sail.programs.atlas.memory import (
    ALL_STONES,
    COUNTED,
    HALF,
    PARTS,
    Entry,
    Memory,
)
from sail.refusal import Refusal

TAPE = "ATLAS.TAP"
OLD = "ATLAS.{:03}"
MOST_OLD = 999
TITLE = "3-STONE KALAH, WHAT ATLAS KNOWS"
GAMES = "GAMES " + " ".join(f"{counted} {{}}" for counted in COUNTED)
KALAHS = "KALAHS {} {}  WON {} LOST {}"
REPLY = "REPLY {}"
END = "END {}"
NUMBER = r"(0|[1-9][0-9]{0,8})"
MOST_COUNT = 999_999_999  # the most that NUMBER reads; `write` caps counts at it
ENTRY = re.compile(r"(P?)([WL]) ([0-9]{1,2})\+?((?:  ?(?:[0-9]{1,2}\+?|X)){12})")


class DamagedTape(Refusal):
    """The tape is damaged; the message names the line."""


def write(memory: Memory) -> str:
    """Return the text of the tape."""
    games = (min(memory.games[counted], MOST_COUNT) for counted in COUNTED)
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


def read(text: str) -> Memory:
    """Return the memory on the tape.  Raises DamagedTape."""
    memory, part = Memory(), ""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        try:
            if number == len(lines):
                expect(number > 3 and not line)
            elif number == 1:
                expect(line == TITLE)
            elif number == 2:
                memory.games.update(dict(zip(COUNTED, numbers(GAMES, line))))
            elif number == len(lines) - 1:
                expect(line == END.format(len(memory)))
            elif line.startswith("KALAHS") and not part:
                mk, pk, won, lost = numbers(KALAHS, line)
                counts = memory.parameters.counts
                expect((mk, pk) not in counts and mk + pk <= ALL_STONES)
                counts[mk, pk] = won, lost
            elif line.startswith("REPLY"):
                part = line[len(REPLY.format("")) :]
                expect(part in PARTS and not memory.parts[part].entries)
            else:
                expect(bool(part))
                before = len(memory)
                memory.parts[part].add(read_entry(line))
                expect(len(memory) == before + 1)
        except ValueError:
            raise DamagedTape(says.DAMAGED.format(TAPE, number)) from None
    return memory


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
    """Return the numbers in place of {} in a line of this form.  Raises ValueError."""
    match = re.fullmatch(form.replace("{}", NUMBER), line)
    expect(match is not None)
    return [int(number) for number in match.groups()] if match else []


def expect(condition: bool) -> None:
    """Raise ValueError unless the condition holds."""
    if not condition:
        raise ValueError


class Store:
    """The tape of one user.  keeps: whether to write it; False once unreadable."""

    def __init__(self, area: Area) -> None:
        self.area = area
        self.keeps = True
        self._text: str | None = None  # as last read or written

    def load(self) -> Memory:
        """Return the memory on the tape.

        Raises AreaError, DamagedTape; then `keeps` is False.
        """
        try:
            text = self.area.read(TAPE) if self.area.has(TAPE) else None
            memory = Memory() if text is None else read(text)
        except (AreaError, DamagedTape):
            self.keeps = False
            raise
        self._text = text
        return memory

    def save(self, memory: Memory) -> Memory:
        """Write the memory on the tape; return the memory as it is there now.

        If another session has written the tape meanwhile, the facts in `news`
        are added to its memory.  Raises AreaError, DamagedTape; `news` is then kept.
        """
        if not self.keeps or not memory.news:
            return memory
        merged = memory

        def update(text: str | None) -> str:
            nonlocal merged
            if text is not None and text != self._text:
                merged = read(text)
                for fact in memory.news:
                    merged.learn(fact)
            return write(merged)

        try:
            self.area.change(TAPE, update)
        except DamagedTape:
            self.keeps = False
            raise
        self._text = write(merged)
        merged.news.clear()
        return merged

    def new(self) -> str:
        """Put in a blank tape; return the old one's new name.  Raises AreaError."""
        name = next(name for name in _old_names() if not self.area.has(name))
        self.area.rename(TAPE, name)
        self._text = None
        self.keeps = True
        return name


def _old_names() -> Iterator[str]:
    """Yield the names for old tapes, in order.  Raises AreaError after the last."""
    for number in range(1, MOST_OLD + 1):
        yield OLD.format(number)
    raise AreaError(says.NO_ROOM)
