"""The punch and the reader of paper tape; on five levels a hand switches them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from math import inf

from sail.line import tape
from sail.line.codes import Code
from sail.line.discipline import BREAK
from sail.line.driver import Driver
from sail.line.ports import Hangup
from sail.stop import Stopped

RUN_OUT = 1.0  # seconds of silence after which a tape has run out


def punch(driver: Driver, frames: bytes) -> bool:
    """Punch these frames; return False if a ^C or a hangup cut them short."""
    with suppress(Hangup), driver.switched(tape.PUNCH_ON, tape.PUNCH_OFF):
        for frame in frames:
            driver.listen_if_live()
            if driver.discipline.stops or not driver.send(bytes([frame])):
                return False
        return not driver.discipline.stops
    return False


def read(driver: Driver, code: Code) -> str | None:
    """Return the text of the tape in the reader, or of a pipe up to its end.

    Return None if a ^C, a BREAK or a hangup ended it early.  Raises Leave, NoTape.
    """
    text = None
    with suppress(Hangup, Stopped), driver.switched(tape.READER_ON, tape.READER_OFF):
        text = tape.read(_frames(driver, code))
        if code.five and driver.channel.port.live:
            deque(_frames(driver, code, RUN_OUT), 0)  # a person stops the reader
    return text


def _frames(driver: Driver, code: Code, silence: float = inf) -> Iterator[str]:
    """Yield what each frame means, up to a silence.

    Raises Stopped after a ^C or a BREAK.
    """
    while not driver.channel.ended and driver.channel.silence < silence:
        driver.check_over()
        frame = driver.channel.next_key()
        if frame is None:
            continue
        char = code.decode(frame) if code.five else chr(frame & 0x7F)
        if frame == BREAK or char == ("\a" if code.five else "\x03"):
            driver.discipline.receive(frame)
            raise Stopped
        yield char
