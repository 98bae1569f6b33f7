"""Choosing a position, typed or on file, or a saved game; saving a position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from textwrap import shorten
from typing import TypeVar

from sail.board import KALAH_RULES, MOST_PITS, PLAYERS, Position, Rules
from sail.files import games, placing, positions, seal, tally
from sail.files.area import Area, with_extension
from sail.files.placing import BEGINS, PartialPosition
from sail.files.positions import POS, Entry
from sail.game import Game
from sail.refusal import Refusal
from sail.stop import check_stop
from sail.talk.asking import Asker, Back, Command, Question, attempt
from sail.teletype import COLUMNS
from sail.typed import parse_number, sanitized

T = TypeVar("T")

SPECIAL_HELP = "SETS UP A POSITION; ? LISTS THEM; ALONE, IT ASKS"
A_NUMBER = "TYPE A NUMBER FROM 1 TO {}, ? FOR A LIST, OR Q."
WHICH_POSITION = Question("WHICH POSITION, 1 TO {}? ", otherwise=A_NUMBER)
WHICH_EXERCISE = WHICH_POSITION._replace(
    otherwise="TYPE 1 TO {}, RETURN FOR THE NEXT UNSOLVED, ? FOR A LIST, OR Q."
)
ORDINALS = "FIRST", "SECOND"
WAYS_OUT = "  ? HELPS, Q GOES BACK."  # also at the end of every third refusal
STONES_OF = Question(
    "{0} PLAYER ({1}): STONES IN THE KALAH AND PITS 1-{2}? ",  # AKC-15000
    otherwise="TYPE {3} NUMBERS, LIKE {4}." + WAYS_OUT,
    notes=[
        "TYPE THE STONES IN {1}'S KALAH, THEN IN HIS PITS 1 TO {2}.  PIT 1 IS NEXT",
        "TO HIS KALAH.  A'S LINE MAY GO ON WITH B'S STONES.  A IS TO MOVE UNLESS",
        "YOU ADD B TO MOVE.",
    ],
)
WHICH_GAME = Question(
    "WHICH GAME, 1 TO {}? ",
    otherwise="TYPE A NUMBER FROM 1, THE OLDEST, TO {}, ? FOR A LIST, OR Q.",
)
MOST_FOR_VISITORS = 10  # games that a list shows them
BEFORE_WHICH_TURN = Question("BEFORE WHICH TURN, 1 TO {}? ", otherwise=A_NUMBER)


def special_command(
    asker: Asker,
    take: Callable[[Entry], T | None],
    rules: Rules = KALAH_RULES,
    pits: int = MOST_PITS,
) -> Command[T]:
    """Return the command SPECIAL, which calls `take` with a special position.

    rules: those by which it is played.
    """

    def obey(typed: str) -> T | None:
        entry = ask_special_position(asker, typed, pits)
        return take(entry._replace(position=entry.position._replace(rules=rules)))

    return Command("SPECIAL", SPECIAL_HELP, obey, "NAME", short=True)


def _position_list(area: Area) -> Iterator[str]:
    """Yield the lines of SPECIAL ?: files of positions, with their first words.

    After them come files that are misnamed, and how to see a whole title.
    """
    for name in area.names(with_shelf=True):
        if name.endswith(POS):
            try:
                entries = positions.parse(area.read(name), name)
                several = f"{len(entries)} POSITIONS: " if len(entries) > 1 else ""
                title = several + " ".join(entries[0].comments)
            except Refusal as error:
                title = str(error)
            title = shorten(title, COLUMNS - 8, placeholder=" ...")
            yield f"{name.removesuffix(POS):<8}{title}"
    for name in area.misnamed():
        yield f"{sanitized(name)} IS NOT READ: NAME IT LIKE CLASS1.POS."
    yield "SPECIAL AND A NAME TYPE A WHOLE TITLE, AND SET UP ITS POSITION."


def ask_special_position(asker: Asker, typed: str, pits: int = MOST_PITS) -> Entry:
    """Return a special position (AKC-15000).

    typed: the name of its file, perhaps with its number there, like STUDY 7; KALAH.OUT,
    perhaps with the number of a game, to choose a turn there; the stones; "" to be
    asked for them; ? to list the positions and raise Back.  Raises Refusal, Back.
    """
    if typed == "?":
        asker.type_lines(_position_list(asker.area))
        raise Back
    if not typed or BEGINS.match(typed):
        return Entry(_ask_position(asker, pits, typed))
    name, _, which = typed.partition(" ")
    if name == seal.KALAH_OUT:
        entry = Entry(_ask_position_in_game(asker, which))
    else:
        entry = ask_entry(asker, read_positions(asker.area, name), which)
    if entry.position.pits_a_side != pits:
        file = with_extension(name, POS)
        raise Refusal(f"{file} HAS {entry.position.pits_a_side} PITS A SIDE.")
    return entry


def _ask_position(asker: Asker, pits: int, typed: str) -> Position:
    """Ask for a position, or what `typed` lacks of one.  Raises Refusal, Back."""
    while True:
        begun = PartialPosition().with_line(typed, pits)
        begun = begun if begun.sides else _ask_sides(asker, begun, pits)
        with suppress(Back):
            if not begun.has_sides:
                begun = _ask_sides(asker, begun, pits)
            return begun.position()
        typed = ""


def _ask_sides(asker: Asker, before: PartialPosition, pits: int) -> PartialPosition:
    """Ask for the next player's stones, or from A for those of both.  Raises Back."""
    refusals = count(1)

    def sides(answer: str) -> PartialPosition | None:
        try:
            file, is_name = f"{answer}{POS}", re.fullmatch("[A-Z0-9]{1,6}", answer)
            if is_name and asker.area.has(file, with_shelf=True):
                raise Refusal(f"FOR FILE {file} TYPE Q, THEN SPECIAL {answer}.")
            after = before.with_line(answer, pits) if answer else before
        except Refusal as error:
            asker.tty.doubt()
            ways_out = "" if next(refusals) % 3 else WAYS_OUT
            raise Refusal(f"{error}{ways_out}") from None
        return after if len(after.sides) > len(before.sides) else None

    player = len(before.sides)
    values = ORDINALS[player], PLAYERS[player], pits, pits + 1, placing.example(pits)
    return asker.ask(STONES_OF.filled(*values), meaning=sides)


