"""A position in words, as it is typed and as it stands on files.

    A 7 8 2 4 2 0 1, B 4 1 0 1 1 4 1, B TO MOVE

Each row is the player, the stones in his kalah, then pit 1 (next to the kalah) to
pit 6 (AKC-15000, AKC-02700).  A is to move unless the words are B TO MOVE.  Blanks or
commas separate the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sail.board import KALAH_RULES, MOST_PITS, PLAYERS, Position, Rules
from sail.refusal import Refusal, sanitized
from sail.typed import parse_number

MOST_STONES = 144
TOO_MANY = f"AT MOST {MOST_STONES} STONES IN ALL."
PITS = f"EACH PLAYER NEEDS A KALAH AND 1 TO {MOST_PITS} PITS."
WRONG_COUNT = "{} NUMBERS WANTED, {} TYPED, LIKE {}."
MISSING = "B'S STONES ARE MISSING AFTER A'S."
OTHER_ROW = "{0}'S LINE IS WANTED, LIKE {0} {1}."
# Always fits: a player's letter, the stones, B's stones after his letter, and the mover.
WORDS = re.compile(
    "(?: ([AB])(?! TO MOVE))?( .*?)??(?: B(?! TO MOVE)( .*?))?(?: ([AB]) TO MOVE)?"
)


class BadPosition(Refusal):
    """The numbers or the file do not make a position."""


class Rows(NamedTuple):
    """What a line says about a position.

    stones: for one player or both, his kalah first, then pits 1 up.
    mover: the player to move, None if the line does not say.
    """

    stones: list[list[int]]
    mover: int | None = None

    def position(self, rules: Rules = KALAH_RULES) -> Position:
        """Return the position.  Raises BadPosition unless both rows are there."""
        if len(self.stones) < len(PLAYERS):
            raise BadPosition(MISSING)
        return build(self.stones[0], self.stones[1], self.mover or 0, rules)


def parse(line: str, player: int = 0, pits: int = 0, before: int = 0) -> Rows:
    """Return what a line says, of which the first row is this player's.

    pits: how many a side; 0 if that is not known.  Without letters, twice as many
    numbers are both rows.  before: the stones on the board already.  Raises BadPosition.
    """
    words = WORDS.fullmatch(
        "".join(f" {word}" for word in line.replace(",", " ").split())
    )
    assert words
    letter, *texts, mover = words.groups()
    if letter and letter != PLAYERS[player]:
        raise BadPosition(OTHER_ROW.format(PLAYERS[player], example(pits)))
    stones = [parse_stones(text) for text in texts if text]
    most = len(PLAYERS) - player
    if pits:
        wanted = pits + 1
        if len(stones) == 1 and len(stones[0]) == most * wanted:
            (row,) = stones
            stones = [row[at : at + wanted] for at in range(0, len(row), wanted)]
        if len(stones) > most or any(len(row) != wanted for row in stones):
            count = sum(map(len, stones))
            raise BadPosition(WRONG_COUNT.format(wanted, count, example(pits)))
    if not all(2 <= len(row) <= MOST_PITS + 1 for row in stones):
        raise BadPosition(PITS)
    for name, row in zip(PLAYERS[player:], stones):
        check(name, row, before)
        before += sum(row)
    return Rows(stones, PLAYERS.index(mover) if mover else None)


def example(pits: int = 0) -> str:
    """Return a player's stones before a game, as an example of what to type."""
    return " ".join(["0", *"6" * (pits or MOST_PITS)])


def parse_stones(line: str) -> list[int]:
    """Return the stone counts in a line; blanks or commas separate them.

    Raises BadPosition for anything but whole numbers from 0 to 144.
    """
    found: list[int] = []
    for word in line.replace(",", " ").split():
        if re.fullmatch(r"-[0-9]+", word):
            raise BadPosition(f"STONES CANNOT BE NEGATIVE: {sanitized(word)}.")
        if not re.fullmatch(r"[0-9]+", word):
            raise BadPosition(f"NOT A NUMBER OF STONES: {sanitized(word)}.")
        count = parse_number(word, MOST_STONES, least=0)
        if count is None:
            raise BadPosition(TOO_MANY)
        found.append(count)
    return found


def build(
    first: Sequence[int],
    second: Sequence[int],
    mover: int = 0,
    rules: Rules = KALAH_RULES,
) -> Position:
    """Return the position with these stones.

    first, second: the stones of A and of B, kalah first, then pits 1 up.
    Raises BadPosition unless both rows have the same number of pits, 1 to 6,
    both have stones in their pits, and all stones together are at most 144.
    """
    if not 2 <= len(first) == len(second) <= MOST_PITS + 1:
        raise BadPosition(PITS)
    check(PLAYERS[0], first)
    check(PLAYERS[1], second, sum(first))
    rows = (tuple(first[1:]), tuple(second[1:]))
    return Position(rows, (first[0], second[0]), mover, rules)


def check(player: str, stones: Sequence[int], before: int = 0) -> None:
    """Raise BadPosition if the player cannot have these stones.

    stones: his kalah, then pits 1 up.  before: the number of other stones on
    the board.
    """
    if before + sum(stones) > MOST_STONES:
        raise BadPosition(TOO_MANY)
    if not any(stones[1:]):
        raise BadPosition(f"{player} NEEDS A STONE IN HIS PITS.")
