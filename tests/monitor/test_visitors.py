"""Visitors: the greeting, silence, ^C, BREAK, hangups; files; tapes."""

from __future__ import annotations

import random
import re
from functools import partial
from itertools import product
from pathlib import Path
from unittest.mock import Mock

import pytest

from sail.files import games
from sail.files.area import Area
from sail.files.seal import sealed
from sail.line import tape
from sail.line.codes import BREAK
from sail.line.models import MODELS
from sail.line.ports import Hangup
from sail.monitor import registry, visitors
from sail.monitor.visitors import GREETING, NEXT
from sail.programs.kalah import dialogue, says
from sail.teletype import Leave
from tests.errors import Capture
from tests.line.virtual import Act, Plan, Wire, attached, lines
from tests.samples import played
from tests.stand_ins import NOW, SHELF, Scripted, session_of

START = says.START_WITH.prompt
PLAY = [(5, b"\r"), (7, b"PLAY\r")]  # it wakes and begins
BEGIN = b"3\rC\rY\r"  # a game of three stones a pit


def serve(
    wire: Wire, area: Area, settings: str = "", model: str = "utf8", baud: float = 9600
) -> str:
    """Serve visitors on this line to its end; return the paper."""
    tty = attached(wire, model, baud)
    tty.set("BELL " + settings)
    with pytest.raises(Leave):
        visitors.serve(tty, area)
    return re.sub("[\r\0]", "", wire.written().decode(errors="replace"))


@pytest.fixture
def owned(area: Area) -> Area:
    """Return an area with the owner's files."""
    area.write("KALAH.TMP", games.text_of(played("3", 3)))
    area.write("KALAH.OUT", games.text_of(played("36", 3)))
    area.write("KALAH.WON", "TOURNAMENT LEVEL BEATEN 2 TIMES RUNNING\n")
    area.write("MINE.POS", (SHELF / "FIG2.POS").read_text("utf-8"))
    return area


def contents(area: Area) -> dict[str, bytes]:
    """Return the contents of all files of an area, hidden ones too."""
    return {path.name: path.read_bytes() for path in Path(area.folder).iterdir()}


def new_games(area: Area, before: dict[str, bytes]) -> str:
    """Return what KALAH.OUT has gained; no other file has changed."""
    now = contents(area)
    assert now == {**before, "KALAH.OUT": now["KALAH.OUT"]}
    text = area.read("KALAH.OUT").partition("\n")[2]
    old = before["KALAH.OUT"].decode().partition("\n")[2]
    assert text.startswith(old) and [*games.SavedGames(text, "KALAH.OUT")]
    return text[len(old) + 1 :]


def test_silence_until_a_key_is_typed(area: Area) -> None:
    wire = Wire([(5000, b"x"), (5005, b"\r"), (5020, b"play\r")])
    text = serve(wire, area, "MOTOR")
    assert wire.printed[0][0] >= 5002  # once the motor is up to speed
    assert text.lstrip("\n") == f"{NEXT}play\n{GREETING}\n{START}"
    assert max(map(len, f"{GREETING}\n{NEXT}".splitlines())) <= 72


@pytest.mark.parametrize(
    "plan, greetings, echo",
    [
        *(([(5, key)], 0, "") for key in (b"\r", b"\x03", [BREAK])),
        *(([(5, key), (20, b"PLAY\r")], 1, "PLAY") for key in (b"\r", [BREAK])),
        ([(5, b"X"), (7, b"HELLO\r"), (30, b"PLAY\r")], 1, f"XHELLO\n{NEXT}PLAY"),
        ([(5, b"X"), (30, b"PLAY\r")], 1, f"X\n{NEXT}PLAY"),
        ([(5, b"X")], 0, f"X\n{NEXT}"),
        # Keys while NEXT is typed.
        ([*PLAY, (199, b"\x03"), (210, b"PLAY\r"), (300, b"")], 2, "PLAY"),
    ],
)
def test_return_wakes_it_and_play_begins(
    plan: Plan, greetings: int, echo: str, area: Area
) -> None:
    text = serve(Wire(plan), area, model="33", baud=110)
    assert text.count(GREETING) == greetings
    assert text.endswith(f"{echo}\n{GREETING}\n{START}" if greetings else NEXT)


