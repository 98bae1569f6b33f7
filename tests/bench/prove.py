"""Prove values of openings with a program in C, and put them on file.

    python3 -m tests.bench.prove check NUMBER
    python3 -m tests.bench.prove PITS STONES Y|N add|printed
    python3 -m tests.bench.prove PITS STONES Y|N below PIT NUMBER

check: compare prove.c with SOLVE's solver, on every move of NUMBER random positions
of each size from 2 to 27 stones, by each capture rule.

add: prove the positions of a game's first two turns that are not on file, and put each
on file at once, so ^C loses nothing.  Y captures from empty.  Every move is proved, but
if the game has more than 36 stones, only the best move after the second turn.  Of
Kalah(6,5), only the best move is proved, and only in positions of the first turn.

printed: prove the value of each position of the game that the paper prints.

below: prove that a first turn of this one pit is worth less than the number, and put
that on file.  The further the number is from the value, the sooner it is proved.

It needs a C compiler, `cc`, and up to 3 GB; 5 GB for Kalah(6,5).  Seconds are CPU
seconds of the C program.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from math import comb
from pathlib import Path
from subprocess import PIPE, Popen
from typing import IO, NamedTuple

from sail.board import ISK_RULES, STANDARD_RULES, Position, Rules, opening
from sail.engine.exact import Solver
from sail.engine.value import bounded, exactly
from sail.files import proved, seal
from sail.files.proved import FiledPosition
from tests.bench import printed, tables
from tests.positions import with_stones

HERE = Path(__file__).parent
FILE = Path(proved.__file__).with_name(seal.VALUES_TXT)
GAME_LINE = re.compile("..{,68}(?:-|$)")
MOST_CHECKED = 27  # stones in play
CHECK_ROOM = 8, 16  # stones in the endgame database, and bits of the table
TABLE, LARGE_TABLE = 25, 26  # bits; 2 and 4 GB
MOST_IN_DATABASE = 10**9  # positions, of a byte each
MOST_COMPLETE = 36  # stones in a game with every move after the second turn
LARGE = 10**13  # positions of a game of which only the first turn is filed


class Prover(NamedTuple):
    """The running C program."""

    questions: IO[str]
    answers: IO[str]

    def prove(
        self, turns: str, position: Position, complete: bool = True
    ) -> FiledPosition:
        """Return a position with a perfect game, and the values of its moves.

        complete: of all of them; otherwise only of the best one.
        """
        mover, lead = position.mover, position.lead
        pits = *position.rows[mover], *position.rows[1 - mover]
        print("ALL" if complete else "BEST", *pits, file=self.questions, flush=True)
        found, game, _ = self.answers.readline().split(";")
        by_pit = enumerate(found.split(), 1)
        known = {pit: lead + int(value) for pit, value in by_pit if value not in "-?"}
        moves = {pit: exactly(value) for pit, value in known.items()}
        return FiledPosition(turns, position, moves, tuple(map(int, game.split())))

    def is_worth(self, position: Position, least: int) -> bool:
        """Return whether the mover wins by `least` stones at the least."""
        mover = position.mover
        pits = *position.rows[mover], *position.rows[1 - mover]
        least -= position.lead
        print("LEAST", *pits, least, file=self.questions, flush=True)
        return self.answers.readline() == "1\n"

    def value(self, position: Position, player: int) -> int:
        """Return the stones by which the player wins."""
        best = position.lead
        if all(map(any, position.rows)):
            known = self.prove("", position, complete=False)
            ((best, *_),) = known.move_values.values()
        return best if player == position.mover else -best


@contextmanager
def prover(pits: int, rules: Rules, room: tuple[int, int]) -> Iterator[Prover]:
    """Compile and start the C program.

    room: the stones of its endgame database, and the bits of the number of its table's
    buckets, of 64 bytes each.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "prove")
        options = "-std=c11", "-O3", "-Wall", "-Wextra", "-Werror"
        subprocess.run(["cc", *options, "-o", program, HERE / "prove.c"], check=True)
        command = [*map(str, (program, pits, int(rules.captures_empty), *room))]
        with Popen(command, stdin=PIPE, stdout=PIPE, text=True) as process:
            assert process.stdin and process.stdout
            yield Prover(process.stdin, process.stdout)


def check(each: int, most: int = MOST_CHECKED) -> int:
    """Return how many moves have the same value by prove.c and by SOLVE's solver.

    each: the random positions of each size from 2 to `most` stones, by each capture
    rule.  Raises AssertionError at a difference.
    """
    draw = random.Random(1)
    moves = 0
    for rules in (ISK_RULES, STANDARD_RULES):
        solver = Solver(6, most, rules)
        with prover(6, rules, CHECK_ROOM) as program:
            for stones in [*range(2, most + 1)] * each:
                position = with_stones(draw, stones, rules=rules)
                found = program.prove("", position).move_values
                best = max(found.values()).low
                assert program.is_worth(position, best)
                assert not program.is_worth(position, best + 1)
                for pit in position.legal:
                    *_, (value, *_) = solver.prove_move(position, pit)
                    assert found.pop(pit).low == value, (position, pit)
                    moves += 1
                assert not found, position
    return moves


def of_two_turns(begin: Position) -> dict[str, Position]:
    """Return the positions of the first two turns, by the turns that lead to them."""
    found = {"START": begin}
    _add(found, "", begin)
    for turns, position in list(found.items()):
        if position.mover != begin.mover:
            _add(found, f"{turns}-", position)
    return found


