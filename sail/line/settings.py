"""The settings of a line, and the words for them after TTY at the dot or --set.

For example: NO ECHO FILL 4 WIDTH 72
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

from sail.refusal import Refusal, printable


class BadSetting(Refusal, ValueError):
    """The words are not valid settings."""


class Settings(NamedTuple):
    """The settings of one machine.

    fill: the number of filler characters after each carriage return.
    echo: whether the computer prints what is typed (full duplex).
    full: whether lower case passes, in both directions.
    tabs: whether the machine has tab stops.
    width: the number of columns on its paper.
    lf: whether to send a line feed after each return; if not, the machine does it.
    pace: characters per second; 0 for the rate of the port.
    motor: whether RTS switches the motor.
    bell: whether a program may ring the bell.
    usos: whether a five-level machine unshifts on space.
    loop: whether all that is sent comes back; it implies no echo.
    cts: whether the machine holds its output by CTS.
    tape: whether it punches paper tape, so that a program may offer one.
    patience: minutes of silence after which a visitor has left; 0 for any time.
    """

    fill: int = 2
    echo: bool = True
    full: bool = False
    tabs: bool = False
    width: int = 72
    lf: bool = True
    pace: float = 0
    motor: bool = False
    bell: bool = False
    usos: bool = True
    loop: bool = False
    cts: bool = False
    tape: bool = True
    patience: int = 5


USUAL_FILL = 2
SWITCHES = (
    *("ECHO", "FULL", "TABS", "LF"),
    *("MOTOR", "BELL", "TAPE", "USOS", "LOOP", "CTS"),
)
ROWS = SWITCHES[:4], SWITCHES[4:]
# The least and the greatest values; a board of six pits is 42 columns wide.
NUMBERS = {"FILL": (1, 20), "WIDTH": (44, 255), "PACE": (1, 9999), "PATIENCE": (1, 99)}
UNKNOWN = "{} IS NOT A SETTING.  HELP TTY LISTS THEM."
WANTS_NUMBER = "{} TAKES A NUMBER FROM {} TO {}."


def changed(settings: Settings, words: str) -> Settings:
    """Return the settings as changed by these words.  Raises BadSetting."""
    typed = deque(words.upper().split())
    values: dict[str, Any] = {}
    while typed:
        word = typed.popleft()
        on = word != "NO" or not typed
        if not on:
            word = typed.popleft()
        if word in SWITCHES:
            values[word.lower()] = on
        elif word not in NUMBERS:
            raise BadSetting(UNKNOWN.format(printable(word)))
        elif on:
            values[word.lower()] = _take_number(word, typed)
        elif word == "WIDTH":
            raise BadSetting(WANTS_NUMBER.format(word, *NUMBERS[word]))
        else:
            values[word.lower()] = 0
    result = settings._replace(**values)
    return result._replace(echo=result.echo and not result.loop)


def _take_number(word: str, typed: deque[str]) -> float:
    """Remove the number after `word` from the front of `typed`, and return it."""
    following = typed[0] if typed else ""
    if word == "FILL" and not following[:1].isdigit():
        return USUAL_FILL
    least, most = NUMBERS[word]
    decimals = r"(\.[0-9]{1,2})?" if word == "PACE" else ""
    good = re.fullmatch("[0-9]{1,4}" + decimals, following)
    number = float(following) if good else 0
    if not least <= number <= most:
        raise BadSetting(WANTS_NUMBER.format(word, least, most))
    typed.popleft()
    return number if word == "PACE" else int(number)


def words(settings: Settings) -> list[str]:
    """Return rows of words that turn any settings into these: numbers, switches."""
    return [_words(settings, names) for names in (NUMBERS, *ROWS)]


def _words(settings: Settings, names: Iterable[str]) -> str:
    found = []
    for word in names:
        value = getattr(settings, word.lower())
        number = f" {value:g}" if word in NUMBERS else ""
        found.append(f"{word}{number}" if value else f"NO {word}")
    return " ".join(found)
