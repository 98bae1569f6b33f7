"""The source of sail: the map and the imports, the tree of errors, no way out."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import sail
from sail import refusal

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "sail"
FILES = sorted(path for path in HOUSE.rglob("*.py") if path.name != "__init__.py")
PROGRAMS = sorted(
    path.name for path in (HOUSE / "programs").glob("[a-z]*") if path.is_dir()
)


def room(path: Path) -> str:
    """Return the room of a module: board, engine.moves, programs.kalah."""
    return ".".join(path.relative_to(HOUSE).with_suffix("").parts[:2])


def rooms() -> list[str]:
    """Return the rooms of the map, from the ground up: board, engine.moves, ..."""
    assert sail.__doc__
    found: list[str] = []
    storey = ""
    house = sail.__doc__.partition("Each module")[2].partition("The sources")[0]
    for name, module in re.findall(r"(?m)^    (\S*) +(\S+)", house):
        if name and not name.endswith("/"):
            found.append(name)
            continue
        storey = name.replace("/", ".") or storey
        found += [storey + it for it in (PROGRAMS if module == "NAME/" else [module])]
    return found


ROOMS = rooms()


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return what a file imports, names and calls."""
    kinds = (ast.Import, ast.ImportFrom, ast.Name, ast.Attribute, ast.Call)
    tree = ast.walk(ast.parse(path.read_text("utf-8")))
    return [node for node in tree if isinstance(node, kinds)]


def imports(path: Path) -> set[str]:
    """Return the modules of the house that a file imports."""
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                file = ROOT / (whole.replace(".", "/") + ".py")
                found.add(whole if file.exists() else node.module)
    return {name for name in found if name.startswith("sail.")}


def test_map_names_every_room() -> None:
    there, named = {room(path) for path in FILES}, {*ROOMS}
    assert not there - named, "name these modules on the map in sail/__init__.py"
    assert not named - there, "the map in sail/__init__.py names what is not there"
    assert len(ROOMS) == len(named), "the map names a module twice"


def test_imports_go_one_way() -> None:
    for path in FILES:
        here = room(path)
        above = {*ROOMS[: ROOMS.index(here)], here}
        if here.startswith("programs."):
            above = {it for it in above if it == here or it[:9] != "programs."}
        modules = imports(path)
        imported = {room(ROOT / name.replace(".", "/")) for name in modules}
        told = f"{path} imports what stands below it on the map, or another program"
        assert not imported - above, told
        seen = {name for name in modules if ".line" in name}
        assert not ("programs" in path.parts and seen), f"{path} sees a line"


def test_no_modules_import_one_another() -> None:
    """Not even late, within a function."""
    names = {
        path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in FILES
    }
    TopologicalSorter({name: imports(path) for path, name in names.items()}).prepare()


def functions(path: Path) -> set[str]:
    """Return the names of a module's functions and methods, but for __init__ and such."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    outer = [node for node in nodes if isinstance(node, (ast.Module, ast.ClassDef))]
    found = [it for node in outer for it in node.body]
    names = {it.name for it in found if isinstance(it, ast.FunctionDef)}
    return {name for name in names if not name.startswith("__")}


def test_an_underscore_marks_what_only_its_module_uses() -> None:
    here = [ROOT / "kalah.py", *FILES]
    paths = [*here, *(ROOT / "tests").rglob("*.py")]
    words = {path: {*re.findall(r"\w+", path.read_text("utf-8"))} for path in paths}
    for path in here:
        elsewhere = set().union(*(words[it] for it in paths if it != path))
        own = {name for name in functions(path) - elsewhere if name[0] != "_"}
        assert not own, f"only {path.name} uses these: begin their names with _"


def test_tests_import_no_tests() -> None:
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    lines = [line for path in tests for line in path.read_text("utf-8").split("\n")]
    found = [it for it in lines if it.startswith("from tests") and ".test_" in it]
    assert not found, "what two tests need stands in a module of its own"


def test_tree_of_errors_names_every_class() -> None:
    """Each with its base and its module; a base of Python's has no module."""
    assert refusal.__doc__
    tree: set[tuple[str, str, str]] = set()
    branch: list[str] = []
    for line in refusal.__doc__.splitlines():
        depth = (len(line) - len(line.lstrip())) // 4
        name, module, *_ = [*line.split(), "", ""]
        if depth:
            branch[depth - 1 :] = [name]
        if depth > 1 and module:
            tree.add((name, branch[-2], module))
    modules = [".".join(it.relative_to(ROOT).with_suffix("").parts) for it in FILES]
    errors = {
        error
        for module in modules
        for _, error in inspect.getmembers(import_module(module), inspect.isclass)
        if issubclass(error, BaseException) and error.__module__.startswith("sail.")
    }
    assert tree == {
        (error.__name__, error.__base__.__name__, error.__module__[len("sail.") :])
        for error in errors
        if error.__base__
    }


