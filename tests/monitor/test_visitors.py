"""Visitors: the greeting, patience, ^C, BREAK, hangups; files; tapes."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest

from sail.files import games
from sail.files.area import Area
from sail.files.seal import sealed
from sail.line import tape
from sail.line.discipline import BREAK
from sail.line.models import MODELS
from sail.line.ports import Hangup
from sail.monitor import registry, visitors
from sail.monitor.visitors import GREETING, NEXT
from sail.programs.kalah import says
from sail.talk import choosing
from sail.teletype import Leave
from tests import havoc
from tests.crowd import KINDS, Crowd
from tests.line.virtual import Plan, Wire, attached

SHELF = Path(__file__).parents[2] / "saves" / "shelf"
START = says.START_WITH.prompt
BEGIN = b"3\rC\rY\r"  # a game of three stones a pit


def serve(
    wire: Wire, folder: Path, settings: str = "", model: str = "utf8", baud: float = 0
) -> str:
    """Serve visitors on this line to its end; return the paper."""
    tty = attached(wire, MODELS[model], baud)
    tty.set("BELL " + settings)
    with pytest.raises(Leave):
        visitors.serve(tty, Area(str(folder)))
    sent = b"".join(data for _, data in wire.printed)
    return re.sub("[\r\0]", "", sent.decode(errors="replace"))


@pytest.fixture
def owned(tmp_path: Path) -> Path:
    """Return an area with the owner's files."""
    area = Area(str(tmp_path))
    area.write("KALAH.TMP", games.write(havoc.a_game(3)))
    area.write("KALAH.OUT", games.write(havoc.a_game(3, 6)))
    area.write("KALAH.WON", "TOURNAMENT LEVEL BEATEN 2 TIMES RUNNING\n")
    area.write("MINE.POS", (SHELF / "FIG2.POS").read_text("utf-8"))
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files of a folder, hidden ones too."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def new_games(folder: Path, before: dict[str, bytes]) -> str:
    """Return what KALAH.OUT has gained; no other file has changed."""
    now = contents(folder)
    assert now == {**before, "KALAH.OUT": now["KALAH.OUT"]}
    text = Area(str(folder)).read("KALAH.OUT").partition("\n")[2]
    old = before["KALAH.OUT"].decode().partition("\n")[2]
    assert text.startswith(f"{old}\n") and games.read(text, "KALAH.OUT")
    return text[len(old) + 1 :]


def test_silence_until_a_key_is_typed(tmp_path: Path) -> None:
    wire = Wire([(5000, b"x")])
    text = serve(wire, tmp_path, "MOTOR")
    assert wire.printed[0][0] >= 5002  # once the motor is up to speed
    assert text.lstrip("\n") == GREETING + "\n\n" + START
    assert max(map(len, GREETING.splitlines())) <= 72


@pytest.mark.parametrize(
    "plan, greetings, echo",
    [
        *(([(5, key)], 1, "") for key in (b"\r", b" ", b"\xd8", b"\x03", [BREAK])),
        ([(0, b"3\rC\r")], 1, ""),
        # Keys while the greeting is typed, and while NEXT is.
        ([(5, b"x"), (9, b"3\rC\r"), (15, b"Y\r")], 1, "3\nC\nY\n"),
        ([(5, b"x"), (99, b"\x03"), (101, b"y"), (300, b"")], 2, ""),
    ],
)
def test_any_key_greets_and_answers_nothing(
    plan: Plan, greetings: int, echo: str, tmp_path: Path
) -> None:
    text = serve(Wire(plan), tmp_path, model="33", baud=110)
    assert text.count(GREETING) == greetings
    assert text.endswith(f"{GREETING}\n{echo}\n{START}")


def test_a_whole_visit(owned: Path) -> None:
    """He moves, and the bell rings when it is his turn and when the game ends."""
    before = contents(owned)
    # Neither player has more than one turn, and no turn has two submoves.
    begin = b"S\r0 0 0 0 0 0 1\r0 0 0 0 0 0 1\rC\rY\r"
    keys = [b"x", *re.findall(rb"[^\r]*\r", begin), b"6\r", b"Q\r", b"N\r"]
    text = serve(Wire([(9 * n, key) for n, key in enumerate(keys, 1)]), owned)
    assert f"{GREETING}\n\n{START}" in text  # and no GO ON with the owner's game
    assert text.count("\a") == 2
    assert f"\a{says.YOUR_MOVE.prompt}Q\n\aTHE GAME IS ENDED.\n" in text
    assert text.endswith(f"{says.ANOTHER_GAME.prompt}N\n\n{NEXT}\n")
    assert contents(owned) == before


@pytest.mark.parametrize(
    "settings, minutes, last",
    [
        *(("", 5, last) for last in (b"", b"3", b"\x13", b"\x0f")),
        *(("PATIENCE 1", 1, b""), ("PATIENCE 99", 99, b""), ("NO PATIENCE", 0, b"")),
    ],
)
def test_patience(settings: str, minutes: int, last: bytes, tmp_path: Path) -> None:
    wire = Wire([(5, b"x"), (20, BEGIN), (50, last)])
    wire.end += 60 * minutes or 7000
    text = serve(wire, tmp_path, settings + " MOTOR")
    if not minutes:
        assert NEXT not in text
        return
    assert text.endswith(f"\n{NEXT}\n")
    left = next(at for at, data in wire.printed if NEXT.encode() in data)
    assert left == pytest.approx((50 if last else 20) + 60 * minutes, abs=3)
    off, on = wire.motors[-1]
    assert not on and off == pytest.approx(left + 1, abs=1)
    assert os.listdir(tmp_path) == []


