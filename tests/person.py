"""Somebody at a teletype: the simulated player.

A Person answers what stands on the paper.  He sits at a Desk, before an emulated
machine and in a time of its own.  At the FarEnd of a real line somebody reads and types.
"""

from __future__ import annotations

import codecs
import os
import select
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Union, final

from tests.line.virtual import Wire
from tests.machines import Machine

REACTION = 0.5  # seconds of silence after which a person answers
KEY = 0.25  # seconds of silence before the next key
LOST = 900.0  # seconds of silence after which a person gives up
PATIENCE = 30.0  # real seconds that he waits at a real line

# By the end of a line, what to type there, or a function of the paper's lines.
Answers = Mapping[str, Union[str, Callable[[Sequence[str]], str]]]


class Person:
    """Somebody who answers questions, each when it stands on the paper.

    script: pairs of the end of a line and what to type there, in this order.
    answers: what to type at a question that is not the script's next.
    """

    def __init__(
        self, script: Iterable[tuple[str, str]] = (), answers: Answers | None = None
    ) -> None:
        self.script = deque(script)
        self.answers = answers or {}
        self._answered = (0, "")  # the line of the last answer, before it

    @property
    def done(self) -> bool:
        """Whether nothing is left to be answered."""
        return not (self.script or self.answers)

    def answer_at(self, machine: Machine) -> str:
        """Return what to type at a machine now, but no second answer on one line."""
        at = machine.rows, machine.line
        if at == self._answered:
            return ""
        if self.script and machine.line.endswith(self.script[0][0]):
            self._answered = at
            return self.script.popleft()[1]
        for question, answer in self.answers.items():
            if machine.line.endswith(question):
                self._answered = at
                return answer(machine.paper) if callable(answer) else answer
        return ""


@final
class Desk(Wire):
    """A line with a machine at its end and a person, in a time of its own.

    Time passes only while the program waits for it.  Bytes arrive one by one at
    the rate of the machine, and so does what it sends.

    characters: how many have arrived.
    """

    def __init__(self, machine: Machine, person: Person) -> None:
        super().__init__([])
        self.machine = machine
        self.person = person
        self.characters = 0
        self._coming: deque[tuple[float, int]] = deque()  # when it arrives, and what
        self._arrived = 0.0  # when the last byte came or will come
        self._touched = 0.0  # when the last key was pressed
        self._keys: deque[str] = deque()

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        end = self.seconds + seconds
        while self._coming and self._coming[0][0] <= end:
            self.seconds, code = self._coming.popleft()
            self.machine.receive(bytes([code]))
            self.characters += 1
        if not self._coming:
            idle = end - max(self.seconds, self._arrived)
            self.machine.wait(idle * self.machine.rate)
        self.seconds = end

    def write(self, data: bytes) -> int:
        for code in data:
            self._arrived = max(self._arrived, self.seconds) + 1 / self.machine.rate
            self._coming.append((self._arrived, code))
        return len(data)

    def out_waiting(self) -> int:
        return max(0, len(self._coming) - 1)  # one is being printed

    def read(self, timeout: float) -> bytes:
        if not self.machine.sent:
            self.sleep(self.rested(timeout))
        sent = bytes(self.machine.sent)
        self.machine.sent.clear()
        return sent + self._pressed()

    @property
    def quiet(self) -> float:
        return self.seconds - max(self._arrived, self._touched)

    def _pressed(self) -> bytes:
        """Return what a key sends, if it is time for one."""
        quiet = self.quiet
        if not self._keys and quiet > REACTION:
            self._keys += self.person.answer_at(self.machine)
            if self.tty and (quiet > LOST or self.person.done):
                self.tty.driver.job_ends = not self._keys
        if not self._keys or quiet < KEY:
            return b""
        self._touched = self.seconds
        return self.machine.press(self._keys.popleft())


class FarEnd:
    """The far end of a real line: somebody who reads and types.

    decode: replaced where a server's commands come, too.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.paper = ""
        self.decode: Callable[[bytes], str]
        self.decode = codecs.getincrementaldecoder("utf-8")().decode
        self._read = 0

    def wait_for(self, text: str) -> None:
        """Wait for this text, and skip it and what came before it."""
        while text not in self.paper[self._read :]:
            ready, _, _ = select.select([self.descriptor], [], [], PATIENCE)
            assert ready, f"{text!r} did not come after:\n{self.paper}"
            more = self.decode(os.read(self.descriptor, 4096))
            self.paper += more.replace("\0", "")
        self._read = self.paper.index(text, self._read) + len(text)

    def type(self, text: str) -> None:
        self.write(text.encode())

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.descriptor, data) :]

    def begin_game(self, arrow: str = "→") -> None:
        """Answer the first questions of KALAH, up to the first move."""
        self.wait_for("OR 6? ")
        self.type("3\rC\rY\r")
        self.wait_for(arrow * 8)
