"""KALAH, the game program of the Stanford A.I. Laboratory, 1972 (AKC)."""
