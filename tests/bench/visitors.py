"""Serve a night of random visitors at a Model 33; print a table.

    python3 -m tests.bench.visitors [VISITS [KILLS]]

The line is at 110 baud on a clock of its own, so that days pass in minutes; only
the levels B, A and MASTER think in real time.  The visitors of tests.crowd play, leave,
press ^C and BREAK, hang up, type junk, paste up to 1 MB, send back all that they
get, and take no output.  Each row is a tenth of the visits: the hours of the line,
the visits by kind, the tapes that read back as one game, the lines with a dot, the
longest visit in minutes, the games on KALAH.OUT, the other files that have
changed, the descriptors and the resident memory.  Then KILLS jobs are killed
while they serve such a crowd, and the games that they said were saved are looked
for.  It needs /proc.  23 November 2026, in nine minutes:

     hours plays leaves stops hangs junk pastes loops deaf tapes dots longest games others files  MB
       81    42     15     9     9   11      4     4    6    33    0      50    11      0     6  86
      166    81     31    24    18   17      8    11   10    62    0      50    22      0     6 107
      278   121     42    36    33   27     10    17   14    93    0      70    34      0     6  77
      364   155     56    51    42   40     16    23   17   120    0      70    39      0     6  97
      455   188     70    70    55   47     20    28   22   139    0      70    48      0     6  94
      536   227     84    82    63   61     22    33   28   172    0      73    54      0     6  88
      618   260     97    96    73   75     30    38   31   192    0      73    64      0     6  75
      700   297    108   115    80   81     37    43   39   214    0      73    70      0     6  73
      799   338    124   124    90   90     43    47   44   245    0      73    81      0     6  72
      895   377    140   132   101  101     51    52   46   272    0      73    91      0     6  68
    300 kills, 448 games saved, 0 lost
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from sail.files import games
from sail.files.area import Area
from sail.monitor import visitors
from sail.programs.kalah import says
from sail.teletype import Leave
from tests import havoc
from tests.crowd import KINDS, Crowd

LEVELS = "C" * 79 + "B" * 19 + "AM"
SHELF = str(Path(__file__).parents[2] / "saves")
OWNERS = ("KALAH.TMP", "MINE.POS")
COLUMNS = [
    *("hours", "plays", "leaves", "stops", "hangs", "junk", "pastes", "loops", "deaf"),
    *("tapes", "dots", "longest", "games", "others", "files", "MB"),
]


class Night(Crowd):
    """A crowd that prints a row at every tenth of its visits."""

    pasted = 9999

    def __init__(self, count: int, folder: Path) -> None:
        super().__init__(25, count, 110, LEVELS)
        self.folder = folder
        self.before = self.others()
        self.read_back = 0

    def others(self) -> dict[str, bytes]:
        """Return the contents of all files but KALAH.OUT."""
        names = set(os.listdir(self.folder)) - {games.OUT}
        return {name: (self.folder / name).read_bytes() for name in names}

    def _end(self) -> None:
        super()._end()
        self.read_back += sum(len(games.read(text, "X")) == 1 for text in self.tapes)
        self.tapes.clear()
        if self.ended % max(1, self.count // 10) == 0:
            self.print_row()

    def print_row(self) -> None:
        changed = {name for name, _ in self.before.items() ^ self.others().items()}
        print_columns(
            self.seconds / 3600,
            *(self.visits[kind] for kind in KINDS),
            self.read_back,
            len(self.dots),
            self.longest / 60,
            len(games.read((self.folder / games.OUT).read_text(), games.OUT)),
            len(changed),
            havoc.open_files(),
            havoc.resident() / (1 << 20),
        )


def print_columns(*cells: float | str) -> None:
    row = [cell if isinstance(cell, str) else f"{cell:.0f}" for cell in cells]
    widths = [max(len(name), 3) + 1 for name in COLUMNS]
    print(*map(str.rjust, row, widths), sep="", flush=True)


class Pipe(Crowd):
    """A crowd whose paper also goes to a descriptor."""

    pipe = -1

    def write(self, data: bytes) -> int:
        sent = super().write(data)
        os.write(self.pipe, data[:sent])
        return sent


def serve_until_killed(folder: Path, seed: int, pipe: int) -> None:
    """Serve a crowd without end; its paper also goes to `pipe`."""
    crowd = Pipe(seed, 10**6)
    crowd.pipe = pipe
    visitors.serve(crowd.tty, Area(str(folder), SHELF))


def kills(folder: Path, count: int) -> tuple[int, int]:
    """Kill jobs that serve a crowd; return the games saved and the games lost."""
    rnd = random.Random(1)
    others = {name: (folder / name).read_bytes() for name in OWNERS}
    saved = lost = 0
    there = len(games.read((folder / games.OUT).read_text(), games.OUT))
    for number in range(count):
        reader, writer = os.pipe()
        child = havoc.in_a_child(serve_until_killed, folder, number, writer)
        os.close(writer)
        paper = os.read(reader, 1)  # the first visitor has come
        threading.Timer(rnd.random(), os.kill, (child, signal.SIGKILL)).start()
        while piece := os.read(reader, 1 << 16):
            paper += piece
        os.close(reader)
        os.waitpid(child, 0)
        said = paper.decode("ascii", "replace").count(says.GAME_SAVED)
        now = len(games.read((folder / games.OUT).read_text(), games.OUT))
        lost += max(0, there + said - now)
        lost += sum((folder / name).read_bytes() != others[name] for name in OWNERS)
        saved += now - there
        there = now
    return saved, lost


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print_columns(*COLUMNS)
    with tempfile.TemporaryDirectory() as name:
        area = Area(name, SHELF)
        area.write("KALAH.TMP", games.write(havoc.a_game(3)))
        area.write(games.OUT, games.write(havoc.a_game(3, 6)))
        area.write("MINE.POS", area.look_up("FIG2.POS"))
        night = Night(count, Path(name))
        with suppress(Leave):
            visitors.serve(night.tty, area)
        if len(sys.argv) > 2:
            saved, lost = kills(Path(name), int(sys.argv[2]))
            print(f"{sys.argv[2]} kills, {saved} games saved, {lost} lost")


if __name__ == "__main__":
    main()
