"""Files in which other programs keep matches: PGN for chess, SGF for Go, to and from records."""
