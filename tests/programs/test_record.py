"""KALAH.OUT: what is written is read back, and damage is found."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from sail import special
from sail.board import start
from sail.programs import record
from sail.programs.game import Ending, Game
from tests.test_special import SAVES

EXAMPLE = """\
GAME OF 1972-10-06 14:03
3 STONES A PIT
LEVEL A, YOU STARTED
  1 A 36           5-0    2 B 1            5-1    3 A 456         11-1
CONCEDED
A 11, B 1, KALAH WON
CHECK 03600412040
"""


def random_game(rnd: random.Random) -> Game:
    """A game from any start, of any length, ended in any way."""
    begin = start(rnd.randint(1, 6))
    while rnd.random() < 0.5:
        rows = [
            [rnd.choice((0, 1, 2, 3, rnd.randint(0, 30))) for _ in range(7)]
            for _ in "AB"
        ]
        try:
            begin = special.build(rows[0], rows[1], rnd.randint(0, 1))
            break
        except special.BadPosition:
            continue
    level = rnd.choice(("C", "B", "A", "MASTER", "TOURNAMENT"))
    game = Game(begin, level, rnd.randint(0, 1), "1972-10-06 14:03")
    node = begin
    for _ in range(rnd.choice((0, 3, 30, 300))):
        if not node.over:
            pit = rnd.choice(node.legal)
            node = node.play(pit)
            game = game._replace(moves=(*game.moves, pit))
    ending = rnd.choice((None, *Ending))
    return game if game.over or not ending else game.end(ending)


def test_example() -> None:
    game = Game(start(3), "A", 0, "1972-10-06 14:03")
    for pit in (3, 6, 1, 4, 5, 6):
        game = game.play(pit)
    assert record.write(game.end(Ending.CONCEDED)) == EXAMPLE


def test_write_and_read_are_opposites() -> None:
    rnd = random.Random(13700)
    games = [random_game(rnd) for _ in range(400)]
    for game in games:
        assert record.read(record.write(game), "KALAH.OUT") == [game]
    assert record.read("\n".join(map(record.write, games)), "KALAH.OUT") == games
    assert record.read("", "KALAH.OUT") == []


def test_a_game_fits_on_a_page() -> None:
    rnd = random.Random(60)
    for _ in range(300):
        lines = record.write(random_game(rnd)).splitlines()
        assert max(map(len, lines)) <= 72
        assert len(lines) <= 60


def test_the_longest_turn_is_cut_and_joined() -> None:
    chain = special.read((SAVES / "CHAIN.POS").read_text(), "CHAIN.POS").position
    game = Game(chain, "C", 0, "1972-10-06 14:03")
    for pit in map(int, "44225416453342112131512161412131"):
        game = game.play(pit)
    assert "44225416453342112131512161412131" in record.write(game)
    assert record.read(record.write(game), "KALAH.OUT") == [game]
    # No turn so long is known; the format must bear it all the same.
    turn = game.turns[0]._replace(pits=(1,) * 150)
    lines = record.table([turn, turn])
    assert max(map(len, lines)) <= 72 and lines[0].endswith(record.CUT)


@pytest.mark.parametrize(
    "right, wrong, line",
    [
        ("GAME OF", "GAME AT", 1),
        ("3 STONES", "7 STONES", 2),
        ("LEVEL A", "LEVEL Z", 3),
        ("36 ", "63 ", 4),
        ("5-0", "5-1", 4),
        ("CONCEDED", "CONCEDE", 5),
        ("A 11, B 1,", "A 12, B 1,", 6),
        ("-10-06", "-13-06", 1),
        ("-10-06", "-10-07", 7),
        ("A, YOU", "B, YOU", 7),
        ("CHECK ", "CHECK 1", 7),
        ("KALAH WON\n", "KALAH WON", 6),
        ("CONCEDED\n", "CONCEDED\n\n", 6),
    ],
)
def test_damage_is_told_with_its_line(right: str, wrong: str, line: int) -> None:
    assert EXAMPLE.replace(right, wrong) != EXAMPLE
    for before in ("", EXAMPLE + "\n"):
        with pytest.raises(record.Damaged) as error:
            record.read(before + EXAMPLE.replace(right, wrong), "KALAH.OUT")
        number = line + (len(EXAMPLE.splitlines()) + 1 if before else 0)
        assert str(error.value) == f"KALAH.OUT IS DAMAGED AT LINE {number}."


def games_of_all_kinds() -> list[Game]:
    """Just begun, going on, ended; of an opening and of a position."""
    rnd = random.Random(5)
    begun = Game(start(3), "C", 1, "1972-10-06 14:03")
    return [begun, begun.play(3), *(random_game(rnd) for _ in range(6))]


def survivors(text: str, bytes_tried: Sequence[int]) -> tuple[int, int]:
    """How many changes of one byte were tried, how many went unseen."""
    contents = text.encode()
    tried = unseen = 0
    for at in range(len(contents)):
        for byte in bytes_tried:
            if byte == contents[at]:
                continue
            tried += 1
            changed = contents[:at] + bytes([byte]) + contents[at + 1 :]
            try:
                record.read(changed.decode().replace("\r\n", "\n"), "KALAH.OUT")
            except (record.Damaged, UnicodeDecodeError):
                continue
            unseen += 1
    return tried, unseen


def test_no_changed_byte_goes_unseen() -> None:
    """Not even where another legal game comes of it: a date, a level."""
    tried = unseen = 0
    for game in games_of_all_kinds()[:4]:
        counts = survivors(record.write(game), b"0123456789ABCMTYQ ,-+:\r\n\0\xff")
        tried, unseen = tried + counts[0], unseen + counts[1]
    print(f"{tried} changes of one byte, {unseen} unseen")
    assert unseen == 0


def test_no_cut_goes_unseen_but_between_two_games() -> None:
    games = games_of_all_kinds()[:4]
    text = "\n".join(map(record.write, games))
    assert record.is_whole(text)
    whole = ["\n".join(map(record.write, games[:count])) for count in range(5)]
    for cut in range(len(text)):
        if text[:cut] in whole:
            assert (
                record.read(text[:cut], "KALAH.OUT") == games[: whole.index(text[:cut])]
            )
            continue
        assert not record.is_whole(text[:cut])
        with pytest.raises(record.Damaged):
            record.read(text[:cut], "KALAH.OUT")


def test_a_huge_text_of_nothing_is_refused_at_once() -> None:
    head = "".join(EXAMPLE.splitlines(True)[:3])
    for rest in ("1" * 71 + "+\n", "+\n", " " * 72 + "\n", "\n"):
        with pytest.raises(record.Damaged):
            record.read(head + rest * ((1 << 20) // len(rest)), "KALAH.OUT")


def test_the_check_sums_tell_as_much_as_reading() -> None:
    rnd = random.Random(11)
    text = EXAMPLE + "\n" + EXAMPLE
    for _ in range(2000):
        at = rnd.randrange(len(text))
        other = text[:at] + rnd.choice("0123456789AB \n-,٣") + text[at + 1 :]
        try:
            record.read(other, "KALAH.OUT")
        except record.Damaged:
            assert not record.is_whole(other)
        else:
            assert other == text and record.is_whole(other)
