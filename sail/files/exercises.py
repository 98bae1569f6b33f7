"""Exercises on a position file: the right turns of a position, and those judged wrong.

These lines may follow a position of sail.files.positions:

    THEME THE CAPTURE
    RIGHT 3
    BEST 6 A 3 B 3 A 4 B 2,1,5
    WRONG -2 A 4 B 6 A 3,1,5
    WRONG ABOUT 0 A 6 B 5

RIGHT lists the right turns as they are typed, and makes the position an exercise.
BEST has the stones by which the player to move wins (or loses, below 0), and a line of
best play, of which the first turn is right.  Each line WRONG that begins with a number
has the same for a wrong turn, which is the first of its line.  ABOUT marks an estimate,
and ERROR and a number after it the stones by which it may be off.

HINT types the lines THEME.  After any turn that is not right, the lines WRONG that are
words are typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from sail.board import MOST_PITS, IllegalMove, Position
from sail.engine.value import Finding, Value
from sail.files.placing import MOST_STONES, TOO_MANY, BadPosition
from sail.game import LineOfPlay, Pits, format_line, format_turn
from sail.refusal import sanitized
from sail.teletype import COLUMNS
from sail.typed import parse_number

WORDS = "THEME", "RIGHT", "BEST", "WRONG"  # that begin the lines
JUDGED = re.compile(
    r"(?:(-?[0-9]{1,3})|ABOUT (-?[0-9]{1,3})(?: ERROR ([0-9]{1,3}))?)"
    "((?: [AB] [0-9,]+)+)"
)
NOT_A_TURN = "{} IS NOT A WHOLE TURN."
NO_TURN = "RIGHT NEEDS A TURN, SUCH AS 3,6."
NO_RIGHT = "A LINE RIGHT MUST COME FIRST."
NOT_JUDGED = "BEST NEEDS STONES AND TURNS, SUCH AS 6 A 3,6 B 4."
NOT_RIGHT = "{} IS NOT ONE OF THE RIGHT TURNS."
JUDGED_TWICE = "{} IS JUDGED TWICE."
NOT_WRONG = "{} IS RIGHT, OR NO WORSE THAN BEST."


class Exercise(NamedTuple):
    """What is known of the turns in a position.

    right: the right turns.  best: the mover's value and the best play, if it is known.
    wrong: by the turn, the mover's value after it, and the play that begins with it.
    theme: lines for hints.  refusal: lines typed after any turn that is not right.
    """

    right: tuple[Pits, ...] = ()
    best: Finding | None = None
    wrong: Mapping[Pits, Finding] = {}
    theme: tuple[str, ...] = ()
    refusal: tuple[str, ...] = ()


def is_turn(position: Position, pits: Pits) -> bool:
    """Return whether these pits are a whole turn of the mover's."""
    try:
        path = LineOfPlay(position, pits)
        return len(path.turns) == 1 and path.turn_is_over
    except IllegalMove:
        return False


def lines(exercise: Exercise, position: Position) -> list[str]:
    """Return the lines of a file."""
    judged = [("WRONG", it) for it in exercise.wrong.values()]
    if exercise.best:
        judged.insert(0, ("BEST", exercise.best))
    return [
        *(f"THEME {text}" for text in exercise.theme),
        " ".join(["RIGHT", *map(format_turn, exercise.right)]),
        *(f"{word} {_judged(it, position)}" for word, it in judged),
        *(f"WRONG {text}" for text in exercise.refusal),
    ]


def _judged(found: Finding, position: Position) -> str:
    """Return a value and its play, of as many turns as fit on a line."""
    value, turns = found.value, LineOfPlay(position).through(found.play).turns
    stones = str(value.likely) if value.proved else f"ABOUT {value.likely}"
    if value.error:
        stones += f" ERROR {value.error}"
    room = COLUMNS - len("WRONG ")
    while len(turns) > 1 and len(f"{stones} {format_line(turns)}") > room:
        turns.pop()
    return f"{stones} {format_line(turns)}"


def with_line(exercise: Exercise, word: str, text: str, position: Position) -> Exercise:
    """Return the exercise with what a line adds.  Raises BadPosition."""
    if word == "RIGHT":
        named = exercise.right + _turns(text.split(), position)
        right = tuple(dict.fromkeys(named))
        return _consistent(exercise._replace(right=right))
    if word == "THEME":
        return exercise._replace(theme=(*exercise.theme, text))
    if not exercise.right:
        raise BadPosition(NO_RIGHT)
    found = JUDGED.fullmatch(text)
    if word == "WRONG" and not found:
        return exercise._replace(refusal=(*exercise.refusal, text))
    if not found:
        raise BadPosition(NOT_JUDGED)
    turn, judged = _parsed(found, position)
    if word == "BEST":
        if turn not in exercise.right:
            raise BadPosition(NOT_RIGHT.format(format_turn(turn)))
        with_best = _consistent(exercise._replace(best=judged))
        if exercise.best:
            raise BadPosition(JUDGED_TWICE.format(format_turn(turn)))
        return with_best
    if turn in exercise.wrong:
        raise BadPosition(JUDGED_TWICE.format(format_turn(turn)))
    return _consistent(exercise._replace(wrong={**exercise.wrong, turn: judged}))


def _consistent(exercise: Exercise) -> Exercise:
    """Return the exercise.  Raises BadPosition if a wrong turn is right or no worse."""
    best = exercise.best.value.high if exercise.best else MOST_STONES + 1
    for turn, judged in exercise.wrong.items():
        if turn in exercise.right or judged.value.low >= best:
            raise BadPosition(NOT_WRONG.format(format_turn(turn)))
    return exercise


def _turns(words: Iterable[str], position: Position) -> tuple[Pits, ...]:
    """Return the whole turns that words name.  Raises BadPosition."""
    found = []
    for word in words:
        digits = re.sub("[,-]", "", word)
        pits = tuple(parse_number(digit, MOST_PITS) or 0 for digit in digits)
        if not is_turn(position, pits):
            raise BadPosition(NOT_A_TURN.format(sanitized(word)))
        found.append(pits)
    if not found:
        raise BadPosition(NO_TURN)
    return tuple(found)


def _parsed(found: re.Match[str], position: Position) -> tuple[Pits, Finding]:
    """Return a judged line's first turn, and its judgement.  Raises BadPosition."""
    exact, about, error, play = found.groups()
    here, turns = position, list[Pits]()
    for word in play.split()[1::2]:
        turns += _turns([word], here)
        here = LineOfPlay(here, turns[-1]).position
    path = LineOfPlay(position, tuple(chain(*turns)))
    if format_line(path.turns) != play.strip():
        raise BadPosition(NOT_A_TURN.format(sanitized(play.strip())))
    likely = int(exact or about)
    if abs(likely) > MOST_STONES:
        raise BadPosition(TOO_MANY)
    low, high = (-MOST_STONES, MOST_STONES) if about else (likely, likely)
    return turns[0], Finding(Value(low, high, likely, int(error or 0)), path.moves)
