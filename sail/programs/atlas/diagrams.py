"""The board and the memory as typed lines (BELL-III)."""

from __future__ import annotations

from sail.board import MOST_PITS, Position
from sail.programs.atlas import says
from sail.programs.atlas.learner import losing_replies
from sail.programs.atlas.memory import FIG_6, RESULTS, Memory, Record
from sail.talk.layout import board_lines, cells_line


def picture(position: Position | Record) -> str:
    """Return the board of a position or of a record, the machine on top."""
    pits = range(1, MOST_PITS + 1)
    top = cells_line(f"M{pit}" for pit in pits)
    bottom = cells_line(f"P{pit}" for pit in pits[::-1])
    lines = board_lines(position.rows, position.kalahs)
    return "\n".join(["", top, *lines, bottom, ""])


def record_text(record: Record) -> str:
    """Return the lines of a record, including its x's (BELL-CHAR)."""
    head = says.WINNER if record.won else says.LOSER
    head = head.format(says.HOW_OFTEN[-abs(record.value)])
    notes = [says.COMPRESSED] if record.pits_kept else []
    return "\n".join([head, *notes, picture(record)])


def summary(memory: Memory) -> str:
    tables, losing = memory.tables, losing_replies(memory)
    lines = [says.MEMORY_HEAD]
    for name, table in tables.items():
        line = says.MEMORY_OF.format(name, table.winners, len(table) - table.winners)
        if name in losing:
            line += says.LOSES.format(says.HOW_OFTEN[losing[name]])
        lines.append(line)
    winners = sum(table.winners for table in tables.values())
    lines.append(says.MEMORY_OF.format(says.ALL, winners, len(memory) - winners))

    switches = memory.compresses, memory.parameters.on
    lines += [
        says.GAMES.format(*(memory.games[result] for result in RESULTS)),
        says.SWITCHES.format(*("ON" if on else "OFF" for on in switches)),
        says.PARAMETERS_HEAD,
    ]
    ours = memory.parameters.pairs
    for mk in sorted({*ours, *FIG_6}, reverse=True):
        pks = (pairs.get(mk, says.NONE) for pairs in (ours, FIG_6))
        lines.append(says.PARAMETER.format(mk, *pks))
    return "\n".join(lines)
