"""Questions that several programs ask, with the lines that they type.

A question is asked until it is answered.  ? and HELP type help, and RULES
types the rules of the game, too.  Each question passes to `ask` the words that
go back to the question before, by default QUIT and BACK.  Such a word raises Back
unless it is an answer or a command.  Anything else gets one line of help.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from sail import special
from sail.area import Area
from sail.board import KALAH, MOST_PITS, PLAYERS, Position, Rules, start
from sail.programs import record
from sail.programs.game import Game
from sail.refusal import Refusal, printable
from sail.teletype import Teletype

T = TypeVar("T")

QUIT, BACK = "QUIT", "BACK"

HELP = ("?", "HELP", "RULES")
RULES_MORE = (  # ours, after AKC-01500 to AKC-05000
    "KALAH IS A GAME FOR TWO.  A OWNS THE UPPER SIX PITS AND THE KALAH AT THE",
    "LEFT, B THE LOWER SIX PITS AND THE KALAH AT THE RIGHT.  PIT 1 IS NEXT TO",
    "ITS OWNER'S KALAH.  WHOEVER HAS MORE STONES AT THE END WINS.",
    "TO MOVE, TAKE ALL THE STONES FROM ONE OF YOUR PITS AND SOW THEM, ONE IN",
    "EACH HOLE, COUNTERCLOCKWISE: ALONG YOUR PITS (A LEFT, B RIGHT), INTO",
    "YOUR KALAH, INTO THE OTHER PLAYER'S PITS, BUT NEVER INTO HIS KALAH.",
    "IF THE LAST STONE FALLS INTO YOUR KALAH, YOU MOVE AGAIN.  IF IT FALLS",
    "INTO AN EMPTY PIT OF YOURS AND THE PIT OPPOSITE HOLDS STONES, YOU",
    "CAPTURE THEM: THEY AND THE LAST STONE GO INTO YOUR KALAH.  AFTER A",
    "CAPTURE, AS AFTER ANY OTHER MOVE, IT IS THE OTHER PLAYER'S TURN.",
    "THE GAME ENDS WHEN A KALAH HOLDS MORE THAN HALF OF THE STONES, OR WHEN",
    "ONE PLAYER'S PITS ARE EMPTY.  THE OTHER THEN KEEPS THE STONES IN HIS.",
)
YES_OR_NO = "TYPE Y OR N, OR Q TO GO BACK."
FIRST_PLAYER = "FIRST PLAYER (A): STONES IN THE KALAH AND PITS 1-{}? "  # AKC-15000
SECOND_PLAYER = "SECOND PLAYER (B): STONES IN THE KALAH AND PITS 1-{}? "  # AKC-15000
MORE_NUMBERS = "{} MORE? "
NUMBERS_HELP = "NUMBERS WANTED: {}, SEPARATED BY BLANKS.  ? FOR HELP, Q TO GO BACK."
NUMBERS_MORE = (
    "TYPE THE STONES IN {}'S KALAH, THEN IN HIS PITS 1 TO {}.  PIT 1 IS NEXT",
    "TO HIS KALAH.  SEPARATE THE NUMBERS BY BLANKS OR COMMAS.  THEY MAY FILL",
    "SEVERAL LINES.  Q GOES BACK AND FORGETS THIS ROW.",
)
NAME_AFTER = "FOR FILE {0}.POS TYPE Q, THEN SPECIAL {0}."
TOO_MANY_NUMBERS = "TOO MANY NUMBERS: {} WANTED, {} TYPED."
MANY_POSITIONS = "{} HAS {} POSITIONS."
NOT_A_NAME = "{} IS NOT A NAME: AT MOST 6 LETTERS OR DIGITS."
OTHER_PITS = "{} HAS {} PITS A SIDE."
NO_GAMES = "THERE IS NO GAME ON {}."
WHICH_POSITION = "WHICH POSITION, 1 TO {}? "
WHICH_HELP = "TYPE A NUMBER FROM 1 TO {}, ? FOR A LIST, OR Q."
WHICH_GAME = "WHICH GAME, 1 TO {}? "
WHICH_GAME_HELP = "TYPE A NUMBER FROM 1, THE OLDEST, TO {}, ? FOR A LIST, OR Q."
BEFORE_WHICH_TURN = "BEFORE WHICH TURN, 1 TO {}? "


class Back(Exception):
    """The user goes back to the question before."""


class Command(NamedTuple):
    """A command that a question takes besides its answers."""

    word: str  # or its beginning, unless an earlier command begins so, too
    obey: Callable[..., Any]  # returns an answer, or None to have the question repeated
    takes_name: bool = False  # `obey` is called with the rest of the line, perhaps ""


def begins(answer: str, command: str) -> bool:
    """Return whether the answer is the command or its beginning (AKC-09400)."""
    return bool(answer) and command.startswith(answer)


def ask(
    tty: Teletype,
    prompt: str,
    meaning: Callable[[str], T | None],
    help: str,
    more: Iterable[str] = (),
    back: Sequence[str] = (QUIT, BACK),
    commands: Sequence[Command] = (),
) -> T:
    """Ask until the answer means something, and return what it means.

    meaning: called with the line in upper case, with one blank between words.
    It returns None if the line is not an answer.  It may raise a Refusal, which is
    typed, or Back from a question of its own: then this question is asked again.
    help: the line typed for anything that is not an answer.
    more: the lines typed for a question mark and for HELP; by default `help`.
    back: the words that raise Back, unless they are an answer or a command.
    """
    while True:
        answer = " ".join(tty.ask(prompt).upper().split())
        obey = _command(commands, answer)
        try:
            meant = meaning(answer)
            if meant is None and obey:
                meant = obey()
        except Back:
            continue
        except Refusal as error:
            tty.type(str(error))
            continue
        if meant is not None:
            return meant
        if not obey:
            if chosen(answer, back):
                raise Back
            type_help(tty, answer, help, more)


def type_help(tty: Teletype, answer: str, help: str, more: Iterable[str]) -> None:
    """Type `more` for ? and HELP, `more` and the rules for RULES, else `help`."""
    words = answer.replace("?", " ").split()
    wants_help = answer in HELP or "HELP" in words or "RULES" in words
    for line in more if more and wants_help else [help]:
        tty.type(line)
    if "RULES" in words and line != RULES_MORE[-1]:
        tty.type("\n".join(RULES_MORE))


def _command(commands: Iterable[Command], answer: str) -> Callable[[], Any] | None:
    """Return the function that obeys the answer, None if it is not a command."""
    word, _, name = answer.partition(" ")
    for command in commands:
        if begins(word, command.word):
            if command.takes_name:
                return partial(command.obey, name)
            return None if name else command.obey
    return None


def attempt(tty: Teletype, deed: Callable[[], T]) -> T | None:
    """Return the result of `deed`; if it raises a Refusal, type that, return None."""
    try:
        return deed()
    except Refusal as error:
        tty.type(str(error))
        return None


def chosen(answer: str, choices: Iterable[str]) -> str | None:
    """Return the first of the choices that the answer begins, if any."""
    return next((choice for choice in choices if begins(answer, choice)), None)


def agrees(answer: str) -> bool | None:
    """Return True if the answer begins YES, False if NO, None if neither."""
    return True if begins(answer, "YES") else False if begins(answer, "NO") else None


def yes(tty: Teletype, prompt: str, help: str = YES_OR_NO) -> bool:
    """Ask for YES or NO and return True for YES.  Raises Back."""
    return ask(tty, prompt, agrees, help)


def ask_number(
    tty: Teletype, prompt: str, help: str, most: int, more: Iterable[str]
) -> int:
    """Ask for a number from 1 to `most`, which prompt and help name.  Raises Back."""

    def meaning(answer: str) -> int | None:
        return special.number(answer, most) or None

    return ask(tty, prompt.format(most), meaning, help.format(most), more)


def start_position(
    tty: Teletype,
    area: Area,
    answer: str,
    stones: range,
    pits: int = MOST_PITS,
    rules: Rules = KALAH,
) -> special.Special | None:
    """Return the position that an answer names, None if it is not an answer.

    An answer is a number of stones for every pit, SPECIAL with a name, or
    SPECIAL alone, after which the user types the stones.  Raises Refusal, Back.
    """
    count = special.number(answer, stones[-1])
    if count is not None and count in stones:
        return special.Special(start(count, pits, rules))
    command, _, name = answer.partition(" ")
    if begins(command, "SPECIAL") and re.fullmatch("[^ ]*( [0-9]+)?", name):
        found = special_position(tty, area, name, pits)
        return found._replace(position=found.position._replace(rules=rules))
    return None


def special_position(
    tty: Teletype, area: Area, name: str, pits: int = MOST_PITS
) -> special.Special:
    """Return a special position, and type its comments (AKC-15000).

    name: its file, with a number if the file holds several, like STUDY 7;
    KALAH.OUT to choose a saved game; "" to have the user type the stones.
    Raises Refusal, Back.
    """
    if not name:
        return special.Special(_typed(tty, pits))
    if name == record.OUT:
        file, found = name, special.Special(_of_saved_game(tty, area))
    else:
        name, _, which = name.partition(" ")
        file, found = position_file(name), _one_of(tty, fetch(area, name), name, which)
    if found.position.pits != pits:
        raise special.BadPosition(OTHER_PITS.format(file, found.position.pits))
    for comment in found.comments:
        tty.type(comment)
    return found


def position_file(name: str) -> str:
    """Return the name of a position's file, like FIG2.POS.  Raises BadPosition."""
    stem = name.removesuffix(special.EXTENSION)
    if not re.fullmatch("[A-Z0-9]{1,6}", stem):
        raise special.BadPosition(NOT_A_NAME.format(printable(name)))
    return stem + special.EXTENSION


