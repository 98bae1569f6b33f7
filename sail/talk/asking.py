"""Questions, and the commands that they take.

A command is a word that the question knows, like SHOW or YES; other answers are stones,
pits, a number or a name.  Each command has a line of help: ? lists the most important
of these, and ?? lists all of them.  RULES types the program's rules, and HELP with some
words a part of its manual whose title begins so, or else a command's line of help.
What is neither a command nor an answer gets one line of help.

What a command's function `obey` does, and what the question then does:

    returns a value     returns it: the command has answered
    returns None        asks again
    raises Refusal      types it, and asks again
    raises Back         asks again: the user went back from a question of the command's

A command without such a function goes back to the question before: it raises Back.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from textwrap import wrap
from typing import Generic, NamedTuple, NoReturn, TypeVar

from sail.files.area import Area
from sail.refusal import Refusal
from sail.stop import Clock
from sail.talk import manuals
from sail.teletype import Teletype
from sail.typed import parse_number

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)  # what a question asks for

LEAVING = {"EXIT": "QUIT", "BYE": "QUIT"}  # as other systems call it
MOST_LISTED = 24  # lines of a list that is typed before its question
FIRST_LISTED = 4  # lines that ? types of a longer list
NO_BREAK = "\xa0"  # a blank at which no line is broken
IGNORED = str.maketrans("", "", " ,!")  # in a command that must be typed in full


class Back(Exception):
    """The user goes back to the question before."""


@dataclass(frozen=True)
class Command(Generic[T_co]):
    """A command that a question takes.

    word: may be abbreviated (AKC-09400).
    help: what the lists say about it.
    obey: is called with the rest of the line; see the head of this module.  None: the
    command goes back.
    argument: what the lists show after the word, like NAME; without one, the word must
    be the whole line.
    short: whether the list of ? has it, and not only that of ??.
    in_full: whether it must be typed in full; blanks, commas and ! are then ignored.
    alias: another word for it, which must be typed in full; the lists omit it.
    """

    word: str
    help: str
    obey: Callable[[str], T_co | None] | None = None
    argument: str = ""
    short: bool = False
    in_full: bool = False
    alias: str = ""

    def _rest_of(self, line: str) -> str | None:
        """Return what follows this command on a line, None if it is another."""
        typed, _, rest = line.partition(" ") if self.argument else (line, "", "")
        if self.in_full:
            fits = typed.translate(IGNORED) == self.word.translate(IGNORED)
        else:
            fits = self.word.startswith(typed)
        return rest if typed and (fits or typed == self.alias) else None

    def _is_full(self, line: str) -> bool:
        """Return whether the line begins with the word, or the alias, in full."""
        return f"{line} ".startswith((f"{self.word} ", f"{self.alias or self.word} "))


Commands = Sequence[Command[T]]  # of a question; T: what it asks for

GOES_BACK: Command[NoReturn] = Command(
    "QUIT", "GOES BACK TO THE QUESTION BEFORE; SO DOES BACK", short=True, alias="BACK"
)


def answering(value: T) -> Callable[[str], T]:
    """Return the function of a command that always has this result."""
    return lambda _: value


def command_meant(
    commands: Commands[T], line: str, unique: bool = False
) -> tuple[Command[T] | None, str]:
    """Return the command that the line means, if any, and the rest of the line.

    One that is typed in full is meant.  Of several others that fit, the first is; if
    `unique`, none.
    """
    line = LEAVING.get(line, line)
    fits = [command for command in commands if command._rest_of(line) is not None]
    full = [command for command in fits if command._is_full(line)]
    if not fits or (unique and len(fits) > 1 and not full):
        return None, ""
    command = (full or fits)[0]
    return command, command._rest_of(line) or ""


def two_columns(
    commands: Iterable[Command[object]], answer_help: Mapping[str, str] = {}
) -> list[str]:
    """Return the lines of a list in two columns: what to type, and what it does.

    answer_help: of answers; they come first.
    """
    lines = dict(answer_help)
    for command in commands:
        lines[f"{command.word} {command.argument}".rstrip()] = command.help
    width = max(map(len, lines), default=0) + 2
    return [f"{what:{width}}{does}" for what, does in lines.items()]


def help_text(words: str, commands: Commands[object], program: str = "") -> str:
    """Return the text that HELP types for these words.

    They name a part of a manual, or else a command; at the dot, where there is no
    program, a command in full comes first.  Raises Refusal.
    """
    command, _ = command_meant([it for it in commands if it.in_full], words)
    if not command:
        command, _ = command_meant(commands, words.partition(" ")[0], unique=True)
    if program or not command or not command._is_full(words):
        try:
            return manuals.find(words, program)
        except Refusal:
            if not command:
                raise
    return two_columns([command])[0]


def attempt(tty: Teletype, action: Callable[[], T]) -> T | None:
    """Return action(); if it raises a Refusal, type that and return None."""
    try:
        return action()
    except Refusal as error:
        tty.type(str(error))
        return None


class Question(NamedTuple):
    """What a question types.

    otherwise: the line typed for anything that is neither an answer nor a command.
    answer_help: for the lists, what to type for an answer, and what that does.
    notes: lines typed before either list.
    raw: whether an answer keeps its blanks as typed.
    short_list: the lines of ?, if they are not to be those of the short commands.
    """

    prompt: str
    otherwise: str = ""
    answer_help: Mapping[str, str] = {}
    notes: Sequence[str] = ()
    raw: bool = False
    short_list: Sequence[str] = ()

    def filled(self, *values: object) -> Question:
        """Return the question with these values in `prompt`, `otherwise`, `notes`."""
        prompt, otherwise = self.prompt.format(*values), self.otherwise.format(*values)
        notes = [note.format(*values) for note in self.notes]
        return self._replace(prompt=prompt, otherwise=otherwise, notes=notes)


@dataclass(eq=False)
class Asker:
    """Asks the questions of a program, of the user of a teletype and an area.

    program: whose manual HELP types.  rules: what RULES types.
    with_asides: whether the program types lines of ours that nobody asked for.
    clock: for work that has a time limit.  asides_so_far: those of `aside_once`.
    """

    tty: Teletype
    area: Area
    program: str
    rules: Sequence[str]
    with_asides: bool = True
    clock: Clock = time.monotonic
    asides_so_far: set[str] = field(default_factory=set, init=False)

    def ask(
        self,
        question: Question,
        commands: Commands[T] = (GOES_BACK,),
        meaning: Callable[[str], T | None] = lambda answer: None,
        empty: T | None = None,
    ) -> T:
        """Ask until the user types an answer, and return what it means.

        Raises Back after a command that goes back.

        meaning: is called with any line that neither is a command nor asks for help; it
        returns what the line means, or None if it is not an answer; then it is tried
        again with figures, so it must have kept nothing of the line.  It may raise a
        Refusal, which is typed, or Back from a question of its own.  Its line is in
        upper case, with one blank between words, unless the question is `raw`.
        empty: what just a carriage return means; None if that is for `meaning` to say.
        """
        while True:
            typed = self.tty.ask(question.prompt)
            if empty is not None and not typed.strip():
                return empty
            understand = partial(self._understand, typed, question, commands, meaning)
            if (meant := attempt(self.tty, understand)) is not None:
                return meant

    def _understand(
        self,
        typed: str,
        question: Question,
        commands: Commands[T],
        meaning: Callable[[str], T | None],
    ) -> T | None:
        """Return what a line means, or the answer of its command; None: ask again.

        Raises Refusal; Back after a command that goes back.
        """
        typed = typed.upper()
        answer = " ".join(typed.split())
        command, rest = command_meant(commands, answer)
        if command and not command.obey:
            raise Back
        with suppress(Back):
            if command and command.obey:
                return command.obey(rest)
            if self._help(answer, question, commands):
                return None
            meant = meaning(typed if question.raw else answer)
            if meant is not None:
                return meant
            self.tty.doubt()
            if question.otherwise:
                self.tty.type(question.otherwise)
            figures = self.tty.in_figures(answer)  # on five levels
            if figures and _accepts(meaning, figures):
                self.tty.type(f"PRESS FIGS FIRST: THEN {answer} IS {figures}.")
        return None

    def ask_yes(
        self, question: Question, yes: str, no: str, *others: Command[bool]
    ) -> bool:
        """Ask for YES or NO and return True for YES.  Raises Back.

        yes, no: what each does, for the lists.  others: commands instead of QUIT.
        """
        commands = (
            Command("YES", yes, answering(True), short=True),
            Command("NO", no, answering(False), short=True),
        )
        return self.ask(question, (*commands, *(others or (GOES_BACK,))))

    def ask_number(
        self,
        question: Question,
        most: int,
        lines: Callable[[], Iterable[str]],
        below: Sequence[str] = (),
        default: int | None = None,
    ) -> int:
        """Ask for a number from 1 to `most`, unless that is 1.  Raises Back.

        question: it is filled with `most`.  lines: returns the lines that say what the
        numbers mean.  below: the lines typed below them.  default: what an empty line
        means, None if it is no answer.
        """
        if most == 1:
            return most

        def show(first: int | None, end: Sequence[str], _: str) -> None:
            self.type_lines(chain(islice(lines(), first), end))

        listed = [*islice(lines(), MOST_LISTED + 1)]
        if len(listed) + len(below) <= MOST_LISTED:
            self.type_lines([*listed, *below])
        more = "?? LISTS MORE.  " if len(listed) > FIRST_LISTED else ""
        ways_on = f"{more}Q GOES BACK.", *below
        commands: Commands[int] = (
            Command("?", "LISTS THE FIRST LINES", partial(show, FIRST_LISTED, ways_on)),
            Command("??", "LISTS MORE LINES", partial(show, None, below)),
            GOES_BACK,
        )
        return self.ask(
            question.filled(most),
            commands,
            partial(parse_number, most=most),
            default,
        )

    def type_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.tty.type(line)

    def aside(self, line: str) -> None:
        """Type a line of ours that nobody asked for, if there are to be any."""
        if self.with_asides:
            self.tty.type(line)

    def aside_once(self, line: str) -> None:
        """Type such a line, but only the first time."""
        if line not in self.asides_so_far:
            self.aside(line)
        self.asides_so_far.add(line)

    def type_folded(self, text: str) -> None:
        """Type a text in lines as wide as the paper; no word is alone on the last.

        Nor is a player's letter parted from his turn, as in A 3,6.
        """
        tied = r" +(?=\S+$)|(?<=\b[AB]) (?=[1-6])"
        text = re.sub(tied, lambda gap: NO_BREAK * len(gap[0]), text)
        lines = wrap(text, self.tty.settings.width)
        self.type_lines(line.replace(NO_BREAK, " ") for line in lines)

    def _help(
        self, answer: str, question: Question, commands: Commands[object]
    ) -> bool:
        """Type the help that is asked for; return False if the answer asks for none.

        Such a line begins or ends with RULES or HELP.  After HELP and words that name
        no part of a manual, as in HELP ME, the refusal is typed and then the list.
        """
        words = answer.replace("?", " ").split() or [answer]
        title = words[1:] if words[0] == "HELP" else []
        find = partial(help_text, " ".join(title), commands, self.program)
        if "RULES" in (words[0], words[-1], *title[:1]) and self.rules:
            self.type_lines(self.rules)
        elif title and (text := attempt(self.tty, find)):
            self.tty.type(text)
        elif answer in ("?", "??") or "HELP" in (words[0], words[-1]):
            every = two_columns(commands, question.answer_help)
            short = [command for command in commands if command.short]
            few = [*(question.short_list or two_columns(short, question.answer_help))]
            more = ["??"] * (every != few) + ["RULES"] * bool(self.rules)
            more.append(f"HELP {self.program}")
            few.append(f"FOR MORE TYPE {' OR '.join(more)}.")
            self.type_lines([*question.notes, *(every if answer == "??" else few)])
        else:
            return False
        return True


def _accepts(meaning: Callable[[str], T | None], answer: str) -> bool:
    """Return whether a question takes such an answer, even if it refuses this one."""
    try:
        return meaning(answer) is not None
    except (Refusal, Back):
        return True
