"""Fit the weights of the evaluation to exact values, by least squares.

    python3 -m tests.bench.label --positions 4000 --least 8 --most 26 > FILE
    python3 -m tests.bench.fit tests/labelled.txt FILE

The files are those that tests/bench/label.py prints; without any, tests/labelled.txt
is read.  Each position gives one equation, and so does the position after each move.
Every fifth position is kept out of the fit, to measure the error on.  The tables that
it prints can be pasted into sail/engine/evaluation.py; then run tests.bench.compare.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from itertools import starmap
from pathlib import Path

from sail.board import Position
from sail.engine.evaluation import MOVING, TO_MOVE, UNIT, WAITING
from tests.bench.strength import TESTS, labelled, successors

PITS, COUNTS = len(MOVING), len(MOVING[0]) - 1
BONUS = 2 * PITS * COUNTS  # the number of the last unknown, TO_MOVE
HELD_OUT = 5  # one position of so many
RARE = 1.0  # added to the diagonal; it keeps a rare weight near its present value

# The unknowns of an equation and their factors, and the value, scaled by UNIT.
Equation = tuple[list[tuple[int, int]], int]


def equation(position: Position, value: int) -> Equation:
    """Return the equation that the evaluation of a position should fulfill."""
    mover = position.mover
    factors = [(BONUS, 1)]
    for side, row in enumerate((position.rows[mover], position.rows[1 - mover])):
        for pit, stones in enumerate(row):
            if stones:
                place = side * PITS + pit
                number = place * COUNTS + min(stones, COUNTS) - 1
                factors.append((number, 1 - 2 * side))
    return factors, value * UNIT


def present() -> list[float]:
    """Return the weights of the engine in the order of the unknowns."""
    rows = (*MOVING, *WAITING)
    return [float(weight) for row in rows for weight in row[1:]] + [float(TO_MOVE)]


def fitted(known: Sequence[Equation]) -> list[float]:
    """Return the weights with the least squares, from the normal equations."""
    size = BONUS + 1
    weights = present()
    matrix = [[0.0] * size for _ in range(size)]
    right = [RARE * weight for weight in weights]
    for number in range(size):
        matrix[number][number] = RARE
    for factors, value in known:
        for number, factor in factors:
            right[number] += factor * value
            for other, times in factors:
                matrix[number][other] += factor * times
    for number in range(size):
        for below in range(number + 1, size):
            share = matrix[below][number] / matrix[number][number]
            if share:
                row, pivot = matrix[below], matrix[number]
                for column in range(number, size):
                    row[column] -= share * pivot[column]
                right[below] -= share * right[number]
    for number in reversed(range(size)):
        row = matrix[number]
        later = sum(row[n] * weights[n] for n in range(number + 1, size))
        weights[number] = (right[number] - later) / row[number]
    return weights


def error(weights: Sequence[float], known: Sequence[Equation]) -> float:
    """Return the root mean square error in stones."""
    squares = 0.0
    for factors, value in known:
        found = sum(factor * weights[number] for number, factor in factors)
        squares += (found - value) ** 2
    return math.sqrt(squares / len(known)) / UNIT


def table(weights: Sequence[float]) -> Iterator[str]:
    """Yield the tables as they stand in evaluation.py."""
    for side, name in enumerate(("MOVING", "WAITING")):
        yield f"{name}: Sequence[Sequence[int]] = ("
        for pit in range(PITS):
            first = (side * PITS + pit) * COUNTS
            row = [0, *(2 * round(it / 2) for it in weights[first : first + COUNTS])]
            yield f"    {tuple(row)},"
        yield ")"
    yield f"TO_MOVE = {2 * math.floor(weights[BONUS] / 2) + 1}"


def main() -> None:
    """Print the fitted weights, and the errors of the present and the fitted ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", default=[str(TESTS / "labelled.txt")])
    options = parser.parse_args()
    cases = [case for file in options.files for case in labelled(Path(file).resolve())]
    held: list[Equation] = []
    known: list[Equation] = []
    for number, case in enumerate(cases):
        equations = starmap(equation, successors(case))
        (known if number % HELD_OUT else held).extend(equations)
    weights = fitted(known)
    for line in table(weights):
        print(line)
    print(
        f"{len(known):,} equations; root mean square error, in stones, of {len(held)}"
    )
    print(
        f"more: {error(present(), held):.2f} at present, {error(weights, held):.2f} then"
    )


if __name__ == "__main__":
    main()
