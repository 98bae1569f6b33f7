"""The punch and the reader of paper tape on a machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import final

from sail.line import tape
from sail.line.channel import WAKE
from sail.line.discipline import BREAK
from sail.line.driver import Driver
from sail.line.ports import Hangup
from sail.stop import Stopped

RUN_OUT = 1.0  # seconds of silence after which a tape has run out


@final
class TapeUnit:
    """The punch and the reader; on five levels they are switched by hand."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._discipline = driver.discipline
        self._code = driver.carriage.code

    def punch(self, text: str, name: str, title: str = "") -> bool:
        """Punch a text; see Teletype.  Raises Leave, NoTape."""
        driver, discipline = self._driver, self._discipline
        self._code.reset()
        frames = tape.frames(text, name, self._code, driver.settings.width, title)
        with suppress(Hangup):
            try:
                self._switch(tape.PUNCH_ON, tape.PUNCH_OFF)
                for frame in frames:
                    if driver.live:
                        driver.listen(0)
                    if discipline.stops or driver.leaving:
                        break
                    driver.send(bytes([frame]))
                whole = not (discipline.stops or driver.leaving)
            finally:
                driver.send_owed()
            driver.carriage.forget_column()
            discipline.forget_stop()
            driver.send_echo()
            return whole
        return False

    def read(self) -> str | None:
        """Return the text of the tape in the reader, or of a pipe up to its end.

        Return None if a ^C, a BREAK or a hangup ended it early.  Raises Leave,
        NoTape.
        """
        driver = self._driver
        try:
            self._switch(tape.READER_ON, tape.READER_OFF)
            text = tape.read(self._frames())
            if self._code.five:
                self._run_out()
            return text
        except Stopped:
            return None
        except Hangup:
            driver.owed = b""  # to whoever is there next, it would be an XOFF
            return None
        finally:
            if not driver.settings.echo:
                driver.carriage.forget_column()  # the machine has printed the tape
            with suppress(Hangup):
                driver.send_owed()

    def _switch(self, on: bytes, off: bytes) -> None:
        """Switch a unit on; it is owed that it is switched off."""
        if not self._code.five:
            self._driver.send(on)
            self._driver.owed = off

    def _run_out(self) -> None:
        """Drop frames up to BELL, BREAK or a silence: a person stops the reader."""
        driver = self._driver
        end = driver.clock() + RUN_OUT
        while driver.live and driver.clock() < end and not driver.leaving:
            driver.unread += driver.channel.read(WAKE)
            while driver.unread:
                frame = driver.unread.popleft()
                if frame == BREAK or self._code.decode(frame) == "\a":
                    return
                end = driver.clock() + RUN_OUT

    def _frames(self) -> Iterator[str]:
        """Yield what each frame means.  Raises Stopped after a ^C or a BREAK."""
        driver, code = self._driver, self._code
        while driver.unread or not driver.channel.ended:
            driver.check_leaving()
            if not driver.unread:
                driver.unread += driver.channel.read(WAKE)
                continue
            frame = driver.unread.popleft()
            char = code.decode(frame) if code.five else chr(frame & 0x7F)
            if frame == BREAK or char == ("\a" if code.five else "\x03"):
                self._discipline.receive(frame)
                self._discipline.forget_stop()
                raise Stopped
            yield char
