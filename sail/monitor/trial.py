"""TTY TEST: type test lines, ask how they look, and set the line accordingly.

It is for an owner who has just connected a machine.  The test is legible whatever
the settings are: it feeds lines itself, gives the carriage ample time, keeps what is
read to the narrowest paper, and leaves a five-level machine in letters.  All answers
are letters, too.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from sail.line.codes import SPACE
from sail.line.station import Station
from sail.settings import NUMBERS, as_typed
from sail.stop import Stopped
from sail.talk.asking import Asker, Question
from sail.teletype import COLUMNS, EndOfInput
from sail.typed import name_meant

NONE = "NONE"  # the answer if every letter is spoiled or out of place
NARROW = NUMBERS["WIDTH"][0]  # columns that every paper has
RYRY = "RYRY" * (NARROW // 4)  # in five-level code each letter inverts all bits
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = ALPHABET[:5]  # typed in lines that follow 0, 1, 2, 3 and 4 fillers
AMPLE_FILL = 6  # fillers that suffice for every machine
LEGIBLE = f"FILL {AMPLE_FILL} WIDTH {NARROW} LF"  # on every machine


def run(tty: Station, asker: Asker) -> None:
    """Type the test, ask how it looks, and change the settings; ^C and ^Z give up."""
    before = tty.settings, tty.owner_settings
    try:
        words = _test(tty, asker)
    except (Stopped, EndOfInput):
        return tty.apply(*before)
    tty.set(words)
    now_set = "THIS IS NOW SET.  FOR NEXT TIME SEE WHERE YOU STARTED KALAH."
    asker.type_lines([f"TTY {words}", now_set])
    print(f'Next time: --set "{words}"', file=sys.stderr)  # to be copied, not typed


def _test(tty: Station, asker: Asker) -> str:
    """Type the test; return the settings that the answers mean, as words for TTY."""
    columns = max(COLUMNS, tty.settings.width)
    tty.set(LEGIBLE)
    tty.type()  # without a line feed so far, the next line would be typed over the last
    ends = "BELL" if tty.code.five else "^C"
    begin = f"READ WHAT COMES, THEN ANSWER.  {ends} ENDS IT."
    asker.type_lines([begin, RYRY, _characters(tty)])
    if _ask(asker, "ARE ALL CHARACTERS RIGHT, Y OR N? ", "YES", "NO") == "NO":
        tty.type("THEN TRY --BAUD AND --BITS: SEE HELP LINE MACHINES.")
    echo = "LOOP" if tty.settings.loop else "ECHO" if tty.settings.echo else "NO ECHO"
    meant = {"ONCE": echo, "YES": echo, "TWICE": "NO ECHO", "NOT": "NO LOOP ECHO"}
    prompt = "DID THAT PRINT ONCE, TWICE OR NOT? "
    echo = meant[_ask(asker, prompt, "ONCE", "TWICE", "NOT", also=["YES"])]
    tty.set(echo)
    feeds = _ask(asker, "ARE BLANK LINES BETWEEN THEM, Y OR N? ", "YES", "NO") == "YES"
    width = _ask_width(tty, asker, columns)
    words = [as_typed("WIDTH", width), as_typed("LF", not feeds), echo]
    if tty.code.five:
        tty.type("7", end="")
        tty.send(SPACE)  # in figures, and without LTRS after it
        tty.type("8")
        unshifts = _ask(asker, "IS THERE 7 I, NOT 7 8, Y OR N? ", "YES", "NO") == "YES"
        words.append(as_typed("USOS", unshifts))
    # The line feed gives the carriage time to return.  A machine that feeds by itself
    # is sent none, so it needs one more filler.
    fill = _ask_fill(tty, asker, width) + (1 if feeds else 0)
    return " ".join([as_typed("FILL", fill), *words])


def _characters(tty: Station) -> str:
    """Return all characters that the machine prints, the letters first."""
    chars = filter(tty.code.has, map(chr, range(0x21, 0x2200)))  # up to the arrows
    printed = sorted(chars, key=lambda char: (not char.isalpha(), char))
    full = tty.settings.full
    return "".join(char for char in printed if full or char == char.upper())


def _ask_width(tty: Station, asker: Asker, columns: int) -> int:
    """Return the width of the paper, but at most `columns`.

    The letters that do not fit are printed on top of each other in the last column,
    which spoils the letter there.  If all are spoiled, a shorter line is tried.
    """
    while True:
        _type_with(tty, f"WIDTH {columns}", ALPHABET.rjust(columns, "-"))
        prompt = "WHAT IS THE LAST CLEAR LETTER AFTER ----? "
        last = _ask(asker, prompt, *ALPHABET, NONE)
        if last != NONE:
            return columns - max(0, len(ALPHABET) - 2 - ALPHABET.index(last))
        if columns == NARROW:
            return columns
        columns = max(NARROW, columns - len(ALPHABET) + 2)


def _ask_fill(tty: Station, asker: Asker, width: int) -> int:
    """Return the number of fillers needed after a line as wide as the paper."""
    for fill, letter in enumerate(LETTERS):
        _type_with(tty, f"{as_typed('FILL', fill)} WIDTH {width}", "X" * width)
        tty.type(f"{letter}-------")
    first = _ask(asker, "A TO E: THE FIRST LETTER AT THE LEFT? ", *LETTERS, NONE)
    return AMPLE_FILL if first == NONE else LETTERS.index(first)


def _type_with(tty: Station, words: str, line: str) -> None:
    """Type a line with these settings."""
    tty.set(words)
    tty.type(line)
    tty.set(LEGIBLE)


def _ask(asker: Asker, prompt: str, *answers: str, also: Sequence[str] = ()) -> str:
    *others, last = answers
    choices = f"{others[0]} TO {others[-1]}" if len(others) > 2 else ", ".join(others)
    otherwise = f"TYPE {choices} OR {last}."
    asked = Question(prompt, otherwise=otherwise, notes=[otherwise])
    return asker.ask(asked, (), partial(name_meant, names=(*answers, *also)))
