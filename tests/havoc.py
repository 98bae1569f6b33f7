"""Faults for the area and for games in it, and what they must not do.

Each function tries so many and returns (faults tried, losses found); what
was lost is printed.
"""

from __future__ import annotations

import errno
import gc
import itertools
import os
import random
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sail import area as rooms
from sail import special
from sail.area import Area, AreaError
from sail.board import Position, start
from sail.engine import endgame
from sail.engine.moves import MoveTable
from sail.engine.search import Finding
from sail.line.ports import Port
from sail.line.station import Station
from sail.programs import record
from sail.programs.atlas import tape
from sail.programs.atlas.memory import Played
from sail.programs.atlas.store import Store
from sail.programs.game import Game
from sail.programs.kalah import dialogue as kalah
from sail.programs.kalah import says
from sail.programs.kalah.files import TMP, Autosave, count_win, save_game, save_position
from sail.programs.kalah.picture import picture
from sail.programs.questions import fetch
from sail.programs.record import OUT
from sail.programs.solve import databases
from sail.stop import never
from sail.teletype import EndOfInput

NOW = "1972-10-06 14:03"
Counts = tuple[int, int]
Words = tuple[Any, ...]  # the arguments of a call


class Player:
    """A teletype at which someone plays at random, and makes mistakes.

    games: after so many he leaves.
    """

    width = 72
    live = True

    def __init__(self, rnd: random.Random, games: float = 1e9) -> None:
        self.rnd = rnd
        self.games = games
        self.text = ""  # what was typed since the last question

    def type(self, text: str = "", end: str = "\n") -> None:
        self.text += text + end

    def poll(self) -> bool:
        return False

    def pause(self) -> None:
        raise AssertionError("nothing stopped the work")

    def ask(self, prompt: str = "") -> str:
        self.text = ""
        if prompt == says.START_WITH:
            self.games -= 1
            return self.rnd.choice("123456") if self.games >= 0 else "Q"
        if prompt == says.WHAT_LEVEL:
            return "C"
        if prompt in (says.GO_ON, says.PLEASE_TYPE_CR):
            return "" if prompt == says.PLEASE_TYPE_CR else "Y"
        if prompt == says.ANOTHER_GAME:
            return self.rnd.choice(("Y", "SAVE"))
        if prompt == says.YOUR_MOVE_PLEASE:
            if self.rnd.random() < 0.1:
                return self.rnd.choice(("BACK", "REDO", "SHOW", "?", "7", "36"))
            return self.rnd.choice("123456")
        return self.rnd.choice("YN")


# Killed at any moment.


class Asked(Player):
    """Tells on a pipe what it is about to type, before it does, and what it asks.

    game: the one that was written last.
    """

    game: Game | None = None

    def __init__(self, rnd: random.Random, pipe: int) -> None:
        super().__init__(rnd)
        self.pipe = pipe

    def type(self, text: str = "", end: str = "\n") -> None:
        if self.game and (
            text == "\n" + picture(self.game.position) or text.startswith("SCORE: ")
        ):
            self.tell(record.write(self.game))
        super().type(text, end)

    def ask(self, prompt: str = "") -> str:
        if says.GAME_SAVED in self.text:
            self.tell(says.GAME_SAVED)
        self.tell(prompt)
        return super().ask(prompt)

    def tell(self, text: str) -> None:
        os.write(self.pipe, text.encode() + b"\0")


class Hasty:
    """A search that does not, so that a kill finds the game being written."""

    def find(self, position: Position, *_: object) -> Finding:
        pit = position.legal[0]
        return Finding(pit, 0, -99, 99, 1, 1, (pit,))


def session(area: Area, rnd: random.Random, pipe: int) -> None:
    """A process of its own plays until it is killed."""
    player = Asked(rnd, pipe)
    dialogue = kalah.Dialogue(player, area, lambda: NOW, time.monotonic)
    write = dialogue.autosave.write

    def note_and_write(game: Game) -> None:
        player.game = game
        write(game)

    dialogue.autosave.write = note_and_write  # type: ignore[method-assign]
    if rnd.random() < 0.5:
        dialogue.opponent.search = Hasty()  # type: ignore[assignment]
    dialogue.run()


