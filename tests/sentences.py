"""A checker of the sentences that say why a turn is good or bad.

It reads what is printed, and replays it on a board of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sail.board import Position

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


class Board:
    """A board of 14 holes: B's pits 6 to 1, B's kalah, A's pits 6 to 1, A's kalah."""

    def __init__(self, position: Position) -> None:
        a, b = position.rows
        self.holes = [*b[::-1], position.kalahs[1], *a[::-1], position.kalahs[0]]
        self.mover = "AB"[position.mover]

    def copy(self) -> Board:
        board = object.__new__(Board)
        board.holes, board.mover = [*self.holes], self.mover
        return board

    def place(self, player: str, pit: int) -> int:
        return (6 if player == "B" else 13) - pit  # a kalah is pit 0

    def pits(self, player: str) -> dict[int, int]:
        return {pit: self.holes[self.place(player, pit)] for pit in range(1, 7)}

    @property
    def over(self) -> bool:
        half = sum(self.holes) / 2
        rows = [any(self.pits(player).values()) for player in "AB"]
        return not all(rows) or self.holes[6] > half or self.holes[13] > half

    def play(self, pit: int) -> tuple[int, int]:
        """Sow a pit; return the stones captured and their pit, 0 and 0 if none."""
        assert not self.over
        mover, other = self.mover, "BA"["AB".index(self.mover)]
        at = self.place(mover, pit)
        stones, self.holes[at] = self.holes[at], 0
        assert stones, f"{mover} {pit} is empty"
        while stones:
            at = (at + 1) % 14
            if at != self.place(other, 0):
                self.holes[at] += 1
                stones -= 1
        own = self.place(mover, 0) - at
        if own:
            self.mover = other
        if 1 <= own <= 6 and self.holes[at] == 1:
            facing = self.place(other, 7 - own)
            captured = self.holes[facing]
            if captured:
                self.holes[self.place(mover, 0)] += captured + 1
                self.holes[at] = self.holes[facing] = 0
                return captured, 7 - own
        return 0, 0

    def turns(self) -> Iterator[tuple[int, int]]:
        """Yield what each turn of the mover captures."""
        mover = self.mover
        for pit, stones in self.pits(mover).items():
            if stones and not self.over:
                board = self.copy()
                captured = board.play(pit)
                if board.mover == mover and not board.over:
                    yield from board.turns()
                else:
                    yield captured


class Done(NamedTuple):
    """What a whole turn did: stones captured, their pit, moves after the first."""

    captured: int
    pit: int
    again: int


def play(board: Board, turn: str, player: str) -> Done:
    """Play a turn that must be whole, and this player's."""
    captured = pit = 0
    for digit in turn:
        assert board.mover == player, turn
        assert not captured
        captured, pit = board.play(int(digit))
    assert board.over or board.mover != player, f"{turn} is not whole"
    return Done(captured, pit, len(turn) - 1)


class Checker:
    """Checks sentences about a position in which the user is to move.

    better: the turn that A BETTER TURN means.  played, reply: the turn that it is
    compared with, and the best reply, until a sentence names others.  The number of sentences that said why
    is `checked`.
    """

    def __init__(
        self, position: Position, better: str = "", played: str = "", reply: str = ""
    ) -> None:
        self.begin = Board(position)
        self.better = better
        self.played = played
        self.reply = reply
        self.user = self.begin.mover
        self.other = "BA"["AB".index(self.user)]
        self.checked = 0

    def check(self, text: str) -> None:
        """Check every sentence of a text; raise AssertionError if one is wrong."""
        for sentence in re.split(r"\.\s*", " ".join(text.split())):
            if not sentence or SILENT.fullmatch(sentence):
                continue
            sentence = sentence.removeprefix("AS FAR AS I SEE, ")
            if SILENT.fullmatch(sentence):
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
        board = self.begin.copy()
        play(board, turn, self.user)
        if re.fullmatch(RESULT, reason) or not reason:
            play(board, reply, self.other)
            return
        self.event(board, reply, reason, self.other)

    def event(self, board: Board, turn: str, reason: str, player: str) -> None:
        """Replay a turn and those after it, of which the last does what is said."""
        found = EVENT.fullmatch(reason)
        assert found, reason
        done = play(board, turn, player)
        turns = [*zip(found.groups()[0:4:2], found.groups()[1:4:2])]
        turns = [*turns, (found[5], found[6])]
        for whose, pits in turns:
            if pits:
                who = self.user if whose == "YOUR" else self.other
                assert who != player and not board.over, reason
                done = play(board, pits, who)
                player = who
        self.did(board, done, found[7], player)

    def did(self, board: Board, done: Done, deeds: str, player: str) -> None:
        """Check what the last turn on a board did."""
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
        assert board.over == rest.startswith("ENDS"), deeds
        if found := ENDS.match(rest):
            kept = {it: sum(board.pits(it).values()) for it in "AB"}
            if found[1]:
                keeper = self.user if found[1] == "YOU" else self.other
                assert kept[keeper] == int(found[2]), deeds
                assert sum(kept.values()) == int(found[2]), deeds
            else:
                assert all(kept.values()) or not any(kept.values()), deeds
            rest = rest[found.end() :]
        elif found := AGAIN.match(rest):
            times = {None: 1, "TWICE": 2}.get(found[1]) or int(found[1].split()[0])
            assert done.again == times and not done.captured, deeds
            rest = rest[found.end() :]
        assert not rest and deeds, deeds

    def merit(self, turn: str, deeds: str) -> None:
        """Check what a better turn does, and that the turn played did not do it."""
        board, instead = self.begin.copy(), self.begin.copy()
        done = play(board, turn, self.user)
        if deeds == NOTHING:
            assert not any(captured for captured, _ in board.turns())
            self.checked += 1
        elif found := AT_MOST.fullmatch(deeds):
            play(instead, self.played, self.user)
            lost = play(instead, self.reply, self.other)
            most = max(captured for captured, _ in board.turns())
            assert most == int(found[1]) < lost.captured
            self.checked += 1
        elif found := SAVES.fullmatch(deeds):
            stones, pit = int(found[1]), int(found[2])
            assert self.begin.pits(self.user)[pit] == stones > 0
            play(instead, self.played, self.user)
            lost = play(instead, self.reply, self.other)
            assert lost.captured >= stones and lost.pit == pit
            for captured, where in board.turns():
                assert not captured or (where != pit and str(pit) not in turn)
            self.checked += 1
        else:
            self.did(board, done, deeds, self.user)
