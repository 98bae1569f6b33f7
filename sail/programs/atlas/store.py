"""The tape in the area: the memory as text, under a seal (BELL-TAPE).

    3-STONE KALAH, WHAT ATLAS KNOWS: 7 LINES, CHECK 05205660567
    GAMES WON 1 LOST 2 DRAWN 0 AGAIN 0
    KALAHS 17 9  WON 3 LOST 0
    REPLY M3-M2
    L 2  4 0 0 4 4 4  1 0 5 4 4 4
    W 16+  1 2 X X X X  X X X X X X
    PL 9  1 0 2 0 0 1  0 4 0 1 0 1
    END 3

A KALAHS line gives Mk and Pk, and the number of positions with them in won and in
lost games.  AGAIN gives Memory.hopeless_games, which picks a turn when all turns lose.
END gives the number of records.

A record begins with W if the machine is to move and wins, or with L if the
player is to move and the machine loses.  The machine's kalah, M1 to M6 and P1
to P6 follow.  In a characteristic, always a win, X means any number of stones and +
means "or more".  PW and PL, pseudo-winning and pseudo-losing, rest on parameters.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from sail.board import MOST_PITS
from sail.files.area import IN_USE, Area, InUse
from sail.files.seal import ATLAS_TAP, Damaged, body_start, numbered_lines
from sail.programs.atlas.memory import ANY, KINDS, OTHER, RESULTS, Memory, Record
from sail.programs.atlas.turns import MOVES


def text_of(memory: Memory) -> str:
    """Return the lines of the tape after its seal."""
    games = " ".join(f"{result} {memory.games[result]}" for result in RESULTS)
    lines = [f"GAMES {games} AGAIN {memory.hopeless_games}"]
    for (mk, pk), (won, lost) in sorted(memory.parameters.counts.items()):
        lines.append(f"KALAHS {mk} {pk}  WON {won} LOST {lost}")
    for name, table in memory.tables.items():
        if table.records:
            lines.append(f"REPLY {name}")
            lines += map(line_of, table.records.values())
    lines.append(f"END {len(memory)}")
    return "\n".join(lines) + "\n"


def parse(text: str) -> Memory:
    """Return the memory on the tape.  Raises Damaged."""
    memory = Memory()
    table = memory.tables[OTHER]  # to which the next records belong
    for number, line in numbered_lines(text):
        words = line.split()
        try:
            if words[0] == "GAMES":
                *games, memory.hopeless_games = map(int, words[2::2])
                memory.games.update(dict(zip(RESULTS, games)))
            elif words[0] == "KALAHS":
                mk, pk, won, lost = map(int, (*words[1:3], words[4], words[6]))
                memory.parameters.counts[mk, pk] = won, lost
            elif words[0] == "REPLY":
                table = memory.tables[words[1]]
            elif words[0] != "END":
                table.add(parse_record(words))
        except (ValueError, LookupError):
            raise Damaged(ATLAS_TAP, number) from None
    lines, expected = text[body_start(text) :], text_of(memory)
    if lines != expected:
        same = os.path.commonprefix([lines, expected])
        raise Damaged(ATLAS_TAP, same.count("\n") + 2)
    return memory


def line_of(record: Record) -> str:
    """Return the line of a record: W or L, kalah, M1 to M6, P1 to P6."""
    m, p = (" ".join(map(str, row)) for row in record.rows)
    return f"{KINDS[record.value]} {record.kalahs[0]}  {m}  {p}"


def parse_record(words: Sequence[str]) -> Record:
    """Return the record of a line.  Raises ValueError."""
    kind, kalah, *cells = words
    mk, *pits = (int(cell.replace(ANY, "0").rstrip("+")) for cell in (kalah, *cells))
    m, p = MOVES.pack((*pits[:MOST_PITS],)), MOVES.pack((*pits[MOST_PITS:],))
    pits_kept = captured_pit = 0
    if kalah.endswith("+"):
        own, other = cells[:MOST_PITS], cells[MOST_PITS:]
        pits_kept = MOST_PITS - own.count(ANY)
        captured_pit = sum(pit for pit, cell in enumerate(other, 1) if cell != ANY)
    [value] = (value for value in KINDS if KINDS[value] == kind)
    return Record(value, m, p, mk, pits_kept, captured_pit)


def load(area: Area) -> Memory:
    """Return the memory on the tape, or a blank one.  Raises Refusal."""
    return parse(area.read(ATLAS_TAP, missing=text_of(Memory())))


def save(area: Area, text: str) -> str:
    """Write the tape and return its text.  Raises Refusal.

    A session that found no folder could not hold the tape.  If another session has made
    both since then, this one does not replace its tape.
    """
    if area.hold(ATLAS_TAP, make_folder=True) and area.has(ATLAS_TAP):
        area.release(ATLAS_TAP)
        raise InUse(IN_USE.format("WRITE", ATLAS_TAP))
    area.write(ATLAS_TAP, text)
    return text
