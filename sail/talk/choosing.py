"""Asking for a position or a game: typed stones, position files, saved games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from textwrap import shorten
from typing import Optional, TypeVar

from sail.board import MOST_PITS, PLAYERS, Position
from sail.files import games, positions, tally
from sail.files.area import Area, AreaError
from sail.game import Game
from sail.refusal import Refusal, sanitized
from sail.talk.asking import Asker, Back, Command, Question, attempt
from sail.teletype import COLUMNS, Teletype

T = TypeVar("T")

SPECIAL_HELP = "A POSITION; ? LISTS THEM, NO NAME: YOU TYPE IT"
FIRST_PLAYER = "FIRST PLAYER (A): STONES IN THE KALAH AND PITS 1-{}? "  # AKC-15000
SECOND_PLAYER = "SECOND PLAYER (B): STONES IN THE KALAH AND PITS 1-{}? "  # AKC-15000
NUMBERS_HELP = "NUMBERS WANTED: {}, LIKE {}.  ? FOR HELP, Q TO GO BACK."
NUMBERS_MORE = (
    "TYPE THE STONES IN {}'S KALAH, THEN IN HIS PITS 1 TO {}.  PIT 1 IS NEXT",
    "TO HIS KALAH.  A'S LINE MAY GO ON WITH B'S STONES.  A IS TO MOVE UNLESS",
    "YOU ADD B TO MOVE.",
)
# Always fits: a player's letter, the stones, B's stones after his letter, and the mover.
ROWS = re.compile("(?:([AB]) )?(.*?)(?: B (?!TO MOVE)(.*?))?(?: ([AB]) TO MOVE)?")
NUMBERS = re.compile("(?:[AB]|-?[0-9]+)[ ,]+-?[0-9]+[ ,]+[-0-9]")  # three or more
NAME_AFTER = "FOR FILE {0}.POS TYPE Q, THEN SPECIAL {0}."
WRONG_COUNT = "{} NUMBERS WANTED, {} TYPED, LIKE {}."
OTHER_ROW = "{0}'S LINE IS WANTED, LIKE {0} {1}."
WAYS_OUT = "  ? HELPS, Q GOES BACK."  # at the end of every third refusal
SOLVED = "X"  # after the number of an exercise solved at the first try
HOW_MANY = "SOLVED: {} OF {}.  A CARRIAGE RETURN TAKES {}."
MANY_POSITIONS = "{} HAS {} POSITIONS."
NOT_THERE = "{} NOT FOUND.  SPECIAL ? LISTS THE POSITIONS."
NOT_A_NAME = "{} IS NOT A NAME: AT MOST 6 LETTERS OR DIGITS."
OTHER_PITS = "{} HAS {} PITS A SIDE."
NO_POSITIONS = "VISITORS SAVE NO POSITIONS; SAVE AFTER THE GAME KEEPS IT."
SAVE_WHERE = "TYPE SAVE AND A NAME OF AT MOST 6 LETTERS OR DIGITS."
FILE_EXISTS = "{} ALREADY EXISTS.  TYPE ANOTHER NAME."
SAVED = "THIS POSITION IS SAVED ON {}."
MOST_SHOWN = 10  # saved games in a list for visitors
GAMES_ON_FILE = "{} HAS {} GAMES, THE LATEST FIRST."
NO_GAMES = "THERE IS NO GAME ON {}."
WHICH_POSITION = Question(
    "WHICH POSITION, 1 TO {}? ", "TYPE A NUMBER FROM 1 TO {}, ? FOR A LIST, OR Q."
)
WHICH_EXERCISE = WHICH_POSITION._replace(
    help="TYPE 1 TO {}, RETURN FOR THE NEXT UNSOLVED, ? FOR A LIST, OR Q."
)
WHICH_GAME = Question(
    "WHICH GAME, 1 TO {}? ",
    "TYPE A NUMBER FROM 1, THE OLDEST, TO {}, ? FOR A LIST, OR Q.",
)
BEFORE_WHICH_TURN = Question("BEFORE WHICH TURN, 1 TO {}? ", WHICH_POSITION.help)

# The stones of one player or of both, and the player said to be to move, if any.
Rows = tuple[list[list[int]], Optional[int]]


def special_command(
    asker: Asker,
    area: Area,
    take: Callable[[positions.Special], T | None],
    pits: int = MOST_PITS,
    comments: bool = True,
) -> Command[T]:
    """Return the command SPECIAL, which calls `take` with a special position.

    comments: whether to type its comments first.
    """

    def obey(name: str) -> T | None:
        if name == "?":
            asker.type_lines(titles(area))
            return None
        return take(special_position(asker, area, name, pits, comments))

    return Command("SPECIAL", SPECIAL_HELP, obey, "NAME", first=True)


def titles(area: Area) -> Iterator[str]:
    """Yield the names of the positions within reach, with their first words."""
    for name in area.within_reach():
        if name.endswith(positions.EXTENSION):
            try:
                comments = positions.read_all(area.look_up(name), name)[0].comments
                title = " ".join(comments)
            except Refusal as error:
                title = str(error)
            title = shorten(title, COLUMNS - 8, placeholder=" ...")
            yield f"{name.removesuffix(positions.EXTENSION):<8}{title}"


def special_position(
    asker: Asker, area: Area, name: str, pits: int = MOST_PITS, comments: bool = True
) -> positions.Special:
    """Return a special position; type its comments if `comments` (AKC-15000).

    name: its file, perhaps with its number there, like STUDY 7;
    KALAH.OUT to choose a saved game; the stones; "" to have the user type them.
    Raises Refusal, Back.
    """
    if not name or NUMBERS.match(name):
        return positions.Special(_ask_position(asker, pits, name))
    if name == games.OUT:
        file, found = name, _of_saved_game(asker, area)
    else:
        name, _, which = name.partition(" ")
        file = position_file(name)
        if file not in area.within_reach():
            raise positions.BadPosition(NOT_THERE.format(file))
        found = _one_of(asker, area, fetch(area, name), name, which)
    if found.position.pits != pits:
        raise positions.BadPosition(OTHER_PITS.format(file, found.position.pits))
    if comments:
        asker.type_lines(found.comments)
    return found


def position_file(name: str) -> str:
    """Return the name of a position's file, like FIG2.POS.  Raises BadPosition."""
    stem = name.removesuffix(positions.EXTENSION)
    if not re.fullmatch("[A-Z0-9]{1,6}", stem):
        raise positions.BadPosition(NOT_A_NAME.format(sanitized(name)))
    return stem + positions.EXTENSION