def fetch(area: Area, name: str) -> list[special.Special]:
    """Return the positions on a file.  Raises AreaError, BadPosition."""
    file = position_file(name)
    return special.read_all(area.look_up(file), file)


def _one_of(
    tty: Teletype, found: Sequence[special.Special], name: str, which: str
) -> special.Special:
    """Return position number `which`; if "", ask which.  Raises Refusal, Back."""
    count: int | None = 1
    if which:
        count = special.number(which, len(found))
    elif len(found) > 1:
        listed = enumerate(found, 1)
        titles = [f"{n:>3}  {''.join(position.comments[:1])}" for n, position in listed]
        count = ask_number(tty, WHICH_POSITION, WHICH_HELP, len(found), titles)
    if not count:
        file = position_file(name)
        raise special.BadPosition(MANY_POSITIONS.format(file, len(found)))
    return found[count - 1]


def _typed(tty: Teletype, pits: int) -> Position:
    """Ask for a position, A to move (AKC-15000).  Raises Back."""
    while True:
        first = _row(tty, PLAYERS[0], FIRST_PLAYER, pits)
        try:
            second = _row(tty, PLAYERS[1], SECOND_PLAYER, pits, sum(first))
        except Back:
            continue
        return special.build(first, second)


def _row(
    tty: Teletype, player: str, prompt: str, pits: int, before: int = 0
) -> list[int]:
    """Ask for a player's stones; `before` are on the board already.  Raises Back."""
    row: list[int] = []
    wanted = pits + 1

    def numbers(answer: str) -> list[int] | None:
        if not answer or answer in HELP or chosen(answer, (QUIT, BACK)):
            return None
        if re.fullmatch("[A-Z][A-Z0-9]{1,5}", answer):
            raise special.BadPosition(NAME_AFTER.format(answer))
        typed = special.numbers(answer)
        if len(typed) > wanted:
            raise special.BadPosition(TOO_MANY_NUMBERS.format(wanted, len(typed)))
        special.check(player, row + typed, before, len(typed) == wanted)
        return typed

    while wanted:
        row += ask(
            tty,
            MORE_NUMBERS.format(wanted) if row else prompt.format(pits),
            numbers,
            NUMBERS_HELP.format(wanted),
            [line.format(player, pits) for line in NUMBERS_MORE],
        )
        wanted = pits + 1 - len(row)
    return row


