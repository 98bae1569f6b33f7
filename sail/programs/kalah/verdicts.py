"""Verdicts on the turns of an exercise: right or not, and what follows from a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain

from sail.board import STANDARD_RULES, Position
from sail.engine.judgement import Judge
from sail.engine.limit import Clock
from sail.engine.value import Expected, Value
from sail.files.positions import Entry, Pits
from sail.files.values import judging_solver
from sail.game import format_turn
from sail.programs.kalah import says, why
from sail.programs.kalah.showing import result
from sail.stop import Stop

SECONDS = 3.0  # for the value of the position after a turn
FOLLOWING = 0.5  # seconds for each turn after a quiet reply

# Called with a turn and the position after it; returns whether the turn is right, and
# what to type.
Verdict = Callable[[Pits, Position], tuple[bool, str]]


def judge_of(position: Position, clock: Clock, stop: Stop) -> Judge:
    """Return a judge of the turns in a position; it keeps what it has proved."""
    return Judge(clock, stop, SECONDS, judging_solver(position.in_play))


def outcome(judge: Judge, user: int, after: Position) -> Expected:
    """Return the outcome of a turn of the user's, by the position after it."""
    judge.allow(SECONDS)
    value, best = judge.expect(after._replace(rules=STANDARD_RULES))
    # If a majority ended the game in the middle of the user's turn, `best` is how
    # the user would go on, not a reply.
    reply = () if after.mover == user else best
    return Expected(value.turned(user), followed(judge, after, reply))


def followed(judge: Judge, after: Position, reply: Pits) -> Pits:
    """Return a reply and, while nothing happens, the best turns found after it."""
    play, user = reply, 1 - after.mover
    for _ in range(why.MOST_TURNS - 1):
        turns = why.turns_of(after, play)
        if (
            not turns
            or turns[-1].after.over
            or why.happens(after, play, user, again=False)
        ):
            break
        judge.allow(FOLLOWING)
        _, best = judge.expect(turns[-1].after._replace(rules=STANDARD_RULES))
        play += best
    return play


def verdict_of_file(entry: Entry, judge: Judge) -> Verdict:
    """Return the verdict that finds right only the turns that the file finds right."""

    def verdict(turn: Pits, after: Position) -> tuple[bool, str]:
        if turn in entry.right:
            return True, "  ".join((says.RIGHT, *entry.solution))
        if entry.wrong:
            return False, " ".join(entry.wrong)
        for known in entry.refuted:
            if known.turn == turn:
                value = Value(known.margin, known.margin, known.margin)
                found = Expected(value, tuple(chain.from_iterable(known.play)))
                return False, consequence(entry.position, turn, found)
        found = outcome(judge, entry.position.mover, after)
        if not found.value.proved:
            return False, says.NOT_RIGHT
        return False, consequence(entry.position, turn, found)

    return verdict


def consequence(position: Position, turn: Pits, outcome: Expected) -> str:
    """Return what a turn leads to, like YOUR 1 LETS ME PLAY 26: YOU LOSE BY 4."""
    value, played = outcome.value, format_turn(turn)
    ends = result(value.likely, value.proved) + "."
    after = why.turns_of(position, turn)[0].after
    text = says.AFTER_TURN.format(played, ends)
    if replies := why.turns_of(after, outcome.play):
        reason = why.happens(after, outcome.play, position.mover)
        reply = format_turn(replies[0].pits)
        text = says.LETS_ME.format(played, reply, f"{reason}  {ends}".strip())
    return text if value.proved else says.AS_I_SEE.format(text)


def verdict_of_review(
    entry: Entry,
    before: Value,
    known: Mapping[Pits, Expected],
    find: Callable[[Position], Expected],
    merit: Callable[[Pits], str],
) -> Verdict:
    """Return the verdict that finds right every turn that keeps the value.

    A turn is right if it is proved to keep the value.  The turns of entry.right, which
    the review found, are accepted, too; the words differ if that is not proved.  A turn
    is wrong if it is the turn played, or if its value is below `before` by more than the
    errors of both.  Any other turn stays undecided.

    before: the user's value before the turn.  known: what the review knows of turns;
    find: returns the outcome of any other, by the position after it.  merit: returns
    what a turn does that the turn played did not.
    """

    def verdict(turn: Pits, after: Position) -> tuple[bool, str]:
        found = known.get(turn) or find(after)
        value = found.value
        if value.low >= before.high:
            right = says.BEST.format(result(before.high, True))
        elif turn == entry.played or value.most < before.least:
            return False, consequence(entry.position, turn, found)
        elif turn in entry.right:
            right = says.BEST_SEEN.format(result(value.likely, value.proved))
        else:
            return False, says.CANNOT_TELL.format(format_turn(turn))
        return True, f"{right}  {merit(turn)}".rstrip()

    return verdict
