"""The board and the memory as lines of paper (BELL-III)."""

from __future__ import annotations

from collections.abc import Iterable

from sail.board import MOST_PITS
from sail.programs.atlas import says
from sail.programs.atlas.machine import Machine
from sail.programs.atlas.memory import DRAWN, LOST, WON, Entry, Memory
from sail.programs.atlas.parameters import FIG_6
from sail.programs.picture import counts, row


def board(
    rows: tuple[Iterable[object], Iterable[object]], kalahs: tuple[object, object]
) -> list[str]:
    """Return the lines of a board, the machine on top."""
    numbers = range(1, MOST_PITS + 1)
    return [
        "",
        row(f"M{pit}" for pit in numbers),
        *counts([list(cells) for cells in rows], kalahs),
        row(f"P{pit}" for pit in reversed(numbers)),
        "",
    ]


def entry(entry: Entry) -> list[str]:
    """Return the lines of a position with its x's (BELL-CHAR)."""
    if entry.pseudo:
        head = says.PSEUDO_WINNER if entry.won else says.PSEUDO_LOSER
    else:
        head = says.WINNER if entry.won else says.LOSER
    notes = [says.COMPRESSED] if entry.compressed else []
    return [head, *notes, *board(entry.rows, entry.kalahs)]


def memory(machine: Machine) -> list[str]:
    """Return the lines of all that the machine knows, with one entry that has x's."""
    memory = machine.memory
    switches = machine.characteristics, machine.parameters, machine.inferences
    compressed = [
        entry
        for part in memory.parts.values()
        for entry in part.entries
        if entry.compressed
    ]
    return [
        *_parts(machine),
        says.GAMES.format(*(memory.games[ending] for ending in (WON, LOST, DRAWN))),
        says.SWITCHES.format(*("ON" if on else "OFF" for on in switches)),
        *_parameters(memory),
        *(entry(compressed[-1]) if compressed else ()),
    ]


def _parts(machine: Machine) -> list[str]:
    """Return the table of winners and losers by part."""
    memory = machine.memory
    known, taken = machine.known_lost(), machine.taken_for_lost()
    lines = [says.MEMORY_HEAD]
    for name, part in memory.parts.items():
        line = says.MEMORY_PART.format(name, part.winners, len(part) - part.winners)
        if name in taken:
            line += says.LOSES if name in known else says.MAY_LOSE
        lines.append(line)
    winners = sum(part.winners for part in memory.parts.values())
    return [*lines, says.MEMORY_PART.format(says.ALL, winners, len(memory) - winners)]


def _parameters(memory: Memory) -> list[str]:
    """Return the table of parameters beside those of Fig. 6."""
    tables = memory.parameters.limits, FIG_6
    return [
        says.PARAMETERS_HEAD,
        *(
            says.PARAMETERS_ROW.format(mk, *(t.get(mk, says.NONE) for t in tables))
            for mk in sorted({*tables[0], *FIG_6}, reverse=True)
        ),
    ]
