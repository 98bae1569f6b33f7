"""The punch and the reader of paper tape; on five levels a hand switches them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from sail.line import tape
from sail.line.channel import WAKE
from sail.line.discipline import BREAK
from sail.line.driver import Driver
from sail.line.ports import Hangup
from sail.stop import Stopped

RUN_OUT = 1.0  # seconds of silence after which a tape has run out


def punch(driver: Driver, text: str, name: str, title: str) -> bool:
    """Punch a text; see Teletype.  Raises Leave, NoTape."""
    discipline, width = driver.discipline, driver.settings.width
    driver.code.reset()
    frames = tape.frames(text, name, driver.code, width, title)
    with suppress(Hangup):
        try:
            _switch(driver, tape.PUNCH_ON, tape.PUNCH_OFF)
            for frame in frames:
                if driver.channel.live:
                    driver.listen(0)
                if discipline.stops or driver.channel.over:
                    break
                driver.send(bytes([frame]))
            whole = not (discipline.stops or driver.channel.over)
        finally:
            driver.send_owed()
        driver.carriage.forget_column()
        discipline.forget_stop()
        driver.send_echo()
        return whole
    return False


def read(driver: Driver) -> str | None:
    """Return the text of the tape in the reader, or of a pipe up to its end.

    Return None if a ^C, a BREAK or a hangup ended it early.  Raises Leave,
    NoTape.
    """
    try:
        _switch(driver, tape.READER_ON, tape.READER_OFF)
        text = tape.read(_frames(driver))
        if driver.code.five:
            _run_out(driver)
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


def _switch(driver: Driver, on: bytes, off: bytes) -> None:
    """Switch a unit on, and owe the code that switches it off."""
    if not driver.code.five:
        driver.send(on)
        driver.owed = off


def _run_out(driver: Driver) -> None:
    """Drop frames up to BELL, BREAK or a silence: a person stops the reader."""
    channel = driver.channel
    end = channel.clock() + RUN_OUT
    while channel.live and channel.clock() < end and not channel.over:
        channel.fetch(WAKE)
        while channel.typed:
            frame = channel.typed.popleft()
            if frame == BREAK or driver.code.decode(frame) == "\a":
                return
            end = channel.clock() + RUN_OUT


def _frames(driver: Driver) -> Iterator[str]:
    """Yield what each frame means.  Raises Stopped after a ^C or a BREAK."""
    code, channel = driver.code, driver.channel
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
