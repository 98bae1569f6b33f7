"""The command line: parse options, open the area and teletype, run a program."""

from __future__ import annotations

if __name__ == "__main__":
    # A ^C during the imports must not print a traceback.  _signal, the C
    # part of the signal module, takes no time to import.
    from _signal import SIG_DFL, SIGINT, signal  # type: ignore[import-not-found]

    signal(SIGINT, SIG_DFL)

import argparse
import os
import re
import sys
from argparse import ArgumentTypeError
from contextlib import suppress

HOME = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HOME)  # python3 -I omits it

from sail import VERSION
from sail.files.area import Area
from sail.line.device import Device
from sail.line.models import MODELS, Framing, Model
from sail.line.ports import LineError, Pseudo, console, write_out
from sail.line.station import Station, on_signals, raise_leave
from sail.monitor import visitors
from sail.monitor.dot import Monitor
from sail.monitor.registry import PROGRAMS, load
from sail.refusal import OUT_OF_MEMORY, Refusal, system_words
from sail.settings import NUMBERS, Settings, changed
from sail.talk import manuals
from sail.teletype import EndOfInput, Leave
from sail.typed import name_meant

SAVES = os.path.join(HOME, "saves")
MONITOR, HELP = "MONITOR", "HELP"
NAMES = (*PROGRAMS, MONITOR, HELP)


def main(words: list[str] | None = None) -> int:
    """Run the job; return 0, or 1 after printing a sentence on standard error.

    0 means that the job ended normally: the user left, the input ended, nobody reads
    the output any more, or SIGTERM, SIGHUP or SIGINT came.  With --tty, the monitor
    runs until a signal; so does KALAH with --visitors.
    Raises SystemExit with 2 for wrong options.
    """
    _occupy_descriptors()
    try:
        with suppress(EndOfInput, Leave):
            options = options_of(words)
            on_signals(raise_leave)  # opening a line may take ten seconds
            if options.program == HELP:
                _type_manual(" ".join(options.words))
            else:
                run(options)
        return 0
    except (Refusal, LineError) as error:
        why = str(error)
    except OSError as error:
        why = f"The system refuses: {system_words(error)}."
    except OUT_OF_MEMORY:
        why = "Not enough memory."
    print(why, file=sys.stderr)
    return 1


def run(options: argparse.Namespace) -> None:
    area = Area(options.area)
    with open_teletype(options.tty, options.model, options.baud, options.bits) as tty:
        tty.set(f"BELL {options.set}" if options.visitors else options.set)
        if options.visitors:
            serve = visitors.serve if options.tty else visitors.visit
            serve(tty, area)
        elif options.tty or options.program == MONITOR:
            first = "" if options.program == MONITOR else options.program or ""
            monitor = Monitor(tty, area)
            (monitor.serve if options.tty else monitor.run)(first)
        else:
            load(options.program or "KALAH")(tty, area).run()


def open_teletype(
    line: str | None = None,
    model_name: str | None = None,
    baud: float | None = None,
    framing: Framing | None = None,
) -> Station:
    """Open a teletype on a line, or on the console if `line` is None.

    line: a device, a pyserial URL, or "pty": a pseudo-terminal, whose name is printed.
    model_name: of MODELS.  Default: 33 on a line; on the console utf8 or glass.
    baud, framing: instead of the model's.  The console ignores `framing`, and it is
    not paced without `baud`.  Raises LineError.
    """
    if line is None:
        model = console_model(model_name, baud)
        port = console(adds_returns=model.screen)
        tty = Station(port, model)
        if port.by_lines:
            tty.set("NO ECHO")
        return tty
    model = MODELS[model_name or "33"]
    model = model._replace(baud=baud or model.baud, framing=framing or model.framing)
    if line == "pty":
        pseudo = Pseudo()
        write_out(f"{pseudo.name}\n")
        return Station(pseudo, model)
    if line.startswith("rfc2217:"):
        write_out(f"Calling {line}: this takes up to ten seconds.\n")
    return Station(Device(line, model.baud, model.framing), model)


def console_model(name: str | None, baud: float | None) -> Model:
    """Return the named or default model for the console, as wide as a narrow window.

    Raises LineError.
    """
    if not name:
        encoding = getattr(sys.stdout, "encoding", None) or ""
        name = "utf8" if encoding.lower() == "utf-8" else "glass"
    model = MODELS[name]._replace(baud=baud or 0)
    if model.framing.bytesize == 5:
        raise LineError(f"Model {name} has five levels: it needs --tty LINE.")
    if baud and baud <= 110:  # a line this slow has two stop bits
        model = model._replace(framing=model.framing._replace(stopbits=2))
    with suppress(OSError):  # it may be no terminal
        width = model.settings.width
        columns = os.get_terminal_size().columns or width
        width = min(max(columns, NUMBERS["WIDTH"][0]), width)
        model = model._replace(settings=model.settings._replace(width=width))
    return model


