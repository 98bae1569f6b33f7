"""The monitor: the dot, the programs by name, TTY TEST, visitors."""
