"""Paper tape: convert text to the frames of a tape, and back (TTY-TAPE).

A tape holds a blank leader, the lines of the text with CR LF after each, and a blank
trailer; on eight levels a ^Z precedes the trailer.  An eight-level tape without ^Z
and trailer can be ended with ^Z from the keyboard.  A five-level tape is in the
machine's own code.  A line wider than the paper is continued after a CR, a filler and
an LF, which end no line; so the punch prints nothing past the edge.

A title may precede the text: letters to be read on the tape itself.  It contains no
line end, no ^Z, no FIGS, and no code that switches the reader or the punch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sail.line.codes import CONTROL, Code
from sail.refusal import Refusal

# XON, TAPE ON, XOFF and TAPE OFF of ASCII.
READER_ON, PUNCH_ON, READER_OFF, PUNCH_OFF = b"\x11", b"\x12", b"\x13", b"\x14"
SWITCH_CODES = (READER_ON + PUNCH_ON + READER_OFF + PUNCH_OFF).decode()

LEADER = 60  # blank frames: six inches
TRAILER = 32  # blank or rubbed-out frames in a row that end the text
END_OF_LINE = "\r\n\0\0"  # fillers: time for the carriage, if the tape is typed
CONTINUED = "\r\0\n\0"  # at the edge of the paper, within a line
BLANKS = ("\0", "\x7f")
TITLE_LEVEL = 3  # on eight levels, the lowest level of a title, from 0
MOST_CHARACTERS = 16 << 20  # no file may have more
LACKS = "{} LINE {} HAS A CHARACTER THAT THE TAPE LACKS."

# The letters of titles.  The top row is the lowest level.
FONT = {
    "ABCDEFGHIJKLM": """
    .###. ####. .#### ####. ##### ##### .#### #...# ###.. ....# #..## #.... ##.##
    #...# #...# #.... #...# #.... #.... #.... #...# .#... ....# #.#.. #.... #.#.#
    ##### ####. #.... #...# ####. ####. #..## ##### .#... ....# ##... #.... #.#.#
    #...# #...# #.... #...# #.... #.... #...# #...# .#... #...# #.#.. #.... #...#
    #...# ####. .#### ####. ##### #.... .#### #...# ###.. ####. #..## ##### #...#""",
    "NOPQRSTUVWXYZ": """
    ##..# .###. ####. .###. ####. .#### ##### #...# #...# #...# #...# #...# #####
    #.#.# #...# #..#. #...# #...# #.... ..#.. #...# #...# #...# .#.#. #...# ...#.
    #.#.# #...# ####. #...# ####. .###. ..#.. #...# .#.#. #.#.# ..#.. .###. ..#..
    #.#.# #...# #.... #..## #..#. ....# ..#.. #...# .#.#. #.#.# .#.#. ..#.. .#...
    #..## .###. #.... .#### #...# ####. ..#.. .###. ..#.. ##.## #...# ..#.. #####""",
    "0123456789.-": """
    .###. .##.. ####. ####. #..#. ##### .#### ##### .###. .###. ..... .....
    #..## #.#.. ....# ....# #..#. #.... #.... ....# #...# #...# ..... .....
    #.#.# ..#.. .###. .###. ##### ####. ####. ...#. .###. .#### ..... ###..
    ##..# ..#.. #.... ....# ...#. ....# #...# ..#.. #...# ....# .##.. .....
    .###. ##### ##### ####. ...#. ####. .###. ..#.. .###. ####. .##.. .....""",
}


def frames(text: str, name: str, code: Code, width: int, title: str = "") -> bytes:
    """Return the frames for a text, with leader and trailer.

    code: the machine's character set.  width: the columns of the paper.  title:
    characters of FONT and spaces.  Raises Refusal for a character that the code lacks.
    Eight levels have all of ASCII, but of the control characters only tabs and line
    feeds.
    """
    code.new_machine()  # its shift: another machine may read the tape
    for number, line in enumerate(text.split("\n"), 1):
        for char in line:
            in_ascii = " " <= char <= "~" or char == "\t"
            if not (code.has(char) if code.five else in_ascii):
                raise Refusal(LACKS.format(name, number))
    blank = bytes(LEADER)
    level = 0 if code.five else TITLE_LEVEL
    holes = bytes(hole << level for hole in _holes(title.replace(" ", "   ")))
    head = code.encode("\0") + holes + blank if title else b""
    end = b"" if code.five else CONTROL["Z"].encode()
    folded = (
        CONTINUED.join(line[cut : cut + width] for cut in range(0, len(line), width))
        for line in text.split("\n")
    )
    return blank + head + code.encode(END_OF_LINE.join(folded)) + end + blank


def _holes(title: str) -> Iterable[int]:
    """Yield the columns of the letters, with the top row in bit 0."""
    for char in title:
        for letters, art in FONT.items():
            if char in letters:
                rows = art.split()[letters.index(char) :: len(letters)]
                for column in zip(*rows):
                    if "#" in column:
                        yield sum(1 << row for row in range(5) if column[row] == "#")
        yield 0


def read(chars: Iterable[str]) -> str:
    """Return the text of a tape, with a line feed after each line.

    chars: what each frame means; "" for a shift.

    The text ends at ^Z or at a trailer.  CR, LF, CR LF, CR CR LF and LF CR each end a
    line; CR and LF with a filler between them are dropped: the line goes on.  Blank and
    rubbed-out frames, and codes that switch a reader or a punch, are ignored.  So are a
    title, which has no end of a line, and a single line before the first leader: the
    command PUNCH, typed with the punch on.
    Raises Refusal after MOST_CHARACTERS without an end.
    """
    text = bytearray()
    blank = 0  # blank frames in a row so far
    led = False  # whether a leader has come
    for char in chars:
        blank = blank + 1 if char in BLANKS else 0
        if char in ("", "\0") and text.endswith(b"\r"):
            text += b"\0"  # the line may be continued
        if char == CONTROL["Z"]:
            break
        if blank >= TRAILER:
            lines = text.strip(b"\r\n\0").splitlines()
            if len(lines) > 1 or (lines and led and text[-1:] in b"\r\n\0"):
                break
            led = True
            text.clear()
        if not blank and char not in SWITCH_CODES:
            text += char.encode()
        if len(text) > MOST_CHARACTERS:
            raise Refusal("THE TAPE HAS NO END: NOTHING WAS KEPT.")
    joined = text.decode().replace("\r\0\n", "").replace("\0", "")
    return re.sub("\r?\r\n|\n\r|\r", "\n", joined)
