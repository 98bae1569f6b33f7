"""SOLVE: the true value of a position and of every move in it (ISK)."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from math import comb

from sail.board import ISK_RULES, MOST_PITS, PLAYERS, STANDARD_RULES, Position, start
from sail.engine.judgement import Judge
from sail.engine.judgement import review as judged_review
from sail.engine.limit import Clock
from sail.files import games, positions
from sail.files.area import Area
from sail.files.positions import BadPosition
from sail.files.values import judging_solver
from sail.game import Game
from sail.programs.solve import databases, review, says
from sail.programs.solve.tables import NAMES, Tables
from sail.programs.solve.walk import Progress, Walk
from sail.refusal import Refusal
from sail.talk import choosing
from sail.talk.asking import GOES_BACK, Asker, Back, Command, Question
from sail.teletype import Teletype

MOST_IN_A_PIT = 36  # stones
MOST_MINUTES = 999
JUDGING = 0.85  # share of the time; review.find_keeping gets the rest
PROVED = (30, 36)  # stones in play up to which a position takes one minute, and ten
OUT = ".OUT"  # the extension of a file of games
# The number of positions of Kalah(6,5), the largest game that ISK solved, not
# counting kalahs and mover.
MOST_POSITIONS = comb(60 + 12, 12)


def run(tty: Teletype, area: Area, clock: Clock = time.monotonic) -> None:
    """Answer questions until the user leaves."""
    tty.type(says.TITLE)
    dialogue = Solve(tty, area, clock)
    with suppress(Back):
        while True:
            pits = dialogue.ask_pits()
            with suppress(Back):
                dialogue.walk.start(dialogue.position(pits))


class Solve:
    """One user's session with SOLVE."""

    def __init__(self, tty: Teletype, area: Area, clock: Clock) -> None:
        self.tty = tty
        self.area = area
        self.clock = clock
        self.tables = Tables(tty.poll, clock, tty.width)
        self.asker = Asker(tty, "SOLVE", says.RULES)
        self.walk = Walk(self.asker, area, clock)

    def ask_pits(self) -> int:
        """Ask for the pits a side of a position to solve.  Raises Back."""

        def meaning(answer: str) -> int | None:
            return positions.parse_number(answer, MOST_PITS) or None

        def type_table(name: str, _: str) -> None:
            self.asker.type_lines(self.tables.lines(name))

        commands = (
            Command("REVIEW", says.REVIEW_HELP, self.review, "NAME", first=True),
            *(
                Command(name, help, partial(type_table, name), whole=True)
                for name, help in zip(NAMES, says.TABLES_HELP)
            ),
            Command("QUIT", "LEAVES SOLVE;  ^C STOPS LONG WORK", None, first=True),
        )
        return self.asker.ask(says.PITS, commands, meaning)

    def position(self, pits: int) -> Position:
        """Ask for the position to solve and return it.  Raises Back."""
        self.walk.told_whose = False

        def meaning(answer: str) -> Position | None:
            stones = positions.parse_number(answer, MOST_IN_A_PIT)
            return fit(start(stones, pits, STANDARD_RULES)) if stones else None

        def fit(position: Position) -> Position:
            if comb(position.in_play + 2 * pits, 2 * pits) > MOST_POSITIONS:
                raise BadPosition(says.TOO_LARGE.format(position.in_play, pits))
            return position

        def take(found: positions.Special) -> Position:
            position = fit(found.position._replace(rules=STANDARD_RULES))
            self.walk.show(position)
            return position

        of_file = choosing.special_command(self.asker, self.area, take, pits)
        commands = (of_file, *GOES_BACK)
        while True:
            position = self.asker.ask(says.STONES, commands, meaning)
            with suppress(Back):
                captures = self.asker.yes(
                    says.CAPTURES, says.PAPERS_RULE_HELP, says.KALAHS_RULE_HELP
                )
                return position._replace(
                    rules=ISK_RULES if captures else STANDARD_RULES
                )

    def review(self, name: str) -> None:
        """Judge the turns of a game on NAME.OUT; "" means KALAH.OUT.  Raises Back."""
        self.walk.told_whose = False
        game = self.saved_game(name)
        if game.level:
            human = PLAYERS[game.human]
            self.tty.type(says.SIDES.format(human, PLAYERS[1 - game.human], game.level))
        nodes = [game.start, *(turn.after for turn in game.turns[:-1])]
        proved = [sum(node.in_play <= most for node in nodes) for most in PROVED]
        if proved[0] < len(nodes):
            self.tty.type(says.BUYS.format(len(nodes), *proved))

        def minutes(answer: str) -> int | None:
            return positions.parse_number(answer or "1", MOST_MINUTES) or None

        seconds = 60 * self.asker.ask(says.MINUTES, meaning=minutes)
        self.walk.solver = None  # frees its memory
        self.tty.type(says.REVIEWING.format(seconds))
        self.turn = len(game.turns)  # the one that is being judged
        watch = Progress(
            self.tty, self.clock, lambda spent: says.WORKING.format(self.turn, spent)
        )
        stones = max(game.start.in_play, databases.largest(MOST_PITS))
        solver = judging_solver(stones)
        if game.start.in_play >= databases.LEAST_IN_PLAY:
            solver.database = databases.load_or_build(
                self.area, solver.moves, 0, self.tty
            )
        judge = Judge(self.clock, watch.stop, JUDGING * seconds, solver)
        judgement = judged_review(game, judge, partial(setattr, self, "turn"))
        end = watch.begun + seconds
        keeping = review.find_keeping(
            judgement, solver, lambda: watch.stop() or self.clock() >= end
        )
        if self.tty.poll():
            self.tty.type(says.STOPPED)
        self.asker.type_lines(review.lines(game, judgement, keeping, self.tty.width))
        self.walk.solver = solver
        nodes = judgement.nodes[:-1]
        del judge  # frees the table of its search
        walk = Command(
            "WALK", says.WALK_TURN_HELP, partial(self.walk_from, nodes), "TURN", True
        )
        help = says.WALK_FROM_HELP.format(len(nodes))
        self.asker.ask(Question(says.WALK_FROM, help), (walk, *GOES_BACK))

    def walk_from(self, nodes: list[Position], typed: str) -> None:
        """Walk from the position before the typed turn.  Raises Back, Refusal."""
        turn = positions.parse_number(typed, len(nodes))
        if not turn:
            raise Refusal(says.WALK_FROM_HELP.format(len(nodes)))
        self.walk.show(nodes[turn - 1])
        self.walk.start(nodes[turn - 1])

    def saved_game(self, name: str) -> Game:
        """Return the game of NAME.OUT that the user chooses.  Raises Refusal, Back."""
        file = name.removesuffix(OUT) + OUT if name else games.OUT
        read = games.Saved if file == games.OUT else games.read_typed
        found = read(self.area.read(file), file, self.tty.poll)
        game = choosing.saved_game(self.asker, found, file)
        if not game.moves:
            raise BadPosition(says.NO_TURNS)
        return game