def fetch(area: Area, name: str) -> list[positions.Special]:
    """Return the positions on a file.  Raises AreaError, BadPosition."""
    file = position_file(name)
    found = positions.read_all(area.look_up(file), file)
    stem = file.removesuffix(positions.EXTENSION)
    return [it._replace(source=(stem, at)) for at, it in enumerate(found, 1)]


def _one_of(
    asker: Asker, area: Area, found: Sequence[positions.Special], name: str, which: str
) -> positions.Special:
    """Return position number `which`; if it is "" and there are several, ask.

    Raises Refusal, Back.
    """
    count: int | None = 1
    if which:
        count = positions.parse_number(which, len(found))
    elif len(found) > 1:
        listed, end, unsolved = _titles(asker, area, found)
        question = WHICH_EXERCISE if unsolved else WHICH_POSITION
        count = asker.number(question, len(found), lambda: listed, end, unsolved)
    if not count:
        file = position_file(name)
        raise positions.BadPosition(MANY_POSITIONS.format(file, len(found)))
    return found[count - 1]


def _titles(
    asker: Asker, area: Area, found: Sequence[positions.Special]
) -> tuple[list[str], list[str], int]:
    """Return the titles on a file, a line with the tally, and the next unsolved exercise.

    If all are solved, that is the first again; 0 without exercises.
    """
    name, _ = found[0].source
    solved = attempt(asker.tty, lambda: tally.solved(area, name)) or set()
    titles = [
        f"{number:>3}{SOLVED if number in solved else ' '} {''.join(it.comments[:1])}"
        for number, it in enumerate(found, 1)
    ]
    exercises = {number for number, it in enumerate(found, 1) if it.right}
    unsolved = min(exercises - solved or exercises, default=0)
    count = HOW_MANY.format(len(exercises & solved), len(exercises), unsolved)
    counts = exercises and not found[0].played
    return titles, [count] if counts else [], unsolved


def _ask_position(asker: Asker, pits: int, typed: str) -> Position:
    """Ask for a position, or for what `typed` lacks of one (AKC-15000).

    A is to move unless a line ends with B TO MOVE.  Raises BadPosition, Back.
    """
    while True:
        begun = _rows(typed, 0, pits) if typed else None
        stones, mover = begun or _ask_rows(asker, 0, FIRST_PLAYER, pits)
        with suppress(Back):
            if len(stones) == 1:
                before = sum(stones[0])
                rest, last = _ask_rows(asker, 1, SECOND_PLAYER, pits, before)
                stones, mover = stones + rest, mover if last is None else last
            return positions.build(stones[0], stones[1], mover or 0)
        typed = ""


