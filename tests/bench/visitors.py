"""Serve a night of random visitors at a Model 33; print a table.

    python3 -m tests.bench.visitors [VISITS]

The line is at 110 baud in a time of its own, so that days pass in minutes; only
the levels B, A and MASTER think in ours.  The visitors of tests.crowd play, leave,
press ^C and BREAK, hang up, type junk and paste up to 1 MB.  Each row is a tenth
of the visits: the hours of the line, the visits by kind, the tapes that read back
as one game, the lines with a dot, the longest visit in minutes, the games on
KALAH.OUT, the other files that are not as they were, the descriptors and the
resident memory.  It needs /proc.  22 November 2026, in ten minutes of a busy machine:

    hours plays leaves stops hangs junk pastes tapes dots longest games others files  MB
       89    45     17    17     8    9      4    36    0      79    23      0     6 112
      182    76     32    34    20   25     13    55    0     102    40      0     6 103
      294   125     48    46    33   30     18   100    0     102    62      0     6  78
      393   162     65    65    39   43     26   133    0     107    82      0     6  78
      485   203     80    77    53   53     34   168    0     107    97      0     6  78
      575   247     95    95    62   64     37   200    0     107   112      0     6  91
      660   293    112   100    76   77     42   240    0     107   136      0     6  82
      757   332    129   118    91   85     45   271    0     107   155      0     6  86
      854   377    141   138   100   95     49   310    0     117   173      0     6 131
      943   421    150   163   110  103     53   344    0     117   191      0     6 130
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from sail import visitors
from sail.area import Area
from sail.programs import record
from sail.teletype import Leave
from tests import havoc
from tests.crowd import KINDS, Crowd

LEVELS = "C" * 79 + "B" * 19 + "AM"
SHELF = str(Path(__file__).parents[2] / "saves")
COLUMNS = [
    *("hours", "plays", "leaves", "stops", "hangs", "junk", "pastes"),
    *("tapes", "dots", "longest", "games", "others", "files", "MB"),
]
WIDTHS = [max(len(name), 3) + 1 for name in COLUMNS]


class Night(Crowd):
    """A crowd that prints a row now and then."""

    pasted = 9999

    def __init__(self, count: int, folder: Path) -> None:
        super().__init__(25, count, 110, LEVELS)
        self.folder = folder
        self.before = self.others()
        self.read_back = 0

    def others(self) -> dict[str, bytes]:
        """Return the contents of all files but KALAH.OUT."""
        names = set(os.listdir(self.folder)) - {record.OUT}
        return {name: (self.folder / name).read_bytes() for name in names}

    def _end(self) -> None:
        super()._end()
        for text in self.tapes:
            self.read_back += len(record.read(text, "X")) == 1
        self.tapes.clear()
        if self.ended % max(1, self.count // 10) == 0:
            self.print_row()

    def print_row(self) -> None:
        now, before = self.others(), self.before
        changed = {
            name for name in {*now, *before} if now.get(name) != before.get(name)
        }
        row = (
            self.seconds / 3600,
            *(self.visits[kind] for kind in KINDS),
            self.read_back,
            len(self.dots),
            self.longest / 60,
            len(record.read((self.folder / record.OUT).read_text(), record.OUT)),
            len(changed),
            havoc.open_files(),
            havoc.resident() / (1 << 20),
        )
        print(
            *(f"{number:{wide}.0f}" for number, wide in zip(row, WIDTHS)),
            sep="",
            flush=True,
        )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(*(f"{name:>{wide}}" for name, wide in zip(COLUMNS, WIDTHS)), sep="")
    with tempfile.TemporaryDirectory() as name:
        area = Area(name, SHELF)
        area.write("KALAH.TMP", record.write(havoc.a_game(3)))
        area.write(record.OUT, record.write(havoc.a_game(3, 6)))
        area.write("MINE.POS", area.look_up("FIG2.POS"))
        night = Night(count, Path(name))
        with suppress(Leave):
            visitors.serve(night.tty, area)


if __name__ == "__main__":
    main()
