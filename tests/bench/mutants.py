"""Changes the code in one place and counts the tests that do not notice.

    python3 -m tests.bench.mutants --seed N --count M [sail/area.py ...]

A mutant is a copy of the house with one change: a comparison, a constant, a
negation, an operator, a statement left out, a word of a printed line.  The
tests that run the changed line are run on it, the quickest first, then the
others that run or import anything of its file.  It is killed when one of them
fails, or does not end; it survives when all pass.

Which tests run a line is found first, by running each of them once under a
tracer; one that fails there is not used.  That takes some ten minutes and is
kept in .pytest_cache for those tests whose file, and whose part of the house,
stay the same.  ^C and SIGTERM end the trial; the table tells what was tried.

Needs pytest and a POSIX system.  The module is also the plugin of pytest by
which it traces and chooses tests.
"""

from __future__ import annotations

import argparse
import ast
import atexit
import dis
import faulthandler
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".pytest_cache" / "mutants.json"
TRACE = "MUTANTS_TRACE"  # the folder for what is traced
CHOICE = "MUTANTS_CHOICE"  # the file with the tests to run, and their limits
MEMORY = 4 << 30  # bytes that a mutant may take
SITE = "import tests.bench.mutants as mutants\nmutants.trace_process()\n"

Lines = dict[str, list[int]]  # the numbers of the lines of each file
Seconds = float


class Test(NamedTuple):
    """What a test runs, and how long that took under the tracer."""

    lines: Lines
    seconds: Seconds


Tests = dict[str, Test]


class Mutant(NamedTuple):
    """One change: this piece of the file's text becomes another."""

    file: str
    line: int
    begin: int
    end: int
    text: str


# The tracer.


class Tracer:
    """Notes which lines of the files in a folder are run."""

    def __init__(self, folder: Path) -> None:
        self.folder = f"{folder}{os.sep}"
        self.foreign: dict[int, CodeType] = {}
        self.known: dict[int, tuple[CodeType, set[int]]] = {}  # lines not run yet

    def start(self) -> None:
        """Begin, with nothing noted."""
        self.known.clear()
        threading.settrace(self.call)
        sys.settrace(self.call)

    def stop(self) -> Lines:
        """The lines that were run since the start."""
        sys.settrace(None)
        threading.settrace(None)
        found: dict[str, set[int]] = {}
        for code, left in self.known.values():
            file = code.co_filename[len(self.folder) :]
            found.setdefault(file, set()).update(lines_of(code) - left)
        return {file: sorted(lines) for file, lines in found.items()}

    def call(self, frame: FrameType, event: str, _: object) -> Any:
        """The tracer of a frame that begins; None where there is nothing new."""
        code = frame.f_code
        if id(code) in self.foreign:
            return None
        if id(code) not in self.known:
            file = code.co_filename
            if not file.startswith(self.folder) or file.startswith(
                self.folder + "tests"
            ):
                self.foreign[id(code)] = code
                return None
            self.known[id(code)] = code, lines_of(code)
        left = self.known[id(code)][1]
        left.discard(frame.f_lineno)
        if not left:
            return None

        def line(frame: FrameType, event: str, _: object) -> Any:
            left.discard(frame.f_lineno)
            if not left:
                frame.f_trace_lines = False
            return line

        return line


def lines_of(code: CodeType) -> set[int]:
    """The numbers of the lines of a code, its first one included."""
    lines = {line for _, line in dis.findlinestarts(code) if line}
    return lines | {code.co_firstlineno}


