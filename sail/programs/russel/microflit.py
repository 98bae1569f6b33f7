"""Microflit, the small DDT that shows and sets RUSSEL's words (M22-SYMBOLS).

It types a word as a LAW instruction, as a symbol with an offset, or in
octal.  Its table has the symbols of one and two letters only, so SAP, SBT, SOR,
BPV, PDL, FSL, MPV and PVT cannot be typed; SOR is ST-1 (M22-SYMTAB).  The memo's
printout reveals the addresses of only two symbols, in octal: MV is 64, since
221 is typed as MV 135, and RV is 601, since 777 is RV 176.
"""

from __future__ import annotations

import re

from sail.board import MOST_IN_ALL_PITS, MOST_STONES, Position
from sail.files import placing
from sail.programs.russel import says
from sail.programs.russel.analysis import RusselGame
from sail.programs.russel.words import MOST_WORD, SWITCHES, TD
from sail.refusal import Refusal
from sail.typed import sanitized

# A symbol with an offset, then / to open the word or = for octal, then a value.
SYMBOL = re.compile(r" *([A-Z]+[0-9]?)(?: *([+-]) *0*([0-7]{1,6}))? *([/=])(.*)")
LAWS = ("IA", "IB", "ID", "IP")  # words that are instructions: LAW 5, LAW I 377
WORD_OF_TD = re.compile("[0-7]00?[0-7]{3}|[0-7]{1,3}")  # x0yyy, x00yyy, or yyy
BOARD = (
    *("A6", "A5", "A4", "A3", "A2", "A1", "KA"),
    *("B6", "B5", "B4", "B3", "B2", "B1", "KB"),
)
ROUTINES = (
    *("DI", "EV", "IN", "MM", "MV", "OG", "PB"),
    *("PM", "PP", "PT", "RV", "SM", "ST", "SU"),
)
# The first and the last value that is typed as MV n or RV n.
ADDRESSES = {"MV": (0o64, 0o600), "RV": (0o601, 0o777)}
LAW_WORD, LAW_I_WORD = 0o700000, 0o710000
MOST_ADDRESS = 0o7777
RANGES = {
    **dict.fromkeys(("IA", "IB"), (-MOST_ADDRESS, MOST_ADDRESS)),
    "ID": (2, 0o77),
    "IP": (1, MOST_IN_ALL_PITS),
    "Y": (1, MOST_ADDRESS),
    "GM": (0, MOST_ADDRESS),
    **dict.fromkeys(("SOR", *SWITCHES), (0, 1)),
    **dict.fromkeys(("OP", *TD), (0, MOST_WORD)),
    **dict.fromkeys(BOARD, (0, MOST_STONES)),
}


def locate(game: RusselGame, symbol: str, offset: int) -> str | None:
    """Return the name of a word, None if there is none; ST-1 is SOR.

    Raises Refusal for a routine.
    """
    if (symbol, offset) == ("ST", -1):
        return "SOR"
    for names in BOARD, TD:  # consecutive words
        if symbol in names and 0 <= names.index(symbol) + offset < len(names):
            return names[names.index(symbol) + offset]
    if symbol in ROUTINES:
        raise Refusal(says.ROUTINE.format(symbol))
    if offset or symbol not in _contents(game) or symbol == "SOR":
        return None
    return symbol


def _contents(game: RusselGame) -> dict[str, int]:
    """Return the numbers that all words hold (M22-VARIABLES)."""
    analysis = game.analysis
    return {
        **game.words,
        **dict(zip(BOARD, _holes_of(game.position))),
        "AL": analysis.al,
        "BT": analysis.bt,
        "DP": analysis.dp,
        "EF": analysis.ef,
    }


def symbolic(game: RusselGame, name: str) -> str:
    """Return the word as microflit types it, like LAW I MV+313, MV 135 or 50010."""
    value = _contents(game)[name]
    if name in LAWS:
        law = says.LAW if value >= 0 else says.LAW_I
        return law.format(_with_symbol(abs(value), "+"))
    return _with_symbol(_in_18_bits(value), " ")


def octal(game: RusselGame, name: str) -> str:
    """Return the word in octal, like 710377 (M22-START)."""
    value = _contents(game)[name]
    if name in LAWS:
        value = LAW_WORD + value if value >= 0 else LAW_I_WORD - value
    return f"{_in_18_bits(value):o}"


def set_word(game: RusselGame, name: str, typed: str) -> None:
    """Set the word to the typed value.  Raises Refusal."""
    if name not in RANGES:
        raise Refusal(says.ONLY_SHOWN.format(name))
    value = _number(name, typed)
    if value is None:
        raise Refusal(says.NOT_OCTAL.format(sanitized(typed)))
    least, most = RANGES[name]
    if not least <= value <= most:
        raise Refusal(says.BETWEEN.format(name, least, most))
    if name in TD and not WORD_OF_TD.fullmatch(f"{value:o}"):
        raise Refusal(says.TD_LAYOUT.format(name))
    if name not in BOARD:
        game.words[name] = value
        return
    holes = _holes_of(game.position)
    holes[BOARD.index(name)] = value
    if sum(holes) > MOST_STONES:
        raise Refusal(placing.TOO_MANY)
    rows = tuple(holes[5::-1]), tuple(holes[12:6:-1])
    game.set_position(game.position._replace(rows=rows, kalahs=(holes[6], holes[13])))


def _holes_of(position: Position) -> list[int]:
    """Return the stones in a6 .. a1 ka b6 .. b1 kb."""
    (a, b), (ka, kb) = position.rows, position.kalahs
    return [*a[::-1], ka, *b[::-1], kb]


def parse_octal(typed: str) -> int | None:
    """Return the number for an octal value or address: 221, MV 135, MV+135, RV."""
    match = re.fullmatch(r"(MV|RV)(?: *[ +] *([0-7]+))?|([0-7]+)", typed)
    if not match:
        return None
    base = ADDRESSES[match[1]][0] if match[1] else 0
    return base + int(match[2] or match[3] or "0", 8)


def _number(name: str, typed: str) -> int | None:
    """Return the value typed for the word `name`; None if it is not a value.

    A word that holds an instruction may be typed like LAW I 377, like -377, or as the
    whole instruction in octal, like 710377.
    """
    if name not in LAWS:
        return parse_octal(typed)
    [(law, minus, rest)] = re.findall("^(LAW +)?(I +|-)?(.*)", typed)
    value = parse_octal(rest)
    if value is None:
        return None
    if minus:
        return -value
    if law or value < LAW_WORD:
        return value
    return value - LAW_WORD if value < LAW_I_WORD else LAW_I_WORD - value


def _with_symbol(value: int, plus: str) -> str:
    """Return the nearest symbol at or below the value, with the offset, or octal."""
    for symbol, (first, last) in ADDRESSES.items():
        if first <= value <= last:
            offset = value - first
            return f"{symbol}{plus}{offset:o}" if offset else symbol
    return f"{value:o}"


def _in_18_bits(value: int) -> int:
    """Return the PDP-1 word for a number, in ones' complement."""
    return value if value >= 0 else MOST_WORD + value
