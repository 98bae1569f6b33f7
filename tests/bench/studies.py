"""Find studies, prove them, and put on file what each of their turns leads to.

    python3 -m tests.bench.studies mine SEED SECONDS THEME ... >> FOUND.POS
    python3 -m tests.bench.studies prove
    python3 -m tests.bench.studies find

A study is a position in which exactly one turn keeps the value, which is a win by two
stones, or a draw or a loss if its theme is that.

mine: draw positions from games of poor players, and print those that are studies of
these themes, or of all in WANTED, without their numbers and ideas.  prove: prove every
turn of every study in STUDY.POS, and that the lines there are best play.  find: print the first level that finds each, on a clock of CPU time; at the end
comes what the manual must say of the last grade.

The proofs are those of tests/bench/prove.c.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sail.board import STANDARD_RULES, Position, start
from sail.engine.levels import LEVELS
from sail.engine.limit import Limit
from sail.engine.search import Search
from sail.files.positions import Pits, Refuted, Special, read_all, write
from sail.game import format_turn
from tests.bench.prove import Prover, prover
from tests.bench.strength import TESTS

FILE = TESTS.parent / "saves" / "STUDY.POS"
ROOM = 17, 22  # stones in the endgame database, and bits of the table
FINDERS = ("LEVEL C", "LEVEL B", "LEVEL A", "MASTER", "TOURNAMENT", "NO LEVEL")
LAST = slice(36, 48)  # the studies of grade 4
THINKING = [level for level in LEVELS if not level.blunders]
REFUTED_BY = 3  # turns of a refutation
LINE, LONG = 4, 10  # turns after the right one, at least and at most
MUCH = 3  # stones
MOST, FEWEST = 30, 4  # stones in play, and turns, of new studies
LAP = 13  # stones that end in the pit that they left
FEW, SOON = 14, 6  # stones in play, and turns, whose end a player can count
LONG_CHAIN = 4  # moves
HARD = 3  # MASTER: what A finds is not hard
TASKS = {  # by the value: the task, and the result
    2: ("WINS", "WINS BY 2.  NOTHING ELSE WINS."),
    0: ("HOLDS THE DRAW", "DRAWS.  EVERYTHING ELSE LOSES."),
    -2: ("LOSES AS LITTLE AS HE CAN", "LOSES BY 2.  EVERYTHING ELSE LOSES MORE."),
}

DRAW, LEAST = "HOLDING THE DRAW", "LOSING LEAST"
WORTH = {DRAW: 0, LEAST: -2}  # 2 for all other themes
LAPPING, COUNTING, RESCUE = "THE LAP OF 13 STONES", "COUNTING THE END", "THE RESCUE"
WANTED = DRAW, LEAST, LAPPING, COUNTING, RESCUE
STARVING = "STARVING THE OTHER SIDE"
ENDING = STARVING, COUNTING  # the idea shows at the end


class Played(NamedTuple):
    """The position after a whole turn, and the stones that its player gains."""

    turn: Pits
    after: Position
    gain: int


def whole_turns(position: Position) -> dict[Pits, Played]:
    """Return all whole turns of the mover, in order."""
    mover = position.mover
    found: list[Played] = []
    begun: list[tuple[Pits, Position]] = [((), position)]
    while begun:
        turn, node = begun.pop()
        for pit in node.legal:
            after, longer = node.play(pit), (*turn, pit)
            if after.over or after.mover != mover:
                gain = after.kalahs[mover] - position.kalahs[mover]
                found.append(Played(longer, after, gain))
            else:
                begun.append((longer, after))
    return {one.turn: one for one in sorted(found)}


class Capture(NamedTuple):
    """The other player's pit that a turn captures, and its stones; 0, 0 if none."""

    pit: int
    stones: int


def capture(position: Position, turn: Pits) -> Capture:
    for pit in turn[:-1]:
        position = position.play(pit)
    pit, mover, cycle = turn[-1], position.mover, 2 * position.pits + 1
    sown = position.rows[mover][pit - 1]
    gain = position.play(pit).kalahs[mover] - position.kalahs[mover]
    gain -= (sown - pit + cycle) // cycle  # which was sown
    opposite = position.pits + 1 - (pit - sown) % cycle
    return Capture(opposite, gain - 1) if gain else Capture(0, 0)


