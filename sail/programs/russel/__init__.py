"""RUSSEL, Richard Russell's PDP-1 program (M22); names have at most six letters."""
