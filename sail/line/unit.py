"""The punch and the reader of paper tape on a machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import final

from sail.line import tape
from sail.line.channel import WAKE, State
from sail.line.discipline import BREAK
from sail.line.machine import Machine
from sail.line.ports import Hangup
from sail.stop import Stopped

RUN_OUT = 1.0  # seconds of silence after which a tape has run out


@final
class TapeUnit:
    """The punch and the reader; on five levels they are switched by hand."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._discipline = machine.discipline
        self._code = machine.carriage.code

    def punch(self, text: str, name: str, title: str = "") -> bool:
        """Punch a text; see Teletype.  Raises Leave, NoTape."""
        machine, discipline = self._machine, self._discipline
        self._code.reset()
        frames = tape.frames(text, name, self._code, title)
        with suppress(Hangup):
            try:
                self._switch(tape.PUNCH_ON)
                self._owe(tape.PUNCH_OFF)
                for frame in frames:
                    if machine.live:
                        machine.listen(0)
                    if discipline.stops or machine.leaving:
                        break
                    machine.send(bytes([frame]))
                whole = not (discipline.stops or machine.leaving)
            finally:
                machine.send_owed()
            machine.carriage.forget_column()
            discipline.forget_stop()
            machine.send_echo()
            return whole
        return False

    def read(self) -> str | None:
        """Return the text of the tape in the reader, or of a pipe up to its end.

        Return None if a ^C, a BREAK or a hangup ended it early.  Raises Leave,
        NoTape.
        """
        machine = self._machine
        try:
            self._switch(tape.READER_ON)
            text = tape.read(self._frames())
            if self._code.five:
                self._run_out()
            return text
        except (Hangup, Stopped):
            return None
        finally:
            if not machine.settings.echo:
                machine.carriage.forget_column()  # the machine has printed the tape
            if machine.channel.state is State.UP:
                self._owe(tape.READER_OFF)
                with suppress(Hangup):
                    machine.send_owed()

    def _run_out(self) -> None:
        """Drop frames up to BELL, BREAK or a silence: a person stops the reader."""
        machine = self._machine
        end = machine.clock() + RUN_OUT
        while machine.live and machine.clock() < end and not machine.leaving:
            machine.unread += machine.channel.read(WAKE)
            while machine.unread:
                frame = machine.unread.popleft()
                if frame == BREAK or self._code.decode(frame) == "\a":
                    return
                end = machine.clock() + RUN_OUT

    def _switch(self, control: bytes) -> None:
        if not self._code.five:
            self._machine.send(control)

    def _owe(self, control: bytes) -> None:
        if not self._code.five:
            self._machine.owed = control

    def _frames(self) -> Iterator[str]:
        """Yield what each frame means.  Raises Stopped after a ^C or a BREAK."""
        machine, code = self._machine, self._code
        while machine.unread or not machine.channel.ended:
            machine.check_leaving()
            if not machine.unread:
                machine.unread += machine.channel.read(WAKE)
                continue
            frame = machine.unread.popleft()
            char = code.decode(frame) if code.five else chr(frame & 0x7F)
            if frame == BREAK or char == ("\a" if code.five else "\x03"):
                self._discipline.receive(frame)
                self._discipline.forget_stop()
                raise Stopped
            yield char