class Values:
    """The values of positions under perfect play, each proved once."""

    def __init__(self, program: Prover) -> None:
        self.program = program
        self.known: dict[Position, int] = {}

    def value(self, position: Position, player: int) -> int:
        """Return the stones by which the player wins."""
        if not all(map(any, position.rows)):
            return position.score[player] - position.score[1 - player]
        if position not in self.known:
            found = self.program.prove("", position, complete=False).values
            (self.known[position],) = found.values()
        value = self.known[position]
        return value if player == position.mover else -value

    def of_turns(self, position: Position) -> dict[Pits, int]:
        mover = position.mover
        turns = whole_turns(position).values()
        return {one.turn: self.value(one.after, mover) for one in turns}

    def play(self, position: Position, most: int) -> tuple[Pits, ...]:
        """Return best play, at most so many turns of it.

        Of turns that keep the value it is one that gains most, and of these a short one.
        """
        line: list[Pits] = []
        while len(line) < most and not position.over:
            values = self.of_turns(position)
            value, turns = max(values.values()), whole_turns(position)
            best = [turns[turn] for turn in turns if values[turn] == value]
            turn, position, _ = min(best, key=lambda one: (-one.gain, len(one.turn)))
            line.append(turn)
        return tuple(line)


def study_of(values: Values, position: Position, theme: str) -> Special | None:
    """Return the study of a position, without comments and its idea.

    None if several turns keep the value.
    """
    of_turns, turns = values.of_turns(position), whole_turns(position)
    value = max(of_turns.values())
    best = [turn for turn in turns if of_turns[turn] == value]
    if len(best) > 1:
        return None
    (right,) = best
    refuted = (
        Refuted(turn, of_turns[turn], values.play(turns[turn].after, REFUTED_BY))
        for turn in turns
        if turn != right
    )
    most = LONG if theme in ENDING else LINE
    line = right, *values.play(turns[right].after, most)
    solution = (
        f"{format_turn(right)} {TASKS[value][1]}",
        f"THE LINE IS {'-'.join(map(format_turn, line))}.",
    )
    return Special(
        position,
        solution=solution,
        right=(right,),
        theme=(theme,),
        refuted=tuple(refuted),
    )


def line_of(special: Special) -> tuple[Pits, ...]:
    """Return the line of a study on file, the right turn first."""
    *_, line = special.solution[-1].removesuffix(".").split()
    return tuple(tuple(map(int, turn)) for turn in line.split("-"))


def is_best(values: Values, position: Position, line: Iterable[Pits]) -> bool:
    """Return whether every turn of the line keeps the value."""
    for turn in line:
        of_turns = values.of_turns(position)
        if of_turns[turn] < max(of_turns.values()):
            return False
        position = whole_turns(position)[turn].after
    return True


def prove() -> None:
    """Prove every turn of every study on file, and all lines; print the seconds.

    Those of the first study include the endgame database.
    """
    with prover(6, STANDARD_RULES, ROOM) as program:
        values = Values(program)
        for special in read_all(FILE.read_text(), FILE.name):
            begun, position = time.monotonic(), special.position
            of_turns, turns = values.of_turns(position), whole_turns(position)
            value, line = max(of_turns.values()), line_of(special)
            on_file = {wrong.turn: wrong.margin for wrong in special.refuted}
            assert {**on_file, line[0]: value} == of_turns, special.comments
            assert list(of_turns.values()).count(value) == 1
            assert special.right == line[:1] and is_best(values, position, line)
            for wrong in special.refuted:
                assert is_best(values, turns[wrong.turn].after, wrong.play)
            seconds = time.monotonic() - begun
            print(f"{special.comments[0]:50} {seconds:5.1f} s", flush=True)


def games(draw: random.Random) -> Iterator[Position]:
    """Yield the positions before the turns of games of two poor players."""
    while True:
        position = start(draw.choice((3, 4, 5, 6)))
        while not position.over:
            if position.in_play <= MOST:
                yield position
            turns = [*whole_turns(position).values()]
            greedy = max(turns, key=lambda one: one.gain)
            position = (greedy if draw.random() < 0.5 else draw.choice(turns)).after


