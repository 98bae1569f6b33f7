"""Typing the board as the manual of 1972 draws it, the state and the result."""

from __future__ import annotations

import re

from sail.board import PLAYERS, Position
from sail.engine.value import FAR, Value
from sail.game import Course, Game, format_turn
from sail.programs.kalah import says
from sail.talk.asking import Asker
from sail.talk.layout import board_lines, brief_cells, cells_line
from sail.teletype import Teletype


def picture(position: Position) -> str:
    """Return the three lines of counts, with pit numbers and arrows for the mover.

    A is on top, with pits 1 to m from left to right, and B below, with pits m to 1.
    A's kalah is at the left (AKC-02700).  A finished game has no mover, so it has no
    arrows (AKC-06000).
    """
    pits = range(1, position.pits_a_side + 1)
    lines = board_lines(position.rows, position.kalahs)
    if not position.over and position.mover == 0:
        lines[:0] = cells_line(pits), cells_line(says.DOWN_ARROW * len(pits))
    elif not position.over:
        lines += cells_line(says.UP_ARROW * len(pits)), cells_line(pits[::-1])
    return "\n".join(lines)


def _brief_picture(position: Position, pit_numbers: bool) -> str:
    """Return the two rows, A's kalah to the left of his, B's to the right of his.

    pit_numbers: whether the mover's pit numbers stand beside his row.
    """
    a, b = position.rows
    lines = [
        f"{position.kalahs[0]:>2}  {brief_cells(a)}",
        f"    {brief_cells(b[::-1])}  {position.kalahs[1]:>2}",
    ]
    if pit_numbers and not position.over:
        numbers = range(1, position.pits_a_side + 1)[:: -1 if position.mover else 1]
        lines.insert(len(lines) * position.mover, f"    {brief_cells(numbers)}")
    return "\n".join(lines)


def type_boards(tty: Teletype, *positions: Position, user: int | None = None) -> None:
    """Type the boards; if the user wants them brief, only the last one.

    user: his player.  A brief board has pit numbers unless it is the other's turn.
    """
    if tty.settings.brief:
        tty.type(_brief_picture(positions[-1], user in (None, positions[-1].mover)))
        return
    for position in positions:
        tty.type("\n" + picture(position))
    tty.type()


def type_state(tty: Teletype, course: Course) -> None:
    """Type the board, and until the end the turn and its submoves (AKC-13100)."""
    type_boards(tty, course.position)
    if course.position.over:
        return
    submoves = format_turn(course.submoves)
    number = len(course.turns) + (0 if submoves else 1)
    text = says.SHOW_TURN.format(number, PLAYERS[course.position.mover])
    tty.type(text + (says.IN_THIS_TURN.format(submoves) if submoves else ""))


def type_result(tty: Teletype, game: Game) -> None:
    """Type how the game ended, the score, the winner and the margin."""
    position = game.position
    a, b = map(sum, position.rows)
    if game.ending:
        how = says.ENDINGS[game.ending]
    elif position.ended_by_majority:
        leader = PLAYERS[position.kalahs[0] < position.kalahs[1]]
        how = says.ENDED_BY_MAJORITY.format(leader)
    elif a or b:
        how = says.ENDED_BY_EMPTY_ROW.format(PLAYERS[a > 0], PLAYERS[b > 0], a + b)
    else:
        how = says.ENDED_BY_EMPTY_ROWS
    tty.type(how)
    if game.winner is None:
        who = says.NOBODY_WINS
    else:
        who = says.YOU_WIN if game.winner == game.user else says.I_WIN
        # A margin counts all stones, here and in what a review says.
        if not (game.ending or position.ended_by_majority):
            who += says.BY.format(abs(position.lead))
    tty.type(f"{says.SCORE.format(*position.score)}{who}.")


def how_it_ends(value: Value) -> str:
    """Return how a game ends for the user whose value this is, like YOU LOSE BY 4.

    An estimate comes with its error, like YOU LOSE BY ABOUT 4, GIVE OR TAKE 2.
    """
    if not value.likely:
        text = says.IT_IS_A_DRAW if value.proved else says.ABOUT_EVEN
    else:
        form = says.YOU_WIN_SO if value.likely > 0 else says.YOU_LOSE_SO
        stones = str(abs(value.likely))
        text = form.format(stones if value.proved else says.ABOUT.format(stones))
    if value.proved or value.error == FAR:
        return text
    return text + says.GIVE_OR_TAKE.format(value.error)


def type_reasons(asker: Asker, text: str) -> None:
    """Type why a turn is right or wrong; once, explain how turns are written."""
    asker.type_folded(text)
    if re.search("[AB] [1-6]", text):
        asker.aside_once(says.NOTATION)
