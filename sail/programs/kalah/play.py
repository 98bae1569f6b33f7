"""Playing a game: the turns of both players, and the user's commands."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sail.board import PLAYERS
from sail.engine.levels import LEVELS
from sail.files import games
from sail.files.positions import Entry
from sail.game import Ending, Game, format_turn, format_turns
from sail.programs.kalah import says, why
from sail.programs.kalah.opponent import Opponent
from sail.programs.kalah.saving import Autosave
from sail.programs.kalah.showing import how_it_ends, type_boards, type_state
from sail.refusal import Refusal
from sail.talk.asking import Asker, Command, Commands, attempt
from sail.talk.choosing import save_position


class GameInProgress:
    """A game at the teletype, which `run` plays out: on file, and then on paper."""

    def __init__(self, asker: Asker, autosave: Autosave, game: Game) -> None:
        self.asker = asker
        self.tty = asker.tty
        self.autosave = autosave
        self.opponent = Opponent(asker)
        self.game = game
        # The commands of AKC-12000 to AKC-13400, and after them ours.
        ends = {ending: partial(self._end, ending) for ending in Ending}
        of_1972: Commands[Game] = (  # at every question of a game
            Command("SHOW", "SHOWS THE BOARD AND ALL TURNS", self._show, short=True),
            Command(
                "QUIT", "ENDS THIS GAME; NOBODY WINS", ends[Ending.QUIT], short=True
            ),
            Command("CONCEDE", "GIVES ME THE GAME", ends[Ending.CONCEDED], short=True),
        )
        save: Command[Game] = Command(
            "SAVE",
            "WRITES THIS POSITION ON NAME.POS (OURS)",
            self.save,
            "NAME",
            short=True,
        )
        self.commands: Commands[Game] = (*of_1972, save)
        self.move_commands: Commands[Game] = (  # when the user is to move
            Command("BACK", "BACKS UP TO YOUR PREVIOUS TURN", self._back, alias="UNDO"),
            Command("REDO", "TAKES BACK YOUR MOVES IN THIS TURN", self._redo),
            Command("DRAW", "OFFERS A DRAW", self._draw),
            Command("WIN", "CLAIMS VICTORY; I MAY NOT ACCEPT", self._win),
            Command("I WIN, DAMMIT", "ALWAYS WINS", ends[Ending.DAMMIT], in_full=True),
            *of_1972,
            Command(
                "ADVISE", "NAMES A GOOD TURN, AND HOW IT ENDS (OURS)", self._advise
            ),
            save,
        )

    def run(self) -> Game:
        """Play the game out and return it."""
        try:
            while not self.game.over:
                if self.game.position.mover == self.game.user:
                    self._your_move()
                else:
                    self._my_turn()
                    if not self.game.over:
                        self.tty.ring()
        finally:
            del self.opponent  # frees its memory
        return self.game

    def _update(self, game: Game, line: str = "") -> None:
        """Make this the present game; save it; type the line and the new boards."""
        before, self.game = self.game, game
        attempt(self.tty, partial(self.autosave.write, game))
        if line:
            self.tty.type(line)
        if game.pits != before.pits:
            new = game.positions[len(before.pits) + 1 :]
            type_boards(self.tty, *(new or [game.position]), user=game.user)

    def _my_turn(self) -> None:
        """Play a turn; await a carriage return before each submove but the first.

        The manual wants one after each step of a move, to give time to examine the
        board (AKC-10900).  After the last step, the next question gives that time;
        without asides, the program asks as the manual says.  A brief turn has one line,
        one board and no carriage returns.
        """
        asides = self.asker.with_asides
        form = says.I_MOVE if asides else says.MOVE
        submoves = self.opponent.pits_of_turn(self.game)
        if self.tty.settings.brief:
            game = self.game.through(submoves)
            pits = format_turn(game.turns[-1].pits)
            return self._update(game, says.I_PLAY.format(pits))
        while not self.game.over and self.game.position.mover != self.game.user:
            if self.game.submoves:
                self._please_type_cr()
            if not self.game.over:
                pit = next(submoves)
                self._update(self.game.play(pit), form.format(pit))
        long = len(self.game.turns[-1].pits) > 1
        if long and not asides and not self.game.ending:
            self._please_type_cr()

    def _please_type_cr(self) -> None:
        """Ask for a carriage return; the user may also end the game."""
        self.asker.aside_once(says.WHAT_CR_IS)
        game = self.asker.ask(says.PLEASE_TYPE_CR, self.commands, empty=self.game)
        self._update(game)

    def _your_move(self) -> None:
        """Ask for pits or a command, and carry it out (AKC-11900)."""
        player = says.YOUR_PLAYER[self.game.user]
        show = says.SHOW_AND_OURS if self.asker.with_asides else says.SHOW_ALONE
        question = says.YOUR_MOVE._replace(
            notes=[player], short_list=(*says.OPTIONS, show)
        )

        def meaning(answer: str) -> Game | None:
            return self.game.after_typed(answer)  # ADVISE has perhaps changed the game

        self._update(self.asker.ask(question, self.move_commands, meaning))

    def _end(self, ending: Ending, _: str) -> Game:
        """End the game; at PLEASE TYPE <CR>, it may be over on the board already."""
        return self.game if self.game.over else replace(self.game, ending=ending)

    def _advise(self, _: str) -> None:
        """Type a turn that is proved right, or the one that the referee would play."""
        proof = self.opponent.quick_proof(self.game)
        finding = proof or self.opponent.advice(self.game)
        text = says.PROVED_ADVICE if proof else says.ADVICE
        level = LEVELS[self.game.level].referee.name
        turn, result = finding.variation, how_it_ends(finding.value)
        text = text.format(format_turn(turn), result, level)
        self._update(replace(self.game, advised=True), text)
        self.asker.type_folded(why.merit(self.game.position, turn))

    def _show(self, _: str) -> None:
        type_state(self.tty, self.game)
        if self.game.pits:
            self.asker.type_folded(says.SO_FAR.format(format_turns(self.game.turns)))

    def _back(self, _: str) -> Game:
        earlier = self.game.back()
        if not earlier:
            raise Refusal(says.NOTHING_TO_TAKE_BACK)
        return earlier

    def _redo(self, _: str) -> Game:
        if not self.game.submoves:
            raise Refusal(says.NO_SUBMOVES)
        return self.game.redo()

    def _draw(self, _: str) -> Game:
        """End the game in a draw (AKC-12600).

        Raises Refusal if the computer's win is proved, or if it exceeds the error.
        """
        if len({turn.player for turn in self.game.turns}) < len(PLAYERS):
            raise Refusal(says.TOO_EARLY)
        value = self.opponent.outlook(self.game)
        if value.high < 0:
            raise Refusal(says.NO_DRAW)
        if value.likely_high < 0:
            raise Refusal(says.NO_DRAW_EXPECTED)
        return replace(self.game, ending=Ending.DRAW)

    def _win(self, _: str) -> Game:
        if self.opponent.outlook(self.game).low <= 0:
            raise Refusal(says.NO_WIN)
        return replace(self.game, ending=Ending.WIN)

    def save(self, name: str) -> None:
        game = self.game
        comment = says.POSITION_COMMENT.format(game.level, game.heading)
        origin = comment, games.on_one_line(game)
        save_position(self.asker, Entry(game.position, origin), name)
