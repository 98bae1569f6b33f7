"""Character sets: a program's text in the codes of a machine (source: TTY).

Programs type Stanford's characters, including the arrows.  `spell` turns each
into characters that the machine has.  For those, `decode` undoes `encode`.
"""

from __future__ import annotations

import codecs

from sail.typed import TYPOGRAPHIC

LTRS, FIGS = 0x1F, 0x1B
SPACE = b"\x04"  # on five levels
BREAK = 0x100  # the BREAK key, a value outside the range of bytes
CONTROL = {letter: chr(ord(letter) - 0o100) for letter in "BCOQRSUZ"}

# Stanford has these four characters where ASCII has control characters.
STANFORD_CONTROLS = {0o001: "↓", 0o027: "↔", 0o030: "_", 0o031: "→"}
ASCII = {code: chr(code) for code in range(0x20, 0x7F)}
MODEL_33 = {**{code: chr(code) for code in range(0x20, 0x60)}, 0o136: "↑", 0o137: "←"}

# Five-level sets, by code.  The US figures have BELL over S.  ITA2 has BELL over
# J and WHO ARE YOU over D, and leaves F, G and H to each country.  In ITA2_FIGURES,
# D, F, G and H decode to ENQ, which the discipline refuses.
LETTERS_ROW = "\0E\nA SIU\rDRJNFCKTZLWHYPQOBG\0MXV\0"
US_FIGURES = "\x003\n- \a87\r$4',!:(5\")2#6019?&\0./;\0"
ITA2_FIGURES = "\x003\n- '87\r\x054\a,\x05:(5+)2\x056019?\x05\0./=\0"

# Bytes that are not part of valid UTF-8, as Python decodes them, and how we read them.
SEVEN_BITS = {0xDC00 | byte: byte & 0x7F for byte in range(0x80, 0x100)}
UTF8_TYPED: dict[int, str | int] = {**STANFORD_CONTROLS, **TYPOGRAPHIC}

# Each character and its substitutes; the first that a machine has is used.
SPELLING = (
    "↑^' ←<( →>) ↓V ↔- ^↑' _- <( >) [( ]) {[( }]) \\/ |! `' ~- =- *X +& @A %/"
    " &+ #= \"' !. ;, $S"
)
SUBSTITUTES = {word[0]: word[1:] for word in SPELLING.split()}


class Code:
    """The character set of one machine; this class itself is for seven-bit sets."""

    five = False  # whether it has five levels
    mask = 0x7F  # the bits of a byte from the keyboard that count; one may be parity
    usos = True  # on five levels, whether the keyboard unshifts on space
    typed_shift = LTRS  # on five levels, the shift in which the next key is read

    def __init__(self, table: dict[int, str]) -> None:  # characters by code
        self._codes = {char: code for code, char in table.items()}
        self._meanings = {**STANFORD_CONTROLS, **table}

    def has(self, char: str) -> bool:
        return char in self._codes

    def spell(self, char: str) -> str:
        """Return what this machine prints for a character: one or two of its own.

        A character that it has stays as it is.  Lower case becomes upper case on
        a machine without it.  A control character becomes ↑ and its letter, and a
        character without a substitute becomes a ?.
        """
        if self.has(char):
            return char
        if char < " " or char == "\x7f":
            return self.spell("↑") + self.spell(chr(ord(char) ^ 0o100))
        for other in char.upper() + SUBSTITUTES.get(char, ""):
            if self.has(other):
                return other
        return "?"

    def encode(self, text: str) -> bytes:
        """Return the bytes that print its characters or perform control characters."""
        return bytes(self._codes.get(char, ord(char)) for char in text)

    def decode(self, byte: int) -> str:
        """Return the characters that a byte from the keyboard completes."""
        byte &= self.mask
        return self._meanings.get(byte, chr(byte))

    def in_figures(self, typed: str) -> str:
        """See Teletype."""
        return ""

    def shift_to(self, shift: int) -> bytes:
        """Return the bytes that put a five-level machine in this shift, if any."""
        return b""

    def new_machine(self) -> None:
        """Forget the machine's state: another machine may now be on the line."""


class Utf8(Code):
    """ASCII and the arrows, for a terminal program that shows UTF-8."""

    mask = 0xFF

    def __init__(self) -> None:
        super().__init__({**ASCII, **{ord(char): char for char in "↑←→↓↔"}})
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")

    def encode(self, text: str) -> bytes:
        return text.encode()

    def decode(self, byte: int) -> str:
        text = self._decoder.decode(bytes([byte])).translate(SEVEN_BITS)
        return text.translate(UTF8_TYPED)

    def new_machine(self) -> None:
        self._decoder.reset()  # drop an unfinished character


class Baudot(Code):
    """A five-level set; LTRS or FIGS is sent when the shift changes.

    Some machines unshift on space: they fall back to letters.  To leave every
    machine in a known shift, LTRS is sent after each space in figures.  It is also
    sent after a full stop, because letters are typed after the monitor's dot.  The
    keyboard and the printer share one shift, so typing continues in the shift of the
    last character printed (but see Discipline.render).
    """

    five = True
    mask = 0x1F

    def __init__(self, figures: str = US_FIGURES) -> None:
        super().__init__({})
        self._tables = {LTRS: LETTERS_ROW, FIGS: figures}
        self._shift: int | None = None  # the machine's, if known

    def new_machine(self) -> None:
        self.typed_shift, self._shift = LTRS, None

    def in_figures(self, typed: str) -> str:
        keys = dict(zip(LETTERS_ROW, self._tables[FIGS]))
        typed = typed.replace(" ", "").replace(",", "")
        figures = "".join(keys.get(char, char) for char in typed)
        return figures if figures.isdecimal() and figures != typed else ""

    def has(self, char: str) -> bool:
        return char >= " " and any(char in table for table in self._tables.values())

    def encode(self, text: str) -> bytes:
        """Return the bytes that print the text, with any shifts it needs."""
        return b"".join(map(self._encode, text))

    def _encode(self, char: str) -> bytes:
        if char == "\0":  # the filler: LTRS, which prints nothing
            self._shift = None
            return self.shift_to(LTRS)
        if char in "\r\n":
            return bytes([LETTERS_ROW.index(char)])
        if char == " ":
            return SPACE + self.shift_to(LTRS)
        shift = LTRS if char in LETTERS_ROW else FIGS
        data = self.shift_to(shift) + bytes([self._tables[shift].index(char)])
        return data + self.shift_to(LTRS) if char == "." else data

    def shift_to(self, shift: int) -> bytes:
        if shift == self._shift:
            return b""
        self._shift = self.typed_shift = shift
        return bytes([shift])

    def decode(self, byte: int) -> str:
        """Return the character typed: "" for a shift; BLANK is RUBOUT, BELL is ^C."""
        byte &= self.mask
        if byte in self._tables:
            self.typed_shift, self._shift = byte, None
            return ""
        char = self._tables[self.typed_shift][byte]
        if char == " " and self.typed_shift == FIGS:
            self._shift = None
            if self.usos:
                self.typed_shift = LTRS
        return {"\0": "\x7f", "\a": "\3"}.get(char, char)  # it has no control key
