"""Refusals: one line that says what is wrong, fit to be typed."""

from __future__ import annotations


class Refusal(Exception):
    """One line, fit to be typed; the subclass says what it is about."""


def printable(text: str) -> str:
    """What was typed as it can be typed back: cut, upper case, no controls."""
    kept = "".join(c for c in text.upper() if c.isprintable())
    return kept if len(kept) <= 20 else kept[:20] + "..."
