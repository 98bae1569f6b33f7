"""The manuals: plain texts beside the code they describe; HELP NAME types them."""

from __future__ import annotations

import pkgutil

LINE = "LINE"  # the manual of the teletype and the monitor


def manual(name: str) -> str | None:
    """Return the manual of a program or of the LINE; None if it has none."""
    folder = "line" if name == LINE else f"programs/{name.lower()}"
    try:
        text = pkgutil.get_data("sail", f"{folder}/{name}.DOC")
    except OSError:
        return None
    return text.decode() if text else None
