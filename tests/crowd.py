"""A crowd of random visitors at a Model 33, in a time of its own."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from sail.line import tape
from sail.line.discipline import BREAK
from sail.line.models import MODELS
from sail.line.ports import Hangup
from sail.line.station import Station
from sail.monitor import visitors
from tests.line.virtual import Wire, attached
from tests.person import Person

LONGEST = 4 * 3600.0  # seconds that a visit may take
IDLE = 330.0  # seconds after which the motor has stopped
HURRY = 2.5  # seconds that pass at once while nothing is printed
PIECE = 4096
KINDS = {"plays": 8, "leaves": 3, "stops": 3, "hangs up": 2, "junk": 2, "pastes": 1}
KINDS |= {"loops": 1, "is deaf": 1}
SPOILS = 1500.0  # seconds that one of these two stays
# No dots, and no ^B and ^S: one that comes as a visit ends would hold NEXT.
NO_JUNK = b".\x02\x13\xae\x82\x93"
WORDS = {
    "OR 6? ": "1 1 1 2 2 3 4 ? RULES SPECIAL,FIG2 SPECIAL SAVE SPECIAL,KALAH.OUT",
    "START? ": "Y N Y N ? QUIT",
    ">>>>>>>>": "1 2 3 4 5 6 1 2 3 4 5 6 36 BACK REDO ADVISE SHOW SAVE,MINE "
    "SAVE,FIG2 ? DRAW WIN CONCEDE QUIT I,WIN,DAMMIT",
    "<CR>": "- - - - - - QUIT SHOW ?",
    "OR N: ": "ADA ADA,L.,1815 N - CLAUDE-ÉMILE Y ? QUIT "
    "ABCDEFGHIJKLMNOPQRST ABCDEFGHIJKLMNOPQRSTU",
    "GAME? ": "N N N Y SAVE SAVE BACK TAPE ?",
    "? ": "Q",
}
ANSWERS = {
    question: [f"{word}\r".replace(",", " ").replace("-", "") for word in words.split()]
    for question, words in WORDS.items()
}


class Crowd(Wire):
    """The far end: one visitor after another, until there were enough.

    count: the number of visits to make.  levels: the answers to WHAT LEVEL.

    visits: how many visits have ended, by kind.
    tapes: each tape that was punched whole.
    dots: the lines that begin with a dot.
    """

    tty: Station
    pasted = 999  # how often a text is pasted

    def __init__(
        self,
        seed: int,
        count: int,
        baud: float = 110,
        levels: Sequence[str] = "C",
    ) -> None:
        super().__init__([])
        self.end = float("inf")
        self.rng = random.Random(seed)
        self.count = count
        answers = {"TOURNAMENT? ": [f"{level}\r" for level in levels], **ANSWERS}
        self.person = Person((), answers, self.rng)
        self.visits: Counter[str] = Counter()
        self.tapes: list[str] = []
        self.dots: list[str] = []
        self._paper = b""  # the last that was printed
        self._tape: bytearray | None = None
        self._printed = 0.0  # when something was last printed
        self._typed = b""
        self._motor = False
        self._kind = ""  # "" while nobody is there
        self._greeted = False  # whether the visit has begun
        self._deaf = False
        self._first = [*KINDS]  # one visitor of each kind comes before all others
        self._visit = self._acts()
        self._since = self._left = 0.0
        self._next = self.rng.uniform(10, 100)
        attached(self, MODELS["33"], baud).set("BELL MOTOR")
        self._owners = self.tty.settings

    @property
    def ended(self) -> int:
        """The number of visits that have ended."""
        return sum(self.visits.values())

    def motor(self, on: bool) -> None:
        self._motor = on

    def write(self, data: bytes) -> int:
        if self._deaf:
            self.sleep(0.05)
            return 0
        if self._kind == "loops":
            self._typed += data
        if data == tape.PUNCH_ON:
            self._tape = bytearray()
        elif data == tape.PUNCH_OFF:
            assert self._tape is not None
            self._keep(self._tape)
            self._tape = None
        elif self._tape is not None:
            self._tape += data
            return len(data)
        else:
            assert self._motor or not data.strip(b"\0")
            for line in data.replace(b"\0", b"").splitlines(keepends=True):
                self._paper = self._paper[-200:] + line
                if line.endswith(b"\n"):
                    self._line_ended()
        self._printed = self.seconds
        self._next = max(self._next, self.seconds + self.rng.uniform(0.3, 8))
        return len(data)

    def _keep(self, frames: bytearray) -> None:
        if frames.endswith(b"\x1a" + bytes(tape.LEADER)):
            self.tapes.append(tape.read(chr(frame & 0x7F) for frame in frames))

    def _line_ended(self) -> None:
        line = self._paper.decode("ascii").splitlines()[-1].strip("\a")
        if line.startswith("."):
            self.dots.append(line)
        if line == visitors.NEXT.strip() and self._greeted and self._kind != "loops":
            self._end()
        if line == visitors.GREETING.splitlines()[0]:
            assert self.tty.settings == self._owners or self._kind == "loops"
            self._greeted = True

    def _end(self) -> None:
        self.visits[self._kind] += 1
        self._kind, self._typed, self._left = "", b"", self.seconds
        self._greeted = False
        self._visit, self._deaf = self._acts(), False
        self._next = self.seconds + self.rng.choice([0, 5, 60, 900, 9000])
        if self.ended == self.count:
            self.tty.end()

    def read(self, timeout: float) -> Sequence[int]:
        if self._kind and self.seconds > self._since + LONGEST:
            raise AssertionError(f"{self._kind} is stuck after {self._paper!r}")
        if not self._typed:
            if self.seconds > self._printed + HURRY:
                timeout = max(timeout, HURRY)
            if self.seconds + timeout < self._next:
                self.seconds += timeout
                return b""
            self.seconds = max(self.seconds, self._next)
            self._next = self.seconds + self.rng.uniform(1, 20)
            act = next(self._visit)
            if not isinstance(act, bytes):
                return act
            self._typed = act
        piece, self._typed = self._typed[:PIECE], self._typed[PIECE:]
        return piece

    def _acts(self) -> Iterator[Sequence[int]]:
        """Yield what one visitor does: keys or a BREAK.  Raises Hangup."""
        rng = self.rng
        assert not self._motor or self.seconds < self._left + IDLE
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        self._kind = kind = self._first.pop() if self._first else kind
        self._since = self.seconds
        yield rng.choice([b"x", b"\r", b"\x03", [BREAK], b"\0", b"HELLO\r"])
        yield b"PLAY\r"
        while not self._greeted and kind != "loops":  # what loops reads nothing
            yield b"PLAY\r"
        acts = {"plays": 150, "loops": 0}.get(kind, rng.choice([0, 1, 5, 10, 40]))
        for _ in range(acts):
            junk = rng.randbytes(rng.choice([1, 9, 99])).translate(None, NO_JUNK)
            yield junk if kind == "junk" else self.answer()
        while kind == "stops":
            yield rng.choice([b"\x03", b"\x03\x03", [BREAK], [BREAK] * 50, b"\x1a"])
        if kind in ("hangs up", "loops", "is deaf"):
            self._deaf = kind == "is deaf"
            if kind != "hangs up":
                self._next = self.seconds + SPOILS
                yield b""
            self._end()
            raise Hangup
        if kind == "pastes":
            pasted = [b"1\r", b"?", b"X" * 99 + b"\r", b"\x13\x0f\x12"]
            yield rng.choice(pasted) * self.pasted
        self._next = self.seconds + LONGEST  # he is gone
        yield rng.choice([b"", b"3", b"\x0f", b"\x0f" if kind == "junk" else b"\x13"])

    def answer(self) -> bytes:
        """Return an answer to the question on the paper, not always a good one."""
        return (self.person.answer(self._paper.decode("ascii")) or "\r").encode()