BUILTINS = {"eval", "exec", "compile", "__import__", "input", "breakpoint", "open"}
HARMLESS = {  # of os; the disk may use all of it
    "access", "close", "devnull", "fstat", "getpgrp", "getpid", "isatty", "kill", "open",
    "openpty", "path", "read", "set_blocking", "strerror", "tcgetpgrp", "ttyname", "write",
}  # fmt: skip
FOREIGN = {
    "socket", "ssl", "subprocess", "multiprocessing", "pickle", "marshal", "shelve",
    "ctypes", "urllib", "http", "ftplib", "smtplib", "asyncio", "code", "codeop", "pty",
    "runpy", "tempfile", "shutil", "pathlib", "glob", "io", "sqlite3", "dbm", "string",
    "webbrowser", "logging", "builtins", "posix",
}  # fmt: skip
ALLOWED = {
    ("sail/line/device.py", "import socket"),  # for the names of options
    ("sail/line/device.py", "import_module('serial')"),
    ("sail/line/device.py", "import_module('serial.tools.list_ports')"),
    ("sail/line/device.py", "os.open(path, os.O_RDONLY | SAFE_FLAGS)"),
    ("sail/line/device.py", "os.listdir"),  # of /proc, for the program that has a port
    ("kalah.py", "os.get_terminal_size"),
    ("sail/line/ports.py", "os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)"),
    ("sail/line/ports.py", "import_module('termios')"),  # which Windows lacks
    ("sail/line/ports.py", "import_module('fcntl')"),
    ("sail/line/ports.py", "import_module('tty')"),
    ("sail/monitor/registry.py", "import_module(f'sail.programs.{folder}.dialogue')"),
    ("sail/__init__.py", "from pathlib import Path"),  # HOUSE, whose files are read
    ("kalah.py", "os.open(os.devnull, mode)"),
}


def reaches(node: ast.AST) -> bool:
    """Return whether a node may reach beyond the area."""
    if isinstance(node, ast.Import):
        return bool({alias.name.split(".")[0] for alias in node.names} & FOREIGN)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] in {*FOREIGN, "os"}
    if isinstance(node, ast.Name):
        return node.id in BUILTINS
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        of_os = node.value.id == "os" and not node.attr.isupper()
        return of_os and node.attr not in HARMLESS
    if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        return name == "import_module" or ast.unparse(node.func) == "os.open"
    return False


def test_nothing_reaches_beyond_the_area() -> None:
    """There is no shell, evaluation, environment, socket or other path."""
    found = {
        (str(path.relative_to(ROOT)), ast.unparse(node))
        for path in [ROOT / "kalah.py", *HOUSE.rglob("*.py")]
        for node in (nodes(path) if path.name != "disk.py" else ())
        if reaches(node)
    }
    more, gone = found - ALLOWED, ALLOWED - found
    assert not more, "do this in sail/files/disk.py, or say in ALLOWED why it is safe"
    assert not gone, "take these out of ALLOWED"
