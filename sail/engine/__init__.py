"""The engine: packed moves, the search for play, exact values, endgame databases."""
