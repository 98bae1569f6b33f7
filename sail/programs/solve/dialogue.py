"""SOLVE: the true value of a position and of every move in it (ISK)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from math import comb

from sail import special
from sail.area import Area
from sail.board import MOST_PITS, PAPER, PLAYERS, STANDARD, Position
from sail.engine.exact import Solver
from sail.engine.limit import Clock
from sail.programs import questions, record
from sail.programs.game import Game
from sail.programs.judgement import Judgement
from sail.programs.questions import QUIT, Back, ask, begins, start_position, yes
from sail.programs.solve import databases, review, says
from sail.programs.solve.tables import NAMES, Tables
from sail.programs.solve.walk import Walk, Watch
from sail.refusal import Refusal
from sail.special import BadPosition
from sail.teletype import Teletype

MOST_IN_A_PIT = 36  # stones
MOST_MINUTES = 999
JUDGING = 0.85  # share of the time; the rest finds all turns that keep a value
PROVED = (30, 36)  # most stones in play that are proved in one minute, and in ten
OUT = ".OUT"  # the extension of a file of games
# The number of positions of Kalah(6,5), the largest game that ISK solved, when
# kalahs and mover are left out.
MOST_POSITIONS = comb(60 + 12, 12)


def run(tty: Teletype, area: Area, clock: Clock = time.monotonic) -> None:
    """Answer questions until the user leaves."""
    tty.type(says.TITLE)
    dialogue = Dialogue(tty, area, clock)
    helps = says.PITS_HELP, says.PITS_MORE
    with suppress(Back):
        while True:
            command = ask(tty, says.PITS, dialogue.command, *helps, back=[QUIT])
            with suppress(Back):
                command()


class Dialogue:
    """One user's session with SOLVE."""

    def __init__(self, tty: Teletype, area: Area, clock: Clock) -> None:
        self.tty = tty
        self.area = area
        self.clock = clock
        self.tables = Tables(tty.poll, clock, tty.width)
        self.walk = Walk(tty, area, clock)

    def command(self, answer: str) -> Callable[[], None] | None:
        """Return a callable that obeys the first answer, or None.  It may raise Back."""
        self.walk.told = False
        pits = special.number(answer, MOST_PITS)
        word, _, name = answer.partition(" ")
        if answer in NAMES:
            return lambda: self.type_lines(self.tables.lines(answer))
        if pits:
            return lambda: self.walk.start(self.position(pits))
        if begins(word, "REVIEW") and " " not in name:
            return lambda: self.review(name)
        return None

    def type_lines(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.tty.type(text)

    def position(self, pits: int) -> Position:
        """Ask for the position to solve and return it.  Raises Back."""

        def meaning(answer: str) -> Position | None:
            stones = range(MOST_IN_A_PIT + 1)
            found = start_position(self.tty, self.area, answer, stones, pits, STANDARD)
            if not found:
                return None
            position = found.position
            if position.over:
                raise BadPosition(says.FINISHED)
            if comb(position.in_play + 2 * pits, 2 * pits) > MOST_POSITIONS:
                raise BadPosition(says.TOO_LARGE.format(position.in_play, pits))
            if not answer.isdigit():
                self.walk.show(position)
            return position

        while True:
            position = ask(self.tty, says.STONES, meaning, says.STONES_HELP)
            with suppress(Back):
                captures = yes(self.tty, says.CAPTURES, says.CAPTURES_HELP)
                return position._replace(rules=PAPER if captures else STANDARD)

    def review(self, name: str) -> None:
        """Judge the turns of a game on NAME.OUT.  Raises Back."""
        try:
            game = self.saved_game(name)
        except Refusal as error:
            self.tty.type(str(error))
            return
        if game.level:
            human = PLAYERS[game.human]
            self.tty.type(says.SIDES.format(human, PLAYERS[1 - game.human], game.level))
        nodes = [game.start, *(turn.after for turn in game.turns[:-1])]
        buys = [sum(node.in_play <= most for node in nodes) for most in PROVED]
        if buys[0] < len(nodes):
            self.tty.type(says.BUYS.format(len(nodes), *buys))

        def minutes(answer: str) -> int | None:
            return special.number(answer or "1", MOST_MINUTES) or None

        seconds = 60 * ask(self.tty, says.MINUTES, minutes, says.MINUTES_HELP)
        self.walk.solver = None  # frees its memory
        self.tty.type(says.REVIEWING.format(seconds))
        self.turn = len(game.turns)  # that is being judged
        watch = Watch(
            self.tty, self.clock, lambda spent: says.WORKING.format(self.turn, spent)
        )
        stones = max(game.start.in_play, databases.largest(MOST_PITS))
        solver = Solver(MOST_PITS, stones, False)
        if game.start.in_play >= databases.LEAST_IN_PLAY:
            solver.database = databases.get(self.area, solver.moves, 0, self.tty)
        judgement = Judgement(game, self.clock, watch.stop, solver)
        for self.turn in judgement.work(JUDGING * seconds):
            pass
        end = watch.begun + seconds
        keeping = review.find_keeping(
            judgement, lambda: watch.stop() or self.clock() >= end
        )
        if self.tty.poll():
            self.tty.type(says.STOPPED)
        self.type_lines(review.lines(game, judgement, keeping, self.tty.width))
        self.walk.solver = solver
        nodes = judgement.nodes[:-1]
        del judgement  # frees the table of its search
        helps = says.WALK_FROM_HELP.format(len(nodes))
        ask(self.tty, says.WALK_FROM, partial(self.walk_from, nodes), helps)

    def walk_from(self, nodes: list[Position], answer: str) -> None:
        """Walk from the position before the typed turn.  Raises Back."""
        word, _, typed = answer.partition(" ")
        turn = special.number(typed, len(nodes))
        if begins(word, "WALK") and turn:
            self.walk.show(nodes[turn - 1])
            self.walk.start(nodes[turn - 1])

    def saved_game(self, name: str) -> Game:
        """Return the game of NAME.OUT that the user chooses.  Raises Refusal, Back."""
        file = name.removesuffix(OUT) + OUT if name else record.OUT
        read = record.Saved if file == record.OUT else record.read_typed
        games = read(self.area.read(file), file, self.tty.poll)
        game = questions.saved_game(self.tty, games, file)
        if not game.moves:
            raise BadPosition(says.NO_TURNS)
        return game