def test_a_whole_visit(owned: Area) -> None:
    """He moves, and the bell rings when it is his turn and when the game ends."""
    before = contents(owned)
    # Neither player has more than one turn, and no turn has two submoves.
    begin = "PLAY", "S", "0 0 0 0 0 0 1", "0 0 0 0 0 0 1", "C", "Y"
    text = serve(Wire(lines(*begin, "6", "Q", "N", every=9)), owned)
    assert f"{GREETING}\n{START}" in text  # and no GO ON with the owner's game
    assert text.count("\a") == 2
    assert f"\a{says.YOUR_MOVE.prompt}Q\n\aTHE GAME IS ENDED.\n" in text
    assert text.endswith(f"{says.ANOTHER_GAME.prompt}N\n\n{NEXT}")
    assert contents(owned) == before


@pytest.mark.parametrize(
    "settings, minutes, last",
    [
        *(("", 5, last) for last in (b"", b"3", b"\x13", b"\x0f")),
        *(("PATIENCE 1", 1, b""), ("PATIENCE 9", 9, b""), ("NO PATIENCE", 0, b"")),
    ],
)
def test_patience(settings: str, minutes: int, last: bytes, area: Area) -> None:
    wire = Wire([*PLAY, (20, BEGIN), (50, last)])
    wire.end += 60 * minutes + 400 if minutes else 7000
    text = serve(wire, area, settings)
    if not minutes:
        assert text.count(NEXT) == 1
        return
    assert text.endswith(f"\n{NEXT}")
    left = wire.printed[-1][0]
    assert left == pytest.approx((50 if last else 20) + 60 * minutes, abs=3)
    assert not contents(area)


def test_the_motor_rests_until_the_first_visitor(area: Area) -> None:
    """Opening the port raises RTS, which starts it."""
    wire = Wire([(1000, b"x"), (1010, b"x"), (1500, b"")])
    serve(wire, area, "MOTOR")
    assert [on for _, on in wire.motors] == [False, True, False]
    times = [at for at, _ in wire.motors]
    assert times == [0, 1000, pytest.approx(1315, abs=5)]


def test_noise_wakes_nothing(area: Area) -> None:
    """But in MOTOR's silence it may be the key that is to start the motor."""
    for noise in (b"\0", b"\xff\xff", b"\x13"):
        wire = Wire([(100, noise)])
        assert serve(wire, area, "MOTOR", "33", 110) == ""
        assert [on for _, on in wire.motors] == [False, True]
        wire = Wire([(100, noise), (200, b"\r"), (300, b"PLAY\r")])
        assert GREETING in serve(wire, area, "", "33", 110)


ENDS: list[Act] = [b"\x03", b"\x03\x03", b"\x1a", [BREAK], Hangup]
AT = [b"", BEGIN + b"6\r", BEGIN + b"Q\r", b"SPECIAL\r", b"NONSENSE\r" * 9]


@pytest.mark.parametrize(
    "end, before",
    [
        *product((b"\x03", b"\x1a", Hangup), AT),
        *product((b"\x03\x03", [BREAK]), AT[:2]),
    ],
)
def test_no_key_and_no_hangup_lead_to_a_dot(
    end: Act, before: bytes, owned: Area
) -> None:
    files = contents(owned)
    wire = Wire([*PLAY, (9, before), (99, end), (200, b"PLAY\r"), (210, b"3\r")])
    text = serve(wire, owned, model="33")
    assert text.count(GREETING) == 2 and "\n." not in text
    last = f"{NEXT}PLAY\n{GREETING}\n{START}3\n{says.WHAT_LEVEL.prompt}"
    assert text.endswith(last)
    assert not any(110 < at < 200 for at, _ in wire.printed)
    assert contents(owned) == files


def test_an_xoff_is_no_visitor_but_holds_the_first_question(area: Area) -> None:
    """A screen sends it by itself, whether or not somebody is there."""
    wire = Wire([(5, b"\x13"), (9, b"\r"), (60, b"\x11"), (70, b"PLAY\r")])
    text = serve(wire, area)
    assert text.endswith(f"{NEXT}PLAY\n{GREETING}\n{START}")
    assert wire.printed[0][0] == 60


def test_a_key_that_stops_output_mutes_no_greeting(area: Area) -> None:
    text = serve(Wire([(5, b"\x0fPLAY\r")]), area)
    assert GREETING in text and text.endswith(START)


