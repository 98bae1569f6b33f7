"""Refusals: errors that are typed to the user as one line."""

from __future__ import annotations


class Refusal(Exception):
    """An error whose text is one line for the teletype."""


def printable(text: str) -> str:
    """Return user input for a message: short, upper case, no control characters."""
    text = "".join(char for char in text.upper() if char.isprintable())
    return text if len(text) <= 20 else text[:20] + "..."
