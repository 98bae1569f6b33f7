"""The monitor: the dot, its commands for files, the programs, TTY TEST, visitors."""
