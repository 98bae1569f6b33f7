"""The files: texts on disk, written whole or not at all, and read back strictly."""
