"""Opening a teletype for the command line."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from sail.line import ports
from sail.line.device import Device
from sail.line.models import MODELS, Framing, Model
from sail.line.settings import NUMBERS
from sail.line.station import Station


def open_teletype(
    line: str | None = None,
    make: str | None = None,
    baud: float | None = None,
    framing: Framing | None = None,
) -> Station:
    """Open a teletype on a line, or on the console if `line` is None.

    line: a device, a pyserial URL, or "pty": a pseudo-terminal, whose name is printed.
    make: a key of MODELS.  Default: 33 on a line; on the console utf8 or glass.
    baud, framing: instead of the model's.  The console ignores `framing`, and it is
    not paced without `baud`.  Raises ports.LineError.
    """
    if line is None:
        port, model = ports.console(), console_model(make, baud)
        if not ports.adds_returns(otherwise=model.screen):
            port.newline = "\r\n"
        tty = Station(port, model, baud)
        if port.by_lines:
            tty.set("NO ECHO")
        return tty
    model = MODELS[make or "33"]
    model = model._replace(framing=framing or model.framing)
    baud = baud or model.baud
    if line == "pty":
        pseudo = ports.Pseudo()
        ports.write_out(f"{pseudo.name}\n")
        return Station(pseudo, model, baud)
    if line.startswith("rfc2217:"):
        ports.write_out(f"Calling {line}: this takes up to ten seconds.\n")
    return Station(Device(line, baud, model.framing), model, baud)


def console_model(make: str | None, baud: float | None) -> Model:
    """Return the named or default model for the console, as wide as a narrow window.

    Raises ports.LineError.
    """
    if not make:
        encoding = getattr(sys.stdout, "encoding", None) or ""
        make = "utf8" if encoding.lower() == "utf-8" else "glass"
    model = MODELS[make]
    if model.framing.data == 5:
        raise ports.LineError(f"Model {make} has five levels: it needs --tty LINE.")
    if baud and baud <= 110:  # a line this slow has two stop bits
        model = model._replace(framing=model.framing._replace(stop=2))
    with suppress(OSError):  # it may be no terminal
        width = model.settings.width
        columns = os.get_terminal_size().columns or width
        width = min(max(columns, NUMBERS["WIDTH"][0]), width)
        model = model._replace(settings=model.settings._replace(width=width))
    return model
