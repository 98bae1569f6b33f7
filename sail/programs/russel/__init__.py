"""RUSSEL, Richard Russell's PDP-1 program (M22); PDP-6 names have six letters."""
