"""ATLAS: Bell's Kalah program, which learns from the games that it loses."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NoReturn

from sail.board import (
    KALAH_RULES,
    MOST_OPENING,
    STANDARD_RULES,
    Pits,
    Position,
    opening,
)
from sail.files import seal
from sail.files.area import Area
from sail.files.positions import Entry
from sail.game import Course, Ending, Game
from sail.programs.atlas import diagrams, says, store
from sail.programs.atlas.learner import AFTER_P2, Learner, losing_replies, machine_turn
from sail.programs.atlas.memory import (
    ALL_STONES,
    LOST,
    MOST_RECORDS,
    PSEUDO_LOSS,
    PSEUDO_WIN,
    REPLIES,
    UNKNOWN,
    Memory,
)
from sail.programs.atlas.teacher import Teacher
from sail.programs.atlas.turns import MACHINE, PLAYER, node_of, turns_of
from sail.refusal import Refusal
from sail.stop import check_stop
from sail.talk.asking import Asker, Back, Command, Commands, attempt
from sail.talk.choosing import special_command
from sail.teletype import Teletype
from sail.typed import parse_number, plural, sanitized

GAMES_A_LINE = 25  # in TEACH, if no reply is new; before each, the tape is written


class Session:
    """One user's session with ATLAS: its memory, its tape and its games."""

    def __init__(self, tty: Teletype, area: Area) -> None:
        self.tty = tty
        self.asker = Asker(tty, area, "ATLAS", says.RULES)
        self.memory_command: Command[NoReturn] = Command(
            "MEMORY",
            "WHAT I KNOW, OR POSITION 5 OF M3-M2",
            self._type_memory,
            "M3-M2 5",
            short=True,
        )
        self.memory = Memory()
        # The tape's text once it is held and read; until then, nothing is learned.
        self.on_tape: str | None = None
        self.teacher = Teacher(tty.poll)

    def run(self) -> None:
        """Play games, and learn, until the user leaves."""
        commands: Commands[int] = (
            special_command(self.asker, self._play_from, STANDARD_RULES),
            Command(
                "TEACH",
                "I AM TAUGHT THAT ALL REPLIES TO P2 LOSE",
                self._teach,
                short=True,
                in_full=True,  # it may take minutes
            ),
            self.memory_command,
            *(
                Command(name, does, partial(self._set_switch, name), "ON/OFF")
                for name, does in (
                    ("CHARACTERISTICS", "I KEEP ONLY WHAT MATTERS IN A WIN"),
                    ("PARAMETERS", "SCORES THAT OFTEN WON COUNT AS WON"),
                )
            ),
            Command("QUIT", "LEAVES ATLAS.  THE TAPE IS ATLAS.TAP", short=True),
        )
        self.tty.type(says.TITLE)
        try:
            self.load()
            with suppress(Back):
                meaning = partial(parse_number, most=MOST_OPENING)
                while True:
                    stones = self.asker.ask(says.STONES, commands, meaning)
                    with suppress(Back):
                        self._new_game(stones)
        finally:
            self._save()
            self.asker.area.release(seal.ATLAS_TAP)
            turns_of.cache_clear()

    def _set_switch(self, name: str, typed: str) -> None:
        if typed not in ("ON", "OFF"):
            raise Refusal(says.ON_OR_OFF.format(name, name))
        if name == "PARAMETERS":
            self.memory.parameters.on = typed == "ON"
        else:
            self.memory.compresses = typed == "ON"
        self.tty.type(says.SWITCHED.format(name, typed))

    def _type_memory(self, typed: str) -> None:
        """Type a summary of what the machine knows, or one position of a table."""
        name, _, which = typed.partition(" ")
        if not name:
            return self.tty.type(diagrams.summary(self.memory))
        tables = self.memory.tables
        if name not in tables:
            raise Refusal(says.NOT_A_REPLY.format(sanitized(name)))
        records = [*tables[name].records.values()]
        if not records:
            raise Refusal(says.NO_RECORDS.format(name))
        number = parse_number(which or str(len(records)), len(records))
        if not number:
            raise Refusal(says.NO_RECORD.format(name, len(records)))
        self.tty.type(diagrams.record_text(records[number - 1]))

    # The tape

    def load(self) -> None:
        """Hold the tape and take the memory from it, or type why that failed."""
        held = True
        try:
            self.asker.area.hold(seal.ATLAS_TAP)
        except Refusal as error:
            self.tty.type(says.LEARNS_NOTHING.format(error))
            held = False
        try:
            self.memory = store.load(self.asker.area)
            self.on_tape = store.text_of(self.memory) if held else None
        except Refusal as error:
            self.tty.type(f"{error}\n{says.PLAYS_WITHOUT}")

    def _save(self) -> None:
        """Write on the tape what was learned, or type why that failed."""
        text = store.text_of(self.memory)
        if self.on_tape not in (None, text):
            save = partial(store.save, self.asker.area, text)
            self.on_tape = attempt(self.tty, save) or self.on_tape
        for name, table in self.memory.tables.items():
            if table.full:
                self.asker.aside_once(says.FULL.format(name, MOST_RECORDS))

    # A game

    def _new_game(self, stones: int) -> None:
        """Ask who plays first and play one game.  Raises Back at that question."""
        position = opening(stones, rules=STANDARD_RULES)
        learns = position.stones == ALL_STONES
        if not learns:
            self.tty.type(says.NOT_LEARNT)
        starts = self.asker.ask_yes(says.DO_YOU_WISH_TO_START, "YOU PLAY FIRST", "I DO")
        self.play(position._replace(mover=PLAYER if starts else MACHINE), learns)

    def _play_from(self, entry: Entry) -> None:
        """Play from a special position, in which the machine is A."""
        self.asker.type_lines(entry.comments)
        self.tty.type(says.NOT_FROM_SPECIAL)
        self.play(entry.position, learns=False)

    def play(self, position: Position, learns: bool) -> None:
        """Play a game until it ends or the user quits it, and type what it taught.

        learns: whether the machine may learn from it, if it has the tape.
        """
        memory = self.memory if position.stones == ALL_STONES else Memory()
        known_before, lost_before = len(memory), memory.games[LOST]
        learner = Learner(memory, learns and self.on_tape is not None)
        with suppress(Back):
            self._play_out(learner, Game(position))
        self._save()
        if len(memory) != known_before:
            self.tty.type(says.LEARNT.format(len(memory), plural(len(memory))))
        if memory.games[LOST] > lost_before:
            self.tty.type(says.SEE_MEMORY.format(learner.table.name))

    def _play_out(self, learner: Learner, game: Game) -> None:
        """Play to the end of the game.  Raises Back when the user quits."""
        commands: Commands[Game] = (
            Command(
                "RESIGN",
                "GIVES ME THE GAME; SO DOES CONCEDE",
                lambda _: replace(game, ending=Ending.CONCEDED),
                short=True,
                alias="CONCEDE",
            ),
            self.memory_command,
            Command("QUIT", "ENDS THE GAME FOR NOBODY", short=True),
        )
        self.tty.type(diagrams.picture(game.position))
        while not game.over:
            if game.position.mover == MACHINE:
                game = game.through(self.my_turn(learner, game.position))
            else:
                game = self.asker.ask(says.YOUR_MOVE, commands, game.after_typed)
            if not game.ending:
                self.tty.type(diagrams.picture(game.position))
            if game.ending or node_of(game.position).decided:
                result = learner.end(game.position)
                self._save()  # what it taught
        score = "" if game.ending else says.SCORE.format(*game.position.score)
        self.tty.type(score + says.WINS[result])

    def my_turn(self, learner: Learner, position: Position) -> Pits:
        """Choose and type the machine's turn; return its pits."""
        before = learner.choices[-1].value if learner.choices else UNKNOWN
        choice = learner.choose(position)
        plain = learner.plain_choice(choice.node)
        if plain.value <= PSEUDO_LOSS < choice.value and not choice.node.decided:
            often = says.HOW_OFTEN[plain.value]
            self.tty.type(says.REJECTED.format(machine_turn(plain.turn.pits), often))
        if choice.value >= PSEUDO_WIN > before:
            self.tty.type(says.I_WILL_WIN)
        if choice.value <= PSEUDO_LOSS < before:
            self.tty.type(says.YOU_CAN_WIN.format(says.HOW_OFTEN[choice.value]))
        # A turn that reaches 19 stops there, as in Fig. 5.2; the rest comes by itself.
        by_kalah = position._replace(rules=KALAH_RULES)
        pits = Course(by_kalah).through(choice.turn.pits).pits or choice.turn.pits
        self.tty.type(says.I_PLAY.format(machine_turn(pits)))
        return pits

    # The teacher

    def _teach(self, _: str) -> None:
        """Play the teacher until all replies to P2 count as lost.  Raises Stopped."""
        if self.on_tape is None:
            raise Refusal(says.CANNOT_LEARN)
        number, known = 0, losing_replies(self.memory)
        if len(known) < len(REPLIES):
            self.tty.type(says.TO_STOP)
        try:
            while len(known) < len(REPLIES):
                cells = self._lost_game()
                before, known = known, losing_replies(self.memory)
                new = known.keys() - before
                if number == 0:
                    self.tty.type(says.GAME_HEAD)
                if number % GAMES_A_LINE == 0 or new:
                    self._save()
                    self.tty.type(says.GAME.format(number + 1, *cells))
                number += 1
                for reply in sorted(new):
                    often = says.HOW_OFTEN[known[reply]]
                    self.tty.type(says.KNOWN.format(reply, often))
        finally:
            self._save()
        often = says.HOW_OFTEN[max(known.values())]
        self.tty.type(says.ALL_KNOWN.format(often))

    def _lost_game(self) -> tuple[object, ...]:
        """Play a game against the teacher; return its cells.  Raises Stopped."""
        learner, position = Learner(self.memory), AFTER_P2
        while not position.over:
            if position.mover == MACHINE:
                pits = learner.choose(position).turn.pits
            else:
                if not self.teacher.has_planned(position):
                    self.tty.type(says.PREPARES.format(learner.table.name))
                pits = self.teacher.winning_turn(position)
            position = Course(position).through(pits).position
            check_stop(self.tty.poll)
        result = learner.end(position)
        return learner.table.name, *position.score, result, len(learner.table)
