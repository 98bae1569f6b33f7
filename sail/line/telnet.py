"""Telnet's orders, taken out of what comes over a network (TTY).

A peer is known to speak telnet from its first option on.  Before that, FF may
be the RUBOUT of an eight-bit keyboard, and so may a second FF.
"""

from __future__ import annotations

import re

OPTION = rb"\xff[\xfb-\xfe]."  # one of the options has the code of ^C
# A doubled FF, an option, a subnegotiation, or an order of two bytes.
ORDER = rb"\xff\xff|" + OPTION + rb"|\xff\xfa.{0,256}?\xff\xf0|\xff[\xf1-\xf9]"
BEGUN = rb"|(?P<begun>\xff(\xfa.{0,256}|[\xfb-\xfe]?)\Z)"

# BREAK and INTERRUPT PROCESS are ^C.
MEANINGS = {b"\xff\xff": b"\xff", b"\xff\xf3": b"\x03", b"\xff\xf4": b"\x03"}


class Telnet:
    """The filter for one connection."""

    def __init__(self) -> None:
        self._orders = OPTION
        self._begun = b""  # the first bytes of an incomplete order

    def typed(self, data: bytes, waited: bool) -> bytes:
        """Return what was typed.

        waited: whether the line has been silent for a moment.  Then an order
        that is still incomplete was typed, too.
        """
        data, self._begun = self._begun + data, b""
        if re.search(OPTION, data, re.DOTALL):
            self._orders = ORDER
        orders = self._orders + (b"" if waited else BEGUN)
        return re.sub(orders, self._meaning, data, flags=re.DOTALL)

    def _meaning(self, order: re.Match[bytes]) -> bytes:
        self._begun = order.groupdict().get("begun") or b""
        return MEANINGS.get(order[0], b"")
