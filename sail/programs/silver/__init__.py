"""SILVER, Roland Silver's program for the PDP-1 (APN)."""
