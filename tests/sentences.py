"""A checker of the sentences that say why a turn is good or bad.

It reads what is printed, and replays it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sail.board import Position
from sail.game import format_turn
from sail.programs.kalah import says
from tests.positions import captured, every_turn

RESULT = (
    r"(?:YOU (?:WIN|LOSE) BY \d+|IT IS A DRAW|(?:YOU (?:WIN|LOSE) BY ABOUT \d+"
    r"|IT IS ABOUT EVEN), GIVE OR TAKE \d+)"
)
TURN = "[1-6](?:,[1-6])*"
LINE = f"[AB] {TURN}(?: [AB] {TURN})*"
STANDS = r"\d+ AHEAD|\d+ BEHIND|EVEN"
SILENT = re.compile(
    rf"WITH BEST PLAY AFTER {TURN}, {RESULT}|I SEE NOTHING BETTER THAN {TURN}"
    rf"|I CANNOT TELL WHETHER {TURN} IS BEST"
    rf"|TRY ANOTHER|BEST PLAY BEGINS {LINE}: {RESULT}"
    rf"|PLAYING {TURN} (?:PROBABLY COST YOU ABOUT|COST YOU) \d+ STONES"
    r"(?: AND TURNED A (?:WIN|DRAW) INTO A (?:DRAW|LOSS))?"
    rf"|{re.escape(says.NOTATION.rstrip('.'))}"
)
LETS = re.compile(rf"AFTER YOUR ({TURN}) I PLAY ({TURN})(?:: IT (.*))?")
ENDS_IT = re.compile(f"YOUR ({TURN}) ENDS THE GAME")
NAMED = re.compile(f"({TURN}) IS RIGHT")
COUNTS = re.compile(
    f"AFTER ({LINE}), YOU ARE ({STANDS}); INSTEAD YOU COULD BE ({STANDS})"
)
MERIT = re.compile("(A BETTER TURN|IT) (.*)")
SAVES = re.compile(r"SAVES THE (\d+) IN YOUR PIT (\d)")
THREATENS = re.compile(r"THREATENS (\d+) IN MY PIT (\d)")
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
    digits = turn.split(",")
    for digit in digits:
        assert position.mover == player and not stones, turn
        stones, pit = captured(position, int(digit))
        position = position.play(int(digit))
    assert position.over or position.mover != player, f"{turn} is not whole"
    return Done(position, stones, pit, len(digits) - 1)


def every_done(position: Position) -> list[Done]:
    """Return what each turn of the mover does."""
    turns = [pits for pits, _ in every_turn(position)]
    return [play(position, format_turn(pits), position.mover) for pits in turns]


class Checker:
    """Checks sentences about a position in which the user is to move.

    better: the turn that IT and A BETTER TURN mean.  checked: the number of sentences
    that said why.
    """

    def __init__(self, position: Position, better: str = "") -> None:
        self.begin = position
        self.better = better
        self.user = position.mover
        self.checked = 0

    def check(self, text: str) -> None:
        """Check every sentence of a text; raise AssertionError if one is wrong."""
        for sentence in re.split(r"\.\s*", " ".join(text.split())):
            if not sentence or SILENT.fullmatch(sentence):
                continue
            if found := LETS.fullmatch(sentence):
                self.follow(found[1], found[2], found[3])
            elif found := ENDS_IT.fullmatch(sentence):
                assert play(self.begin, found[1], self.user).after.over, sentence
            elif found := NAMED.fullmatch(sentence):
                assert found[1] == self.better
            elif found := COUNTS.fullmatch(sentence):
                self.counts(*found.groups())
            elif found := MERIT.fullmatch(sentence):
                self.merit(found[2])
            else:
                raise AssertionError(f"not understood: {sentence}")

    def follow(self, turn: str, reply: str, deeds: str | None) -> None:
        """Replay the turn and the reply, which does what is said.

        After the better turn no reply captures as much from that pit.
        """
        after = play(self.begin, turn, self.user).after
        done = play(after, reply, 1 - self.user)
        if deeds:
            self.did(done, deeds, 1 - self.user)
            gone = str(done.pit) in self.better.split(",")
            replies = every_done(play(self.begin, self.better, self.user).after)
            same = [it.captured for it in replies if gone or it.pit == done.pit]
            assert done.captured > max(same, default=0), deeds

    def counts(self, wrong: str, stands: str, instead: str) -> None:
        """Replay a line, and compare the kalahs at its end."""
        self.checked += 1
        position, words = self.begin, wrong.split()
        for player, turn in zip(words[::2], words[1::2]):
            position = play(position, turn, "AB".index(player)).after
        stones = position.score if position.over else position.kalahs
        assert stones[self.user] - stones[1 - self.user] == lead(stands), wrong
        assert lead(instead) > lead(stands)

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

    def merit(self, deeds: str) -> None:
        """Check what the better turn does."""
        done = play(self.begin, self.better, self.user)
        replies = every_done(done.after)
        saves, threat = SAVES.fullmatch(deeds), THREATENS.fullmatch(deeds)
        if deeds == NOTHING:
            assert not any(reply.captured for reply in replies)
        elif threat:
            again = every_done(done.after._replace(mover=self.user))
            there = [it.captured for it in again if it.pit == int(threat[2])]
            assert max(there, default=0) == int(threat[1])
        elif saves:
            stones, pit = int(saves[1]), int(saves[2])
            assert self.begin.rows[self.user][pit - 1] == stones > 0
            gone = str(pit) in self.better.split(",")
            assert not any(it.captured and (gone or it.pit == pit) for it in replies)
        else:
            self.did(done, deeds, self.user)
            return
        self.checked += 1


def lead(standing: str) -> int:
    """Return the lead of 4 AHEAD, 4 BEHIND or EVEN."""
    if standing == "EVEN":
        return 0
    stones, where = standing.split()
    return int(stones) if where == "AHEAD" else -int(stones)
