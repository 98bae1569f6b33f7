"""Telnet's orders, taken out of what comes over a network (TTY).

Console servers and telnet clients negotiate options, one of which has the code
of ^C.  A peer is known to speak telnet from its first option on.  Before that,
FF may be the RUBOUT of an eight-bit keyboard, and so may the next FF.
"""

from __future__ import annotations

import re

LONGEST = 256  # bytes in one subnegotiation
OPTION = rb"\xff[\xfb-\xfe]."
# A doubled FF, an option, a subnegotiation, or an order of two bytes.
ORDER = rb"\xff\xff|%b|\xff\xfa.{0,%d}?\xff\xf0|\xff[\xf1-\xf9]" % (OPTION, LONGEST)
BEGUN = rb"|(?P<begun>\xff(\xfa.{0,%d}|[\xfb-\xfe]?)\Z)" % LONGEST

MEANINGS = {b"\xff\xff": b"\xff", b"\xff\xf3": b"\x03", b"\xff\xf4": b"\x03"}


class Telnet:
    """The filter for one connection."""

    def __init__(self) -> None:
        self._orders = OPTION
        self._begun = b""  # the first bytes of an incomplete order

    def typed(self, data: bytes, waited: bool) -> bytes:
        """Return what was typed.  BREAK and INTERRUPT PROCESS become ^C.

        waited: whether the line has been silent for a moment.  An order that
        is still incomplete then is none, but was typed.
        """
        data, self._begun = self._begun + data, b""
        if re.search(OPTION, data, re.DOTALL):
            self._orders = ORDER
        orders = self._orders + (b"" if waited else BEGUN)
        return re.sub(orders, self._meaning, data, flags=re.DOTALL)

    def _meaning(self, order: re.Match[bytes]) -> bytes:
        if order.groupdict().get("begun") is not None:
            self._begun = order[0]
        return MEANINGS.get(order[0], b"")
