"""Telnet's commands, and the keys that look like them."""

from __future__ import annotations

import random

import pytest

from sail.line.filters import Telnet

KNOWN = b"\xff\xfb\x18"  # a first option

CASES = [
    # what comes, what was typed
    (b"3\xff\xfd\x18\r", b"3\r"),
    (b"\xff\xfd\x03\xff\xfb\x01\xff\xfe\xffA\xff\xfc\nB", b"AB"),
    # RUBOUT with an eighth bit, on a line that is no telnet
    (b"AB\xff\xffC\xff\xc1\xff\x8d", b"AB\xff\xffC\xff\xc1\xff\x8d"),
    (b"\xff\xf3\xff\xf4\xff\xf0\xff\xfa1", b"\xff\xf3\xff\xf4\xff\xf0\xff\xfa1"),
    (b"\xff" * 40, b"\xff" * 40),
    # and on one that is
    (KNOWN + b"\xff\xff1\xff1", b"\xff1\xff1"),
    (KNOWN + b"\xff\xf11\xff\xf92", b"12"),
    (KNOWN + b"1\xff\xf32\xff\xf43", b"1\x032\x033"),
    (KNOWN + b"1\xff\xec2\xff\xed3\xff\xee", b"1\x1a2\x033\x03"),
    (KNOWN + b"\xff\xfa\x18\x01\n\xff\xf03", b"3"),
    (KNOWN + b"\xff\xfa\x18\xff\xff\x03\xff\xf03", b"3"),
    (KNOWN + b"\xff\xf02", b"\xff\xf02"),
]


@pytest.mark.source("TTY-IAC", "TTY-33-RUBOUT")
@pytest.mark.parametrize("data, typed", CASES)
def test_commands_are_not_typed(data: bytes, typed: bytes) -> None:
    """In whatever pieces they come, if the pieces follow without a pause."""
    rng = random.Random(7)
    for _ in range(50):
        ends = sorted(rng.sample(range(len(data)), min(3, len(data))))
        telnet, found = Telnet(), b""
        for begin, end in zip([0, *ends], [*ends, len(data)]):
            found += telnet.strip(data[begin:end], waited=False)
        assert found + telnet.strip(b"", waited=True) == typed


def test_a_rubout_waits_for_a_moment_only() -> None:
    telnet = Telnet()
    assert telnet.strip(b"A\xff", waited=False) == b"A"
    assert telnet.strip(b"", waited=False) == b""
    assert telnet.strip(b"", waited=True) == b"\xff"
    assert telnet.strip(b"\xfd\x18", waited=False) == b"\xfd\x18"


def test_a_subnegotiation_without_end_is_not_kept() -> None:
    telnet = Telnet()
    telnet.strip(KNOWN + b"\xff\xfa", waited=False)
    for _ in range(300):
        found = telnet.strip(b"x", waited=False)
    assert found == b"x"
