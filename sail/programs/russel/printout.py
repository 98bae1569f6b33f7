"""The printout of an analysis, as the sense switches direct (M22-PRINT, M22-SS)."""

from __future__ import annotations

from collections.abc import Callable

from sail.programs.russel import says
from sail.programs.russel.analysis import Analysis, RusselGame
from sail.programs.russel.words import MOST_WORD
from sail.teletype import Teletype

LONGEST_PRINTED = 11  # characters of a variation (M22-LEAVES)
FIRST_X, X_PER_DOT = 0o377000, 0o003000  # of the AC at the halts


class Printout(Analysis):
    """An analysis of a game's position that is printed.

    wait: waits at a halt; raises Stopped.
    """

    def __init__(
        self, tty: Teletype, game: RusselGame, wait: Callable[[], None]
    ) -> None:
        super().__init__(game.words, game.position, tty.poll, len(game.pdl))
        self.tty = tty
        self.wait = wait
        self.printed = (0, 0)  # ef and long_ef that the replies have printed, in all
        self.label_open = False  # whether the carriage is behind a label, like M5-

    def type_line(self, text: str, end: str = "\n") -> None:
        """Type the text on a line of its own."""
        if self.label_open:
            self.tty.type()
        self.tty.type(text, end)
        self.label_open = not end

    def on_move(self, variation: str) -> None:
        if not self.words["SS6"]:
            self.type_line(says.MOVE.format(variation), end="")

    def on_reply(self, variation: str, value: int) -> None:
        if self.words["SS6"]:
            return
        printed, long_printed = self.printed
        self.printed = self.ef, self.long_ef
        rest = variation.partition("-")[2].rstrip("-,")  # behind the label
        line = says.REPLY.format(rest) if rest else ""
        line += says.E_P_V.format(self.ef - printed, self.long_ef - long_printed, value)
        self.tty.type(" " + line if self.label_open else line)
        self.label_open = False

    def on_leaf(self, variation: str, value: int, marker: str) -> None:
        at_marker = marker and self.words["SS5"]
        if at_marker or self.words["SS3"]:
            printed = says.AT_MARKER.format(marker) if at_marker else ""
            printed += says.VARIATION.format(variation[:LONGEST_PRINTED], value)
            self.type_line(printed)

    def on_halt(self) -> None:
        x = FIRST_X + X_PER_DOT * len(self.display.plies)
        self.type_line(says.HALT.format(x % MOST_WORD))
        self.wait()

    def totals(self, variation: str) -> None:
        """Type TE, TP and PV (M22-TOTALS)."""
        if not self.words["SS6"]:
            self.type_line(says.TOTALS.format(self.ef, self.long_ef))
            self.type_line(says.PRINCIPAL.format(variation.rstrip("-,")))
