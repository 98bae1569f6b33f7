"""The tape in the area: reading, merging, writing, putting aside (BELL-TAPE)."""

from __future__ import annotations

from collections.abc import Iterator

from sail.area import Area, AreaError
from sail.programs.atlas import says, tape
from sail.programs.atlas.memory import Memory

TAPE = "ATLAS.TAP"
OLD = "ATLAS.{:03}"
MOST_OLD = 999


class Store:
    """The tape of one user.

    keeps: the tape is written; not while it is damaged.
    """

    def __init__(self, area: Area) -> None:
        self.area = area
        self.keeps = True
        self._text: str | None = None  # as last read or written

    def load(self) -> Memory:
        """Return the memory on the tape.  Raises AreaError, Damaged; keeps is then off."""
        try:
            text = self.area.read(TAPE) if self.area.has(TAPE) else None
            memory = self._read(text)
        except (AreaError, tape.Damaged):
            self.keeps = False
            raise
        self._text = text
        return memory

    def save(self, memory: Memory) -> Memory:
        """Write the memory on the tape; return the memory as it is there now.

        If another session has written the tape meanwhile, the news are added
        to what it wrote.  Raises AreaError, Damaged; the memory then still has
        its news.
        """
        if not self.keeps or not memory.news:
            return memory
        merged = memory

        def write(text: str | None) -> str:
            nonlocal merged
            if text is not None and text != self._text:
                merged = self._read(text)
                for fact in memory.news:
                    merged.learn(fact)
            return tape.write(merged)

        try:
            self.area.change(TAPE, write)
        except tape.Damaged:
            self.keeps = False
            raise
        self._text = tape.write(merged)
        merged.news.clear()
        return merged

    def new(self) -> str:
        """Put a blank tape in place of the old one; return the old one's new name.

        Raises AreaError, also when there was no tape.
        """
        blank = tape.write(Memory())
        name = self.area.put_aside(TAPE, _old_names(), blank)
        self._text = blank
        self.keeps = True
        return name

    def _read(self, text: str | None) -> Memory:
        return Memory() if text is None else tape.read(text, TAPE)


def _old_names() -> Iterator[str]:
    """Yield the names for old tapes, in order.  Raises AreaError after the last."""
    for number in range(1, MOST_OLD + 1):
        yield OLD.format(number)
    raise AreaError(says.NO_ROOM)
