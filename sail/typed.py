"""What people type: names that may be abbreviated, numbers, dashes; and plurals."""

from __future__ import annotations

from collections.abc import Iterable

# Signs that word processors put in the place of - and a blank.
TYPOGRAPHIC = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212\u00a0", "------ ")


def name_meant(typed: str, names: Iterable[str]) -> str | None:
    """Return the name typed, in full, or abbreviated if just one fits; else None."""
    fits = [name for name in names if name.startswith(typed)]
    return typed if typed in fits else fits[0] if len(fits) == 1 else None


def parse_number(typed: str, most: int, least: int = 1, base: int = 10) -> int | None:
    """Return the whole number that was typed; None unless it is in least..most.

    base: 10 or less.
    """
    if not typed or set(typed) - set("0123456789"[:base]):
        return None
    value = int(typed.lstrip("0")[:20] or "0", base)  # int() refuses 5,000 digits
    return value if least <= value <= most else None


def sanitized(text: str, most: int = 20) -> str:
    """Return user input for a message: upper case, printable, cut after `most`."""
    text = "".join(char for char in text.upper() if char.isprintable())
    return text if len(text) <= most else text[:most] + "..."


def plural(count: int) -> str:
    """Return the S of LINES, unless there is just one."""
    return "" if count == 1 else "S"
