"""Why a turn is good or bad: what it does on the board, and what follows.

Every sentence is about turns that are played out here; nothing in it is estimated.
"""

from __future__ import annotations

from typing import NamedTuple

from sail.board import Position
from sail.files.positions import Pits
from sail.game import LineOfPlay, Turn, format_turn
from sail.programs.kalah import says

MOST_TURNS = 3  # played out until something happens


class Deed(NamedTuple):
    """What a turn does.

    again: the moves after its first one.  captured: the stones of the other player that
    it takes; 0 if none, and its own last stone does not count.  pit: where they lay.
    over: whether it ends the game.  kept: the stones that the mover then keeps in his
    pits; negative if the other player keeps them.
    """

    again: int
    captured: int = 0
    pit: int = 0
    over: bool = False
    kept: int = 0


def deed(position: Position, pits: Pits) -> Deed:
    """Return what a turn does; only its last move can capture."""
    *before, last = LineOfPlay(position, pits).positions
    mover, (_, captured, pit) = position.mover, before[-1].sow(pits[-1])
    own, other = sum(last.rows[mover]), sum(last.rows[1 - mover])
    kept = 0 if own and other else own - other
    return Deed(len(pits) - 1, captured, pit, last.over, kept)


def turns_of(position: Position, pits: Pits) -> list[Turn]:
    """Return the first turns of play, at most MOST_TURNS."""
    return LineOfPlay(position).through(pits).turns[:MOST_TURNS]


def exposed(position: Position) -> dict[int, int]:
    """Return how many stones the mover's turns capture at most, by the pit."""
    found: dict[int, int] = {}
    reached, seen = [position], {position}
    while reached:
        node = reached.pop()
        for pit in node.legal:
            after, done = node.play(pit), deed(node, (pit,))
            if done.captured:
                found[done.pit] = max(done.captured, found.get(done.pit, 0))
            elif after.mover == node.mover and after not in seen:
                seen.add(after)
                reached.append(after)
    return found


def happens(position: Position, play: Pits, user: int, again: bool = True) -> str:
    """Return what play brings, like IT CAPTURES 5 FROM YOUR PIT 3.

    That is the first capture of the player who begins it, or the end of the game; or
    else, with `again`, that he moves again; "" if there is nothing to say.
    user: the player called YOU.
    """
    turns = turns_of(position, play)
    names = [says.MY_YOUR[it.player == user] + format_turn(it.pits) for it in turns]
    repeats = ""
    for turn, subject in zip(turns, says.SUBJECTS):
        done = deed(position, turn.pits)
        text = sentence(done, subject.format(*names), turn.player == user)
        his = turn.player == turns[0].player
        if done.over or (his and done.captured):
            return text
        repeats = repeats or (text if his and done.again else "")
        position = turn.after
    return repeats if again else ""


def point(position: Position, play: Pits) -> str:
    """Return what the user's turn, which begins the play, is good for; "" if unknown.

    It leaves nothing to capture if it does not capture itself, and no reply does.
    """
    turn = turns_of(position, play)[0]
    done = deed(position, turn.pits)
    if not (done.captured or done.over or exposed(turn.after)):
        return says.LEAVES_NOTHING.format(says.SUBJECTS[0])
    return happens(position, play, position.mover)


def merit(
    position: Position, turn: Pits, played: Pits, reply: Pits, secret: bool = False
) -> str:
    """Return what a turn does that the turn played did not; "" if there is nothing.

    It ends the game, or captures more.  It saves n: the reply captures at least n
    stones from a pit of the mover's that held n before his turn; after the better turn
    no reply captures from that pit or, if the turn plays it, from any pit.  It leaves
    nothing to capture: no reply to it captures, but a reply to the turn played does.
    It lets the other player capture at most n, by any reply, and the reply to the turn
    played captures more.  It moves again more often, and does not capture.

    reply: to the turn played, () if unknown.  secret: whether the turn is not named.
    """
    user = position.mover
    good, bad = deed(position, turn), deed(position, played)
    subject = says.A_BETTER_TURN if secret else format_turn(turn)
    if good.over > bad.over or good.captured > bad.captured:
        return sentence(good, subject, True, secret)
    after, instead = (turns_of(position, pits)[0].after for pits in (turn, played))
    safe = exposed(after)
    replies = turns_of(instead, reply)
    if replies:
        lost = deed(instead, replies[0].pits)
        stones = position.rows[user][lost.pit - 1]
        unsafe = safe if lost.pit in turn else safe.get(lost.pit)
        if lost.captured >= stones > 0 and not unsafe:
            return says.SAVES.format(subject, stones, lost.pit)
        if safe and lost.captured > max(safe.values()):
            return says.AT_MOST.format(subject, max(safe.values()))
    if not safe and exposed(instead):
        return says.LEAVES_NOTHING.format(subject)
    again = good.again > bad.again and not (good.over or good.captured)
    return sentence(Deed(good.again), subject, True) if again else ""


def sentence(done: Deed, subject: str, users: bool, secret: bool = False) -> str:
    """Return what a turn does that captures, ends the game or moves again.

    users: whether it is the user's.  secret: whether its pit is not named.
    """
    parts: list[str] = []
    if done.captured:
        where = says.FROM_PIT.format(says.MY_YOUR[not users], done.pit)
        parts.append(says.CAPTURES.format(done.captured) + ("" if secret else where))
    if done.over:
        keeps = says.I_YOU[users == (done.kept > 0)], abs(done.kept)
        parts.append(says.ENDS + (says.KEEPS.format(*keeps) if done.kept else ""))
    if not parts:
        parts.append(says.AGAIN[min(done.again, 3)].format(done.again))
    return f"{subject} {says.AND.join(parts)}."
