"""Mine studies: positions in which exactly one turn wins.

    python3 -m tests.bench.studies mine SEED SECONDS >> FOUND
    python3 -m tests.bench.studies files >> FOUND
    python3 -m tests.bench.studies hard SEED SECONDS >> FOUND
    python3 -m tests.bench.studies choose < FOUND > saves/STUDY.POS
    python3 -m tests.bench.studies prove
    python3 -m tests.bench.studies find

Games with 3 to 6 stones a pit are begun at random and continued by a weak search.
Before every turn, the solver tells whether one turn wins and no other does.  Then the
levels try to find that turn, on a clock of CPU time.  "hard" takes positions with more
stones and keeps what A misses, about one in two hundred; after the first it mostly
plays games that begin like those in which it found one.  A study is printed on a line:
its finder, stones a pit, A's kalah and pits, B's, the turn, the stones that it wins by,
and the effort of the proof.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sail.board import STANDARD_RULES, Position, start
from sail.engine import endgame
from sail.engine.exact import Solver
from sail.engine.levels import LEVELS
from sail.engine.limit import Limit
from sail.engine.search import Search
from sail.files.positions import Special, read_all, write
from sail.game import LineOfPlay
from sail.stop import Stop, Stopped, never
from tests.bench.strength import TESTS, labelled

ENDGAMES = 18  # stones
SOME, MANY = (18, 32), (34, 42)  # stones in play, at least and at most
QUICK = Limit(effort=12_000)
NEAR = 8  # stones; a position where the search sees a larger lead is left out
FINDERS = ("LEVEL C", "LEVEL B", "LEVEL A", "MASTER", "TOURNAMENT", "NO LEVEL")
HARD = 3  # MASTER: what A finds is not hard
LEAST_EFFORT = 100  # of a proof; less is no study
EACH = 12  # studies of a grade
EFFORT = 1_500_000  # for the only turn; for its value, as much again
THINKING = [level for level in LEVELS if not level.blunders]


def games(
    draw: random.Random, fewest: int, most: int, found: list[Position]
) -> Iterator[Position]:
    """Yield the positions before the turns of games that are nearly even.

    fewest, most: stones in play.  found: once the caller adds a position to it, most
    games begin like that position's, up to a few moves before it.
    """
    search = Search()
    paths: list[list[Position]] = []
    while True:
        if paths and draw.random() < 0.8:
            path = draw.choice(paths)
            path, by_chance = path[: -draw.randrange(2, 7)], draw.randrange(1, 4)
        else:
            path, by_chance = [], draw.randrange(3, 10)
        path = path or [start(draw.choice((3, 4, 5, 6)), rules=STANDARD_RULES)]
        last_mover = 1
        while not path[-1].over and path[-1].in_play >= fewest:
            position = path[-1]
            if position.mover != last_mover and position.in_play <= most:
                near = abs(search.find(position, QUICK).value) <= NEAR
                if near and len(position.legal) > 2:
                    yield position
                    if len(found) > len(paths):
                        paths.append(path)
            last_mover = position.mover
            by_chance -= 1
            if by_chance > 0 or draw.random() < 0.2:
                pit = draw.choice(position.legal)
            else:
                pit = search.find(position, Limit(effort=400)).pit
            path = [*path, position.play(pit)]


def won_by_two(position: Position, value: int) -> Position:
    """Return the position with kalahs that make its value 2, or as near as they can.

    If it is 2, exactly the turns that keep the value win.
    """
    mover, total = position.mover, sum(position.kalahs)
    lead = 2 - value + position.kalahs[mover] - position.kalahs[1 - mover]
    lead = max(-total, min(total, lead))
    kalahs = (total + lead) // 2, (total - lead) // 2
    return position._replace(kalahs=kalahs[::-1] if mover else kalahs)


def wins(solver: Solver, position: Position, pit: int, stop: Stop = never) -> bool:
    """Return whether the mover wins with that pit.  Raises Stopped."""
    for low, high in solver.prove_move(position, pit, 2, stop):
        if low > 0 or high <= 0:
            return low > 0
    raise AssertionError("not proved")


def only_win(solver: Solver, position: Position, stop: Stop = never) -> tuple[int, ...]:
    """Return the only turn that wins; nothing if none or several win."""
    mover = position.mover
    pits: list[int] = []
    while position.mover == mover and not position.over:
        legal = position.legal
        winning = (pit for pit in legal if wins(solver, position, pit, stop))
        first, second = next(winning, 0), next(winning, 0)
        if not first or second:
            return ()
        pits.append(first)
        position = position.play(first)
    return tuple(pits)


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


def of_files() -> Iterator[Position]:
    """Yield the positions of known values in which one first move is best.

    The kalahs, which the files leave out, are made up.
    """
    for file in ("labelled.txt", "unseen.txt"):
        for position, values in labelled(file):
            *_, second, best = sorted(values.values())
            others = next(n for n in (36, 48, 60, 72) if n > position.in_play + 2)
            others -= position.in_play
            if best > second:
                yield position._replace(kalahs=(others // 2, others - others // 2))


def stop_after(solver: Solver) -> Stop:
    """Return a stop for a work of EFFORT that begins now."""
    most = solver.effort + EFFORT
    return lambda: solver.effort > most


def mine(
    positions: Iterator[Position], seconds: float, least: int, found: list[Position]
) -> None:
    """Print a line for each of the positions that is a study; add it to `found`.

    least: the first finder wanted; if above 0, the kalahs are set for a value of 2.
    """
    end = time.monotonic() + seconds
    solver = Solver(6, 72, False)
    solver.database = endgame.build(solver.moves, ENDGAMES)
    for position in positions:
        if time.monotonic() > end:
            return
        try:
            before = solver.effort
            stop = stop_after(solver)
            if least:
                position = won_by_two(position, solver.value(position, stop=stop))
            turn = only_win(solver, position, stop)
            effort = solver.effort - before
            if not turn:
                continue
            value = solver.value(position, 2, stop_after(solver))
        except Stopped:
            continue
        rows = position.rows[position.mover], position.rows[1 - position.mover]
        kalahs = position.kalahs[position.mover], position.kalahs[1 - position.mover]
        position = position._replace(rows=rows, kalahs=kalahs, mover=0)
        finder = finder_of(position, turn)
        if finder < least or position in found:
            continue
        found.append(position)
        print(
            finder,
            position.stones // 12,
            *(",".join(map(str, (k, *row))) for k, row in zip(kalahs, rows)),
            "".join(map(str, turn)),
            value,
            effort,
            flush=True,
        )


class Study(NamedTuple):
    """A position that one turn wins, with A to move."""

    finder: int
    position: Position
    turn: tuple[int, ...]
    value: int
    effort: int

    @property
    def after(self) -> Position:
        """The position after the turn."""
        position = self.position
        for pit in self.turn:
            position = position.play(pit)
        return position


def read(line: str) -> Study:
    """Return the study of a line that `mine` printed."""
    finder, _, a, b, turn, value, effort = line.split()
    (a_kalah, *a_row), (b_kalah, *b_row) = (map(int, row.split(",")) for row in (a, b))
    position = Position(
        (tuple(a_row), tuple(b_row)), (a_kalah, b_kalah), rules=STANDARD_RULES
    )
    pits = tuple(map(int, turn))
    return Study(int(finder), position, pits, int(value), int(effort))


def gain(position: Position, pit: int) -> int:
    """Return the stones that A's kalah gets, and one more for a repeat move."""
    gained = position.play(pit).kalahs[0] - position.kalahs[0]
    return gained + position.repeats(pit)


