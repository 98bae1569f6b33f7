"""The manuals: text files beside the code they describe, and their parts.

The statements of the sources are manuals, too: sail/sources/KEY.TXT.  A part there
is one statement, `ID, state: words`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from sail import HOUSE
from sail.refusal import Refusal
from sail.typed import name_meant, sanitized

# The manuals by name: one for each program, LINE, of the teletype and the monitor, and
# SOURCES, which leads to the statements by the key of their source.
MANUALS = {path.stem: path for path in HOUSE.glob("*/**/*.DOC")}
STATEMENTS = {path.stem: path for path in sorted(HOUSE.glob("sources/*.TXT"))}
# A part begins at an underlined title, or is a statement.
PART = re.compile(r"^(?=.+\n---+$|[A-Z0-9]+-[A-Z0-9.-]+, [a-z]+: )", re.MULTILINE)
ARTICLES = "((AT|THE|AN?) )*"  # which the user may omit before a title
CONTENTS = """\
{}
TO READ A PART, TYPE HELP {} AND THE BEGINNING OF ITS TITLE.
HELP {} ALL TYPES ALL {} LINES."""
LONG = 40  # lines; HELP announces the length of a longer text
NO_PART = "{1} IS NOT A PART OF {0}: HELP {0} LISTS THEM."
SEVERAL = "SEVERAL PARTS OF {} BEGIN WITH {}."


def find(words: str, program: str = "") -> str:
    """Return the text that HELP types for these words.

    They are a manual's name, which may be abbreviated, and then nothing for its table
    of contents, ALL, or the beginning of a part's title.  In a program a title of
    its own manual will do.  SOURCES, a key of its list and a statement's ID are names,
    too.  Raises Refusal.
    """
    word, _, title = words.upper().partition(" ")
    word = word.removesuffix(".DOC")
    if word == "SOURCES" and title not in ("", "ALL"):
        word, _, title = title.partition(" ")
        if word.partition("-")[0] not in STATEMENTS:
            raise Refusal(NO_PART.format("SOURCES", sanitized(word)))
    key, dash, _ = word.partition("-")
    if key in STATEMENTS:
        return _text(key, word if dash else title)
    name = name_meant(word, MANUALS)
    if program and name != word:  # a title comes before an abbreviated name
        own = _fitting(_parts(program)[1:], words.upper())
        name, title = (name, title) if name and not own else (program, words.upper())
    if not name:
        raise Refusal(f"NO SUCH MANUAL; TRY {', '.join(sorted(MANUALS))}.")
    return _text(name, title)


def _text(name: str, typed: str) -> str:
    """Return the table of contents, all of a manual or one part."""
    head, *parts = _parts(name)
    text = read(name)
    if name == "SOURCES":
        text = "\n\n".join([head, *map(_summary, STATEMENTS)])
    elif not typed and name in STATEMENTS:
        text = "\n".join([_summary(name), "", *parts])
    elif not typed:
        split = map(str.splitlines, parts)
        titles = "\n".join(f"  {part[0]:<32}{len(part):5} LINES" for part in split)
        count = len(text.splitlines())
        return f"{head}\n\n{CONTENTS.format(titles, name, name, count)}"
    elif typed != "ALL":
        fits = _fitting(parts, f"{typed},") or _fitting(parts, typed)
        if len(fits) != 1:
            form = SEVERAL if fits else NO_PART
            raise Refusal(form.format(name, sanitized(typed)))
        text = fits[0]
    count = len(text.splitlines())
    return f"{count} LINES.  ^C ENDS THEM.\n{text}" if count > LONG else text


def read(name: str) -> str:
    """Return the whole text of a manual, or of the statements of a source."""
    return {**MANUALS, **STATEMENTS}[name].read_text("utf-8").rstrip("\n")


def _parts(name: str) -> list[str]:
    """Return what comes before the first part, and the parts."""
    return [part.rstrip() for part in PART.split(read(name))]


def _summary(key: str) -> str:
    """Return what a key stands for, and the number of its statements in each state."""
    head, *statements = _parts(key)
    states = Counter(re.split(", |: ", text, maxsplit=2)[1] for text in statements)
    counts = ", ".join(f"{count} {state}" for state, count in states.most_common())
    return f"{head}\n    {counts}"


def _fitting(parts: Iterable[str], typed: str) -> list[str]:
    """Return the parts whose title begins with these words."""
    return list(filter(re.compile(ARTICLES + re.escape(typed)).match, parts))