def _position_file(name: str) -> str:
    """Return the name of a position's file, like FIG2.POS.  Raises Refusal."""
    if not name:
        how = "ADD A NAME OF AT MOST 6 LETTERS OR DIGITS, FOR THE FILE NAME.POS."
        raise Refusal(how)
    file = with_extension(name, POS)
    if not file.endswith(POS):
        why = "IS NOT THE FILE OF A POSITION, LIKE MINE OR MINE.POS."
        raise Refusal(f"{sanitized(name)} {why}")
    return file


def read_positions(area: Area, name: str) -> list[Entry]:
    """Return the positions on a file.  Raises Refusal."""
    file = _position_file(name)
    if not area.has(file, with_shelf=True):
        raise Refusal(f"{file} NOT FOUND.  SPECIAL ? LISTS THE POSITIONS.")
    return positions.parse(area.read(file), file)


def ask_entry(asker: Asker, entries: list[Entry], which: str) -> Entry:
    """Return position number `which`; if it is "" and there are several, ask.

    Raises Refusal, Back.
    """
    if not which and len(entries) > 1:
        return entries[_ask_which(asker, entries) - 1]
    number = _number_on(entries[0].file, "POSITION", which or "1", len(entries))
    return entries[number - 1]


def _number_on(file: str, what: str, which: str, most: int) -> int:
    """Return the number of a position or game that was typed.  Raises Refusal."""
    number = parse_number(which, most)
    if not number:
        missing = f"THERE IS NO {what} {sanitized(which)}"
        raise Refusal(f"{missing}: {file} HAS {most}.")
    return number


