"""The manuals: plain texts beside what they describe, typed by HELP NAME."""

from __future__ import annotations

import pkgutil

LINE = "LINE"  # of the teletype and the monitor


def manual(name: str) -> str | None:
    """The manual of a program, or of the LINE; None if it has none."""
    folder = "line" if name == LINE else f"programs/{name.lower()}"
    try:
        text = pkgutil.get_data("sail", f"{folder}/{name}.DOC")
    except OSError:
        return None
    return text.decode() if text else None
