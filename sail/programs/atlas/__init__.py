"""ATLAS, A. G. Bell's program of 1968, which learns from the games it loses (BELL)."""