def _ask_rows(
    asker: Asker, player: int, prompt: str, pits: int, before: int = 0
) -> Rows:
    """Ask for a player's stones, or from A for those of both.  Raises Back."""
    refused = 0

    def rows(answer: str) -> Rows | None:
        nonlocal refused
        try:
            return _rows(answer, player, pits, before)
        except positions.BadPosition as error:
            refused += 1
            end = "" if refused % 3 else WAYS_OUT
            raise positions.BadPosition(f"{error}{end}") from None

    help = NUMBERS_HELP.format(pits + 1, _opening(pits))
    notes = [line.format(PLAYERS[player], pits) for line in NUMBERS_MORE]
    question = Question(prompt.format(pits), help, notes=notes)
    return asker.ask(question, meaning=rows)


def _rows(answer: str, player: int, pits: int, before: int = 0) -> Rows | None:
    """Return the stones in a line that begins with this player's, None if it has none.

    before: the stones on the board already.  Raises BadPosition.
    """
    if re.fullmatch("[A-Z][A-Z0-9]{1,5}", answer):
        raise positions.BadPosition(NAME_AFTER.format(answer))
    fits = ROWS.fullmatch(answer.replace(",", " ").strip())
    assert fits
    letter, *texts, mover = fits.groups()
    if letter not in (None, PLAYERS[player]):
        raise positions.BadPosition(OTHER_ROW.format(PLAYERS[player], _opening(pits)))
    stones = [positions.parse_stones(text) for text in texts if text]
    if not stones:
        return None
    wanted, most = pits + 1, len(PLAYERS) - player
    if len(stones) == 1 and len(stones[0]) == most * wanted:
        stones = [stones[0][at : at + wanted] for at in range(0, most * wanted, wanted)]
    if len(stones) > most or any(len(row) != wanted for row in stones):
        count = sum(map(len, stones))
        raise positions.BadPosition(WRONG_COUNT.format(wanted, count, _opening(pits)))
    for name, row in zip(PLAYERS[player:], stones):
        positions.check(name, row, before)
        before += sum(row)
    return stones, PLAYERS.index(mover) if mover else None


def _opening(pits: int) -> str:
    """Return a player's stones before a game, as an example of what to type."""
    return " ".join(["0", *"6" * pits])


def saved_game(
    asker: Asker,
    saved: games.Saved | list[Game],
    file: str,
    most: int | None = None,
) -> Game:
    """Return a game on a file; if there are several, ask.  Raises Back, BadPosition.

    most: how many games to list; None for all of them.
    """
    if not saved:
        raise positions.BadPosition(NO_GAMES.format(file))
    tty = asker.tty

    def summaries() -> Iterator[str]:
        """Yield how many games there are, and a line for each, the last one first.

        The list ends at a game that cannot be read.
        """
        shown = min(most or len(saved), len(saved))
        yield GAMES_ON_FILE.format(file, len(saved))
        try:
            for number in range(len(saved), len(saved) - shown, -1):
                if tty.poll():
                    raise Refusal(games.STOPPED)
                yield f"{number:>3}  {games.summary(saved[number - 1])}"
        except Refusal as error:
            yield str(error)

    which = 1
    if len(saved) > 1:
        which = asker.number(WHICH_GAME, len(saved), summaries)
    return saved[which - 1]


def _of_saved_game(asker: Asker, area: Area) -> positions.Special:
    """Ask for a turn of a saved game; return the position.  Raises Refusal, Back."""
    saved = games.Saved(area.read(games.OUT), games.OUT, asker.tty.poll)
    most = None if area.keeps(games.TMP) else MOST_SHOWN
    while True:
        game = saved_game(asker, saved, games.OUT, most)
        after = [turn.after for turn in game.turns if not turn.after.over]
        nodes = [game.start, *after]
        if len(nodes) == 1:
            return positions.Special(game.start)
        turns = partial(games.table, game.turns)
        try:
            turn = asker.number(BEFORE_WHICH_TURN, len(nodes), turns)
        except Back:
            if len(saved) == 1:
                raise
        else:
            return positions.Special(nodes[turn - 1])


def save_position(
    tty: Teletype, area: Area, position: positions.Special, name: str
) -> None:
    """Save a position under a new name, and type its file's name.  Raises Refusal."""
    if not area.keeps(name):
        raise Refusal(NO_POSITIONS)
    if not name:
        raise Refusal(SAVE_WHERE)
    file = position_file(name)
    if file in area.within_reach():
        raise AreaError(FILE_EXISTS.format(file))
    area.create(file, positions.write(position))
    tty.type(SAVED.format(file))
