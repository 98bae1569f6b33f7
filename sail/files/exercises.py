"""Exercises on a position file: the right turns of a position, and those judged wrong.

These lines may follow a position of sail.files.positions:

    THEME THE CAPTURE
    RIGHT 3
    BEST 6 A 3 B 3 A 4 B 2,1,5
    WRONG -2 A 4 B 6 A 3,1,5
    WRONG ABOUT 0 A 6 B 5

RIGHT lists the right turns as they are typed, and makes the position an exercise.
BEST has the stones by which the player to move wins (or loses, below 0), and best play,
of which the first turn is right.  A line WRONG of that form has the same for a wrong
turn, with which its variation begins.  ABOUT marks an estimate, and ERROR and a number
after it the stones by which it may be off.

Lines of words are typed in place of our reasons: THEME for HINT, SOLUTION after a right
turn, and WRONG after any turn that is judged wrong; its words do not begin with a
number.  SOLUTION may stand without RIGHT.

A line SOLVED marks what the user has solved at the first try.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from sail.board import MOST_STONES, PLAYERS, Pits, Position
from sail.engine.value import Bounds, Finding, Value
from sail.files.placing import TOO_MANY
from sail.game import MOVES_AGAIN, NOT_A_TURN, LineOfPlay, format_turn, format_turns
from sail.refusal import Refusal
from sail.teletype import COLUMNS
from sail.typed import sanitized

WORDS = "THEME", "RIGHT", "BEST", "WRONG", "SOLUTION", "SOLVED"  # that begin the lines
FINDING = re.compile(
    r"(?:(-?[0-9]{1,3})|ABOUT (-?[0-9]{1,3})(?: ERROR ([0-9]{1,3}))?)"
    "((?: [AB] [0-9,]+)+)"
)
NOT_WRONG = "{} IS RIGHT, OR NO WORSE THAN BEST."


class Exercise(NamedTuple):
    """What is known of the turns in a position.

    right: the right turns.  findings: by the turn, the mover's value after it, and the
    variation that begins with it; of the right turns, a file has one at most.
    theme, rebuke, solution: the words typed for HINT, after a wrong turn, and after a
    right one.  solved: whether the file marks it so.
    """

    right: tuple[Pits, ...] = ()
    findings: Mapping[Pits, Finding] = {}
    theme: tuple[str, ...] = ()
    rebuke: tuple[str, ...] = ()
    solution: tuple[str, ...] = ()
    solved: bool = False

    @property
    def right_turn(self) -> Pits:
        """The right turn to compare with: the judged one, else the first, else ()."""
        judged = (turn for turn in self.right if turn in self.findings)
        return next(chain(judged, self.right), ())

    @property
    def best(self) -> Finding | None:
        """The value and the variation of the right turn that is judged, if any."""
        return self.findings.get(self.right_turn)

    @property
    def wrong(self) -> dict[Pits, Finding]:
        """What was found of the turns that are not right."""
        findings = self.findings.items()
        return {turn: finding for turn, finding in findings if turn not in self.right}


def lines(exercise: Exercise, position: Position) -> list[str]:
    judged = [("WRONG", finding) for finding in exercise.wrong.values()]
    if exercise.best:
        judged.insert(0, ("BEST", exercise.best))
    right = " ".join(["RIGHT", *map(format_turn, exercise.right)])
    return [
        *(f"THEME {text}" for text in exercise.theme),
        *([right] if exercise.right else []),
        *(f"{word} {_finding_text(finding, position)}" for word, finding in judged),
        *(f"WRONG {text}" for text in exercise.rebuke),
        *(f"SOLUTION {text}" for text in exercise.solution),
        *(["SOLVED"] if exercise.solved else []),
    ]


def _finding_text(finding: Finding, position: Position) -> str:
    """Return a value and its variation, of as many turns as fit on a line."""
    value, turns = finding.value, LineOfPlay(position).through(finding.pits).turns
    stones = str(value.likely) if value.proved else f"ABOUT {value.likely}"
    if value.error:
        stones += f" ERROR {value.error}"
    room = COLUMNS - len("WRONG ")
    while len(turns) > 1 and len(f"{stones} {format_turns(turns)}") > room:
        turns.pop()
    return f"{stones} {format_turns(turns)}"


def with_line(exercise: Exercise, word: str, text: str, position: Position) -> Exercise:
    """Return the exercise with what a line adds.  Raises Refusal."""
    if word == "THEME":
        return exercise._replace(theme=(*exercise.theme, text))
    if word == "SOLUTION":
        return exercise._replace(solution=(*exercise.solution, text))
    if word == "SOLVED":
        return exercise._replace(solved=True)
    if word == "RIGHT":
        # Without a turn, the word itself is refused as one.
        turns = [_whole_turns(position, turn).moves for turn in text.split() or [word]]
        for turn in turns:
            if turn in exercise.wrong:
                raise Refusal(NOT_WRONG.format(format_turn(turn)))
        return exercise._replace(right=tuple(dict.fromkeys((*exercise.right, *turns))))
    if not exercise.right:
        raise Refusal("A LINE RIGHT MUST COME FIRST.")
    best, finding = word == "BEST", _parse_finding(text, position)
    if not finding:
        if best or not re.match("[^0-9]*[C-Z]", text):
            raise Refusal(f"WRITE STONES AND TURNS LIKE {word} 6 A 3,6 B 4.")
        return exercise._replace(rebuke=(*exercise.rebuke, text))
    turn = LineOfPlay(position, finding.pits).turns[0].pits
    named = format_turn(turn)
    if best and turn not in exercise.right:
        raise Refusal(f"{named} IS NOT ONE OF THE RIGHT TURNS.")
    if not best and turn in exercise.right:
        raise Refusal(NOT_WRONG.format(named))
    if turn in exercise.findings or (best and exercise.best):
        raise Refusal(f"{named} IS JUDGED TWICE.")
    new = exercise._replace(findings={**exercise.findings, turn: finding})
    for wrong, finding in new.wrong.items():
        if new.best and finding.value.low >= new.best.value.high:
            raise Refusal(NOT_WRONG.format(format_turn(wrong)))
    return new


def _parse_finding(text: str, position: Position) -> Finding | None:
    """Return a value and its variation, None if the text is words.  Raises Refusal."""
    match = FINDING.fullmatch(text)
    if not match:
        return None
    exact, about, error, variation = match.groups()
    path = _whole_turns(position, variation.strip(), several=True)
    likely = int(exact or about)
    if abs(likely) > MOST_STONES:
        raise Refusal(TOO_MANY)
    bounds = Bounds() if about else Bounds(likely, likely)
    return Finding(Value(*bounds, likely, int(error or 0)), path.moves)


def _whole_turns(position: Position, text: str, several: bool = False) -> LineOfPlay:
    """Return a line of play of whole turns.  Raises Refusal."""
    try:
        path = LineOfPlay(position).after_typed(text, several)
        why = "TYPE IT LIKE 3,6."
        if path:
            why = MOVES_AGAIN.format(PLAYERS[path.position.mover])
    except Refusal as error:
        path, why = None, error.args[0]
    if not path or not path.turn_is_over:
        raise Refusal(NOT_A_TURN.format(sanitized(text), why))
    return path