def in_a_child(deed: Callable[..., object], *arguments: object) -> int:
    """The process that does the deed and ends; 1 if it raises."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        deed(*arguments)
        status = 0
    except Exception:  # noqa: BLE001 - the parent is told by the status
        traceback.print_exc()
    finally:
        os._exit(status)


def follows(later: Game | None, game: Game | None) -> bool:
    """Whether it may be on the disk when that was last on the paper."""
    if later == game:
        return True
    if game is None or later is None:
        return later is None or not later.moves
    if game.over and not later.moves:
        return True  # the next game
    if game.position.mover == game.human and later in (game.redo(), game.back()):
        return True
    longer = later._replace(moves=later.moves[: len(game.moves)], ending=None)
    return longer == game and len(later.moves) <= len(game.moves) + 2


def kills(folder: Path, count: int, seed: int = 1) -> Counts:
    """Sessions killed at random moments, one game going through them."""
    rnd = random.Random(seed)
    area = Area(str(folder))
    losses = saved = boards = 0
    kept: Game | None = None
    for number in range(count):
        reader, writer = os.pipe()
        child = in_a_child(session, area, random.Random(rnd.random()), writer)
        os.close(writer)
        told = b""
        if rnd.random() < 0.95:
            told = os.read(reader, 1)  # it has begun
        time.sleep(rnd.random() ** 2 * 0.03)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        while piece := os.read(reader, 1 << 16):
            told += piece
        os.close(reader)
        lines = told.decode().split("\0")[:-1]
        try:
            assert os.WIFSIGNALED(status), "it had ended by itself"
            before, kept = kept, last_game(area, saved + lines.count(says.GAME_SAVED))
            shown = [line for line in lines if line.startswith("GAME OF")]
            boards += len(shown)
            on_paper = record.read(shown[-1], "PAPER")[-1] if shown else before
            if on_paper and on_paper.over and says.GAME_SAVED in lines:
                on_paper = on_paper if kept else None
            assert follows(kept, on_paper), (on_paper, kept)
            going_on = before is not None and not before.over
            if lines:
                assert (lines[0] == says.GO_ON) == going_on, (lines[0], before)
        except (AssertionError, AreaError) as lost:
            print(f"kill {number}: {lost}")
            losses += 1
        saved += lines.count(says.GAME_SAVED)
        if saved > 20:
            os.remove(os.path.join(area.folder, OUT))
            saved = 0
    if boards < count // 4:
        print(f"kills: only {boards} boards")
        losses += 1
    return count, losses


def last_game(area: Area, saved: int) -> Game | None:
    """The game that is kept, when all files are whole and these are saved."""
    for name in os.listdir(area.folder):
        assert name in (OUT, TMP) or name.startswith("."), name
    autosave = Autosave(area, on=True)
    games = record.read(area.read(OUT), OUT) if area.has(OUT) else []
    assert len(games) >= saved, f"{saved} games saved, {len(games)} there"
    try:
        return autosave.load()
    finally:
        autosave.close()


# What the system refuses, and where it kills.

CALLS = (
    "open",
    "fstat",
    "read",
    "write",
    "fsync",
    "close",
    "fchmod",
    "replace",
    "remove",
    "lstat",
)


class System:
    """In the place of os in the area: at one call, or from there on, a fault."""

    def __init__(self, fault: Callable[[str, Words], bool] | None = None) -> None:
        self.calls: list[str] = []
        self._fault = fault

    def __getattr__(self, name: str) -> object:
        real = getattr(os, name)
        if name not in CALLS:
            return real

        def call(*arguments: object, **more: object) -> object:
            self.calls.append(name)
            if self._fault and self._fault(name, arguments):
                if name == "close":
                    real(*arguments)
                raise OSError(self.error, os.strerror(self.error))
            return real(*arguments, **more)

        return call

    error = errno.ENOSPC


@contextmanager
def faulty(
    fault: Callable[[str, Words], bool] | None = None, error: int = errno.ENOSPC
) -> Iterator[System]:
    """The area has that system meanwhile."""
    system = System(fault)
    system.error = error
    rooms.os = system  # type: ignore
    try:
        yield system
    finally:
        rooms.os = os  # type: ignore


def a_game(*moves: int) -> Game:
    """That game with three stones."""
    return Game(start(3), "C", 0, NOW, moves)


def deeds(area: Area) -> list[Callable[[], object]]:
    """What the programs write; the files are there."""
    save_game(area, a_game(), False)
    area.write(TMP, record.write(a_game(3)))
    count_win(area, a_game(), True)
    learn(area)
    prepare(area, 3)
    return [
        lambda: save_game(area, a_game(3, 6), False),
        lambda: area.write(TMP, record.write(a_game(3, 6))),
        lambda: count_win(area, a_game(3), True),
        lambda: learn(area),
        lambda: Store(area).new(),
        lambda: prepare(area, 4),
    ]


DEEDS = range(6)


def learn(area: Area) -> None:
    """Add a game to ATLAS's tape."""
    store = Store(area)
    memory = store.load()
    memory.learn(Played("WON", ((9, 9),), False))
    store.save(memory)


