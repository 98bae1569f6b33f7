"""The computer as the opponent: its turns, and the result that it expects."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sail.board import Position
from sail.engine.judgement import Judge
from sail.engine.levels import LEVELS, Level, Limit
from sail.engine.search import Search
from sail.engine.value import Finding, Value, of_parity
from sail.files.proved import judge_for
from sail.game import Game
from sail.programs.kalah import says
from sail.talk.asking import Asker

ANNOUNCED_FROM = 1.0  # seconds of a search
GIVEN_AWAY = 2  # stones, by each move of an opening turn at a level of fixed depth
SHORTEST_SECONDS = 0.05  # for a submove when the time of the turn is used up


class Opponent:
    """The computer as the opponent in one game, of which it remembers what it finds."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        self.tty = asker.tty
        self.search = Search()
        self.judge: Judge | None = None

    def pits_of_turn(self, game: Game) -> Iterator[int]:
        """Return the pits that the level plays in this turn, one by one (AKC-10900)."""
        level = LEVELS[game.level]
        if level.ties_by_chance:
            return self._turn_by_chance(game, level)
        return (pit for pit, _ in self._turn_by_search(game, level))

    def advice(self, game: Game) -> Finding:
        """Return the rest of the turn by the referee, and the user's value."""
        level = LEVELS[game.level].referee
        pits, findings = zip(*self._turn_by_search(game, level))
        values = [finding.value for finding in findings if finding]
        value = values[-1] if values else self.outlook(game)
        likely = of_parity(value.likely, game.position.stones)
        return Finding(value._replace(likely=likely), pits)

    def quick_proof(self, game: Game) -> Finding | None:
        """Return the mover's value and a turn that keeps it, if that is soon proved."""
        if not self.judge:
            area, clock = self.asker.area, self.asker.clock
            self.judge = judge_for(game.start, area, clock, self.tty.poll)
        return self.judge.quick_proof(game.position)

    def _turn_by_search(
        self, game: Game, level: Level
    ) -> Iterator[tuple[int, Finding | None]]:
        """Yield the pits of the turn that a level's search finds.

        Each pit comes with the finding of the search that chose it, None if there was
        no choice.  The level's time is for the whole turn.  The submoves that the first
        search saw are played; it searches again, with the time left, only if the turn
        goes on after them.
        """
        limit, position = level.limit, game.position
        mover = position.mover
        if len(position.legal) > 1:
            self._announce(limit)
        while position.mover == mover and not position.over:
            if len(position.legal) == 1:
                yield position.legal[0], None
                position = position.play(position.legal[0])
                continue
            began = self.asker.clock()
            finding = self._find(position, limit)
            remaining = limit.seconds - (self.asker.clock() - began)
            limit = limit._replace(seconds=max(remaining, SHORTEST_SECONDS))
            for pit in finding.variation:
                if position.mover == mover and not position.over:
                    yield pit, finding
                    position = position.play(pit)

    def _turn_by_chance(self, game: Game, level: Level) -> Iterator[int]:
        """Yield the pits of a turn in which chance decides between equal moves.

        Random moves replace the level's share of them, and a level that sees little may
        open with a turn that is nearly as good as the best.  Chance depends only on
        when the game began and on its moves.  So games differ, but the same moves get
        the same answer after BACK and in the next session, unless a slow machine needs
        all of the level's time.
        """
        mover = game.position.mover
        opens = game.start.is_opening and level.limit.depth
        while game.position.mover == mover and not game.over:
            seed = f"{game.heading} {game.pits}"
            chance = random.Random(seed)
            legal = game.position.legal
            if len(legal) == 1 or chance.random() < level.blunders:
                pit = chance.choice(legal)
            elif opens and game.submoves == game.pits:
                pit = chance.choice(self._nearly_best(game.position, level.limit))
            else:
                pit = self._find(game.position, level.limit, seed).variation[0]
            yield pit
            game = game.play(pit)

    def _nearly_best(self, position: Position, limit: Limit) -> list[int]:
        """Return the pits of an opening that seem to give away GIVEN_AWAY at most."""
        values: dict[int, int] = {}
        for pit in position.legal:
            after = position.play(pit)
            value = self._find(after, limit).value
            values[pit] = value.negated_if(after.mover != position.mover).likely
        best = max(values.values())
        return [pit for pit in values if best - values[pit] <= GIVEN_AWAY]

    def outlook(self, game: Game) -> Value:
        """Return the user's value that the level's referee expects, not rounded."""
        level = LEVELS[game.level].referee
        self._announce(level.limit)
        position = game.position
        value = self._find(position, level.limit).value
        return value.negated_if(position.mover != game.user)

    def _announce(self, limit: Limit) -> None:
        if limit.seconds > ANNOUNCED_FROM:
            self.asker.aside(says.LET_ME_THINK)

    def _find(self, position: Position, limit: Limit, seed: str = "") -> Finding:
        """Search; after a ^C, pause and then start the search over."""
        clock, tty = self.asker.clock, self.tty
        while True:
            finding = self.search.find(position, limit, clock, tty.poll, seed)
            if not tty.poll():
                return finding
            tty.pause()
