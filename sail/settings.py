"""The settings of a machine, and the words that TTY and --set take for them.

For example: NO ECHO FILL 4 WIDTH 72
"""

from __future__ import annotations

import re
from collections import deque
from typing import Any, NamedTuple

from sail.refusal import Refusal
from sail.typed import sanitized


class Settings(NamedTuple):
    """The settings of a machine, in the order in which TTY types them."""

    fill: int = 2  # filler characters after each carriage return
    width: int = 72  # columns on its paper
    pace: float = 0  # characters per second; 0 for the rate of the port
    patience: int = 5  # minutes of silence after which a visit ends; 0: no limit
    echo: bool = True  # the computer prints what is typed (full duplex)
    full: bool = False  # lower case passes, in both directions
    tabs: bool = False  # the machine has tab stops every 8 columns
    lf: bool = True  # send a line feed after each return; if not, the machine does it
    brief: bool = False  # KALAH types a short board, and one a turn
    motor: bool = False  # RTS switches the motor
    bell: bool = False  # a program may ring the bell
    tape: bool = True  # it has a punch and a reader, so that a program may offer a tape
    usos: bool = True  # a five-level machine unshifts on space
    loop: bool = False  # all that is sent comes back; it implies no echo
    cts: bool = False  # the machine suspends our output by CTS


NAMES = [name.upper() for name in Settings._fields]
# The least and the greatest values; a board of six pits fits in the least width.
NUMBERS = {"FILL": (1, 20), "WIDTH": (44, 255), "PACE": (1, 9999), "PATIENCE": (1, 99)}
WANTS_NUMBER = "{} TAKES A NUMBER FROM {} TO {}."


def changed(settings: Settings, words: str) -> Settings:
    """Return the settings as changed by these words.  Raises Refusal."""
    typed = deque(words.upper().split())
    values: dict[str, Any] = {}
    while typed:
        word = typed.popleft()
        on = word != "NO" or not typed
        word = word if on else typed.popleft()
        if word not in NAMES:
            listed = "HELP LINE SETTINGS LISTS THEM."
            raise Refusal(f"{sanitized(word)} IS NOT A SETTING.  {listed}")
        if word == "WIDTH" and not on:
            raise Refusal(WANTS_NUMBER.format(word, *NUMBERS[word]))
        takes_number = on and word in NUMBERS  # NO makes one 0
        values[word.lower()] = _take_number(word, typed) if takes_number else on
    result = settings._replace(**values)
    if result.cts and result.motor:
        raise Refusal("MOTOR AND CTS EXCLUDE EACH OTHER: BOTH USE RTS.")
    return result._replace(echo=result.echo and not result.loop)


def _take_number(word: str, typed: deque[str]) -> float:
    """Remove the number after `word` from the front of `typed`, and return it.

    Return the default for FILL without a number.  Raises Refusal.
    """
    following = typed[0] if typed else ""
    if word == "FILL" and not following[:1].isdigit():
        return Settings().fill
    least, most = NUMBERS[word]
    decimals = r"(\.[0-9]{1,2})?" if word == "PACE" else ""
    match = re.fullmatch("[0-9]{1,4}" + decimals, following)
    number = float(following) if match else 0
    if not least <= number <= most:
        raise Refusal(WANTS_NUMBER.format(word, least, most))
    typed.popleft()
    return number if word == "PACE" else int(number)


def as_commands(settings: Settings) -> list[str]:
    """Return the commands that set all this: numbers first, then switches."""
    words = [as_typed(name, getattr(settings, name.lower())) for name in NAMES]
    return [" ".join(["TTY", *line]) for line in (words[:4], words[4:9], words[9:])]


def as_typed(name: str, value: float) -> str:
    """Return the words after TTY for one setting."""
    number = f" {value:g}" if name in NUMBERS else ""
    return f"{name}{number}" if value else f"NO {name}"