def prepare(area: Area, stones: int) -> None:
    """Build SOLVE's endgames of two pits.  Raises AreaError."""
    told: list[str] = []
    databases.get(area, MoveTable(2, 5, True), stones, told.append, never)
    for line in told[1:]:
        raise AreaError(line)


def memory() -> str | None:
    """A folder that is in memory, for what is tried often; None if there is none."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def open_files() -> int:
    """How many descriptors this process has."""
    folder = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"
    return len(os.listdir(folder))


def contents(area: Area) -> dict[str, bytes]:
    return {name: area.read_bytes(name) for name in area.names()}


def is_whole(
    before: dict[str, bytes], now: dict[str, bytes], after: dict[str, bytes]
) -> bool:
    """Whether each file is the old one or the new one.

    And whether all that stands in some file before and after does so now.
    """
    stays = {*before.values()} & {*after.values()}
    return stays <= {*now.values()} and all(
        now.get(name) in (before.get(name), after.get(name))
        for name in {*before, *now, *after}
    )


def places(folder: Path, which: int) -> Iterator[tuple[Any, ...]]:
    """Fresh areas for one deed: area, contents before and after, the deed."""
    area = Area(str(folder / "undisturbed"))
    deed = deeds(area)[which]
    before = contents(area)
    deed()
    after = contents(area)
    for number in itertools.count():
        area = Area(str(folder / str(number)))
        yield number, area, deeds(area)[which], before, after


def refusals(folder: Path, errors: Sequence[int]) -> Counts:
    """Every system call of the writing is refused: once, or from there on."""
    tried = losses = 0
    for error, ever, which in itertools.product(errors, (False, True), DEEDS):
        here = folder / f"{error}-{ever}-{which}"
        for at, area, deed, before, after in places(here, which):
            reached, wrong = refused(area, deed, before, after, (at, ever, error))
            tried += reached
            losses += wrong
            if not reached:
                break
    return tried, losses


def refused(
    area: Area,
    deed: Callable[[], object],
    before: dict[str, bytes],
    after: dict[str, bytes],
    fault: tuple[int, bool, int],
) -> tuple[bool, bool]:
    """Whether there was such a call, and whether anything went wrong."""
    at, ever, error = fault
    handles = open_files()
    failed = ""

    def is_refused(*_: object) -> bool:
        return len(system.calls) > at if ever else len(system.calls) == at + 1

    with faulty(is_refused, error) as system:
        try:
            deed()
        except AreaError as told:
            failed = str(told)
    reached = len(system.calls) > at
    now = contents(area)
    wrong = (
        not is_whole(before, now, after)
        or (not failed and now == before)
        or (failed and not reached)
        or "\n" in failed
        or len(failed) > 72
        or open_files() != handles
    )
    if now == before:
        deed()
        wrong = wrong or contents(area) != after
        wrong = wrong or any(map(is_hidden, os.listdir(area.folder)))
    if wrong:
        print("refused:", system.calls, fault, failed, os.listdir(area.folder))
    return reached, bool(wrong)


def is_hidden(name: str) -> bool:
    return name.startswith(".")


def deaths(folder: Path) -> Counts:
    """Killed before, in the midst of and after each system call of the writing."""
    tried = losses = 0
    for which, where in itertools.product(DEEDS, ("before", "half", "after")):
        for at, area, deed, before, after in places(folder / f"{which}-{where}", which):
            killed, wrong = dead(area, deed, before, after, (at, where))
            tried += killed
            losses += wrong
            if not killed:
                break
    return tried, losses


def dead(
    area: Area,
    deed: Callable[[], object],
    before: dict[str, bytes],
    after: dict[str, bytes],
    fault: tuple[int, str],
) -> tuple[bool, bool]:
    """Whether there was such a call, and whether anything went wrong."""
    at, where = fault

    def die(call: str, arguments: Words) -> bool:
        if len(calls[0]) == at + 1:
            if where == "half" and call == "write":
                os.write(arguments[0], arguments[1][: len(arguments[1]) // 2])
            elif where != "before":
                getattr(os, call)(*arguments)
            os.kill(os.getpid(), signal.SIGKILL)
        return False

    def play() -> None:
        with faulty(die) as calling:
            calls.append(calling.calls)
            deed()

    calls: list[list[str]] = []
    _, status = os.waitpid(in_a_child(play), 0)
    now = contents(area)
    wrong = not is_whole(before, now, after) or (status == 0 and now == before)
    if now == before:
        deed()
        wrong = wrong or contents(area) != after
        wrong = wrong or any(map(is_hidden, os.listdir(area.folder)))
    if wrong:
        print("death:", fault, status, os.listdir(area.folder))
    return os.WIFSIGNALED(status), wrong


# No memory.

DONE, NO_MEMORY, REFUSED = 0, 3, 4  # how a process without memory ended


def allocations(folder: Path, most: int) -> Counts:
    """Each allocation of the writing fails: once, or from there on.

    At most so many places are tried for one deed, spread evenly.  Where
    Python itself breaks down it counts as a kill.
    """
    tried = losses = 0
    for which, ever in itertools.product(DEEDS, (False, True)):
        cases = places(folder / f"{which}-{ever}", which)
        _, area, deed, before, after = next(cases)
        last = next(
            2**power
            for power in itertools.count(4)
            if starved(deed, 2**power, True, 1) == DONE
        )
        for number in range(min(last, most)):
            _, area, deed, before, after = next(cases)
            at = number * last // min(last, most)
            status = starved(deed, at, ever)
            now = contents(area)
            wrong = not is_whole(before, now, after) or (
                status not in (DONE, NO_MEMORY, REFUSED) and status > 0
            )
            if now == before:
                deed()
                wrong = wrong or contents(area) != after
                wrong = wrong or any(map(is_hidden, os.listdir(area.folder)))
            if wrong:
                print("no memory:", which, at, ever, status, os.listdir(area.folder))
            tried += 1
            losses += wrong
    return tried, losses


def starved(
    deed: Callable[[], object], at: int, ever: bool, seconds: float = 0.2
) -> int:
    """How a process ends that gets no memory after so many allocations.

    Negative if by a signal.  Python without any memory may crash, or never
    come to an end; then an alarm kills it after so many seconds.
    """
    import _testcapi  # type: ignore[import-not-found]

    def without_memory() -> None:
        status = 1
        signal.setitimer(signal.ITIMER_REAL, seconds)
        _testcapi.set_nomemory(at, 0 if ever else at + 1)
        try:
            deed()
            status = DONE
        except MemoryError:
            status = NO_MEMORY
        except AreaError:
            status = REFUSED
        finally:
            os._exit(status)

    return os.waitstatus_to_exitcode(os.waitpid(in_a_child(without_memory), 0)[1])


# Others at the same time.


def together(count: int, deed: Callable[[int], object]) -> int:
    """How many of so many processes fail that do the deed at the same moment."""
    reader, writer = os.pipe()

    def wait_and_do(number: int) -> None:
        os.close(writer)
        os.read(reader, 1)  # returns when the other end is closed
        deed(number)

    children = [in_a_child(wait_and_do, number) for number in range(count)]
    os.close(reader)
    os.close(writer)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


def starts(folder: Path, rounds: int, sessions: int) -> Counts:
    """Sessions that start at the same moment, with no game in progress."""
    losses = 0
    for _ in range(rounds):
        losses += together(sessions, lambda _: start_session(folder))
    return rounds * sessions, losses


def start_session(folder: Path) -> None:
    """Raise AreaError when another session is said to be there."""
    assert Autosave(Area(str(folder)), on=True).load() is None


def learners(folder: Path, sessions: int, games: int) -> Counts:
    """Sessions of ATLAS that learn at the same time, and now and then type NEW.

    All games must be on the tapes in the end.
    """

    def session(number: int) -> None:
        area = Area(str(folder))
        for game in range(games):
            learn(area)
            if game % 10 == number:
                Store(area).new()

    failed = together(sessions, session)
    area = Area(str(folder))
    tapes = [tape.read(area.read(name), name) for name in area.names()]
    games_there = sum(memory.games["WON"] for memory in tapes)
    lost = sessions * games - games_there
    if failed or lost:
        print(f"learners: {failed} failed, {lost} games lost on {len(tapes)} tapes")
    return sessions * games, failed + abs(lost)


def builders(folder: Path, sessions: int) -> Counts:
    """Sessions of SOLVE that build endgames at the same time; one file is left."""
    failed = together(sessions, lambda number: prepare(Area(str(folder)), 3 + number))
    area = Area(str(folder))
    rows = MoveTable(2, 5, True)
    stones = endgame.from_bytes(area.read_bytes("END2E.DB"), rows).index.stones
    return sessions, failed + (os.listdir(folder) != ["END2E.DB"]) + (stones < 3)


def users(folder: Path, count: int) -> Counts:
    """A session is killed; then one of another user starts.  Needs root.

    He is not told that the other one is still there, nor kept from writing
    what is new.
    """
    rnd = random.Random(3)
    os.chmod(folder, 0o777)
    area = Area(str(folder))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    losses = 0

    def start_and_save() -> None:
        Autosave(area, on=True).load()
        save_position(area, f"X{number}", special.Special(start(3)))

    for number in range(count):
        first, second = (65533, 65534) if number % 2 else (65534, 65533)
        play = in_a_child(as_user, first, session, area, rnd, nowhere)
        time.sleep(rnd.random() * 0.03)
        os.kill(play, signal.SIGKILL)
        losses += os.WIFEXITED(os.waitpid(play, 0)[1])
        after = in_a_child(as_user, second, start_and_save)
        losses += os.waitpid(after, 0)[1] != 0
    os.close(nowhere)
    return count, losses


def as_user(number: int, deed: Callable[..., object], *arguments: object) -> None:
    """Do the deed in this process as a user without rights."""
    os.setgroups([])
    os.setgid(number)
    os.setuid(number)
    deed(*arguments)


def crowd(folder: Path, sessions: int, games: int) -> Counts:
    """Sessions of KALAH in one area, all playing and saving at random.

    What was told to be saved is there, once.
    """
    reader, writer = os.pipe()

    def session(number: int) -> None:
        rnd = random.Random(number)
        player = Saver(rnd, games)
        area = Area(str(folder))
        when = f"19{number:02}-10-06 14:03"
        dialogue = kalah.Dialogue(player, area, lambda: when, time.monotonic)
        dialogue.opponent.search = Hasty()  # type: ignore[assignment]
        with suppress(EndOfInput):
            dialogue.run()
        os.write(writer, bytes([player.saved]))

    failed = together(sessions, session)
    saved = sum(os.read(reader, sessions))
    os.close(reader)
    os.close(writer)
    there = len(record.read(Area(str(folder)).read(OUT), OUT))
    if failed or there != saved:
        print(f"crowd: {failed} failed, {saved} games saved, {there} there")
    return saved, failed + abs(there - saved)


class Saver(Player):
    """A player who saves every game, and counts those said to be saved."""

    saved = 0

    def ask(self, prompt: str = "") -> str:
        self.saved += self.text.count(says.GAME_SAVED)
        told, self.text = self.text, ""
        if prompt == says.START_WITH and self.games < 1:
            raise EndOfInput
        if prompt == says.ANOTHER_GAME:
            return "Y" if says.GAME_SAVED in told else "SAVE"
        if prompt == says.YOUR_MOVE_PLEASE and self.rnd.random() < 0.1:
            return "QUIT"
        return super().ask(prompt)


def writers(folder: Path, processes: int, games: int) -> Counts:
    """So many processes save so many games each, while this one reads them."""
    area = Area(str(folder))

    def save(number: int) -> None:
        for count in range(games):
            when = f"19{number:02}-10-06 {count // 60:02}:{count % 60:02}"
            save_game(area, Game(start(1), "C", 0, when, (6,)), False)

    children = [in_a_child(save, number) for number in range(processes)]
    seen = losses = 0
    while children:
        if area.has(OUT):
            now = len(record.read(area.read(OUT), OUT))
            losses += now < seen
            seen = now
        done, status = os.waitpid(-1, os.WNOHANG)
        if done:
            children.remove(done)
            losses += status != 0
    saved = record.read(area.read(OUT), OUT)
    missing = processes * games - len({game.when for game in saved})
    return processes * games, losses + missing + len(saved) - processes * games


# Damaged files.


def damages(
    whole: bytes, is_lost: Callable[[bytes], bool], values: Sequence[int]
) -> Counts:
    """Every cut of a file, and each of these values at every place.

    is_lost tells whether a damaged file is taken for what it is not.
    """
    tried = losses = 0
    for at in range(len(whole)):
        changes = [whole[:at]] + [
            whole[:at] + bytes([value]) + whole[at + 1 :]
            for value in values
            if value != whole[at]
        ]
        for changed in changes:
            tried += 1
            if is_lost(changed):
                print(f"damage at {at}: {changed[at : at + 1]!r}")
                losses += 1
    return tried, losses


def is_wrong_game(area: Area) -> Callable[[bytes], bool]:
    """Whether contents of KALAH.TMP are taken for a game, or overwritten."""

    def is_lost(changed: bytes) -> bool:
        with open(os.path.join(area.folder, TMP), "wb") as file:
            file.write(changed)
        autosave = Autosave(area, on=True)
        try:
            wrong = autosave.load() is not None or bool(changed)
        except AreaError as error:
            wrong = "\n" in str(error) or len(str(error)) > 72
            autosave.write(a_game(1))
            wrong = wrong or area.read_bytes(TMP) != changed
        autosave.close()
        return wrong

    return is_lost


def is_wrong_position(area: Area) -> Callable[[bytes], bool]:
    """Whether a position file is taken for another than stands there."""

    def is_lost(changed: bytes) -> bool:
        area.write_bytes("X.POS", changed)
        try:
            found = fetch(area, "X").position
        except (AreaError, special.BadPosition) as error:
            return "\n" in str(error) or len(str(error)) > 72
        text = changed.decode().upper().replace(",", " ").split("\n")
        *rows, mover = (
            line.split() for line in text if line.strip() and line[0] != ";"
        )
        there = [list(map(int, row[1:])) for row in rows]
        seen = [[kalah, *row] for kalah, row in zip(found.kalahs, found.rows)]
        return there != seen or mover != ["AB"[found.mover], "TO", "MOVE"]

    return is_lost


# Whole games.


class Seat(Port):
    """A line to a person who answers each question as soon as it is typed."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.line = b""  # what stands in the last line of the paper
        self.asked = 0

    def read(self, timeout: float) -> bytes:
        prompt = self.line.decode()
        if prompt not in PROMPTS:
            return b""
        self.line = b""
        self.asked += 1
        return self.player.ask(prompt).encode() + b"\r"

    def write(self, data: bytes) -> int:
        self.line = (self.line + data).rpartition(b"\n")[2]
        return len(data)


PROMPTS = (
    says.GO_ON,
    says.START_WITH,
    says.WHAT_LEVEL,
    says.DO_YOU_WISH_TO_START,
    says.YOUR_MOVE_PLEASE,
    says.PLEASE_TYPE_CR,
    says.ANOTHER_GAME,
)


def whole_games(
    folder: Path, games: int, settle: int, tell: Callable[[str], object]
) -> tuple[int, int]:
    """The growth of memory in bytes and of the number of open files.

    From the end of the first `settle` games to the end of all.
    """
    area = Area(str(folder))
    rnd = random.Random(10_000)
    memory = handles = done = asked = 0
    while done < games:
        some = min(settle, games - done)
        seat = Seat(Player(rnd, some))
        kalah.run(Station(seat), area, lambda: NOW)
        asked += seat.asked
        done += some
        area.remove(OUT)
        gc.collect()
        if done == some:
            memory, handles = resident(), open_files()
        growth = resident() - memory, open_files() - handles
        tell(f"{done:>6} games, {asked:>7} answers, {growth[0]:>9} bytes more")
    return growth


def resident() -> int:
    """Bytes of memory that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
