"""SOLVE, perfect play after Irving, Donkers and Uiterwijk, 2000 (ISK)."""