def test_an_error_of_the_program_is_survived(
    area: Area, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    failing = Mock(side_effect=ZeroDivisionError)
    monkeypatch.setattr(registry, "load", lambda _: session_of(failing))
    text = serve(Wire([*PLAY, (9, b"PLAY\r")]), area)
    assert text.count(f"?\nINTERNAL ERROR IN KALAH\n\n{NEXT}") == 2
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_what_a_visitor_keeps(owned: Area) -> None:
    """A game on file, and on a tape, after his name to be seen; no position."""
    files = contents(owned)
    keys = "PLAY/3/C/Y/SAVE MINE/SAVE NEW/6//Q/ADA 1/SAVE/SAVE"
    wire = Wire(lines(*keys.split("/")))
    text = serve(wire, owned, model="33")
    assert all(text.count(f"CANNOT WRITE {name}.POS.") == 1 for name in ("MINE", "NEW"))
    assert text.count(says.GAME_SAVED) == text.count(says.ALREADY_SAVED) == 1
    game = new_games(owned, files)
    assert len([*games.SavedGames(game, "KALAH.OUT")]) == 1
    game = sealed("KALAH.OUT", game)
    frames = tape.frames(game, "", MODELS["33"].new_code(), 72, "ADA 1")
    assert frames in wire.written()


class Cutting(Wire):
    """A line on which this happens as soon as the punch is on."""

    cut: Act | None
    deaf = 0.0  # until when it takes nothing

    def write(self, data: bytes) -> int:
        if self.seconds < self.deaf:
            self.sleep(0.05)
            return 0
        if data == tape.PUNCH_ON:
            if self.cut is None:
                self.deaf = 500.0
            else:
                self.plan.insert(0, (self.seconds, self.cut))
        return super().write(data)


@pytest.mark.parametrize("cut", [b"", b"\x02", [BREAK], Hangup, None])
def test_a_tape_that_ends_early_leaves_the_punch_off(
    cut: Act | None, area: Area
) -> None:
    wire = Cutting([*PLAY, (9, BEGIN + b"6\r\rQ\rADA\r"), (900, b"PLAY\r")])
    wire.cut = cut
    text = serve(wire, area, model="33")
    assert (says.PUNCHED in text) == (cut == b"") and text.count(GREETING) == 2
    assert text.rindex("\x12") < text.rindex("\x14") < text.rindex(GREETING)
    assert text.endswith(f"{GREETING}\n{START}")


ACTS: list[Act] = [
    *(f"{pit}\r".encode() for pit in "123456" * 3),
    *(b"1\rL\rY\r", b"1\rL\rN\r", b"Q\rADA 1\rSAVE\r", b"BACK\r", b"\r", b"\r"),
    *(b"SPECIAL FIG2\r", b"SAVE MINE\r", b"?\r", b"\x0f", b"X" * 999, b"\xff\0\x7f"),
]
FIRST = b"2\rL\rY\r", b"1\r", b"Q\rADA 1\rSAVE\r"
LAST: list[Act] = [*ENDS, b"", b"\x13"]


def test_random_visits(owned: Area, monkeypatch: pytest.MonkeyPatch) -> None:
    """No dot, nobody left waiting, the owner's files untouched, every tape whole."""
    timed = partial(dialogue.Session, game_time=lambda: NOW)  # on which chance depends
    monkeypatch.setattr(registry, "load", lambda _: timed)
    monkeypatch.setattr("sail.programs.kalah.opponent.Search", Scripted)
    chance, when, files = random.Random(5), 0.0, contents(owned)
    plan: list[tuple[float, Act]] = []
    for _ in range(6):
        woken = (400, b"\r"), (410, b"\x11\x03"), (420, b"PLAY\r")
        plan += [(when + later, keys) for later, keys in woken]
        when += 480
        acts = chance.choices(ACTS, k=chance.choice((0, 5, 20)))
        for act in (*FIRST, *acts, chance.choice(LAST)):
            plan.append((when := when + chance.uniform(1, 20), act))
    wire = Wire(plan)
    wire.end += 400
    text = serve(wire, owned, "MOTOR", "33", 1200)
    assert "\n." not in text
    assert text.count(GREETING[:9]) == 6
    assert new_games(owned, files)
    tapes = re.findall(b"\x12([^\x14]*\x1a\0{60})\x14", wire.written())
    saved = [[*games.SavedGames(tape.read(map(chr, it)), "X")] for it in tapes]
    assert saved and all(len(each) == 1 for each in saved)
