"""Games on file, for the tests of SOLVE's review: literal texts."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "KALAH.OUT": """\
GAME OF 1972-10-06 14:03
2 STONES A PIT
LEVEL A, YOU STARTED
  1 A 26           1-0    2 B 1            1-1    3 A 4            1-1
  4 B 214          1-7    5 A 1            2-7    6 B 312         2-11
  7 A 2           6-11    8 B 5           6-11    9 A 312         8-11
 10 B 2           8-11   11 A 1           9-11
PLAYED TO THE END
A 9, B 15, KALAH WON
CHECK 26751713352

GAME OF 07-OCT-72  09:30
2 STONES A PIT
LEVEL C, KALAH STARTED
QUIT
A 0, B 0
CHECK 23421365735
""",
    "CLUB.OUT": """\
; as Ann wrote it down
GAME OF ANN AND BEN
A 20 0 0 1 2 0 0, B 17 0 2 0 1 1 0, B TO MOVE
b 24   02 A 3  022-21
Played to the end
A 22, B 22
""",
    "BAD.OUT": "3 STONES A PIT\n1 A 36  5-0\n2 B 7\n",
    "NONE.OUT": "",
    "END5N.DB": "KALAH ENDGAMES 1\nDAMAGED",
}


def put(folder: Path) -> None:
    """Put the files into an area."""
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