def trace_process() -> None:
    """Trace a process that a test has started, until it ends."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if test and TRACE in os.environ:
        trace_to_the_end(Tracer(ROOT), test)


def trace_to_the_end(tracer: Tracer, test: str) -> None:
    """Trace this process, and write down what it ran when it exits."""
    tracer.start()

    def note() -> None:
        write_trace(test, tracer.stop(), 0)

    atexit.register(note)


def write_trace(test: str, lines: Lines, seconds: Seconds) -> None:
    """Add a file to the folder of traces."""
    name = f"{os.getpid()}-{time.monotonic_ns()}"
    Path(os.environ[TRACE], name).write_text(json.dumps((test, lines, seconds)))


# The plugin.

choice: dict[str, Seconds] = {}
failed: set[str] = set()
shared: dict[str, Lines] = {}  # what a fixture runs for several tests
tracer = Tracer(ROOT)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the tests that fail."""
    if report.failed:
        failed.add(report.nodeid)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that are asked for, in that order."""
    if CHOICE in os.environ:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        choice.update(json.loads(Path(os.environ[CHOICE]).read_text()))
        order = {test: number for number, test in enumerate(choice)}
        items[:] = sorted(
            (item for item in items if item.nodeid in order),
            key=lambda item: order[item.nodeid],
        )


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
    """Note apart what is run once for several tests; that comes before all else."""
    if TRACE not in os.environ or fixturedef.scope == "function":
        return (yield)
    tracer.start()
    try:
        return (yield)
    finally:
        shared[fixturedef.argname] = tracer.stop()
        tracer.start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Trace a test, or end the process when the test does not end."""
    if item.nodeid in choice:
        faulthandler.dump_traceback_later(choice[item.nodeid], exit=True)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()
    if TRACE not in os.environ:
        return (yield)
    begun = time.monotonic()
    tracer.start()
    exit_now = os._exit

    def note_and_exit(status: int) -> None:
        try:
            write_trace(item.nodeid, tracer.stop(), 0)
        finally:
            exit_now(status)

    os._exit = note_and_exit  # type: ignore[assignment]
    try:
        return (yield)
    finally:
        os._exit = exit_now
        lines = tracer.stop()
        if item.nodeid not in failed:
            write_trace(item.nodeid, lines, time.monotonic() - begun)
            for name, once in shared.items():
                if name in getattr(item, "fixturenames", ()):
                    write_trace(item.nodeid, once, 0)


# The copy, and the tests on it.