def _add(found: dict[str, Position], turns: str, position: Position) -> None:
    """Add the positions within and after a turn."""
    for pit in position.legal:
        after = position.play(pit)
        if not after.over:
            found[f"{turns}{pit}"] = after
            if after.mover == position.mover:
                _add(found, f"{turns}{pit}", after)


def is_complete(known: FiledPosition) -> bool:
    proved = tuple(pit for pit, bounds in known.move_values.items() if bounds.proved)
    return proved == known.position.legal


def positions(pits: int, stones: int) -> int:
    """Return the number of positions with up to so many stones in play."""
    return comb(stones + 2 * pits, 2 * pits)


def is_large(begin: Position) -> bool:
    return positions(begin.pits_a_side, begin.in_play) > LARGE


def room(begin: Position) -> tuple[int, int]:
    """Return the room for a game, as `prover` wants it."""
    database = begin.in_play * 4 // 9
    while positions(begin.pits_a_side, database) > MOST_IN_DATABASE:
        database -= 1
    return database, LARGE_TABLE if is_large(begin) else TABLE


def needs_all_moves(begin: Position, turns: str, position: Position) -> bool:
    """Return whether all moves of an opening position are to be on file."""
    two_turns = "-" in turns and position.mover == begin.mover
    if is_large(begin):
        return False
    return begin.in_play <= MOST_COMPLETE or not two_turns


def head(position: Position) -> str:
    """Return the line of VALUES.TXT above the positions of a game."""
    stones = position.stones // (2 * position.pits_a_side)
    captures = "Y" if position.rules.captures_empty else "N"
    return f"KALAH({position.pits_a_side},{stones}), CAPTURE FROM EMPTY: {captures}\n"


def lines_of(known: FiledPosition) -> str:
    """Return the lines of a position in VALUES.TXT."""
    position = known.position
    found = f"{known.turns:10}"
    for pit, count in enumerate(position.rows[position.mover], 1):
        low, high, *_ = known.move_values.get(pit, bounded())
        value = (
            low if low == high else f"<{high + 1}" if pit in known.move_values else "."
        )
        found += f"{value if count else '-':>4}"
    game = ""
    for pit in known.variation:
        after = position.play(pit)
        game += f"{pit}" if after.mover == position.mover else f"{pit}-"
        position = after
    parts = GAME_LINE.findall(game.rstrip("-"))
    return "".join(f"{line}\n" for line in (found, *(f"  {part}" for part in parts)))


def file_of(filed: list[FiledPosition]) -> str:
    """Return VALUES.TXT with these positions; the comments at its beginning stay."""
    text, *_ = proved.HEAD.split(seal.verified(FILE.name, FILE.read_text()))
    games: dict[str, str] = {}
    for known in sorted(filed, key=place):
        games.setdefault(head(known.position), "")
        games[head(known.position)] += lines_of(known)
    text += "\n".join(head + games[head] for head in sorted(games))
    return seal.sealed(FILE.name, text)


def place(known: FiledPosition) -> tuple[bool, int, str]:
    """Return the sorting key of a position in its game."""
    return known.turns != "START", known.turns.count("-"), known.turns


def add(program: Prover, begin: Position) -> None:
    """Prove what is not on file, and put it there."""
    filed = {(head(at.position), at.turns): at for at in proved.all_filed()}
    needed = [
        (needs_all_moves(begin, turns, position), turns, position)
        for turns, position in of_two_turns(begin).items()
        if not is_large(begin) or "-" not in turns
    ]
    for complete, turns, position in sorted(needed, key=lambda it: not it[0]):
        there = filed.get((head(begin), turns))
        if not there or complete and not is_complete(there):
            filed[head(begin), turns] = program.prove(turns, position, complete)
            print(lines_of(filed[head(begin), turns]), end="", flush=True)
            FILE.write_text(file_of(list(filed.values())))


def bound(program: Prover, begin: Position, pit: int, more: int) -> None:
    """Prove that a first turn of one pit is worth less, and put that on file."""
    filed = proved.all_filed()
    first = next(known for known in filed if known.position == begin)
    if not program.is_worth(begin.play(pit), 1 - more):
        sys.exit(f"{pit} is worth {more} or more")
    first.move_values[pit] = bounded(high=more - 1)
    FILE.write_text(file_of(filed))


def prove_printed(program: Prover, begin: Position) -> None:
    """Print how many positions of the paper's game keep the printed value."""
    pits, stones = begin.pits_a_side, begin.rows[0][0]
    value, game = printed.GAMES[pits, stones]
    *path, _ = tables.replay(pits, stones, game)
    same = sum(program.value(position, begin.mover) == value for position in path)
    print(f"{same} of {len(path)} positions have the value {value}")


def main(words: list[str]) -> None:
    if words[0] == "check":
        print(f"{check(int(words[1]))} moves have the same value by both programs")
    else:
        pits, stones = map(int, words[:2])
        begin = opening(stones, pits, ISK_RULES if words[2] == "Y" else STANDARD_RULES)
        with prover(pits, begin.rules, room(begin)) as program:
            if words[3] == "below":
                bound(program, begin, int(words[4]), int(words[5]))
            else:
                {"add": add, "printed": prove_printed}[words[3]](program, begin)
    print(f"{os.times().children_user:.1f} CPU seconds, compiling included")


if __name__ == "__main__":
    main(sys.argv[1:])
