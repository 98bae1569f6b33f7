"""The manuals: text files beside the code they describe, and their sections."""

from __future__ import annotations

import re
from pathlib import Path

import sail

# The manuals by name: one for each program, and LINE, of the teletype and the monitor.
MANUALS = {path.stem: path for path in Path(sail.__file__).parent.glob("*/**/*.DOC")}
SECTION = re.compile(r"^(?=.+\n---+$)", re.MULTILINE)  # at an underlined title
ARTICLES = "((AT|THE|AN?) )*"  # which the user may omit before a title
CONTENTS = """\
{}
TO READ A PART, TYPE HELP {} AND THE BEGINNING OF ITS TITLE.
HELP {} ALL TYPES ALL {} LINES."""
LENGTH = "{} LINES.  ^C ENDS THEM."
LONG = 40  # lines; HELP announces the length of a longer text


def part(name: str, typed: str) -> str:
    """Return the text that HELP types from a manual.

    typed: "" for the table of contents, ALL, or the beginning of a section's title.
    Return "" if no title, or more than one, begins with it.
    """
    text = MANUALS[name].read_text("utf-8")
    head, *sections = map(str.rstrip, SECTION.split(text))
    if not typed:
        pages = map(str.splitlines, sections)
        listed = "\n".join(f"  {page[0]:<32}{len(page):5} LINES" for page in pages)
        lines = len(text.splitlines())
        return f"{head}\n\n{CONTENTS.format(listed, name, name, lines)}"
    if typed != "ALL":
        begins = re.compile(ARTICLES + re.escape(typed))
        fits = list(filter(begins.match, sections))
        if len(fits) != 1:
            return ""
        text = fits[0]
    lines = len(text.splitlines())
    return f"{LENGTH.format(lines)}\n{text}" if lines > LONG else text
