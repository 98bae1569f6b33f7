"""Character sets: between what a program types and the codes of a machine.

Programs type Stanford's characters, the arrows among them.  `spell` puts
each into characters that the machine has, `encode` and `decode` are exact
opposites for those.  Facts: the manuals of Teletype Corporation and the
monitor of 1974 (source key TTY).
"""

from __future__ import annotations

import codecs

LETTERS, FIGURES = 0x1F, 0x1B

# Stanford keeps these four where ASCII has control characters.
STANFORD_CONTROLS = {0o001: "↓", 0o027: "↔", 0o030: "_", 0o031: "→"}

CAPITALS = {code: chr(code) for code in range(0x20, 0x60)}
ASCII = {code: chr(code) for code in range(0x20, 0x7F)}
ARROWS = {0o136: "↑", 0o137: "←"}

STANFORD = {**ASCII, **ARROWS, **STANFORD_CONTROLS}
MODEL_33 = {**CAPITALS, **ARROWS}
MODEL_37 = ASCII

# US figures stand over the letters of the same code.  BELL is figures S.
BAUDOT_LETTERS = "\0E\nA SIU\rDRJNFCKTZLWHYPQOBG\0MXV\0"
BAUDOT_FIGURES = "\x003\n- \x0787\r$4',!:(5\")2#6019?&\0./;\0"

# What stands for a character that a machine lacks: tried in this order.
SUBSTITUTES = {
    "↑": "^'",
    "←": "<(",
    "→": ">)",
    "↓": "V",
    "↔": "-",
    "^": "↑'",
    "_": "-",
    "<": "(",
    ">": ")",
    "[": "(",
    "]": ")",
    "{": "[(",
    "}": "])",
    "\\": "/",
    "|": "!",
    "`": "'",
    "~": "-",
    "=": "-",
    "*": "X",
    "+": "&",
    "@": "A",
    "%": "/",
}


class Code:
    """The character set of one machine, of at most seven bits a character.

    A character that `has` knows is printed as it is; any other is spelled
    with some of those.
    """

    def __init__(self, table: dict[int, str]) -> None:
        self._codes = {char: code for code, char in table.items()}
        self._typed = {**STANFORD_CONTROLS, **table}

    def has(self, char: str) -> bool:
        """Whether the machine prints this character."""
        return char in self._codes

    def spell(self, char: str) -> str:
        """The character as this machine prints it, one or two characters.

        Lower case becomes upper case on a machine of capitals, a control
        character ↑ and its letter; what nothing can stand for is a ?.
        """
        if self.has(char):
            return char
        if char < " " or char == "\x7f":
            return self.spell("↑") + self.spell(chr(ord(char) ^ 0o100))
        for other in char.upper() + SUBSTITUTES.get(char, ""):
            if self.has(other):
                return other
        return "?"

    def encode(self, char: str) -> bytes:
        """The bytes that print one character, or carry out a control one."""
        return bytes([self._codes.get(char, ord(char) & 0x7F)])

    def decode(self, byte: int) -> str:
        """The characters that a byte from the keyboard completes.

        The eighth bit is cut off.  Control characters come out as they are.
        """
        byte &= 0x7F
        return self._typed.get(byte, chr(byte))

    def reset(self) -> None:
        """Nothing; forgets what was sent to and typed on another machine."""


class Glass(Code):
    """ASCII on a glass terminal, and the arrows where UTF-8 shows them.

    A byte that is no UTF-8 is cut to seven bits.
    """

    def __init__(self, arrows: bool = True) -> None:
        super().__init__(ASCII)
        self._arrows = "↑←→↓↔" if arrows else ""
        self._partial = b""

    def has(self, char: str) -> bool:
        """Whether the terminal shows this character."""
        return char in self._codes or char in self._arrows

    def encode(self, char: str) -> bytes:
        """The bytes that print one character, or carry out a control one."""
        return char.encode() if char in self._arrows else super().encode(char)

    def decode(self, byte: int) -> str:
        """The characters that a byte completes, none or several."""
        if byte < 0x80 and not self._partial:
            return super().decode(byte)
        data, self._partial = self._partial + bytes([byte]), b""
        try:
            text, used = codecs.utf_8_decode(data, "strict", False)
        except UnicodeDecodeError:
            first = super().decode(data[0])
            return first + "".join(map(self.decode, data[1:]))
        self._partial = data[used:]
        return text

    def reset(self) -> None:
        """Nothing; drops a character of which only a part has come."""
        self._partial = b""


class Baudot(Code):
    """Five-level US Baudot, LTRS and FIGS sent only on change.

    Many machines fall back to letters on a space.  So after a space in
    figures the shift is sent again, and what is typed then is a letter.
    The keyboard and the printer share one shift, so the keyboard goes on
    in the shift of the last character printed.
    """

    def __init__(self) -> None:
        super().__init__({})
        self._rows = {LETTERS: BAUDOT_LETTERS, FIGURES: BAUDOT_FIGURES}
        self.reset()

    def reset(self) -> None:
        """Nothing; the shift of the machine is not known any more."""
        self._typed_shift = LETTERS
        self._shift: int | None = None

    def has(self, char: str) -> bool:
        """Whether the machine prints this character."""
        return char >= " " and any(char in row for row in self._rows.values())

    def encode(self, char: str) -> bytes:
        """The bytes that print one character, the shift before it if needed.

        NUL is LTRS, which moves no paper and so fills.
        """
        if char == "\0":
            self._shift = self._typed_shift = LETTERS
            return bytes([LETTERS])
        if char in "\r\n":
            return bytes([BAUDOT_LETTERS.index(char)])
        if char in " \t":
            if self._shift == FIGURES:
                self._shift, self._typed_shift = None, LETTERS
            return bytes([BAUDOT_LETTERS.index(" ")])
        shift = LETTERS if char in BAUDOT_LETTERS else FIGURES
        code = self._rows[shift].index(char)
        if shift == self._shift:
            return bytes([code])
        self._shift = self._typed_shift = shift
        return bytes([shift, code])

    def decode(self, byte: int) -> str:
        """The character typed: "" for a shift, RUBOUT for a blank."""
        byte &= 0x1F
        if byte in self._rows:
            self._typed_shift, self._shift = byte, None
            return ""
        char = self._rows[self._typed_shift][byte]
        if char == " ":
            self._typed_shift = LETTERS
        return "\x7f" if char == "\0" else char
