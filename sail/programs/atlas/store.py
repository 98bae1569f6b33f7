"""The tape in the area: read, written, kept (BELL-TAPE)."""

from __future__ import annotations

from sail.area import Area, AreaError
from sail.programs.atlas import says, tape
from sail.programs.atlas.memory import Memory

TAPE = "ATLAS.TAP"
OLD = "ATLAS.{:03}"
MOST_OLD = 999


class Store:
    """The tape of one user.

    keeps: whether the tape is written; not while it is damaged.
    """

    def __init__(self, area: Area) -> None:
        self.area = area
        self.keeps = True
        self._text = tape.write(Memory())  # as last read or written

    def load(self) -> Memory:
        """What is on the tape.  Raises AreaError, Damaged; then it is set aside."""
        try:
            self._text, memory = self._read()
        except (AreaError, tape.Damaged):
            self.keeps = False
            raise
        return memory

    def save(self, memory: Memory) -> Memory:
        """The memory as it is on the tape now.

        What another session has written meanwhile is read, and only the news
        are added to it.  Raises AreaError, Damaged.
        """
        if not self.keeps:
            return memory
        if self.area.has(TAPE) and self.area.read(TAPE) != self._text:
            theirs = self.load()
            for fact in memory.news:
                theirs.learn(fact)
            memory = theirs
        text = tape.write(memory)
        if text != self._text:
            self.area.write(TAPE, text)
        self._text = text
        memory.news.clear()
        return memory

    def new(self) -> str:
        """The name of the file that the old tape is on; a blank one is there.

        Raises AreaError.
        """
        old = self.area.read_bytes(TAPE)
        names = (OLD.format(number) for number in range(1, MOST_OLD + 1))
        name = next((name for name in names if not self.area.has(name)), "")
        if not name:
            raise AreaError(says.NO_ROOM)
        self.area.write_bytes(name, old)
        self._text = tape.write(Memory())
        self.area.write(TAPE, self._text)
        self.keeps = True
        return name

    def _read(self) -> tuple[str, Memory]:
        if not self.area.has(TAPE):
            return tape.write(Memory()), Memory()
        text = self.area.read(TAPE)
        return text, tape.read(text, TAPE)
