"""UCI, the Universal Chess Interface: programs of others as players of chess, and our players as such programs."""
