"""The course of a game, and a game: who played it, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sail.board import PLAYERS, Pits, Position, Sown
from sail.refusal import Refusal
from sail.typed import sanitized

if TYPE_CHECKING:
    from typing_extensions import Self

TURN = re.compile("P?[0-9](?:[-, ]*P?[0-9])*")  # 36, 3,6, 3-6, 3 6; ATLAS: P3-P6
TURNS = re.compile("(?:[AB] )?P?[0-9](?:[-, ]*(?:[AB] )?P?[0-9])*-?")  # A 3,6 B 1, 36-1
IS_TO_MOVE = "{} IS TO MOVE."
GAME_IS_OVER = "THE GAME IS OVER."
NOTHING_WAS_PLAYED = "  NOTHING WAS PLAYED."  # ends the refusal of several pits


class Ending(Enum):
    """How a game ended, if not on the board; the values are the words on KALAH.OUT."""

    CONCEDED = "CONCEDED"
    DRAW = "DRAW"
    WIN = "WIN"
    DAMMIT = "DAMMIT"
    QUIT = "QUIT"


def format_turn(pits: Iterable[int]) -> str:
    """Return a turn: 3,6 is pit 3, then pit 6."""
    return ",".join(map(str, pits))


def format_turns(turns: Iterable[Turn]) -> str:
    """Return turns with their players, like A 1,3 B 5."""
    named = (f"{PLAYERS[turn.player]} {format_turn(turn.pits)}" for turn in turns)
    return " ".join(named)


class Turn(NamedTuple):
    """The submoves of one player in one turn, and what they do.

    before, after: the positions.  captured, captured_pit: as in Sown, by the last
    submove; no other can capture.
    """

    before: Position
    pits: Pits
    after: Position
    captured: int
    captured_pit: int

    @property
    def player(self) -> int:
        return self.before.mover


@dataclass(frozen=True)
class Course:
    """The moves from a position on, by both players; each move makes a new course."""

    start: Position  # its mover begins
    pits: Pits = ()  # those played, in order

    @cached_property
    def sown(self) -> list[Sown]:
        """What each move does.  Raises IllegalMove."""
        sown: list[Sown] = []
        position = self.start
        for pit in self.pits:
            sown.append(position.sow(pit))
            position = sown[-1].after
        return sown

    @property
    def positions(self) -> list[Position]:
        """All positions from the start to now."""
        return [self.start, *(after for after, *_ in self.sown)]

    @property
    def position(self) -> Position:
        return self.sown[-1].after if self.pits else self.start

    @property
    def turns(self) -> list[Turn]:
        """The turns; the last one may be incomplete."""
        turns: list[Turn] = []
        for before, pit, sown in zip(self.positions, self.pits, self.sown):
            pits: Pits = (pit,)
            if turns and turns[-1].player == before.mover:
                before, pits = turns[-1].before, turns.pop().pits + pits
            turns.append(Turn(before, pits, *sown))
        return turns

    @property
    def submoves(self) -> Pits:
        """The pits that the player to move has played in this turn."""
        turns = self.turns
        if turns and turns[-1].player == self.position.mover:
            return turns[-1].pits
        return ()

    @property
    def turn_is_over(self) -> bool:
        """Whether the last move ended a turn, or the game."""
        return bool(self.pits) and (self.position.over or not self.submoves)

    def play(self, pit: int) -> Self:
        """Return the course with this pit played.  Raises IllegalMove."""
        self.position.play(pit)
        return replace(self, pits=self.pits + (pit,))

    def through(self, pits: Iterable[int]) -> Self:
        """Return the course with these pits played, up to the end of the game.

        Raises IllegalMove.
        """
        position, played = self.position, self.pits
        for pit in pits:
            if position.over:
                break
            position, played = position.play(pit), (*played, pit)
        return replace(self, pits=played)

    def shortened(self, count: int) -> Self:
        """Return the course without its last `count` moves."""
        return replace(self, pits=self.pits[: len(self.pits) - count])

    def after_typed(self, answer: str, several: bool = False) -> Self | None:
        """Return the course after a typed turn, perhaps incomplete; None if it is none.

        several: whether another turn may follow after a hyphen or a blank, as in
        A 4,1 B 5,6 A 5 or 41-56-5, or after a comma if no player is named.  Before
        them PITS may stand, as in SOLVE's line.
        Raises Refusal if the mover cannot play the pits, or another player is named.
        """
        answer = answer.removeprefix("PITS ") if several else answer
        if not (TURNS if several else TURN).fullmatch(answer):
            return None
        pits: Pits = ()
        position, named = self.position, ""
        mover = position.mover
        words = re.findall("([-, ]*([AB]?) ?)P?([0-9])", answer)
        for count, (gap, player, digit) in enumerate(words):
            pit = int(digit)
            named = player or named
            if several and gap and not (named and gap == ","):
                mover = position.mover
            if player and player != PLAYERS[position.mover] and not position.over:
                replace(self, pits=self.pits + pits).whole()
                raise Refusal(IS_TO_MOVE.format(PLAYERS[position.mover]))
            pits += (pit,)
            if pit in position.legal and position.mover == mover:
                position = position.play(pit)
                continue
            then = f" ENDS WITH PIT {pits[count - 1]}; PIT {pit} CANNOT FOLLOW."
            if position.over:
                problem = f"THE GAME{then}" if count else GAME_IS_OVER
            elif position.mover != mover:
                problem = f"THE TURN{then}"
            elif 1 <= pit <= position.pits_a_side:
                problem = f"PIT {pit} IS EMPTY."
            else:
                problem = f"THERE IS NO PIT {pit}."
            raise Refusal(problem + (NOTHING_WAS_PLAYED if count else ""))
        return replace(self, pits=self.pits + pits)

    def after_written(self, turns: str, several: bool = False) -> Self:
        """Return the course after turns on a file, as `after_typed` reads them.

        Raises Refusal, which names the turns.
        """
        try:
            course = self.after_typed(turns, several)
        except Refusal as error:
            why = str(error).removesuffix(NOTHING_WAS_PLAYED)
            raise Refusal(f"{sanitized(turns)}: {why}") from None
        if not course:
            raise Refusal(f"{sanitized(turns)} IS NOT A TURN LIKE 3,6.")
        return course

    def whole(self) -> Self:
        """Return the course.  Raises Refusal if its last turn is incomplete."""
        if self.pits and not self.turn_is_over:
            turn, mover = self.turns[-1], PLAYERS[self.position.mover]
            told = sanitized(format_turns([turn]))
            raise Refusal(f"{told} IS NOT A WHOLE TURN: {mover} MOVES AGAIN.")
        return self


@dataclass(frozen=True)
class Game(Course):
    """A game: its course, who played, and how it ended."""

    level: str = ""  # the name of the computer's level; "" if two people played
    user: int = 0  # the user's player, 0 or 1; without meaning if two people played
    heading: str = ""  # after GAME OF: when it began, like 06-OCT-72  14:03, or names
    ending: Ending | None = None  # None while it goes on, or if it ended on the board
    advised: bool = False  # whether the user has asked for advice

    @property
    def between_people(self) -> bool:
        """Whether two people played it, so that nobody is the user."""
        return not self.level

    @property
    def over(self) -> bool:
        """Whether the game has ended, on the board or otherwise."""
        return self.ending is not None or self.position.over

    @property
    def winner(self) -> int | None:
        """The winner; None after a draw or QUIT, or before the end.

        Nor is one known if one of two people conceded: a file does not say who.
        """
        if self.ending and self.between_people:
            return None
        if self.ending == Ending.CONCEDED:
            return 1 - self.user
        if self.ending in (Ending.WIN, Ending.DAMMIT):
            return self.user
        a, b = self.position.score
        if self.ending or not self.position.over or a == b:
            return None
        return int(a < b)

    def redo(self) -> Game:
        """Return the game without the submoves of the present turn (AKC-12200)."""
        return self.shortened(len(self.submoves))

    def back(self) -> Game | None:
        """Return the game as it was before the user's last turn (AKC-12100).

        This also takes back the computer's answer to that turn, and the submoves of
        the present turn.  In the user's first turn it takes back only his submoves,
        and returns None if he has made none.
        """
        earlier = self.redo()
        for turn in reversed(earlier.turns):
            earlier = earlier.shortened(len(turn.pits))
            if turn.player == self.user:
                return earlier
        return self.redo() if self.submoves else None
