"""The settings of a line, in the words of TTY at the dot and of --set.

NO ECHO FILL 4 WIDTH 72
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from sail.refusal import Refusal, printable


class BadSetting(Refusal, ValueError):
    """What is wrong with the words."""


class Settings(NamedTuple):
    """How one machine is served.

    fill: filler characters after each return of the carriage.
    echo: the computer prints what is typed (full duplex).
    full: lower case passes, both ways.
    tabs: the machine has tabulator stops.
    width: the columns of its paper.
    lf: a line feed follows the return; without it the machine feeds itself.
    pace: characters a second; 0 for the rate of the port.
    motor: RTS switches the motor.
    """

    fill: int = 2
    echo: bool = True
    full: bool = False
    tabs: bool = False
    width: int = 72
    lf: bool = True
    pace: float = 0
    motor: bool = False


USUAL_FILL = 2
SWITCHES = ("ECHO", "FULL", "TABS", "LF", "MOTOR")
NUMBERS = {"FILL": (1, 20), "WIDTH": (20, 255), "PACE": (1, 9999)}
UNKNOWN = "{} IS NO SETTING.  HELP TTY TYPES THEM."
WANTS_NUMBER = "{} TAKES A NUMBER FROM {} TO {}."


def changed(settings: Settings, words: str) -> Settings:
    """The settings as these words change them, later words over earlier.

    Raises BadSetting.
    """
    left = words.upper().split()
    values: dict[str, Any] = {}
    while left:
        word = left.pop(0)
        on = word != "NO" or not left
        if not on:
            word = left.pop(0)
        if word in SWITCHES:
            values[word.lower()] = on
        elif word not in NUMBERS:
            raise BadSetting(UNKNOWN.format(printable(word)))
        elif on:
            values[word.lower()] = _number(word, left)
        elif word == "WIDTH":
            raise BadSetting(WANTS_NUMBER.format(word, *NUMBERS[word]))
        else:
            values[word.lower()] = 0
    return settings._replace(**values)


def _number(word: str, left: list[str]) -> float:
    """The number that follows a word; it is taken from what is left."""
    typed = left[0] if left else ""
    if word == "FILL" and not typed[:1].isdigit():
        return USUAL_FILL
    least, most = NUMBERS[word]
    decimals = r"(\.[0-9]{1,2})?" if word == "PACE" else ""
    good = re.fullmatch("[0-9]{1,4}" + decimals, typed)
    number = float(typed) if good else 0
    if not least <= number <= most:
        raise BadSetting(WANTS_NUMBER.format(word, least, most))
    del left[0]
    return number if word == "PACE" else int(number)


def words(settings: Settings) -> str:
    """The words that make these settings out of any others."""
    return " ".join(map(_words, settings._fields, settings))


def _words(name: str, value: float | bool) -> str:
    word = name.upper()
    if word in SWITCHES or not value:
        return word if value else f"NO {word}"
    return f"{word} {value:g}"
