"""KALAH.OUT: saved games as text, made to be printed and to be read back.

    GAME OF 1972-10-06 14:03
    3 STONES A PIT
    LEVEL A, YOU STARTED
      1 A 36           5-0    2 B 1            5-1
    CONCEDED
    A 5, B 1, KALAH WON

Each turn is its number, the player, his submoves and the kalahs after
them.  What can be worked out from the moves is written for the reader and
checked when the text is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sail import special
from sail.board import PLAYERS, IllegalMove, Position, start
from sail.programs.kalah.game import CONCEDED, DAMMIT, DRAW, QUIT, WIN, Game, Turn

COLUMNS = 72
CELL = 24
CUT = "+"  # ends a line whose last turn goes on in the next
FINISHED = "PLAYED TO THE END"
GOING_ON = "IN PROGRESS"
ENDINGS = (CONCEDED, DRAW, WIN, DAMMIT, QUIT)

HEAD = re.compile(r"GAME OF (\d{4}-\d\d-\d\d \d\d:\d\d)")
STONES = re.compile(r"([1-6]) STONES A PIT")
SPECIAL = re.compile(r"A ([\d ]+), B ([\d ]+), ([AB]) TO MOVE")
LEVEL = re.compile(r"LEVEL (C|B|A|MASTER|TOURNAMENT), (YOU|KALAH) STARTED")
TURN = re.compile(r" *\d+ [AB] ([1-6]+) +\d+-\d+")


class Damaged(ValueError):
    """One line that says where a text is not of saved games."""


def write(game: Game) -> str:
    """The text of one game, in lines of at most 72 columns."""
    begun = "YOU" if game.human == game.start.mover else "KALAH"
    return "\n".join(
        [
            f"GAME OF {game.when}",
            _start(game.start),
            f"LEVEL {game.level}, {begun} STARTED",
            *_turns(game.turns),
            game.ending or (FINISHED if game.over else GOING_ON),
            _score(game),
            "",
        ]
    )


def read(text: str, name: str) -> list[Game]:
    """The games of a text, oldest first; `write` is its opposite.

    The texts of games are parted by an empty line.  Raises Damaged, with
    the name and the line, unless every line is as `write` writes it.
    """
    games: list[Game] = []
    lines = text.split("\n")
    at = 0
    while text and at < len(lines):
        game, wrong = _game(lines[at:])
        if game:
            right = write(game).split("\n")
            for wrong, line in enumerate(right):
                if lines[at + wrong : at + wrong + 1] != [line]:
                    break
            else:
                games.append(game)
                at += len(right)
                continue
        raise Damaged(f"{name} IS DAMAGED AT LINE {at + wrong + 1}.")
    return games


def summary(game: Game) -> str:
    """One line for a list of games: when, start, level, score."""
    return f"{game.when}  {_start(game.start)[:20]}, {game.level}, {_score(game)}"


def line(game: Game) -> str:
    """How the present position was reached, on one long line."""
    turns = (
        f"{PLAYERS[turn.player]} {''.join(map(str, turn.pits))}" for turn in game.turns
    )
    return ", ".join([_start(game.start), *turns])


def is_opening(position: Position) -> bool:
    """Whether it is the start with 1 to 6 stones in every pit."""
    return position in map(start, range(1, 7))


def _start(position: Position) -> str:
    if is_opening(position):
        return f"{position.rows[0][0]} STONES A PIT"
    first, second = (
        " ".join(map(str, (kalah,) + row))
        for kalah, row in zip(position.kalahs, position.rows)
    )
    return f"A {first}, B {second}, {PLAYERS[position.mover]} TO MOVE"


def _turns(turns: Sequence[Turn]) -> list[str]:
    lines = [""]
    for number, turn in enumerate(turns, 1):
        pits = "".join(map(str, turn.pits))
        kalahs = "{}-{}".format(*turn.after.kalahs)
        cell = f"{number:>3} {PLAYERS[turn.player]} {pits:<9} {kalahs:>6}"
        column = -(-len(lines[-1]) // CELL) * CELL
        if column + len(cell) > COLUMNS and lines[-1]:
            lines.append("")
            column = 0
        lines[-1] = lines[-1].ljust(column) + cell
        while len(lines[-1]) > COLUMNS:
            lines[-1:] = [lines[-1][: COLUMNS - 1] + CUT, lines[-1][COLUMNS - 1 :]]
    return lines if turns else []


def _score(game: Game) -> str:
    score = "A {}, B {}".format(*game.node.score)
    if game.winner is None:
        return score
    return f"{score}, {'YOU' if game.winner == game.human else 'KALAH'} WON"


def _game(lines: Sequence[str]) -> tuple[Game | None, int]:
    """The game that the lines begin with, or None and the wrong line."""
    patterns = (
        HEAD,
        STONES if lines[1:2] and lines[1][0:1].isdigit() else SPECIAL,
        LEVEL,
    )
    found = []
    for number, pattern in enumerate(patterns):
        match = pattern.fullmatch(lines[number]) if number < len(lines) else None
        if not match:
            return None, number
        found.append(match.groups())
    (when,), begun, (level, starter) = found
    try:
        position = (
            start(int(begun[0]))
            if len(begun) == 1
            else special.build(
                special.numbers(begun[0]),
                special.numbers(begun[1]),
                PLAYERS.index(begun[2]),
            )
        )
    except special.BadPosition:
        return None, 1
    human = position.mover if starter == "YOU" else 1 - position.mover
    game = Game(position, level, human, when)
    moves: list[int] = []
    body = ""
    for number, line in enumerate(lines[3:], 3):
        if line in (FINISHED, GOING_ON, *ENDINGS):
            ending = line if line in ENDINGS else ""
            return game._replace(moves=tuple(moves), ending=ending), number
        body = (body + line).replace(CUT, "")
        if line.endswith(CUT):
            continue
        while body:
            match = TURN.match(body)
            if not match:
                return None, number
            try:
                for pit in map(int, match[1]):
                    position = position.play(pit)
                    moves.append(pit)
            except IllegalMove:
                return None, number
            body = body[match.end() :]
    return None, len(lines) - 1
