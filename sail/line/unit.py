"""The punch and the reader of paper tape; on five levels a hand switches them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sail.line import tape
from sail.line.channel import WAKE
from sail.line.discipline import BREAK
from sail.line.driver import Driver
from sail.line.ports import Hangup
from sail.stop import Stopped

RUN_OUT = 1.0  # seconds of silence after which a tape has run out


def punch(driver: Driver, text: str, name: str, title: str) -> bool:
    """Punch a text; see Teletype.  Raises Leave, NoTape."""
    carriage, discipline, channel = driver.carriage, driver.discipline, driver.channel
    carriage.code.reset()
    frames = tape.frames(text, name, carriage.code, carriage.settings.width, title)
    with suppress(Hangup):
        with _switched(driver, tape.PUNCH_ON, tape.PUNCH_OFF):
            for frame in frames:
                if channel.live:
                    driver.listen(0)
                if discipline.stops or channel.over:
                    break
                driver.send(bytes([frame]))
            whole = not (discipline.stops or channel.over)
        carriage.forget_column()
        discipline.forget_stop()
        driver.send_echo()
        return whole
    return False


def read(driver: Driver) -> str | None:
    """Return the text of the tape in the reader, or of a pipe up to its end.

    Return None if a ^C, a BREAK or a hangup ended it early.  Raises Leave, NoTape.
    """
    text = None
    with suppress(Hangup), _switched(driver, tape.READER_ON, tape.READER_OFF):
        try:
            text = tape.read(_frames(driver))
            if driver.carriage.code.five:
                _run_out(driver)
        except Stopped:
            pass
        except Hangup:
            driver.owed = b""  # to whoever is there next, it would be an XOFF
        finally:
            if not driver.carriage.settings.echo:
                driver.carriage.forget_column()  # the machine has printed the tape
    return text


@contextmanager
def _switched(driver: Driver, on: bytes, off: bytes) -> Iterator[None]:
    """Switch a unit on for the block, and owe the code that switches it off."""
    if not driver.carriage.code.five:
        driver.send(on)
        driver.owed = off
    try:
        yield
    finally:
        driver.send_owed()


def _run_out(driver: Driver) -> None:
    """Drop frames up to BELL, BREAK or a silence: a person stops the reader."""
    code, channel = driver.carriage.code, driver.channel
    end = channel.clock() + RUN_OUT
    while channel.live and channel.clock() < end and not channel.over:
        channel.fetch(WAKE)
        while channel.typed:
            frame = channel.typed.popleft()
            if frame == BREAK or code.decode(frame) == "\a":
                return
            end = channel.clock() + RUN_OUT


def _frames(driver: Driver) -> Iterator[str]:
    """Yield what each frame means.  Raises Stopped after a ^C or a BREAK."""
    code, channel = driver.carriage.code, driver.channel
    while not channel.ended:
        driver.check_over()
        channel.fetch(WAKE)
        if not channel.typed:
            continue
        frame = channel.typed.popleft()
        char = code.decode(frame) if code.five else chr(frame & 0x7F)
        if frame == BREAK or char == ("\a" if code.five else "\x03"):
            driver.discipline.receive(frame)
            driver.discipline.forget_stop()
            raise Stopped
        yield char