class _Summaries:
    """A line for each game; the list ends at one that cannot be read."""

    def __init__(self, tty: Teletype, games: record.Saved | list[Game]) -> None:
        self.tty = tty
        self.games = games

    def __iter__(self) -> Iterator[str]:
        try:
            for index in range(len(self.games)):
                if self.tty.poll():
                    raise Refusal(record.STOPPED)
                yield f"{index + 1:>3}  {record.summary(self.games[index])}"
        except Refusal as error:
            yield str(error)


def saved_game(tty: Teletype, games: record.Saved | list[Game], file: str) -> Game:
    """Return a game on a file; ask which if it has several.  Raises Back, BadPosition."""
    if not games:
        raise special.BadPosition(NO_GAMES.format(file))
    which = 1
    if len(games) > 1:
        listed = _Summaries(tty, games)
        which = ask_number(tty, WHICH_GAME, WHICH_GAME_HELP, len(games), listed)
    return games[which - 1]


def _of_saved_game(tty: Teletype, area: Area) -> Position:
    """Ask for a turn of a saved game; return the position.  Raises Refusal, Back."""
    games = record.Saved(area.read(record.OUT), record.OUT, tty.poll)
    while True:
        game = saved_game(tty, games, record.OUT)
        after = [turn.after for turn in game.turns if not turn.after.over]
        positions = [game.start, *after]
        if len(positions) == 1:
            return game.start
        turns = record.table(game.turns)
        try:
            most = len(positions)
            turn = ask_number(tty, BEFORE_WHICH_TURN, WHICH_HELP, most, turns)
        except Back:
            if len(games) == 1:
                raise
        else:
            return positions[turn - 1]
