"""The manuals: text files beside the code they describe, and their sections."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import sail
from sail.refusal import Refusal, sanitized
from sail.typed import complete

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
NO_MANUAL = "NO SUCH MANUAL: THERE ARE {}."
NO_PART = "{1} IS NO PART OF {0}: HELP {0} LISTS THEM."
SEVERAL = "SEVERAL PARTS OF {} BEGIN WITH {}."


def find(words: str, program: str = "") -> str:
    """Return the text that HELP types for these words.

    They are a manual's name, which may be abbreviated, and then nothing for its table
    of contents, ALL, or the beginning of a section's title.  In a program a title of its
    own manual will do.  Raises Refusal.
    """
    first, _, title = words.upper().partition(" ")
    name = complete(first, MANUALS)
    if program and name != first:  # a title comes before an abbreviated name
        own = _fitting(_sections(program), words.upper())
        name, title = (name, title) if name and not own else (program, words.upper())
    if not name:
        raise Refusal(NO_MANUAL.format(", ".join(sorted(MANUALS))))
    return _part(name, title)


def _part(name: str, typed: str) -> str:
    """Return the table of contents, all of a manual or one section."""
    text = MANUALS[name].read_text("utf-8").rstrip("\n")
    head, *sections = map(str.rstrip, SECTION.split(text))
    if not typed:
        pages = map(str.splitlines, sections)
        listed = "\n".join(f"  {page[0]:<32}{len(page):5} LINES" for page in pages)
        lines = len(text.splitlines())
        return f"{head}\n\n{CONTENTS.format(listed, name, name, lines)}"
    if typed != "ALL":
        fits = _fitting(sections, typed)
        if len(fits) != 1:
            refusal = SEVERAL if fits else NO_PART
            raise Refusal(refusal.format(name, sanitized(typed)))
        text = fits[0]
    lines = len(text.splitlines())
    return f"{LENGTH.format(lines)}\n{text}" if lines > LONG else text


def _sections(name: str) -> list[str]:
    text = MANUALS[name].read_text("utf-8")
    return [section.rstrip() for section in SECTION.split(text)[1:]]


def _fitting(sections: Iterable[str], typed: str) -> list[str]:
    """Return the sections whose title begins with these words."""
    return list(filter(re.compile(ARTICLES + re.escape(typed)).match, sections))