class Copy:
    """A copy of the house in a folder, in which tests are run."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "house"
        ignored = shutil.ignore_patterns(".*", "__pycache__", "*.DB", "*.TMP", "*.OUT")
        shutil.copytree(ROOT, self.root, ignore=ignored)
        self.traces = folder / "traces"
        self.traces.mkdir()
        os.chmod(folder, 0o711)  # other users write there too
        os.chmod(self.traces, 0o777)
        self.choice = folder / "choice"
        site = folder / "site"
        site.mkdir()
        (site / "sitecustomize.py").write_text(SITE)
        self.environment = {
            **os.environ,
            "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
            "PYTHONPATH": str(self.root),
        }
        self.tracing = {
            **self.environment,
            TRACE: str(self.traces),
            "PYTHONPATH": f"{site}{os.pathsep}{self.root}",
        }
        self.changes = 0

    def write(self, file: str, text: str) -> None:
        """Put another text in a file, with a time that no compiled file has."""
        path = self.root / file
        path.write_text(text, "utf-8")
        self.changes += 1
        os.utime(path, (self.changes, self.changes))

    def pytest(
        self, words: Iterable[str], environment: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        """A run of pytest that has begun."""
        options = ["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler"]
        command = [sys.executable, "-m", "pytest", *options]
        return subprocess.Popen(
            [*command, "-p", "tests.bench.mutants", *words],
            cwd=self.root, env=environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def traced(self, files: Iterable[str]) -> Tests:
        """What the tests in these files run."""
        self.pytest(files, self.tracing).communicate()
        found: Tests = {}
        for path in self.traces.iterdir():
            name, lines, seconds = json.loads(path.read_text())
            before = found.get(name, Test({}, 0))
            for file, numbers in before.lines.items():
                lines[file] = sorted({*lines.get(file, ()), *numbers})
            found[name] = Test(lines, seconds + before.seconds)
            path.unlink()
        return {name: test for name, test in found.items() if test.seconds}

    def first_failure(self, tests: Sequence[str], seconds: dict[str, Seconds]) -> str:
        """The first of these tests that fails, "" if none does."""
        if not tests:
            return ""
        limits = {test: 20 + 3 * seconds[test] for test in tests}
        self.choice.write_text(json.dumps(limits))
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        words = ["-x", "--tb=no", "-rfE", *files]
        process = self.pytest(words, {**self.environment, CHOICE: str(self.choice)})
        output = process.communicate()[0].decode("utf-8", "replace")
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # what a test left behind
        if process.returncode == 0:
            return ""
        told = re.findall("^(?:FAILED|ERROR) (.*)", output, re.MULTILINE)
        found = [test for test in tests if any(line.startswith(test) for line in told)]
        return max(found, key=len, default="it did not end")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def all_tests(copy: Copy) -> Tests:
    """What each test runs, from the cache where nothing has changed."""
    cache = json.loads(CACHE.read_text()) if CACHE.exists() else {}
    found: Tests = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        file = str(path.relative_to(ROOT))
        entry = cache.get(file)
        if not entry or not all(
            (copy.root / name).exists() and digest(copy.root / name) == known
            for name, known in entry["digests"].items()
        ):
            tests = copy.traced([file])
            touched = {name for test in tests.values() for name in test.lines}
            digests = {name: digest(copy.root / name) for name in {file, *touched}}
            cache[file] = entry = {"digests": digests, "tests": tests}
            CACHE.parent.mkdir(exist_ok=True)
            CACHE.write_text(json.dumps(cache))
            print(f"{file}: {len(tests)} tests traced", file=sys.stderr, flush=True)
        found.update({name: Test(*test) for name, test in entry["tests"].items()})
    return found


# The changes.

COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
}  # fmt: skip
OPERATORS = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
    ast.BitXor: ("^", "|"), ast.Pow: ("**", "*"), ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}  # fmt: skip
LEFT_OUT = (
    ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Raise, ast.Break, ast.Continue,
    ast.Delete,
)  # fmt: skip
SCOPES = (ast.FunctionDef, ast.Lambda)
WORD = re.compile(r"(?<![\\{a-zA-Z])[A-Za-z]{2,}(?![\w]*[}(])")


class Changes:
    """All the changes that can be made to a file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.text = (ROOT / file).read_text("utf-8")
        self.tree = ast.parse(self.text)
        starts = [0]
        for line in self.text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self.starts = starts
        self.found: list[Mutant] = []
        self.visit(self.tree, False)

    def at(self, line: int, column: int) -> int:
        """The place in the text of a column, which the parser counts in bytes."""
        begin = self.starts[line - 1]
        rest = self.text[begin : self.starts[line]].encode()[:column]
        return begin + len(rest.decode())

    def begin(self, node: Any) -> int:
        return self.at(node.lineno, node.col_offset)

    def end(self, node: Any) -> int:
        return self.at(node.end_lineno, node.end_col_offset)

    def add(self, node: Any, begin: int, end: int, text: str) -> None:
        self.found.append(Mutant(self.file, node.lineno, begin, end, text))

    def replace(self, node: Any, text: str) -> None:
        self.add(node, self.begin(node), self.end(node), text)

    def negate(self, node: ast.expr) -> None:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return
        self.replace(node, f"(not ({self.text[self.begin(node) : self.end(node)]}))")

    def between(self, left: ast.expr, right: ast.expr, was: str, becomes: str) -> None:
        """Change what stands between two expressions."""
        begin, end = self.end(left), self.begin(right)
        at = re.search(re.escape(was).replace(r"\ ", r"\s+"), self.text[begin:end])
        if at:
            self.add(right, begin + at.start(), begin + at.end(), becomes)

    def visit(self, node: ast.AST, in_function: bool) -> None:
        """Add the changes of a node and of all below it."""
        if isinstance(node, LEFT_OUT) and in_function:
            self.replace(node, "pass")
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            self.negate(node.test)
        elif isinstance(node, ast.comprehension):
            for test in node.ifs:
                self.negate(test)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for left, kind, right in zip(sides, node.ops, sides[1:]):
                self.between(left, right, *COMPARISONS[type(kind)])
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:]):
                self.between(left, right, *OPERATORS[type(node.op)])
        elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            self.between(node.left, node.right, *OPERATORS[type(node.op)])
        elif isinstance(node, ast.AugAssign) and type(node.op) in OPERATORS:
            was, becomes = OPERATORS[type(node.op)]
            self.between(node.target, node.value, f"{was}=", f"{becomes}=")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            self.replace(node, self.text[self.begin(node.operand) : self.end(node)])
        elif isinstance(node, (ast.Constant, ast.JoinedStr)):
            self.constant(node)
        if isinstance(node, ast.JoinedStr):
            return
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not is_text(child):
                    self.visit(child, in_function or isinstance(node, SCOPES))

    def constant(self, node: ast.Constant | ast.JoinedStr) -> None:
        value = getattr(node, "value", "")
        if isinstance(value, bool):
            self.replace(node, str(not value))
        elif isinstance(value, (int, float)):
            self.replace(node, repr(value + 1))
        elif isinstance(value, str):
            begin, end = self.begin(node), self.end(node)
            words = list(WORD.finditer(self.text, begin, end))
            for word in words:
                other = word[0][0] + word[0][:0:-1]
                if other == word[0]:
                    other = word[0] + word[0][-1]
                self.add(node, word.start(), word.end(), other)
            if not words and value:
                self.replace(node, '""' if isinstance(value, str) else 'b""')
        elif isinstance(value, bytes) and value:
            self.replace(node, 'b""')


