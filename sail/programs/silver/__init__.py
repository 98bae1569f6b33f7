"""SILVER, Roland Silver's program for the PDP-1 (APN)."""

from sail.programs.silver.dialogue import run as run
