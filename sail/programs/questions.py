"""Questions that several programs ask, with the lines that they type.

Where None is returned the user went back with Q.
"""

from __future__ import annotations

from sail import special
from sail.area import Area
from sail.board import KALAH, MOST_PITS, PLAYERS, Position, Rules
from sail.teletype import Teletype

FIRST_PLAYER = "FIRST PLAYER (A): STONES IN THE KALAH AND PITS 1-6? "  # AKC-15000
SECOND_PLAYER = "SECOND PLAYER (B): STONES IN THE KALAH AND PITS 1-6? "  # AKC-15000
MORE_NUMBERS = "{} MORE? "  # ours
NUMBERS_HELP = "TYPE SEVEN NUMBERS, BLANKS OR COMMAS BETWEEN, OR Q TO GO BACK."  # ours
TOO_MANY_NUMBERS = "TOO MANY NUMBERS: {} WANTED, {} TYPED."  # ours


def begins(answer: str, command: str) -> bool:
    """Whether the answer is the command or its beginning (AKC-09400)."""
    return bool(answer) and command.startswith(answer)


def yes(tty: Teletype, prompt: str, help: str) -> bool:
    """Whether the answer is yes."""
    while True:
        answer = tty.ask(prompt).strip().upper()
        for word in ("YES", "NO"):
            if begins(answer, word):
                return word == "YES"
        tty.type(help)


def typed_position(tty: Teletype, rules: Rules = KALAH) -> Position | None:
    """The position that is typed, A to move (AKC-15000).

    Raises BadPosition.
    """
    first = _typed_row(tty, PLAYERS[0], FIRST_PLAYER)
    second = first and _typed_row(tty, PLAYERS[1], SECOND_PLAYER, sum(first))
    return special.build(first, second, rules=rules) if first and second else None


def _typed_row(
    tty: Teletype, player: str, prompt: str, before: int = 0
) -> list[int] | None:
    """A kalah and six pits; before: the stones already on the board."""
    row: list[int] = []
    while len(row) <= MOST_PITS:
        wanted = MOST_PITS + 1 - len(row)
        line = tty.ask(MORE_NUMBERS.format(wanted) if row else prompt)
        if begins(line.strip().upper(), "QUIT"):
            return None
        try:
            more = special.numbers(line)
            if len(more) > wanted:
                raise special.BadPosition(TOO_MANY_NUMBERS.format(wanted, len(more)))
            special.check(player, row + more, before, len(more) == wanted)
        except special.BadPosition as error:
            tty.type(str(error))
            continue
        if not more:
            tty.type(NUMBERS_HELP)
        row += more
    return row


def fetch(area: Area, name: str, rules: Rules = KALAH) -> special.Special:
    """The position of that name in the area: FIG2 is on FIG2.POS.

    Raises AreaError, BadPosition.
    """
    if "." not in name:
        name += ".POS"
    return special.read(area.read(name), name, rules)
