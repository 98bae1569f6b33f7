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
NUMBERS_HELP = "NUMBERS WANTED: {}, LIKE {}.  ? FOR HELP, Q TO GO BACK."
NUMBERS_MORE = (
    "TYPE THE STONES IN {}'S KALAH, THEN IN HIS PITS 1 TO {}.  PIT 1 IS NEXT",
    "TO HIS KALAH.  A'S LINE MAY GO ON WITH B'S STONES.  A IS TO MOVE UNLESS",
    "YOU ADD B TO MOVE.",
)
NAME_AFTER = "FOR FILE {0}.POS TYPE Q, THEN SPECIAL {0}."
WAYS_OUT = "  ? HELPS, Q GOES BACK."  # at the end of every third refusal


def ask_position(asker: Asker, pits: int, typed: str) -> Position:
    """Ask for a position, or for what `typed` lacks of one.  Raises BadPosition, Back."""
    while True:
        begun = _rows(typed, 0, pits) if typed else None
        rows = begun or _ask_rows(asker, 0, FIRST_PLAYER, pits)
        with suppress(Back):
            if len(rows.stones) < len(PLAYERS):
                before = sum(rows.stones[0])
                more = _ask_rows(asker, 1, SECOND_PLAYER, pits, before)
                mover = rows.mover if more.mover is None else more.mover
                rows = Rows(rows.stones + more.stones, mover)
            return rows.position()
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
        except BadPosition as error:
            refused += 1
            end = "" if refused % 3 else WAYS_OUT
            raise BadPosition(f"{error}{end}") from None

    help = NUMBERS_HELP.format(pits + 1, placing.example(pits))
    notes = [line.format(PLAYERS[player], pits) for line in NUMBERS_MORE]
    question = Question(prompt.format(pits), help, notes=notes)
    return asker.ask(question, meaning=rows)


def _rows(answer: str, player: int, pits: int, before: int = 0) -> Rows | None:
    """Return what a line says, None if it has no stones.  Raises BadPosition."""
    if re.fullmatch("[A-Z][A-Z0-9]{1,5}", answer):
        raise BadPosition(NAME_AFTER.format(answer))
    rows = placing.parse(answer, player, pits, before)
    return rows if rows.stones else None
