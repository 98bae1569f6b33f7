"""SOLVE: the true value of a position and of every move in it (ISK)."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import comb

from sail.board import (
    ISK_RULES,
    MOST_PITS,
    PLAYERS,
    STANDARD_RULES,
    Position,
    Rules,
    opening,
)
from sail.files import games, seal
from sail.files.area import Area, with_extension
from sail.files.positions import Entry
from sail.files.proved import judge_for
from sail.game import Game
from sail.programs.solve import report, says
from sail.programs.solve.proof import progress_stop
from sail.programs.solve.walk import Walk
from sail.refusal import Refusal
from sail.stop import STOPPED, Clock
from sail.talk import manuals
from sail.talk.asking import GOES_BACK, Asker, Back, Command, Commands
from sail.talk.choosing import ask_saved_game, special_command
from sail.teletype import Teletype
from sail.typed import parse_number

MOST_SOLVED_A_PIT = 36  # stones
MOST_MINUTES = 999
# The number of positions of Kalah(6,5), the largest game that ISK solved, not
# counting kalahs and mover.
MOST_POSITIONS = comb(60 + 12, 12)


class Session:
    """One user's session with SOLVE.  walk: keeps the last solver, with its proofs."""

    def __init__(
        self, tty: Teletype, area: Area, clock: Clock = time.monotonic
    ) -> None:
        self.tty = tty
        self.asker = Asker(tty, area, "SOLVE", says.RULES, clock=clock)
        self.walk = Walk(self.asker)

    def run(self) -> None:
        """Solve positions and review games until the user leaves."""
        self.tty.type(says.TITLE)
        with suppress(Back):
            while True:
                pits = self._ask_pits()
                with suppress(Back):
                    self.walk.run(self._ask_position(pits))

    def _ask_pits(self) -> int:
        """Ask for the pits a side of a position to solve.  Raises Back."""
        commands: Commands[int] = (
            Command(
                "REVIEW",
                "JUDGES EVERY TURN OF A GAME ON KALAH.OUT, OR ON NAME.OUT",
                self._review_file,
                "NAME",
                short=True,
            ),
            Command(
                "GAME",
                "JUDGES EVERY TURN OF A GAME THAT YOU TYPE",
                self._review_typed,
                short=True,
            ),
            Command("QUIT", "LEAVES SOLVE;  ^C STOPS LONG WORK", short=True),
        )
        meaning = partial(parse_number, most=MOST_PITS)
        return self.asker.ask(says.PITS, commands, meaning)

    def _ask_position(self, pits: int) -> Position:
        """Ask for the position to solve and return it.  Raises Back."""

        def meaning(answer: str) -> Position | None:
            stones = parse_number(answer, MOST_SOLVED_A_PIT)
            return solvable(opening(stones, pits, STANDARD_RULES)) if stones else None

        def solvable(position: Position) -> Position:
            if comb(position.in_play + 2 * pits, 2 * pits) > MOST_POSITIONS:
                why = says.TOO_LARGE.format(position.in_play, pits)
                if position == opening(6, rules=STANDARD_RULES):
                    why = "\n".join([manuals.find("ISK-66"), why])
                raise Refusal(why)
            return position

        def special(entry: Entry) -> Position:
            self.asker.type_lines(entry.comments)
            self.walk.type_position(solvable(entry.position))
            return entry.position

        command = special_command(self.asker, special, STANDARD_RULES, pits)
        while True:
            position = self.asker.ask(says.STONES, (command, GOES_BACK), meaning)
            with suppress(Back):
                return position._replace(rules=self._ask_rules())

    def _ask_rules(self) -> Rules:
        """Ask for the rule of captures, and return the rules.  Raises Back."""
        captures_empty = self.asker.ask_yes(
            says.CAPTURES,
            "A LAST STONE IN AN EMPTY PIT IS CAPTURED ALONE, TOO",
            "ONLY IF THE PIT OPPOSITE HOLDS STONES",
        )
        return ISK_RULES if captures_empty else STANDARD_RULES

    def _review_file(self, typed: str) -> None:
        """Review a game on NAME.OUT; "" means KALAH.OUT.  Raises Refusal, Back.

        typed: the name, perhaps with the number of a game.
        """
        name, _, which = typed.partition(" ")
        file = with_extension(name or seal.KALAH_OUT, games.OUT)
        area, stop = self.asker.area, self.tty.poll

        def review(saved: games.SavedGames | list[Game]) -> None:
            ask_saved_game(self.asker, saved, file, self._review, which)

        if file in (seal.KALAH_OUT, seal.KALAH_TMP):
            return review(games.saved_games(area, file, stop))
        text = area.read(file)
        while True:
            rules = self._ask_rules()
            with suppress(Back):
                return review(games.parse_typed(text, file, rules, stop))

    def _review_typed(self, _: str) -> None:
        """Ask for the rule of captures and for a game; review it.  Raises Back."""
        while True:
            rules = self._ask_rules()
            with suppress(Back):
                return self._review_lines(rules)

    def _review_lines(self, rules: Rules) -> None:
        """Ask for the lines of a game, and review it after an empty one.  Raises Back.

        Back takes back a line, if there is one.
        """
        lines: list[str] = []

        def meaning(answer: str) -> str | None:
            text, name = "\n".join([*lines, answer]), says.YOUR_PAPER
            try:
                found = games.parse_typed(text, name, rules, complete=not answer)
            except seal.BadLine:
                self.tty.doubt()
                raise
            if not answer and found:
                ask_saved_game(self.asker, found, name, self._review)
            return answer if answer or found else None

        while True:
            question = says.GAME_LINE.filled(len(lines) + 1)
            try:
                line = self.asker.ask(question, meaning=meaning)
            except Back:
                if not lines:
                    raise
                lines.pop()
                continue
            if not line:
                return
            lines.append(line)

    def _review(self, game: Game) -> None:
        """Judge the turns of a game, and walk on from them.  Raises Refusal, Back."""
        game = replace(game, start=game.start.without_majority)
        if not game.pits:
            raise Refusal(says.NO_TURNS)
        if not game.between_people:
            user = PLAYERS[game.user]
            self.tty.type(says.SIDES.format(user, PLAYERS[1 - game.user], game.level))
        before = [turn.before for turn in game.turns]
        meaning = partial(parse_number, most=MOST_MINUTES)
        minutes = self.asker.ask(says.MINUTES, meaning=meaning, empty=1)
        self._type_review(game, 60 * minutes)
        question = says.WALK_FROM.filled(len(before))
        meaning = partial(parse_number, most=len(before))
        leave = replace(GOES_BACK, help="LEAVES THIS GAME", short=False)
        with suppress(Back):
            while True:
                number = self.asker.ask(question, (leave,), meaning)
                self.walk.type_position(before[number - 1])
                with suppress(Back):
                    self.walk.run(before[number - 1])

    def _type_review(self, game: Game, seconds: float) -> None:
        self.walk.solver = None  # frees its memory
        self.tty.type(says.REVIEWING.format(seconds))
        stop = progress_stop(self.asker)
        judge = judge_for(game.start, self.asker.area, self.asker.clock, stop)
        judged_turns = judge.judge_game(game, seconds)
        if self.tty.poll():
            self.tty.type(STOPPED)
        self.asker.type_lines(report.lines(game, judged_turns))
        self.walk.solver = judge.solver