def test_the_motor_rests_until_the_first_visitor(tmp_path: Path) -> None:
    """Opening the port raises RTS, which starts it."""
    wire = Wire([(1000, b"x")])
    serve(wire, tmp_path, "MOTOR")
    assert wire.motors[0] == (0, False) and wire.motors[1][0] >= 1000


@pytest.mark.parametrize(
    "model, noise",
    [
        *(("33", noise) for noise in (b"\0", b"\xfe", b"\x7f", b"\xff\xff", b"\x13")),
        ("utf8", b"ser2net port 4000 device /dev/ttyUSB0 [9600N81]\r\n"),
        *(("utf8", b"\xfe"), ("28", b"\0\xe0")),
    ],
)
def test_noise_is_no_visitor(model: str, noise: bytes, tmp_path: Path) -> None:
    """But in MOTOR's silence it may be the key that is to start the motor."""
    for words, comes in (("", False), ("MOTOR", True)):
        text = serve(Wire([(100, noise)]), tmp_path, words, model=model)
        assert (len(text) > len(GREETING)) == comes
    key = b"\r" if model != "28" else b"\x08"
    text = serve(Wire([(100, noise), (200, key)]), tmp_path, model=model)
    assert len(text) > len(GREETING)


ENDS = {"C": b"\x03", "CC": b"\x03\x03", "Z": b"\x1a", "BREAK": [BREAK], "": Hangup}
AT = [b"", BEGIN + b"6\r", BEGIN + b"Q\r", b"SPECIAL\r"]


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("before", AT)
def test_no_key_and_no_hangup_lead_to_a_dot(
    end: Sequence[int] | type[Exception], before: bytes, owned: Path
) -> None:
    files = contents(owned)
    wire = Wire([(5, b"x"), (9, before), (99, end), (500, b"K\r"), (510, b"3\r")])
    text = serve(wire, owned, model="33")
    assert text.count(GREETING) == 2 and "\n." not in text
    next = "" if end is Hangup else f"{NEXT}\n\n"
    assert text.endswith(f"{next}{GREETING}\n\n{START}3\n{says.WHAT_LEVEL.prompt}")
    assert not any(110 < at < 500 for at, _ in wire.printed)
    assert contents(owned) == files


def test_an_xoff_is_no_visitor_but_holds_the_first_question(tmp_path: Path) -> None:
    """A screen sends it by itself, whether or not somebody is there."""
    wire = Wire([(5, b"\x13"), (9, b"x"), (9, b"\x13"), (60, b"\x11"), (70, b"3\r")])
    text = serve(wire, tmp_path)
    assert text.count(GREETING) == 1 and f"{START}3\n" in text
    asked = [at for at, data in wire.printed if START.encode() in data]
    assert asked == [60]


def test_an_error_of_the_program_is_survived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = Mock(side_effect=ZeroDivisionError)
    monkeypatch.setattr(registry, "load", lambda _: failing)
    text = serve(Wire([(5, b"x"), (9, b"y")]), tmp_path)
    assert text.count(f"?\nINTERNAL ERROR IN KALAH\n\n{NEXT}\n") == 2
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_what_a_visitor_keeps(owned: Path) -> None:
    """A game on file, and on a tape, after his name to be seen; no position."""
    files = contents(owned)
    keys = BEGIN + b"SAVE MINE\rSAVE NEW\r6\r\rQ\rADA 1\rSAVE\rSAVE\r"
    typed = [b"X", *re.findall(rb"[^\r]*\r", keys)]
    wire = Wire([(20 * n, key) for n, key in enumerate(typed, 1)])
    text = serve(wire, owned, model="33")
    assert text.count(choosing.NO_POSITIONS) == 2
    assert text.count(says.GAME_SAVED) == text.count(says.ALREADY_SAVED) == 1
    game = new_games(owned, files)
    assert len(games.read(game, "KALAH.OUT")) == 1
    sent = b"".join(data for _, data in wire.printed)
    game = sealed("KALAH.OUT", game)
    assert tape.frames(game, "", MODELS["33"].code(), 72, "ADA 1") in sent


class Cutting(Wire):
    """A line on which this happens as soon as the punch is on."""

    cut: Sequence[int] | type[Exception] | None
    deaf = 0.0  # until when it takes nothing

    def write(self, data: bytes) -> int:
        if self.seconds < self.deaf:
            self.sleep(0.05)
            return 0
        if data == tape.PUNCH_ON:
            if self.cut is None:
                self.deaf = 3000.0
            else:
                self.plan.insert(0, (self.seconds, self.cut))
        return super().write(data)


@pytest.mark.parametrize("cut", [b"", b"\x02", [BREAK], Hangup, None])
def test_a_tape_that_ends_early_leaves_the_punch_off(
    cut: Sequence[int] | type[Exception] | None, tmp_path: Path
) -> None:
    wire = Cutting([(5, b"x"), (9, BEGIN + b"6\r\rQ\rADA\r"), (4000, b"x")])
    wire.cut = cut
    text = serve(wire, tmp_path, model="33")
    assert (says.PUNCHED in text) == (cut == b"") and text.count(GREETING) == 2
    assert text.rindex("\x12") < text.rindex("\x14") < text.rindex(GREETING)
    assert text.endswith(f"{GREETING}\n\n{START}")


def test_random_visits(owned: Path) -> None:
    """No dot, nothing stuck, the owner's files untouched, every tape whole."""
    files = contents(owned)
    crowd = Crowd(1, 20)
    with pytest.raises(Leave):
        visitors.serve(crowd.tty, Area(str(owned)))
    assert crowd.ended == 20 and set(KINDS) == set(crowd.visits)
    assert crowd.dots == []
    assert games.read(new_games(owned, files), "KALAH.OUT") and crowd.tapes
    for text in crowd.tapes:
        assert len(games.read(text, "X")) == 1
