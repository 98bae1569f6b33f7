"""The line: from the bytes of a port to the lines that a program reads."""
