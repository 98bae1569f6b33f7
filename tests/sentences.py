"""A checker of the sentences that say why a turn is good or bad.

It reads what is printed, and replays it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sail.board import Position
from sail.game import format_turn
from tests.positions import captured, every_turn

RESULT = r"(?:YOU (?:WIN|LOSE) BY (?:ABOUT )?\d+|IT IS A DRAW|IT IS ABOUT EVEN)"
SILENT = re.compile(
    rf"{RESULT}|RIGHT|NOTHING IS BETTER|I SEE NOTHING BETTER(?:: {RESULT}| THAN \d+)"
    rf"|BEST PLAY TO THE LAST STONE: {RESULT}|WHETHER \d+ IS AS GOOD AS ANY I CANNOT TELL"
    rf"|TRY ANOTHER|\d+ IS RIGHT|AFTER YOUR \d+ {RESULT}"
)
PLAYING = re.compile(
    r"PLAYING (\d+) (?:PROBABLY COST YOU ABOUT|COST YOU) \d+ STONES"
    r"(?: AND TURNED A (WIN|DRAW) INTO A (DRAW|LOSS))?"
)
REPLY = re.compile(r"MY BEST REPLY WAS (\d+)(?:: (.*))?")
LETS = re.compile(r"YOUR (\d+) LETS ME PLAY (\d+): (.*)")
EVENT = re.compile(
    r"(?:IT|THEN (MY|YOUR) (\d+)|AFTER (MY|YOUR) (\d+) (MY|YOUR) (\d+)) (.*)"
)
MERIT = re.compile(r"(A BETTER TURN|\d+) (.*)")
SAVES = re.compile(r"SAVES THE (\d+) IN YOUR PIT (\d)")
AT_MOST = re.compile(r"LETS ME CAPTURE AT MOST (\d+)")
NOTHING = "LEAVES ME NOTHING TO CAPTURE"
CAPTURES = re.compile(r"CAPTURES (\d+)(?: FROM (MY|YOUR) PIT (\d))?")
ENDS = re.compile(r"ENDS THE GAME(?:; (I|YOU) KEEP (\d+))?")
AGAIN = re.compile(r"MOVES AGAIN(?: (TWICE|\d+ TIMES))?")


class Done(NamedTuple):
    """What a whole turn did: stones captured, their pit, moves after the first."""

    after: Position
    captured: int
    pit: int
    again: int


def play(position: Position, turn: str, player: int) -> Done:
    """Play a turn that must be whole, and this player's."""
    stones = pit = 0
    for digit in turn:
        assert position.mover == player and not stones, turn
        stones, pit = captured(position, int(digit))
        position = position.play(int(digit))
    assert position.over or position.mover != player, f"{turn} is not whole"
    return Done(position, stones, pit, len(turn) - 1)


def every_done(position: Position) -> list[Done]:
    """Return what each turn of the mover does."""
    turns = [pits for pits, _ in every_turn(position)]
    return [play(position, format_turn(pits), position.mover) for pits in turns]


class Checker:
    """Checks sentences about a position in which the user is to move.

    better: the turn that A BETTER TURN means.  played, reply: the turn that it is
    compared with, and the best reply, until a sentence names others.  checked: the
    number of sentences that said why.
    """

    def __init__(
        self, position: Position, better: str = "", played: str = "", reply: str = ""
    ) -> None:
        self.begin = position
        self.better = better
        self.played = played
        self.reply = reply
        self.user = position.mover
        self.checked = 0

    def check(self, text: str) -> None:
        """Check every sentence of a text; raise AssertionError if one is wrong."""
        for sentence in re.split(r"\.\s*", " ".join(text.split())):
            sentence = sentence.removeprefix("AS FAR AS I SEE, ")
            if not sentence or SILENT.fullmatch(sentence):
                continue
            if found := PLAYING.fullmatch(sentence):
                self.played = found[1]
            elif found := REPLY.fullmatch(sentence):
                self.reply = found[1]
                self.follow(self.played, found[1], found[2] or "")
            elif found := LETS.fullmatch(sentence):
                self.follow(found[1], found[2], found[3])
            elif found := MERIT.fullmatch(sentence):
                secret = found[1] == "A BETTER TURN"
                self.merit(self.better if secret else found[1], found[2])
            else:
                raise AssertionError(f"not understood: {sentence}")

    def follow(self, turn: str, reply: str, reason: str) -> None:
        """Replay the turn, the reply and what follows, which does what is said."""
        after = play(self.begin, turn, self.user).after
        done = play(after, reply, 1 - self.user)
        if re.fullmatch(RESULT, reason) or not reason:
            return
        found = EVENT.fullmatch(reason)
        assert found, reason
        then, its_pits, first, first_pits, last, last_pits, deeds = found.groups()
        player = 1 - self.user
        for whose, pits in (then, its_pits), (first, first_pits), (last, last_pits):
            if pits:
                player = 1 - player
                assert (whose == "YOUR") == (player == self.user), reason
                done = play(done.after, pits, player)
        self.did(done, deeds, player)

    def did(self, done: Done, deeds: str, player: int) -> None:
        """Check what a turn of this player did."""
        self.checked += 1
        rest = deeds
        if found := CAPTURES.match(rest):
            assert done.captured == int(found[1]), deeds
            if found[2]:
                assert (found[2] == "YOUR") == (player != self.user), deeds
                assert done.pit == int(found[3]), deeds
            rest = rest[found.end() :].removeprefix(" AND ")
        else:
            assert not done.captured, deeds
        assert done.after.over == rest.startswith("ENDS"), deeds
        if found := ENDS.match(rest):
            kept = [sum(row) for row in done.after.rows]
            if found[1]:
                keeper = self.user if found[1] == "YOU" else 1 - self.user
                assert kept[keeper] == sum(kept) == int(found[2]), deeds
            else:
                assert all(kept) or not any(kept), deeds
            rest = rest[found.end() :]
        elif found := AGAIN.match(rest):
            times = {None: 1, "TWICE": 2}.get(found[1]) or int(found[1].split()[0])
            assert done.again == times and not done.captured, deeds
            rest = rest[found.end() :]
        assert not rest and deeds, deeds

    def merit(self, turn: str, deeds: str) -> None:
        """Check what a better turn does, and that the turn played did not do it."""
        done = play(self.begin, turn, self.user)
        replies = every_done(done.after)
        if deeds == NOTHING:
            assert not any(reply.captured for reply in replies)
            self.checked += 1
            return
        at_most, saves = AT_MOST.fullmatch(deeds), SAVES.fullmatch(deeds)
        if not at_most and not saves:
            self.did(done, deeds, self.user)
            return
        self.checked += 1
        instead = play(self.begin, self.played, self.user)
        lost = play(instead.after, self.reply, 1 - self.user)
        if at_most:
            most = max(reply.captured for reply in replies)
            assert most == int(at_most[1]) < lost.captured
        elif saves:
            stones, pit = int(saves[1]), int(saves[2])
            assert self.begin.rows[self.user][pit - 1] == stones > 0
            assert lost.captured >= stones and lost.pit == pit
            gone = str(pit) in turn
            assert not any(it.captured and (gone or it.pit == pit) for it in replies)
