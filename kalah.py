"""The command: options in, area and teletype out, a program runs."""

from __future__ import annotations

import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback of an import

import argparse
import os
import sys

from sail import VERSION
from sail.area import Area, AreaError
from sail.line.models import MODELS
from sail.line.ports import LineError
from sail.line.station import open_teletype
from sail.monitor import PROGRAMS, Monitor, find
from sail.teletype import EndOfInput, Leave

SAVES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "saves")
MONITOR = "MONITOR"


def main(words: list[str] | None = None) -> int:
    """The exit status: 0, or 1 after a sentence on standard error.

    It is 0 whenever the job is ended in order: by its user, at the end of
    the input, when nobody reads the output, by SIGTERM, SIGHUP or SIGINT.
    On the console a program runs and is over; a line has the monitor, for
    ever.  Raises SystemExit with 2 for options that make no sense.
    """
    options = parse(words)
    occupy_descriptors()
    try:
        area = Area(options.area)
        with open_teletype(options.tty, options.model, options.baud) as tty:
            if options.tty or options.program == MONITOR:
                first = "" if options.program == MONITOR else options.program or ""
                Monitor(tty, area).run(first, for_ever=bool(options.tty))
            else:
                find(options.program or "KALAH")(tty, area)
    except (AreaError, LineError) as error:
        print(error, file=sys.stderr)
        return 1
    except MemoryError:
        print("Not enough memory.", file=sys.stderr)
        return 1
    except (EndOfInput, Leave):
        pass
    return 0


def occupy_descriptors() -> None:
    """Nothing; no file of the area gets the place of a closed output.

    Such a place holds what can only be used the other way round, so that
    reading or writing there fails as before.
    """
    for descriptor, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, mode)


def parse(words: list[str] | None) -> argparse.Namespace:
    """The options, with the program's whole name or None."""
    parser = argparse.ArgumentParser(
        prog="kalah.py",
        description="KALAH, the game program of 1972, on a teletype.",
        epilog="Exit status: 0 when the job has ended, by a signal too; 1 when"
        " a line, the area or the output cannot be used; 2 for wrong options.",
    )
    parser.add_argument(
        "program",
        metavar="PROGRAM",
        nargs="?",
        type=program,
        help="KALAH (default), ATLAS, RUSSEL, SILVER, SOLVE or MONITOR;"
        " may be cut short",
    )
    parser.add_argument(
        "--tty", metavar="LINE", help="a device, a pyserial URL, or pty to make one"
    )
    parser.add_argument(
        "--model", choices=MODELS, help="the machine: glass, with --tty 33"
    )
    parser.add_argument(
        "--baud", metavar="B", type=speed, help="line speed; types at it on the console"
    )
    parser.add_argument(
        "--area", metavar="DIR", default=SAVES, help="where files live: saves/"
    )
    parser.add_argument("--version", action="version", version=f"KALAH {VERSION}")
    return parser.parse_args(words)


def program(typed: str) -> str:
    """The whole name of a program.  Raises ArgumentTypeError."""
    names = [name for name in (*PROGRAMS, MONITOR) if name.startswith(typed.upper())]
    if len(names) != 1:
        raise argparse.ArgumentTypeError(f"no program {typed}")
    return names[0]


def speed(typed: str) -> float:
    """Bits a second.  Raises ArgumentTypeError."""
    try:
        baud = float(typed)
    except ValueError:
        baud = 0
    if not 1 <= baud <= 4_000_000:
        raise argparse.ArgumentTypeError(f"{typed} is not a speed")
    return baud


if __name__ == "__main__":
    sys.exit(main())
