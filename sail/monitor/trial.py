"""TTY TEST: type test lines, ask how they look, and set the line accordingly.

It is for an owner who has just connected a machine.  The test is legible whatever
FILL, WIDTH, LF and USOS are: it feeds lines itself, gives the carriage ample time,
and leaves a five-level machine in letters.  All answers are letters, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from sail.line import settings
from sail.line.codes import BARE_SPACE
from sail.line.station import Station
from sail.stop import Stopped
from sail.talk.asking import Asker, Question
from sail.teletype import EndOfInput

BEGIN = "READ WHAT COMES, THEN ANSWER.  {} ENDS IT."
RIGHT = "ARE RYRY AND THE CHARACTERS RIGHT, Y OR N? "
OTHER_LINE = "THEN TRY --BAUD AND --BITS: SEE HELP LINE MACHINES."
FEEDS = "IS THERE AN EMPTY LINE AFTER EACH LINE, Y OR N? "
LAST_CLEAR = "AFTER THE LONG RYRY: THE LAST LETTER THAT STANDS ALONE? "
UNSHIFTS = "IS THERE 7 I, NOT 7 8, Y OR N? "
FIRST_WHOLE = "A TO E: THE FIRST WHOLE LINE AT THE LEFT EDGE? "
TYPE_ONE = "TYPE ONE OF {}."
FOUND = "TTY {}"
NOW_SET = "THIS IS NOW SET.  NEXT TIME, BEGIN WITH --SET AND THESE WORDS."

RYRY = "RYRY" * 64  # in five-level code each letter inverts all bits of the one before
YES, NO = "Y", "N"
NONE = "NONE"  # the answer if every letter is spoiled
WHOLE = 60  # columns of a line that fits on almost every paper
SHORT = 8  # columns of a line whose left edge is looked at
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = ALPHABET[:5]  # typed in lines that follow 0, 1, 2, 3 and 4 fillers
SLOW = 6  # fillers that suffice for every machine
LEAST_WIDE = 72  # columns of the widest line, unless WIDTH is more


def run(tty: Station) -> None:
    """Type the test, ask how it looks, and change the settings; ^C and ^Z give up."""
    before, on_stop = " ".join(settings.words(tty.settings)), tty.on_stop
    tty.on_stop = _give_up
    try:
        columns = max(LEAST_WIDE, tty.width)
        tty.set(f"FILL {SLOW} WIDTH {columns} LF")
        _print(tty, columns)
        found = _questions(tty, columns)
    except (Stopped, EndOfInput):
        return
    finally:
        tty.on_stop = on_stop
        tty.set(before)
    tty.set(found)
    tty.type(FOUND.format(found))
    tty.type(NOW_SET)


def _give_up() -> None:
    raise Stopped


def _print(tty: Station, columns: int) -> None:
    """Type lines that show faults of the connection, then lines for each setting."""
    tty.type(BEGIN.format("BELL" if tty.code.five else "^C"))
    tty.type(RYRY[:WHOLE])
    characters = _characters(tty)
    for first in range(0, len(characters), WHOLE):
        tty.type(characters[first : first + WHOLE])
    tty.type(RYRY[: columns - len(ALPHABET)] + ALPHABET)
    if tty.code.five:
        tty.type(f"7{BARE_SPACE}8")
    for fill, letter in enumerate(LETTERS):
        tty.set(f"FILL {fill}" if fill else "NO FILL")
        tty.type("X" * WHOLE)
        tty.set(f"FILL {SLOW}")
        tty.type(letter * SHORT)


def _characters(tty: Station) -> str:
    """Return all characters that the machine prints, the letters first."""
    code = tty.code
    chars = filter(code.has, map(chr, range(0x21, 0x2200)))  # up to the arrows
    printed = sorted(chars, key=lambda char: (not char.isalpha(), char))
    return "".join(c for c in printed if tty.settings.full or c == c.upper())


def _questions(tty: Station, columns: int) -> str:
    """Ask how the test looks; return the settings that it shows, as words for TTY."""
    if _ask(tty, RIGHT, (YES, NO)) == NO:
        tty.type(OTHER_LINE)
    feeds = _ask(tty, FEEDS, (YES, NO)) == YES
    last = _ask(tty, LAST_CLEAR, (*ALPHABET, NONE))
    usos = ""
    if tty.code.five:
        usos = " USOS" if _ask(tty, UNSHIFTS, (YES, NO)) == YES else " NO USOS"
    whole = _ask(tty, FIRST_WHOLE, (*LETTERS, NONE))
    # The line feed gives the carriage time to return.  A machine that feeds by itself
    # is sent none, so it needs one more filler.
    fill = (SLOW if whole == NONE else LETTERS.index(whole)) + feeds
    return (
        f"{f'FILL {fill}' if fill else 'NO FILL'} WIDTH {_width(last, columns)}"
        f" {'NO LF' if feeds else 'LF'}{usos}"
    )


def _width(last: str, columns: int) -> int:
    """Return the width, given the last clear letter of a line that was too long.

    The letters after it were printed on top of each other in the last column.
    """
    if last == NONE:
        return LEAST_WIDE if columns > LEAST_WIDE else settings.NUMBERS["WIDTH"][0]
    return columns - max(0, len(ALPHABET) - 2 - ALPHABET.index(last))


def _ask(tty: Station, question: str, answers: Iterable[str]) -> str:
    """Ask until one of these answers is typed, and return it."""

    def meaning(answer: str) -> str | None:
        return answer if answer in answers else None

    help = TYPE_ONE.format(" ".join(answers))
    asked = Question(question, help, notes=[help])
    return Asker(tty, "LINE", ()).ask(asked, (), meaning)