def with_solved(asker: Asker, entries: list[Entry]) -> list[Entry]:
    """Return the entries of a file, each `solved` if the tally says so, too."""
    read = partial(tally.solved, asker.area, entries[0].file)
    solved = attempt(asker.tty, read) or set()
    return [it._replace(solved=it.solved or it.number in solved) for it in entries]


def next_exercise(entries: Iterable[Entry]) -> int | None:
    """Return the number of the first unsolved exercise, or of the first, if any."""
    exercises = [(it.solved, it.number) for it in entries if it.is_exercise]
    return min(exercises)[1] if exercises else None


def _ask_which(asker: Asker, entries: list[Entry]) -> int:
    """Ask for a position's number; the default is the next unsolved.  Raises Back."""
    entries = with_solved(asker, entries)
    titles = [  # X after the number: solved at the first try
        f"{it.number:>3}{'X' if it.solved else ' '} {''.join(it.comments[:1])}"
        for it in entries
    ]
    question, below, default = WHICH_POSITION, [], next_exercise(entries)
    if default:
        done = [entry.solved for entry in entries if entry.is_exercise]
        question = WHICH_EXERCISE
        below = [f"SOLVED: {sum(done)} OF {len(done)}.  RETURN TAKES {default}."]
    return asker.ask_number(question, len(entries), lambda: titles, below, default)


def save_position(asker: Asker, entry: Entry, typed: str) -> None:
    """Save a position under a new name, and type its file's name.  Raises Refusal.

    typed: the name; words may follow it, which replace the comments on the position.
    """
    name, _, words = typed.partition(" ")
    file = _position_file(name)
    comments = (words,) if words else entry.comments
    copy = entry._replace(comments=comments, solved=False)
    asker.area.write(file, positions.text_of(copy), new=True)
    asker.tty.type(f"THIS POSITION IS SAVED ON {file}.")


def ask_saved_game(
    asker: Asker,
    saved: games.SavedGames | list[Game],
    file: str,
    then: Callable[[Game], T],
    which: str = "",
) -> T:
    """Return `then` of game number `which` of a file.

    If `which` is "" and there are several, ask, and again when `then` goes back.
    Raises Back, Refusal.
    """
    if not saved:
        raise Refusal(f"THERE IS NO GAME ON {file}.")
    if which or len(saved) == 1:
        return then(saved[_number_on(file, "GAME", which or "1", len(saved)) - 1])

    def summaries() -> Iterator[str]:
        """Yield how many games there are, and a line for each, the last one first.

        The list ends at a game that cannot be read.
        """
        yield f"{file} HAS {len(saved)} GAMES, THE LATEST FIRST."
        try:
            most = MOST_FOR_VISITORS if asker.area.for_visitor else None
            for number in range(len(saved), 0, -1)[:most]:
                check_stop(asker.tty.poll)
                yield f"{number:>3}  {games.summary(saved[number - 1])}"
        except Refusal as error:
            yield str(error)

    while True:
        number = asker.ask_number(WHICH_GAME, len(saved), summaries)
        with suppress(Back):
            return then(saved[number - 1])


def _ask_position_in_game(asker: Asker, which: str) -> Position:
    """Ask for a turn of a game on KALAH.OUT; return the position before it.

    which: the game's number; "" to ask for it.  Raises Refusal, Back.
    """

    def position_in(game: Game) -> Position:
        before = [turn.before for turn in game.turns]
        before += [] if game.position.over else [game.position]
        turns = partial(games.turn_lines, game.turns)
        return before[asker.ask_number(BEFORE_WHICH_TURN, len(before), turns) - 1]

    saved = games.saved_games(asker.area, seal.KALAH_OUT, asker.tty.poll)
    return ask_saved_game(asker, saved, seal.KALAH_OUT, position_in, which)
