"""The rules of the game as lines; a program adds how its board is drawn."""

from __future__ import annotations

from sail.board import KALAH_RULES, Rules

MOVES_RULES = (  # ours, after AKC-01500 to AKC-05000
    "TO MOVE, TAKE ALL THE STONES FROM ONE OF YOUR PITS AND SOW THEM, ONE IN",
    "EACH HOLE, COUNTERCLOCKWISE: ALONG YOUR PITS, INTO YOUR KALAH, INTO THE",
    "OTHER PLAYER'S PITS, BUT NEVER INTO HIS KALAH.",
    "IF THE LAST STONE FALLS INTO YOUR KALAH, YOU MOVE AGAIN.  IF IT FALLS",
    "INTO AN EMPTY PIT OF YOURS AND THE PIT OPPOSITE HOLDS STONES, YOU",
    "CAPTURE THEM: THEY AND THE LAST STONE GO INTO YOUR KALAH.  AFTER A",
    "CAPTURE, AS AFTER ANY OTHER MOVE, IT IS THE OTHER PLAYER'S TURN.",
)
MAJORITY_RULES = (
    "THE GAME ENDS WHEN A KALAH HOLDS MORE THAN HALF OF THE STONES, OR WHEN",
    "ONE PLAYER'S PITS ARE EMPTY.  THE OTHER THEN KEEPS HIS STONES.",
)
EMPTY_ROW_RULES = (
    "THE GAME ENDS WHEN ONE PLAYER'S PITS ARE EMPTY.  THE OTHER THEN KEEPS",
    "THE STONES IN HIS.",
)


def text(board: tuple[str, ...], rules: Rules = KALAH_RULES) -> tuple[str, ...]:
    """Return the lines of the rules; `board` says who owns what."""
    return (
        *board,
        *MOVES_RULES,
        *(MAJORITY_RULES if rules.majority_ends else EMPTY_ROW_RULES),
    )
