"""Telnet's commands, taken out of what comes over a network (TTY-IAC).

A peer is known to speak telnet from its first option on.  Before that, FF may
be the RUBOUT of an eight-bit keyboard, and FF FF two of them.
"""

from __future__ import annotations

import re

OPTION = rb"\xff[\xfb-\xfe]."  # the last byte may be 3, which is then no ^C
# A doubled FF, an option, a subnegotiation, or a command of two bytes.
COMMAND = (
    rb"\xff\xff|" + OPTION + rb"|\xff\xfa.{0,256}?\xff\xf0|\xff[\xec-\xee\xf1-\xf9]"
)
BEGUN = rb"|(?P<begun>\xff(\xfa.{0,256}|[\xfb-\xfe]?)\Z)"

# BREAK, INTERRUPT PROCESS, ABORT and SUSPEND are ^C; END OF FILE is ^Z.
MEANINGS = {b"\xff\xff": b"\xff", b"\xff\xec": b"\x1a"}
MEANINGS |= {b"\xff" + code: b"\x03" for code in (b"\xf3", b"\xf4", b"\xed", b"\xee")}


class Telnet:
    """The filter for one connection."""

    def __init__(self) -> None:
        self._commands = OPTION
        self._begun = b""  # the first bytes of an incomplete command

    def strip_commands(self, data: bytes, waited: bool) -> bytes:
        """Return what was typed, without the commands.

        waited: whether the line has been silent; then an incomplete command is text.
        """
        data, self._begun = self._begun + data, b""
        if re.search(OPTION, data, re.DOTALL):
            self._commands = COMMAND
        commands = self._commands + (b"" if waited else BEGUN)
        return re.sub(commands, self._meaning, data, flags=re.DOTALL)

    def _meaning(self, command: re.Match[bytes]) -> bytes:
        self._begun = command.groupdict().get("begun") or b""
        return MEANINGS.get(command[0], b"")
