"""REVIEW: the turns of a game that cost the user most, written as exercises."""

from __future__ import annotations

from collections.abc import Callable

from sail.board import Position
from sail.engine.exact import OPEN
from sail.engine.judgement import Judge, Judged, judge_game
from sail.engine.limit import Clock
from sail.engine.value import Expected
from sail.files.exercises import Exercise, is_turn
from sail.files.positions import Entry
from sail.files.values import judging_solver
from sail.game import Ending, Game, Pits, format_turn
from sail.programs.kalah import says, why
from sail.programs.kalah.showing import result, type_boards
from sail.programs.kalah.verdicts import FOLLOWING, about, followed
from sail.talk.asking import Asker
from sail.talk.layout import OUTCOMES

SECONDS = 15.0  # FOLLOWING comes on top of it
MOST_FAULTS = 3
GIVEN_UP = Ending.CONCEDED, Ending.QUIT, Ending.DRAW


def ended_by_majority(position: Position) -> bool:
    """Return whether a majority has ended the game, with stones in both rows."""
    return position.over and all(map(any, position.rows))


def cost(judged: Judged) -> str:
    """Return what a turn cost, like PLAYING 3 COST YOU 4 STONES."""
    form = says.COST if judged.proved else says.PROBABLY
    return form.format(format_turn(judged.pits), judged.lost)


def exercise_of(judge: Judge, node: Position, fault: Judged) -> Entry:
    """Return the exercise to better a turn of a game, in the position before it."""
    user = node.mover
    best = fault.best
    if not best:  # there was no time to find it
        judge.allow(FOLLOWING)
        best = judge.estimated(node._replace(rules=judge.rules), OPEN, 1).play
    (turn, *_) = why.turns_of(node, best)  # up to a majority
    value = about(fault.value.turned(user))
    wrong: dict[Pits, Expected] = {}
    if is_turn(node, fault.pits):  # a game may end in the middle of a turn
        play = followed(judge, node, fault.pits + fault.reply)
        wrong[fault.pits] = Expected(about(fault.after.turned(user)), play)
    play = followed(judge, node, turn.pits)
    exercise = Exercise((turn.pits,), Expected(value, play), wrong)
    return Entry(node, (says.TRY_TASK.format(cost(fault)),), exercise)


def reasons(entry: Entry, fault: Judged) -> str:
    """Return what a turn cost, and why, without naming a better one."""
    text, node, exercise = cost(fault), entry.position, entry.exercise
    if fault.outcomes:
        text += says.TURNED.format(*(OUTCOMES[it] for it in fault.outcomes))
    texts = [f"{text}."]
    assert exercise and exercise.best
    right, better = exercise.right[0], exercise.best.play
    for turn, (_, play) in exercise.wrong.items():
        reply = [it.pits for it in why.turns_of(node, play)[1:2]]
        captures = why.reply(node, play, better)
        if reply:
            told = says.PUNISHED.format(*map(format_turn, reply))
            texts.append(f"{told}: {captures}" if captures else f"{told}.")
        merit = why.merit(node, right, turn, says.A_BETTER_TURN)
        if not captures and not merit:
            merit = why.counts(node, play, better)
        if merit:
            texts.append(merit)
    return "  ".join(texts)


def type_review(
    asker: Asker,
    game: Game,
    clock: Clock,
    keep: Callable[[list[Entry]], None] | None = None,
) -> list[Entry]:
    """Type the user's worst turns, at most three; return exercises, the worst first.

    The worst is typed last, so that a screen of 24 lines shows it whole.
    keep: writes the exercises on file; called before they are typed.
    """
    tty = asker.tty
    tty.type(says.REVIEWING)
    judge = Judge(clock, tty.poll, SECONDS, judging_solver(game.start))
    found = judge_game(game, judge)
    own = [turn for turn in found.judged if turn.player == game.human]
    known = sum(turn.known for turn in own)
    if known < len(own):
        tty.type(says.COULD_JUDGE.format(known, len(own)))
    # A turn that won the game at once is no fault, though a longer game might have
    # won by more.
    faults = [
        it for it in found.faults(game.human) if not ended_by_majority(it.turn.after)
    ]
    faults = faults[:MOST_FAULTS]
    before = [game.start, *(turn.after for turn in game.turns)]
    listed: list[Entry] = []
    for fault in reversed(faults):
        listed.insert(0, exercise_of(judge, before[fault.number - 1], fault))
    if keep:
        keep(listed)
    tty.type(says.WORST if faults else says.NO_FAULTS)
    for number, fault in reversed([*enumerate(faults, 1)]):
        entry = listed[number - 1]
        tty.type(says.BEFORE_FAULT.format(number, fault.number))
        type_boards(tty, entry.position)
        asker.type_folded(reasons(entry, fault))
    if faults:
        tty.type(says.TRY_THEM)
    last = found.last.turned(game.human)
    if game.ending in GIVEN_UP and last.least > 0:
        tty.type(says.WAS_WON.format(result(last.likely, last.proved)))
    return listed
