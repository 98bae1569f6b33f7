"""A position in words, as it is typed and as it stands on files.

    A 7 8 2 4 2 0 1, B 4 1 0 1 1 4 1, B TO MOVE

Each side is the player, the stones in his kalah, then pit 1 (next to the kalah) to
pit 6 (AKC-15000, AKC-02700).  A is to move unless the words are B TO MOVE.  Blanks or
commas separate the numbers.  The words may take several lines, and the letters may be
left out.  6 STONES A PIT stands for both sides.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sail.board import KALAH_RULES, MOST_PITS, MOST_STONES, PLAYERS, Position, Rules
from sail.refusal import Refusal
from sail.typed import parse_number, sanitized

TOO_MANY = f"AT MOST {MOST_STONES} STONES IN ALL."
MISSING = "B'S STONES ARE MISSING AFTER A'S."
A_PIT = "([0-9]+) STONES?(?: A PIT|$)"
BRACKET = r"[\[{(]\s*[\[\"0-9]"  # of an array, which other programs write
SIDE = re.compile(rf"\s*(?:[AB](?!\s+TO MOVE)|-?[0-9]+)(?:[\s,]|$)|{BRACKET}")
# How a position begins: with three numbers, with a letter and two, or with 6 STONES.
BEGINS = re.compile(f"(?:[AB]|-?[0-9]+)[ ,]+-?[0-9]+[ ,]+[-0-9]|{A_PIT}|{BRACKET}")


class PartialPosition(NamedTuple):
    """What has been read of a position so far.

    sides: of A, then of B; each has the kalah first, then pits 1 up.
    mover: the player to move, None if no line says so.
    """

    sides: tuple[list[int], ...] = ()
    mover: int | None = None

    @property
    def has_sides(self) -> bool:
        """Whether both sides are there; who is to move may follow."""
        return len(self.sides) == len(PLAYERS)

    def with_line(self, line: str, pits: int = 0) -> PartialPosition:
        """Return what has been read with this line, which is in upper case.

        pits: how many a side; 0 if that is not known.  Raises Refusal.
        """
        if len(self.sides) == 1 and not SIDE.match(line):
            raise Refusal(MISSING)
        words = line.replace(",", " ").split()
        mover, sides = self.mover, self.sides
        if words[-2:] == ["TO", "MOVE"]:
            if words[-3:-2] not in (["A"], ["B"]):
                raise Refusal("A OR B MUST BE TO MOVE.")
            mover = PLAYERS.index(words[-3])
            del words[-3:]
        for side in self._sides(words, pits):
            count = len(side)
            if sides and count != len(sides[0]):
                raise Refusal(f"A HAS {len(sides[0])} NUMBERS, BUT B HAS {count}.")
            if pits and count != pits + 1:
                wanted = f"{pits + 1} NUMBERS (OR {2 * pits + 2} WITH B'S)"
                raise Refusal(f"A NEEDS {wanted}, NOT {count}, LIKE {example(pits)}.")
            if not 1 < count <= MOST_PITS + 1:
                raise Refusal(f"A NEEDS 2 TO {MOST_PITS + 1} NUMBERS, NOT {count}.")
            if sum(map(sum, (*sides, side))) > MOST_STONES:
                raise Refusal(TOO_MANY)
            if not any(side[1:]):
                raise Refusal(f"{PLAYERS[len(sides)]} NEEDS A STONE IN HIS PITS.")
            sides += (side,)
        kalah_last = sides and sides == ([sides[0][0]] * MOST_PITS + [0],) * 2
        if kalah_last and words and words[0] not in PLAYERS:  # 6 6 6 6 6 6 0, elsewhere
            raise Refusal("THE KALAH COMES FIRST, LIKE 0 6 6 6 6 6 6.")
        return PartialPosition(sides, mover)

    def _sides(self, words: list[str], pits: int) -> list[list[int]]:
        """Return the sides in these words; without letters, many numbers are two."""
        a_pit = re.fullmatch(A_PIT, " ".join(words))
        if a_pit and not self.sides:
            side = [0, *[_parse_stones(a_pit[1])] * (pits or MOST_PITS)]
            return [side, side]
        expected = PLAYERS[len(self.sides) :]
        sides: list[list[int]] = []
        for word in words:
            if word in PLAYERS or not sides:
                player = next(iter(expected[len(sides) :]), "")
                if word in PLAYERS and word != player:
                    wanted = player or PLAYERS[-1]
                    like = f"{wanted} {example(pits)}"
                    raise Refusal(f"TYPE {wanted}'S STONES, LIKE {like}.")
                sides.append([])
            if word not in PLAYERS:
                sides[-1].append(_parse_stones(word))
        length = (pits or MOST_PITS) + 1
        if len(sides) == 1 < len(expected) and len(sides[0]) == 2 * length:
            sides = [sides[0][:length], sides[0][length:]]
        return sides

    def position(self, rules: Rules = KALAH_RULES) -> Position:
        (a, *a_row), (b, *b_row) = self.sides
        return Position((tuple(a_row), tuple(b_row)), (a, b), self.mover or 0, rules)


def example(pits: int = 0) -> str:
    """Return a player's stones before a game, as an example of what to type."""
    return " ".join(["0", *"6" * (pits or MOST_PITS)])


def lines(position: Position, form: str = "{} {} {}") -> list[str]:
    """Return A's side, B's, and who is to move; form: of a letter, a kalah, a row."""
    rows = (" ".join(map(str, row)) for row in position.rows)
    sides = map(form.format, PLAYERS, position.kalahs, rows)
    return [*sides, f"{PLAYERS[position.mover]} TO MOVE"]


def _parse_stones(word: str) -> int:
    """Return a number of stones.  Raises Refusal unless it is from 0 to 144."""
    if re.match(BRACKET, f"{word}0"):
        raise Refusal(f"AN ARRAY.  TYPE A {example()}: KALAH, PITS 1-{MOST_PITS}.")
    if re.fullmatch(r"-[0-9]+", word):
        raise Refusal(f"STONES CANNOT BE NEGATIVE: {sanitized(word)}.")
    if not re.fullmatch(r"[0-9]+", word):
        raise Refusal(f"NOT A NUMBER OF STONES: {sanitized(word)}.")
    count = parse_number(word, MOST_STONES, least=0)
    if count is None:
        raise Refusal(TOO_MANY)
    return count
