"""Asking for the stones of a position (AKC-15000)."""

from __future__ import annotations

import re
from contextlib import suppress

from sail.board import PLAYERS, Position
from sail.files import placing
from sail.files.placing import BadPosition, Rows
from sail.talk.asking import Asker, Back, Question

FIRST_PLAYER = "FIRST PLAYER (A): STONES IN THE KALAH AND PITS 1-{}? "  # AKC-15000
SECOND_PLAYER = "SECOND PLAYER (B): STONES IN THE KALAH AND PITS 1-{}? "  # AKC-15000
WAYS_OUT = "  ? HELPS, Q GOES BACK."  # also at the end of every third refusal
NUMBERS_HELP = "TYPE {} NUMBERS, LIKE {}." + WAYS_OUT
NUMBERS_MORE = (
    "TYPE THE STONES IN {}'S KALAH, THEN IN HIS PITS 1 TO {}.  PIT 1 IS NEXT",
    "TO HIS KALAH.  A'S LINE MAY GO ON WITH B'S STONES.  A IS TO MOVE UNLESS",
    "YOU ADD B TO MOVE.",
)
NAME_AFTER = "FOR FILE {0}.POS TYPE Q, THEN SPECIAL {0}."


def ask_position(asker: Asker, pits: int, typed: str) -> Position:
    """Ask for a position, or what `typed` lacks of one.  Raises BadPosition, Back."""
    while True:
        rows = _read(Rows(), typed, pits)
        rows = rows if rows.stones else _ask_rows(asker, rows, FIRST_PLAYER, pits)
        with suppress(Back):
            if not rows.complete:
                rows = _ask_rows(asker, rows, SECOND_PLAYER, pits)
            return rows.position()
        typed = ""


def _ask_rows(asker: Asker, before: Rows, prompt: str, pits: int) -> Rows:
    """Ask for a player's stones, or from A for those of both.  Raises Back."""
    refused = 0

    def rows(answer: str) -> Rows | None:
        nonlocal refused
        try:
            found = _read(before, answer, pits)
        except BadPosition as error:
            refused += 1
            end = "" if refused % 3 else WAYS_OUT
            raise BadPosition(f"{error}{end}") from None
        return found if len(found.stones) > len(before.stones) else None

    help = NUMBERS_HELP.format(pits + 1, placing.example(pits))
    player = PLAYERS[len(before.stones)]
    notes = [line.format(player, pits) for line in NUMBERS_MORE]
    question = Question(prompt.format(pits), help, notes=notes)
    return asker.ask(question, meaning=rows)


def _read(before: Rows, answer: str, pits: int) -> Rows:
    """Return what is known of the position after this answer.  Raises BadPosition."""
    if re.fullmatch("[A-Z][A-Z0-9]{1,5}", answer):
        raise BadPosition(NAME_AFTER.format(answer))
    return before.read(answer, pits) if answer else before
