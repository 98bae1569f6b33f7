"""One loop, byte by byte."""

from __future__ import annotations

import pickle

import pytest

from sail.line.loop import Loop

CR = 0x0D


def typed(loop: Loop, received: bytes, now: float = 0) -> bytes:
    return bytes(loop.receive(received, now))


def closed() -> Loop:
    loop = Loop(CR)
    loop.closed = True
    return loop


@pytest.mark.source("TTY-LOOP")
def test_what_was_sent_is_dropped_when_it_comes_back() -> None:
    loop = closed()
    loop.send(b"OR 6? ", 0)
    assert typed(loop, b"OR") == b""
    assert typed(loop, b" 36? ") == b"3"
    assert typed(loop, b"OR") == b"OR"


@pytest.mark.parametrize(
    "back, keys", [("ABCD", ""), ("DEF", ""), ("EA", "E"), ("BXF", "X"), ("AEIM", "")]
)
def test_up_to_three_characters_in_a_row_may_be_lost(back: str, keys: str) -> None:
    loop = closed()
    loop.send(b"ABCDEFGHIJKLM", 0)
    assert typed(loop, back.encode()) == keys.encode()


@pytest.mark.parametrize("comes_back", [True, False])
def test_what_is_under_way_is_bounded(comes_back: bool) -> None:
    loop = Loop(CR)
    for _ in range(1000):
        loop.send(b"ABC\r" * 20, 0)
        loop.receive(b"ABC\r" * 20 * comes_back, 0)
    assert len(pickle.dumps(loop)) < 9000


@pytest.mark.parametrize(
    "lines, shows", [(["AB"] * 2, False), (["AB"] * 3, True), ([""] * 3, False)]
)
def test_three_lines_that_come_back_show_it(lines: list[str], shows: bool) -> None:
    loop = Loop(CR)
    for line in lines:
        loop.send(line.encode() + b"\r", 0)
        assert typed(loop, line.encode() + b"\r") == line.encode() + b"\r"
    assert loop.proven == shows
    typed(loop, b"?")
    assert not loop.proven


def test_so_do_216_characters_without_a_line() -> None:
    loop = Loop(CR)
    for number in range(216):
        assert loop.proven is False, number
        loop.send(b"\a", 0)
        typed(loop, b"\a")
    assert loop.proven


@pytest.mark.parametrize("now, keys", [(1.9, b""), (2.1, b"AB")])
def test_what_does_not_come_back_is_soon_forgotten(now: float, keys: bytes) -> None:
    loop = closed()
    loop.send(b"AB", 0)
    assert typed(loop, b"AB", now) == keys


def test_what_comes_back_late_shows_no_loop() -> None:
    """A person who types our own words back needs longer."""
    loop = Loop(CR)
    for at, key in enumerate(b"AB\rCD\rEF\r"):
        loop.send(bytes([key]), at / 10)
    for at, key in enumerate(b"AB\rCD\rEF\r"):
        assert typed(loop, bytes([key]), 1 + at / 2) == bytes([key])
    assert not loop.proven