def _type_manual(words: str) -> None:
    """Type what HELP with these words does; without words, the options.

    Raises Refusal if there is no such manual or part.
    """
    if not words:
        options_of(["--help"])  # raises Leave
    text = manuals.find(words)
    with open_teletype() as tty:
        tty.type(text)


def _occupy_descriptors() -> None:
    """Reopen standard input, output and error on the null device if closed.

    Otherwise a file in the area could get descriptor 0, 1 or 2.  Input is opened for
    writing, and output for reading, so using them still fails.
    """
    for descriptor, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, mode)


def options_of(words: list[str] | None) -> argparse.Namespace:
    """Return the options.  Raises Leave after --help, SystemExit for wrong options."""
    parser = argparse.ArgumentParser(
        prog="kalah.py",
        description="KALAH, the game program of 1972, on a teletype.",
        epilog="kalah.py HELP KALAH lists the parts of KALAH's manual, kalah.py HELP"
        " KALAH LEVELS types one.  The manuals are"
        f" {', '.join(sorted(manuals.MANUALS))}."
        "  Exit status: 0 when the job has ended, also by a signal; 1 when a line, the"
        " area or the output cannot be used; 2 for wrong options.",
        add_help=False,
    )
    option = parser.add_argument
    option(
        "program",
        metavar="PROGRAM",
        nargs="?",
        type=program_named,
        choices=NAMES,
        help=f"{', '.join(NAMES)}; may be abbreviated (default KALAH)",
    )
    option("words", nargs="*", metavar="WORDS", help="of a manual, after HELP")
    option("--tty", metavar="LINE", help="a device, a pyserial URL, or pty to make one")
    about = "the machine (default 33 with --tty, else utf8 or glass)"
    option("--model", type=_model_named, choices=MODELS, help=about)
    # argparse types the names of `speed` and `bits` in its errors.
    about = "rate of the line; a terminal types at that rate"
    option("--baud", metavar="B", type=speed, help=about)
    about = "data bits, parity, stop bits of the line: 8N2, 7E1, 5N1.5"
    option("--bits", metavar="8N2", type=bits, help=about)
    about = 'settings, in the words of TTY at the dot: "NO ECHO FILL 4 WIDTH 72"'
    option("--set", metavar="WORDS", type=_setting_words, default="", help=about)
    about = "KALAH for strangers, without a dot; with --tty for one after another"
    option("--visitors", action="store_true", help=about)
    about = "the folder for files (default saves)"
    option("--area", metavar="DIR", default=SAVES, help=about)
    option("--version", action="store_true", help="type the version")
    option("-h", "--help", action="store_true", help="type this")
    options = parser.parse_args(words)
    if options.help or options.version:
        write_out(parser.format_help() if options.help else f"KALAH {VERSION}\n")
        raise Leave
    if options.words and options.program != HELP:
        parser.error(f"unrecognized arguments: {' '.join(options.words)}")
    if options.visitors and options.program not in (None, visitors.PROGRAM):
        parser.error(f"--visitors takes no PROGRAM but {visitors.PROGRAM}")
    name = options.model or "33"
    if options.bits and options.bits.bytesize < 7 <= MODELS[name].framing.bytesize:
        parser.error(f"--bits: model {name} needs seven or eight data bits")
    return options


def program_named(typed: str) -> str:
    """Return the full name of a program, or what was typed if there is none."""
    return name_meant(typed.upper(), NAMES) or typed


def _model_named(typed: str) -> str:
    """Return a model's name as MODELS spells it, or what was typed if there is none."""
    return {name.lower(): name for name in MODELS}.get(typed.lower(), typed)


def speed(typed: str) -> float:
    """Return the line speed in bits per second.  Raises ValueError."""
    baud = float(typed)
    if not 1 <= baud <= 4_000_000:
        raise ValueError
    return baud


def bits(typed: str) -> Framing:
    """Return the framing for a name like 8N2, 7E1 or 5N1.5.  Raises ValueError."""
    match = re.fullmatch(r"([5-8])([NEOMS])(1|1\.5|2)", typed.upper())
    if not match:
        raise ValueError
    data, parity, stop = match.groups()
    return Framing(int(data), parity, float(stop))


def _setting_words(typed: str) -> str:
    """Return the words if TTY would accept them.  Raises ArgumentTypeError."""
    try:
        changed(Settings(), typed)
    except Refusal as error:
        raise ArgumentTypeError(str(error)) from None
    return typed


if __name__ == "__main__":
    sys.exit(main())
