"""Words as they are typed: names that may be abbreviated."""

from __future__ import annotations

from collections.abc import Iterable


def complete(typed: str, names: Iterable[str]) -> str:
    """Return the name typed, in full or abbreviated; "" if none or several fit."""
    found = [name for name in names if name.startswith(typed)]
    return typed if typed in found else found[0] if len(found) == 1 else ""
