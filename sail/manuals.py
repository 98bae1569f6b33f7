"""The manuals: plain texts beside the code they describe; HELP NAME types them."""

from __future__ import annotations

import pkgutil

LINE = "LINE"  # the manual of the teletype and the monitor


def manual(name: str) -> str:
    """Return the manual of a program or of the LINE."""
    folder = "line" if name == LINE else f"programs/{name.lower()}"
    return (pkgutil.get_data("sail", f"{folder}/{name}.DOC") or b"").decode()