def theme(study: Study, solver: Solver) -> str | None:
    """Return the title of a study, "" for none; None if it is too easy or over."""
    position, turn, after = study.position, study.turn, study.after
    if after.over or 2 * max(after.kalahs) > after.stones:
        return None
    first = gain(position, turn[0])
    offered = max(gain(position, pit) for pit in position.legal)
    if study.finder >= 2 and first >= 3 or study.effort < LEAST_EFFORT:
        return None
    if len(turn) >= 4:
        return "THE LONG CHAIN"
    if len(turn) == 1 and first == 0 and offered >= 3:
        return "THE CAPTURE DECLINED"
    if len(turn) == 1 and first == 0 and offered:
        return "THE QUIET TURN"
    if first < offered and not position.repeats(turn[0]):
        return "THE STONE KEPT BACK"
    turns = LineOfPlay(after, tuple(solver.line(after))).turns
    at = turns[-1].after
    if not any(at.rows[1]) and sum(at.rows[0]) >= 4:
        return "STARVING THE OTHER SIDE"
    before = position
    for pit in turn[:-1]:
        before = before.play(pit)
    most = max(gain(before, pit) for pit in before.legal)
    if len(turn) > 1 and gain(before, turn[-1]) < most:
        return "PLAY AGAIN, THEN STOP"
    if first >= 3:
        return "THE CAPTURE"
    answer = next((turn.after for turn in turns if turn.player == 0), after)
    prepared = answer.kalahs[0] - after.kalahs[0] >= 4
    return "THE CAPTURE PREPARED" if prepared else ""


