"""RUSSEL, Richard Russell's PDP-1 program of A.I. Memo 22, 1964 (M22).

A name on the PDP-6 has six letters at most, so his second L is missing.
"""

from sail.programs.russel.typewriter import run

__all__ = ["run"]
