"""SOLVE, perfect play after Irving, Donkers and Uiterwijk, 2000 (ISK)."""

from sail.programs.solve.dialogue import run as run