def posed(position: Position, value: int, wanted: int) -> Position:
    """Return the position with A to move, and kalahs that change its value.

    value: of this one, for the mover.
    """
    mover, total = position.mover, sum(position.kalahs)
    lead = wanted - value + position.kalahs[mover] - position.kalahs[1 - mover]
    rows = position.rows[mover], position.rows[1 - mover]
    return Position(rows, ((total + lead) // 2, (total - lead) // 2))


def shows(study: Special) -> bool:
    """Return whether a study shows its theme, and greed does not solve it."""
    position, (theme,), (turn,) = study.position, study.theme, study.right
    turns, line = whole_turns(position), line_of(study)
    right, greedy = turns[turn], max(turns.values(), key=lambda one: one.gain)
    most_left = max((one.gain for one in whole_turns(right.after).values()), default=0)
    turned = position._replace(mover=1)
    threat = max(whole_turns(turned).values(), key=lambda one: one.gain)
    saved = capture(turned, threat.turn)
    if right.after.over:
        return False
    if theme == LAPPING:
        return len(turn) == 1 and position.rows[0][turn[0] - 1] == LAP
    if theme == RESCUE:
        stops = threat.gain - most_left >= MUCH and right.gain <= 1
        return stops and saved.stones > MUCH and saved.pit in turn
    if theme == COUNTING:
        short = position.in_play <= FEW and len(line) <= SOON
        return short and greedy != right and capture(position, turn).stones < MUCH
    least = WORTH[theme] - max(it.margin for it in study.refuted)
    return greedy != right and least > MUCH


def mine(seed: int, seconds: float, themes: Sequence[str]) -> None:
    """Print studies of these themes, as positions."""
    end = time.monotonic() + seconds
    with prover(6, STANDARD_RULES, ROOM) as program:
        values = Values(program)
        for position in games(random.Random(seed)):
            if time.monotonic() > end:
                return
            if len(whole_turns(position)) < FEWEST:
                continue
            if themes == [LAPPING] and LAP not in position.rows[position.mover]:
                continue
            value = max(values.of_turns(position).values())
            for theme in themes:
                wanted = WORTH.get(theme, 2)
                node = posed(position, value, wanted)
                if min(node.kalahs) < 0 or node.over:
                    continue
                study = study_of(values, node, theme)
                if study and shows(study):
                    comments = heading(node, study.right[0], wanted)
                    print(write(study._replace(comments=comments)), flush=True)


def heading(position: Position, turn: Pits, value: int) -> tuple[str, str]:
    """Return the comments of a study, without its number."""
    finder = finder_of(position, turn)
    finds = f"GRADE {min(finder, HARD) + 1}.  {FINDERS[finder]} FINDS IT."
    return f"STUDY , {finds}", f"A IS TO MOVE AND {TASKS[value][0]}."


def turn_of(limit: Limit, position: Position) -> tuple[int, ...]:
    """Return the turn that a search plays."""
    search = Search()
    mover = position.mover
    pits: list[int] = []
    while position.mover == mover and not position.over:
        pits.append(search.find(position, limit, time.process_time).pit)
        position = position.play(pits[-1])
    return tuple(pits)


def finder_of(position: Position, turn: tuple[int, ...]) -> int:
    """Return the number of the first level that plays this turn; see FINDERS."""
    for number, level in enumerate(THINKING):
        if turn_of(level.limit, position) == turn:
            return number
    return len(THINKING)


def find() -> None:
    """Print the title of every study, and "yes" or the first level that finds it now.

    At the end comes what the manual must say of the last grade.
    """
    text = (TESTS.parent / "saves" / "STUDY.POS").read_text()
    finders = []
    for study in read_all(text, "STUDY.POS"):
        position = study.position._replace(rules=STANDARD_RULES)
        finders.append(FINDERS[finder_of(position, study.right[0])])
        same = titled_finder(study) == finders[-1]
        print(f"{study.comments[0]:62} {'yes' if same else finders[-1]}", flush=True)
    print(last_grade(finders))


def titled_finder(study: Special) -> str:
    """Return the first level that finds a study, as its title says."""
    return study.comments[0].split(".  ")[1].removesuffix(" FINDS IT.")


def last_grade(finders: Sequence[str]) -> str:
    """Return the sentence of the manual on who finds studies 37 to 48."""
    found: dict[str, list[str]] = {name: [] for name in FINDERS[2:]}
    for number, name in list(enumerate(finders, 1))[LAST]:
        found[name].append(str(number))
    of = {
        name: " and ".join(", ".join(numbers).rsplit(", ", 1))
        for name, numbers in found.items()
    }
    return (
        f"In grade 4, A finds study {of['LEVEL A']}, MASTER also {of['MASTER']}, and"
        f" TOURNAMENT also {of['TOURNAMENT']}, if the machine is idle; no level finds"
        " the others."
    )


if __name__ == "__main__":
    if sys.argv[1] == "prove":
        prove()
    elif sys.argv[1] == "find":
        find()
    else:
        mine(int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:] or WANTED)
