"""Transcripts: files that hold the paper of a session, typed answers in braces.

    START WITH 1,2,3,4,5 OR 6? {3}

`play` gives the typed lines to a program and returns its paper.  {^C} is a ^C.
`compare` compares that paper with the file, blanks included.  pytest --accept
rewrites the ours-* files instead, so that a change is reviewed as a diff.  With
--keys NAME KEYS it first makes a new file that holds nothing but the keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from difflib import unified_diff
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import pytest

from sail.files.area import Area
from sail.settings import Settings
from sail.talk.asking import Asker
from sail.teletype import EndOfInput, Leave, Teletype

TRANSCRIPTS = Path(__file__).parent / "transcripts"
COLUMNS = 72
accept = False  # set by pytest --accept


def asker_of(
    tty: Teletype,
    area: Area | None = None,
    rules: tuple[str, ...] = (),
    clock: Callable[[], float] = float,
) -> Asker:
    """Return KALAH's asker; by default its user has no files, and no time goes by."""
    return Asker(tty, area or Area("/no/such/folder"), "KALAH", rules, clock=clock)


class Paper:
    """A teletype as a program sees it: type, ask, poll, pause.

    polls: after so many polls a ^C is typed; none is after 0.
    rings: how often the bell was rung.
    doubted: how many lines made no sense.
    tapes: each text that was punched, after its title.
    """

    settings = Settings(tape=False)
    live = True
    polls = 0
    rings = 0
    doubted = 0

    def __init__(self, keys: list[str]) -> None:
        self.keys = list(keys)
        self.text = ""
        self.tapes: list[tuple[str, str]] = []

    def type(self, text: str = "", end: str = "\n") -> None:
        self.text += text + end

    def ring(self) -> None:
        self.rings += 1

    def punch(self, text: str, name: str, title: str = "") -> None:
        self.tapes.append((title, text))

    def ask(self, prompt: str = "") -> str:
        self.text += prompt
        if not self.keys:
            raise EndOfInput
        key = self.keys.pop(0)
        self.text += "{" + key + "}\n"
        if key == "^C":
            raise Leave
        return key

    def in_figures(self, typed: str) -> str:
        return ""

    def doubt(self) -> None:
        self.doubted += 1

    def poll(self) -> bool:
        self.polls -= 1
        return self.polls == 0

    def pause(self) -> None:
        raise AssertionError("nothing stopped the work")


def keys(text: str) -> list[str]:
    """Return the lines that are typed in a transcript."""
    return re.findall(r"\{(.*?)\}", text)


def answered(text: str) -> int:
    """Return how often one question follows another: a refused answer repeats it."""
    lines = [line for line in text.split("\n") if "{" in line[1:]]
    return len(list(groupby(lines, lambda line: line.partition("{")[0])))


def begin(name: str, typed: str) -> None:
    """Make a transcript of keys alone.  Raises pytest.UsageError.

    name: like ours-kalah-game-short; its beginning says which test plays it.
    typed: the name of a file with a line for each key, or the keys with commas.
    """
    new = TRANSCRIPTS / f"{name}.txt"
    if not name.startswith("ours-") or new.exists():
        raise pytest.UsageError(
            f"{name} does not begin with ours-, or is there already"
        )
    file = Path(typed)
    lines = file.read_text("utf-8").splitlines() if file.is_file() else typed.split(",")
    new.write_text("".join(f"{{{line}}}\n" for line in lines), "utf-8")


def play(run: Callable[[Paper], None], typed: list[str]) -> str:
    """Return the paper of a program that asks for all of these lines."""
    paper = Paper(typed)
    with suppress(EndOfInput, Leave):
        run(paper)
    assert not paper.keys, f"never asked for: {paper.keys}\n{paper.text}"
    return paper.text


def typed(program: Callable[..., Any], area: Area, *keys: str, **named: object) -> str:
    """Return the paper of a program's session when these lines are typed."""
    return play(lambda tty: program(tty, area, **named).run(), [*keys])


def leave(run: Callable[[Paper], None], typed: list[str]) -> str:
    """Return the paper of a program that ends after the last of these lines.

    `play` also accepts a program that asks for more.
    """
    paper = Paper(typed)
    run(paper)
    assert not paper.keys, f"never asked for: {paper.keys}\n{paper.text}"
    return paper.text


def each(pattern: str) -> pytest.MarkDecorator:
    """Run a test for each transcript that matches, as its argument `file`."""
    files = sorted(TRANSCRIPTS.glob(pattern))
    assert files, pattern
    return pytest.mark.parametrize("file", files, ids=lambda file: file.stem)


def expect_no_failure(name: str, printed: str) -> None:
    """Fail if a program met an error of ours, which --accept would make a rule."""
    failed = re.search("(?m)^.*(INTERNAL ERROR|Traceback).*$", printed)
    assert not failed, f"{name} has an error of ours, mend that: {failed and failed[0]}"


def compare(file: Path, run: Callable[[list[str]], str]) -> None:
    """Compare a transcript with the paper of a run, or rewrite it.

    run: takes the lines that are typed in the transcript; returns the paper.
    """
    wanted = file.read_text("utf-8")
    printed = run(keys(wanted))
    lines = re.sub("[{}]", "", printed).splitlines()
    too_long = [line for line in lines if len(line) > COLUMNS]
    assert not too_long, f"longer than the paper is wide: {too_long}"
    if printed == wanted:
        return
    if accept and file.stem.startswith("ours-"):
        told = f"{file.name} has fewer answers that fit their questions: mend its keys"
        assert answered(printed) >= answered(wanted), told
        expect_no_failure(file.name, printed)
        file.write_text(printed, "utf-8")
        return

    def shown(blanks: re.Match[str]) -> str:
        return "\u00b7" * len(blanks[0])

    before, now = (
        re.sub("(?m) +$", shown, text).split("\n") for text in (wanted, printed)
    )
    diff = unified_diff(before, now, "the file", "the program", n=3, lineterm="")
    pytest.fail("\n".join([file.name, *islice(diff, 20)]), pytrace=False)
