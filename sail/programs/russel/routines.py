"""The memo's routines EGC, EV and ORD: the end, the evaluation, the order of moves.

A position counts as over for RUSSEL (`egc`) before the board says so, if neither player
can interfere with the other's remaining moves.  The moves, MV, are those of the board.
"""

from __future__ import annotations

from sail.board import MOST_PITS, Position, Row

FEW_STONES = 16  # in the pits; up to this many, EV makes all moves at once
SURE = 100  # added to the final difference for the winner
HOLES = 13  # the number of holes that a player sows: all but the other kalah
# STAYING[pit - 1][stones]: how many of `stones` stones sown from that pit stay on the
# sower's side.  FEW_STONES itself is left out: if one pit had them all, the game would
# be over.
STAYING = tuple(
    tuple(
        sum((pit - stone) % HOLES <= MOST_PITS for stone in range(1, stones + 1))
        for stones in range(FEW_STONES)
    )
    for pit in range(1, MOST_PITS + 1)
)


def egc(position: Position) -> bool:
    """Return whether the game counts as over (M22-EGC).

    The game is over when a kalah holds more than half of the stones, when a row
    is empty, or when neither player can interfere with the other's remaining
    moves.  (In the first case the memo names "one side", not a kalah.  If the pits
    of the side counted too, the printed run would have a total of 35, not 627.)
    """
    return position.over or _out_of_reach(*position.rows)


def _out_of_reach(*rows: Row) -> bool:
    """Return whether both players can bring their stones home undisturbed.

    rows: both players', neither empty.  A player uses his filled pits and all pits
    between them and his kalah.  No used pit may be opposite a used pit of the other
    player, and no pit may sow past its owner's kalah.
    """
    if rows[0][-1] or rows[1][-1]:
        return False  # the farthest pit faces the other player's pit 1
    farthest = [max(pit for pit, n in enumerate(row, 1) if n) for row in rows]
    return sum(farthest) <= MOST_PITS and all(
        stones <= pit for row in rows for pit, stones in enumerate(row, 1)
    )


def stones_by_side(position: Position) -> tuple[int, int]:
    """Return the stones on a's and b's side, kalahs included."""
    (a, b), (ka, kb) = position.rows, position.kalahs
    return ka + sum(a), kb + sum(b)


def final_score(position: Position) -> int:
    """Return the value of a finished game, from a's side (M22-EGC.SCORE).

    Each player keeps the stones on his side.  The memo's final score is a's stones
    less b's, plus 100 if a wins, minus 100 if b wins; a tie has 100.
    """
    a, b = stones_by_side(position)
    return a - b + (-SURE if a < b else SURE)


def ev(position: Position, few_stones: int = FEW_STONES) -> int:
    """Return the evaluation of the position, from a's side (M22-EV).

    With more than few_stones in the pits it is ka - kb.  Otherwise every pit of both
    players is sown at once, without captures; the evaluation is a's side less b's side
    after that, kalahs included.
    """
    ka, kb = position.kalahs
    if position.in_play > few_stones:
        return ka - kb
    a, b = position.rows
    staying = sum(pit[mine] - pit[yours] for pit, mine, yours in zip(STAYING, a, b))
    return ka - kb + 2 * staying + sum(b) - sum(a)


def ord(position: Position) -> list[int]:
    """Return the legal pits, best first (M22-ORD).

    Moves that capture or end in the kalah come before the others; in
    each group the pit nearest to the kalah comes first.  The original
    returned a word with an octal digit for each pit, the best at the right.
    """

    def other(pit: int) -> bool:
        after, captured, _ = position.sow(pit)
        return not captured and after.mover != position.mover

    return sorted(position.legal, key=other)
