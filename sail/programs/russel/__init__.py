"""RUSSEL, Richard Russell's PDP-1 program (M22); a PDP-6 name has six letters."""

from sail.programs.russel.typewriter import run

__all__ = ["run"]
