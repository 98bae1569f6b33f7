"""The lines of a review: each turn, A's value, what it lost; who was winning."""

from __future__ import annotations

from collections.abc import Iterator

from sail.board import PLAYERS
from sail.engine.judgement import JudgedTurn
from sail.engine.value import Value
from sail.game import Game, format_turn, format_turns
from sail.programs.solve import says

CLOSE_BOUNDS = 8  # stones; bounds this close are typed instead of an estimate
TURN_COLUMNS = 12  # a longer turn continues on the next line


def lines(game: Game, judged_turns: list[JudgedTurn]) -> Iterator[str]:
    """Yield the lines of the review of a game."""
    values = values_of(judged_turns)
    yield from says.VALUES_ARE
    yield from _turn_lines(judged_turns, values)
    yield says.REVIEW_END.format(*game.position.score, value_text(values[-1]))
    if error := max(value.error for value in values):
        yield from (line.format(error) for line in says.REVIEW_MARKS)
    yield from changes(judged_turns)
    yield end_sentence(game, values[-1])


def values_of(judged_turns: list[JudgedTurn]) -> list[Value]:
    """Return A's values before each turn, and at the end."""
    values = [(judged.best.value, judged.turn) for judged in judged_turns]
    values += [(judged.played.value, judged.turn) for judged in judged_turns[-1:]]
    return [value.negated_if(turn.player != 0) for value, turn in values]


def _turn_lines(judged_turns: list[JudgedTurn], values: list[Value]) -> Iterator[str]:
    """Yield the head, and a line for each turn."""
    yield says.REVIEW_HEAD
    for judged, value in zip(judged_turns, values):
        turn, best = judged.turn, ""
        played = format_turn(turn.pits)
        if judged.stones_lost:
            best = format_turn(judged.best.variation) or says.NOT_FOUND
        yield says.REVIEW_TURN.format(
            judged.number,
            PLAYERS[turn.player],
            played[:TURN_COLUMNS],
            *turn.after.kalahs,
            value_text(value),
            best[:TURN_COLUMNS],
            _figure(judged.stones_lost, judged.proved) if judged.stones_lost else "",
        ).rstrip()
        for cut in range(TURN_COLUMNS, max(len(played), len(best)), TURN_COLUMNS):
            pieces = played[cut : cut + TURN_COLUMNS], best[cut : cut + TURN_COLUMNS]
            yield says.REVIEW_MORE.format(*pieces).rstrip()


def end_sentence(game: Game, last: Value) -> str:
    """Return how a game ended, and who was winning by A's last value."""
    position = game.position
    how = says.ENDED[game.ending] if game.ending else says.PLAYED_OUT
    if not game.over:
        how = says.HALF if position.has_majority else says.LEFT_OPEN
    if position.over or last.outcome is None:
        return f"{how}."
    if not last.outcome:
        return how + says.WAS_A_DRAW
    who = says.WAS_WINNING.format(PLAYERS[last.outcome < 0], abs(last.likely))
    return how + who + says.HOW_SURE[last.proved]


def changes(judged_turns: list[JudgedTurn]) -> Iterator[str]:
    """Yield a line for each turn that changed who wins, and one if none is known."""
    changed = [judged for judged in judged_turns if judged.outcome_change]
    for judged in changed:
        how_sure = says.HOW_SURE[judged.change_is_proved]
        turn = format_turns([judged.turn])
        text = says.CHANGED.format(judged.number, turn, *judged.outcome_change)
        yield text + how_sure
    if not changed:
        known = all(value.outcome is not None for value in values_of(judged_turns))
        yield says.NEVER_CHANGED if known else says.NOT_KNOWN


def value_text(value: Value) -> str:
    if not value.proved and value.high - value.low <= CLOSE_BOUNDS:
        return says.BETWEEN.format(value.low, value.high)
    return _figure(value.likely, value.proved)


def _figure(stones: int, proved: bool) -> str:
    """Return a number of stones, marked as an estimate unless it is proved."""
    return str(stones) if proved else says.ESTIMATE.format(stones)
