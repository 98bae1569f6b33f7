"""The engine: packed moves, the levels' search, exact values, endgame databases."""