def is_text(node: object) -> bool:
    """Whether a statement is only a text, as a docstring is."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def mutants(file: str) -> list[Mutant]:
    """Every mutant of a file that can be compiled, in the order of its text."""
    changes = Changes(file)
    return [mutant for mutant in changes.found if compiles(changed(changes, mutant))]


def changed(changes: Changes, mutant: Mutant) -> str:
    """The text of the file with the change."""
    text = changes.text
    return text[: mutant.begin] + mutant.text + text[mutant.end :]


def compiles(text: str) -> bool:
    try:
        compile(text, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


# Which tests run what is changed.


class House:
    """The files of the house: who runs a line, who uses a name."""

    def __init__(self, tests: Tests) -> None:
        self.tests = tests
        self.runs: dict[tuple[str, int], set[str]] = {}
        self.touches: dict[str, set[str]] = {}
        for name, test in tests.items():
            for file, lines in test.lines.items():
                self.touches.setdefault(file, set()).add(name)
                for line in lines:
                    self.runs.setdefault((file, line), set()).add(name)
            for file in imported(name.partition("::")[0]):
                self.touches.setdefault(file, set()).add(name)
        self.uses: dict[str, set[tuple[str, int]]] = {}  # of names, by lines
        self.sets: dict[tuple[str, int], set[str]] = {}  # names that a line sets
        for file in files():
            self.read(file)

    def read(self, file: str) -> None:
        """Note who sets and who uses names in a file."""
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        for node in ast.walk(tree):
            name = getattr(node, "id", None) or getattr(node, "attr", None)
            if name and isinstance(getattr(node, "ctx", None), ast.Load):
                self.uses.setdefault(name, set()).add((file, node.lineno))  # type: ignore[attr-defined]
            elif isinstance(node, ast.keyword) and node.arg:
                self.uses.setdefault(node.arg, set()).add((file, node.value.lineno))
        self.read_body(file, tree.body)

    def read_body(self, file: str, body: Sequence[ast.stmt], owner: str = "") -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                self.read_body(file, node.body, node.name)
            elif isinstance(node, (ast.If, ast.Try)):
                self.read_body(file, node.body, owner)
            elif not isinstance(node, (ast.FunctionDef, ast.Import, ast.ImportFrom)):
                names = {
                    child.id
                    for child in ast.walk(node)
                    if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)
                } | ({owner} if owner else set())
                for line in range(node.lineno, (node.end_lineno or 0) + 1):
                    self.sets.setdefault((file, line), set()).update(names)

    def running(self, file: str, line: int) -> set[str]:
        """The tests that run a line, or a line that uses what this one sets."""
        found: set[str] = set()
        seen: set[tuple[str, int]] = set()
        todo = [(file, line)]
        while todo:
            place = todo.pop()
            if place in seen:
                continue
            seen.add(place)
            if place in self.sets:
                for name in self.sets[place]:
                    todo += self.uses.get(name, ())
            else:
                found |= self.nearest(*place)
        return found

    def nearest(self, file: str, line: int) -> set[str]:
        """The tests that run the line, or the begin of its statement."""
        for number in range(line, max(line - 12, 0), -1):
            if (file, number) in self.runs:
                return self.runs[file, number]
        return set()


@cache
def imported(test_file: str) -> set[str]:
    """The files of the house from which a file of tests imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / test_file).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{it.name}" for it in node.names)]
        elif isinstance(node, ast.Import):
            names = [it.name for it in node.names]
        else:
            continue
        found |= {f"{name.replace('.', '/')}.py" for name in names}
    return found & set(files())


