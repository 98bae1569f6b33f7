"""Why a turn is good or bad: what it does on the board, and what follows.

Every sentence is about turns that are played out here on the board.  Only how the game
ends, in `blame`, may be an estimate, and then it says so.
"""

from __future__ import annotations

from sail.board import Pits, Position
from sail.engine.judgement import MOST_TURNS
from sail.engine.value import Finding
from sail.game import Course, Turn, format_turn, format_turns
from sail.programs.kalah import says
from sail.programs.kalah.showing import how_it_ends


def first_turns(position: Position, variation: Pits) -> list[Turn]:
    return Course(position).through(variation).turns[:MOST_TURNS]


def _exposed(position: Position) -> dict[int, int]:
    """Return how many stones the mover's turns capture at most, by the pit."""
    most: dict[int, int] = {}
    reached, seen = [position], {position}
    while reached:
        before = reached.pop()
        for pit in before.legal:
            after, captured, captured_pit = before.sow(pit)
            if captured:
                most[captured_pit] = max(captured, most.get(captured_pit, 0))
            elif after.mover == before.mover and after not in seen:
                seen.add(after)
                reached.append(after)
    return most


def _still_exposed(exposed: dict[int, int], pit: int, turn: Pits) -> int:
    """Return how many stones of a pit can be captured after a turn.

    exposed: those that are exposed then.  If the turn played the pit, all pits count.
    """
    return max(exposed.values(), default=0) if pit in turn else exposed.get(pit, 0)


def merit(position: Position, pits: Pits, secret: bool = False) -> str:
    """Return what the user's turn does; "" if nothing.

    secret: whether neither the turn nor the pit that it captures from is named.

    This is the first that holds:
    1. It captures, or ends the game.
    2. It saves n: the other player could now capture the n stones of a pit, or more;
       after the turn he can capture none from there (none at all, if the turn plays
       that pit).
    3. It leaves nothing to capture: he could now capture, and after the turn cannot.
    4. It moves again.
    5. It threatens n in a pit: if the user played at once again, he could capture them
       there, and before the turn fewer.
    """
    (turn,), subject = Course(position, pits).turns, says.SUBJECT[secret]
    mover, after = turn.player, turn.after
    if after.over or turn.captured:
        return _effect_sentence(turn, True, secret)
    row = position.rows[mover]
    at_risk = _exposed(position._replace(mover=1 - mover))
    exposed_after = _exposed(after)
    for stones, pit in sorted(((row[pit - 1], pit) for pit in at_risk), reverse=True):
        if at_risk[pit] >= stones > 0 and not _still_exposed(exposed_after, pit, pits):
            return says.SAVES.format(subject, stones, pit)
    if at_risk and not exposed_after:
        return says.LEAVES_NOTHING.format(subject)
    if len(pits) > 1:
        return _effect_sentence(turn, True, secret)
    threats, before = _exposed(after._replace(mover=mover)), _exposed(position)
    for stones, pit in sorted(((threats[pit], pit) for pit in threats), reverse=True):
        if stones > before.get(pit, 0):
            return says.THREATENS.format(subject, stones, pit)
    return ""


def blame(position: Position, wrong: Finding, better: Pits) -> str:
    """Return what a wrong turn leads to, and how the game then ends.

    For example, AFTER YOUR 1 I PLAY 2: IT CAPTURES ...

    wrong: its variation begins with the turn.  better: one that begins with a right
    turn.
    """
    bad, good = first_turns(position, wrong.variation), first_turns(position, better)
    played, *replies = (format_turn(turn.pits) for turn in bad)
    text, harm = "", harm_of_reply(bad, good)
    if not harm and (compared := comparison(bad, good)):
        text = compared
    elif replies:
        text = says.I_REPLY.format(played, replies[0], f": {harm}" if harm else ".")
    elif bad[0].after.over:
        text = says.ENDS_IT.format(played)
    end = says.WITH_BEST_PLAY.format(played, how_it_ends(wrong.value))
    return "  ".join(filter(None, (text, end)))


def harm_of_reply(bad: list[Turn], good: list[Turn]) -> str:
    """Return what the reply to the turn played captures, like IT CAPTURES 5 STONES ...

    "" if it captures nothing, or if a reply to the better turn captures as much from
    the same pit (or, if the better turn plays that pit, from any).
    bad, good, here and below: turns of both players, the first of which is the user's
    wrong turn or a better one.
    """
    if len(bad) < 2:
        return ""
    reply, better = bad[1], good[0]
    anyway = _still_exposed(_exposed(better.after), reply.captured_pit, better.pits)
    return _effect_sentence(reply, False) if reply.captured > anyway else ""


def comparison(bad: list[Turn], good: list[Turn]) -> str:
    """Return how a variation stands beside a better one after as many turns.

    They are compared where it is furthest behind, in the last unbroken run
    of turns in which it is.  "" if it is never behind within MOST_TURNS turns.
    """
    # Play that has ended stands as it is.
    lengths = [len(turns) for turns in (bad, good) if not turns[-1].after.over]
    count = min(lengths, default=MOST_TURNS)
    furthest, at = 0, 0  # stones behind, and after how many turns
    for number in range(count, 0, -1):
        behind = _lead_after(good, number) - _lead_after(bad, number)
        if behind <= 0 < furthest:
            break
        if behind > 0 and behind >= furthest:
            furthest, at = behind, number
    if not furthest:
        return ""
    stands, instead = (_in_words(_lead_after(turns, at)) for turns in (bad, good))
    return says.INSTEAD_OF.format(format_turns(bad[:at]), stands, instead)


def _lead_after(turns: list[Turn], number: int) -> int:
    """Return the user's lead in the kalahs after `number` turns, or at the end."""
    after = turns[:number][-1].after
    return after.lead if after.mover == turns[0].player else -after.lead


def _in_words(ahead: int) -> str:
    """Return a lead in words, like 4 BEHIND."""
    words = says.AHEAD if ahead > 0 else says.BEHIND if ahead else says.EVEN
    return words.format(abs(ahead))


def _effect_sentence(turn: Turn, by_user: bool, secret: bool = False) -> str:
    """Return what a turn does that captures, ends the game or moves again.

    by_user: whether it is the user's.  secret: whether the pit is not named.
    """
    parts: list[str] = []
    if turn.captured:
        from_pit = says.FROM_MY_PIT if by_user else says.FROM_YOUR_PIT
        where = "" if secret else from_pit.format(turn.captured_pit)
        parts.append(says.CAPTURES.format(turn.captured) + where)
    if turn.after.over:
        own, other = (sum(turn.after.rows[p]) for p in (turn.player, 1 - turn.player))
        keeps = says.YOU_KEEP if by_user == (own > 0) else says.I_KEEP
        kept = keeps.format(own + other) if bool(own) != bool(other) else ""
        parts.append(says.ENDS + kept)
    if not parts:
        repeats = len(turn.pits) - 1
        parts.append(says.AGAIN[min(repeats, 3)].format(repeats))
    return f"{says.SUBJECT[secret]} {says.AND.join(parts)}."
