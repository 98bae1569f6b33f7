"""Transcripts: a file is the paper, what a person types stands in braces.

    START WITH 1,2,3,4,5 OR 6? {3}

`play` hands the typed lines to a program and returns the paper that comes
out, to be compared exactly, blanks included.  {^C} is a ^C.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sail.teletype import EndOfInput, Leave

TRANSCRIPTS = Path(__file__).parent / "transcripts"


class Paper:
    """What a program sees of a teletype: type, ask, poll."""

    width = 72
    live = True

    def __init__(self, keys: list[str]) -> None:
        self.keys = list(keys)
        self.text = ""

    def type(self, text: str = "", end: str = "\n") -> None:
        self.text += text + end

    def ask(self, prompt: str = "") -> str:
        self.text += prompt
        if not self.keys:
            raise EndOfInput
        key = self.keys.pop(0)
        self.text += "{" + key + "}\n"
        if key == "^C":
            raise Leave
        return key

    def poll(self) -> bool:
        return False

    def pause(self) -> None:
        raise AssertionError("nothing stopped the work")


def keys(text: str) -> list[str]:
    """What is typed in a transcript, line by line."""
    return re.findall(r"\{(.*?)\}", text)


def play(run: Callable[[Paper], None], typed: list[str]) -> str:
    """The paper of a program that is typed these lines; all must be used."""
    paper = Paper(typed)
    with suppress(EndOfInput, Leave):
        run(paper)
    assert not paper.keys, f"never asked for: {paper.keys}\n{paper.text}"
    return paper.text


def leave(run: Callable[[Paper], None], typed: list[str]) -> str:
    """The paper of a program that returns after the last of these lines.

    `play` is content with a program that asks once more.
    """
    paper = Paper(typed)
    run(paper)
    assert not paper.keys, f"never asked for: {paper.keys}\n{paper.text}"
    return paper.text


def transcripts(pattern: str) -> list[Path]:
    """The transcript files whose names match."""
    return sorted(TRANSCRIPTS.glob(pattern))