def files() -> list[str]:
    """The files of the house."""
    found = [ROOT / "kalah.py", *sorted((ROOT / "sail").rglob("*.py"))]
    return [str(path.relative_to(ROOT)) for path in found]


# The table.


def one_line(text: str) -> str:
    return " ".join(text.split())


def tell(changes: Changes, mutant: Mutant) -> None:
    """Print a survivor: the line as it was and as it is."""
    number = changes.text.count("\n", 0, mutant.begin) + 1
    begin, end = changes.starts[number - 1], changes.starts[number]
    was = changes.text[begin : max(end, mutant.end)]
    after = changes.text[mutant.end : max(end, mutant.end)]
    becomes = changes.text[begin : mutant.begin] + mutant.text + after
    print(f"survived: {mutant.file}:{number}\n  - {one_line(was)}")
    print(f"  + {one_line(becomes)}", flush=True)


def try_mutants(copy: Copy, house: House, chosen: Sequence[Mutant]) -> None:
    """Try these mutants; print the survivors and the table."""
    tried: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    with suppress(KeyboardInterrupt):
        for mutant in chosen:
            if try_mutant(copy, house, mutant):
                killed[mutant.file] += 1
            tried[mutant.file] += 1
    print(f"{'module':<40} {'tried':>7} {'killed':>7} {'survived':>9}")
    for file in [*sorted(tried), "all"]:
        count = tried[file] or sum(tried.values())
        dead = killed[file] if file in tried else sum(killed.values())
        print(f"{file:<40} {count:>7} {dead:>7} {count - dead:>9}")


def try_mutant(copy: Copy, house: House, mutant: Mutant) -> bool:
    """Whether a mutant is killed; one that is not is printed."""
    changes = Changes(mutant.file)
    copy.write(mutant.file, changed(changes, mutant))
    seconds = {name: test.seconds for name, test in house.tests.items()}
    running = house.running(mutant.file, mutant.line)
    # What runs while a file is imported is known of one test only.
    others = house.touches.get(mutant.file, set()) - running
    killed = any(
        copy.first_failure(sorted(tests, key=seconds.__getitem__), seconds)
        for tests in (running, others)
    )
    copy.write(mutant.file, changes.text)
    if not killed:
        tell(changes, mutant)
    return killed


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m tests.bench.mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("files", nargs="*", help="of the house; all of them")
    return parser.parse_args()


def main() -> None:
    options = parse()
    every = [mutant for file in options.files or files() for mutant in mutants(file)]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    rnd = random.Random(options.seed)
    chosen = rnd.sample(every, min(options.count, len(every)))
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        try_mutants(copy, House(all_tests(copy)), chosen)


if __name__ == "__main__":
    main()
