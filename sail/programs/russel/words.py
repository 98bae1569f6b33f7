"""RUSSEL's constants: PDP-1 words by symbol, as read in from tape (M22-START)."""

from __future__ import annotations

MOST_WORD = 0o777777
TD = ("TD", "TD+1", "TD+2", "TD+3")
SWITCHES = ("SS1", "SS2", "SS3", "SS4", "SS5", "SS6")
READ_IN = {
    "IA": -0o377,
    "IB": 0o377,
    "ID": 5,
    "IP": 3,
    "TD": 0o50010,
    "TD+1": 0o30040,
    "TD+2": 0o20070,
    "TD+3": 0o777,
    "Y": 0o31,
    "OP": 6,
    "GM": 0o10,  # gamma
    "SOR": 0,  # 1: ORD orders the moves if there is no short look-ahead
    **dict.fromkeys(SWITCHES, 0),
    "SS4": 1,  # the only switch that is on at first
}


class Words(dict[str, int]):
    """The value of each constant, by its symbol."""

    def option(self, number: int) -> bool:
        """Return whether option `number` of OP is on, from the low bit up (M22-OP)."""
        return bool((self["OP"] >> (number - 1)) & 1)