def choose(lines: Iterable[str]) -> None:
    """Print twelve studies of each grade, as a position file.

    Those that the fewest levels find, and those with the shortest proofs, come first;
    but as many themes as there are, and only then more studies of a theme.
    """
    solver = Solver(6, 72, False)
    solver.database = endgame.build(solver.moves, ENDGAMES)
    found = [(theme(study, solver), study) for study in map(read, sorted(set(lines)))]
    found.sort(key=lambda pair: (-pair[1].finder, pair[1].effort))
    chosen: dict[int, list[tuple[str | None, Study]]] = {n: [] for n in range(HARD + 1)}
    for like in (1, 2, 3, EACH):
        for title, study in found:
            grade = chosen[min(study.finder, HARD)]
            same = sum(title == other for other, _ in grade)
            new = (title, study) not in grade
            if title and new and same < like and len(grade) < EACH:
                grade.append((title, study))
    number = 0
    for level, grade in chosen.items():
        for title, study in sorted(grade, key=lambda pair: pair[1].finder):
            number += 1
            turn = "".join(map(str, study.turn))
            about = f": {title}" if title else ""
            finds = f"{FINDERS[study.finder]} FINDS IT."
            heading = f"STUDY {number}, GRADE {level + 1}{about}.  {finds}"
            task = "A IS TO MOVE AND WINS."
            wins = f"{turn} WINS BY {study.value}.  NOTHING ELSE WINS."
            special = Special(study.position, (heading, task), (wins,), (study.turn,))
            print(("\n" if number > 1 else "") + write(special), end="")


def prove() -> None:
    """Prove every study of saves/STUDY.POS; print its effort and seconds."""
    text = (TESTS.parent / "saves" / "STUDY.POS").read_text()
    database = endgame.build(Solver(6, 72, False).moves, ENDGAMES)
    for study in read_all(text, "STUDY.POS"):
        solver = Solver(6, 72, False)
        solver.database = database
        begun = time.process_time()
        position = study.position._replace(rules=STANDARD_RULES)
        proved = (only_win(solver, position),) == study.right
        seconds = time.process_time() - begun
        title = study.comments[0]
        print(f"{title:56} {proved} {solver.effort:>9,} {seconds:5.1f} s", flush=True)


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
    for number, name in list(enumerate(finders, 1))[-EACH:]:
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
    elif sys.argv[1] == "choose":
        choose(sys.stdin)
    elif sys.argv[1] == "files":
        mine(of_files(), math.inf, 1, [])
    else:
        draw, seconds = random.Random(int(sys.argv[2])), float(sys.argv[3])
        found: list[Position] = []
        if sys.argv[1] == "hard":
            mine(games(draw, *MANY, found), seconds, HARD, found)
        else:
            mine(games(draw, *SOME, []), seconds, 0, [])
