"""Filters: what reaches us but was not typed is taken out, a protocol at a time.

Pure, in the order in which a byte passes them: telnet's commands, our own output,
and, once the code has made characters of bytes, a screen's escape sequences and what
doubles the end of a line.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice

from sail.line.codes import BREAK

# A peer is known to speak telnet from its first option on.  Before that, FF may be
# the RUBOUT of an eight-bit keyboard, and FF FF two of them.
OPTION = rb"\xff[\xfb-\xfe]."  # the last byte may be 3, which is then no ^C
# An option, a doubled FF, a subnegotiation, or a command of two bytes.
COMMAND = OPTION + rb"|\xff\xff|\xff\xfa.{0,256}?\xff\xf0|\xff[\xec-\xee\xf1-\xf9]"
BEGUN = rb"|(?P<begun>\xff(\xfa.{0,256}|[\xfb-\xfe]?)\Z)"

# BREAK, INTERRUPT PROCESS, ABORT and SUSPEND are ^C; END OF FILE is ^Z, ERASE
# CHARACTER a RUBOUT, and ERASE LINE ^U.
MEANINGS = {b"\xff\xff": b"\xff", b"\xff\xec": b"\x1a"}
MEANINGS |= {b"\xff\xf7": b"\x7f", b"\xff\xf8": b"\x15"}
MEANINGS |= {b"\xff" + code: b"\x03" for code in (b"\xf3", b"\xf4", b"\xed", b"\xee")}


class Telnet:
    """The filter that takes out telnet's commands (TTY-IAC)."""

    def __init__(self) -> None:
        self._commands = OPTION
        self._begun = b""  # the first bytes of an incomplete command

    def strip(self, data: bytes, waited: bool) -> bytes:
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


UNDER_WAY = 256  # characters that may be on their way back
MOST_LOST = 3  # characters in a row that may get lost
# Either of these, coming back in a row, proves that this is one loop:
PROVING_LINES = 3
PROVING_CHARACTERS = 50


class Loop:
    """The filter that takes out our own output where it comes back (TTY-LOOP).

    Keyboard and printer are then in one current loop.

    mask: the bits that come back as they were sent; a BREAK always counts.
    """

    def __init__(self, line_end: int, mask: int) -> None:
        self._mask = mask | BREAK
        self._line_end = line_end  # the byte that returns the carriage
        # The characters sent, each with the time after which it counts as lost.
        self._sent: deque[tuple[int, float]] = deque(maxlen=UNDER_WAY)
        self._back: deque[int] = deque(maxlen=PROVING_CHARACTERS)  # come back in a row

    @property
    def proved(self) -> bool:
        """Whether what came back in a row proves one loop."""
        lines = self._back.count(self._line_end)
        enough = lines >= PROVING_LINES or len(self._back) >= PROVING_CHARACTERS
        # A key that is held down matches its own echo.
        return enough and len({*self._back}) > 1

    def expect(self, data: bytes, lost_at: float) -> None:
        """Note what has been sent, and the time after which it counts as lost."""
        self._sent += ((byte & self._mask, lost_at) for byte in data)

    def strip(self, received: Sequence[int], now: float, is_set: bool) -> Sequence[int]:
        """Return what was typed: if LOOP `is_set`, all but what was sent."""
        while self._sent and self._sent[0][1] < now:
            self._sent.popleft()
            self._back.clear()
        typed = [byte for byte in received if not self._drop(byte & self._mask)]
        if is_set:
            return typed
        if typed:
            self._sent.clear()
            self._back.clear()
        return received

    def _drop(self, byte: int) -> bool:
        """Drop the bytes sent up to this one; return False if it was not sent."""
        expected = [sent for sent, _ in islice(self._sent, MOST_LOST + 1)]
        if byte not in expected:
            return False
        for _ in range(expected.index(byte) + 1):
            self._sent.popleft()  # those before it are lost
        self._back.append(byte)
        return True


# The keypad in application mode: ESC O or, on a VT52, ESC ? and one of these.
KEYPAD = dict(zip("pqrstuvwxyMXjklmno", "0123456789\r=*+,-./"))
KEY = "\x1b{1,2}(O.|\\[\\[.|\\[[0-?]{0,16}[ -/]?[@-Z\\\\-~])"
KEY_BEGUN = "\x1b{1,2}(O|\\[\\[?|\\[[0-?]{1,16}[ -/]?)?"
# A reply, say about colors, without its end:
STRING = "(?<!\x1b)\x1b[]PX^_][ -~]{0,256}"
REPLY, REPLY_BEGUN = STRING + "(\a|\x1b\\\\)", STRING + "\x1b?"
VT52_KEY, VT52_BEGUN = "\x1b([A-DP-S]|\\?.)", "\x1b\\?"

CR, LF, RUBOUT, XOFF, BACKSPACE = "\r\n\x7f\x13\b"
SAME_END = (CR + LF, CR + CR + LF, CR + RUBOUT + LF, LF + CR)
NOT_KEYS = "\0\f"  # NUL (filler or blank tape), form feed


class Keys:
    """The filter that makes keys of characters.

    From a screen, the keys of a keypad mean what is printed on them; arrows, function
    keys and the replies of a terminal mean nothing.  CR, LF, CR LF, LF CR, CR CR LF
    and CR RUBOUT LF are one end of a line each, so after a second CR it waits for what
    comes next.
    """

    def __init__(self, screen: bool, vt52: bool) -> None:
        self.last_end = ""  # the CR or LF that has just come; XOFFs and rubouts keep it
        self._end = ""  # CR, CR CR, LF, or CR RUBOUT: only an LF may then still follow
        key, begun = (f"|{VT52_KEY}", f"|{VT52_BEGUN}") if vt52 else ("", "")
        begun = f"(?P<begun>({KEY_BEGUN}|{REPLY_BEGUN}{begun})\\Z)"
        self._sequence = re.compile(f"{KEY}|{REPLY}{key}|{begun}") if screen else None
        self._begun = ""  # the first characters of an incomplete sequence

    def strip(self, typed: str) -> Iterator[str]:
        """Yield the characters that these complete."""
        if self._sequence:
            typed, self._begun = self._begun + typed, ""
            typed = self._sequence.sub(self._meaning, typed)
        for key in typed:
            if key not in NOT_KEYS:
                yield from self._unify(key)

    def _meaning(self, sequence: re.Match[str]) -> str:
        self._begun = sequence["begun"] or ""
        on_keypad = sequence[0][:-1] in ("\x1bO", "\x1b?")
        return KEYPAD.get(sequence[0][-1], "") if on_keypad else ""

    def _unify(self, char: str) -> str:
        if char in (RUBOUT, XOFF):
            return self._close_end() + char
        waiting = CR if self._end == CR + CR else ""
        end = self._end + char
        self._end = char if char in (CR, LF) else ""
        if char != BACKSPACE:
            self.last_end = self._end
        if end in SAME_END:
            self._end = ""
            return ""
        if self._end and end.startswith(CR + CR):
            self._end = CR + CR
            return waiting
        return waiting + char

    def fall_silent(self) -> str:
        """Note that the end of a line is complete; return the CR that was waiting."""
        self.last_end = ""
        return self._close_end()

    def _close_end(self) -> str:
        waiting = CR if self._end == CR + CR else ""
        self._end = CR + RUBOUT if self._end.startswith(CR) else ""
        return waiting
